import { type CalendarDate, newYorkInstant, newYorkTime } from '../../contract/terms/new-york.ts'

export type { CalendarDate }

/**
 * The banking calendar: Monday to Friday without the Federal Reserve's holidays, in New York time. A date is a text,
 * `YYYY-MM-DD`; an instant is a number of milliseconds.
 */

const DAY_MS = 86_400_000

const utc = (date: CalendarDate) => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number): CalendarDate => new Date(ms).toISOString().slice(0, 10)
const weekday = (date: CalendarDate) => new Date(utc(date)).getUTCDay()
export const plusDays = (date: CalendarDate, days: number): CalendarDate => dateOf(utc(date) + days * DAY_MS)

/** The nth such weekday of a month; the last one when n is -1. */
function nthWeekday(year: number, month: number, day: number, n: number): CalendarDate {
  const first = dateOf(Date.UTC(year, n > 0 ? month - 1 : month, 1))
  const toFirst = (day - weekday(first) + 7) % 7
  return plusDays(first, n > 0 ? toFirst + 7 * (n - 1) : toFirst - 7)
}

/** A holiday on a Sunday moves to the Monday after. One on a Saturday does not move: the Fed is open on that Friday. */
function fixed(year: number, monthAndDay: string): CalendarDate {
  const date = `${year}-${monthAndDay}`
  return weekday(date) === 0 ? plusDays(date, 1) : date
}

/** Federal Reserve holidays as rules, not as a list of years. Juneteenth counts from 2022 on. */
const HOLIDAYS: readonly { name: string; since?: number; on: (year: number) => CalendarDate }[] = [
  { name: "New Year's Day", on: (y) => fixed(y, '01-01') },
  { name: 'Martin Luther King Day', on: (y) => nthWeekday(y, 1, 1, 3) },
  { name: "Washington's Birthday", on: (y) => nthWeekday(y, 2, 1, 3) },
  { name: 'Memorial Day', on: (y) => nthWeekday(y, 5, 1, -1) },
  { name: 'Juneteenth', since: 2022, on: (y) => fixed(y, '06-19') },
  { name: 'Independence Day', on: (y) => fixed(y, '07-04') },
  { name: 'Labor Day', on: (y) => nthWeekday(y, 9, 1, 1) },
  { name: 'Columbus Day', on: (y) => nthWeekday(y, 10, 1, 2) },
  { name: 'Veterans Day', on: (y) => fixed(y, '11-11') },
  { name: 'Thanksgiving', on: (y) => nthWeekday(y, 11, 4, 4) },
  { name: 'Christmas Day', on: (y) => fixed(y, '12-25') },
]

const holidaysOf = new Map<number, ReadonlyMap<CalendarDate, string>>()

export function holiday(date: CalendarDate): string | undefined {
  const year = Number(date.slice(0, 4))
  let known = holidaysOf.get(year)
  if (!known) {
    known = new Map(HOLIDAYS.filter(({ since = 0 }) => year >= since).map(({ name, on }) => [on(year), name] as const))
    holidaysOf.set(year, known)
  }
  return known.get(date)
}

export const findHolidays = (from: CalendarDate, days: number): { date: CalendarDate; name: string }[] =>
  Array.from({ length: days }, (_, i) => plusDays(from, i)).flatMap((date) => {
    const name = holiday(date)
    return name ? [{ date, name }] : []
  })

export function isBankingDay(date: CalendarDate): boolean {
  const day = weekday(date)
  return day !== 0 && day !== 6 && holiday(date) === undefined
}

/** The first banking day on or after the date. */
export const bankingDayFrom = (date: CalendarDate): CalendarDate => (isBankingDay(date) ? date : bankingDayAfter(date))

/** The last banking day strictly before the date. */
export function bankingDayBefore(date: CalendarDate): CalendarDate {
  let day = plusDays(date, -1)
  while (!isBankingDay(day)) day = plusDays(day, -1)
  return day
}

/** The nth banking day strictly after the date. */
export function bankingDayAfter(date: CalendarDate, n = 1): CalendarDate {
  let day = date
  for (let left = n; left > 0; ) {
    day = plusDays(day, 1)
    if (isBankingDay(day)) left--
  }
  return day
}

/** A time of day, `hh:mm`, in milliseconds since midnight. */
const timeOfDay = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

/** The instant of a date and a time of day, `hh:mm`, in New York. */
export const instantAt = (date: CalendarDate, time: string): number => newYorkInstant(date, timeOfDay(time))

export const dateAt = (ms: number): CalendarDate => newYorkTime(ms).date

/** True from the time of day `from` until just before `until`, in New York. */
export function isBetween(ms: number, from: string, until: string): boolean {
  const { time_ms } = newYorkTime(ms)
  return timeOfDay(from) <= time_ms && time_ms < timeOfDay(until)
}

/** The banking day that an instant belongs to: its own before the cut-off, else the next. */
export function bankingDayWithCutOff(ms: number, cutOff: string): CalendarDate {
  const { date, time_ms } = newYorkTime(ms)
  return isBankingDay(date) && time_ms < timeOfDay(cutOff) ? date : bankingDayAfter(date)
}

/** Assumed (invented): n business days later is the same New York time on the nth banking day after today. */
export function plusBankingDays(ms: number, n: number): number {
  const { date, time_ms } = newYorkTime(ms)
  return newYorkInstant(bankingDayAfter(date, n), time_ms)
}

const CLOSE_MS = 20 * 3_600_000

export const isClose = (ms: number): boolean => closeAfter(ms - 1) === ms

/** The first close of a banking day strictly after this instant. */
export function closeAfter(ms: number): number {
  const { date } = newYorkTime(ms)
  const today = newYorkInstant(date, CLOSE_MS)
  return isBankingDay(date) && today > ms ? today : newYorkInstant(bankingDayAfter(date), CLOSE_MS)
}
