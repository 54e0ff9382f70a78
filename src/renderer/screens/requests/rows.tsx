import { Lightbulb, SkipForward, Undo2, Zap } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { textColumn, timeColumn } from '../../components/list/columns.tsx'
import { createDayTracker } from '../../components/list/day-rows.ts'
import type { ListColumn } from '../../components/list/model.ts'
import { Method } from '../../components/Method.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { type ClockJump, isRefused } from '../../data/feed.ts'
import { formatUndoneBy } from '../../format/commits.ts'
import { formatMilliseconds, formatShortInstant, plural, realTime } from '../../format/text.ts'
import type { GroupRow } from '../../ui/DataTable.tsx'
import { Row } from '../../ui/Layout.tsx'
import { Glyph, Text } from '../../ui/Text.tsx'

/** What the request log marks: in its rows, its filters and its legend. */

export type MarkName = 'refused' | 'hints' | 'undone' | 'faults'

interface Mark {
  /** The address parameter that filters by it. */
  readonly name: MarkName
  readonly label: string
  readonly one: string
  readonly signal: 'bad' | 'wait'
  readonly Icon: (props: { readonly size?: number }) => React.ReactNode
  /** Shown in the filters and the legend even if no request has it. */
  readonly isUsual: boolean
  readonly isOn: (exchange: Exchange) => boolean
  /** In the column of marks. */
  readonly describe?: (exchange: Exchange) => string
}

const ICON = { strokeWidth: 1.6, 'aria-hidden': true } as const

export const MARKS: readonly Mark[] = [
  {
    name: 'refused',
    label: 'Refused',
    one: 'refused',
    signal: 'bad',
    isUsual: true,
    isOn: isRefused,
    Icon: () => <Glyph name="broken" />,
  },
  {
    name: 'hints',
    label: 'Hints',
    one: 'hint',
    signal: 'wait',
    isUsual: true,
    Icon: ({ size = 12 }) => <Lightbulb size={size} {...ICON} />,
    isOn: ({ hints }) => hints > 0,
    describe: ({ hints }) => plural(hints, 'hint'),
  },
  {
    name: 'undone',
    label: 'Undone',
    one: 'undone',
    signal: 'wait',
    isUsual: false,
    Icon: ({ size = 12 }) => <Undo2 size={size} {...ICON} />,
    isOn: ({ undone_by }) => undone_by !== undefined,
    describe: ({ undone_by }) => (undone_by ? `undone by ${formatUndoneBy(undone_by)}` : ''),
  },
  {
    name: 'faults',
    label: 'Faults',
    one: 'fault',
    signal: 'wait',
    isUsual: false,
    Icon: ({ size = 12 }) => <Zap size={size} {...ICON} />,
    isOn: ({ fault }) => fault !== undefined,
    describe: ({ fault }) => `fault: ${fault}`,
  },
]

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

/** The marks of a request in its row. */
const marksOf = (exchange: Exchange) =>
  MARKS.flatMap(({ name, Icon, isOn, describe }) =>
    describe && isOn(exchange) ? [{ name, Icon, text: describe(exchange) }] : [],
  )

type RequestColumn = ListColumn<Exchange>

export const methodColumn: ListColumn<Pick<Exchange, 'method'>> = {
  id: 'method',
  header: 'Method',
  width: '62px',
  text: ({ method }) => method,
  cell: ({ method }) => (
    <span className="mono">
      <Method name={method} />
    </span>
  ),
}

export const pathColumn: ListColumn<Pick<Exchange, 'path'>> = {
  id: 'path',
  header: 'Path',
  width: 'minmax(120px, 1fr)',
  text: ({ path }) => path,
  cell: ({ path }) => (
    <span className="mono" title={path}>
      <Text>{path}</Text>
    </span>
  ),
}

/** A figure of a request: the largest one is first. */
const figure = (
  id: 'status' | 'code' | 'ms',
  header: string,
  width: string,
  cell: (row: Exchange) => React.ReactNode,
): RequestColumn => ({
  id,
  header,
  width,
  cell,
  right: true,
  largestFirst: id !== 'code',
  text: ({ [id]: value }) => (value === null ? null : String(value)),
  sortBy: ({ [id]: value }) => value,
})

const narrowColumns: readonly RequestColumn[] = [
  timeColumn('Time', 'at', 'time'),
  { ...methodColumn, filterBy: ({ method }) => ['method', method] },
  pathColumn,
  figure('status', 'Status', '84px', (row) => <StatusCode exchange={row} />),
  figure('code', 'Code', '48px', ({ code }) => <span className="bad">{code}</span>),
  figure('ms', 'ms', '56px', ({ ms }) => <span className="soft">{formatMilliseconds(ms)}</span>),
  {
    id: 'mark',
    text: (row) =>
      marksOf(row)
        .map(({ text }) => text)
        .join(', '),
    sortBy: (row) => marksOf(row).length,
    largestFirst: true,
    header: 'Mark',
    width: '56px',
    right: true,
    cell: (row) => (
      <Row as="span" gap={4} tone="wait" style={{ justifyContent: 'flex-end' }}>
        {marksOf(row).map(({ name, Icon, text }) => (
          <span key={name} role="img" aria-label={text} title={text}>
            <Icon size={13} />
          </span>
        ))}
      </Row>
    ),
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

const resultColumn = textColumn<Exchange, void>(
  ({ did }) => did,
  'minmax(160px, calc(var(--inspector) - var(--real-time)))',
  { id: 'did', header: 'Result' },
)

/**
 * The real time and the result are together as wide as the inspector, so opening it does not move the other columns.
 * `isWide`: there is space for the real time. `hasResult`: there is space for the result beside the inspector.
 */
export const requestColumns = (
  hasInspector: boolean,
  isWide: boolean,
  hasResult: boolean,
): readonly RequestColumn[] => [
  ...narrowColumns,
  { ...realTimeColumn, hidden: hasInspector || !isWide },
  hasInspector ? { ...resultColumn, width: 'minmax(160px, 1fr)', hidden: !hasResult } : resultColumn,
]

/** How much of the width of the inspector the real time takes. */
export const realTimeWidth = (visible: readonly RequestColumn[]) =>
  visible.some(({ id }) => id === realTimeColumn.id) ? realTimeColumn.width : '0px'
