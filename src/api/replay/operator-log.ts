import type { MethodName } from '../contract/control/methods.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type CallLog, numberOf, type OperatorAction } from '../store/call-log.ts'
import type { Commit } from '../store/commit.ts'
import type { ActionCommit } from '../store/data-folder.ts'

/** The control method calls that changed the world. With the request log it makes the record of the world complete. */
export class OperatorLog {
  readonly #log: CallLog

  constructor(log: CallLog) {
    this.#log = log
  }

  add(action: Omit<OperatorAction, 'uid'>) {
    this.#log.add({ summary: { ...action, uid: `o${this.#log.counts.actions + 1}` }, details: '{}' })
  }

  /** Adds the actions that were committed, but not logged because the process ended in between. */
  addUnlogged(recent: readonly ActionCommit[]) {
    const logged = new Map(this.entries().map((entry) => [keyOf(entry), entry.seq_after]))
    const unlogged = new Map<string, Omit<OperatorAction, 'uid'>>()
    for (const commit of recent) {
      const action = rebuildAction(commit)
      if (action && commit.seq > (logged.get(keyOf(action)) ?? this.#log.deletedUpTo))
        unlogged.set(keyOf(action), action)
    }
    for (const action of unlogged.values()) {
      // The requests before it may be in no log.
      this.#log.reserve({ requests: numberOf(action.after) })
      this.add(action)
    }
  }

  /**
   * Oldest first. An action that a full disk kept out of the log is added by a later start, after newer ones; with one that changed
   * nothing it shares `seq_after`.
   */
  entries(): OperatorAction[] {
    const actions = this.#log.actions.map(({ summary }) => summary)
    return actions.sort((a, b) => a.seq_after - b.seq_after || a.seq_before - b.seq_before)
  }

  /** Not that of the last entry: they are in the order of their commits. */
  get newestUid(): Uid | null {
    return this.#log.actions.at(-1)?.summary.uid ?? null
  }

  /** No entry was deleted yet. */
  get isComplete(): boolean {
    return this.#log.isComplete
  }
}

const keyOf = ({ name, seq_before }: Pick<OperatorAction, 'name' | 'seq_before'>) => `${name} ${seq_before}`

/** The action as its last commit shows it. An advance that did not end becomes one to the time that it reached. */
export function rebuildAction(commit: Omit<Commit, 'changes'>): Omit<OperatorAction, 'uid'> | undefined {
  if (!commit.action) return undefined
  const { name, input, after, seq_before } = commit.action
  const at = commit.clock?.at ?? commit.stood_at ?? commit.at
  return {
    name: name as MethodName,
    input: input ?? JSON.stringify({ to: at }),
    at,
    after,
    seq_before,
    seq_after: commit.seq,
  }
}
