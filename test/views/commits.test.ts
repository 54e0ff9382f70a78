import { describe, expect, it } from 'vitest'
import { controlOf } from '../support/bridges.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { expectControlError, NO_DIFFERENCE } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { START, startSandbox } from '../support/sandbox.ts'

describe('world.commits', () => {
  async function operator(data: string | null = null) {
    const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
    return { control: controlOf(sandbox), api: sandbox.client(), store: sandbox.store }
  }

  it.each([['in memory'], ['in a data folder']])('lists commits with their cause and records: %s', async (where) => {
    const { control, api } = await operator(where === 'in memory' ? null : createTemporaryFolder())
    const { seq } = await control['world.describe']({})
    const { body } = await api.post<{ uid: string }>('/customers', { external_uid: 'a' })
    await control['clock.advance']({ by: 'PT1H' })
    const { commits } = await control['world.commits']({ limit: 2 })
    expect(commits).toEqual([
      {
        seq: seq + 2,
        operation: seq + 2,
        at: '2026-08-14T15:00:00.000Z',
        cause: { door: 'operator', name: 'clock.advance', from: '2026-08-14T14:00:00.000Z' },
        records: {},
        about: [],
        moved: { from: '2026-08-14T14:00:00.000Z', to: '2026-08-14T15:00:00.000Z' },
        goes_on_from: null,
        left_by: null,
      },
      {
        seq: seq + 1,
        operation: seq + 1,
        at: '2026-08-14T14:00:00.000Z',
        cause: { door: 'request', name: 'POST /customers', exchange: 'x2' },
        records: { customers: 1 },
        about: [{ collection: 'customers', uid: body.uid, says: `customer ${body.uid}, initiated` }],
        moved: null,
        goes_on_from: null,
        left_by: null,
      },
    ])
  })

  it('names payments with formatted amounts', async () => {
    const payments = await setUpPayments()
    const olive = await payments.customer()
    await payments.fund(olive, '12500.00')
    const { commits } = await controlOf(payments.sandbox)['world.commits']({ limit: 20 })
    const names = commits
      .flatMap(({ about }) => about.map(({ says }) => says))
      .filter((name) => name.includes(' over '))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(name).toContain(' over 12,500.00, ')
  })

  it('lists 100 by default', async () => {
    const { control, api } = await operator()
    for (let i = 0; i < 100; i++) await api.post('/customers', {})
    const { commits, more } = await control['world.commits']({})
    expect([commits.length, more]).toEqual([100, true])
  })

  it('pages from the newest to the oldest saved commit', async () => {
    const { control, api } = await operator()
    for (let i = 0; i < 5; i++) await api.post('/customers', {})
    const all = await control['world.commits']({ limit: 1000 })
    expect(all.more).toBe(false)
    const seqs = all.commits.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a))
    const [newest = 0] = seqs
    const first = await control['world.commits']({ limit: 2 })
    const second = await control['world.commits']({ limit: 2, before: newest - 1 })
    expect([...first.commits, ...second.commits]).toEqual(all.commits.slice(0, 4))
    expect([first.more, second.more]).toEqual([true, true])
    expect(await control['world.commits']({ before: seqs.at(-1)! })).toEqual({ commits: [], more: false })
  })

  it('marks commits that a rewind or reset abandoned; a rewind to them is still possible', async () => {
    const { control, api } = await operator()
    const { seq } = await control['world.describe']({})
    await api.post('/customers', { external_uid: 'left' })
    await control['world.rewind']({ seq })
    await api.post('/customers', { external_uid: 'present' })
    const shown = async () => {
      const { commits } = await control['world.commits']({ limit: 5 })
      const relative = (commit: number | null) => commit && commit - seq
      return commits.map(({ seq, cause, goes_on_from, left_by }) => [
        relative(seq),
        cause.name,
        goes_on_from,
        relative(left_by),
      ])
    }
    expect((await shown()).slice(0, 4)).toEqual([
      [3, 'POST /customers', null, null],
      [2, 'world.rewind', seq, null],
      [1, 'POST /customers', null, 2],
      [0, expect.any(String), null, null],
    ])
    await control['world.reset']({ world: 'empty' })
    expect((await shown()).map(([, , goes_on_from, left_by]) => [goes_on_from, left_by])).toEqual([
      [0, null],
      [null, 4],
      [seq, 4],
      [null, 4],
      [null, 4],
    ])
    await control['world.rewind']({ seq: seq + 1 })
    expect((await control['records.list']({ collection: 'customers', include_initiated: true })).data).toMatchObject([
      { external_uid: 'left' },
    ])
  })

  it.each([{ limit: 0 }, { limit: 1001 }, { before: 0 }, { before: 'x' }, { since: 1 }])(
    'refuses %j, and nothing changes',
    async (input) => {
      const { control, store } = await operator()
      const { seq } = store.world
      const thrown = await control['world.commits'](input as never).catch((error: unknown) => error)
      expectControlError(thrown, 'invalidArgument')
      expect(store.world.seq).toBe(seq)
    },
  )

  describe('snapshots.compare', () => {
    it('lists what differs, field by field, and what is on one side only', async () => {
      const { control, api } = await operator()
      const changed = await api.post<{ uid: string }>('/customers', { email: 'a@example.test' })
      await control['snapshots.keep']({ name: 'before' })
      await api.call('PUT', `/customers/${changed.body.uid}`, { json: { email: 'b@example.test' } })
      const made = await api.post<{ uid: string }>('/customers', {})
      const { records, total_count } = await control['snapshots.compare']({ a: 'before' })
      expect(total_count).toMatchObject({ records: 2, others: 0 })
      expect(records).toMatchObject([
        {
          collection: 'customers',
          uid: changed.body.uid,
          what: 'changed',
          fields: [{ field: 'email', before: 'a@example.test', after: 'b@example.test' }],
        },
        { collection: 'customers', uid: made.body.uid, what: 'created' },
      ])
    })

    it('lists no record with equal fields: absent, undefined and private fields are not differences', async () => {
      const { control, api, store } = await operator()
      const { body } = await api.post<{ uid: string }>('/customers', { email: 'a@example.test' })
      await control['snapshots.keep']({ name: 'before' })
      store.operate({ door: 'operator', name: 'test' }, (tx) => {
        const customer = tx.customers.get(body.uid)!
        tx.customers.put({ ...customer, archived_at: undefined, made: customer.made + 7 } as never)
      })
      expect(store.world.collections.customers.get(body.uid)).toHaveProperty('archived_at')
      expect(await control['snapshots.compare']({ a: 'before' })).toMatchObject(NO_DIFFERENCE)
    })

    it('counts all differences, and lists 200', async () => {
      const { control, store } = await operator()
      await control['snapshots.keep']({ name: 'before' })
      const program = store.world.collections.programs.inOrder()[0]!
      store.operate({ door: 'operator', name: 'test' }, (tx) => {
        for (let i = 0; i < 1_001; i++) tx.programs.put({ ...program, uid: `program${i}`, made: 10_000 + i })
      })
      const { records, total_count } = await control['snapshots.compare']({ a: 'before' })
      expect([records.length, total_count.records]).toEqual([200, 1_001])
    })
  })
})
