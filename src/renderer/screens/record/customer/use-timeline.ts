import { useMemo, useState } from 'react'
import { useQuery } from '../../../data/use-query.ts'
import { ALL_COLLECTIONS } from '../use-record.ts'
import { buildRows, countRows } from './timeline-rows.ts'

/** Loads the timeline once for the number on its tab, and keeps it up to date while the tab is shown. */
export function useTimeline(uid: string, limit: number, shown: boolean) {
  const { data, error, slow } = useQuery(
    'records.story',
    { uid, limit, reads: true },
    shown ? ALL_COLLECTIONS : NOTHING,
  )
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  const story = data ?? last
  const rows = useMemo(() => buildRows(story?.entries ?? []), [story])
  const counts = useMemo(() => countRows(rows), [rows])
  return { story, rows, counts, error, slow, unread: story && rows.length - counts.reads }
}

export type TimelineData = ReturnType<typeof useTimeline>

const NOTHING: readonly string[] = []
