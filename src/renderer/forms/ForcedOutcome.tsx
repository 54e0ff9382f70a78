import type { MethodInput } from '../../api/contract/control/methods.ts'
import type { EndpointName } from '../../api/contract/endpoints.ts'
import { useQuery } from '../data/use-query.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import type { JsonObject } from './values.ts'

interface ForcedOutcomeProps {
  readonly program_uid: string
  readonly endpoint: EndpointName
  readonly body: JsonObject
}

/** Says before a request is sent which outcome its data forces. */
export function ForcedOutcome({ program_uid, endpoint, body }: ForcedOutcomeProps) {
  const input = { program_uid, endpoint, body } as MethodInput<'requests.forced'>
  const { data } = useQuery('requests.forced', input, ['synthetic_accounts'], { keeps: true })
  if (!data || data.outcomes.length === 0) return null
  return (
    <NoticeLine isWarning data-forced="">
      <b>The data forces an outcome.</b> {data.outcomes.join(' ')}
    </NoticeLine>
  )
}
