import type { RecordCommit } from '../contract/control/history.ts'
import type { PathPayment, PathState, PaymentPath } from '../contract/control/payments.ts'
import { isPossible, machines } from '../contract/machines.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { type CalendarDate, dateAt, holiday, instantAt, isBankingDay, plusDays } from '../domain/rules/calendar.ts'
import { entriesOf } from '../domain/rules/ledger.ts'
import { type RailUse, railTimesFor } from '../domain/rules/rails.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { type Steps, withoutCount } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { ReadTx } from '../store/tx.ts'
import type { TaskRecord, TransactionRecord } from '../store/world.ts'
import { accountOf, BOOKS, linesIn, partyOf } from './books.ts'
import { historyOf } from './history.ts'
import { originalsOf } from './payment-return.ts'

/**
 * The path of a payment and its returns: the states that each has passed, from the commits; those that will follow, from the tasks,
 * which are run ahead; those that a decision leads to, from the state machine; and the entries that are posted or would post next.
 */

type State = TransactionRecord['status']

/** Runs the wanted tasks ahead, and undoes it when the work returns (`time/foresee.ts`). */
type RunAhead = <T>(
  program_uid: Uid,
  isWanted: (task: TaskRecord) => boolean,
  work: (tx: ReadTx, steps: Iterable<Step>) => T,
) => T
type Step = { readonly task: TaskRecord; readonly at: Timestamp }

export function* pathOf(store: ReadStore, uid: Uid, runAhead: RunAhead): Steps<PaymentPath> {
  const asked = requirePayment(store, uid)
  const original = originalsOf(asked, (one) => store.world.collections.transactions.get(one)).at(-1) ?? asked
  const original_uid = original.uid
  yield* buildIndexes(store, asked.program_uid)
  const family = new Map<Uid, State>()
  const isOfFamily = ({ subject_uid }: TaskRecord) => subject_uid !== null && family.has(subject_uid)
  const uids = store.read(asked.program_uid, (tx) => familyOf(tx, original_uid).map((payment) => payment.uid))
  const histories = new Map<Uid, RecordCommit[]>()
  for (const one of uids) histories.set(one, yield* historyOf(store, 'transactions', one))
  return runAhead(asked.program_uid, isOfFamily, (tx, steps) => {
    const records = familyOf(tx, original_uid)
    const posted = records.map((payment) => (payment.status === 'settled' ? postedEntries(tx, payment) : []))
    for (const { uid: one, status } of records) family.set(one, status)
    const coming = foreseeStates(tx, original_uid, family, steps)
    const then = familyOf(tx, original_uid)
    const payments = records.map((payment, i) =>
      pathPayment(tx, payment, then[i]!, histories.get(payment.uid) ?? [], coming.get(payment.uid) ?? [], posted[i]!),
    )
    for (const payment of then.slice(records.length)) payments.push(returnDue(tx, payment, coming.get(payment.uid)!))
    const instants = instantsOf(tx, payments)
    const days = daysBetween(instants.from, instants.until)
    return { payments, now: tx.now, ...instants, ...days, times: timesOn(tx, records, days.days) }
  })
}

/** The payment, its returns and theirs, in the order in which they were made. */
const familyOf = (tx: ReadTx, original_uid: Uid): TransactionRecord[] =>
  [tx.transactions.get(original_uid) ?? [], returnsUnder(tx, original_uid)].flat().sort((a, b) => a.made - b.made)

const returnsUnder = (tx: ReadTx, uid: Uid): TransactionRecord[] =>
  tx.transactions.findBy('original_transaction_uid', uid).flatMap((one) => [one, ...returnsUnder(tx, one.uid)])

function* buildIndexes({ world: { collections } }: ReadStore, program_uid: Uid): Steps<void> {
  yield* withoutCount(collections.transactions.shelf(program_uid).buildIndex('original_transaction_uid'))
  yield* withoutCount(collections.synthetic_line_items.shelf(program_uid).buildIndex('transaction_uid'))
  yield* withoutCount(collections.custodial_line_items.shelf(program_uid).buildIndex('transaction_uid'))
}

function requirePayment({ world }: ReadStore, uid: Uid): TransactionRecord {
  const payment = world.collections.transactions.get(uid)
  if (!payment) throw new Error(`There is no Transaction ${uid}`)
  return payment
}

function pathPayment(
  tx: ReadTx,
  payment: TransactionRecord,
  then: TransactionRecord,
  commits: readonly RecordCommit[],
  scheduled: readonly PathState[],
  posted: Entry[],
): PathPayment {
  const { uid, type, us_dollar_amount: amount, status } = payment
  const settles = scheduled.some(({ state }) => state === 'settled')
  return {
    transaction_uid: uid,
    type,
    amount,
    states: [
      ...passedStates(payment, commits, endOf(status, scheduled)),
      ...scheduled,
      ...statesByDecision(payment, scheduled),
    ],
    entries: settles ? plannedEntries(tx, then) : posted,
    posted: posted.length > 0,
  }
}

// ── States ───────────────────────────────────────────────────────────────────────────────────────────────────────

type Begun = Pick<PathState, 'state' | 'from' | 'cause'>

/** Commits are newest first. A restore or an import adds a record with a state that began earlier: its time is unknown. */
function passedStates(
  payment: TransactionRecord,
  commits: readonly RecordCommit[],
  end: Timestamp | null,
): PathState[] {
  const found: Begun[] = []
  for (const { at, cause, what, fields } of commits.toReversed()) {
    const change = fields.find(({ field }) => field === 'status')
    if (!change || what === 'removed' || found.at(-1)?.state === change.to) continue
    const isKnown = what === 'changed' || at === payment.created_at
    found.push({ state: change.to as State, from: isKnown ? at : null, cause: isKnown ? cause : null })
  }
  if (found.at(-1)?.state !== payment.status) found.push({ state: payment.status, from: null, cause: null })
  const last = found.length - 1
  const states = found.map((state, i) => ({ ...state, from: state.from ?? (i === last ? endedAt(payment) : null) }))
  return states.map((state, i) => ({
    ...state,
    kind: i === last ? 'current' : 'passed',
    until: i === last ? end : states[i + 1]!.from,
    event: null,
    after: null,
    held: false,
  }))
}

const endedAt = ({ open_for, settled_at, ended_at }: TransactionRecord): Timestamp | null =>
  open_for.length > 0 ? null : (settled_at ?? ended_at ?? null)

/** The states to which the tasks lead, by payment. After a held one no time is known. */
function foreseeStates(tx: ReadTx, original_uid: Uid, family: Map<Uid, State>, steps: Iterable<Step>) {
  const coming = new Map<Uid, PathState[]>()
  let held = false
  for (const { task, at } of steps) {
    held ||= task.held || task.failed !== null
    for (const { uid, status } of familyOf(tx, original_uid)) {
      const after = family.get(uid) ?? null
      if (after === status) continue
      family.set(uid, status)
      const own = coming.get(uid) ?? []
      const before = own.at(-1)
      const from = held ? null : at
      if (before) before.until = from
      const event =
        events.find((one) => after !== null && isPossible(moves[one], after) && moves[one].to === status) ?? null
      const kind = held ? 'possible' : 'scheduled'
      coming.set(uid, [...own, { ...NOT_BEGUN, state: status, kind, from, held, event, after }])
    }
  }
  return coming
}

/** Those that only a decision leads to. */
const statesByDecision = ({ status, type }: TransactionRecord, scheduled: readonly PathState[]): PathState[] =>
  events
    .filter((event) => isPossible(moves[event], status, type))
    .map((event): PathState => ({ ...NOT_BEGUN, state: moves[event].to, kind: 'possible', event, after: status }))
    .filter(({ state }) => !scheduled.some((other) => other.state === state))

const NOT_BEGUN = { from: null, until: null, held: false, cause: null } as const

/** When a state is scheduled to end; null if that is not known. */
const endOf = (state: string, coming: readonly PathState[]): Timestamp | null =>
  coming.find(({ after, from }) => after === state && from !== null)?.from ?? null

const { moves } = machines.transaction
type Event = keyof typeof moves
const events = Object.keys(moves) as Event[]

/** A return that will arrive. */
const returnDue = (tx: ReadTx, payment: TransactionRecord, states: PathState[]): PathPayment => ({
  transaction_uid: null,
  type: payment.type,
  amount: payment.us_dollar_amount,
  posted: false,
  states,
  entries: plannedEntries(tx, payment),
})

// ── Entries ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Entry = PathPayment['entries'][number]

const plannedEntries = (tx: ReadTx, payment: TransactionRecord): Entry[] =>
  entriesOf(tx, payment).map(({ book, account_uid, amount }) =>
    entry(tx, payment, book === 'synthetic_accounts' ? 'synthetic' : 'custodial', account_uid, amount, null),
  )

const postedEntries = (tx: ReadTx, payment: TransactionRecord): Entry[] =>
  BOOKS.flatMap((book) =>
    linesIn(tx, book)
      .findBy('transaction_uid', payment.uid)
      .map((line) => entry(tx, payment, book, accountOf(line), line.us_dollar_amount, line.uid)),
  )

const entry = (
  tx: ReadTx,
  payment: TransactionRecord,
  book: Entry['book'],
  account_uid: Uid,
  amount: Money,
  line_item_uid: Uid | null,
): Entry => ({ book, account: partyOf(tx, book, account_uid, payment), amount, line_item_uid })

// ── The axis ─────────────────────────────────────────────────────────────────────────────────────────────────────

const MAX_DAYS = 100

function instantsOf(tx: ReadTx, payments: readonly PathPayment[]) {
  const all = payments.flatMap(({ states }) => states.flatMap(({ from }) => from ?? [])).sort()
  const last = all.at(-1) ?? tx.now
  const isOpen = payments.some(
    ({ transaction_uid, states }) => transaction_uid !== null && states.at(-1)!.kind !== 'current',
  )
  return { from: all[0] ?? tx.now, until: isOpen ? latest(last, tx.now) : last }
}

function daysBetween(from: Timestamp, until: Timestamp): Pick<PaymentPath, 'days'> {
  const days: PaymentPath['days'] = []
  for (let date = dateAt(toMs(from)); days.length < MAX_DAYS && startOf(date) <= toMs(until); date = plusDays(date, 1))
    days.push({
      date,
      start: toTimestamp(startOf(date)),
      end: toTimestamp(startOf(plusDays(date, 1))),
      banking: isBankingDay(date),
      holiday: holiday(date) ?? null,
    })
  return { days }
}

const startOf = (date: CalendarDate) => instantAt(date, '00:00')

function timesOn(tx: ReadTx, payments: readonly TransactionRecord[], days: PaymentPath['days']): PaymentPath['times'] {
  if (tx.pace === 'fast') return []
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  // Fedwire opens on the evening before a banking day.
  const dates = [...days.map(({ date }) => date), plusDays(last.date, 1)].filter(isBankingDay)
  const uses = new Set(payments.flatMap((payment) => usesOf(tx, payment)))
  const times = [...uses].flatMap((use) => dates.flatMap((date) => railTimesFor(use, date)))
  return [...new Map(times.map((time) => [`${time.at} ${time.name}`, time])).values()]
    .filter(({ at }) => at >= toMs(first.start) && at < toMs(last.end))
    .sort((a, b) => a.at - b.at)
    .map(({ at, name }) => ({ at: toTimestamp(at), name }))
}

/** Book transfers, instant payments and movements of the custodian settle at any time. */
function usesOf(tx: ReadTx, payment: TransactionRecord): RailUse[] {
  const { rail, transfer_uid, original_transaction_uid } = payment
  const isSent = transfer_uid !== null || original_transaction_uid !== undefined
  if (rail === 'wire') return [isSent ? 'wire sent' : 'wire received']
  if (rail === 'card') return ['ach received']
  if (rail !== 'ach') return []
  if (!isSent) return ['ach received']
  const transfer = transfer_uid === null ? undefined : tx.transfers.get(transfer_uid)
  const isSameDay = transfer?.ach?.service_processing === 'SAMEDAY' && original_transaction_uid === undefined
  return isSameDay ? ['same-day ach sent', 'ach sent'] : ['ach sent']
}

const latest = (a: Timestamp, b: Timestamp): Timestamp => (a > b ? a : b)
