import { useMemo } from 'react'
import type { PaymentReturn } from '../../../api/contract/control/history.ts'
import { type CombinedTransfer, CombinedTransferStatus } from '../../../api/contract/resources/combined-transfers.ts'
import { RequestorType, type Return, ReturnStatus } from '../../../api/contract/resources/returns.ts'
import { type Transaction, TransactionStatus, TransactionType } from '../../../api/contract/resources/transactions.ts'
import { railOf, type Transfer, TransferStatus } from '../../../api/contract/resources/transfers.ts'
import {
  amountColumn,
  customerColumn,
  directionFilter,
  partiesColumn,
  recordColumn,
  statusColumn,
  statusFilter,
  statusOrReturnedColumn,
  statusOrReturnedFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { EmptyPayments } from '../../components/list/EmptyList.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { netAssetOf, SimulatePayment } from '../../components/list/parts.tsx'
import { parseFlow } from '../../data/flow.ts'
import type { LiveRecords } from '../../data/live-list.ts'
import { type PartyNames, useNames } from '../../data/names.ts'
import { RAILS } from '../../data/rails.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
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

const transactions: RecordList<TransactionRow, Context> = {
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

interface TransferRow extends Transfer {
  /** The first one is its payment; others return it. */
  readonly transactions: readonly ({ readonly payment_return: PaymentReturn | null } | null)[]
}

/** The text from the sender to the receiver. */
const findMemo = ({ ach, wire, instant_payment }: Transfer) =>
  ach?.entry_description ?? wire?.wire_instructions ?? instant_payment?.memo ?? undefined

const direction = (it: Transfer, { names }: { readonly names: PartyNames }) =>
  netAssetOf(names, it.source_synthetic_account_uid, it.destination_synthetic_account_uid)

const returnOfTransfer = ({ transactions: [payment] }: TransferRow) => payment?.payment_return

const transfers: RecordList<TransferRow, { readonly names: PartyNames }> = {
  collection: 'transfers',
  title: 'Transfers',
  placeholder: 'name, detail, uid, amount',
  columns: [
    timeColumn('Time'),
    textColumn(railOf, '112px', { id: 'type', reads: [], filterBy: (it) => ['type', railOf(it)] }),
    partiesColumn(['source_synthetic_account_uid', 'destination_synthetic_account_uid'], (it) => ({
      source: it.source_synthetic_account_uid,
      destination: it.destination_synthetic_account_uid,
    })),
    // Narrower windows hide the text of the sender.
    textColumn(findMemo, 'minmax(104px, 2fr)', {
      id: 'detail',
      needs: 'wide',
      optional: true,
      reads: ['ach.entry_description', 'wire.wire_instructions', 'instant_payment.memo'],
    }),
    statusOrReturnedColumn(returnOfTransfer),
    customerColumn('initiating_customer', 'initiating_customer_uid'),
    recordColumn('transactions', 'transaction_uids', { id: 'transaction_uid', header: 'Transaction', needs: 'roomy' }),
    uidColumn,
    amountColumn('usd_transfer_amount', direction),
  ],
  filters: [
    statusOrReturnedFilter(TransferStatus.options, returnOfTransfer),
    { name: 'type', options: RAILS, of: railOf },
    directionFilter(direction),
  ],
  reads: ['external_uid', 'destination_customer_uid', 'transactions.payment_return'],
  follows: { by: 'transactions', field: 'transfer_uid', of: ({ uid }) => [uid] },
  searchTexts: ({ external_uid, transaction_uids }) => [external_uid, ...transaction_uids],
  customersOf: (it) => [it.initiating_customer_uid, it.destination_customer_uid],
  useContext: useNames,
  empty: (
    <EmptyPayments
      title="A Transfer moves money between two accounts"
      text="One of them may be external, by ACH, wire or instant payment. This Program has none yet."
      endpoint="createTransfer"
    />
  ),
}

interface ReturnRow extends Return {
  /** A Return has no amount: its Transaction has it. */
  readonly return_transaction: { readonly us_dollar_amount: string; readonly net_asset: string } | null
}

const returns: RecordList<ReturnRow, { readonly names: PartyNames }> = {
  collection: 'returns',
  title: 'Returns',
  placeholder: 'reason, code, uid',
  columns: [
    timeColumn('Time'),
    textColumn('requestor_type', '96px'),
    textColumn('ach.ach_return_code', '52px', { header: 'Code' }),
    textColumn('return_reason', 'minmax(96px, 4fr)'),
    statusColumn('84px'),
    customerColumn('customer', 'customer_uid'),
    recordColumn('transactions', 'original_transaction_uid', {
      id: 'original_transaction_uid',
      header: 'Returned Transaction',
    }),
    recordColumn('transactions', 'return_transaction_uid', {
      id: 'return_transaction_uid',
      header: 'By Transaction',
      needs: 'roomy',
    }),
    uidColumn,
    amountColumn('return_transaction.us_dollar_amount', (it) => it.return_transaction?.net_asset ?? '', {
      reads: ['return_transaction.us_dollar_amount', 'return_transaction.net_asset'],
    }),
  ],
  filters: [
    statusFilter(ReturnStatus.options, { inApi: true }),
    { name: 'requestor_type', options: RequestorType.options, of: ({ requestor_type }) => requestor_type },
  ],
  reads: ['external_uid'],
  searchTexts: ({ external_uid }) => [external_uid],
  customersOf: ({ customer_uid }) => [customer_uid],
  useContext: useNames,
  empty: (
    <EmptyPayments
      title="A Return sends a settled payment back"
      text="A received payment is returned, a sent one is reversed. This Program has none yet."
      endpoint="createReturn"
    />
  ),
}

const sideOfTransfer = ({ transfer }: CombinedTransfer) =>
  transfer.source_synthetic_account_uid == null ? 'positive' : 'negative'

const formatErrors = ({ errors = [] }: CombinedTransfer) =>
  errors.map(({ code, title }) => `${code} ${title}`).join('; ')

const combinedTransfers: RecordList<CombinedTransfer, { readonly names: PartyNames }> = {
  collection: 'combined_transfers',
  title: 'Combined Transfers',
  placeholder: 'name, external_uid, uid',
  columns: [
    timeColumn('Time'),
    statusColumn('104px'),
    partiesColumn(
      [
        ...['transfer.source_synthetic_account_uid', 'transfer.destination_synthetic_account_uid'],
        ...['synthetic_account.uid', 'synthetic_account.name'],
      ],
      // The side that the request omits is the account that it creates.
      ({ transfer, synthetic_account }) => ({
        source: transfer.source_synthetic_account_uid ?? synthetic_account.uid,
        destination: transfer.destination_synthetic_account_uid ?? synthetic_account.uid,
        outside: synthetic_account.uid === null ? undefined : synthetic_account.name,
      }),
    ),
    textColumn((row) => formatErrors(row) || undefined, 'minmax(72px, 2fr)', { id: 'errors', reads: ['errors'] }),
    customerColumn('initiating_customer', 'transfer.initiating_customer_uid'),
    textColumn('external_uid', 'minmax(124px, 2fr)', { optional: true }),
    recordColumn('transfers', 'transfer.uid', { id: 'transfer_uid', header: 'Transfer', needs: 'roomy' }),
    uidColumn,
    amountColumn('transfer.usd_transfer_amount', sideOfTransfer),
  ],
  filters: [statusFilter(CombinedTransferStatus.options, { inApi: true }), directionFilter(sideOfTransfer)],
  searchTexts: ({ external_uid }) => [external_uid],
  customersOf: ({ transfer }) => [transfer.initiating_customer_uid],
  useContext: useNames,
  empty: (
    <EmptyPayments
      title="A Combined Transfer creates a counterparty and a payment in one call"
      text="The external account is opened first, then the Transfer to or from it. This Program has none yet."
      endpoint="createCombinedTransfer"
    />
  ),
}

/** Four lists. An address without a collection shows Transactions, as every payment becomes one. */
export function Payments() {
  const collection = useRoute((view) => view.collection)
  if (collection === 'transfers') return <ListScreen list={transfers} />
  if (collection === 'returns') return <ListScreen list={returns} />
  if (collection === 'combined_transfers') return <ListScreen list={combinedTransfers} />
  return <ListScreen list={transactions} />
}
