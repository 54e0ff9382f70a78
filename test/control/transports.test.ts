import { describe, expect, it } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import { type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { httpBridge, ipcBridge } from '../support/bridges.ts'
import { expectControlError } from '../support/operator.ts'
import { START, startSandbox } from '../support/sandbox.ts'
import { scheduleTasks } from '../support/tasks.ts'
import { waitFor } from '../support/wait.ts'
import { canonical } from '../support/world.ts'

/** The two transports of the control API. What each method does is tested over one of them, in the other files of this folder. */

const HOUR = 3_600_000
const at = (ms: number) => new Date(START + ms).toISOString()

describe.each([
  ['HTTP', httpBridge],
  ['IPC', ipcBridge],
])('the control API over %s', (_transport, bridgeTo) => {
  async function operator(options: Partial<SandboxOptions> = {}) {
    const sandbox = await startSandbox({ library: 'resources/scenarios', ...options })
    const bridge = bridgeTo(sandbox)
    return { sandbox, bridge, control: createControlClient(bridge), api: sandbox.client() }
  }

  it('every method that only reads gives the same result as without a transport', async () => {
    const { sandbox, bridge, api } = await operator({ world: 'demo' })
    await api.post('/customers', { details: { first_name: '\u{1F4B8} <b>Zoë</b>\u202e', last_name: '"\\' } })
    await sandbox.call('webhooks.create', { url: null })
    const { customers, transactions, synthetic_accounts, webhook_events } = sandbox.store.world.collections
    const customer = { collection: 'customers', uid: customers.inOrder()[0]!.uid }
    const transaction = { collection: 'transactions', uid: transactions.inOrder()[0]!.uid }
    const account_uid = synthetic_accounts.inOrder().find(({ master_account }) => master_account)!.uid
    const lock = { ...customer, move: 'lock', inputs: { lock_reason: 'Lost phone' } }
    expect(await sandbox.call('moves.make', lock)).toMatchObject({ ok: true })
    const inputs: Partial<Record<MethodName, object>> = {
      'clock.read': {},
      'calendar.read': { from: '2026-11-20', days: 12 },
      'tasks.list': {},
      'records.list': { collection: 'customers', include_initiated: true },
      'records.get': transaction,
      'records.names': { uids: [transaction.uid] },
      'records.history': transaction,
      'records.received': {},
      'records.related': customer,
      'records.search': { text: 'bakery' },
      'records.story': { uid: customer.uid },
      'moves.list': customer,
      'now.read': {},
      why: transaction,
      'ledger.accounts': {},
      'ledger.balances': { account_uid },
      'ledger.check': {},
      'ledger.lines': { account_uid },
      'ledger.reconciliation': {},
      'ledger.trial_balance': {},
      'recordings.describe': { text: 'curl http://127.0.0.1/customers' },
      'exchanges.list': {},
      'exchanges.get': { uid: 'x2' },
      'faults.list': {},
      'operations.list': {},
      'programs.list': {},
      'scenarios.list': {},
      'scenarios.read': { name: 'duplicate-trace-id' },
      'snapshots.list': {},
      'webhooks.list': {},
      'events.list': {},
      'events.get': { uid: webhook_events.inOrder()[0]!.uid },
      'world.commits': {},
      'world.describe': {},
      'worlds.list': {},
    }
    for (const [name, input] of Object.entries(inputs)) {
      const answer = await sandbox.call(name, input)
      expect(answer, name).toMatchObject({ ok: true })
      expect(await bridge.call(name, input), name).toEqual(answer)
    }
    const READS = /^why$|^ledger\.|\.(commits|describe|get|history|list|names|read|received|related|search|story)$/
    expect(Object.keys(inputs).toSorted()).toEqual(methodNames.filter((name) => READS.test(name)).toSorted())
  })

  it('methods that change the world make one commit each, with its cause', async () => {
    const { sandbox, control } = await operator()
    const { seq } = sandbox.store.world
    await control['snapshots.keep']({ name: 'before' })
    await control['programs.create']({ name: 'Zweites \u{1F4B8}' })
    expect(await control['clock.advance']({ by: 'PT1H' })).toMatchObject({ to: at(HOUR), ran: 0 })
    expect(await control['snapshots.compare']({ a: 'before' })).toMatchObject({ total_count: expect.any(Object) })
    expect(sandbox.programs()).toHaveLength(2)
    expect(sandbox.store.world.seq).toBe(seq + 2)
    await control['world.rewind']({ seq })
    expect(sandbox.programs()).toHaveLength(1)
  })

  it('refuses with status, code and reason, and nothing changes', async () => {
    const { sandbox, bridge, control } = await operator()
    const before = canonical(sandbox.store.world)
    const error = (work: Promise<unknown>) =>
      work.then(
        () => expect.unreachable('it was not refused'),
        (it) => it,
      )
    expectControlError(
      await error(control['records.get']({ collection: 'customers', uid: 'x' })),
      'routeNotFound',
      /no record x/,
    )
    expectControlError(await error(control['clock.advance']({ by: '24h' })), 'invalidArgument', /ISO 8601 duration/)
    expectControlError(
      await error(control['records.get']({ collection: 'customers' } as never)),
      'missingParameter',
      'uid is missing',
    )
    for (const name of ['nonsense', '__proto__', ''])
      expect(await bridge.call(name, {})).toMatchObject({ ok: false, error: { status: 404, errors: [{ code: 1001 }] } })
    for (const input of [[], 'x', { mood: 'frozen' }])
      expect(await bridge.call('clock.set', input)).toMatchObject({ ok: false, error: { errors: [{ code: 1007 }] } })
    expect(canonical(sandbox.store.world)).toBe(before)
  })

  it('sends notices of a commit, an exchange and progress', async () => {
    const { sandbox, bridge, control, api } = await operator()
    const notices: Notice[] = []
    await new Promise<void>((ready) =>
      bridge.subscribe(
        (batch) => void notices.push(...batch),
        (isConnected) => isConnected && ready(),
      ),
    )
    const { body } = await api.post('/customers', { email: 'a@x.test' })
    await control['clock.advance']({ by: 'PT1H' })
    await waitFor(() => expect(notices.some((notice) => notice.type === 'progress' && notice.done)).toBe(true))
    const commits = notices.filter((notice) => notice.type === 'commit')
    expect(commits[0]).toMatchObject({
      seq: 2,
      cause: { door: 'request', name: 'POST /customers', exchange: 'x2' },
      collections: ['customers'],
      uids: [body.uid],
    })
    const exchanges = notices.flatMap((notice) => (notice.type === 'exchange' ? [notice.exchange] : []))
    expect(exchanges.map(({ uid, status }) => [uid, status])).toEqual([
      ['x1', 201],
      ['x2', 201],
    ])
    expect(sandbox.store.world.seq).toBe(3)
  })

  it('handles requests and calls during an advance, refuses a second one, and cancels it', async () => {
    const slow = () => {
      for (const end = performance.now() + 10; performance.now() < end; );
    }
    const { sandbox, control, api } = await operator({ tasks: { slow } })
    await api.get('/customers')
    scheduleTasks(sandbox, ...Array.from({ length: 500 }, (_, i) => ['slow', (i + 1) * 1000] as const))
    const advancing = control['clock.advance']({ by: 'PT1H' })
    await waitFor(async () => expect((await control['clock.read']({})).now).not.toBe(at(0)))
    for (const second of [control['clock.advance']({ by: 'PT1H' }), control['clock.set']({ mode: 'running' })])
      expectControlError(await second.catch((error: unknown) => error), 'invalidArgument', /an advance is running/)
    expect((await api.get('/customers')).status).toBe(200)
    expect(await control['clock.cancel']({})).toEqual({ canceled: true })
    const { ran, to } = await advancing
    expect(ran).toBeGreaterThan(0)
    expect(ran).toBeLessThan(500)
    expect(to).toBe(at(ran * 1000))
    expect(await control['clock.cancel']({})).toEqual({ canceled: false })
    expect((await control['tasks.list']({})).tasks.filter(({ recurring }) => !recurring)).toHaveLength(500 - ran)
  })

  it('transfers whole files: a bundle is exported, imported and replayed', async () => {
    const { control, api } = await operator()
    await api.post('/customers', { email: 'ada@example.test', details: { first_name: 'Ada' } })
    await control['clock.advance']({ by: 'PT1H' })
    const { text, exchanges, acts } = await control['bundles.export']({ note: 'for you \u{1F4B8}' })
    expect({ exchanges, acts }).toEqual({ exchanges: 2, acts: 1 })
    const other = await operator()
    const { since, note } = await other.control['bundles.import']({ text })
    expect(note).toBe('for you \u{1F4B8}')
    expect(await other.control['exchanges.replay']({ since })).toMatchObject({ same: 2, differs: 0, refused: 0 })
  })
})

it('over HTTP a body of more than 1 MB is refused, except of methods that take files', async () => {
  const { control, control_key } = await startSandbox()
  const send = async (method: string, body: string) => {
    const headers = { 'x-control-key': control_key, 'content-type': 'application/json' }
    const response = await fetch(`${control}/${method}`, { method: 'POST', headers, body })
    return [response.status, ((await response.json()) as { errors?: { extra?: string }[] }).errors?.[0]?.extra]
  }
  const blanks = ' '.repeat(1 << 20)
  expect(await send('clock.read', blanks)).toEqual([200, undefined])
  expect(await send('clock.read', `${blanks} `)).toEqual([413, 'more than 1048576 bytes'])
  expect(await send('exchanges.replay', `${blanks}{"text":1}`)).toEqual([400, expect.stringMatching(/^text: /)])
})
