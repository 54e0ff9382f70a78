import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { newYorkInstant } from '../../api/contract/terms/new-york.ts'
import { plural } from '../format/numbers.ts'
import { formatIsoDate, formatShortInstant, newYork, startOfDay, startOfNextDay } from '../format/time.ts'

/**
 * Parses a typed advance: `PT24H`, `3 hours`, `8 business days`, `2026-12-01T14:00`, `tomorrow`, `monday 9:00`, with or without
 * "advance".
 */

interface ParsedAdvance {
  readonly input: AdvanceInput
  readonly title: string
}

const UNITS: Readonly<Record<string, readonly [one: string, iso: (n: string) => string]>> = {
  s: ['second', (n) => `PT${n}S`],
  mi: ['minute', (n) => `PT${n}M`],
  h: ['hour', (n) => `PT${n}H`],
  d: ['day', (n) => `P${n}D`],
  w: ['week', (n) => `P${n}W`],
}

/** Accepts the whole word or its usual short forms only: a street address also begins with a number and a letter. */
const isUnit = (word: string, key: string) => {
  const [one] = UNITS[key]!
  return [key, one.slice(0, 3), `${one.slice(0, 3)}s`, one, `${one}s`, ...(key === 'h' ? ['hr', 'hrs'] : [])].includes(
    word,
  )
}

/** `now`: the simulated time, without which days such as `tomorrow` are not parsed. */
export function parseAdvance(text: string, now?: number): ParsedAdvance | null {
  const typed = text
    .trim()
    .replace(/^advance\b\s*/i, '')
    .replace(/^(?:by|to|in)\b\s*/i, '')
  if (/^p(?=[\dt])[\d.ymwdths]+$/i.test(typed)) {
    const by = typed.toUpperCase()
    return { input: { by }, title: `Advance by ${by}` }
  }
  const [, days] = /^(\d{1,4})\s*(?:business|banking|bank|b)\s*d(?:ays?)?$/i.exec(typed) ?? []
  if (days !== undefined && Number(days) > 0)
    return { input: { business_days: Number(days) }, title: `Advance ${plural(Number(days), 'business day')}` }
  const [, n, word = ''] = /^(\d{1,5})\s*([a-z]+)$/i.exec(typed) ?? []
  const unit = Object.keys(UNITS).find((key) => isUnit(word.toLowerCase(), key))
  if (n !== undefined && unit !== undefined) {
    const [one, iso] = UNITS[unit]!
    return { input: { by: iso(n) }, title: `Advance ${plural(Number(n), one)}` }
  }
  const instant = parseInstant(typed) ?? (now === undefined ? null : parseDay(typed, now))
  if (instant === null) return null
  return { input: { to: new Date(instant).toISOString() }, title: `Advance to ${formatShortInstant(instant)}` }
}

/** Without an offset it is New York time, as the window shows. */
function parseInstant(text: string): number | null {
  const [, date, time = '00:00', offset = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text) ?? []
  if (date === undefined) return null
  const day = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return null
  const ms = Date.parse(`${date}T${time}${offset === '' ? 'Z' : offset.toUpperCase()}`)
  if (Number.isNaN(ms)) return null
  return offset === '' ? newYorkInstant(date, ms - day) : ms
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const SHORT_DAYS = WEEKDAYS.map((day) => day.slice(0, 3))
const DAYS_AHEAD = 8

/** `tomorrow`, `monday 9:00`, `fri 5pm`, `9:30`: the next such instant in New York. A day without a time begins at midnight. */
function parseDay(text: string, now: number): number | null {
  const words = text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '' && !['next', 'on', 'at'].includes(word))
  const [first = ''] = words
  const isDay = ['today', 'tomorrow', ...WEEKDAYS].includes(first) || (words.length > 1 && SHORT_DAYS.includes(first))
  const typed = words.slice(isDay ? 1 : 0).join('')
  const time = parseTime(typed, isDay)
  if (time === null || (first === 'today' && typed === '')) return null
  let start = startOfDay(now)
  for (let ahead = 0; ahead < DAYS_AHEAD; ahead++, start = startOfNextDay(start)) {
    const instant = newYorkInstant(formatIsoDate(start), time)
    if (instant > now && isNamed(start, first, ahead, isDay)) return instant
  }
  return null
}

function isNamed(start: number, name: string, ahead: number, isDay: boolean): boolean {
  if (!isDay) return true
  if (name === 'today' || name === 'tomorrow') return ahead === (name === 'today' ? 0 : 1)
  return newYork(start).weekday.toLowerCase() === name.slice(0, 3)
}

/** Milliseconds since midnight. A number alone is an hour only after a day. */
function parseTime(text: string, isAfterDay: boolean): number | null {
  if (text === '') return isAfterDay ? 0 : null
  if (text === 'noon') return 12 * HOUR_MS
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(text) ?? []
  if (hours === undefined || (minutes === undefined && half === undefined && !isAfterDay)) return null
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isTime =
    hour < 24 && Number(minutes ?? 0) < 60 && (half === undefined || (Number(hours) > 0 && Number(hours) < 13))
  return isTime ? hour * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS : null
}
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** Milliseconds; null if only the sandbox can tell, such as for months. */
export function parseDuration(duration: string): number | null {
  const parts = DURATION.exec(duration)?.slice(1)
  if (!parts?.some((part) => part !== undefined)) return null
  return UNITS_MS.reduce((ms, unit, i) => ms + Number(parts[i] ?? 0) * unit, 0)
}
