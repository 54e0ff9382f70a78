import type { BalanceStep, Balances, Book, PendingEntry } from '../contract/control.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { add, isNegative, isZero, negate, sum, ZERO } from '../domain/rules/money.ts'
import type { ReadTx } from '../store/tx.ts'
import type { TransactionRecord } from '../store/world.ts'
import { endOf, postingOf, wasOpenAt } from './books.ts'

/**
 * The balance of one account over simulated time, recomputed: settled from its line items, pending and available from
 * when its payments began and ended; and what becomes of it when all that is pending ends as it is due.
 */

interface Range {
  readonly from?: Timestamp | undefined
  readonly at?: Timestamp | undefined
}

export function balancesOf(tx: ReadTx, account_uid: Uid, { from, at }: Range): Balances {
  const account = tx.synthetic_accounts.get(account_uid) ?? tx.custodial_accounts.get(account_uid)
  if (!account) throw new Error(`There is no account ${account_uid}`)
  const book: Book = 'type' in account ? 'custodial' : 'synthetic'
  const end = at ?? tx.now
  const happened = (when: Timestamp) => at === undefined || when < at
  const shows = account.net_usd_balance !== null
  const payments = paymentsOf(tx, book, account_uid, account.pool_uid)

  const moments = new Map<Timestamp, Moment>()
  const momentAt = (when: Timestamp): Moment => {
    const known = moments.get(when)
    if (known) return known
    const made: Moment = { settled: [], pending: [], held: [] }
    moments.set(when, made)
    return made
  }
  const lines =
    book === 'synthetic'
      ? tx.synthetic_line_items.findBy('synthetic_account_uid', account_uid)
      : tx.custodial_line_items.findBy('custodial_account_uid', account_uid)
  for (const { settled_at, us_dollar_amount } of lines)
    if (happened(settled_at)) momentAt(settled_at).settled.push(us_dollar_amount)
  if (shows)
    for (const payment of payments) {
      const amount = amountOn(payment, account_uid)
      const ended = endOf(payment, tx.now)
      if (isZero(amount) || ended === payment.created_at) continue
      const hold = (when: Timestamp, signed: Money) => {
        if (!happened(when)) return
        momentAt(when).pending.push(signed)
        if (isNegative(amount)) momentAt(when).held.push(signed)
      }
      hold(payment.created_at, amount)
      if (ended !== undefined) hold(ended, negate(amount))
    }

  const order = [...moments.keys()].sort()
  const first = [order[0], account.opened_at].filter((when) => when !== undefined).sort()[0]
  const begins = [from ?? first ?? end, end].sort()[0]!
  const steps = stepsFrom(begins, order, moments, shows)
  const pending = payments
    .filter((payment) => (at === undefined ? isOpen(payment) : wasOpenAt(payment, at, tx.now)))
    .map((payment) => entryOf(tx, book, payment, account_uid, at === undefined))
  return {
    account_uid,
    book,
    from: begins,
    at: end,
    steps: thinned(steps),
    total_count: steps.length,
    pending: pending.reverse(),
    scheduled: scheduledFrom(steps.at(-1)!, pending),
  }
}

/** What an instant changed. */
interface Moment {
  readonly settled: Money[]
  readonly pending: Money[]
  readonly held: Money[]
}

const isOpen = ({ open_for, us_dollar_amount }: TransactionRecord) => open_for.length > 0 && !isZero(us_dollar_amount)

/** In order of making. */
const paymentsOf = (tx: ReadTx, book: Book, account_uid: Uid, pool_uid: Uid): TransactionRecord[] =>
  book === 'synthetic'
    ? tx.transactions.findBy('synthetic_account_uid', account_uid)
    : tx.transactions
        .findBy('pool_uid', pool_uid)
        .filter(({ custodial_account_uids }) => custodial_account_uids.includes(account_uid))

const amountOn = (payment: TransactionRecord, account_uid: Uid): Money =>
  payment.source_synthetic_account_uid === account_uid || payment.custodial_account_uids[0] === account_uid
    ? negate(payment.us_dollar_amount)
    : payment.us_dollar_amount

function stepsFrom(
  from: Timestamp,
  order: readonly Timestamp[],
  moments: ReadonlyMap<Timestamp, Moment>,
  shows: boolean,
): BalanceStep[] {
  let settled = ZERO
  let pending = ZERO
  let held = ZERO
  const standing = (at: Timestamp): BalanceStep => ({
    at,
    settled,
    pending: shows ? pending : null,
    available: shows ? add(settled, held) : null,
  })
  const take = (when: Timestamp) => {
    const moment = moments.get(when)!
    if (moment.settled.length > 0) settled = sum([settled, ...moment.settled])
    if (moment.pending.length > 0) pending = sum([pending, ...moment.pending])
    if (moment.held.length > 0) held = sum([held, ...moment.held])
  }
  const later = order.findIndex((when) => when > from)
  const until = later < 0 ? order.length : later
  for (const when of order.slice(0, until)) take(when)
  const steps = [standing(from)]
  for (const when of order.slice(until)) {
    take(when)
    steps.push(standing(when))
  }
  return steps
}

const MOST = 3_000
const SLICES = 500

/** Of each slice of time what shapes its drawing: where it begins and ends, and how high and how low it goes. */
function thinned(steps: readonly BalanceStep[]): BalanceStep[] {
  if (steps.length <= MOST) return [...steps]
  const [start, end] = [Date.parse(steps[0]!.at), Date.parse(steps.at(-1)!.at)]
  const slices = new Map<number, BalanceStep[]>()
  for (const step of steps) {
    const slice = Math.min(SLICES - 1, Math.floor(((Date.parse(step.at) - start) / (end - start)) * SLICES))
    const own = slices.get(slice)
    if (own) own.push(step)
    else slices.set(slice, [step])
  }
  return [...slices.values()].flatMap((own) => {
    const telling = new Set([own[0]!, own.at(-1)!])
    for (const of of [settledOf, availableOf]) {
      telling.add(own.reduce((least, step) => (of(step) < of(least) ? step : least)))
      telling.add(own.reduce((most, step) => (of(step) > of(most) ? step : most)))
    }
    return own.filter((step) => telling.has(step))
  })
}
/** Compared, never calculated with. */
const settledOf = ({ settled }: BalanceStep) => Number(settled)
const availableOf = ({ available, settled }: BalanceStep) => Number(available ?? settled)

/** What was due at an earlier instant nobody remembers: of then only the amounts are told. */
function entryOf(tx: ReadTx, book: Book, payment: TransactionRecord, account_uid: Uid, isNow: boolean): PendingEntry {
  const task = tx.tasks.findBy('subject_uid', payment.uid).find(({ kind }) => kind === 'finish payment')
  return {
    ...postingOf(tx, book, payment.uid),
    status: isNow ? payment.status : null,
    created_at: payment.created_at,
    amount: amountOn(payment, account_uid),
    due_at: isNow && task && !task.held && task.failed === null ? task.due_at : null,
    fails: payment.will_fail !== undefined,
  }
}

function scheduledFrom(now: BalanceStep, pending: readonly PendingEntry[]): BalanceStep[] {
  let { settled, pending: waiting, available } = now
  return pending
    .flatMap((entry) => (entry.due_at === null ? [] : [{ ...entry, due_at: entry.due_at }]))
    .sort((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0))
    .map(({ due_at, amount, fails }) => {
      if (!fails) settled = add(settled, amount)
      if (waiting !== null) waiting = add(waiting, negate(amount))
      // What leaves has been held back since it was made; what fails is free again.
      if (available !== null && fails === isNegative(amount))
        available = add(available, fails ? negate(amount) : amount)
      return { at: due_at, settled, pending: waiting, available }
    })
}
