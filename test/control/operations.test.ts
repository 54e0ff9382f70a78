import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, vi } from 'vitest'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { CHECKING, createCustomer, createSession, openFresh, reopen, type Session } from '../support/history.ts'
import { createCaller } from '../support/operator.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import { setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'
import { canonical } from '../support/world.ts'

/** Undo and redo are one stack in the sandbox: whatever was done is one operation, whichever client asks. */

function follow(session: Session) {
  const { store } = session.sandbox
  const call = createCaller(session.sandbox)
  return {
    ...session,
    call,
    world: () => canonical(store.world),
    seq: () => store.world.seq,
    operations: async () => (await call('operations.list', {})).operations,
    register: (n: number) => session.post('/customers', { email: `c${n}@example.test` }),
    /** The refusal as its one line. */
    refusal: async <N extends MethodName>(name: N, input: MethodInput<N>) => {
      const reply = await session.sandbox.call(name, input)
      return reply.ok ? 'not refused' : reply.error.errors[0]?.extra
    },
  }
}
type Caller = ReturnType<typeof createCaller>
const open = async (data: string | null = null) => follow(await openFresh(data))

/** Lets real time pass, in which a running clock runs the tasks that become due. */
function createRealTime() {
  const begin = performance.now()
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => begin + passed)
  return { pass: (ms: number) => (passed += ms) }
}
/** Each step of a job takes so long that the job pauses after it, so that requests arrive in the middle of it. */
function pauseAfterEachStep() {
  let elapsed = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (elapsed += 30))
}
afterEach(() => void vi.restoreAllMocks())

/** The files as a kill leaves them. */
function copyAsKilled(data: string, to: string) {
  for (const name of readdirSync(data))
    if (/^(changes|log|snapshots|.*\.jsonl?)$/.test(name)) cpSync(join(data, name), join(to, name), { recursive: true })
}

const SCENARIO = `name: Two Customers
steps:
  - request: POST /customers
    body: { email: a@example.test }
  - advance: 1h
  - request: POST /customers
    body: { email: b@example.test }
`

describe('an operation', () => {
  it('an advance of four days is one, with its tasks by outcome, the money that settled and its records', async () => {
    const session = await open()
    const { call, world, operations, seq, post } = session
    const person = await createCustomer(session, 1)
    await call('clock.set', { pace: 'real' })
    await post('/sandbox/mock_transactions', {
      transaction_type: 'ach',
      customer_uid: person.uid,
      us_dollar_amount: 12.5,
    })
    const before = world()
    const { now } = await call('clock.read', {})
    const operation = seq() + 1
    const { ran } = await call('clock.advance', { by: 'P4D' })
    const [advance] = await operations()
    expect(ran).toBeGreaterThan(2)
    expect(advance).toMatchObject({
      operation,
      last: seq(),
      commits: ran + 1,
      cause: { door: 'operator', name: 'clock.advance' },
      money: '12.50',
      undone_by: null,
    })
    expect(advance!.tasks.reduce((sum, { count }) => sum + count, 0)).toBe(ran)
    expect(advance!.tasks).toContainEqual(expect.objectContaining({ outcome: 'settled', count: 1 }))
    const step = { operation, operations: 1, requests: 0, to: operation - 1 }
    const words = { says: 'advance of 2 business days', did: `${ran} tasks: 1 settled; $12.50 settled` }
    expect(advance).toMatchObject(words)
    expect(await call('operations.preview', {})).toMatchObject({ undo: { ...step, ...words }, redo: null })
    expect(await call('operations.undo', {})).toMatchObject(step)
    expect(world()).toBe(before)
    expect((await call('clock.read', {})).now).toBe(now)
    expect((await operations()).find((one) => one.operation === operation)).toMatchObject({ undone_by: seq() })
  })

  it('is named as it stands after Undo, and says what it did', async () => {
    const { call, operations, register, sandbox } = await open()
    const newest = async () => {
      const [{ says, did } = { says: '', did: '' }] = await operations()
      return `${says}: ${did}`
    }
    await register(1)
    expect(await newest()).toBe('request POST /customers: 1 customer')
    await call('clock.set', { pace: 'real' })
    expect(await newest()).toMatch(/^action: set the clock/)
    for (const [text, named] of [
      ['90 minutes', 'of 90 minutes'],
      ['36h', 'of 36 hours'],
      ['30s', 'of 30 seconds'],
      ['2 business days', 'of 2 business days'],
      ['1bd', 'of 1 business day'],
      ['2026-12-31 10:30', 'to 2026-12-31 10:30 ET'],
    ] as const) {
      await call('clock.advance', { text })
      expect((await operations())[0]!.says).toBe(`advance ${named}`)
    }
    await call('world.reset', { world: 'demo' })
    const { customers } = sandbox.store.world.collections
    const { uid } = customers.inOrder().find(({ status }) => status === 'active')!
    await call('moves.make', { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
    expect((await operations())[0]!.says).toBe('decision lock')
  })

  it('a span of time is counted in parts, without what was undone, and costs no page of operations', async () => {
    const { call, register, seq, sandbox } = await open()
    const { now } = await call('clock.read', {})
    const begin = Date.parse(now)
    const span = (hours: number, parts: number) =>
      call('operations.count', {
        from: new Date(begin).toISOString(),
        to: new Date(begin + hours * 3_600_000).toISOString(),
        parts,
      })
    await register(1)
    await register(2)
    const second = seq()
    await call('clock.advance', { by: 'PT1H' })
    await register(3)
    const third = seq()
    const nothing = { decisions: 0, tasks: 0, settled: 0, money: '0.00' }
    expect((await span(2, 2)).parts).toEqual([
      expect.objectContaining({ ...nothing, from: now, until: now, requests: 2, last: second, commit: second }),
      expect.objectContaining({ ...nothing, operations: 2, requests: 1, last: third, commit: third }),
    ])
    expect((await span(2, 1)).parts).toMatchObject([{ requests: 3, last: third }])
    await call('operations.undo', {})
    const [, later] = (await span(2, 2)).parts
    expect(later).toMatchObject({ requests: 0 })
    expect((await span(1, 500)).parts).toHaveLength(1)

    // A refused request has no commit.
    const before = seq()
    await call('clock.advance', { by: 'PT30M' })
    const { status } = await sandbox.client().get('/customers/nobody')
    await sandbox.client().get('/nowhere')
    expect([status, seq()]).toEqual([404, before + 1])
    expect((await span(2, 4)).refused).toEqual([
      { until: expect.any(String), requests: 2, newest: expect.stringMatching(/^x/) },
    ])
  })

  it('a decision, a request, a task, an import, a reset, a restore and a rewind are one each; undo and redo give each world', async () => {
    const session = await open()
    const { call, world, operations, register, seq } = session
    const { text } = await call('bundles.export', {})
    await register(1)
    const kept = seq()
    await call('snapshots.keep', { name: 'kept' })
    await call('world.reset', { world: 'demo' })
    const { customers } = session.sandbox.store.world.collections
    const { uid } = customers.inOrder().find(({ status }) => status === 'active')!
    const changes: (() => Promise<unknown>)[] = [
      () => call('moves.make', { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } }),
      () => session.sandbox.client().post('/customers', {}),
      async () => call('tasks.run', { uid: (await call('tasks.list', {})).tasks[0]!.uid }),
      () => call('bundles.import', { text }),
      () => call('world.reset', { world: 'demo' }),
      () => call('snapshots.restore', { name: 'kept' }),
      () => call('world.rewind', { seq: kept }),
    ]
    const worlds = [world()]
    for (const change of changes) {
      await change()
      worlds.push(world())
    }
    for (const before of worlds.slice(0, -1).toReversed()) {
      await call('operations.undo', {})
      expect(world()).toBe(before)
    }
    for (const after of worlds.slice(1)) {
      await call('operations.redo', {})
      expect(world()).toBe(after)
    }
    await session.expectBalancedLedger()
    expect((await operations()).filter(({ cause }) => cause.undo === 'undo')).toHaveLength(changes.length)
  })

  it('an import is one with all commits of its bundle', async () => {
    const first = await open()
    for (const n of [1, 2, 3]) await first.register(n)
    await first.call('operations.undo', {})
    const { text } = await first.call('bundles.export', {})
    const { call, world, operations, seq } = await open()
    const before = world()
    await call('bundles.import', { text })
    const [operation, ...others] = await operations()
    expect(others).toMatchObject([{ operation: 1, cause: { name: 'world.create' } }])
    expect(operation).toMatchObject({ cause: { name: 'bundles.import' }, last: seq(), commits: seq() - 1 })
    await call('operations.undo', {})
    expect(world()).toBe(before)
  })

  it('a scenario in the current world is one, with its reset, its requests and its advance, also step by step', async () => {
    const { call, world, operations, register, seq } = await open()
    await register(1)
    const before = world()
    const run = await call('scenarios.run', { text: SCENARIO, into: 'present' })
    expect(run).toMatchObject({ state: 'passed', operation: expect.any(Number) as number })
    const after = world()
    const [scenario] = await operations()
    expect(scenario).toMatchObject({ operation: run.operation, last: seq(), undone_by: null })
    expect(await call('operations.undo', { operation: run.operation! })).toMatchObject({ operations: 1, requests: 0 })
    expect(world()).toBe(before)
    expect((await call('scenarios.list', {})).current).toMatchObject({ operation: run.operation })
    expect((await call('operations.preview', { operation: run.operation! })).undone_by).toMatchObject({ seq: seq() })
    await call('operations.redo', {})
    expect(world()).toBe(after)

    const begun = await call('scenarios.step', { text: SCENARIO, into: 'present' })
    await call('operations.undo', {})
    expect(world()).toBe(after)
    // What the paused one does next is another operation.
    const { operation } = await call('scenarios.run', {})
    expect(operation).toBeGreaterThan(begun.operation!)
    await call('operations.undo', {})
    expect(world()).toBe(after)
  })

  it.each<[how: string, leave: (call: Caller, bundle: string) => Promise<unknown>]>([
    ['a rewind', (call) => call('world.rewind', { seq: 1 })],
    ['a restore', (call) => call('snapshots.restore', { name: 'before' })],
    ['a reset', (call) => call('world.reset', { world: 'empty' })],
    ['an import', (call, text) => call('bundles.import', { text })],
  ])('%s that goes back before a paused scenario ends its operation', async (_, leave) => {
    const { call, operations, register, seq } = await open()
    await call('snapshots.keep', { name: 'before' })
    const { text } = await call('bundles.export', {})
    const begun = await call('scenarios.run', { text: SCENARIO, into: 'present', until: 1 })
    await register(1)
    await leave(call, text)
    const left = seq()
    const { operation } = await call('scenarios.step', {})
    expect(operation).toBe(left + 1)
    const [newest] = await operations()
    expect(newest).toMatchObject({ operation: left + 1, undone_by: null })
    expect((await operations()).find((one) => one.operation === begun.operation)!.last).toBeLessThan(left)
  })

  it('a replay in the current world is one', async () => {
    const { call, world, operations, register, seq } = await open()
    await register(1)
    await call('clock.advance', { by: 'PT1H' })
    await register(2)
    const before = world()
    const { operation } = await call('exchanges.replay', { since: 1, into: 'present' })
    expect(operation).toBe((await operations())[0]!.operation)
    expect((await operations())[0]).toMatchObject({ last: seq(), commits: seq() - operation! + 1 })
    await call('operations.undo', {})
    expect(world()).toBe(before)
  })

  it('tasks that run by themselves are one until something else changes the world', async () => {
    const { pass } = createRealTime()
    const session = follow(createSession(await startSandbox({ clock: 'running' })))
    const { call, operations, register, sandbox } = session
    const { uid } = await session.post('/customers', { email: 'olive@example.test', details: PERSON })
    await session.post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
    const before = sandbox.store.world.collections.tasks.inOrder()
    pass(60_000)
    await call('clock.read', {})
    pass(86_400_000)
    await call('clock.read', {})
    const [tasks, request] = await operations()
    expect(tasks).toMatchObject({ cause: { door: 'time' } })
    expect(tasks!.commits).toBeGreaterThan(2)
    expect(request).toMatchObject({ cause: { name: 'POST /customer_products' } })
    await register(2)
    await call('operations.undo', {})
    await call('operations.undo', {})
    expect(sandbox.store.world.collections.tasks.inOrder()).toEqual(before)
  })

  it('in a world whose clock runs, undo goes back to before the last request, to its time; what ran by itself goes along', async () => {
    const { pass } = createRealTime()
    const session = follow(createSession(await startSandbox({ clock: 'running' })))
    const { call, operations, register, sandbox } = session
    await register(1)
    pass(3_600_000)
    const { now } = await call('clock.read', {})
    const { uid } = await session.post('/customers', { email: 'olive@example.test', details: PERSON })
    pass(86_400_000)
    await call('clock.read', {})
    expect((await operations())[0]).toMatchObject({ cause: { door: 'time' } })
    const undone = await call('operations.undo', {})
    expect(undone).toMatchObject({ cause: { name: 'POST /customers' }, operations: 2, at: now, now })
    expect(sandbox.store.world.collections.customers.get(uid!)).toBeUndefined()
    pass(86_400_000)
    await call('clock.read', {})
    expect((await operations())[0]).toMatchObject({ cause: { door: 'time' } })
    await call('operations.redo', {})
    expect(sandbox.store.world.collections.customers.get(uid!)).toMatchObject({ email: 'olive@example.test' })
  })

  it('undo of an advance sets the clock to the time at which the advance began', async () => {
    const { pass } = createRealTime()
    const { call, register, operations } = follow(createSession(await startSandbox({ clock: 'running' })))
    await register(1)
    pass(120_000)
    const { now } = await call('clock.read', {})
    await call('clock.advance', { by: 'P4D' })
    expect((await operations())[0]).toMatchObject({ cause: { name: 'clock.advance' }, at: now })
    expect(await call('operations.undo', {})).toMatchObject({ now })
  })

  it('the outcomes of webhooks belong to the operation before, and do not clear redo', async () => {
    const { call, sandbox, customer, receiver } = await setUpWebhook()
    const { uid } = await customer()
    await waitForDeliveries(call)
    const [before, sent] = [canonical(sandbox.store.world), receiver.received.length]
    await call('moves.make', { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
    await waitForDeliveries(call)
    expect(receiver.received.length).toBeGreaterThan(sent)
    const after = canonical(sandbox.store.world)
    const { operations } = await call('operations.list', {})
    expect(operations[0]).toMatchObject({ cause: { decision: 'lock' }, last: sandbox.store.world.seq })
    await call('operations.undo', {})
    expect(canonical(sandbox.store.world)).toBe(before)
    await waitForDeliveries(call)
    await call('operations.redo', {})
    expect(canonical(sandbox.store.world)).toBe(after)
  })
})

describe('undo', () => {
  it('requests that others sent during an advance stay operations of their own, and the answer says how many it takes along', async () => {
    const session = follow(createSession(await startSandbox({ seed: 'test', world: 'demo' })))
    const { call, world, operations, register, seq } = session
    await register(0)
    await call('clock.set', { pace: 'real' })
    const before = world()
    const first = seq() + 1
    const advancing = call('clock.advance', { by: 'P3000D' })
    await register(1)
    await advancing
    const [advance, request] = await operations()
    expect(advance).toMatchObject({ operation: first, last: seq() })
    expect(request).toMatchObject({ cause: { door: 'request' }, commits: 1 })
    expect(request!.operation).toBeGreaterThan(first)
    const step = { operations: 2, requests: 1, to: first - 1 }
    expect(await call('operations.preview', {})).toMatchObject({ undo: { operation: first, ...step } })
    // Either way: half an advance is never undone.
    const undone = await call('operations.undo', { operation: request!.operation })
    expect(undone).toMatchObject({ operation: request!.operation, operations: 2, to: first - 1 })
    expect(world()).toBe(before)
  })

  it('one with later operations takes these along, and one redo brings all of them back', async () => {
    const { call, world, register, seq } = await open()
    const before = world()
    await register(1)
    const first = seq()
    await register(2)
    await call('clock.advance', { by: 'PT1H' })
    const after = world()
    expect(await call('operations.undo', { operation: first })).toMatchObject({ operations: 3, requests: 1 })
    expect(world()).toBe(before)
    expect(await call('operations.preview', {})).toMatchObject({ undo: null, redo: { operations: 3 } })
    await call('operations.redo', {})
    expect(world()).toBe(after)
  })

  it('what a rewind has left already is not counted again, neither by undo nor by redo', async () => {
    const { call, register, seq, world } = await open()
    const before = world()
    await register(0)
    const first = seq()
    for (let n = 1; n <= 4; n++) await register(n)
    await call('world.rewind', { seq: first + 1 })
    await register(5)
    const after = world()
    // Two requests that are left, the rewind, and the request after it.
    const step = { operation: first, operations: 4, requests: 2, to: first - 1 }
    expect(await call('operations.preview', { operation: first })).toMatchObject({ undo: step })
    expect(await call('operations.undo', { operation: first })).toMatchObject(step)
    expect(world()).toBe(before)
    expect(await call('operations.redo', {})).toMatchObject({ operation: first, operations: 4, requests: 2 })
    expect(world()).toBe(after)
  })

  it('what a rewind has left is not counted after a restart either, though a reset came since and was undone', async () => {
    const data = createTemporaryFolder()
    const { call, register, seq, sandbox } = await open(data)
    await register(0)
    const operation = seq()
    for (let n = 1; n <= 4; n++) await register(n)
    await call('world.rewind', { seq: operation + 1 })
    await call('world.reset', { world: 'empty' })
    await call('operations.undo', {})
    const before = await call('operations.preview', { operation })
    expect(before.undo).toMatchObject({ operations: 3, requests: 1 })
    await sandbox.close()
    expect(await follow(await reopen(data)).call('operations.preview', { operation })).toEqual(before)
  })

  it('the answer counts the requests that arrived until its end', async () => {
    const { call, register, seq, sandbox, world } = await open()
    const before = world()
    const first = seq() + 1
    for (let n = 1; n <= 3; n++) await register(n)
    const { store } = sandbox
    const { history } = store
    // When the rewind begins, the step has been found.
    vi.spyOn(store, 'history').mockImplementationOnce((filter) => {
      const cause = { door: 'request', name: 'POST /customers' } as const
      store.operate(cause, (tx) => tx.setClock({ ...store.world.clock, pace: 'real' }))
      return history.call(store, filter)
    })
    expect(await call('operations.undo', { operation: first })).toMatchObject({ requests: 3, operations: 4 })
    expect(seq()).toBe(first + 4)
    expect(world()).toBe(before)
  })

  it('the first commit after a start, and a preview, read the history from its end', async ({ folder: data }) => {
    const session = await open(data)
    for (let n = 1; n <= 3; n++) await session.register(n)
    const operation = session.seq()
    await session.call('operations.undo', {})
    await session.call('scenarios.run', { text: SCENARIO, into: 'present' })
    await session.sandbox.close()
    const again = follow(await reopen(data))
    const fromStart = vi.spyOn(again.sandbox.store, 'commitsBetween')
    await again.call('clock.advance', { by: 'PT1H' })
    await again.call('operations.undo', {})
    expect((await again.call('operations.preview', {})).redo).not.toBeNull()
    expect((await again.call('operations.preview', { operation })).undone_by).not.toBeNull()
    expect(fromStart).not.toHaveBeenCalled()
  })

  it('a request that arrives during a redo refuses it, and is kept', async () => {
    const { call, register, seq, sandbox, refusal, world } = await open()
    await register(1)
    const undone = seq()
    await call('operations.undo', {})
    const { store } = sandbox
    const { history } = store
    let during = ''
    // When the rewind begins, the step has been found.
    vi.spyOn(store, 'history').mockImplementationOnce((filter) => {
      const cause = { door: 'request', name: 'POST /customers' } as const
      store.operate(cause, (tx) => tx.setClock({ ...store.world.clock, pace: 'real' }))
      during = world()
      return history.call(store, filter)
    })
    expect(await refusal('operations.redo', {})).toBe(
      `operation: nothing was redone: commit ${undone + 2} (POST /customers) came meanwhile and is kept; world.rewind {"seq":${undone}} leaves it behind`,
    )
    expect(world()).toBe(during)
    await call('world.rewind', { seq: undone })
    expect(store.world.collections.customers.size).toBe(1)
  })

  it('a change after an undo clears redo', async () => {
    const { call, register, refusal } = await open()
    await register(1)
    await call('operations.undo', {})
    await register(2)
    expect(await refusal('operations.redo', {})).toBe(
      'operation: there is nothing to redo: nothing was undone since the last change',
    )
  })

  it('the stack is the same for each client, and after a restart', async ({ folder: data }) => {
    const session = await open(data)
    const { register, world } = session
    await register(1)
    await register(2)
    await session.call('clock.advance', { by: 'P2D' })
    await register(3)
    const worlds = [world()]
    for (let n = 1; n <= 2; n++) {
      await session.call('operations.undo', {})
      worlds.push(world())
    }
    const told = await session.call('operations.list', {})
    await session.sandbox.close()
    const again = follow(await reopen(data))
    expect(await again.call('operations.list', {})).toEqual(told)
    expect(again.world()).toBe(worlds[2])
    await again.call('operations.redo', {})
    expect(again.world()).toBe(worlds[1])
    await again.call('operations.redo', {})
    expect(again.world()).toBe(worlds[0])
    expect((await again.call('operations.preview', {})).redo).toBeNull()
  })

  it('what the sandbox adds after an undo, such as the time at which it closes, changes nothing about the stack', async () => {
    const data = createTemporaryFolder()
    const session = follow(createSession(await startSandbox({ data, clock: 'running' })))
    const { size } = session.sandbox.store.world.collections.customers
    await session.register(1)
    const first = session.seq()
    await session.register(2)
    const second = session.seq()
    await session.call('operations.undo', {})
    const undo = session.seq()
    await session.sandbox.close()
    const again = follow(createSession(await startSandbox({ data, clock: 'running' })))
    expect(again.seq(), 'the commit of the close').toBe(undo + 1)
    expect(await again.call('operations.preview', {})).toMatchObject({
      undo: { operation: first, operations: 1 },
      redo: { operation: second, operations: 1 },
    })
    await again.call('operations.undo', {})
    expect(again.sandbox.store.world.collections.customers.size).toBe(size)
  })

  it('what closed the sandbox or copied the world is never what it names, also if the history begins with that', async () => {
    const session = await open()
    await session.register(1)
    await session.call('snapshots.keep', { name: 'without webhook' })
    await session.call('webhooks.create', { url: null })
    const webhook = session.seq()
    await session.call('snapshots.keep', { name: 'it' })
    await session.call('worlds.create', { name: 'copy', from: 'current' })
    await session.call('worlds.create', { name: 'bare', from: { snapshot: 'it' } })
    const { worlds } = session.sandbox
    const callIn = (name: string) => createCaller(worlds.get(name)!)
    const [newest] = (await callIn('copy')('operations.list', {})).operations
    expect(newest!.cause.name).toBe('worlds.create')
    const copied = { operation: webhook, operations: 2, cause: { name: 'webhooks.create' } }
    expect((await callIn('copy')('operations.preview', {})).undo).toMatchObject(copied)
    expect(await callIn('copy')('operations.undo', {})).toMatchObject(copied)
    expect(await callIn('bare')('operations.preview', {})).toMatchObject({ undo: null, redo: null })
    const folder = join(createTemporaryFolder(), 'kept')
    await session.call('worlds.create', { name: 'empty', from: { snapshot: 'without webhook' }, clock: 'running' })
    await session.call('worlds.keep', { name: 'empty', folder })
    for (const listed of [[], ['close']]) {
      const kept = follow(createSession(await startSandbox({ data: folder, clock: 'running' })))
      expect((await kept.operations()).map(({ cause }) => cause.name)).toEqual(listed)
      expect(await kept.refusal('operations.undo', {})).toBe('operation: there is nothing to undo')
      await kept.sandbox.close()
    }
  })

  it('after a kill in the middle of an advance, what it did until then is one operation', async ({ folder: data }) => {
    const session = follow(createSession(await startSandbox({ data, world: 'demo', seed: 'test' })))
    await session.register(1)
    const [before, first] = [session.world(), session.seq() + 1]
    const killed = createTemporaryFolder()
    let copied = 0
    const stop = session.sandbox.store.subscribe(({ seq }) => {
      if (seq !== first + 20) return
      stop()
      copied = seq
      copyAsKilled(data, killed)
    })
    await session.call('clock.advance', { by: 'P90D' })
    await session.sandbox.close()
    const again = follow(await reopen(killed))
    expect(copied).toBe(first + 20)
    const [advance] = await again.operations()
    expect(advance).toMatchObject({ operation: first, cause: { name: 'clock.advance' } })
    await again.call('operations.undo', {})
    expect(again.world()).toBe(before)
  })

  it('an operation that the history has no more is neither listed nor undone', async ({ folder: data }) => {
    const usual = { ...SAVE_AFTER }
    onTestFinished(() => void Object.assign(SAVE_AFTER, usual))
    Object.assign(SAVE_AFTER, { commits: 5 })
    const session = await open(data)
    for (let n = 1; n <= 30; n++) {
      await session.register(n)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await session.sandbox.close()
    const folder = join(data, 'changes')
    rmSync(join(folder, readdirSync(folder).sort()[0]!))
    const again = follow(await reopen(data))
    const kept = Number.parseInt(readdirSync(folder).sort()[0]!, 10)
    const operations = await again.operations()
    expect(operations.at(-1)!.operation).toBe(kept)
    expect(await again.refusal('operations.undo', { operation: kept - 1 })).toBe(
      `operation: operation ${kept - 1} is not in the history any more, which begins with commit ${kept}`,
    )
    expect(await again.refusal('operations.undo', { operation: kept })).toBe(
      `operation: the history does not have what was before operation ${kept} any more: it begins with commit ${kept}`,
    )
    expect(await again.call('operations.undo', { operation: kept + 1 })).toMatchObject({ to: kept })
  })

  it('what a request was undone by is said by the log of requests, too', async () => {
    const { call, register, seq } = await open()
    await register(1)
    await call('operations.undo', {})
    const [undone] = (await call('exchanges.list', { limit: 1 })).data
    expect(undone!.undone_by).toEqual({ seq: seq(), name: 'operations.undo' })
    await call('operations.redo', {})
    expect((await call('exchanges.list', { limit: 1 })).data[0]!.undone_by).toBeUndefined()
  })
})

describe('refused, with what to do', () => {
  it('what is undone already, what another one went on from, what does not exist, and a part of an operation', async () => {
    const { call, refusal, register, seq } = await open()
    await register(1)
    const first = seq()
    await register(2)
    const second = seq()
    await call('operations.undo', {})
    expect(await refusal('operations.undo', { operation: second })).toBe(
      `operation: operation ${second} is undone already, by commit ${second + 1}: operations.redo brings it back`,
    )
    expect(await refusal('operations.undo', { operation: second + 1 })).toBe(
      `operation: commit ${second + 1} is an undo itself: see operations.redo`,
    )
    await register(3)
    const third = seq()
    await call('world.rewind', { seq: first })
    const rewind = seq()
    expect(await refusal('operations.undo', { operation: third })).toBe(
      `operation: operation ${rewind} (world.rewind) went on from before operation ${third}: undo operation ${rewind} first`,
    )
    await call('operations.undo', {})
    expect(await refusal('operations.redo', { operation: third })).toBe(
      `operation: operation ${third} cannot be redone: it is not undone, or the world has changed since`,
    )
    expect(await refusal('operations.undo', { operation: 999 })).toBe(
      `operation: there is no operation 999 yet: the newest commit is ${seq()}`,
    )
    await call('clock.advance', { by: 'P1D' })
    const { operations } = await call('operations.list', { limit: 1 })
    expect(await refusal('operations.undo', { operation: seq() })).toBe(
      `operation: commit ${seq()} is a part of operation ${operations[0]!.operation}: undo that one`,
    )
  })

  it('while an advance or a scenario is running, and where there is nothing', async () => {
    const { call, refusal } = await open()
    expect(await refusal('operations.undo', {})).toBe('operation: there is nothing to undo')
    pauseAfterEachStep()
    const advance = call('clock.advance', { by: 'P900D' })
    expect(await refusal('operations.undo', {})).toMatch(/^an advance is running: wait for it, or stop it with/)
    await call('clock.cancel', {})
    await advance
    const run = call('scenarios.run', { text: SCENARIO, into: 'present' })
    expect(await refusal('operations.undo', {})).toMatch(/^a scenario is running: wait for it, or stop it with/)
    await run
  })
})

const REFUSED =
  /^operation: (there is nothing to (undo|redo)|nothing was redone|operation \d+ (is undone already|cannot be redone|\(|is not))|^world\.rewind is under way/

it('while an app writes and two windows undo and redo, each request is in the world, or the log says what has undone it', async () => {
  const { call, post, refusal, seq, sandbox, expectBalancedLedger } = await open()
  for (let n = 1; n <= 20; n++) await post('/customers', { email: `c${n}@example.test` })
  const first = seq() - 19
  pauseAfterEachStep()
  const write = async (writer: number) => {
    for (let n = 1; n <= 15; n++) await post('/customers', { email: `w${writer}.${n}@example.test` })
  }
  const refusals: string[] = []
  const use = async (window: number) => {
    for (let n = 0; n < 5; n++)
      for (const name of ['operations.undo', 'operations.redo'] as const) {
        const input = name === 'operations.undo' && n % 2 ? { operation: first + 16 - 3 * n - window } : {}
        refusals.push((await refusal(name, input)) ?? '')
      }
  }
  await Promise.all([write(0), write(1), use(0), use(1)])
  for (const why of refusals.filter((one) => one !== 'not refused')) expect(why).toMatch(REFUSED)
  expect(refusals).toContain('not refused')
  const { data } = await call('exchanges.list', { limit: 1000 })
  const { customers } = sandbox.store.world.collections
  const written = data.filter(({ path, status }) => path.endsWith('/customers') && status === 201)
  expect(written).toHaveLength(20 + 2 * 15)
  for (const { uid, undone_by } of written) {
    const { response } = await call('exchanges.get', { uid })
    const created = (JSON.parse(response!.body) as { uid: string }).uid
    expect(customers.get(created) === undefined, `${uid}, undone by ${undone_by?.seq}`).toBe(undone_by !== undefined)
  }
  await expectBalancedLedger()
})
