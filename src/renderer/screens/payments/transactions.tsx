import { useMemo } from 'react'
import type { PaymentReturn } from '../../../api/contract/control/history.ts'
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
} from '../../components/list/columns.tsx'
import { EmptyPayments } from '../../components/list/EmptyList.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { SimulatePayment } from '../../components/list/parts.tsx'
import { parseFlow } from '../../data/flow.ts'
import type { LiveRecords } from '../../data/live-list.ts'
import { type PartyNames, useNames } from '../../data/names.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { escapeControls } from '../../format/text.ts'

/** The sandbox creates few of them. */
const WIDE_TYPES: ReadonlySet<string> = new Set<TransactionType>([
  ...(['denied_authorization', 'initiated_ach_reversal', 'initiated_wire_return'] as const),
  ...(['peer_to_peer_transfer', 'set_account_balance'] as const),
])
const USUAL_AMOUNT = '999999.99'

interface TransactionRow extends Transaction {
  readonly payment_return: PaymentReturn | null
}
const returnOf = ({ payment_return }: TransactionRow) => payment_return

interface Context {
  readonly names: PartyNames
  /** What does not fit into the usual widths, which leave space for the names of both parties. */
  readonly hasWideType: boolean
  readonly hasWideAmount: boolean
}

function useContext(program_uid: string | undefined, { rows }: LiveRecords<TransactionRow>): Context {
  const { names } = useNames(program_uid)
  return useMemo(
    () => ({
      names,
      hasWideType: rows.some(({ type }) => WIDE_TYPES.has(type)),
      hasWideAmount: rows.some(({ us_dollar_amount }) => us_dollar_amount.length > USUAL_AMOUNT.length),
    }),
    [names, rows],
  )
}

const netAsset = ({ net_asset }: Transaction) => net_asset

export const transactions: RecordList<TransactionRow, Context> = {
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
    statusOrReturnedColumn(returnOf),
    customerColumn('customer', 'customer_uid'),
    uidColumn,
    amountColumn('us_dollar_amount', netAsset, {
      reads: ['us_dollar_amount', 'net_asset'],
      widthIn: ({ hasWideAmount }) => (hasWideAmount ? '121px' : '105px'),
    }),
  ],
  filters: [
    statusOrReturnedFilter(TransactionStatus.options, returnOf),
    { name: 'type', options: TransactionType.options, of: ({ type }) => type, inApi: true },
    directionFilter(netAsset),
  ],
  reads: ['ach.ach_return_code', 'payment_return'],
  // A return that fails or settles changes what is said of the payment that it returns.
  alsoChanges: ({ payment_return }) => (payment_return?.is === 'return' ? payment_return.uid : undefined),
  searchTexts: ({ ach, payment_return }) => [ach?.ach_return_code, payment_return?.text],
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

/** `customers.map` names no more. */
const MAX_PAYMENTS = 10_000
const NONE: readonly string[] = []

/** The Transactions of a flow of a Customer's map, if the address names one. */
function useFlow() {
  const values = useRoute(({ params }) => params.flow)
  const input = useMemo(() => parseFlow(values), [values])
  const { data, error } = useQuery('customers.map', input, ['transactions'])
  return useMemo(() => {
    if (!input?.flow) return null
    const { from, to } = input.flow
    const nameOf = (id: string) => escapeControls(data?.nodes.find((node) => node.id === id)?.name ?? id)
    const payments = data?.payments ?? (error === undefined ? undefined : NONE)
    const newest = payments?.length === MAX_PAYMENTS ? ', newest 10,000' : ''
    return {
      param: 'flow',
      title: 'Flow',
      text: `${nameOf(from)} → ${nameOf(to)}${newest}`,
      uids: payments && new Set(payments),
    }
  }, [input, data, error])
}
