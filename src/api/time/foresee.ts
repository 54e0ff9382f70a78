import type { Outcome } from '../contract/messages.ts'
import { taskRow } from '../contract/tasks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { InProgram, Store } from '../store/store.ts'
import type { Tx } from '../store/tx.ts'
import type { TaskRecord } from '../store/world.ts'
import type { Foreseen, Scheduler } from './scheduler.ts'

/**
 * What will happen if no request and no decision comes: the tasks run ahead in an attempt, which is undone. Every sentence about the
 * future comes from here, so the code that says it is the code that does it.
 */

interface Engine {
  readonly store: Store
  readonly scheduler: Scheduler
}

interface Future {
  /** In the order in which they run; those that they schedule, too. */
  readonly tasks: readonly Foreseen[]
  readonly outcomes: ReadonlyMap<Uid, Outcome>
  /** False if there are more than are run ahead. */
  readonly isWhole: boolean
}

/** So many tasks are run ahead, in a few milliseconds. */
const MAX_AHEAD = 200

/**
 * Recurring tasks go over all accounts, and what receivers of webhooks answer is not known. They change nothing that another task reads.
 */
const canForesee = ({ kind, recurring }: TaskRecord) =>
  taskRow(kind) !== undefined && !recurring && kind !== 'send waiting events'

const futures = new WeakMap<Store, Future & { readonly seq: number }>()

/** Of all tasks that are scheduled: the same until the next commit. `canWait`: as in `Store.attempt`. */
export function foresee(engine: Engine, canWait = true): Future {
  const { store, scheduler } = engine
  const { seq } = store.world
  const known = futures.get(store)
  if (known?.seq === seq) return known
  const [first] = scheduler.waiting()
  const tasks = first ? store.attempt(first.program_uid, (_, inProgram) => runWithin(engine, inProgram), canWait) : []
  const outcomes = new Map(tasks.flatMap(({ task, outcome }) => (outcome ? [[task.uid, outcome]] : [])))
  const future = { seq, tasks, outcomes, isWhole: isWhole(tasks) }
  futures.set(store, future)
  return future
}

/** Runs the wanted tasks ahead, step by step. All is undone when the work returns. */
export const runAhead = <T>(
  { store, scheduler }: Engine,
  program_uid: Uid,
  isWanted: (task: TaskRecord) => boolean,
  work: (tx: Tx, steps: Iterable<Foreseen>) => T,
): T =>
  store.attempt(program_uid, (tx, inProgram) =>
    work(tx, scheduler.runWithin(inProgram, { isWanted, canRun: canForesee })),
  )

/** Runs the tasks ahead within an attempt; one more than is allowed, if there are more. */
export function runWithin({ scheduler }: Engine, inProgram: InProgram): Foreseen[] {
  const ran: Foreseen[] = []
  for (const step of scheduler.runWithin(inProgram, { canRun: canForesee })) if (ran.push(step) > MAX_AHEAD) break
  return ran
}

export const isWhole = (ran: readonly Foreseen[]): boolean => ran.length <= MAX_AHEAD
