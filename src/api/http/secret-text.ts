import type { Budget } from './text-budget.ts'

/** Finds secrets in a text by their shape: tokens, and numbers in the shape of a tax identifier. Each function takes linear time. */

const TOKEN_START = 'eyJ'
const TOKEN_PREFIX = 'auth-'

/** The end of the letters, digits, `_` and `-` from here on. */
function endOfSegment(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 95 && code !== 45) break
  }
  return at
}

/** The end of three segments joined by dots; undefined if they are not there. */
function endOfToken(text: string, at: number): number | undefined {
  const first = endOfSegment(text, at)
  if (text[first] !== '.' || first <= at + TOKEN_START.length) return undefined
  const second = endOfSegment(text, first + 1)
  return text[second] === '.' ? endOfSegment(text, second + 1) : undefined
}

/**
 * Removes JSON Web Signatures: three segments joined by dots, the first of which holds `eyJ`. A scan and not a pattern: a
 * pattern tries every `eyJ` of a long text up to its end.
 */
export function removeTokens(text: string, onToken = () => {}): string {
  let done = 0
  const clean: string[] = []
  for (let at = text.indexOf(TOKEN_START); at >= 0; ) {
    const end = endOfToken(text, at)
    const next = end ?? endOfSegment(text, at)
    if (end !== undefined) {
      const start = text.startsWith(TOKEN_PREFIX, at - TOKEN_PREFIX.length) ? at - TOKEN_PREFIX.length : at
      onToken()
      clean.push(text.slice(done, Math.max(done, start)), '[token removed]')
      done = next
    }
    at = text.indexOf(TOKEN_START, next)
  }
  return done === 0 ? text : clean.join('') + text.slice(done)
}

// ── Tax identifiers ─────────────────────────────────────────────────────────────────────────────────────────────────

// Literals, although they repeat the separators: test/regular-expressions.long.test.ts proves that literals take linear time.

/** With up to three separators: `512-04-8823`, `512 04 8823`, `512.04.8823`, `512 – 04 – 8823`, also URL-encoded. */
export const SEPARATED =
  /\d{3}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){1,3}\d{2}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){1,3}\d{4}/gi
const EIN = /(?<![\w-])\d{2}(?:[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|%2D)\d{7}(?![\w-])/gi
/** Not within a longer number, and not the whole part of an amount. Spreadsheets write `512048823.0`. */
const NINE_DIGITS = /(?<!\d|\d\.)\d{9}(?!\d|\.(?!0(?!\d))\d)/g
/** Any tax identifier, with or without separators, also as a part of a longer number. */
const LOOSE =
  /\d{3}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){0,3}\d{2}(?:[-. +/_\t\u00a0\u00ad\u2000-\u2015\u202f\u2212\ufe58\ufe63\uff0d]|%2D|%2E|%20|%2F|%C2%A0|\\u002d|\\u00a0|\\t){0,3}\d{4}|\d{2}(?:[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|%2D)\d{7}/gi

type Hide = (number: string) => string

/** A cheap test before the pattern: looks at separators only. Most of them belong to dates and amounts. */
function mayHoldSeparated(text: string): boolean {
  for (let at = 3; at < text.length - 7; at++) {
    const kind = SEPARATORS[text.charCodeAt(at)]
    if (kind === 0 || !isDigit(text, at - 1) || !isDigit(text, at - 3)) continue
    if (kind === ENCODED || hasTwoDigits(text, at + 1)) return true
  }
  return false
}
const [PLAIN, ENCODED] = [1, 2]
const SEPARATORS = new Uint8Array(1 << 16)
for (const character of '-. +/_\t\u00a0\u00ad\u202f\u2212\ufe58\ufe63\uff0d')
  SEPARATORS[character.charCodeAt(0)] = PLAIN
SEPARATORS.fill(PLAIN, 0x2000, 0x2016)
for (const character of '%\\') SEPARATORS[character.charCodeAt(0)] = ENCODED

/** After up to two more separators, and with a separator behind them. */
function hasTwoDigits(text: string, from: number): boolean {
  let at = from
  while (at < from + 2 && !isDigit(text, at)) at++
  return isDigit(text, at) && isDigit(text, at + 1) && !isDigit(text, at + 2)
}

const isDigit = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

export const hideSeparatedNumbers = (text: string, hide: Hide): string =>
  mayHoldSeparated(text) ? text.replace(SEPARATED, hide) : text

/** Also nine plain digits that are valid as a Social Security number. */
export function hideNumbers(text: string, hide: Hide): string {
  const clean = hideSeparatedNumbers(text, hide)
  // Both patterns need seven digits in a row.
  if (!/\d{7}/.test(clean)) return clean
  return clean
    .replace(EIN, hide)
    .replace(NINE_DIGITS, (number, at: number, all: string) =>
      isValidSsn(number) && !isInIdentifier(all, at) ? hide(number) : number,
    )
}

/** For text that cannot be parsed, and for names. */
export const maskNumbers = (text: string): string => text.replace(LOOSE, '[masked]')
export const hasNumber = (text: string): boolean => text.search(LOOSE) >= 0

/** The rules of specification 2.2. */
const isValidSsn = (digits: string) => !/^(?:000|666)|^.{3}00|0000$/.test(digits)

const UID_LENGTH = 16
const MAX_WORD = 64

/**
 * Identifiers may hold nine digits in a row: uids of 16 letters and digits, the end of a UUID, and words with more digits,
 * such as hashes.
 */
function isInIdentifier(text: string, at: number): boolean {
  const start = Math.max(0, at - MAX_WORD)
  const before = /(?<![A-Za-z0-9])[A-Za-z0-9]*$/.exec(text.slice(start, at))?.[0] ?? ''
  const after = /^[A-Za-z0-9]*/.exec(text.slice(at + 9, at + 9 + MAX_WORD))?.[0] ?? ''
  const length = before.length + 9 + after.length
  if (length === UID_LENGTH || /\d/.test(before + after)) return true
  return length === 12 && /[\da-f]{4}-[\da-f]{4}-$/i.test(text.slice(start, at - before.length))
}

/** UTF-16 that was read as UTF-8 has the character U+0000 beside each digit. */
export function withoutNuls(text: string): string {
  if (!text.includes('\0')) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (const byte of bytes) if (byte !== 0) bytes[length++] = byte
  return bytes.toString('utf8', 0, length)
}

// ── In base64 ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What decoding costs for each range of characters, besides that of each character. */
const RANGE_COST = 100

/**
 * The four characters of three digits in base64, a bit each. Every tax identifier in base64 has them, at each of the three
 * alignments.
 */
const THREE_DIGITS_PATTERN = /[MNO][DTjz][AEIMQUYcgk][wxyz012345]/
const THREE_DIGITS = new Uint8Array(256)
for (const [place, characters] of THREE_DIGITS_PATTERN.source.match(/\w+/g)!.entries())
  for (const character of characters) THREE_DIGITS[character.charCodeAt(0)]! |= 1 << place

const BASE64 = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  BASE64[character.charCodeAt(0)] = 1
const isBase64 = (code: number) => code < 256 && BASE64[code] === 1

/** From 77 to 79 are the letters that a group of digits begins with. */
const areThreeDigits = (text: string, at: number, first: number): boolean =>
  first >= 77 && first <= 79 && hasBit(text, at + 1, 2) && hasBit(text, at + 2, 4) && hasBit(text, at + 3, 8)
const hasBit = (text: string, at: number, bit: number) => (THREE_DIGITS[text.charCodeAt(at) & 255]! & bit) !== 0

/** A number with encoded separators has 21 bytes, which are 28 characters; a pattern also looks at the two bytes before. */
const AROUND_DIGITS = 40

interface Range {
  readonly from: number
  readonly to: number
  readonly encoding?: keyof typeof STARS
}

/**
 * Overwrites tax identifiers in base64 with `***`, and leaves the rest of the encoded text as it is. Only what is around three
 * digits is decoded.
 */
export function hideBase64Numbers(text: string, budget: Budget): string {
  // A pattern finds the first ones faster, and in most texts there are none.
  const first = text.search(THREE_DIGITS_PATTERN)
  if (first < 0) return text
  const found: Range[] = []
  /** The latest range of each alignment within the word; empty if `to` is 0. */
  const froms = [0, 0, 0, 0]
  const tos = [0, 0, 0, 0]
  const finish = (alignment: number) => {
    findInBase64(text, froms[alignment]!, tos[alignment]!, budget, found)
    tos[alignment] = 0
  }
  const finishAll = () => {
    for (let alignment = 0; alignment < 4; alignment++) if (tos[alignment]! > 0) finish(alignment)
  }
  let start = 0
  let end = 0
  for (let at = first; at < text.length - 3; at++) {
    if (!areThreeDigits(text, at, text.charCodeAt(at))) continue
    if (at >= end) {
      finishAll()
      const previous = end
      for (start = at; start > previous && isBase64(text.charCodeAt(start - 1)); ) start--
      for (end = at; end < text.length && isBase64(text.charCodeAt(end)); ) end++
    }
    if (budget.decoded < 0) {
      finishAll()
      if (end - start >= MIN_NUMBER) found.push({ from: start, to: end })
      at = end - 1
      continue
    }
    const alignment = (at - start) % 4
    const from = Math.max(start + alignment, at - AROUND_DIGITS)
    if (tos[alignment] === 0 || from > tos[alignment]!) {
      if (tos[alignment]! > 0) finish(alignment)
      froms[alignment] = from
    }
    tos[alignment] = Math.min(end, at + AROUND_DIGITS)
  }
  finishAll()
  return found.length === 0 ? text : overwrite(text, found)
}

/** The shortest number has nine bytes, which are twelve characters. */
const MIN_NUMBER = 12

function findInBase64(text: string, from: number, to: number, budget: Budget, found: Range[]) {
  if (to - from < MIN_NUMBER) return
  budget.decoded -= to - from + RANGE_COST
  if (budget.decoded < 0) {
    found.push({ from, to })
    return
  }
  const plain = Buffer.from(text.slice(from, to), 'base64').toString('latin1')
  const patterns = mayHoldSeparated(plain) ? [SEPARATED, EIN, NINE_DIGITS] : PLAIN_NUMBERS
  for (const pattern of patterns)
    for (const { 0: number, index } of plain.matchAll(pattern))
      found.push({
        from: from + Math.floor(index / 3) * 4,
        to: Math.min(to, from + Math.ceil((index + number.length) / 3) * 4),
      })
}
const PLAIN_NUMBERS = [EIN, NINE_DIGITS]

/** `eyJ` in base64, behind so many other bytes of its group of three, and in hex. */
const ENCODED_STARTS = [
  { start: 'ZXlK', before: 0, encoding: 'base64' },
  { start: 'V5S', before: 1, encoding: 'base64' },
  { start: 'leU', before: 2, encoding: 'base64' },
  { start: '65794a', before: 0, encoding: 'hex' },
  { start: '65794A', before: 0, encoding: 'hex' },
] as const
type EncodedStart = (typeof ENCODED_STARTS)[number]
/** A token is looked for in so many characters. */
const MAX_ENCODED_TOKEN = 16_384
/** Enough to tell a token from other bytes; a whole one is longer. */
const ENCODED_BEGINNING = 48
const OF_TOKEN = /^[\w.-]+$/

/** Overwrites tokens in base64 and in hex with `***`. */
export function hideEncodedTokens(text: string, budget: Budget): string {
  if (text.length < ENCODED_BEGINNING) return text
  const found: Range[] = []
  for (const encoded of ENCODED_STARTS) {
    const { start, before } = encoded
    // The group of four characters begins with those of the bytes before.
    const inGroup = before === 0 ? 0 : before + 1
    for (let at = text.indexOf(start); at >= 0; ) {
      const range = findEncodedToken(text, at - inGroup, encoded, budget)
      if (range) found.push(range)
      at = text.indexOf(start, range?.to ?? at + 1)
    }
  }
  return found.length === 0 ? text : overwrite(text, found)
}

function findEncodedToken(
  text: string,
  from: number,
  { before, encoding }: EncodedStart,
  budget: Budget,
): Range | undefined {
  if (from < 0) return undefined
  const decode = (most: number) => {
    const to = endOfBase64(text, from, most)
    budget.decoded -= to - from + RANGE_COST
    return Buffer.from(text.slice(from, to), encoding).toString('latin1').slice(before)
  }
  if (budget.decoded < 0) return { from, to: endOfBase64(text, from), encoding }
  const beginning = decode(ENCODED_BEGINNING)
  if (!beginning.startsWith(TOKEN_START) || !OF_TOKEN.test(beginning)) return undefined
  const end = endOfToken(decode(MAX_ENCODED_TOKEN), 0)
  if (end === undefined) return undefined
  return { from, to: from + (encoding === 'hex' ? 2 * end : 4 * Math.ceil((before + end) / 3)), encoding }
}

function endOfBase64(text: string, from: number, most = Number.POSITIVE_INFINITY): number {
  let end = from
  while (end < from + most && end < text.length && isBase64(text.charCodeAt(end))) end++
  return end
}

const ASTERISKS = Buffer.from('***'.repeat(100))
const STARS = { base64: ASTERISKS.toString('base64'), hex: ASTERISKS.toString('hex') }

/** Each range with the characters of `***`, from its beginning on. */
function overwrite(text: string, ranges: Range[]): string {
  const clean: string[] = []
  let done = 0
  for (const { from, to, encoding = 'base64' } of ranges.sort((a, b) => a.from - b.from)) {
    const begin = Math.max(done, from)
    if (to <= begin) continue
    const phase = (begin - from) % 4
    const short = STARS[encoding]
    const stars = to - begin > short.length - 4 ? short.repeat(Math.ceil((to - begin) / short.length) + 1) : short
    clean.push(text.slice(done, begin), stars.slice(phase, phase + to - begin))
    done = to
  }
  return clean.join('') + text.slice(done)
}
