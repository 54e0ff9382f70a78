import { describe, expect, it } from 'vitest'
import { inCents } from '../../src/renderer/screens/settings/draft.ts'

describe('an amount that is typed', () => {
  it.each([
    ['25', '25.00'],
    ['25.', '25.00'],
    ['0.5', '0.50'],
    ['5000000.00', '5,000,000.00'],
    ['a lot', 'a lot'],
  ])('%s is told as %s', (typed, told) => expect(inCents(typed)).toBe(told))
})
