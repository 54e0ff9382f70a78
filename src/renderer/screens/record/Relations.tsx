import type { RecordProps, Related } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { formatCount } from '../../format/text.ts'
import { Row, Section } from '../../ui/Layout.tsx'
import { EmptyLine } from '../../ui/Notice.tsx'
import { Amount } from '../../ui/Text.tsx'

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
