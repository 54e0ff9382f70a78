import { setImmediate as pause } from 'node:timers/promises'
import type { MethodName } from '../contract/control/methods.ts'
import type { Notice } from '../contract/control/notices.ts'
import { ApiError } from '../contract/errors.ts'
import type { Steps } from '../store/steps.ts'

/** Long control methods: they let requests run in between, report progress, and can be canceled. */

type WorkNotice = Extract<Notice, { type: 'work' }>
type Progress = Pick<WorkNotice, 'done' | 'of' | 'unit'>
type Report = (state: Omit<WorkNotice, 'type' | 'uid' | 'name'>) => void

/** A job pauses this often, so that requests can run. */
const PAUSE_EVERY_MS = 25
/** Progress is reported this often; a shorter job is not reported at all. */
const REPORT_EVERY_MS = 150

/** Takes a long text in pieces. The job waits for what it returns before the next piece. */
export type OnText = (piece: string) => Promise<void> | undefined

/** A job as its own work sees it. */
export type JobHandle = Pick<Job, 'reportProgress' | 'runSteps' | 'finishUninterrupted'>

export class Jobs {
  readonly #notify: (notice: Notice) => void
  readonly #elapsed: () => number
  readonly #running = new Map<string, Job>()
  readonly #onIdle: (() => void)[] = []
  #count = 0
  #exclusive: MethodName | undefined

  constructor(notify: (notice: Notice) => void, elapsed = () => performance.now()) {
    this.#notify = notify
    this.#elapsed = elapsed
  }

  /** The name of the exclusive job that is running. */
  get exclusive(): MethodName | undefined {
    return this.#exclusive
  }

  refuseDuringExclusive() {
    if (this.#exclusive !== undefined)
      throw new ApiError('invalidArgument', `${this.#exclusive} is under way: wait for it, or stop it with work.cancel`)
  }

  /** For jobs that change the world, or need it to stay the same: one at a time. */
  async runExclusive<T>(name: MethodName, work: (job: JobHandle) => Promise<T>): Promise<T> {
    this.refuseDuringExclusive()
    this.#exclusive = name
    try {
      return await this.runConcurrent(name, work)
    } finally {
      this.#exclusive = undefined
    }
  }

  /** For jobs that read an image of the world. */
  async runConcurrent<T>(name: MethodName, work: (job: JobHandle) => Promise<T>): Promise<T> {
    const uid = `w${++this.#count}`
    const job = new Job(name, this.#elapsed, (state) => this.#notify({ type: 'work', uid, name, ...state }))
    this.#running.set(uid, job)
    try {
      return await work(job)
    } finally {
      this.#running.delete(uid)
      job.end()
      if (this.#running.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
  }

  /** Without notices, and without a way to cancel it: it only pauses. */
  runSilent<T>(steps: Steps<T>): Promise<T> {
    return new Job('work.cancel', this.#elapsed, () => {}).runSteps(steps, 'steps')
  }

  /** Resolves when no job is running. */
  whenIdle(): Promise<void> {
    return this.#running.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** Cancels one job, or all. */
  cancel(uid?: string): boolean {
    const jobs = uid === undefined ? [...this.#running.values()] : [this.#running.get(uid)]
    return jobs.map((job) => job?.cancel() ?? false).includes(true)
  }
}

class Job {
  readonly #name: MethodName
  readonly #elapsed: () => number
  readonly #report: Report
  #reportedAt: number
  #pausedAt: number
  #hasReported = false
  #isCanceled = false
  #canBeCanceled = true
  #progress: Progress = { done: 0, of: null, unit: 'steps' }

  constructor(name: MethodName, elapsed: () => number, report: Report) {
    this.#name = name
    this.#elapsed = elapsed
    this.#report = report
    this.#reportedAt = this.#pausedAt = elapsed()
  }

  /** May pause. Returns false once the job was canceled. `of` is null if the total is unknown. */
  async reportProgress(progress: Progress): Promise<boolean> {
    this.#progress = progress
    const now = this.#elapsed()
    if (now - this.#reportedAt >= REPORT_EVERY_MS) this.#sendReport()
    if (now - this.#pausedAt >= PAUSE_EVERY_MS) {
      await pause()
      this.#pausedAt = this.#elapsed()
    }
    return !this.#isCanceled
  }

  /** Runs all steps, and waits after each one for `afterStep`. If the job is canceled, it ends the steps and throws. */
  async runSteps<T>(
    steps: Steps<T>,
    unit: WorkNotice['unit'],
    of: number | null = null,
    afterStep: () => Promise<void> | undefined = () => undefined,
  ): Promise<T> {
    try {
      for (let done = 0; ; ) {
        const step = steps.next()
        if (step.done) return step.value
        const isLast = step.value === 'last'
        if (!isLast) done += (step.value as number | undefined) ?? 1
        if (!(await this.reportProgress({ done, of, unit }))) throw canceledError(this.#name)
        const wait = afterStep()
        if (wait) await wait
        if (isLast) await this.finishUninterrupted()
      }
    } finally {
      steps.return(undefined as never)
    }
  }

  /** Call it before the part that must not be canceled. */
  async finishUninterrupted() {
    this.#canBeCanceled = false
    if (this.#hasReported) this.#sendReport()
    await pause()
  }

  cancel(): boolean {
    if (this.#canBeCanceled) this.#isCanceled = true
    return this.#canBeCanceled
  }

  end() {
    if (this.#hasReported) this.#sendReport(true)
  }

  #sendReport(over = false) {
    this.#report({ ...this.#progress, can_stop: this.#canBeCanceled, over })
    this.#hasReported = true
    this.#reportedAt = this.#elapsed()
  }
}

export const canceledError = (name: MethodName) =>
  new ApiError('invalidArgument', `${name} was stopped with work.cancel: nothing was changed`)
