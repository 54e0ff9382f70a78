import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { collections } from '../../data/collections.ts'
import { formatDateTime } from '../../format/time.ts'
import { Row } from '../../ui/Box.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { useRecentInjections } from './recent-injections.ts'

/** The injections of this window since it was opened. */
export function RecentInjections() {
  const list = useRecentInjections((recent) => recent.list)
  if (list.length === 0) return null
  return (
    <section aria-label="Injected in this session" style={{ borderTop: '1px solid var(--line)' }}>
      <Caption>
        <h2>Injected in this session</h2>
        <span className="meta">{list.length}</span>
      </Caption>
      <ul>
        {list.map(({ uid, at, title, status, fault, code, created }) => (
          <Row as="li" key={uid} gap={12} pad="0 16" least={28} line="top" text="data">
            <time className="soft" dateTime={at} title={at}>
              {formatDateTime(Date.parse(at)).split(' ').at(-1)}
            </time>
            <span className="cut grow" title={title}>
              {title}
            </span>
            {created ? (
              <span className="cut">
                <RecordLink collection={created.collection} uid={created.uid}>
                  {collections[created.collection].one}
                </RecordLink>
              </span>
            ) : (
              <span className="faint">{code ?? ''}</span>
            )}
            <ScreenLink screen="requests" record={uid} title="Open the request">
              <StatusCode exchange={fault === undefined ? { status } : { status, fault }} />
            </ScreenLink>
          </Row>
        ))}
      </ul>
    </section>
  )
}
