import { methods } from '../contract/control/methods.ts'
import { unpackOutcomes } from '../contract/resources/webhooks.ts'
import type { OperatorAction } from '../store/call-log.ts'
import type { Commit } from '../store/commit.ts'
import type { Steps } from '../store/steps.ts'
import type { CollectionName, RecordOf } from '../store/world.ts'

type Added = <N extends CollectionName>(collection: N) => RecordOf[N][]

/** The fields that the log does not have, because the records have them that the commit of their action adds. `made`: see RecordedCommits. */
const keptFields = {
  outcomes: (added: Added) => added('webhook_attempts').flatMap(unpackOutcomes),
  /** A replay has later events in its own history. Test events are not in the log of events. */
  older: (added: Added, made: number) =>
    added('webhook_events').filter((event) => event.made < made && event.collection !== null),
}

type ReadCommit = Pick<Commit, 'seq' | 'cause' | 'changes'>

interface RecordedCommits {
  readonly made: number
  readonly commitsBetween: (from: number, to: number) => Iterable<ReadCommit>
}

/** Reads kept fields of actions in the order of their commits, so that each commit is read once. */
export class KeptInputs {
  readonly #recorded: RecordedCommits
  #commits: Iterator<ReadCommit> | undefined
  #next = 0

  constructor(recorded: RecordedCommits) {
    this.#recorded = recorded
  }

  /** undefined if the log has the whole input, or the history has no such commit. */
  *of({ name, seq_after }: OperatorAction): Steps<object | undefined> {
    const method = methods[name]
    if (!('keeps' in method)) return undefined
    if (!this.#commits || seq_after < this.#next) this.#begin(seq_after)
    for (let step = this.#commits!.next(); !step.done; step = this.#commits!.next()) {
      const { seq, cause, changes } = step.value
      this.#next = seq + 1
      if (seq === seq_after) {
        if (cause.name !== name) return undefined
        const added: Added = (collection) =>
          changes.flatMap((change) =>
            change.collection === collection && change.record && !change.was ? [change.record as never] : [],
          )
        const kept = keptFields[method.keeps](added, this.#recorded.made)
        return kept.length === 0 ? undefined : { [method.keeps]: kept }
      }
      if (seq > seq_after) break
      yield seq
    }
    this.close()
    return undefined
  }

  #begin(from: number) {
    this.close()
    this.#commits = this.#recorded.commitsBetween(from, Number.POSITIVE_INFINITY)[Symbol.iterator]()
  }

  close() {
    this.#commits?.return?.()
    this.#commits = undefined
  }
}
