import { describe, expect } from 'vitest'
import type { Fault } from '../../src/api/contract/control/faults.ts'
import { Faults } from '../../src/api/http/faults.ts'
import { apiClient, expectRefusal } from '../support/client.ts'
import { call, createAsker } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { canonical, expectUnchanged } from '../support/world.ts'

/** Misfortune, as a caller over real HTTP meets with it. Times are only ever measured from below. */

const at = (ms: number) => new Date(START + ms).toISOString()

async function unlucky(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options)
  const api = sandbox.client()
  // The token comes first, so that no fault is spent on it.
  expect((await api.get('/products')).status).toBe(200)
  const ask = createAsker(sandbox)
  const set = (...faults: Fault[]) => ask('faults.set', { faults })
  const met = async () => (await ask<{ faults: { met: number }[] }>('faults.list')).faults.map((fault) => fault.met)
  const last = async () => (await call(sandbox, 'exchanges.list', { limit: 1 })).data[0]!
  const advance = (by: string) => ask('clock.advance', { by })
  return { sandbox, api, ask, set, met, last, advance }
}

/** How a request ended: by its status, or because the connection broke. */
const outcome = (request: Promise<{ status: number }>) =>
  request.then(
    ({ status }) => status,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'ECONNRESET' })
      return 'broken'
    },
  )

async function took(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

describe('latency', () => {
  it('delays the response, and does not change it', async () => {
    const { api, set, last } = await unlucky()
    await set({ kind: 'latency', ms: 200, path: '/customers' })
    let status = 0
    expect(await took(async () => ({ status } = await api.get('/customers')))).toBeGreaterThanOrEqual(199)
    expect(status).toBe(200)
    expect(await last()).toMatchObject({ fault: 'latency', status: 200 })
    expect((await last()).ms, 'it is part of how long the request took').toBeGreaterThanOrEqual(199)
  })

  it('jitter only adds', async () => {
    const { api, set, met } = await unlucky()
    await set({ kind: 'latency', ms: 60, jitter_ms: 40 })
    for (let i = 0; i < 5; i++) expect(await took(() => api.get('/customers'))).toBeGreaterThanOrEqual(59)
    expect(await met()).toEqual([5])
  })

  it('several latencies add up', async () => {
    const { api, set, last } = await unlucky()
    await set({ kind: 'latency', ms: 80 }, { kind: 'latency', ms: 90, path: '/customers' })
    expect(await took(() => api.get('/customers'))).toBeGreaterThanOrEqual(169)
    expect((await last()).fault).toBe('latency, latency')
  })

  it('delays only matching requests: a later request is answered first', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'latency', ms: 500, path: '/customers' })
    const order: string[] = []
    const slow = api.get('/customers').then(() => order.push('slow'))
    await api.get('/products').then(() => order.push('quick'))
    await slow
    expect(order).toEqual(['quick', 'slow'])
  })

  it('the rules run after the delay, and see the world at that time', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'latency', ms: 300, method: 'GET' })
    const waiting = api.get<{ total_count: number }>('/customers?include_initiated=true')
    await api.post('/customers', {})
    expect((await waiting).body.total_count).toBe(1)
  })
})

describe('status', () => {
  it('is 500 by default, with the error body of the specification; the request is not executed', async () => {
    const { sandbox, api, set, last } = await unlucky()
    await set({ kind: 'status', path: '/customers' })
    const answer = await expectUnchanged(sandbox, () => api.post('/customers', {}))
    expectRefusal(answer, 'internal')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await last()).toMatchObject({ fault: 'status', status: 500, seq_before: sandbox.store.world.seq })
  })

  it('another status is in the body, too', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', status: 503 })
    const answer = await api.get('/customers')
    expect(answer).toMatchObject({ status: 503, body: { status: 503, errors: [{ code: 1000 }] } })
  })

  it('4.7: 422, "an exception occurred while authorizing the transaction", can be provoked', async () => {
    const { sandbox, api, set } = await unlucky()
    await set({ kind: 'status', code: 6008, method: 'PUT', path: '/transactions/{uid}/authorize', times: 1 })
    const authorize = () =>
      api.call('PUT', '/transactions/x/authorize', { json: { authorization_status: 'client_approved' } })
    const refused = await expectUnchanged(sandbox, authorize)
    expectRefusal(refused, 'authorizationFailed')
    expect(refused.status).toBe(422)
    expectRefusal(await authorize(), 'unknownRecord')
  })

  it('a code has the status of the platform, unless another is given', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', code: 1012 })
    expectRefusal(await api.get('/customers'), 'duplicateTraceId')
    await set({ kind: 'status', code: 1012, status: 400 })
    expect(await api.get('/customers')).toMatchObject({ status: 400, body: { status: 400, errors: [{ code: 1012 }] } })
  })

  it.each([
    ['an object', { maintenance: true, until: ['soon'] }],
    ['a text', 'Bad Gateway'],
    ['a list', []],
    ['false', false],
    ['null', null],
  ])('sends a given body unchanged: %s', async (_name, body) => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', status: 502, body })
    expect(await api.get('/customers')).toMatchObject({ status: 502, body })
  })

  it('echoes the trace id, which can be used again', async () => {
    const { api, set, ask } = await unlucky()
    await set({ kind: 'status', path: '/customers' })
    const headers = { 'x-trace-id': 'again' }
    const first = await api.post('/customers', {}, { headers })
    expect([first.status, first.headers.get('x-trace-id')]).toEqual([500, 'again'])
    await ask('faults.clear')
    expect((await api.post('/customers', {}, { headers })).status).toBe(201)
  })

  it('applies after the token: a request without a valid one gets 401 and does not use it up', async () => {
    const { api, set, met } = await unlucky()
    await set({ kind: 'status', status: 504, times: 2 })
    for (const path of ['/customers', '/products']) expect((await api.send('GET', path)).status).toBe(401)
    expect((await api.send('POST', '/auth', { headers: { authorization: 'a.b.c' } })).status).toBe(401)
    expect(await met()).toEqual([0])
    expect((await api.get('/customers')).status).toBe(504)
    expect((await api.send('POST', '/auth', { headers: { authorization: api.refreshToken() } })).status).toBe(504)
    expect((await api.get('/customers')).status).toBe(200)
  })

  it('ends a request with 401 if a reset removes its Program during a delay', async () => {
    const { sandbox, set, ask, met } = await unlucky()
    const { uid } = await ask<{ uid: string }>('programs.create', { name: 'Second' })
    const second = apiClient(
      sandbox,
      sandbox.programs().findIndex((program) => program.uid === uid),
    )
    expect((await second.get('/products')).status).toBe(200)
    await set({ kind: 'latency', ms: 300 })
    const waiting = second.send('GET', '/customers', { headers: { authorization: await second.signIn() } })
    await waitFor(async () => expect((await met())[0]).toBe(2))
    await ask('world.reset', { world: 'empty' })
    expect((await waiting).status).toBe(401)
  })
})

describe('a dropped connection: "did my transfer happen?"', () => {
  async function transferring(kind: 'drop_before_commit' | 'drop_after_commit') {
    const it = await setUpPayments()
    const customer = await it.customer()
    const to = await it.account(customer, 'ach_external')
    await it.fund(customer, '100.00')
    await it.sandbox.call('faults.set', { faults: [{ kind, path: '/transfers', method: 'POST' }] })
    const send = () => outcome(it.tryToPay(customer, customer.master, to, '30.00', { external_uid: 'mine-1' }))
    const last = async () => (await call(it.sandbox, 'exchanges.list', { limit: 1 })).data[0]!
    const made = () => it.list('/transfers?external_uid=mine-1')
    return { ...it, customer, send, last, made }
  }

  it('drop_before_commit: the request was not executed; sending it again executes it', async () => {
    const { sandbox, send, last, made, balances, customer } = await transferring('drop_before_commit')
    expect(await expectUnchanged(sandbox, send)).toBe('broken')
    expect(await last()).toMatchObject({ fault: 'drop_before_commit', endpoint: 'createTransfer', path: '/transfers' })
    expect(await made()).toEqual([])
    expect(await balances(customer.master)).toMatchObject({ available: '100.00' })
    await sandbox.call('faults.clear', {})
    expect(await send()).toBe(201)
    expect(await made()).toHaveLength(1)
  })

  it('drop_after_commit: the request was executed; sending it again with its external_uid does not repeat it', async () => {
    const { sandbox, send, last, made, balances, customer, expectBalancedLedger, advance } =
      await transferring('drop_after_commit')
    const { seq } = sandbox.store.world
    expect(await send()).toBe('broken')
    expect(sandbox.store.world.seq).toBe(seq + 1)
    expect(await last()).toMatchObject({ fault: 'drop_after_commit', status: 201, seq_before: seq, seq_after: seq + 1 })
    expect(await made()).toHaveLength(1)
    expect(await balances(customer.master)).toMatchObject({ available: '70.00' })
    await sandbox.call('faults.clear', {})
    expect(await send()).toBe(201)
    expect(await made(), 'there is one still').toHaveLength(1)
    await advance({ until: 'idle' })
    expect(await balances(customer.master)).toEqual({ balance: '70.00', pending: '0.00', available: '70.00' })
    await expectBalancedLedger()
  })

  it('the trace id is used only if the request was executed', async () => {
    const { api, set, ask } = await unlucky()
    const post = (trace: string) => api.post('/customers', {}, { headers: { 'x-trace-id': trace } })
    await set({ kind: 'drop_before_commit', method: 'POST' })
    expect(await outcome(post('before'))).toBe('broken')
    await set({ kind: 'drop_after_commit', method: 'POST' })
    expect(await outcome(post('after'))).toBe('broken')
    await ask('faults.clear')
    expect((await post('before')).status).toBe(201)
    expectRefusal(await post('after'), 'duplicateTraceId')
  })

  it('also drops a refusal, which changes nothing', async () => {
    const { sandbox, api, set, last } = await unlucky()
    await set({ kind: 'drop_after_commit', path: '/customers/{uid}' })
    expect(await expectUnchanged(sandbox, () => outcome(api.get('/customers/nobody')))).toBe('broken')
    expect(await last()).toMatchObject({ fault: 'drop_after_commit', status: 404, code: 4002 })
  })

  it('other connections stay open', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'drop_before_commit', method: 'POST' })
    const results = await Promise.all([
      outcome(api.post('/customers', {})),
      outcome(api.get('/customers')),
      outcome(api.get('/products')),
    ])
    expect(results).toEqual(['broken', 200, 200])
  })
})

describe('rate_limit', () => {
  it('allows a number of requests per minute; others get 429/1017 with retry-after', async () => {
    const { sandbox, api, set, met, last } = await unlucky()
    await set({ kind: 'rate_limit', per_minute: 3 })
    for (let i = 0; i < 3; i++) expect((await api.get('/customers')).status).toBe(200)
    const answer = await expectUnchanged(sandbox, () => api.post('/customers', {}))
    expectRefusal(answer, 'tooManyRequests', /^retry after \d+ s$/)
    const wait = Number(answer.headers.get('retry-after'))
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
    expect(await met(), 'those that pass have not met with it').toEqual([1])
    expect(await last()).toMatchObject({ fault: 'rate_limit', status: 429, code: 1017 })
  })

  it('the refusal explains to the operator how to continue', async () => {
    const { api, set, ask, last } = await unlucky()
    await set({ kind: 'rate_limit', per_minute: 1 })
    await api.get('/customers')
    expectRefusal(await api.get('/customers'), 'tooManyRequests')
    const { refusal } = await ask<{ refusal: object }>('exchanges.get', { uid: (await last()).uid })
    expect(refusal).toMatchObject({ key: 'tooManyRequests', code: 1017, pass: expect.stringMatching(/Retry-After/) })
  })

  it('counts minutes of real time: an advance does not end them, and refused requests do not prolong them', async () => {
    const { api, set, advance } = await unlucky()
    await set({ kind: 'rate_limit', per_minute: 1, path: '/customers' })
    expect((await api.get('/customers')).status).toBe(200)
    await advance('PT1H')
    const first = Number((await api.get('/customers')).headers.get('retry-after'))
    const second = Number((await api.get('/customers')).headers.get('retry-after'))
    expect(second).toBeLessThanOrEqual(first)
    expect((await api.get('/products')).status, 'other paths are free').toBe(200)
  })

  it('starts over when it is set again', async () => {
    const { api, set } = await unlucky()
    const limit = { kind: 'rate_limit', per_minute: 1 } as const
    for (let round = 0; round < 2; round++) {
      await set(limit)
      expect((await api.get('/customers')).status).toBe(200)
      expectRefusal(await api.get('/customers'), 'tooManyRequests')
    }
  })

  it('allows 60 per minute by default', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'rate_limit' })
    const statuses: number[] = []
    for (let i = 0; i < 61; i++) statuses.push((await api.get('/products')).status)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
  })
})

it('only latencies delay a request, each by its time', () => {
  const faults = new Faults({ seed: () => 'test', now: () => START, elapsed: () => 0, onChange: () => {} })
  const delayOf = (...kinds: Fault[]) => {
    faults.set(kinds)
    return faults.apply('GET', '/customers')?.delay_ms
  }
  expect(delayOf({ kind: 'status' })).toBe(0)
  expect(delayOf({ kind: 'latency' })).toBe(1_000)
  expect(delayOf({ kind: 'latency', ms: 200 }, { kind: 'status' }, { kind: 'latency', ms: 30 })).toBe(230)
})

describe('slow_body', () => {
  it('sends the headers before the first pause', async () => {
    const { sandbox, api, set } = await unlucky()
    const authorization = await api.signIn()
    // The pause is longer than the test may take.
    await set({ kind: 'slow_body', ms: 60_000 })
    const stop = new AbortController()
    const response = await fetch(`${sandbox.api}/customers`, {
      headers: { authorization, 'x-trace-id': 'slow' },
      signal: stop.signal,
    })
    expect(response.status).toBe(200)
    stop.abort()
  }, 50_000)

  it('arrives completely, in pieces: the headers long before the end', async () => {
    const { sandbox, api, set, last } = await unlucky()
    for (let i = 0; i < 20; i++) await api.post('/customers', {})
    const whole = await api.get('/customers?include_initiated=true')
    await set({ kind: 'slow_body', ms: 30 })
    const token = await api.signIn()
    const began = performance.now()
    const response = await fetch(`${sandbox.api}/customers?include_initiated=true`, {
      headers: { authorization: token, 'x-trace-id': 'slow' },
    })
    const headers = performance.now() - began
    const pieces: Uint8Array[] = []
    for await (const piece of response.body!) pieces.push(piece)
    const all = performance.now() - began
    expect(Buffer.concat(pieces).toString('utf8')).toBe(whole.text)
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text))
    expect(pieces.length).toBeGreaterThan(1)
    expect(all).toBeGreaterThan(headers)
    expect(all).toBeGreaterThanOrEqual(8 * 29)
    expect(await last()).toMatchObject({ fault: 'slow_body', status: 200 })
  })

  it('a refusal and a short response arrive completely, too', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'slow_body', ms: 1 })
    expectRefusal(await api.get('/customers/nobody'), 'customerNotFound')
    expect((await api.post('/customers', {})).status).toBe(201)
  })

  it('a client that disconnects meanwhile causes no error', async () => {
    const { sandbox, api, set, ask } = await unlucky()
    await set({ kind: 'slow_body', ms: 50, path: '/products' })
    const token = await api.signIn()
    const stop = new AbortController()
    const response = await fetch(`${sandbox.api}/products`, {
      headers: { authorization: token, 'x-trace-id': 'gone' },
      signal: stop.signal,
    })
    stop.abort()
    await expect(response.text()).rejects.toThrow()
    await ask('faults.clear')
    expect((await api.get('/products')).status).toBe(200)
    expect(sandbox.told).toEqual([])
  })
})

describe('which requests, and how often', () => {
  it('times limits how often it applies', async () => {
    const { api, set, ask } = await unlucky()
    await set({ kind: 'status', status: 503, times: 2 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await api.get('/customers')).status)
    expect(statuses).toEqual([503, 503, 200, 200])
    expect(await ask('faults.list')).toEqual({ faults: [] })
  })

  it('times counts only the requests to which it was applied', async () => {
    const { api, set, met } = await unlucky()
    await set({ kind: 'status', times: 1, path: '/customers', method: 'POST' })
    for (let i = 0; i < 3; i++) expect((await api.get('/customers')).status).toBe(200)
    expect(await met()).toEqual([0])
    expect((await api.post('/customers', {})).status).toBe(500)
    expect((await api.post('/customers', {})).status).toBe(201)
  })

  it('until ends it at an instant of simulated time', async () => {
    const { api, set, advance } = await unlucky()
    await set({ kind: 'status', until: at(60_000) })
    expect((await api.get('/customers')).status).toBe(500)
    await advance('PT59.999S')
    expect((await api.get('/customers')).status).toBe(500)
    await advance('PT0.001S')
    expect((await api.get('/customers')).status).toBe(200)
  })

  it('rate selects requests by the seed: the same ones each time, others with another seed', async () => {
    const run = async (seed: string, rate: number) => {
      const { api, set } = await unlucky({ seed })
      await set({ kind: 'status', rate })
      const hit: boolean[] = []
      for (let i = 0; i < 40; i++) hit.push((await api.get('/customers')).status === 500)
      return hit
    }
    const first = await run('one', 0.5)
    expect(await run('one', 0.5)).toEqual(first)
    expect(await run('two', 0.5)).not.toEqual(first)
    const hits = first.filter(Boolean).length
    expect(hits).toBeGreaterThan(8)
    expect(hits).toBeLessThan(32)
    expect((await run('one', 1)).includes(false)).toBe(false)
  })

  it('rate starts over when it is set again', async () => {
    const { api, set } = await unlucky()
    const run = async () => {
      await set({ kind: 'status', rate: 0.5 })
      const hit: number[] = []
      for (let i = 0; i < 20; i++) hit.push((await api.get('/products')).status)
      return hit
    }
    expect(await run()).toEqual(await run())
  })

  it.each<[Pick<Fault, 'method' | 'path'>, readonly string[]]>([
    [{}, ['GET /customers', 'POST /customers', 'GET /customers/x', 'PUT /customers/x', 'GET /products']],
    [{ method: 'GET' }, ['GET /customers', 'GET /customers/x', 'GET /products']],
    [{ path: '/customers' }, ['GET /customers', 'POST /customers']],
    [{ path: '/customers/{uid}' }, ['GET /customers/x', 'PUT /customers/x']],
    [{ path: '/customers/{uid}', method: 'PUT' }, ['PUT /customers/x']],
    [{ path: '/customers*' }, ['GET /customers', 'POST /customers', 'GET /customers/x', 'PUT /customers/x']],
    [{ path: '/customers/*' }, ['GET /customers/x', 'PUT /customers/x']],
    [{ path: '*', method: 'POST' }, ['POST /customers']],
    [{ path: '*' }, ['GET /customers', 'POST /customers', 'GET /customers/x', 'PUT /customers/x', 'GET /products']],
    [{ path: '/pools' }, []],
  ])('%j', async (where, expected) => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', status: 599, ...where })
    const hit: string[] = []
    for (const [method, path] of [
      ['GET', '/customers'],
      ['POST', '/customers'],
      ['GET', '/customers/x'],
      ['PUT', '/customers/x'],
      ['GET', '/products'],
    ] as const) {
      const sent = method === 'GET' ? {} : { json: {} }
      if ((await api.call(method, path, sent)).status === 599) hit.push(`${method} ${path}`)
    }
    expect(hit).toEqual(expected)
  })

  it('the query is not part of the path', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', path: '/customers' })
    expect((await api.get('/customers?limit=1')).status).toBe(500)
  })

  it('never applies to control methods, /health and the OpenAPI document', async () => {
    const { sandbox, set } = await unlucky()
    await set({ kind: 'drop_before_commit' })
    const origin = new URL(sandbox.api).origin
    for (const path of ['/health', '/openapi.json', '/api/v1/openapi.json'])
      expect((await fetch(origin + path)).status, path).toBe(200)
    const key = { 'x-control-key': sandbox.control_key }
    expect((await fetch(`${sandbox.control}/clock.read`, { method: 'POST', headers: key })).status).toBe(200)
  })
})

describe('several together', () => {
  it('every latency applies, and of the others only the first', async () => {
    const { sandbox, api, set, met, last } = await unlucky()
    await set(
      { kind: 'latency', ms: 70 },
      { kind: 'status', status: 503 },
      { kind: 'status', status: 504 },
      { kind: 'drop_before_commit' },
      { kind: 'latency', ms: 80 },
    )
    let status = 0
    const ms = await took(() => expectUnchanged(sandbox, async () => ({ status } = await api.post('/customers', {}))))
    expect(status).toBe(503)
    expect(ms).toBeGreaterThanOrEqual(149)
    expect(await met()).toEqual([1, 1, 0, 0, 1])
    expect((await last()).fault).toBe('latency, status, latency')
  })

  it('after one has ended, the next applies', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'status', status: 501, times: 1 }, { kind: 'status', status: 502, times: 1 })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await api.get('/customers')).status)
    expect(statuses).toEqual([501, 502, 200])
  })

  it('if a rate limit allows a request, the next fault applies', async () => {
    const { api, set } = await unlucky()
    await set({ kind: 'rate_limit', per_minute: 1 }, { kind: 'status', status: 502 })
    expect((await api.get('/customers')).status).toBe(502)
    expectRefusal(await api.get('/customers'), 'tooManyRequests')
  })
})

describe('faults are not part of the world', () => {
  it('setting, applying and clearing them make no commit, use no uid and do not change the world', async () => {
    const { sandbox, api, set, ask } = await unlucky()
    await expectUnchanged(sandbox, async () => {
      await set({ kind: 'status', rate: 0.5 }, { kind: 'latency', ms: 1, jitter_ms: 5 })
      for (let i = 0; i < 10; i++) await api.get('/customers')
      await ask('faults.clear')
    })
  })

  it('a client that retries until it gets a response creates the same world as without faults', async () => {
    const run = async (faults: Fault[]) => {
      const { sandbox, api, set } = await unlucky()
      await set(...faults)
      for (let i = 0; i < 15; i++)
        for (let answered = false; !answered; )
          answered = (await outcome(api.post('/customers', { email: `${i}@example.test` }))) === 201
      return canonical(sandbox.store.world)
    }
    const calm = await run([])
    expect(
      await run([
        { kind: 'status', rate: 0.4 },
        { kind: 'drop_before_commit', rate: 0.4 },
      ]),
    ).toBe(calm)
  })

  it('they are not saved: a restart ends them', async ({ folder: data }) => {
    const { sandbox, set } = await unlucky({ data, seed: 'test', start: START, world: 'empty' })
    await set({ kind: 'status' })
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(await again.call('faults.list', {})).toEqual({ ok: true, value: { faults: [] } })
  })

  it('an exchange without a fault has no field for it', async () => {
    const { api, last } = await unlucky()
    await api.get('/customers')
    expect(await last()).not.toHaveProperty('fault')
  })
})
