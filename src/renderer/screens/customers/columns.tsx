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

/** Wide windows have room for the e-mail address, too. */
export const columnsWith = (roomy: boolean): readonly ListColumn<CustomerSummary>[] => [
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
    width: '108px',
    cell: ({ customer_type }) => <span className="soft">{customer_type}</span>,
    text: ({ customer_type }) => customer_type,
  },
  { ...textColumn<CustomerSummary>('email', 'minmax(124px, 2fr)', ({ email }) => email), hidden: !roomy },
  {
    id: 'external_uid',
    header: 'external_uid',
    width: 'minmax(112px, 2fr)',
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
