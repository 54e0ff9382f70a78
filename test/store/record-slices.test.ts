import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromSlice, toSlice } from '../../src/api/store/record-slices.ts'

/** Texts that look like other values, and fields that only some records have. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '1',
    'null',
    'text 1',
    'json [1]',
    '[1]',
    null,
    true,
    false,
    0,
    1,
    [1],
    ['1'],
    { a: [] },
    [],
  ),
  fc.jsonValue(),
)
const record = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), value), { selector: ([field]) => field })
const records = fc.array(
  record.map((fields) => Object.fromEntries(fields)),
  { maxLength: 20 },
)

describe('a slice of records', () => {
  it('reads the same records as were written, with the same order of fields', () => {
    fc.assert(
      fc.property(records, (written) => {
        const text = JSON.stringify(toSlice('any', written))
        expect(JSON.stringify(fromSlice(JSON.parse(text)))).toBe(JSON.stringify(written))
      }),
      { numRuns: 1_000 },
    )
  })

  it('leaves out undefined fields, as JSON does', () => {
    const text = JSON.stringify(toSlice('any', [{ a: undefined, b: 1 }, { a: 'x' }]))
    expect(fromSlice(JSON.parse(text))).toEqual([{ b: 1 }, { a: 'x' }])
  })

  it('holds each value once; the records that are read share it, frozen', () => {
    const written = [{ a: ['x'] }, { a: ['x'] }]
    const slice = toSlice('any', written)
    expect(slice.values).toEqual([['x']])
    const [first, second] = fromSlice(JSON.parse(JSON.stringify(slice)))
    expect(first!.a).toBe(second!.a)
    expect(() => (first!.a as string[]).push('y')).toThrow(TypeError)
  })
})
