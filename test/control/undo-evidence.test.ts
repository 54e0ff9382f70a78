import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/api/contract/control/exchanges.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createSession, openFresh, reopen } from '../support/history.ts'
import { createCaller, NO_DIFFERENCE } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** Undo is a rewind: what it undoes stays in the request log, the record and the export. */

/** The client signs in with its first request. */
const SIGN_IN = 1

async function sendFour(data: string | null = null) {
  const session = await openFresh(data)
  const call = createCaller(session.sandbox)
  const seqs: number[] = [session.sandbox.store.world.seq]
  for (let n = 1; n <= 4; n++) {
    await session.post('/customers', { email: `c${n}@example.test` })
    seqs.push(session.sandbox.store.world.seq)
  }
  await call('clock.advance', { business_days: 2 })
  return { ...session, call, seqs }
}

/** Imports a bundle into another sandbox and replays it there: all must be the same, and so must the world. */
async function expectSameReplay(text: string, requests: number) {
  const sandbox = await startSandbox({ seed: 'other' })
  const call = createCaller(sandbox)
  const { since, exchanges } = await call('bundles.import', { text })
  expect(exchanges).toBe(SIGN_IN + requests)
  const outcome = await call('exchanges.replay', { since, keep: 'replayed' })
  expect(outcome.exchanges.map(({ verdict }) => verdict)).toEqual(Array<string>(SIGN_IN + requests).fill('same'))
  expect(outcome.acts.filter(({ refused }) => refused !== null)).toEqual([])
  expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  expect(await call('ledger.check', {})).toMatchObject({ balanced: true })
  return { sandbox, call }
}

describe('undo does not lose evidence', () => {
  it('4 requests, advance, Undo: the export holds 4, and its replay arrives at the same world', async () => {
    const { call, seqs, sandbox } = await sendFour()
    const before = canonical(sandbox.store.world)
    await call('world.rewind', { seq: seqs[4]! })
    expect(canonical(sandbox.store.world)).not.toBe(before)
    const { text, exchanges, acts } = await call('bundles.export', {})
    expect({ exchanges, acts }).toEqual({ exchanges: SIGN_IN + 4, acts: 2 })
    await expectSameReplay(text, 4)
  })

  it('a rewind before the requests, the first one included, keeps them in the export as well', async () => {
    const { call, seqs, post, sandbox } = await sendFour()
    await call('world.rewind', { seq: seqs[2]! })
    await post('/customers', { email: 'c5@example.test' })
    await call('world.rewind', { seq: seqs[0]! })
    await post('/customers', { email: 'c6@example.test' })
    const { text, exchanges, acts } = await call('bundles.export', {})
    expect({ exchanges, acts }).toEqual({ exchanges: SIGN_IN + 6, acts: 3 })
    const there = await expectSameReplay(text, 6)
    const { data } = await there.call('records.list', {
      collection: 'customers',
      include_initiated: true,
      program_uid: sandbox.programs()[0]!.uid,
    })
    expect(data).toHaveLength(1)
    // An import of the import has all of it, too.
    await expectSameReplay((await there.call('bundles.export', {})).text, 6)
  })

  it('a redo stays in the record: the replay arrives at the world with the advance', async () => {
    const { call, seqs, sandbox } = await sendFour()
    const advanced = canonical(sandbox.store.world)
    const { seq } = await call('world.rewind', { seq: seqs[3]! })
    await call('world.rewind', { seq: seq - 1 })
    expect(canonical(sandbox.store.world)).toBe(advanced)
    const { data } = await call('exchanges.list', {})
    expect(data.filter(({ undone_by }) => undone_by)).toEqual([])
    const { text } = await call('bundles.export', {})
    await expectSameReplay(text, 4)
  })

  it('undone requests stay in the request log, marked with the rewind, also after a restart', async () => {
    const data = createTemporaryFolder()
    const { call, seqs, sandbox } = await sendFour(data)
    const { seq } = await call('world.rewind', { seq: seqs[2]! })
    const marks = async (ask: ReturnType<typeof createCaller>) =>
      (await ask('exchanges.list', {})).data.map(({ undone_by }: Exchange) => undone_by ?? null)
    const undone_by = { seq, name: 'world.rewind' }
    expect(await marks(call)).toEqual([undone_by, undone_by, null, null, null])
    expect(await call('exchanges.get', { uid: 'x5' })).toMatchObject({ undone_by, request: { body: /c4@/ } })
    expect(await call('exchanges.get', { uid: 'x3' })).not.toHaveProperty('undone_by')
    await sandbox.close()
    const again = createCaller((await reopen(data)).sandbox)
    expect(await marks(again)).toEqual([undone_by, undone_by, null, null, null])
    expect((await again('bundles.export', {})).exchanges).toBe(SIGN_IN + 4)
  })

  it('the world that a rewind left behind can be opened as a named world', async () => {
    const { call, seqs } = await sendFour()
    await call('world.rewind', { seq: seqs[1]! })
    const [newest] = (await call('exchanges.list', {})).data
    await call('worlds.create', { name: 'undone', from: { commit: newest!.seq_after } })
    const { records } = await call('worlds.compare', { b: 'undone' })
    expect(records.filter(({ collection }) => collection === 'customers')).toHaveLength(3)
  })

  it('world.commits names the rewind that left a commit, so that it can be redone', async () => {
    const { call, seqs, sandbox } = await sendFour()
    const { seq: end } = sandbox.store.world
    const advanced = canonical(sandbox.store.world)
    const { seq } = await call('world.rewind', { seq: seqs[3]! })
    const left = async () => (await call('world.commits', { limit: 1, before: end + 1 })).commits[0]!.left_by
    expect(await left()).toBe(seq)
    await call('world.rewind', { seq: seq - 1 })
    expect(canonical(sandbox.store.world)).toBe(advanced)
    expect(await left()).toBe(null)
  })

  it('Record writes what led to the current world, and lists what was undone', async () => {
    const { call, seqs, post } = await sendFour()
    await call('world.rewind', { seq: seqs[3]! })
    await post('/customers', { email: 'c5@example.test' })
    const { text, left_out } = await call('scenarios.record', {})
    for (const email of ['c1', 'c2', 'c3', 'c5']) expect(text).toContain(`${email}@example.test`)
    expect(text).not.toContain('c4@example.test')
    expect(left_out).toEqual([
      { at: 'x5', why: `POST /customers: undone by a rewind to commit ${seqs[3]}` },
      { at: 'o1', why: `clock.advance: undone by a rewind to commit ${seqs[3]}` },
    ])
    expect(await call('scenarios.run', { text })).toMatchObject({ state: 'passed' })
  })

  it('a replay of the request log since a commit goes over a rewind', async () => {
    const { call, seqs, post } = await sendFour()
    await call('world.rewind', { seq: seqs[3]! })
    await post('/customers', { email: 'c5@example.test' })
    const outcome = await call('exchanges.replay', { since: seqs[1]!, keep: 'replayed' })
    expect(outcome).toMatchObject({ same: 4, differs: 0, refused: 0 })
    expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  })

  it('a restore, a reset and an import begin a new record; the requests before them stay in the log, marked', async () => {
    const { call, post, sandbox } = await sendFour()
    await call('snapshots.keep', { name: 'it' })
    await post('/customers', { email: 'c5@example.test' })
    const { seq } = await call('snapshots.restore', { name: 'it' })
    expect((await call('bundles.export', {})).exchanges).toBe(0)
    const marked = async () => (await call('exchanges.list', {})).data.map(({ undone_by }) => undone_by?.name ?? null)
    expect(await marked()).toEqual(['snapshots.restore', null, null, null, null, null])
    await call('world.reset', { world: 'empty' })
    expect(new Set(await marked())).toEqual(new Set(['world.reset']))
    await call('world.rewind', { seq: seq - 1 })
    expect(new Set(await marked())).toEqual(new Set([null]))
    expect(sandbox.store.world.collections.customers.size).toBe(5)
  })
})

describe('a bundle with rewinds', () => {
  const edit = (text: string, change: (commit: Record<string, unknown>) => object) =>
    text
      .split('\n')
      .map((line) => (line.includes('"goes_on_from"') ? JSON.stringify(change(JSON.parse(line) as never)) : line))
      .join('\n')

  it('that goes back to a commit outside of it, or does not match its commits, is refused', async () => {
    const { call, seqs } = await sendFour()
    await call('world.rewind', { seq: seqs[2]! })
    const { text } = await call('bundles.export', {})
    const other = await startSandbox({ seed: 'other' })
    const { seq } = other.store.world
    const refusals: [object, RegExp][] = [
      [{ goes_on_from: seqs[0]! - 1 }, /goes_on_from: a commit from \d+ to \d+ is expected/],
      [{ goes_on_from: 10_000 }, /goes_on_from: a commit from \d+ to \d+ is expected/],
      [{ goes_on_from: seqs[1]! }, /counters: uid \d+ and made \d+ are expected after this rewind/],
      [{ cause: { door: 'operator', name: 'world.reset' } }, /a commit of world.rewind is expected/],
    ]
    for (const [change, why] of refusals) {
      const changed = edit(text, (line) => ({ commit: { ...(line.commit as object), ...change } }))
      expect(changed).not.toBe(text)
      await expect(createCaller(other)('bundles.import', { text: changed })).rejects.toThrow(why)
      expect(other.store.world.seq).toBe(seq)
    }
  })

  it('is imported into a data folder, and a restart finds the same world, record and marks', async () => {
    const first = await sendFour()
    await first.call('world.rewind', { seq: first.seqs[2]! })
    const { text } = await first.call('bundles.export', {})
    const data = createTemporaryFolder()
    let session = await openFresh(data)
    await session.post('/customers', { email: 'here@example.test' })
    await session.ask('bundles.import', { text })
    const world = canonical(session.sandbox.store.world)
    const marks = async () =>
      (await createCaller(session.sandbox)('exchanges.list', {})).data.map(({ undone_by }) => undone_by?.name ?? null)
    const here = ['bundles.import', 'bundles.import']
    const undone = ['world.rewind', 'world.rewind', null, null, null, ...here]
    expect(await marks()).toEqual(undone)
    await session.sandbox.close()
    session = createSession(await startSandbox({ data }))
    expect(canonical(session.sandbox.store.world)).toBe(world)
    expect(await marks()).toEqual(undone)
    expect(await session.ask('bundles.export')).toMatchObject({ exchanges: SIGN_IN + 4, acts: 2 })
  })
})
