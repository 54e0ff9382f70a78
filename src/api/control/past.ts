import type { Cause, Reason, StoryEntry, TouchingCommit } from '../contract/control.ts'
import { ruleOf } from '../contract/rules.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { sum } from '../domain/rules/money.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { presentLine } from '../store/history.ts'
import { saysTheSame } from '../store/snapshots.ts'
import type { Change, Commit, Store } from '../store/store.ts'
import {
  type CollectionName,
  type CustodialAccountRecord,
  collectionOf,
  type Kept,
  type SyntheticAccountRecord,
  type TransactionRecord,
  type World,
} from '../store/world.ts'
import { visible } from './shown.ts'

/** How things came to be: of one record, of a Customer, and why. All of it is read from the commits. */

const USUAL_LIMIT = 200

// ── One record ───────────────────────────────────────────────────────────────────────────────────────────────────

export function historyOf(store: Store, collection: CollectionName, uid: Uid, limit = USUAL_LIMIT): TouchingCommit[] {
  const commits: TouchingCommit[] = []
  for (const { seq, at, cause, changes } of presentLine(store, uid)) {
    const change = changes.find((one) => one.collection === collection && one.uid === uid)
    if (!change) continue
    const what = change.record === null ? 'removed' : change.was === null ? 'made' : 'changed'
    commits.push({ seq, at, cause, what, fields: fieldsOf(change) })
    if (commits.length === limit) break
  }
  return commits
}

/** By path; what is private stays so. */
function fieldsOf({ collection, was, record }: Change): TouchingCommit['fields'] {
  const before = leaves(was && visible(collection, was))
  const after = leaves(record && visible(collection, record))
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, from: before.get(field) ?? null, to: after.get(field) ?? null }))
    .filter(({ from, to }) => !saysTheSame(from, to))
}

/** Lists are values; objects are walked into. */
export function leaves(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (path !== '') found.set(path, value)
    return found
  }
  for (const [name, part] of Object.entries(value)) leaves(part, path === '' ? name : `${path}.${name}`, found)
  return found
}

// ── A Customer ───────────────────────────────────────────────────────────────────────────────────────────────────

export function storyOf(store: Store, exchanges: ExchangeLog, uid: Uid, limit = USUAL_LIMIT): StoryEntry[] {
  const told: { readonly place: number; readonly entry: StoryEntry }[] = []
  /** What lies between the two commits has been left behind. */
  const left: (readonly [from: number, to: number])[] = []
  let oldest = 0
  for (const commit of presentLine(store)) {
    if (commit.goes_on_from !== undefined) left.push([commit.goes_on_from, commit.seq])
    for (const entry of chapterOf(commit, uid)) told.push({ place: commit.seq, entry })
    oldest = commit.seq
    if (told.length >= limit) break
  }
  // Refused requests about the Customer changed nothing, and belong to the story all the same.
  for (const exchange of exchanges.about(uid)) {
    const { status, at, seq_before: seq } = exchange
    if (status < 400 || (told.length >= limit && seq < oldest)) continue
    if (left.some(([from, to]) => from < seq && seq < to)) continue
    const name = `${exchange.method} ${exchange.path}`
    told.push({
      // After the commit that it met with, before the next.
      place: seq + 0.5,
      entry: {
        at,
        seq: null,
        kind: 'request',
        text: `${name} → ${status}: ${exchange.did}`,
        collection: null,
        uid: null,
        cause: { door: 'request', name, exchange: exchange.uid },
      },
    })
  }
  return told
    .sort((a, b) => b.place - a.place)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** What one commit means to the Customer, the last of it first. */
function chapterOf({ seq, at, cause, clock, was_clock, changes }: Commit, uid: Uid): StoryEntry[] {
  const entries: StoryEntry[] = []
  const tell = (kind: StoryEntry['kind'], text: string, change?: Change) =>
    entries.push({
      at,
      seq,
      kind,
      text,
      collection: change?.collection ?? null,
      uid: change?.uid ?? null,
      cause,
    })
  const concerning = changes.filter((change) => concerns(change, uid))
  if (cause.door === 'request' && concerning.length > 0) tell('request', cause.name)
  const from = cause.from ?? was_clock?.at
  if (cause.door === 'operator' && clock && from !== undefined && clock.at !== from)
    tell('time', `the clock went from ${from} to ${clock.at}`)
  for (const change of concerning) for (const [kind, text] of wordsFor(change)) tell(kind, text, change)
  return entries.reverse()
}

/** What people speak of; the rest goes along with it. */
export const TOLD: ReadonlySet<CollectionName> = new Set([
  'customers',
  'customer_products',
  'synthetic_accounts',
  'transfers',
  'transactions',
  'returns',
  'combined_transfers',
  'virtual_reference_numbers',
])

function concerns({ collection, record, was }: Change, uid: Uid): boolean {
  if (!TOLD.has(collection)) return false
  const { customer_uid, ...one } = (record ?? was) as Kept & { customer_uid?: Uid | readonly Uid[] }
  return one.uid === uid || customer_uid === uid || (Array.isArray(customer_uid) && customer_uid.includes(uid))
}

function wordsFor({ collection, uid, record, was }: Change): (readonly [StoryEntry['kind'], string])[] {
  const name = nameOf(collection, (record ?? was)!)
  if (!record) return [['record', `${name} is no more`]]
  const states = leaves(record)
  const before = leaves(was)
  const words: (readonly [StoryEntry['kind'], string])[] = []
  if (!was) words.push([collection === 'transactions' ? 'money' : 'record', `${name} is made${stateOf(record)}`])
  else
    for (const field of ['status', 'kyc_status', 'locked_at', 'instant_payment_rail_registration_status'])
      if (states.has(field) && states.get(field) !== before.get(field))
        words.push(['state', `${name}: ${field} ${String(before.get(field))} → ${String(states.get(field))}`])
  if (was && collection === 'synthetic_accounts') {
    const [from, to] = [was as SyntheticAccountRecord, record as SyntheticAccountRecord]
    if (from.net_usd_balance !== to.net_usd_balance)
      words.push(['money', `${name}: ${from.net_usd_balance} → ${to.net_usd_balance}`])
    else if (from.net_usd_available_balance !== to.net_usd_available_balance)
      words.push(['money', `${name}: available ${from.net_usd_available_balance} → ${to.net_usd_available_balance}`])
  }
  return words.length > 0 || collection !== 'customers' ? words : [['record', `the data of ${uid} was adjusted`]]
}

/** What a record is called, and its state. */
export const toldOf = (collection: CollectionName, record: Kept): string =>
  `${nameOf(collection, record)}${stateOf(record)}`

const stateOf = (record: Kept) => {
  const { status } = record as Kept & { status?: string }
  return status === undefined ? '' : `, ${status}`
}

function nameOf(collection: CollectionName, record: Kept): string {
  const { name, description, us_dollar_amount, usd_transfer_amount } = record as Kept &
    Record<string, string | undefined>
  const what = collection.replaceAll('_', ' ').replace(/s$/, '')
  if (us_dollar_amount !== undefined) return `${what} "${description ?? ''}" over ${us_dollar_amount}`
  if (usd_transfer_amount !== undefined) return `${what} over ${usd_transfer_amount}`
  return name === undefined ? `${what} ${record.uid}` : `${what} "${name}"`
}

// ── Why ──────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Link {
  readonly collection: CollectionName
  readonly record: Kept
  readonly says: string
}

/** From what is seen back to the request, task or move that made it so, with the rule that acted. */
export function why(store: Store, collection: CollectionName, uid: Uid, field: string | undefined): Reason[] {
  const { world } = store
  const links: Link[] = []
  for (let at: readonly [CollectionName, Uid] | undefined = [collection, uid]; at; ) {
    const [name, one]: readonly [CollectionName, Uid] = at
    const record = collectionOf(world, name).get(one)
    if (!record || links.some((link) => link.record.uid === one)) break
    links.push({ collection: name, record, says: says(world, name, record, links.length === 0 ? field : undefined) })
    at =
      links.length === 1 && field !== undefined ? behindField(world, name, record, field) : behind(world, name, record)
  }
  const made = madeBy(store, links, field)
  // Worked out when it is shown: what last moved it is what moved the account.
  if (field === 'total_balance') made[0] = made[1] ?? made[0]
  return links.map(({ collection: name, record, says: text }, i) => {
    const commit = made[i]
    const rule = commit ? ruleOf(commit.cause.name) : null
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
function madeBy(store: Store, links: readonly Link[], field: string | undefined): (MadeBy | undefined)[] {
  const found: (MadeBy | undefined)[] = links.map(() => undefined)
  for (const { seq, at, cause, changes } of presentLine(store))
    for (const change of changes) {
      const i = links.findIndex((link) => link.collection === change.collection && link.record.uid === change.uid)
      if (i < 0) continue
      if (i > 0) found[i] = { seq, at, cause }
      else if (!found[0] && (field === undefined || touches(change, field))) found[0] = { seq, at, cause }
    }
  return found
}

const touches = (change: Change, field: string) =>
  fieldsOf(change).some((one) => one.field === field || one.field.startsWith(`${field}.`))

/** What a record goes back to. */
function behind(world: World, collection: CollectionName, record: Kept): readonly [CollectionName, Uid] | undefined {
  const one = record as Kept & Record<string, Uid | null | undefined>
  switch (collection) {
    case 'synthetic_line_items':
      return ['transactions', one.transaction_uid!]
    case 'custodial_line_items':
      return ['transaction_events', one.transaction_event_uid!]
    case 'transaction_events':
      return ['transactions', one.transaction_uid!]
    case 'transactions':
      return behindTransaction(world, record as TransactionRecord)
    case 'returns':
      return ['transactions', one.original_transaction_uid!]
    case 'transfers': {
      const combined = world.collections.combined_transfers.inOrder().find((it) => it.transfer_uid === record.uid)
      return combined && ['combined_transfers', combined.uid]
    }
    case 'customer_products':
    case 'kyc_evaluations':
      return ['customers', one.customer_uid!]
    case 'synthetic_account_closing_balances':
      return ['synthetic_accounts', one.synthetic_account_uid!]
    case 'custodial_account_closing_balances':
      return ['custodial_accounts', one.custodial_account_uid!]
    default:
      return undefined
  }
}

function behindTransaction(world: World, payment: TransactionRecord): readonly [CollectionName, Uid] | undefined {
  const { return_uid, original_transaction_uid, transfer_uid, uid } = payment
  const made = return_uid === null ? undefined : world.collections.returns.get(return_uid)
  if (made?.return_transaction_uid === uid) return ['returns', made.uid]
  if (original_transaction_uid !== undefined) return ['transactions', original_transaction_uid]
  return transfer_uid === null ? undefined : ['transfers', transfer_uid]
}

/** A balance goes back to the line or the payment that last moved it. */
function behindField(world: World, collection: CollectionName, record: Kept, field: string) {
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

/** Worked out when it is shown, and so kept nowhere. */
const totalOf = (world: World, customer_uid: Uid): Money =>
  sum(
    world.collections.synthetic_accounts
      .inOrder()
      .filter((account) => account.customer_uid === customer_uid && account.net_usd_balance !== null)
      .map(({ book_balance }) => book_balance),
  )

function newest<T extends Kept>(collection: { inOrder(): readonly T[] }, fits: (record: T) => boolean): T | undefined {
  return collection.inOrder().findLast(fits)
}

function says(world: World, collection: CollectionName, record: Kept, field: string | undefined): string {
  const name = nameOf(collection, record)
  if (field === undefined) return toldOf(collection, record)
  const value = field === 'total_balance' ? totalOf(world, record.uid) : leaves(visible(collection, record)).get(field)
  return value === undefined ? `${name}: ${field}` : `${name}: ${field} is ${JSON.stringify(value)}`
}
