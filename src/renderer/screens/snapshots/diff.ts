import type { RecordDifference } from '../../../api/contract/control/snapshots.ts'
import { formatAmount as amountWritten } from '../../format/numbers.ts'

/** The differences of two worlds, by collection. */

export interface Group {
  readonly collection: string
  readonly records: readonly RecordDifference[]
  readonly counts: Readonly<Record<RecordDifference['what'], number>>
}

export function groupsOf(differences: readonly RecordDifference[], search = ''): Group[] {
  const wanted = search.trim().toLowerCase()
  const groups = new Map<string, RecordDifference[]>()
  for (const difference of differences) {
    if (wanted !== '' && !JSON.stringify(difference).toLowerCase().includes(wanted)) continue
    groups.set(difference.collection, [...(groups.get(difference.collection) ?? []), difference])
  }
  return [...groups].map(([collection, records]) => {
    const counts = { 'only in a': 0, 'only in b': 0, differs: 0 }
    for (const { what } of records) counts[what]++
    return { collection, records, counts }
  })
}

/** Text as it is, an amount as on a statement, everything else as JSON. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? amountWritten(value) : JSON.stringify(value)
