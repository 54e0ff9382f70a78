import { useMemo } from 'react'
import type { MethodInput } from '../../api/contract/control/methods.ts'
import type { EndpointName } from '../../api/contract/endpoints.ts'
import { outcomeGlyph } from '../../api/contract/tasks.ts'
import { taskReason } from '../data/records.ts'
import { useQuery } from '../data/sandbox.ts'
import { formatRefusal, formatShortInstant } from '../format/text.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import type { JsonObject } from './values.ts'

interface WhatFollowsProps {
  readonly program_uid: string
  readonly endpoint: EndpointName
  readonly params?: JsonObject
  readonly body: JsonObject
}

const WATCHED = ['clock', 'programs', 'customers', 'synthetic_accounts', 'transactions', 'tasks']
const MAX_LISTED = 6
/** The form says beside the field what is wrong with it. */
const INVALID_FIELD = 400

/** Says before a request is sent what will follow from it. */
export function WhatFollows({ program_uid, endpoint, params, body }: WhatFollowsProps) {
  const typed = useMemo(
    () => ({ program_uid, endpoint, params, body }) as MethodInput<'requests.foresee'>,
    [program_uid, endpoint, params, body],
  )
  const { data, error } = useQuery('requests.foresee', useDebounced(typed), WATCHED, { keeps: true })
  if (error !== undefined || !data) return null
  const { refused, next, follows, is_whole } = data
  if (refused?.status === INVALID_FIELD) return null
  if (refused)
    return (
      <NoticeLine is="warning" data-follows="">
        <b>It would be refused.</b> {formatRefusal(refused)}
      </NoticeLine>
    )
  if (follows.length === 0 && is_whole) return null
  const isBad = follows.some(({ outcome }) => outcome !== null && outcomeGlyph(outcome) === 'broken')
  const listed = follows
    .slice(0, MAX_LISTED)
    .map((task) => `${formatShortInstant(Date.parse(task.due_at))}, ${taskReason(task)}`)
  const more = [
    ...(follows.length > MAX_LISTED ? [`and ${follows.length - MAX_LISTED} more`] : []),
    ...(is_whole ? [] : ['more, which is not known: too many other tasks come first']),
  ]
  return (
    <NoticeLine is={isBad ? 'warning' : 'fact'} data-follows="">
      <b>{next === null ? 'What follows' : `What follows, with ${next}`}:</b> {[...listed, ...more].join('; ')}.
    </NoticeLine>
  )
}
