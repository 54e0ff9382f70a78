import type { Advance, SilentWebhook } from '../contract/control/clock.ts'
import type { Cause } from '../contract/control/history.ts'
import type { Notice } from '../contract/control/notices.ts'
import { formatMessage, messageBody, type Outcome, textMessage } from '../contract/messages.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { showTask } from '../domain/resources/show.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { IndexMissing } from '../store/collection.ts'
import type { Commit } from '../store/commit.ts'
import { type InProgram, NotSavedError, type Store } from '../store/store.ts'
import type { Tx } from '../store/tx.ts'
import type { ClockState, TaskRecord } from '../store/world.ts'
import { releaseLater } from './holds.ts'
import type { Runner } from './tasks.ts'

/** A longer timeout fires at once. */
const LONGEST_SLEEP_MS = 86_400_000
/** More tasks than this at one instant: a task schedules itself again without a later time. */
const LOOP_LIMIT = 100_000
/** After a task whose commit could not be saved, for example because the disk is full. */
const RETRY_MS = 1_000
/** Outcomes of webhooks cause further deliveries at the same instant; without an end if a receiver answers each event with a request. */
const WAIT_LIMIT = 100
/** An advance, and work on many due tasks, pause for requests this often. */
const BATCH_MS = 25
/** To say how many tasks are left, all are counted. */
const PROGRESS_MS = 100

type Fired = Advance['fired'][number]

/** The end of an advance: an instant, the next task, or no task left. */
export type Goal = { readonly to: number } | { readonly until: 'next' | 'idle' }

interface SchedulerOptions {
  readonly store: Store
  readonly tasks: Readonly<Record<string, Runner>>
  readonly notify: (notice: Notice) => void
  /** Reports an error of a due task outside of a request, such as a full disk. */
  readonly reportError: (error: unknown) => void
  readonly deliveries?: Deliveries
}

/** The deliveries of webhooks, as an advance waits for them. */
interface Deliveries {
  /** Resolves when those have their outcomes that are being sent; undefined if none are. */
  outstanding(): Promise<void> | undefined
  beginAdvance(): void
  /** The receivers for which the advance has not waited to the end. */
  endAdvance(): SilentWebhook[]
}

const NO_DELIVERIES: Deliveries = { outstanding: () => undefined, beginAdvance: () => {}, endAdvance: () => [] }

interface AdvanceOptions {
  readonly waitsForWebhooks?: boolean | undefined
}

interface RunDue {
  readonly through?: boolean
  readonly loop?: LoopGuard
  /** It stops after this time, with tasks still due. */
  readonly withinMs?: number
}

/** What a task will do, at which time. */
export interface Foreseen {
  readonly task: TaskRecord
  readonly at: Timestamp
  /** null if it was not run. */
  readonly outcome: Outcome | null
  /** The positions of the records that it created. */
  readonly made: { readonly from: number; readonly to: number }
}

interface RunWithin {
  readonly isWanted?: (task: TaskRecord) => boolean
  readonly until?: number
  readonly canRun?: (task: TaskRecord) => boolean
}

export class Scheduler {
  readonly #store: Store
  readonly #tasks: Readonly<Record<string, Runner>>
  readonly #notify: (notice: Notice) => void
  readonly #reportError: (error: unknown) => void
  readonly #deliveries: Deliveries
  #timer: NodeJS.Timeout | undefined
  #awake = false
  #isCatchingUp = false
  #advancing = false
  #canceled = false
  #endWait = () => {}
  #broke = false
  /** The record that met the break condition of the last advance. */
  #met: Advance['met'] = null
  /** A break condition has frozen the clock: other tasks that are due at this instant wait. */
  #atBreak = false

  constructor({ store, tasks, notify, reportError, deliveries = NO_DELIVERIES }: SchedulerOptions) {
    this.#store = store
    this.#tasks = tasks
    this.#notify = notify
    this.#reportError = reportError
    this.#deliveries = deliveries
    store.subscribe((commit) => {
      if (commit.goes_on_from !== undefined) this.#atBreak = false
      const met = findBreak(store.world.clock, commit)
      if (met) this.#break(met)
      this.#sleep()
    })
  }

  get advancing(): boolean {
    return this.#advancing
  }

  /** From now on a running clock runs due tasks by itself. */
  start() {
    this.#awake = true
    this.#sleep()
  }

  stop() {
    this.#awake = false
    this.#end()
    clearTimeout(this.#timer)
  }

  /** Waiting tasks in the order of their due_at. */
  waiting(): TaskRecord[] {
    return this.#store.world.collections.tasks.inOrder().filter(isWaiting)
  }

  /**
   * Runs all tasks that are due: before each request, so that it never sees a window open that has closed, and when the
   * clock reaches a task. `through`: continue after a break, as requests do.
   */
  runDue({ through = false, loop = new LoopGuard(), withinMs = Number.POSITIVE_INFINITY }: RunDue = {}): Fired[] {
    // During an advance, only the advance runs tasks.
    if (this.#advancing) return []
    this.#atBreak = false
    const fired: Fired[] = []
    const began = performance.now()
    for (let task = this.#due(this.#store.clock.now()); task; task = this.#due(this.#store.clock.now())) {
      loop.check(task)
      fired.push(this.#run(task))
      if ((this.#broke && !through) || performance.now() - began > withinMs) break
    }
    return fired
  }

  /** As `runDue`, with pauses. Returns undefined if none is needed. */
  catchUp({ through = false } = {}): Promise<void> | undefined {
    if (!this.#due(this.#store.clock.now())) return undefined
    const loop = new LoopGuard()
    const runSome = () => {
      if (this.#atBreak && !through) return true
      this.runDue({ through, loop, withinMs: BATCH_MS })
      return this.#advancing || (this.#broke && !through) || !this.#due(this.#store.clock.now())
    }
    return runSome() ? undefined : this.#pauseUntil(runSome)
  }

  async #pauseUntil(runSome: () => boolean) {
    do await new Promise(setImmediate)
    while (this.#awake && !runSome())
  }

  /**
   * Before control methods; not at a break, so that the operator sees the world as the break left it.
   *
   * Assumed (invented): other tasks that are due at the instant of a break wait until the clock is advanced or set running, or until
   * a request arrives.
   */
  runDueForOperator(): Promise<void> | undefined {
    return this.catchUp()
  }

  /** Resolves when all tasks due up to the goal have run. Requests are handled in between. */
  async advance(goal: Goal, cause: Cause, { waitsForWebhooks = true }: AdvanceOptions = {}): Promise<Advance> {
    if (this.#advancing) throw new Error('An advance is running')
    const { clock, world } = this.#store
    const from = clock.now()
    this.#advancing = true
    this.#atBreak = false
    this.#canceled = false
    this.#met = null
    clock.hold()
    const fired: Fired[] = []
    const loop = new LoopGuard()
    const deliveries = waitsForWebhooks ? this.#deliveries : NO_DELIVERIES
    const waits = new WaitLimit()
    const canceled = new Promise<void>((resolve) => (this.#endWait = resolve))
    const to = this.endOf(goal, from)
    let paused = performance.now()
    let told = paused
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
    let silent_webhooks: SilentWebhook[] = []
    deliveries.beginAdvance()
    try {
      while (!this.#canceled) {
        const isIdle = to === undefined && !this.#once()
        const task = isIdle ? undefined : this.#due(to)
        // Before time passes, what was sent at this instant has its outcome, which may schedule a further attempt.
        const outstanding = task && task.due_at <= world.clock.at ? undefined : deliveries.outstanding()
        if (outstanding && waits.allow(world.clock.at)) {
          await Promise.race([outstanding, canceled])
          continue
        }
        if (!task) break
        loop.check(task)
        fired.push(this.#run(task))
        if (performance.now() - paused < BATCH_MS) continue
        if (performance.now() - told >= PROGRESS_MS) {
          progress(false)
          told = performance.now()
        }
        await new Promise(setImmediate)
        paused = performance.now()
      }
      // The advance gets a commit of its own, also if the last task has already moved the clock to its end.
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
      silent_webhooks = deliveries.endAdvance()
      clock.release()
      try {
        if (this.#broke) this.#freeze()
      } finally {
        progress(true)
        this.#sleep()
      }
    }
    const stopped_by = this.#met ? 'break_on' : this.#canceled ? 'cancel' : 'goal'
    const span = { from: toTimestamp(from), to: world.clock.at }
    return { ...span, ran: fired.length, stopped_by, met: this.#met, fired, silent_webhooks }
  }

  /** Where an advance ends; undefined until idle, as tasks schedule tasks. */
  endOf(goal: Goal, from: number): number | undefined {
    if ('to' in goal) return goal.to
    if (goal.until === 'idle') return undefined
    const next = this.#once()
    return next ? Math.max(toMs(next.due_at), from) : from
  }

  /** Runs one task now, no matter when it is due; also a held or failed one. */
  runNow(uid: Uid): Fired | undefined {
    const task = this.#store.world.collections.tasks.get(uid)
    return task && this.#run({ ...task, held: false, failed: null }, this.#store.clock.now())
  }

  /** The break condition is true: ends a running advance and freezes the clock. */
  #break(met: Advance['met']) {
    if (this.#broke) return
    this.#broke = true
    this.#met = met
    this.#end()
    // Listeners are still being notified of the commit that caused the break, so the next commit must wait.
    if (this.#advancing) return
    queueMicrotask(() => {
      try {
        this.#freeze()
      } catch (error) {
        this.#reportError(error)
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
    this.#end()
    return true
  }

  /** Ends a running advance, also while it waits for outcomes. */
  #end() {
    this.#canceled = true
    this.#endWait()
  }

  /** The earliest waiting task not after this; without a limit, the earliest. */
  #due(by?: number, isWanted = isWaiting): TaskRecord | undefined {
    const limit = by === undefined ? undefined : toTimestamp(by)
    return this.#first((task) => isWanted(task) || (limit !== undefined && task.due_at > limit), limit)
  }

  /** The first task over all Programs that passes the test, unless it is due after the limit. Does not sort them together. */
  #first(test: (task: TaskRecord) => boolean, limit?: string): TaskRecord | undefined {
    const { tasks } = this.#store.world.collections
    let first: TaskRecord | undefined
    for (const shelf of tasks.shelves()) {
      const task = find(shelf.oldestFirst(), test)
      if (!task || (limit !== undefined && task.due_at > limit)) continue
      if (!first || tasks.order(task, first) < 0) first = task
    }
    return first
  }

  /** Recurring tasks never end, so "next" and "idle" ignore them. They still run on the way. */
  #once(): TaskRecord | undefined {
    return this.#first((task) => isWaiting(task) && !task.recurring)
  }

  /** The number of tasks that wait until `end`; without an end, of those that do not recur. */
  #left(end: string | null): number {
    let left = 0
    for (const shelf of this.#store.world.collections.tasks.shelves())
      for (const task of shelf.oldestFirst()) {
        if (end !== null && task.due_at > end) break
        if (isWaiting(task) && (end !== null || !task.recurring)) left++
      }
    return left
  }

  #run(task: TaskRecord, at = toMs(task.due_at)): Fired {
    const cause: Cause = { door: 'time', name: task.kind }
    let message: Outcome
    try {
      message = this.#store.transact(task.program_uid, cause, (tx) => this.#execute(tx, task), at)
    } catch (error) {
      // The disk failed, not the task: it stays due.
      if (error instanceof NotSavedError) throw error
      message = toFailure(error)
      const text = formatMessage(message)
      // A failed task stays, is shown as failed and does not run again by itself. Other tasks continue.
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

  #execute(tx: Tx, task: TaskRecord): Outcome {
    const runner = Object.hasOwn(this.#tasks, task.kind) ? this.#tasks[task.kind] : undefined
    if (!runner) throw new Error(`No runner for tasks of kind ${task.kind}`)
    tx.tasks.remove(task.uid)
    const outcome = outcomeOf(runner(tx, task))
    releaseLater(tx, task)
    return outcome
  }

  /** For an attempt, which is undone: a request runs the tasks that a break has left due before its rules run. */
  runDueWithin(inProgram: InProgram) {
    if (!this.#advancing) for (const _ of this.runWithin(inProgram, { until: this.#store.clock.now() }));
  }

  /**
   * Within an attempt, which is undone, runs the wanted tasks in their order, each at its time, and yields what each does. One that is
   * not to be run is left out, with the outcome null.
   */
  *runWithin(inProgram: InProgram, { isWanted = isWaiting, until, canRun = () => true }: RunWithin = {}) {
    const loop = new LoopGuard()
    const now = toTimestamp(this.#store.clock.now())
    const broken = new Set<Uid>()
    const find = () => this.#due(until, (task) => isWanted(task) && !broken.has(task.uid))
    for (let task = find(); task; task = find()) {
      loop.check(task)
      const at = task.due_at > now ? task.due_at : now
      const tx = inProgram(task.program_uid, at)
      const { world } = this.#store
      const from = world.counters.made
      let outcome: Outcome | null = null
      try {
        if (canRun(task)) outcome = this.#execute(tx, task)
        else tx.tasks.remove(task.uid)
      } catch (error) {
        if (error instanceof IndexMissing) throw error
        outcome = toFailure(error)
        broken.add(task.uid)
        tx.tasks.put({ ...task, failed: formatMessage(outcome) })
      }
      yield { task, at, outcome, made: { from, to: world.counters.made } } satisfies Foreseen
    }
  }

  #sleep(atLeast = 0) {
    clearTimeout(this.#timer)
    if (!this.#awake || !this.#store.clock.ticks) return
    const next = this.#due()
    if (!next) return
    const ms = Math.max(atLeast, toMs(next.due_at) - this.#store.clock.now())
    this.#timer = setTimeout(() => void this.#wake(), Math.min(ms, LONGEST_SLEEP_MS))
  }

  async #wake() {
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    // The clock is running again.
    this.#atBreak = false
    let retryAfter = 0
    try {
      const others = this.catchUp()
      if (others) await others
    } catch (error) {
      this.#reportError(error)
      retryAfter = RETRY_MS
    }
    this.#isCatchingUp = false
    this.#sleep(retryAfter)
  }
}

/** The record that the commit brings to the status of the break condition. */
function findBreak({ break_on }: ClockState, { changes, goes_on_from }: Commit): Advance['met'] {
  if (!break_on || goes_on_from !== undefined) return null
  const met = changes.find(({ collection, uid, record, was }) => {
    const { status } = (record ?? {}) as { status?: string }
    const wanted = collection === break_on.collection && (break_on.uid === undefined || break_on.uid === uid)
    return wanted && status === break_on.status && (was as { status?: string } | null)?.status !== status
  })
  return met ? { collection: break_on.collection, uid: met.uid, status: break_on.status } : null
}

const toFailure = (error: unknown): Outcome => ({
  code: 'failed_with',
  facts: { error: error instanceof Error ? error.message : String(error) },
})

const outcomeOf = (result: ReturnType<Runner>): Outcome =>
  typeof result === 'string' ? textMessage(result) : (result ?? { code: 'done', facts: {} })

function find<T>(items: Iterable<T>, test: (item: T) => boolean): T | undefined {
  for (const item of items) if (test(item)) return item
  return undefined
}

const isWaiting = (task: TaskRecord) => !task.held && task.failed === null

/** Limits how often an advance waits for outcomes at one instant. */
class WaitLimit {
  #at = ''
  #waits = 0

  allow(at: string): boolean {
    if (at !== this.#at) this.#waits = 0
    this.#at = at
    return ++this.#waits <= WAIT_LIMIT
  }
}

class LoopGuard {
  #at = ''
  #count = 0

  check(task: TaskRecord) {
    this.#count = task.due_at === this.#at ? this.#count + 1 : 1
    this.#at = task.due_at
    if (this.#count > LOOP_LIMIT)
      throw new Error(
        `${LOOP_LIMIT} tasks ran at ${task.due_at}, the last of kind ${task.kind}: a task schedules itself again without a later time`,
      )
  }
}
