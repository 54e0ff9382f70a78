import { Lightbulb, SkipForward, Zap } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { createDayTracker } from '../../components/list/day-rows.ts'
import { Method } from '../../components/Method.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import type { ClockJump } from '../../data/feed.ts'
import { formatMilliseconds, plural } from '../../format/numbers.ts'
import { formatShortInstant, newYork } from '../../format/time.ts'
import { cx } from '../../ui/cx.ts'
import type { Column, GroupRow } from '../../ui/DataTable.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './rows.module.css'

/** The requests with rows for days and clock jumps in between. `exchanges` are newest first. */
export function buildRows(exchanges: readonly Exchange[], jumps: readonly ClockJump[]): (Exchange | GroupRow)[] {
  const rows: (Exchange | GroupRow)[] = []
  const remaining = [...jumps]
  let newDay = createDayTracker()
  const addJumpsAfter = (at: string | undefined) => {
    while (remaining[0] && (at === undefined || remaining[0].from >= at)) {
      const jump = remaining.shift()!
      rows.push({ group: `jump ${jump.from} ${jump.to}`, title: <JumpLine jump={jump} /> })
      newDay = createDayTracker()
    }
  }
  for (const exchange of exchanges) {
    addJumpsAfter(exchange.at)
    const day = newDay(exchange.at)
    if (day !== undefined) rows.push({ group: `${day} ${exchange.uid}`, title: day })
    rows.push(exchange)
  }
  return rows
}

function JumpLine({ jump: { from, to, ran } }: { jump: ClockJump }) {
  return (
    <>
      <SkipForward size={12} strokeWidth={1.6} aria-hidden="true" />
      Clock advanced by the operator, {formatShortInstant(Date.parse(from))} to {formatShortInstant(Date.parse(to))};{' '}
      {plural(ran, 'task')} ran
    </>
  )
}

function Marks({ exchange: { hints, fault } }: { exchange: Exchange }) {
  return (
    <span className={cx('wait', styles.marks)}>
      {hints > 0 && (
        <Lightbulb size={13} strokeWidth={1.6} role="img" aria-label={plural(hints, 'hint')}>
          <title>{plural(hints, 'hint')}</title>
        </Lightbulb>
      )}
      {fault !== undefined && (
        <Zap size={13} strokeWidth={1.6} role="img" aria-label={`fault: ${fault}`}>
          <title>{`fault: ${fault}`}</title>
        </Zap>
      )}
    </span>
  )
}

const narrowColumns: readonly Column<Exchange>[] = [
  {
    id: 'time',
    header: 'Time',
    width: '76px',
    cell: (row) => (
      <span className="soft" title={row.at}>
        {newYork(Date.parse(row.at)).time}
      </span>
    ),
  },
  {
    id: 'method',
    header: 'Method',
    width: '62px',
    cell: (row) => (
      <span className="mono">
        <Method name={row.method} />
      </span>
    ),
  },
  {
    id: 'path',
    header: 'Path',
    width: 'minmax(120px, 1fr)',
    cell: (row) => (
      <span className="mono" title={row.path}>
        <Text>{row.path}</Text>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '60px',
    right: true,
    cell: (row) => <StatusCode exchange={row} />,
  },
  {
    id: 'code',
    header: 'Code',
    width: '48px',
    right: true,
    cell: (row) => <span className="bad">{row.code}</span>,
  },
  {
    id: 'ms',
    header: 'ms',
    width: '56px',
    right: true,
    cell: (row) => <span className="soft">{formatMilliseconds(row.ms)}</span>,
  },
  {
    id: 'mark',
    header: 'Mark',
    width: '56px',
    right: true,
    cell: (row) => <Marks exchange={row} />,
  },
]

const resultColumn: Column<Exchange> = {
  id: 'did',
  header: 'Result',
  width: 'var(--inspector)',
  cell: (row) => (
    <span className="soft" title={row.did}>
      <Text>{row.did}</Text>
    </span>
  ),
}

/** The result column is as wide as the inspector, so opening the inspector does not move the other columns. */
export const columns = { alone: [...narrowColumns, resultColumn], withInspector: narrowColumns } as const
