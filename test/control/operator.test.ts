import { describe, expect, it, vi } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { formatMessage, textMessage } from '../../src/api/contract/messages.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { ipcBridge } from '../support/bridges.ts'
import { apiClient, expectRefusal, sign } from '../support/client.ts'
import { freshFolder } from '../support/folder.ts'
import { refused } from '../support/operator.ts'
import { payments } from '../support/payments.ts'
import { START, startSandbox } from '../support/sandbox.ts'
import { OLIVE } from '../support/story.ts'
import { testTask } from '../support/tasks.ts'
import { canonical, unchanged } from '../support/world.ts'

const HOUR = 3_600_000
const at = (ms: number) => new Date(START + ms).toISOString()
const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
const SSN = '512-04-8823'

describe('what the operator can do', () => {
  async function operator(options: Partial<SandboxOptions> = {}) {
    const sandbox = await startSandbox(options)
    const bridge = ipcBridge(sandbox)
    const control = createControlClient(bridge)
    const api = sandbox.client()
    await api.get('/products')
    const create = async (body: object = OLIVE) => String((await api.post('/customers', body)).body.uid)
    const schedule = (ms: number, kind = 'k', subject_uid: string | null = null) =>
      sandbox.store.transact(PROGRAM, { door: 'operator', name: 'test' }, (tx) =>
        tx.schedule(testTask({ kind, due_at: at(ms), subject_uid, why: `${kind} at ${ms}` })),
      ).uid
    const task = async (uid: string) => (await control['tasks.list']({})).tasks.find((one) => one.uid === uid)
    const seq = () => sandbox.store.world.seq
    return { sandbox, bridge, control, api, create, schedule, task, seq }
  }

  /** The same in a world with money. */
  async function bank(options: Partial<SandboxOptions> = {}) {
    const told = await payments(options)
    const bridge = ipcBridge(told.sandbox)
    const control = createControlClient(bridge)
    const customer = await told.customer()
    const counterparty = await told.account(customer, 'ach_external')
    /** An ACH of the Customer's own; answers with its Transaction. */
    const send = async (amount: string, to = counterparty) => {
      const { uid, transaction_uids } = await told.pay(customer, customer.master, to, amount)
      return { transfer_uid: uid, uid: transaction_uids[0]! }
    }
    return { ...told, bridge, control, customer, anotherCustomer: told.customer, counterparty, send }
  }

  /** An advance that is running while the work is done. */
  async function whileAdvancing(work: (it: Awaited<ReturnType<typeof operator>>) => Promise<void>) {
    const slow = () => {
      for (const end = performance.now() + 10; performance.now() < end; );
    }
    const it = await operator({ tasks: { slow } })
    for (let i = 1; i <= 500; i++) it.schedule(i * 1000, 'slow')
    const advancing = it.control['clock.advance']({ by: 'PT1H' })
    await vi.waitFor(async () => expect((await it.control['clock.read']({})).now).not.toBe(at(0)))
    await work(it)
    expect(await it.control['clock.cancel']({}), 'it was running all the time').toEqual({ canceled: true })
    await advancing
  }

  // ── Tasks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  describe('tasks.run: "run one now"', () => {
    it('one that is due later runs at this instant, once, and the clock stands', async () => {
      const { control, customer, fund, send, transaction, proveBooks } = await bank()
      await fund(customer, '100.00')
      const { uid: transaction_uid } = await send('30.00')
      const { now } = await control['clock.read']({})
      const { tasks } = await control['tasks.list']({})
      const mine = tasks.filter(({ record }) => record === transaction_uid)
      expect(mine.map(({ kind }) => kind)).toEqual(['begin payment', 'finish payment'])
      for (const [i, outcome, status] of [
        [0, 'pending', 'pending'],
        [1, 'settled', 'settled'],
      ] as const) {
        const { uid, kind } = mine[i]!
        expect(await control['tasks.run']({ uid })).toEqual({
          at: now,
          task: kind,
          record: transaction_uid,
          outcome,
          message: { code: outcome, facts: {} },
        })
        expect((await transaction(transaction_uid)).status).toBe(status)
      }
      expect(await control['clock.read']({})).toMatchObject({ now, due: 0 })
      expect((await control['clock.advance']({ by: 'PT1H' })).ran).toBe(0)
      await proveBooks()
    })

    it('one that has failed is tried again: it may do, or fail again and stay', async () => {
      let broken = true
      const k = () => {
        if (broken) throw new Error('the bank is closed')
        return 'done at last'
      }
      const { control, schedule, task, seq } = await operator({ tasks: { k } })
      const uid = schedule(1000)
      const { fired } = await control['clock.advance']({ by: 'PT1M' })
      expect(fired).toMatchObject([{ outcome: 'failed: the bank is closed' }])
      expect(await task(uid)).toMatchObject({ failed: 'failed: the bank is closed', held: false })
      expect(await control['clock.read']({}), 'it does not wait any more').toMatchObject({ due: 0, next: null })
      expect((await control['clock.advance']({ by: 'PT1M' })).ran, 'and is not tried by itself').toBe(0)

      const before = seq()
      expect(await control['tasks.run']({ uid })).toMatchObject({ task: 'k', outcome: 'failed: the bank is closed' })
      expect(await task(uid)).toMatchObject({ failed: 'failed: the bank is closed' })
      expect(seq(), 'that it failed again is one commit').toBe(before + 1)

      broken = false
      expect(await control['tasks.run']({ uid })).toEqual({
        at: at(120_000),
        task: 'k',
        record: null,
        outcome: 'done at last',
        message: textMessage('done at last'),
      })
      expect(await task(uid)).toBeUndefined()
    })

    it('one that was held back runs too, and one that fails is told as a notice', async () => {
      const heard: Notice[] = []
      const { bridge, control, schedule, task } = await operator({
        tasks: {
          k: () => 'done',
          fail: () => {
            throw new Error('no')
          },
        },
      })
      await new Promise<void>((ready) =>
        bridge.subscribe(
          (notice) => heard.push(notice),
          (is) => is && ready(),
        ),
      )
      const held = schedule(1000)
      await control['tasks.hold']({ uid: held })
      expect(await control['tasks.run']({ uid: held })).toMatchObject({ outcome: 'done' })
      expect(await task(held)).toBeUndefined()

      const failing = schedule(1000, 'fail')
      await control['tasks.run']({ uid: failing })
      await vi.waitFor(() =>
        expect(heard.filter(({ type }) => type === 'task_failed')).toMatchObject([
          { task: { uid: failing, failed: 'failed: no' } },
        ]),
      )
    })

    it('an unknown one is refused, and so is one that has run', async () => {
      const { sandbox, control, schedule } = await operator({ tasks: { k: () => {} } })
      await refused(sandbox, () => control['tasks.run']({ uid: 'x' }), 'routeNotFound', 'there is no task x')
      const uid = schedule(1000)
      await control['tasks.run']({ uid })
      await refused(sandbox, () => control['tasks.run']({ uid }), 'routeNotFound', `there is no task ${uid}`)
    })

    it('while an advance runs it is refused', async () => {
      await whileAdvancing(async ({ control }) => {
        const { tasks } = await control['tasks.list']({})
        const { uid } = tasks.findLast(({ recurring }) => !recurring)!
        await expect(control['tasks.run']({ uid })).rejects.toThrow(/an advance is running/)
        expect((await control['tasks.list']({})).tasks.some((one) => one.uid === uid)).toBe(true)
      })
    })
  })

  describe('tasks.hold and tasks.release: "hold one back, let it go"', () => {
    const noted = () => {
      const ran: string[] = []
      return { ran, tasks: { k: (tx: { now: string }) => void ran.push(tx.now) } }
    }

    it('what is held does not run when it falls due, and is not counted as due', async () => {
      const { ran, tasks } = noted()
      const { control, schedule, task } = await operator({ tasks })
      const uid = schedule(1000)
      schedule(2000)
      expect(await control['tasks.hold']({ uid })).toMatchObject({ uid, held: true, due_at: at(1000) })
      expect(await task(uid)).toMatchObject({ held: true })
      expect(await control['clock.read']({})).toMatchObject({ due: 1, next: { at: at(2000) } })
      expect(await control['clock.advance']({ until: 'idle' })).toMatchObject({ ran: 1, to: at(2000) })
      expect(ran).toEqual([at(2000)])
      expect(await task(uid), 'it waits').toMatchObject({ held: true, failed: null })
    })

    it('released before it is due, it runs when it is due', async () => {
      const { ran, tasks } = noted()
      const { control, schedule } = await operator({ tasks })
      const uid = schedule(HOUR)
      await control['tasks.hold']({ uid })
      expect(await control['tasks.release']({ uid })).toMatchObject({ uid, held: false })
      await control['clock.read']({})
      expect(ran).toEqual([])
      await control['clock.advance']({ by: 'PT2H' })
      expect(ran).toEqual([at(HOUR)])
    })

    it('released when it is past due, it runs at once: nobody sees it undone', async () => {
      const { control, customer, api, fund, send, transaction, proveBooks } = await bank()
      await fund(customer, '100.00')
      const { uid: transaction_uid } = await send('30.00')
      const { tasks } = await control['tasks.list']({})
      const { uid } = tasks.find(({ record, kind }) => record === transaction_uid && kind === 'finish payment')!
      await control['tasks.hold']({ uid })
      await control['clock.advance']({ by: 'PT1H' })
      expect(await transaction(transaction_uid)).toMatchObject({ status: 'pending' })
      const { now } = await control['clock.read']({})
      await control['tasks.release']({ uid })
      expect((await api.get(`/transactions/${transaction_uid}`)).body.status).toBe('settled')
      expect(await control['clock.read']({}), 'and time has not moved').toMatchObject({ now, due: 0 })
      await proveBooks()
    })

    it('time does not go back by it, after a restart neither', async () => {
      const data = freshFolder()
      const settings = { seed: 'test', start: START, world: 'empty', data, tasks: { k: () => {} } } as const
      const first = await operator(settings)
      const uid = first.schedule(1000)
      await first.control['tasks.hold']({ uid })
      await first.control['clock.advance']({ by: 'PT1H' })
      await first.control['tasks.release']({ uid })
      const { now } = await first.control['clock.read']({})
      expect(now).toBe(at(HOUR))
      expect(first.sandbox.store.world.collections.tasks.get(uid), 'it has run').toBeUndefined()
      const before = canonical(first.sandbox.store.world)
      await first.sandbox.close()
      const second = await startSandbox({ data })
      expect(canonical(second.store.world)).toBe(before)
    })

    it('in a running clock, too, what is released past due runs at once', async () => {
      const { ran, tasks } = noted()
      const { control, schedule } = await operator({ tasks, clock: 'running' })
      const uid = schedule(1_500)
      await control['tasks.hold']({ uid })
      await vi.waitFor(async () => expect((await control['clock.read']({})).now > at(1_550)).toBe(true), 5_000)
      expect(ran).toEqual([])
      await control['tasks.release']({ uid })
      await vi.waitFor(() => expect(ran).toHaveLength(1))
    })

    it.each(['tasks.hold', 'tasks.release'] as const)('%s of an unknown task is refused', async (method) => {
      const { sandbox, control } = await operator()
      await refused(sandbox, () => control[method]({ uid: 'x' }), 'routeNotFound', 'there is no task x')
    })

    it('what was held stays held over a restart', async () => {
      const data = freshFolder()
      const first = await operator({ seed: 'test', start: START, world: 'empty', data })
      const uid = first.schedule(1000)
      await first.control['tasks.hold']({ uid })
      await first.sandbox.close()
      const again = await operator({ data })
      expect(await again.task(uid)).toMatchObject({ held: true })
    })
  })

  // ── The clock stops at what was waited for ─────────────────────────────────────────────────────────────────────

  describe('clock.set break_on: "freezes the clock when a condition first holds"', () => {
    const settled = { collection: 'transactions', status: 'settled' }

    async function twoPayments() {
      const it = await bank()
      await it.fund(it.customer, '100.00')
      const first = await it.send('1.00')
      await it.advance({ by: 'PT1S' })
      const second = await it.send('2.00')
      return { ...it, first: first.uid, second: second.uid }
    }

    it('an advance stops exactly at the task that brings a record to the status; later ones have not run', async () => {
      const { control, first, second, transaction } = await twoPayments()
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

    /** Three tasks of one instant, of which the second brings a Customer to what is waited for. */
    async function atOnce() {
      const ran: string[] = []
      const it = await operator({
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

    it('the rest of that instant waits: the operator looks at the world as it is at the break, and decides', async () => {
      const { sandbox, control, ran, first, second } = await atOnce()
      await unchanged(sandbox, async () => {
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
      expect(ran, 'it was held back').toHaveLength(2)
    })

    it('an advance runs the rest and tells of it; armed anew, it stops at the next one of the same instant', async () => {
      const { control, ran, second, break_on } = await atOnce()
      await control['clock.set']({ break_on })
      const { to, fired } = await control['clock.advance']({ by: 'P1D' })
      expect(fired).toMatchObject([{ at: at(HOUR), task: 'lock', record: second }])
      expect([to, ran.length]).toEqual([at(HOUR), 3])
      expect(await control['clock.read']({})).toMatchObject({ now: at(HOUR), break_on: null, due: 0 })
    })

    it('a request runs the rest: it never sees a window open that the clock has closed', async () => {
      const { api, ran, second, control, break_on } = await atOnce()
      await control['clock.set']({ break_on })
      expect((await api.get(`/customers/${second}`)).body).toMatchObject({ status: 'rejected' })
      expect(ran).toHaveLength(3)
      expect(await control['clock.read']({})).toMatchObject({ break_on: null, mode: 'frozen' })
    })

    it('set running, the clock runs the rest', async () => {
      const { control, ran } = await atOnce()
      await control['clock.set']({ mode: 'running' })
      await vi.waitFor(() => expect(ran).toHaveLength(3))
    })

    it('it is consumed by the first time: the next advance goes through', async () => {
      const { control, second, transaction } = await twoPayments()
      await control['clock.set']({ break_on: settled })
      await control['clock.advance']({ by: 'P1D' })
      const { from, to } = await control['clock.advance']({ by: 'PT1H' })
      expect(Date.parse(to) - Date.parse(from)).toBe(HOUR)
      expect((await transaction(second)).status).toBe('settled')
    })

    it('by uid: this record alone', async () => {
      const { control, first, second, transaction } = await twoPayments()
      await control['clock.set']({ break_on: { ...settled, uid: second } })
      const { to, fired } = await control['clock.advance']({ until: 'idle' })
      expect(fired.at(-1)).toMatchObject({ at: to, record: second })
      expect((await transaction(first)).status).toBe('settled')
      expect((await transaction(second)).settled_at).toBe(to)
    })

    it('null takes it back, and what is left out leaves it', async () => {
      const { control, second, transaction } = await twoPayments()
      await control['clock.set']({ break_on: settled })
      expect(await control['clock.set']({ pace: 'real' })).toMatchObject({ break_on: settled, pace: 'real' })
      expect(await control['clock.set']({ break_on: null })).toMatchObject({ break_on: null })
      await control['clock.advance']({ by: 'P1D' })
      expect((await transaction(second)).status).toBe('settled')
    })

    it('only coming to the status counts, not being in it', async () => {
      const { control, api, create } = await operator()
      const uid = await create()
      const break_on = { collection: 'customers', status: 'initiated' }
      await control['clock.set']({ mode: 'running', break_on })
      await api.call('PUT', `/customers/${uid}`, { json: { email: 'new@example.test' } })
      expect(await control['clock.read']({})).toMatchObject({ mode: 'running', break_on })
      await create()
      expect(await control['clock.read']({})).toMatchObject({ mode: 'frozen', break_on: null })
    })

    it('a running clock stops at what time brings about, and stands from then on', async () => {
      const { control, api, create } = await operator({ clock: 'running' })
      const customer_uid = await create()
      await control['clock.set']({ break_on: { collection: 'customers', status: 'active' } })
      const product_uid = 'cQ2vNf7ZxLm9TbKe'
      expect((await api.post('/customer_products', { customer_uid, product_uid })).status).toBe(200)
      await vi.waitFor(async () => expect((await control['clock.read']({})).mode).toBe('frozen'), 5_000)
      const { now } = await control['clock.read']({})
      const { activated_at } = (await api.get(`/customers/${customer_uid}`)).body
      expect(now >= String(activated_at)).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect(await control['clock.read']({})).toMatchObject({ now, break_on: null })
    })

    it('it is of the world: it is there after a restart', async () => {
      const data = freshFolder()
      const first = await operator({ seed: 'test', start: START, world: 'empty', data })
      await first.control['clock.set']({ break_on: settled })
      await first.sandbox.close()
      const again = await operator({ data })
      expect((await again.control['clock.read']({})).break_on).toEqual(settled)
    })

    it('a restart that sets the clock going leaves it', async () => {
      const data = freshFolder()
      const first = await operator({ seed: 'test', start: START, world: 'empty', data })
      await first.control['clock.set']({ break_on: settled })
      await first.sandbox.close()
      const again = await operator({ data, clock: 'running' })
      expect(await again.control['clock.read']({})).toMatchObject({ mode: 'running', break_on: settled })
    })

    it('going back is no condition that comes to hold', async () => {
      const { control, create, seq } = await operator()
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
      [
        'an unknown collection',
        { collection: 'nonsense', status: 'x' },
        'routeNotFound',
        /there is no collection nonse/,
      ],
      ['a name of every object', { collection: '__proto__', status: 'x' }, 'routeNotFound', /there is no collection/],
      ['no status', { collection: 'customers' }, 'missingParameter', /^break_on\.status is missing$/],
      ['a status that is no text', { collection: 'customers', status: 1 }, 'invalidArgument', /^break_on\.status: /],
      ['a field too many', { ...settled, when: 'x' }, 'invalidArgument', /Unrecognized key: "when"/],
    ] as const)('%s is refused', async (_name, break_on, key, extra) => {
      const { sandbox, control } = await operator()
      await refused(sandbox, () => control['clock.set']({ break_on: break_on as never }), key, extra)
    })
  })

  // ── How a record came to be ────────────────────────────────────────────────────────────────────────────────────

  describe('records.history: "every commit of the present line that touched it and its cause"', () => {
    it('made, changed, removed; the newest first, with what caused it and what changed by path', async () => {
      const { control, api, create, schedule, seq } = await operator({ tasks: { k: () => {} } })
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

    it('limit gives the newest so many', async () => {
      const { sandbox, control, create } = await operator()
      const uid = await create()
      for (const move of ['lock', 'unlock'])
        await control['moves.make']({ collection: 'customers', uid, move, inputs: { lock_reason: 'x' } })
      const history = async (limit?: number) =>
        (await control['records.history']({ collection: 'customers', uid, ...(limit ? { limit } : {}) })).commits
      expect(await history()).toHaveLength(3)
      expect(await history(2)).toEqual((await history()).slice(0, 2))
      for (const limit of [0, -1, 1.5, 1001])
        await refused(
          sandbox,
          () => control['records.history']({ collection: 'customers', uid, limit }),
          'invalidArgument',
          /^limit: /,
        )
    })

    it('what is private is never in it: no SSN, sealed or not, no key, no account number of another bank', async () => {
      const { control, customer, counterparty, api, sandbox } = await bank()
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
      expect(JSON.stringify(ours), 'our own numbers are no secret').toContain(own)
    })

    it('after a rewind only the present line is told, and the rewind itself', async () => {
      const { control, create, seq } = await operator()
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
      expect(seqs, 'that has not been').not.toContain(left)
      expect((await history()).map(({ cause }) => cause.name)).toEqual([
        'moves.make lock',
        'world.rewind',
        'POST /customers',
      ])
      await control['world.rewind']({ seq: left })
      expect((await history()).map(({ seq: n }) => n)).toEqual([seq(), left, made])
    })

    it('a reset leaves everything before it behind', async () => {
      const { control, seq } = await operator()
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

    it('an unknown collection is refused; what never was has no history', async () => {
      const { sandbox, control } = await operator()
      await refused(
        sandbox,
        () => control['records.history']({ collection: 'nonsense', uid: 'x' }),
        'routeNotFound',
        /^there is no collection nonsense; there are programs, customers/,
      )
      expect(await control['records.history']({ collection: 'customers', uid: 'x' })).toEqual({ commits: [] })
    })
  })

  describe('records.story: "a Customer\'s stream of requests, states, money and time"', () => {
    async function lived() {
      const it = await bank()
      const other = await it.anotherCustomer()
      await it.fund(it.customer, '100.00')
      await it.fund(other, '7.77')
      const { uid: transaction_uid } = await it.send('30.00')
      await it.advance({ until: 'idle' })
      const path = `/customers/${it.customer.uid}`
      expect((await it.api.call('PUT', path, { json: { customer_type: 'secondary' } })).status).toBe(422)
      await it.advance({ by: 'P3D' })
      const story = async (limit?: number) =>
        (await it.control['records.story']({ uid: it.customer.uid, ...(limit ? { limit } : {}) })).entries
      return { ...it, other, transaction_uid, path, story }
    }

    it('one stream, the newest first, each with its commit and cause', async () => {
      const { story, transaction_uid, other, control, path, customer } = await lived()
      const entries = await story()
      const times = entries.map((entry) => entry.at)
      expect(times).toEqual(times.toSorted().reverse())
      expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['request', 'state', 'money', 'time', 'record']))
      const texts = entries.map(({ text }) => text)
      expect(texts.filter((text) => /Synthetic Account": .* → /.test(text))).toEqual([
        'synthetic account "Primary Synthetic Account": 100.00 → 70.00',
        'synthetic account "Primary Synthetic Account": available 100.00 → 70.00',
        'synthetic account "Primary Synthetic Account": 0.00 → 100.00',
      ])
      const states = entries.filter(({ uid }) => uid === transaction_uid)
      expect(states.map(({ kind, cause }) => [kind, cause?.name])).toEqual([
        ['state', 'finish payment'],
        ['state', 'begin payment'],
        ['money', 'POST /transfers'],
      ])
      expect(entries.at(-1)).toMatchObject({ kind: 'request', text: 'POST /customers', cause: { door: 'request' } })

      const refusal = entries.find(({ seq }) => seq === null)!
      expect(refusal).toMatchObject({ kind: 'request', cause: { door: 'request', name: `PUT ${path}` } })
      expect(refusal.text).toMatch(/^PUT \/customers\/\w+ → 422: /)
      const exchange = await control['exchanges.get']({ uid: refusal.cause!.exchange! })
      expect(exchange.status).toBe(422)

      const { commits } = await control['records.history']({ collection: 'customers', uid: customer.uid })
      for (const { seq } of commits) expect(entries.some((entry) => entry.seq === seq)).toBe(true)
      expect(JSON.stringify(entries), 'nothing of others').not.toMatch(new RegExp(`${other.uid}|7\\.77`))
    })

    it('limit gives the newest so many', async () => {
      const { story, sandbox, control, customer } = await lived()
      const all = await story()
      expect(all.length).toBeGreaterThan(15)
      for (const limit of [1, 7]) expect(await story(limit)).toEqual(all.slice(0, limit))
      await refused(
        sandbox,
        () => control['records.story']({ uid: customer.uid, limit: 0 }),
        'invalidArgument',
        /^limit: /,
      )
    })

    it('each jump of the clock is told whole, from where it stood', async () => {
      const { story, control } = await lived()
      const { from, to } = await control['clock.advance']({ business_days: 1 })
      const [jump] = (await story()).filter(({ kind }) => kind === 'time')
      expect(jump).toMatchObject({ at: to, text: `the clock went from ${from} to ${to}` })
    })

    it('also one that ends exactly on a task: time has passed', async () => {
      const { story, control, api, customer } = await lived()
      const mock = { transaction_type: 'wire', customer_uid: customer.uid, us_dollar_amount: 1 }
      expect((await api.post('/sandbox/mock_transactions', mock)).status).toBe(201)
      const { from, to, fired } = await control['clock.advance']({ until: 'next' })
      expect(fired.at(-1)?.at).toBe(to)
      const [jump] = await story()
      expect(jump).toMatchObject({ kind: 'time', at: to, text: `the clock went from ${from} to ${to}` })
      await control['clock.advance']({ to })
      expect((await story())[0], 'no time has passed').toEqual(jump)
    })

    it('what was refused on a line that was left behind is not told, and what was refused before it is', async () => {
      const { story, control, api, path, sandbox } = await lived()
      const refuse = async (n: number) =>
        expect((await api.call('PUT', `${path}?n=${n}`, { json: { customer_type: 'secondary' } })).status).toBe(422)
      const told = async () =>
        (await story())
          .filter(({ seq, text }) => seq === null && text.includes('→ 422'))
          .map(({ text }) => /n=(\d)/.exec(text)?.[1] ?? 'first')
      const { seq } = sandbox.store.world
      await refuse(1)
      await control['clock.advance']({ by: 'P1D' })
      await refuse(2)
      const { seq: later } = sandbox.store.world
      await control['world.rewind']({ seq })
      await refuse(3)
      expect(await told()).toEqual(['3', '1', 'first'])
      // The rewind is undone: what followed from it is left behind in its turn.
      await control['world.rewind']({ seq: later })
      await refuse(4)
      expect(await told()).toEqual(['4', '2', '1', 'first'])
    })

    it('an unknown Customer is refused', async () => {
      const { sandbox, control } = await operator()
      await refused(
        sandbox,
        () => control['records.story']({ uid: 'x' }),
        'routeNotFound',
        'customers holds no record x',
      )
    })
  })

  describe('why: "the chain from line item to event to transaction to transfer to the request, task or move that made it"', () => {
    async function settled() {
      const it = await bank()
      await it.fund(it.customer, '100.00')
      const sent = await it.send('30.00')
      const request = (await it.control['exchanges.list']({ limit: 1 })).data[0]!.uid
      await it.advance({ until: 'idle' })
      const ask = async (collection: string, uid: string, field?: string) =>
        (await it.control.why({ collection, uid, ...(field ? { field } : {}) })).chain
      const lines = (await it.control['ledger.lines']({ transaction_uid: sent.uid })).data
      const lineOf = (book: string, account_uid?: string) =>
        lines.find((line) => line.book === book && (!account_uid || line.account_uid === account_uid))!.uid
      const collections = (chain: { collection: string }[]) => chain.map(({ collection }) => collection)
      return { ...it, sent, request, ask, lineOf, collections }
    }

    it('a Synthetic Line Item goes back over Transaction and Transfer to the request', async () => {
      const { ask, lineOf, sent, request, collections } = await settled()
      const chain = await ask('synthetic_line_items', lineOf('synthetic'))
      expect(collections(chain)).toEqual(['synthetic_line_items', 'transactions', 'transfers'])
      expect(chain[0]).toMatchObject({ cause: { door: 'time', name: 'finish payment' }, section: '6' })
      expect(chain[0]!.rule).toMatch(/its line items are written/)
      expect(chain[1]!.uid).toBe(sent.uid)
      expect(chain[2]).toMatchObject({
        uid: sent.transfer_uid,
        at: at(2000),
        cause: { door: 'request', name: 'POST /transfers', exchange: request },
        rule: 'A Transfer is queued with its Transaction, and what leaves is held at once',
        section: '1',
      })
    })

    it('a Custodial one goes over its Transaction Event', async () => {
      const { ask, lineOf, collections } = await settled()
      expect(collections(await ask('custodial_line_items', lineOf('custodial')))).toEqual([
        'custodial_line_items',
        'transaction_events',
        'transactions',
        'transfers',
      ])
    })

    it('a balance goes back to the line that moved it last', async () => {
      const { ask, lineOf, customer, sent, collections } = await settled()
      const chain = await ask('synthetic_accounts', customer.master, 'net_usd_balance')
      expect(collections(chain)).toEqual(['synthetic_accounts', 'synthetic_line_items', 'transactions', 'transfers'])
      expect(chain[0]!.says).toMatch(/net_usd_balance is "70\.00"$/)
      expect(chain[1]!.uid).toBe(lineOf('synthetic', customer.master))
      expect(chain.at(-1)!.uid).toBe(sent.transfer_uid)
    })

    it('what is held goes back to the payment that holds it', async () => {
      const { ask, send, customer, collections } = await settled()
      const { uid } = await send('5.00')
      const chain = await ask('synthetic_accounts', customer.master, 'net_usd_available_balance')
      expect(collections(chain)).toEqual(['synthetic_accounts', 'transactions', 'transfers'])
      expect(chain[1]!.uid).toBe(uid)
    })

    it("a Customer's total goes back to the line that moved it: one of its own accounts, not of a counterparty", async () => {
      const { ask, lineOf, customer, sent } = await settled()
      const chain = await ask('customers', customer.uid, 'total_balance')
      expect(chain[1]).toMatchObject({ collection: 'synthetic_line_items', uid: lineOf('synthetic', customer.master) })
      expect(chain.at(-1)!.uid).toBe(sent.transfer_uid)
    })

    it('a field goes back to the commit that last changed it', async () => {
      const { ask, customer, control } = await settled()
      const [status] = await ask('customers', customer.uid, 'status')
      expect(status).toMatchObject({
        cause: { name: 'decide kyc' },
        rule: expect.stringMatching(/^KYC\/AML/),
        at: at(2000),
      })
      expect(status!.says).toMatch(/status is "active"$/)
      const inputs = { lock_reason: 'Lost' }
      await control['moves.make']({ collection: 'customers', uid: customer.uid, move: 'lock', inputs })
      const [locked] = await ask('customers', customer.uid, 'locked_at')
      expect(locked).toMatchObject({ cause: { name: 'moves.make lock' }, rule: 'The operator decided: lock' })
      expect(await ask('customers', customer.uid, 'details.phone')).toMatchObject([
        { cause: { name: 'POST /customers' } },
      ])
    })

    it('a return goes back to what it returns', async () => {
      const { ask, api, mock, advance, customer, collections, control, sent } = await settled()
      const original = await mock({ transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount: -9 })
      await advance({ until: 'idle' })
      const made = await api.post('/returns', {
        original_transaction_uid: original,
        requesting_customer_uid: customer.uid,
        requestor_type: 'customer',
        return_reason: 'not mine',
        ach: { ach_return_code: 'R10' },
      })
      expect(made, made.text).toMatchObject({ status: 201 })
      await advance({ until: 'idle' })
      const returning = String(made.body.return_transaction_uid)
      const chain = await ask('transactions', returning)
      expect(collections(chain)).toEqual(['transactions', 'returns', 'transactions'])
      expect(chain.at(-1)).toMatchObject({ uid: original, cause: { name: 'POST /sandbox/mock_transactions' } })
      expect(collections(await ask('returns', String(made.body.uid)))).toEqual(['returns', 'transactions'])

      const inputs = { code: 'R01' }
      const { uid } = sent
      await control['moves.make']({ collection: 'transactions', uid, move: 'return', inputs })
      await advance({ until: 'idle' })
      const [line] = (await control['ledger.lines']({ book: 'synthetic', limit: 1 })).data
      const back = await ask('synthetic_line_items', line!.uid)
      expect(collections(back)).toEqual(['synthetic_line_items', 'transactions', 'transactions', 'transfers'])
      expect(back[1]).toMatchObject({ cause: { door: 'operator', name: 'moves.make return' } })
      expect(back[2]!.uid).toBe(uid)
    })

    it('a closing balance goes back to its account', async () => {
      const { ask, advance, control, collections, customer } = await settled()
      await advance({ business_days: 1 })
      const { data } = await control['records.list']({ collection: 'synthetic_account_closing_balances' })
      const chain = await ask('synthetic_account_closing_balances', String(data[0]!.uid))
      expect(collections(chain)).toEqual(['synthetic_account_closing_balances', 'synthetic_accounts'])
      expect(chain[0]).toMatchObject({ cause: { door: 'time', name: 'close of day' } })
      expect(chain[1]!.uid).toBe(customer.master)
    })

    it('after a restore the restoring made it so, and what came before it is told where it is kept', async () => {
      const { ask, control, sent, advance, send } = await settled()
      await control['snapshots.keep']({ name: 'then' })
      await send('1.00')
      await advance({ until: 'idle' })
      await control['snapshots.restore']({ name: 'then' })
      const chain = await ask('transactions', sent.uid)
      expect(chain.at(-1)).toMatchObject({ uid: sent.transfer_uid, cause: { name: 'POST /transfers' } })
    })

    it('what is not there is refused', async () => {
      const { sandbox, control } = await operator()
      await refused(
        sandbox,
        () => control.why({ collection: 'customers', uid: 'x' }),
        'routeNotFound',
        'customers holds no record x',
      )
      await refused(
        sandbox,
        () => control.why({ collection: 'nonsense', uid: 'x' }),
        'routeNotFound',
        /there is no collection nonsense/,
      )
      await refused(
        sandbox,
        () => control.why({ collection: 'customers' } as never),
        'missingParameter',
        'uid is missing',
      )
    })
  })

  // ── The books ──────────────────────────────────────────────────────────────────────────────────────────────────

  describe('the ledger', () => {
    async function booked() {
      const it = await bank()
      await it.fund(it.customer, '100.00')
      const second = await it.account(it.customer, 'general')
      await it.pay(it.customer, it.customer.master, second, '25.00')
      const { uid: transaction_uid } = await it.send('30.00')
      await it.advance({ until: 'idle' })
      return { ...it, second, transaction_uid }
    }
    const cents = (money: string) => Math.round(Number(money) * 100)

    it('ledger.accounts: every account of both books, its balance the sum of its lines', async () => {
      const { control, customer, second, counterparty, balances } = await booked()
      const { accounts } = await control['ledger.accounts']({})
      const { data: lines, total_count } = await control['ledger.lines']({ limit: 1000 })
      expect(total_count).toBe(lines.length)
      for (const account of accounts) {
        const own = lines.filter(({ account_uid, book }) => account_uid === account.uid && book === account.book)
        expect(own).toHaveLength(account.lines)
        expect(own.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(account.balance))
        expect(account).toMatchObject({ customer_uid: customer.uid, pool_uid: customer.pool, program_uid: PROGRAM })
      }
      const of = (uid: string) => accounts.find((account) => account.uid === uid)
      expect(of(customer.master)).toMatchObject({ liability: true, kind: 'general', balance: '45.00', lines: 3 })
      expect(of(second)).toMatchObject({ balance: '25.00', available: '25.00', lines: 1 })
      expect(of(counterparty)).toMatchObject({
        liability: false,
        kind: 'ach_external',
        balance: '30.00',
        pending: null,
      })
      expect(await balances(customer.master)).toMatchObject({ balance: of(customer.master)!.balance })
      expect(accounts.filter(({ book }) => book === 'custodial').map(({ kind }) => kind)).toEqual([
        'dda',
        'dda_cash_external',
        'dda_cash_received',
      ])
      for (const book of ['synthetic', 'custodial'] as const)
        expect((await control['ledger.accounts']({ book })).accounts).toEqual(accounts.filter((it) => it.book === book))
    })

    it('ledger.lines: the newest first, with the running balance, by account, transaction, book and page', async () => {
      const { control, customer, transaction_uid } = await booked()
      const all = (await control['ledger.lines']({ limit: 1000 })).data
      expect(all.map((line) => line.at)).toEqual(
        all
          .map((line) => line.at)
          .toSorted()
          .reverse(),
      )
      const own = (await control['ledger.lines']({ account_uid: customer.master })).data
      expect(own.map(({ amount, running }) => [amount, running])).toEqual([
        ['-30.00', '45.00'],
        ['-25.00', '75.00'],
        ['100.00', '100.00'],
      ])
      const posted = (await control['ledger.lines']({ transaction_uid })).data
      expect(posted.map(({ book }) => book).toSorted()).toEqual(['custodial', 'custodial', 'synthetic', 'synthetic'])
      for (const book of ['synthetic', 'custodial'])
        expect(posted.filter((line) => line.book === book).reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(0)
      expect((await control['ledger.lines']({ book: 'custodial', limit: 1000 })).data).toEqual(
        all.filter(({ book }) => book === 'custodial'),
      )
      expect(await control['ledger.lines']({ limit: 2, offset: 3 })).toEqual({
        total_count: all.length,
        count: 2,
        limit: 2,
        offset: 3,
        data: all.slice(3, 5),
      })
      expect(await control['ledger.lines']({ account_uid: 'x' })).toMatchObject({ total_count: 0, data: [] })
    })

    it('ledger.trial_balance: both books come to 0.00', async () => {
      const { control } = await booked()
      const { accounts } = await control['ledger.accounts']({})
      const { data: lines } = await control['ledger.lines']({ limit: 1000 })
      const { books } = await control['ledger.trial_balance']({})
      expect(books.map(({ book }) => book)).toEqual(['synthetic', 'custodial'])
      for (const row of books) {
        const own = lines.filter(({ book }) => book === row.book)
        expect(row).toMatchObject({
          total: '0.00',
          lines: own.length,
          accounts: accounts.filter(({ book }) => book === row.book).length,
        })
        expect(cents(row.credits)).toBe(own.reduce((sum, { amount }) => sum + Math.max(0, cents(amount)), 0))
        expect(cents(row.debits)).toBe(-cents(row.credits))
      }
    })

    it('ledger.check proves them, and changes nothing', async () => {
      const { control, sandbox, customer } = await booked()
      const proof = await unchanged(sandbox, () => control['ledger.check']({}))
      expect(proof).toMatchObject({ balanced: true, problems: [] })
      expect(proof.checked).toMatchObject({ programs: 1, transactions: 3, pools: 1 })
      // Around the rules and the check of commits, as a defect of ours would.
      const { synthetic_accounts } = sandbox.store.world.collections
      const account = synthetic_accounts.get(customer.master)!
      synthetic_accounts.set(account.uid, Object.freeze({ ...account, book_balance: '46.00' as never }))
      const found = await control['ledger.check']({})
      expect(found.balanced).toBe(false)
      expect(found.problems.join('\n')).toContain(customer.master)
    })

    it('each Program has books of its own', async () => {
      const { control, sandbox } = await booked()
      const { uid } = await control['programs.create']({ name: 'Second' })
      expect(await control['ledger.accounts']({ program_uid: uid })).toEqual({ accounts: [] })
      expect(await control['ledger.lines']({ program_uid: uid })).toMatchObject({ total_count: 0 })
      expect((await control['ledger.trial_balance']({ program_uid: uid })).books).toMatchObject([
        { lines: 0, total: '0.00' },
        { lines: 0, total: '0.00' },
      ])
      expect((await control['ledger.check']({})).checked).toMatchObject({ programs: 2 })
      for (const method of ['ledger.accounts', 'ledger.lines', 'ledger.trial_balance'] as const)
        await refused(sandbox, () => control[method]({ program_uid: 'x' }), 'routeNotFound', 'there is no Program x')
    })

    it.each<[MethodName, object, RegExp]>([
      ['ledger.accounts', { book: 'red' }, /^book: /],
      ['ledger.lines', { book: 'red' }, /^book: /],
      ['ledger.lines', { limit: 1001 }, /^limit: /],
      ['ledger.lines', { offset: -1 }, /^offset: /],
      ['ledger.trial_balance', { book: 'synthetic' }, /Unrecognized key: "book"/],
      ['ledger.check', { program_uid: PROGRAM }, /Unrecognized key: "program_uid"/],
    ])('%s %j is refused', async (method, input, extra) => {
      const { sandbox, control } = await operator()
      await refused(sandbox, () => control[method](input as never), 'invalidArgument', extra)
    })
  })

  // ── Programs ───────────────────────────────────────────────────────────────────────────────────────────────────

  describe('programs.rotate_key', () => {
    const refreshTokens = (key: string) => sign({ iat: Math.floor(Date.now() / 1000), sub: PROGRAM }, key)

    it('access tokens that were issued keep their life; refresh tokens of the old key are refused', async () => {
      const { control, api, sandbox } = await operator()
      const old = api.program.hmac_key
      const rotated = await control['programs.rotate_key']({ uid: PROGRAM })
      const { hmac_key, products: _, synthetic_account_types: __, ...rest } = rotated
      expect((await control['programs.list']({})).programs).toEqual([rotated])
      expect(hmac_key).not.toBe(old)
      expect(hmac_key.length).toBeGreaterThan(30)
      expect({ ...rest, hmac_key: old }).toEqual({ ...api.program, program_uid: undefined, made: undefined })
      expect((await api.get('/customers')).status).toBe(200)
      const ask = (key: string) => api.send('POST', '/auth', { headers: { authorization: refreshTokens(key) } })
      expectRefusal(await unchanged(sandbox, () => ask(old)), 'unauthorized')
      expect((await ask(hmac_key)).status).toBe(201)
      expect((await sandbox.client().get('/customers')).status).toBe(200)
      expect((await control['programs.list']({})).programs[0]!.hmac_key).toBe(hmac_key)
    })

    it('a key that is given is taken as it is', async () => {
      const { control, api } = await operator()
      const hmac_key = 'schlüssel of the operator'
      expect(await control['programs.rotate_key']({ uid: PROGRAM, hmac_key })).toMatchObject({ hmac_key })
      const authorization = refreshTokens(hmac_key)
      expect((await api.send('POST', '/auth', { headers: { authorization } })).status).toBe(201)
    })

    it('drawn keys follow from the seed', async () => {
      const [one, two] = [await operator(), await operator()]
      const rotate = async ({ control }: typeof one) =>
        (await control['programs.rotate_key']({ uid: PROGRAM })).hmac_key
      expect(await rotate(one)).toBe(await rotate(two))
    })

    it('a former key stays out of the request log, wherever somebody still sends it; no method shows it', async () => {
      const data = freshFolder()
      const first = await operator({ seed: 'test', start: START, world: 'empty', data })
      const given = 'the second key of this Program'
      const keys = [first.api.program.hmac_key, given]
      await first.control['programs.rotate_key']({ uid: PROGRAM, hmac_key: given })
      await first.control['programs.rotate_key']({ uid: PROGRAM })
      const pasted = async ({ api, control }: typeof first) => {
        for (const key of keys) await api.get(`/products?name=${encodeURIComponent(key)}`, { headers: { note: key } })
        const { data: exchanges } = await control['exchanges.list']({ limit: keys.length })
        expect(exchanges.map(({ path }) => decodeURIComponent(path))).toEqual(
          keys.map(() => '/products?name=[key+removed]'),
        )
        for (const { uid } of exchanges)
          expect((await control['exchanges.get']({ uid })).request.headers).toContainEqual(['note', '[key removed]'])
        const shown = [
          await control['programs.list']({}),
          await control['programs.update']({ uid: PROGRAM, name: 'Renamed' }),
          await control['records.get']({ collection: 'programs', uid: PROGRAM }),
          await control['records.history']({ collection: 'programs', uid: PROGRAM }),
          await control['snapshots.compare']({ a: 'before' }),
          await control.why({ collection: 'programs', uid: PROGRAM, field: 'name' }),
        ]
        for (const key of keys) expect(JSON.stringify(shown)).not.toContain(key)
        expect(JSON.stringify(shown)).not.toContain('former')
      }
      await first.control['snapshots.keep']({ name: 'before' })
      await pasted(first)
      await first.sandbox.close()
      await pasted(await operator({ data }))
    })

    it('so does one that a rewind or a reset has left behind', async () => {
      const { control, api, seq } = await operator()
      const before = seq()
      const { hmac_key: abandoned } = await control['programs.rotate_key']({ uid: PROGRAM })
      await control['world.rewind']({ seq: before })
      const { hmac_key: further } = await control['programs.create']({ name: 'Second' })
      await control['world.reset']({ world: 'empty' })
      for (const key of [abandoned, further]) {
        await api.get(`/products?name=${key}`)
        const { data } = await control['exchanges.list']({ limit: 1 })
        expect(decodeURIComponent(data[0]!.path)).toBe('/products?name=[key+removed]')
      }
    })

    it('the last 20 former keys are kept, each once', async () => {
      const { sandbox, control } = await operator()
      const keyOf = (n: number) => `a key of the Program, number ${n}`
      for (let n = 0; n < 25; n++) await control['programs.rotate_key']({ uid: PROGRAM, hmac_key: keyOf(n) })
      const former = () => sandbox.store.world.collections.programs.get(PROGRAM)!.former_hmac_keys
      expect(former()).toEqual(Array.from({ length: 20 }, (_, i) => keyOf(i + 4)))
      await control['programs.rotate_key']({ uid: PROGRAM, hmac_key: keyOf(23) })
      expect(former()).toEqual([...Array.from({ length: 19 }, (_, i) => keyOf(i + 4)), keyOf(24)])
    })

    it('a key of less than 16 characters is refused with the reason', async () => {
      const { sandbox, control } = await operator()
      const rotate = (hmac_key: string) => () => control['programs.rotate_key']({ uid: PROGRAM, hmac_key })
      await refused(
        sandbox,
        rotate('fifteen letters'),
        'invalidArgument',
        'hmac_key: at least 16 characters are expected: the request log hides the key wherever it stands, also in other words',
      )
      expect(await rotate('sixteen letters.')()).toMatchObject({ hmac_key: 'sixteen letters.' })
    })

    it('an unknown Program and an empty key are refused', async () => {
      const { sandbox, control } = await operator()
      const rotate = (input: object) => () => control['programs.rotate_key'](input as never)
      await refused(sandbox, rotate({ uid: 'x' }), 'routeNotFound', 'there is no Program x')
      await refused(sandbox, rotate({ uid: PROGRAM, hmac_key: '' }), 'invalidArgument', /^hmac_key: /)
      await refused(sandbox, rotate({}), 'missingParameter', 'uid is missing')
    })
  })

  describe('flags of a Program', () => {
    it('strict: what is not known is refused instead of ignored', async () => {
      const { sandbox, control, api } = await operator()
      const sent = () => api.post('/customers', { adress: 'x' })
      const lenient = await sent()
      expect(lenient.status).toBe(201)
      expect(lenient.headers.get('x-sandbank-hints')).toBeTruthy()
      await control['programs.update']({ uid: PROGRAM, strict: true })
      expectRefusal(await unchanged(sandbox, sent), 'invalidArgument', /adress/)
      const listed = () => api.get('/customers?lmit=1')
      expectRefusal(await unchanged(sandbox, listed), 'invalidArgument', /lmit/)
      expect((await api.post('/customers', OLIVE)).status).toBe(201)
      expect((await api.get('/customers?limit=1')).status).toBe(200)
      await control['programs.update']({ uid: PROGRAM, strict: false })
      expect((await sent()).status).toBe(201)
    })

    it('trace_ids_optional: a request without one is taken, and a repeated one is refused all the same', async () => {
      const { sandbox, control, api } = await operator()
      const bare = () => api.get('/customers', { headers: { 'x-trace-id': undefined } })
      expectRefusal(await unchanged(sandbox, bare), 'missingParameter', /x-trace-id/)
      await control['programs.update']({ uid: PROGRAM, trace_ids_optional: true })
      expect((await bare()).status).toBe(200)
      expect((await bare()).status).toBe(200)
      const traced = () => api.post('/customers', {}, { headers: { 'x-trace-id': 'once' } })
      expect((await traced()).status).toBe(201)
      expectRefusal(await unchanged(sandbox, traced), 'duplicateTraceId')
    })

    it('they are of one Program alone', async () => {
      const { sandbox, control } = await operator()
      await control['programs.create']({ name: 'Strict', strict: true, trace_ids_optional: true })
      const other = apiClient(sandbox, 1)
      expectRefusal(await other.post('/customers', { adress: 1 }), 'invalidArgument', /adress/)
      expect((await other.get('/customers', { headers: { 'x-trace-id': undefined } })).status).toBe(200)
      expect((await sandbox.client().post('/customers', { adress: 1 })).status).toBe(201)
    })
  })

  // ── Whole worlds ───────────────────────────────────────────────────────────────────────────────────────────────

  describe('snapshots', () => {
    it('keep, list, restore, compare, delete', async () => {
      const { sandbox, control, create, seq } = await operator()
      const uid = await create()
      const kept = await unchanged(sandbox, () => control['snapshots.keep']({ name: 'before the storm' }))
      const records = Object.values(sandbox.store.world.collections).reduce((sum, { size }) => sum + size, 0)
      expect(kept).toEqual({ name: 'before the storm', at: at(0), seq: seq(), records })
      expect(await control['snapshots.list']({})).toEqual({ snapshots: [kept] })
      const world = canonical(sandbox.store.world)
      expect(await control['snapshots.compare']({ a: 'before the storm' })).toEqual({ differences: [], total_count: 0 })

      await control['moves.make']({ collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
      const other = await create({ email: 'other@example.test' })
      await control['clock.advance']({ by: 'PT1H' })
      const later = canonical(sandbox.store.world)
      const compared = await unchanged(sandbox, () => control['snapshots.compare']({ a: 'before the storm' }))
      expect(compared.total_count).toBe(2)
      expect(compared.differences).toEqual(
        expect.arrayContaining([
          {
            collection: 'customers',
            uid,
            what: 'differs',
            fields: [
              { field: 'lock_reason', a: null, b: 'Lost' },
              { field: 'locked_at', a: null, b: at(0) },
            ],
          },
          expect.objectContaining({ collection: 'customers', uid: other, what: 'only in b' }),
        ]),
      )
      const back = await control['snapshots.compare']({ b: 'before the storm' })
      expect(back.differences.map(({ what }) => what).toSorted()).toEqual(['differs', 'only in a'])

      const before = seq()
      expect(await control['snapshots.restore']({ name: 'before the storm' })).toEqual({
        seq: before + 1,
        now: at(0),
        changed: 2,
      })
      expect(canonical(sandbox.store.world)).toBe(world)
      await control['world.rewind']({ seq: before })
      expect(canonical(sandbox.store.world), 'and it was undone').toBe(later)

      await unchanged(sandbox, () => control['snapshots.delete']({ name: 'before the storm' }))
      expect(await control['snapshots.list']({})).toEqual({ snapshots: [] })
    })

    it('a name that is there already is replaced; two kept worlds can be compared', async () => {
      const { control, create } = await operator()
      await control['snapshots.keep']({ name: 'a' })
      await control['snapshots.keep']({ name: 'b' })
      const uid = await create()
      expect(await control['snapshots.compare']({ a: 'a', b: 'b' })).toMatchObject({ total_count: 0 })
      await control['snapshots.keep']({ name: 'b' })
      expect((await control['snapshots.list']({})).snapshots.map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
      expect(await control['snapshots.compare']({ a: 'a', b: 'b' })).toMatchObject({
        total_count: 1,
        differences: [{ collection: 'customers', uid, what: 'only in b' }],
      })
    })

    it('what was kept does not change with the world', async () => {
      const { control, create } = await operator()
      const kept = await control['snapshots.keep']({ name: 'a' })
      await create()
      expect(await control['snapshots.list']({})).toEqual({ snapshots: [kept] })
      await control['snapshots.restore']({ name: 'a' })
      expect(await control['records.list']({ collection: 'customers', include_initiated: true })).toMatchObject({
        total_count: 0,
      })
    })

    it('of many differences the first 1,000 are told, and how many there are', async () => {
      const { sandbox, control } = await operator()
      await control['snapshots.keep']({ name: 'a' })
      sandbox.store.transact(PROGRAM, { door: 'operator', name: 'test' }, (tx) => {
        for (let i = 0; i < 1_100; i++)
          tx.schedule(testTask({ kind: 'k', due_at: at(HOUR), subject_uid: null, why: `${i}` }))
      })
      const { differences, total_count } = await control['snapshots.compare']({ a: 'a' })
      expect([differences.length, total_count]).toEqual([1_000, 1_100])
    })

    it('the operator is told that everything may have changed', async () => {
      const { bridge, control, create } = await operator()
      const heard: Notice[] = []
      await new Promise<void>((ready) =>
        bridge.subscribe(
          (notice) => heard.push(notice),
          (is) => is && ready(),
        ),
      )
      await create()
      await control['snapshots.keep']({ name: 'a' })
      await create()
      const worlds = () => heard.filter(({ type }) => type === 'world').length
      await control['snapshots.restore']({ name: 'a' })
      await vi.waitFor(() => expect(worlds()).toBe(1))
      await control['world.rewind']({ seq: 1 })
      await vi.waitFor(() => expect(worlds()).toBe(2))
      await control['world.reset']({ world: 'empty' })
      await vi.waitFor(() => expect(worlds()).toBe(3))
    })

    it('the operator is told that other faults were set, by whomever', async () => {
      const { bridge, control } = await operator()
      const heard: Notice[] = []
      await new Promise<void>((ready) =>
        bridge.subscribe(
          (notice) => heard.push(notice),
          (is) => is && ready(),
        ),
      )
      await control['faults.set']({ faults: [{ kind: 'latency', ms: 1 }] })
      await vi.waitFor(() => expect(heard).toEqual([{ type: 'faults' }]))
      await control['faults.clear']({})
      await vi.waitFor(() => expect(heard).toEqual([{ type: 'faults' }, { type: 'faults' }]))
    })

    it.each([
      ['', 'an empty one'],
      [' a', 'one that begins with a blank'],
      ['.a', 'one that begins with a dot'],
      ['../a', 'one that leaves the folder'],
      ['a/b', 'one with a slash'],
      ['a\\b', 'one with a backslash'],
      ['a\nb', 'one with a line break'],
      ['a\n', 'one that ends in a line break'],
      ['ä', 'one with an umlaut'],
      ['x'.repeat(65), 'one that is too long'],
    ])('the name %j is refused: %s', async (name) => {
      const { sandbox, control } = await operator()
      for (const method of ['snapshots.keep', 'snapshots.restore', 'snapshots.delete'] as const)
        await refused(sandbox, () => control[method]({ name }), 'invalidArgument', /a name is 1 to 64/)
      expect(await control['snapshots.list']({})).toEqual({ snapshots: [] })
    })

    it('an unknown name is refused, and a missing one', async () => {
      const { sandbox, control } = await operator()
      for (const method of ['snapshots.restore', 'snapshots.delete'] as const) {
        await refused(sandbox, () => control[method]({ name: 'x' }), 'routeNotFound', 'there is no snapshot "x"')
        await refused(sandbox, () => control[method]({} as never), 'missingParameter', 'name is missing')
      }
      for (const input of [{ a: 'x' }, { b: 'x' }])
        await refused(sandbox, () => control['snapshots.compare'](input), 'routeNotFound', 'there is no snapshot "x"')
    })

    it('while an advance runs none is restored, the world is not reset or rewound, and one can be kept', async () => {
      await whileAdvancing(async ({ control, sandbox }) => {
        const kept = await control['snapshots.keep']({ name: 'half-way' })
        expect(kept.at! > at(0)).toBe(true)
        for (const attempt of [
          () => control['snapshots.restore']({ name: 'half-way' }),
          () => control['world.reset']({ world: 'empty' }),
          () => control['world.rewind']({ seq: 1 }),
        ])
          await expect(attempt()).rejects.toThrow(/an advance is running/)
        expect([...sandbox.store.history()].every(({ goes_on_from }) => goes_on_from === undefined)).toBe(true)
      })
    })
  })

  describe('world.reset', () => {
    it.each(['demo', 'empty'] as const)('%s: what a fresh sandbox of that seed and start holds', async (world) => {
      const { sandbox, control, create, seq } = await operator()
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
    })

    it('without a seed it is the same one, and what comes after is the same again', async () => {
      const { sandbox, control, create } = await operator()
      const first = await create()
      const world = canonical(sandbox.store.world)
      await create()
      await control['world.reset']({ world: 'empty' })
      expect(await create(), 'a uid may come again').toBe(first)
      expect(canonical(sandbox.store.world)).toBe(world)
    })

    it('what a fresh world of that seed does, this one does: its seals, its keys, its numbers', async () => {
      const { sandbox, control, api } = await operator()
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

    it('mode and pace of the clock stay, the rest of it begins anew', async () => {
      const { control } = await operator()
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

    it('it is of the present: exchanges and kept worlds stay, and tokens of a Program that is there still', async () => {
      const { control, api, create } = await operator()
      await create()
      await control['snapshots.keep']({ name: 'a' })
      const { total_count } = await control['exchanges.list']({})
      await control['world.reset']({ world: 'empty', seed: 'another' })
      expect(await control['exchanges.list']({})).toMatchObject({ total_count })
      expect((await control['snapshots.list']({})).snapshots).toHaveLength(1)
      expect((await api.get('/customers')).status).toBe(200)
    })

    it('it begins at another start, with another clock and pace, when they are given', async () => {
      const { control } = await operator()
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
      const { sandbox, control } = await operator()
      await refused(sandbox, () => control['world.reset'](input as never), key, extra)
    })
  })

  describe('world.rewind: "the world as it was after any kept earlier commit"', () => {
    it('records, clock and counters are as they were; it is a commit of its own', async () => {
      const { sandbox, control, create, seq } = await operator()
      await create()
      const then = [canonical(sandbox.store.world), seq()] as const
      await create()
      await control['clock.advance']({ by: 'P1D' })
      const last = seq()
      expect(await control['world.rewind']({ seq: then[1] })).toMatchObject({ seq: last + 1, now: at(0) })
      expect(canonical(sandbox.store.world)).toBe(then[0])
      expect(seq()).toBe(last + 1)
    })

    it('into the future, to what was never kept, and to no number: refused', async () => {
      const { sandbox, control, seq } = await operator()
      const rewind = (to: unknown) => () => control['world.rewind']({ seq: to } as never)
      await refused(
        sandbox,
        rewind(seq() + 1),
        'invalidArgument',
        `seq: the newest commit is ${seq()}; there is no commit ${seq() + 1} yet`,
      )
      await refused(sandbox, rewind(0), 'invalidArgument', /^seq: Commit 0 is no longer in the history/)
      for (const wrong of [-1, 1.5, '1', null]) await refused(sandbox, rewind(wrong), 'invalidArgument', /^seq: /)
      await refused(sandbox, rewind(undefined), 'missingParameter', 'seq is missing')
    })
  })

  // ── Misfortune ─────────────────────────────────────────────────────────────────────────────────────────────────

  describe('faults', () => {
    it('set takes the place of what was set before; list tells how often each was met; clear ends them', async () => {
      const { sandbox, control, api } = await operator()
      const fault = { kind: 'status', path: '/customers', status: 503 } as const
      const set = await unchanged(sandbox, () => control['faults.set']({ faults: [fault, { kind: 'latency', ms: 0 }] }))
      expect(set.faults).toEqual([
        { ...fault, met: 0 },
        { kind: 'latency', ms: 0, met: 0 },
      ])
      expect((await api.get('/customers')).status).toBe(503)
      expect((await control['faults.list']({})).faults.map(({ met }) => met)).toEqual([1, 1])
      expect(await control['faults.set']({ faults: [fault] })).toEqual({ faults: [{ ...fault, met: 0 }] })
      expect(await unchanged(sandbox, () => control['faults.clear']({}))).toEqual({ faults: [] })
      expect(await control['faults.list']({})).toEqual({ faults: [] })
      expect((await api.get('/customers')).status).toBe(200)
    })

    it.each<[string, unknown, 'invalidArgument' | 'missingParameter', RegExp]>([
      ['no list', undefined, 'missingParameter', /^faults is missing$/],
      ['no kind', [{}], 'missingParameter', /^faults\.0\.kind is missing$/],
      ['an unknown kind', [{ kind: 'fire' }], 'invalidArgument', /^faults\.0\.kind: /],
      ['an unknown method', [{ kind: 'latency', method: 'PATCH' }], 'invalidArgument', /^faults\.0\.method: /],
      ['a field too many', [{ kind: 'latency', often: 1 }], 'invalidArgument', /Unrecognized key: "often"/],
      ['a rate over 1', [{ kind: 'latency', rate: 1.1 }], 'invalidArgument', /^faults\.0\.rate: /],
      ['no times at all', [{ kind: 'latency', times: 0 }], 'invalidArgument', /^faults\.0\.times: /],
      ['a status that is no failure', [{ kind: 'status', status: 200 }], 'invalidArgument', /^faults\.0\.status: /],
      ['an endless latency', [{ kind: 'latency', ms: 60_001 }], 'invalidArgument', /^faults\.0\.ms: /],
      ['no time', [{ kind: 'latency', until: 'tomorrow' }], 'invalidArgument', /^faults\.0\.until: /],
      ['too many', Array.from({ length: 101 }, () => ({ kind: 'latency' })), 'invalidArgument', /^faults: /],
    ])('%s is refused, and what was set stays', async (_name, faults, key, extra) => {
      const { sandbox, control } = await operator()
      const { faults: set } = await control['faults.set']({ faults: [{ kind: 'status', path: '/nowhere' }] })
      await refused(sandbox, () => control['faults.set']({ faults } as never), key, extra)
      expect((await control['faults.list']({})).faults).toEqual(set)
    })
  })

  // ── Moves of payments ──────────────────────────────────────────────────────────────────────────────────────────

  describe('moves of a Transaction', () => {
    async function asked() {
      const it = await bank()
      const vrn = await it.api.post('/virtual_reference_numbers', {
        synthetic_account_uid: it.customer.master,
        routing_number: '110000000',
      })
      expect(vrn).toMatchObject({ status: 201 })
      await it.advance({ until: 'idle' })
      const uid = await it.mock({
        transaction_type: 'wire',
        customer_uid: it.customer.uid,
        us_dollar_amount: 40,
        virtual_reference_number_uid: vrn.body.uid,
      })
      const make = (move: string, inputs: object = {}, of = uid) =>
        it.control['moves.make']({ collection: 'transactions', uid: of, move, inputs: { ...inputs } })
      const legal = async (of = uid) => {
        const { moves } = await it.control['moves.list']({ collection: 'transactions', uid: of })
        return moves.filter((one) => one.legal).map(({ move }) => move)
      }
      return { ...it, uid, make, legal }
    }

    it('approve and deny are for what waits for its authorization', async () => {
      const { uid, control, legal, make, transaction, advance, balances, customer, proveBooks } = await asked()
      expect(await transaction(uid)).toMatchObject({ status: 'authorization_pending' })
      expect(await legal()).toEqual(['approve', 'deny'])
      const { moves } = await control['moves.list']({ collection: 'transactions', uid })
      const deny = moves.find(({ move }) => move === 'deny')!
      expect(deny.inputs.map(({ name, required }) => [name, required])).toEqual([
        ['denied_reason', true],
        ['denied_memo', false],
      ])
      expect(moves.find(({ move }) => move === 'settle')!.why_not).toMatch(/authorization_pending/)
      expect(await make('approve')).toMatchObject({
        status: 'pending',
        authorization: { authorization_status: 'client_approved' },
      })
      await advance({ until: 'idle' })
      expect(await balances(customer.master)).toMatchObject({ balance: '40.00' })
      await proveBooks()
    })

    it('deny names its reason; nothing is booked', async () => {
      const { uid, make, sandbox, transaction, advance, balances, customer, legal, proveBooks } = await asked()
      await refused(sandbox, () => make('deny'), 'missingParameter', 'denied_reason is missing')
      await refused(sandbox, () => make('deny', { denied_reason: 'because' }), 'invalidArgument', /^denied_reason: /)
      await refused(
        sandbox,
        () => make('deny', { denied_reason: 'debit_limit_exceeded' }),
        'invalidArgument',
        /^denied_reason: for wire one of/,
      )
      expect(await make('deny', { denied_reason: 'unauthorized_credit', denied_memo: 'no' })).toMatchObject({
        status: 'authorization_denied',
        authorization: {
          authorization_status: 'client_denied',
          denied_reason: 'unauthorized_credit',
          denied_memo: 'no',
        },
      })
      await advance({ until: 'idle' })
      expect(await transaction(uid)).toMatchObject({ status: 'authorization_denied' })
      expect(await balances(customer.master)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
      expect(await legal()).toEqual([])
      for (const move of ['approve', 'deny'])
        await refused(
          sandbox,
          () => make(move, { denied_reason: 'unauthorized_credit' }),
          'invalidArgument',
          `${move}: no authorization is pending`,
        )
      await proveBooks()
    })

    it('cash the check: once, and it books nothing, as a check posts when it is mailed', async () => {
      const { control, api, customer, counterparty, fund, advance, sandbox, make, legal, proveBooks, balances } =
        await asked()
      await make('deny', { denied_reason: 'unauthorized_credit' })
      const funding = await fund(customer, '12.34')
      await refused(
        sandbox,
        () => make('cash the check', {}, funding),
        'invalidArgument',
        'cash the check: it is not a paper check',
      )
      expect((await api.call('DELETE', `/synthetic_accounts/${counterparty}`)).status).toBeLessThan(300)
      expect((await api.call('DELETE', `/customers/${customer.uid}`, { json: {} })).status).toBeLessThan(300)
      await advance({ by: 'PT1S' })
      const { data } = await control['records.list']({ collection: 'transactions' })
      const check = data.find(({ type }) => type === 'other')!
      const uid = String(check.uid)
      expect(await legal(uid)).toEqual(['cash the check'])
      expect(await balances(customer.master)).toMatchObject({ balance: '0.00' })
      const { total_count } = await control['ledger.lines']({})
      await make('cash the check', {}, uid)
      expect(await control['ledger.lines']({})).toMatchObject({ total_count })
      const { commits } = await control['records.history']({ collection: 'transactions', uid, limit: 1 })
      expect(commits[0]).toMatchObject({ cause: { name: 'moves.make cash the check' } })
      await refused(
        sandbox,
        () => make('cash the check', {}, uid),
        'invalidArgument',
        /^cash the check: it was cashed at/,
      )
      expect(await legal(uid)).toEqual([])
      await proveBooks()
    })

    it('an unknown payment, and a move of another kind of record, are refused', async () => {
      const { sandbox, make } = await asked()
      await refused(sandbox, () => make('approve', {}, 'x'), 'routeNotFound', 'transactions holds no record x')
      await refused(sandbox, () => make('lock'), 'invalidArgument', /^there is no move lock; there are settle, fail/)
    })
  })

  it('tasks of the list say what can be run, held and let go: the fields that the method table names', async () => {
    const { control } = await operator()
    const [task] = (await control['tasks.list']({})).tasks as [Task]
    expect(Object.keys(task).toSorted()).toEqual(
      ['uid', 'due_at', 'kind', 'record', 'why', 'message', 'recurring', 'held', 'failed', 'program_uid'].toSorted(),
    )
  })

  it.each<[MethodName, object]>([
    ['tasks.run', {}],
    ['tasks.hold', {}],
    ['tasks.release', {}],
    ['records.history', { collection: 'customers' }],
    ['records.story', {}],
    ['why', { collection: 'customers' }],
  ])('%s without its uid is refused by name', async (method, input) => {
    const { sandbox, control } = await operator()
    await refused(sandbox, () => control[method](input as never), 'missingParameter', 'uid is missing')
  })

  it.each<MethodName>(['tasks.run', 'tasks.hold', 'tasks.release', 'records.story'])(
    '%s takes a uid and nothing else',
    async (method) => {
      const { sandbox, control } = await operator()
      await refused(sandbox, () => control[method]({ uid: 7 } as never), 'invalidArgument', /^uid: /)
      await refused(sandbox, () => control[method]({ uid: 'x', force: true } as never), 'invalidArgument', /"force"/)
    },
  )
})
