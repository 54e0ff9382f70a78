import { describe, expect, it } from 'vitest'
import { createCaller, expectRefusedCall } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** A Customer with 500.00, an account for ACH, and a receiver of webhooks. */
async function open() {
  const world = await setUpPayments()
  const { sandbox } = world
  const ask = createCaller(sandbox)
  const olive = await world.customer()
  await world.fund(olive, '500.00')
  const bank = await world.account(olive, 'ach_external')
  const receiver = await startReceiver()
  await ask('webhooks.create', { url: receiver.url, confirm: false })
  const pay = (usd_transfer_amount: string) => ({
    method: 'exchanges.send',
    input: {
      method: 'POST',
      path: '/transfers',
      body: JSON.stringify({
        source_synthetic_account_uid: olive.master,
        destination_synthetic_account_uid: bank,
        initiating_customer_uid: olive.uid,
        ach: ACH,
        usd_transfer_amount,
      }),
    },
  })
  return { ...world, ask, olive, bank, receiver, pay }
}

describe('worlds.try', () => {
  it('says what calls would do: balances, records, events, tasks, and what was answered', async () => {
    const { ask, olive, pay, receiver } = await open()
    const { answers, changes } = await ask('worlds.try', { calls: [pay('120.50')] })
    expect(answers).toMatchObject([{ method: 'exchanges.send', output: { status: 201 }, refused: null }])
    expect(changes.balances).toContainEqual({
      synthetic_account_uid: olive.master,
      name: expect.any(String),
      customer: expect.stringContaining('Olive'),
      settled: { before: '500.00', after: '500.00', difference: '0.00' },
      available: { before: '500.00', after: '379.50', difference: '-120.50' },
      pending: { before: '0.00', after: '-120.50', difference: '-120.50' },
    })
    expect(changes.records.map(({ collection, what, status }) => [collection, what, status.after])).toEqual([
      ['transfers', 'created', 'queued'],
      ['transactions', 'created', 'queued'],
    ])
    expect(changes.events).toMatchObject([
      { topic: 'transfers', sent_to: [receiver.url] },
      { topic: 'transactions', sent_to: [receiver.url] },
    ])
    expect(changes.tasks.map(({ kind }) => kind)).toEqual(['send payment', 'finish payment'])
    expect(changes.clock.after).toBe(changes.clock.before)
  })

  it('goes on over time: what an advance would do follows the request', async () => {
    const { ask, olive, pay } = await open()
    const { changes } = await ask('worlds.try', {
      calls: [pay('120.50'), { method: 'clock.advance', input: { text: '5 banking days' } }],
    })
    const [own] = changes.balances.filter(({ synthetic_account_uid }) => synthetic_account_uid === olive.master)
    expect(own).toMatchObject({ settled: { before: '500.00', after: '379.50' } })
    expect(changes.records.map(({ status }) => status)).toEqual([
      { before: null, after: 'settled' },
      { before: null, after: 'settled' },
    ])
    expect(changes.clock.after > changes.clock.before).toBe(true)
  })

  it('leaves the world as it was, byte for byte, sends nothing, and leaves no world', async () => {
    const { ask, sandbox, pay, receiver } = await open()
    const before = [canonical(sandbox.store.world), await ask('exchanges.list', {}), await ask('world.commits', {})]
    await ask('worlds.try', { calls: [pay('1.00'), { method: 'clock.advance', input: { by: 'P30D' } }] })
    await ask('worlds.try', { calls: [{ method: 'world.reset', input: { world: 'demo' } }] })
    expect([canonical(sandbox.store.world), await ask('exchanges.list', {}), await ask('world.commits', {})]).toEqual(
      before,
    )
    expect(receiver.received).toEqual([])
    expect(await ask('worlds.list', {})).toEqual({ worlds: [] })
    expect(sandbox.worlds.list()).toEqual([])
  })

  it('ends at the first call that is refused, and says why', async () => {
    const { ask, olive } = await open()
    const { answers, changes } = await ask('worlds.try', {
      calls: [
        {
          method: 'moves.make',
          input: { collection: 'customers', uid: olive.uid, move: 'lock', inputs: { lock_reason: 'Lost' } },
        },
        { method: 'clock.advance', input: { text: 'soon' } },
        { method: 'clock.advance', input: { by: 'P1D' } },
      ],
    })
    expect(answers.map(({ method, refused }) => [method, refused?.status])).toEqual([
      ['moves.make', undefined],
      ['clock.advance', 400],
    ])
    expect(changes.records).toMatchObject([
      { uid: olive.uid, what: 'changed', status: { before: 'active', after: 'active' } },
    ])
  })

  it('refuses calls on other worlds and on the sandbox, and more tasks than asked for', async () => {
    const { sandbox, ask, pay } = await open()
    for (const method of ['worlds.drop', 'worlds.try', 'sandbox.stop'])
      await expectRefusedCall(
        sandbox,
        () => ask('worlds.try', { calls: [{ method, input: {} }] }),
        'invalidArgument',
        `calls: ${method} is about more than one world, and cannot be tried`,
      )
    await expectRefusedCall(
      sandbox,
      () =>
        ask('worlds.try', { calls: [pay('1.00'), { method: 'clock.advance', input: { by: 'P30D' } }], most_tasks: 3 }),
      'invalidArgument',
      'calls: they run more than 3 tasks: try less, or pass most_tasks',
    )
  })

  it('names what is sent again, and what the operator has set up', async () => {
    const { ask, receiver } = await open()
    const { webhooks } = await ask('webhooks.list', {})
    const { uid } = webhooks[0]!
    const { changes } = await ask('worlds.try', {
      calls: [
        { method: 'webhooks.test', input: { uid } },
        { method: 'webhooks.update', input: { uid, topics: ['transfers'] } },
      ],
    })
    expect(changes.events).toMatchObject([{ topic: 'test', sent_to: [receiver.url] }])
    expect(changes.records).toMatchObject([{ collection: 'webhooks', uid, fields: [{ field: 'topics' }] }])
  })

  it('ends when it is canceled, and when the sandbox closes', async () => {
    const { ask, sandbox } = await open()
    const faults = [{ method: 'GET', path: '/pools', kind: 'latency', ms: 60_000, times: 1 }]
    const slow = [
      { method: 'faults.set', input: { faults } },
      { method: 'exchanges.send', input: { method: 'GET', path: '/pools' } },
    ]
    const closing = ask('worlds.try', { calls: slow }).catch((error: unknown) => error)
    const long = Array.from({ length: 100 }, () => ({ method: 'clock.advance', input: { by: 'P30D' } }))
    const canceled = ask('worlds.try', { calls: long }).catch((error: unknown) => error)
    await expect.poll(async () => (await ask('work.cancel', {})).canceled).toBe(true)
    expect(await canceled).toMatchObject({ message: expect.stringContaining('was stopped with work.cancel') })
    await sandbox.close()
    expect(await closing).toMatchObject({ message: expect.stringMatching(/the sandbox is closing|was stopped/) })
    expect(sandbox.told).toEqual([])
  })

  it('begins with the present of a running clock, which goes on meanwhile', async () => {
    const sandbox = await startSandbox({ world: 'demo', clock: 'running' })
    const ask = createCaller(sandbox)
    const { changes } = await ask('worlds.try', { calls: [{ method: 'clock.advance', input: { by: 'P1D' } }] })
    expect(Date.parse(changes.clock.after) - Date.parse(changes.clock.before)).toBe(86_400_000)
    expect(await ask('clock.read', {})).toMatchObject({ mode: 'running' })
  })
})

describe('world.changes', () => {
  it('compares the world with a commit: a record that came to be as it was is not named', async () => {
    const { ask, olive } = await open()
    const { seq } = await ask('world.describe', {})
    await ask('moves.make', { collection: 'customers', uid: olive.uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
    expect((await ask('world.changes', { since: seq })).records).toMatchObject([
      { uid: olive.uid, what: 'changed', fields: [{ field: 'lock_reason', after: 'Lost' }, { field: 'locked_at' }] },
    ])
    await ask('operations.undo', {})
    expect(await ask('world.changes', { since: seq })).toMatchObject({
      records: [],
      total_count: { balances: 0, records: 0, events: 0, tasks: 0 },
    })
  })

  it('refuses a commit that is not there', async () => {
    const { sandbox, ask } = await open()
    const { seq } = await ask('world.describe', {})
    await expectRefusedCall(
      sandbox,
      () => ask('world.changes', { since: seq + 1 }),
      'invalidArgument',
      `since: there is no commit ${seq + 1} yet: the newest one is ${seq}`,
    )
  })
})
