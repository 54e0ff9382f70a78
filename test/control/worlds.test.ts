import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { checkFolder } from '../../src/api/files.ts'
import { connectRemote } from '../../src/api/replay/remote-client.ts'
import { type NamedSandboxWorld, openSandbox, type SandboxWorld } from '../../src/api/sandbox.ts'
import { files } from '../../src/api/store/files.ts'
import { apiClient, expectRefusal } from '../support/client.ts'
import { OLIVE, type Resource } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call, NO_DIFFERENCE } from '../support/operator.ts'
import { it, START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'

const KEY = { 'x-control-key': 'test-key' }
const MONDAY = '2026-11-23T15:00:00.000Z'

const createCustomer = async (world: SandboxWorld, more: object = {}) =>
  (await apiClient(world).post<Resource>('/customers', { ...OLIVE, ...more })).body.uid!
const statusOf = async (world: SandboxWorld, uid: string) => (await apiClient(world).get(`/customers/${uid}`)).status
const names = async (sandbox: TestSandbox) => (await call(sandbox, 'worlds.list', {})).worlds.map(({ name }) => name)
const refusal = async (sandbox: Pick<SandboxWorld, 'call'>, name: string, input: object) => {
  const reply = await sandbox.call(name, input)
  if (reply.ok) throw new Error(`${name} succeeded`)
  const { status, errors } = reply.error
  return `${status}/${errors[0]!.code} ${errors[0]!.extra}`
}
/** Sends a request as it is. */
async function fetchFrom(sandbox: TestSandbox, path: string, init?: RequestInit) {
  const response = await fetch(new URL(path, sandbox.api), { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('worlds.create', () => {
  it('creates a world with records, a clock and an API of its own', async ({ sandbox }) => {
    const created = await call(sandbox, 'worlds.create', { name: 'one', from: 'empty' })
    const { origin } = new URL(sandbox.api)
    expect(created).toEqual({
      name: 'one',
      api: `${origin}/worlds/one/api/v1`,
      control: `${origin}/worlds/one/control`,
      gui: `${origin}/worlds/one/#key=test-key`,
      programs: [{ uid: 'Hb7QmXk2Tz9LrVw4', name: 'Harbor Payments', hmac_key: expect.any(String) }],
    })
    const world = sandbox.worlds.get('one')!
    const customer = await createCustomer(world)
    expect(await statusOf(world, customer)).toBe(200)
    expect(await statusOf(sandbox, customer)).toBe(404)
    await call(world, 'clock.advance', { by: 'P1D' })
    expect((await call(world, 'clock.read', {})).now).toBe('2026-11-24T15:00:00.000Z')
    expect((await call(sandbox, 'clock.read', {})).now).toBe(new Date(START).toISOString())
  })

  it('without values: the demo on a Monday morning, with a frozen clock at pace fast, and a name that is free', async () => {
    const sandbox = await startSandbox()
    await call(sandbox, 'worlds.create', { name: 'world-1', from: 'empty' })
    const { name } = await call(sandbox, 'worlds.create', {})
    expect(name).toBe('world-2')
    const world = sandbox.worlds.get(name)!
    expect(await call(world, 'clock.read', {})).toMatchObject({ now: MONDAY, mode: 'frozen', pace: 'fast' })
    expect(await call(world, 'world.describe', {})).toMatchObject({ name, seed: 'sandbank', start: MONDAY, data: null })
    expect((await call(world, 'records.list', { collection: 'customers' })).total_count).toBe(3)
  })

  it('takes start, seed, clock and pace of a fresh world', async ({ sandbox }) => {
    const start = '2026-03-02T14:00:00.000Z'
    const world = await sandbox.worlds.create({ from: 'empty', start, seed: 'mine', clock: 'running', pace: 'real' })
    expect(await call(world, 'world.describe', {})).toMatchObject({ seed: 'mine', start })
    expect(await call(world, 'clock.read', {})).toMatchObject({ mode: 'running', pace: 'real' })
  })

  it('takes a start as exact as the caller likes, with any offset', async ({ sandbox }) => {
    for (const start of ['2026-03-02T14:00:00Z', '2026-03-02T09:00:00-05:00']) {
      const world = await sandbox.worlds.create({ start })
      expect(await call(world, 'world.describe', {})).toMatchObject({ start: '2026-03-02T14:00:00.000Z' })
    }
  })

  it('of the same seed and start creates equal worlds, and none of them changes another', async ({ sandbox }) => {
    const [a, b] = [await sandbox.worlds.create({ name: 'a' }), await sandbox.worlds.create({ name: 'b' })]
    expect(await call(sandbox, 'worlds.compare', { a: 'a', b: 'b' })).toMatchObject(NO_DIFFERENCE)
    const customer = await createCustomer(a)
    await call(b, 'clock.advance', { business_days: 3 })
    expect(await statusOf(b, customer)).toBe(404)
    await sandbox.worlds.create({ name: 'c' })
    const { total_count } = await call(sandbox, 'worlds.compare', { a: 'a', b: 'c' })
    expect(total_count).toMatchObject({ records: 1 })
  })

  it('from current continues from the records of the world whose control API is called', async ({ sandbox }) => {
    const customer = await createCustomer(sandbox)
    const fork = await sandbox.worlds.create({ name: 'fork', from: 'current' })
    expect(await statusOf(fork, customer)).toBe(200)
    const second = await createCustomer(fork, { email: 'second@example.test' })
    const { name } = await call(fork, 'worlds.create', { from: 'current' })
    const forkOfFork = sandbox.worlds.get(name)!
    expect([await statusOf(forkOfFork, second), await statusOf(sandbox, second)]).toEqual([200, 404])
    expect(await names(sandbox)).toEqual(['fork', name])
    expect((await call(fork, 'worlds.list', {})).worlds).toEqual((await call(sandbox, 'worlds.list', {})).worlds)
  })

  it('read-only: shows the world as of a commit with its requests, refuses each change, and is in no list', async ({
    sandbox,
  }) => {
    const first = await createCustomer(sandbox)
    const { seq } = await call(sandbox, 'world.describe', {})
    await call(sandbox, 'clock.set', { mode: 'running' })
    const second = await createCustomer(sandbox, { email: 'second@example.test' })
    const { name } = await call(sandbox, 'worlds.create', { from: { commit: seq }, read_only: true })
    expect([name, await names(sandbox)]).toEqual(['look-1', []])
    const look = sandbox.worlds.get(name)!
    expect(await call(look, 'world.describe', {})).toMatchObject({ name, seq, look: { of: null, commit: seq } })
    expect((await call(look, 'clock.read', {})).mode).toBe('frozen')
    const { data } = await call(look, 'exchanges.list', {})
    const before = (await call(sandbox, 'exchanges.list', {})).data.filter(({ seq_after }) => seq_after <= seq)
    expect(before.length).toBeGreaterThan(0)
    expect(data).toEqual(before)
    expect(await call(look, 'exchanges.get', { uid: data[0]!.uid })).toMatchObject({ status: 201 })
    expect([await statusOf(look, first), await statusOf(look, second)]).toEqual([200, 404])
    const sentence = `400/1007 this world is the root world as of commit ${seq}, to look at: it cannot be changed. A copy that can: worlds.create {"from":{"world":"look-1"}}`
    for (const [method, input] of [
      ['clock.advance', { by: 'P1D' }],
      ['clock.set', { mode: 'running' }],
      ['world.reset', { world: 'empty' }],
      ['operations.undo', {}],
      ['faults.clear', {}],
      ['snapshots.keep', { name: 'no' }],
    ] as const)
      expect(await refusal(look, method, input), method).toBe(sentence)
    const { status, body } = await apiClient(look).post('/customers', { email: 'third@example.test' })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('it cannot be changed')])
    expect(await call(look, 'world.describe', {})).toMatchObject({ seq })
    expect(await refusal(look, 'nothing.here', {})).toMatch(/^404/)
    expect(await refusal(sandbox, 'worlds.create', { read_only: true, clock: 'running' })).toMatch(
      /clock: that of a read-only/,
    )

    // A look at another point is of the same world; a fork can be changed; the newest 8 looks are kept.
    const again = await call(look, 'worlds.create', { from: { commit: 1 }, read_only: true })
    expect(await call(sandbox.worlds.get(again.name)!, 'world.describe', {})).toMatchObject({
      look: { of: null, commit: 1 },
    })
    const fork = sandbox.worlds.get((await call(look, 'worlds.create', { from: 'current', name: 'fork' })).name)!
    await createCustomer(fork, { email: 'third@example.test' })
    for (let n = 0; n < 7; n++) await call(sandbox, 'worlds.create', { from: { commit: seq }, read_only: true })
    expect([sandbox.worlds.get(name), sandbox.worlds.get(again.name)]).toEqual([undefined, expect.anything()])
    expect(await names(sandbox)).toEqual(['fork'])
  })

  it('from another world, a snapshot or a commit continues from there', async ({ sandbox }) => {
    const first = await createCustomer(sandbox)
    const { seq } = await call(sandbox, 'world.describe', {})
    await call(sandbox, 'snapshots.keep', { name: 'one customer' })
    const second = await createCustomer(sandbox, { email: 'second@example.test' })
    const commit = await sandbox.worlds.create({ name: 'commit', from: { commit: seq } })
    const snapshot = await sandbox.worlds.create({ name: 'snapshot', from: { snapshot: 'one customer' } })
    const third = await createCustomer(commit, { email: 'third@example.test' })
    const other = await sandbox.worlds.create({ name: 'other', from: { world: 'commit' } })
    const found = async (world: SandboxWorld) =>
      Promise.all([first, second, third].map(async (uid) => (await statusOf(world, uid)) === 200))
    // The third has the uid of the second: each world counts on from its own records.
    expect(third).toBe(second)
    expect(await found(snapshot)).toEqual([true, false, false])
    expect(await found(other)).toEqual([true, true, true])
    expect((await call(sandbox, 'worlds.list', {})).worlds.map(({ from }) => from)).toEqual([
      { commit: seq },
      { snapshot: 'one customer' },
      { world: 'commit' },
    ])
  })

  it('from current keeps the clock as it is, unless another is given', async () => {
    const sandbox = await startSandbox({ clock: 'running', pace: 'real' })
    const same = await sandbox.worlds.create({ from: 'current' })
    const other = await sandbox.worlds.create({ from: 'current', clock: 'frozen', pace: 'fast' })
    expect(await call(same, 'clock.read', {})).toMatchObject({ mode: 'running', pace: 'real' })
    expect(await call(other, 'clock.read', {})).toMatchObject({ mode: 'frozen', pace: 'fast' })
    expect((await call(sandbox, 'clock.read', {})).mode).toBe('running')
  })

  it('refuses a name in use or malformed, values that the records have, and what is not there', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const refuse = (input: object) => refusal(sandbox, 'worlds.create', input)
    expect(await refuse({ name: 'one' })).toMatch(
      /^400\/1007 name: there is a world "one" already: choose another name/,
    )
    for (const name of ['', 'One', 'a b', 'x/y', 'a'.repeat(64)])
      expect(await refuse({ name })).toMatch(/^400\/1007 name: a name is 1 to 63 lower-case letters, digits and dashes/)
    expect(await refuse({ from: 'current', start: MONDAY })).toMatch(/^400\/1007 start: the records .* leave it out/)
    expect(await refuse({ from: { world: 'one' }, seed: 'x' })).toMatch(/^400\/1007 seed: the records .* leave it out/)
    expect(await refuse({ from: { world: 'two' } })).toBe('404/1001 there is no world "two"')
    expect(await refuse({ from: { snapshot: 'dropped' } })).toBe('404/1001 there is no snapshot "dropped"')
    expect(await refuse({ from: { commit: 99 } })).toMatch(
      /^400\/1007 seq: the newest commit is 1; there is no commit 99/,
    )
    expect(await refuse({ from: 'nowhere' })).toMatch(
      /^400\/1007 from: demo, empty, hosted, current, {snapshot}, {commit} or/,
    )
    expect(await names(sandbox)).toEqual(['one'])
  })

  it('refuses more worlds than the limit, and says what to do', async () => {
    const sandbox = await startSandbox({ max_worlds: 2 })
    await Promise.all([sandbox.worlds.create({ from: 'empty' }), sandbox.worlds.create({ from: 'empty' })])
    expect(await refusal(sandbox, 'worlds.create', {})).toBe(
      '400/1007 there are 2 worlds already: drop one that is no longer needed with worlds.drop',
    )
    await sandbox.worlds.drop('world-1')
    await sandbox.worlds.create({ from: 'empty' })
  })

  it('is no operator action: the record of a world has none', async ({ sandbox }) => {
    await sandbox.worlds.create()
    await createCustomer(sandbox)
    expect((await call(sandbox, 'bundles.export', {})).acts).toBe(0)
  })
})

describe('a world that was made from another one', () => {
  it('has its history, but begins with an empty request log, and the numbers of requests go on', async () => {
    const sandbox = await startSandbox()
    const customer = await createCustomer(sandbox)
    const { data: before } = await call(sandbox, 'exchanges.list', {})
    const fork = await sandbox.worlds.create({ from: 'current' })
    expect((await call(fork, 'exchanges.list', {})).total_count).toBe(0)
    await apiClient(fork).get('/products')
    const { data } = await call(fork, 'exchanges.list', {})
    const newest = Number(before[0]!.uid.slice(1))
    expect(data.map(({ uid }) => uid)).toEqual([`x${newest + 2}`, `x${newest + 1}`])
    await call(fork, 'world.rewind', { seq: 1 })
    expect([await statusOf(fork, customer), await statusOf(sandbox, customer)]).toEqual([404, 200])
  })

  it('exports a bundle that begins where the world was made, which replays without differences', async () => {
    const sandbox = await startSandbox()
    await createCustomer(sandbox)
    await call(sandbox, 'world.reset', { world: 'empty' })
    const customer = await createCustomer(sandbox)
    const fork = await sandbox.worlds.create({ from: 'current' })
    await apiClient(fork).call('PUT', `/customers/${customer}`, { json: { email: 'new@example.test' } })
    const { text, exchanges, commits } = await call(fork, 'bundles.export', {})
    expect({ exchanges, commits }).toEqual({ exchanges: 2, commits: 1 })
    expect(await call(sandbox, 'exchanges.replay', { text })).toMatchObject({ same: 2, differs: 0, refused: 0 })
    expect(await refusal(fork, 'scenarios.record', {})).toMatch(
      /made from another one, and a scenario begins in a fresh/,
    )
  })

  it('needs neither the other world nor its snapshot any longer', async ({ sandbox }) => {
    const base = await sandbox.worlds.create({ name: 'base', from: 'empty' })
    const customer = await createCustomer(base)
    await call(base, 'snapshots.keep', { name: 'baseline' })
    const created = await call(base, 'worlds.create', { from: { snapshot: 'baseline' } })
    const fork = await sandbox.worlds.create({ from: { world: 'base' } })
    await call(base, 'snapshots.delete', { name: 'baseline' })
    await sandbox.worlds.drop('base')
    for (const world of [sandbox.worlds.get(created.name)!, fork]) expect(await statusOf(world, customer)).toBe(200)
    await call(fork, 'world.rewind', { seq: 1 })
    expect(await statusOf(fork, customer)).toBe(404)
  })

  it('has snapshots, faults and scenarios of its own', async ({ sandbox }) => {
    await call(sandbox, 'snapshots.keep', { name: 'of the present world' })
    await call(sandbox, 'faults.set', { faults: [{ kind: 'status', status: 503, path: '/products' }] })
    const fork = await sandbox.worlds.create({ from: 'current' })
    expect(await call(fork, 'snapshots.list', {})).toEqual({ snapshots: [] })
    expect((await apiClient(fork).get('/products')).status).toBe(200)
    await call(fork, 'scenarios.save', { name: 'mine', text: 'name: Mine\nsteps:\n  - advance: PT1H\n' })
    expect((await call(fork, 'scenarios.run', { name: 'mine', into: 'present' })).state).toBe('passed')
    expect((await call(sandbox, 'scenarios.list', {})).scenarios).toEqual([])
    expect((await call(sandbox, 'clock.read', {})).now).toBe(new Date(START).toISOString())
  })

  it('removes keys that the other world had from its log', async ({ sandbox }) => {
    const hmac_key = 'a-key-that-was-taken-back-by-a-rewind'
    await call(sandbox, 'programs.rotate_key', { uid: sandbox.programs()[0]!.uid, hmac_key })
    await call(sandbox, 'world.rewind', { seq: 1 })
    const fork = await sandbox.worlds.create({ from: 'current' })
    const api = apiClient(fork)
    await api.get(`/customers?last_name=${hmac_key}`)
    const { data } = await call(fork, 'exchanges.list', { limit: 1 })
    expect(JSON.stringify(await call(fork, 'exchanges.get', { uid: data[0]!.uid }))).not.toContain(hmac_key)
  })
})

describe('the addresses of a world', () => {
  it('of a world that does not exist are 404/1001 on its API, with the trace id', async ({ sandbox }) => {
    for (const path of ['/worlds/gone/api/v1/customers', '/worlds/gone/health', '/worlds/gone/', '/worlds/gone']) {
      const answer = await fetchFrom(sandbox, path, { headers: { 'x-trace-id': 'tr\u00e4ced' } })
      expectRefusal(
        { ...answer, body: JSON.parse(answer.text) as unknown },
        'routeNotFound',
        'there is no world "gone"',
      )
      expect(answer.headers.get('x-trace-id')).toBe('tr\u00e4ced')
    }
    expect((await call(sandbox, 'exchanges.list', {})).total_count).toBe(0)
  })

  it('of a world that does not exist are refused on its control API, after the key', async ({ sandbox }) => {
    const post = (headers: Record<string, string>) =>
      fetchFrom(sandbox, '/worlds/gone/control/clock.read', { method: 'POST', headers })
    expect((await post({})).status).toBe(401)
    expect(await post(KEY)).toMatchObject({
      status: 404,
      text: expect.stringContaining('there is no world \\"gone\\"'),
    })
    expect((await fetchFrom(sandbox, '/worlds/gone/control/notices', { headers: KEY })).status).toBe(404)
  })

  it('check the name of the host, also of a world that does not exist', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    for (const name of ['one', 'gone']) {
      const { host, port } = new URL(sandbox.api)
      const sent = request({
        host: host.split(':')[0],
        port,
        path: `/worlds/${name}/health`,
        headers: { host: 'evil.example' },
      })
      sent.end()
      const [{ statusCode }] = (await once(sent, 'response')) as [{ statusCode: number }]
      expect(statusCode).toBe(403)
    }
  })

  it('serve health, the OpenAPI documents with the address of the world, and the control documents', async () => {
    const sandbox = await startSandbox()
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    expect((await fetchFrom(sandbox, '/worlds/one/health')).text).toBe('{"status":"ok"}')
    for (const path of ['openapi.json', 'api/v1/openapi-3.0.json']) {
      const document = JSON.parse((await fetchFrom(sandbox, `/worlds/one/${path}`)).text) as {
        servers: { url: string }[]
      }
      expect(document.servers.map(({ url }) => url)).toEqual([world.api, '/worlds/one/api/v1'])
    }
    expect((await fetchFrom(sandbox, '/worlds/one/control/openapi.json', { headers: KEY })).status).toBe(200)
  })

  it('serve the files of the window below the prefix, and add the slash that relative addresses need', async () => {
    const sandbox = await startSandbox({ window: 'out/renderer' })
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const { text } = await fetchFrom(sandbox, '/worlds/one/')
    expect(text).toBe((await fetchFrom(sandbox, '/')).text)
    const [, asset] = /(assets\/[^"]+\.js)"/.exec(text)!
    expect((await fetchFrom(sandbox, `/worlds/one/${asset}`)).status).toBe(200)
    const redirect = await fetchFrom(sandbox, '/worlds/one?x=1')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/worlds/one/?x=1'])
  })

  it('serve replays and scenarios that are sent from another process', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const { origin } = new URL(sandbox.api)
    for (const url of [`${origin}/worlds/one`, `${origin}/worlds/one/`, world.api]) {
      const remote = connectRemote(url, 'test-key')
      expect(remote.api).toBe(world.api)
      expect(await remote.call('world.describe', {})).toMatchObject({ ok: true, value: { name: 'one' } })
    }
  })

  it('are the same for requests with a complete URL, as to a proxy', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const { hostname, port, origin } = new URL(sandbox.api)
    const sent = request({ hostname, port, path: `${origin}/worlds/one/health` })
    sent.end()
    const [{ statusCode }] = (await once(sent, 'response')) as [{ statusCode: number }]
    expect(statusCode).toBe(200)
  })

  it('do not show in the request log: a request in it can be replayed in any world', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ from: 'empty' })
    await apiClient(world).get('/products?limit=2')
    const { data } = await call(world, 'exchanges.list', { limit: 1 })
    expect(data[0]!.path).toBe('/products?limit=2')
    expect(await call(world, 'exchanges.replay', { since: 1 })).toMatchObject({ differs: 0, refused: 0 })
    expect(await call(world, 'exchanges.send', { method: 'GET', path: '/products' })).toMatchObject({ status: 200 })
    expect((await call(sandbox, 'exchanges.list', {})).total_count).toBe(0)
  })
})

describe('worlds.drop', () => {
  it.each([
    ['in that world', 'present'],
    ['in a temporary one', 'scratch'],
  ])('ends a scenario that runs %s: it is refused, as the world is gone', async (_name, into) => {
    const sandbox = await startSandbox()
    const world = await sandbox.worlds.create({ name: 'one' })
    const steps = '  - request: GET /customers\n'.repeat(200)
    const hasBegun = new Promise<void>((resolve) => {
      world.subscribe((notice) => {
        if (notice.type === 'scenario') resolve()
      })
    })
    const run = refusal(world, 'scenarios.run', { text: `name: long\nsteps:\n${steps}`, into })
    await hasBegun
    await sandbox.worlds.drop('one')
    expect(await run).toBe('404/1001 there is no world "one"')
    expect(sandbox.told, 'no internal error').toEqual([])
  })

  it('removes the world: its API and its control API are no longer there', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one' })
    const api = apiClient(world)
    expect((await api.get('/customers')).status).toBe(200)
    expect(await call(sandbox, 'worlds.drop', { name: 'one' })).toEqual({ dropped: true })
    expectRefusal(await api.get('/customers'), 'routeNotFound', 'there is no world "one"')
    expect(await refusal(world, 'clock.read', {})).toBe('404/1001 there is no world "one"')
    expect(await names(sandbox)).toEqual([])
    expect(await refusal(sandbox, 'worlds.drop', { name: 'one' })).toBe('404/1001 there is no world "one"')
    await sandbox.worlds.create({ name: 'one' })
  })

  it('ends its streams of notices, and leaves those of the others', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const listen = (control: string) => fetch(`${control}/notices`, { headers: KEY })
    const [own, others] = await Promise.all([listen(world.control), listen(sandbox.control)])
    const text = own.text()
    await createCustomer(world)
    await sandbox.worlds.drop('one')
    expect(await text).toContain('"type":"commit"')
    expect((await text).trimEnd(), 'its window learns that the worlds have changed').toMatch(/data: {"type":"worlds"}$/)
    await createCustomer(sandbox)
    const { value } = await others.body!.pipeThrough(new TextDecoderStream()).getReader().read()
    expect(value).toContain(': listening')
    await others.body!.cancel().catch(() => {})
  })

  it('answers a request that still waits with 404, and changes nothing by it', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const api = apiClient(world)
    await api.get('/products')
    await call(world, 'faults.set', { faults: [{ kind: 'latency', ms: 60_000 }] })
    const { seq } = await call(world, 'world.describe', {})
    const waiting = api.post('/customers', OLIVE)
    await vi.waitFor(async () => expect((await call(world, 'faults.list', {})).faults[0]!.met).toBe(1))
    await sandbox.worlds.drop('one')
    expectRefusal(await waiting, 'routeNotFound', 'there is no world "one"')
    expect(world.store.world.seq).toBe(seq)
  })

  it('ends a response that an injected fault sends slowly', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const api = apiClient(world)
    await api.get('/products')
    await call(world, 'faults.set', { faults: [{ kind: 'slow_body', ms: 60_000 }] })
    const waiting = api.get('/products')
    await vi.waitFor(async () => expect((await call(world, 'faults.list', {})).faults[0]!.met).toBe(1))
    await sandbox.worlds.drop('one')
    expect(await waiting).toMatchObject({ status: 200, body: { data: expect.any(Array) } })
  })

  it('cancels an advance and a job that are running, and then drops', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one' })
    const advancing = call(world, 'clock.advance', { to: '2090-01-01T00:00:00.000Z' })
    await vi.waitFor(async () => expect((await call(world, 'clock.read', {})).now).not.toBe(MONDAY))
    await sandbox.worlds.drop('one')
    expect(await advancing).toMatchObject({ stopped_by: 'cancel' })
    const second = await sandbox.worlds.create({ name: 'two' })
    const replaying = second.call('exchanges.replay', { text: curlLines(4_000), into: 'present' })
    await vi.waitFor(async () => expect((await call(second, 'exchanges.list', {})).count).toBe(100), {
      timeout: 20_000,
    })
    await sandbox.worlds.drop('two')
    expect(await replaying).toMatchObject({ ok: true, value: { left: expect.any(Number) } })
  })

  it('of a world whose clock runs leaves no timer, and one that stands still has none', async ({ sandbox }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const worlds: NamedSandboxWorld[] = []
    for (let i = 0; i < 5; i++) worlds.push(await sandbox.worlds.create({ clock: 'running' }))
    for (let i = 0; i < 5; i++) worlds.push(await sandbox.worlds.create({ clock: 'frozen' }))
    expect(vi.getTimerCount()).toBe(5)
    for (const { name } of worlds) await sandbox.worlds.drop(name)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('happens to all when the sandbox closes', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ clock: 'running' })
    await sandbox.close()
    expect(await refusal(world, 'clock.read', {})).toMatch('there is no world')
  })
})

/** GET requests that need no token: they are refused, and take little time. */
const curlLines = (count: number) =>
  Array.from({ length: count }, (_, i) => `curl http://127.0.0.1:4010/api/v1/products?limit=${i}`).join('\n')

it('a world with a running clock runs its tasks by itself', async ({ sandbox }) => {
  const world = await sandbox.worlds.create({ from: 'empty', clock: 'running' })
  const products = await apiClient(world).get<{ data: { uid: string }[] }>('/products')
  const customer_uid = await createCustomer(world)
  await apiClient(world).post('/customer_products', { customer_uid, product_uid: products.body.data[0]!.uid })
  const read = () => world.store.world.collections.customers.get(customer_uid)!.status
  await vi.waitFor(() => expect(read()).toBe('active'), { timeout: 20_000 })
})

describe('worlds.keep', () => {
  it('writes a data folder with the records, the clock and the history', async ({ sandbox }) => {
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const customer = await createCustomer(world)
    await call(world, 'clock.advance', { by: 'P1D' })
    const data = join(createTemporaryFolder(), 'kept')
    const { records, ...kept } = await call(sandbox, 'worlds.keep', { name: 'one', folder: data })
    expect(kept).toEqual({ folder: data, seq: world.store.world.seq })
    const again = await startSandbox({ data })
    expect([...again.store.world.collections.customers.inOrder()].map(({ uid }) => uid)).toEqual([customer])
    expect((await call(again, 'clock.read', {})).now).toBe((await call(world, 'clock.read', {})).now)
    expect(await call(again, 'ledger.check', {})).toMatchObject({ balanced: true })
    expect(records).toBeGreaterThan(1)
    // The new log begins at x1, so the commits must not name requests of the old one.
    await apiClient(again).get('/products')
    const { commits } = await call(again, 'records.history', { collection: 'customers', uid: customer })
    expect(commits.at(-1)!.cause).toEqual({ door: 'request', name: 'POST /customers' })
    await call(again, 'world.rewind', { seq: 1 })
    expect(await statusOf(again, customer)).toBe(404)
  })

  it('keeps the history back to the latest replacement of many records, and the folder is sound', async () => {
    const sandbox = await startSandbox()
    const world = await sandbox.worlds.create({ name: 'one' })
    const due_at = '2027-01-01T00:00:00.000Z'
    world.store.transact(world.programs()[0]!.uid, { door: 'operator', name: 'test' }, (tx) => {
      for (let i = 0; i < 1_001; i++)
        tx.schedule(testTask({ kind: 'k', due_at, subject_uid: null, why: 'one of many' }))
    })
    await call(world, 'world.reset', { world: 'empty' })
    const { seq } = await call(world, 'world.describe', {})
    const customer = await createCustomer(world)
    const data = join(createTemporaryFolder(), 'kept')
    await call(sandbox, 'worlds.keep', { name: 'one', folder: data })
    expect(await checkFolder(data)).toMatchObject({ ledger: { balanced: true } })
    const again = await startSandbox({ data })
    expect((await call(again, 'world.commits', {})).commits.map((commit) => commit.seq)).toEqual([seq + 1])
    expect(await refusal(again, 'world.rewind', { seq: seq - 1 })).toMatch(/is no longer in the history/)
    expect(await statusOf(again, customer)).toBe(200)
  })

  it('refuses a folder that holds something, and a relative path', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const keep = (folder: string) => refusal(sandbox, 'worlds.keep', { name: 'one', folder })
    expect(await keep('kept')).toMatch(/^400\/1007 folder: an absolute path is expected/)
    expect(await keep(process.cwd())).toMatch(
      /^400\/1007 folder: .* exists already: choose a folder that is new or empty/,
    )
    expect(await keep(process.execPath)).toMatch(/^400\/1007 folder: /)
  })

  it.skipIf(process.platform === 'win32')('refuses a folder that cannot be written, and says why', async () => {
    const sandbox = await startSandbox()
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const file = join(createTemporaryFolder(), 'file')
    writeFileSync(file, '')
    const tooLong = join(createTemporaryFolder(), 'x'.repeat(300))
    for (const [folder, code] of [
      [join(file, 'kept'), 'ENOTDIR'],
      [tooLong, 'ENAMETOOLONG'],
    ] as const)
      expect(await refusal(sandbox, 'worlds.keep', { name: 'one', folder })).toBe(
        `400/1007 folder: ${folder} cannot be written (${code}): choose another folder`,
      )
    expect(sandbox.told, 'no internal error').toEqual([])
  })

  it('refuses a folder that another process opens meanwhile, and removes nothing of it', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const folder = createTemporaryFolder()
    const other = await startSandbox({ data: folder, seed: 'other', world: 'empty' })
    // It was still empty when it was looked at.
    const list = vi.spyOn(files, 'list').mockReturnValueOnce([])
    expect(await refusal(sandbox, 'worlds.keep', { name: 'one', folder })).toMatch(
      /^400\/1007 folder: The data folder .* is in use by process/,
    )
    await other.close()
    list.mockReturnValueOnce([])
    expect(await refusal(sandbox, 'worlds.keep', { name: 'one', folder })).toMatch(
      /^400\/1007 folder: .* exists already/,
    )
    list.mockRestore()
    const again = await openSandbox({ version: 'test', data: folder, port: 0 })
    expect((await call(again, 'world.describe', {})).seed).toBe('other')
    await again.close()
  })

  it.each([
    ['a folder that is new', false],
    ['an empty folder, which stays', true],
  ])('leaves nothing behind if the disk is full, so that it can be repeated: %s', async (_name, isThere) => {
    const sandbox = await startSandbox()
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const folder = join(createTemporaryFolder(), 'kept')
    if (isThere) mkdirSync(folder)
    const write = vi.spyOn(files, 'write').mockImplementation(() => {
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    })
    const refused = await refusal(sandbox, 'worlds.keep', { name: 'one', folder })
    write.mockRestore()
    expect(refused).toBe(`400/1007 folder: ${folder} cannot be written (ENOSPC): choose another folder`)
    expect(existsSync(folder) && readdirSync(folder)).toEqual(isThere ? [] : false)
    expect(await call(sandbox, 'worlds.keep', { name: 'one', folder })).toMatchObject({ folder })
  })
})

it('worlds.compare shows the differences of two branches of one world by record and field, in words; without a name the present world', async () => {
  const sandbox = await startSandbox()
  const customer = await createCustomer(sandbox)
  const branch = await sandbox.worlds.create({ name: 'branch', from: 'current' })
  await apiClient(branch).call('PUT', `/customers/${customer}`, { json: { email: 'new@example.test' } })
  const { sentences, records } = await call(sandbox, 'worlds.compare', { b: 'branch' })
  expect(records).toMatchObject([
    {
      collection: 'customers',
      uid: customer,
      what: 'changed',
      fields: [{ field: 'email', before: 'olive@example.com', after: 'new@example.test' }],
    },
  ])
  expect(sentences).toMatchObject([{ says: 'Customer Olive Oyl: email differs.' }])
  expect((await call(branch, 'worlds.compare', { a: 'branch' })).total_count.records).toBe(1)
  expect(await refusal(sandbox, 'worlds.compare', { a: 'gone' })).toBe('404/1001 there is no world "gone"')
})
