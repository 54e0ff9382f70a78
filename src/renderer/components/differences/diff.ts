import type { RecordDifference } from '../../../api/contract/control/snapshots.ts'
import { formatAmount } from '../../format/numbers.ts'

/** The differences of two worlds, by collection. */

export interface DifferenceGroup {
  readonly collection: string
  readonly records: readonly RecordDifference[]
  readonly counts: Readonly<Record<RecordDifference['what'], number>>
}

export function groupDifferences(differences: readonly RecordDifference[], search = ''): DifferenceGroup[] {
  const text = search.trim().toLowerCase()
  const groups = new Map<string, RecordDifference[]>()
  for (const difference of differences) {
    if (text !== '' && !JSON.stringify(difference).toLowerCase().includes(text)) continue
    groups.set(difference.collection, [...(groups.get(difference.collection) ?? []), difference])
  }
  return [...groups].map(([collection, records]) => {
    const counts = { 'only in a': 0, 'only in b': 0, differs: 0 }
    for (const { what } of records) counts[what]++
    return { collection, records, counts }
  })
}

/** The control API's words for a difference, as the window shows them. */
export const differenceLabels: Readonly<Record<RecordDifference['what'], string>> = {
  differs: 'changed',
  'only in a': 'removed',
  'only in b': 'added',
}

/** Text as it is, an amount as on a statement, everything else as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? formatAmount(value) : JSON.stringify(value)
