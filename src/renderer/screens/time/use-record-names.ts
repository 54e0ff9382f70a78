import { useMemo } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { useQuery } from '../../data/use-query.ts'

/** How the sandbox names a record that a task is for; a payment also has its signed amount. */
type RecordName = MethodOutput<'records.names'>['names'][number]
export type RecordNames = ReadonlyMap<string, RecordName>

/** Those of a longer schedule are shown by their uids. */
const MAX_NAMES = 500

export function useRecordNames(records: readonly (string | null)[]): RecordNames {
  const uids = [...new Set(records)].filter((uid) => uid !== null).slice(0, MAX_NAMES)
  const { data } = useQuery('records.names', uids.length === 0 ? null : { uids }, [], { keeps: true })
  return useMemo(() => new Map(data?.names.map((one) => [one.uid, one])), [data])
}
