import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { formatTask } from '../../../api/contract/messages.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { outcomeGlyph, taskRow } from '../../../api/contract/tasks.ts'
import type { CollectionName } from '../../data/collections.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'

/** What the window shows of a task kind and of a task's outcome. */

/** The collection of the record that tasks of this kind are for. */
export const collectionOf = (kind: string): CollectionName | null => taskRow(kind)?.subject ?? null

/** Whether tasks of this kind schedule the next one. */
export const isRepeating = (kind: string): boolean => taskRow(kind)?.glyph === 'repeats'

export const glyphOfOutcome = ({ task, message }: Pick<FiredTask, 'task' | 'message'>): GlyphName => {
  const glyph = outcomeGlyph(message)
  return glyph !== 'broken' && isRepeating(task) ? 'repeats' : glyph
}

/** Whether the outcome is a failure or a return. */
export const isBadOutcome = ({ message }: Pick<FiredTask, 'message'>): boolean => outcomeGlyph(message) === 'broken'

/** Without the payment's amount and uid, which are shown next to it. */
export const formatReason = (task: Pick<Task, 'message' | 'outcome'>): string =>
  formatTask(task, ({ transaction_type }) => transaction_type.replaceAll('_', ' '))
