import { useMemo, useRef } from 'react'
import type { PaymentPath } from '../../../../api/contract/control/payments.ts'
import { signalOfGlyph, statusGlyphs } from '../../../components/Status.tsx'
import { formatInstant, newYork } from '../../../format/time.ts'
import { Glyph } from '../../../ui/Glyph.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { keyOfRow, type PathGroup, type PathRow, timeOf } from './rows.ts'
import { type Scale, scaleOf } from './scale.ts'

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
            <Bar
              from={from}
              until={until ?? Math.max(now, from)}
              now={now}
              kind={kind}
              mark={mark}
              scale={scale}
              y={middle}
            />
          )}
        </g>
      )}
    </g>
  )
}

interface BarProps {
  readonly from: number
  readonly until: number
  readonly now: number
  readonly kind: Kind
  /** Its color. */
  readonly mark: string
  readonly scale: Scale
  /** Its middle. */
  readonly y: number
}

/** The current state is solid until now, and outlined until it is scheduled to end. */
function Bar({ from, until, now, kind, mark, scale, y }: BarProps) {
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
