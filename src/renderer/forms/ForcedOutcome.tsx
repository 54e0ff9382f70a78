import type { EndpointName } from '../../api/contract/endpoints.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import { findForcedOutcomes } from './forced-outcomes.ts'
import type { SampleRecords } from './sample-records.ts'
import type { JsonObject } from './values.ts'

interface ForcedOutcomeProps {
  readonly endpoint: EndpointName
  readonly body: JsonObject
  readonly records: SampleRecords
}

/** Says before a request is sent which outcome its data forces. */
export function ForcedOutcome({ endpoint, body, records }: ForcedOutcomeProps) {
  const outcomes = findForcedOutcomes(endpoint, body, records)
  if (outcomes.length === 0) return null
  return (
    <NoticeLine isWarning data-forced="">
      <b>The data forces an outcome.</b> {outcomes.join(' ')}
    </NoticeLine>
  )
}
