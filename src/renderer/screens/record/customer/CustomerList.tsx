import { useMemo, useRef, useState } from 'react'
import { DetailsButton, ListDetails, ListSplit, useDetails } from '../../../components/list/ListDetails.tsx'
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
import { fitColumns, sumWidths } from '../../../ui/column-layout.ts'
import type { Column } from '../../../ui/DataRow.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Caption, Footer, TableArea } from '../../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Text } from '../../../ui/Text.tsx'

/** The accounts and counterparties, the payments or the VRNs of a Customer. */

type Row = Readonly<Record<string, unknown>>
type ListKind = 'accounts' | 'payments' | 'vrns'

const text = (row: Row, name: string) => (typeof row[name] === 'string' ? (row[name] as string) : null)

interface ListColumn extends Column<Row> {
  /** Left out where there is too little space, as the details of a record have it, too. */
  readonly optional?: boolean
}

const link = (collection: CollectionName, header: string, name: (row: Row) => string): ListColumn => ({
  id: 'name',
  header,
  width: 'minmax(160px, 1fr)',
  cell: (row) => (
    <RecordLink collection={collection} uid={String(row.uid)} inTable title={name(row)}>
      {name(row)}
    </RecordLink>
  ),
})
const uid = (): ListColumn => ({
  id: 'uid',
  optional: true,
  header: 'uid',
  width: '168px',
  cell: (row) => <Uid inTable>{String(row.uid)}</Uid>,
})
const status = (field: string, width: string): ListColumn => ({
  id: field,
  header: field === 'status' ? 'Status' : 'Registration',
  width,
  cell: (row) => <Status word={text(row, field) ?? ''} />,
})
const plain = (header: string, width: string, show: (row: Row) => string | null): ListColumn => ({
  id: header,
  optional: true,
  header,
  width,
  cell: (row) => <Text>{show(row) ?? '–'}</Text>,
})
const amount = (header: string, field: string, movement = false): ListColumn => ({
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
const time = (header: string, field: string): ListColumn => ({
  id: field,
  header,
  width: '128px',
  cell: (row) => {
    const at = text(row, field)
    return at === null ? '–' : <span title={at}>{formatDateTime(Date.parse(at))}</span>
  },
})

const columns: Readonly<Record<ListKind, readonly ListColumn[]>> = {
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
function markReturns(of: readonly ListColumn[], rows: readonly Row[]): readonly ListColumn[] {
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
  const area = useRef<HTMLElement>(null)
  const details = useDetails(`customer ${what}`, area, selected !== null)
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
  const { listWidth } = details
  const listed = useMemo(() => {
    const all = what === 'payments' ? markReturns(columns.payments, rows) : columns[what]
    return listWidth === undefined ? all : fitColumns(all, listWidth)
  }, [what, rows, listWidth])
  const isNone = what === 'vrns' && accounts?.length === 0
  const total = isNone ? 0 : data?.total_count
  return (
    <ListSplit details={details}>
      {error !== undefined && !data ? (
        <Notice title="The list could not be read." error={error} />
      ) : (
        <TableArea as="section" aria-label={labels[what].many}>
          <DataTable
            label={`${labels[what].many}, newest first`}
            columns={listed}
            rows={rows}
            idOf={idOf}
            selected={selected}
            onSelect={(row) => setSelected(idOf(row))}
            onOpen={(row) => go({ collection, record: idOf(row) })}
            minWidth={Math.min(760, sumWidths(listed))}
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
              {total !== undefined && rows.length < total
                ? `the newest ${plural(rows.length, labels[what].one)} of `
                : ''}
              {total !== undefined && plural(total, labels[what].one, labels[what].many)}
            </span>
            <span className="end">
              <DetailsButton details={details} />
            </span>
          </Footer>
        </TableArea>
      )}
      {selected !== null && (
        <ListDetails
          details={details}
          collection={collection}
          uid={selected}
          isListed={rows.some((row) => idOf(row) === selected)}
        />
      )}
    </ListSplit>
  )
}

const labels = {
  accounts: { one: 'account', many: 'accounts' },
  payments: { one: 'payment', many: 'payments' },
  vrns: { one: 'VRN', many: 'VRNs' },
} as const
