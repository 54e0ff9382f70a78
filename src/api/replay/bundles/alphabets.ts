/** Which characters may replace a character: those of the same script, case and length in bytes. */

const LETTER = /^\p{L}$/u
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const SMALL_LETTERS = range(0x61, 0x7a).map((code) => String.fromCodePoint(code))
const DIGITS = [...'0123456789']
/** A leading 0 would shorten a number. */
const FIRST_DIGITS = DIGITS.slice(1)
const NONE: readonly string[] = []

const pages = new Map<string, readonly string[]>()

/** The alphabet of a character in lower case; empty if the character stays. */
export function alphabetOf(small: string, isFirst: boolean): readonly string[] {
  if (small >= '0' && small <= '9' && small.length === 1) return !isFirst ? DIGITS : small === '0' ? NONE : FIRST_DIGITS
  if (small >= 'a' && small <= 'z' && small.length === 1) return SMALL_LETTERS
  if ([...small].length !== 1 || !LETTER.test(small)) return NONE
  const alphabet = pageOf(small)
  return alphabet.includes(small) ? alphabet : NONE
}

/** Letters of other scripts stay within their block of 256 code points, so their encoded length stays the same. */
function pageOf(small: string): readonly string[] {
  const page = small.codePointAt(0)! >> 8
  const isCased = small.toUpperCase() !== small
  const name = `${page} ${isCased}`
  const known = pages.get(name)
  if (known) return known
  const letters = range(page << 8, (page << 8) + 255)
    .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => (isCased ? isPaired(letter) : /^\p{Lo}$/u.test(letter)))
  pages.set(name, letters)
  return letters
}

/** True if the letter and its capital convert into each other and have the same number of bytes. */
const isPaired = (letter: string) => {
  const capital = letter.toUpperCase()
  const isPair = letter !== capital && [...capital].length === 1 && capital.toLowerCase() === letter
  return isPair && Buffer.byteLength(capital) === Buffer.byteLength(letter) && LETTER.test(letter)
}

/** The ASCII letters and digits of a text, in lower case. */
export const asciiOf = (text: string): string => text.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase()
export const isAscii = (character: string): boolean => /^[a-z0-9]$/.test(character)
