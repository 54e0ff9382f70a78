import { describe, expect, it } from 'vitest'
import { compareResponses } from '../../src/api/replay/compare-responses.ts'
import { Correlation } from '../../src/api/replay/correlation.ts'

const bodyOf = (value: unknown) => ({ status: 200, headers: [], body: JSON.stringify({ value }) })
const differ = (recorded: unknown, replayed: unknown, shift_ms: number | null) =>
  compareResponses(bodyOf(recorded), bodyOf(replayed), {
    correlation: new Correlation(),
    shift_ms,
    ignoresOrder: false,
    ignoresBody: false,
  }).length > 0

describe('two values of a response', () => {
  const [noon, later] = ['2026-08-14T12:00:00.000Z', '2026-08-14T13:00:00.000Z']

  it.each([
    ['two times, when their times are unrelated', noon, later, null, false],
    ['a time as far ahead as the clock', noon, later, 3_600_000, false],
    ['another time', noon, later, 0, true],
    ['a text and a time', 'never', noon, null, true],
    ['an empty text and a time', '', noon, null, true],
    ['a time and an empty text', noon, '', null, true],
  ] as const)('%s', (_, recorded, replayed, shift_ms, expected) => {
    expect(differ(recorded, replayed, shift_ms)).toBe(expected)
  })
})
