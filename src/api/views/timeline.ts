import { rowOf } from '../contract/collections.ts'
import type { Exchange } from '../contract/control/exchanges.ts'
import type { Cause, TimelineEntry } from '../contract/control/history.ts'
import { formatMessage, messageBody, type TimelineMessage } from '../contract/messages.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { negate, subtract } from '../domain/rules/money.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Change, Commit } from '../store/commit.ts'
import { currentBranch } from '../store/history.ts'
import type { ReadStore } from '../store/store.ts'
import {
  type CollectionName,
  type CustomerRecord,
  collectionNames,
  type ReadWorld,
  readCollection,
  type StoredRecord,
  type SyntheticAccountRecord,
  type SyntheticLineItemRecord,
  type TransactionRecord,
} from '../store/world.ts'
import { flattenFields, nameOf, titleOf } from './names.ts'
import { messageIn } from './records.ts'

/** A Customer's requests, states, money and time in one stream, read from the commits and from the request log. */

const USUAL_LIMIT = 200

interface Wanted {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Requests that were done and changed nothing are told as well. */
  readonly reads?: boolean | undefined
}

export function timelineOf(store: ReadStore, exchanges: ExchangeLog, customer: CustomerRecord, wanted: Wanted) {
  const { limit = USUAL_LIMIT, offset = 0, reads = false } = wanted
  const { uid } = customer
  const needed = offset + limit + 1
  const told: { readonly place: number; readonly entry: TimelineEntry }[] = []
  /** What lies between the two commits has been left behind. */
  const left: (readonly [from: number, to: number])[] = []
  const log = new Map(exchanges.summaries().map((exchange) => [exchange.uid, exchange]))
  const seen = new Set<string>()
  let oldest = 0
  // What is told of is the Customer's own, or that the operator has moved the clock.
  for (const commit of currentBranch(store, { texts: [uid, '"clock":'] })) {
    if (commit.goes_on_from !== undefined) left.push([commit.goes_on_from, commit.seq])
    for (const entry of chapterOf(store.world, commit, uid, log)) {
      told.push({ place: commit.seq, entry })
      if (commit.cause.exchange) seen.add(commit.cause.exchange)
    }
    oldest = commit.seq
    if (told.length >= needed) break
  }
  // Requests that changed nothing belong to the story all the same: what was refused, and what was only read.
  for (const exchange of exchanges.findAbout(belongingsOf(store.world, customer))) {
    const { status, method, at, seq_before: seq } = exchange
    if (seen.has(exchange.uid) || (status < 400 && (method === 'GET' || exchange.seq_after > seq) && !reads)) continue
    if (told.length >= needed && seq < oldest) continue
    if (left.some(([from, to]) => from < seq && seq < to)) continue
    const name = `${method} ${exchange.path}`
    told.push({
      // After the commit that it met with, before the next.
      place: seq + 0.5,
      entry: {
        ...NOTHING,
        at,
        kind: 'request',
        text: `${name} → ${status}: ${exchange.did}`,
        cause: { door: 'request', name, exchange: exchange.uid },
        exchange: inShort(exchange),
      },
    })
  }
  told.sort((a, b) => b.place - a.place)
  return {
    entries: told.slice(offset, offset + limit).map(({ entry }) => entry),
    more: told.length > offset + limit,
  }
}

const NOTHING = {
  seq: null,
  message: null,
  collection: null,
  uid: null,
  cause: null,
  name: null,
  name_message: null,
  field: null,
  from: null,
  to: null,
  amount: null,
  pending: false,
  balance: null,
  payment: null,
  exchange: null,
} satisfies Partial<TimelineEntry>

const inShort = ({ uid, method, path, status, code, did }: Exchange) => ({ uid, method, path, status, code, did })

/** The Customer, and what is its own: a request that names one of these is about it. */
function belongingsOf(world: ReadWorld, { uid, program_uid, pool_uids }: CustomerRecord): ReadonlySet<Uid> {
  const accounts = world.collections.synthetic_accounts.shelf(program_uid).findByIndex('customer_uid', uid) ?? []
  const belongings = collectionNames
    .filter((name) => rowOf(name).main)
    .flatMap((name) => {
      const shelf = readCollection(world, name).shelf(program_uid)
      return (
        shelf.findByIndex('customer_uid', uid) ??
        accounts.flatMap((account) => shelf.findByIndex('synthetic_account_uid', account.uid) ?? [])
      )
    })
  return new Set([uid, ...pool_uids, ...belongings.map((record) => record.uid)])
}

/** What one commit means to the Customer, the last of it first. */
function chapterOf(world: ReadWorld, commit: Commit, uid: Uid, log: ReadonlyMap<Uid, Exchange>): TimelineEntry[] {
  const { seq, at, cause, clock, was_clock, changes } = commit
  const entries: TimelineEntry[] = []
  const tell = (entry: Words) => entries.push({ ...NOTHING, at, seq, cause, ...entry })
  const concerning = changes.filter((change) => concerns(change, uid))
  if (cause.door === 'request' && concerning.length > 0)
    tell({ kind: 'request', text: cause.name, exchange: exchangeOf(cause, log) })
  const from = cause.from ?? was_clock?.at
  if (cause.door === 'operator' && clock && from !== undefined && clock.at !== from)
    tell({ kind: 'time', ...worded({ code: 'clock_moved', facts: { from, to: clock.at } }), from, to: clock.at })
  for (const change of concerning) {
    const { collection } = change
    const record = (change.record ?? change.was)!
    const what = {
      collection,
      uid: change.uid,
      name: titleOf(world, collection, record),
      name_message: messageIn(collection, record) ?? null,
    }
    for (const words of wordsFor(change, changes)) tell({ ...what, ...words })
  }
  return entries.reverse()
}

function exchangeOf({ exchange }: Cause, log: ReadonlyMap<Uid, Exchange>) {
  const kept = exchange === undefined ? undefined : log.get(exchange)
  return kept ? inShort(kept) : null
}

type Words = Pick<TimelineEntry, 'kind' | 'text'> & Partial<TimelineEntry>

function concerns({ collection, record, was }: Change, uid: Uid): boolean {
  if (!rowOf(collection).main) return false
  const { customer_uid, ...one } = (record ?? was) as StoredRecord & { customer_uid?: Uid | readonly Uid[] }
  return one.uid === uid || customer_uid === uid || (Array.isArray(customer_uid) && customer_uid.includes(uid))
}

function wordsFor({ collection, uid, record, was }: Change, changes: readonly Change[]): Words[] {
  const name = nameOf(collection, (record ?? was)!)
  if (!record) return [{ kind: 'record', ...worded({ code: 'record_removed', facts: { record_name: name } }) }]
  const states = flattenFields(record)
  const before = flattenFields(was)
  const words: Words[] = []
  if (!was) words.push(createdEntry(collection, record, name))
  else
    for (const field of STATES)
      if (states.has(field) && states.get(field) !== before.get(field)) {
        const [from, to] = [before, states].map((all) => all.get(field) ?? null).map(textOrNull)
        const facts = { record_name: name, field, from: from!, to: to! }
        words.push({ kind: 'state', ...worded({ code: 'state_changed', facts }), field, from: from!, to: to! })
      }
  if (was && collection === 'synthetic_accounts') {
    const [from, to] = [was as SyntheticAccountRecord, record as SyntheticAccountRecord]
    if (from.net_usd_balance !== to.net_usd_balance)
      words.push({
        kind: 'money',
        ...worded({
          code: 'balance_changed',
          facts: { record_name: name, from: from.net_usd_balance, to: to.net_usd_balance },
        }),
        ...moved(from.net_usd_balance, to.net_usd_balance),
        balance: to.net_usd_balance,
        payment: paymentBehind(uid, changes),
      })
    else if (from.net_usd_available_balance !== to.net_usd_available_balance)
      words.push({
        kind: 'money',
        ...worded({
          code: 'available_changed',
          facts: { record_name: name, from: from.net_usd_available_balance, to: to.net_usd_available_balance },
        }),
        field: 'net_usd_available_balance',
        ...moved(from.net_usd_available_balance, to.net_usd_available_balance),
        pending: true,
      })
  }
  return words.length > 0 || collection !== 'customers'
    ? words
    : [{ kind: 'record', ...worded({ code: 'customer_data_changed', facts: { customer_uid: uid } }) }]
}

const STATES = [
  'status',
  'kyc_status',
  'locked_at',
  'instant_payment_rail_registration_status',
  'authorization.authorization_status',
]

const textOrNull = (value: unknown) => (value === null ? null : String(value))

const moved = (from: Money | null, to: Money | null) => ({
  from,
  to,
  amount: from === null || to === null ? null : subtract(to, from),
})

function createdEntry(collection: CollectionName, record: StoredRecord, record_name: string): Words {
  const { status = null } = record as StoredRecord & { status?: string }
  const told = worded({ code: 'record_created', facts: { record_name, status } })
  if (collection !== 'transactions') return { kind: 'record', ...told }
  const { net_asset, us_dollar_amount: amount, open_for } = record as TransactionRecord
  return {
    kind: 'money',
    ...told,
    amount: net_asset === 'neutral' ? null : net_asset === 'negative' ? negate(amount) : amount,
    pending: open_for.length > 0,
    payment: paymentIn(record as TransactionRecord),
  }
}

/** Whose line items moved the account in this commit; null where several did. */
function paymentBehind(account: Uid, changes: readonly Change[]): TimelineEntry['payment'] {
  const lines = changes.flatMap(({ collection, record, was }) => {
    const line = record as SyntheticLineItemRecord | null
    return collection === 'synthetic_line_items' && !was && line?.synthetic_account_uid === account ? [line] : []
  })
  const [line, ...others] = lines
  if (!line || others.some(({ transaction_uid }) => transaction_uid !== line.transaction_uid)) return null
  const change = changes.find(({ collection, uid }) => collection === 'transactions' && uid === line.transaction_uid)
  if (!change?.record) return null
  return paymentIn(change.record as TransactionRecord)
}

const paymentIn = ({ uid, type, description }: TransactionRecord) => ({
  uid,
  type,
  description: formatMessage(description),
  message: messageBody(description),
})

const worded = (message: TimelineMessage) => ({ text: formatMessage(message), message: messageBody(message) })
