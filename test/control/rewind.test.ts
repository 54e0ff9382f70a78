import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Exchange, RecordCommit } from '../../src/api/contract/control.ts'
import { MemoryWorldFile, SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { expectRefusal } from '../support/client.ts'
import { freshFolder } from '../support/folder.ts'
import { ACH } from '../support/payments.ts'
import { START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { PERSON } from '../support/story.ts'
import { canonical, unchanged } from '../support/world.ts'

/** "The world as it was after any kept earlier commit": whatever the past, however it was kept. */

const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
const ACH_EXTERNAL = 'hC7dMf2SyJb8PkTw'
const WIRE_EXTERNAL = 'jE5rHx4GvNc9QmZs'
const GENERAL = 'gA3nWq9KtXv5LzRe'
const CHECKING = 'cQ2vNf7ZxLm9TbKe'

const usual = { ...SAVE_AFTER }
afterEach(() => void Object.assign(SAVE_AFTER, usual))

/** A sandbox and short words for what is done to it; whatever is not expected to fail must not. */
function handOf(sandbox: TestSandbox) {
  const api = sandbox.client()
  const ask = async <T>(name: string, input: object = {}) => {
    const reply = await sandbox.call(name, input)
    expect(reply, JSON.stringify(reply)).toMatchObject({ ok: true })
    return (reply as { value: T }).value
  }
  const post = async (path: string, body: object = {}) => {
    const answer = await api.post(path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body as Record<string, string>
  }
  const put = async (path: string, json: object = {}) => {
    const answer = await api.call('PUT', path, { json })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  const list = async (path: string) =>
    (await api.get<{ data: (Record<string, string> & { pool_uids: string[] })[] }>(path)).body.data
  const move = (collection: string, uid: string, name: string, inputs: object = {}) =>
    ask('moves.make', { collection, uid, move: name, inputs })
  const advance = (input: object) => ask('clock.advance', input)
  const rewind = (seq: number) => ask<{ seq: number; now: string }>('world.rewind', { seq })
  const proveBooks = async () => expect(await ask('ledger.check')).toMatchObject({ balanced: true, problems: [] })
  return { sandbox, api, ask, post, put, list, move, advance, rewind, proveBooks }
}
type Hand = ReturnType<typeof handOf>

const fresh = async (data: string | null = null) =>
  handOf(await startSandbox({ data, seed: 'test', start: START, world: 'empty' }))
const again = async (data: string) => handOf(await startSandbox({ data }))

/** The world after each commit, as it was when it was made. */
function watch({ sandbox: { store } }: Hand): Map<number, string> {
  const states = new Map([[store.world.seq, canonical(store.world)]])
  store.subscribe(({ seq }) => void states.set(seq, canonical(store.world)))
  return states
}

/** A Customer with its Pool and master account. */
async function customer({ post, list, advance }: Hand, n: number) {
  const { uid } = await post('/customers', { email: `c${n}@example.test`, details: { ...PERSON, first_name: `C${n}` } })
  await post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
  await advance({ by: 'PT2S' })
  const [made] = await list(`/customers?uid=${uid}`)
  const [account] = await list(`/synthetic_accounts?customer_uid=${uid}&liability=true`)
  return { uid: uid!, pool: made!.pool_uids[0]!, master: account!.uid! }
}
type Person = Awaited<ReturnType<typeof customer>>

const open = async ({ post }: Hand, { pool }: Person, name: string, type: string, more: object = {}) =>
  (await post('/synthetic_accounts', { name, pool_uid: pool, synthetic_account_type_uid: type, ...more })).uid!

const pay = ({ post, sandbox }: Hand, of: Person, from: string, to: string, amount: string) =>
  post('/transfers', {
    source_synthetic_account_uid: from,
    destination_synthetic_account_uid: to,
    initiating_customer_uid: of.uid,
    usd_transfer_amount: amount,
    ach: { ...ACH, effective_entry_date: sandbox.store.world.clock.at.slice(0, 10) },
  })

/** What an app, time and the operator do in a few weeks: each round some thirty commits, with money in all of them. */
async function round(hand: Hand, n: number) {
  const { post, put, move, advance, ask, list } = hand
  const person = await customer(hand, n)
  const numbers = (i: number) => ({ routing_number: '021000021', account_number: `${7_000 + n}${i}0` })
  const ach = { account_type: 'checking', counterparty_name: 'Northern Mill Co' }
  const savings = await open(hand, person, 'Savings', GENERAL)
  const mill = await open(hand, person, 'Mill', ACH_EXTERNAL, { ...numbers(1), ach })
  const bouncing = await open(hand, person, 'Bouncing', ACH_EXTERNAL, {
    ...numbers(2),
    account_number: `${7_000 + n}9901`,
    ach,
  })
  const harbor = await open(hand, person, 'Harbor', WIRE_EXTERNAL, {
    ...numbers(3),
    wire: { counterparty_name: 'Harbor Leasing Inc' },
  })
  const mock = async (body: object) =>
    (await post('/sandbox/mock_transactions', { customer_uid: person.uid, ...body })).uid!
  await move('transactions', await mock({ transaction_type: 'wire', us_dollar_amount: 1000 + n }), 'settle')
  await pay(hand, person, person.master, savings, '100.00')
  const out = await pay(hand, person, person.master, mill, '20.10')
  await advance({ by: 'PT1S' })
  await pay(hand, person, savings, bouncing, '5.05')
  await pay(hand, person, person.master, harbor, '33.33')
  const canceled = await pay(hand, person, person.master, mill, '1.00')
  await put(`/transfers/${canceled.uid}/cancel`)
  await advance({ until: 'idle' })
  expect(out.uid).toBeTruthy()

  const vrn = await post('/virtual_reference_numbers', {
    synthetic_account_uid: savings,
    routing_number: '110000000',
  })
  await advance({ until: 'next' })
  for (const status of ['client_approved', 'client_denied']) {
    const uid = await mock({
      transaction_type: 'wire',
      us_dollar_amount: 7,
      virtual_reference_number_uid: vrn.uid,
    })
    const denied_reason = status === 'client_denied' ? { denied_reason: 'unauthorized_credit' } : {}
    await put(`/transactions/${uid}/authorize`, { authorization_status: status, ...denied_reason })
  }
  const held = await mock({ transaction_type: 'ach', us_dollar_amount: -2.5 })
  const { tasks } = await ask<{ tasks: { uid: string; record: string }[] }>('tasks.list')
  const task = tasks.find(({ record }) => record === held)!.uid
  await ask('tasks.hold', { uid: task })
  if (n % 2 === 0) await ask('tasks.release', { uid: task })
  await advance({ by: 'PT10S' })
  if (n % 2) await ask('tasks.run', { uid: task })

  await move('customers', person.uid, 'lock', { lock_reason: 'Lost phone' })
  await move('customers', person.uid, 'unlock')
  await ask('clock.set', { pace: n % 2 ? 'real' : 'fast' })
  await pay(hand, person, person.master, mill, '2.00')
  await ask('programs.update', { uid: PROGRAM, name: `Round ${n}` })
  await advance({ business_days: 2 })
  await ask('programs.rotate_key', { uid: PROGRAM })
  await ask('programs.rotate_key', { uid: PROGRAM, hmac_key: hand.api.program.hmac_key })
  await ask('clock.set', { pace: 'fast', break_on: { collection: 'transactions', status: 'settled' } })
  await mock({ transaction_type: 'ach', us_dollar_amount: 3 })
  await advance({ until: 'idle' })
  await hand.api.call('DELETE', `/customers/${person.uid}`, {
    json: { destination_synthetic_account_uid: mill },
  })
  await advance({ by: 'PT6S' })
  expect(await list(`/customers?uid=${person.uid}`)).toMatchObject([{ status: 'pending_archival' }])
  return person
}

async function history(hand: Hand, commits: number) {
  for (let n = 1; hand.sandbox.store.world.seq < commits; n++) await round(hand, n)
}

/** All of them, each some way off from the one before. */
const jumping = (seqs: readonly number[]) => seqs.map((_, i) => seqs[(i * 7919) % seqs.length]!)

/**
 * All of them step by step, and then a part by leaps: each rewind reads back over those before it, and what a leap has
 * changed is much to read.
 */
const stepping = (seqs: readonly number[]) => [...seqs.toReversed(), ...jumping(seqs).filter((_, i) => i % 5 === 0)]

it('rewind to each commit of a 300-commit history equals the world that a fresh replay of the first n commits gives', async () => {
  const hand = await fresh()
  await history(hand, 300)
  const { store } = hand.sandbox
  const last = store.world.seq
  const end = canonical(store.world)

  const replay = await fresh()
  const replayed = watch(replay)
  await history(replay, 300)
  expect(canonical(replay.sandbox.store.world), 'the same inputs give the same world').toBe(end)
  expect([...replayed.keys()]).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect(end).toContain('"archived"')
  expect(end).toContain('"R01"')

  const seqs = [...replayed.keys()]
  for (const seq of stepping(seqs)) {
    await hand.rewind(seq)
    expect(canonical(store.world) === replayed.get(seq), `after commit ${seq}`).toBe(true)
    await hand.proveBooks()
  }
  await hand.rewind(last)
  expect(canonical(store.world)).toBe(end)
}, 180_000)

it('a true fresh replay, stopped after n commits, is the world that rewinding to n gives; and goes on the same', async () => {
  const hand = await fresh()
  await round(hand, 1)
  const { store } = hand.sandbox
  const { seq } = store.world
  await round(hand, 2)
  const end = canonical(store.world)
  const replay = await fresh()
  await round(replay, 1)
  await hand.rewind(seq)
  expect(canonical(store.world)).toBe(canonical(replay.sandbox.store.world))
  await round(hand, 2)
  await round(replay, 2)
  expect(canonical(store.world)).toBe(canonical(replay.sandbox.store.world))
  expect(canonical(store.world)).toBe(end)
})

describe('a rewind is a commit like any other', () => {
  it('it can be undone, and the undoing too', async () => {
    const hand = await fresh()
    await round(hand, 1)
    const { store } = hand.sandbox
    const then = store.world.seq
    const states = watch(hand)
    await round(hand, 2)
    const last = store.world.seq
    const first = await hand.rewind(then)
    expect(first.seq).toBe(last + 1)
    const second = await hand.rewind(first.seq - 1)
    expect(canonical(store.world)).toBe(states.get(last))
    await hand.rewind(second.seq - 1)
    expect(canonical(store.world)).toBe(states.get(then))
    await hand.proveBooks()
  })

  it('to the newest commit it changes nothing but that it was done', async () => {
    const hand = await fresh()
    await round(hand, 1)
    const { store } = hand.sandbox
    const before = [canonical(store.world), store.world.seq] as const
    expect(await hand.rewind(before[1])).toMatchObject({ seq: before[1] + 1, changed: 0 })
    expect(canonical(store.world)).toBe(before[0])
  })

  it('a clock that runs goes on from the time of that commit', async () => {
    const hand = handOf(await startSandbox({ clock: 'running' }))
    const { store } = hand.sandbox
    const { created_at } = await hand.post('/customers')
    const made = store.world.seq
    await hand.advance({ by: 'P1D' })
    await hand.rewind(made)
    const { now, mode } = await hand.ask<{ now: string; mode: string }>('clock.read')
    expect(mode).toBe('running')
    expect(now >= created_at!).toBe(true)
    expect(Date.parse(now)).toBeLessThan(Date.parse(created_at!) + 86_400_000)
  })

  it('a task that ran after it was due, as one that was held back, leaves the clock where it was then', async () => {
    const hand = await fresh()
    const states = watch(hand)
    const person = await customer(hand, 1)
    const { uid } = await hand.post('/sandbox/mock_transactions', {
      transaction_type: 'ach',
      customer_uid: person.uid,
      us_dollar_amount: 5,
    })
    const { tasks } = await hand.ask<{ tasks: { uid: string; record: string }[] }>('tasks.list')
    const task = tasks.find(({ record }) => record === uid)!
    await hand.ask('tasks.hold', { uid: task.uid })
    await hand.advance({ by: 'PT1H' })
    await hand.ask('tasks.release', { uid: task.uid })
    const { now } = await hand.ask<{ now: string }>('clock.read')
    const { store } = hand.sandbox
    const ran = store.world.seq
    expect(store.world.collections.tasks.get(task.uid)).toBeUndefined()
    await hand.post('/customers')
    expect(await hand.rewind(ran)).toMatchObject({ now })
    expect(canonical(store.world)).toBe(states.get(ran))
  })
})

describe('across restores and resets', () => {
  /** A history that has been put aside, fetched back and begun anew several times. */
  async function turbulent(hand: Hand) {
    const { store } = hand.sandbox
    await round(hand, 1)
    const early = store.world.seq
    await hand.ask('snapshots.keep', { name: 'after one' })
    await round(hand, 2)
    await hand.ask('snapshots.restore', { name: 'after one' })
    await round(hand, 3)
    await hand.ask('world.reset', { world: 'demo', seed: 'another' })
    await hand.post('/customers', { email: 'in@demo.test' })
    await hand.advance({ business_days: 1 })
    await hand.rewind(early - 3)
    await hand.post('/customers', { email: 'in@the-past.test' })
    await hand.ask('world.reset', { world: 'empty', seed: 'third' })
    await round(hand, 4)
    await hand.ask('snapshots.restore', { name: 'after one' })
    await hand.post('/customers', { email: 'at@the-end.test' })
  }

  it.each([['in memory'], ['in a data folder, over restarts, with snapshots of the world in between']])(
    'each commit comes back: %s',
    async (where) => {
      const data = where === 'in memory' ? null : freshFolder()
      if (data) Object.assign(SAVE_AFTER, { commits: 23 })
      let hand = await fresh(data)
      const states = watch(hand)
      await turbulent(hand)
      const end = canonical(hand.sandbox.store.world)
      const seqs = [...states.keys()]
      // In a folder each rewind reads the files back to its commit: a part of them tells as much.
      const visited = data ? jumping(seqs).filter((_, i) => i % 5 === 0) : stepping(seqs)
      for (const [i, seq] of visited.entries()) {
        if (data && i % 15 === 5) {
          await hand.sandbox.close()
          hand = await again(data)
        }
        await hand.rewind(seq)
        expect(canonical(hand.sandbox.store.world) === states.get(seq), `after commit ${seq}`).toBe(true)
        await hand.proveBooks()
      }
      await hand.rewind(seqs.at(-1)!)
      expect(canonical(hand.sandbox.store.world)).toBe(end)
      if (data) expect(readdirSync(join(data, 'changes')).length, 'there were snapshots').toBeGreaterThan(3)
    },
    180_000,
  )

  it('what was rewound is the same after a restart', async () => {
    const data = freshFolder()
    const hand = await fresh(data)
    await turbulent(hand)
    await hand.rewind(40)
    const world = canonical(hand.sandbox.store.world)
    const { seed, start, seq } = hand.sandbox.store.world
    await hand.sandbox.close()
    const { store } = (await again(data)).sandbox
    expect(canonical(store.world)).toBe(world)
    expect(store.world).toMatchObject({ seed, start, seq })
  })

  it('a seed that a reset has brought is gone with it: the same uids and seals come again', async () => {
    const hand = await fresh()
    const { store } = hand.sandbox
    const made = store.world.seq
    const first = await hand.post('/customers', { details: PERSON })
    const world = canonical(store.world)
    await hand.ask('world.reset', { world: 'empty', seed: 'another' })
    expect((await hand.post('/customers', { details: PERSON })).uid).not.toBe(first.uid)
    await hand.rewind(made)
    expect(store.world.seed).toBe('test')
    expect(await hand.post('/customers', { details: PERSON })).toEqual(first)
    expect(canonical(store.world)).toBe(world)
  })

  it('another world in the place of this one leaves no record of it in any list or index', async () => {
    const hand = await fresh()
    const { store } = hand.sandbox
    await hand.post('/customers', { email: 'first@example.test', external_uid: 'a' })
    const made = store.world.seq
    await hand.ask('world.reset', { world: 'demo', seed: 'another' })
    await hand.rewind(made)
    for (const [name, collection] of Object.entries(store.world.collections)) {
      expect(collection.inOrder(), name).toHaveLength(collection.size)
      for (const record of collection.inOrder()) expect(collection.get(record.uid), name).toBe(record)
    }
    expect(await hand.list('/customers?include_initiated=true')).toMatchObject([{ email: 'first@example.test' }])
    expect(await hand.list('/customers?include_initiated=true&external_uid=a')).toHaveLength(1)
    expect(await hand.list('/customers?include_initiated=true&external_uid=demo-business-1')).toEqual([])
  })
})

describe('in a data folder', () => {
  it('the history of before a restart is there, read from its segments', async () => {
    const data = freshFolder()
    Object.assign(SAVE_AFTER, { commits: 17 })
    const first = await fresh(data)
    const states = watch(first)
    await history(first, 120)
    await first.sandbox.close()
    const hand = await again(data)
    for (const seq of jumping([...states.keys()]).filter((_, i) => i % 3 === 0)) {
      await hand.rewind(seq)
      expect(canonical(hand.sandbox.store.world) === states.get(seq), `after commit ${seq}`).toBe(true)
    }
    await hand.proveBooks()
  }, 180_000)

  it("also the month before a demo world's start, with balanced books at each commit", async () => {
    const data = freshFolder()
    const hand = handOf(await startSandbox({ data, seed: 'test', start: START, world: 'demo' }))
    const { store } = hand.sandbox
    const last = store.world.seq
    const world = canonical(store.world)
    expect(last).toBeGreaterThan(20)
    for (let seq = last; seq >= 1; seq--) {
      await hand.rewind(seq)
      await hand.proveBooks()
    }
    expect(store.world.collections.customers.size).toBe(0)
    await hand.rewind(last)
    expect(canonical(store.world)).toBe(world)
  })

  it('a commit whose change set was kept without what was there before it is a reason to refuse', async () => {
    const data = freshFolder()
    const first = await fresh(data)
    const { uid } = await first.post('/customers')
    const made = first.sandbox.store.world.seq
    await first.move('customers', uid!, 'lock', { lock_reason: 'x' })
    await first.move('customers', uid!, 'unlock')
    await first.sandbox.close()
    rewrite(data, (commit) =>
      commit.seq === made + 1
        ? { ...commit, changes: commit.changes.map(({ was: _, before: __, ...change }) => change) }
        : commit,
    )
    const hand = await again(data)
    const refused = () => hand.sandbox.call('world.rewind', { seq: made })
    expect(await unchanged(hand.sandbox, refused)).toMatchObject({
      ok: false,
      error: {
        status: 400,
        errors: [{ code: 1007, extra: `seq: Commit ${made + 1} was saved without the records before it` }],
      },
    })
    expect(await hand.rewind(made + 1), 'but what came after it can be had').toMatchObject({ seq: made + 3 })
    const { commits } = await hand.ask<{ commits: RecordCommit[] }>('records.history', {
      collection: 'customers',
      uid,
    })
    expect(commits.map(({ seq }) => seq)).toEqual([made + 3, made + 1, made])
  })

  it('a commit that is not kept any more is refused, and nothing changes', async () => {
    const data = freshFolder()
    Object.assign(SAVE_AFTER, { commits: 5 })
    const first = await fresh(data)
    for (let i = 0; i < 30; i++) {
      await first.post('/customers')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await first.sandbox.close()
    const folder = join(data, 'changes')
    const [oldest, second] = readdirSync(folder).sort() as [string, string]
    expect(Number.parseInt(second, 10)).toBeGreaterThan(1)
    rmSync(join(folder, oldest))
    const hand = await again(data)
    const kept = Number.parseInt(readdirSync(folder).sort()[0]!, 10)
    for (const seq of [1, kept - 1])
      expect(await unchanged(hand.sandbox, () => hand.sandbox.call('world.rewind', { seq }))).toMatchObject({
        ok: false,
        error: { status: 400, errors: [{ code: 1007, extra: `seq: Commit ${seq} is not kept any more` }] },
      })
    expect(await hand.rewind(kept)).toMatchObject({ changed: expect.any(Number) })
  })

  it('what could not be kept has not happened: a rewind on a full disk leaves the world, and can be tried again', async () => {
    const hand = await fresh()
    await round(hand, 1)
    const full = vi.spyOn(MemoryWorldFile.prototype, 'append').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device')
    })
    const reply = await unchanged(hand.sandbox, () => hand.sandbox.call('world.rewind', { seq: 5 }))
    expect(reply).toMatchObject({ ok: false, error: { status: 500, errors: [{ code: 1000 }] } })
    full.mockRestore()
    await hand.rewind(5)
    await hand.proveBooks()
  })
})

describe('what lies beside the world stays', () => {
  it('a trace id that was used stays used', async () => {
    const hand = await fresh()
    const { seq } = hand.sandbox.store.world
    const headers = { 'x-trace-id': 'once' }
    expect((await hand.api.post('/customers', {}, { headers })).status).toBe(201)
    await hand.ask('snapshots.keep', { name: 'before' })
    await hand.rewind(seq)
    expectRefusal(await hand.api.post('/customers', {}, { headers }), 'duplicateTraceId')
    await hand.ask('snapshots.restore', { name: 'before' })
    expectRefusal(await hand.api.post('/customers', {}, { headers }), 'duplicateTraceId')
  })

  it.each([['in memory'], ['in a data folder, over a restart']])(
    'a reset forgets the trace ids, as they belong to the world that ends: a test suite sends the same ones again (%s)',
    async (where) => {
      const data = where === 'in memory' ? null : freshFolder()
      const headers = { 'x-trace-id': 'once' }
      let hand = await fresh(data)
      expect((await hand.api.post('/customers', {}, { headers })).status).toBe(201)
      const { seq } = hand.sandbox.store.world
      await hand.ask('world.reset', { world: 'empty' })
      if (data !== null) {
        await hand.sandbox.close()
        hand = await again(data)
      }
      expect((await hand.api.post('/customers', {}, { headers })).status).toBe(201)
      expectRefusal(await hand.api.post('/customers', {}, { headers }), 'duplicateTraceId')
      // Undoing the reset brings the world back, and not what was sent to it.
      await hand.ask('world.reset', { world: 'empty' })
      await hand.rewind(seq)
      expect((await hand.api.post('/customers', {}, { headers })).status).toBe(201)
      if (data === null) return
      await hand.sandbox.close()
      hand = await again(data)
      expectRefusal(await hand.api.post('/customers', {}, { headers }), 'duplicateTraceId')
    },
  )

  it('the request log stays, also of what is undone', async () => {
    const hand = await fresh()
    const { seq } = hand.sandbox.store.world
    await hand.post('/customers')
    const before = await hand.ask<{ data: Exchange[] }>('exchanges.list')
    await hand.rewind(seq)
    expect(await hand.ask('exchanges.list')).toEqual(before)
    await hand.post('/customers')
    const [newest] = (await hand.ask<{ data: Exchange[] }>('exchanges.list')).data
    expect(before.data.map(({ uid }) => uid)).not.toContain(newest!.uid)
  })

  it('access tokens, kept worlds and misfortune stay', async () => {
    const hand = await fresh()
    await hand.post('/customers')
    await hand.ask('snapshots.keep', { name: 'a' })
    await hand.ask('faults.set', { faults: [{ kind: 'status', path: '/products' }] })
    await hand.rewind(1)
    expect((await hand.api.get('/customers')).status).toBe(200)
    expect((await hand.api.get('/products')).status).toBe(500)
    expect(await hand.ask('snapshots.list')).toMatchObject({ snapshots: [{ name: 'a' }] })
  })
})

describe('"A rewind reuses uids: it is a new line."', () => {
  it.each([['in memory'], ['in a data folder']])('nobody confuses the two: %s', async (where) => {
    const data = where === 'in memory' ? null : freshFolder()
    let hand = await fresh(data)
    const seq = hand.sandbox.store.world.seq
    const left = await hand.post('/customers', { email: 'left@behind.test', external_uid: 'one' })
    await hand.post('/customer_products', { customer_uid: left.uid, product_uid: CHECKING }).catch(() => undefined)
    await hand.move('customers', left.uid!, 'lock', { lock_reason: 'left behind' })
    const end = hand.sandbox.store.world.seq
    await hand.rewind(seq)
    const present = await hand.post('/customers', { email: 'present@example.test', external_uid: 'two' })
    expect(present.uid).toBe(left.uid)
    if (data) {
      await hand.sandbox.close()
      hand = await again(data)
    }
    const uid = present.uid!
    expect((await hand.api.get(`/customers/${uid}`)).body).toMatchObject({
      email: 'present@example.test',
      locked_at: null,
    })
    expect(await hand.list('/customers?include_initiated=true&external_uid=one')).toEqual([])
    expect(await hand.list('/customers?include_initiated=true&external_uid=two')).toHaveLength(1)
    const { commits } = await hand.ask<{ commits: RecordCommit[] }>('records.history', {
      collection: 'customers',
      uid,
    })
    expect(commits[0]).toMatchObject({ what: 'made', cause: { name: 'POST /customers' }, seq: end + 2 })
    expect(commits.every((commit) => commit.seq > end)).toBe(true)
    const story = await hand.ask<{ entries: { text: string }[] }>('records.story', { uid })
    expect(JSON.stringify(story)).not.toMatch(/locked_at null/)
    const why = await hand.ask<{ chain: { seq: number }[] }>('why', { collection: 'customers', uid, field: 'email' })
    expect(why.chain[0]!.seq).toBe(end + 2)

    await hand.rewind(end)
    expect((await hand.api.get(`/customers/${uid}`)).body).toMatchObject({ email: 'left@behind.test' })
    expect(await hand.list('/customers?include_initiated=true&external_uid=two')).toEqual([])
    await hand.proveBooks()
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
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    const written = lines.map((line) => JSON.stringify(change(JSON.parse(line) as Line)))
    writeFileSync(path, [header, ...written, ''].join('\n'))
  }
}
