import type { Task } from '../../../api/contract/resources/tasks.ts'
import { taskRow } from '../../../api/contract/tasks.ts'
import { formatAmount, formatShortInstant } from '../../format/text.ts'
import type { RecordNames } from './record-names.ts'

/** What the line and the month say of a task. */

/** A task that ends a window: what waits until then can be decided. */
export const endsWindow = ({ kind, failed }: Task) => failed === null && taskRow(kind)?.glyph === 'stopped'

export const amountOf = ({ record }: Task, names: RecordNames) => {
  const amount = record === null ? null : names.get(record)?.amount
  return amount == null ? null : formatAmount(amount, true)
}

export const labelOf = (task: Task, names: RecordNames) => amountOf(task, names) ?? (task.recurring ? '' : task.kind)

export const describeTask = ({ kind, why, due_at, failed }: Task) =>
  `${formatShortInstant(Date.parse(due_at))} ${kind}: ${failed ?? why}`
