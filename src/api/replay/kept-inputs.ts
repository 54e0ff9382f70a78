import { type MethodName, methods } from '../contract/control/methods.ts'
import { unpackOutcomes, type WebhookAttempts } from '../contract/resources/webhooks.ts'
import type { OperatorAction } from '../store/call-log.ts'
import type { Change, Commit } from '../store/commit.ts'
import type { Steps } from '../store/steps.ts'

/** Operator actions whose input the log does not have, because the records have it that their commits add. */

export const isKept = (name: MethodName): boolean => 'keepsInput' in methods[name]

/** Of webhooks.record_attempts. */
const inputFrom = (added: readonly Change[]) => ({
  outcomes: added
    .filter(({ collection }) => collection === 'webhook_attempts')
    .flatMap(({ record }) => unpackOutcomes(record as unknown as WebhookAttempts)),
})

type ReadCommits = (from: number, to: number) => Iterable<Pick<Commit, 'seq' | 'changes'>>

/** Reads inputs of actions in the order of their commits, so that each commit is read once. */
export class KeptInputs {
  readonly #read: ReadCommits
  #commits: Iterator<Pick<Commit, 'seq' | 'changes'>> | undefined
  #next = 0

  constructor(read: ReadCommits) {
    this.#read = read
  }

  /** JSON text, as it was; undefined if the log has the input, or the history has no such commit. */
  *of({ name, seq_after }: OperatorAction): Steps<string | undefined> {
    if (!isKept(name)) return undefined
    if (!this.#commits || seq_after < this.#next) this.#begin(seq_after)
    for (let step = this.#commits!.next(); !step.done; step = this.#commits!.next()) {
      const { seq, changes } = step.value
      this.#next = seq + 1
      const added = changes.filter(({ record, was }) => record && !was)
      if (seq === seq_after) return JSON.stringify(inputFrom(added))
      if (seq > seq_after) break
      yield seq
    }
    this.close()
    return undefined
  }

  #begin(from: number) {
    this.close()
    this.#commits = this.#read(from, Number.POSITIVE_INFINITY)[Symbol.iterator]()
  }

  close() {
    this.#commits?.return?.()
    this.#commits = undefined
  }
}
