import type { Balances } from '../../../api/contract/control/ledger.ts'
import { formatAmount } from '../../format/numbers.ts'
import { formatIsoDate, isWeekend, newYork } from '../../format/time.ts'
import { findChartEnd, type Line, linesOf, listDays } from './balance.ts'

/** Where the instants and amounts of a chart are drawn, in pixels. */

export const CHART_HEIGHT = 146
/** The drawing is between them; labels of days are below it. */
export const TOP = 14
export const BOTTOM = CHART_HEIGHT - 24

const MIN_TICK_PX = 26
const DAY_LABEL_PX = 68
/** A figure of a label. */
const FIGURE_PX = 6.8
export const MAX_HATCHED_DAYS = 120
const MAX_DAYS = 4_000

export function chartScale(balances: Balances, width: number) {
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
