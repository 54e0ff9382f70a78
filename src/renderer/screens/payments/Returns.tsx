import { useMemo } from 'react'
import { RequestorType, type Return, ReturnStatus } from '../../../api/contract/resources/returns.ts'
import { type Col, type Filter, Named, timeCol, uidCol } from '../../lists/kind.tsx'
import { ListScreen } from '../../lists/ListScreen.tsx'
import type { ListSource } from '../../lists/live-list.ts'
import { type Names, useNames } from '../../lists/names.ts'
import { useProgram } from '../../use-program.ts'
import { createdAt, customerCol, statusCol, statusFilter, wordCol } from './cols.tsx'
import { NoPayments } from './NoPayments.tsx'

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

const transactionCol = (id: 'original_transaction_uid' | 'return_transaction_uid', header: string): Col<Return> => ({
  id,
  header,
  width: '156px',
  draw: (row) => (
    <span className="mono">
      <Named collection="transactions" uid={row[id]} />
    </span>
  ),
  text: (row) => row[id],
})

const colsWith = (names: Names): readonly Col<Return>[] => [
  timeCol('Time', createdAt),
  wordCol('requestor_type', '104px', ({ requestor_type }) => requestor_type),
  wordCol('ach_return_code', '120px', ({ ach }) => ach?.ach_return_code),
  wordCol('return_reason', 'minmax(140px, 4fr)', ({ return_reason }) => return_reason),
  statusCol('92px'),
  customerCol(names, 'customer', ({ customer_uid }) => customer_uid),
  transactionCol('original_transaction_uid', 'Returned Transaction'),
  transactionCol('return_transaction_uid', 'By Transaction'),
  uidCol(),
]

export function Returns() {
  const program_uid = useProgram()?.uid
  const names = useNames(program_uid)
  const cols = useMemo(() => colsWith(names), [names])
  const byCustomer = useMemo(() => ({ names, of: ({ customer_uid }: Return) => [customer_uid] }), [names])
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="Returns"
      placeholder="reason, code, uid"
      cols={cols}
      found={found}
      at={createdAt}
      filters={filters}
      byCustomer={byCustomer}
      least={1060}
      empty={
        <NoPayments
          title="A Return sends a settled payment back"
          says="What has arrived is returned, what was sent is reversed. This Program has none yet."
          path="returns"
          body={`{
    "original_transaction_uid": "$TRANSACTION",
    "requesting_customer_uid": "$CUSTOMER",
    "requestor_type": "customer",
    "return_reason": "Nobody here expects it",
    "ach": { "ach_return_code": "R10" }
  }`}
        />
      }
    />
  )
}
