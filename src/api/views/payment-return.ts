import type { PaymentReturn } from '../contract/control/history.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { chooseReturns, type FindReturns, hasReturned } from '../domain/resources/transactions.ts'
import type { ReadWorld, TransactionRecord } from '../store/world.ts'

/** The return of a payment, or the payment that a return moves back. */
export function paymentReturnOf(payment: TransactionRecord, findReturns: FindReturns): PaymentReturn | null {
  const { type, original_transaction_uid: original, return_uid, ach } = payment
  if (original !== undefined) {
    const [does, didNot] = type === 'initiated_ach_reversal' ? ['reverses', 'reversed'] : ['returns', 'returned']
    return { is: 'return', uid: original, text: hasReturned(payment, findReturns) ? does : `has not ${didNot}` }
  }
  // Most payments have no return: nothing is looked up for them.
  if (return_uid === null && !ach?.ach_return_code) return null
  const [by] = chooseReturns(payment, findReturns)
  return by ? { is: 'returned', uid: by.uid, text: describeReturn(by) } : null
}

/** What a return returns, and what that returns in turn: the refusal of a reversal returns a return. The payment is the last. */
export function originalsOf(
  payment: TransactionRecord,
  find: (uid: Uid) => TransactionRecord | undefined,
): TransactionRecord[] {
  const { original_transaction_uid: uid } = payment
  const original = uid === undefined ? undefined : find(uid)
  return original ? [original, ...originalsOf(original, find)] : []
}

/** The Transactions that return one of this world. */
export const findReturnsIn =
  ({ collections: { transactions } }: ReadWorld) =>
  ({ uid, program_uid }: TransactionRecord) =>
    transactions.shelf(program_uid).findByIndex('original_transaction_uid', uid) ?? []

/** A bank's return is final when it arrives; a Return of the Client is one only when it has settled. */
function describeReturn({ type, status, ach }: TransactionRecord): string {
  const word = type === 'initiated_ach_reversal' ? 'reversed' : 'returned'
  const code = ach?.ach_return_code ? ` ${ach.ach_return_code}` : ''
  const isDone = type === 'ach_return' || status === 'settled'
  return isDone ? `${word}${code}` : `${word === 'reversed' ? 'reversal' : 'return'}${code} ${status}`
}
