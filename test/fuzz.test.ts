import { describe, expect, it } from 'vitest'
import { judged } from '../bench/fuzz/judge.ts'
import { endpoints } from '../src/api/contract/endpoints.ts'
import { errors } from '../src/api/contract/errors.ts'

/** The check of each response in `npm run fuzz`; fuzz.campaign.test.ts runs it. */

describe('the judge of answers is not content with', () => {
  const ask = { door: 'api', name: 'getCustomer', method: 'GET', path: '/', headers: { 'x-trace-id': 't' } } as const
  const { code, title, detail } = errors.customerNotFound
  const item = { code, title, detail, occurred_at: '2026-08-14T14:00:00.000Z' }
  const judge = (status: number, body: unknown, trace = 't') =>
    judged(ask, { status, body, text: JSON.stringify(body) ?? '', headers: { 'x-trace-id': trace } })

  it.each<[string, number, unknown, RegExp]>([
    ['a fault', 500, {}, /answered with 500/],
    ['a success that is none of the contract', 200, { uid: 7 }, /not what the contract says: uid/],
    ['another status than the declared one', 201, {}, /201 instead of 200/],
    ['a refusal of another shape', 404, { error: 'no' }, /not of the documented shape/],
    ['a refusal with another status than its code has', 400, { errors: [item], status: 400 }, /differs from its row/],
    [
      'a refusal that the endpoint does not declare',
      errors.returnExists.status,
      { errors: [{ ...item, ...errors.returnExists }], status: errors.returnExists.status },
      /does not declare/,
    ],
    ['a Social Security number', 200, { ssn: '512-04-8812' }, /Social Security number/],
  ])('%s', (_name, status, body, complaint) => expect(judge(status, body)).toMatch(complaint))

  it('a trace id that is not echoed', () => expect(judge(404, {}, 'other')).toMatch(/not echoed/))

  it('nothing else', () => expect(judge(404, { errors: [item], status: 404 })).toBeUndefined())
})

it('what a Combined Transfer is refused with by its transfer’s own fields is declared', () => {
  expect(endpoints.createCombinedTransfer.errors).toEqual(
    expect.arrayContaining(['unparseableDate', 'transferAmountNotNumeric', 'transferAmountNotPositive']),
  )
})
