import './fix-navigator-language.ts'
import uPlot from 'uplot'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { formatAmount } from '../../format/numbers.ts'
import { newYork } from '../../format/time.ts'
import { findChartEnd, listDays } from './balance.ts'
import { type ChartColors, type ChartState, drawNowLine, hatchClosedDays } from './plot-drawing.ts'

export const PLOT_HEIGHT = 146

/** The options of uPlot. Colors and state are read at each redraw. */
export function plotOptions(
  width: number,
  colors: () => ChartColors,
  state: { readonly current: ChartState },
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
    height: PLOT_HEIGHT,
    padding: [14, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, x: true, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: {
        time: false,
        range: () => [Date.parse(state.current.balances.from) / 1000, findChartEnd(state.current.balances) / 1000],
      },
      y: { range: (_u, low, high) => findAmountRange(low, high) },
    },
    series: [
      {},
      line([], () => colors().accent, 2),
      line([5, 3], () => colors().soft, 1.5),
      line([1.5, 3], () => colors().accent, 2),
    ],
    axes: [
      {
        stroke: () => colors().faint,
        font: colors().font,
        size: 24,
        gap: 4,
        align: 1,
        grid: { show: false },
        ticks: { stroke: () => colors().line, width: 1, size: 4 },
        splits: (u) => listMidnights(u, state.current.balances),
        values: (_u, splits) => splits.map((day, i) => formatDayLabel(day, splits[i - 1])),
      },
      {
        side: 1,
        stroke: () => colors().faint,
        font: colors().font,
        size: (_u, labels: readonly string[] | null) =>
          Math.max(64, 8 + FIGURE_PX * Math.max(0, ...(labels ?? []).map(({ length }) => length))),
        gap: 6,
        space: 26,
        grid: { stroke: () => colors().line, width: 1 },
        ticks: { show: false },
        values: (_u, splits) => splits.map((value) => formatAmount(value.toFixed(2)).replace('.00', '')),
      },
    ],
    hooks: {
      drawClear: [(u) => hatchClosedDays(u, state.current, colors())],
      draw: [(u) => drawNowLine(u, state.current, colors())],
      setCursor: [
        (u) => {
          const { left = -1 } = u.cursor
          onRead(left < 0 ? null : Math.round(u.posToVal(left, 'x') * 1000))
        },
      ],
    },
  }
}

/** Always includes zero, and leaves a margin at the top. */
function findAmountRange(low: number | null, high: number | null): uPlot.Range.MinMax {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  if (bottom === top) return [0, 100]
  const margin = (top - bottom) * 0.06
  return [bottom === 0 ? 0 : bottom - margin, top === 0 ? 0 : top + margin]
}

/** A figure of a label. */
const FIGURE_PX = 6.8
const LABEL_PX = 68

/** As many midnights as have room for their labels. */
function listMidnights(u: uPlot, { from }: Balances): number[] {
  const [low, high] = [u.scales.x!.min!, u.scales.x!.max!]
  const days = Math.max(1, (high - low) / 86_400)
  const every = Math.max(1, Math.ceil((LABEL_PX * days) / Math.max(1, u.bbox.width / devicePixelRatio)))
  return listDays(Date.parse(from), high * 1000, 4_000)
    .filter(({ start }, i) => i % every === 0 && start >= low * 1000 - 1)
    .map(({ start }) => start / 1000)
}

/** The label names the month only where it changes. */
function formatDayLabel(seconds: number, before: number | undefined): string {
  const { weekday, day, month } = newYork(seconds * 1000)
  return before !== undefined && newYork(before * 1000).month === month
    ? `${weekday} ${day}`
    : `${weekday} ${day} ${month}`
}
