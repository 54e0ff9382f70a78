import { useMemo, useState } from 'react'
import type { MethodOutput } from '../../../../api/contract/control/methods.ts'
import { ALL_COLLECTIONS } from '../../../components/fields/use-record.ts'
import { useFeed } from '../../../data/feed.ts'
import { useQuery } from '../../../data/use-query.ts'
import { buildRows, countRows } from './timeline-rows.ts'

/**
 * Loads the timeline for the number on its tab. A long one is kept current only while the tab is open; on another tab it has no
 * number once something has changed.
 */
export function useTimeline(uid: string, limit: number, shown: boolean) {
  const [last, setLast] = useState<{ data: MethodOutput<'records.story'>; version: string } | undefined>(undefined)
  const isCurrent = shown || (last?.data.entries.length ?? 0) <= MAX_SHORT
  const version = useFeed(({ versions }) => Object.values(versions).join())
  const { data, error, slow } = useQuery(
    'records.story',
    { uid, limit, reads: true },
    isCurrent ? ALL_COLLECTIONS : NOTHING,
  )
  if (data && data !== last?.data) setLast({ data, version })
  const loaded = data ?? last?.data
  const rows = useMemo(() => buildRows(loaded?.entries ?? []), [loaded])
  const counts = useMemo(() => countRows(rows), [rows])
  const isKnown = loaded !== undefined && (isCurrent || last?.version === version)
  return { loaded, rows, counts, error, slow, count: isKnown ? rows.length - counts.reads : undefined }
}

export type TimelineData = ReturnType<typeof useTimeline>

/** Entries of a timeline that is read again with each commit. */
const MAX_SHORT = 500
const NOTHING: readonly string[] = []
