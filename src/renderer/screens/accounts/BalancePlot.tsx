import './fix-navigator-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useMemo, useRef } from 'react'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatIsoDate } from '../../format/time.ts'
import styles from './BalancePlot.module.css'
import { buildPoints, findChartEnd, listStops } from './balance.ts'
import { type ChartState, MAX_HATCHED_DAYS, readColors } from './plot-drawing.ts'
import { PLOT_HEIGHT, plotOptions } from './plot-options.ts'

interface BalancePlotProps {
  readonly label: string
  readonly balances: Balances
  readonly asOf: boolean
  readonly cursor: number | null
  readonly onCursor: (ms: number | null) => void
}

/** The drawing. The pointer and the arrow keys move a cursor, whose instant `onCursor` reports. */
export function BalancePlot({ label, balances, asOf, cursor, onCursor }: BalancePlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const [from, to] = [Date.parse(balances.from), findChartEnd(balances)]
  const count = Math.min(MAX_HATCHED_DAYS, Math.ceil((to - from) / 86_400_000) + 1)
  const { data } = useQuery('calendar.read', { from: formatIsoDate(from), days: count })
  const holidays = useMemo(() => new Set(data?.holidays.map(({ date }) => date)), [data])
  const state = useRef<ChartState>({ balances, holidays, asOf })
  const callback = useRef(onCursor)
  callback.current = onCursor

  useEffect(() => {
    state.current = { balances, holidays, asOf }
    chart.current?.setData(buildPoints(balances))
  }, [balances, holidays, asOf])

  useEffect(() => {
    const element = box.current!
    let colors = readColors(element)
    const plot = new uPlot(
      plotOptions(
        element.clientWidth,
        () => colors,
        state,
        (ms) => callback.current(ms),
      ),
      buildPoints(state.current.balances),
      element,
    )
    chart.current = plot
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }))
    resizing.observe(element)
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const updateColors = () => {
      colors = readColors(element)
      plot.redraw(false, true)
    }
    dark.addEventListener('change', updateColors)
    void document.fonts?.ready.then(() => chart.current === plot && plot.redraw(false, true))
    return () => {
      chart.current = null
      dark.removeEventListener('change', updateColors)
      resizing.disconnect()
      plot.destroy()
    }
  }, [])

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
  const left = cursor === null ? undefined : `${((cursor - from) / (to - from)) * 100}%`
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
      <div ref={box} aria-hidden="true" />
      {left !== undefined && (
        <span className={styles.cursor}>
          <i style={{ left }} />
        </span>
      )}
    </div>
  )
}
