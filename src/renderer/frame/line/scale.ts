import { formatIsoDate, isWeekend, newYork, parseNewYorkTime, startOfDay, startOfNextDay } from '../../format/text.ts'

/** The span of time that the line shows, and what lies where in it. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export interface View {
  readonly from: number
  readonly to: number
  /** In pixels. */
  readonly width: number
}

export const zooms = {
  Minutes: 2 * HOUR_MS,
  Hours: 36 * HOUR_MS,
  Days: 14 * DAY_MS,
  Months: 120 * DAY_MS,
  Years: 1_461 * DAY_MS,
} as const
export const LEAST_SPAN = 10 * MINUTE_MS
export const MOST_SPAN = 20 * 366 * DAY_MS

/** While the line follows the clock, now is here. */
const NOW_AT = 0.4

export const viewOf = (now: number, span: number, from: number | null, width: number): View => {
  const begin = from ?? now - span * NOW_AT
  return { from: begin, to: begin + span, width }
}

export const positionOf = ({ from, to, width }: View, at: number) => ((at - from) / (to - from)) * width
export const timeAt = ({ from, to, width }: View, x: number) => from + (x / width) * (to - from)

interface Tick {
  readonly at: number
  readonly label: string
}

/** The least distance of two ticks, for their labels. */
const TICK_PX = 58
const SHORT_STEPS = [5, 15, 30, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS)

export function ticksOf(view: View): Tick[] {
  const { from, to, width } = view
  const least = (TICK_PX / Math.max(width, 1)) * (to - from)
  const step = SHORT_STEPS.find((one) => one >= least)
  if (step !== undefined) return daysIn(view).flatMap(({ start, end }) => timesOf(start, end, step, view))
  const days = daysIn(view).filter(({ start }) => start >= from)
  if (least <= DAY_MS) return days.map(({ start }) => ({ at: start, label: dayLabel(start) }))
  if (least <= 7 * DAY_MS)
    return days
      .filter(({ start }) => newYork(start).weekday === 'Mon')
      .map(({ start }) => ({ at: start, label: dateLabel(start) }))
  const months = least <= 31 * DAY_MS ? 1 : least <= 92 * DAY_MS ? 3 : 12
  return monthsIn(view, months)
}

function timesOf(start: number, end: number, step: number, { from, to }: View): Tick[] {
  const ticks: Tick[] = []
  for (let at = start; at < end; at += step)
    if (at >= from && at < to) ticks.push({ at, label: at === start ? dayLabel(at) : newYork(at).time.slice(0, 5) })
  return ticks
}

function monthsIn({ from, to }: View, every: number): Tick[] {
  const ticks: Tick[] = []
  const [year = 0, month = 1] = formatIsoDate(from).split('-').map(Number)
  const first = year * 12 + month - 1
  for (let n = first - (first % every); ; n += every) {
    const date = `${Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`
    const at = parseNewYorkTime(date, '00:00')
    if (at === null || at >= to) return ticks
    if (at >= from) ticks.push({ at, label: n % 12 === 0 ? date.slice(0, 4) : newYork(at).month })
  }
}

const dayLabel = (at: number) => {
  const { weekday, day, month } = newYork(at)
  return day === '1' ? `${day} ${month}` : `${weekday} ${day}`
}
const dateLabel = (at: number) => {
  const { day, month } = newYork(at)
  return `${day} ${month}`
}

/** More are too narrow to be seen. */
const MAX_DAYS = 400

export interface Day {
  readonly start: number
  readonly end: number
}

/** Those that the span touches. */
export function daysIn({ from, to }: Pick<View, 'from' | 'to'>): Day[] {
  const days: Day[] = []
  for (let start = startOfDay(from); start < to && days.length < MAX_DAYS; ) {
    const end = startOfNextDay(start)
    days.push({ start, end })
    start = end
  }
  return days
}

const WEEKS = 5
export const WEEK_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The weeks of the month view: one that is over, the one with the time, and those to come. */
export function monthOf(at: number): Day[] {
  const today = startOfDay(at)
  const back = 7 + WEEK_DAYS.indexOf(newYork(today).weekday)
  // Noon is in its day, whatever the length of the days between.
  const first = startOfDay(today - back * DAY_MS + DAY_MS / 2)
  return daysIn({ from: first, to: first + (WEEKS * 7 - 0.5) * DAY_MS })
}

export interface ClosedDay extends Day {
  readonly holiday: string | undefined
}

export const closedDays = (days: readonly Day[], holidays: ReadonlyMap<string, string>): ClosedDay[] =>
  days
    .map((day) => ({ ...day, holiday: holidays.get(formatIsoDate(day.start)) }))
    .filter(({ start, holiday }) => holiday !== undefined || isWeekend(start))

/** A mark, and its label if there is room before the next one. */
export interface Placed<T> {
  readonly x: number
  readonly items: readonly T[]
  readonly label: string
}

const MERGE_PX = 14
const LETTER_PX = 6.2
const GLYPH_PX = 10

/** Items in the order of time; those that are nearer to each other than a mark is wide share one. */
export function placeMarks<T>(
  items: readonly T[],
  xOf: (item: T) => number,
  labelOf: (items: readonly T[]) => string,
  end: number,
): Placed<T>[] {
  const groups: { x: number; items: T[] }[] = []
  for (const item of items) {
    const x = xOf(item)
    if (x < 0 || x > end) continue
    const last = groups.at(-1)
    if (last && x - last.x < MERGE_PX) last.items.push(item)
    else groups.push({ x, items: [item] })
  }
  return groups.map(({ x, items: here }, at) => {
    const label = labelOf(here)
    const fits = x + GLYPH_PX + label.length * LETTER_PX < (groups[at + 1]?.x ?? end) - GLYPH_PX
    return { x, items: here, label: fits ? label : '' }
  })
}
