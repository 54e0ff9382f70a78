import { ApiError } from '../errors.ts'
import { parseTimestamp } from './list.ts'

/** Parses ISO 8601 durations and instants. */

const DURATION =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000]

export function parseDuration(text: string): number {
  if (/^P[^T]*[YM]/.test(text))
    throw new ApiError(
      'invalidArgument',
      'by: months and years have no fixed length; give weeks, days, hours, minutes or seconds',
    )
  const match = DURATION.exec(text)
  const parts = match?.slice(1).filter((part) => part !== undefined)
  if (!match || !parts?.length)
    throw new ApiError('invalidArgument', 'by: an ISO 8601 duration is expected, such as PT24H or P3D')
  return Math.round(UNITS_MS.reduce((ms, unit, i) => ms + Number(match[i + 1] ?? 0) * unit, 0))
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
