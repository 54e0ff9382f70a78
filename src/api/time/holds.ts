import type { ReadTx, Tx } from '../store/tx.ts'
import type { TaskRecord } from '../store/world.ts'

/**
 * The operator can hold a task. The later tasks of its record are held with it, so that nothing overtakes it: a payment does not
 * settle while its sending is held.
 */

/** The other tasks of its record that run once. A record's tasks are scheduled in the order of their instants. */
const siblingsOf = (tx: ReadTx, { uid, subject_uid, recurring }: TaskRecord): TaskRecord[] =>
  subject_uid === null || recurring
    ? []
    : tx.tasks.findBy('subject_uid', subject_uid).filter((one) => one.uid !== uid && !one.recurring)

export const earlierTasks = (tx: ReadTx, task: TaskRecord): TaskRecord[] =>
  siblingsOf(tx, task).filter(({ made }) => made < task.made)

export function hold(tx: Tx, task: TaskRecord): TaskRecord {
  const { held_by: _, ...own } = task
  const held = tx.tasks.put({ ...own, held: true })
  for (const later of siblingsOf(tx, task))
    if (later.made > task.made && !later.held) tx.tasks.put({ ...later, held: true, held_by: task.uid })
  return held
}

/** A task stays held while an earlier one of its record is. */
export function release(tx: Tx, task: TaskRecord): TaskRecord {
  const earlier = earlierTasks(tx, task).find(({ held }) => held)
  if (earlier) return tx.tasks.put({ ...task, held: true, held_by: earlier.uid })
  const { held_by: _, ...own } = task
  // A task that was due while it was held runs now.
  const released = tx.tasks.put({ ...own, held: false, due_at: task.due_at < tx.now ? tx.now : task.due_at })
  releaseLater(tx, task)
  return released
}

/** Releases the tasks that were held with this one, which is released or has run. */
export function releaseLater(tx: Tx, task: TaskRecord) {
  for (const later of siblingsOf(tx, task)) if (later.held_by === task.uid) release(tx, later)
}
