import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { exampleOf, type MethodName, methodNames, onlyReads } from '../../src/api/contract/control/methods.ts'
import { CommandError } from '../../src/main/commands/command.ts'
import { createTools, cut, type Mode, serveHttp } from '../../src/main/commands/mcp.ts'
import { NOT_RUNNING } from '../../src/main/commands/running.ts'
import { startSandbox } from '../../src/main/library/index.ts'

/** The tools of `sandbank mcp`, called by the official client. */

const sandbox = await startSandbox({ seed: 'mcp' })
afterAll(() => sandbox.close())
const { api, control_url: control, gui, control_key } = sandbox
const find = async () => ({ api, control, gui, control_key, file: undefined })
const options = (mode: Mode = 'full') => ({ mode, version: '0.0.0', find })
const seq = async () => (await sandbox.control.world.describe()).seq

async function connect(given: Partial<ReturnType<typeof options>> = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createTools({ ...options(), ...given })
  await server.connect(far)
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(near as never)
  onTestFinished(() => client.close())
  const use = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const text = (content as { text: string }[]).map((part) => part.text).join('\n')
    return { text, isError: isError === true }
  }
  return { client, use }
}

/** One token is four characters. */
const tokens = (value: unknown) => JSON.stringify(value).length / 4
const WIRE = async () => {
  const { data } = await sandbox.control.records.list({ collection: 'customers', limit: 1 })
  return {
    method: 'POST',
    path: '/sandbox/mock_transactions',
    body: { transaction_type: 'wire', customer_uid: data[0]!.uid, us_dollar_amount: 12.5 },
  }
}

describe.each(['full', 'read-only', 'try-only'] as const)('%s', (mode) => {
  it('offers at most six tools, with at most 1,500 tokens of schema', async () => {
    const { client } = await connect(options(mode))
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(6)
    expect(tokens(tools)).toBeLessThanOrEqual(1_500)
  })
})

it('calls the API, says which undo takes a change back, and why a request is refused', async () => {
  const { use } = await connect()
  const wire = await use('call', await WIRE())
  expect(wire.text).toMatch(/^201 POST \/sandbox\/mock_transactions/)
  const [, input] = /undo: control operations.undo (\{"operation":\d+\})$/.exec(wire.text)!
  const uid = /"uid":"(\w+)"/.exec(wire.text)![1]
  expect((await use('advance', { by: 'idle' })).text).toContain('"ran":')
  expect((await use('why', { collection: 'transactions', uid, field: 'status' })).text).toContain('chain')
  expect((await use('call', { method: 'GET', path: `/transactions/${uid}` })).text).toContain('"status":"settled"')
  await use('control', { method: 'operations.undo', input: JSON.parse(input!) })
  const gone = await use('call', { method: 'GET', path: `/transactions/${uid}` })
  expect(gone.text).toMatch(/^404 .*\nwhy: /)
  expect(gone.isError).toBe(true)
  for (const method of ['clock.rewind', '../api/v1/openapi.json'])
    expect((await use('control', { method })).isError).toBe(true)
})

it('says once why a request is refused, and then what would be accepted', async () => {
  const { use } = await connect()
  const { text, isError } = await use('call', { method: 'GET', path: '/customers?limit=-1' })
  expect(isError).toBe(true)
  const [head, why = '', ...repairs] = text.split('\n')
  expect(head).toMatch(/^400 GET \/customers\?limit=-1 \(\w+\): 1\d{3} /)
  expect(why).toMatch(/^why: \S+ .*limit$/)
  expect(text.split(why.slice(5))).toHaveLength(2)
  expect(repairs.filter((line) => line.startsWith('repair: '))).toHaveLength(2)
  expect(text).not.toContain('"errors"')
})

it('tries calls, and changes nothing', async () => {
  const { use } = await connect()
  const before = await seq()
  const tried = await use('try', { calls: [await WIRE()], advance: '2bd' })
  expect(tried.text).toMatch(/^Nothing was changed. It would do this:/)
  expect(tried.text).toContain('201 POST /sandbox/mock_transactions')
  expect(await seq()).toBe(before)
})

it('only tries in its mode that tries', async () => {
  const { use } = await connect(options('try-only'))
  const before = await seq()
  for (const [tool, input] of [
    ['call', await WIRE()],
    ['advance', { by: '2bd' }],
    ['control', { method: 'transactions.inject', input: exampleOf('transactions.inject') }],
  ] as const)
    expect((await use(tool, input as never)).text).toMatch(/Nothing was changed|is refused/)
  expect((await use('control', { method: 'worlds.create', input: {} })).text).toContain('cannot be tried')
  const refused = await use('call', { method: 'GET', path: '/customers?limit=-1' })
  expect(refused.isError).toBe(true)
  expect(refused.text).toContain('\nrepair: ')
  expect(await seq()).toBe(before)
})

it('only reads in its mode that reads', async () => {
  const { client, use } = await connect(options('read-only'))
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('advance')
  const before = await seq()
  expect((await use('call', await WIRE())).isError).toBe(true)
  const { text, isError } = await use('control', { method: 'clock.advance', input: { text: '1h' } })
  expect(text).toContain('clock.advance may change something, and this server only reads')
  expect(isError).toBe(true)
  expect((await use('call', { method: 'GET', path: '/customers?limit=1' })).text).toMatch(/^200/)
  expect((await use('control', { method: 'clock.read' })).text).toContain('frozen')
  const way = { goal: 'customers=under_review', apply: true }
  expect((await use('control', { method: 'reach', input: way })).text).toContain('this server only reads')
  expect(await seq()).toBe(before)
})

it('a method that only reads leaves records, faults, worlds, snapshots and scenarios as they are', async () => {
  const state = async () => ({
    seq: await seq(),
    faults: await sandbox.control.faults.list(),
    worlds: await sandbox.worlds.list(),
    snapshots: await sandbox.control.snapshots.list(),
    scenarios: await sandbox.control.scenarios.list(),
  })
  const before = await state()
  const { use } = await connect(options('read-only'))
  const reading = methodNames.filter(onlyReads)
  expect(reading.length).toBeGreaterThan(30)
  for (const method of reading) await use('control', { method, input: exampleOf(method as MethodName) as object })
  expect(await state()).toEqual(before)
})

it('removes keys from what it answers', async () => {
  const { use } = await connect()
  const { text } = await use('control', { method: 'programs.list' })
  expect(text).toContain('[key removed]')
  expect(text).not.toContain(sandbox.programs[0]!.hmac_key)
})

it.each<[MethodName, () => object]>([
  ['webhooks.create', () => ({ url: 'http://127.0.0.1:9/hooks', confirm: false })],
  ['programs.create', () => ({ name: 'Second' })],
  ['programs.rotate_key', () => ({ uid: sandbox.programs[0]!.uid })],
])(
  'removes the keys that %s draws in a copy, which are those that the call itself then draws',
  async (method, input) => {
    const { use } = await connect()
    const calls = [{ method, input: input() }]
    const { text } = await use('try', { calls })
    expect(text).toContain('"hmac_key":"[key removed]"')
    const tried = await sandbox.control.worlds.try({ calls })
    expect(tried.answers[0]!.output).toMatchObject({ hmac_key: '[key removed]' })
  },
)

it('removes a key that a request of a copy has drawn', async () => {
  const { use } = await connect()
  const { text } = await use('try', {
    calls: [{ method: 'webhooks.create', input: { url: null } }, { method: 'webhooks.list' }],
  })
  expect(text.match(/"hmac_key":"\[key removed\]"/g)!.length).toBeGreaterThan(1)
  expect(text).not.toMatch(/"hmac_key":"[^[]/)
})

it('gets the beginning of a long answer only, masked, and says how long it is', async () => {
  const { use } = await connect()
  for (const method of ['bundles.export', 'world.commits'] as const) {
    const { text } = await use('control', { method, input: exampleOf(method) as object })
    expect(text).toMatch(/^\{"/)
    const headers = { 'x-control-key': control_key, 'x-sandbank-masked': '1000', 'content-type': 'application/json' }
    const answer = await fetch(`${control}/${method}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(exampleOf(method)),
    })
    const start = await answer.text()
    expect(start).toHaveLength(1_000)
    expect(Number(answer.headers.get('x-sandbank-length'))).toBeGreaterThan(1_000)
    expect(text.startsWith(start.slice(0, 60))).toBe(true)
  }
})

it('cuts an answer that has more than 2,000 tokens, and says where the rest is', async () => {
  const { use } = await connect()
  const { text } = await use('control', { method: 'records.list', input: { collection: 'transactions', limit: 100 } })
  expect(text.length).toBeLessThanOrEqual(8_000)
  expect(text).toMatch(/\[Cut: \d+ of \d+ characters\. The rest: sandbank control records.list '\{/)
  expect(cut('x'.repeat(100_000), 'y'.repeat(1_000)).length).toBeLessThanOrEqual(8_000)
  expect(cut('short', 'unused')).toBe('short')
})

it('describes names, and has records and timelines as resources', async () => {
  const { client, use } = await connect()
  const transfers = await use('describe', { name: 'POST /transfers' })
  expect(transfers.text).toContain('usd_transfer_amount')
  expect(tokens(transfers.text)).toBeLessThanOrEqual(700)
  const names = (await use('describe', {})).text
  for (const name of ['POST /transfers', 'clock.advance', 'vrn_cooldown_minutes', 'R10', 'kyc-smith', 'all states'])
    expect(names).toContain(name)
  expect(names).not.toContain('[Cut')
  expect((await use('describe', { name: 'qqqqqqqqqqqq' })).text).toContain('describe without a name lists them all')
  const { data } = await sandbox.control.records.list({ collection: 'customers', limit: 1 })
  for (const uri of [`sandbank://records/customers/${data[0]!.uid}`, `sandbank://timelines/${data[0]!.uid}`]) {
    const { contents } = await client.readResource({ uri })
    expect((contents[0] as { text: string }).text).toContain('{')
  }
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2)
  await expect(client.readResource({ uri: 'sandbank://records/customers/none' })).rejects.toMatchObject({
    code: -32_602,
  })
})

it('says how to start a sandbox when none is running', async () => {
  const none = async () => {
    throw new CommandError(NOT_RUNNING)
  }
  const { use } = await connect({ find: none })
  expect(await use('control', { method: 'clock.read' })).toEqual({ text: NOT_RUNNING, isError: true })
})

describe('over HTTP', () => {
  async function listen() {
    const server = serveHttp(options())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  }

  it.each([undefined, 'Bearer wrong', 'Basic wrong'])('answers 401 with a sentence to %s', async (given) => {
    const headers = { 'content-type': 'application/json', ...(given && { authorization: given }) }
    const answer = await fetch(await listen(), { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      error: 'The control key of the sandbox is missing or wrong: Authorization: Bearer KEY is expected',
    })
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('serves the official client that has the key, by %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${control_key}` }
    const client = new Client({ name: 'test', version: '0.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(await listen()), { requestInit: { headers } }))
    expect((await client.listTools()).tools).toHaveLength(6)
    const { content } = await client.callTool({ name: 'control', arguments: { method: 'clock.read' } })
    expect((content as { text: string }[])[0]!.text).toContain('frozen')
    await client.close()
  })
})
