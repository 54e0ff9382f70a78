import { formatLongDay, startOfDay, startOfNextDay } from '../../format/time.ts'
import type { GroupRow } from '../../ui/DataTable.tsx'

/** Days of New York as rows of their own, before the first record of each. Reckoned once a day, not once a record. */
export function groupByDay<T extends { readonly uid: string }>(
  records: readonly T[],
  at: (record: T) => string,
): (T | GroupRow)[] {
  const rows: (T | GroupRow)[] = []
  const sameDay = createDayTracker()
  for (const record of records) {
    const day = sameDay(at(record))
    if (day !== undefined) rows.push({ group: `${day} ${record.uid}`, title: day })
    rows.push(record)
  }
  return rows
}

/** Tells the day of an instant when it is another one than before. */
export function createDayTracker(): (at: string) => string | undefined {
  let from = ''
  let to = ''
  return (at) => {
    // Instants are all written alike, so that their texts compare as they do.
    if (from <= at && at < to) return undefined
    const start = startOfDay(Date.parse(at))
    from = new Date(start).toISOString()
    to = new Date(startOfNextDay(start)).toISOString()
    return formatLongDay(start)
  }
}
