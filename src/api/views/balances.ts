import type { BalanceStep, Balances, Book, PendingEntry } from '../contract/control/ledger.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { holdsOf, settlementOf } from '../domain/resources/transactions.ts'
import { add, isNegative, isZero, negate, subtract, sum, ZERO } from '../domain/rules/money.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
import type { ReadTx } from '../store/tx.ts'
import type { TransactionRecord } from '../store/world.ts'
import { accountFieldOf, endOf, heldBefore, linesIn, postingOf, pushTo, wasOpenAt } from './books.ts'

/**
 * The balance of one account over simulated time, recomputed: settled from its line items, pending and available from the
 * start and end of its payments. Also the balance after each pending payment ends when it is due.
 */

interface Range {
  readonly from?: Timestamp | undefined
  readonly at?: Timestamp | undefined
}

export function* balancesInSteps(tx: ReadTx, account_uid: Uid, { from, at }: Range): Steps<Balances> {
  const account = tx.synthetic_accounts.get(account_uid) ?? tx.custodial_accounts.get(account_uid)
  if (!account) throw new Error(`There is no account ${account_uid}`)
  const book: Book = 'type' in account ? 'custodial' : 'synthetic'
  const end = at ?? tx.now
  const showsBalance = account.net_usd_balance !== null
  const payments = paymentsOf(tx, book, account_uid, account.pool_uid)
  const lines = linesIn(tx, book).findBy(accountFieldOf(book), account_uid)
  yield

  const moments: Moments = new Map()
  yield* eachInSteps(lines, (line) => momentAt(moments, line.settled_at, at)?.settled.push(line.us_dollar_amount))
  if (showsBalance)
    yield* eachInSteps(payments, (payment) => addHold(moments, payment, account_uid, { at, now: tx.now }))

  const order = [...moments.keys()].sort()
  const first = [order[0], account.opened_at].filter((when) => when !== undefined).sort()[0]
  const begins = [from ?? first ?? end, end].sort()[0]!
  yield
  const steps = yield* stepsFrom(begins, order, moments, showsBalance)
  const pending: PendingEntry[] = []
  yield* eachInSteps(payments, (payment) => {
    if (at === undefined ? isOpen(payment) : wasOpenAt(payment, at, tx.now))
      pending.push(entryOf(tx, book, payment, account_uid, at))
  })
  return {
    account_uid,
    book,
    from: begins,
    at: end,
    steps: yield* thinOut(steps),
    total_count: steps.length,
    pending: pending.reverse(),
    scheduled: scheduledFrom(steps.at(-1)!, pending),
  }
}

/** The amounts that changed at one instant. */
interface Moment {
  readonly settled: Money[]
  readonly pending: Money[]
  readonly held: Money[]
}

type Moments = Map<Timestamp, Moment>

/** undefined at or after the end. */
function momentAt(moments: Moments, when: Timestamp, end: Timestamp | undefined): Moment | undefined {
  if (end !== undefined && when >= end) return undefined
  const moment = moments.get(when) ?? { settled: [], pending: [], held: [] }
  moments.set(when, moment)
  return moment
}

/** A payment is pending from its creation to its end; a withdrawal is held meanwhile. */
function addHold(
  moments: Moments,
  payment: TransactionRecord,
  account_uid: Uid,
  { at, now }: { readonly at: Timestamp | undefined; readonly now: Timestamp },
) {
  const ended = endOf(payment, now)
  if (isZero(payment.us_dollar_amount) || ended === payment.created_at) return
  const change = (when: Timestamp, signed: Money) => {
    const moment = momentAt(moments, when, at)
    moment?.pending.push(signed)
    if (isSource(payment, account_uid)) moment?.held.push(signed)
  }
  let held = ZERO
  for (const { from, us_dollar_amount } of holdsOf(payment)) {
    const amount = signed(payment, account_uid, us_dollar_amount)
    change(from, subtract(amount, held))
    held = amount
  }
  if (ended !== undefined) change(ended, negate(held))
}

const isOpen = ({ open_for, us_dollar_amount }: TransactionRecord) => open_for.length > 0 && !isZero(us_dollar_amount)

/** Oldest first. */
const paymentsOf = (tx: ReadTx, book: Book, account_uid: Uid, pool_uid: Uid): TransactionRecord[] =>
  book === 'synthetic'
    ? tx.transactions.findBy('synthetic_account_uid', account_uid)
    : tx.transactions
        .findBy('pool_uid', pool_uid)
        .filter(({ custodial_account_uids }) => custodial_account_uids.includes(account_uid))

const isSource = (payment: TransactionRecord, account_uid: Uid): boolean =>
  payment.source_synthetic_account_uid === account_uid || payment.custodial_account_uids[0] === account_uid

const signed = (payment: TransactionRecord, account_uid: Uid, amount: Money): Money =>
  isSource(payment, account_uid) ? negate(amount) : amount

function* stepsFrom(
  from: Timestamp,
  order: readonly Timestamp[],
  moments: Moments,
  showsBalance: boolean,
): Steps<BalanceStep[]> {
  let settled = ZERO
  let pending = ZERO
  let held = ZERO
  const stepAt = (at: Timestamp): BalanceStep => ({
    at,
    settled,
    pending: showsBalance ? pending : null,
    available: showsBalance ? add(settled, held) : null,
  })
  const apply = (when: Timestamp) => {
    const moment = moments.get(when)!
    if (moment.settled.length > 0) settled = sum([settled, ...moment.settled])
    if (moment.pending.length > 0) pending = sum([pending, ...moment.pending])
    if (moment.held.length > 0) held = sum([held, ...moment.held])
  }
  const later = order.findIndex((when) => when > from)
  const until = later < 0 ? order.length : later
  yield* eachInSteps(order.slice(0, until), apply)
  const steps = [stepAt(from)]
  yield* eachInSteps(order.slice(until), (when) => {
    apply(when)
    steps.push(stepAt(when))
  })
  return steps
}

const MAX_STEPS = 3_000
const SLICES = 500

/** Keeps what a chart needs of each slice of time: the first, last, highest and lowest steps. */
function* thinOut(steps: readonly BalanceStep[]): Steps<BalanceStep[]> {
  if (steps.length <= MAX_STEPS) return [...steps]
  const [start, end] = [Date.parse(steps[0]!.at), Date.parse(steps.at(-1)!.at)]
  const slices = new Map<string, BalanceStep[]>()
  yield* eachInSteps(steps, (step) => {
    const slice = Math.min(SLICES - 1, Math.floor(((Date.parse(step.at) - start) / (end - start)) * SLICES))
    pushTo(slices, String(slice), step)
  })
  const kept: BalanceStep[] = []
  for (const own of slices.values()) {
    kept.push(...extremesOf(own))
    yield
  }
  return kept
}

/** In their order. As numbers the amounts are only compared, never added. */
function extremesOf(steps: readonly BalanceStep[]): BalanceStep[] {
  const [first] = steps as [BalanceStep]
  const kept = new Set([first, steps.at(-1)!])
  for (const amountOf of [(step: BalanceStep) => step.settled, (step: BalanceStep) => step.available ?? step.settled]) {
    let [lowest, highest] = [first, first]
    for (const step of steps) {
      if (Number(amountOf(step)) < Number(amountOf(lowest))) lowest = step
      if (Number(amountOf(step)) > Number(amountOf(highest))) highest = step
    }
    kept.add(lowest).add(highest)
  }
  return [...kept].sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** For an earlier instant only the amounts are known, not the status or when it was due then. */
function entryOf(
  tx: ReadTx,
  book: Book,
  payment: TransactionRecord,
  account_uid: Uid,
  at: Timestamp | undefined,
): PendingEntry {
  const isNow = at === undefined
  const held = isNow ? payment.us_dollar_amount : heldBefore(payment, at)
  const task = tx.tasks.findBy('subject_uid', payment.uid).find(({ kind }) => kind === 'finish payment')
  return {
    ...postingOf(tx, book, payment.uid),
    status: isNow ? payment.status : null,
    created_at: payment.created_at,
    amount: signed(payment, account_uid, held),
    due_at: isNow && task && !task.held && task.failed === null ? task.due_at : null,
    settles: signed(payment, account_uid, settlementOf(payment)),
  }
}

function scheduledFrom(now: BalanceStep, pending: readonly PendingEntry[]): BalanceStep[] {
  let { settled, pending: waiting, available } = now
  return pending
    .flatMap((entry) => (entry.due_at === null ? [] : [{ ...entry, due_at: entry.due_at }]))
    .sort((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0))
    .map(({ due_at, amount, settles }) => {
      settled = add(settled, settles)
      if (waiting !== null) waiting = subtract(waiting, amount)
      // A withdrawal is held from its creation on.
      if (available !== null) available = add(available, isNegative(amount) ? subtract(settles, amount) : settles)
      return { at: due_at, settled, pending: waiting, available }
    })
}
