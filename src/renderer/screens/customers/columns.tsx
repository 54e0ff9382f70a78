import { Amount } from '../../components/Amount.tsx'
import type { Column, GroupRow } from '../../components/DataTable.tsx'
import { Status } from '../../components/Status.tsx'
import { Text } from '../../components/Text.tsx'
import { RecordLink, Uid } from '../../components/Uid.tsx'
import { longDay, newYork } from '../../format.ts'
import { nameOf } from './names.ts'
import type { Summary } from './use-customers.ts'

/** Days are rows of their own. `customers` are newest first. */
export function rowsOf(customers: readonly Summary[]): (Summary | GroupRow)[] {
  let day = ''
  return customers.flatMap((customer) => {
    const of = longDay(Date.parse(customer.created_at))
    if (of === day) return [customer]
    day = of
    return [{ group: `${of} ${customer.uid}`, title: `Created on ${of}` }, customer]
  })
}

export const columns: readonly Column<Summary>[] = [
  {
    id: 'created_at',
    header: 'Created',
    meta: { width: '84px' },
    cell: ({ row }) => (
      <span className="soft" title={row.original.created_at}>
        {newYork(Date.parse(row.original.created_at)).time}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    meta: { width: 'minmax(140px, 3fr)' },
    cell: ({ row }) => {
      const name = nameOf(row.original)
      return (
        <RecordLink collection="customers" uid={row.original.uid} inTable>
          {name ?? 'no name yet'}
        </RecordLink>
      )
    },
  },
  {
    id: 'status',
    header: 'status',
    meta: { width: '140px' },
    cell: ({ row }) => <Status word={row.original.status} />,
  },
  {
    id: 'kyc_status',
    header: 'kyc_status',
    meta: { width: '200px' },
    cell: ({ row }) =>
      row.original.kyc_status === null ? (
        <span className="faint">null</span>
      ) : (
        <Status word={row.original.kyc_status} />
      ),
  },
  {
    id: 'customer_type',
    header: 'customer_type',
    meta: { width: '112px' },
    cell: ({ row }) => <span className="soft">{row.original.customer_type}</span>,
  },
  {
    id: 'external_uid',
    header: 'external_uid',
    meta: { width: 'minmax(104px, 2fr)' },
    cell: ({ row }) =>
      row.original.external_uid === null ? (
        <span className="faint">null</span>
      ) : (
        <span className="mono soft" title={row.original.external_uid.slice(0, 255)}>
          <Text>{row.original.external_uid}</Text>
        </span>
      ),
  },
  {
    id: 'uid',
    header: 'uid',
    meta: { width: '156px' },
    cell: ({ row }) => <Uid inTable>{row.original.uid}</Uid>,
  },
  {
    id: 'total_balance',
    header: 'total_balance, USD',
    meta: { width: '132px', right: true },
    cell: ({ row }) => <Amount value={row.original.total_balance} />,
  },
]
