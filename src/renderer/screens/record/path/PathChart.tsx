import { useMemo, useRef } from 'react'
import type { PathPayment, PathState, PaymentPath } from '../../../../api/contract/control/payments.ts'
import { machines } from '../../../../api/contract/machines.ts'
import { edgesFrom } from '../../../components/StateDiagram.tsx'
import { signalOfGlyph, statusGlyphs } from '../../../components/Status.tsx'
import { formatAmount, formatDateTime, formatInstant, newYork } from '../../../format/text.ts'
import { Glyph } from '../../../ui/Text.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { CLOSED_WIDTH, type Day, positionOnScale } from './days.ts'

const ROW = 24
const BAR = 12
const AXIS = 36
const STATE_PX = 176
const TIME_PX = 118
const MIN_BAR = 3
const TIME_LABEL_PX = 38
const HOLIDAY_PX = 41

interface PathChartProps {
  readonly path: PaymentPath
  readonly groups: readonly PathGroup[]
}

/** The states of a payment over banking days: passed ones are solid, possible next ones outlined. The table has the same facts. */
export function PathChart({ path, groups }: PathChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const left = STATE_PX + TIME_PX
  const chart = Math.max(0, width - left - 1)
  const scale = useMemo(() => scaleOf(path, chart), [path, chart])
  let y = AXIS
  const places = groups.map(({ key, title, rows }) => {
    const top = y
    y += (title === null ? 0 : ROW) + rows.length * ROW
    return { key, title, top, rows: rows.map((row, i) => ({ row, top: top + (i + (title === null ? 0 : 1)) * ROW })) }
  })
  const now = Date.parse(path.now)
  const isNowShown = now >= Date.parse(path.from) && now <= endOfScale(path)
  return (
    <div ref={box} style={{ minWidth: 0, overflow: 'hidden' }}>
      {width > 0 && (
        <svg style={CHART} role="img" aria-label={describe(groups)} width={width} height={y + 4} data-path>
          <g transform={`translate(${left} 0)`}>
            <Axis path={path} scale={scale} width={chart} height={y} />
            {isNowShown && (
              <g stroke="var(--accent)" strokeWidth={1.5}>
                <line x1={scale.x(now)} x2={scale.x(now)} y1={AXIS - 4} y2={y} />
                <title>{`now: ${formatInstant(now)}`}</title>
              </g>
            )}
          </g>
          {places.map(({ key, title, top, rows }) => (
            <g key={key}>
              {title !== null && (
                <text fontWeight={500} x={0} y={top + 17}>
                  {title}
                </text>
              )}
              {rows.map(({ row, top: at }) => (
                <Row key={keyOfRow(row)} row={row} top={at} left={left} scale={scale} now={now} />
              ))}
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}

const endOfScale = ({ days, until }: PaymentPath) => Math.max(Date.parse(until), Date.parse(days.at(-1)?.end ?? until))

/** Days or times, and the times of the rail. */
function Axis({ path, scale, width, height }: { path: PaymentPath; scale: Scale; width: number; height: number }) {
  const hatch = 'path-closed'
  let labelled = Number.NEGATIVE_INFINITY
  return (
    <>
      <defs>
        <pattern id={hatch} width="5.6" height="5.6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line stroke="var(--hatch)" strokeWidth={2.4} x1="0" x2="0" y1="0" y2="6" />
        </pattern>
      </defs>
      {scale.bands.map((band) => (
        <g key={band.left} data-day={band.closed ? 'closed' : ''}>
          {band.title && <title>{band.title}</title>}
          {band.closed && <rect x={band.left} y={0} width={band.width} height={height} fill={`url(#${hatch})`} />}
          <line stroke="var(--line)" x1={band.left} x2={band.left} y1={0} y2={height} />
          <text style={SMALL} x={band.left + 4} y={13}>
            {band.label}
          </text>
          {band.isHoliday && band.width >= HOLIDAY_PX && (
            <text style={SMALL} x={band.left + 4} y={27}>
              Holiday
            </text>
          )}
        </g>
      ))}
      <line stroke="var(--line)" x1={width} x2={width} y1={0} y2={height} />
      {path.times.map(({ at, name }) => {
        const ms = Date.parse(at)
        const x = scale.x(ms)
        const hasRoom = x - labelled >= TIME_LABEL_PX && x <= width - TIME_LABEL_PX / 2 && x >= TIME_LABEL_PX / 2
        if (hasRoom) labelled = x
        const settles = /settlement/.test(name)
        return (
          <g key={`${at} ${name}`} data-time={settles ? 'settles' : 'cut-off'}>
            <title>{`${name}: ${formatInstant(ms)}`}</title>
            <line
              stroke="var(--ink-3)"
              strokeDasharray={settles ? '1 3' : '4 3'}
              x1={x}
              x2={x}
              y1={AXIS - 6}
              y2={height}
            />
            {hasRoom && (
              <text style={SMALL} x={x} y={AXIS - 9} textAnchor="middle">
                {newYork(ms).time.slice(0, 5)}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

const CHART = { display: 'block', font: 'var(--t-data)', fill: 'var(--ink)' } as const
const SMALL = { font: 'var(--t-meta)', fontSize: 10.5, fill: 'var(--ink-3)' } as const

type Kind = PathRow['kind']
const isAhead = (kind: Kind) => kind === 'scheduled' || kind === 'possible'

/** The name of the color of a row, and of its bar. */
const colorOf = (kind: Kind, signal: ReturnType<typeof signalOfGlyph>) =>
  signal === 'wait' || signal === 'bad' ? signal : kind === 'current' ? 'accent' : 'ink-2'

/** How the state of a row is drawn: passed ones are filled, and those ahead outlined. */
const pillOf = (kind: Kind, color: string): React.SVGAttributes<SVGRectElement> =>
  kind === 'current'
    ? { fill: `var(--${color}-wash)`, stroke: `var(--${color})`, strokeWidth: 1.5 }
    : isAhead(kind)
      ? { fill: 'none', stroke: 'var(--edge)', strokeDasharray: kind === 'possible' ? '3 3' : undefined }
      : { fill: 'var(--ink-2)', fillOpacity: 0.12 }

function Row({ row, top, left, scale, now }: { row: PathRow; top: number; left: number; scale: Scale; now: number }) {
  const { state, kind, from, until, isEnd } = row
  const shape = statusGlyphs[state] ?? 'under-way'
  const signal = signalOfGlyph(shape, state)
  const color = colorOf(kind, signal)
  const mark = `var(--${signal === 'soft' ? 'ink-2' : color})`
  const middle = top + ROW / 2
  return (
    <g data-kind={kind} data-signal={signal} data-state={state} style={{ color: 'var(--ink-2)' }}>
      <title>{sentence(row)}</title>
      <rect {...pillOf(kind, color)} x={0.5} y={top + 2.5} width={STATE_PX - 8} height={ROW - 5} rx="3" />
      <Glyph name={shape} x={8} y={middle - 5} />
      <text
        x={24}
        y={middle + 4}
        fill={isAhead(kind) ? 'var(--ink-2)' : undefined}
        fontWeight={kind === 'current' ? 600 : undefined}
      >
        {state}
      </text>
      <text fill="var(--ink-2)" x={STATE_PX} y={middle + 4}>
        {timeOf(row)}
      </text>
      {from !== null && (
        <g transform={`translate(${left} 0)`}>
          {isEnd ? (
            <circle
              fill={kind === 'scheduled' ? 'var(--paper)' : mark}
              stroke={mark}
              cx={scale.x(from)}
              cy={middle}
              r={5}
            />
          ) : (
            drawBar(kind, from, until ?? Math.max(now, from), { now, mark, scale, y: middle })
          )}
        </g>
      )}
    </g>
  )
}

/** The current state is solid until now, and outlined until it is scheduled to end. `y` is its middle, `mark` its color. */
function drawBar(
  kind: Kind,
  from: number,
  until: number,
  { now, mark, scale, y }: { now: number; mark: string; scale: Scale; y: number },
) {
  const split = kind === 'current' ? Math.min(Math.max(now, from), until) : kind === 'scheduled' ? from : until
  const [a, b, c] = [scale.x(from), scale.x(split), scale.x(until)]
  const bar = (x: number, end: number, part: 'solid' | 'outlined') => (
    <rect
      fill={part === 'outlined' ? 'var(--paper)' : mark}
      stroke={mark}
      data-part={part}
      x={x}
      y={y - BAR / 2}
      width={Math.max(MIN_BAR, end - x)}
      height={BAR}
      rx="2"
    />
  )
  return (
    <>
      {kind !== 'scheduled' && bar(a, b, 'solid')}
      {(kind === 'scheduled' || c - b > MIN_BAR) && bar(b, c, 'outlined')}
    </>
  )
}

function sentence(row: PathRow): string {
  const { state, kind, from, until, note } = row
  const time = from === null ? (note ?? '') : formatInstant(from)
  return `${kind}: ${state}${time === '' ? '' : `, ${time}`}${until === null ? '' : ` until ${formatInstant(until)}`}`
}

const describe = (groups: readonly PathGroup[]): string =>
  `Path of the payment. ${groups
    .map(({ title, rows }) => `${title === null ? '' : `${title}: `}${rows.map(sentence).join('; ')}`)
    .join('. ')}.`

/** The horizontal scale of the path: whole days, or for a payment of minutes only the time that it takes. */

interface Band {
  readonly left: number
  readonly width: number
  /** Empty where there is no room for it. */
  readonly label: string
  readonly closed: boolean
  readonly isHoliday: boolean
  readonly title: string | undefined
}

interface Scale {
  /** The position of an instant, from 0 to the width. */
  readonly x: (at: number) => number
  readonly bands: readonly Band[]
}

/** A shorter path is drawn without days: they would be a thousand times longer than it. */
const MIN_DAYS_MS = 6 * 3_600_000
const MIN_LABEL_PX = 30
const LONG_LABEL_PX = 66
const TICK_PX = 96

function scaleOf(path: PaymentPath, width: number): Scale {
  const [from, until] = [Date.parse(path.from), Date.parse(path.until)]
  return until - from < MIN_DAYS_MS ? scaleOfMinutes(from, until, width) : scaleOfDays(path.days, width)
}

function scaleOfDays(all: PaymentPath['days'], width: number): Scale {
  let right = 0
  const days = all.map(({ start, end, banking, holiday }): Day => {
    const share = banking ? 1 : CLOSED_WIDTH
    right += share
    const place = { left: right - share, width: share }
    return { start: Date.parse(start), end: Date.parse(end), closed: !banking, holiday: holiday ?? undefined, ...place }
  })
  let labelled = Number.NEGATIVE_INFINITY
  return {
    x: (at) => (positionOnScale(days, at) ?? 1) * width,
    bands: days.map(({ start, closed, holiday, ...day }) => {
      const [left, size] = [(day.left / right) * width, (day.width / right) * width]
      const { weekday, day: date, month } = newYork(start)
      const isShown = size >= MIN_LABEL_PX || (!closed && left - labelled >= LONG_LABEL_PX)
      if (isShown) labelled = left
      const label = !isShown
        ? ''
        : size >= LONG_LABEL_PX || size < MIN_LABEL_PX
          ? `${weekday} ${date} ${month}`
          : size >= 46
            ? `${weekday} ${date}`
            : weekday
      return {
        left,
        width: size,
        label,
        closed,
        isHoliday: holiday !== undefined,
        title: closed ? `${weekday} ${date} ${month}: ${holiday ?? 'weekend'}, banks are closed` : undefined,
      }
    }),
  }
}

const STEPS_MS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200].map((seconds) => seconds * 1_000)

function scaleOfMinutes(from: number, until: number, width: number): Scale {
  const span = Math.max(1_000, until - from)
  const [start, end] = [from - span * 0.04, until + span * 0.08]
  const x = (at: number) => Math.min(width, Math.max(0, ((at - start) / (end - start)) * width))
  const ticks = Math.max(1, Math.floor(width / TICK_PX))
  const step = STEPS_MS.find((one) => (end - start) / one <= ticks) ?? STEPS_MS.at(-1)!
  const bands: Band[] = []
  for (let at = Math.floor(start / step) * step; at < end; at += step) {
    const left = x(at)
    const size = x(at + step) - left
    bands.push({
      left,
      width: size,
      label: size > 56 ? newYork(at).time : '',
      closed: false,
      isHoliday: false,
      title: undefined,
    })
  }
  return { x, bands }
}

/** The rows of the path: a state of a payment each, passed or possible next. */

export interface PathRow extends Pick<PathState, 'state' | 'kind' | 'cause'> {
  readonly from: number | null
  readonly until: number | null
  /** The payment does not leave this state. */
  readonly isEnd: boolean
  /** What stands in the place of an unknown time. */
  readonly note: string | null
}

export interface PathGroup {
  readonly key: string
  /** null if there is one payment only. */
  readonly title: string | null
  readonly rows: readonly PathRow[]
}

/** Without those that are only possible and have a button. */
export const groupsOf = ({ payments }: PaymentPath, decided: readonly string[]): PathGroup[] =>
  payments.map(({ transaction_uid, type, amount, states: all }: PathPayment) => ({
    key: transaction_uid ?? 'return due',
    title:
      payments.length === 1
        ? null
        : `${type} ${formatAmount(amount)}${transaction_uid === null ? ', forced by its data' : ''}`,
    rows: all
      .filter(({ state, kind }) => kind !== 'possible' || !decided.includes(state))
      .map(({ state, kind, from, until, cause, held, event }) => ({
        state,
        kind,
        cause,
        from: ms(from),
        until: ms(until),
        isEnd: edgesFrom(machines.transaction, state).length === 0,
        note:
          from !== null ? null : held ? 'its task is held' : event === null ? 'time not stored' : `only by ${event}`,
      })),
  }))

const ms = (at: string | null) => (at === null ? null : Date.parse(at))

export const keyOfRow = ({ kind, state, from }: PathRow) => `${kind} ${state} ${from}`

/** The time of a row, in its table and beside its bar. */
const timeOf = ({ from, note }: PathRow): string => note ?? (from === null ? '' : formatDateTime(from))
