import { useMemo, useRef, useState } from 'react'
import type { LedgerAccount } from '../../../api/contract/control/ledger.ts'
import { BALANCES, Balance } from '../../components/Balances.tsx'
import { Uid } from '../../components/RecordLink.tsx'
import { Status } from '../../components/Status.tsx'
import { useRoute } from '../../data/route.ts'
import { useNow } from '../../data/use-now.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Row } from '../../ui/Box.tsx'
import { Tag } from '../../ui/Chip.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Caption, Footer, TableArea } from '../../ui/Layout.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { useWidth } from '../../ui/use-width.ts'
import styles from './AccountPane.module.css'
import { BalanceChart } from './BalanceChart.tsx'
import { type ChartRange, findRangeStart } from './balance.ts'
import { buildEntryRows, type Entry, selectColumns } from './entries.tsx'
import { useEntries } from './use-entries.ts'

interface AccountPaneProps {
  readonly account: LedgerAccount
  readonly at: string | undefined
}

const DAY_MS = 86_400_000
const WATCHED = ['synthetic_accounts', 'custodial_accounts', 'transactions', 'tasks']
const idOf = ({ id }: Entry) => id

/** One account: its balances, their chart over simulated time, and its entries. */
export function AccountPane({ account, at }: AccountPaneProps) {
  const { uid } = account
  const { go } = useRoute()
  const today = useNow(DAY_MS)
  const [range, setRange] = useState<ChartRange>('6 weeks')
  const from = findRangeStart(range, at === undefined ? today : Date.parse(at))
  const balances = useQuery(
    'ledger.balances',
    { account_uid: uid, ...(from === undefined ? {} : { from }), ...(at === undefined ? {} : { at }) },
    WATCHED,
    // Another range is another question: the previous chart is shown until it is answered.
    { keeps: true },
  )
  const { lines, total, error, more } = useEntries(uid, at)
  const pending = balances.data?.pending
  const rows = useMemo(() => buildEntryRows(uid, pending ?? [], lines), [uid, pending, lines])
  const [selected, setSelected] = useState<string | null>(null)
  const pane = useRef<HTMLDivElement>(null)
  const width = useWidth(pane)
  const columns = useMemo(() => selectColumns(width, rows), [width, rows])
  const onScroll = (event: React.UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.target as HTMLElement
    if (scrollHeight - scrollTop - clientHeight < 20 * clientHeight) more()
  }
  return (
    <section className={styles.pane} aria-label="Account" ref={pane} data-asset={account.liability ? undefined : ''}>
      <Row as="header" wraps gap="4 12" pad="4 16" least={40} style={{ flex: 'none' }}>
        <h2 className="cut" style={{ font: '600 var(--t-body)' }}>
          <Text>{account.name}</Text>
        </h2>
        <Uid opens={account.book === 'synthetic' ? 'synthetic_accounts' : 'custodial_accounts'}>{uid}</Uid>
        {account.status !== null && <Status word={account.status} />}
        {account.master && <Tag>master</Tag>}
        <Figures account={account} at={at} />
      </Row>
      <div className={styles.chart}>
        <Loaded query={balances} failure="The balance over time could not be read." rows={4}>
          {(data) => (
            <BalanceChart
              name={account.name}
              balances={data}
              range={range}
              onRange={setRange}
              asOf={at !== undefined}
            />
          )}
        </Loaded>
      </div>
      {error !== undefined && <Notice title="Some entries could not be read." error={error} />}
      <TableArea className={styles.entries} onScrollCapture={onScroll}>
        <DataTable
          label={`Entries of ${account.name}, newest first`}
          columns={columns}
          rows={rows}
          idOf={idOf}
          selected={selected}
          onSelect={({ id }) => setSelected(id)}
          onOpen={({ transaction_uid }) => go({ collection: 'transactions', record: transaction_uid })}
          empty={
            total === undefined ? (
              <Skeleton />
            ) : (
              <Caption as="p" className="data soft">
                {at === undefined ? 'No entries yet.' : 'No entries at that time.'} A settled payment creates one.
              </Caption>
            )
          }
        />
        <Footer className={styles.footer}>
          <span>
            {total !== undefined && lines.length < total ? `${formatCount(lines.length)} of ` : ''}
            {plural(total ?? 0, 'entry', 'entries')}
            {pending && pending.length > 0 ? `, ${formatCount(pending.length)} pending` : ''}
          </span>
          <span className="end">newest first · Enter opens the Transaction</span>
        </Footer>
      </TableArea>
    </section>
  )
}

function Figures({ account, at }: AccountPaneProps) {
  const { book, uid, balance, pending, available } = account
  const values = { settled: balance, pending, available }
  return (
    <Row as="dl" wraps gap="0 16" text="data" className={styles.balances} aria-label="Balances">
      {BALANCES.filter(([name]) => values[name] !== null).map(([name]) => (
        <Row key={name} gap={6} least={24}>
          <dt className="meta">{name}</dt>
          <dd style={{ fontWeight: 500 }}>
            <Balance
              of={{ collection: `${book}_accounts`, uid }}
              name={name}
              value={values[name]}
              isPast={at !== undefined || available === null}
              faint
            />
          </dd>
        </Row>
      ))}
    </Row>
  )
}
