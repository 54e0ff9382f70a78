import { expect, it } from 'vitest'
import { openSandbox } from '../src/api/sandbox.ts'
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
