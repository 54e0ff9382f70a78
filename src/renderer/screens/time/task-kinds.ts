import type { FiredTask } from '../../../api/contract/control.ts'
import { taskRow } from '../../../api/contract/tasks.ts'
import type { CollectionName } from '../../data/collections.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'

/** What the kinds of task are about, and how what came of one is marked. */

/** The collection of the record that such a task is for. */
export const collectionOf = (kind: string): CollectionName | null => taskRow(kind)?.subject ?? null

/** Tasks of this kind schedule the next one. */
export const isRepeated = (kind: string): boolean => taskRow(kind)?.glyph === 'repeats'

/** After it ran. */
export function shapeOfOutcome({ task, outcome }: Pick<FiredTask, 'task' | 'outcome'>): GlyphName {
  if (isBad({ outcome })) return 'broken'
  if (isRepeated(task)) return 'repeats'
  if (/^(not |waits)/.test(outcome)) return 'stopped'
  if (outcome === 'archived') return 'closed'
  return outcome === 'pending' ? 'under-way' : 'done'
}

/** Something that an eye should fall on. */
export const isBad = ({ outcome }: Pick<FiredTask, 'outcome'>): boolean => /^(failed|returned with)/.test(outcome)

/** What stands beside it already is left out: the uid behind its name, and the amount. */
export const shortWhy = (why: string): string => why.replace(/^[\d.]+ by /, '').replace(/ \(\w{16}\)/, '')
