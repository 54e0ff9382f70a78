import { useState } from 'react'
import { paymentOf } from '../../../api/contract/collections.ts'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { ALL_COLLECTIONS, type Fields, type LoadedRecordProps, textField } from '../../components/fields/use-record.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { statusGlyphs } from '../../components/Status.tsx'
import { useQuery } from '../../data/use-query.ts'
import { formatCount } from '../../format/numbers.ts'
import { truncate } from '../../format/text.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RowTime } from '../../ui/RowTime.tsx'
import { Section } from '../../ui/Section.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'

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
