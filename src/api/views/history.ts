import { rowOf } from '../contract/collections.ts'
import type { BalanceStatement, Cause, Reason, RecordCommit } from '../contract/control/history.ts'
import { ruleOf } from '../contract/rules.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Change } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { areEqual } from '../store/equal.ts'
import { currentBranch } from '../store/history.ts'
import type { ReadStore } from '../store/store.ts'
import {
  type CollectionName,
  type CustodialAccountRecord,
  type ReadWorld,
  readCollection,
  type StoredRecord,
  type SyntheticAccountRecord,
} from '../store/world.ts'
import { flattenFields, followUid, nameOf, nameWithStatus } from './names.ts'
import { visible } from './records.ts'
import { partsOf, totalOf } from './statement.ts'

/** How a record came to be as it is, and why. All of it is read from the commits. */

const USUAL_LIMIT = 200

// ── One record ───────────────────────────────────────────────────────────────────────────────────────────────────

export function historyOf(store: ReadStore, collection: CollectionName, uid: Uid, limit = USUAL_LIMIT): RecordCommit[] {
  const commits: RecordCommit[] = []
  for (const { seq, at, cause, changes } of currentBranch(store, { texts: [changeText(collection, uid)] })) {
    const change = changes.find((one) => one.collection === collection && one.uid === uid)
    if (!change) continue
    const what = change.record === null ? 'removed' : change.was === null ? 'made' : 'changed'
    commits.push({ seq, at, cause, what, fields: fieldsOf(change) })
    if (commits.length === limit) break
  }
  return commits
}

/** By path; what is private stays so. */
function fieldsOf({ collection, was, record }: Change): RecordCommit['fields'] {
  const before = flattenFields(was && visible(collection, was))
  const after = flattenFields(record && visible(collection, record))
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, from: before.get(field) ?? null, to: after.get(field) ?? null }))
    .filter(({ from, to }) => !areEqual(from, to))
}

// ── Why ──────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Link {
  readonly collection: CollectionName
  readonly record: StoredRecord
  readonly says: string
}

export interface Because {
  readonly chain: Reason[]
  readonly statement: BalanceStatement | null
}

/** From what is seen back to the request, task or move that made it so, with the rule that acted. */
export function why(store: ReadStore, collection: CollectionName, uid: Uid, field: string | undefined): Because {
  const { world } = store
  const record = readCollection(world, collection).get(uid)
  const parts = (record && field !== undefined && partsOf(world, collection, record, field)) || null
  const main = linksBehind(world, collection, uid, field)
  // All chains are looked up in one walk through the commits.
  const behindParts = (parts?.parts ?? []).map(({ payment }) =>
    payment ? linksBehind(world, 'transactions', payment.uid, undefined) : [],
  )
  const reasons = reasonsOf(store, [main, ...behindParts].flat(), main.length, field)
  let from = main.length
  return {
    chain: reasons.slice(0, main.length),
    statement: parts && {
      ...parts,
      parts: parts.parts.map(({ payment, ...part }, i) => {
        const chain = reasons.slice(from, from + behindParts[i]!.length)
        from += chain.length
        return { ...part, of: payment && { amount: payment.us_dollar_amount, pending: true, chain } }
      }),
    },
  }
}

function linksBehind(world: ReadWorld, collection: CollectionName, uid: Uid, field: string | undefined): Link[] {
  const links: Link[] = []
  for (let at: readonly [CollectionName, Uid] | undefined = [collection, uid]; at; ) {
    const [name, one]: readonly [CollectionName, Uid] = at
    const record = readCollection(world, name).get(one)
    if (!record || links.some((link) => link.record.uid === one)) break
    links.push({ collection: name, record, says: says(world, name, record, links.length === 0 ? field : undefined) })
    at =
      links.length === 1 && field !== undefined ? behindField(world, name, record, field) : behind(world, name, record)
  }
  return links
}

/** The first `main` of the links are the answer to the question; the others stand behind parts of it. */
function reasonsOf(store: ReadStore, links: readonly Link[], main: number, field: string | undefined): Reason[] {
  const made = madeBy(store, links, field)
  // Worked out when it is shown: what last moved it is what moved the account.
  if (field === 'total_balance' && main > 1) made[0] = made[1] ?? made[0]
  return links.map(({ collection: name, record, says: text }, i) => {
    const commit = made[i]
    const rule = commit ? ruleOf(commit.cause.name, commit.cause.decision) : null
    return {
      collection: name,
      uid: record.uid,
      says: text,
      seq: commit?.seq ?? null,
      at: commit?.at ?? null,
      cause: commit?.cause ?? null,
      rule: rule?.rule ?? null,
      section: rule?.section ?? null,
    }
  })
}

interface MadeBy {
  readonly seq: number
  readonly at: string
  readonly cause: Cause
}

/** Of the first link the commit that last changed it, or the field in question; of those behind it the one that made it. */
function madeBy(store: ReadStore, links: readonly Link[], field: string | undefined): (MadeBy | undefined)[] {
  const found: (MadeBy | undefined)[] = links.map(() => undefined)
  const placesOf = new Map<string, number[]>()
  links.forEach(({ collection, record }, i) => {
    const key = `${collection} ${record.uid}`
    placesOf.set(key, [...(placesOf.get(key) ?? []), i])
  })
  const settled = new Set<number>()
  const texts = [...new Set(links.map(({ collection, record }) => changeText(collection, record.uid)))]
  for (const { seq, at, cause, changes, goes_on_from } of currentBranch(store, { texts })) {
    for (const change of changes)
      for (const i of placesOf.get(`${change.collection} ${change.uid}`) ?? []) {
        if (i > 0) found[i] = { seq, at, cause }
        else if (!found[0] && (field === undefined || touches(change, field))) found[0] = { seq, at, cause }
        // What another state brought back was made before.
        if ((i === 0 && found[0]) || (change.was === null && goes_on_from === undefined)) settled.add(i)
      }
    if (settled.size === links.length) break
  }
  return found
}

const touches = (change: Change, field: string) =>
  fieldsOf(change).some((one) => one.field === field || one.field.startsWith(`${field}.`))

/** The record that a record goes back to: the first of the parents in its row that exists. */
function behind(
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
): readonly [CollectionName, Uid] | undefined {
  for (const { collection: other, field, childField } of rowOf(collection).parents ?? []) {
    const parent =
      field === undefined
        ? findParent(world, other as CollectionName, childField!, record)
        : followUid(world, record, { collection: other, field })?.[1]
    if (parent) return [other as CollectionName, parent.uid]
  }
  return undefined
}

/** An index ignores case, and uids do not. */
const findParent = (world: ReadWorld, collection: CollectionName, field: string, { uid, program_uid }: StoredRecord) =>
  readCollection(world, collection)
    .shelf(program_uid)
    .findByIndex(field, uid)
    ?.find((parent) => (parent as StoredRecord & Readonly<Record<string, unknown>>)[field] === uid)

/** A balance goes back to the line or the payment that last moved it. */
function behindField(world: ReadWorld, collection: CollectionName, record: StoredRecord, field: string) {
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
  if (collection === 'synthetic_accounts') {
    const { uid } = record as SyntheticAccountRecord
    const open =
      field === 'net_usd_balance'
        ? undefined
        : newest(world.collections.transactions, (it) => it.open_for.includes(uid))
    if (open) return ['transactions', open.uid] as const
    const line = newest(world.collections.synthetic_line_items, (it) => it.synthetic_account_uid === uid)
    return line && (['synthetic_line_items', line.uid] as const)
  }
  const { uid } = record as CustodialAccountRecord
  const line = newest(world.collections.custodial_line_items, (it) => it.custodial_account_uid === uid)
  return line && (['custodial_line_items', line.uid] as const)
}

function newest<T extends StoredRecord>(
  collection: { inOrder(): readonly T[] },
  fits: (record: T) => boolean,
): T | undefined {
  return collection.inOrder().findLast(fits)
}

function says(world: ReadWorld, collection: CollectionName, record: StoredRecord, field: string | undefined): string {
  const name = nameOf(collection, record)
  if (field === undefined) return nameWithStatus(collection, record)
  const value =
    field === 'total_balance' ? totalOf(world, record.uid) : flattenFields(visible(collection, record)).get(field)
  return value === undefined ? `${name}: ${field}` : `${name}: ${field} is ${JSON.stringify(value)}`
}
