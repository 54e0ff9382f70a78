import { useMemo } from 'react'
import type { RecordProps, Related } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status, StatusCode } from '../../components/Status.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { formatCount, formatShortInstant } from '../../format/text.ts'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { EmptyLine } from '../../ui/Notice.tsx'
import { Amount, Text, Time } from '../../ui/Text.tsx'

const MAX_SHOWN = 5

/** The records that this one refers to, and those that refer to it, by kind. */
export function RelatedRecords({ collection, uid, related }: RecordProps & { related: Related | undefined }) {
  // Other records have their events in a section of their own.
  const isOfWebhooks = collections[collection].home === 'webhooks'
  const groups = (related?.related ?? []).flatMap(({ collection: of, ...group }) =>
    isCollection(of) && (isOfWebhooks || collections[of].home !== 'webhooks') ? [{ of, ...group }] : [],
  )
  return (
    <Section title="Related">
      {related && groups.length === 0 && <EmptyLine>No related records.</EmptyLine>}
      {groups.map(({ of, total_count, records }) => {
        const { one, many } = collections[of]
        return (
          <div key={of}>
            <Row as="h3" gap={8} least={24} text="head" tone="faint" line="top" style={{ padding: '4px 16px 3px' }}>
              {total_count === 1 ? one : many}
              {total_count > 1 && (
                <ScreenLink
                  className="end"
                  collection={of}
                  params={{ [`${collection.replace(/s$/, '')}_uid`]: [uid] }}
                  title={`All related ${many}`}
                >
                  All {formatCount(total_count)}
                </ScreenLink>
              )}
            </Row>
            <ul>
              {records.slice(0, MAX_SHOWN).map((record) => (
                <Row as="li" key={record.uid} gap={12} pad="2 16" least={24} text="data" title={record.uid}>
                  <Row as="span" grow>
                    <RecordLink collection={of} uid={record.uid}>
                      {record.name}
                    </RecordLink>
                  </Row>
                  {record.amount !== null && <Amount value={record.amount} />}
                  {record.status !== null && <Status word={record.status} />}
                </Row>
              ))}
            </ul>
          </div>
        )
      })}
    </Section>
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
    <Section
      title="Related requests"
      end={
        found.length > 0 && (
          <ScreenLink screen="requests" params={{ q: [uid] }}>
            All {formatCount(found.length)}
          </ScreenLink>
        )
      }
    >
      {found.length === 0 && <EmptyLine>None in the request log.</EmptyLine>}
      <ul>
        {found.slice(0, MAX_REQUESTS).map((exchange) => (
          <Stack
            as="li"
            key={exchange.uid}
            columns="100px minmax(0, 1fr) auto"
            gap={12}
            pad="2 16"
            least={28}
            align="center"
            text="data"
            line="top"
          >
            <Time at={exchange.at} format={formatShortInstant} />
            <ScreenLink className="mono cut" screen="requests" record={exchange.uid} title={exchange.path}>
              {exchange.method} <Text>{exchange.path}</Text>
            </ScreenLink>
            <StatusCode exchange={exchange} />
          </Stack>
        ))}
      </ul>
    </Section>
  )
}
