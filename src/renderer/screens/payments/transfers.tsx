import type { PaymentReturn } from '../../../api/contract/control/history.ts'
import { railOf, type Transfer, TransferStatus } from '../../../api/contract/resources/transfers.ts'
import {
  amountColumn,
  customerColumn,
  directionFilter,
  partiesColumn,
  recordColumn,
  statusOrReturnedColumn,
  statusOrReturnedFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { EmptyPayments } from '../../components/list/EmptyList.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { netAssetOf } from '../../components/list/parts.tsx'
import { type PartyNames, useNames } from '../../data/names.ts'
import { RAILS } from '../../data/rails.ts'

interface TransferRow extends Transfer {
  /** The first one is its payment; others return it. */
  readonly transactions: readonly ({ readonly payment_return: PaymentReturn | null } | null)[]
}

/** The text from the sender to the receiver. */
const findMemo = ({ ach, wire, instant_payment }: Transfer) =>
  ach?.entry_description ?? wire?.wire_instructions ?? instant_payment?.memo ?? undefined

const direction = (it: Transfer, { names }: { readonly names: PartyNames }) =>
  netAssetOf(names, it.source_synthetic_account_uid, it.destination_synthetic_account_uid)

const returnOf = ({ transactions: [payment] }: TransferRow) => payment?.payment_return

export const transfers: RecordList<TransferRow, { readonly names: PartyNames }> = {
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
    statusOrReturnedColumn(returnOf),
    customerColumn('initiating_customer', 'initiating_customer_uid'),
    recordColumn('transactions', 'transaction_uids', { id: 'transaction_uid', header: 'Transaction', needs: 'roomy' }),
    uidColumn,
    amountColumn('usd_transfer_amount', direction),
  ],
  filters: [
    statusOrReturnedFilter(TransferStatus.options, returnOf),
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
