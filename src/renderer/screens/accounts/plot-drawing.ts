import type uPlot from 'uplot'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { formatAmount } from '../../format/numbers.ts'
import { formatIsoDate, isWeekend } from '../../format/time.ts'
import { findChartEnd, listDays } from './balance.ts'

/** What the chart draws on its canvas besides the series of uPlot. */

export interface ChartState {
  readonly balances: Balances
  readonly holidays: ReadonlySet<string>
  readonly asOf: boolean
}

export const MAX_HATCHED_DAYS = 120

export interface ChartColors {
  readonly accent: string
  readonly soft: string
  readonly faint: string
  readonly line: string
  readonly hatch: string
  readonly paper: string
  readonly text: string
  readonly font: string
}

/** Reads the colors of the theme from a probe element, as a canvas cannot use CSS variables. */
export function readColors(element: HTMLElement): ChartColors {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const colors = {
    accent: read('--accent'),
    soft: read('--ink-2'),
    faint: read('--ink-3'),
    line: read('--line'),
    hatch: read('--line-strong'),
    paper: read('--paper'),
    text: read('--ink'),
    font: `10.5px ${getComputedStyle(element).fontFamily}`,
  }
  probe.remove()
  return colors
}

/** Hatches the days on which banks are closed. */
export function hatchClosedDays(u: uPlot, { balances, holidays }: ChartState, colors: ChartColors) {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  const days = listDays(Date.parse(balances.from), findChartEnd(balances), MAX_HATCHED_DAYS + 1)
  if (days.length > MAX_HATCHED_DAYS) return
  ctx.save()
  ctx.setLineDash([])
  ctx.strokeStyle = colors.hatch
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

/** Marks the present instant with the settled balance. */
export function drawNowLine(u: uPlot, { balances, asOf }: ChartState, colors: ChartColors) {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  const x = Math.round(u.valToPos(Date.parse(balances.at) / 1000, 'x', true))
  const text = `${asOf ? 'then' : 'now'} ${formatAmount(balances.steps.at(-1)!.settled)}`
  ctx.save()
  ctx.setLineDash([])
  ctx.strokeStyle = colors.soft
  ctx.lineWidth = ratio
  ctx.beginPath()
  ctx.moveTo(x, bbox.top - 8 * ratio)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.font = colors.font.replace(/^[\d.]+/, (size) => String(Number(size) * ratio))
  ctx.textBaseline = 'middle'
  const room = ctx.measureText(text).width + 8 * ratio
  const fitsRight = x + room < bbox.left + bbox.width
  const left = fitsRight ? x + 4 * ratio : x - room
  ctx.fillStyle = colors.paper
  ctx.fillRect(left, bbox.top - 12 * ratio, room - 2 * ratio, 14 * ratio)
  ctx.fillStyle = colors.text
  ctx.fillText(text, left + 2 * ratio, bbox.top - 5 * ratio)
  ctx.restore()
}
