import { useState } from 'react'
import type { RecordCommit } from '../../../api/contract/control/history.ts'
import { CauseLink } from '../../components/CauseLink.tsx'
import { Fork } from '../../components/Fork.tsx'
import { ALL_COLLECTIONS, type RecordProps } from '../../components/fields/use-record.ts'
import { Status } from '../../components/Status.tsx'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { newYork } from '../../format/time.ts'
import { Row } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RowTime } from '../../ui/RowTime.tsx'
import { Section } from '../../ui/Section.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { FieldChange } from './FieldChange.tsx'

const columns: readonly TableColumn<RecordCommit>[] = [
  {
    label: 'Commit',
    width: 60,
    cell: ({ seq }) => (
      <>
        <span className="mono">{formatCount(seq)}</span>
        <Row style={{ margin: '2px 0 0 -5px' }}>
          <Fork commit={seq} iconOnly />
        </Row>
      </>
    ),
  },
  { label: 'Time', width: 80, cell: ({ at }, above) => <RowTime at={at} above={above?.at} /> },
  {
    label: 'Cause',
    width: '29%',
    cell: ({ cause }) => (
      <>
        <CauseLink cause={cause} />
        {cause.from && <span className="meta"> from {newYork(Date.parse(cause.from)).time}</span>}
      </>
    ),
  },
  { label: 'Changes', cell: (commit) => <Changes commit={commit} /> },
]
const FIRST_PAGE = 12
const MAX_COMMITS = 1_000

/** Every commit that changed the record, with its cause and its changes, newest first. */
export function History(record: RecordProps) {
  const [limit, setLimit] = useState(FIRST_PAGE)
  const asked = { ...record, limit: Math.min(MAX_COMMITS, limit + 1) }
  const { data, error } = useQuery('records.history', asked, ALL_COLLECTIONS, { keeps: true })
  const commits = data?.commits ?? []
  const hasMore = commits.length > limit && limit < MAX_COMMITS
  return (
    <Section title="History" note={commits.length === 0 ? '' : 'newest first'}>
      {error !== undefined && commits.length === 0 && <Notice title="The history could not be read." error={error} />}
      <RowTable
        columns={columns}
        rows={commits.slice(0, limit)}
        keyOf={({ seq }) => seq}
        none={data && 'No stored commit of the current branch changed this record.'}
      />
      {hasMore && (
        <Caption as="p">
          <Button small onClick={() => setLimit(limit < 100 ? 100 : MAX_COMMITS)}>
            Show older
          </Button>
        </Caption>
      )}
    </Section>
  )
}

/** Fields whose changes are always shown; the others are behind a disclosure. */
const PROMINENT = /status$|locked_at|^(net_usd_(available_)?balance|due_at|held|failed)$/

function Changes({ commit: { what, fields } }: { commit: RecordCommit }) {
  const prominent = fields.filter(({ field }) => PROMINENT.test(field)).slice(0, 3)
  const first = what !== 'changed' ? [] : prominent.length > 0 ? prominent : fields.slice(0, 1)
  const status = fields.find(({ field }) => field === 'status')
  const rest = fields.filter((one) => !first.includes(one))
  return (
    <>
      {what !== 'changed' && (
        <Row as="span" wraps gap="0 6" style={{ overflowWrap: 'normal' }}>
          {what === 'made' ? 'created' : what}
          {what === 'made' && typeof status?.to === 'string' && <Status word={status.to} />}
        </Row>
      )}
      {what === 'changed' && fields.length === 0 && <span className="faint">no field</span>}
      {first.map((change) => (
        <FieldChange key={change.field} {...change} />
      ))}
      {rest.length > 0 && (
        <details>
          <summary className="soft">
            {first.length > 0 ? `and ${plural(rest.length, 'field')} more` : plural(rest.length, 'field')}
          </summary>
          {rest.map((change) => (
            <FieldChange key={change.field} {...change} />
          ))}
        </details>
      )}
    </>
  )
}
