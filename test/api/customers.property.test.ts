import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { Customer, CustomerSummary } from '../../src/api/contract/resources/customers.ts'
import { envelope } from '../../src/api/contract/terms/list.ts'
import type { ApiResponse, RequestOptions } from '../support/client.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { it } from '../support/sandbox.ts'
import { expectErrorShape, lastExchange, putCustomer, worldOf } from './support.ts'

/**
 * For any request: no internal error, a documented response shape, and a refusal changes nothing. fast-check prints the
 * seed and the smallest example of a failure; SANDBANK_FC_SEED sets the seed.
 */
const RUNS = 150

const Page = envelope(CustomerSummary)

/** Words that the API knows, so that it accepts a part of the requests. */
const word = fc.constantFrom(
  ...['primary', 'secondary', 'sole_proprietor', 'active', 'initiated', 'true', 'false', 'email_asc', '', '-1', '0'],
  ...[
    '1001',
    '9'.repeat(30),
    'null',
    '512-04-8823',
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    'é',
    '\r\nx: y',
    '%',
  ],
)
const name = fc.oneof(
  fc.constantFrom(
    ...['customer_type', 'primary_customer_uid', 'client_verified', 'external_uid', 'email', 'details', 'first_name'],
    ...[
      'ssn',
      'dob',
      'address',
      'city',
      'postal_code',
      'business_name',
      '__proto__',
      'constructor',
      'toString',
      '',
      '\ud800',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const leaf = fc.oneof(
  word,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 6 }),
  ),
}))
const body = fc.dictionary(name, tree, { maxKeys: 8 })

/** Percent-encoding of what a URL can hold: text without lone surrogates. */
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString())
const parameter = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        ...['uid', 'status', 'include_initiated', 'kyc_status', 'customer_type', 'first_name', 'last_name', 'email'],
        ...['locked', 'program_uid', 'business_name', 'external_uid', 'pool_uid', 'limit', 'offset', 'sort'],
      ),
      name,
    ),
    fc.constantFrom('', '[]', '[x]', '[', ']'),
    fc.oneof(word, fc.string({ unit: 'binary', maxLength: 20 })),
    fc.boolean(),
  )
  .map(([key, brackets, value, raw]) => (raw ? `${encoded(key)}${brackets}=${encoded(value)}` : encoded(key + value)))
const pairs = fc.array(parameter, { maxLength: 12 }).map((all) => all.join('&'))

/** Sends one request, checks the response against the rules, and returns its outcome. */
async function judge(
  sandbox: TestSandbox,
  method: 'GET' | 'POST',
  path: string,
  sent: RequestOptions,
  good: (body: unknown) => void,
) {
  const before = worldOf(sandbox)
  const answer: ApiResponse<unknown> = await client(sandbox).call(method, path, sent)
  expect(sandbox.told, 'no internal error').toEqual([])
  if (answer.status < 300) {
    good(answer.body)
    expect(sandbox.store.world.seq).toBe(before.seq + (method === 'POST' ? 1 : 0))
  } else {
    expectErrorShape(answer)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(worldOf(sandbox)).toEqual(before)
  }
  expect(answer.headers.get('x-trace-id')).toMatch(/./)
  return answer
}

const clients = new WeakMap<TestSandbox, ReturnType<TestSandbox['client']>>()
function client(sandbox: TestSandbox) {
  const known = clients.get(sandbox) ?? sandbox.client()
  clients.set(sandbox, known)
  return known
}

const isCustomer = (answer: unknown) => expect(answer).toEqual(Customer.parse(answer))
const isPage = (answer: unknown) => expect(answer).toEqual(Page.parse(answer))

/** The share of accepted requests: reveals a generator that produces only refusals. */
async function check(arbitrary: fc.Arbitrary<string>, run: (text: string) => Promise<ApiResponse<unknown>>) {
  let taken = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(arbitrary, async (text) => {
      const { status } = await run(text)
      if (status < 300) taken++
      else refused++
    }),
    { numRuns: RUNS },
  )
  console.info(`${taken} taken, ${refused} refused`)
  expect(taken).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
}

describe('7: any request gets a documented answer, and a refused one changes nothing', () => {
  it('7: any JSON to POST /customers', async ({ sandbox }) => {
    await client(sandbox).get('/customers')
    await check(
      body.map((value) => JSON.stringify(value)),
      async (raw) => {
        const sent = { raw, headers: { 'content-type': 'application/json' } }
        const answer = await judge(sandbox, 'POST', '/customers', sent, isCustomer)
        expect((await lastExchange(sandbox)).status).toBe(answer.status)
        return answer
      },
    )
  })

  it('7: any form to POST /customers', async ({ sandbox }) => {
    await client(sandbox).get('/customers')
    await check(pairs, (form) => judge(sandbox, 'POST', '/customers', { form }, isCustomer))
  })

  it('7: any text with a JSON content type to POST /customers', async ({ sandbox }) => {
    await client(sandbox).get('/customers')
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.json(),
      // A valid body, cut at any position: mostly invalid, sometimes complete.
      fc.tuple(body, fc.nat(40)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)),
    )
    await check(text, (raw) =>
      judge(sandbox, 'POST', '/customers', { raw, headers: { 'content-type': 'application/json' } }, isCustomer),
    )
  })

  it('7: any query to GET /customers', async ({ sandbox }) => {
    for (const status of ['active', 'initiated', 'archived'] as const) putCustomer(sandbox, { status })
    await client(sandbox).get('/customers')
    await check(pairs, (query) => judge(sandbox, 'GET', `/customers?${query}`, {}, isPage))
  })

  it('7: any uid to GET /customers/{uid}', async ({ sandbox }) => {
    const { uid } = putCustomer(sandbox)
    await client(sandbox).get('/customers')
    // The client would remove dots from the path before it sends it.
    const uids = fc.oneof(fc.constant(uid), fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }))
    await check(
      uids.filter((text) => !/^\.{1,2}$/.test(text)),
      (text) => judge(sandbox, 'GET', `/customers/${encoded(text)}`, {}, isCustomer),
    )
  })
})
