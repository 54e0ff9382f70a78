import { formatAmount } from '../format/numbers.ts'

/** A character of an amount, in pixels. Figures are wider, and commas and points narrower. */
const CHARACTER = 7.1

/** The width that the longest of the amounts needs, in pixels. A column that is fitted to it cuts none. */
export function amountWidth(amounts: Iterable<string | null | undefined>, isMovement = false): number {
  let longest = ''
  for (const amount of amounts) if (amount && amount.length > longest.length) longest = amount
  return Math.ceil(formatAmount(longest, isMovement).length * CHARACTER)
}
