import { useMemo } from 'react'
import { type CombinedTransfer, CombinedTransferStatus } from '../../../api/contract/resources/combined-transfers.ts'
import {
  amountColumn,
  createdAt,
  customerColumn,
  directionFilter,
  MIN_ROOMY_WIDTH,
  partiesColumn,
  recordColumn,
  statusColumn,
  statusFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import type { ListSource } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { useProgram } from '../../data/use-program.ts'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { EmptyPayments } from './EmptyPayments.tsx'

const source: ListSource<CombinedTransfer> = {
  collection: 'combined_transfers',
  fields: [
    'created_at',
    'status',
    'external_uid',
    'errors',
    'synthetic_account.uid',
    'synthetic_account.name',
    'transfer.uid',
    'transfer.usd_transfer_amount',
    'transfer.initiating_customer_uid',
    'transfer.source_synthetic_account_uid',
    'transfer.destination_synthetic_account_uid',
  ],
}

const found = ({ external_uid }: CombinedTransfer) => [external_uid]

/** The side that the request omits is the account that it creates. */
const findSides = ({ transfer, synthetic_account }: CombinedTransfer) => ({
  source: transfer.source_synthetic_account_uid ?? synthetic_account.uid,
  destination: transfer.destination_synthetic_account_uid ?? synthetic_account.uid,
  outside: synthetic_account.uid === null ? undefined : synthetic_account.name,
})

const direction = ({ transfer }: CombinedTransfer) =>
  transfer.source_synthetic_account_uid == null ? 'positive' : 'negative'

const formatErrors = ({ errors = [] }: CombinedTransfer) =>
  errors.map(({ code, title }) => `${code} ${title}`).join('; ')

const filters: readonly Filter<CombinedTransfer>[] = [
  statusFilter(CombinedTransferStatus.options),
  directionFilter(direction),
]

const columnsWith = (names: PartyNames, roomy: boolean): readonly ListColumn<CombinedTransfer>[] => [
  timeColumn('Time', createdAt),
  statusColumn('104px'),
  partiesColumn(names, findSides),
  textColumn('errors', 'minmax(72px, 2fr)', (row) => formatErrors(row) || undefined),
  customerColumn(names, 'initiating_customer', ({ transfer }) => transfer.initiating_customer_uid),
  {
    ...textColumn<CombinedTransfer>('external_uid', 'minmax(124px, 2fr)', ({ external_uid }) => external_uid),
    optional: true,
  },
  recordColumn('transfer_uid', 'Transfer', 'transfers', ({ transfer }) => transfer.uid, !roomy),
  uidColumn(),
  {
    ...amountColumn<CombinedTransfer>('usd_transfer_amount', ({ transfer }) => transfer.usd_transfer_amount, direction),
    field: 'transfer.usd_transfer_amount',
  },
]

export function CombinedTransfers() {
  const program_uid = useProgram()?.uid
  const names = usePartyNames(program_uid)
  const roomy = useIsWide(MIN_ROOMY_WIDTH)
  const columns = useMemo(() => columnsWith(names, roomy), [names, roomy])
  const byCustomer = useMemo(
    () => ({ names, of: ({ transfer }: CombinedTransfer) => [transfer.initiating_customer_uid] }),
    [names],
  )
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="Combined Transfers"
      placeholder="name, external_uid, uid"
      columns={columns}
      searchTexts={found}
      timeOf={createdAt}
      filters={filters}
      byCustomer={byCustomer}
      minWidth={roomy ? 1216 : 1088}
      empty={
        <EmptyPayments
          title="A Combined Transfer creates a counterparty and a payment in one call"
          says="The external account is opened first, then the Transfer to or from it. This Program has none yet."
          endpoint="createCombinedTransfer"
        />
      }
    />
  )
}
