import { customerName } from '../../../api/contract/resources/customers.ts'
import { textColumn, timeColumn, uidColumn } from '../../components/list/columns.tsx'
import type { ListColumn } from '../../components/list/model.ts'
import { LockedMark, NamedRecord } from '../../components/list/parts.tsx'
import { Status } from '../../components/Status.tsx'
import type { CustomerSummary } from '../../data/customers.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Text } from '../../ui/Text.tsx'

export const createdAt = ({ created_at }: CustomerSummary) => created_at

export const Null = () => <span className="faint">null</span>

interface Space {
  readonly roomy: boolean
  readonly wide: boolean
}

/** Wider windows have room for the email address, and then for the phone number. */
export const columnsWith = ({ roomy, wide }: Space): readonly ListColumn<CustomerSummary>[] => [
  timeColumn('Created', createdAt),
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 3fr)',
    cell: (row) => <NamedRecord collection="customers" uid={row.uid} name={customerName(row) ?? 'no name yet'} />,
    text: customerName,
  },
  {
    id: 'status',
    header: 'status',
    width: '140px',
    cell: ({ status, locked_at }) => (
      <LockedMark at={locked_at}>
        <Status word={status} />
      </LockedMark>
    ),
    text: ({ status }) => status,
    filterBy: ({ status }) => ['status', status],
  },
  {
    id: 'kyc_status',
    header: 'kyc_status',
    width: '204px',
    cell: ({ kyc_status }) => (kyc_status === null ? <Null /> : <Status word={kyc_status} />),
    text: ({ kyc_status }) => kyc_status,
    filterBy: ({ kyc_status }) => ['kyc_status', kyc_status ?? 'null'],
  },
  {
    id: 'customer_type',
    header: 'customer_type',
    width: '112px',
    optional: true,
    cell: ({ customer_type }) => <span className="soft">{customer_type}</span>,
    text: ({ customer_type }) => customer_type,
  },
  {
    ...textColumn<CustomerSummary>('email', 'minmax(150px, 4fr)', ({ email }) => email),
    hidden: !roomy,
    optional: true,
  },
  {
    ...textColumn<CustomerSummary>('details.phone', '96px', ({ details }) => details.phone, 'phone'),
    hidden: !wide,
    optional: true,
  },
  {
    id: 'external_uid',
    header: 'external_uid',
    width: 'minmax(116px, 2fr)',
    optional: true,
    cell: ({ external_uid }) =>
      external_uid === null ? (
        <Null />
      ) : (
        <span className="mono soft" title={external_uid.slice(0, 255)}>
          <Text>{external_uid}</Text>
        </span>
      ),
    text: ({ external_uid }) => external_uid,
  },
  uidColumn(),
  {
    id: 'total_balance',
    header: 'total_balance, USD',
    width: '128px',
    right: true,
    pinned: true,
    largestFirst: true,
    field: 'total_balance',
    cell: ({ total_balance }) => <Amount value={total_balance} />,
    text: ({ total_balance }) => total_balance,
  },
]
