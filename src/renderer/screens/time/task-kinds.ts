import type { FiredTask } from '../../../api/contract/control.ts'
import type { CollectionName } from '../../data/collections.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'

/** What the kinds of task are about, and how what came of one is marked. */

const about: Readonly<Record<string, CollectionName>> = {
  'decide kyc': 'customers',
  'begin payment': 'transactions',
  'finish payment': 'transactions',
  'receive return': 'transactions',
  'receive notification of change': 'transactions',
  'close authorization': 'transactions',
  'continue archival': 'customers',
  'finish archival': 'customers',
  'register vrn': 'virtual_reference_numbers',
  'continue combined transfer': 'combined_transfers',
}

/** The collection of the record that such a task is for. */
export const collectionOf = (kind: string): CollectionName | undefined =>
  Object.hasOwn(about, kind) ? about[kind] : undefined

export const CLOSE_OF_DAY = 'close of day'

/** After it ran. */
export function shapeOfOutcome({ task, outcome }: Pick<FiredTask, 'task' | 'outcome'>): GlyphName {
  if (isBad({ outcome })) return 'broken'
  if (task === CLOSE_OF_DAY) return 'repeats'
  if (/^(not |waits)/.test(outcome)) return 'stopped'
  if (outcome === 'archived') return 'closed'
  return outcome === 'pending' ? 'under-way' : 'done'
}

/** Something that an eye should fall on. */
export const isBad = ({ outcome }: Pick<FiredTask, 'outcome'>): boolean => /^(failed|returned with)/.test(outcome)

/** What stands beside it already is left out: the uid behind its name, and the amount. */
export const shortWhy = (why: string): string => why.replace(/^[\d.]+ by /, '').replace(/ \(\w{16}\)/, '')
