/** Finds secrets in a text: tokens, known keys and numbers in the shape of a tax identifier. Each function takes linear time. */

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

/**
 * Removes JSON Web Signatures: three segments joined by dots, the first of which holds `eyJ`. A scan and not a pattern: a
 * pattern tries every `eyJ` of a long text up to its end.
 */
export function removeTokens(text: string): string {
  let done = 0
  let clean = ''
  for (let at = text.indexOf(TOKEN_START); at >= 0; ) {
    const first = endOfSegment(text, at)
    const second = text[first] === '.' ? endOfSegment(text, first + 1) : -1
    let next = first
    if (second >= 0 && text[second] === '.' && first > at + TOKEN_START.length) {
      next = endOfSegment(text, second + 1)
      const start = text.startsWith(TOKEN_PREFIX, at - TOKEN_PREFIX.length) ? at - TOKEN_PREFIX.length : at
      clean += `${text.slice(done, Math.max(done, start))}[token removed]`
      done = next
    }
    at = text.indexOf(TOKEN_START, next)
  }
  return done === 0 ? text : clean + text.slice(done)
}

// ── Known keys ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A shorter key would be part of ordinary words. */
const MIN_KEY_LENGTH = 6
/** A key is written in few ways, and the keys of a world are few. */
const forms = new Map<string, readonly string[]>()

/** A key as it is, URL-encoded, JSON-escaped, and in base64 at each of the three alignments. */
function formsOf(key: string): readonly string[] {
  const found = forms.get(key)
  if (found) return found
  const bytes = Buffer.from(key)
  const encoded = [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    // Characters that also encode neighbors of the key are left out.
    const range = [Math.ceil((8 * before) / 6), Math.floor((8 * all.length) / 6)] as const
    return [all.toString('base64').slice(...range), all.toString('base64url').slice(...range)]
  })
  const url = encodeURIComponent(key)
  const form = new URLSearchParams([[key, '']]).toString().slice(0, -1)
  const json = JSON.stringify(key).slice(1, -1)
  const all = [...new Set([key, url, url.replaceAll(/%../g, (code) => code.toLowerCase()), form, json, ...encoded])]
  if (forms.size >= 10_000) forms.clear()
  forms.set(key, all)
  return all
}

export function removeKeys(text: string, keys: readonly string[], { inAnyForm }: { inAnyForm: boolean }): string {
  let clean = text
  for (const key of keys) {
    if (key.length < MIN_KEY_LENGTH || clean.length < key.length) continue
    if (clean.includes(key)) clean = clean.replaceAll(key, '[key removed]')
    if (inAnyForm)
      for (const form of formsOf(key)) if (clean.includes(form)) clean = clean.replaceAll(form, '[key removed]')
  }
  return clean
}

// ── Tax identifiers ─────────────────────────────────────────────────────────────────────────────────────────────────

/** With separators: `512-04-8823`, `512 04 8823`, `512.04.8823`, also URL-encoded. */
const SEPARATED = /\d{3}([-. +\u00a0\u2010-\u2015]|%2D|%2E|%20|%C2%A0|\\u002d|\\u00a0)\d{2}\1\d{4}/gi
const EIN = /(?<![\w-])\d{2}(?:-|%2D)\d{7}(?![\w-])/gi
/** Not within a longer number, and not the whole part of an amount. */
const NINE_DIGITS = /(?<!\d|\d\.)\d{9}(?!\d|\.\d)/g
/** Any tax identifier, with or without separators, also as a part of a longer number. */
const LOOSE =
  /\d{3}(?:[-. +\u00a0\u2010-\u2015]|%2D|%2E|%20|%C2%A0)?\d{2}(?:[-. +\u00a0\u2010-\u2015]|%2D|%2E|%20|%C2%A0)?\d{4}|\d{2}(?:-|%2D)\d{7}/gi

type Hide = (number: string) => string

/** A cheap test before the pattern: looks at separators only. Most of them belong to dates and amounts. */
function mayHoldSeparated(text: string): boolean {
  for (const separator of ['-', '.', ' '])
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1))
      if (text[at + 3] === separator && isDigit(text, at - 3) && isDigit(text, at + 6) && isDigit(text, at + 7))
        return true
  return text.includes('%') && SEPARATED_ENCODED.test(text)
}
const SEPARATED_ENCODED = /\d%(?:2D|2E|20)\d/i
const OTHER_SEPARATOR = /[+\\\u00a0\u2010-\u2015]|%C2%A0/i
const isDigit = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

export const hideSeparatedNumbers = (text: string, hide: Hide): string =>
  mayHoldSeparated(text) ? text.replace(SEPARATED, hide) : text

/** Also nine plain digits that are valid as a Social Security number. */
export function hideNumbers(text: string, hide: Hide): string {
  const clean = mayHoldSeparated(text) || OTHER_SEPARATOR.test(text) ? text.replace(SEPARATED, hide) : text
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

// ── In base64 ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Three digits in base64. Every tax identifier in base64 contains such a group, at each of the three alignments. */
const THREE_DIGITS = /[MNO][DTjz][AEIMQUYcgk][w-z0-5]/g
const isBase64 = (code: number) =>
  ((code | 32) >= 97 && (code | 32) <= 122) || (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 95

/** Overwrites tax identifiers in base64 with `***`, and leaves the rest of the encoded text as it is. */
export function hideBase64Numbers(text: string): string {
  if (text.search(THREE_DIGITS) < 0) return text
  let clean = text
  let start = 0
  let end = 0
  let tried = new Set<number>()
  for (const { index } of text.matchAll(THREE_DIGITS)) {
    if (index >= end) {
      const previous = end
      for (start = index; start > previous && isBase64(text.charCodeAt(start - 1)); ) start--
      for (end = index; end < text.length && isBase64(text.charCodeAt(end)); ) end++
      tried = new Set()
    }
    const alignment = (index - start) % 4
    if (tried.has(alignment)) continue
    tried.add(alignment)
    clean = overwriteNumbers(clean, start + alignment, end)
  }
  return clean
}

const QUAD_OF_STARS = Buffer.from('***').toString('base64')

function overwriteNumbers(text: string, from: number, to: number): string {
  const plain = Buffer.from(text.slice(from, to), 'base64').toString('latin1')
  const places: (readonly [from: number, to: number])[] = []
  for (const pattern of [SEPARATED, EIN, NINE_DIGITS])
    for (const { 0: number, index } of plain.matchAll(pattern)) places.push([index, index + number.length])
  if (places.length === 0) return text
  const quads = [...text.slice(from, to)]
  for (const [first, last] of places)
    for (let at = Math.floor(first / 3) * 4; at < Math.ceil(last / 3) * 4 && at < quads.length; at++)
      quads[at] = QUAD_OF_STARS[at % 4]!
  return text.slice(0, from) + quads.join('') + text.slice(to)
}
