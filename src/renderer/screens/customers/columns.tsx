import { customerName } from '../../../api/contract/resources/customers.ts'
import { type Col, NamedRecord, timeCol, uidCol } from '../../components/list/kind.tsx'
import { LockedMark } from '../../components/list/parts.tsx'
import { Status } from '../../components/Status.tsx'
import type { CustomerSummary } from '../../data/customers.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Text } from '../../ui/Text.tsx'

export const createdAt = ({ created_at }: CustomerSummary) => created_at

export const Null = () => <span className="faint">null</span>

export const cols: readonly Col<CustomerSummary>[] = [
  timeCol('Created', createdAt),
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(164px, 3fr)',
    draw: (row) => <NamedRecord collection="customers" uid={row.uid} name={customerName(row) ?? 'no name yet'} />,
    text: customerName,
  },
  {
    id: 'status',
    header: 'status',
    width: '140px',
    draw: ({ status, locked_at }) => (
      <LockedMark at={locked_at}>
        <Status word={status} />
      </LockedMark>
    ),
    text: ({ status }) => status,
  },
  {
    id: 'kyc_status',
    header: 'kyc_status',
    width: '188px',
    draw: ({ kyc_status }) => (kyc_status === null ? <Null /> : <Status word={kyc_status} />),
    text: ({ kyc_status }) => kyc_status,
  },
  {
    id: 'customer_type',
    header: 'customer_type',
    width: '112px',
    draw: ({ customer_type }) => <span className="soft">{customer_type}</span>,
    text: ({ customer_type }) => customer_type,
  },
  {
    id: 'external_uid',
    header: 'external_uid',
    width: 'minmax(124px, 2fr)',
    draw: ({ external_uid }) =>
      external_uid === null ? (
        <Null />
      ) : (
        <span className="mono soft" title={external_uid.slice(0, 255)}>
          <Text>{external_uid}</Text>
        </span>
      ),
    text: ({ external_uid }) => external_uid,
  },
  uidCol(),
  {
    id: 'total_balance',
    header: 'total_balance, USD',
    width: '128px',
    right: true,
    draw: ({ total_balance }) => <Amount value={total_balance} />,
    text: ({ total_balance }) => total_balance,
  },
]
