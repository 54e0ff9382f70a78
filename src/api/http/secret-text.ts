import { decodePercents } from './percent.ts'

/** Finds secrets in a text by their shape: tokens, and numbers in the shape of a tax identifier. Each pattern takes linear time. */

/**
 * JSON Web Signatures: three segments joined by dots, the first of which holds `eyJ`; the others may be empty. A match begins at the
 * beginning of a word only: else a long text of `eyJ` is read to its end from each of them. In JSON text the `n` of `\n` belongs to the word.
 */
const TOKEN = /(?<![\w-])(?=[\w-]*eyJ[\w-])[\w-]+(?:\.[\w-]*){2,}/g
const BEFORE_TOKEN = /^[\w-]*?(?=(?:auth-)?eyJ)/

export const removeTokens = (text: string): string =>
  text.includes('eyJ') ? text.replace(TOKEN, (found) => `${BEFORE_TOKEN.exec(found)?.[0] ?? ''}[token removed]`) : text

// Literals, although they repeat the separators: test/regular-expressions.long.test.ts proves that literals take linear time.

/** With up to three separators: `512-04-8823`, `512 04 8823`, `512.04.8823`, `512 – 04 – 8823`, also URL-encoded. */
export const SEPARATED =
  /\d{3}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){1,3}\d{2}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){1,3}\d{4}/gi
const EIN = /(?<![\w-])\d{2}(?:[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|%2D)\d{7}(?![\w-])/gi
/**
 * As a word of its own, and not the whole part of an amount: uids and hashes have nine digits in a row, too. An escape or `SSN` before
 * it is no part of the word, and spreadsheets write `512048823.0`.
 */
const NINE_DIGITS =
  /(?<=(?<![a-z0-9]|\d\.)|%(?:25){0,3}[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4}|ssn|[te]in)\d{9}(?![a-z0-9]|\.(?!0(?!\d))\d)/gi
/** Any tax identifier, with or without separators, also as a part of a longer number. */
const LOOSE =
  /\d{3}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){0,3}\d{2}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){0,3}\d{4}|\d{2}(?:[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|%2D)\d{7}/gi

type Hide = (number: string) => string

/** For fields of the contract, in which nine plain digits are an account number or a routing number. */
export const hideSeparatedNumbers = (text: string, hide: Hide): string => text.replace(SEPARATED, hide)

/** Also nine plain digits that are valid as a Social Security number. */
export function hideNumbers(text: string, hide: Hide): string {
  // Each pattern needs them, and most names and headers have none.
  if (!/\d\d/.test(text)) return text
  const clean = hideSeparatedNumbers(text, hide)
  if (!/\d{7}/.test(clean)) return clean
  return clean.replace(EIN, hide).replace(NINE_DIGITS, (number) => (isValidSsn(number) ? hide(number) : number))
}

/** Without escapes, and without the U+0000 beside each character of UTF-16 that was read as UTF-8. */
export const toPlainText = (text: string): string =>
  decodePercents(text)
    .replace(/(?:\\u[\dA-Fa-f]{4})+/g, (escapes) => JSON.parse(`"${escapes}"`) as string)
    .replaceAll('\0', '')

/** For text that cannot be parsed. */
export const maskNumbers = (text: string): string => text.replace(LOOSE, '[masked]')
export const hasNumber = (text: string): boolean => text.search(LOOSE) >= 0

/** The rules of specification 2.2. */
const isValidSsn = (digits: string) => !/^(?:000|666)|^.{3}00|0000$/.test(digits)
