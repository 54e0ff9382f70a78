import { useMemo } from 'react'
import { railOf, type Transfer, TransferStatus } from '../../../api/contract/resources/transfers.ts'
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
import { netAssetOf } from '../../components/list/parts.tsx'
import type { ListSource } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { RAILS } from '../../data/rails.ts'
import { useProgram } from '../../data/use-program.ts'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { EmptyPayments } from './EmptyPayments.tsx'

const source: ListSource<Transfer> = {
  collection: 'transfers',
  fields: [
    'created_at',
    'status',
    'usd_transfer_amount',
    'external_uid',
    'initiating_customer_uid',
    'destination_customer_uid',
    'source_synthetic_account_uid',
    'destination_synthetic_account_uid',
    'transaction_uids',
    'ach.entry_description',
    'wire.wire_instructions',
    'instant_payment.memo',
  ],
}

/** The text from the sender to the receiver. */
const findMemo = ({ ach, wire, instant_payment }: Transfer) =>
  ach?.entry_description ?? wire?.wire_instructions ?? instant_payment?.memo ?? undefined

const found = ({ external_uid, transaction_uids }: Transfer) => [external_uid, ...transaction_uids]

const directionWith = (names: PartyNames) => (it: Transfer) =>
  netAssetOf(names, it.source_synthetic_account_uid, it.destination_synthetic_account_uid)

const columnsWith = (names: PartyNames, roomy: boolean): readonly ListColumn<Transfer>[] => [
  timeColumn('Time', createdAt),
  textColumn('type', '108px', railOf),
  partiesColumn(names, (it) => ({
    source: it.source_synthetic_account_uid,
    destination: it.destination_synthetic_account_uid,
  })),
  textColumn('detail', 'minmax(104px, 2fr)', findMemo),
  statusColumn('84px'),
  customerColumn(names, 'initiating_customer', (it) => it.initiating_customer_uid),
  {
    ...recordColumn<Transfer>('transaction_uid', 'Transaction', 'transactions', (it) => it.transaction_uids[0], !roomy),
    text: ({ transaction_uids }) => transaction_uids.join(' '),
  },
  uidColumn(),
  amountColumn('usd_transfer_amount', (it) => it.usd_transfer_amount, directionWith(names)),
]

export function Transfers() {
  const program_uid = useProgram()?.uid
  const names = usePartyNames(program_uid)
  const roomy = useIsWide(MIN_ROOMY_WIDTH)
  const columns = useMemo(() => columnsWith(names, roomy), [names, roomy])
  const filters = useMemo<readonly Filter<Transfer>[]>(
    () => [
      statusFilter(TransferStatus.options),
      { name: 'type', options: RAILS, of: railOf },
      directionFilter(directionWith(names)),
    ],
    [names],
  )
  const byCustomer = useMemo(
    () => ({ names, of: (it: Transfer) => [it.initiating_customer_uid, it.destination_customer_uid] }),
    [names],
  )
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="Transfers"
      placeholder="name, detail, uid, amount"
      columns={columns}
      searchTexts={found}
      timeOf={createdAt}
      filters={filters}
      byCustomer={byCustomer}
      minWidth={roomy ? 1212 : 1084}
      empty={
        <EmptyPayments
          title="A Transfer moves money between two accounts"
          says="One of them may be external, by ACH, wire or instant payment. This Program has none yet."
          endpoint="createTransfer"
        />
      }
    />
  )
}
