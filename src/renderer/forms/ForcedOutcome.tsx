import type { EndpointName } from '../../api/contract/endpoints.ts'
import { useQuery } from '../data/use-query.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import { accountsNamedBy, findForcedOutcomes } from './forced-outcomes.ts'
import type { JsonObject } from './values.ts'

interface ForcedOutcomeProps {
  readonly endpoint: EndpointName
  readonly body: JsonObject
}

/** Says before a request is sent which outcome its data forces. */
export function ForcedOutcome({ endpoint, body }: ForcedOutcomeProps) {
  const uids = accountsNamedBy(endpoint, body)
  // An account that does not exist is none of the list.
  const { data } = useQuery('records.list', uids.length === 0 ? null : { collection: 'synthetic_accounts', uids }, [
    'synthetic_accounts',
  ])
  const accounts = (data?.data ?? []) as JsonObject[]
  const outcomes = findForcedOutcomes(endpoint, body, accounts)
  if (outcomes.length === 0) return null
  return (
    <NoticeLine isWarning data-forced="">
      <b>The data forces an outcome.</b> {outcomes.join(' ')}
    </NoticeLine>
  )
}
