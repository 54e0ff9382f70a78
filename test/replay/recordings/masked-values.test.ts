import { describe, expect, it } from 'vitest'
import { AccountNumber } from '../../../src/api/contract/terms/primitives.ts'
import { findPiiErrors, type Pii } from '../../../src/api/domain/rules/pii.ts'
import { isMasked, pseudonymFor, replaceMasked } from '../../../src/api/replay/recordings/masked-values.ts'
import type { RecordedRequest } from '../../../src/api/replay/recordings/recording.ts'

const request = (body: string, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: 'POST',
  path: '/customers',
  headers: [],
  body,
  response: null,
  ...more,
})
const respondedWith = (status: number, body: string) => ({ response: { status, headers: [], body } })
const body = (text: string, more: Partial<RecordedRequest> = {}) => replaceMasked([request(text, more)])[0]!.body

const isValidSsn = (ssn: string) => findPiiErrors({ ssn } as Pii, [], '2026-08-14').all.length === 0

const MASKED = [
  '***-**-6789',
  'XXX-XX-6789',
  'xxx-xx-6789',
  '*****6789',
  'xxxx1234',
  '•••• 1234',
  '###-##-####',
  '12***6789',
  '[masked]',
  '[removed]',
  'REDACTED',
  '<redacted>',
  '***REDACTED***',
  '[FILTERED]',
  'masked6789',
]

it.each(MASKED)('%s is masked', (text) => {
  expect(isMasked(text)).toBe(true)
})

it.each(['512-04-8823', '12-3456789', '123456789', '', 'abc', '1', '-', 'x', 'Redacted Inc', 'sealed:abcd'])(
  '%s is not masked',
  (text) => {
    expect(isMasked(text)).toBe(false)
  },
)

describe('a pseudonym', () => {
  it.each([...MASKED, '***-**-0000', '***00'])('for %s is valid if the original was accepted', (text) => {
    expect(isValidSsn(pseudonymFor('ssn', text, true))).toBe(true)
    expect(isValidSsn(pseudonymFor('ssn', text, false))).toBe(false)
    expect(AccountNumber.safeParse(pseudonymFor('account_number', text, true)).success).toBe(true)
    expect(AccountNumber.safeParse(pseudonymFor('account_number', text, false)).success).toBe(false)
  })

  it.each([
    ['***-**-6789', '6789'],
    ['xxxx1234', '1234'],
    ['***89', '4389'],
    ['[masked]', '4321'],
    ['***-**-0000', '0000'],
    ['******9901', '9901'],
  ])('for %s ends in %s', (text, end) => {
    for (const kind of ['ssn', 'account_number'] as const)
      for (const isValid of [true, false]) expect(pseudonymFor(kind, text, isValid).slice(-4)).toBe(end)
  })

  it('is the same for the same text, and different for different texts', () => {
    expect(pseudonymFor('ssn', '***-**-6789', true)).toBe(pseudonymFor('ssn', '***-**-6789', true))
    const all = MASKED.map((text) => pseudonymFor('ssn', text, true))
    expect(new Set(all).size).toBe(MASKED.length)
  })
})

describe('in a request', () => {
  it.each([
    ['JSON', '{"a": 1.10, "ssn" : "***-**-6789"}', /^\{"a": 1\.10, "ssn" : "9\d\d-\d\d-6789"\}$/],
    ['JSON at any depth', '{"a":[{"details":{"tax_id":"[masked]"}}]}', /\{"tax_id":"9\d\d-\d\d-4321"\}/],
    ['JSON with escapes', '{"ssn":"\\u2022\\u2022\\u2022-\\u2022\\u2022-6789"}', /^\{"ssn":"9\d\d-\d\d-6789"\}$/],
    ['camel case', '{"accountNumber":"****6789"}', /^\{"accountNumber":"\d{7}6789"\}$/],
    ['a form', 'a=1&details%5Bssn%5D=***-**-6789&b=', /^a=1&details%5Bssn%5D=9\d\d-\d\d-6789&b=$/],
    ['an escaped form', 'account_number=%5Bmasked%5D', /^account_number=\d{7}4321$/],
  ])('the masked values of %s are replaced, and nothing else', (_, text, expected) => {
    expect(body(text)).toMatch(expected)
  })

  it.each([
    ['a number that is not masked', '{"ssn":"512-04-8823","account_number":"4001"}'],
    ['other fields', '{"name":"XXXX","ssn_last_four":"****","external_processor_token":"[removed]"}'],
    ['text inside text', '{"note":"{\\"ssn\\":\\"***-**-6789\\"}"}'],
    ['null and nothing', '{"ssn":null,"account_number":""}'],
    ['no JSON and no form', 'ssn ***-**-6789'],
  ])('%s stay the same', (_, text) => {
    expect(body(text)).toBe(text)
  })

  it.each([
    ['accepted', respondedWith(201, '{"ssn_last_four":"6789"}'), true],
    ['unknown', {}, true],
    ['dropped', respondedWith(0, ''), true],
    ['refused for another reason', respondedWith(422, '{"errors":[{"extra":"Phone is invalid"}]}'), true],
    ['failed', respondedWith(500, '{"errors":[{"extra":"ssn"}]}'), true],
    ['refused for it', respondedWith(422, '{"errors":[{"extra":"Ssn is invalid"}]}'), false],
    ['refused with its name as a key', respondedWith(400, '{"errors":{"ssn":["is invalid"]}}'), false],
  ])('an SSN whose request was %s', (_, answer, isValid) => {
    const sent = JSON.parse(body('{"ssn":"***-**-6789"}', answer)) as { ssn: string }
    expect(isValidSsn(sent.ssn)).toBe(isValid)
  })

  it('only the refused field gets an invalid value', () => {
    const refusal = respondedWith(400, '{"errors":[{"extra":"account_number: 1 to 17 digits are expected"}]}')
    const text = body('{"ssn":"***-**-6789","account_number":"****6789"}', refusal)
    expect(text).toMatch(/^\{"ssn":"9\d\d-\d\d-6789","account_number":"X\d{7}6789"\}$/)
  })

  it('a refusal at onboarding refers to the request that sent the number', () => {
    const made = (uid: string, ssn: string) =>
      request(JSON.stringify({ details: { ssn } }), respondedWith(201, JSON.stringify({ uid, status: 'initiated' })))
    const onboarded = (customer_uid: string, status: number) =>
      request(JSON.stringify({ customer_uid, product_uid: 'p' }), {
        path: '/customer_products',
        ...respondedWith(status, status === 201 ? '{}' : '{"errors":[{"extra":"Ssn is invalid"}]}'),
      })
    const [bad, good] = replaceMasked([
      made('a', '***-**-6789'),
      made('b', '***-**-6789'),
      onboarded('a', 422),
      onboarded('b', 201),
    ])
    expect(bad!.body).toContain('"000-')
    expect(good!.body).toMatch(/"9\d\d-\d\d-6789"/)
  })

  it.each([
    ['JSON', (count: number) => `[${Array(count).fill('{"ssn":"***-**-6789"}').join()}]`],
    ['a form', (count: number) => Array(count).fill('ssn=***-**-6789').join('&')],
  ])('only 1,000 fields of %s get a pseudonym: the API refuses more', (_, bodyWith) => {
    const replaced = body(bodyWith(1_001))
    expect(replaced.match(/9\d\d-\d\d-6789/g)).toHaveLength(1_000)
    expect(replaced.match(/\*{3}-\*\*-6789/g)).toHaveLength(1)
  })
})
