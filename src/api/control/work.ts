import { setImmediate as pause } from 'node:timers/promises'
import type { MethodName, Notice } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'

/**
 * What the operator asks for and may take long: it gives way to requests, tells how far it is, and can be stopped. One at
 * a time, as two would put worlds in each other's place.
 */

type Told = Extract<Notice, { type: 'work' }>
export type Unit = Told['unit']

/** Work gives way this often. */
const BATCH_MS = 25
/** What takes less is not told of; nor is anything more often. */
const TELL_MS = 150

/** The hand that a long work has on what is told of it. */
export interface Underway {
  /** Gives way, and answers false once it was stopped. `of` is null while nobody knows how much there is to do. */
  goOn(done: number, of: number | null): Promise<boolean>
  /** From here on it cannot be stopped any more: what is left happens at once. */
  conclude(): Promise<void>
}

export class Work {
  readonly #notify: (notice: Notice) => void
  readonly #elapsed: () => number
  #name: MethodName | undefined
  #stopped = false
  #canStop = true

  constructor(notify: (notice: Notice) => void, elapsed = () => performance.now()) {
    this.#notify = notify
    this.#elapsed = elapsed
  }

  /** What is under way, if anything is. */
  get name(): MethodName | undefined {
    return this.#name
  }

  refuseWhileUnderWay() {
    if (this.#name !== undefined)
      throw new ApiError('invalidArgument', `${this.#name} is under way: wait for it, or stop it with work.cancel`)
  }

  async take<T>(name: MethodName, unit: Unit, work: (underway: Underway) => Promise<T>): Promise<T> {
    this.refuseWhileUnderWay()
    this.#name = name
    this.#stopped = false
    this.#canStop = true
    let told = this.#elapsed()
    let paused = told
    let hasTold = false
    let last: Pick<Told, 'done' | 'of'> = { done: 0, of: null }
    const tell = (over = false) => {
      this.#notify({ type: 'work', name, unit, ...last, can_stop: this.#canStop, over })
      hasTold = true
      told = this.#elapsed()
    }
    try {
      return await work({
        goOn: async (done, of) => {
          last = { done, of }
          const now = this.#elapsed()
          if (now - told >= TELL_MS) tell()
          if (now - paused >= BATCH_MS) {
            await pause()
            paused = this.#elapsed()
          }
          return !this.#stopped
        },
        conclude: async () => {
          this.#canStop = false
          if (hasTold) tell()
          await pause()
        },
      })
    } finally {
      this.#name = undefined
      if (hasTold) tell(true)
    }
  }

  /** Between two steps. */
  cancel(): boolean {
    if (this.#name === undefined || !this.#canStop) return false
    this.#stopped = true
    return true
  }
}

/** Said by what does nothing by halves. */
export const stopped = (name: MethodName) =>
  new ApiError('invalidArgument', `${name} was stopped with work.cancel: nothing was changed`)
