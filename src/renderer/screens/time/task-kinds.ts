import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { formatMessage, type MessageBody } from '../../../api/contract/messages.ts'
import { outcomeGlyph, taskRow } from '../../../api/contract/tasks.ts'
import type { CollectionName } from '../../data/collections.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'

/** What the kinds of task are about, and how what came of one is marked. */

/** The collection of the record that such a task is for. */
export const collectionOf = (kind: string): CollectionName | null => taskRow(kind)?.subject ?? null

/** Tasks of this kind schedule the next one. */
export const isRepeated = (kind: string): boolean => taskRow(kind)?.glyph === 'repeats'

/** After it ran. */
export const shapeOfOutcome = ({ task, message }: Pick<FiredTask, 'task' | 'message'>): GlyphName => {
  const glyph = outcomeGlyph(message)
  return glyph !== 'broken' && isRepeated(task) ? 'repeats' : glyph
}

/** Something that needs attention. */
export const isBad = ({ message }: Pick<FiredTask, 'message'>): boolean => outcomeGlyph(message) === 'broken'

/** Without the amount and the uid of the payment: they stand next to it. */
export const shortWhy = (message: MessageBody): string =>
  formatMessage(message, ({ transaction_type }) => transaction_type.replaceAll('_', ' '))
