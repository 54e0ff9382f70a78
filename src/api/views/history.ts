import { rowOf } from '../contract/collections.ts'
import type { BalanceStatement, Reason, RecordCommit } from '../contract/control/history.ts'
import { ruleOf } from '../contract/rules.ts'
import { taskKinds } from '../contract/tasks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Change, type Commit, changesInParts } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import {
  type CollectionName,
  type CustodialLineItemRecord,
  type ReadWorld,
  readCollection,
  type StoredRecord,
  type SyntheticLineItemRecord,
} from '../store/world.ts'
import { accountOf } from './books.ts'
import { findForcingData } from './forced-by.ts'
import { differingFields, flattenFields, followUid, nameOf, nameWithStatus } from './names.ts'
import { type FoundCommit, type OriginStep, stepsToOrigin, toFoundCommit } from './origin.ts'
import { visibleFields } from './records.ts'
import { partsOf, totalOf } from './statement.ts'

/** The history of a record, and the causes of its current state, read from the commits. */

const DEFAULT_LIMIT = 200

// ── One record ───────────────────────────────────────────────────────────────────────────────────────────────────

export function* historyOf(
  store: ReadStore,
  collection: CollectionName,
  uid: Uid,
  limit = DEFAULT_LIMIT,
): Steps<RecordCommit[]> {
  const commits: RecordCommit[] = []
  for (const commit of currentBranch(store, { texts: [changeText(collection, uid)] })) {
    yield
    const change = commit && (yield* findChange(commit, collection, uid))
    if (!change) continue
    const { seq, at, cause } = commit
    const what = change.record === null ? 'removed' : change.was === null ? 'made' : 'changed'
    commits.push({ seq, at, cause, what, fields: fieldsOf(change) })
    if (commits.length === limit) break
  }
  return commits
}

function* findChange(commit: Commit, collection: CollectionName, uid: Uid): Steps<Change | undefined> {
  for (const changes of changesInParts(commit, [uid])) {
    const change = changes.find((one) => one.collection === collection && one.uid === uid)
    if (change) return change
    yield
  }
  return undefined
}

/** The changed fields by path. */
const fieldsOf = ({ collection, was, record }: Change): RecordCommit['fields'] =>
  differingFields(collection, was, record)
    .map(({ field, before: from, after: to }) => ({ field, from, to }))
    .filter(({ from, to }) => from !== null || to !== null)

// ── Why ──────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Link {
  readonly collection: CollectionName
  readonly record: StoredRecord
  readonly says: string
}

interface Explanation {
  readonly chain: Reason[]
  readonly statement: BalanceStatement | null
}

/** Follows a record, or one of its fields, back to the request, task or decision that caused it, with the rule. */
export function* explainRecord(
  store: ReadStore,
  collection: CollectionName,
  uid: Uid,
  field: string | undefined,
): Steps<Explanation> {
  const { world } = store
  const record = readCollection(world, collection).get(uid)
  const parts = (record && field !== undefined && partsOf(world, collection, record, field)) || null
  const main = chainOf(world, collection, uid, field)
  // Reads the commits only once for all chains.
  const chainsOfParts = (parts?.parts ?? []).map(({ payment }) =>
    payment ? chainOf(world, 'transactions', payment.uid, undefined) : [],
  )
  const links = [main, ...chainsOfParts].flat()
  const found = yield* findCommits(store, links, field)
  const reasons = new Map(reasonsOf(world, links, found, main.length, field).map((reason, i) => [links[i], reason]))
  const reasonsFor = (chain: readonly Link[]) => chain.map((link) => reasons.get(link)!)
  return {
    chain: yield* withOrigins(store, main, found, reasonsFor(main)),
    statement: parts && {
      ...parts,
      parts: parts.parts.map(({ payment, ...part }, i) => ({
        ...part,
        of: payment && { amount: payment.us_dollar_amount, pending: true, chain: reasonsFor(chainsOfParts[i]!) },
      })),
    },
  }
}

function chainOf(world: ReadWorld, collection: CollectionName, uid: Uid, field: string | undefined): Link[] {
  const links: Link[] = []
  for (let at: readonly [CollectionName, Uid] | undefined = [collection, uid]; at; ) {
    const [name, one]: readonly [CollectionName, Uid] = at
    const record = readCollection(world, name).get(one)
    if (!record || links.some((link) => link.record.uid === one)) break
    links.push({
      collection: name,
      record,
      says: describe(world, name, record, links.length === 0 ? field : undefined),
    })
    at =
      links.length === 1 && field !== undefined
        ? balanceSourceOf(world, name, record, field)
        : parentOf(world, name, record)
  }
  return links
}

/** The first `main` links explain the record; the others explain parts of its balance. */
function reasonsOf(
  world: ReadWorld,
  links: readonly Link[],
  found: (FoundCommit | undefined)[],
  main: number,
  field: string | undefined,
): Reason[] {
  // A derived field, so no commit contains it: the commit that changed the account changed it, too.
  if (field === 'total_balance' && main > 1) found[0] = found[1] ?? found[0]
  return links.map((link, i) => toReason(link, found[i], forcedByTask(world, link, found[i])))
}

function toReason(
  { collection, record, says }: Link,
  commit: FoundCommit | undefined,
  forced_by: string | null = null,
): Reason {
  const rule = commit ? ruleOf(commit.cause.name, commit.cause.decision) : null
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

/** Only tasks have outcomes that data can force. */
const forcedByTask = (world: ReadWorld, { collection, record }: Link, commit: FoundCommit | undefined) =>
  (commit?.cause.door === 'time' && findForcingData(world, collection, record)) || null

/**
 * Adds, after each cause that is a task, the causes that scheduled it, back to a request or an operator action. A commit that is in
 * the chain already is not added again.
 */
function* withOrigins(
  store: ReadStore,
  links: readonly Link[],
  found: readonly (FoundCommit | undefined)[],
  reasons: readonly Reason[],
): Steps<Reason[]> {
  const known = new Set(reasons.map(({ seq }) => seq))
  const chain: Reason[] = []
  for (const [i, reason] of reasons.entries()) {
    chain.push(reason)
    const commit = found[i]
    if (!commit) continue
    for (const step of yield* stepsToOrigin(store, commit)) {
      if (known.has(step.seq)) break
      known.add(step.seq)
      chain.push(toReason(linkOf(store.world, step, links[i]!), step))
    }
  }
  return chain
}

/** A task is named with its record; a request or an operator action with the record that is explained. */
function linkOf(world: ReadWorld, { task }: OriginStep, { collection, record }: Link): Link {
  const subjects = task && taskKinds[task.kind].subject
  const subject = (subjects && readCollection(world, subjects).get(task.subject_uid ?? '')) || undefined
  return subject && subjects
    ? { collection: subjects, record: subject, says: nameOf(subjects, subject) }
    : { collection, record, says: nameOf(collection, record) }
}

/** Finds the commit that last changed the first link, or its field, and the commits that created the other links. */
function* findCommits(
  store: ReadStore,
  links: readonly Link[],
  field: string | undefined,
): Steps<(FoundCommit | undefined)[]> {
  const found: (FoundCommit | undefined)[] = links.map(() => undefined)
  const indexesOf = new Map<string, number[]>()
  links.forEach(({ collection, record }, i) => {
    const key = `${collection} ${record.uid}`
    indexesOf.set(key, [...(indexesOf.get(key) ?? []), i])
  })
  const finished = new Set<number>()
  const texts = [...new Set(links.map(({ collection, record }) => changeText(collection, record.uid)))]
  const uids = [...new Set(links.map(({ record }) => record.uid))]
  for (const commit of currentBranch(store, { texts })) {
    yield
    if (!commit) continue
    const { goes_on_from } = commit
    for (const changes of changesInParts(commit, uids)) {
      for (const change of changes)
        for (const i of indexesOf.get(`${change.collection} ${change.uid}`) ?? []) {
          if (i > 0) found[i] = toFoundCommit(commit)
          else if (!found[0] && (field === undefined || changesField(change, field))) found[0] = toFoundCommit(commit)
          // A rewind or restore adds records that were created by an earlier commit.
          if ((i === 0 && found[0]) || (change.was === null && goes_on_from === undefined)) finished.add(i)
        }
      if (commit.replacement) yield
    }
    if (finished.size === links.length) break
  }
  return found
}

const changesField = (change: Change, field: string) =>
  fieldsOf(change).some((one) => one.field === field || one.field.startsWith(`${field}.`))

/** The record that caused this one: the first existing parent of its row in the table of collections. */
function parentOf(
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
): readonly [CollectionName, Uid] | undefined {
  for (const { collection: other, field, childField, sharedIn } of rowOf(collection).parents ?? []) {
    const parent =
      field === undefined
        ? findParent(world, other as CollectionName, childField!, record)
        : sharedIn !== undefined
          ? findSharing(world, other as CollectionName, sharedIn, record, field)
          : followUid(world, record, { collection: other, field })?.[1]
    if (parent) return [other as CollectionName, parent.uid]
  }
  return undefined
}

/** Compares again, because an index ignores case. */
const findParent = (world: ReadWorld, collection: CollectionName, field: string, { uid, program_uid }: StoredRecord) =>
  readCollection(world, collection)
    .shelf(program_uid)
    .findByIndex(field, uid)
    ?.find((parent) => (parent as StoredRecord & Readonly<Record<string, unknown>>)[field] === uid)

/** The first record of a collection with the value of this record's field. */
function findSharing(world: ReadWorld, collection: CollectionName, index: string, record: StoredRecord, field: string) {
  const value = (record as StoredRecord & Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string'
    ? readCollection(world, collection).shelf(record.program_uid).findByIndex(index, value)?.[0]
    : undefined
}

/** The line item or payment that last changed a balance. */
function balanceSourceOf(world: ReadWorld, collection: CollectionName, record: StoredRecord, field: string) {
  const isBalance = /^net_usd_(pending_|available_)?balance$/.test(field) || field === 'asset_balances'
  if (collection === 'customers' && field === 'total_balance') {
    const accounts = world.collections.synthetic_accounts
    const lines = newest(
      world.collections.synthetic_line_items,
      (line) => line.customer_uid === record.uid && accounts.get(line.synthetic_account_uid)?.liability === true,
    )
    return lines && (['synthetic_line_items', lines.uid] as const)
  }
  if (!isBalance) return undefined
  const { uid } = record
  if (collection === 'synthetic_accounts') {
    const open = newest(world.collections.transactions, (it) => it.open_for.includes(uid))
    if (open && field !== 'net_usd_balance') return ['transactions', open.uid] as const
  }
  const lines = collection === 'synthetic_accounts' ? 'synthetic_line_items' : 'custodial_line_items'
  const line = newest<StoredRecord>(
    world.collections[lines],
    (it) => accountOf(it as SyntheticLineItemRecord | CustodialLineItemRecord) === uid,
  )
  return line && ([lines, line.uid] as const)
}

function newest<T extends StoredRecord>(
  collection: { inOrder(): readonly T[] },
  fits: (record: T) => boolean,
): T | undefined {
  return collection.inOrder().findLast(fits)
}

function describe(
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
  field: string | undefined,
): string {
  const name = nameOf(collection, record)
  if (field === undefined) return nameWithStatus(collection, record)
  const value =
    field === 'total_balance' ? totalOf(world, record.uid) : flattenFields(visibleFields(collection, record)).get(field)
  return value === undefined ? `${name}: ${field}` : `${name}: ${field} is ${JSON.stringify(value)}`
}
