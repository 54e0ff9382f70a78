import { useEffect, useMemo, useState } from 'react'
import { showHidden } from '../../../api/contract/collection-names.ts'
import { RequestorType, type Return, ReturnStatus } from '../../../api/contract/resources/returns.ts'
import {
  createdAt,
  customerColumn,
  MIN_ROOMY_WIDTH,
  recordColumn,
  statusColumn,
  statusFilter,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import { signAmount } from '../../components/list/parts.tsx'
import { type ListSource, useRecords } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { Amount } from '../../ui/Amount.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { EmptyPayments } from './EmptyPayments.tsx'

const source: ListSource<Return> = {
  collection: 'returns',
  fields: [
    'created_at',
    'status',
    'external_uid',
    'customer_uid',
    'requestor_type',
    'return_reason',
    'original_transaction_uid',
    'return_transaction_uid',
    'ach.ach_return_code',
  ],
}

const found = ({ external_uid }: Return) => [external_uid]

const filters: readonly Filter<Return>[] = [
  statusFilter(ReturnStatus.options),
  { name: 'requestor_type', options: RequestorType.options, of: ({ requestor_type }) => requestor_type },
]

interface ReturnAmount {
  readonly us_dollar_amount: string
  readonly net_asset: string
}

/** A Return has no amount: its Transaction has it, and that amount never changes. */
function useReturnAmounts(
  program_uid: string | undefined,
  returns: readonly Return[],
): ReadonlyMap<string, ReturnAmount> {
  const [amounts, setAmounts] = useState<ReadonlyMap<string, ReturnAmount>>(new Map())
  useEffect(() => {
    const uids = returns.map((it) => it.return_transaction_uid).filter((uid) => !amounts.has(uid))
    if (program_uid === undefined || uids.length === 0) return
    let isStale = false
    const input = {
      ...showHidden('transactions'),
      collection: 'transactions',
      program_uid,
      uids: uids.slice(0, 1_000),
      fields: ['us_dollar_amount', 'net_asset'],
      limit: 1_000,
    }
    sandbox['records.list'](input).then(
      ({ data }) => {
        const found = data as unknown as (ReturnAmount & { uid: string })[]
        if (!isStale && found.length > 0) setAmounts(new Map([...amounts, ...found.map((it) => [it.uid, it] as const)]))
      },
      () => {}, // The list shows the error of a sandbox that does not answer.
    )
    return () => {
      isStale = true
    }
  }, [program_uid, returns, amounts])
  return amounts
}

const formatReturnAmount = (amount: ReturnAmount | undefined) =>
  amount && signAmount(amount.us_dollar_amount, amount.net_asset)

const columnsWith = (
  names: PartyNames,
  amounts: ReadonlyMap<string, ReturnAmount>,
  roomy: boolean,
): readonly ListColumn<Return>[] => [
  timeColumn('Time', createdAt),
  textColumn('requestor_type', '96px', ({ requestor_type }) => requestor_type),
  textColumn('ach_return_code', '52px', ({ ach }) => ach?.ach_return_code, 'Code'),
  textColumn('return_reason', 'minmax(96px, 4fr)', ({ return_reason }) => return_reason),
  statusColumn('84px'),
  customerColumn(names, 'customer', ({ customer_uid }) => customer_uid),
  recordColumn('original_transaction_uid', 'Returned Transaction', 'transactions', (it) => it.original_transaction_uid),
  recordColumn('return_transaction_uid', 'By Transaction', 'transactions', (it) => it.return_transaction_uid, !roomy),
  uidColumn(),
  {
    id: 'us_dollar_amount',
    header: 'Amount, USD',
    width: '121px',
    right: true,
    pinned: true,
    largestFirst: true,
    sortBy: ({ return_transaction_uid }) => amounts.get(return_transaction_uid)?.us_dollar_amount,
    cell: ({ return_transaction_uid, status }) => (
      <Amount value={formatReturnAmount(amounts.get(return_transaction_uid))} movement pending={status !== 'settled'} />
    ),
    text: ({ return_transaction_uid }) => formatReturnAmount(amounts.get(return_transaction_uid)),
  },
]

export function Returns() {
  const program_uid = useProgram()?.uid
  const names = usePartyNames(program_uid)
  const { rows } = useRecords(source, program_uid)
  const amounts = useReturnAmounts(program_uid, rows)
  const roomy = useIsWide(MIN_ROOMY_WIDTH)
  const columns = useMemo(() => columnsWith(names, amounts, roomy), [names, amounts, roomy])
  const byCustomer = useMemo(() => ({ names, of: ({ customer_uid }: Return) => [customer_uid] }), [names])
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="Returns"
      placeholder="reason, code, uid"
      columns={columns}
      searchTexts={found}
      timeOf={createdAt}
      filters={filters}
      byCustomer={byCustomer}
      minWidth={roomy ? 1116 : 980}
      empty={
        <EmptyPayments
          title="A Return sends a settled payment back"
          says="A received payment is returned, a sent one is reversed. This Program has none yet."
          endpoint="createReturn"
        />
      }
    />
  )
}
