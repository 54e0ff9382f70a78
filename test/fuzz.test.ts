import { describe, expect, it } from 'vitest'
import { findProblem } from '../bench/fuzz/check-response.ts'
import { endpoints } from '../src/api/contract/endpoints.ts'
import { errors } from '../src/api/contract/errors.ts'

/** The check of each response in `npm run fuzz`; fuzz.campaign.test.ts runs it. */

describe('the check of a response finds', () => {
  const request = {
    door: 'api',
    name: 'getCustomer',
    method: 'GET',
    path: '/',
    headers: { 'x-trace-id': 't' },
  } as const
  const { code, title, detail } = errors.customerNotFound
  const item = { code, title, detail, occurred_at: '2026-08-14T14:00:00.000Z' }
  const problemOf = (status: number, body: unknown, trace = 't') =>
    findProblem(request, { status, body, text: JSON.stringify(body) ?? '', headers: { 'x-trace-id': trace } })

  it.each<[string, number, unknown, RegExp]>([
    ['an internal error', 500, {}, /answered with 500/],
    ['a success with another body than the declared one', 200, { uid: 7 }, /not as the contract says: uid/],
    ['another status than the declared one', 201, {}, /201 instead of 200/],
    ['an error of another shape', 404, { error: 'no' }, /does not have the documented shape/],
    ['an error with another status than its code has', 400, { errors: [item], status: 400 }, /differs from its row/],
    [
      'an error that the endpoint does not declare',
      errors.returnExists.status,
      { errors: [{ ...item, ...errors.returnExists }], status: errors.returnExists.status },
      /does not declare/,
    ],
    ['a Social Security number', 200, { ssn: '512-04-8812' }, /Social Security number/],
  ])('%s', (_name, status, body, problem) => expect(problemOf(status, body)).toMatch(problem))

  it('a trace id that is not echoed', () => expect(problemOf(404, {}, 'other')).toMatch(/not echoed/))

  it('nothing in a declared error', () => expect(problemOf(404, { errors: [item], status: 404 })).toBeUndefined())
})

it('a Combined Transfer declares the errors of the fields of its transfer', () => {
  expect(endpoints.createCombinedTransfer.errors).toEqual(
    expect.arrayContaining(['unparseableDate', 'transferAmountNotNumeric', 'transferAmountNotPositive']),
  )
})
