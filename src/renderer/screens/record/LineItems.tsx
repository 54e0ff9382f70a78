import { useState } from 'react'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { ALL_COLLECTIONS, type LoadedRecordProps, textField } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, truncate } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Section } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, RowTime } from '../../ui/Text.tsx'

const columns: readonly TableColumn<LedgerLine>[] = [
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

/** The book that an account belongs to. */
const BOOK_OF = { synthetic_accounts: 'synthetic', custodial_accounts: 'custodial' } as const

/** The line items of an account, with the balance after each. */
export function LineItems({ collection, uid, fields }: LoadedRecordProps) {
  const book = BOOK_OF[collection as keyof typeof BOOK_OF]
  const [limit, setLimit] = useState(20)
  const program_uid = textField(fields, 'program_uid')
  const asked = book && { book, account_uid: uid, limit, ...(program_uid === null ? {} : { program_uid }) }
  const { data, error } = useQuery('ledger.lines', asked ?? null, ALL_COLLECTIONS, { keeps: true })
  if (!book) return null
  const { data: lines = [], total_count = 0 } = data ?? {}
  return (
    <Section
      title="Line items"
      note={lines.length > 0 ? 'newest first' : data && 'none yet'}
      end={
        <ScreenLink collection={`${book}_line_items`} params={{ [`${book}_account_uid`]: [uid] }}>
          All {formatCount(total_count)}
        </ScreenLink>
      }
    >
      {error !== undefined && lines.length === 0 && <Notice title="The line items could not be read." error={error} />}
      {lines.length > 0 && <RowTable columns={columns} rows={lines} keyOf={(line) => line.uid} />}
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
