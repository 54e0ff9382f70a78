import { expect, it } from 'vitest'
import { cutText, findCut } from '../../src/api/contract/terms/texts.ts'

it.each([
  ['a text', 'one two three four', 13, 'one two'],
  ['right behind a word', 'one two three four', 14, 'one two three'],
  ['within a number with blanks', 'one 512 04 8823 four', 13, 'one'],
  ['within a number with en dashes', 'one 512 – 04 – 8823', 14, 'one'],
  ['within the name of JSON', '{"first":"Ann","second":1}', 20, '{"first":"Ann'],
  ['within one word', 'customers', 5, ''],
  ['within a pair of surrogates', 'one 😀😀', 5, 'one'],
])('a text is cut before what would stay in part: %s', (_, text, most, kept) => {
  expect(text.slice(0, findCut(text, most))).toBe(kept)
})

it('a long word is cut where it is, as nothing else would be left; a text that is short enough stays', () => {
  const long = 'q'.repeat(1_000)
  expect(cutText(long, 900, 'are left out')).toBe(`${'q'.repeat(900)}… (100 more characters are left out)`)
  expect(cutText(`one ${long}`, 100, 'are left out', 7)).toBe('one… (1008 more characters are left out)')
  expect(cutText(long, 1_000, 'are left out')).toBe(long)
})
