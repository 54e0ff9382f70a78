import { useMemo, useState } from 'react'
import { RecordLink, Uid } from '../../../components/RecordLink.tsx'
import { ReturnedMark } from '../../../components/Returned.tsx'
import { indexReturns, type ReturnablePayment } from '../../../components/returned.ts'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Status } from '../../../components/Status.tsx'
import { areaCollections, type CollectionName } from '../../../data/collections.ts'
import { useRoute } from '../../../data/route.ts'
import { useQuery } from '../../../data/use-query.ts'
import { plural } from '../../../format/numbers.ts'
import { formatDateTime } from '../../../format/time.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Caption, Footer, TableArea } from '../../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Text } from '../../../ui/Text.tsx'

/** The accounts and counterparties, the payments or the VRNs of a Customer. */

type Row = Readonly<Record<string, unknown>>
type ListKind = 'accounts' | 'payments' | 'vrns'

const text = (row: Row, name: string) => (typeof row[name] === 'string' ? (row[name] as string) : null)

const link = (collection: CollectionName, header: string, name: (row: Row) => string): Column<Row> => ({
  id: 'name',
  header,
  width: 'minmax(160px, 1fr)',
  cell: (row) => (
    <RecordLink collection={collection} uid={String(row.uid)} inTable title={name(row)}>
      {name(row)}
    </RecordLink>
  ),
})
const uid = (): Column<Row> => ({
  id: 'uid',
  header: 'uid',
  width: '168px',
  cell: (row) => <Uid inTable>{String(row.uid)}</Uid>,
})
const status = (field: string, width: string): Column<Row> => ({
  id: field,
  header: field === 'status' ? 'Status' : 'Registration',
  width,
  cell: (row) => <Status word={text(row, field) ?? ''} />,
})
const plain = (header: string, width: string, show: (row: Row) => string | null): Column<Row> => ({
  id: header,
  header,
  width,
  cell: (row) => <Text>{show(row) ?? '–'}</Text>,
})
const amount = (header: string, field: string, movement = false): Column<Row> => ({
  id: field,
  header,
  width: '122px',
  right: true,
  cell: (row) => {
    const value = row[field] as string | null
    const isOutgoing = movement && row.net_asset === 'negative' && value !== null
    return (
      <Amount
        value={isOutgoing ? `-${value}` : value}
        movement={(movement && row.net_asset !== 'neutral') || field === 'net_usd_pending_balance'}
        pending={movement && row.status !== 'settled'}
      />
    )
  },
})
const time = (header: string, field: string): Column<Row> => ({
  id: field,
  header,
  width: '128px',
  cell: (row) => {
    const at = text(row, field)
    return at === null ? '–' : <span title={at}>{formatDateTime(Date.parse(at))}</span>
  },
})

const columns: Readonly<Record<ListKind, readonly Column<Row>[]>> = {
  accounts: [
    link('synthetic_accounts', 'Name', (row) => text(row, 'name') ?? String(row.uid)),
    plain('Category', '172px', (row) => text(row, 'synthetic_account_category')),
    status('status', '96px'),
    amount('Settled, USD', 'net_usd_balance'),
    amount('Pending', 'net_usd_pending_balance'),
    amount('Available', 'net_usd_available_balance'),
    uid(),
  ],
  payments: [
    time('Created', 'created_at'),
    plain('Type', '140px', (row) => text(row, 'type')),
    link('transactions', 'Description', (row) => text(row, 'description') ?? String(row.uid)),
    status('status', '176px'),
    amount('Amount, USD', 'us_dollar_amount', true),
    uid(),
  ],
  vrns: [
    link(areaCollections.vrns, 'Name', (row) => text(row, 'name') ?? String(row.uid)),
    {
      id: 'number',
      header: 'Last four',
      width: '96px',
      cell: (row) => <span className="mono soft">··{text(row, 'virtual_reference_number_last_four')}</span>,
    },
    status('status', '96px'),
    status('instant_payment_rail_registration_status', '120px'),
    time('Locked', 'locked_at'),
    uid(),
  ],
}

/** A returned payment keeps its status; its return is named beside it. */
function markReturns(of: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] {
  const returnOf = indexReturns(rows as unknown as readonly ReturnablePayment[])
  return of.map((column) =>
    column.id !== 'status'
      ? column
      : {
          ...column,
          width: '168px',
          cell: (row) => {
            const found = returnOf(row as unknown as ReturnablePayment)
            return (
              <span className="row" data-tight>
                {column.cell(row)}
                {found?.is === 'returned' && <ReturnedMark of={found} inTable />}
              </span>
            )
          },
        },
  )
}

const PAGE = 1_000
const idOf = (row: Row) => String(row.uid)
const NO_ROWS: readonly Row[] = []

interface CustomerListProps {
  readonly what: ListKind
  readonly uid: string
  readonly program: string
  /** Undefined while they are loading. */
  readonly accounts: readonly string[] | undefined
}

export function CustomerList({ what, uid: customer_uid, program, accounts }: CustomerListProps) {
  const go = useRoute((view) => view.go)
  const [selected, setSelected] = useState<string | null>(null)
  const collection = areaCollections[what]
  const filters =
    what === 'vrns'
      ? { synthetic_account_uid: accounts }
      : { customer_uid, ...(what === 'payments' ? { include_zero: true } : {}) }
  const { data, error, slow } = useQuery(
    'records.list',
    what === 'vrns' && !accounts?.length ? null : { collection, program_uid: program, limit: PAGE, ...filters },
    [collection],
  )
  const rows = useMemo(() => data?.data ?? NO_ROWS, [data])
  const listed = useMemo(
    () => (what === 'payments' ? markReturns(columns.payments, rows) : columns[what]),
    [what, rows],
  )
  if (error !== undefined && !data) return <Notice title="The list could not be read." error={error} />
  const isNone = what === 'vrns' && accounts?.length === 0
  const total = isNone ? 0 : data?.total_count
  return (
    <TableArea as="section" aria-label={labels[what].many}>
      <DataTable
        label={`${labels[what].many}, newest first`}
        columns={listed}
        rows={rows}
        idOf={idOf}
        selected={selected}
        onSelect={(row) => setSelected(idOf(row))}
        onOpen={(row) => go({ collection, record: idOf(row) })}
        minWidth={760}
        empty={
          total === undefined ? (
            slow && <Skeleton />
          ) : (
            <Caption as="p" className="data soft">
              <span>
                This Customer has no {labels[what].many}. Create one with{' '}
                <ScreenLink screen="inject">Inject</ScreenLink>.
              </span>
            </Caption>
          )
        }
      />
      <Footer>
        <span>
          {total !== undefined && rows.length < total ? `the newest ${plural(rows.length, labels[what].one)} of ` : ''}
          {total !== undefined && plural(total, labels[what].one, labels[what].many)}
        </span>
      </Footer>
    </TableArea>
  )
}

const labels = {
  accounts: { one: 'account', many: 'accounts' },
  payments: { one: 'payment', many: 'payments' },
  vrns: { one: 'VRN', many: 'VRNs' },
} as const
