import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../src/api/sandbox.ts'
import type { World } from '../src/api/store/world.ts'
import { Actor, type History, histories, httpDoors, innerDoors, type Mover } from './support/arbitraries.ts'
import { apiClient } from './support/client.ts'
import { freshFolder } from './support/folder.ts'
import { START } from './support/sandbox.ts'
import { PERSON } from './support/story.ts'
import { canonical } from './support/world.ts'

/** One seed, one start, the same requests: the same world, byte for byte. Trace ids and tokens differ each time. */

const fresh = (data: string | null, seed = 'same') =>
  openSandbox({ version: 'test', data, port: 0, clock: 'frozen', seed, start: START })
const again = (data: string) => openSandbox({ version: 'test', data, port: 0 })

type Client = ReturnType<typeof apiClient>

/** What an app and an operator do in a week, in parts between which the sandbox may be closed. */
const parts: ((api: Client, call: (name: string, input: object) => Promise<unknown>) => Promise<void>)[] = [
  async (api, call) => {
    for (const last_name of ['Byron', 'Smith', 'Johnson']) {
      const { body } = await api.post('/customers', { email: 'a@x.test', details: { ...PERSON, last_name } })
      await api.post('/customer_products', { customer_uid: body.uid, product_uid: 'cQ2vNf7ZxLm9TbKe' })
    }
    await api.get('/customers?include_initiated=true&sort=last_name_asc')
    await call('clock.advance', { by: 'PT2S' })
  },
  async (api, call) => {
    await api.post('/customers', { customer_type: 'secondary' })
    const { body } = await api.get<{ data: { uid: string }[] }>('/customers?status=manual_review')
    await call('moves.make', { collection: 'customers', uid: body.data[0]!.uid, move: 'approve' })
    await call('clock.advance', { business_days: 2 })
  },
  async (api, call) => {
    const { body } = await api.get<{ data: { uid: string }[] }>('/customers?status=active&sort=last_name_asc')
    await api.call('DELETE', `/customers/${body.data[0]!.uid}`)
    await call('clock.advance', { until: 'idle' })
  },
]

async function week({
  data = null,
  restarts = false,
  seed,
}: {
  data?: string | null
  restarts?: boolean
  seed?: string
} = {}) {
  let sandbox = await fresh(data, seed)
  try {
    for (const [i, part] of parts.entries()) {
      if (restarts && data && i > 0) {
        await sandbox.close()
        sandbox = await again(data)
      }
      await part(apiClient(sandbox), async (name, input) => {
        expect(await sandbox.call(name, input)).toMatchObject({ ok: true })
      })
    }
    return canonical(sandbox.store.world)
  } finally {
    await sandbox.close()
  }
}

it('the same inputs give the same world', async () => {
  const [one, two] = [await week(), await week()]
  expect(two).toBe(one)
  expect(one).toContain('"archived"')
  expect(one).toContain('"rejected"')
})

it('kept in a folder, and closed and opened on the way, it is the same world', async () => {
  const one = await week()
  expect(await week({ data: freshFolder() })).toBe(one)
  expect(await week({ data: freshFolder(), restarts: true })).toBe(one)
})

it('another seed gives other uids', async () => {
  const uids = (world: string) => new Set([...world.matchAll(/"uid":"(\w{16})"/g)].map(([, uid]) => uid))
  const one = uids(await week())
  const two = uids(await week({ seed: 'another' }))
  const common = [...one].filter((uid) => two.has(uid))
  // The Program, its products and account types have the uids of resources/program.json in every world.
  expect(common).toHaveLength(8)
  expect(one.size).toBeGreaterThan(20)
})

// ── Any history ──────────────────────────────────────────────────────────────────────────────────────────────────

const SEED = Number(process.env.SANDBANK_FC_SEED ?? 20_260_814)
/** As for the property of money: SANDBANK_RUNS makes more runs, in proportion. */
const TIMES = Math.max(1, Math.ceil(Number(process.env.SANDBANK_RUNS ?? 200) / 200))
const LONG = { timeout: 300_000 * TIMES }

/** Carries a history out without a network; the mover moves the clock. */
async function lived(history: History, mover?: Mover): Promise<World> {
  const doors = innerDoors({ seed: 'same', start: Date.parse(history.beginning.start) })
  const actor = new Actor(doors, mover ? { mover } : {})
  await actor.begin(history.beginning)
  for (const operation of history.operations) {
    await actor.witness.read()
    await actor.perform(operation)
  }
  // What fell due at the last instant has happened too.
  await doors.call('clock.read', {})
  return doors.store.world
}

/** The first thing that is not the same, in words: two worlds side by side are too much to read. */
function difference(one: World, two: World): string | undefined {
  if (canonical(one) === canonical(two)) return undefined
  const told = (world: World) =>
    [
      ['clock', world.clock],
      ['counters', world.counters],
      ...Object.entries(world.collections).flatMap(([name, records]) =>
        [...records.inOrder()].sort((a, b) => a.made - b.made).map((record) => [`${name} ${record.uid}`, record]),
      ),
    ].map((row) => JSON.stringify(row))
  const [a, b] = [told(one), told(two)]
  const other = new Set(b)
  const at = a.findIndex((row, i) => i > 1 && !other.has(row))
  return at < 0 ? `only in the other: ${b.find((row) => !a.includes(row))}` : `${a[at]} against ${b[at]}`
}

const forAll = (numRuns: number, property: (history: History, luck: number) => Promise<void>) =>
  fc.assert(fc.asyncProperty(histories(60), fc.nat({ max: 0xffff }), property), {
    seed: SEED,
    numRuns: numRuns * TIMES,
    endOnFailure: true,
  })

/** The same way in many steps: mostly short ones first, some of a millisecond, some to the next thing due. */
function inSteps(ends: readonly string[], luck: number): Mover {
  let n = 0
  let drawn = luck
  const draw = () => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 0x7fff_ffff
    return drawn / 0x7fff_ffff
  }
  return async (doors) => {
    const end = Date.parse(ends[n++]!)
    const now = () => Date.parse(doors.store.world.clock.at)
    for (let left = 1 + Math.floor(draw() * 12); left > 0; left--) {
      const way = Math.round((end - now()) * draw() ** 4)
      const next = Date.parse(doors.store.world.collections.tasks.inOrder()[0]!.due_at)
      const step = draw() < 0.3 && next <= end ? next : now() + (draw() < 0.2 && now() < end ? 1 : way)
      const reply = await doors.call('clock.advance', { to: new Date(step).toISOString() })
      expect(reply).toMatchObject({ ok: true })
    }
    return doors.call('clock.advance', { to: new Date(end).toISOString() })
  }
}

describe('any history of requests, decisions and time', () => {
  it('lived twice, it is the same world to the last uid', LONG, async () => {
    let refused = 0
    await forAll(12, async (history) => {
      const one = await lived(history)
      expect(difference(one, await lived(history))).toBeUndefined()
      refused += one.collections.transactions.size > 10 ? 0 : 1
    })
    // Of worlds in which nothing happens it would prove nothing.
    expect(refused).toBe(0)
  })

  it('one long advance or many short ones: the same world', LONG, async () => {
    let steps = 0
    await forAll(25, async (history, luck) => {
      const ends: string[] = []
      const one = await lived(history, async (doors, input) => {
        const reply = await doors.call('clock.advance', input)
        if (reply.ok) ends.push((reply.value as { to: string }).to)
        return reply
      })
      const mover = inSteps(ends, luck)
      const two = await lived(history, (doors, input) => {
        steps++
        return mover(doors, input)
      })
      expect(difference(one, two)).toBeUndefined()
    })
    expect(steps).toBeGreaterThan(100)
  })

  it('kept in a folder, and closed and opened on the way: the same world', LONG, async () => {
    await forAll(3, async (history) => {
      const data = freshFolder()
      const start = Date.parse(history.beginning.start)
      let sandbox = await openSandbox({
        version: 'test',
        data,
        port: 0,
        clock: 'frozen',
        seed: 'same',
        start,
        world: 'empty',
      })
      try {
        const actor = new Actor(httpDoors(sandbox))
        await actor.begin(history.beginning)
        for (const [i, operation] of history.operations.entries()) {
          await actor.witness.read()
          if (i % 15 === 14) {
            await sandbox.close()
            sandbox = await again(data)
            actor.goTo(httpDoors(sandbox))
          }
          await actor.perform(operation)
        }
        await sandbox.call('clock.read', {})
        expect(difference(sandbox.store.world, await lived(history))).toBeUndefined()
      } finally {
        await sandbox.close()
      }
    })
  })
})
