import { describe, expect, onTestFinished } from 'vitest'
import { runInScratch } from '../../src/api/scenarios/library.ts'
import { PlanRun } from '../../src/api/scenarios/run.ts'
import { it } from '../support/sandbox.ts'
import { CUSTOMER, failures, open, passes, plans, run } from './support.ts'

/** A scenario of these steps. */
const of = (steps: string, given = '') => `name: A\n${given}steps:\n${steps}`

const MASTER = `
${CUSTOMER}  - request: GET /synthetic_accounts?customer_uid=$customer
    capture: { master: "data[0].uid" }
`
const customer = `name: A Customer\nsteps:${MASTER}`

describe('a request', () => {
  it('sends JSON, and captures values of the response with their types', async () => {
    const { steps } = await passes(
      of(`
  - request: POST /customers
    body: { email: ada@example.test, external_uid: crm-7 }
    expect: { status: 201, body: { status: initiated, external_uid: crm-7 }, headers: { Content-Type: { contains: json } } }
    capture: { uid: uid, pools: pool_uids, locked: locked_at }
  - request: GET /customers?include_initiated=true
    capture: { total: total_count }
    expect: { body: { total_count: 1, data: [{ uid: $uid }] } }
  - request: GET /customers/$uid
    name: Read $uid
    expect: { body: { uid: $uid, pool_uids: $pools, locked_at: $locked } }
  - expect: { counts: { "/customers?include_initiated=true": $total } }
`),
    )
    expect(steps[0]!.captured).toEqual({ uid: expect.any(String), pools: [], locked: null })
    expect(steps[2]!.title, 'with the value of the variable').toBe(`Read ${steps[0]!.captured.uid}`)
    expect(steps[0]).toMatchObject({
      kind: 'request',
      title: 'POST /customers',
      place: { file: 'scenario.yaml', line: 4, column: 5 },
      sent: { method: 'POST', path: '/customers', body: '{"email":"ada@example.test","external_uid":"crm-7"}' },
      answer: { status: 201, body: expect.stringContaining('"initiated"') },
      from: '2026-11-23T15:00:00.000Z',
      to: '2026-11-23T15:00:00.000Z',
    })
  })

  it('sends forms, raw text and a query, and other headers', () =>
    passes(
      of(`
  - request: POST /customers
    form: { email: ada@example.test, details: { first_name: Ada, address: { city: Ames } } }
    expect: { status: 201, body: { details.first_name: Ada, details.address.city: Ames } }
    capture: { ada: uid }
  - request: POST /customers
    raw: "{ no JSON"
    expect: { status: 400, code: 1007 }
  - request: POST /customers
    raw: <a/>
    headers: { Content-Type: application/xml }
    expect: { status: 415, code: 1015 }
  - request: GET /customers
    query: { include_initiated: true, uid: [$ada, nobody], limit: 7 }
    expect: { body: { total_count: 1, limit: 7 } }
  - request: DELETE /products
    expect: { status: 405 }
  - request: GET /customers
    headers: { x-trace-id: null }
    expect: { status: 400, code: 1003 }
`),
    ))

  it('a value within a path is percent-encoded', async () => {
    const { steps } = await passes(
      of(
        `
  - request: GET /customers?external_uid=$name
    expect: { body: { total_count: 0 } }
`,
        'examples: [{ name: "a&b=c d/ä" }]\n',
      ),
    )
    expect(steps[0]!.sent!.path).toBe('/customers?external_uid=a%26b%3Dc%20d%2F%C3%A4')
  })

  it('uses a token, none, an invalid one, or a captured one that has expired', () =>
    passes(
      of(`
  - operator: { call: programs.update, input: { uid: $program, token_clock: simulated } }
  - { request: GET /customers, token: none, expect: { status: 401, code: 1004 } }
  - { request: GET /customers, token: bad, expect: { status: 401 } }
  - request: POST /auth
    expect: { status: 201 }
    capture: { token: token }
  - { request: GET /customers, token: $token }
  - advance: PT8H
  - { request: GET /customers, token: $token, expect: { status: 401 } }
  - { request: GET /customers }
`),
    ))

  it('trace ids are new, fixed if given, and not sent if null', () =>
    passes(
      of(`
  - { request: GET /customers }
  - { request: GET /customers, trace: a }
  - { request: GET /customers, trace: a, expect: { status: 409, code: 1012, title: Duplicate trace id } }
  - { request: GET /customers, trace: null, expect: { status: 400, code: 1003 } }
`),
    ))

  it('an unexpected refusal fails the step, also without an expectation', async () => {
    const [result] = await run(of('\n  - request: GET /customers/nobody\n  - advance: idle\n'))
    expect(result).toMatchObject({ ok: false, left: 1 })
    expect(failures(result!)).toEqual([['status', '2xx', 404]])
    expect(result!.steps[0]!.checks[0]!.place).toEqual({ file: 'scenario.yaml', line: 4, column: 5 })
  })

  it('a refusal can be expected by its code, without its status', () =>
    passes(of('\n  - request: GET /customers/nobody\n    expect: { code: 4002 }\n')))

  it('a success fails the step if a refusal is expected', async () => {
    const [result] = await run(of('\n  - request: GET /customers\n    expect: { code: 4002, status: 404 }\n'))
    expect(failures(result!)).toEqual([
      ['status', 404, 200],
      ['code', 4002, undefined],
    ])
  })

  it('a capture with a path to nothing fails', async () => {
    const [result] = await run(of('\n  - request: GET /customers\n    capture: { first: "data[0].uid" }\n'))
    expect(failures(result!)).toEqual([['capture first', 'something at data[0].uid', undefined]])
  })

  it('a request that cannot be sent fails with the reason', async () => {
    const [result] = await run(of('\n  - { request: GET /customers, headers: { "a b": x } }\n'))
    expect(failures(result!)).toEqual([expect.stringContaining('this cannot be sent: ')])
  })
})

describe('the other steps', () => {
  it('inject, advance, decide and expect', () =>
    passes(
      of(
        `
  - inject: { transaction_type: wire, customer_uid: $customer, us_dollar_amount: 10.5 }
    expect: { status: 201 }
    capture: { wire: uid }
  - expect:
      states: { transactions/$wire: pending, customers/$customer: active }
      balances: { $master: { balance: "0.00", pending: "10.50", available: "0.00" } }
  - decide: { record: transactions/$wire, move: settle }
    expect: { body: { status: settled, us_dollar_amount: "10.50" } }
  - decide: { record: transactions/$wire, move: settle }
    expect: { status: 400, code: 1007, extra: { contains: its status is settled } }
  - decide: { record: customers/$customer, move: lock, inputs: { lock_reason: testing } }
    capture: { locked_at: locked_at }
  - expect:
      records:
        customers/$customer: { status: active, lock_reason: testing, locked_at: $locked_at, details.first_name: Ada }
        customers/nobody: { is: absent }
      balances: { $master: "10.50" }
      counts: { /customers: 1, "/transactions?customer_uid=$customer": { at_least: 1 } }
      ledger: balanced
`,
        'given: { scenario: customer }\n',
      ),
      { customer },
    ))

  it('advances by a duration, to a time, by business days, to the next task and until idle', () =>
    passes(
      of(`
  - expect: { clock: { now: 2026-11-23T15:00:00.000Z, mode: frozen, pace: fast, due: 0, next: null } }
  - { advance: PT1H, expect: { body: { to: 2026-11-23T16:00:00.000Z } } }
  - advance: { to: 2026-11-24T09:00:00-05:00 }
  - expect: { clock: { now: 2026-11-24T14:00:00.000Z } }
  - { advance: { business_days: 2 }, capture: { later: to } }
  - expect: { clock: { now: $later } }
  - request: POST /customers
    body: { details: { first_name: Ada, last_name: Byron, phone: "5155550123", ssn: 512-04-8823, dob: 1990-04-17,
            address: { street1: 1 Quay, city: Ames, state: IA, postal_code: "50010" } }, email: a@x.test }
    capture: { customer: uid }
  - request: POST /customer_products
    body: { customer_uid: $customer, product_uid: cQ2vNf7ZxLm9TbKe }
  - { advance: next, expect: { body: { ran: { at_least: 1 } } } }
  - advance: idle
  - { advance: { to: 2026-01-01T00:00:00Z }, expect: { status: 400, extra: { contains: time does not go back } } }
`),
    ))

  it('operator calls any other control method', () =>
    passes(
      of(`
  - operator: { call: programs.create, input: { name: Other } }
    capture: { other: uid }
  - { request: GET /customers, as: Other }
  - operator: { call: records.get, input: { collection: programs, uid: $other } }
    expect: { body: { name: Other } }
  - operator: { call: world.rewind, input: { seq: 999 } }
    expect: { status: 400, extra: { contains: there is no commit } }
`),
    ))

  it('$program, $now and $today are always defined', () =>
    passes(
      of(`
  - operator: { call: records.get, input: { collection: programs, uid: $program } }
  - advance: PT12H
  - expect: { clock: { now: $now } }
  - request: POST /customers
    body: { external_uid: "$today" }
    expect: { body: { external_uid: 2026-11-23, created_at: $now } }
`),
    ))

  it('a failed expectation reports expected and actual values, with its line', async () => {
    const [result] = await run(
      of(
        `
  - expect:
      balances:
        $master: "1.00"
        nobody: { available: "2.00" }
      states:
        customers/$customer: archived
      counts:
        /customers: 7
      clock: { mode: running }
      records:
        customers/$customer:
          details.first_name: Bea
          locked_at: { is: present }
`,
        'given: { scenario: customer }\n',
      ),
      { customer },
    )
    const { steps } = result!
    const { customer: uid, master } = Object.assign({}, ...steps.map(({ captured }) => captured)) as Record<
      string,
      string
    >
    expect(failures(result!)).toEqual([
      [`balance of ${master}`, '1.00', '0.00'],
      ['available of nobody', '2.00', undefined],
      [`customers/${uid} details.first_name`, 'Bea', 'Ada'],
      [`customers/${uid} locked_at`, { is: 'present' }, null],
      [`state of customers/${uid}`, 'archived', 'active'],
      ['count of /customers', 7, 1],
      ['clock mode', 'running', 'frozen'],
    ])
    expect(steps.at(-1)!.checks.map(({ place }) => place.line)).toEqual([7, 8, 16, 17, 10, 12, 13])
  })

  it('an unknown Program and a refused list are reported', async () => {
    const [program] = await run(of('\n  - { request: GET /customers, as: Nobody }\n'))
    expect(failures(program!)).toEqual(['there is no Program Nobody; there are Harbor Payments'])
    const [list] = await run(of('\n  - expect: { counts: { /unicorns: 0 } }\n'))
    expect(failures(list!)).toEqual([expect.stringMatching(/^GET \/unicorns answers 404: /)])
  })
})

describe('given', () => {
  it('settings of the first Program, further Programs, and the Program of a request', () =>
    passes(
      of(
        `
  - { request: GET /customers, trace: null }
  - { request: GET /customers, trace: null, as: Other, expect: { status: 400 } }
  - request: POST /customers
    as: Other
    capture: { customer: uid }
  - expect: { counts: { "/customers?include_initiated=true": 0 } }
  - { as: Other, expect: { counts: { "/customers?include_initiated=true": 1 } } }
  - { request: GET /customers/$customer, expect: { status: 404 } }
`,
        'given: { program: { trace_ids_optional: true }, programs: [{ name: Other }, { name: Third, strict: true }] }\n',
      ),
    ))

  it('seed, start, clock and pace, and the demo world', async () => {
    const given = 'given: { world: demo, seed: x, start: 2026-08-14T10:00:00-04:00, clock: running, pace: real }\n'
    await passes(
      of(
        `
  - expect: { clock: { mode: running, pace: real, now: { at_least: 2026-08-14T14:00:00Z } }, counts: { /customers: { at_least: 3 } } }
  - operator: { call: world.describe }
    expect: { body: { seed: x, start: 2026-08-14T14:00:00.000Z } }
`,
        given,
      ),
    )
  })

  it('faults: a status, and a connection that is dropped before or after the commit', () =>
    passes(
      of(
        `
  - { request: GET /products, expect: { status: 503, body: { sorry: true } } }
  - request: POST /customers
    body: { email: a@x.test }
    expect: { status: dropped, body: null }
  - expect: { counts: { "/customers?include_initiated=true": 1 } }
`,
        `given:
  faults:
    - { kind: status, path: /products, status: 503, body: { sorry: true } }
    - { kind: drop_after_commit, path: /customers, method: POST, times: 1 }
`,
      ),
    ))

  it('a dropped connection fails the step if a status is expected', async () => {
    const [result] = await run(
      of('\n  - request: GET /products\n', 'given: { faults: [{ kind: drop_before_commit }] }\n'),
    )
    expect(failures(result!)).toEqual([['status', '2xx', 'dropped']])
    expect(result!.steps.at(-1)!.answer).toEqual({ status: 0, body: '' })
  })

  it('the settings of the outer scenario apply after the inner steps', () =>
    passes(
      of(
        '\n  - { request: POST /customers, expect: { status: 500 } }\n  - expect: { clock: { pace: real } }\n',
        'given: { scenario: customer, pace: real, faults: [{ kind: status }] }\n'.replace(
          'status }',
          'status, path: /customers }',
        ),
      ),
      { customer },
    ))

  it('the same scenario gives the same world each time, with the same uids', async () => {
    const captured = async () => (await passes(customer)).steps.map((step) => step.captured)
    expect(await captured()).toEqual(await captured())
  })

  it('examples: a run for each row, its columns are variables with their types, also in given', async () => {
    const results = await run(
      of(
        `
  - expect: { clock: { pace: $pace } }
  - request: GET /customers?limit=$limit
    expect: { status: $status, body: { limit: $limit } }
`,
        `given: { pace: $pace }
examples:
  - { pace: fast, limit: 5, status: 200 }
  - { pace: real, limit: 7, status: 201 }
`,
      ),
    )
    expect(results.map(({ name, example, ok }) => [name, example, ok])).toEqual([
      ['A', 'pace: fast, limit: 5, status: 200', true],
      ['A', 'pace: real, limit: 7, status: 201', false],
    ])
    expect(failures(results[1]!)).toEqual([['status', 201, 200]])
  })
})

describe('a run step by step', () => {
  async function held(text: string) {
    const [plan] = plans(text)
    const scratch = await open(plan!.setup)
    onTestFinished(() => scratch.close())
    return new PlanRun(plan!, scratch)
  }

  it('runs one step at a time, and has the index of the next one', async () => {
    const run = await held(customer)
    expect(run.nextIndex).toBe(0)
    expect(await run.runNext()).toMatchObject({ index: 0, title: 'POST /customers', ok: true })
    expect(run.variables).toMatchObject({ customer: expect.any(String) })
    expect(run.nextIndex).toBe(1)
    expect(run.result()).toMatchObject({ ok: false, left: 3 })
  })

  it('runs until a step, and then to the end', async () => {
    const run = await held(customer)
    expect(await run.runUntil(2)).toMatchObject({ left: 2 })
    expect(run.results.map(({ title }) => title)).toEqual(['POST /customers', 'POST /customer_products'])
    expect(await run.runUntil()).toMatchObject({ ok: true, left: 0 })
    expect(await run.runNext()).toBeUndefined()
  })

  it('stops at the step that fails; the next step can still be run', async () => {
    const run = await held(of('\n  - advance: idle\n  - request: GET /nothing\n  - advance: idle\n'))
    expect(await run.runUntil()).toMatchObject({ ok: false, left: 1 })
    expect(await run.runNext()).toMatchObject({ ok: true })
    expect(run.result()).toMatchObject({ ok: false, left: 0 })
  })

  it('runs against an existing world', async ({ demo: sandbox }) => {
    const [plan] = plans(
      of('\n  - expect: { counts: { /customers: { at_least: 3 } } }\n', 'given: { program: { strict: true } }\n'),
    )
    expect(await new PlanRun(plan!, sandbox.replayClient).runUntil()).toMatchObject({ ok: true, left: 0 })
    expect(sandbox.programs()[0]!.strict).toBe(true)
  })
})

it('an internal error ends this scenario, not the others', async () => {
  const [plan] = plans(customer)
  const broken = () => Promise.reject(new Error('no world'))
  expect(await runInScratch(plan!, broken)).toMatchObject({
    ok: false,
    trouble: expect.stringMatching(/^it could not be run: Error: no world/),
    steps: [],
    left: 4,
  })
})

describe('results', () => {
  it('contain no Social Security numbers, tokens or keys', async () => {
    const { steps } = await passes(
      of(`${MASTER.trimEnd()}
  - request: POST /auth
    capture: { token: token }
  - operator: { call: programs.create, input: { name: Other } }
    capture: { key: hmac_key }
  - { request: GET /customers, token: $token }
`),
    )
    const text = JSON.stringify(steps)
    expect(text).not.toMatch(/512-?04-?8823|eyJ/)
    expect(text).toContain('[masked]')
    expect(text).toContain('"token":"[removed]"')
    expect(text).toContain('"key":"[key removed]"')
    expect(text).not.toContain('harbor-demo-key')
  })
})
