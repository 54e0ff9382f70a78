import { useMemo } from 'react'
import type { MethodInput } from '../../api/contract/control/methods.ts'
import type { EndpointName } from '../../api/contract/endpoints.ts'
import { useQuery } from '../data/use-query.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import type { JsonObject } from './values.ts'

interface ForcedOutcomeProps {
  readonly program_uid: string
  readonly endpoint: EndpointName
  readonly body: JsonObject
}

/** What forces an outcome: the account that the data names, and the settings of its Program. */
const WATCHED = ['programs', 'synthetic_accounts']

/** Says before a request is sent which outcome its data forces. */
export function ForcedOutcome({ program_uid, endpoint, body }: ForcedOutcomeProps) {
  const typed = useMemo(
    () => ({ program_uid, endpoint, body }) as MethodInput<'requests.forced'>,
    [program_uid, endpoint, body],
  )
  const { data, error } = useQuery('requests.forced', useDebounced(typed), WATCHED, { keeps: true })
  if (error !== undefined || !data || data.outcomes.length === 0) return null
  return (
    <NoticeLine isWarning data-forced="">
      <b>The data forces an outcome.</b> {data.outcomes.join(' ')}
    </NoticeLine>
  )
}
