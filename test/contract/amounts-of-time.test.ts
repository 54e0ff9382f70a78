import { describe, expect, it } from 'vitest'
import { parseAmountOfTime, parseDuration, readAmountOfTime } from '../../src/api/contract/terms/amounts-of-time.ts'

/** A Friday, 12:00 in New York. */
const NOON = Date.parse('2026-11-20T17:00:00Z')
const parse = (text: string, now = NOON) => parseAmountOfTime(text, now)

describe('an amount of time', () => {
  it.each([
    ['8 business days', { business_days: 8 }],
    ['1 business day', { business_days: 1 }],
    ['2 banking days', { business_days: 2 }],
    ['8bd', { business_days: 8 }],
    ['24 hours', { by: 'PT24H' }],
    ['in 24 hours', { by: 'PT24H' }],
    ['24h', { by: 'PT24H' }],
    ['5m', { by: 'PT5M' }],
    ['90 minutes', { by: 'PT90M' }],
    ['90 min', { by: 'PT90M' }],
    ['1.5 hours', { by: 'PT1.5H' }],
    ['1d12h', { by: 'P1DT12H' }],
    ['12 hrs 1 day', { by: 'P1DT12H' }],
    ['1 second', { by: 'PT1S' }],
    ['2 days', { by: 'P2D' }],
    ['1 week', { by: 'P1W' }],
    ['PT24H', { by: 'PT24H' }],
    ['by p0.5d', { by: 'P0.5D' }],
    ['pt1.5s', { by: 'PT1.5S' }],
    ['next', { until: 'next' }],
    ['until idle', { until: 'idle' }],
    ['2026-12-01T14:00Z', { to: '2026-12-01T14:00:00.000Z' }],
    ['2026-12-01T14:00:30+01:00', { to: '2026-12-01T13:00:30.000Z' }],
    ['2026-12-01T14:00', { to: '2026-12-01T19:00:00.000Z' }],
    ['2026-12-01 14:00', { to: '2026-12-01T19:00:00.000Z' }],
    ['2026-12-01', { to: '2026-12-01T05:00:00.000Z' }],
    ['2026-11-01 01:30', { to: '2026-11-01T05:30:00.000Z' }],
    ['tomorrow', { to: '2026-11-21T05:00:00.000Z' }],
    ['tomorrow 9:30', { to: '2026-11-21T14:30:00.000Z' }],
    ['to monday 9:00', { to: '2026-11-23T14:00:00.000Z' }],
    ['next Monday at 9 am', { to: '2026-11-23T14:00:00.000Z' }],
    ['fri 5pm', { to: '2026-11-20T22:00:00.000Z' }],
    ['friday', { to: '2026-11-27T05:00:00.000Z' }],
    ['today 17:00', { to: '2026-11-20T22:00:00.000Z' }],
    ['9:00', { to: '2026-11-21T14:00:00.000Z' }],
    [' 8 \t bd ', { business_days: 8 }],
    ['1d  12\u00a0h', { by: 'P1DT12H' }],
    ['2026-12-01  14:00', { to: '2026-12-01T19:00:00.000Z' }],
  ])('is written %j', (text, amount) => {
    expect(parse(text)).toEqual(amount)
    expect(readAmountOfTime(text, NOON)).toEqual(amount)
  })

  it.each([
    ...['', '8', 'bd', '0bd', '2601bd', '1.5 business days', '-1 hours', '2 hours 3', '1h 2h', 'P', 'PT'],
    ...['500 Harbor', '12 Downing', '1234 Street', '3 weird', '640.00', 'nora', '7 house', '5 seconded'],
    ...['today noon', 'monday 25:00', '13pm', 'sun', '9', 'monday bakery', 'yesterday', 'soon'],
    ...['T09:00', '2026-12-01T', 'monday 1 2', 'mon 1 2 pm'],
    ...['2026-02-30', '2026-12-01T25:00Z', '2027-03-14 02:30'],
  ])('is not %j', (text) => {
    expect(parse(text)).toBeUndefined()
    expect(() => readAmountOfTime(text, NOON)).toThrow(
      expect.objectContaining({
        extra: expect.stringContaining(`"${text}" is no amount of time: expected is one such as 36h`),
      }),
    )
  })

  it('in months or years is refused with the reason, as they have no fixed length', () => {
    for (const text of ['P1M', 'p1y', 'P1Y2D'])
      expect(() => readAmountOfTime(text, NOON)).toThrow(
        expect.objectContaining({ extra: expect.stringContaining('months and years have no fixed length') }),
      )
    expect(readAmountOfTime('PT1M', NOON)).toEqual({ by: 'PT1M' })
  })

  it('of a day after the change of the clocks begins at its own midnight', () =>
    expect(parse('monday', Date.parse('2026-10-30T17:00:00Z'))).toEqual({ to: '2026-11-02T05:00:00.000Z' }))

  it('is not a very long text, and that is found at once', () => {
    for (const text of ['1h'.repeat(50_000), `${'9'.repeat(100_000)}h`, 'p'.repeat(100_000)])
      expect(parse(text)).toBeUndefined()
  })
})

it.each([
  ['PT36H', 36 * 3_600_000],
  ['P2W', 14 * 86_400_000],
  ['P1DT2H3M4.5S', 93_784_500],
  ['P0.5D', 43_200_000],
])('%s lasts %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms))
