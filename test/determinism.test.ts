import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../src/api/sandbox.ts'
import type { World } from '../src/api/store/world.ts'
import { apiClient } from './support/client.ts'
import { PERSON } from './support/customers.ts'
import { createTemporaryFolder } from './support/folder.ts'
import { Actor, type AdvanceClock } from './support/random-history/actor.ts'
import { httpDoors, memoryDoors } from './support/random-history/doors.ts'
import { type History, histories } from './support/random-history/operations.ts'
import { START } from './support/sandbox.ts'
import { canonical } from './support/world.ts'

/** The same seed, start and requests give the same world, byte for byte. Trace ids and tokens differ each time. */

const openFresh = (data: string | null, seed = 'same') =>
  openSandbox({ version: 'test', data, port: 0, clock: 'frozen', seed, start: START })
const reopen = (data: string) => openSandbox({ version: 'test', data, port: 0 })

type Client = ReturnType<typeof apiClient>

/** What an app and an operator do in a week, in parts. The sandbox can be restarted between them. */
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

async function runWeek({
  data = null,
  hasRestarts = false,
  seed,
}: {
  data?: string | null
  hasRestarts?: boolean
  seed?: string
} = {}) {
  let sandbox = await openFresh(data, seed)
  try {
    for (const [i, part] of parts.entries()) {
      if (hasRestarts && data && i > 0) {
        await sandbox.close()
        sandbox = await reopen(data)
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
  const [one, two] = [await runWeek(), await runWeek()]
  expect(two).toBe(one)
  expect(one).toContain('"archived"')
  expect(one).toContain('"rejected"')
})

it('a data folder and restarts do not change the world', async () => {
  const one = await runWeek()
  expect(await runWeek({ data: createTemporaryFolder() })).toBe(one)
  expect(await runWeek({ data: createTemporaryFolder(), hasRestarts: true })).toBe(one)
})

it('another seed gives other uids', async () => {
  const uids = (world: string) => new Set([...world.matchAll(/"uid":"(\w{16})"/g)].map(([, uid]) => uid))
  const one = uids(await runWeek())
  const two = uids(await runWeek({ seed: 'another' }))
  const common = [...one].filter((uid) => two.has(uid))
  // The Program, its products and account types have the uids of resources/program.json in every world.
  expect(common).toHaveLength(8)
  expect(one.size).toBeGreaterThan(20)
})

// ── Random histories ──────────────────────────────────────────────────────────────────────────────────────────────────

/** SANDBANK_RUNS makes more runs, in proportion; see money.campaign.test.ts. */
const TIMES = Math.max(1, Math.ceil(Number(process.env.SANDBANK_RUNS ?? 200) / 200))
const LONG = { timeout: 300_000 * TIMES }

/** Executes a history without a network. */
async function execute(history: History, advanceClock?: AdvanceClock): Promise<World> {
  const doors = memoryDoors({ seed: 'same', start: Date.parse(history.setup.start) })
  const actor = new Actor(doors, advanceClock ? { advanceClock } : {})
  await actor.setUp(history.setup)
  for (const operation of history.operations) {
    await actor.observer.read()
    await actor.perform(operation)
  }
  // Runs the tasks that are due at the last instant.
  await doors.call('clock.read', {})
  return doors.store.world
}

/** The first difference between two worlds; undefined if they are equal. */
function difference(one: World, two: World): string | undefined {
  if (canonical(one) === canonical(two)) return undefined
  const rowsOf = (world: World) =>
    [
      ['clock', world.clock],
      ['counters', world.counters],
      ...Object.entries(world.collections).flatMap(([name, records]) =>
        [...records.inOrder()].sort((a, b) => a.made - b.made).map((record) => [`${name} ${record.uid}`, record]),
      ),
    ].map((row) => JSON.stringify(row))
  const [a, b] = [rowsOf(one), rowsOf(two)]
  const other = new Set(b)
  const at = a.findIndex((row, i) => i > 1 && !other.has(row))
  return at < 0 ? `only in the second: ${b.find((row) => !a.includes(row))}` : `${a[at]} and ${b[at]}`
}

const forAll = (numRuns: number, property: (history: History, random: number) => Promise<void>) =>
  fc.assert(fc.asyncProperty(histories(60), fc.nat({ max: 0xffff }), property), {
    numRuns: numRuns * TIMES,
    endOnFailure: true,
  })

/** Advances to the same instants in many steps: many short ones, some of a millisecond, some to the next task. */
function inSteps(ends: readonly string[], random: number): AdvanceClock {
  let n = 0
  let drawn = random
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

describe('any history of requests, decisions and advances', () => {
  it('gives the same world twice, to the last uid', LONG, async () => {
    let idle = 0
    await forAll(12, async (history) => {
      const one = await execute(history)
      expect(difference(one, await execute(history))).toBeUndefined()
      idle += one.collections.transactions.size > 10 ? 0 : 1
    })
    // Each world had more than ten Transactions.
    expect(idle).toBe(0)
  })

  it('gives the same world with one long advance and with many short ones', LONG, async () => {
    let steps = 0
    await forAll(25, async (history, random) => {
      const ends: string[] = []
      const one = await execute(history, async (doors, input) => {
        const reply = await doors.call('clock.advance', input)
        if (reply.ok) ends.push((reply.value as { to: string }).to)
        return reply
      })
      const advanceClock = inSteps(ends, random)
      const two = await execute(history, (doors, input) => {
        steps++
        return advanceClock(doors, input)
      })
      expect(difference(one, two)).toBeUndefined()
    })
    expect(steps).toBeGreaterThan(100)
  })

  it('gives the same world in a data folder, with restarts', LONG, async () => {
    await forAll(3, async (history) => {
      const data = createTemporaryFolder()
      const start = Date.parse(history.setup.start)
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
        await actor.setUp(history.setup)
        for (const [i, operation] of history.operations.entries()) {
          await actor.observer.read()
          if (i % 15 === 14) {
            await sandbox.close()
            sandbox = await reopen(data)
            actor.reconnect(httpDoors(sandbox))
          }
          await actor.perform(operation)
        }
        await sandbox.call('clock.read', {})
        expect(difference(sandbox.store.world, await execute(history))).toBeUndefined()
      } finally {
        await sandbox.close()
      }
    })
  })
})
