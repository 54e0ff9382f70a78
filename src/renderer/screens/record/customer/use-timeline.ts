import { useMemo, useState } from 'react'
import { ALL_COLLECTIONS } from '../../../components/fields/use-record.ts'
import { useQuery } from '../../../data/use-query.ts'
import { buildRows, countRows } from './timeline-rows.ts'

/** Loads the timeline once for the number on its tab, and keeps it current while the tab is open. */
export function useTimeline(uid: string, limit: number, shown: boolean) {
  const { data, error, slow } = useQuery(
    'records.story',
    { uid, limit, reads: true },
    shown ? ALL_COLLECTIONS : NOTHING,
  )
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  const loaded = data ?? last
  const rows = useMemo(() => buildRows(loaded?.entries ?? []), [loaded])
  const counts = useMemo(() => countRows(rows), [rows])
  return { loaded, rows, counts, error, slow, count: loaded && rows.length - counts.reads }
}

export type TimelineData = ReturnType<typeof useTimeline>

const NOTHING: readonly string[] = []
