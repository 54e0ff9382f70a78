import type { Outcome } from '../contract/messages.ts'
import { taskRow } from '../contract/tasks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { IndexMissing } from '../store/collection.ts'
import { runToEnd } from '../store/steps.ts'
import type { InProgram, Store } from '../store/store.ts'
import type { Tx } from '../store/tx.ts'
import type { TaskRecord } from '../store/world.ts'
import { type Foreseen, isWaiting, type Scheduler } from './scheduler.ts'

/**
 * What will happen if nobody sends a request or decides anything: the tasks run ahead in an attempt, which is undone. Every sentence about
 * the future comes from here, so it is what the same code will do.
 */

interface Engine {
  readonly store: Store
  readonly scheduler: Scheduler
}

export interface Future {
  /** In the order in which they run; those that they schedule, too. */
  readonly tasks: readonly Foreseen[]
  readonly outcomes: ReadonlyMap<Uid, Outcome>
  /** False if there are more than are run ahead. */
  readonly isWhole: boolean
}

/** So many tasks are run ahead, in a few milliseconds. */
const MAX_AHEAD = 200

/**
 * Recurring tasks go over all accounts, and what receivers of webhooks answer is not known. They change nothing that another task
 * reads.
 */
const canForesee = ({ kind, recurring }: TaskRecord) =>
  taskRow(kind) !== undefined && !recurring && kind !== 'send waiting events'

const futures = new WeakMap<Store, Future & { readonly seq: number }>()

/** Of all tasks that are scheduled: the same until the next commit. */
export function foresee({ store, scheduler }: Engine): Future {
  const { seq } = store.world
  const known = futures.get(store)
  if (known?.seq === seq) return known
  const [first] = scheduler.waiting()
  const tasks = first
    ? runAhead({ store, scheduler }, first.program_uid, isWaiting, (_, steps) => takeFirst(steps, MAX_AHEAD + 1))
    : []
  const found = {
    seq,
    tasks: tasks.slice(0, MAX_AHEAD),
    outcomes: new Map(tasks.flatMap(({ task, outcome }) => (outcome ? [[task.uid, outcome]] : []))),
    isWhole: tasks.length <= MAX_AHEAD,
  }
  futures.set(store, found)
  return found
}

/** As `foresee`, for an action, which cannot be called again when an index has been built. */
export function foreseeAtOnce(engine: Engine): Future {
  for (;;)
    try {
      return foresee(engine)
    } catch (error) {
      if (!(error instanceof IndexMissing)) throw error
      runToEnd(error.build())
    }
}

/** Runs the wanted tasks ahead, and what they schedule if it is wanted. All is undone when the work returns. */
export const runAhead = <T>(
  { store, scheduler }: Engine,
  program_uid: Uid,
  isWanted: (task: TaskRecord) => boolean,
  work: (tx: Tx, steps: Iterable<Foreseen>) => T,
): T =>
  store.attempt(program_uid, (tx, inProgram) =>
    work(tx, scheduler.runWithin(inProgram, { isWanted, canRun: canForesee })),
  )

/** As `runAhead`, within an attempt that is open. */
export const runAheadWithin = (
  { scheduler }: Engine,
  inProgram: InProgram,
  isWanted: (task: TaskRecord) => boolean,
): Future['tasks'] => takeFirst(scheduler.runWithin(inProgram, { isWanted, canRun: canForesee }), MAX_AHEAD)

function takeFirst<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = []
  for (const item of items) if (taken.push(item) === count) break
  return taken
}
