import type { Exchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import type { Flow, MoneyNow, Needs } from '../contract/control/now.ts'
import { isOwnRequest } from '../contract/control/own-requests.ts'
import type { LegalMove } from '../contract/control/records.ts'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { formatCustomer } from '../contract/messages.ts'
import { DeliveryStatus } from '../contract/resources/webhooks.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { balanceOf, nameFacts } from '../domain/resources/customers.ts'
import { showTask } from '../domain/resources/show.ts'
import { showDelivery } from '../domain/resources/webhooks.ts'
import { dateAt, instantAt, plusDays } from '../domain/rules/calendar.ts'
import { add, subtract, sum, ZERO } from '../domain/rules/money.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { findCommit } from '../store/history.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { ReadTx } from '../store/tx.ts'
import {
  type CollectionName,
  type CustomerRecord,
  readCollection,
  type TaskRecord,
  type TransactionRecord,
  type WebhookDeliveryRecord,
} from '../store/world.ts'
import { summarizeCommit } from './commits.ts'
import { nameSubjects, nameWithStatus } from './names.ts'

/** What the first screen shows of a Program. Each list has its newest or most urgent entries, and a count of all. */

const MAX_NEEDS = 8
const MAX_CUSTOMERS = 10
const MAX_REQUESTS = 10
const DAYS = 30
/** The decisions that end the wait of a payment or of a Customer. */
const ANSWERS = new Set(['approve', 'deny', 'end review'])

interface Log {
  summaries(): Exchange[]
  get(uid: Uid): ExchangeDetail | undefined
}

type FindMoves = (collection: CollectionName, uid: Uid) => readonly LegalMove[]
type IsUndone = (exchange: Exchange) => boolean

// ── What needs the operator ──────────────────────────────────────────────────────────────────────────────────────

export function* needsInSteps(
  tx: ReadTx,
  store: ReadStore,
  log: Log,
  movesOf: FindMoves,
  isUndone: IsUndone,
): Steps<Needs> {
  const asked = tx.transactions.findBy('status', 'authorization_pending')
  const [customers, allTasks, deliveries] = [[...tx.customers.newestFirst()], [...tx.tasks.newestFirst()], failing(tx)]
  const closesAt = ({ authorization, created_at }: TransactionRecord) =>
    authorization?.authorization_required_by ?? created_at
  const payments = yield* firstInSteps(asked, closesAt)
  const reviewed: CustomerRecord[] = []
  yield* eachInSteps(customers, (customer) => {
    if (customer.status === 'manual_review' || customer.status === 'under_review') reviewed.push(customer)
  })
  const reviews = yield* firstInSteps(reviewed.reverse(), ({ created_at }) => created_at)
  const waiting = [
    ...payments.map((payment) => describePayment(tx, store, payment)),
    ...reviews.map((customer) => describeReview(customer)),
  ].slice(0, MAX_NEEDS)
  const stopped: TaskRecord[] = []
  yield* eachInSteps(allTasks, (task) => {
    if (task.failed !== null || (task.held && task.held_by === undefined)) stopped.push(task)
  })
  return {
    decisions: waiting.map((one) => ({
      ...one,
      moves: movesOf(one.collection, one.uid).filter(({ move, legal }) => legal && ANSWERS.has(move)),
    })),
    decisions_total: asked.length + reviewed.length,
    webhooks: yield* failingWebhooks(tx, deliveries),
    tasks: stopped.slice(0, MAX_NEEDS).map((task) => showTask(task)),
    tasks_total: stopped.length,
    ...(yield* refusalsInSteps(tx, log, isUndone)),
  }
}

/** The first by a text, in order. */
function* firstInSteps<T>(all: readonly T[], keyOf: (one: T) => string): Steps<T[]> {
  const first: T[] = []
  yield* eachInSteps(all, (one) => {
    if (first.length === MAX_NEEDS && keyOf(one) >= keyOf(first.at(-1)!)) return
    const after = first.findIndex((other) => keyOf(other) > keyOf(one))
    first.splice(after < 0 ? first.length : after, 0, one)
    first.length = Math.min(first.length, MAX_NEEDS)
  })
  return first
}

function describePayment(tx: ReadTx, { world }: ReadStore, payment: TransactionRecord) {
  const { uid, customer_uid, status, created_at, authorization } = payment
  const [named] = nameSubjects(world, [uid])
  return {
    collection: 'transactions' as const,
    uid,
    name: named?.name ?? uid,
    customer_uid,
    customer_name: nameOfCustomer(tx.customers.get(customer_uid)) ?? customer_uid,
    status,
    amount: (named?.amount ?? null) as Money | null,
    since: created_at,
    closes_at: authorization?.authorization_required_by ?? null,
    unanswered: tx.program.unanswered_authorization,
  }
}

const describeReview = (customer: CustomerRecord) => ({
  collection: 'customers' as const,
  uid: customer.uid,
  name: nameOfCustomer(customer)!,
  customer_uid: customer.uid,
  customer_name: nameOfCustomer(customer)!,
  status: customer.status,
  amount: null,
  since: customer.created_at,
  closes_at: null,
  unanswered: null,
})

const nameOfCustomer = (customer: CustomerRecord | undefined) => customer && formatCustomer(nameFacts(customer))

const failing = (tx: ReadTx) =>
  [DeliveryStatus.enum.failed, DeliveryStatus.enum.waiting]
    .flatMap((status) => tx.webhook_deliveries.findBy('status', status))
    .sort((a, b) => a.made - b.made)

/** Not those that were sent again since, or wait on purpose without an attempt. */
function* failingWebhooks(tx: ReadTx, deliveries: readonly WebhookDeliveryRecord[]): Steps<Needs['webhooks']> {
  const byWebhook = new Map<Uid, { failed: number; waiting: number; newest: WebhookDeliveryRecord }>()
  yield* eachInSteps(deliveries, (delivery) => {
    const { uid, webhook_uid, event_uid, status } = delivery
    if (tx.webhook_attempts.countBy('delivery_uid', uid) === 0) return
    const again = tx.webhook_deliveries.findBy('event_uid', event_uid)
    if (again.some((other) => other.webhook_uid === webhook_uid && other.made > delivery.made)) return
    const counted = byWebhook.get(webhook_uid) ?? { failed: 0, waiting: 0, newest: delivery }
    counted[status === 'failed' ? 'failed' : 'waiting']++
    byWebhook.set(webhook_uid, { ...counted, newest: delivery })
  })
  return [...byWebhook].flatMap(([uid, { failed, waiting, newest }]) => {
    const webhook = tx.webhooks.get(uid)
    const attempt = showDelivery(tx, newest).attempts.at(-1)
    if (!webhook) return []
    const answer = attempt?.error ?? (attempt?.status ? `its receiver answered ${attempt.status}` : 'no answer')
    const { event_uid, next_attempt_at } = newest
    return [{ uid, url: webhook.url, failed, waiting, event_uid, answer, next_attempt_at }]
  })
}

type RefusalGroup = Needs['refusals'][number]

/** A later request of an app that its endpoint accepts settles the refusals before it. */
function* refusalsInSteps(tx: ReadTx, log: Log, isUndone: IsUndone): Steps<Pick<Needs, 'refusals' | 'refusals_total'>> {
  const groups = new Map<string, { requests: number; newest: Exchange }>()
  yield* eachInSteps(log.summaries(), (exchange) => {
    const { program_uid, status, code, endpoint } = exchange
    if ((program_uid !== null && program_uid !== tx.program.uid) || isOwnRequest(exchange)) return
    if (status < 400) {
      for (const [key, { newest }] of groups) if (newest.endpoint === endpoint) groups.delete(key)
      return
    }
    const key = `${status} ${code} ${endpoint}`
    const requests = (groups.get(key)?.requests ?? 0) + 1
    groups.delete(key)
    groups.set(key, { requests, newest: exchange })
  })
  const open = [...groups.values()].reverse().filter(({ newest }) => !isUndone(newest))
  const refusals = open.slice(0, MAX_NEEDS).map(({ requests, newest }): RefusalGroup => {
    const { uid, at, did, code, status, endpoint, method, path } = newest
    const known = endpoint !== null && Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint as EndpointName] : null
    const request = known ? `${known.method} ${known.path}` : `${method} ${path}`
    return { code, status, endpoint, request, requests, newest: uid, at, did, fix: log.get(uid)?.refusal?.pass ?? null }
  })
  return { refusals, refusals_total: open.length }
}

// ── Money ────────────────────────────────────────────────────────────────────────────────────────────────────────

export function* moneyInSteps(tx: ReadTx): Steps<MoneyNow> {
  const today = dateAt(toMs(tx.now))
  const days = Array.from({ length: DAYS }, (_, i) => plusDays(today, i - DAYS + 1))
  const starts = days.map((day) => toTimestamp(instantAt(day, '00:00')))
  const [payments, newest] = [[...tx.transactions.newestFirst()], [...tx.customers.newestFirst()]]
  const rails = yield* railsInSteps(payments, starts)
  const chosen = new Set<Uid>()
  yield* eachInSteps([...payments, ...newest], (one) => {
    if (chosen.size < MAX_CUSTOMERS) chosen.add('customer_uid' in one ? (one.customer_uid as Uid) : one.uid)
  })
  const customers: MoneyNow['customers'] = []
  for (const uid of chosen) {
    const customer = tx.customers.get(uid)
    if (customer) customers.push(yield* moneyOfCustomer(tx, customer, starts))
  }
  return { days, customers, customers_total: newest.length, rails }
}

/** The day of an instant; -1 before the first. */
const dayOf = (starts: readonly Timestamp[], at: Timestamp) => starts.findLastIndex((start) => start <= at)

function* railsInSteps(payments: readonly TransactionRecord[], starts: readonly Timestamp[]): Steps<MoneyNow['rails']> {
  const byRail = new Map<string, { in: Money[]; out: Money[] }>()
  yield* eachInSteps(payments, ({ status, settled_at, rail, net_asset, us_dollar_amount }) => {
    const day = status === 'settled' && settled_at ? dayOf(starts, settled_at) : -1
    if (day < 0 || (net_asset !== 'positive' && net_asset !== 'negative')) return
    const sums = byRail.get(rail) ?? { in: starts.map(() => ZERO), out: starts.map(() => ZERO) }
    const side = net_asset === 'positive' ? sums.in : sums.out
    side[day] = add(side[day]!, us_dollar_amount)
    byRail.set(rail, sums)
  })
  return [...byRail]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rail, sums]) => ({ rail, ...sums, total_in: sum(sums.in), total_out: sum(sums.out) }))
}

/** The balance of a day is that of now without the line items since. */
function* moneyOfCustomer(
  tx: ReadTx,
  customer: CustomerRecord,
  starts: readonly Timestamp[],
): Steps<MoneyNow['customers'][number]> {
  const { uid, status } = customer
  const balance = balanceOf(tx, uid)
  const accounts = tx.synthetic_accounts.findBy('customer_uid', uid).filter((one) => one.net_usd_balance !== null)
  const moved = starts.map(() => ZERO)
  for (const account of accounts)
    for (const line of tx.synthetic_line_items.newestFirstBy('synthetic_account_uid', account.uid)) {
      const day = dayOf(starts, line.settled_at)
      if (day < 0) break
      moved[day] = add(moved[day]!, line.us_dollar_amount)
      yield
    }
  const days = starts.map(() => balance)
  for (let day = days.length - 2; day >= 0; day--) days[day] = subtract(days[day + 1]!, moved[day + 1]!)
  const way = { arriving: ZERO, leaving: ZERO }
  const own = new Set(accounts.map((account) => account.uid))
  yield* eachInSteps(tx.transactions.findBy('open_for', uid), (payment) => {
    const {
      us_dollar_amount: amount,
      source_synthetic_account_uid: from,
      destination_synthetic_account_uid: to,
    } = payment
    if (own.has(to) && !own.has(from)) way.arriving = add(way.arriving, amount)
    if (own.has(from) && !own.has(to)) way.leaving = add(way.leaving, amount)
  })
  return { uid, name: nameOfCustomer(customer)!, status, balance, days, ...way }
}

// ── The latest requests ──────────────────────────────────────────────────────────────────────────────────────────

interface SetOff {
  readonly records: readonly { readonly collection: CollectionName; readonly uid: Uid }[]
  readonly tasks: number
  readonly deliveries: number
}

/** Of a request it never changes; its commit may have to be read from the disk. */
const known = new WeakMap<Exchange, SetOff>()

export function* flowInSteps(tx: ReadTx, store: ReadStore, log: Log): Steps<Flow[]> {
  const newest: Exchange[] = []
  for (const exchange of log.summaries().reverse()) {
    if (newest.length === MAX_REQUESTS) break
    if (exchange.program_uid === null || exchange.program_uid === tx.program.uid) newest.push(exchange)
  }
  const flow: Flow[] = []
  for (const exchange of newest) {
    const { records, tasks, deliveries } = known.get(exchange) ?? (yield* readSetOff(store, exchange))
    const shown = records.flatMap(({ collection, uid }) => {
      const record = readCollection(store.world, collection).get(uid)
      return record ? [{ collection, uid, says: nameWithStatus(collection, record) }] : []
    })
    flow.push({ exchange, records: shown, tasks, deliveries })
    yield
  }
  return flow
}

function* readSetOff(store: ReadStore, exchange: Exchange): Steps<SetOff> {
  const { seq_before, seq_after } = exchange
  const commit = seq_after > seq_before ? yield* findCommit(store, seq_after) : undefined
  const added = (name: CollectionName) =>
    commit?.changes.filter(({ collection, was }) => collection === name && was === null).length ?? 0
  const setOff = {
    records: commit
      ? summarizeCommit(commit, null).about.map(({ collection, uid }) => ({
          collection: collection as CollectionName,
          uid,
        }))
      : [],
    tasks: added('tasks'),
    deliveries: added('webhook_deliveries'),
  }
  known.set(exchange, setOff)
  return setOff
}
