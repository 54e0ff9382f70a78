import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { plural } from '../../format/numbers.ts'
import { dayStart, formatIsoDate, isWeekend, newYork, nextDay, parseNewYorkTime } from '../../format/time.ts'

/** Where an advance would end: worked out here for the preview, judged by the sandbox when it is asked. */

export const hows = {
  duration: 'Duration',
  moment: 'Date and time',
  business_days: 'Business days',
  next: 'To the next due',
  idle: 'Until nothing is due',
} as const
export type How = keyof typeof hows

export interface Asked {
  readonly how: How
  readonly duration: string
  /** Of New York: `2026-11-23` and `09:30`. */
  readonly date: string
  readonly time: string
  readonly business_days: string
}

export interface Goal {
  readonly input: AdvanceInput
  readonly words: string
  /** Null where the end is not known beforehand. */
  readonly to: number | null
}

interface World {
  readonly now: number
  readonly next: number | null
  readonly holidays: ReadonlyMap<string, string>
  /** The holidays are known up to here. */
  readonly known_to: number
}

const DURATION = /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000]

export function durationMs(text: string): number | null {
  const parts = DURATION.exec(text.trim().toUpperCase())?.slice(1)
  if (!parts?.some(Boolean)) return null
  const ms = UNITS_MS.reduce((sum, unit, i) => sum + Number(parts[i] ?? 0) * unit, 0)
  return Number.isFinite(ms) ? Math.round(ms) : null
}

/** The same wall time on the nth banking day after today. */
export function businessDaysOn(now: number, n: number, { holidays, known_to }: World): number | null {
  let day = dayStart(now)
  for (let left = n; left > 0; ) {
    day = nextDay(day)
    if (day > known_to) return null
    if (!isWeekend(day) && !holidays.has(formatIsoDate(day))) left--
  }
  return parseNewYorkTime(formatIsoDate(day), newYork(now).time)
}

/** The goal, or what is wrong with it in words. */
export function goalOf(asked: Asked, world: World): Goal | string {
  const { now, next } = world
  switch (asked.how) {
    case 'duration': {
      if (/^P[^T]*[YM]/i.test(asked.duration.trim()))
        return 'Months and years have no fixed length: give weeks, days, hours, minutes or seconds.'
      const ms = durationMs(asked.duration)
      if (ms === null) return 'A duration in ISO 8601 is expected, such as PT36H or P2W.'
      const by = asked.duration.trim().toUpperCase()
      return { input: { by }, words: by, to: now + ms }
    }
    case 'moment': {
      const to = parseNewYorkTime(asked.date, asked.time)
      if (to === null) return 'A date and a time that the clocks of New York show are expected.'
      if (to < now) return 'That is past. Time does not go back by advancing: rewind to an earlier commit.'
      return { input: { to: new Date(to).toISOString() }, words: 'to a date', to }
    }
    case 'business_days': {
      const n = Number(asked.business_days)
      if (!Number.isInteger(n) || n < 1 || n > 2600) return 'A whole number from 1 to 2600 is expected.'
      const words = plural(n, 'business day')
      return { input: { business_days: n }, words, to: businessDaysOn(now, n, world) }
    }
    case 'next':
      if (next === null) return 'Nothing is due, the close of day aside.'
      return { input: { until: 'next' }, words: 'to the next due', to: Math.max(now, next) }
    case 'idle':
      return { input: { until: 'idle' }, words: 'until nothing is due', to: null }
  }
}
