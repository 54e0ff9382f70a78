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
  statusOrReturnedColumn,
  statusOrReturnedFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import { netAssetOf } from '../../components/list/parts.tsx'
import {
  describeReturn,
  isReturn,
  type PaymentReturn,
  RETURN_FIELDS,
  type ReturnablePayment,
} from '../../components/returned.ts'
import { type ListSource, useRecords } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { RAILS } from '../../data/rails.ts'
import { useProgram } from '../../data/use-program.ts'
import { useQuery } from '../../data/use-query.ts'
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

interface Space {
  readonly roomy: boolean
  readonly wide: boolean
}
/** Narrower windows hide the text of the sender. */
const DETAIL_MIN_WIDTH = 1560

type ReturnOf = (transfer: Transfer) => PaymentReturn | undefined
/** A returned Transfer has further Transactions. Their codes and status are read for the newest. */
const MAX_RETURNED = 1_000

function useReturns(program_uid: string | undefined, transfers: readonly Transfer[]): ReturnOf {
  const uids = useMemo(
    () => transfers.flatMap(({ transaction_uids }) => transaction_uids.slice(1)).slice(0, MAX_RETURNED),
    [transfers],
  )
  const { data } = useQuery(
    'records.list',
    program_uid === undefined || uids.length === 0
      ? null
      : { collection: 'transactions', program_uid, uids, fields: RETURN_FIELDS, limit: MAX_RETURNED },
    ['transactions'],
  )
  return useMemo(() => {
    const returns = ((data?.data ?? []) as unknown as readonly ReturnablePayment[]).filter(isReturn)
    const byTransfer = new Map(returns.map((by) => [by.transfer_uid, by]))
    return ({ uid }) => {
      const by = byTransfer.get(uid)
      return by && { is: 'returned', uid: by.uid, text: describeReturn(by) }
    }
  }, [data])
}

const columnsWith = (
  names: PartyNames,
  { roomy, wide }: Space,
  returnOf: ReturnOf,
): readonly ListColumn<Transfer>[] => [
  timeColumn('Time', createdAt),
  { ...textColumn<Transfer>('type', '112px', railOf), filterBy: (it) => ['type', railOf(it)] },
  partiesColumn(names, (it) => ({
    source: it.source_synthetic_account_uid,
    destination: it.destination_synthetic_account_uid,
  })),
  { ...textColumn<Transfer>('detail', 'minmax(104px, 2fr)', findMemo), hidden: !wide, optional: true },
  statusOrReturnedColumn(returnOf),
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
  const wide = useIsWide(DETAIL_MIN_WIDTH)
  const { rows } = useRecords(source, program_uid)
  const returnOf = useReturns(program_uid, rows)
  const columns = useMemo(() => columnsWith(names, { roomy, wide }, returnOf), [names, roomy, wide, returnOf])
  const filters = useMemo<readonly Filter<Transfer>[]>(
    () => [
      statusOrReturnedFilter(TransferStatus.options, (it) => returnOf(it) !== undefined),
      { name: 'type', options: RAILS, of: railOf },
      directionFilter(directionWith(names)),
    ],
    [names, returnOf],
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
