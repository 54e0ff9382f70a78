import { useRef } from 'react'
import type { Pulse } from '../../../api/contract/control/pulse.ts'
import { formatAmount, formatCount, formatDateTime, formatShortInstant, newYork, plural } from '../../format/text.ts'
import { useWidth } from '../../ui/use-width.ts'

const LABEL_PX = 200
const REQUESTS = 64
const RAIL = 30
const AXIS = 20
const TICK_PX = 110
const MARGIN = 16
const DAY_MS = 86_400_000

/** Bars over time: accepted requests above the line, refused ones below it, and the settled money of each rail. */
export function PulseChart({ pulse }: { pulse: Pulse }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const { requests, rails, step_ms } = pulse
  const left = Math.min(LABEL_PX, width / 3)
  const chart = Math.max(1, width - left - MARGIN)
  const step = chart / requests.length
  const height = REQUESTS + rails.length * RAIL + AXIS
  const total = sumOf(requests.map((one) => one.total))
  const refused = sumOf(requests.map((one) => one.refused))
  const most = Math.max(1, ...requests.flatMap((one) => [one.total - one.refused, one.refused]))
  const hasRefused = refused > 0
  const line = hasRefused ? REQUESTS * 0.62 : REQUESTS - 6
  const scale = (n: number, room: number) => (n === 0 ? 0 : Math.max(2, (n / most) * room))
  const timeOf = (at: string) => formatDateTime(Date.parse(at))
  return (
    <div ref={box} style={{ minWidth: 0, overflow: 'hidden' }}>
      {width > 0 && (
        <svg
          style={{ display: 'block', font: 'var(--t-data)' }}
          role="img"
          aria-label={describe(pulse, total, refused)}
          width={width}
          height={height}
          data-pulse
        >
          <Label left={left} y={line - 20} name="Requests" sum={formatCount(total)} />
          <Label left={left} y={line - 4} name="refused, below the line" sum={formatCount(refused)} isRefused />
          <g transform={`translate(${left} 0)`}>
            {requests.map(({ at, total: all, refused: bad }, i) => {
              const up = scale(all - bad, line - 6)
              const down = scale(bad, REQUESTS - line - 4)
              return (
                all > 0 && (
                  <g key={at}>
                    <title>{`${timeOf(at)}: ${plural(all, 'request')}, ${formatCount(bad)} refused`}</title>
                    <rect fill={INK} x={i * step} width={barOf(step)} y={line - up} height={up} />
                    <rect fill={BAD} x={i * step} width={barOf(step)} y={line + 1} height={down} />
                  </g>
                )
              )
            })}
            <line {...LINE} x1={0} x2={chart} y1={line + 0.5} y2={line + 0.5} />
          </g>
          {rails.map((rail, row) => (
            <Rail key={rail.rail} rail={rail} pulse={pulse} top={REQUESTS + row * RAIL} left={left} chart={chart} />
          ))}
          <g transform={`translate(${left} ${height - AXIS})`}>
            {ticksOf(requests.length, chart).map((i) => {
              const at = Date.parse(requests[i]!.at)
              return (
                <g key={i}>
                  <line {...LINE} x1={i * step} x2={i * step} y1={0} y2={4} />
                  <text style={TICK} x={i * step + 3} y={14}>
                    {step_ms * requests.length > 2 * DAY_MS
                      ? formatShortInstant(at).slice(0, -6)
                      : newYork(at).time.slice(0, step_ms < 60_000 ? 8 : 5)}
                  </text>
                </g>
              )
            })}
          </g>
        </svg>
      )}
    </div>
  )
}

const INK = 'var(--ink-2)'
const BAD = 'var(--bad)'
const LINE = { stroke: 'var(--line-strong)' }
const TICK = { font: 'var(--t-meta)', fontSize: 10.5, fill: 'var(--ink-3)' }

interface LabelProps {
  readonly left: number
  readonly y: number
  readonly name: string
  readonly sum: string
  readonly isRefused?: boolean
}

/** What a row of bars is, and their sum. */
const Label = ({ left, y, name, sum, isRefused = false }: LabelProps) => (
  <>
    <text fill={isRefused ? BAD : INK} x={16} y={y}>
      {name}
    </text>
    <text fill={isRefused ? BAD : 'var(--ink)'} x={left - 12} y={y} textAnchor="end">
      {sum}
    </text>
  </>
)

interface RailProps {
  readonly rail: Pulse['rails'][number]
  readonly pulse: Pulse
  readonly top: number
  readonly left: number
  readonly chart: number
}

function Rail({ rail: { rail, us_dollar_amount, payments, steps }, pulse, top, left, chart }: RailProps) {
  const step = chart / steps.length
  // Only the height of a bar is a binary number; amounts are shown as they are.
  const most = Math.max(1, ...steps.map(Number))
  const base = top + RAIL - 4
  return (
    <g data-rail={rail}>
      <Label left={left} y={base - 5} name={rail} sum={formatAmount(us_dollar_amount)} />
      <g transform={`translate(${left} 0)`}>
        <title>{`${rail}: ${formatAmount(us_dollar_amount)} in ${plural(payments, 'payment')}`}</title>
        {steps.map((amount, i) => {
          if (amount === '0.00') return null
          const { at } = pulse.requests[i]!
          const height = Math.max(2, (Number(amount) / most) * (RAIL - 8))
          return (
            <rect key={at} fill="var(--accent)" x={i * step} width={barOf(step)} y={base - height} height={height}>
              <title>{`${formatDateTime(Date.parse(at))}: ${rail} ${formatAmount(amount)}`}</title>
            </rect>
          )
        })}
        <line {...LINE} x1={0} x2={chart} y1={base + 0.5} y2={base + 0.5} />
      </g>
    </g>
  )
}

const barOf = (step: number) => Math.max(1, step - 2)
const sumOf = (all: readonly number[]) => all.reduce((sum, n) => sum + n, 0)

function ticksOf(steps: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(steps / Math.max(1, Math.floor(width / TICK_PX))))
  return Array.from({ length: Math.floor((steps - 1) / every) + 1 }, (_, i) => i * every)
}

const describe = ({ from, until, rails }: Pulse, total: number, refused: number): string =>
  `Pulse from ${formatShortInstant(Date.parse(from))} to ${formatShortInstant(Date.parse(until))}: ${plural(total, 'request')}, ${formatCount(refused)} refused; settled ${
    rails
      .map(
        ({ rail, us_dollar_amount, payments }) =>
          `${rail} ${formatAmount(us_dollar_amount)} in ${plural(payments, 'payment')}`,
      )
      .join(', ') || 'nothing'
  }.`
