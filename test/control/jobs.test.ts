import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { type JobHandle, Jobs } from '../../src/api/control/jobs.ts'
import { diffBackToInSteps } from '../../src/api/store/history.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
import { checkLedgerInSteps } from '../../src/api/views/books.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { ask } from '../support/operator.ts'
import { START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { canonical } from '../support/world.ts'

/** "Progress and cancel on anything longer than 300 ms": whatever the operator asks for and may take long. */

/** A clock by which every look takes this long. */
const ticking = (ms: number) => {
  let now = 0
  return () => (now += ms)
}

it('reports its progress and its end', async () => {
  const told: Notice[] = []
  const work = new Jobs((notice) => told.push(notice), ticking(100))
  const answer = await work.runExclusive('world.rewind', async (underway) => {
    for (let read = 1; read <= 4; read++)
      expect(await underway.reportProgress({ done: read, of: 4, unit: 'commits' })).toBe(true)
    await underway.finishUninterrupted()
    return 'there'
  })
  expect(answer).toBe('there')
  const common = { type: 'work', uid: 'w1', name: 'world.rewind', unit: 'commits', of: 4 }
  expect(told.length).toBeGreaterThan(2)
  expect(told[0]).toMatchObject({ ...common, can_stop: true, over: false })
  expect(told.at(-2)).toEqual({ ...common, done: 4, can_stop: false, over: false })
  expect(told.at(-1)).toEqual({ ...common, done: 4, can_stop: false, over: true })
})

it('does not report short jobs', async () => {
  const told: Notice[] = []
  const work = new Jobs((notice) => told.push(notice), ticking(0))
  await work.runExclusive('world.rewind', async (underway) => {
    await underway.reportProgress({ done: 1, of: 2, unit: 'commits' })
    await underway.finishUninterrupted()
  })
  expect(told).toEqual([])
})

it('pauses for requests', async () => {
  const work = new Jobs(() => {}, ticking(100))
  let others = 0
  const other = setInterval(() => others++, 0)
  await work.runExclusive('world.rewind', async (underway) => {
    for (let read = 0; others < 3; read++) await underway.reportProgress({ done: read, of: null, unit: 'commits' })
  })
  clearInterval(other)
  expect(others).toBeGreaterThanOrEqual(3)
})

it('can be canceled before its last part; another one can start after it ended in any way', async () => {
  const work = new Jobs(() => {}, ticking(0))
  expect(work.cancel()).toBe(false)
  await work.runExclusive('exchanges.replay', async (underway) => {
    expect(() => work.refuseDuringExclusive()).toThrow(/Invalid/i)
    await expect(work.runExclusive('world.rewind', async () => {})).rejects.toMatchObject({
      extra: 'exchanges.replay is under way: wait for it, or stop it with work.cancel',
    })
    expect(await underway.reportProgress({ done: 0, of: 2, unit: 'steps' })).toBe(true)
    expect(work.cancel()).toBe(true)
    expect(await underway.reportProgress({ done: 1, of: 2, unit: 'steps' })).toBe(false)
    await underway.finishUninterrupted()
    expect(work.cancel()).toBe(false)
  })
  await expect(work.runExclusive('world.rewind', () => Promise.reject(new Error('torn')))).rejects.toThrow('torn')
  expect(work.exclusive).toBeUndefined()
  await work.runExclusive('world.rewind', async (underway) =>
    expect(await underway.reportProgress({ done: 0, of: 1, unit: 'steps' })).toBe(true),
  )
})

it('counts steps by the numbers that they yield, and ends them when it is canceled', async () => {
  const told: Notice[] = []
  const work = new Jobs((notice) => told.push(notice), ticking(200))
  let left = 0
  function* steps(): Steps<string> {
    try {
      yield 500
      yield
      yield 'last'
      return 'there'
    } finally {
      left++
    }
  }
  expect(await work.runExclusive('bundles.import', (underway) => underway.runSteps(steps(), 'bytes', 501))).toBe(
    'there',
  )
  expect(told.map((notice) => notice.type === 'work' && [notice.done, notice.can_stop, notice.over])).toEqual([
    [500, true, false],
    [501, true, false],
    [501, true, false],
    [501, false, false],
    [501, false, true],
  ])
  expect(left).toBe(1)
  const stopped = work.runExclusive('bundles.import', async (underway) => {
    work.cancel()
    return underway.runSteps(steps(), 'bytes')
  })
  await expect(stopped).rejects.toMatchObject({
    extra: 'bundles.import was stopped with work.cancel: nothing was changed',
  })
  expect(left).toBe(2)
})

it('a job that only reads runs at the same time as others, and is canceled by its name', async () => {
  const uids = new Map<string, string>()
  const work = new Jobs((notice) => {
    if (notice.type === 'work') uids.set(notice.name, notice.uid)
  }, ticking(200))
  const endless = async (underway: JobHandle) => {
    while (await underway.reportProgress({ done: 0, of: null, unit: 'records' })) await Promise.resolve()
    return 'stopped'
  }
  const all = ['snapshots.keep', 'snapshots.compare'] as const
  const answers = all.map((name) => work.runConcurrent(name, (underway) => endless(underway)))
  const alone = work.runExclusive('world.rewind', (underway) => endless(underway))
  await waitFor(() => expect(uids.size).toBe(3))
  expect(work.cancel('w99')).toBe(false)
  expect(work.cancel(uids.get('snapshots.compare'))).toBe(true)
  expect(await answers[1]).toBe('stopped')
  expect(work.exclusive).toBe('world.rewind')
  expect(work.cancel()).toBe(true)
  expect(await Promise.all([answers[0], alone])).toEqual(['stopped', 'stopped'])
  expect(work.cancel()).toBe(false)
})

for (const kind of ['in memory', 'in a data folder'])
  it(`commits made while the history is read are reverted, too: ${kind}`, async () => {
    const data = kind === 'in memory' ? null : createTemporaryFolder()
    const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
    const { store } = sandbox
    const program = store.world.collections.programs.inOrder()[0]!
    const named = (name: string) => ask(sandbox, 'programs.update', { uid: program.uid, name })
    for (let n = 0; n < 5; n++) await named(`Before ${n}`)
    const [to, then] = [store.world.seq, canonical(store.world)]
    for (let n = 0; n < 5; n++) await named(`After ${n}`)

    const back = diffBackToInSteps(store, to)
    back.next()
    await named('Meanwhile')
    await ask(sandbox, 'programs.create', { name: 'Another' })
    await ask(sandbox, 'clock.advance', { by: 'PT1H' })
    let step = back.next()
    while (!step.done) step = back.next()
    store.replaceWorld({ door: 'operator', name: 'world.rewind' }, step.value)
    expect(canonical(store.world)).toBe(then)
    expect(store.world.collections.programs.size).toBe(1)
  })

const demo = () =>
  startSandbox({ data: createTemporaryFolder(), seed: 'test', start: START, world: 'demo', clock: 'frozen' })

/** So that a long work begins and does not end before somebody has stopped it. */
function stopsAtOnce(sandbox: TestSandbox, name: string, input: object) {
  const answer = sandbox.call(name, input)
  return Promise.all([answer, sandbox.call('work.cancel', {})])
}

it('a canceled rewind or restore does not change the world; a canceled replay keeps its changes', async () => {
  const sandbox = await demo()
  const { store } = sandbox
  const api = sandbox.client()
  await ask(sandbox, 'snapshots.keep', { name: 'kept' })
  await ask(sandbox, 'clock.advance', { by: 'PT1H' })
  for (let n = 0; n < 3; n++) await api.get('/customers')
  const before = canonical(store.world)
  for (const [name, input] of [
    ['world.rewind', { seq: 1 }],
    ['snapshots.restore', { name: 'kept' }],
  ] as const) {
    const [answer, canceled] = await stopsAtOnce(sandbox, name, input)
    expect(canceled).toMatchObject({ value: { canceled: true } })
    expect(answer).toMatchObject({
      ok: false,
      error: { status: 400, errors: [{ extra: `${name} was stopped with work.cancel: nothing was changed` }] },
    })
    expect(canonical(store.world)).toBe(before)
  }
  const { data } = await ask<{ data: { uid: string }[] }>(sandbox, 'exchanges.list')
  const replay = { uids: data.map(({ uid }) => uid), into: 'present' }
  const [replayed] = await stopsAtOnce(sandbox, 'exchanges.replay', replay)
  const resultOf = (reply: unknown) => (reply as { value: MethodOutput<'exchanges.replay'> }).value
  expect(resultOf(replayed), 'it was collecting the requests').toMatchObject({ left: data.length, exchanges: [] })
  const unsubscribe = sandbox.subscribe(({ type }) => {
    if (type === 'exchange') void sandbox.call('work.cancel', {})
  })
  const { left, exchanges } = resultOf(await sandbox.call('exchanges.replay', replay))
  unsubscribe()
  expect([left, exchanges.length]).toEqual([data.length - 1, 1])
  await expect(ask(sandbox, 'work.cancel')).resolves.toEqual({ canceled: false })
  await ask(sandbox, 'world.rewind', { seq: 1 })
})

for (const kind of ['in memory', 'in a data folder'])
  it(`taking a snapshot, comparing and importing a bundle can be canceled, and leave no files: ${kind}`, async () => {
    const data = kind === 'in memory' ? null : createTemporaryFolder()
    const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'demo', clock: 'frozen' })
    const { store } = sandbox
    const { text } = await ask<MethodOutput<'bundles.export'>>(sandbox, 'bundles.export')
    await ask(sandbox, 'snapshots.keep', { name: 'kept' })
    await ask(sandbox, 'clock.advance', { by: 'P1D' })
    const before = canonical(store.world)
    for (const [name, input] of [
      ...(data === null ? [] : [['snapshots.keep', { name: 'another' }] as const]),
      ['snapshots.compare', { a: 'kept' }],
      ['bundles.import', { text }],
    ] as const) {
      const [answer, canceled] = await stopsAtOnce(sandbox, name, input)
      expect(canceled).toMatchObject({ value: { canceled: true } })
      expect(answer, name).toMatchObject({
        error: { errors: [{ extra: `${name} was stopped with work.cancel: nothing was changed` }] },
      })
    }
    expect(canonical(store.world)).toBe(before)
    expect(await ask(sandbox, 'snapshots.list')).toMatchObject({ snapshots: [{ name: 'kept' }] })
    if (data !== null) expect(readdirSync(join(data, 'snapshots'))).toEqual(['kept.jsonl'])
  })

it('a snapshot or comparison uses the world at the time of the call', async () => {
  const sandbox = await demo()
  const program = sandbox.store.world.collections.programs.inOrder()[0]!
  const [kept] = await Promise.all([
    ask(sandbox, 'snapshots.keep', { name: 'kept' }),
    ask(sandbox, 'programs.update', { uid: program.uid, name: 'Meanwhile' }),
  ])
  expect(kept).toMatchObject({ seq: sandbox.store.world.seq - 1 })
  const found = await ask<MethodOutput<'snapshots.compare'>>(sandbox, 'snapshots.compare', { a: 'kept' })
  expect(found.records.map(({ collection, fields }) => [collection, fields.map(({ field }) => field)])).toEqual([
    ['programs', ['name']],
  ])
})

it('the ledger check uses the books at the time of the call, even if the world changes', async () => {
  const sandbox = await demo()
  const { store } = sandbox
  await ask(sandbox, 'programs.create', { name: 'Another' })
  const { checked } = runToEnd(checkLedgerInSteps(store))
  expect(checked).toMatchObject({ programs: 2 })
  const steps = checkLedgerInSteps(store)
  expect(steps.next().done).toBe(false)
  await ask(sandbox, 'world.reset', { world: 'empty' })
  expect(runToEnd(steps)).toEqual({ balanced: true, checked, problems: [] })
})

it('during a rewind, other jobs that replace the world and clock changes are refused', async () => {
  const sandbox = await demo()
  await ask(sandbox, 'snapshots.keep', { name: 'kept' })
  const answer = sandbox.call('world.rewind', { seq: 1 })
  for (const [name, input] of [
    ['world.rewind', { seq: 1 }],
    ['world.reset', { world: 'empty' }],
    ['snapshots.restore', { name: 'kept' }],
    ['bundles.import', { text: 'nothing' }],
    ['exchanges.replay', { text: 'curl http://127.0.0.1/api/v1/customers' }],
    ['clock.advance', { by: 'PT1H' }],
  ] as const)
    expect(await sandbox.call(name, input), name).toMatchObject({
      error: { errors: [{ extra: 'world.rewind is under way: wait for it, or stop it with work.cancel' }] },
    })
  expect(await answer).toMatchObject({ ok: true })
  expect(await ask(sandbox, 'ledger.check')).toMatchObject({ balanced: true })
})

it('an export can be canceled, and contains the world at the time of the call', async () => {
  const sandbox = await demo()
  const [stopped] = await stopsAtOnce(sandbox, 'bundles.export', {})
  expect(stopped).toMatchObject({
    error: { errors: [{ extra: 'bundles.export was stopped with work.cancel: nothing was changed' }] },
  })
  const before = await ask<MethodOutput<'bundles.export'>>(sandbox, 'bundles.export')
  const answer = ask<MethodOutput<'bundles.export'>>(sandbox, 'bundles.export')
  const program = sandbox.store.world.collections.programs.inOrder()[0]!
  await ask(sandbox, 'programs.update', { uid: program.uid, name: 'Meanwhile' })
  await ask(sandbox, 'clock.advance', { by: 'PT1H' })
  const { text, ...counts } = await answer
  expect(counts).toMatchObject({ commits: before.commits, acts: before.acts, exchanges: before.exchanges })
  expect(text).not.toContain('Meanwhile')
})

it('why reads the history only back to the first cause, and only the commits of what it explains', async () => {
  const sandbox = await demo()
  const { store } = sandbox
  const { post, call } = sandbox.client()
  const { body: customer } = await post('/customers', { email: 'ada@example.test' })
  for (const name of ['first', 'second'])
    await call('PUT', `/customers/${customer.uid}`, { json: { details: { first_name: name } } })
  const changed = store.world.seq
  const program = store.world.collections.programs.inOrder()[0]!
  await ask(sandbox, 'programs.update', { uid: program.uid, name: 'Another name' })
  const read: unknown[] = []
  const { historyInSteps } = store
  vi.spyOn(store, 'historyInSteps').mockImplementation(function* (wanted) {
    for (const commit of historyInSteps.call(store, wanted)) {
      read.push(commit?.seq)
      yield commit
    }
  })
  // The latest change is a request, so nothing before it is asked for.
  await ask(sandbox, 'why', { collection: 'customers', uid: String(customer.uid) })
  expect(read.splice(0)).toEqual([changed])
  // An operator action is not the first cause of a record, so its creation is read, too.
  await ask(sandbox, 'why', { collection: 'programs', uid: program.uid })
  expect([...new Set(read)]).toEqual([changed + 1, 1])
})

it('a commit that is no longer in the history is refused before the history is read', async () => {
  const sandbox = await startSandbox({ data: createTemporaryFolder(), seed: 'test', start: START, world: 'empty' })
  const { store } = sandbox
  vi.spyOn(store, 'firstSeq', 'get').mockReturnValue(3)
  const history = vi.spyOn(store, 'history')
  expect(await sandbox.call('world.rewind', { seq: 1 })).toMatchObject({
    error: { errors: [{ extra: 'seq: Commit 1 is no longer in the history' }] },
  })
  expect(history).not.toHaveBeenCalled()
})
