import type { RecordAction } from '../../api/contract/control/requests.ts'
import type { RecordRef } from './at-hand.ts'
import { useNow } from './feed.ts'
import { useQuery } from './sandbox.ts'

/** What decides about a request besides the record: accounts, payments, settings. */
const WATCHED = ['customers', 'synthetic_accounts', 'transactions', 'programs']
const BEAT_MS = 60_000

/** The requests of a client that concern the record, as the sandbox says; null asks nothing. */
export function useRecordActions(record: RecordRef | null): readonly RecordAction[] {
  const watched = record === null ? WATCHED : [record.collection, ...WATCHED]
  return useQuery('records.actions', record, watched, { beat: useNow(BEAT_MS), every_ms: 1_000 }).data?.actions ?? NONE
}

const NONE: readonly RecordAction[] = []
