import { RequestorType, type Return, ReturnStatus } from '../../../api/contract/resources/returns.ts'
import {
  amountColumn,
  customerColumn,
  recordColumn,
  statusColumn,
  statusFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { EmptyPayments } from '../../components/list/EmptyList.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { type PartyNames, useNames } from '../../data/names.ts'

interface ReturnRow extends Return {
  /** A Return has no amount: its Transaction has it. */
  readonly return_transaction: { readonly us_dollar_amount: string; readonly net_asset: string } | null
}

export const returns: RecordList<ReturnRow, { readonly names: PartyNames }> = {
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
