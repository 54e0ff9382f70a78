import { join } from 'node:path'
import type { MethodName } from '../contract/control/methods.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'
import type { RecentCommit } from '../store/data-folder.ts'
import { Log, type LogOptions, type PreparedEntries } from '../store/log.ts'

export interface OperatorAction {
  readonly uid: Uid
  readonly name: MethodName
  /** JSON text, without secrets. */
  readonly input: string
  /** Simulated time. */
  readonly at: Timestamp
  /** The newest exchange before it; null if there was none. */
  readonly after: Uid | null
  readonly seq_before: number
  readonly seq_after: number
}

/** Of an action whose commit has its input in the records that it adds. */
export const KEPT_INPUT = '{}'

/** The control method calls that changed the world. With the request log it makes the record of the world complete. */
export class OperatorLog {
  readonly #log: Log<OperatorAction, object>

  private constructor(log: Log<OperatorAction, object>) {
    this.#log = log
  }

  static async open(dataFolder: string | null, options?: LogOptions): Promise<OperatorLog> {
    return new OperatorLog(await Log.open(dataFolder && join(dataFolder, 'acts'), 'o', options))
  }

  static inMemory(): OperatorLog {
    return new OperatorLog(Log.inMemory('o'))
  }

  /** Returns when all entries so far are on the disk. */
  sync(): Promise<void> {
    return this.#log.sync()
  }

  /** An action from another log gets a uid of this one. */
  add(action: Omit<OperatorAction, 'uid'>) {
    this.#log.add({ ...action, uid: this.#log.nextUid }, '{}')
  }

  /** For an import. The first action must have the uid o1. */
  prepare(): PreparedEntries<OperatorAction> {
    return this.#log.prepare()
  }

  /** The number of the newest entry that there has been. */
  get count(): number {
    return Number(this.#log.nextUid.slice(1)) - 1
  }

  /** Adds the actions that were committed, but not logged because the process ended in between. */
  addUnlogged(recent: readonly RecentCommit[]) {
    const logged = new Map(this.entries().map((entry) => [keyOf(entry), entry.seq_after]))
    const unlogged = new Map<string, Omit<OperatorAction, 'uid'>>()
    for (const commit of recent) {
      const action = rebuildAction(commit)
      if (action && commit.seq > (logged.get(keyOf(action)) ?? 0)) unlogged.set(keyOf(action), action)
    }
    for (const action of unlogged.values()) this.add(action)
  }

  /**
   * Oldest first. An action that a full disk kept out of the log is added by a later start, after newer ones; with one that changed
   * nothing it shares `seq_after`.
   */
  entries(): OperatorAction[] {
    return this.#log.summaries().sort((a, b) => a.seq_after - b.seq_after || a.seq_before - b.seq_before)
  }

  /** Not that of the last entry: they are in the order of their commits. */
  get newestUid(): Uid | null {
    return this.#log.newestUid
  }

  /** No entry was deleted yet. */
  get isComplete(): boolean {
    return this.#log.isComplete
  }

  close() {
    this.#log.close()
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
