import { Table2 } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { useNow } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatAmount, formatIsoDate, isWeekend, newYork } from '../../format/text.ts'
import { Chip } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Column, Row } from '../../ui/Layout.tsx'
import { Loaded } from '../../ui/Notice.tsx'
import { useWidth } from '../../ui/use-width.ts'
import styles from './BalanceChart.module.css'
import { BalanceTable } from './BalanceTable.tsx'
import {
  type ChartRange,
  describeBalanceAt,
  describeChart,
  findChartEnd,
  findRangeStart,
  type Line,
  linesOf,
  listDays,
  listStops,
  ranges,
} from './balance.ts'

const DAY_MS = 86_400_000
const WATCHED = ['synthetic_accounts', 'custodial_accounts', 'transactions', 'tasks']

/** The balance of an account over a range that the user chooses. `at`: as of then, not now. */
export function useBalances(account_uid: string, at?: string) {
  const today = useNow(DAY_MS)
  const [range, onRange] = useState<ChartRange>('6 weeks')
  const from = findRangeStart(range, at === undefined ? today : Date.parse(at))
  const asked = { account_uid, ...(from === undefined ? {} : { from }), ...(at === undefined ? {} : { at }) }
  // Another range is another question: the previous chart is shown until it is answered.
  return { query: useQuery('ledger.balances', asked, WATCHED, { keeps: true }), range, onRange, asOf: at !== undefined }
}

export const BalanceOver = ({
  name,
  of: { query, ...chart },
}: {
  name: string
  of: ReturnType<typeof useBalances>
}) => (
  <div className={styles.box}>
    <Loaded query={query} failure="The balance over time could not be read." rows={4}>
      {(balances) => <BalanceChart name={name} balances={balances} {...chart} />}
    </Loaded>
  </div>
)

interface BalanceChartProps {
  readonly name: string
  readonly balances: Balances
  readonly range: ChartRange
  readonly onRange: (range: ChartRange) => void
  readonly asOf: boolean
}

/**
 * The balance over simulated time: settled as a solid line, available dashed, scheduled dotted. Days on which banks are
 * closed are hatched. The pointer and the arrow keys read values, and a table has them all.
 */
function BalanceChart({ name, balances, range, onRange, asOf }: BalanceChartProps) {
  const [isTable, setTable] = useState(false)
  const [cursor, setCursor] = useState<number | null>(null)
  return (
    <Column className={styles.chart} style={{ height: '100%' }}>
      <Row wraps gap="4 12" pad="0 16" least={28} style={{ flex: 'none' }}>
        {!isTable &&
          LINES.map((line) => (
            <Row as="span" key={line} gap={6} text="meta" tone="soft" className="nowrap">
              <svg viewBox="0 0 18 6" width="18" height="6" aria-hidden="true">
                <path fill="none" {...lines[line]} d="M0 3h18" />
              </svg>
              {line}
            </Row>
          ))}
        <span className={cx('meta', styles.reading)} data-reading aria-live="polite">
          {cursor === null ? '' : describeBalanceAt(balances, cursor)}
        </span>
        <span className="end row" data-tight>
          {ranges.map((option) => (
            <Chip key={option} pressed={option === range} onClick={() => onRange(option)}>
              {option}
            </Chip>
          ))}
          <Chip pressed={isTable} onClick={() => setTable(!isTable)}>
            <Table2 size={12} strokeWidth={1.6} aria-hidden="true" />
            Table
          </Chip>
        </span>
      </Row>
      {isTable ? (
        <BalanceTable balances={balances} />
      ) : (
        <BalancePlot
          label={describeChart(name, balances)}
          balances={balances}
          asOf={asOf}
          cursor={cursor}
          onCursor={setCursor}
        />
      )}
    </Column>
  )
}

interface BalancePlotProps {
  readonly label: string
  readonly balances: Balances
  readonly asOf: boolean
  readonly cursor: number | null
  readonly onCursor: (ms: number | null) => void
}

/** The lines, and how each is drawn. */
const lines = {
  settled: { stroke: 'var(--accent)', strokeWidth: 2 },
  available: { stroke: 'var(--ink-2)', strokeWidth: 1.5, strokeDasharray: '5 3' },
  scheduled: { stroke: 'var(--accent)', strokeWidth: 2, strokeDasharray: '1.5 3' },
} as const
const LINES = Object.keys(lines) as (keyof typeof lines)[]

/** The drawing. The pointer and the arrow keys move a cursor, whose instant `onCursor` reports. */
function BalancePlot({ label, balances, asOf, cursor, onCursor }: BalancePlotProps) {
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

/** Where the instants and amounts of a chart are drawn, in pixels. */

const CHART_HEIGHT = 146
/** The drawing is between them; labels of days are below it. */
const TOP = 14
const BOTTOM = CHART_HEIGHT - 24

const MIN_TICK_PX = 26
const DAY_LABEL_PX = 68
/** A figure of a label. */
const FIGURE_PX = 6.8
const MAX_HATCHED_DAYS = 120
const MAX_DAYS = 4_000

function chartScale(balances: Balances, width: number) {
  const lines = linesOf(balances)
  const [from, to] = [Date.parse(balances.from), findChartEnd(balances)]
  const { low, high } = findAmountRange(Object.values(lines).flat())
  const ticks = listTicks(low, high).map((value) => ({
    value,
    label: formatAmount(value.toFixed(2)).replace('.00', ''),
  }))
  const longest = Math.max(...ticks.map(({ label }) => label.length))
  const right = Math.max(1, width - Math.max(64, 8 + FIGURE_PX * longest))
  const x = (ms: number) => ((ms - from) / (to - from)) * right
  const y = (amount: number) => TOP + ((high - amount) / (high - low)) * (BOTTOM - TOP)
  const days = listDays(from, to, MAX_DAYS)
  const every = Math.max(1, Math.ceil((DAY_LABEL_PX * days.length) / right))
  return {
    right,
    x,
    y,
    ticks,
    pathOf: (name: keyof typeof lines) =>
      lines[name]
        .map(({ ms, amount }, at) => (at === 0 ? `M${x(ms)} ${y(amount)}` : `H${x(ms)}V${y(amount)}`))
        .join(''),
    timeAt: (left: number) => Math.round(from + (left / right) * (to - from)),
    /** As many midnights as have room for their labels. */
    midnights: days
      .filter(({ start }, at) => at % every === 0 && start >= from)
      .map(({ start }, at, all) => ({ start, label: formatDayLabel(start, all[at - 1]?.start) })),
    /** The days on which banks are closed, if there are not too many days. */
    closedDays: (holidays: ReadonlySet<string>) =>
      days.length > MAX_HATCHED_DAYS
        ? []
        : days
            .filter(({ start }) => isWeekend(start + 1) || holidays.has(formatIsoDate(start)))
            .map(({ start, end }) => ({ left: Math.max(0, x(start)), right: Math.min(right, x(end)) })),
  }
}

/** Always includes zero, and leaves a margin. */
function findAmountRange(line: Line) {
  const [bottom, top] = line.reduce(
    ([low, high], { amount }) => [Math.min(low, amount), Math.max(high, amount)] as const,
    [0, 0] as readonly [number, number],
  )
  if (bottom === top) return { low: 0, high: 100 }
  const margin = (top - bottom) * 0.06
  return { low: bottom === 0 ? 0 : bottom - margin, high: top === 0 ? 0 : top + margin }
}

/** Round amounts. */
function listTicks(low: number, high: number): number[] {
  const least = (MIN_TICK_PX / (BOTTOM - TOP)) * (high - low)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(0.01, [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= least)!)
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step)
}

/** The label names the month only where it changes. */
function formatDayLabel(ms: number, before: number | undefined): string {
  const { weekday, day, month } = newYork(ms)
  return before !== undefined && newYork(before).month === month ? `${weekday} ${day}` : `${weekday} ${day} ${month}`
}
