import type { Machine } from '../../contract/machines.ts'
import { machines } from '../../contract/machines.ts'
import { formatMessage, type PaymentFacts } from '../../contract/messages.ts'
import { type AchDirection, findMisfit } from '../../contract/network-codes.ts'
import type { Transaction } from '../../contract/resources/transactions.ts'
import type { OutcomeOf, TaskKind } from '../../contract/tasks.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import { nocFor, outcomesOfNumber } from '../../contract/triggers.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type {
  Hold,
  SyntheticAccountRecord,
  TaskRecord,
  TransactionEventRecord,
  TransactionRecord,
} from '../../store/world.ts'
import { needsCorrection } from '../rules/corrections.ts'
import { type AddDerived, addDerived } from '../rules/derived.ts'
import * as ledger from '../rules/ledger.ts'
import { nextState } from '../rules/machine.ts'
import { ZERO } from '../rules/money.ts'
import { imad } from '../rules/network-ids.ts'
import { lateReturnTimeline, returnTimeline, statementPostedAt, type Timeline } from '../rules/rails.ts'
import { requireRecord } from './require-record.ts'

/**
 * The life of a Transaction: `create` reserves the money, `begin` makes it pending, and `finish` settles or fails it at
 * the time of its rail. Its Transfer and its Return follow it. Every payment of the sandbox takes this way.
 */

type PaymentFields =
  | 'type'
  | 'rail'
  | 'originated'
  | 'us_dollar_amount'
  | 'description'
  | 'ach'
  | 'wire'
  | 'instant_payment'
  | 'authorization'
  | 'virtual_reference_number_uid'
  | 'will_fail'
  | 'original_transaction_uid'
  | 'check'
  | 'is_re_presented'
  | 'card'

type NewPayment = Pick<TransactionRecord, PaymentFields> & {
  readonly customer_uid: Uid
  readonly source: SyntheticAccountRecord
  readonly destination: SyntheticAccountRecord
  readonly timeline: Timeline
  /** The first status: a payment from outside is pending, waits for the Client, or is a declined card authorization. */
  readonly status: 'queued' | 'pending' | 'authorization_pending' | 'denied'
  readonly transfer_uid?: Uid
  readonly return_uid?: Uid
}

/** Creates the Transaction, reserves its money, and schedules what follows. */
export function create(tx: Tx, payment: NewPayment): TransactionRecord {
  const { source, destination, timeline, status, transfer_uid = null, return_uid = null, ...carried } = payment
  const accounts = [source.uid, destination.uid]
  const concerned = {
    uid: tx.uid(),
    source_synthetic_account_uid: source.uid,
    destination_synthetic_account_uid: destination.uid,
    pool_uid: (source.liability ? source : destination).pool_uid,
    ...carried,
  }
  const isDeclined = status === 'denied'
  const transaction = tx.transactions.put({
    program_uid: tx.program.uid,
    id: tx.transactions.size + 1,
    status,
    custodial_account_uids: isDeclined ? [] : ledger.custodialAccountsOf(tx, concerned),
    net_asset: carried.rail === 'book' ? 'neutral' : destination.liability ? 'positive' : 'negative',
    transfer_uid,
    return_uid,
    adjustment_uid: null,
    transaction_batch_uid: null,
    settled_index: null,
    created_at: tx.now,
    initial_action_at: tx.now,
    synthetic_account_uid: accounts,
    open_for: isDeclined ? [] : [...accounts, payment.customer_uid],
    settles_at: toTimestamp(timeline.settles_at),
    ...(isDeclined ? { ended_at: tx.now } : {}),
    ...concerned,
  })
  if (isDeclined) return transaction
  ledger.reserve(tx, transaction)
  if (status === 'queued') schedule(tx, transaction, 'send payment', timeline.pending_at)
  if (status !== 'authorization_pending') schedule(tx, transaction, 'finish payment', timeline.settles_at)
  return transaction
}

/** Runs when the movement begins. */
export function begin(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'send payment'> {
  const transaction = find(tx, subject_uid ?? '')
  move(tx, transaction, 'begin')
  return { code: 'pending', facts: {} }
}

/** A queued payment begins now. */
export const beginIfQueued = (tx: Tx, transaction: TransactionRecord): TransactionRecord =>
  transaction.status === 'queued' ? move(tx, transaction, 'begin') : transaction

/** Runs at the time of the rail. */
export function finish(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'finish payment'> {
  // The operator may have held the task before, or may run this one early.
  const transaction = beginIfQueued(tx, find(tx, subject_uid ?? ''))
  if (transaction.will_fail) {
    fail(tx, transaction, transaction.will_fail)
    return { code: 'failed', facts: {} }
  }
  if (transaction.card?.expires) {
    expire(tx, transaction)
    return { code: 'expired', facts: {} }
  }
  settle(tx, transaction)
  return { code: 'settled', facts: {} }
}

/** The amount that moves when its rail ends: none if it fails or expires. */
export const settlementOf = ({ will_fail, card, us_dollar_amount }: TransactionRecord): Money =>
  will_fail || card?.expires ? ZERO : (card?.settles_for ?? us_dollar_amount)

export function settle(tx: Tx, payment: TransactionRecord): TransactionRecord {
  const { settles_for = payment.us_dollar_amount } = payment.card ?? {}
  const transaction = settles_for === payment.us_dollar_amount ? payment : changeHold(tx, payment, settles_for)
  const settled_index = tx.transactions.countBy('status', 'settled') + 1
  ledger.post(tx, transaction)
  const settled = move(tx, close(tx, transaction), 'settle', {
    settled_index,
    settled_at: tx.now,
    posts_at: toTimestamp(statementPostedAt[tx.pace](toMs(tx.now))),
    ...(transaction.wire && addImad(tx, transaction)),
  })
  if (settled.type === 'ach_return') releaseRefused(tx, settled)
  scheduleBankResponses(tx, settled)
  return settled
}

/** A reversal that the other bank refused has returned nothing. */
function releaseRefused(tx: Tx, { original_transaction_uid }: TransactionRecord) {
  const refused = find(tx, original_transaction_uid ?? '')
  const { type, original_transaction_uid: reversed } = refused
  if (type === 'initiated_ach_reversal') tx.transactions.put({ ...find(tx, reversed ?? ''), return_uid: null })
}

export function fail(tx: Tx, transaction: TransactionRecord, failure: TransactionRecord['will_fail'] = {}) {
  ledger.release(tx, transaction)
  if (transaction.original_transaction_uid !== undefined) {
    // A failed return has returned nothing.
    const original = find(tx, transaction.original_transaction_uid)
    if (transaction.type === 'ach_return') tx.transactions.put({ ...original, ach: withoutReturn(original.ach) })
    else tx.transactions.put({ ...original, return_uid: null })
  }
  const { instant_payment } = transaction
  return move(tx, close(tx, transaction), 'fail', {
    ...(instant_payment ? { instant_payment: { ...instant_payment, ...failure } } : {}),
  })
}

export function cancel(tx: Tx, transaction: TransactionRecord): TransactionRecord {
  ledger.release(tx, transaction)
  return move(tx, close(tx, transaction), 'cancel')
}

/** A card authorization that was not settled in time. */
export function expire(tx: Tx, transaction: TransactionRecord): TransactionRecord {
  ledger.release(tx, transaction)
  return move(tx, close(tx, transaction), 'expire')
}

/** What a payment holds, and from when. */
export const holdsOf = ({ card, created_at, us_dollar_amount }: TransactionRecord): readonly Hold[] =>
  card?.holds ?? [{ from: created_at, us_dollar_amount }]

/** A card authorization holds another amount from now on. Its task names the amount. */
export function changeHold(tx: Tx, payment: TransactionRecord, us_dollar_amount: Money): TransactionRecord {
  ledger.release(tx, payment)
  const holds = [...holdsOf(payment), { from: tx.now, us_dollar_amount }]
  const changed = tx.transactions.put({ ...payment, us_dollar_amount, card: { ...payment.card, holds } })
  ledger.reserve(tx, changed)
  for (const task of tx.tasks.findBy('subject_uid', payment.uid))
    tx.tasks.put({ ...task, why: { code: reasons['finish payment'], facts: paymentFacts(changed) } })
  return changed
}

/** Denied by the Client, or because its VRN is locked or archived. */
export function deny(tx: Tx, transaction: TransactionRecord): TransactionRecord {
  ledger.release(tx, transaction)
  return move(tx, close(tx, transaction), 'deny')
}

/**
 * Approved by the Client or by the end of its window: it settles at the time of its rail, and not before the decision
 * is processed.
 */
export function approve(tx: Tx, transaction: TransactionRecord, earliest: number): TransactionRecord {
  const settles_at = Math.max(toMs(transaction.settles_at), earliest)
  const approved = move(tx, transaction, 'approve', { settles_at: toTimestamp(settles_at) })
  schedule(tx, approved, 'finish payment', settles_at)
  return approved
}

export const find = (tx: Tx, uid: Uid): TransactionRecord => requireRecord(tx.transactions, uid, 'Transaction')

/** The open payments of a Customer or an account. */
export const openPaymentsOf = (tx: Tx, uid: Uid): TransactionRecord[] => tx.transactions.findBy('open_for', uid)

/** Assumed (sibling): the date of a statement is shown after the statement is posted. */
export function show(tx: ReadTx, record: TransactionRecord, add: AddDerived = addDerived): Transaction {
  const { uid, posts_at, rail } = record
  const events = tx.transaction_events.findBy('transaction_uids', uid)
  const shown = add(record, {
    statement_posted_at: posts_at !== undefined && posts_at <= tx.now ? posts_at : null,
    transaction_event_uids: events.map((event) => event.uid),
    description: formatMessage(record.description),
    custodial_account_uids: rail === 'book' ? accountsOf(events) : record.custodial_account_uids,
  })
  return record.ach?.iat && !tx.program.shows_iat ? { ...shown, ach: withoutIat(record.ach) } : shown
}

const accountsOf = ([event]: readonly TransactionEventRecord[]) =>
  event ? [event.source_custodial_account_uid, event.destination_custodial_account_uid] : []

const withoutIat = ({ iat: _, ...ach }: NonNullable<TransactionRecord['ach']>) => ach

// ── Consequences ───────────────────────────────────────────────────────────────────────────────────────────────────

type Event = keyof typeof machines.transaction.moves

function move(tx: Tx, transaction: TransactionRecord, event: Event, more: Partial<TransactionRecord> = {}) {
  const status = nextState(machines.transaction, transaction.status, event)
  const moved = tx.transactions.put({ ...transaction, ...more, status })
  const { transfer_uid, return_uid, original_transaction_uid, is_re_presented } = moved
  if (transfer_uid !== null && original_transaction_uid === undefined && !is_re_presented) {
    const transfer = requireRecord(tx.transfers, transfer_uid, 'Transfer')
    tx.transfers.put({ ...transfer, status: follow(machines.transfer, transfer.status, event) })
  }
  const made = return_uid === null ? undefined : tx.returns.get(return_uid)
  if (made?.return_transaction_uid === moved.uid)
    tx.returns.put({ ...made, status: follow(machines.return, made.status, event) })
  return moved
}

/** A Transfer and a Return take the same events as their Transaction, if they have them. */
const follow = <S extends string, E extends string>(machine: Machine<S, E>, state: S, event: string): S =>
  nextState(machine, state, event as E)

/** The payment has ended: removes its tasks, and continues an archival that waits for it. */
function close(tx: Tx, transaction: TransactionRecord): TransactionRecord {
  for (const task of tx.tasks.findBy('subject_uid', transaction.uid)) tx.tasks.remove(task.uid)
  continueArchival(tx, transaction)
  return { ...transaction, open_for: [], ended_at: tx.now }
}

/** Continues an archival that waits for this payment, or pays out what came back after it. */
export function continueArchival(tx: Tx, { customer_uid }: TransactionRecord) {
  const status = tx.customers.get(customer_uid)?.status
  if (status === 'pending_archival' || status === 'archived')
    tx.schedule({
      kind: 'continue archival',
      due_at: tx.now,
      subject_uid: customer_uid,
      why: { code: 'archival_continues', facts: {} },
    })
}

const reasons = { 'send payment': 'payment_sent', 'finish payment': 'payment_ends' } as const

function schedule(tx: Tx, transaction: TransactionRecord, kind: keyof typeof reasons, at: number) {
  const due_at = toTimestamp(at)
  const why = { code: reasons[kind], facts: paymentFacts(transaction) }
  tx.schedule({ kind, due_at, subject_uid: transaction.uid, why })
}

/** The facts of messages about a payment. */
export const paymentFacts = ({ us_dollar_amount, type, uid }: TransactionRecord): PaymentFacts => ({
  us_dollar_amount,
  transaction_type: type,
  transaction_uid: uid,
})

/**
 * Domestic wires have an IMAD, unless a mock has given another identifier.
 *
 * Assumed (invented): an outgoing wire gets its IMAD when it settles.
 */
function addImad(tx: Tx, { wire }: TransactionRecord): Pick<TransactionRecord, 'wire'> {
  if (!wire || wire.imad || wire.chips || wire.uetr) return {}
  return { wire: { ...wire, imad: imad(tx) } }
}

// ── What other banks answer ────────────────────────────────────────────────────────────────────────────────────────

/** Forced by the account number of the counterparty; see `contract/triggers.ts`. */
function scheduleBankResponses(tx: Tx, transaction: TransactionRecord) {
  if (!transaction.originated) return
  const facts = paymentFacts(transaction)
  const answer = (kind: TaskKind, at: number, code: 'return_arrives' | 'correction_arrives') =>
    tx.schedule({ kind, due_at: toTimestamp(at), subject_uid: transaction.uid, why: { code, facts } })
  const returned = forcedReturnOf(tx, transaction)
  const usual = returnTimeline[tx.pace](toMs(tx.now))
  if (returned) {
    const { days } = returned
    const { pending_at, settles_at } = days === undefined ? usual : lateReturnTimeline(toMs(tx.now), days)
    // Stored now, so that a later change of the pace does not change it.
    tx.transactions.put({ ...transaction, comes_back_at: toTimestamp(settles_at) })
    answer('receive return', pending_at, 'return_arrives')
  }
  const account = counterpartyOf(tx, transaction)
  const noc = nocFor(account.account_number, tx.program)
  if (transaction.type === 'ach' && noc && needsCorrection(noc, account, transaction))
    answer('receive notification of change', usual.pending_at, 'correction_arrives')
}

/** The return of the Client's ACH, or of its reversal, that data forces. A code that does not fit the direction forces none. */
export function forcedReturnOf(tx: Tx, transaction: TransactionRecord): { code: string; days?: number } | undefined {
  const { type, originated } = transaction
  if (!originated || (type !== 'ach' && type !== 'initiated_ach_reversal')) return undefined
  const number = counterpartyOf(tx, transaction).account_number
  const { ach_return, return_days, reversal_refusal } = outcomesOfNumber(number, tx.program)
  const code = type === 'ach' ? ach_return : reversal_refusal
  if (!code || findMisfit(code, directionOf(transaction))) return undefined
  return { code, ...(type === 'ach' && return_days !== undefined ? { days: return_days } : {}) }
}

/** Who sent it does not matter: a debit is for the bank that collects the money. */
export const directionOf = ({ originated, net_asset }: TransactionRecord): AchDirection =>
  originated === (net_asset === 'positive') ? 'debit' : 'credit'

export function counterpartyOf(tx: Tx, transaction: TransactionRecord): SyntheticAccountRecord {
  const [source, destination] = partiesOf(tx, transaction)
  return source.liability ? destination : source
}

export const partiesOf = (
  tx: ReadTx,
  transaction: TransactionRecord,
): [SyntheticAccountRecord, SyntheticAccountRecord] => [
  requireRecord(tx.synthetic_accounts, transaction.source_synthetic_account_uid, 'Synthetic Account'),
  requireRecord(tx.synthetic_accounts, transaction.destination_synthetic_account_uid, 'Synthetic Account'),
]

/** Its returns that count, by another bank or by the Client. */
export const returnsOf = (tx: Tx, transaction: TransactionRecord): TransactionRecord[] =>
  chooseReturns(transaction, ({ uid }) => tx.transactions.findBy('original_transaction_uid', uid))

export type FindReturns = (original: TransactionRecord) => readonly TransactionRecord[]

/** A return that failed, or that the other bank refused, has returned nothing. */
export const chooseReturns = (transaction: TransactionRecord, find: FindReturns): TransactionRecord[] =>
  find(transaction).filter((one) => hasReturned(one, find))

export const hasReturned = (one: TransactionRecord, find: FindReturns): boolean =>
  one.status !== 'failed' && one.status !== 'canceled' && !isRefused(one, find)

const isRefused = (reversal: TransactionRecord, find: FindReturns): boolean =>
  reversal.type === 'initiated_ach_reversal' && chooseReturns(reversal, find).some(({ status }) => status === 'settled')

/** The accounts of a return. Assumed (invented): the master account replaces an archived account. */
export function returnParties(
  tx: ReadTx,
  original: TransactionRecord,
): [SyntheticAccountRecord, SyntheticAccountRecord] {
  const [source, destination] = partiesOf(tx, original)
  const open = (account: SyntheticAccountRecord) =>
    account.liability && account.status === 'archived'
      ? (tx.synthetic_accounts.findBy('pool_uid', account.pool_uid).find(({ master_account }) => master_account) ??
        account)
      : account
  return [open(destination), open(source)]
}

export const withoutReturn = ({ ach_return_code: _, ach_return_reason: __, ...ach }: Ach = {}): Ach => ach
export const withoutNotices = ({ noc_code: _, noc_reason: __, noc_corrected_data: ___, ...ach }: Ach = {}): Ach => ach
type Ach = NonNullable<TransactionRecord['ach']>
