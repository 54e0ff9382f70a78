import { setImmediate as pause } from 'node:timers/promises'
import type { MethodName, Notice } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { Steps } from '../store/steps.ts'

/**
 * What the operator asks for and may take long: it gives way to requests, tells how far it is, and can be stopped. What
 * changes the world, or needs it to stay what it is, goes one at a time; what only reads goes beside it.
 */

type Told = Extract<Notice, { type: 'work' }>
type Progress = Pick<Told, 'done' | 'of' | 'unit'>

/** Work gives way this often. */
const BATCH_MS = 25
/** What takes less is not told of; nor is anything more often. */
const TELL_MS = 150

/** The hand that a long work has on what is told of it. */
export interface JobHandle {
  /** Gives way, and answers false once it was stopped. `of` is null while nobody knows how much there is to do. */
  reportProgress(progress: Progress): Promise<boolean>
  /** Goes through all of the steps. Stopped, it leaves them, and throws that nothing was changed. */
  runSteps<T>(steps: Steps<T>, unit: Told['unit'], of?: number | null): Promise<T>
  /** From here on it cannot be stopped any more: what is left happens at once. */
  finishUninterrupted(): Promise<void>
}

export class Jobs {
  readonly #notify: (notice: Notice) => void
  readonly #elapsed: () => number
  readonly #underWay = new Map<string, Job>()
  #begun = 0
  #name: MethodName | undefined

  constructor(notify: (notice: Notice) => void, elapsed = () => performance.now()) {
    this.#notify = notify
    this.#elapsed = elapsed
  }

  /** What is under way of what goes one at a time. */
  get name(): MethodName | undefined {
    return this.#name
  }

  refuseWhileUnderWay() {
    if (this.#name !== undefined)
      throw new ApiError('invalidArgument', `${this.#name} is under way: wait for it, or stop it with work.cancel`)
  }

  /** One at a time. */
  async runExclusive<T>(name: MethodName, work: (underway: JobHandle) => Promise<T>): Promise<T> {
    this.refuseWhileUnderWay()
    this.#name = name
    try {
      return await this.runConcurrent(name, work)
    } finally {
      this.#name = undefined
    }
  }

  /** For what reads a world that stands still, whatever becomes of the present one. */
  async runConcurrent<T>(name: MethodName, work: (underway: JobHandle) => Promise<T>): Promise<T> {
    const uid = `w${++this.#begun}`
    const hand = new Job(name, this.#elapsed, (told) => this.#notify({ type: 'work', uid, name, ...told }))
    this.#underWay.set(uid, hand)
    try {
      return await work(hand)
    } finally {
      this.#underWay.delete(uid)
      hand.end()
    }
  }

  /** What is shown by other means: it only gives way. */
  runSilent<T>(name: MethodName, steps: Steps<T>): Promise<T> {
    return new Job(name, this.#elapsed, () => {}).runSteps(steps, 'steps')
  }

  /** Between two steps: what is named, or all of it. */
  cancel(uid?: string): boolean {
    const named = uid === undefined ? [...this.#underWay.values()] : [this.#underWay.get(uid)]
    return named.map((hand) => hand?.cancel() ?? false).includes(true)
  }
}

class Job implements JobHandle {
  readonly #name: MethodName
  readonly #elapsed: () => number
  readonly #tell: (told: Omit<Told, 'type' | 'uid' | 'name'>) => void
  #told: number
  #paused: number
  #hasTold = false
  #stopped = false
  #canStop = true
  #last: Progress = { done: 0, of: null, unit: 'steps' }

  constructor(name: MethodName, elapsed: () => number, tell: (told: Omit<Told, 'type' | 'uid' | 'name'>) => void) {
    this.#name = name
    this.#elapsed = elapsed
    this.#tell = tell
    this.#told = this.#paused = elapsed()
  }

  async reportProgress(progress: Progress): Promise<boolean> {
    this.#last = progress
    const now = this.#elapsed()
    if (now - this.#told >= TELL_MS) this.#say()
    if (now - this.#paused >= BATCH_MS) {
      await pause()
      this.#paused = this.#elapsed()
    }
    return !this.#stopped
  }

  async runSteps<T>(steps: Steps<T>, unit: Told['unit'], of: number | null = null): Promise<T> {
    try {
      for (let done = 0; ; ) {
        const step = steps.next()
        if (step.done) return step.value
        const isLast = step.value === 'last'
        if (!isLast) done += (step.value as number | undefined) ?? 1
        if (!(await this.reportProgress({ done, of, unit }))) throw stopped(this.#name)
        if (isLast) await this.finishUninterrupted()
      }
    } finally {
      steps.return(undefined as never)
    }
  }

  async finishUninterrupted() {
    this.#canStop = false
    if (this.#hasTold) this.#say()
    await pause()
  }

  cancel(): boolean {
    if (this.#canStop) this.#stopped = true
    return this.#canStop
  }

  end() {
    if (this.#hasTold) this.#say(true)
  }

  #say(over = false) {
    this.#tell({ ...this.#last, can_stop: this.#canStop, over })
    this.#hasTold = true
    this.#told = this.#elapsed()
  }
}

/** Said by what does nothing by halves. */
export const stopped = (name: MethodName) =>
  new ApiError('invalidArgument', `${name} was stopped with work.cancel: nothing was changed`)
