import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { at, openOperator, SSN } from '../support/operator-sandbox.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

describe('world.reset', () => {
  it.each(['demo', 'empty'] as const)(
    '%s: equals the world of a fresh sandbox with that seed and start',
    async (world) => {
      const { sandbox, control, create, seq } = await openOperator()
      await create()
      await control['clock.advance']({ by: 'P1D' })
      const before = [canonical(sandbox.store.world), seq()] as const
      const reset = await control['world.reset']({ world, seed: 'another' })
      expect(reset).toMatchObject({ seq: before[1] + 1, now: at(0) })
      expect(reset.changed).toBeGreaterThan(0)
      const fresh = await startSandbox({ seed: 'another', world })
      expect(canonical(sandbox.store.world)).toBe(canonical(fresh.store.world))
      expect(await control['world.describe']({})).toMatchObject({ seed: 'another', start: at(0), seq: reset.seq })
      expect(await control['ledger.check']({})).toMatchObject({ balanced: true })
      await control['world.rewind']({ seq: before[1] })
      expect(canonical(sandbox.store.world), 'undone').toBe(before[0])
      expect(await control['world.describe']({})).toMatchObject({ seed: 'test' })
    },
  )

  it('without a seed it uses the same seed, and later generated values are the same again', async () => {
    const { sandbox, control, create } = await openOperator()
    const first = await create()
    const world = canonical(sandbox.store.world)
    await create()
    await control['world.reset']({ world: 'empty' })
    expect(await create(), 'a uid may come again').toBe(first)
    expect(canonical(sandbox.store.world)).toBe(world)
  })

  it('behaves like a fresh world of that seed: its seals, keys and numbers are the same', async () => {
    const { sandbox, control, api } = await openOperator()
    await control['world.reset']({ world: 'empty', seed: 'another' })
    const fresh = await startSandbox({ seed: 'another' })
    const live = async (client: typeof api) => {
      const { body } = await client.post('/customers', OLIVE)
      const { data } = (await client.get<{ data: object[] }>('/customers?include_initiated=true')).body
      return [body, data]
    }
    expect(await live(api)).toEqual(await live(fresh.client()))
    expect(canonical(sandbox.store.world)).toBe(canonical(fresh.store.world))
    // The request log seals with the key of the seed, so that a local replay can open it.
    const sealed = async (one: typeof sandbox) => {
      const reply = (await one.call('exchanges.list', { limit: 10 })) as {
        value: { data: { uid: string; path: string }[] }
      }
      const { uid } = reply.value.data.find(({ path }) => path === '/customers')!
      const full = (await one.call('exchanges.get', { uid })) as { value: { request: { body: string } } }
      return full.value.request.body
    }
    expect(await sealed(sandbox)).toBe(await sealed(fresh))
    expect(await sealed(sandbox)).not.toContain(SSN)
  })

  it('keeps mode and pace of the clock; time and break condition start over', async () => {
    const { control } = await openOperator()
    const break_on = { collection: 'customers', status: 'active' }
    await control['clock.set']({ pace: 'real', break_on })
    await control['clock.advance']({ by: 'P1D' })
    await control['world.reset']({ world: 'empty' })
    expect(await control['clock.read']({})).toMatchObject({
      now: at(0),
      mode: 'frozen',
      pace: 'real',
      break_on: null,
    })
  })

  it('keeps the request log, snapshots, and tokens of a Program that still exists', async () => {
    const { control, api, create } = await openOperator()
    await create()
    await control['snapshots.keep']({ name: 'a' })
    const { total_count } = await control['exchanges.list']({})
    await control['world.reset']({ world: 'empty', seed: 'another' })
    expect(await control['exchanges.list']({})).toMatchObject({ total_count })
    expect((await control['snapshots.list']({})).snapshots).toHaveLength(1)
    expect((await api.get('/customers')).status).toBe(200)
  })

  it.each([
    ['world.reset', { world: 'empty' }],
    ['scenarios.run', { text: 'name: Mine\nsteps:\n  - advance: 1h\n', into: 'present' }],
  ] as const)('%s forgets which trace ids were used, also after a restart', async (method, input) => {
    const data = createTemporaryFolder()
    const { sandbox, control, api } = await openOperator({ data })
    const use = (id: string, client = api) => client.post('/customers', {}, { headers: { 'x-trace-id': id } })
    await use('a')
    await use('b')
    expectRefusal(await use('a'), 'duplicateTraceId')
    await control[method](input as never)
    expect((await use('a')).status).toBe(201)
    for (let n = 0; n < 2; n++) await api.get('/customers')
    await sandbox.close()
    const next = (await startSandbox({ data })).client()
    expectRefusal(await use('a', next), 'duplicateTraceId')
    expect((await use('b', next)).status).toBe(201)
  })

  it('uses another start, mode and pace if they are given', async () => {
    const { control } = await openOperator()
    const start = '2026-11-23T15:00:00.000Z'
    await control['world.reset']({ world: 'empty', start, mode: 'frozen', pace: 'real' })
    expect(await control['clock.read']({})).toMatchObject({ now: start, mode: 'frozen', pace: 'real' })
    expect(await control['world.describe']({})).toMatchObject({ start })
  })

  it.each([
    [{ world: 'empty', start: 'tomorrow' }, 'invalidArgument', /^start: /],
    [{ world: 'empty', mode: 'stopped' }, 'invalidArgument', /^mode: /],
    [{ world: 'full' }, 'invalidArgument', /^world: /],
    [{}, 'missingParameter', /^world is missing$/],
    [{ world: 'empty', seed: '' }, 'invalidArgument', /^seed: /],
    [{ world: 'empty', seed: 'x'.repeat(201) }, 'invalidArgument', /^seed: /],
    [{ world: 'empty', begin: at(0) }, 'invalidArgument', /Unrecognized key: "begin"/],
  ] as const)('%j is refused', async (input, key, extra) => {
    const { refused, control } = await openOperator()
    await refused(() => control['world.reset'](input as never), key, extra)
  })
})

it('world.rewind refuses a future commit, an unknown one, and a value that is not a number', async () => {
  const { refused, control, seq } = await openOperator()
  const rewind = (to: unknown) => () => control['world.rewind']({ seq: to } as never)
  await refused(
    rewind(seq() + 1),
    'invalidArgument',
    `seq: the newest commit is ${seq()}; there is no commit ${seq() + 1} yet`,
  )
  await refused(rewind(0), 'invalidArgument', /^seq: Commit 0 is no longer in the history/)
  for (const wrong of [-1, 1.5, '1']) await refused(rewind(wrong), 'invalidArgument', /^seq: /)
  await refused(rewind(undefined), 'missingParameter', 'seq is missing')
  await refused(rewind(null), 'missingParameter', 'seq cannot be null or blank')
})
