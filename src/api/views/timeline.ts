import { rowOf } from '../contract/collections.ts'
import type { Exchange } from '../contract/control/exchanges.ts'
import type { Cause, TimelineEntry } from '../contract/control/history.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import { formatMessage, messageBody, type TimelineMessage } from '../contract/messages.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { negate, subtract } from '../domain/rules/money.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { type Change, type Commit, changesInParts } from '../store/commit.ts'
import { currentBranch } from '../store/history.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
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
import { clockJumpOf } from './clock-jump.ts'
import { flattenFields, nameOf, titleOf } from './names.ts'
import { findReturnsIn, paymentReturnOf } from './payment-return.ts'
import { messageIn } from './records.ts'

/** The timeline of a Customer: requests, states, money and clock changes, from the commits and the request log. */

const DEFAULT_LIMIT = 200

interface TimelineOptions {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Include successful requests that changed nothing. */
  readonly reads?: boolean | undefined
}

export function* timelineOf(
  store: ReadStore,
  exchanges: ExchangeLog,
  customer: CustomerRecord,
  wanted: TimelineOptions,
): Steps<MethodOutput<'records.story'>> {
  const { limit = DEFAULT_LIMIT, offset = 0, reads = false } = wanted
  const { uid } = customer
  const needed = offset + limit + 1
  const found: { readonly place: number; readonly entry: TimelineEntry }[] = []
  /** Requests between these commits are not part of the current branch. */
  const abandoned: (readonly [from: number, to: number])[] = []
  const log = new Map(exchanges.summaries().map((exchange) => [exchange.uid, exchange]))
  const seen = new Set<string>()
  const exchangesAbout = yield* exchanges.findAbout(yield* recordsOf(store.world, customer))
  let oldest = 0
  // Commits with the uid of the Customer, and those that changed the clock.
  for (const commit of currentBranch(store, { texts: [uid, '"clock":'] })) {
    yield
    if (!commit) continue
    if (commit.goes_on_from !== undefined) abandoned.push([commit.goes_on_from, commit.seq])
    for (const entry of yield* entriesOf(store.world, commit, uid, log)) {
      found.push({ place: commit.seq, entry })
      if (commit.cause.exchange) seen.add(commit.cause.exchange)
    }
    oldest = commit.seq
    if (found.length >= needed) break
  }
  // Requests without a commit: refused ones, and reads.
  for (const exchange of exchangesAbout) {
    const { status, method, at, seq_before: seq } = exchange
    if (seen.has(exchange.uid) || (status < 400 && (method === 'GET' || exchange.seq_after > seq) && !reads)) continue
    if (found.length >= needed && seq < oldest) continue
    if (abandoned.some(([from, to]) => from < seq && seq < to)) continue
    const name = `${method} ${exchange.path}`
    found.push({
      // Between the newest commit at that time and the next one.
      place: seq + 0.5,
      entry: {
        ...NO_DETAILS,
        at,
        kind: 'request',
        text: `${name} → ${status}: ${exchange.did}`,
        cause: { door: 'request', name, exchange: exchange.uid },
        exchange: inShort(exchange),
      },
    })
  }
  found.sort((a, b) => b.place - a.place)
  return {
    entries: found.slice(offset, offset + limit).map(({ entry }) => entry),
    more: found.length > offset + limit,
  }
}

const NO_DETAILS = {
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

/** The uids of the Customer and its records: requests that contain one of them belong to its timeline. */
function* recordsOf(world: ReadWorld, { uid, program_uid, pool_uids }: CustomerRecord): Steps<ReadonlySet<Uid>> {
  const accounts = [...(world.collections.synthetic_accounts.shelf(program_uid).findByIndex('customer_uid', uid) ?? [])]
  const uids = new Set([uid, ...pool_uids])
  for (const name of collectionNames.filter((one) => rowOf(one).main)) {
    const shelf = readCollection(world, name).shelf(program_uid)
    for (const field of ['customer_uid', 'synthetic_account_uid']) yield* shelf.buildIndex(field)
    const records =
      shelf.findByIndex('customer_uid', uid) ??
      accounts.flatMap((account) => shelf.findByIndex('synthetic_account_uid', account.uid) ?? [])
    yield* eachInSteps([...records], (record) => uids.add(record.uid))
  }
  return uids
}

/** The entries of one commit, the last one first. */
function* entriesOf(
  world: ReadWorld,
  commit: Commit,
  uid: Uid,
  log: ReadonlyMap<Uid, Exchange>,
): Steps<TimelineEntry[]> {
  const { seq, at, cause, changes } = commit
  const entries: TimelineEntry[] = []
  const add = (entry: EntryText) => entries.push({ ...NO_DETAILS, at, seq, cause, ...entry })
  const ofCustomer: Change[] = []
  for (const part of changesInParts(commit, [uid])) {
    for (const change of part) if (isAboutCustomer(change, uid)) ofCustomer.push(change)
    if (commit.replacement) yield
  }
  if (cause.door === 'request' && ofCustomer.length > 0)
    add({ kind: 'request', text: cause.name, exchange: exchangeOf(cause, log) })
  const jump = clockJumpOf(commit)
  if (jump) add({ kind: 'time', ...wordMessage({ code: 'clock_moved', facts: jump }), ...jump })
  for (const change of ofCustomer) {
    const { collection } = change
    const record = (change.record ?? change.was)!
    const what = {
      collection,
      uid: change.uid,
      name: titleOf(world, collection, record),
      name_message: messageIn(collection, record) ?? null,
    }
    for (const text of entriesOfChange(world, change, changes)) add({ ...what, ...text })
  }
  return entries.reverse()
}

function exchangeOf({ exchange }: Cause, log: ReadonlyMap<Uid, Exchange>) {
  const found = exchange === undefined ? undefined : log.get(exchange)
  return found ? inShort(found) : null
}

type EntryText = Pick<TimelineEntry, 'kind' | 'text'> & Partial<TimelineEntry>

function isAboutCustomer({ collection, record, was }: Change, uid: Uid): boolean {
  if (!rowOf(collection).main) return false
  const { customer_uid, ...one } = (record ?? was) as StoredRecord & { customer_uid?: Uid | readonly Uid[] }
  return one.uid === uid || customer_uid === uid || (Array.isArray(customer_uid) && customer_uid.includes(uid))
}

function entriesOfChange(
  world: ReadWorld,
  { collection, uid, record, was }: Change,
  changes: readonly Change[],
): EntryText[] {
  const name = nameOf(collection, (record ?? was)!)
  if (!record) return [{ kind: 'record', ...wordMessage({ code: 'record_removed', facts: { record_name: name } }) }]
  const states = flattenFields(record)
  const before = flattenFields(was)
  const words: EntryText[] = []
  if (!was) words.push(createdEntry(world, collection, record, name))
  else
    for (const field of STATES)
      if (states.has(field) && states.get(field) !== before.get(field)) {
        const [from, to] = [before, states].map((all) => all.get(field) ?? null).map(textOrNull)
        const facts = { record_name: name, field, from: from!, to: to! }
        words.push({ kind: 'state', ...wordMessage({ code: 'state_changed', facts }), field, from: from!, to: to! })
      }
  if (was && collection === 'synthetic_accounts') {
    const changeOf = (field: 'net_usd_balance' | 'net_usd_available_balance') => ({
      from: (was as SyntheticAccountRecord)[field],
      to: (record as SyntheticAccountRecord)[field],
    })
    const [balance, available] = [changeOf('net_usd_balance'), changeOf('net_usd_available_balance')] as const
    if (balance.from !== balance.to)
      words.push({
        kind: 'money',
        ...wordMessage({ code: 'balance_changed', facts: { record_name: name, ...balance } }),
        ...amountChange(balance),
        balance: balance.to,
        payment: paymentBehind(world, uid, changes),
      })
    else if (available.from !== available.to)
      words.push({
        kind: 'money',
        ...wordMessage({ code: 'available_changed', facts: { record_name: name, ...available } }),
        field: 'net_usd_available_balance',
        ...amountChange(available),
        pending: true,
      })
  }
  return words.length > 0 || collection !== 'customers'
    ? words
    : [{ kind: 'record', ...wordMessage({ code: 'customer_data_changed', facts: { customer_uid: uid } }) }]
}

const STATES = [
  'status',
  'kyc_status',
  'locked_at',
  'instant_payment_rail_registration_status',
  'authorization.authorization_status',
]

const textOrNull = (value: unknown) => (value === null ? null : String(value))

const amountChange = ({ from, to }: { readonly from: Money | null; readonly to: Money | null }) => ({
  from,
  to,
  amount: from === null || to === null ? null : subtract(to, from),
})

function createdEntry(
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
  record_name: string,
): EntryText {
  const { status = null } = record as StoredRecord & { status?: string }
  const text = wordMessage({ code: 'record_created', facts: { record_name, status } })
  if (collection !== 'transactions') return { kind: 'record', ...text }
  const { net_asset, us_dollar_amount: amount, open_for } = record as TransactionRecord
  return {
    kind: 'money',
    ...text,
    amount: net_asset === 'neutral' ? null : net_asset === 'negative' ? negate(amount) : amount,
    pending: open_for.length > 0,
    payment: paymentIn(world, record as TransactionRecord),
  }
}

/** The payment whose line items changed the account in this commit; null if there are several. */
function paymentBehind(world: ReadWorld, account: Uid, changes: readonly Change[]): TimelineEntry['payment'] {
  const lines = changes.flatMap(({ collection, record, was }) => {
    const line = record as SyntheticLineItemRecord | null
    return collection === 'synthetic_line_items' && !was && line?.synthetic_account_uid === account ? [line] : []
  })
  const [line, ...others] = lines
  if (!line || others.some(({ transaction_uid }) => transaction_uid !== line.transaction_uid)) return null
  const change = changes.find(({ collection, uid }) => collection === 'transactions' && uid === line.transaction_uid)
  if (!change?.record) return null
  return paymentIn(world, change.record as TransactionRecord)
}

/** Its return is that of today: it came after the payment. */
const paymentIn = (world: ReadWorld, payment: TransactionRecord) => ({
  uid: payment.uid,
  type: payment.type,
  description: formatMessage(payment.description),
  message: messageBody(payment.description),
  payment_return: paymentReturnOf(world.collections.transactions.get(payment.uid) ?? payment, findReturnsIn(world)),
})

const wordMessage = (message: TimelineMessage) => ({ text: formatMessage(message), message: messageBody(message) })
