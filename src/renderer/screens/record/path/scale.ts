import type { PaymentPath } from '../../../../api/contract/control/payments.ts'
import { CLOSED_WIDTH, type Day, positionOnScale } from '../../../components/day-scale.ts'
import { newYork } from '../../../format/time.ts'

/** The horizontal scale of the path: whole days, or for a payment of minutes only the time that it takes. */

export interface Band {
  readonly left: number
  readonly width: number
  /** Empty where there is no room for it. */
  readonly label: string
  readonly closed: boolean
  readonly isHoliday: boolean
  readonly title: string | undefined
}

export interface Scale {
  /** The position of an instant, from 0 to the width. */
  readonly x: (at: number) => number
  readonly bands: readonly Band[]
}

/** A shorter path is drawn without days: they would be a thousand times longer than it. */
const MIN_DAYS_MS = 6 * 3_600_000
const MIN_LABEL_PX = 30
const LONG_LABEL_PX = 66
const TICK_PX = 96

export function scaleOf(path: PaymentPath, width: number): Scale {
  const [from, until] = [Date.parse(path.from), Date.parse(path.until)]
  return until - from < MIN_DAYS_MS ? scaleOfMinutes(from, until, width) : scaleOfDays(path.days, width)
}

function scaleOfDays(all: PaymentPath['days'], width: number): Scale {
  let right = 0
  const days = all.map(({ start, end, banking, holiday }): Day => {
    const share = banking ? 1 : CLOSED_WIDTH
    right += share
    const place = { left: right - share, width: share }
    return { start: Date.parse(start), end: Date.parse(end), closed: !banking, holiday: holiday ?? undefined, ...place }
  })
  let labelled = Number.NEGATIVE_INFINITY
  return {
    x: (at) => (positionOnScale(days, at) ?? 1) * width,
    bands: days.map(({ start, closed, holiday, ...day }) => {
      const [left, size] = [(day.left / right) * width, (day.width / right) * width]
      const { weekday, day: date, month } = newYork(start)
      const isShown = size >= MIN_LABEL_PX || (!closed && left - labelled >= LONG_LABEL_PX)
      if (isShown) labelled = left
      const label = !isShown
        ? ''
        : size >= LONG_LABEL_PX || size < MIN_LABEL_PX
          ? `${weekday} ${date} ${month}`
          : size >= 46
            ? `${weekday} ${date}`
            : weekday
      return {
        left,
        width: size,
        label,
        closed,
        isHoliday: holiday !== undefined,
        title: closed ? `${weekday} ${date} ${month}: ${holiday ?? 'weekend'}, banks are closed` : undefined,
      }
    }),
  }
}

const STEPS_MS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200].map((seconds) => seconds * 1_000)

function scaleOfMinutes(from: number, until: number, width: number): Scale {
  const span = Math.max(1_000, until - from)
  const [start, end] = [from - span * 0.04, until + span * 0.08]
  const x = (at: number) => Math.min(width, Math.max(0, ((at - start) / (end - start)) * width))
  const ticks = Math.max(1, Math.floor(width / TICK_PX))
  const step = STEPS_MS.find((one) => (end - start) / one <= ticks) ?? STEPS_MS.at(-1)!
  const bands: Band[] = []
  for (let at = Math.floor(start / step) * step; at < end; at += step) {
    const left = x(at)
    const size = x(at + step) - left
    bands.push({
      left,
      width: size,
      label: size > 56 ? newYork(at).time : '',
      closed: false,
      isHoliday: false,
      title: undefined,
    })
  }
  return { x, bands }
}
