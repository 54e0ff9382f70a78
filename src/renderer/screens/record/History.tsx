import { useState } from 'react'
import { paymentOf } from '../../../api/contract/collections.ts'
import type { RecordCommit } from '../../../api/contract/control/history.ts'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { Fork } from '../../components/Fork.tsx'
import {
  ALL_COLLECTIONS,
  type Fields,
  type LoadedRecordProps,
  type RecordProps,
  textField,
} from '../../components/fields/use-record.ts'
import { CauseLink, RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status, statusGlyphs } from '../../components/Status.tsx'
import { TIMESTAMP } from '../../components/Value.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { formatAmount, formatCount, formatInstant, newYork, plural, truncate } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Row, Section } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, BreakableText, RowTime, Text } from '../../ui/Text.tsx'

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

interface FieldChangeProps {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

const isStatus = (value: unknown): value is string => typeof value === 'string' && value in statusGlyphs
/** The old and the new value wrap to the next line together, if they fit there. A long status breaks instead. */
const TOGETHER = { display: 'inline-block', maxWidth: '100%', verticalAlign: 'top' } as const

/** `status pending → settled`, or only the new value if there was none before. */
export function FieldChange({ field, from, to }: FieldChangeProps) {
  return (
    <div>
      <span className="faint">
        <BreakableText>{field}</BreakableText>
      </span>{' '}
      <span style={isStatus(from) || isStatus(to) ? undefined : TOGETHER}>
        {from !== null && (
          <>
            <ChangedValue value={from} /> →{' '}
          </>
        )}
        <ChangedValue value={to} />
      </span>
    </div>
  )
}

function ChangedValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="faint">null</span>
  if (typeof value !== 'string') return <span className="mono">{JSON.stringify(value)}</span>
  if (isStatus(value)) return <Status word={value} breaks />
  if (TIMESTAMP.test(value))
    return (
      <time className="nowrap" dateTime={value}>
        {formatInstant(Date.parse(value))}
      </time>
    )
  return <Text className="wrap">{formatAmount(truncate(value))}</Text>
}

const accountColumns: readonly TableColumn<LedgerLine>[] = [
  { label: 'Time', width: 80, cell: ({ at }, above) => <RowTime at={at} above={above?.at} /> },
  {
    label: 'Description',
    cell: ({ transaction_uid, description }) => (
      <RecordLink collection="transactions" uid={transaction_uid}>
        {truncate(description)}
      </RecordLink>
    ),
  },
  { label: 'Amount', width: 114, right: true, cell: ({ amount }) => <Amount value={amount} movement /> },
  { label: 'Balance', width: 130, right: true, cell: ({ running }) => <Amount value={running} /> },
]

const debitOf = ({ amount }: LedgerLine) => (amount.startsWith('-') ? amount.slice(1) : undefined)
const Side = ({ amount }: { amount: string | undefined }) =>
  amount === undefined ? <span className="faint">–</span> : <Amount value={amount} />

const bookColumns: readonly TableColumn<LedgerLine>[] = [
  {
    label: 'Book',
    width: 80,
    cell: ({ book, uid }) => (
      <RecordLink collection={`${book}_line_items`} uid={uid}>
        {book === 'synthetic' ? 'Synthetic' : 'Custodial'}
      </RecordLink>
    ),
  },
  {
    label: 'Account',
    cell: ({ book, account_uid, account_name, description }) => (
      <>
        <RecordLink collection={`${book}_accounts`} uid={account_uid}>
          {truncate(account_name)}
        </RecordLink>
        <span className="meta hint">
          <Text>{truncate(description)}</Text>
        </span>
      </>
    ),
  },
  { label: 'Debit', width: 108, right: true, cell: (line) => <Side amount={debitOf(line)} /> },
  {
    label: 'Credit',
    width: 116,
    right: true,
    cell: (line) => <Side amount={debitOf(line) === undefined ? line.amount : undefined} />,
  },
]

/** The book that an account belongs to. */
const BOOK_OF = { synthetic_accounts: 'synthetic', custodial_accounts: 'custodial' } as const

/** The line items of a payment by debit and credit, or those of an account with the balance after each. */
export function LineItems({ collection, uid, fields }: LoadedRecordProps) {
  const book = BOOK_OF[collection as keyof typeof BOOK_OF]
  const transaction_uid = paymentOf(collection, fields)
  const of = book ? { book, account_uid: uid } : transaction_uid === null ? null : { transaction_uid }
  const [limit, setLimit] = useState(20)
  const program_uid = textField(fields, 'program_uid')
  const asked = of && { ...of, limit, ...(program_uid === null ? {} : { program_uid }) }
  const { data, error } = useQuery('ledger.lines', asked, ALL_COLLECTIONS, { keeps: true })
  if (!of) return null
  const { data: lines = [], total_count = 0 } = data ?? {}
  const order = book ? 'newest first' : 'debit and credit in each book'
  return (
    <Section
      title="Line items"
      note={lines.length > 0 ? order : data && (book ? 'none yet' : describeNone(fields))}
      end={
        book && (
          <ScreenLink collection={`${book}_line_items`} params={{ [`${book}_account_uid`]: [uid] }}>
            All {formatCount(total_count)}
          </ScreenLink>
        )
      }
    >
      {error !== undefined && lines.length === 0 && <Notice title="The line items could not be read." error={error} />}
      {lines.length > 0 && (
        <RowTable
          columns={book ? accountColumns : bookColumns}
          rows={lines}
          keyOf={(line) => line.uid}
          // The line item whose page this is.
          attributesOf={(line) => ({ 'data-here': line.uid === uid ? '' : undefined })}
        />
      )}
      {lines.length < total_count && (
        <Caption as="p">
          <Button small onClick={() => setLimit(Math.min(1_000, limit * 5))}>
            Show older
          </Button>
        </Caption>
      )}
    </Section>
  )
}

function describeNone(fields: Fields): string {
  const shape = statusGlyphs[textField(fields, 'status') ?? '']
  return shape === 'broken' || shape === 'stopped' ? 'none: no money moved' : 'none until it settles'
}
