import { describe, expect, it } from 'vitest'
import { positionOnScale, splitIntoDays } from '../../src/renderer/components/day-scale.ts'

/** Friday 20 November 2026, 12:00 in New York. */
const NOON = Date.parse('2026-11-20T17:00:00Z')

describe('the strip of days', () => {
  const days = splitIntoDays(NOON)

  it('starts now, and closed days are narrower', () => {
    expect(days).toHaveLength(12)
    expect(days.map(({ closed }) => closed).slice(0, 4)).toEqual([false, true, true, false])
    expect(days[0]!.width).toBeCloseTo(0.5)
    expect(days[1]!.width).toBeLessThan(days[3]!.width)
  })

  it('shows a holiday as closed, with its name', () => {
    const withHoliday = splitIntoDays(NOON, new Map([['2026-11-26', 'Thanksgiving']]))
    const thursday = withHoliday[6]!
    expect(thursday).toMatchObject({ closed: true, holiday: 'Thanksgiving' })
    expect(thursday.width).toBe(withHoliday[1]!.width)
    expect(days[6]!.closed, 'without the calendar of holidays').toBe(false)
  })

  it.each([
    ['now', NOON, 0],
    ['what is overdue', NOON - 1_000, 0],
    ['the end', days.at(-1)!.end - 1, 1],
  ])('%s has its position', (_, at, place) => expect(positionOnScale(days, at)).toBeCloseTo(place))

  it('positions increase with time, up to the end', () => {
    const places = days.map(({ start }) => positionOnScale(days, start)!)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(positionOnScale(days, days.at(-1)!.end)).toBeUndefined()
  })
})
