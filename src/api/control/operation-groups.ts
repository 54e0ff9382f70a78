import { randomUUID } from 'node:crypto'
import type { MethodName } from '../contract/control/methods.ts'
import { type Commit, operationOf } from '../store/commit.ts'
import { findCommit } from '../store/history.ts'
import { runToEnd } from '../store/steps.ts'
import type { Store } from '../store/store.ts'

/** The commits of one operation while it runs: of an action, or of a scenario or a replay with all that it does. */
export interface OperationGroup {
  /** Undefined until there is a commit. */
  first?: number | undefined
  /** Of a scenario or a replay: its control method. */
  readonly name?: MethodName
}

/** More than can run at a time. */
const MAX_RUNS = 100

/** Decides of which operation each commit is a part. */
export class OperationGroups {
  readonly #store: Store
  readonly #runs = new Map<string, OperationGroup>()
  #latest: { readonly first: number; readonly isTime: boolean; readonly at: string } | undefined
  #assigned: OperationGroup | null | undefined

  constructor(store: Store) {
    this.#store = store
    store.subscribe((commit) => this.#onCommit(commit))
  }

  /** For a scenario or a replay. Its requests name it. */
  openRun(name: MethodName) {
    const run = randomUUID()
    const group: OperationGroup = { name }
    this.#runs.set(run, group)
    for (const oldest of this.#runs.keys()) if (this.#runs.size > MAX_RUNS) this.#runs.delete(oldest)
    return { run, group }
  }

  findRun = (run: string | undefined): OperationGroup | undefined => (run === undefined ? run : this.#runs.get(run))

  /** `group`: of the action or the run; null for what the sandbox adds to the newest operation, such as the outcomes of webhooks. */
  assign(commit: Commit, group: OperationGroup | null | undefined): Commit {
    this.#assigned = group
    const first = group ? group.first : this.#continued(commit, group === null)
    if (first !== undefined) return { ...commit, part_of: first }
    return group?.name === undefined ? commit : { ...commit, run: group.name }
  }

  /**
   * Assumed (invented): tasks that run by themselves are an operation, up to the next change by another cause. Those that run at the instant of an
   * operation are its consequences.
   */
  #continued({ cause, at, goes_on_from }: Commit, isAddition: boolean): number | undefined {
    if (cause.door === 'request' || goes_on_from !== undefined) return undefined
    this.#latest ??= this.#readLatest()
    const { first, isTime = false, at: end = '' } = this.#latest ?? {}
    // Without an action, the sandbox itself did it, e.g. it froze the clock at a break.
    return isAddition || cause.door === 'operator' || isTime || at <= end ? first : undefined
  }

  #readLatest() {
    for (const commit of this.#store.history()) {
      const first = operationOf(commit)
      const begin = first === commit.seq ? commit : runToEnd(findCommit(this.#store, first))
      return summarize(commit, isOfTime(begin ?? commit))
    }
    return undefined
  }

  #onCommit(commit: Commit) {
    const group = this.#assigned
    if (group && commit.part_of === undefined) group.first = commit.seq
    this.#assigned = undefined
    const isSame = this.#latest?.first === commit.part_of
    this.#latest = summarize(commit, commit.part_of === undefined ? isOfTime(commit) : isSame && this.#latest!.isTime)
    const { goes_on_from = commit.seq } = commit
    // What a paused scenario does next is another operation if the world went back before this one.
    for (const run of this.#runs.values())
      if (run.first !== operationOf(commit) && (run.first ?? 0) > goes_on_from) run.first = undefined
  }
}

const isOfTime = ({ cause, action }: Commit) => cause.door === 'time' && !action

const summarize = (commit: Commit, isTime: boolean) => ({
  first: operationOf(commit),
  isTime,
  at: commit.clock?.at ?? commit.stood_at ?? commit.at,
})
