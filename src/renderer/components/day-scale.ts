import { formatIsoDate, isWeekend, newYork, startOfDay, startOfNextDay } from '../format/text.ts'

/** How many days a scale shows. */
export const DAY_COUNT = 12
/** Days on which banks are closed are narrower. */
export const CLOSED_WIDTH = 0.47

export interface Day {
  readonly start: number
  readonly end: number
  readonly closed: boolean
  readonly holiday: string | undefined
  /** In days of full width. */
  readonly left: number
  readonly width: number
}

type Holidays = ReadonlyMap<string, string>

export function splitIntoDays(now: number, holidays: Holidays = new Map(), count = DAY_COUNT): Day[] {
  const days: Day[] = []
  let start = startOfDay(now)
  let left = 0
  for (let i = 0; i < count; i++) {
    const end = startOfNextDay(start)
    const holiday = holidays.get(formatIsoDate(start))
    const closed = isWeekend(start + 1) || holiday !== undefined
    const from = Math.max(now, start)
    const width = ((end - from) / (end - start)) * (closed ? CLOSED_WIDTH : 1)
    days.push({ start: from, end, closed, holiday, left, width })
    left += width
    start = end
  }
  return days
}

/** The position of an instant on the scale, from 0 to 1; undefined if it is after the last day. */
export function positionOnScale(days: readonly Day[], at: number): number | undefined {
  const last = days.at(-1)!
  const day = days.find(({ end }) => at < end)
  if (!day) return undefined
  const within = Math.max(0, (at - day.start) / (day.end - day.start))
  return (day.left + within * day.width) / (last.left + last.width)
}

/** The days in words, for a screen reader: which they are, and on which of them banks are closed. */
export function describeDays(days: readonly Day[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  const nameOf = ({ start, holiday }: Day) => {
    const { weekday, day, month } = newYork(start)
    return `${weekday} ${day} ${month}${holiday === undefined ? '' : ` (${holiday})`}`
  }
  const closed = days.filter((day) => day.closed).map(nameOf)
  return `${days.length} days, ${nameOf(first)} to ${nameOf(last)}${
    closed.length === 0 ? '' : `; banks are closed on ${closed.join(', ')}`
  }`
}

export function formatDayLabel(day: Day, first: boolean, width: number): string {
  const { weekday, day: date, month } = newYork(day.start)
  if (day.closed) return day.holiday && width > 44 ? 'Holiday' : weekday
  if ((first || date === '1') && width > 76) return `${weekday} ${date} ${month}`
  return width > 48 ? `${weekday} ${date}` : weekday
}
