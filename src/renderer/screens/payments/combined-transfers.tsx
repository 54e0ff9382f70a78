import { type CombinedTransfer, CombinedTransferStatus } from '../../../api/contract/resources/combined-transfers.ts'
import {
  amountColumn,
  customerColumn,
  directionFilter,
  partiesColumn,
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

const direction = ({ transfer }: CombinedTransfer) =>
  transfer.source_synthetic_account_uid == null ? 'positive' : 'negative'

const formatErrors = ({ errors = [] }: CombinedTransfer) =>
  errors.map(({ code, title }) => `${code} ${title}`).join('; ')

export const combinedTransfers: RecordList<CombinedTransfer, { readonly names: PartyNames }> = {
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
    amountColumn('transfer.usd_transfer_amount', direction),
  ],
  filters: [statusFilter(CombinedTransferStatus.options, { inApi: true }), directionFilter(direction)],
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
