import { createHmac } from 'node:crypto'

/**
 * Pseudonyms of single values. Each letter and digit is shifted within its alphabet, by a number that depends on the key and on
 * the characters before it in the word. So different values get different pseudonyms, common prefixes stay common, and length
 * and case stay the same. Without the key it cannot be reversed.
 */

/** Words that force an outcome (contract/triggers.ts) stay the same, and no other word becomes one of them. */
const FIXED_WORDS = new Set(['smith', 'johnson', 'instant', 'payment'])
/** A name that begins with this forces a failure. */
const FIXED_BEGINNING = 'fail'
/** ACH removes all other characters from names, so they neither end a word nor count as part of it. */
const WORD = /[^.,' -]+/g
const LETTER = /^\p{L}$/u

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const SMALL_LETTERS = range(0x61, 0x7a).map((code) => String.fromCodePoint(code))
const DIGITS = [...'0123456789']
/** A leading 0 would shorten a number. */
const FIRST_DIGITS = DIGITS.slice(1)

/** Letters of other scripts stay within their block of 256 code points, so their encoded length stays the same. */
const alphabets = new Map<string, readonly string[]>()
function alphabetOf(small: string): readonly string[] {
  const page = small.codePointAt(0)! >> 8
  const isCased = small.toUpperCase() !== small
  const name = `${page} ${isCased}`
  const known = alphabets.get(name)
  if (known) return known
  const letters = range(page << 8, (page << 8) + 255)
    .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => (isCased ? isPaired(letter) : /^\p{Lo}$/u.test(letter)))
  alphabets.set(name, letters)
  return letters
}

/** True if the letter and its capital convert into each other and have the same number of bytes. */
const isPaired = (letter: string) => {
  const capital = letter.toUpperCase()
  const isPair = letter !== capital && [...capital].length === 1 && capital.toLowerCase() === letter
  return isPair && Buffer.byteLength(capital) === Buffer.byteLength(letter) && LETTER.test(letter)
}

/** The ASCII letters and digits of a word, in lower case. */
const bareWord = (word: string) => word.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase()
const isPlain = (word: string) => ![...word].some((letter) => letter > '\x7f' && LETTER.test(letter))
const hasFixedBeginning = (word: string) => bareWord(word).startsWith(FIXED_BEGINNING)
const isFixedWord = (word: string) => isPlain(word) && FIXED_WORDS.has(bareWord(word))

const SSN = /^(\d{3})(\D?)(\d{2})(\D?)(\d{4})$/
const EIN = /^(\d{2})-(\d{3})(\d{4})$/
const VALID_DATE = /^(\d{4}-\d{2})-(\d{2})$/

export class Pseudonyms {
  readonly #key: Uint8Array
  readonly #randomNumbers = new Map<string, number>()
  /** Dates of birth of people who turn 18 in these years stay the same. */
  readonly #spanYears: readonly [number, number] | undefined

  constructor(key: Uint8Array, spanYears?: readonly [from: number, to: number]) {
    this.#key = key
    this.#spanYears = spanYears
  }

  /** Names, addresses and other texts made of words. */
  words(text: string): string {
    return text.replaceAll(WORD, (word) => this.#replaceWord(word))
  }

  /** Keeps the top-level domain. */
  email(text: string): string {
    const at = text.lastIndexOf('@')
    const dot = text.lastIndexOf('.')
    const end = at >= 0 && dot > at ? dot : text.length
    return text.slice(0, end).replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (part) => this.#replaceWord(part)) + text.slice(end)
  }

  /** Depends only on the digits, so that every spelling of a number gets the same pseudonym. */
  phone(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    // With or without the country code it is the same number.
    const [, country = ''] = (text.replaceAll(/\D/g, '').length === 11 && /^(\D*\d)/.exec(text)) || []
    return country + this.#shiftDigits(text.slice(country.length), 'phone', 0)
  }

  /** Keeps the last four digits, which can force outcomes. */
  account(text: string): string {
    return /\p{L}/u.test(text) ? this.words(text) : this.#shiftDigits(text, 'account', 4)
  }

  /** Keeps the last four digits, and whether the number is valid. */
  ssn(text: string): string {
    const [, area, first = '', group, second = '', serial] = SSN.exec(text) ?? []
    if (area && group && serial) {
      const areas =
        area === '000' || area === '666'
          ? [area]
          : AREAS[area.startsWith('9') ? 'late' : area.startsWith('0') ? 'low' : 'early']
      const groups = group === '00' ? [group] : GROUPS
      const all = areas.length * groups.length
      const place = areas.indexOf(area) * groups.length + groups.indexOf(group)
      const moved = all === 1 ? place : (place + this.#random(`ssn ${serial}`, all - 1) + 1) % all
      return `${areas[Math.floor(moved / groups.length)]}${first}${groups[moved % groups.length]}${second}${serial}`
    }
    const [, prefix, middle, rest] = EIN.exec(text) ?? []
    if (prefix && middle && rest) {
      const moved = (Number(prefix + middle) + this.#random(`ein ${rest}`, 99_999) + 1) % 100_000
      const digits = String(moved).padStart(5, '0')
      return `${digits.slice(0, 2)}-${digits.slice(2)}${rest}`
    }
    return this.#shiftLetters(this.#shiftDigits(text, 'tax', 4))
  }

  /** Another day of the same month. A date that does not exist stays the same. */
  dob(text: string): string {
    const [, month, day] = VALID_DATE.exec(text) ?? []
    if (!month || !day) return this.#shiftLetters(this.#shiftDigits(text, 'date', 0))
    const year = Number(month.slice(0, 4))
    const days = new Date(Date.UTC(year, Number(month.slice(5)), 0)).getUTCDate()
    const isDate =
      Number(month.slice(5)) >= 1 && Number(month.slice(5)) <= 12 && Number(day) >= 1 && Number(day) <= days
    if (!isDate || this.#turns18InSpan(year)) return text
    const moved = (Number(day) - 1 + this.#random(`day ${month}`, days - 1) + 1) % days
    return `${month}-${String(moved + 1).padStart(2, '0')}`
  }

  /** An address of the private network 10.0.0.0/8. */
  ip(text: string): string {
    const drawn = this.#random(`ip ${text}`, 1 << 24)
    return `10.${drawn >> 16}.${(drawn >> 8) & 255}.${drawn & 255}`
  }

  /** For sealed text that cannot be opened. */
  opaque(text: string): string {
    let mac = createHmac('sha512', this.#key).update(`opaque ${text}`).digest('base64url')
    while (mac.length < text.length) mac += createHmac('sha512', this.#key).update(mac).digest('base64url')
    return mac.slice(0, text.length)
  }

  #turns18InSpan(year: number) {
    return this.#spanYears !== undefined && year + 18 >= this.#spanYears[0] && year + 18 <= this.#spanYears[1]
  }

  #replaceWord(word: string): string {
    if (isFixedWord(word)) return word
    if (hasFixedBeginning(word)) return this.#shiftWord(word, FIXED_BEGINNING.length)
    // A pseudonym must not force an outcome, so shift again; different words still get different pseudonyms.
    let moved = this.#shiftWord(word, 0)
    while (isFixedWord(moved) || hasFixedBeginning(moved)) moved = this.#shiftWord(moved, 0)
    return moved
  }

  /** Keeps the first `stay` characters; later ones still depend on them. */
  #shiftWord(word: string, stay: number): string {
    let plain = ''
    let full = ''
    return [...word]
      .map((character) => {
        const isCapital = character !== character.toLowerCase()
        const small = isCapital ? character.toLowerCase() : character
        // A few capitals have a small letter whose capital is another one: keep them.
        if (isCapital && small.toUpperCase() !== character) return character
        if (/^[a-z0-9]$/.test(small)) {
          const isDigit = small <= '9'
          const alphabet = isDigit ? alphabetOfDigit(small, plain) : SMALL_LETTERS
          const moved = plain.length < stay ? small : this.#shiftCharacter(small, alphabet, plain)
          plain = lastCharacters(plain + small)
          full = lastCharacters(full + small)
          return isCapital ? moved.toUpperCase() : moved
        }
        if ([...small].length !== 1 || !LETTER.test(small)) return character
        const moved = this.#shiftCharacter(small, alphabetOf(small), full)
        full = lastCharacters(full + small)
        return isCapital ? moved.toUpperCase() : moved
      })
      .join('')
  }

  /** For letters in a text that should contain only digits. */
  #shiftLetters(text: string): string {
    return text.replaceAll(/\p{L}+/gu, (letters) => this.#shiftWord(letters, 0))
  }

  #shiftDigits(text: string, what: string, keep: number): string {
    const count = text.replaceAll(/\D/g, '').length
    let before = ''
    let done = 0
    return text.replaceAll(/\d/g, (digit) => {
      if (done++ >= count - keep) return digit
      const moved = this.#shiftCharacter(digit, alphabetOfDigit(digit, before), `${what} ${before}`)
      before = lastCharacters(before + digit)
      return moved
    })
  }

  #shiftCharacter(character: string, alphabet: readonly string[], before: string): string {
    const place = alphabet.indexOf(character)
    if (place < 0 || alphabet.length < 2) return character
    return alphabet[(place + 1 + this.#random(`${alphabet[0]} ${before}`, alphabet.length - 1)) % alphabet.length]!
  }

  /** A number from 0 to below the limit, always the same for the same text. */
  #random(of: string, below: number): number {
    let drawn = this.#randomNumbers.get(of)
    if (drawn === undefined) {
      drawn = createHmac('sha256', this.#key).update(of).digest().readUIntBE(0, 6)
      this.#randomNumbers.set(of, drawn)
    }
    return drawn % below
  }
}

/** Only so many characters before are used, so that a very long word takes linear time. */
const CONTEXT_LENGTH = 64
const lastCharacters = (before: string) => (before.length > CONTEXT_LENGTH ? before.slice(-CONTEXT_LENGTH) : before)

const alphabetOfDigit = (digit: string, before: string) =>
  before === '' ? (digit === '0' ? ['0'] : FIRST_DIGITS) : DIGITS

const paddedNumbers = (from: number, to: number, length: number) =>
  range(from, to).map((number) => String(number).padStart(length, '0'))
/** Areas that begin with 0 are separate, because as a JSON number they have fewer digits. */
const AREAS = {
  low: paddedNumbers(1, 99, 3),
  early: paddedNumbers(100, 899, 3).filter((area) => area !== '666'),
  late: paddedNumbers(900, 999, 3),
}
const GROUPS = paddedNumbers(1, 99, 2)
