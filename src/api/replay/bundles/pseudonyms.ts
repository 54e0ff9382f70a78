import { createHmac } from 'node:crypto'

/**
 * Stand-ins for single values. Each letter and digit is moved within its own alphabet, by as much as the key and what
 * stands before it in its word say. So different values stay different, lengths and case stay, what begins alike goes
 * on beginning alike, and nothing stays at its place. Without the key it cannot be undone.
 */

/** Words that decide an outcome (contract/triggers.ts) are their own stand-ins, and nobody else's. */
const KEPT_WORDS = new Set(['smith', 'johnson', 'instant', 'payment'])
/** A name that begins so is to fail. */
const KEPT_BEGINNING = 'fail'
/** ACH takes all other signs out of a name: they neither end a word nor count in it. */
const WORD = /[^.,' -]+/g
const LETTER = /^\p{L}$/u

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const SMALL = range(0x61, 0x7a).map((code) => String.fromCodePoint(code))
const DIGITS = [...'0123456789']
/** A number must not lose its first digit. */
const FIRST_DIGITS = DIGITS.slice(1)

/** Letters of other scripts stay within their block of 256, and so do their lengths in any encoding. */
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

/** A small letter with one capital, each of the other, and both of as many bytes. */
const isPaired = (letter: string) => {
  const capital = letter.toUpperCase()
  const isPair = letter !== capital && [...capital].length === 1 && capital.toLowerCase() === letter
  return isPair && Buffer.byteLength(capital) === Buffer.byteLength(letter) && LETTER.test(letter)
}

/** What a word is known by: its plain letters and digits, case ignored. */
const bare = (word: string) => word.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase()
const isPlain = (word: string) => ![...word].some((letter) => letter > '\x7f' && LETTER.test(letter))
const begins = (word: string) => bare(word).startsWith(KEPT_BEGINNING)
const isKept = (word: string) => isPlain(word) && KEPT_WORDS.has(bare(word))

const SSN = /^(\d{3})(\D?)(\d{2})(\D?)(\d{4})$/
const EIN = /^(\d{2})-(\d{3})(\d{4})$/
const VALID_DATE = /^(\d{4}-\d{2})-(\d{2})$/

export class Pseudonyms {
  readonly #key: Uint8Array
  readonly #drawn = new Map<string, number>()
  /** From the first to the last year in which a birthday may be the 18th: such a date stays. */
  readonly #watched: readonly [number, number] | undefined

  constructor(key: Uint8Array, watched?: readonly [from: number, to: number]) {
    this.#key = key
    this.#watched = watched
  }

  /** Names, addresses, and whatever else is made of words. */
  words(text: string): string {
    return text.replaceAll(WORD, (word) => this.#word(word))
  }

  /** The last label of the domain stays. */
  email(text: string): string {
    const at = text.lastIndexOf('@')
    const dot = text.lastIndexOf('.')
    const end = at >= 0 && dot > at ? dot : text.length
    return text.slice(0, end).replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (part) => this.#word(part)) + text.slice(end)
  }

  /** However it is written: the digits alone count. */
  phone(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    // With the code of its country it is the same phone.
    const [, country = ''] = (text.replaceAll(/\D/g, '').length === 11 && /^(\D*\d)/.exec(text)) || []
    return country + this.#digits(text.slice(country.length), 'phone', 0)
  }

  /** The last four digits carry the triggers. */
  account(text: string): string {
    return /\p{L}/u.test(text) ? this.words(text) : this.#digits(text, 'account', 4)
  }

  /** As valid as the number was, or as invalid, with the same last four digits. */
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
      const moved = all === 1 ? place : (place + this.#draw(`ssn ${serial}`, all - 1) + 1) % all
      return `${areas[Math.floor(moved / groups.length)]}${first}${groups[moved % groups.length]}${second}${serial}`
    }
    const [, prefix, middle, rest] = EIN.exec(text) ?? []
    if (prefix && middle && rest) {
      const moved = (Number(prefix + middle) + this.#draw(`ein ${rest}`, 99_999) + 1) % 100_000
      const digits = String(moved).padStart(5, '0')
      return `${digits.slice(0, 2)}-${digits.slice(2)}${rest}`
    }
    return this.#letters(this.#digits(text, 'tax', 4))
  }

  /** Another day of the same month. A date that there is not is nobody's birthday, and stays what it is. */
  dob(text: string): string {
    const [, month, day] = VALID_DATE.exec(text) ?? []
    if (!month || !day) return this.#letters(this.#digits(text, 'date', 0))
    const year = Number(month.slice(0, 4))
    const days = new Date(Date.UTC(year, Number(month.slice(5)), 0)).getUTCDate()
    const isDate =
      Number(month.slice(5)) >= 1 && Number(month.slice(5)) <= 12 && Number(day) >= 1 && Number(day) <= days
    if (!isDate || this.#isWatched(year)) return text
    const moved = (Number(day) - 1 + this.#draw(`day ${month}`, days - 1) + 1) % days
    return `${month}-${String(moved + 1).padStart(2, '0')}`
  }

  /** Where somebody is in the network: an address that nobody has. */
  ip(text: string): string {
    const drawn = this.#draw(`ip ${text}`, 1 << 24)
    return `10.${drawn >> 16}.${(drawn >> 8) & 255}.${drawn & 255}`
  }

  /** For what can neither be opened nor kept. */
  opaque(text: string): string {
    let mac = createHmac('sha512', this.#key).update(`opaque ${text}`).digest('base64url')
    while (mac.length < text.length) mac += createHmac('sha512', this.#key).update(mac).digest('base64url')
    return mac.slice(0, text.length)
  }

  #isWatched(year: number) {
    return this.#watched !== undefined && year + 18 >= this.#watched[0] && year + 18 <= this.#watched[1]
  }

  #word(word: string): string {
    if (isKept(word)) return word
    if (begins(word)) return this.#move(word, KEPT_BEGINNING.length)
    // What would come to a kept word goes on to the next stand-in: still each has its own.
    let moved = this.#move(word, 0)
    while (isKept(moved) || begins(moved)) moved = this.#move(moved, 0)
    return moved
  }

  /** The first letters may stay; they count all the same. */
  #move(word: string, stay: number): string {
    let plain = ''
    let full = ''
    return [...word]
      .map((sign) => {
        const isCapital = sign !== sign.toLowerCase()
        const small = isCapital ? sign.toLowerCase() : sign
        // A few signs are capitals of a letter that has another: they stay.
        if (isCapital && small.toUpperCase() !== sign) return sign
        if (/^[a-z0-9]$/.test(small)) {
          const isDigit = small <= '9'
          const alphabet = isDigit ? digitsAt(small, plain) : SMALL
          const moved = plain.length < stay ? small : this.#next(small, alphabet, plain)
          plain = upTo(plain + small)
          full = upTo(full + small)
          return isCapital ? moved.toUpperCase() : moved
        }
        if ([...small].length !== 1 || !LETTER.test(small)) return sign
        const moved = this.#next(small, alphabetOf(small), full)
        full = upTo(full + small)
        return isCapital ? moved.toUpperCase() : moved
      })
      .join('')
  }

  /** Letters where digits are expected. */
  #letters(text: string): string {
    return text.replaceAll(/\p{L}+/gu, (letters) => this.#move(letters, 0))
  }

  #digits(text: string, what: string, kept: number): string {
    const count = text.replaceAll(/\D/g, '').length
    let before = ''
    let done = 0
    return text.replaceAll(/\d/g, (digit) => {
      if (done++ >= count - kept) return digit
      const moved = this.#next(digit, digitsAt(digit, before), `${what} ${before}`)
      before = upTo(before + digit)
      return moved
    })
  }

  #next(sign: string, alphabet: readonly string[], before: string): string {
    const place = alphabet.indexOf(sign)
    if (place < 0 || alphabet.length < 2) return sign
    return alphabet[(place + 1 + this.#draw(`${alphabet[0]} ${before}`, alphabet.length - 1)) % alphabet.length]!
  }

  /** 0 to below the limit, the same for the same words. */
  #draw(of: string, below: number): number {
    let drawn = this.#drawn.get(of)
    if (drawn === undefined) {
      drawn = createHmac('sha256', this.#key).update(of).digest().readUIntBE(0, 6)
      this.#drawn.set(of, drawn)
    }
    return drawn % below
  }
}

/** Of a word without end, the nearest is enough to tell it from others: nothing takes the square of its length. */
const NEAREST = 64
const upTo = (before: string) => (before.length > NEAREST ? before.slice(-NEAREST) : before)

const digitsAt = (digit: string, before: string) => (before === '' ? (digit === '0' ? ['0'] : FIRST_DIGITS) : DIGITS)

const padded = (from: number, to: number, length: number) =>
  range(from, to).map((number) => String(number).padStart(length, '0'))
/** Numbers that begin with 0 are apart: written as a number they are shorter. */
const AREAS = {
  low: padded(1, 99, 3),
  early: padded(100, 899, 3).filter((area) => area !== '666'),
  late: padded(900, 999, 3),
}
const GROUPS = padded(1, 99, 2)
