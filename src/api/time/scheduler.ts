import type { Advance } from '../contract/control/clock.ts'
import type { Cause } from '../contract/control/history.ts'
import type { Notice } from '../contract/control/notices.ts'
import { formatMessage, messageBody, type Outcome, textMessage } from '../contract/messages.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { showTask } from '../domain/resources/show.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import type { Commit } from '../store/commit.ts'
import { NotSavedError, type Store } from '../store/store.ts'
import type { ClockState, TaskRecord } from '../store/world.ts'
import type { Runner } from './tasks.ts'

/** A longer timeout fires at once. */
const LONGEST_SLEEP_MS = 86_400_000
/** So many tasks at one instant are a task that schedules itself without time moving on. */
const LOOP_LIMIT = 100_000
/** After work that could not be kept, such as on a full disk. */
const RETRY_MS = 1_000
/** An advance gives way to requests this often. */
const BATCH_MS = 25

type Fired = Advance['fired'][number]

/** The end of an advance: an instant, or what there is to do. */
export type Goal = { readonly to: number } | { readonly until: 'next' | 'idle' }

export interface SchedulerOptions {
  readonly store: Store
  readonly tasks: Readonly<Record<string, Runner>>
  readonly notify: (notice: Notice) => void
  /** What could not be done about a due task outside of any request, such as a full disk. */
  readonly trouble: (error: unknown) => void
}

export class Scheduler {
  readonly #store: Store
  readonly #tasks: Readonly<Record<string, Runner>>
  readonly #notify: (notice: Notice) => void
  readonly #trouble: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #awake = false
  #advancing = false
  #canceled = false
  #broke = false
  /** The clock has just been stopped: what else is due at this instant waits. */
  #atBreak = false

  constructor({ store, tasks, notify, trouble }: SchedulerOptions) {
    this.#store = store
    this.#tasks = tasks
    this.#notify = notify
    this.#trouble = trouble
    store.subscribe((commit) => {
      if (commit.goes_on_from !== undefined) this.#atBreak = false
      if (breaks(store.world.clock, commit)) this.#break()
      this.#sleep()
    })
  }

  get advancing(): boolean {
    return this.#advancing
  }

  /** From now on a running clock runs what falls due by itself. */
  start() {
    this.#awake = true
    this.#sleep()
  }

  stop() {
    this.#awake = false
    this.#canceled = true
    clearTimeout(this.#timer)
  }

  /** Tasks that wait, in the order in which they fall due. */
  waiting(): TaskRecord[] {
    return this.#store.world.collections.tasks.inOrder().filter(isWaiting)
  }

  /**
   * A request does this first, so that it never sees a window still open that the clock has closed; and the clock when
   * something falls due. Only the clock stops at a break: a request goes by what is due at its now, all of it.
   */
  runDue({ through = false } = {}): Fired[] {
    // During an advance time stands where the advance is, and nothing is due but what it is about to run.
    if (this.#advancing) return []
    this.#atBreak = false
    const fired: Fired[] = []
    const loop = new LoopGuard()
    for (let task = this.#due(this.#store.clock.now()); task; task = this.#due(this.#store.clock.now())) {
      loop.check(task)
      fired.push(this.#run(task))
      if (this.#broke && !through) break
    }
    return fired
  }

  /**
   * The operator does it, too; but at a break looks at the world as it is, and decides what happens next.
   *
   * Assumed: what else is due at the very instant of a break waits until the clock is moved on or set running, or until
   * a request comes.
   */
  runDueForOperator(): void {
    if (!this.#atBreak) this.runDue()
  }

  /** Answers when everything due up to the goal has happened. Requests are answered in between. */
  async advance(goal: Goal, cause: Cause): Promise<Advance> {
    if (this.#advancing) throw new Error('An advance is running')
    const { clock, world } = this.#store
    const from = clock.now()
    this.#advancing = true
    this.#atBreak = false
    this.#canceled = false
    clock.hold()
    const fired: Fired[] = []
    const loop = new LoopGuard()
    const to = 'to' in goal ? goal.to : goal.until === 'next' ? this.#next(from) : undefined
    let paused = performance.now()
    const end = to === undefined ? null : toTimestamp(to)
    const progress = (done: boolean) =>
      this.#notify({
        type: 'progress',
        from: toTimestamp(from),
        to: end,
        now: world.clock.at,
        ran: fired.length,
        left: this.#left(end),
        done,
      })
    try {
      while (!this.#canceled) {
        if (to === undefined && !this.#once()) break
        const task = this.#due(to)
        if (!task) break
        loop.check(task)
        fired.push(this.#run(task))
        if (performance.now() - paused < BATCH_MS) continue
        progress(false)
        await new Promise(setImmediate)
        paused = performance.now()
      }
      // That the operator has moved time on is told as such, also where a task was the last to move it.
      const reached = toMs(world.clock.at)
      const end = !this.#canceled && to !== undefined ? Math.max(to, reached) : reached
      if (end > from)
        this.#store.operate(
          { ...cause, from: toTimestamp(from) },
          (tx) => tx.setClock({ ...tx.clock, at: toTimestamp(end) }),
          end,
        )
    } finally {
      this.#advancing = false
      clock.release()
      try {
        if (this.#broke) this.#freeze()
      } finally {
        progress(true)
        this.#sleep()
      }
    }
    return { from: toTimestamp(from), to: world.clock.at, ran: fired.length, fired }
  }

  /** One task at this instant, whenever it is due, and also one that was held back or has failed. */
  runNow(uid: Uid): Fired | undefined {
    const task = this.#store.world.collections.tasks.get(uid)
    return task && this.#run({ ...task, held: false, failed: null }, this.#store.clock.now())
  }

  /** What the operator waited for has happened: an advance ends here, and time stands still. */
  #break() {
    if (this.#broke) return
    this.#broke = true
    this.#canceled = true
    // The commit that did it is being told; the next one comes after that.
    if (this.#advancing) return
    queueMicrotask(() => {
      try {
        this.#freeze()
      } catch (error) {
        this.#trouble(error)
      }
    })
  }

  #freeze() {
    this.#broke = false
    this.#store.operate({ door: 'operator', name: 'clock.set' }, (tx) => {
      const { break_on: _, ...clock } = tx.clock
      tx.setClock({ ...clock, mode: 'frozen', at: tx.now })
    })
    this.#atBreak = true
  }

  /** Stops a running advance between two tasks. */
  cancel(): boolean {
    if (!this.#advancing) return false
    this.#canceled = true
    return true
  }

  /** The earliest waiting task not after this; without a limit, the earliest. */
  #due(by?: number): TaskRecord | undefined {
    const limit = by === undefined ? undefined : toTimestamp(by)
    for (const task of this.#store.world.collections.tasks.inOrder()) {
      if (limit !== undefined && task.due_at > limit) return undefined
      if (isWaiting(task)) return task
    }
    return undefined
  }

  /** Recurring tasks never end, so "next" and "idle" look past them; they still run on the way. */
  #once(): TaskRecord | undefined {
    return this.#store.world.collections.tasks.inOrder().find((task) => isWaiting(task) && !task.recurring)
  }

  /** How many wait until then; without an end, those that do not recur. They are told often, so they are only counted. */
  #left(end: string | null): number {
    let left = 0
    for (const task of this.#store.world.collections.tasks.inOrder()) {
      if (end !== null && task.due_at > end) break
      if (isWaiting(task) && (end !== null || !task.recurring)) left++
    }
    return left
  }

  #next(from: number): number {
    const next = this.#once()
    return next ? Math.max(toMs(next.due_at), from) : from
  }

  #run(task: TaskRecord, at = toMs(task.due_at)): Fired {
    const cause: Cause = { door: 'time', name: task.kind }
    let message: Outcome
    try {
      const runner = Object.hasOwn(this.#tasks, task.kind) ? this.#tasks[task.kind] : undefined
      if (!runner) throw new Error(`No runner for tasks of kind ${task.kind}`)
      message = this.#store.transact(
        task.program_uid,
        cause,
        (tx) => {
          tx.tasks.remove(task.uid)
          return outcomeOf(runner(tx, task))
        },
        at,
      )
    } catch (error) {
      // The task is not to blame for a full disk: it stays due.
      if (error instanceof NotSavedError) throw error
      message = { code: 'failed_with', facts: { error: error instanceof Error ? error.message : String(error) } }
      const text = formatMessage(message)
      // Kept, shown and not tried again by itself; the others go on.
      const failed = this.#store.transact(task.program_uid, cause, (tx) => tx.tasks.put({ ...task, failed: text }), at)
      this.#notify({ type: 'task_failed', task: showTask(failed) })
    }
    return {
      at: toTimestamp(at),
      task: task.kind,
      record: task.subject_uid,
      outcome: formatMessage(message),
      message: messageBody(message),
    }
  }

  #sleep(atLeast = 0) {
    clearTimeout(this.#timer)
    if (!this.#awake || !this.#store.clock.ticks) return
    const next = this.#due()
    if (!next) return
    const ms = Math.max(atLeast, toMs(next.due_at) - this.#store.clock.now())
    this.#timer = setTimeout(
      () => {
        try {
          this.runDue()
          this.#sleep()
        } catch (error) {
          this.#trouble(error)
          this.#sleep(RETRY_MS)
        }
      },
      Math.min(ms, LONGEST_SLEEP_MS),
    )
  }
}

/** Whether a commit brings a record to the status that the clock is to stop at. */
function breaks({ break_on }: ClockState, { changes, goes_on_from }: Commit): boolean {
  if (!break_on || goes_on_from !== undefined) return false
  return changes.some(({ collection, uid, record, was }) => {
    const { status } = (record ?? {}) as { status?: string }
    const wanted = collection === break_on.collection && (break_on.uid === undefined || break_on.uid === uid)
    return wanted && status === break_on.status && (was as { status?: string } | null)?.status !== status
  })
}

const outcomeOf = (result: ReturnType<Runner>): Outcome =>
  typeof result === 'string' ? textMessage(result) : (result ?? { code: 'done', facts: {} })

const isWaiting = (task: TaskRecord) => !task.held && task.failed === null

class LoopGuard {
  #at = ''
  #count = 0

  check(task: TaskRecord) {
    this.#count = task.due_at === this.#at ? this.#count + 1 : 1
    this.#at = task.due_at
    if (this.#count > LOOP_LIMIT)
      throw new Error(
        `${LOOP_LIMIT} tasks ran at ${task.due_at}, the last of kind ${task.kind}: a task schedules itself without time moving on`,
      )
  }
}
