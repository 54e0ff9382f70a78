import { useEffect, useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { useFeed } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'

/** How the sandbox names a record that a task is for; a payment also has its signed amount. */
type RecordName = MethodOutput<'records.names'>['names'][number]
export type RecordNames = ReadonlyMap<string, RecordName>

/** As many as one call answers. */
const PAGE = 1_000

/** The names of the records, which are asked for once, and in pages: those of the first records first. */
export function useRecordNames(records: readonly (string | null)[]): RecordNames {
  // After a rewind the same uid can be another record.
  const version = useFeed(({ versions }) => versions['*'] ?? 0)
  const [known, setKnown] = useState<{ version: number; asked: ReadonlySet<string>; names: RecordNames }>({
    version,
    asked: NONE,
    names: NO_NAMES,
  })
  const asked = known.version === version ? known.asked : NONE
  const uids = [...new Set(records)].filter((uid) => uid !== null && !asked.has(uid)).slice(0, PAGE) as string[]
  const { data } = useQuery('records.names', uids.length === 0 ? null : { uids })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is about the uids of its own render.
  useEffect(() => {
    if (!data) return
    const names = new Map([...known.names, ...data.names.map((one) => [one.uid, one] as const)])
    setKnown({ version, asked: new Set([...asked, ...uids]), names })
  }, [data])
  return known.names
}

const NONE: ReadonlySet<string> = new Set()
const NO_NAMES: RecordNames = new Map()
