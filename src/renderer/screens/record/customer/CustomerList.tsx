import { useMemo, useRef, useState } from 'react'
import type { PaymentReturn } from '../../../../api/contract/control/history.ts'
import {
  amountColumn,
  nameColumn,
  readField,
  statusColumn,
  statusOrReturnedColumn,
  sumColumn,
  textColumn,
  uidColumn,
} from '../../../components/list/columns.tsx'
import { DetailsButton, ListDetails, ListSplit, useDetails } from '../../../components/list/ListDetails.tsx'
import { bindColumn, type ListColumn } from '../../../components/list/model.ts'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { areaCollections } from '../../../data/collections.ts'
import type { RecordRow } from '../../../data/live-list.ts'
import { useRoute } from '../../../data/route.ts'
import { useQuery } from '../../../data/sandbox.ts'
import { formatDateTime, plural } from '../../../format/text.ts'
import { fitColumns, sumWidths } from '../../../ui/column-layout.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Caption, Footer, TableArea } from '../../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Amount } from '../../../ui/Text.tsx'

/** The accounts and counterparties, the payments or the VRNs of a Customer. */

type Row = RecordRow & Readonly<Record<string, unknown>>
type ListKind = 'accounts' | 'payments' | 'vrns'

const readText = (field: string) => readField<string | null>(field)

const named = (kind: ListKind, header: string, field = 'name'): ListColumn<Row, unknown> => ({
  ...nameColumn(areaCollections[kind], 'minmax(160px, 1fr)', (row: Row) => readText(field)(row) ?? row.uid, ''),
  header,
  field,
})
const time = (header: string, field: string): ListColumn<Row, unknown> => ({
  id: field,
  header,
  field,
  width: '128px',
  text: readText(field),
  cell: (row) => {
    const at = readText(field)(row)
    return at === null ? '–' : <span title={at}>{formatDateTime(Date.parse(at))}</span>
  },
})
const AMOUNT = { width: '122px', pinned: false }
const balance = (header: string, field: string): ListColumn<Row, unknown> => ({
  ...sumColumn(field, header, readText(field), { ...AMOUNT, field }),
  cell: (row) => <Amount value={readText(field)(row)} movement={field === 'net_usd_pending_balance'} />,
})
const uid: ListColumn<Row, unknown> = { ...uidColumn, width: '168px' }

interface OwnedList {
  readonly one: string
  readonly many: string
  readonly columns: readonly ListColumn<Row, unknown>[]
  /** Fields to read besides those of the columns. */
  readonly reads?: readonly string[]
}

const lists: Readonly<Record<ListKind, OwnedList>> = {
  accounts: {
    one: 'account',
    many: 'accounts',
    columns: [
      named('accounts', 'Name'),
      textColumn('synthetic_account_category', '172px', { header: 'Category', optional: true }),
      statusColumn('96px', { header: 'Status' }),
      balance('Settled, USD', 'net_usd_balance'),
      balance('Pending', 'net_usd_pending_balance'),
      balance('Available', 'net_usd_available_balance'),
      uid,
    ],
  },
  payments: {
    one: 'payment',
    many: 'payments',
    columns: [
      time('Created', 'created_at'),
      textColumn('type', '140px', { header: 'Type', optional: true }),
      named('payments', 'Description', 'description'),
      {
        ...statusOrReturnedColumn<Row>((row) => row.payment_return as PaymentReturn | null),
        header: 'Status',
        width: '168px',
      },
      amountColumn('us_dollar_amount', readField<string>('net_asset'), AMOUNT),
      uid,
    ],
    reads: ['net_asset', 'payment_return'],
  },
  vrns: {
    one: 'VRN',
    many: 'VRNs',
    columns: [
      named('vrns', 'Name'),
      {
        id: 'number',
        header: 'Last four',
        field: 'virtual_reference_number_last_four',
        width: '96px',
        text: readText('virtual_reference_number_last_four'),
        cell: (row) => <span className="mono soft">··{readText('virtual_reference_number_last_four')(row)}</span>,
      },
      statusColumn('96px', { header: 'Status' }),
      statusColumn('120px', { field: 'instant_payment_rail_registration_status', header: 'Registration' }),
      time('Locked', 'locked_at'),
      uid,
    ],
  },
}

const PAGE = 1_000
const idOf = ({ uid }: Row) => uid
const NO_ROWS: readonly Row[] = []
const EVERYWHERE = { roomy: true, wide: true }

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
  const { one, many, columns, reads = [] } = lists[what]
  const fields = [...columns.flatMap(({ field }) => field ?? []), ...reads]
  const { data, error, slow } = useQuery(
    'records.list',
    what === 'vrns' && !accounts?.length ? null : { collection, program_uid: program, limit: PAGE, fields, ...filters },
    [collection],
  )
  const rows = (data?.data as readonly Row[] | undefined) ?? NO_ROWS
  const { listWidth } = details
  const listed = useMemo(() => {
    const all = columns.map((column) => bindColumn(column, undefined, EVERYWHERE))
    return listWidth === undefined ? all : fitColumns(all, listWidth)
  }, [columns, listWidth])
  const isNone = what === 'vrns' && accounts?.length === 0
  const total = isNone ? 0 : data?.total_count
  return (
    <ListSplit details={details}>
      {error !== undefined && !data ? (
        <Notice title="The list could not be read." error={error} />
      ) : (
        <TableArea as="section" aria-label={many}>
          <DataTable
            label={`${many}, newest first`}
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
                    This Customer has no {many}. Create one with <ScreenLink screen="inject">Inject</ScreenLink>.
                  </span>
                </Caption>
              )
            }
          />
          <Footer>
            <span>
              {total !== undefined && rows.length < total ? `the newest ${plural(rows.length, one)} of ` : ''}
              {total !== undefined && plural(total, one, many)}
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
