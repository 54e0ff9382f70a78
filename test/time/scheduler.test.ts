import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { formatMessage } from '../../src/api/contract/messages.ts'
import type { CommitLog } from '../../src/api/store/commit.ts'
import { Scheduler } from '../../src/api/time/scheduler.ts'
import type { Runner } from '../../src/api/time/tasks.ts'
import { START } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { waitFor } from '../support/wait.ts'
import { CAUSE, canonical, createStore, customer } from '../support/world.ts'

const MINUTE = 60_000
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()

afterEach(() => void vi.useRealTimers())

/** A world whose tasks write down what ran, when, by the world's own clock. */
function agenda({ mode = 'frozen', log }: { mode?: 'frozen' | 'running'; log?: CommitLog } = {}) {
  const wound = createStore({ mode, ...(log ? { log } : {}) })
  const { store } = wound
  const ran: string[] = []
  const notices: Notice[] = []
  const troubles: unknown[] = []
  const note: Runner = (tx, task) => {
    ran.push(`${formatMessage(task.why)}@${tx.now}`)
  }
  const tasks: Record<string, Runner> = {
    note,
    fail: (tx) => {
      tx.customers.put(customer(tx))
      throw new Error('the runner broke')
    },
    again: (tx, task) => {
      note(tx, task)
      tx.schedule(
        testTask({ kind: 'again', due_at: plus(task.due_at, 10), subject_uid: null, why: task.why, recurring: true }),
      )
    },
    chain: (tx, task) => {
      note(tx, task)
      if (ran.length < 3)
        tx.schedule(testTask({ kind: 'chain', due_at: plus(tx.now, 5), subject_uid: null, why: task.why }))
    },
    slow: () => {
      for (const end = performance.now() + 10; performance.now() < end; );
    },
    stuck: (tx, task) =>
      void tx.schedule(testTask({ kind: 'stuck', due_at: task.due_at, subject_uid: null, why: 's' })),
  }
  const scheduler = new Scheduler({
    store,
    tasks,
    notify: (notice) => void notices.push(notice),
    reportError: (error) => void troubles.push(error),
  })
  const schedule = (minutes: number, why: string, kind = 'note', program = 'A', recurring = false) =>
    store.transact(program, CAUSE, (tx) =>
      tx.schedule(testTask({ kind, due_at: at(minutes), subject_uid: null, why, recurring })),
    )
  return { ...wound, scheduler, schedule, ran, notices, troubles }
}
const plus = (time: string, minutes: number) => new Date(Date.parse(time) + minutes * MINUTE).toISOString()

describe('advance', () => {
  it('visits each due task at its own time, ties in order of making, over all Programs', async () => {
    const { scheduler, schedule, ran, world } = agenda()
    schedule(20, 'c')
    schedule(10, 'a')
    schedule(10, 'b', 'note', 'B')
    schedule(40, 'later')
    const advance = await scheduler.advance({ to: START + 30 * MINUTE }, CAUSE)
    expect(ran).toEqual([`a@${at(10)}`, `b@${at(10)}`, `c@${at(20)}`])
    expect(advance).toEqual({
      from: at(0),
      to: at(30),
      ran: 3,
      stopped_by: 'goal',
      met: null,
      fired: [at(10), at(10), at(20)].map((time) => ({
        at: time,
        task: 'note',
        record: null,
        outcome: 'done',
        message: { code: 'done', facts: {} },
      })),
      silent_webhooks: [],
    })
    expect(world.clock).toMatchObject({ mode: 'frozen', at: at(30) })
    expect(scheduler.waiting().map(({ why }) => formatMessage(why))).toEqual(['later'])
  })

  it('does not sort the tasks of all Programs for each task', async () => {
    const { scheduler, schedule, ran, world } = agenda()
    for (let n = 0; n < 3; n++) for (const program of ['A', 'B']) schedule(10 + n, `${program}${n}`, 'note', program)
    const sort = vi.spyOn(world.collections.tasks, 'inOrder')
    await scheduler.advance({ until: 'idle' }, CAUSE)
    expect(ran.map((text) => text.slice(0, 2))).toEqual(['A0', 'B0', 'A1', 'B1', 'A2', 'B2'])
    expect(sort).not.toHaveBeenCalled()
  })

  it('runs what a task schedules on the way', async () => {
    const { scheduler, schedule, ran } = agenda()
    schedule(1, 'x', 'chain')
    await scheduler.advance({ to: START + 60 * MINUTE }, CAUSE)
    expect(ran).toEqual([`x@${at(1)}`, `x@${at(6)}`, `x@${at(11)}`])
  })

  it('to the next thing due looks past recurring tasks, which still run on the way', async () => {
    const { scheduler, schedule, ran } = agenda()
    schedule(5, 'daily', 'again', 'A', true)
    schedule(20, 'once')
    schedule(30, 'after')
    const { to } = await scheduler.advance({ until: 'next' }, CAUSE)
    expect(to).toBe(at(20))
    expect(ran).toEqual([`daily@${at(5)}`, `daily@${at(15)}`, `once@${at(20)}`])
  })

  it('until nothing is due ends at the last task that does not recur', async () => {
    const { scheduler, schedule, ran } = agenda()
    schedule(5, 'daily', 'again', 'A', true)
    schedule(8, 'x', 'chain')
    const { to } = await scheduler.advance({ until: 'idle' }, CAUSE)
    expect(ran.at(-1)).toBe(`x@${to}`)
    expect(scheduler.waiting().every(({ recurring }) => recurring)).toBe(true)
  })

  it('with nothing due, next and idle stay where they are', async () => {
    const { scheduler } = agenda()
    expect(await scheduler.advance({ until: 'next' }, CAUSE)).toMatchObject({ from: at(0), to: at(0), ran: 0 })
    expect(await scheduler.advance({ until: 'idle' }, CAUSE)).toMatchObject({ from: at(0), to: at(0), ran: 0 })
  })

  it('one long or many short ones give equal worlds', async () => {
    const worlds = await Promise.all(
      [[120], [7, 13, 40, 60], Array.from({ length: 120 }, () => 1)].map(async (steps) => {
        const { scheduler, schedule, world } = agenda()
        for (const minutes of [3, 50, 50, 119]) schedule(minutes, `t${minutes}`)
        schedule(5, 'daily', 'again', 'A', true)
        let now = START
        for (const step of steps) await scheduler.advance({ to: (now += step * MINUTE) }, CAUSE)
        return canonical(world)
      }),
    )
    expect(worlds[1]).toBe(worlds[0])
    expect(worlds[2]).toBe(worlds[0])
  })

  it('a task that throws is kept with its message, changes nothing, and does not stop the others', async () => {
    const { scheduler, schedule, ran, world, notices } = agenda()
    const broken = schedule(1, 'broken', 'fail')
    schedule(2, 'fine')
    const { fired } = await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    expect(ran).toEqual([`fine@${at(2)}`])
    expect(fired.map(({ outcome }) => outcome)).toEqual(['failed: the runner broke', 'done'])
    expect(world.collections.customers.size).toBe(0)
    expect(world.collections.tasks.get(broken.uid)).toMatchObject({ failed: 'failed: the runner broke', due_at: at(1) })
    expect(notices.filter(({ type }) => type === 'task_failed')).toHaveLength(1)
    const again = await scheduler.advance({ to: START + 20 * MINUTE }, CAUSE)
    expect(again.ran, 'and is not tried again by itself').toBe(0)
  })

  it('a kind without a runner fails as a task, by name', async () => {
    const { scheduler, schedule } = agenda()
    schedule(1, 'x', 'toString')
    const { fired } = await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    expect(fired[0]?.outcome).toBe('failed: No runner for tasks of kind toString')
  })

  it('stops with a plain message when time does not move on', async () => {
    const { scheduler, schedule } = agenda()
    schedule(1, 'x', 'stuck')
    await expect(scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)).rejects.toThrow(
      /a task schedules itself again without a later time/,
    )
    expect(scheduler.advancing).toBe(false)
  })

  it('a held task is passed over', async () => {
    const { scheduler, schedule, store, ran } = agenda()
    const task = schedule(1, 'held')
    store.transact('A', CAUSE, (tx) => tx.tasks.put({ ...task, held: true }))
    await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    expect(ran).toEqual([])
  })

  it('can be canceled between two tasks, leaving time where it had come to', async () => {
    const { scheduler, schedule, world, store, ran } = agenda()
    for (let i = 1; i <= 5; i++) schedule(i, `t${i}`)
    store.subscribe(({ cause }) => {
      if (cause.name === 'note' && ran.length === 3) scheduler.cancel()
    })
    const advance = await scheduler.advance({ to: START + 60 * MINUTE }, CAUSE)
    expect(ran).toHaveLength(3)
    expect(advance).toMatchObject({ ran: 3, to: at(3), stopped_by: 'cancel', met: null })
    expect(world.clock.at).toBe(at(3))
    expect(scheduler.cancel(), 'with nothing running there is nothing to cancel').toBe(false)
    const rest = await scheduler.advance({ to: START + 60 * MINUTE }, CAUSE)
    expect(rest.ran, 'and the next one goes on from there').toBe(2)
  })

  it('tells of its progress, and that it is over', async () => {
    const { scheduler, schedule, notices } = agenda()
    schedule(1, 'a')
    await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    expect(notices.at(-1)).toEqual({
      type: 'progress',
      from: at(0),
      to: at(10),
      now: at(10),
      ran: 1,
      left: 0,
      done: true,
    })
  })

  it('gives way to others between tasks', async () => {
    const { scheduler, schedule } = agenda()
    for (let i = 0; i < 20; i++) schedule(1, 'x', 'slow')
    let turns = 0
    const count = setInterval(() => turns++, 0)
    await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    clearInterval(count)
    expect(turns).toBeGreaterThan(0)
  })
})

describe('many tasks that are due at once', () => {
  /** Each look at the time takes 10 ms. Returns how many tasks ran in each turn of the event loop. */
  async function countTasksByTurn(work: (it: ReturnType<typeof agenda>) => Promise<void> | undefined) {
    const it = agenda({ mode: 'running' })
    for (let n = 0; n < 20; n++) it.schedule(1, `task ${n}`)
    it.passTime(2 * MINUTE)
    let elapsed = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (elapsed += 10))
    const turns = [0]
    const endTurn = () => {
      turns.push(it.ran.length)
      if (it.ran.length < 20) setImmediate(endTurn)
    }
    setImmediate(endTurn)
    it.scheduler.start()
    await work(it)
    vi.restoreAllMocks()
    it.scheduler.stop()
    turns.push(it.ran.length)
    return turns.slice(1).map((ran, index) => ran - turns[index]!)
  }

  it('are run with pauses before a request', async () => {
    const turns = await countTasksByTurn(({ scheduler }) => scheduler.catchUp({ through: true }))
    expect(turns.reduce((sum, ran) => sum + ran)).toBe(20)
    expect(Math.max(...turns)).toBeLessThanOrEqual(6)
  })

  it('are run with pauses when the clock reaches them', async () => {
    const turns = await countTasksByTurn(({ ran }) => waitFor(() => expect(ran).toHaveLength(20)))
    expect(turns.reduce((sum, ran) => sum + ran)).toBe(20)
    expect(Math.max(...turns)).toBeLessThanOrEqual(6)
  })

  it('few need no pause', () => {
    const few = agenda()
    few.schedule(0, 'one')
    expect(few.scheduler.catchUp()).toBeUndefined()
    expect(few.ran).toHaveLength(1)
    expect(few.scheduler.catchUp()).toBeUndefined()
  })
})

describe('a running clock', () => {
  it('shows real time passing, and stands still while the sandbox is closed', () => {
    const { store, passTime: pass, world } = createStore({ mode: 'running' })
    pass(1500)
    expect(store.clock.now()).toBe(START + 1500)
    expect(world.clock.at, 'what is kept is where it was set going').toBe(at(0))
  })

  it('runs on from the end of an advance', async () => {
    const { scheduler, store, passTime: pass, world } = agenda({ mode: 'running' })
    pass(1000)
    await scheduler.advance({ to: START + 10 * MINUTE }, CAUSE)
    expect(world.clock).toMatchObject({ mode: 'running', at: at(10) })
    pass(2000)
    expect(store.clock.now()).toBe(START + 10 * MINUTE + 2000)
  })

  it('every door first runs what is due at its own now', () => {
    const { scheduler, schedule, ran, passTime: pass } = agenda({ mode: 'running' })
    schedule(1, 'a')
    schedule(2, 'b')
    pass(1.5 * MINUTE)
    scheduler.runDue()
    expect(ran, 'at the time it was due, not when somebody looked').toEqual([`a@${at(1)}`])
  })

  it('wakes up by itself when something falls due, however far away', () => {
    vi.useFakeTimers()
    const { scheduler, schedule, ran, passTime: pass } = agenda({ mode: 'running' })
    scheduler.start()
    schedule(3 * 24 * 60, 'in three days')
    const days = (n: number) => {
      pass(n * 24 * 60 * MINUTE)
      vi.advanceTimersByTime(n * 24 * 60 * MINUTE)
    }
    days(1)
    days(1)
    expect(ran).toEqual([])
    days(1)
    expect(ran).toEqual([`in three days@${at(3 * 24 * 60)}`])
    scheduler.stop()
  })

  it('tells of a disk that is full, and tries again after a while', () => {
    vi.useFakeTimers()
    let full = false
    const {
      scheduler,
      schedule,
      ran,
      passTime: pass,
      troubles,
    } = agenda({
      mode: 'running',
      log: {
        append() {
          if (full) throw new Error('ENOSPC')
        },
        place: null,
        oldestFirst: () => [],
        newestFirst: () => [],
        firstSeq: 0,
      },
    })
    scheduler.start()
    schedule(1, 'a')
    full = true
    pass(MINUTE)
    vi.advanceTimersByTime(MINUTE)
    expect(troubles.map(String)).toEqual(['NotSaved: ENOSPC'])
    expect(scheduler.waiting()).toHaveLength(1)
    full = false
    ran.length = 0
    vi.advanceTimersByTime(1000)
    expect(ran).toEqual([`a@${at(1)}`])
    scheduler.stop()
  })

  it('a clock that could not be stopped at what was waited for, as the disk is full, is trouble and not the end', async () => {
    let full = false
    const { store, scheduler, troubles, world } = agenda({
      mode: 'running',
      log: {
        append({ cause }) {
          if (full && cause.name === 'clock.set') throw new Error('ENOSPC')
        },
        place: null,
        oldestFirst: () => [],
        newestFirst: () => [],
        firstSeq: 0,
      },
    })
    store.operate(CAUSE, (tx) =>
      tx.setClock({ ...tx.clock, break_on: { collection: 'customers', status: 'initiated' } }),
    )
    full = true
    const usual = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const uncaught: unknown[] = []
    process.on('uncaughtException', (error) => uncaught.push(error))
    store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.removeAllListeners('uncaughtException')
    for (const listener of usual) process.on('uncaughtException', listener)
    expect(uncaught, 'it would end the process').toEqual([])
    expect(troubles.map(String)).toEqual(['NotSaved: ENOSPC'])
    expect(world.clock.mode).toBe('running')
    scheduler.stop()
  })
})
