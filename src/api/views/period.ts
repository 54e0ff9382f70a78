import type { Period } from '../contract/control/period.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../store/clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const lengths: Readonly<Record<Exclude<Period, 'all'>, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
}

/** When a period that ends now begins; null for all of the time. */
export const startOf = (period: Period, now: Timestamp): Timestamp | null =>
  period === 'all' ? null : toTimestamp(toMs(now) - lengths[period])
