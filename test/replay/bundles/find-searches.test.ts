import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSearch, SearchFinder } from '../../../src/api/replay/bundles/find-searches.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', 'ü', '😀'), maxLength: 8 })
const star = fc.constantFrom('', '*')
const search = fc.tuple(star, text, star).map((parts) => parts.join(''))

it('finds each search in the first text that has it, as a search of each text by itself does', () =>
  fc.assert(
    fc.property(fc.array(search, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), (searches, texts) => {
      const finder = new SearchFinder()
      for (const one of searches) finder.add(one)
      const found = finder.find(texts)
      for (const one of searches) {
        const { isOpenStart, part, isOpenEnd } = parseSearch(one)
        const fits = (small: string) =>
          isOpenStart
            ? isOpenEnd
              ? small.includes(part)
              : small.endsWith(part)
            : isOpenEnd
              ? small.startsWith(part)
              : small === part
        const first = part === '' ? undefined : texts.find((whole) => fits(whole.toLowerCase()))
        expect(found.get(one)?.text).toBe(first)
        if (first === undefined) continue
        const { start } = found.get(one)!
        expect(first.toLowerCase().slice(start, start + part.length)).toBe(part)
      }
    }),
    { numRuns: 300 },
  ))
