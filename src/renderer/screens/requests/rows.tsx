import { Lightbulb, SkipForward, Zap } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { dayChanges } from '../../components/list/day-rows.ts'
import { Method } from '../../components/Method.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import type { ClockJump } from '../../data/feed.ts'
import { formatMilliseconds, plural } from '../../format/numbers.ts'
import { formatShortInstant, newYork } from '../../format/time.ts'
import { cx } from '../../ui/cx.ts'
import type { Column, GroupRow } from '../../ui/DataTable.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './rows.module.css'

/** Days and jumps of the clock stand between the requests, as rows of their own. `exchanges` are newest first. */
export function rowsOf(exchanges: readonly Exchange[], jumps: readonly ClockJump[]): (Exchange | GroupRow)[] {
  const rows: (Exchange | GroupRow)[] = []
  const left = [...jumps]
  let newDay = dayChanges()
  const jumpsAfter = (at: string | undefined) => {
    while (left[0] && (at === undefined || left[0].from >= at)) {
      const jump = left.shift()!
      rows.push({ group: `jump ${jump.from} ${jump.to}`, title: <JumpLine jump={jump} /> })
      newDay = dayChanges()
    }
  }
  for (const exchange of exchanges) {
    jumpsAfter(exchange.at)
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

const narrow: readonly Column<Exchange>[] = [
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

const did: Column<Exchange> = {
  id: 'did',
  header: 'What it did, or why it was refused',
  width: 'var(--inspector)',
  cell: (row) => (
    <span className="soft" title={row.did}>
      <Text>{row.did}</Text>
    </span>
  ),
}

/** The last column has the width of the inspector: opening it moves nothing else. */
export const columns = { alone: [...narrow, did], withInspector: narrow } as const
