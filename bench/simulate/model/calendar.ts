/** The banking calendar of New York, from the rules of the Federal Reserve. Written apart from the calendar of `src/api/domain`. */

const DAY_MS = 86_400_000

const format = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

export interface WallTime {
  /** `2026-08-14` */
  readonly date: string
  /** `10:00:00` */
  readonly time: string
}

/** The date and time on a clock in New York. */
export function wallTimeAt(instant: number): WallTime {
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}:${part.second}` }
}

/** The instant at which a clock in New York shows this: New York is four or five hours behind UTC. */
export function instantOf(date: string, time: string): number {
  for (const hours of [4, 5]) {
    const instant = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}.000Z`) + hours * 3_600_000
    const wall = wallTimeAt(instant)
    if (wall.date === date && wall.time.startsWith(time)) return instant
  }
  throw new Error(`There is no ${time} on ${date} in New York`)
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/** The eleven holidays. One that falls on a Sunday closes the banks on Monday; one on a Saturday closes nothing. */
function isHoliday(date: string): boolean {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8))
  const dayOfWeek = weekday(date)
  const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25']
  if (fixed.includes(date.slice(5))) return true
  if (dayOfWeek === 1 && fixed.includes(addDays(date, -1).slice(5))) return true
  const nth = Math.ceil(day / 7)
  const isLast = Number(addDays(date, 7).slice(5, 7)) !== month
  if (dayOfWeek === 1)
    return (
      (month === 1 && nth === 3) ||
      (month === 2 && nth === 3) ||
      (month === 5 && isLast) ||
      (month === 9 && nth === 1) ||
      (month === 10 && nth === 2)
    )
  return dayOfWeek === 4 && month === 11 && nth === 4 && year > 0
}

export const isBankingDay = (date: string): boolean => weekday(date) !== 0 && weekday(date) !== 6 && !isHoliday(date)

/** The first banking day on or after this date. */
export function rollForward(date: string): string {
  let day = date
  while (!isBankingDay(day)) day = addDays(day, 1)
  return day
}

/** The nth banking day after this date. */
export function nextBankingDay(date: string, n = 1): string {
  let day = date
  for (let i = 0; i < n; i++) day = rollForward(addDays(day, 1))
  return day
}

export function previousBankingDay(date: string): string {
  let day = addDays(date, -1)
  while (!isBankingDay(day)) day = addDays(day, -1)
  return day
}

/** The date of an instant if it is a banking day and the cut-off is not reached, else the next banking day. */
export function businessDay(instant: number, cutOff: string): string {
  const { date, time } = wallTimeAt(instant)
  return isBankingDay(date) && time.slice(0, 5) < cutOff ? date : nextBankingDay(date)
}
