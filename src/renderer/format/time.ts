/** How the window writes time and numbers. The banks' day is New York's; the machine's time is UTC. */

const ZONE = 'America/New_York'
const DAY_MS = 86_400_000

const written = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

export interface NewYork {
  readonly weekday: string
  readonly day: string
  readonly month: string
  readonly year: string
  /** 09:04:18 */
  readonly time: string
}

export function newYork(ms: number): NewYork {
  const part = Object.fromEntries(written.formatToParts(ms).map(({ type, value }) => [type, value]))
  return {
    weekday: part.weekday!,
    day: part.day!,
    month: part.month!,
    year: part.year!,
    time: `${part.hour}:${part.minute}:${part.second}`,
  }
}

/** Fri 20 Nov 2026 */
export function formatLongDay(ms: number): string {
  const { weekday, day, month, year } = newYork(ms)
  return `${weekday} ${day} ${month} ${year}`
}

/** 20 Nov */
export function formatShortDay(ms: number): string {
  const { day, month } = newYork(ms)
  return `${day} ${month}`
}

/** 20 Nov 2026 09:04:18 ET */
export function formatInstant(ms: number): string {
  const { day, month, year, time } = newYork(ms)
  return `${day} ${month} ${year} ${time} ET`
}

/** Fri 20 Nov 09:04 */
export function formatShortInstant(ms: number): string {
  const { weekday, day, month, time } = newYork(ms)
  return `${weekday} ${day} ${month} ${time.slice(0, 5)}`
}

/** The same, with the year where it is not that of `now`: an advance may lead far. */
export function formatInstantSince(ms: number, now: number): string {
  const { year, time } = newYork(ms)
  return year === newYork(now).year ? formatShortInstant(ms) : `${formatLongDay(ms)} ${time.slice(0, 5)}`
}

/** 20 Nov 09:04:18 */
export function formatDateTime(ms: number): string {
  const { day, month, time } = newYork(ms)
  return `${day} ${month} ${time}`
}

/** 2026-11-20T14:04:18Z */
export const formatUtc = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Where the wall clock of New York stands, as if it were UTC's, less the instant itself. */
function offset(ms: number): number {
  const { day, month, year, time } = newYork(ms)
  const wall = Date.parse(`${day} ${month} ${year} ${time} GMT`)
  return wall - Math.floor(ms / 1000) * 1000
}

/** The instant at which the wall clock of New York stands so, given as if it were UTC's. */
export function fromNewYorkClock(wall: number): number {
  // The offset may be another one there: twice a year it is.
  return wall - offset(wall - offset(wall))
}

/** The midnight of New York at which the day of this instant began. */
export function dayStart(ms: number): number {
  const wall = Math.floor((ms + offset(ms)) / DAY_MS) * DAY_MS
  return fromNewYorkClock(wall)
}

/** Days are 23, 24 or 25 hours long; half a day past the shortest is always in the next one. */
export const nextDay = (start: number) => dayStart(start + 1.5 * DAY_MS)

/** Banks are closed then; their holidays are asked for (`calendar.read`). */
export const isWeekend = (ms: number) => ['Sat', 'Sun'].includes(newYork(ms).weekday)

/** 00:42, or 1:04:10 */
export function formatStopwatch(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

const isoDates = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The New York date as the interface writes it: `2026-11-26`. */
export const formatIsoDate = (ms: number): string => isoDates.format(ms)

/** 21 h 45 min 07 s; from a day on without the seconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const two = (n: number) => String(n).padStart(2, '0')
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h ${two(minutes)} min`
  if (hours > 0) return `${hours} h ${two(minutes)} min ${two(seconds % 60)} s`
  return minutes > 0 ? `${minutes} min ${two(seconds % 60)} s` : `${seconds} s`
}

/** The instant at which a New York wall shows this; null for what no wall shows. */
export function parseNewYorkTime(date: string, time: string): number | null {
  const wall = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`)
  if (Number.isNaN(wall)) return null
  for (const hours of [4, 5]) {
    const ms = wall + hours * 3_600_000
    if (formatIsoDate(ms) === date && newYork(ms).time === new Date(wall).toISOString().slice(11, 19)) return ms
  }
  return null
}
