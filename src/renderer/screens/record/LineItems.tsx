import { useState } from 'react'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { ALL_COLLECTIONS, type Fields, textField } from '../../components/fields/use-record.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { statusGlyphs } from '../../components/Status.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount } from '../../format/numbers.ts'
import { truncate } from '../../format/text.ts'
import { formatLongDay, formatShortDay, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
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

interface LineItemsProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

/** The line items of a payment by debit and credit, or those of an account with the balance after each. */
export function LineItems({ collection, uid, fields }: LineItemsProps) {
  const query = queryFor(collection, uid, fields)
  const [limit, setLimit] = useState(20)
  const program_uid = textField(fields, 'program_uid')
  const { data, error } = useQuery(
    'ledger.lines',
    query && { ...query, limit, ...(program_uid === null ? {} : { program_uid }) },
    ALL_COLLECTIONS,
  )
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  if (!query) return null
  const { data: lines = [], total_count = 0 } = data ?? last ?? {}
  const isAccount = query.account_uid !== undefined
  return (
    <section aria-label="Line items">
      <Caption>
        <h2>Line items</h2>
        <span className="meta">
          {lines.length > 0
            ? isAccount
              ? 'newest first'
              : 'debit and credit in each book'
            : data && describeEmpty(isAccount, fields)}
        </span>
        {isAccount && (
          <ScreenLink
            className="end data"
            collection={collection === 'synthetic_accounts' ? 'synthetic_line_items' : 'custodial_line_items'}
            params={{ [`${collection.slice(0, -1)}_uid`]: [uid] }}
          >
            All {formatCount(total_count)}
          </ScreenLink>
        )}
      </Caption>
      {error !== undefined && lines.length === 0 && <Notice title="The line items could not be read." error={error} />}
      {lines.length > 0 && (
        <Table headers={isAccount ? ACCOUNT_HEADS : BOOK_HEADS}>
          {lines.map((line, index) => (
            <Line
              key={line.uid}
              line={line}
              isAccount={isAccount}
              here={uid}
              isNewDay={dayOf(line) !== dayOf(lines[index - 1])}
            />
          ))}
        </Table>
      )}
      {lines.length < total_count && (
        <Caption as="p">
          <Button small onClick={() => setLimit(Math.min(1_000, limit * 5))}>
            Show older
          </Button>
        </Caption>
      )}
    </section>
  )
}

function describeEmpty(isAccount: boolean, fields: Fields): string {
  if (isAccount) return 'none yet'
  const shape = statusGlyphs[textField(fields, 'status') ?? '']
  return shape === 'broken' || shape === 'stopped' ? 'none: no money moved' : 'none until it settles'
}

type LinesQuery = Omit<MethodInput<'ledger.lines'>, 'limit'>

function queryFor(collection: CollectionName, uid: string, fields: Fields): LinesQuery | null {
  const byTransaction = (value: unknown) => (typeof value === 'string' ? { transaction_uid: value } : null)
  switch (collection) {
    case 'synthetic_accounts':
      return { book: 'synthetic', account_uid: uid }
    case 'custodial_accounts':
      return { book: 'custodial', account_uid: uid }
    case 'transactions':
      return { transaction_uid: uid }
    case 'transfers':
      return byTransaction((fields.transaction_uids as string[] | undefined)?.[0])
    case 'transaction_events':
      return byTransaction((fields.transaction_uids as string[] | undefined)?.[0])
    case 'returns':
      return byTransaction(fields.return_transaction_uid)
    case 'synthetic_line_items':
    case 'custodial_line_items':
      return byTransaction(fields.transaction_uid)
    default:
      return null
  }
}

const EMPTY_CELL = <span className="faint">–</span>

/** The day of a line; the table shows it only where it changes. */
const dayOf = (line: LedgerLine | undefined) => line && formatLongDay(Date.parse(line.at))

interface LineProps {
  readonly line: LedgerLine
  readonly isAccount: boolean
  readonly here: string
  /** Of another day than the line above it. */
  readonly isNewDay: boolean
}

function Line({ line, isAccount, here, isNewDay }: LineProps) {
  const { book, uid, account_uid, account_name, transaction_uid, amount, running, description, at } = line
  const isDebit = amount.startsWith('-')
  const value = isDebit ? amount.slice(1) : amount
  return (
    <tr data-here={uid === here ? '' : undefined}>
      <td title={isAccount ? at : undefined}>
        {isAccount ? (
          <>
            <time dateTime={at}>{newYork(Date.parse(at)).time}</time>
            {isNewDay && <span className="meta hint">{formatShortDay(Date.parse(at))}</span>}
          </>
        ) : (
          <RecordLink collection={`${book}_line_items`} uid={uid}>
            {book === 'synthetic' ? 'Synthetic' : 'Custodial'}
          </RecordLink>
        )}
      </td>
      <td>
        {isAccount ? (
          <RecordLink collection="transactions" uid={transaction_uid}>
            {truncate(description)}
          </RecordLink>
        ) : (
          <RecordLink collection={`${book}_accounts`} uid={account_uid}>
            {truncate(account_name)}
          </RecordLink>
        )}
        {isAccount ? null : (
          <span className="meta hint">
            <Text>{truncate(description)}</Text>
          </span>
        )}
      </td>
      <td data-right>
        {isAccount ? <Amount value={amount} movement /> : isDebit ? <Amount value={value} /> : EMPTY_CELL}
      </td>
      <td data-right>{isAccount ? <Amount value={running} /> : isDebit ? EMPTY_CELL : <Amount value={value} />}</td>
    </tr>
  )
}
