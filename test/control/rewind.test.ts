import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, vi } from 'vitest'
import type { RecordCommit } from '../../src/api/contract/control/history.ts'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { expectRefusal } from '../support/client.ts'
import { OLIVE, PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import {
  CHECKING,
  createCustomer,
  createSession,
  openFresh,
  recordStates,
  reopen,
  runRound,
} from '../support/history.ts'
import { editLines } from '../support/lines.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'
import { canonical, expectUnchanged } from '../support/world.ts'

/** "The world as it was after any kept earlier commit": whatever the past, however it was kept. */

const usual = { ...SAVE_AFTER }
afterEach(() => void Object.assign(SAVE_AFTER, usual))

describe('a rewind is a commit like any other', () => {
  it('it can be undone, and so can its undo', async () => {
    const session = await openFresh()
    await runRound(session, 1)
    const { store } = session.sandbox
    const then = store.world.seq
    const states = recordStates(session)
    await runRound(session, 2)
    const last = store.world.seq
    const first = await session.rewind(then)
    expect(first.seq).toBe(last + 1)
    const second = await session.rewind(first.seq - 1)
    expect(canonical(store.world)).toBe(states.get(last))
    await session.rewind(second.seq - 1)
    expect(canonical(store.world)).toBe(states.get(then))
    await session.expectBalancedLedger()
  })

  it('a rewind to the newest commit only adds a commit', async () => {
    const session = await openFresh()
    await runRound(session, 1)
    const { store } = session.sandbox
    const before = [canonical(store.world), store.world.seq] as const
    expect(await session.rewind(before[1])).toMatchObject({ seq: before[1] + 1, changed: 0 })
    expect(canonical(store.world)).toBe(before[0])
  })

  it('a running clock continues from the time of that commit', async () => {
    const session = createSession(await startSandbox({ clock: 'running' }))
    const { store } = session.sandbox
    const { created_at } = await session.post('/customers')
    const made = store.world.seq
    await session.advance({ by: 'P1D' })
    await session.rewind(made)
    const { now, mode } = await session.ask<{ now: string; mode: string }>('clock.read')
    expect(mode).toBe('running')
    expect(now >= created_at!).toBe(true)
    expect(Date.parse(now)).toBeLessThan(Date.parse(created_at!) + 86_400_000)
  })

  it('after a task that ran late, e.g. a held one, the clock has the time of that commit', async () => {
    const session = await openFresh()
    const states = recordStates(session)
    const person = await createCustomer(session, 1)
    const { uid } = await session.post('/sandbox/mock_transactions', {
      transaction_type: 'ach',
      customer_uid: person.uid,
      us_dollar_amount: 5,
    })
    const { tasks } = await session.ask<{ tasks: { uid: string; record: string }[] }>('tasks.list')
    const task = tasks.find(({ record }) => record === uid)!
    await session.ask('tasks.hold', { uid: task.uid })
    await session.advance({ by: 'PT1H' })
    await session.ask('tasks.release', { uid: task.uid })
    const { now } = await session.ask<{ now: string }>('clock.read')
    const { store } = session.sandbox
    const ran = store.world.seq
    expect(store.world.collections.tasks.get(task.uid)).toBeUndefined()
    await session.post('/customers')
    expect(await session.rewind(ran)).toMatchObject({ now })
    expect(canonical(store.world)).toBe(states.get(ran))
  })
})

describe('across restores and resets', () => {
  it('a rewind before a reset restores the seed, and no uid of it is issued again', async () => {
    const session = await openFresh()
    const { store } = session.sandbox
    const made = store.world.seq
    const first = await session.post('/customers', { details: PERSON })
    const { ssn } = store.world.collections.customers.get(first.uid!)!
    await session.ask('world.reset', { world: 'empty', seed: 'another' })
    const other = await session.post('/customers', { details: PERSON })
    await session.rewind(made)
    expect(store.world.seed).toBe('test')
    const second = await session.post('/customers', { details: PERSON })
    expect(second).toEqual({ ...first, uid: second.uid })
    expect([first.uid, other.uid]).not.toContain(second.uid)
    // The same seed seals as before.
    expect(store.world.collections.customers.get(second.uid!)!.ssn).toBe(ssn)
  })

  it('after another world replaced this one, no list or index contains its records', async () => {
    const session = await openFresh()
    const { store } = session.sandbox
    await session.post('/customers', { email: 'first@example.test', external_uid: 'a' })
    const made = store.world.seq
    await session.ask('world.reset', { world: 'demo', seed: 'another' })
    await session.rewind(made)
    for (const [name, collection] of Object.entries(store.world.collections)) {
      expect(collection.inOrder(), name).toHaveLength(collection.size)
      for (const record of collection.inOrder()) expect(collection.get(record.uid), name).toBe(record)
    }
    expect(await session.list('/customers?include_initiated=true')).toMatchObject([{ email: 'first@example.test' }])
    expect(await session.list('/customers?include_initiated=true&external_uid=a')).toHaveLength(1)
    expect(await session.list('/customers?include_initiated=true&external_uid=demo-business-1')).toEqual([])
  })
})

describe('in a data folder', () => {
  it("also the month before a demo world's start, with balanced books at each commit", async ({ folder: data }) => {
    const session = createSession(await startSandbox({ data, seed: 'test', start: START, world: 'demo' }))
    const { store } = session.sandbox
    const last = store.world.seq
    const world = canonical(store.world)
    expect(last).toBeGreaterThan(20)
    for (let seq = last; seq >= 1; seq--) {
      await session.rewind(seq)
      await session.expectBalancedLedger()
    }
    expect(store.world.collections.customers.size).toBe(0)
    await session.rewind(last)
    expect(canonical(store.world)).toBe(world)
  })

  it('a history that does not lead back to the world after a commit is refused', async ({ folder: data }) => {
    const first = await openFresh(data)
    const { uid } = await first.post('/customers')
    const made = first.sandbox.store.world.seq
    await first.move('customers', uid!, 'lock', { lock_reason: 'x' })
    await first.move('customers', uid!, 'unlock')
    await first.sandbox.close()
    rewrite(data, (commit) =>
      commit.seq === made + 1
        ? { ...commit, changes: commit.changes.map(({ before: _, ...change }) => ({ ...change, before: {} })) }
        : commit,
    )
    const session = await reopen(data)
    const refused = () => session.sandbox.call('world.rewind', { seq: made })
    expect(await expectUnchanged(session.sandbox, refused)).toMatchObject({
      ok: false,
      error: {
        status: 500,
        errors: [{ extra: expect.stringMatching(/The records after world.rewind are not .* Nothing/) }],
      },
    })
    expect(await session.rewind(made + 1), 'but what came after it can be had').toMatchObject({ seq: made + 3 })
    const { commits } = await session.ask<{ commits: RecordCommit[] }>('records.history', {
      collection: 'customers',
      uid,
    })
    expect(commits.map(({ seq }) => seq)).toEqual([made + 3, made + 1, made])
  })

  it('a commit that is no longer in the history is refused, and nothing changes', async ({ folder: data }) => {
    Object.assign(SAVE_AFTER, { commits: 5 })
    const first = await openFresh(data)
    for (let i = 0; i < 30; i++) {
      await first.post('/customers')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await first.sandbox.close()
    const folder = join(data, 'changes')
    const [oldest, second] = readdirSync(folder).sort() as [string, string]
    expect(Number.parseInt(second, 10)).toBeGreaterThan(1)
    rmSync(join(folder, oldest))
    const session = await reopen(data)
    const kept = Number.parseInt(readdirSync(folder).sort()[0]!, 10)
    for (const seq of [1, kept - 1])
      expect(await expectUnchanged(session.sandbox, () => session.sandbox.call('world.rewind', { seq }))).toMatchObject(
        {
          ok: false,
          error: { status: 400, errors: [{ code: 1007, extra: `seq: Commit ${seq} is no longer in the history` }] },
        },
      )
    expect(await session.rewind(kept)).toMatchObject({ changed: expect.any(Number) })
  })

  it('a rewind that cannot be saved has no effect, and can be tried again', async () => {
    const session = await openFresh()
    await runRound(session, 1)
    const full = vi.spyOn(MemoryWorldFile.prototype, 'append').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device')
    })
    const reply = await expectUnchanged(session.sandbox, () => session.sandbox.call('world.rewind', { seq: 5 }))
    expect(reply).toMatchObject({ ok: false, error: { status: 500, errors: [{ code: 1000 }] } })
    full.mockRestore()
    await session.rewind(5)
    await session.expectBalancedLedger()
  })
})

describe('data outside of the world stays the same', () => {
  it('a trace id that was used stays used', async () => {
    const session = await openFresh()
    const { seq } = session.sandbox.store.world
    const headers = { 'x-trace-id': 'once' }
    expect((await session.api.post('/customers', {}, { headers })).status).toBe(201)
    await session.ask('snapshots.keep', { name: 'before' })
    await session.rewind(seq)
    expectRefusal(await session.api.post('/customers', {}, { headers }), 'duplicateTraceId')
    await session.ask('snapshots.restore', { name: 'before' })
    expectRefusal(await session.api.post('/customers', {}, { headers }), 'duplicateTraceId')
  })

  it.each([['in memory'], ['in a data folder, over a restart']])(
    'a reset forgets the trace ids, as they belong to the world that ends: a test suite sends the same ones again (%s)',
    async (where) => {
      const data = where === 'in memory' ? null : createTemporaryFolder()
      const headers = { 'x-trace-id': 'once' }
      let session = await openFresh(data)
      expect((await session.api.post('/customers', {}, { headers })).status).toBe(201)
      const { seq } = session.sandbox.store.world
      await session.ask('world.reset', { world: 'empty' })
      if (data !== null) {
        await session.sandbox.close()
        session = await reopen(data)
      }
      expect((await session.api.post('/customers', {}, { headers })).status).toBe(201)
      expectRefusal(await session.api.post('/customers', {}, { headers }), 'duplicateTraceId')
      // Undoing the reset brings the world back, and not what was sent to it.
      await session.ask('world.reset', { world: 'empty' })
      await session.rewind(seq)
      expect((await session.api.post('/customers', {}, { headers })).status).toBe(201)
      if (data === null) return
      await session.sandbox.close()
      session = await reopen(data)
      expectRefusal(await session.api.post('/customers', {}, { headers }), 'duplicateTraceId')
    },
  )

  it('access tokens, snapshots and faults stay', async () => {
    const session = await openFresh()
    await session.post('/customers')
    await session.ask('snapshots.keep', { name: 'a' })
    await session.ask('faults.set', { faults: [{ kind: 'status', path: '/products' }] })
    await session.rewind(1)
    expect((await session.api.get('/customers')).status).toBe(200)
    expect((await session.api.get('/products')).status).toBe(500)
    expect(await session.ask('snapshots.list')).toMatchObject({ snapshots: [{ name: 'a' }] })
  })
})

describe('a uid is never issued again', () => {
  /** Creates records of several collections, and returns all uids of the world. */
  async function work(session: Awaited<ReturnType<typeof openFresh>>, email: string) {
    const customer = await session.post('/customers', { ...OLIVE, email })
    await session.post('/customer_products', { customer_uid: customer.uid, product_uid: CHECKING })
    await session.advance({ until: 'idle' })
    return { uid: customer.uid!, uids: listUids(session) }
  }

  const listUids = ({ sandbox }: Awaited<ReturnType<typeof openFresh>>) =>
    Object.values(sandbox.store.world.collections).flatMap((all) => all.inOrder().map(({ uid }) => uid))

  it.each([
    ['in memory', false],
    ['in a data folder, over restarts', true],
  ])('after a rewind, and after its undo: %s', async (_where, isSaved) => {
    const data = isSaved ? createTemporaryFolder() : null
    let session = await openFresh(data)
    const restart = async () => {
      if (!data) return
      await session.sandbox.close()
      session = await reopen(data)
    }
    const { seq } = session.sandbox.store.world
    const fresh = listUids(session)
    const first = await work(session, 'first@example.test')
    const end = session.sandbox.store.world.seq
    await session.rewind(seq)
    await restart()
    const second = await work(session, 'second@example.test')
    // Only the records of the fresh world have the uids that they had.
    expect(second.uids.filter((uid) => first.uids.includes(uid) && !fresh.includes(uid))).toEqual([])
    expectRefusal(await session.api.get(`/customers/${first.uid}`), 'customerNotFound')
    await session.rewind(end)
    await restart()
    expect((await session.api.get(`/customers/${first.uid}`)).body).toMatchObject({ email: 'first@example.test' })
    const third = await work(session, 'third@example.test')
    expect([...first.uids, ...second.uids]).not.toContain(third.uid)
    await session.expectBalancedLedger()
  })

  it('after a restore', async () => {
    const session = await openFresh()
    await session.ask('snapshots.keep', { name: 'before' })
    const first = await work(session, 'first@example.test')
    await session.ask('snapshots.restore', { name: 'before' })
    const second = await work(session, 'second@example.test')
    expect(first.uids).not.toContain(second.uid)
    await session.ask('snapshots.restore', { name: 'before' })
    const third = await work(session, 'third@example.test')
    expect([...first.uids, ...second.uids]).not.toContain(third.uid)
  })

  it.each([
    ['to another seed', { seed: 'another' }, false],
    ['to the same seed', {}, false],
    ['to another seed, over restarts', { seed: 'another' }, true],
  ])('after a restore of a snapshot from before a reset %s', async (_which, given, isSaved) => {
    const data = isSaved ? createTemporaryFolder() : null
    let session = await openFresh(data)
    const restart = async () => {
      if (!data) return
      await session.sandbox.close()
      session = await reopen(data)
    }
    await session.ask('snapshots.keep', { name: 'before' })
    const first = await work(session, 'first@example.test')
    const end = session.sandbox.store.world.seq
    await session.ask('world.reset', { world: 'empty', ...given })
    await restart()
    await session.post('/customers')
    await session.ask('snapshots.restore', { name: 'before' })
    const second = await work(session, 'second@example.test')
    expect(first.uids).not.toContain(second.uid)
    await session.ask('world.reset', { world: 'empty', seed: 'a third' })
    await session.ask('world.reset', { world: 'empty', seed: 'a fourth' })
    await restart()
    await session.ask('snapshots.restore', { name: 'before' })
    const third = await work(session, 'third@example.test')
    expect([...first.uids, ...second.uids]).not.toContain(third.uid)
    // The history still has the records of before the resets, each under its own uid.
    await session.rewind(end)
    expect((await session.api.get(`/customers/${first.uid}`)).body).toMatchObject({ email: 'first@example.test' })
    await session.expectBalancedLedger()
  })
})

interface Line {
  seq: number
  changes: { was?: unknown; before?: unknown }[]
}

/** Every commit of the folder, as an older or other Sandbank would have written it. */
function rewrite(data: string, change: (commit: Line) => Line) {
  for (const name of readdirSync(join(data, 'changes'))) {
    const path = join(data, 'changes', name)
    editLines(path, ([header, ...lines]) => [
      header!,
      ...lines.map((line) => JSON.stringify(change(JSON.parse(line) as Line))),
    ])
  }
}
