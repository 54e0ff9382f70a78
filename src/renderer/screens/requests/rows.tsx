import { Lightbulb, SkipForward, Undo2, Zap } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { createDayTracker } from '../../components/list/day-rows.ts'
import type { ListColumn } from '../../components/list/model.ts'
import { Method } from '../../components/Method.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import type { ClockJump } from '../../data/feed.ts'
import { formatReplacement } from '../../format/commits.ts'
import { formatMilliseconds, plural } from '../../format/numbers.ts'
import { formatIsoDate, formatShortInstant, newYork, realTime } from '../../format/time.ts'
import { cx } from '../../ui/cx.ts'
import type { GroupRow } from '../../ui/DataTable.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './rows.module.css'

/** The requests with rows for days and clock jumps in between. `exchanges` are newest first. */
export function buildRows(exchanges: readonly Exchange[], jumps: readonly ClockJump[]): (Exchange | GroupRow)[] {
  const rows: (Exchange | GroupRow)[] = []
  const remaining = [...jumps]
  let newDay = createDayTracker()
  const addJumpsAfter = (seq: number) => {
    while (remaining[0] && remaining[0].seq > seq) {
      const jump = remaining.shift()!
      rows.push({ group: `jump ${jump.seq}`, title: <JumpLine jump={jump} /> })
      newDay = createDayTracker()
    }
  }
  for (const exchange of exchanges) {
    addJumpsAfter(exchange.seq_after)
    const day = newDay(exchange.at)
    if (day !== undefined) rows.push({ group: `${day} ${exchange.uid}`, title: day })
    rows.push(exchange)
  }
  return rows
}

function JumpLine({ jump: { from, to, ran, left } }: { jump: ClockJump }) {
  return (
    <>
      <SkipForward size={12} strokeWidth={1.6} aria-hidden="true" />
      Clock advanced by the operator, {formatShortInstant(Date.parse(from))} to {formatShortInstant(Date.parse(to))}
      {ran !== null && `; ${plural(ran, 'task')} ran`}
      {left && ' (undone)'}
    </>
  )
}

const describeUndone = ({ undone_by }: Exchange) => (undone_by ? `undone by ${formatReplacement(undone_by)}` : '')

function Marks({ exchange }: { exchange: Exchange }) {
  const { hints, fault, undone_by } = exchange
  return (
    <span className={cx('wait', styles.marks)}>
      {undone_by && (
        <Undo2 size={13} strokeWidth={1.6} role="img" aria-label={describeUndone(exchange)}>
          <title>{describeUndone(exchange)}</title>
        </Undo2>
      )}
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

type RequestColumn = ListColumn<Exchange>

const narrowColumns: readonly RequestColumn[] = [
  {
    id: 'time',
    text: ({ at }) => at,
    largestFirst: true,
    alone: {
      width: '138px',
      cell: ({ at }) => (
        <span className="soft" title={at}>
          {formatIsoDate(Date.parse(at))} {newYork(Date.parse(at)).time.slice(0, 5)}
        </span>
      ),
    },
    header: 'Time',
    width: '78px',
    cell: (row) => (
      <span className="soft" title={row.at}>
        {newYork(Date.parse(row.at)).time}
      </span>
    ),
  },
  {
    id: 'method',
    text: ({ method }) => method,
    filterBy: ({ method }) => ['method', method],
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
    text: ({ path }) => path,
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
    text: ({ status }) => String(status),
    sortBy: ({ status }) => status,
    largestFirst: true,
    header: 'Status',
    width: '84px',
    right: true,
    cell: (row) => <StatusCode exchange={row} />,
  },
  {
    id: 'code',
    text: ({ code }) => (code === null ? null : String(code)),
    sortBy: ({ code }) => code,
    header: 'Code',
    width: '48px',
    right: true,
    cell: (row) => <span className="bad">{row.code}</span>,
  },
  {
    id: 'ms',
    text: ({ ms }) => String(ms),
    sortBy: ({ ms }) => ms,
    largestFirst: true,
    header: 'ms',
    width: '56px',
    right: true,
    cell: (row) => <span className="soft">{formatMilliseconds(row.ms)}</span>,
  },
  {
    id: 'mark',
    text: (row) =>
      [describeUndone(row), row.hints > 0 ? plural(row.hints, 'hint') : '', row.fault ?? ''].filter(Boolean).join(', '),
    sortBy: ({ hints, fault, undone_by }) => hints + (fault === undefined ? 0 : 1) + (undone_by ? 1 : 0),
    largestFirst: true,
    header: 'Mark',
    width: '56px',
    right: true,
    cell: (row) => <Marks exchange={row} />,
  },
]

/** The real time in the time zone of this computer, to match the log of an app. */
const realTimeColumn: RequestColumn = {
  id: 'received_at',
  text: ({ received_at }) => received_at,
  largestFirst: true,
  header: 'Real time',
  width: '150px',
  right: true,
  cell: ({ received_at }) => {
    if (received_at === undefined) return <span className="faint">–</span>
    const { day, time } = realTime(Date.parse(received_at))
    return (
      <span className="soft" title={received_at}>
        <span className="faint">{day}</span> {time}
      </span>
    )
  },
}

const resultColumn: RequestColumn = {
  id: 'did',
  text: ({ did }) => did,
  header: 'Result',
  width: 'minmax(160px, calc(var(--inspector) - var(--real-time)))',
  cell: (row) => (
    <span className="soft" title={row.did}>
      <Text>{row.did}</Text>
    </span>
  ),
}

/**
 * The real time and the result are together as wide as the inspector, so opening it does not move the other columns.
 * `isWide`: there is space for the real time.
 */
export const requestColumns = (hasInspector: boolean, isWide: boolean): readonly RequestColumn[] => [
  ...narrowColumns,
  { ...realTimeColumn, hidden: hasInspector || !isWide },
  { ...resultColumn, hidden: hasInspector },
]

/** How much of the width of the inspector the real time takes. */
export const realTimeWidth = (visible: readonly RequestColumn[]) =>
  visible.some(({ id }) => id === realTimeColumn.id) ? realTimeColumn.width : '0px'
