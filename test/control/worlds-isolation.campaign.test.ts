import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { Random } from '../../bench/support/random.ts'
import type { NamedSandboxWorld, Sandbox, SandboxOptions, SandboxWorld } from '../../src/api/sandbox.ts'
import { captureWorld } from '../../src/api/store/world.ts'
import { campaignSize, isLong } from '../support/campaign.ts'
import { apiClient } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { ask } from '../support/operator.ts'
import { it, startSandbox } from '../support/sandbox.ts'

/** Twenty worlds at once: nothing of one is seen in another, and each is as if it were alone. */

const WORLDS = 20
const SEEDS = campaignSize(1, 4)
const OPERATIONS = campaignSize(15, 60)

interface Plan {
  readonly name: string
  /** A text that only requests to this world contain. */
  readonly marker: string
  readonly setup: { readonly world: 'demo' | 'empty'; readonly seed: string; readonly start: number }
}

const MONDAY = Date.parse('2026-11-23T15:00:00.000Z')
const HOUR = 3_600_000

/** Some worlds have the same seed, and so the same uids. */
const plansOf = (seed: number): Plan[] =>
  Array.from({ length: WORLDS }, (_, i) => ({
    name: `w${i}`,
    marker: `Mark${[...`${seed * 100 + i}`].map((digit) => 'qwzxjkvbyg'[Number(digit)]).join('')}End`,
    setup: { world: i % 3 === 0 ? 'demo' : 'empty', seed: `isolated ${i % 7}`, start: MONDAY + (i % 5) * HOUR },
  }))

const createAll = (sandbox: Sandbox, plans: readonly Plan[]) =>
  Promise.all(
    plans.map(({ name, setup: { world, seed, start } }) =>
      sandbox.worlds.create({ name, from: world, seed, start: new Date(start).toISOString() }),
    ),
  )

const startAlone = ({ setup }: Plan) => startSandbox({ ...setup, clock: 'frozen', pace: 'fast' } as SandboxOptions)

const stateOf = ({ store }: Pick<SandboxWorld, 'store'>) => JSON.stringify(captureWorld(store.world))

/** Random operations of both doors. Returns all answers in their order. */
async function operate(world: SandboxWorld, { name, marker }: Plan, seed: number): Promise<string[]> {
  const random = new Random(`${name} of ${seed}`)
  const api = apiClient(world)
  const answers: string[] = []
  const send = async (method: string, path: string, json?: unknown) => {
    const { status, text, body } = await api.call(method, path, json === undefined ? {} : { json })
    answers.push(`${method} ${path} ${status} ${text}`)
    return body as Record<string, string | undefined>
  }
  const control = async (method: string, input: object) => {
    const reply = await world.call(method, input)
    answers.push(`${method} ${JSON.stringify(reply)}`)
    return (reply.ok ? reply.value : {}) as Record<string, unknown>
  }
  const { data: products } = (await api.get('/products')).body as { data: { uid: string }[] }
  const customers: string[] = []
  let count = 0
  const operations: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { uid } = await send('POST', '/customers', {
        external_uid: `${marker}-${++count}`,
        email: `${marker}@example.test`,
        details: { ...PERSON, address: { ...PERSON.address, street1: `${count} ${marker} Street` } },
      })
      if (uid === undefined) return
      customers.push(uid)
      await send('POST', '/customer_products', { customer_uid: uid, product_uid: products[0]!.uid })
      await control('clock.advance', { by: 'PT5S' })
    },
    async () => {
      if (customers.length === 0) return
      const customer_uid = random.pick(customers)
      const mock = { transaction_type: 'wire', customer_uid, us_dollar_amount: random.between(1, 900) }
      await send('POST', '/sandbox/mock_transactions', mock)
    },
    () => send('GET', `/customers/${customers.length === 0 ? 'unknown' : random.pick(customers)}`),
    () => send('GET', `/customers?limit=${random.between(1, 9)}&include_initiated=true`),
    () => send('GET', '/transactions?limit=9'),
    () => control('clock.advance', { by: `PT${random.between(1, 90)}M` }),
    () => control('clock.advance', { business_days: 1 }),
    () => control('clock.read', {}),
    () =>
      control('faults.set', {
        faults: [{ kind: 'status', status: 503, path: '/customers', times: 2, rate: 0.5, body: { injected: marker } }],
      }),
    () => control('faults.list', {}),
    () => control('snapshots.keep', { name: `${marker} ${random.below(2)}` }),
    () => control('snapshots.restore', { name: `${marker} ${random.below(2)}` }),
    () => control('snapshots.list', {}),
    () => control('world.rewind', { seq: Math.max(0, world.store.world.seq - random.below(5)) }),
    () => control('programs.update', { uid: world.programs()[0]!.uid, name: `Program ${marker}` }),
    () => control('tokens.expire', { uid: world.programs()[0]!.uid }),
    () =>
      control('scenarios.save', {
        name: `${marker}-${random.below(2)}`,
        text: `name: ${marker}\nsteps: [advance: PT1S]`,
      }),
    () => control('records.search', { text: marker }),
    () => control('tasks.list', {}),
  ]
  for (let i = 0; i < OPERATIONS; i++) await (i % 6 === 0 ? operations[0]! : random.pick(operations))()
  return answers
}

/** What the operator sees of a world, logs included. */
async function lookAround(world: SandboxWorld): Promise<string[]> {
  const call = async (name: string, input: object = {}) => JSON.stringify(await world.call(name, input))
  const reply = await world.call('exchanges.list', { limit: campaignSize(5, 1000) })
  const { data } = (reply as { value: { data: { uid: string }[] } }).value
  return Promise.all([
    ...['exchanges.list', 'world.commits', 'snapshots.list', 'faults.list', 'tasks.list'].map((name) => call(name)),
    ...['scenarios.list', 'programs.list', 'ledger.accounts', 'clock.read', ...(isLong ? ['bundles.export'] : [])].map(
      (name) => call(name),
    ),
    ...['customers', 'transactions', 'custodial_accounts'].map((collection) => call('records.list', { collection })),
    ...data.map(({ uid }) => call('exchanges.get', { uid })),
  ])
}

/** All notices of a world until its stream ends. */
async function listen(world: NamedSandboxWorld, control_key: string) {
  const response = await fetch(`${world.control}/notices`, { headers: { 'x-control-key': control_key } })
  return { ended: response.text() }
}

function expectNoMarkerOfAnother(plans: readonly Plan[], texts: readonly (readonly string[])[]) {
  for (const [i, own] of texts.entries()) {
    const all = own.join('\n')
    expect(all, 'it contains its own').toContain(plans[i]!.marker)
    const found = plans.filter((plan, j) => j !== i && all.includes(plan.marker)).map(({ name }) => name)
    expect(found, `seen in ${plans[i]!.name}`).toEqual([])
  }
}

describe('twenty worlds at once', () => {
  it.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
    'seed %i: no record, fault, log line, notice, snapshot or clock of one is seen in another, and each is as if it were alone',
    async (seed) => {
      const plans = plansOf(seed)
      const sandbox = await startSandbox()
      const present = stateOf(sandbox)
      const worlds = await createAll(sandbox, plans)
      const streams = await Promise.all(worlds.map((world) => listen(world, 'test-key')))
      const answers = await Promise.all(worlds.map((world, i) => operate(world, plans[i]!, seed)))
      const seen = await Promise.all(worlds.map(lookAround))
      const states = worlds.map(stateOf)
      await Promise.all(worlds.map(({ name }) => sandbox.worlds.drop(name)))
      const notices = await Promise.all(streams.map(({ ended }) => ended))
      expectNoMarkerOfAnother(
        plans,
        worlds.map((_, i) => [...answers[i]!, ...seen[i]!, notices[i]!, states[i]!]),
      )
      for (const text of await lookAround(sandbox)) for (const { marker } of plans) expect(text).not.toContain(marker)
      expect(stateOf(sandbox)).toBe(present)
      for (const [i, plan] of plans.entries()) {
        const alone = await startAlone(plan)
        expect(answers[i]).toEqual(await operate(alone, plan, seed))
        expect(states[i] === stateOf(alone), `the records of ${plan.name}`).toBe(true)
        await alone.close()
      }
    },
  )

  it('a token holds in every world whose Program has the same uid and key, unless a setting says otherwise', async () => {
    const sandbox = await startSandbox()
    const [first, second] = await createAll(sandbox, plansOf(1).slice(0, 2))
    if (!first || !second) throw new Error('two worlds are needed')
    const uid = first.programs()[0]!.uid
    const read = async (world: SandboxWorld, token: string) =>
      (
        await apiClient(world).send('GET', '/products', {
          headers: { authorization: token, 'x-trace-id': randomUUID() },
        })
      ).status
    const token = await apiClient(first).signIn()
    for (const world of [sandbox, first, second]) expect(await read(world, token)).toBe(200)

    // Another key, also of a token that this world has seen; the key before, as after a fork, still counts.
    await ask(first, 'programs.rotate_key', { uid })
    const newer = await apiClient(first).signIn()
    expect([await read(first, token), await read(first, newer), await read(second, newer)]).toEqual([200, 200, 401])
    const fork = await sandbox.worlds.create({ from: { world: first.name } })
    expect(await read(fork, token)).toBe(200)

    await ask(second, 'programs.update', { uid, tokens_in_all_worlds: false })
    expect([await read(second, token), await read(sandbox, token)]).toEqual([401, 200])
    const own = await apiClient(second).signIn()
    expect(await read(second, own)).toBe(200)
    // Expired in one world only.
    await ask(sandbox, 'tokens.expire', { uid })
    expect([await read(sandbox, own), await read(second, own)]).toEqual([401, 200])
  })

  it('a trace id that is used in one world is free in the others', async ({ sandbox }) => {
    const worlds: SandboxWorld[] = [sandbox, ...(await createAll(sandbox, plansOf(1)))]
    const tokens = await Promise.all(worlds.map((world) => apiClient(world).signIn()))
    const read = async (world: SandboxWorld, token: string, trace: string) =>
      (await apiClient(world).send('GET', '/products', { headers: { authorization: token, 'x-trace-id': trace } }))
        .status
    for (const [i, world] of worlds.entries()) expect(await read(world, tokens[i]!, 'the same in all')).toBe(200)
    for (const [i, world] of worlds.entries()) expect(await read(world, tokens[i]!, 'the same in all')).toBe(409)
  })
})
