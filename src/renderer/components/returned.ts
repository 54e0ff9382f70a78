/** Which payments were returned, and which payment returns which. */

type Text = string | null | undefined

/** What the window reads of a Transaction to find its return. */
export interface ReturnablePayment {
  readonly uid: string
  readonly type: string
  readonly status: string
  readonly transfer_uid?: Text
  readonly return_uid?: Text
  readonly ach?: { readonly ach_return_code?: Text } | undefined
}

export const RETURN_FIELDS = ['type', 'status', 'transfer_uid', 'return_uid', 'ach.ach_return_code']

/** How a payment and a return belong together, as seen from one of them. */
export interface PaymentReturn {
  /** This payment was returned, or this payment returns another one. */
  readonly is: 'returned' | 'return'
  /** The other one; undefined if it is not known. */
  readonly uid: string | undefined
  /** For a payment: `returned R01`; for a return: `returns`. */
  readonly text: string
}

/** Whether a Transaction of this type moves the money of another one back. */
export const isReturnType = (type: string) => type === 'ach_return' || type.startsWith('initiated_')

/** A return that failed or was canceled returns nothing. */
export const isReturn = ({ type, status }: Pick<ReturnablePayment, 'type' | 'status'>) =>
  isReturnType(type) && status !== 'failed' && status !== 'canceled'

/** Another bank returns a payment of a Transfer; the Client returns or reverses one with a Return. */
const keyOf = ({ type, transfer_uid, return_uid }: ReturnablePayment, returns: boolean): (string | undefined)[] => {
  const ofTransfer = transfer_uid == null ? undefined : `transfer ${transfer_uid}`
  const ofReturn = return_uid == null ? undefined : `return ${return_uid}`
  return returns ? [type === 'ach_return' ? ofTransfer : ofReturn] : [ofReturn, ofTransfer]
}

/** Finds the return of each of these payments, and the payment of each return, if both are among them. */
export function indexReturns(payments: readonly ReturnablePayment[]): (of: ReturnablePayment) => PaymentReturn | null {
  const returns = new Map<string, ReturnablePayment>()
  for (const payment of payments.filter(isReturn))
    for (const key of keyOf(payment, true)) if (key) returns.set(key, payment)
  // Returns are few: the other payments of a large world are not stored.
  const returned = new Map<string, ReturnablePayment>()
  if (returns.size > 0)
    for (const payment of payments)
      if (!isReturnType(payment.type))
        for (const key of keyOf(payment, false)) if (key && returns.has(key)) returned.set(key, payment)
  const find = (among: ReadonlyMap<string, ReturnablePayment>, of: ReturnablePayment, asReturn: boolean) =>
    keyOf(of, asReturn).flatMap((key) => (key === undefined ? [] : (among.get(key) ?? [])))[0]
  return (of) => {
    if (isReturnType(of.type)) return { is: 'return', uid: find(returned, of, true)?.uid, text: 'returns' }
    const by = find(returns, of, false)
    const code = of.ach?.ach_return_code
    // A payment without a Transfer names only the code of its return.
    if (!by)
      return code && of.transfer_uid == null ? { is: 'returned', uid: undefined, text: `returned ${code}` } : null
    return { is: 'returned', uid: by.uid, text: describeReturn(by) }
  }
}

/** A bank's return is final when it arrives; a Return of the Client is one only when it has settled. */
export function describeReturn({ type, status, ach }: ReturnablePayment): string {
  const word = type === 'initiated_ach_reversal' ? 'reversed' : 'returned'
  const code = ach?.ach_return_code ? ` ${ach.ach_return_code}` : ''
  const isDone = type === 'ach_return' || status === 'settled'
  return isDone ? `${word}${code}` : `${word === 'reversed' ? 'reversal' : 'return'}${code} ${status}`
}
