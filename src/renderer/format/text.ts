import { ControlError } from '../../api/contract/control/client.ts'
import type { Refusal } from '../../api/contract/control/requests.ts'
import { newYorkTime, shownInNewYork, startOfNewYorkDay } from '../../api/contract/terms/new-york.ts'

/**
 * Stored text, safe to show: a control character becomes its picture, so that it is visible and has no effect.
 * Bidirectional marks stay; they are isolated where the text is shown.
 */
export const escapeControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u001f\u007f]/g, (sign) =>
    sign === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  )

/** Longer texts are shown shortened, with a button for all of it. */
export const MAX_LENGTH = 160

/** The beginning of a long text. It never cuts a character in two. */
export const truncate = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text

export { formatAmount, MINUS } from '../../api/contract/terms/format-amount.ts'

/** Of amounts as text; those that are unknown are left out. */
export function sumAmounts(amounts: readonly (string | null)[]): string {
  const cents = amounts.reduce((sum, amount) => sum + (amount === null ? 0n : BigInt(amount.replace('.', ''))), 0n)
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const grouped = new Intl.NumberFormat('en-US')
export const formatCount = (n: number) => grouped.format(n)

export const formatMilliseconds = (ms: number) => (ms < 100 ? ms.toFixed(1) : formatCount(Math.round(ms)))

/** 1 request, 2 requests */
export const plural = (n: number, one: string, more = `${one}s`) => `${formatCount(n)} ${n === 1 ? one : more}`

/** Time as text: simulated time in New York for people and in UTC for machines; real time in the time zone of this computer. */

const DAY_MS = 86_400_000
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

interface NewYork {
  readonly weekday: string
  readonly day: string
  readonly month: string
  readonly year: string
  /** 09:04:18 */
  readonly time: string
}

export function newYork(ms: number): NewYork {
  const { date, time_ms } = newYorkTime(ms)
  const [year, month, day] = date.split('-').map(Number)
  return {
    weekday: WEEKDAYS[new Date(date).getUTCDay()]!,
    day: String(day),
    month: MONTHS[month! - 1]!,
    year: String(year),
    time: new Date(time_ms).toISOString().slice(11, 19),
  }
}

/** 09:04:18 */
export const formatTimeOfDay = (ms: number): string => newYork(ms).time

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

/** A sentence of the sandbox, whose instants are in UTC. */
export const localizeInstants = (text: string): string =>
  text.replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]{8,12}Z/g, (instant) => formatInstant(Date.parse(instant)))

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

/** The same, with the year if it is not that of `now`. */
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

/** The real time of an instant in the time zone of this computer. Logs of apps often have milliseconds. */
interface RealTime {
  /** 3 Feb */
  readonly day: string
  readonly year: string
  /** 15:03:22.417 */
  readonly time: string
  /** 2026-02-03 15:03:22.417 */
  readonly text: string
}

export function realTime(ms: number): RealTime {
  const iso = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString()
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number)
  return {
    day: `${day} ${MONTHS[month! - 1]}`,
    year: String(year),
    time: iso.slice(11, 23),
    text: iso.slice(0, 23).replace('T', ' '),
  }
}

/** Created when it is first needed, and once. */
let zoneFormat: Intl.DateTimeFormat | undefined

/** 3 Feb 2026 15:03:22.417 GMT+1 */
export function formatRealInstant(ms: number): string {
  const { day, year, time } = realTime(ms)
  zoneFormat ??= new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
  const parts = zoneFormat.formatToParts(ms)
  return `${day} ${year} ${time} ${parts.find(({ type }) => type === 'timeZoneName')!.value}`
}

/** The start of the day in New York. */
export const startOfDay = startOfNewYorkDay

/** Days are 23, 24 or 25 hours long; half a day past the shortest is always in the next one. */
export const startOfNextDay = (start: number) => startOfDay(start + 1.5 * DAY_MS)

/** Banks are closed. Holidays come from `calendar.read`. */
export const isWeekend = (ms: number) => ['Sat', 'Sun'].includes(newYork(ms).weekday)

/** 00:42, or 1:04:10 */
export function formatStopwatch(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** The New York date as the API writes it: `2026-11-26`. */
export const formatIsoDate = (ms: number): string => newYorkTime(ms).date

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

/** The instant of a date and time in New York; null if there is none, as in the hour that is skipped in spring. */
export function parseNewYorkTime(date: string, time: string): number | null {
  const time_ms = Date.parse(`1970-01-01T${time}Z`)
  if (Number.isNaN(Date.parse(`${date}T00:00:00Z`) + time_ms)) return null
  return shownInNewYork(date, time_ms) ?? null
}

/** One line for an error: the API's own text if it has one. */
export function errorText(error: unknown): string {
  if (error instanceof ControlError) {
    const [first] = error.body.errors
    return first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : error.message
  }
  return 'The sandbox did not respond.'
}

/** The same, ending with a full stop, so that another sentence can follow. */
export const errorSentence = (error: unknown): string => errorText(error).replace(/[^.!?…]$/, '$&.')

/** A request that got no response was not refused. */
export const failureTitle = (what: string, error: unknown): string =>
  `${what} ${error instanceof ControlError ? 'was refused' : 'could not be sent'}.`

/** What the API would answer, and the reason that it does not disclose. */
export const formatRefusal = ({ code, title, extra, cause }: Refusal): string =>
  [`${code} ${title}`, extra, cause].filter((part) => part !== null).join(': ')
