import type { Transaction } from '../../../api/contract/resources/transactions.ts'
import { ALL_COLLECTIONS, type LoadedRecordProps, textField } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { recordName } from '../../data/records.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCount } from '../../format/text.ts'
import { Caption, Section } from '../../ui/Layout.tsx'
import { EmptyLine, Loaded } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, RowTime } from '../../ui/Text.tsx'

const columns: readonly TableColumn<Transaction>[] = [
  {
    label: 'Time',
    width: 80,
    cell: ({ created_at }, above) => <RowTime at={created_at} above={above?.created_at} />,
  },
  {
    label: 'Payment',
    cell: (payment) => (
      <RecordLink collection="transactions" uid={payment.uid}>
        {recordName(payment)}
      </RecordLink>
    ),
  },
  { label: 'Amount', width: 114, right: true, cell: (payment) => <Amount value={payment.us_dollar_amount} movement /> },
  { label: 'Status', width: 180, cell: ({ status }) => <Status word={status} /> },
]

const MAX_SHOWN = 20

/** The settings of the Program that say how long a payment to a VRN waits, and how it ends. */
const RULES = [
  'client_authorization',
  'authorization_hours',
  'unanswered_authorization',
  'vrn_cooldown_minutes',
] as const

/** The newest payments to a VRN, and the rule of its window. */
export function VrnPayments({ uid, fields }: LoadedRecordProps) {
  const program = useProgram()
  const settings = useQuery('records.get', program ? { collection: 'programs', uid: program.uid } : null, ['programs'])
  const asked = {
    collection: 'transactions',
    destination_synthetic_account_uid: [textField(fields, 'synthetic_account_uid')],
    ranges: [{ field: 'virtual_reference_number_uid', from: uid, to: uid }],
    limit: MAX_SHOWN,
    program_uid: textField(fields, 'program_uid') ?? program?.uid,
  }
  const query = useQuery('records.list', program ? asked : null, ALL_COLLECTIONS, { keeps: true })
  const total = query.data?.total_count ?? 0
  return (
    <Section
      title="Payments"
      note={total > MAX_SHOWN ? `the newest ${MAX_SHOWN} of ${formatCount(total)}` : 'newest first'}
    >
      <Caption as="p" className="meta">
        <ScreenLink screen="settings">Rule of its window</ScreenLink>
        <span className="wrap">{RULES.map((name) => `${name} ${settings.data?.[name] ?? ''}`).join(' · ')}</span>
      </Caption>
      <Loaded query={query} failure="The payments could not be read." rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyLine>No payment has arrived on this VRN.</EmptyLine>
          ) : (
            <RowTable columns={columns} rows={data as unknown as Transaction[]} keyOf={(payment) => payment.uid} />
          )
        }
      </Loaded>
    </Section>
  )
}
