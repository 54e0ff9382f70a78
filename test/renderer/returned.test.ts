import { describe, expect, it } from 'vitest'
import { indexReturns, type ReturnablePayment } from '../../src/renderer/components/returned.ts'

const payment = (more: Partial<ReturnablePayment>): ReturnablePayment => ({
  uid: 'paid',
  type: 'ach',
  status: 'settled',
  transfer_uid: 'transfer',
  return_uid: null,
  ...more,
})
const textOf = (of: ReturnablePayment, others: readonly ReturnablePayment[]) => indexReturns([of, ...others])(of)?.text

describe('the return of a payment', () => {
  it('is named with its code when another bank returned it', () => {
    const back = payment({ uid: 'back', type: 'ach_return', status: 'pending', ach: { ach_return_code: 'R01' } })
    const find = indexReturns([payment({}), back])
    expect(find(payment({}))).toEqual({ is: 'returned', uid: 'back', text: 'returned R01' })
    expect(find(back)).toEqual({ is: 'return', uid: 'paid', text: 'returns' })
  })

  it('is not done before the Return of the Client has settled, and never if it failed or was canceled', () => {
    const of = payment({ return_uid: 'return' })
    const back = (status: string, type = 'initiated_ach_reversal') =>
      payment({ uid: 'back', type, status, return_uid: 'return' })
    expect(textOf(of, [back('queued')])).toBe('reversal queued')
    expect(textOf(of, [back('settled')])).toBe('reversed')
    expect(textOf(of, [back('settled', 'initiated_wire_return')])).toBe('returned')
    expect(textOf(of, [back('failed')])).toBeUndefined()
    expect(textOf(of, [back('canceled')])).toBeUndefined()
  })
})
