import { Inbox } from 'lucide-react'
import { useMemo } from 'react'
import { type Transaction, TransactionStatus, TransactionType } from '../../../api/contract/resources/transactions.ts'
import {
  amountColumn,
  createdAt,
  customerColumn,
  directionFilter,
  partiesColumn,
  statusOrReturnedColumn,
  statusOrReturnedFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import { indexReturns, type PaymentReturn } from '../../components/returned.ts'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { type ListSource, useRecords } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { useProgram } from '../../data/use-program.ts'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { EmptyPayments } from './EmptyPayments.tsx'
import { useFlow } from './use-flow.ts'

const source: ListSource<Transaction> = {
  collection: 'transactions',
  fields: [
    'created_at',
    'type',
    'status',
    'net_asset',
    'us_dollar_amount',
    'description',
    'customer_uid',
    'transfer_uid',
    'return_uid',
    'source_synthetic_account_uid',
    'destination_synthetic_account_uid',
    'ach.counterparty_name',
    'ach.ach_return_code',
    'wire.counterparty_name',
    'instant_payment.counterparty_name',
  ],
}

const netAsset = ({ net_asset }: Transaction) => net_asset
const amount = ({ us_dollar_amount }: Transaction) => us_dollar_amount
const searchWith = (returnOf: ReturnOf) => (payment: Transaction) => [
  payment.ach?.ach_return_code,
  returnOf(payment)?.text,
]

type ReturnOf = (payment: Transaction) => PaymentReturn | null

const filtersWith = (returnOf: ReturnOf): readonly Filter<Transaction>[] => [
  statusOrReturnedFilter(TransactionStatus.options, (payment) => returnOf(payment)?.is === 'returned'),
  { name: 'type', options: TransactionType.options, of: ({ type }) => type, inApi: true },
  directionFilter(netAsset),
]

/** The sandbox creates few of them. */
const WIDE_TYPES: ReadonlySet<string> = new Set<TransactionType>([
  ...(['denied_authorization', 'initiated_ach_reversal', 'initiated_wire_return'] as const),
  ...(['peer_to_peer_transfer', 'set_account_balance'] as const),
])
const USUAL_AMOUNT = '999999.99'

/** What does not fit into the usual widths, which leave space for the names of both parties. */
const widthsFor = (rows: readonly Transaction[]) => ({
  type: rows.some(({ type }) => WIDE_TYPES.has(type)) ? '140px' : '127px',
  amount: rows.some((row) => amount(row).length > USUAL_AMOUNT.length) ? '121px' : '105px',
})

interface ColumnOptions {
  readonly names: PartyNames
  readonly wide: boolean
  readonly returnOf: ReturnOf
  readonly widths: ReturnType<typeof widthsFor>
}

const columnsWith = ({ names, wide, returnOf, widths }: ColumnOptions): readonly ListColumn<Transaction>[] => [
  timeColumn('Time', createdAt),
  {
    ...textColumn<Transaction>('type', widths.type, ({ type }) => type),
    field: 'type',
    filterBy: ({ type }) => ['type', type],
  },
  partiesColumn(names, (it) => ({
    source: it.source_synthetic_account_uid,
    destination: it.destination_synthetic_account_uid,
    outside: it.wire?.counterparty_name ?? it.ach?.counterparty_name ?? it.instant_payment?.counterparty_name,
  })),
  {
    ...textColumn<Transaction>('description', 'minmax(80px, 3fr)', ({ description }) => description),
    hidden: !wide,
    optional: true,
  },
  statusOrReturnedColumn(returnOf),
  customerColumn(names, 'customer', ({ customer_uid }) => customer_uid),
  uidColumn(),
  amountColumn('us_dollar_amount', amount, netAsset, widths.amount),
]

/** Narrower windows hide the description: it mostly repeats the parties, which would be cut. */
const DESCRIPTION_MIN_WIDTH = 1560

export function Transactions() {
  const program_uid = useProgram()?.uid
  const names = usePartyNames(program_uid)
  const wide = useIsWide(DESCRIPTION_MIN_WIDTH)
  const { rows } = useRecords(source, program_uid)
  const returnOf = useMemo(() => indexReturns(rows), [rows])
  const widths = useMemo(() => widthsFor(rows), [rows])
  const columns = useMemo(() => columnsWith({ names, wide, returnOf, widths }), [names, wide, returnOf, widths])
  const filters = useMemo(() => filtersWith(returnOf), [returnOf])
  const searchTexts = useMemo(() => searchWith(returnOf), [returnOf])
  const flow = useFlow()
  const byCustomer = useMemo(() => ({ names, of: ({ customer_uid }: Transaction) => [customer_uid] }), [names])
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="Transactions"
      placeholder="name, uid, amount"
      columns={columns}
      searchTexts={searchTexts}
      timeOf={createdAt}
      filters={filters}
      only={flow}
      byCustomer={byCustomer}
      minWidth={1088}
      actions={
        <ButtonLink screen="inject" title="Simulate an incoming payment" primary>
          <Inbox size={12} strokeWidth={1.8} aria-hidden="true" />
          Simulate payment…
        </ButtonLink>
      }
      empty={
        <EmptyPayments
          title="A Transaction moves money"
          says="Each Transfer, each Return and each incoming payment creates one. This Program has none yet."
          endpoint="createMockTransaction"
        />
      }
    />
  )
}
