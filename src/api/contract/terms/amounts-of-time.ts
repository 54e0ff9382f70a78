import { ApiError } from '../errors.ts'
import { newYorkTime, shownInNewYork } from './new-york.ts'

/** Durations, instants and other amounts of time as people write them: they mean the same in each part of Sandbank. */

/** How far the clock is to be advanced. */
export type AmountOfTime =
  | { readonly by: string }
  | { readonly to: string }
  | { readonly business_days: number }
  | { readonly until: 'next' | 'idle' }

export const MAX_BUSINESS_DAYS = 2_600
const EXPECTED =
  'expected is one such as 36h, 1d12h, PT24H, 8 business days (1 to 2600), next, idle, monday 9:00 or 2026-12-01T14:00 ' +
  '(a time that exists in New York)'
const NO_MONTHS = 'months and years have no fixed length; give weeks, days, hours, minutes or seconds'

/**
 * Reads `8bd`, `8 business days`, `24h`, `1d12h`, `30 minutes`, `PT24H`, `next`, `idle`, `2026-12-01T14:00Z`, `tomorrow`, `monday 9:00`.
 * Undefined for a text that is no amount of time. A time without an offset is one in New York.
 */
export function parseAmountOfTime(text: string, now: number): AmountOfTime | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:by|to|in|until) +/, '')
  if (plain === 'next' || plain === 'idle') return { until: plain }
  const [, days] = /^(\d{1,4}) ?(?:bd|(?:business|banking|bank)[ -]?days?)$/.exec(plain) ?? []
  if (days !== undefined)
    return Number(days) > 0 && Number(days) <= MAX_BUSINESS_DAYS ? { business_days: Number(days) } : undefined
  const by = /^p(?=\d|t\d)[\dtymwdhs.]+$/.test(plain) ? plain.toUpperCase() : toDuration(plain)
  if (by !== undefined) return { by }
  const to = parseMoment(plain) ?? parseDay(plain, now)
  return to === undefined ? undefined : { to: new Date(to).toISOString() }
}

/** The same, or a refusal that says what is expected. */
export function readAmountOfTime(text: string, now: number): AmountOfTime {
  const amount = parseAmountOfTime(text, now)
  if (amount && 'by' in amount) parseDuration(amount.by)
  if (amount) return amount
  throw new ApiError('invalidArgument', `"${text.slice(0, 100)}" is no amount of time: ${EXPECTED}`)
}

// ── Durations ────────────────────────────────────────────────────────────────────────────────────────────────────

const UNITS: readonly { readonly name: RegExp; readonly letter: string; readonly ms: number }[] = [
  { name: /^w(?:(?:ee)?ks?)?$/, letter: 'W', ms: 604_800_000 },
  { name: /^d(?:ays?)?$/, letter: 'D', ms: 86_400_000 },
  { name: /^h(?:(?:ou)?rs?)?$/, letter: 'H', ms: 3_600_000 },
  { name: /^m(?:in(?:ute)?s?)?$/, letter: 'M', ms: 60_000 },
  { name: /^s(?:ec(?:ond)?s?)?$/, letter: 'S', ms: 1_000 },
]

/** `1d12h` as an ISO 8601 duration. */
function toDuration(plain: string): string | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})? ?[a-z]{1,7} ?)+$/.test(plain)) return undefined
  const parts = [...plain.matchAll(/([\d.]{1,19}) ?([a-z]{1,7})/g)].map(([, amount, word]) => ({
    amount,
    letter: UNITS.find(({ name }) => name.test(word!))?.letter,
  }))
  if (parts.some(({ letter }, i) => parts.findIndex((other) => other.letter === letter) !== i || !letter))
    return undefined
  const print = (letters: string) =>
    [...letters].flatMap((letter) => parts.filter((part) => part.letter === letter).map((one) => one.amount + letter))
  const time = print('HMS').join('')
  return `P${print('WD').join('')}${time === '' ? '' : `T${time}`}`
}

const DURATION =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** The milliseconds of an ISO 8601 duration. */
export function parseDuration(text: string): number {
  if (/^P[^T]*[YM]/.test(text)) throw new ApiError('invalidArgument', `by: ${NO_MONTHS}`)
  const match = DURATION.exec(text)
  const parts = match?.slice(1).filter((part) => part !== undefined)
  if (!match || !parts?.length)
    throw new ApiError('invalidArgument', 'by: an ISO 8601 duration is expected, such as PT24H or P3D')
  return Math.round(UNITS.reduce((ms, unit, i) => ms + Number(match[i + 1] ?? 0) * unit.ms, 0))
}

// ── Instants ─────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A date or a timestamp as milliseconds; NaN when it is invalid, such as 2026-02-31. Without an offset it is UTC, in any
 * time zone of this machine.
 */
export function parseTimestamp(text: string): number {
  const [, date = '', time = ''] = /^(\d{4}-\d{2}-\d{2})(T.+)?$/.exec(text) ?? []
  const day = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return Number.NaN
  return Date.parse(time === '' || /(Z|[+-]\d{2}:?\d{2})$/i.test(time) ? text : `${text}Z`)
}

export function parseInstant(text: string, what = 'to'): number {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)
    ? parseTimestamp(text)
    : Number.NaN
  if (Number.isNaN(ms))
    throw new ApiError(
      'invalidArgument',
      `${what}: an ISO 8601 instant with its offset is expected, such as 2026-11-23T14:30:00Z`,
    )
  return ms
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Undefined for a date that does not exist, and for a time that the clocks in New York skip in spring. */
function parseMoment(plain: string): number | undefined {
  const [, date, time = '00:00', offset] =
    /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(z|[+-]\d{2}:?\d{2})?)?$/.exec(plain) ?? []
  if (date === undefined) return undefined
  const ms = parseTimestamp(`${date}T${time}${(offset ?? 'Z').toUpperCase()}`)
  if (Number.isNaN(ms)) return undefined
  return offset === undefined ? shownInNewYork(date, ms - Date.parse(`${date}T00:00:00Z`)) : ms
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** The longest way to a day: today at an hour that is over means the same weekday of the next week. */
const DAYS_AHEAD = 8

/** `tomorrow`, `monday 9:00`, `fri 5pm`, `9:30`: the next such instant. A day without a time begins at midnight. */
function parseDay(plain: string, now: number): number | undefined {
  const words = plain.split(' ').filter((word) => word !== '' && !['next', 'on', 'at'].includes(word))
  const [first = ''] = words
  const isShort = words.length > 1 && WEEKDAYS.some((day) => day.slice(0, 3) === first)
  const isDay = isShort || ['today', 'tomorrow', ...WEEKDAYS].includes(first)
  const typed = words
    .slice(isDay ? 1 : 0)
    .join(' ')
    .replace(/ (am|pm)$/, '$1')
  const time = parseTime(typed, isDay)
  if (time === undefined || (first === 'today' && typed === '')) return undefined
  const today = Date.parse(newYorkTime(now).date)
  for (let ahead = 0; ahead < DAYS_AHEAD; ahead++) {
    const day = new Date(today + ahead * DAY_MS)
    const instant = shownInNewYork(day.toISOString().slice(0, 10), time)
    if (instant !== undefined && instant > now && (!isDay || isNamed(first, ahead, day))) return instant
  }
  return undefined
}

function isNamed(name: string, ahead: number, day: Date): boolean {
  if (name === 'today' || name === 'tomorrow') return ahead === (name === 'today' ? 0 : 1)
  return WEEKDAYS[day.getUTCDay()]!.startsWith(name)
}

/** Milliseconds since midnight. A number alone is an hour only after a day. */
function parseTime(text: string, isAfterDay: boolean): number | undefined {
  if (text === '') return isAfterDay ? 0 : undefined
  if (text === 'noon') return 12 * HOUR_MS
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(text) ?? []
  if (hours === undefined || (minutes === undefined && half === undefined && !isAfterDay)) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isTime =
    hour < 24 && Number(minutes ?? 0) < 60 && (half === undefined || (Number(hours) > 0 && Number(hours) < 13))
  return isTime ? hour * HOUR_MS + Number(minutes ?? 0) * 60_000 : undefined
}
