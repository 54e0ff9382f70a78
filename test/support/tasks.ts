import type { TaskKind } from '../../src/api/contract/tasks.ts'

interface TestTask {
  readonly kind: string
  readonly due_at: string
  readonly subject_uid: string | null
  readonly why: string
  readonly recurring?: boolean
}

/** A task to be scheduled, of a kind that only a test has a runner for. */
export const testTask = ({ kind, ...task }: TestTask) => ({ ...task, kind: kind as TaskKind })
