import { MAX_MASKED } from '../contract/control/bundles.ts'
import { findCut } from '../contract/terms/texts.ts'

/**
 * What the work on one text may cost at most, so that no text makes other requests wait. It is counted and not measured, so equal texts
 * are treated alike. What is beyond it is removed without a look at it, and a mark says so.
 */

/** Values of JSON, or pairs of a form. The API takes at most 1,000. */
export const MAX_VALUES = 5_000
/** Numbers that are sealed or opened, about 10 µs each. */
export const MAX_SEALS = 500

export const describeUnlogged = ({ length }: string) =>
  `[${length} characters with more than ${MAX_VALUES} values are not logged]`

// ── Cut texts ───────────────────────────────────────────────────────────────────────────────────────────────────────

const MARK = /… \[cut: [\d,]{1,12} characters\]$/

/**
 * A text as far as it is masked, and the mark of what is missing: empty if nothing is. A text that was cut before keeps its mark.
 *
 * Assumed (invented): a bundle has of each text at most 4,096 characters, with a mark of how many more there were. It is cut before a word or a number.
 */
export function cutLong(text: string): readonly [kept: string, mark: string] {
  const mark = text.endsWith(' characters]') ? (MARK.exec(text.slice(-40))?.[0] ?? '') : ''
  const whole = mark === '' ? text : text.slice(0, -mark.length)
  if (whole.length <= MAX_MASKED) return [whole, mark]
  const end = findCut(text, MAX_MASKED)
  return [text.slice(0, end), `… [cut: ${(text.length - end).toLocaleString('en-US')} characters]`]
}
