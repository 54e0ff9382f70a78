import { useId, useMemo, useRef } from 'react'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatAmount } from '../../format/numbers.ts'
import { formatIsoDate } from '../../format/time.ts'
import { useWidth } from '../../ui/use-width.ts'
import styles from './BalanceChart.module.css'
import { findChartEnd, listStops } from './balance.ts'
import { BOTTOM, CHART_HEIGHT, chartScale, MAX_HATCHED_DAYS, TOP } from './chart-scale.ts'

interface BalancePlotProps {
  readonly label: string
  readonly balances: Balances
  readonly asOf: boolean
  readonly cursor: number | null
  readonly onCursor: (ms: number | null) => void
}

/** The lines, and how each is drawn. */
export const lines = {
  settled: { stroke: 'var(--accent)', strokeWidth: 2 },
  available: { stroke: 'var(--ink-2)', strokeWidth: 1.5, strokeDasharray: '5 3' },
  scheduled: { stroke: 'var(--accent)', strokeWidth: 2, strokeDasharray: '1.5 3' },
} as const
export const LINES = Object.keys(lines) as (keyof typeof lines)[]

/** The drawing. The pointer and the arrow keys move a cursor, whose instant `onCursor` reports. */
export function BalancePlot({ label, balances, asOf, cursor, onCursor }: BalancePlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const hatch = useId()
  const width = useWidth(box)
  const [from, to] = [Date.parse(balances.from), findChartEnd(balances)]
  const count = Math.min(MAX_HATCHED_DAYS, Math.ceil((to - from) / 86_400_000) + 1)
  const { data } = useQuery('calendar.read', { from: formatIsoDate(from), days: count })
  const holidays = useMemo(() => new Set(data?.holidays.map(({ date }) => date)), [data])
  const scale = useMemo(() => chartScale(balances, width), [balances, width])
  const closed = useMemo(() => scale.closedDays(holidays), [scale, holidays])
  const stops = useMemo(() => listStops(balances), [balances])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const index =
      cursor === null ? stops.indexOf(Date.parse(balances.at)) + 1 : stops.findIndex((stop) => stop >= cursor)
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: stops.length - 1 }[event.key]
    if (event.key === 'Escape' && cursor !== null) onCursor(null)
    else if (target === undefined) return
    else onCursor(stops[Math.max(0, Math.min(stops.length - 1, target))]!)
    event.preventDefault()
    event.stopPropagation()
  }
  const onMouseMove = ({ clientX, currentTarget }: React.MouseEvent) => {
    const left = clientX - currentTarget.getBoundingClientRect().left
    onCursor(left < 0 || left > scale.right ? null : scale.timeAt(left))
  }
  const now = scale.x(Date.parse(balances.at))
  const nowText = `${asOf ? 'then' : 'now'} ${formatAmount(balances.steps.at(-1)!.settled)}`
  const fitsRight = now + NOW_FIGURE_PX * nowText.length < scale.right
  return (
    <div
      className={styles.plot}
      data-plot
      role="img"
      aria-label={`${label}. The arrow keys read its values.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the drawing.
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => onCursor(null)}
    >
      <div ref={box}>
        <svg
          width={width}
          height={CHART_HEIGHT}
          aria-hidden="true"
          onMouseMove={onMouseMove}
          onMouseLeave={() => onCursor(null)}
        >
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0 6L6 0M-1 1L1 -1M5 7L7 5" stroke="var(--line-strong)" />
          </pattern>
          {closed.map(({ left, right }) => (
            <rect
              key={left}
              x={left}
              y={TOP}
              width={Math.max(0, right - left)}
              height={BOTTOM - TOP}
              fill={`url(#${hatch})`}
            />
          ))}
          {scale.ticks.map(({ value, label: amount }) => (
            <g key={value}>
              <path d={`M0 ${Math.round(scale.y(value)) + 0.5}H${scale.right}`} stroke="var(--line)" />
              <text x={scale.right + 6} y={scale.y(value)} dominantBaseline="central">
                {amount}
              </text>
            </g>
          ))}
          {scale.midnights.map(({ start, label: day }) => (
            <g key={start}>
              <path d={`M${Math.round(scale.x(start)) + 0.5} ${BOTTOM}v4`} stroke="var(--line)" />
              <text x={scale.x(start)} y={BOTTOM + 8} dominantBaseline="hanging">
                {day}
              </text>
            </g>
          ))}
          {LINES.map((name) => (
            <path key={name} d={scale.pathOf(name)} fill="none" {...lines[name]} data-line={name} />
          ))}
          <path d={`M${Math.round(now) + 0.5} ${TOP - 8}V${BOTTOM}`} stroke="var(--ink-2)" />
          <text
            className={styles.now}
            x={fitsRight ? now + 6 : now - 6}
            y={TOP - 5}
            textAnchor={fitsRight ? 'start' : 'end'}
            dominantBaseline="central"
          >
            {nowText}
          </text>
          {cursor !== null && (
            <path d={`M${scale.x(cursor)} ${TOP}V${BOTTOM}`} stroke="var(--ink-3)" strokeDasharray="3 3" />
          )}
        </svg>
      </div>
    </div>
  )
}

/** Of the text beside the present, which has figures of 10.5 px. */
const NOW_FIGURE_PX = 6.5
