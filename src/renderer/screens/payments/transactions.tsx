import { useMemo } from 'react'
import { type Transaction, TransactionStatus, TransactionType } from '../../../api/contract/resources/transactions.ts'
import {
  amountColumn,
  customerColumn,
  directionFilter,
  partiesColumn,
  statusOrReturnedColumn,
  statusOrReturnedFilter,
  textColumn,
  timeColumn,
  uidColumn,
  type WithReturns,
} from '../../components/list/columns.tsx'
import { EmptyPayments } from '../../components/list/EmptyList.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { SimulatePayment } from '../../components/list/parts.tsx'
import { indexReturns, RETURN_FIELDS } from '../../components/returned.ts'
import type { LiveRecords } from '../../data/live-list.ts'
import { type PartyNames, useNames } from '../../data/names.ts'
import { useFlow } from './use-flow.ts'

/** The sandbox creates few of them. */
const WIDE_TYPES: ReadonlySet<string> = new Set<TransactionType>([
  ...(['denied_authorization', 'initiated_ach_reversal', 'initiated_wire_return'] as const),
  ...(['peer_to_peer_transfer', 'set_account_balance'] as const),
])
const USUAL_AMOUNT = '999999.99'

interface Context extends WithReturns<Transaction> {
  readonly names: PartyNames
  /** What does not fit into the usual widths, which leave space for the names of both parties. */
  readonly hasWideType: boolean
  readonly hasWideAmount: boolean
}

function useContext(program_uid: string | undefined, { rows }: LiveRecords<Transaction>): Context {
  const { names } = useNames(program_uid)
  return useMemo(
    () => ({
      names,
      returnOf: indexReturns(rows),
      hasWideType: rows.some(({ type }) => WIDE_TYPES.has(type)),
      hasWideAmount: rows.some(({ us_dollar_amount }) => us_dollar_amount.length > USUAL_AMOUNT.length),
    }),
    [names, rows],
  )
}

const netAsset = ({ net_asset }: Transaction) => net_asset

export const transactions: RecordList<Transaction, Context> = {
  collection: 'transactions',
  title: 'Transactions',
  placeholder: 'name, uid, amount',
  columns: [
    timeColumn('Time'),
    textColumn('type', '127px', {
      filterBy: ({ type }) => ['type', type],
      widthIn: ({ hasWideType }) => (hasWideType ? '140px' : '127px'),
    }),
    partiesColumn(
      [
        ...['source_synthetic_account_uid', 'destination_synthetic_account_uid', 'wire.counterparty_name'],
        ...['ach.counterparty_name', 'instant_payment.counterparty_name'],
      ],
      (it) => ({
        source: it.source_synthetic_account_uid,
        destination: it.destination_synthetic_account_uid,
        outside: it.wire?.counterparty_name ?? it.ach?.counterparty_name ?? it.instant_payment?.counterparty_name,
      }),
    ),
    // Narrower windows hide the description: it mostly repeats the parties, which would be cut.
    textColumn('description', 'minmax(80px, 3fr)', { needs: 'wide', optional: true }),
    statusOrReturnedColumn(),
    customerColumn('customer', 'customer_uid'),
    uidColumn,
    amountColumn('us_dollar_amount', netAsset, {
      reads: ['us_dollar_amount', 'net_asset'],
      widthIn: ({ hasWideAmount }) => (hasWideAmount ? '121px' : '105px'),
    }),
  ],
  filters: [
    statusOrReturnedFilter(TransactionStatus.options),
    { name: 'type', options: TransactionType.options, of: ({ type }) => type, inApi: true },
    directionFilter(netAsset),
  ],
  reads: RETURN_FIELDS,
  searchTexts: (payment, { returnOf }) => [payment.ach?.ach_return_code, returnOf(payment)?.text],
  customersOf: ({ customer_uid }) => [customer_uid],
  useContext,
  useOnly: useFlow,
  renderActions: () => <SimulatePayment title="Simulate an incoming payment" />,
  empty: (
    <EmptyPayments
      title="A Transaction moves money"
      text="Each Transfer, each Return and each incoming payment creates one. This Program has none yet."
      endpoint="createMockTransaction"
    />
  ),
}
