import { achReturnCodes, nocCodes } from '../../contract/network-codes.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { nocFor } from '../../contract/triggers.ts'
import { toMs } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { TaskRecord, TransactionRecord } from '../../store/world.ts'
import { correctionFor } from '../rules/corrections.ts'
import { rails, type Timeline } from '../rules/rails.ts'
import * as transactions from './transactions.ts'

/** What other banks send after an ACH of the Client has settled: returns, refused reversals, notifications of change. */

export function receiveReturn(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'receive return'> {
  const original = transactions.find(tx, subject_uid ?? '')
  const forced = transactions.forcedReturnOf(tx, original)
  if (!forced) throw new Error(`The account number forces no return of Transaction ${original.uid}`)
  if (transactions.returnsOf(tx, original).length > 0) {
    transactions.continueArchival(tx, original)
    return { code: 'returned_before', facts: {} }
  }
  const now = toMs(tx.now)
  returnByOtherBank(tx, original, forced.code, {
    pending_at: now,
    settles_at: Math.max(now, toMs(original.comes_back_at ?? tx.now)),
  })
  return { code: 'returned', facts: { ach_return_code: forced.code } }
}

/** True if the data of a Customer's ACH has forced a return that has not arrived yet. Nothing waits for a late one. */
export const isReturnExpected = (tx: Tx, customer_uid: Uid): boolean =>
  tx.transactions
    .findBy('customer_uid', customer_uid)
    .some(
      (payment) =>
        tx.tasks.findBy('subject_uid', payment.uid).some(({ kind }) => kind === 'receive return') &&
        transactions.forcedReturnOf(tx, payment)?.days === undefined,
    )

/**
 * Another bank returns an ACH of the Client: a new Transaction of the same Transfer moves the money back, and the
 * original stays settled.
 *
 * Assumed (sibling): the original shows code and reason of its return, too.
 */
export function returnByOtherBank(
  tx: Tx,
  original: TransactionRecord,
  code: string,
  timeline: Timeline,
): TransactionRecord {
  const [source, destination] = transactions.returnParties(tx, original)
  const answer = { ach_return_code: code, ach_return_reason: achReturnCodes[code]?.reason ?? code }
  tx.transactions.put({ ...original, ach: { ...original.ach, ...answer } })
  return transactions.create(tx, {
    type: 'ach_return',
    rail: 'ach',
    originated: original.originated,
    customer_uid: original.customer_uid,
    source,
    destination,
    us_dollar_amount: original.us_dollar_amount,
    description: { code: 'ach_return', facts: { ach_return_code: code, original: original.description } },
    ach: { ...transactions.withoutNotices(original.ach), ...answer, transfer_trace_id: tx.uid() },
    timeline,
    status: 'pending',
    original_transaction_uid: original.uid,
    ...(original.transfer_uid === null ? {} : { transfer_uid: original.transfer_uid }),
  })
}

const PRESENTMENTS = 3
const PRESENTED_WITHIN_DAYS = 180
const DAY_MS = 86_400_000

/** Why a debit cannot be re-presented; undefined if it can. */
export function findPresentmentError(tx: Tx, payment: TransactionRecord): string | undefined {
  const { ach_return_code: code = null } = payment.ach ?? {}
  if (payment.type !== 'ach' || payment.transfer_uid === null) return 'only an ACH of the Client can be re-presented'
  if (code !== 'R01' && code !== 'R09')
    return code === null
      ? 'it has not been returned with R01 or R09'
      : `it has been returned with ${code}, not with R01 or R09`
  const presented = tx.transactions.findBy('transfer_uid', payment.transfer_uid).filter(({ type }) => type === 'ach')
  const latest = presented.reduce((one, other) => (one.id > other.id ? one : other))
  if (latest.uid !== payment.uid) return `${latest.uid} is its latest presentment`
  if (presented.length >= PRESENTMENTS) return 'it has been presented three times, which is all that is allowed'
  if (transactions.returnsOf(tx, payment)[0]?.status !== 'settled') return 'its return has not settled'
  const first = presented.reduce((one, other) => (one.id < other.id ? one : other))
  if (toMs(tx.now) >= toMs(first.settled_at ?? tx.now) + PRESENTED_WITHIN_DAYS * DAY_MS)
    return `the ${PRESENTED_WITHIN_DAYS} days since its settlement have passed`
  const accounts = payment.synthetic_account_uid.map((uid) => tx.synthetic_accounts.get(uid))
  const closed = accounts.find((account) => account?.status !== 'active')
  return closed && `the status of ${closed.uid} is ${closed.status}, not active`
}

/**
 * Assumed (invented): no endpoint re-presents a debit, the operator does: as a new Transaction of the same Transfer, whose status stays.
 * What the account number forces it forces again.
 */
export function rePresent(tx: Tx, payment: TransactionRecord): TransactionRecord {
  const [source, destination] = transactions.partiesOf(tx, payment)
  return transactions.create(tx, {
    type: 'ach',
    rail: 'ach',
    originated: true,
    customer_uid: payment.customer_uid,
    source,
    destination,
    us_dollar_amount: payment.us_dollar_amount,
    description: payment.description,
    ach: {
      ...transactions.withoutReturn(transactions.withoutNotices(payment.ach)),
      entry_description: 'RETRY PYMT',
      transfer_trace_id: tx.uid(),
    },
    timeline: rails.ach.originated[tx.pace](toMs(tx.now), {}),
    status: 'queued',
    is_re_presented: true,
    ...(payment.transfer_uid === null ? {} : { transfer_uid: payment.transfer_uid }),
  })
}

export function receiveNoc(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'receive notification of change'> {
  const transaction = transactions.find(tx, subject_uid ?? '')
  const code = nocFor(transactions.counterpartyOf(tx, transaction).account_number, tx.program)
  if (!code) throw new Error(`The account number forces no notification of change for Transaction ${transaction.uid}`)
  notifyOfChange(tx, transaction, code)
  return { code: 'notified_of_change', facts: { noc_code: code } }
}

export function notifyOfChange(tx: Tx, transaction: TransactionRecord, code: string, corrected_data?: string) {
  const account = transactions.counterpartyOf(tx, transaction)
  const noc_corrected_data = corrected_data || correctionFor(code, account, transaction)
  tx.transactions.put({
    ...transaction,
    ach: {
      ...transactions.withoutNotices(transaction.ach),
      noc_code: code,
      noc_reason: nocCodes[code] ?? code,
      ...(noc_corrected_data ? { noc_corrected_data } : {}),
    },
  })
}
