import { formatLongDay, startOfDay, startOfNextDay } from '../../format/text.ts'
import type { GroupRow } from '../../ui/DataTable.tsx'

/** Adds a row for each New York day before its first record. Computes time zones once a day, not once a record. */
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

/** Returns a function that formats the day of an instant if it differs from the previous one. */
export function createDayTracker(): (at: string) => string | undefined {
  let from = ''
  let to = ''
  return (at) => {
    // Instants are all ISO texts in UTC, so they can be compared as text.
    if (from <= at && at < to) return undefined
    const start = startOfDay(Date.parse(at))
    from = new Date(start).toISOString()
    to = new Date(startOfNextDay(start)).toISOString()
    return formatLongDay(start)
  }
}
