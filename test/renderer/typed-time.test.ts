import { expect, it } from 'vitest'
import { parseAdvance } from '../../src/renderer/data/parse-advance.ts'

it.each([
  ['PT24H', { by: 'PT24H' }],
  ['advance by p1d', { by: 'P1D' }],
  ['3 hours', { by: 'PT3H' }],
  ['3h', { by: 'PT3H' }],
  ['in 3 hours', { by: 'PT3H' }],
  ['90 min', { by: 'PT90M' }],
  ['2 weeks', { by: 'P2W' }],
  ['8 business days', { business_days: 8 }],
  ['2026-12-01T14:00Z', { to: '2026-12-01T14:00:00.000Z' }],
])('%s is parsed as an advance', (text, input) => expect(parseAdvance(text)?.input).toEqual(input))

it.each(['500 Harbor', '12 Downing', '1234 Street', '3 weird', '640.00', 'nora', '7 house', '5 seconded', ''])(
  '"%s" is a search text, not an advance',
  (text) => expect(parseAdvance(text)).toBeNull(),
)

// A Friday, 12:00 in New York.
const NOON = Date.parse('2026-11-20T17:00:00Z')

it.each([
  ['tomorrow', '2026-11-21T05:00:00.000Z'],
  ['tomorrow 9:30', '2026-11-21T14:30:00.000Z'],
  ['advance to monday 9:00', '2026-11-23T14:00:00.000Z'],
  ['next Monday at 9 am', '2026-11-23T14:00:00.000Z'],
  ['fri 5pm', '2026-11-20T22:00:00.000Z'],
  ['friday', '2026-11-27T05:00:00.000Z'],
  ['today noon', null],
  ['today 17:00', '2026-11-20T22:00:00.000Z'],
  ['9:00', '2026-11-21T14:00:00.000Z'],
  ['monday 25:00', null],
  ['13pm', null],
  ['sun', null],
  ['9', null],
  ['monday bakery', null],
])('%s is the next such instant in New York: %s', (text, to) =>
  expect(parseAdvance(text, NOON)?.input ?? null).toEqual(to === null ? null : { to }),
)

it('a day after the change of the clocks begins at its own midnight', () =>
  expect(parseAdvance('monday', Date.parse('2026-10-30T17:00:00Z'))?.input).toEqual({ to: '2026-11-02T05:00:00.000Z' }))
