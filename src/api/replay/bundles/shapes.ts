import type { Random } from './random.ts'

/** What may stand in each place of a text: of a character, those of the same script, case and length in bytes. */
export type Shape = readonly (readonly string[])[]

const LETTER = /^\p{L}$/u
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const SMALL_LETTERS = range(0x61, 0x7a).map((code) => String.fromCodePoint(code))
export const DIGITS: readonly string[] = [...'0123456789']
/** A leading 0 would shorten a number. */
const FIRST_DIGITS = DIGITS.slice(1)
const VOWELS = [...'aeiou']
const CONSONANTS = [...'bdfghjklmnprstvwz']

/** Of a text in lower case. Its first digit is 0 only if it was. */
export function shapeOf(small: string): Shape {
  let isFirst = true
  return [...small].map((character) => {
    const isBegin = isFirst
    isFirst &&= !isAscii(character)
    if (!/^\d$/.test(character)) return lettersLike(character)
    return !isBegin ? DIGITS : character === '0' ? [character] : FIRST_DIGITS
  })
}

/** Consonants and vowels by turns, so that a word can be pronounced. */
export function syllablesOf(small: string, random: Random): Shape {
  const shape = shapeOf(small)
  const isVowelFirst = random(4) === 0
  return shape.map((alphabet, i) =>
    alphabet !== SMALL_LETTERS ? alphabet : (i % 2 === 0) === isVowelFirst ? VOWELS : CONSONANTS,
  )
}

const pages = new Map<string, readonly string[]>()

/** Only the character itself if it stays. */
function lettersLike(small: string): readonly string[] {
  if (/^[a-z]$/.test(small)) return SMALL_LETTERS
  if (!LETTER.test(small)) return [small]
  const alphabet = pageOf(small)
  return alphabet.includes(small) ? alphabet : [small]
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

const isAscii = (character: string): boolean => /^[a-z0-9]$/.test(character)

/** In lower case, but for the few capitals whose small letter has another capital: they stay. */
export const foldCase = (text: string): string => text.replaceAll(/\p{L}/gu, foldLetter)

function foldLetter(letter: string): string {
  const small = letter.toLowerCase()
  return small.toUpperCase() === letter ? small : letter
}

/** A text in lower case with capitals where the original has them. */
export function withCaseOf(original: string, small: string): string {
  const characters = [...original]
  return [...small]
    .map((character, at) => (characters[at] === foldLetter(characters[at]!) ? character : character.toUpperCase()))
    .join('')
}

// ── Candidates ──────────────────────────────────────────────────────────────────────────────────────────────────────

const RANDOM_CANDIDATES = 64
/** More than there are numbers of four digits. */
const MAX_ORDERED = 20_000

/** Random texts of a shape, the readable ones first; when almost all are in use, all in order from a random one on. */
export function* candidatesOf(
  shape: Shape,
  random: Random,
  readable = () => shape,
): Generator<string, void, undefined> {
  for (let n = 0; n < RANDOM_CANDIDATES; n++)
    yield readable()
      .map((alphabet) => pick(alphabet, random))
      .join('')
  const at = shape.map(({ length }) => (length > 1 ? random(length) : 0))
  const count = shape.reduce((product, { length }) => Math.min(product * length, MAX_ORDERED), 1)
  for (let n = 0; n < count; n++) {
    yield shape.map((alphabet, i) => alphabet[at[i]!]).join('')
    let i = shape.length - 1
    while (i >= 0 && ++at[i]! === shape[i]!.length) at[i--] = 0
  }
}

const pick = (alphabet: readonly string[], random: Random) =>
  alphabet.length > 1 ? alphabet[random(alphabet.length)] : alphabet[0]
