import { type TaskReason, textMessage } from '../../src/api/contract/messages.ts'
import type { TaskKind } from '../../src/api/contract/tasks.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import type { Runner } from '../../src/api/time/tasks.ts'

interface TestTask {
  readonly kind: string
  readonly due_at: string
  readonly subject_uid: string | null
  readonly why: string | TaskReason
  readonly recurring?: boolean
}

/** A task to be scheduled, of a kind that only a test has a runner for. */
export const testTask = ({ kind, why, ...task }: TestTask) => ({
  ...task,
  kind: kind as TaskKind,
  why: typeof why === 'string' ? textMessage(why) : why,
})

/** Schedules tasks of these kinds, so many milliseconds of simulated time from now. */
export function scheduleTasks(
  { store }: Pick<Sandbox, 'store'>,
  ...wanted: (readonly [kind: string, in_ms: number])[]
) {
  const { uid } = store.world.collections.programs.inOrder()[0]!
  store.operate({ door: 'operator', name: 'test' }, (tx) => {
    for (const [kind, ms] of wanted)
      tx.inProgram(uid).schedule(
        testTask({ kind, due_at: plusMs(tx.now, ms), subject_uid: null, why: `A task that is ${kind}` }),
      )
  })
}

/** A runner that takes 30 ms of real time and schedules the next task a minute later. */
export const takeLong: Runner = (tx, { due_at }) => {
  const until = performance.now() + 30
  while (performance.now() < until);
  tx.schedule(testTask({ kind: 'take long', due_at: plusMs(due_at, 60_000), subject_uid: null, why: 'It goes on' }))
}

const plusMs = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
