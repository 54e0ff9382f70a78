import { useDeferredValue } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { useReplay } from '../../data/replay.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatDateTime } from '../../format/time.ts'
import { Stack } from '../../ui/Box.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Property, PropertyList } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'

/** What a chosen file contains and what its replay needs, before it runs. */
export function RecordingSummary({ text }: { text: string }) {
  const { data, error } = useQuery('recordings.describe', { text: useDeferredValue(text) })
  const hasFailed = useReplay((state) => state.failure !== null)
  // A failed replay shows the same error.
  if (error !== undefined) return hasFailed ? null : <Notice title="The file cannot be replayed." error={error} />
  if (!data) return null
  const { requests, actions, kinds, from, to, has_world, has_responses, needs, missing, unusable } = data
  return (
    <Summary requests={requests} kinds={kinds} from={from} to={to}>
      {actions > 0 && <Property name="Actions">{plural(actions, 'operator action')}</Property>}
      <Property name="Needs">
        {has_world
          ? 'nothing: it contains its world'
          : needs.length === 0
            ? 'a Program to sign in as'
            : `a Program to sign in as, and ${plural(needs.length, 'record')} that it does not create`}
        {missing.length > 0 && (
          <p className="wait wrap">
            The current world does not have {formatCount(missing.length)} of them:{' '}
            <Text className="mono">{missing.slice(0, 5).join(', ')}</Text>
            {missing.length > 5 && ', …'}
          </p>
        )}
      </Property>
      {!has_responses && requests > 0 && <Property name="Responses">none: there is nothing to compare with</Property>}
      {unusable.length > 0 && <Property name="Skipped">{formatCount(unusable.length)} of its entries</Property>}
    </Summary>
  )
}

/** The same for requests of the log. */
export function LogSummary({ exchanges }: { exchanges: readonly Exchange[] }) {
  if (exchanges.length === 0) return null
  const counts = new Map<string, number>()
  for (const { method, path } of exchanges) {
    const name = `${method} ${path.split('?')[0]!.replaceAll(/\/[A-Za-z0-9]{16}(?=\/|$)/g, '/{uid}')}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const times = exchanges.map(({ at }) => at).sort()
  const kinds = [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
  return <Summary requests={exchanges.length} kinds={kinds} from={times[0]!} to={times.at(-1)!} />
}

interface SummaryProps {
  readonly requests: number
  readonly kinds: readonly { readonly name: string; readonly count: number }[]
  readonly from: string | null
  readonly to: string | null
  readonly children?: React.ReactNode
}

const MAX_KINDS = 6

function Summary({ requests, kinds, from, to, children }: SummaryProps) {
  const others = kinds.length - MAX_KINDS
  const widest = Math.max(...kinds.map(({ count }) => formatCount(count).length))
  return (
    <section aria-label="Summary" style={{ paddingTop: 12, overflowWrap: 'anywhere' }}>
      <PropertyList>
        <Property name="Requests">{formatCount(requests)}</Property>
        <Property name="Kinds">
          <ul>
            {kinds.slice(0, MAX_KINDS).map(({ name, count }) => (
              <Stack as="li" key={name} columns={`${widest}ch minmax(0, 1fr)`} gap={8}>
                <span style={{ textAlign: 'right' }}>{formatCount(count)}</span>
                <Text className="mono">{name}</Text>
              </Stack>
            ))}
            {others > 0 && <li className="soft">and {plural(others, 'other kind')}</li>}
          </ul>
        </Property>
        {from !== null && to !== null && (
          <Property name="Time">
            {formatDateTime(Date.parse(from))}
            {from !== to && ` to ${formatDateTime(Date.parse(to))}`} ET
          </Property>
        )}
        {children}
      </PropertyList>
    </section>
  )
}
