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
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'

const ACCOUNT_HEADS = [
  { label: 'Time', width: 80 },
  { label: 'Description' },
  { label: 'Amount', width: 114, right: true },
  { label: 'Balance', width: 130, right: true },
]
const BOOK_HEADS = [
  { label: 'Book', width: 80 },
  { label: 'Account' },
  { label: 'Debit', width: 108, right: true },
  { label: 'Credit', width: 116, right: true },
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
        <Table headers={book ? ACCOUNT_HEADS : BOOK_HEADS}>
          {lines.map((line, index) =>
            book ? (
              <AccountLine key={line.uid} line={line} above={lines[index - 1]?.at} />
            ) : (
              <BookLine key={line.uid} line={line} here={uid} />
            ),
          )}
        </Table>
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

function AccountLine({ line, above }: { line: LedgerLine; above: string | undefined }) {
  const { transaction_uid, amount, running, description, at } = line
  return (
    <tr>
      <td>
        <RowTime at={at} above={above} />
      </td>
      <td>
        <RecordLink collection="transactions" uid={transaction_uid}>
          {truncate(description)}
        </RecordLink>
      </td>
      <td data-right>
        <Amount value={amount} movement />
      </td>
      <td data-right>
        <Amount value={running} />
      </td>
    </tr>
  )
}

const EMPTY_CELL = <span className="faint">–</span>

/** `here` is the line item whose page this is. */
function BookLine({ line, here }: { line: LedgerLine; here: string }) {
  const { book, uid, account_uid, account_name, amount, description } = line
  const isDebit = amount.startsWith('-')
  const value = <Amount value={isDebit ? amount.slice(1) : amount} />
  return (
    <tr data-here={uid === here ? '' : undefined}>
      <td>
        <RecordLink collection={`${book}_line_items`} uid={uid}>
          {book === 'synthetic' ? 'Synthetic' : 'Custodial'}
        </RecordLink>
      </td>
      <td>
        <RecordLink collection={`${book}_accounts`} uid={account_uid}>
          {truncate(account_name)}
        </RecordLink>
        <span className="meta hint">
          <Text>{truncate(description)}</Text>
        </span>
      </td>
      <td data-right>{isDebit ? value : EMPTY_CELL}</td>
      <td data-right>{isDebit ? EMPTY_CELL : value}</td>
    </tr>
  )
}
