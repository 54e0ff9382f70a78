import { describe, expect, it } from 'vitest'
import { formatTypedAmount } from '../../src/renderer/screens/settings/fields.ts'

describe('a typed amount', () => {
  it.each([
    ['25', '25.00'],
    ['25.', '25.00'],
    ['0.5', '0.50'],
    ['5000000.00', '5,000,000.00'],
    ['a lot', 'a lot'],
  ])('%s is shown as %s', (typed, shown) => expect(formatTypedAmount(typed)).toBe(shown))
})
