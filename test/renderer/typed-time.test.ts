import { expect, it } from 'vitest'
import { parseAdvance } from '../../src/renderer/frame/palette/parse-advance.ts'

it.each([
  ['PT24H', { by: 'PT24H' }],
  ['advance by p1d', { by: 'P1D' }],
  ['3 hours', { by: 'PT3H' }],
  ['3h', { by: 'PT3H' }],
  ['90 min', { by: 'PT90M' }],
  ['2 weeks', { by: 'P2W' }],
  ['8 business days', { business_days: 8 }],
  ['2026-12-01T14:00Z', { to: '2026-12-01T14:00:00.000Z' }],
])('%s is parsed as an advance', (text, input) => expect(parseAdvance(text)?.input).toEqual(input))

it.each(['500 Harbor', '12 Downing', '1234 Street', '3 weird', '640.00', 'nora', '7 house', '5 seconded', ''])(
  '"%s" is a search text, not an advance',
  (text) => expect(parseAdvance(text)).toBeNull(),
)
