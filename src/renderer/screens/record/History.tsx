import { useState } from 'react'
import type { RecordCommit } from '../../../api/contract/control/history.ts'
import { Fork } from '../../components/Fork.tsx'
import { ALL_COLLECTIONS } from '../../components/fields/use-record.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatLongDay, formatShortDay, newYork } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Table } from '../../ui/Table.tsx'
import { BreakableText, Text } from '../../ui/Text.tsx'
import { FieldChange } from './FieldChange.tsx'
import styles from './History.module.css'

const HEADS = [
  { label: 'Commit', width: 60 },
  { label: 'Time', width: 80 },
  { label: 'Cause', width: '29%' },
  { label: 'Changes' },
]
const FIRST_PAGE = 12
const MAX_COMMITS = 1_000

/** Every commit that changed the record, with its cause and its changes, newest first. */
export function History({ collection, uid }: { collection: CollectionName; uid: string }) {
  const [limit, setLimit] = useState(FIRST_PAGE)
  const { data, error } = useQuery(
    'records.history',
    { collection, uid, limit: Math.min(MAX_COMMITS, limit + 1) },
    ALL_COLLECTIONS,
  )
  // A larger limit is another query: show the previous result until the new one arrives.
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  const commits = (data ?? last)?.commits ?? []
  const hasMore = commits.length > limit && limit < MAX_COMMITS
  const shown = commits.slice(0, limit)
  return (
    <section aria-label="History">
      <Caption>
        <h2>History</h2>
        <span className="meta">{commits.length === 0 ? '' : 'newest first'}</span>
      </Caption>
      {error !== undefined && commits.length === 0 && <Notice title="The history could not be read." error={error} />}
      <Table headers={HEADS}>
        {shown.map((commit, index) => (
          <CommitRow key={commit.seq} commit={commit} isNewDay={dayOf(commit) !== dayOf(shown[index - 1])} />
        ))}
        {data && shown.length === 0 && (
          <tr>
            <td colSpan={4} className="soft">
              No stored commit of the current branch changed this record.
            </td>
          </tr>
        )}
      </Table>
      {hasMore && (
        <Caption as="p">
          <Button small onClick={() => setLimit(limit < 100 ? 100 : MAX_COMMITS)}>
            Show older
          </Button>
        </Caption>
      )}
    </section>
  )
}

/** Fields whose changes are always shown; the others are behind a disclosure. */
const PROMINENT = /status$|locked_at|^(net_usd_(available_)?balance|due_at|held|failed)$/

/** The day of a commit; the table shows it only where it changes. */
const dayOf = (commit: RecordCommit | undefined) => commit && formatLongDay(Date.parse(commit.at))

function CommitRow({
  commit: { seq, at, cause, what, fields },
  isNewDay,
}: {
  commit: RecordCommit
  isNewDay: boolean
}) {
  const ms = Date.parse(at)
  const prominent = what === 'changed' ? fields.filter(({ field }) => PROMINENT.test(field)).slice(0, 3) : []
  const first = prominent.length > 0 ? prominent : what === 'changed' ? fields.slice(0, 1) : []
  const status = fields.find(({ field }) => field === 'status')
  const rest = fields.filter((one) => !first.includes(one))
  return (
    <tr>
      <td className={cx('mono', styles.commit)}>
        {formatCount(seq)}
        <Fork commit={seq} iconOnly />
      </td>
      <td title={at}>
        <time dateTime={at}>{newYork(ms).time}</time>
        {isNewDay && <span className="meta hint">{formatShortDay(ms)}</span>}
      </td>
      <td>
        {cause.exchange ? (
          <ScreenLink screen="requests" record={cause.exchange}>
            <BreakableText>{cause.name}</BreakableText>
          </ScreenLink>
        ) : (
          <span>
            <span className="faint">{cause.door === 'time' ? 'task: ' : 'operator: '}</span>
            <Text>{cause.name}</Text>
          </span>
        )}
        {cause.from && <span className="meta"> from {newYork(Date.parse(cause.from)).time}</span>}
      </td>
      <td>
        {what !== 'changed' && (
          <span className={styles.created}>
            {what === 'made' ? 'created' : what}
            {what === 'made' && typeof status?.to === 'string' && <Status word={status.to} />}
          </span>
        )}
        {what === 'changed' && fields.length === 0 && <span className="faint">no field</span>}
        {first.map((change) => (
          <div key={change.field}>
            <FieldChange {...change} />
          </div>
        ))}
        {rest.length > 0 && (
          <details>
            <summary className={styles.more}>
              {first.length > 0 ? `and ${plural(rest.length, 'field')} more` : plural(rest.length, 'field')}
            </summary>
            {rest.map((change) => (
              <div key={change.field}>
                <FieldChange {...change} />
              </div>
            ))}
          </details>
        )}
      </td>
    </tr>
  )
}
