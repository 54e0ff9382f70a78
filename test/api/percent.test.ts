import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePercents, formPairs } from '../../src/api/http/percent.ts'
import '../support/property-seed.ts'

/** Forms, queries and texts of the log are decoded as URLSearchParams would, which takes longer. */

/** Without other characters that are not encoded: Node 20 reads some of them as Latin-1. */
const pieces = fc.array(
  fc.constantFrom('a', '+', '%', '%4', '%41', '%e9', '%C3%A9', '%F0%9F%98%80', '%zz', '=', '&', '[', ' ', '\0'),
  { maxLength: 20 },
)

describe('a form', () => {
  it('has the pairs that URLSearchParams finds', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('')
        const pairs = [...formPairs(text)].map(([name, value]) => [name, value])
        expect(pairs).toEqual([...new URLSearchParams(`&${text}`)])
      }),
    )
  })

  it('may have characters that are not encoded', () => {
    expect([...formPairs('naïve=%C3%A9é')]).toEqual([['naïve', 'éé', 'naïve=%C3%A9é']])
  })

  it('keeps each pair as it was written', () => {
    const pairs = [...formPairs('a%20b=c+d&&e')]
    expect(pairs).toEqual([
      ['a b', 'c d', 'a%20b=c+d'],
      ['e', '', 'e'],
    ])
  })
})

it.each([
  ['100%', '100%'],
  ['%41%4', 'A%4'],
  ['1+1', '1+1'],
  ['%C3%A9t%c3%a9', 'été'],
  ['%FF', '\ufffd'],
])('outside of a form %s is %s', (text, plain) => {
  expect(decodePercents(text)).toBe(plain)
})
