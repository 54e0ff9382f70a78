/** Time in New York, by which the banks work. A date is text, `YYYY-MM-DD`; an instant is milliseconds since 1970 UTC. */

export type CalendarDate = string

interface NewYorkTime {
  readonly date: CalendarDate
  /** Since midnight, as the wall clock shows it. */
  readonly time_ms: number
}

/** Created when it is first needed, as that takes 10 ms. */
let formatter: Intl.DateTimeFormat | undefined
// format() and fixed positions: formatToParts() takes four times as long, temporal-polyfill seventeen times.
const createFormatter = () =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
const FORMAT = /^(\d\d)\/(\d\d)\/(\d+), (\d\d):(\d\d):(\d\d)$/

/** The date and time in New York at an instant. */
export function newYorkTime(ms: number): NewYorkTime {
  const [, month, day, year = '', hours, minutes, seconds] = FORMAT.exec((formatter ??= createFormatter()).format(ms))!
  const time_ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return { date: `${year.padStart(4, '0')}-${month}-${day}`, time_ms: time_ms + (((ms % 1000) + 1000) % 1000) }
}

/**
 * The instant of a date and time in New York. A time in the hour that is skipped in spring counts as an hour later; one
 * in the hour that is repeated in autumn counts as the first.
 */
export function newYorkInstant(date: CalendarDate, time_ms: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + time_ms
  const isAt = (ms: number) => {
    const shown = newYorkTime(ms)
    return shown.date === date && shown.time_ms === time_ms
  }
  const daylight = wall + 4 * HOUR_MS
  return isAt(daylight) ? daylight : wall + 5 * HOUR_MS
}
const HOUR_MS = 3_600_000

/** The same; undefined for a time that the clocks skip in spring. */
export function shownInNewYork(date: CalendarDate, time_ms: number): number | undefined {
  const instant = newYorkInstant(date, time_ms)
  const shown = newYorkTime(instant)
  return shown.date === date && shown.time_ms === time_ms ? instant : undefined
}

/** The instant at which the New York day of this instant began. */
export const startOfNewYorkDay = (ms: number): number => newYorkInstant(newYorkTime(ms).date, 0)
