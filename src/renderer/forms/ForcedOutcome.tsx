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
  const [one, other, counterparty] = accountsNamedBy(endpoint, body)
  const accounts = [useAccount(one), useAccount(other), useAccount(counterparty)].filter((found) => found !== undefined)
  const outcomes = findForcedOutcomes(endpoint, body, accounts)
  if (outcomes.length === 0) return null
  return (
    <NoticeLine isWarning data-forced="">
      <b>The data forces an outcome.</b> {outcomes.join(' ')}
    </NoticeLine>
  )
}

const useAccount = (uid = '') =>
  useQuery('records.get', uid === '' ? null : { collection: 'synthetic_accounts', uid }, ['synthetic_accounts']).data as
    | JsonObject
    | undefined
