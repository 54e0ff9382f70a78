import { describe, expect, it } from 'vitest'
import { OLIVE } from '../support/customers.ts'
import { at, openBank, openOperator, PROGRAM } from '../support/operator-sandbox.ts'

describe('records.history', () => {
  it('lists creation, changes and removal, newest first, with their causes and the changed fields by path', async () => {
    const { control, api, create, schedule, seq } = await openOperator({ tasks: { k: () => {} } })
    const uid = await create({ ...OLIVE, email: 'first@example.test' })
    const [token, made] = [seq(), await newest()]
    const details = { ...OLIVE.details, phone: '5155550999' }
    await api.call('PUT', `/customers/${uid}`, { json: { email: 'second@example.test', details } })
    const changed = await newest()
    await control['moves.make']({ collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
    const { commits } = await control['records.history']({ collection: 'customers', uid })
    expect(commits.map(({ seq: n, at: when, cause, what }) => [n, when, cause, what])).toEqual([
      [token + 2, at(0), { door: 'operator', name: 'moves.make lock', decision: 'lock' }, 'changed'],
      [token + 1, at(0), { door: 'request', name: 'PUT /customers/{uid}', exchange: changed }, 'changed'],
      [token, at(0), { door: 'request', name: 'POST /customers', exchange: made }, 'made'],
    ])
    expect(commits[0]!.fields).toEqual([
      { field: 'lock_reason', from: null, to: 'Lost' },
      { field: 'locked_at', from: null, to: at(0) },
    ])
    expect(commits[1]!.fields).toEqual([
      { field: 'email', from: 'first@example.test', to: 'second@example.test' },
      { field: 'details.phone', from: '5155550123', to: '5155550999' },
    ])
    expect(commits[2]!.fields).toContainEqual({ field: 'details.address.city', from: null, to: 'Ames' })

    const task = schedule(1000)
    await control['clock.advance']({ by: 'PT1H' })
    const { commits: ofTask } = await control['records.history']({ collection: 'tasks', uid: task })
    expect(ofTask).toMatchObject([
      { what: 'removed', at: at(1000), cause: { door: 'time', name: 'k' } },
      { what: 'made', at: at(0), cause: { door: 'operator', name: 'test' } },
    ])
    expect(ofTask[0]!.fields).toContainEqual({ field: 'due_at', from: at(1000), to: null })

    async function newest() {
      return (await control['exchanges.list']({ limit: 1 })).data[0]!.uid
    }
  })

  it('limit returns only the newest entries', async () => {
    const { refused, control, create } = await openOperator()
    const uid = await create()
    await control['moves.make']({ collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'x' } })
    await control['moves.make']({ collection: 'customers', uid, move: 'unlock' })
    const history = async (limit?: number) =>
      (await control['records.history']({ collection: 'customers', uid, ...(limit ? { limit } : {}) })).commits
    expect(await history()).toHaveLength(3)
    expect(await history(2)).toEqual((await history()).slice(0, 2))
    for (const limit of [0, -1, 1.5, 1001])
      await refused(
        () => control['records.history']({ collection: 'customers', uid, limit }),
        'invalidArgument',
        /^limit: /,
      )
  })

  it('never contains private data: no SSN, sealed or not, no key, no account number of another bank', async () => {
    const { control, customer, counterparty, api, sandbox } = await openBank()
    const own = sandbox.store.world.collections.synthetic_accounts.get(customer.master)!.account_number
    const theirs = sandbox.store.world.collections.synthetic_accounts.get(counterparty)!.account_number
    expect([own, theirs].every((number) => /^\d{5,}$/.test(number ?? ''))).toBe(true)
    await api.call('PUT', `/customers/${customer.uid}`, {
      json: { email: 'b@example.test', details: { ...OLIVE.details, ssn: '512-04-8824' } },
    })
    await control['programs.rotate_key']({ uid: PROGRAM, hmac_key: 'another-key-of-the-operator' })
    const told: string[] = []
    for (const [collection, uid] of [
      ['customers', customer.uid],
      ['synthetic_accounts', counterparty],
      ['programs', PROGRAM],
    ] as const)
      told.push(JSON.stringify(await control['records.history']({ collection, uid })))
    told.push(JSON.stringify(await control['records.story']({ uid: customer.uid })))
    await control['snapshots.keep']({ name: 'now' })
    await control['world.rewind']({ seq: 1 })
    told.push(JSON.stringify(await control['snapshots.compare']({ a: 'now' })))
    for (const text of told) {
      expect(text.length).toBeGreaterThan(100)
      expect(text).not.toMatch(
        /sealed:|512-?04-?88|"ssn"|hmac_key|another-key-of|harbor-demo-key|"book_balance"|"field":"made"|"made":/,
      )
      expect(text).not.toContain(theirs)
    }
    const ours = await control['records.history']({ collection: 'synthetic_accounts', uid: customer.master })
    expect(JSON.stringify(ours), 'numbers of own accounts are not private').toContain(own)
  })

  it('after a rewind it contains only the current branch, and the rewind itself', async () => {
    const { control, create, seq } = await openOperator()
    const uid = await create()
    const made = seq()
    const lock = (lock_reason: string) =>
      control['moves.make']({ collection: 'customers', uid, move: 'lock', inputs: { lock_reason } })
    await lock('left behind')
    const left = seq()
    await control['world.rewind']({ seq: made })
    await lock('present')
    const history = async () => (await control['records.history']({ collection: 'customers', uid })).commits
    const seqs = (await history()).map(({ seq: n }) => n)
    expect(seqs).toContain(made)
    expect(seqs).toContain(left + 2)
    expect(seqs, 'the abandoned commit').not.toContain(left)
    expect((await history()).map(({ cause }) => cause.name)).toEqual([
      'moves.make lock',
      'world.rewind',
      'POST /customers',
    ])
    await control['world.rewind']({ seq: left })
    expect((await history()).map(({ seq: n }) => n)).toEqual([seq(), left, made])
  })

  it('after a reset it contains nothing from before', async () => {
    const { control, seq } = await openOperator()
    for (const name of ['One', 'Two', 'Three']) await control['programs.update']({ uid: PROGRAM, name })
    await control['world.reset']({ world: 'demo', seed: 'other' })
    const { commits } = await control['records.history']({ collection: 'programs', uid: PROGRAM })
    expect(commits.map(({ cause }) => cause.name)).toEqual(['world.reset'])
    await control['programs.update']({ uid: PROGRAM, name: 'Four' })
    const { commits: later } = await control['records.history']({ collection: 'programs', uid: PROGRAM })
    expect(later.map(({ seq: n, cause }) => [n, cause.name])).toEqual([
      [seq(), 'programs.update'],
      [seq() - 1, 'world.reset'],
    ])
  })

  it('an unknown record has no history', async () => {
    const { control } = await openOperator()
    expect(await control['records.history']({ collection: 'customers', uid: 'x' })).toEqual({ commits: [] })
  })
})
