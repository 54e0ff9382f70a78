import { useRef } from 'react'
import type { Pulse } from '../../../api/contract/control/pulse.ts'
import { formatAmount, formatCount, plural } from '../../format/numbers.ts'
import { formatDateTime, formatShortInstant, newYork } from '../../format/time.ts'
import { useWidth } from '../../ui/use-width.ts'
import styles from './PulseChart.module.css'

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
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <svg
          className={styles.chart}
          role="img"
          aria-label={describe(pulse, total, refused)}
          width={width}
          height={height}
          data-pulse
        >
          <text className={styles.name} x={16} y={line - 20}>
            Requests
          </text>
          <text className={styles.sum} x={left - 12} y={line - 20} textAnchor="end">
            {formatCount(total)}
          </text>
          <text className={styles.name} x={16} y={line - 4} data-refused>
            refused, below the line
          </text>
          <text className={styles.sum} x={left - 12} y={line - 4} textAnchor="end" data-refused>
            {formatCount(refused)}
          </text>
          <g transform={`translate(${left} 0)`}>
            {requests.map(({ at, total: all, refused: bad }, i) => {
              const up = scale(all - bad, line - 6)
              const down = scale(bad, REQUESTS - line - 4)
              return (
                all > 0 && (
                  <g key={at}>
                    <title>{`${timeOf(at)}: ${plural(all, 'request')}, ${formatCount(bad)} refused`}</title>
                    <rect className={styles.bar} x={i * step} width={barOf(step)} y={line - up} height={up} />
                    <rect className={styles.refused} x={i * step} width={barOf(step)} y={line + 1} height={down} />
                  </g>
                )
              )
            })}
            <line className={styles.line} x1={0} x2={chart} y1={line + 0.5} y2={line + 0.5} />
          </g>
          {rails.map((rail, row) => (
            <Rail key={rail.rail} rail={rail} pulse={pulse} top={REQUESTS + row * RAIL} left={left} chart={chart} />
          ))}
          <g transform={`translate(${left} ${height - AXIS})`}>
            {ticksOf(requests.length, chart).map((i) => {
              const at = Date.parse(requests[i]!.at)
              return (
                <g key={i}>
                  <line className={styles.line} x1={i * step} x2={i * step} y1={0} y2={4} />
                  <text className={styles.tick} x={i * step + 3} y={14}>
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
      <text className={styles.name} x={16} y={base - 5}>
        {rail}
      </text>
      <text className={styles.sum} x={left - 12} y={base - 5} textAnchor="end">
        {formatAmount(us_dollar_amount)}
      </text>
      <g transform={`translate(${left} 0)`}>
        <title>{`${rail}: ${formatAmount(us_dollar_amount)} in ${plural(payments, 'payment')}`}</title>
        {steps.map((amount, i) => {
          const height = amount === '0.00' ? 0 : Math.max(2, (Number(amount) / most) * (RAIL - 8))
          return (
            height > 0 && (
              <rect
                key={pulse.requests[i]!.at}
                className={styles.money}
                x={i * step}
                width={barOf(step)}
                y={base - height}
                height={height}
              >
                <title>{`${formatDateTime(Date.parse(pulse.requests[i]!.at))}: ${rail} ${formatAmount(amount)}`}</title>
              </rect>
            )
          )
        })}
        <line className={styles.line} x1={0} x2={chart} y1={base + 0.5} y2={base + 0.5} />
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
