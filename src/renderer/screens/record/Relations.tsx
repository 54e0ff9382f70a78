import { useMemo } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import type { Related } from '../../components/fields/use-record.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { EmptyLine } from '../../ui/EmptyState.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Relations.module.css'

interface RelatedProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly related: Related | undefined
}

const MAX_SHOWN = 5

/** The records that this one refers to, and those that refer to it, by kind. */
export function RelatedRecords({ collection, uid, related }: RelatedProps) {
  // Other records have their events in a section of their own.
  const isOfWebhooks = collections[collection].home === 'webhooks'
  const groups = (related?.related ?? []).filter(
    (group) => isCollection(group.collection) && (isOfWebhooks || collections[group.collection].home !== 'webhooks'),
  )
  return (
    <section aria-label="Related">
      <Caption>
        <h2>Related</h2>
      </Caption>
      {related && groups.length === 0 && <EmptyLine>No related records.</EmptyLine>}
      {groups.map(({ collection: of, total_count, records }) => {
        const kind = of as CollectionName
        const { one, many } = collections[kind]
        return (
          <div key={of}>
            <h3 className={styles.kind}>
              {total_count === 1 ? one : many}
              {total_count > 1 && (
                <ScreenLink
                  className="end"
                  collection={kind}
                  params={{ [`${collection.replace(/s$/, '')}_uid`]: [uid] }}
                  title={`All related ${many}`}
                >
                  All {formatCount(total_count)}
                </ScreenLink>
              )}
            </h3>
            <ul className={styles.records}>
              {records.slice(0, MAX_SHOWN).map((record) => (
                <li key={record.uid} title={record.uid}>
                  <RecordLink collection={kind} uid={record.uid}>
                    {record.name}
                  </RecordLink>
                  {record.amount !== null && <Amount value={record.amount} />}
                  {record.status !== null && <Status word={record.status} />}
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </section>
  )
}

const MAX_REQUESTS = 20

/** The requests of the log that mention the record in their path or in their effect. */
export function Requests({ uid }: { uid: string }) {
  const exchanges = useFeed((feed) => feed.exchanges)
  const found = useMemo(
    () => exchanges.filter(({ path, did }) => path.includes(uid) || did.includes(uid)),
    [exchanges, uid],
  )
  return (
    <section aria-label="Related requests">
      <Caption>
        <h2>Related requests</h2>
        {found.length > 0 && (
          <ScreenLink className="end data" screen="requests" params={{ q: [uid] }}>
            All {formatCount(found.length)}
          </ScreenLink>
        )}
      </Caption>
      {found.length === 0 && <EmptyLine>None in the request log.</EmptyLine>}
      <ul className={styles.requests}>
        {found.slice(0, MAX_REQUESTS).map((exchange) => (
          <RequestLine key={exchange.uid} exchange={exchange} />
        ))}
      </ul>
    </section>
  )
}

function RequestLine({ exchange }: { exchange: Exchange }) {
  return (
    <li>
      <time dateTime={exchange.at} title={exchange.at}>
        {formatShortInstant(Date.parse(exchange.at))}
      </time>
      <ScreenLink className="mono cut" screen="requests" record={exchange.uid} title={exchange.path}>
        {exchange.method} <Text>{exchange.path}</Text>
      </ScreenLink>
      <StatusCode exchange={exchange} />
    </li>
  )
}
