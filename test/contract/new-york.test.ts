import { describe, expect, it } from 'vitest'
import { newYorkInstant, newYorkTime, startOfNewYorkDay } from '../../src/api/contract/terms/new-york.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)

describe('New York time', () => {
  it.each([
    ['2026-01-15T12:00:00.123Z', '2026-01-15', 7 * HOUR + 123],
    ['2026-07-15T12:00:00.000Z', '2026-07-15', 8 * HOUR],
    ['2026-07-15T03:59:59.999Z', '2026-07-14', 24 * HOUR - 1],
    ['2026-07-15T04:00:00.000Z', '2026-07-15', 0],
    ['2026-12-31T23:00:00.000Z', '2026-12-31', 18 * HOUR],
    ['1969-12-31T23:59:59.999Z', '1969-12-31', 19 * HOUR - 1],
  ])('%s is %s and %i ms', (instant, date, time_ms) => {
    expect(newYorkTime(at(instant))).toEqual({ date, time_ms })
    expect(newYorkInstant(date, time_ms)).toBe(at(instant))
  })

  it('reads a time that is skipped in spring as an hour later', () => {
    expect(newYorkInstant('2026-03-08', 2.5 * HOUR)).toBe(at('2026-03-08T07:30:00Z'))
    expect(newYorkTime(at('2026-03-08T07:30:00Z')).time_ms).toBe(3.5 * HOUR)
  })

  it('reads a time that is repeated in autumn as the first', () => {
    expect(newYorkInstant('2026-11-01', 1.5 * HOUR)).toBe(at('2026-11-01T05:30:00Z'))
    expect(newYorkTime(at('2026-11-01T06:30:00Z'))).toEqual({ date: '2026-11-01', time_ms: 1.5 * HOUR })
  })

  it('begins a day at midnight, also when the day has 23 or 25 hours', () => {
    expect(startOfNewYorkDay(at('2026-03-08T23:00:00Z'))).toBe(at('2026-03-08T05:00:00Z'))
    expect(startOfNewYorkDay(at('2026-11-02T04:00:00Z'))).toBe(at('2026-11-01T04:00:00Z'))
    expect(startOfNewYorkDay(at('2026-11-02T05:00:00Z'))).toBe(at('2026-11-02T05:00:00Z'))
  })
})
