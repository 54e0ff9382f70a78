import { SquareArrowOutUpRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { LedgerAccount, LedgerLine, LedgerParty, PendingEntry } from '../../../api/contract/control/ledger.ts'
import { BALANCES, Balance } from '../../components/Balances.tsx'
import { BalanceOver, useBalances } from '../../components/balance/BalanceChart.tsx'
import { Uid } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { useRoute } from '../../data/route.ts'
import { formatCount, formatDateTime, formatLongDay, newYork, plural } from '../../format/text.ts'
import { amountTrack } from '../../ui/amount-width.ts'
import { Tag } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Caption, Footer, Row, TableArea } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Amount, Glyph, Text } from '../../ui/Text.tsx'
import { useWidth } from '../../ui/use-width.ts'
import styles from './AccountPane.module.css'
import { useEntries } from './use-ledger.ts'

interface AccountPaneProps {
  readonly account: LedgerAccount
  readonly at: string | undefined
}

const idOf = ({ id }: Entry) => id

/** One account: its balances, their chart over simulated time, and its entries. */
export function AccountPane({ account, at }: AccountPaneProps) {
  const { uid } = account
  const { go } = useRoute()
  const balances = useBalances(uid, at)
  const { lines, total, error, more } = useEntries(uid, at)
  const pending = balances.query.data?.pending
  const rows = useMemo(() => buildEntryRows(uid, pending ?? [], lines), [uid, pending, lines])
  const [selected, setSelected] = useState<string | null>(null)
  const pane = useRef<HTMLElement>(null)
  const width = useWidth(pane)
  const columns = useMemo(() => selectColumns(width, rows), [width, rows])
  const onScroll = (event: React.UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.target as HTMLElement
    if (scrollHeight - scrollTop - clientHeight < 20 * clientHeight) more()
  }
  return (
    <TableArea
      as="section"
      className={styles.pane}
      aria-label="Account"
      ref={pane}
      data-asset={account.liability ? undefined : ''}
    >
      <Row as="header" wraps gap="4 12" pad="4 16" least={40} style={{ flex: 'none' }}>
        <h2 className="cut" style={{ font: '600 var(--t-body)' }}>
          <Text>{account.name}</Text>
        </h2>
        <Uid opens={account.book === 'synthetic' ? 'synthetic_accounts' : 'custodial_accounts'}>{uid}</Uid>
        {account.status !== null && <Status word={account.status} />}
        {account.master && <Tag>master</Tag>}
        <Figures account={account} at={at} />
      </Row>
      <BalanceOver name={account.name} of={balances} />
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
        <Footer>
          <span>
            {total !== undefined && lines.length < total ? `${formatCount(lines.length)} of ` : ''}
            {plural(total ?? 0, 'entry', 'entries')}
            {pending && pending.length > 0 ? `, ${formatCount(pending.length)} pending` : ''}
          </span>
          <span className="end">newest first · Enter opens the Transaction</span>
        </Footer>
      </TableArea>
    </TableArea>
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

/** One posting on one account. */
interface Entry {
  readonly id: string
  readonly transaction_uid: string
  readonly account_uid: string
  readonly at: string
  readonly pending: boolean
  readonly type: string
  readonly source: LedgerParty
  readonly destination: LedgerParty
  readonly purpose: string
  readonly amount: string
  readonly running: string | undefined
}

const toEntry = ({ uid, running, ...line }: LedgerLine): Entry => ({ ...line, id: uid, pending: false, running })
const toPendingEntry = (entry: PendingEntry, account_uid: string): Entry => ({
  ...entry,
  id: `pending ${entry.transaction_uid}`,
  account_uid,
  at: entry.created_at,
  pending: true,
  running: undefined,
})

/** Pending entries come first, without a running balance; then the lines, grouped by day. */
export function buildEntryRows(
  account_uid: string,
  pending: readonly PendingEntry[],
  lines: readonly LedgerLine[],
): (Entry | GroupRow)[] {
  const rows: (Entry | GroupRow)[] = []
  if (pending.length > 0) {
    const title = (
      <>
        <Glyph name="under-way" /> Pending, not in the running balance
      </>
    )
    rows.push({ group: 'pending', title }, ...pending.map((entry) => toPendingEntry(entry, account_uid)))
  }
  let day = ''
  for (const line of lines) {
    const lineDay = formatLongDay(Date.parse(line.at))
    if (lineDay !== day) rows.push({ group: `${lineDay} ${line.uid}`, title: lineDay })
    day = lineDay
    rows.push(toEntry(line))
  }
  return rows
}

/** A party of an entry; the account of the entry itself is faint. */
function Party({ entry, side }: { entry: Entry; side: 'source' | 'destination' }) {
  const party = entry[side]
  return (
    <span className={party.uid === entry.account_uid ? 'faint' : undefined} title={party.name.slice(0, 255)}>
      <Text>{party.name}</Text>
      {party.outside && (
        <span
          className="faint"
          style={{ marginLeft: 4 }}
          role="img"
          aria-label="external: no account in this sandbox"
          title="external: no account in this sandbox"
        >
          <SquareArrowOutUpRight size={10} strokeWidth={1.6} style={{ verticalAlign: -1 }} aria-hidden="true" />
        </span>
      )}
    </span>
  )
}

/**
 * A medium width drops the purpose, which mostly repeats the parties; the Transaction has it. A small width puts both
 * parties into one column.
 */
export function selectColumns(width: number, rows: readonly (Entry | GroupRow)[]): readonly Column<Entry>[] {
  const selected = width === 0 || width >= 1040 ? columns : width >= 820 ? withoutPurpose : withMergedSides
  const fitted = fitWidths(rows.filter((row): row is Entry => !('group' in row)))
  return selected.map((column) => ({ ...column, width: fitted[column.id] ?? column.width }))
}

/** No time, type or amount is cut, and the parties have the rest. */
function fitWidths(entries: readonly Entry[]): Readonly<Record<string, string>> {
  const [amounts, balances] = [entries.map(({ amount }) => amount), entries.map(({ running }) => running)]
  return {
    at: entries.some(({ pending }) => pending) ? '108px' : '80px',
    type: entries.some(({ type }) => type.length > 'instant_payment'.length) ? '140px' : '112px',
    amount: amountTrack(amounts, { least: 96, isMovement: true }),
    running: amountTrack(balances, { padding: 24, least: 104 }),
  }
}

const columns: readonly Column<Entry>[] = [
  {
    id: 'at',
    header: 'Settled',
    width: '108px',
    cell: (entry) => (
      <span className="soft" title={entry.at}>
        {entry.pending ? formatDateTime(Date.parse(entry.at)).slice(0, -3) : newYork(Date.parse(entry.at)).time}
      </span>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    width: '140px',
    cell: (row) => <span title={row.type}>{row.type}</span>,
  },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(84px, 3fr)',
    cell: (entry) => <Party entry={entry} side="source" />,
  },
  {
    id: 'destination',
    header: 'Destination',
    width: 'minmax(84px, 3fr)',
    cell: (entry) => <Party entry={entry} side="destination" />,
  },
  {
    id: 'purpose',
    header: 'For',
    width: 'minmax(72px, 3fr)',
    cell: (row) => (
      <span className="soft" title={row.purpose.slice(0, 255)}>
        <Text>{row.purpose}</Text>
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '114px',
    right: true,
    cell: (entry) => <Amount value={entry.amount} movement pending={entry.pending} />,
  },
  {
    id: 'running',
    header: 'Balance',
    width: '130px',
    right: true,
    cell: (row) => <Amount value={row.running} />,
  },
]

const sidesColumn: Column<Entry> = {
  id: 'sides',
  header: 'Source → Destination',
  width: 'minmax(120px, 6fr)',
  cell: (entry) => (
    <span
      className={styles.sides}
      title={`${entry.source.name.slice(0, 120)} → ${entry.destination.name.slice(0, 120)}`}
    >
      <Party entry={entry} side="source" />
      <span className={cx('faint', styles.arrow)} role="img" aria-label="to">
        →
      </span>
      <Party entry={entry} side="destination" />
    </span>
  ),
}

const withoutPurpose = columns.filter(({ id }) => id !== 'purpose')
const withMergedSides = withoutPurpose.flatMap((column) =>
  column.id === 'source' ? [sidesColumn] : column.id === 'destination' ? [] : [column],
)
