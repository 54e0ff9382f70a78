import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { connectSandbox, type Operations, SandbankError, startSandbox } from '../../src/main/library/index.ts'
import { startReceiver } from '../support/receiver.ts'

const root = join(import.meta.dirname, '../..')

async function start(options?: Parameters<typeof startSandbox>[0]) {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

it('a sandbox of the library is a demo world in memory, frozen on a Monday morning', async () => {
  const sandbox = await start()
  expect(await sandbox.clock.read()).toMatchObject({ now: '2026-11-23T15:00:00.000Z', mode: 'frozen' })
  expect(sandbox.programs).toEqual([
    { uid: expect.any(String), name: expect.any(String), hmac_key: expect.any(String) },
  ])
  const { data } = await sandbox.client.call('GET /customers', { external_uid: 'demo-business-1' })
  expect(data.map(({ status }) => status)).toEqual(['active'])
  const page = await fetch(sandbox.gui)
  expect(page.headers.get('content-type')).toContain('text/html')
})

it('seed, start, clock and world of a sandbox of the library are those of its options', async () => {
  const sandbox = await start({ world: 'empty', seed: 'x', start: '2026-01-05T09:00:00-05:00', pace: 'real' })
  expect(await sandbox.clock.read()).toMatchObject({ now: '2026-01-05T14:00:00.000Z', pace: 'real' })
  expect(await sandbox.control.world.describe()).toMatchObject({ seed: 'x' })
  expect((await sandbox.client.call('GET /customers')).total_count).toBe(0)
  const later = await start({ start: new Date('2026-01-06T00:00:00Z'), control_key: 'a-key-of-16-characters', port: 0 })
  expect(await later.clock.read()).toMatchObject({ now: '2026-01-06T00:00:00.000Z' })
  expect(later.control_key).toBe('a-key-of-16-characters')
})

it('undo and redo of a world take the newest operation, or the one that is named', async () => {
  const world = await start({ world: 'empty' })
  const isUndone = async (of: { readonly operation: number } | undefined) =>
    (await world.control.operations.preview({ operation: of!.operation })).undone_by !== null
  for (const email of ['a@example.test', 'b@example.test']) await world.client.call('POST /customers', { email })
  const [second, first] = (await world.control.operations.list()).operations
  expect(await world.undo()).toMatchObject({ operation: second!.operation, operations: 1 })
  expect([await isUndone(first), await isUndone(second)]).toEqual([false, true])
  expect(await world.redo()).toMatchObject({ operation: second!.operation })
  expect(await world.undo(first!.operation)).toMatchObject({ operation: first!.operation, operations: 2 })
  expect([await isUndone(first), await isUndone(second)]).toEqual([true, true])
  await expect(world.redo(999)).rejects.toThrow('operation 999 cannot be redone')
  expect(await world.redo(second!.operation)).toMatchObject({ operation: second!.operation, operations: 2 })
  expect([await isUndone(first), await isUndone(second)]).toEqual([false, false])
})

it('try does work in a copy of a world, says what it has changed there, and leaves no copy', async () => {
  const world = await start({ world: 'empty' })
  const { value, changes } = await world.try(async (copy) => {
    const { uid } = await copy.client.call('POST /customers', { email: 'ada@example.test' })
    await copy.clock.advance('P1D')
    return uid
  })
  expect(changes.records).toMatchObject([{ uid: value, collection: 'customers', what: 'created' }])
  expect(Date.parse(changes.clock.after) - Date.parse(changes.clock.before)).toBe(86_400_000)
  expect((await world.client.call('GET /customers')).total_count).toBe(0)
  await expect(world.try(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  expect(await world.worlds.list()).toEqual([])
})

const INSTANT = 'an instant such as 2026-11-23T15:00:00Z, or a Date, of a year from 1900 to 9000'
const PORT = 'a port from 0 to 65535; without it the sandbox takes a free one'
const KEY = 'a text of 16 to 200 characters of ASCII; without it the key is random'

it.each<[options: object, refusal: string]>([
  [{ clock: 'x' }, `clock: found "x", expected 'running' or 'frozen'`],
  [{ port: 'x' }, `port: found "x", expected ${PORT}`],
  [{ port: 1.5 }, `port: found 1.5, expected ${PORT}`],
  [{ port: 65_536 }, `port: found 65536, expected ${PORT}`],
  [{ port: null }, `port: found null, expected ${PORT}`],
  [{ world: 'moon' }, `world: found "moon", expected 'demo' or 'empty'`],
  [{ pace: 1 }, `pace: found 1, expected 'fast' or 'real'`],
  [{ seed: '' }, 'seed: found "", expected a text of at most 200 characters without control characters'],
  [{ data: 5 }, 'data: found 5, expected the path of a folder; without it nothing is saved'],
  [{ start: 'Monday' }, `start: found "Monday", expected ${INSTANT}`],
  [{ start: new Date('Monday') }, `start: found Invalid Date, expected ${INSTANT}`],
  [{ start: 5 }, `start: found 5, expected ${INSTANT}`],
  [{ control_key: 'short' }, `control_key: found 5 characters, expected ${KEY}`],
  [{ control_key: 'with a line end\n and more' }, `control_key: found 25 characters, expected ${KEY}`],
  [{ child: 'yes' }, 'child: found "yes", expected true or false'],
  [{ clok: 'frozen' }, 'there is no option clok: did you mean clock? Known: port, data, world, seed, start, clock'],
  [{ clock: 'x', port: 'x' }, `port: found "x", expected ${PORT}; clock: found "x"`],
  [[], 'found [], expected an object with options'],
])('startSandbox(%j) is refused, with what was found and expected; also as a child', async (options, refusal) => {
  for (const given of Array.isArray(options) ? [options] : [options, { child: true, ...options }]) {
    const error = await startSandbox(given as object).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(`startSandbox: ${refusal}`)
  }
})

it('the options of a world, and so of the fixtures, are refused by the sandbox in the same way', async () => {
  const { worlds } = await start()
  for (const [options, refusal] of [
    [{ clock: 'x' }, /^worlds\.create: 1007 .*clock: /],
    [{ start: 'Monday' }, /^worlds\.create: 1007 .*start: /],
    [{ clok: 'frozen' }, /^worlds\.create: 1007 .*clok.*known: .*clock/],
  ] as const)
    await expect(worlds.create(options as object)).rejects.toThrow(refusal)
})

it('connectSandbox() refuses what is no address', async () => {
  await expect(connectSandbox({ url: 'here', control_key: 'x' })).rejects.toThrow(
    'connectSandbox: url: found here, expected an address such as http://127.0.0.1:4010',
  )
})

it('a sandbox of the library is ended by sandbox.stop: one in this process closes, and close() may follow', async () => {
  const sandbox = await start()
  await sandbox.control.sandbox.stop({ nonce: (await sandbox.control.sandbox.identify()).nonce })
  await expect
    .poll(() =>
      sandbox.clock.read().then(
        () => 'open',
        (error: Error) => error.message,
      ),
    )
    .toMatch(/^Nothing answers at /)
  await sandbox.close()
})

it('the client calls every operation of the contract by its method and path', async () => {
  const sandbox = await start({ world: 'empty' })
  const called: string[] = []
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const { method, path } = endpoint
    if (path === '/auth') continue
    const input = { ...(path.includes('{uid}') ? { uid: 'a b' } : {}), ...('query' in endpoint ? { limit: 1 } : {}) }
    await sandbox.client.call(`${method} ${path}` as keyof Operations, input as never).catch(() => {})
    called.push(name)
  }
  const { data } = await sandbox.control.exchanges.list({ limit: 100 })
  expect(data.toReversed().map(({ endpoint }) => endpoint)).toEqual(['createAccessToken', ...called])
  expect(data.some(({ path }) => path.includes('a%20b'))).toBe(true)
})

it('a refusal is a SandbankError with status, code and the words of the sandbox', async () => {
  const { client, control } = await start()
  const error = await client.call('GET /customers/{uid}', { uid: 'unknown' }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SandbankError)
  expect(error).toMatchObject({ status: 404, code: expect.any(Number), errors: [{ detail: expect.any(String) }] })
  expect(String(error)).toMatch(/^SandbankError: GET \/customers\/unknown: \d{4} .+, .+/)
  await expect(control.records.get({ collection: 'planets' as never, uid: 'x' })).rejects.toThrow(
    /^records.get: \d{4} /,
  )
  await expect(client.call('GET /customers/{uid}', {} as never)).rejects.toThrow('the input has no uid')
})

it('the client repeats a filter that has several values, and renews an access token that has expired', async () => {
  const { client, control, programs } = await start()
  const { data } = await client.call('GET /customers', { status: ['active', 'archived'], limit: 2 })
  expect(data).toHaveLength(2)
  await control.tokens.expire({ uid: programs[0]!.uid })
  expect((await client.call('GET /pools')).total_count).toBeGreaterThan(0)
})

it('send() returns the response of a refusal, and takes headers that replace those of the client', async () => {
  const { client } = await start()
  const headers = { 'x-trace-id': 'once' }
  expect(await client.send('GET', '/pools', { headers })).toMatchObject({ status: 200, body: { offset: 0 } })
  const repeated = await client.send('GET', '/pools', { headers })
  expect(repeated).toMatchObject({ status: 409, body: { errors: [{ code: 1012 }] } })
  expect(await client.send('GET', '/pools', { headers: { authorization: 'wrong' } })).toMatchObject({ status: 401 })
})

it('a client for another Program sees the records of that Program', async () => {
  const { control, clientOf, client } = await start()
  const other = clientOf(await control.programs.create({ name: 'Second' }))
  expect((await other.call('GET /customers')).total_count).toBe(0)
  expect((await client.call('GET /customers')).total_count).toBeGreaterThan(0)
})

it('clock.advance() by another text says what it expects', async () => {
  const { clock } = await start()
  await expect(clock.advance('soon')).rejects.toThrow('"soon" is no amount of time: expected is one such as 36h')
})

it('clock.advance() over 8 business days passes weekends and holidays, and freeze and run set the clock', async () => {
  const { clock } = await start()
  expect(await clock.advance('8 business days')).toMatchObject({
    from: '2026-11-23T15:00:00.000Z',
    to: '2026-12-04T15:00:00.000Z', // Thanksgiving and one weekend lie between
  })
  expect(await clock.advance({ to: '2026-12-05T00:00:00Z' })).toMatchObject({ to: '2026-12-05T00:00:00.000Z' })
  expect(await clock.advance('monday 9:00')).toMatchObject({ to: '2026-12-07T14:00:00.000Z' })
  expect(await clock.run()).toMatchObject({ mode: 'running' })
  expect(await clock.freeze()).toMatchObject({ mode: 'frozen' })
})

it('clock.advance() takes an option beside a text and beside an object', async () => {
  const { clock, control } = await start()
  const receiver = await startReceiver(() => {})
  await control.webhooks.create({ url: receiver.url })
  await expect.poll(() => receiver.received.length).toBe(1)
  const began = performance.now()
  expect(await clock.advance('1 hour', { wait_for_webhooks: false })).toMatchObject({ to: '2026-11-23T16:00:00.000Z' })
  expect(await clock.advance({ by: 'PT1H' }, { wait_for_webhooks: false })).toMatchObject({
    to: '2026-11-23T17:00:00.000Z',
  })
  expect(performance.now() - began).toBeLessThan(4_000)
})

/** Runs a module in a Node process of its own, which resolves `sandbank` as in any project. */
function runModule(code: string) {
  const process_ = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'pipe' })
  onTestFinished(() => void process_.kill('SIGKILL'))
  let stderr = ''
  process_.stderr.on('data', (text) => (stderr += text))
  const line = new Promise<string>((resolve, reject) => {
    process_.stdout.once('data', (text) => resolve(String(text).trim()))
    process_.once('exit', () => reject(new Error(stderr)))
  })
  return { process: process_, line, ended: new Promise((resolve) => process_.once('exit', resolve)) }
}

it("import 'sandbank' is the library, whose child process ends when the process that started it is gone", async () => {
  const started = runModule(`
    import { startSandbox } from 'sandbank'
    const sandbox = await startSandbox({ child: true })
    const { total_count } = await sandbox.client.call('GET /customers')
    console.log(JSON.stringify({ total_count, api: sandbox.api }))
    setInterval(() => {}, 1000)`)
  const { total_count, api } = JSON.parse(await started.line) as { total_count: number; api: string }
  expect(total_count).toBeGreaterThan(0)
  const isAnswering = () =>
    fetch(api.replace('/api/v1', '/health')).then(
      () => true,
      () => false,
    )
  expect(await isAnswering()).toBe(true)
  started.process.kill('SIGKILL')
  await expect.poll(isAnswering).toBe(false)
})

it('a child process ends with close(), after sandbox.stop, and if its process forgets close(); its refusal has the words of the sandbox', async () => {
  const { api } = await start()
  const port = Number(new URL(api).port)
  const words = `Port ${port} is taken: pass --port with another one`
  await expect(startSandbox({ port }), 'in this process').rejects.toThrow(words)
  const { line, ended } = runModule(`
    import { startSandbox } from 'sandbank'
    const closed = await startSandbox({ child: true })
    await closed.close()
    const afterClose = await fetch(closed.api).then(() => 'open', () => 'closed')
    const { control, close } = await startSandbox({ child: true })
    const { pid, nonce } = await control.sandbox.identify()
    await control.sandbox.stop({ nonce })
    await close()
    let afterStop = 'alive'
    try { process.kill(pid, 0) } catch (error) { afterStop = error.code }
    const refusal = await startSandbox({ child: true, port: ${port} }).catch((error) => error.message)
    await startSandbox({ child: true })
    console.log(JSON.stringify({ afterClose, isOther: pid !== process.pid, afterStop, refusal }))`)
  expect(JSON.parse(await line)).toEqual({
    afterClose: 'closed',
    isOther: true,
    afterStop: 'ESRCH',
    refusal: expect.stringContaining(words),
  })
  expect(await ended, 'the last one was forgotten').toBe(0)
})
