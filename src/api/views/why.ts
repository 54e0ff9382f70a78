import { rowOf } from '../contract/collections.ts'
import type { BalanceStatement, Reason } from '../contract/control/history.ts'
import { methods } from '../contract/control/methods.ts'
import { ruleOf } from '../contract/rules.ts'
import { taskKinds } from '../contract/tasks.ts'
import type { FieldRule, Source } from '../contract/terms/derived.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Outcomes } from '../domain/resources/show.ts'
import { type Change, type Commit, changesInParts } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { areEqual } from '../store/equal.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import { type CollectionName, type ReadWorld, readCollection, type StoredRecord } from '../store/world.ts'
import { findForcingData } from './forced-by.ts'
import { flattenFields, nameOf, nameWithStatus } from './names.ts'
import { type FoundCommit, type OriginStep, stepsToOrigin, toFoundCommit } from './origin.ts'
import { showRecord } from './records.ts'
import { partsOf } from './statement.ts'

/**
 * Why a record, or one of its fields, is as it is: from the value to the commit that last changed it, and from there back to the
 * request, or to what the operator created. The rules of derived fields are beside the fields, in `contract/resources/`.
 */

interface Key {
  readonly collection: CollectionName
  readonly record: StoredRecord
}

/** A step of the chain. */
interface Link extends Key {
  readonly says: string
  readonly commit?: FoundCommit | undefined
  /** Of a derived field. */
  readonly rule?: FieldRule | undefined
}

interface Explanation {
  readonly chain: Reason[]
  readonly statement: BalanceStatement | null
}

export function* explainRecord(
  store: ReadStore,
  collection: CollectionName,
  uid: Uid,
  field: string | undefined,
  outcomes?: Outcomes,
): Steps<Explanation> {
  const { world } = store
  const record = readCollection(world, collection).get(uid)
  if (!record) return { chain: [], statement: null }
  const parts = (field !== undefined && partsOf(world, collection, record, field)) || null
  const { fields, from } =
    field === undefined
      ? { fields: [], from: { collection, record } }
      : yield* followField(store, { collection, record, field }, outcomes)
  const records = from ? chainOf(world, from) : []
  const chainsOfParts = (parts?.parts ?? []).map(({ payment }) =>
    payment ? chainOf(world, { collection: 'transactions', record: payment }) : [],
  )
  // Reads the commits only once for all chains.
  const found = yield* findCommits(store, [records, ...chainsOfParts].flat(), field === undefined ? uid : undefined)
  const reasonsOf = (chain: readonly Link[]) => chain.map((link) => toReason(world, withCommit(link, found)))
  return {
    chain: yield* toFirstCause(store, [...fields, ...records.map((link) => withCommit(link, found))]),
    statement: parts && {
      ...parts,
      parts: parts.parts.map(({ payment, ...part }, i) => ({
        ...part,
        of: payment && { amount: payment.us_dollar_amount, pending: true, chain: reasonsOf(chainsOfParts[i]!) },
      })),
    },
  }
}

// ── A field ──────────────────────────────────────────────────────────────────────────────────────────────────────

interface FieldKey extends Key {
  readonly field: string
}

/** The field, then what it follows from, field by field. `from`: the record that the last one follows from. */
function* followField(
  store: ReadStore,
  key: FieldKey,
  outcomes: Outcomes | undefined,
): Steps<{ fields: Link[]; from?: Key }> {
  const fields: Link[] = []
  for (let at = key; ; ) {
    const { collection, record, field } = at
    const rule = ruleOfField(collection, field)
    const { commit, input } = yield* findFieldChange(store, at, rule?.from ?? [])
    const says = describe(store, at, outcomes)
    fields.push({ collection, record, says, rule, commit: commit && toFoundCommit(commit) })
    if (!input) return { fields }
    if (input.field === undefined) return { fields, from: input }
    at = { ...input, field: input.field }
  }
}

/** What a field follows from: a field of a record, or the record as it was created. */
interface Input extends Key {
  readonly field: string | undefined
}

const ruleOfField = (collection: CollectionName, field: string): FieldRule | undefined => {
  const { rules } = rowOf(collection).list
  return rules?.[field] ?? rules?.[firstPart(field)]
}

/** The newest commit that changed a stored field, or something that a derived field follows from, or that created its record. */
function* findFieldChange(
  store: ReadStore,
  at: FieldKey,
  from: readonly Source[],
): Steps<{ commit?: Commit; input?: Input | undefined }> {
  const { collection, record, field } = at
  const { world } = store
  const isStored = Object.hasOwn(record, firstPart(field))
  const inputs = isStored ? [] : from.flatMap((source) => inputsOf(world, at, source))
  const sources: readonly Source[] = isStored ? [{ fields: [field] }] : [...from, {}]
  const keys = [{ collection, record }, ...inputs]
  const texts = keys.map((key) => changeText(key.collection, key.record.uid))
  const uids = keys.map((key) => key.record.uid)
  for (const commit of currentBranch(store, { texts })) {
    yield
    if (!commit) continue
    for (const changes of changesInParts(commit, uids)) {
      if (sources.some((source) => changes.some((change) => isInput(at, source, change))))
        return { commit, input: findInput(world, at, from, changes) ?? inputs[0] }
      if (commit.replacement) yield
    }
  }
  return {}
}

/** The first in the order of the rule. A field of the record itself counts if it has a rule of its own. */
function findInput(
  world: ReadWorld,
  at: FieldKey,
  from: readonly Source[],
  changes: readonly Change[],
): Input | undefined {
  for (const source of from)
    for (const change of changes.toReversed()) {
      if (!isInput(at, source, change)) continue
      const { collection, uid } = change
      const field = source.fields?.find((one) => changesField(change, one))
      const isKnown = source.collection !== undefined || (field !== at.field && ruleOfField(collection, field ?? ''))
      const record = readCollection(world, collection).get(uid)
      if (isKnown && record) return { collection, record, field }
    }
  return undefined
}

/** The other records that a source names; the first of its fields leads on. */
function inputsOf(world: ReadWorld, { record }: Key, { collection: name, field, childField, fields }: Source): Input[] {
  if (name === undefined) return []
  const collection = name as CollectionName
  const found = valuesAt(record, field ?? 'uid').flatMap((value) => {
    const records = readCollection(world, collection)
    if (childField === undefined) return records.get(value) ?? []
    const linked = records.shelf(record.program_uid).findByIndex(childField, value) ?? []
    // Compares again, because an index ignores case.
    const exact = linked.filter((one) => valuesAt(one, childField).includes(value))
    return fields === undefined ? exact.slice(-1) : exact
  })
  return found.map((one) => ({ collection, record: one, field: fields?.[0] }))
}

/** Whether a change is one of a source of the record's fields. */
function isInput({ collection, record }: Key, source: Source, change: Change): boolean {
  const { collection: other = collection, field = 'uid', childField = 'uid', fields } = source
  if (change.collection !== other || !change.record) return false
  const wanted = valuesAt(record, field)
  const isLinked = valuesAt(change.record, childField).some((value) => wanted.includes(value))
  // Another record that is created without the value, such as a counterparty without a balance, adds nothing.
  const counts = (one: string) =>
    source.collection === undefined || change.was !== null || valueAt(change.record, one) !== null
  return isLinked && (fields ? fields.some((one) => changesField(change, one) && counts(one)) : change.was === null)
}

/** The value, or the values of a list. */
const valuesAt = (record: StoredRecord, field: string) =>
  [valueAt(record, field)].flat().filter((value) => typeof value === 'string')

const changesField = ({ was, record }: Change, field: string) =>
  was === null || !areEqual(valueAt(was, field), valueAt(record, field))

const firstPart = (field: string) => field.split('.', 1)[0]!

/** An absent field of a present object is null. */
function valueAt(record: StoredRecord | null, path: string): unknown {
  let value: unknown = record
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name] ?? null
  }
  return value
}

function describe(store: ReadStore, { collection, record, field }: FieldKey, outcomes: Outcomes | undefined): string {
  const name = nameOf(collection, record)
  const shown = store.read(record.program_uid, (tx) => showRecord(tx, collection, record, outcomes))
  const value = field === 'hmac_key' ? undefined : flattenFields(shown).get(field)
  return value === undefined ? `${name}: ${field}` : `${name}: ${field} is ${JSON.stringify(value)}`
}

// ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The record, its parent, and so on. */
function chainOf(world: ReadWorld, first: Key): Link[] {
  const links: Link[] = []
  for (let at: Key | undefined = first; at; at = parentOf(world, at)) {
    const { collection, record }: Key = at
    if (links.some((link) => link.record.uid === record.uid)) break
    links.push({ collection, record, says: nameWithStatus(collection, record) })
  }
  return links
}

/** The record that caused this one: the first existing parent of its row in the table of collections. */
function parentOf(world: ReadWorld, key: Key): Key | undefined {
  for (const { collection: other, ...parent } of rowOf(key.collection).parents ?? []) {
    const collection = typeof other === 'function' ? other(key.record as never) : other
    const [found] = collection ? inputsOf(world, key, { ...parent, collection }) : []
    if (found) return found
  }
  return undefined
}

/** By the uid of the record: the commit that created it; for the record `latest` the one that changed it last. */
function* findCommits(store: ReadStore, links: readonly Link[], latest?: Uid): Steps<Map<Uid, FoundCommit>> {
  const found = new Map<Uid, FoundCommit>()
  const missing = new Map(links.map(({ collection, record }) => [record.uid, changeText(collection, record.uid)]))
  const texts = [...missing.values()]
  const uids = [...missing.keys()]
  for (const commit of missing.size > 0 ? currentBranch(store, { texts }) : []) {
    yield
    if (!commit) continue
    for (const changes of changesInParts(commit, uids)) {
      for (const { collection, uid, was } of changes) {
        if (missing.get(uid) !== changeText(collection, uid)) continue
        found.set(uid, toFoundCommit(commit))
        // A rewind or restore adds records that were created by an earlier commit.
        if (uid === latest || (was === null && commit.goes_on_from === undefined)) missing.delete(uid)
      }
      if (commit.replacement) yield
    }
    if (missing.size === 0) break
  }
  return found
}

const withCommit = (link: Link, found: ReadonlyMap<Uid, FoundCommit>): Link => ({
  ...link,
  commit: found.get(link.record.uid),
})

// ── The first cause ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The links, each with what led to its commit; then the creation of the record and of its parents, until a request is reached. Behind a
 * decision also that of its Customer.
 */
function* toFirstCause(store: ReadStore, links: readonly Link[]): Steps<Reason[]> {
  const chain: Reason[] = []
  const known = new Set(links.map(({ commit }) => commit?.seq))
  for (const [i, link] of links.entries()) {
    chain.push(toReason(store.world, link))
    if (links[i + 1]?.commit?.seq !== link.commit?.seq) chain.push(...(yield* originsOf(store, link, known)))
  }
  const last = links.at(-1)
  if (!last || isRequest(chain)) return chain
  const isDecided = chain.at(-1)?.cause?.decision !== undefined
  const earlier = [...chainOf(store.world, last), ...(isDecided ? chainOfCustomer(store.world, last.record) : [])]
  const found = yield* findCommits(store, earlier)
  for (const link of earlier.map((one) => withCommit(one, found))) {
    if (isRequest(chain)) break
    if (!link.commit || known.has(link.commit.seq)) continue
    known.add(link.commit.seq)
    chain.push(toReason(store.world, link), ...(yield* originsOf(store, link, known)))
  }
  return chain
}

/** What a decision about another payment led to, such as the check of an archival, has only its Customer. */
function chainOfCustomer(world: ReadWorld, of: StoredRecord): Link[] {
  const [uid] = valuesAt(of, 'customer_uid')
  const record = uid === undefined ? undefined : world.collections.customers.get(uid)
  return record ? chainOf(world, { collection: 'customers', record }) : []
}

const isRequest = (chain: readonly Reason[]) => chain.at(-1)?.cause?.door === 'request'

/** What scheduled the task that made the commit, and so on, until a commit that is in the chain already. */
function* originsOf(store: ReadStore, link: Link, known: Set<number | undefined>): Steps<Reason[]> {
  const reasons: Reason[] = []
  for (const step of link.commit ? yield* stepsToOrigin(store, link.commit) : []) {
    if (known.has(step.seq)) break
    known.add(step.seq)
    reasons.push(toReason(store.world, linkOf(store.world, step, link)))
  }
  return reasons
}

/** A task is named with its record; a request or an operator action with the record that is explained. */
function linkOf(world: ReadWorld, step: OriginStep, { collection, record }: Link): Link {
  const subjects = step.task && taskKinds[step.task.kind].subject
  const subject = (subjects && readCollection(world, subjects).get(step.task?.subject_uid ?? '')) || undefined
  const key = subject && subjects ? { collection: subjects, record: subject } : { collection, record }
  return { ...key, says: nameOf(key.collection, key.record), commit: step }
}

function toReason(world: ReadWorld, { collection, record, says, commit, rule: derived }: Link): Reason {
  const rule =
    derived ??
    (commit
      ? (ruleOf(commit.cause.name, commit.cause.decision, record as object) ?? ruleOfMethod(commit.cause.name))
      : null)
  // Only tasks have outcomes that data can force.
  const task = commit?.cause.door === 'time' ? commit.cause.name : undefined
  const forced_by = (task !== undefined && findForcingData(world, collection, record, task)) || null
  return {
    collection,
    uid: record.uid,
    says,
    seq: commit?.seq ?? null,
    at: commit?.at ?? null,
    cause: commit?.cause ?? null,
    rule: rule?.rule ?? null,
    section: rule?.section ?? null,
    forced_by,
  }
}

const ruleOfMethod = (name: string) =>
  Object.hasOwn(methods, name) ? { rule: methods[name as keyof typeof methods].summary, section: undefined } : null
