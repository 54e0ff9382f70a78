import type { AttemptOutcome } from '../contract/resources/webhooks.ts'

/** As many outcomes, or those of so much time, are one action and one commit: a receiver that fails would fill the history otherwise. */
const MAX_TOGETHER = 32
const WAIT_MS = 10

interface Waiting {
  readonly outcome: AttemptOutcome
  readonly resolve: () => void
}

/** Has the outcomes of attempts recorded, some of them together. */
export class OutcomeRecorder {
  /** Never rejects. */
  readonly #record: (outcomes: readonly AttemptOutcome[]) => Promise<void>
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(record: (outcomes: readonly AttemptOutcome[]) => Promise<void>) {
    this.#record = record
  }

  /** How many are not recorded yet. */
  get size(): number {
    return this.#waiting.length
  }

  /** Resolves when it is recorded. */
  add(outcome: AttemptOutcome): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ outcome, resolve })
      if (this.#waiting.length >= MAX_TOGETHER) void this.flush()
      else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS)
    })
  }

  async flush() {
    const together = this.#take()
    if (together.length > 0) await this.#record(together.map(({ outcome }) => outcome))
    for (const { resolve } of together) resolve()
  }

  /** They are of a world that is gone. */
  forget() {
    for (const { resolve } of this.#take()) resolve()
  }

  #take(): readonly Waiting[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const together = this.#waiting
    this.#waiting = []
    return together
  }
}
