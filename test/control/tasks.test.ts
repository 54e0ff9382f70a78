import { describe, expect } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { textMessage } from '../../src/api/contract/messages.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import { at, HOUR, openBank, openOperator, whileAdvancing } from '../support/operator-sandbox.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { canonical } from '../support/world.ts'

describe('tasks.run', () => {
  it('runs a task that is due later, once, and does not move the clock', async () => {
    const { control, customer, fund, send, transaction, expectBalancedLedger } = await openBank()
    await fund(customer, '100.00')
    const { uid: transaction_uid } = await send('30.00')
    const { now } = await control['clock.read']({})
    const { tasks } = await control['tasks.list']({})
    const mine = tasks.filter(({ record }) => record === transaction_uid)
    expect(mine.map(({ kind }) => kind)).toEqual(['send payment', 'finish payment'])
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
    await expectBalancedLedger()
  })

  it('runs a failed task again: it may succeed, or fail again and stay in the list', async () => {
    let broken = true
    const k = () => {
      if (broken) throw new Error('the bank is closed')
      return 'done at last'
    }
    const { control, schedule, task, seq } = await openOperator({ tasks: { k } })
    const uid = schedule(1000)
    const { fired } = await control['clock.advance']({ by: 'PT1M' })
    expect(fired).toMatchObject([{ outcome: 'failed: the bank is closed' }])
    expect(await task(uid)).toMatchObject({ failed: 'failed: the bank is closed', held: false })
    expect(await control['clock.read']({}), 'a failed task is not scheduled').toMatchObject({ due: 0, next: null })
    expect((await control['clock.advance']({ by: 'PT1M' })).ran, 'it does not run again on its own').toBe(0)

    const before = seq()
    expect(await control['tasks.run']({ uid })).toMatchObject({ task: 'k', outcome: 'failed: the bank is closed' })
    expect(await task(uid)).toMatchObject({ failed: 'failed: the bank is closed' })
    expect(seq(), 'another failure is one commit').toBe(before + 1)

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

  it('runs a held task, and sends a notice if a task fails', async () => {
    const notices: Notice[] = []
    const { bridge, control, schedule, task } = await openOperator({
      tasks: {
        k: () => 'done',
        fail: () => {
          throw new Error('no')
        },
      },
    })
    await new Promise<void>((ready) =>
      bridge.subscribe(
        (batch) => void notices.push(...batch),
        (is) => is && ready(),
      ),
    )
    const held = schedule(1000)
    await control['tasks.hold']({ uid: held })
    expect(await control['tasks.run']({ uid: held })).toMatchObject({ outcome: 'done' })
    expect(await task(held)).toBeUndefined()

    const failing = schedule(1000, 'fail')
    await control['tasks.run']({ uid: failing })
    await waitFor(() =>
      expect(notices.filter(({ type }) => type === 'task_failed')).toMatchObject([
        { task: { uid: failing, failed: 'failed: no' } },
      ]),
    )
  })

  it('refuses an unknown task, and one that has run', async () => {
    const { refused, control, schedule } = await openOperator({ tasks: { k: () => {} } })
    await refused(() => control['tasks.run']({ uid: 'x' }), 'routeNotFound', 'there is no task x')
    const uid = schedule(1000)
    await control['tasks.run']({ uid })
    await refused(() => control['tasks.run']({ uid }), 'routeNotFound', `there is no task ${uid}`)
  })

  it('is refused while an advance is running', async () => {
    await whileAdvancing(async ({ control }) => {
      const { tasks } = await control['tasks.list']({})
      const { uid } = tasks.findLast(({ recurring }) => !recurring)!
      await expect(control['tasks.run']({ uid })).rejects.toThrow(/an advance is running/)
      expect((await control['tasks.list']({})).tasks.some((one) => one.uid === uid)).toBe(true)
    })
  })
})

describe('tasks.hold and tasks.release', () => {
  const noted = () => {
    const ran: string[] = []
    return { ran, tasks: { k: (tx: { now: string }) => void ran.push(tx.now) } }
  }

  it('a held task does not run when it is due, and does not count as due', async () => {
    const { ran, tasks } = noted()
    const { control, schedule, task } = await openOperator({ tasks })
    const uid = schedule(1000)
    schedule(2000)
    expect(await control['tasks.hold']({ uid })).toMatchObject({ uid, held: true, due_at: at(1000) })
    expect(await task(uid)).toMatchObject({ held: true })
    expect(await control['clock.read']({})).toMatchObject({ due: 1, next: { at: at(2000) } })
    expect(await control['clock.advance']({ until: 'idle' })).toMatchObject({ ran: 1, to: at(2000) })
    expect(ran).toEqual([at(2000)])
    expect(await task(uid), 'still in the list').toMatchObject({ held: true, failed: null })
  })

  it('a task that is released before it is due runs when it is due', async () => {
    const { ran, tasks } = noted()
    const { control, schedule } = await openOperator({ tasks })
    const uid = schedule(HOUR)
    await control['tasks.hold']({ uid })
    expect(await control['tasks.release']({ uid })).toMatchObject({ uid, held: false })
    await control['clock.read']({})
    expect(ran).toEqual([])
    await control['clock.advance']({ by: 'PT2H' })
    expect(ran).toEqual([at(HOUR)])
  })

  it('a task that is released after it was due runs at once, before the next request', async () => {
    const { control, customer, api, fund, send, transaction, expectBalancedLedger } = await openBank()
    await fund(customer, '100.00')
    const { uid: transaction_uid } = await send('30.00')
    const { tasks } = await control['tasks.list']({})
    const { uid } = tasks.find(({ record, kind }) => record === transaction_uid && kind === 'finish payment')!
    await control['tasks.hold']({ uid })
    await control['clock.advance']({ by: 'PT1H' })
    expect(await transaction(transaction_uid)).toMatchObject({ status: 'pending' })
    const { now } = await control['clock.read']({})
    await control['tasks.release']({ uid })
    const { body } = await api.get(`/transactions/${transaction_uid}`)
    expect(body).toMatchObject({ status: 'settled', settled_at: now })
    expect(await control['clock.read']({}), 'time has not moved').toMatchObject({ now, due: 0 })
    await expectBalancedLedger()
  })

  it('releasing a task does not move the time back, also after a restart', async ({ folder: data }) => {
    const settings = { seed: 'test', start: START, world: 'empty', data, tasks: { k: () => {} } } as const
    const first = await openOperator(settings)
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

  it('with a running clock, too, a task that is released after it was due runs at once', async () => {
    const { ran, tasks } = noted()
    const { control, schedule } = await openOperator({ tasks, clock: 'running' })
    const uid = schedule(1_500)
    await control['tasks.hold']({ uid })
    await waitFor(async () => expect((await control['clock.read']({})).now > at(1_550)).toBe(true))
    expect(ran).toEqual([])
    await control['tasks.release']({ uid })
    await waitFor(() => expect(ran).toHaveLength(1))
  })

  describe('of a payment', () => {
    async function sending() {
      const bank = await openBank()
      await bank.fund(bank.customer, '100.00')
      const { uid } = await bank.send('30.00')
      const tasks = async () =>
        (await bank.control['tasks.list']({})).tasks.filter(({ record }) => record === uid) as Task[]
      const [begin, finish] = (await tasks()) as [Task, Task]
      expect([begin.kind, finish.kind]).toEqual(['send payment', 'finish payment'])
      const status = async () => (await bank.transaction(uid)).status
      return { ...bank, begin, finish, tasks, status }
    }

    it('holding its first task holds the payment: nothing later overtakes it', async () => {
      const { control, begin, tasks, status, expectBalancedLedger } = await sending()
      await control['tasks.hold']({ uid: begin.uid })
      expect((await tasks()).map(({ held, held_by }) => [held, held_by])).toEqual([
        [true, undefined],
        [true, begin.uid],
      ])
      await control['clock.advance']({ by: 'P3D' })
      expect(await status()).toBe('queued')
      await control['tasks.release']({ uid: begin.uid })
      await control['clock.advance']({ until: 'idle' })
      expect(await status()).toBe('settled')
      expect(await tasks()).toEqual([])
      await expectBalancedLedger()
    })

    it('its last task, released while the first is held, stays held; held on its own, it stays held when the first is released', async () => {
      const { control, begin, finish, status } = await sending()
      await control['tasks.hold']({ uid: begin.uid })
      expect(await control['tasks.release']({ uid: finish.uid })).toMatchObject({ held: true, held_by: begin.uid })
      await control['tasks.hold']({ uid: finish.uid })
      await control['tasks.release']({ uid: begin.uid })
      await control['clock.advance']({ by: 'PT1H' })
      expect(await status()).toBe('pending')
      await control['tasks.release']({ uid: finish.uid })
      await control['clock.advance']({ by: 'PT1S' })
      expect(await status()).toBe('settled')
    })

    it('running its held first task releases the later one', async () => {
      const { control, begin, status, tasks } = await sending()
      await control['tasks.hold']({ uid: begin.uid })
      await control['tasks.run']({ uid: begin.uid })
      expect(await status()).toBe('pending')
      expect((await tasks()).map(({ held }) => held)).toEqual([false])
      await control['clock.advance']({ until: 'idle' })
      expect(await status()).toBe('settled')
    })

    it('running its tasks out of order says so', async () => {
      const { control, begin, finish, status } = await sending()
      expect(await control['tasks.run']({ uid: finish.uid })).toMatchObject({
        outcome: 'settled, out of order: before "send payment"',
        overtaken: [begin.kind],
      })
      expect(await status()).toBe('settled')
    })
  })

  it.each(['tasks.hold', 'tasks.release'] as const)('%s of an unknown task is refused', async (method) => {
    const { refused, control } = await openOperator()
    await refused(() => control[method]({ uid: 'x' }), 'routeNotFound', 'there is no task x')
  })

  it('a held task is still held after a restart', async ({ folder: data }) => {
    const first = await openOperator({ seed: 'test', start: START, world: 'empty', data })
    const uid = first.schedule(1000)
    await first.control['tasks.hold']({ uid })
    await first.sandbox.close()
    const again = await openOperator({ data })
    expect(await again.task(uid)).toMatchObject({ held: true })
  })
})

it('tasks.list returns the fields that the contract names', async () => {
  const { control } = await openOperator()
  const [task] = (await control['tasks.list']({})).tasks as [Task]
  expect(Object.keys(task).toSorted()).toEqual(
    [
      'uid',
      'due_at',
      'kind',
      'record',
      'why',
      'message',
      'outcome',
      'recurring',
      'held',
      'failed',
      'program_uid',
    ].toSorted(),
  )
})
