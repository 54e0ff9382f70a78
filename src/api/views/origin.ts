import type { Cause } from '../contract/control/history.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Commit, changesInParts } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { TaskRecord } from '../store/world.ts'

/** From a commit that a task made back to the request or the operator action that scheduled the task, perhaps by other tasks. */

export interface FoundCommit {
  readonly seq: number
  readonly at: string
  readonly cause: Cause
  /** The task that made it, if it ran once. */
  readonly task?: TaskRecord
}

export interface OriginStep extends FoundCommit {
  /** What the task that it scheduled was for. */
  readonly scheduled: TaskRecord
}

export function toFoundCommit(commit: Commit): FoundCommit {
  const { seq, at, cause } = commit
  const task = taskThatRan(commit)
  return { seq, at, cause, ...(task ? { task } : {}) }
}

/** A commit of time removes the task that made it. The close of day repeats, so it has no origin. */
function taskThatRan({ cause, changes }: Commit): TaskRecord | undefined {
  if (cause.door !== 'time') return undefined
  for (const { collection, record, was } of changes) {
    const task = was as TaskRecord | null
    if (collection === 'tasks' && record === null && task?.kind === cause.name && !task.recurring) return task
  }
  return undefined
}

export function* stepsToOrigin(store: ReadStore, from: FoundCommit): Steps<OriginStep[]> {
  const steps: OriginStep[] = []
  for (let at: FoundCommit = from; at.task; ) {
    const scheduled = at.task
    const found: FoundCommit | undefined = yield* findCreation(store, scheduled.uid, at.seq)
    if (!found) break
    steps.push({ ...found, scheduled })
    at = found
  }
  return steps
}

/** The commit that created a task, before another commit. */
function* findCreation(store: ReadStore, uid: Uid, before: number): Steps<FoundCommit | undefined> {
  for (const commit of currentBranch(store, { texts: [changeText('tasks', uid)], before })) {
    yield
    // A rewind or restore adds tasks that were created by an earlier commit.
    if (!commit || commit.seq >= before || commit.goes_on_from !== undefined) continue
    for (const changes of changesInParts(commit, [uid]))
      if (changes.some((change) => change.collection === 'tasks' && change.uid === uid && change.was === null))
        return toFoundCommit(commit)
  }
  return undefined
}
