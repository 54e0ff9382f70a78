import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { parseAdvance } from '../../data/parse-advance.ts'
import { plural } from '../../format/numbers.ts'
import { formatIsoDate, isWeekend, newYork, parseNewYorkTime, startOfDay, startOfNextDay } from '../../format/time.ts'

/** Where an advance would end. The window computes it for the preview only: the sandbox decides. */

export const advanceModes = {
  duration: 'Duration',
  moment: 'Date and time',
  business_days: 'Business days',
  next: 'To next task',
  idle: 'Until idle',
} as const
export type AdvanceMode = keyof typeof advanceModes

/** What the form holds, as text. */
export interface AdvanceFields {
  readonly mode: AdvanceMode
  readonly duration: string
  /** In New York: `2026-11-23` and `09:30`. */
  readonly date: string
  readonly time: string
  readonly business_days: string
}

export interface Goal {
  readonly input: AdvanceInput
  readonly label: string
  /** Null if the end is not known in advance. */
  readonly to: number | null
}

interface Calendar {
  readonly now: number
  readonly next: number | null
  readonly holidays: ReadonlyMap<string, string>
  /** The end of the days whose holidays are known. */
  readonly knownTo: number
}

const DURATION = /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000]

export function durationMs(text: string): number | null {
  const parts = DURATION.exec(text.trim().toUpperCase())?.slice(1)
  if (!parts?.some(Boolean)) return null
  const ms = UNITS_MS.reduce((sum, unit, i) => sum + Number(parts[i] ?? 0) * unit, 0)
  return Number.isFinite(ms) ? Math.round(ms) : null
}

/** The same time of day on the nth banking day after today; null if its holidays are not known. */
export function addBusinessDays(now: number, n: number, { holidays, knownTo }: Calendar): number | null {
  let day = startOfDay(now)
  for (let left = n; left > 0; ) {
    day = startOfNextDay(day)
    if (day > knownTo) return null
    if (!isWeekend(day) && !holidays.has(formatIsoDate(day))) left--
  }
  return parseNewYorkTime(formatIsoDate(day), newYork(now).time)
}

/** The goal, or an error text. */
export function parseGoal(fields: AdvanceFields, calendar: Calendar): Goal | string {
  const { now, next } = calendar
  switch (fields.mode) {
    case 'duration': {
      if (/^P[^T]*[YM]/i.test(fields.duration.trim()))
        return 'Months and years have no fixed length. Use weeks, days, hours, minutes or seconds.'
      const typed = parseAdvance(fields.duration)?.input
      const by = typed && 'by' in typed && typed.by !== undefined ? typed.by : fields.duration.trim().toUpperCase()
      const ms = durationMs(by)
      if (ms === null) return `“${fields.duration}” is not a duration. Enter one such as 36 hours or P2W.`
      return { input: { by }, label: by, to: now + ms }
    }
    case 'moment': {
      const to = parseNewYorkTime(fields.date, fields.time)
      if (to === null)
        return 'Enter a date and a time that exist in New York. The start of daylight saving time skips an hour.'
      if (to < now) return 'That is in the past. To go back in time, rewind to an earlier commit.'
      return { input: { to: new Date(to).toISOString() }, label: 'to a date', to }
    }
    case 'business_days': {
      const n = Number(fields.business_days)
      if (!Number.isInteger(n) || n < 1 || n > 2600) return 'Enter a whole number from 1 to 2600.'
      const label = plural(n, 'business day')
      return { input: { business_days: n }, label, to: addBusinessDays(now, n, calendar) }
    }
    case 'next':
      if (next === null) return 'Nothing is scheduled except the daily close.'
      return { input: { until: 'next' }, label: 'to next task', to: Math.max(now, next) }
    case 'idle':
      return { input: { until: 'idle' }, label: 'until idle', to: null }
  }
}
