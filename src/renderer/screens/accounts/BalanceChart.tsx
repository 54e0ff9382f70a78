import { Table2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Chip } from '../../ui/Chip.tsx'
import { cx } from '../../ui/cx.ts'
import styles from './BalanceChart.module.css'
import './fix-navigator-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { BalanceStep, Balances } from '../../../api/contract/control/ledger.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatAmount } from '../../format/numbers.ts'
import { formatInstant, formatIsoDate, isWeekend, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import {
  buildPoints,
  type ChartRange,
  describeBalanceAt,
  describeChart,
  findChartEnd,
  listDays,
  listStops,
  ranges,
} from './balance.ts'

/**
 * The balance over simulated time: settled as steps, available dashed, as scheduled dotted; days on which banks are
 * closed are hatched. It is read by the pointer, by the arrows, and as a table.
 */

interface BalanceChartProps {
  readonly name: string
  readonly balances: Balances
  readonly range: ChartRange
  readonly onRange: (range: ChartRange) => void
  readonly asOf: boolean
}

export function BalanceChart({ name, balances, range, onRange, asOf }: BalanceChartProps) {
  const [asTable, setAsTable] = useState(false)
  const [read, setRead] = useState<number | null>(null)
  const said = read === null ? '' : describeBalanceAt(balances, read)
  return (
    <div className={styles.chart}>
      <div className={styles.legend}>
        {!asTable && (
          <>
            <Key name="settled" />
            <Key name="available" />
            <Key name="as scheduled" />
          </>
        )}
        <span className={cx('meta', styles.reading)} data-reading aria-live="polite">
          {said}
        </span>
        <span className="end row">
          {ranges.map((one) => (
            <Chip key={one} pressed={one === range} onClick={() => onRange(one)}>
              {one}
            </Chip>
          ))}
          <Chip pressed={asTable} onClick={() => setAsTable(!asTable)}>
            <Table2 size={12} strokeWidth={1.6} aria-hidden="true" />
            As a table
          </Chip>
        </span>
      </div>
      {asTable ? (
        <Steps balances={balances} />
      ) : (
        <Plot label={describeChart(name, balances)} balances={balances} asOf={asOf} read={read} onRead={setRead} />
      )}
    </div>
  )
}

const Key = ({ name }: { name: string }) => (
  <span className={styles.key} data-line={name}>
    <svg viewBox="0 0 18 6" width="18" height="6" aria-hidden="true">
      <path d="M0 3h18" />
    </svg>
    {name}
  </span>
)

// ── The text alternative ─────────────────────────────────────────────────────────────────────────────────────────

interface Stood extends BalanceStep {
  readonly id: string
  readonly coming: boolean
}

const columns: readonly Column<Stood>[] = [
  {
    id: 'at',
    header: 'From',
    width: 'minmax(150px, 1fr)',
    cell: (row) => <span title={row.at}>{formatInstant(Date.parse(row.at))}</span>,
  },
  {
    id: 'coming',
    header: '',
    width: '96px',
    cell: (row) => <span className="soft">{row.coming ? 'as scheduled' : ''}</span>,
  },
  {
    id: 'settled',
    header: 'Settled',
    width: '112px',
    right: true,
    cell: (row) => <Amount value={row.settled} />,
  },
  {
    id: 'pending',
    header: 'Pending',
    width: '112px',
    right: true,
    cell: (row) => <Amount value={row.pending ?? undefined} movement pending />,
  },
  {
    id: 'available',
    header: 'Available',
    width: '112px',
    right: true,
    cell: (row) => <Amount value={row.available ?? undefined} />,
  },
]

function Steps({ balances }: { balances: Balances }) {
  const [selected, setSelected] = useState<string | null>(null)
  const rows = useMemo(() => {
    const { steps, scheduled } = balances
    const told = (step: BalanceStep, at: number, coming: boolean) => ({ ...step, id: `${coming} ${at}`, coming })
    return [
      ...scheduled.map((step, at) => told(step, at, true)).reverse(),
      ...steps.map((step, at) => told(step, at, false)).reverse(),
    ]
  }, [balances])
  return (
    <DataTable
      label="Balance over time, newest first"
      columns={columns}
      rows={rows}
      idOf={idOf}
      selected={selected}
      onSelect={({ id }) => setSelected(id)}
      minWidth={560}
    />
  )
}
const idOf = ({ id }: Stood) => id

// ── The drawing ──────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_DAYS = 120
const HEIGHT = 146

interface PlotProps {
  readonly label: string
  readonly balances: Balances
  readonly asOf: boolean
  readonly read: number | null
  readonly onRead: (ms: number | null) => void
}

interface Drawn {
  readonly balances: Balances
  readonly holidays: ReadonlySet<string>
  readonly asOf: boolean
}

function Plot({ label, balances, asOf, read, onRead }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const [from, to] = [Date.parse(balances.from), findChartEnd(balances)]
  const count = Math.min(MOST_DAYS, Math.ceil((to - from) / 86_400_000) + 1)
  const { data } = useQuery('calendar.read', { from: formatIsoDate(from), days: count })
  const holidays = useMemo(() => new Set(data?.holidays.map(({ date }) => date)), [data])
  const drawn = useRef<Drawn>({ balances, holidays, asOf })
  const told = useRef(onRead)
  told.current = onRead

  useEffect(() => {
    drawn.current = { balances, holidays, asOf }
    chart.current?.setData(buildPoints(balances))
  }, [balances, holidays, asOf])

  useEffect(() => {
    const element = box.current!
    let ink = inkOf(element)
    const made = new uPlot(
      options(
        element.clientWidth,
        () => ink,
        drawn,
        (ms) => told.current(ms),
      ),
      buildPoints(drawn.current.balances),
      element,
    )
    chart.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => {
      ink = inkOf(element)
      made.redraw(false, true)
    }
    dark.addEventListener('change', recolour)
    void document.fonts?.ready.then(() => chart.current === made && made.redraw(false, true))
    return () => {
      chart.current = null
      dark.removeEventListener('change', recolour)
      resized.disconnect()
      made.destroy()
    }
  }, [])

  const stops = useMemo(() => listStops(balances), [balances])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const here = read === null ? stops.indexOf(Date.parse(balances.at)) + 1 : stops.findIndex((stop) => stop >= read)
    const at = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: stops.length - 1 }[event.key]
    if (event.key === 'Escape' && read !== null) onRead(null)
    else if (at === undefined) return
    else onRead(stops[Math.max(0, Math.min(stops.length - 1, at))]!)
    event.preventDefault()
    event.stopPropagation()
  }
  const place = read === null ? undefined : `${((read - from) / (to - from)) * 100}%`
  return (
    <div
      className={styles.plot}
      data-plot
      role="img"
      aria-label={`${label}. The arrows read it.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a drawing that keys read.
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => onRead(null)}
    >
      <div ref={box} />
      {place !== undefined && (
        <span className={styles.cursor}>
          <i style={{ left: place }} />
        </span>
      )}
    </div>
  )
}

interface Ink {
  readonly accent: string
  readonly soft: string
  readonly faint: string
  readonly line: string
  readonly hatch: string
  readonly paper: string
  readonly ink: string
  readonly font: string
}

/** A canvas knows no tokens: they are asked of an element that wears them. */
function inkOf(element: HTMLElement): Ink {
  const probe = document.createElement('span')
  element.append(probe)
  const of = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const ink = {
    accent: of('--accent'),
    soft: of('--ink-2'),
    faint: of('--ink-3'),
    line: of('--line'),
    hatch: of('--line-strong'),
    paper: of('--paper'),
    ink: of('--ink'),
    font: `10.5px ${getComputedStyle(element).fontFamily}`,
  }
  probe.remove()
  return ink
}

function options(
  width: number,
  ink: () => Ink,
  drawn: { readonly current: Drawn },
  onRead: (ms: number | null) => void,
): uPlot.Options {
  const stepped = uPlot.paths.stepped!({ align: 1 })
  const line = (dash: number[], stroke: () => string, thickness: number): uPlot.Series => ({
    paths: stepped,
    stroke,
    width: thickness,
    dash,
    points: { show: false },
    spanGaps: false,
  })
  return {
    width,
    height: HEIGHT,
    padding: [14, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, x: true, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: {
        time: false,
        range: () => [Date.parse(drawn.current.balances.from) / 1000, findChartEnd(drawn.current.balances) / 1000],
      },
      y: { range: (_u, low, high) => spanOf(low, high) },
    },
    series: [
      {},
      line([], () => ink().accent, 2),
      line([5, 3], () => ink().soft, 1.5),
      line([1.5, 3], () => ink().accent, 2),
    ],
    axes: [
      {
        stroke: () => ink().faint,
        font: ink().font,
        size: 24,
        gap: 4,
        align: 1,
        grid: { show: false },
        ticks: { stroke: () => ink().line, width: 1, size: 4 },
        splits: (u) => midnights(u, drawn.current.balances),
        values: (_u, splits) => splits.map((day, i) => dayName(day, splits[i - 1])),
      },
      {
        side: 1,
        stroke: () => ink().faint,
        font: ink().font,
        size: 64,
        gap: 6,
        space: 26,
        grid: { stroke: () => ink().line, width: 1 },
        ticks: { show: false },
        values: (_u, splits) => splits.map((value) => formatAmount(value.toFixed(2)).replace('.00', '')),
      },
    ],
    hooks: {
      drawClear: [(u) => hatch(u, drawn.current, ink())],
      draw: [(u) => nowLine(u, drawn.current, ink())],
      setCursor: [
        (u) => {
          const { left = -1 } = u.cursor
          onRead(left < 0 ? null : Math.round(u.posToVal(left, 'x') * 1000))
        },
      ],
    },
  }
}

/** Zero is always in sight, and there is air at the top. */
function spanOf(low: number | null, high: number | null): uPlot.Range.MinMax {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  if (bottom === top) return [0, 100]
  const air = (top - bottom) * 0.06
  return [bottom === 0 ? 0 : bottom - air, top === 0 ? 0 : top + air]
}

const LABEL_PX = 68

/** As many midnights as have room for their names. */
function midnights(u: uPlot, { from }: Balances): number[] {
  const [low, high] = [u.scales.x!.min!, u.scales.x!.max!]
  const days = Math.max(1, (high - low) / 86_400)
  const every = Math.max(1, Math.ceil((LABEL_PX * days) / Math.max(1, u.bbox.width / devicePixelRatio)))
  return listDays(Date.parse(from), high * 1000, 4_000)
    .filter(({ start }, i) => i % every === 0 && start >= low * 1000 - 1)
    .map(({ start }) => start / 1000)
}

/** The month is named where it begins to be that one. */
function dayName(seconds: number, before: number | undefined): string {
  const { weekday, day, month } = newYork(seconds * 1000)
  return before !== undefined && newYork(before * 1000).month === month
    ? `${weekday} ${day}`
    : `${weekday} ${day} ${month}`
}

function hatch(u: uPlot, { balances, holidays }: Drawn, ink: Ink) {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  const days = listDays(Date.parse(balances.from), findChartEnd(balances), MOST_DAYS + 1)
  if (days.length > MOST_DAYS) return
  ctx.save()
  ctx.setLineDash([])
  ctx.strokeStyle = ink.hatch
  ctx.lineWidth = ratio
  for (const { start, end } of days) {
    if (!isWeekend(start + 1) && !holidays.has(formatIsoDate(start))) continue
    const left = Math.max(bbox.left, u.valToPos(start / 1000, 'x', true))
    const right = Math.min(bbox.left + bbox.width, u.valToPos(end / 1000, 'x', true))
    if (right <= left) continue
    ctx.save()
    ctx.beginPath()
    ctx.rect(left, bbox.top, right - left, bbox.height)
    ctx.clip()
    ctx.beginPath()
    for (let x = left - bbox.height; x < right; x += 6 * ratio) {
      ctx.moveTo(x, bbox.top + bbox.height)
      ctx.lineTo(x + bbox.height, bbox.top)
    }
    ctx.stroke()
    ctx.restore()
  }
  ctx.restore()
}

function nowLine(u: uPlot, { balances, asOf }: Drawn, ink: Ink) {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  const x = Math.round(u.valToPos(Date.parse(balances.at) / 1000, 'x', true))
  const text = `${asOf ? 'then' : 'now'} ${formatAmount(balances.steps.at(-1)!.settled)}`
  ctx.save()
  ctx.setLineDash([])
  ctx.strokeStyle = ink.soft
  ctx.lineWidth = ratio
  ctx.beginPath()
  ctx.moveTo(x, bbox.top - 8 * ratio)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.font = ink.font.replace(/^[\d.]+/, (size) => String(Number(size) * ratio))
  ctx.textBaseline = 'middle'
  const room = ctx.measureText(text).width + 8 * ratio
  const fits = x + room < bbox.left + bbox.width
  const left = fits ? x + 4 * ratio : x - room
  ctx.fillStyle = ink.paper
  ctx.fillRect(left, bbox.top - 12 * ratio, room - 2 * ratio, 14 * ratio)
  ctx.fillStyle = ink.ink
  ctx.fillText(text, left + 2 * ratio, bbox.top - 5 * ratio)
  ctx.restore()
}
