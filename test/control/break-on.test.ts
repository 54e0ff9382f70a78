import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/api/contract/messages.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { at, HOUR, openBank, openOperator } from '../support/operator-sandbox.ts'
import { START } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { expectUnchanged } from '../support/world.ts'

describe('clock.set break_on', () => {
  const settled = { collection: 'transactions', status: 'settled' }

  async function openWithTwoPayments() {
    const it = await openBank()
    await it.fund(it.customer, '100.00')
    const first = await it.send('1.00')
    await it.advance({ by: 'PT1S' })
    const second = await it.send('2.00')
    return { ...it, first: first.uid, second: second.uid }
  }

  it('an advance stops exactly at the task that changes a record to the status; later tasks have not run', async () => {
    const { control, first, second, transaction } = await openWithTwoPayments()
    expect(await control['clock.set']({ break_on: settled })).toMatchObject({ break_on: settled, mode: 'frozen' })
    const { settles_at } = await expected(first)
    const { to, fired } = await control['clock.advance']({ by: 'P1D' })
    expect(to).toBe(settles_at)
    expect(fired.at(-1)).toMatchObject({ at: to, task: 'finish payment', record: first, outcome: 'settled' })
    expect(await transaction(first)).toMatchObject({ status: 'settled', settled_at: to })
    expect(await transaction(second)).toMatchObject({ status: 'pending' })
    expect(await control['clock.read']({})).toMatchObject({ now: to, mode: 'frozen', break_on: null })

    async function expected(uid: string) {
      const { tasks } = await control['tasks.list']({})
      const { due_at } = tasks.find(({ record, kind }) => record === uid && kind === 'finish payment')!
      return { settles_at: due_at }
    }
  })

  /** Three tasks of one instant; the second one changes a Customer to the awaited status. */
  async function tasksOfOneInstant() {
    const ran: string[] = []
    const it = await openOperator({
      tasks: {
        note: (_tx, { why }) => void ran.push(formatMessage(why)),
        lock: (tx, { subject_uid, why }) => {
          ran.push(formatMessage(why))
          const customer = tx.customers.get(subject_uid ?? '')!
          tx.customers.put({ ...customer, status: 'rejected' })
        },
      },
    })
    const [first, second] = [await it.create(), await it.create({ ...OLIVE, email: 'b@example.test' })]
    it.schedule(HOUR, 'note')
    it.schedule(HOUR, 'lock', first)
    it.schedule(HOUR, 'lock', second)
    const break_on = { collection: 'customers', status: 'rejected' }
    await it.control['clock.set']({ break_on })
    const { fired } = await it.control['clock.advance']({ by: 'P1D' })
    expect(fired.map(({ task }) => task)).toEqual(['note', 'lock'])
    return { ...it, ran, first, second, break_on }
  }

  it('the other tasks of that instant wait: the operator sees the world as it is at the break', async () => {
    const { sandbox, control, ran, first, second } = await tasksOfOneInstant()
    await expectUnchanged(sandbox, async () => {
      expect(await control['clock.read']({})).toMatchObject({ now: at(HOUR), due: 1, next: { at: at(HOUR) } })
      await control['records.list']({ collection: 'customers' })
      await control['records.get']({ collection: 'customers', uid: first })
      await control['records.history']({ collection: 'customers', uid: first })
      await control['records.story']({ uid: first })
      await control.why({ collection: 'customers', uid: first })
      await control['moves.list']({ collection: 'customers', uid: first })
      await control['tasks.list']({})
      await control['ledger.check']({})
      await control['exchanges.list']({})
      await control['snapshots.keep']({ name: 'at the break' })
      await control['snapshots.compare']({ a: 'at the break' })
    })
    expect(ran).toHaveLength(2)
    const [waiting] = (await control['tasks.list']({})).tasks.filter(({ record }) => record === second)
    await control['tasks.hold']({ uid: waiting!.uid })
    await control['clock.advance']({ by: 'PT1H' })
    expect(ran, 'the third one waits').toHaveLength(2)
  })

  it('the next advance runs the waiting tasks and lists them; with a new condition it stops at the next task of the same instant', async () => {
    const { control, ran, second, break_on } = await tasksOfOneInstant()
    await control['clock.set']({ break_on })
    const { to, fired } = await control['clock.advance']({ by: 'P1D' })
    expect(fired).toMatchObject([{ at: at(HOUR), task: 'lock', record: second }])
    expect([to, ran.length]).toEqual([at(HOUR), 3])
    expect(await control['clock.read']({})).toMatchObject({ now: at(HOUR), break_on: null, due: 0 })
  })

  it('a request runs the waiting tasks first, so it never sees a window open that has closed', async () => {
    const { api, ran, second, control, break_on } = await tasksOfOneInstant()
    await control['clock.set']({ break_on })
    expect((await api.get(`/customers/${second}`)).body).toMatchObject({ status: 'rejected' })
    expect(ran).toHaveLength(3)
    expect(await control['clock.read']({})).toMatchObject({ break_on: null, mode: 'frozen' })
  })

  it('a clock that is set to running runs the waiting tasks', async () => {
    const { control, ran } = await tasksOfOneInstant()
    await control['clock.set']({ mode: 'running' })
    await waitFor(() => expect(ran).toHaveLength(3))
  })

  it('it stops the clock only once: the next advance does not stop', async () => {
    const { control, second, transaction } = await openWithTwoPayments()
    await control['clock.set']({ break_on: settled })
    await control['clock.advance']({ by: 'P1D' })
    const { from, to } = await control['clock.advance']({ by: 'PT1H' })
    expect(Date.parse(to) - Date.parse(from)).toBe(HOUR)
    expect((await transaction(second)).status).toBe('settled')
  })

  it('with a uid it stops only for this record', async () => {
    const { control, first, second, transaction } = await openWithTwoPayments()
    await control['clock.set']({ break_on: { ...settled, uid: second } })
    const { to, fired } = await control['clock.advance']({ until: 'idle' })
    expect(fired.at(-1)).toMatchObject({ at: to, record: second })
    expect((await transaction(first)).status).toBe('settled')
    expect((await transaction(second)).settled_at).toBe(to)
  })

  it('null removes it; leaving break_on out keeps it', async () => {
    const { control, second, transaction } = await openWithTwoPayments()
    await control['clock.set']({ break_on: settled })
    expect(await control['clock.set']({ pace: 'real' })).toMatchObject({ break_on: settled, pace: 'real' })
    expect(await control['clock.set']({ break_on: null })).toMatchObject({ break_on: null })
    await control['clock.advance']({ by: 'P1D' })
    expect((await transaction(second)).status).toBe('settled')
  })

  it('a break that can never come is refused: its record cannot reach the status any more', async () => {
    const { sandbox, control, first } = await openWithTwoPayments()
    const set = (status: string) =>
      control['clock.set']({ break_on: { collection: 'transactions', status, uid: first } })
    await expectRefusedCall(
      sandbox,
      () => set('queued'),
      'invalidArgument',
      /^break_on\.status: its status is queued, from which it can become pending, settled, failed, expired, canceled$/,
    )
    await control['clock.advance']({ until: 'idle' })
    await expectRefusedCall(
      sandbox,
      () => set('failed'),
      'invalidArgument',
      'break_on.status: its status is settled, from which it does not change',
    )
  })

  it('an advance says what stopped it', async () => {
    const { control, first } = await openWithTwoPayments()
    await control['clock.set']({ break_on: settled })
    expect(await control['clock.advance']({ by: 'P1D' })).toMatchObject({
      stopped_by: 'break_on',
      met: { ...settled, uid: first },
    })
    expect(await control['clock.advance']({ by: 'P1D' })).toMatchObject({ stopped_by: 'goal', met: null })
  })

  it('only a change to the status stops the clock, not a record that has it already', async () => {
    const { control, api, create } = await openOperator()
    const uid = await create()
    const break_on = { collection: 'customers', status: 'initiated' }
    await control['clock.set']({ mode: 'running', break_on })
    await api.call('PUT', `/customers/${uid}`, { json: { email: 'new@example.test' } })
    expect(await control['clock.read']({})).toMatchObject({ mode: 'running', break_on })
    await create()
    expect(await control['clock.read']({})).toMatchObject({ mode: 'frozen', break_on: null })
  })

  it('a running clock freezes when a task changes a record to the status', async () => {
    const { control, api, create } = await openOperator({ clock: 'running' })
    const customer_uid = await create()
    await control['clock.set']({ break_on: { collection: 'customers', status: 'active' } })
    const product_uid = 'cQ2vNf7ZxLm9TbKe'
    expect((await api.post('/customer_products', { customer_uid, product_uid })).status).toBe(200)
    await waitFor(async () => expect((await control['clock.read']({})).mode).toBe('frozen'))
    const { now } = await control['clock.read']({})
    const { activated_at } = (await api.get(`/customers/${customer_uid}`)).body
    expect(now >= String(activated_at)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await control['clock.read']({})).toMatchObject({ now, break_on: null })
  })

  it('it is part of the world: it is kept over a restart, also over one that starts the clock', async () => {
    const data = createTemporaryFolder()
    const first = await openOperator({ seed: 'test', start: START, world: 'empty', data })
    await first.control['clock.set']({ break_on: settled })
    await first.sandbox.close()
    const again = await openOperator({ data })
    expect((await again.control['clock.read']({})).break_on).toEqual(settled)
    await again.sandbox.close()
    const running = await openOperator({ data, clock: 'running' })
    expect(await running.control['clock.read']({})).toMatchObject({ mode: 'running', break_on: settled })
  })

  it('a rewind does not stop the clock', async () => {
    const { control, create, seq } = await openOperator()
    const uid = await create()
    const made = seq()
    await control['moves.make']({ collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'x' } })
    await control['snapshots.keep']({ name: 'kept' })
    await control['world.rewind']({ seq: made - 1 })
    await control['clock.set']({ break_on: { collection: 'customers', status: 'initiated' }, mode: 'running' })
    const armed = seq()
    await control['world.rewind']({ seq: made })
    await control['world.rewind']({ seq: armed })
    expect(await control['clock.read']({})).toMatchObject({ mode: 'running', break_on: { collection: 'customers' } })
    await create()
    expect(await control['clock.read']({})).toMatchObject({ mode: 'frozen', break_on: null })
  })

  it.each([
    ['an unknown collection', { collection: 'nonsense', status: 'x' }, 'routeNotFound', /there is no collection nonse/],
    ['a name of every object', { collection: '__proto__', status: 'x' }, 'routeNotFound', /there is no collection/],
    ['no status', { collection: 'customers' }, 'missingParameter', /^break_on\.status is missing$/],
    ['a status that is no text', { collection: 'customers', status: 1 }, 'invalidArgument', /^break_on\.status: /],
    [
      'an unknown field',
      { ...settled, when: 'x' },
      'invalidArgument',
      /^break_on: Unrecognized key: "when"; known: collection, status, uid$/,
    ],
    [
      'a collection without status',
      { collection: 'pools', status: 'active' },
      'invalidArgument',
      /^break_on\.collection: pools have no status; these have one: /,
    ],
    [
      'a record that does not exist',
      { ...settled, uid: 'nobody' },
      'invalidArgument',
      'break_on.uid: transactions have no record nobody',
    ],
  ] as const)('%s is refused', async (_name, break_on, key, extra) => {
    const { refused, control } = await openOperator()
    await refused(() => control['clock.set']({ break_on: break_on as never }), key, extra)
  })
})
