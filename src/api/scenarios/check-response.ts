import type { ErrorBody } from '../contract/error-body.ts'
import type { ExpectedAnswer, Path } from '../contract/scenarios.ts'
import { type ComparedValue, compareFields, compareValues, isMatcher } from './match.ts'
import { valueAt } from './paths.ts'

/** A response of the API or of a control method. */
export interface StepResponse {
  /** 0 if the connection was dropped. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed; null if there is none. */
  readonly body: unknown
  readonly text: string
}

/** Without an expected status or error, success is expected, so that an unexpected refusal fails the step. */
export function checkResponse(expect: ExpectedAnswer, { status, headers, body }: StepResponse): ComparedValue[] {
  const { headers: expectedHeaders = {}, body: expectedBody, status: expectedStatus, ...errorFields } = expect
  const at = (name: string): Path => ['expect', name]
  const actual = status === 0 ? 'dropped' : status
  const [error] = (body as ErrorBody | null)?.errors ?? []
  const expectedError = Object.entries(errorFields).filter(([, expected]) => expected !== undefined)
  const success = { what: 'status', expected: '2xx', actual, ok: status >= 200 && status < 300, at: [] }
  return [
    ...(expectedStatus !== undefined
      ? compareValues('status', expectedStatus, actual, at('status'))
      : expectedError.length === 0
        ? [success]
        : []),
    ...expectedError.flatMap(([name, expected]) =>
      compareValues(name, expected, (error as Readonly<Record<string, unknown>> | undefined)?.[name], at(name)),
    ),
    ...Object.entries(expectedHeaders).flatMap(([name, expected]) =>
      compareValues(`header ${name}`, expected, headers[name.toLowerCase()], [...at('headers'), name]),
    ),
    ...(expectedBody === undefined
      ? []
      : expectedBody === null
        ? compareValues('body', null, body, at('body'))
        : compareFields('body', expectedBody, body, at('body'))),
  ]
}

const BALANCES = {
  balance: 'net_usd_balance',
  pending: 'net_usd_pending_balance',
  available: 'net_usd_available_balance',
  closing: 'net_usd_closing_balance',
} as const

/** A single amount is the settled balance. */
export function checkBalances(uid: string, expected: unknown, account: unknown): ComparedValue[] {
  const at = ['expect', 'balances', uid]
  if (typeof expected !== 'object' || expected === null || isMatcher(expected))
    return compareValues(`balance of ${uid}`, expected, valueAt(account, BALANCES.balance), at)
  return Object.entries(expected).flatMap(([name, part]) =>
    compareValues(`${name} of ${uid}`, part, valueAt(account, BALANCES[name as keyof typeof BALANCES]), [...at, name]),
  )
}
