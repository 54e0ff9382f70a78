import { useState } from 'react'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { BalanceOver, useBalances } from '../../components/balance/BalanceChart.tsx'
import { ALL_COLLECTIONS, type LoadedRecordProps, textField } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, truncate } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Section } from '../../ui/Layout.tsx'
import { Loaded } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, RowTime } from '../../ui/Text.tsx'

const columns: readonly TableColumn<LedgerLine>[] = [
  { label: 'Time', width: 80, cell: ({ at }, above) => <RowTime at={at} above={above?.at} /> },
  {
    label: 'Description',
    cell: ({ transaction_uid, description }) => (
      <RecordLink collection="transactions" uid={transaction_uid}>
        {truncate(description)}
      </RecordLink>
    ),
  },
  { label: 'Amount', width: 114, right: true, cell: ({ amount }) => <Amount value={amount} movement /> },
  { label: 'Balance', width: 130, right: true, cell: ({ running }) => <Amount value={running} /> },
]

/** The balance of an account over time, and its line items with the balance after each. */
export function LineItems({ collection, uid, fields }: LoadedRecordProps) {
  const [book] = collection.split('_') as ['synthetic' | 'custodial']
  const [limit, setLimit] = useState(20)
  const balances = useBalances(uid)
  const program_uid = textField(fields, 'program_uid')
  const asked = { book, account_uid: uid, limit, ...(program_uid === null ? {} : { program_uid }) }
  const query = useQuery('ledger.lines', asked, ALL_COLLECTIONS, { keeps: true })
  const total = query.data?.total_count ?? 0
  return (
    <>
      <BalanceOver name={textField(fields, 'name') ?? uid} of={balances} />
      <Section
        title="Line items"
        note={total > 0 ? 'newest first' : query.data && 'none yet'}
        end={
          <ScreenLink collection={`${book}_line_items`} params={{ [`${book}_account_uid`]: [uid] }}>
            All {formatCount(total)}
          </ScreenLink>
        }
      >
        <Loaded query={query} failure="The line items could not be read." rows={3}>
          {({ data }) => data.length > 0 && <RowTable columns={columns} rows={data} keyOf={(line) => line.uid} />}
        </Loaded>
        {limit < total && (
          <Caption as="p">
            <Button small onClick={() => setLimit(Math.min(1_000, limit * 5))}>
              Show older
            </Button>
          </Caption>
        )}
      </Section>
    </>
  )
}
