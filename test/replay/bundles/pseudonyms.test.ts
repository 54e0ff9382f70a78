import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { achReturnFor, nocFor } from '../../../src/api/contract/triggers.ts'
import { Pseudonyms } from '../../../src/api/replay/bundles/pseudonyms.ts'

const pseudonymsOf = (key: string) => new Pseudonyms(createHash('sha256').update(key).digest())

// The permutations of these keys lead from these numbers only to themselves. An export with such a number did not end.
it.each([
  ['key 106', '9805'],
  ['key 159', '9405'],
  ['key 179', '9551'],
  ['key 253', '9910'],
])('with the %s, the number %s that forces an outcome gets a pseudonym that forces none', (key, end) => {
  const masked = pseudonymsOf(key).accountLastFour(end)
  expect(masked).toMatch(/^\d{4}$/)
  expect([masked === end, achReturnFor(masked), nocFor(masked)]).toEqual([false, undefined, undefined])
  // A whole number ends in the pseudonym of its last four digits, as responses show them alone.
  expect(pseudonymsOf(key).account(`441020${end}`).slice(-4)).toBe(masked)
})

// Each letter once took time in proportion to the whole word, so exporting such a word took minutes.
it('a word of 270,000 letters gets a pseudonym of its own length', () => {
  const long = 'customers'.repeat(30_000)
  const masked = pseudonymsOf('long').words(`/${long}`)
  expect(masked).toMatch(/^\/[a-z]+$/)
  expect(masked).toHaveLength(long.length + 1)
  expect(masked).not.toContain('customers')
})

it('each state becomes another one, and no two the same, whatever the key is', () => {
  for (let key = 0; key < 20; key++) {
    const pseudonyms = pseudonymsOf(`key ${key}`)
    const states = ['TX', 'IA', 'CA', 'NY', 'WA', 'PR', 'DC', 'MN', 'OH', 'VT']
    const masked = states.map((state) => pseudonyms.state(state))
    expect(masked.filter((state, at) => state === states[at])).toEqual([])
    expect(new Set(masked).size).toBe(states.length)
  }
})
