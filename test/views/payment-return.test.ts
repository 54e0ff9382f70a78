import { describe, expect, it } from 'vitest'
import type { TransactionRecord } from '../../src/api/store/world.ts'
import { paymentReturnOf } from '../../src/api/views/payment-return.ts'

const payment = (more: Partial<TransactionRecord>) =>
  ({ uid: 'paid', type: 'ach', status: 'settled', return_uid: null, ...more }) as TransactionRecord
const returnOf = (of: TransactionRecord, ...returns: TransactionRecord[]) =>
  paymentReturnOf(of, ({ uid }) => returns.filter((one) => one.original_transaction_uid === uid))

describe('the return of a payment', () => {
  it('is named with its code when another bank returned it', () => {
    const ach = { ach_return_code: 'R01' }
    const back = payment({ uid: 'back', type: 'ach_return', status: 'pending', original_transaction_uid: 'paid', ach })
    expect(returnOf(payment({ ach }), back)).toEqual({ is: 'returned', uid: 'back', text: 'returned R01' })
    expect(returnOf(back)).toEqual({ is: 'return', uid: 'paid', text: 'returns' })
    expect(returnOf(payment({}))).toBeNull()
  })

  it('is not done before the Return of the Client has settled, and never if it failed or was canceled', () => {
    const textOf = (status: TransactionRecord['status'], type: TransactionRecord['type'] = 'initiated_ach_reversal') =>
      returnOf(
        payment({ return_uid: 'return' }),
        payment({ uid: 'back', type, status, original_transaction_uid: 'paid' }),
      )?.text
    expect(textOf('queued')).toBe('reversal queued')
    expect(textOf('settled')).toBe('reversed')
    expect(textOf('settled', 'initiated_wire_return')).toBe('returned')
    expect(textOf('failed')).toBeUndefined()
    expect(textOf('canceled')).toBeUndefined()
  })
  it('a reversal reverses its payment, and has not if the other bank refused it or it failed', () => {
    const textOf = (more: Partial<TransactionRecord>, ...returns: TransactionRecord[]) =>
      returnOf(payment({ uid: 'back', original_transaction_uid: 'paid', ...more }), ...returns)?.text
    const type = 'initiated_ach_reversal'
    const refusal = payment({ uid: 'refusal', type: 'ach_return', original_transaction_uid: 'back' })
    expect(textOf({ type })).toBe('reverses')
    expect(textOf({ type }, refusal)).toBe('has not reversed')
    expect(textOf({ type, status: 'failed' })).toBe('has not reversed')
    expect(textOf({ type: 'initiated_wire_return', status: 'canceled' })).toBe('has not returned')
  })
  it('is not a reversal that the other bank has refused, but the return after it', () => {
    const reversal = payment({
      uid: 'reversal',
      type: 'initiated_ach_reversal',
      original_transaction_uid: 'paid',
      ach: { ach_return_code: 'R17' },
    })
    const refusal = payment({ uid: 'refusal', type: 'ach_return', original_transaction_uid: 'reversal' })
    const ach = { ach_return_code: 'R03' }
    const back = payment({ uid: 'back', type: 'ach_return', original_transaction_uid: 'paid', ach })
    expect(returnOf(payment({ ach }), reversal, refusal, back)).toEqual({
      is: 'returned',
      uid: 'back',
      text: 'returned R03',
    })
    // Until the refusal has settled, the reversal counts.
    const pending = { ...refusal, status: 'pending' as const }
    expect(returnOf(payment({ return_uid: 'return' }), reversal, pending)?.uid).toBe('reversal')
  })
})
