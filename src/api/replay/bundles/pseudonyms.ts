import type { Keepable } from '../../contract/control/bundles.ts'
import { achReturnFor, forcesFailure, kycTriggers, nocFor, rejectionFor } from '../../contract/triggers.ts'
import { cutName, findCutWord } from './ach-names.ts'
import { alphabetOf, asciiOf, isAscii } from './alphabets.ts'
import { BirthDates } from './birth-dates.ts'
import { drawBytes } from './draw-bytes.ts'
import type { Kind } from './fields.ts'
import { Permutation } from './permutation.ts'
import { PublicValues } from './public-values.ts'
import { Syllables } from './syllables.ts'

/**
 * Pseudonyms of single values: of a word syllables, of a number a keyed permutation of its digits. Different values get
 * different pseudonyms, and length and case stay the same, as validation and searches need it. No pseudonym forces an outcome. A
 * public value stays, and no pseudonym equals one.
 */

interface PseudonymOptions {
  /** The simulated time of the bundle. */
  readonly span?: readonly [from: string, to: string]
  /** Kinds of values that stay. */
  readonly keep?: readonly Keepable[]
  /** True for words of the bundle: no pseudonym is another person's name. */
  readonly isKnownWord?: (word: string) => boolean
}

/** ACH removes all other characters from names, so they neither end a word nor count as part of it. */
const WORD = /[^.,' -]+/g
const FORCING_WORDS = new Set(kycTriggers.map(({ last_name }) => last_name.toLowerCase()))
const isForcingWord = (word: string) => FORCING_WORDS.has(asciiOf(word)) || forcesFailure(asciiOf(word))
const isForcingEnd = (digits: string) =>
  achReturnFor(digits) !== undefined || nocFor(digits) !== undefined || rejectionFor(digits) !== undefined

const SSN = /^(\d{3})(\D?|[^\d\p{L}]{2,9})(\d{2})(\D?|[^\d\p{L}]{2,9})(\d{4})$/u
const EIN = /^(\d{2})-(\d{3})(\d{4})$/
const NO_SPAN = ['2000-01-01', '2000-01-01'] as const
const MAX_CACHED_WORDS = 200_000
/** A longer beginning of a word is not looked up. */
const MAX_FRAGMENT = 64

export class Pseudonyms {
  readonly #key: Uint8Array
  readonly #public: PublicValues
  readonly #permutation: Permutation
  #states: readonly number[] | undefined
  readonly birthDates: BirthDates
  readonly #words = new Map<string, string>()
  readonly #fragments = new Set<string>()
  #maskedFragments: Map<string, string> | undefined
  /** For each cut name, the whole one. */
  readonly #cutNames = new Map<string, string>()
  /** For each word, the beginnings to which it is cut. */
  readonly #cuts = new Map<string, Set<string>>()
  /** Of joined names, the length of the first one. */
  readonly #joined = new Map<string, number>()

  readonly #syllables: Syllables
  readonly #keep: ReadonlySet<Keepable>
  readonly #isKnownWord: (word: string) => boolean

  constructor(key: Uint8Array, publicValues = new PublicValues(), options: PseudonymOptions = {}) {
    const { span = NO_SPAN, keep = [], isKnownWord = () => false } = options
    this.#key = key
    this.#public = publicValues
    this.#permutation = new Permutation(key)
    this.#syllables = new Syllables(key)
    this.#keep = new Set(keep)
    this.#isKnownWord = isKnownWord
    this.birthDates = new BirthDates(this.#permutation, span)
  }

  /** A search names the beginning of words. The pseudonym of each word that begins with it begins with its pseudonym. */
  addFragment(part: string) {
    this.#fragments.add(part.toLowerCase())
    this.#fragments.add(asciiOf(part))
    this.#fragments.delete('')
  }

  /**
   * ACH cuts this name within a word. The cut name gets the cut pseudonym of the whole one. Two names that are cut alike get
   * pseudonyms that are cut alike.
   */
  addCutName(name: string) {
    const cut = cutName(name).toLowerCase()
    const known = this.#cutNames.get(cut)
    if (known === undefined) this.#cutNames.set(cut, name)
    else if (known.toLowerCase() !== name.toLowerCase())
      for (const { word, start } of [known, name].flatMap((one) => findCutWord(one) ?? []))
        this.#cutWord(asciiOf(word), asciiOf(start))
  }

  #cutWord(word: string, start: string) {
    const starts = this.#cuts.get(word) ?? new Set<string>()
    if (start === '' || start === word || starts.has(start)) return
    this.#cuts.set(word, starts.add(start))
    for (const other of starts)
      if (other.length < start.length) this.#cutWord(start, other)
      else this.#cutWord(other, start)
  }

  /** The sandbox joins a first and a last name. If one of them is public, it stays in the joined name as well. */
  addJoined(first: string, last: string) {
    if (this.#public.has('words', first) || this.#public.has('words', last))
      this.#joined.set(`${first} ${last}`.toLowerCase(), first.length)
  }

  /** Names, addresses and other texts made of words. */
  words(text: string): string {
    return this.#replaceUnlessPublic('words', text, (all) => {
      const small = all.toLowerCase()
      const name = this.#cutNames.get(small)
      if (name !== undefined && name.toLowerCase() !== small) return withCaseOf(all, cutName(this.words(name)))
      const length = this.#joined.get(small)
      return length === undefined
        ? all.replaceAll(WORD, (word) => this.#replaceWord(word))
        : `${this.words(all.slice(0, length))} ${this.words(all.slice(length + 1))}`
    })
  }

  isPublic = (kind: Kind, text: string) => this.#public.has(kind, text)

  #replaceUnlessPublic(kind: Kind, text: string, replace: (text: string) => string): string {
    if (this.#public.has(kind, text)) return text
    let masked = replace(text)
    while (this.#public.has(kind, masked)) masked = replace(masked)
    return masked
  }

  /** The address as a whole, without its top-level domain. */
  email(text: string): string {
    const at = text.lastIndexOf('@')
    const dot = text.lastIndexOf('.')
    const end = at >= 0 && dot > at ? dot : text.length
    return this.#replaceUnlessPublic(
      'email',
      text,
      (all) => this.#permuteText(all.slice(0, end), 'email') + all.slice(end),
    )
  }

  /** Depends only on the digits, so that every spelling of a number gets the same pseudonym. */
  phone(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    // With or without the country code it is the same number.
    const [, country = ''] = (text.replaceAll(/\D/g, '').length === 11 && /^(\D*\d)/.exec(text)) || []
    const number = text.slice(country.length)
    return country + this.#replaceUnlessPublic('phone', number, (all) => this.#permuteDigits(all, 'phone'))
  }

  account(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    return this.#replaceUnlessPublic('account', text, (all) =>
      this.#replaceNumber(all, 'account', (end) => this.accountLastFour(end)),
    )
  }

  /** The end of an account number is masked by itself, as responses show it alone. That of public numbers is 0000. */
  accountLastFour(text: string): string {
    if (text === '0000') return text
    const isRefused = (end: string) => isForcingEnd(end) || end === '0000'
    for (let n = 0; ; n++) {
      const tweak = n === 0 ? 'account' : `account ${n}`
      let masked = this.#permuteEnd(text, tweak)
      while (isRefused(masked) && masked !== text) masked = this.#permuteEnd(masked, tweak)
      if (!isRefused(masked)) return masked
      // The end forces an outcome, and so do all that it leads to: another permutation leads elsewhere.
    }
  }

  /** Keeps whether the number is valid. */
  ssn(text: string): string {
    return this.#replaceUnlessPublic('ssn', text, (all) => this.#replaceSsn(all))
  }

  #replaceSsn(text: string): string {
    const [, area, first = '', group, second = '', serial] = SSN.exec(text) ?? []
    if (area && group && serial) {
      const areas =
        area === '000' || area === '666'
          ? [area]
          : AREAS[area.startsWith('9') ? 'late' : area.startsWith('0') ? 'low' : 'early']
      const groups = group === '00' ? [group] : GROUPS
      const places = [areas.indexOf(area), groups.indexOf(group)]
      const moved = this.#permutation.permute(places, [areas.length, groups.length], `ssn ${serial}`)
      return `${areas[moved[0]!]}${first}${groups[moved[1]!]}${second}${this.ssnLastFour(serial)}`
    }
    const [, prefix, middle, rest] = EIN.exec(text) ?? []
    if (prefix && middle && rest) {
      const digits = [...(prefix + middle)].map(Number)
      const moved = this.#permutation.permute(digits, [10, 10, 10, 10, 10], `ein ${rest}`).join('')
      return `${moved.slice(0, 2)}-${moved.slice(2)}${this.ssnLastFour(rest)}`
    }
    return this.#permuteLetters(this.#replaceNumber(text, 'tax', (end) => this.ssnLastFour(end)))
  }

  /** 0000 is invalid at the end of a Social Security number, so it stays, and no other end becomes it. */
  ssnLastFour(text: string): string {
    if (text === '0000' || this.#keep.has('ssn_last_four')) return text
    let masked = this.#permuteEnd(text, 'ssn')
    while (masked === '0000') masked = this.#permuteEnd(masked, 'ssn')
    return masked
  }

  suffix(text: string): string {
    return this.#keep.has('suffix') ? text : this.words(text)
  }

  /** A US state becomes another one: the next in an order that the key decides. No rule reads it. */
  state(text: string): string {
    if (this.#keep.has('state')) return text
    return this.#replaceUnlessPublic('state', text, (all) => {
      const at = STATES.indexOf(all.toUpperCase())
      if (at < 0) return this.words(all)
      this.#states ??= STATES.map((_, i) => this.#permutation.permute([i], [STATES.length], 'state')[0]!)
      const next = this.#states[(this.#states.indexOf(at) + 1) % STATES.length]!
      return withCaseOf(all, STATES[next]!)
    })
  }

  /** A date that does not exist becomes another one. */
  dob(text: string): string {
    return this.#replaceUnlessPublic('dob', text, (all) => this.#replaceDob(all))
  }

  #replaceDob(text: string): string {
    if (this.birthDates.isDate(text)) return this.birthDates.replace(text)
    let masked = text
    do masked = this.#permuteLetters(this.#permuteDigits(masked, 'date'))
    while (this.birthDates.isDate(masked))
    return masked
  }

  /** An address of the private network 10.0.0.0/8. */
  ip(text: string): string {
    const drawn = this.#permutation.draw(`ip ${text}`, 1 << 24)
    return `10.${drawn >> 16}.${(drawn >> 8) & 255}.${drawn & 255}`
  }

  /** For sealed text that cannot be opened. */
  opaque(text: string): string {
    return drawBytes(this.#key, `opaque ${text}`, text.length).toString('base64url').slice(0, text.length)
  }

  // ── Words ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #replaceWord(word: string): string {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const masked = this.#replaceParts(word)
    if (this.#words.size < MAX_CACHED_WORDS) this.#words.set(word, masked)
    return masked
  }

  #replaceParts(word: string): string {
    const cut = this.#findCut(word)
    const start = word.slice(0, cut)
    return cut === 0
      ? this.#replaceRest('', '', word)
      : this.#replaceRest(asciiOf(start), this.#replaceParts(start), word.slice(cut))
  }

  /** The word with the masked `start` in front. ACH removes the other characters, so the ASCII letters are masked by themselves. */
  #replaceRest(start: string, maskedStart: string, rest: string): string {
    const tweak = start === '' ? 'word' : `after ${start}`
    const plain = asciiOf(rest)
    const maskedAscii = asciiOf(maskedStart)
    const isRefused = (candidate: string) =>
      isForcingWord(maskedAscii + candidate) || (start === '' && this.#isForeign(plain, candidate))
    const permute = (text: string) => this.#permuteText(text, tweak, start === '')
    const found = /^[a-z]{2,}$/.test(plain) ? this.#syllables.replace(plain, tweak, isRefused) : undefined
    if (found !== undefined) return maskedStart + withAscii(permute(rest), found)
    let masked = permute(rest)
    while (isForcingWord(maskedAscii + asciiOf(masked)) || this.#syllables.isUsed(asciiOf(masked), tweak))
      masked = permute(masked)
    if (/^[a-z]{2,}$/.test(plain)) this.#syllables.add(plain, tweak, asciiOf(masked))
    return maskedStart + masked
  }

  /** True if the pseudonym is a word of the bundle, or begins with the pseudonym of a search that does not find the word. */
  #isForeign(plain: string, candidate: string): boolean {
    if (this.#isKnownWord(candidate)) return true
    const masked = this.#maskFragments()
    for (let length = 1; length < Math.min(candidate.length, MAX_FRAGMENT + 1); length++) {
      const fragment = masked.get(candidate.slice(0, length))
      if (fragment !== undefined && fragment !== plain) return true
    }
    return false
  }

  /** The fragments by their pseudonyms, the shorter ones first. */
  #maskFragments(): ReadonlyMap<string, string> {
    if (this.#maskedFragments) return this.#maskedFragments
    this.#maskedFragments = new Map()
    for (const fragment of [...this.#fragments].sort((a, b) => a.length - b.length))
      this.#maskedFragments.set(asciiOf(this.#replaceWord(fragment)), asciiOf(fragment))
    return this.#maskedFragments
  }

  /** Where the longest fragment at the beginning of the word ends; 0 if none is shorter than the word. */
  #findCut(word: string): number {
    const starts = this.#cuts.get(asciiOf(word))
    if (this.#fragments.size === 0 && starts === undefined) return 0
    const small = word.toLowerCase()
    if (small.length !== word.length) return 0
    for (let at = Math.min(word.length - 1, MAX_FRAGMENT); at > 0; at--) {
      if (/^[\udc00-\udfff]/.test(small.slice(at, at + 1))) continue
      const start = small.slice(0, at)
      if (this.#fragments.has(start)) return at
      const ascii = isAscii(small[at - 1]!) ? asciiOf(start) : ''
      if (this.#fragments.has(ascii) || starts?.has(ascii)) return at
    }
    return 0
  }

  /** ASCII characters by themselves: ACH removes the other ones. */
  #permuteText(text: string, tweak: string, hasStart = true): string {
    const characters = [...text]
    const groups = { ascii: emptyGroup(), other: emptyGroup() }
    let ascii = ''
    for (const [at, character] of characters.entries()) {
      const small = character.toLowerCase()
      const isCapital = small !== character
      // A few capitals have a small letter whose capital is another one: keep them.
      if (isCapital && small.toUpperCase() !== character) continue
      const alphabet = alphabetOf(small, hasStart && ascii === '')
      if (isAscii(small)) ascii += small
      if (alphabet.length === 0) continue
      const group = groups[isAscii(small) ? 'ascii' : 'other']
      group.places.push({ at, alphabet, isCapital })
      group.values.push(alphabet.indexOf(small))
    }
    for (const [name, { places, values }] of Object.entries(groups)) {
      const sizes = places.map(({ alphabet }) => alphabet.length)
      // Without a leading 0 the permutation is another one: the digit itself is not part of it.
      const moved = this.#permutation.permute(values, sizes, `${tweak} ${name}`)
      for (const [i, { at, alphabet, isCapital }] of places.entries()) {
        const small = alphabet[moved[i]!]!
        characters[at] = isCapital ? small.toUpperCase() : small
      }
    }
    return characters.join('')
  }

  /** For letters in a text that should contain only digits. */
  #permuteLetters(text: string): string {
    return text.replaceAll(/\p{L}+/gu, (letters) => this.#permuteText(letters, 'letters'))
  }

  // ── Numbers ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The last four digits by themselves, the others depending on them. */
  #replaceNumber(text: string, what: string, maskEnd: (end: string) => string): string {
    const digits = text.replaceAll(/\D/g, '')
    const end = digits.slice(-4)
    if (end === '') return text
    const start = digits.slice(0, -4)
    return withDigits(text, this.#permuteDigits(start, `${what} ${end}`) + maskEnd(end))
  }

  #permuteEnd = (digits: string, what: string): string =>
    this.#permutation
      .permute(
        [...digits].map(Number),
        [...digits].map(() => 10),
        `end ${what}`,
      )
      .join('')

  #permuteDigits(text: string, what: string): string {
    const digits = text.replaceAll(/\D/g, '')
    return digits === '' ? text : withDigits(text, this.#permuteText(digits, what))
  }
}

interface Group {
  readonly places: { readonly at: number; readonly alphabet: readonly string[]; readonly isCapital: boolean }[]
  readonly values: number[]
}
const emptyGroup = (): Group => ({ places: [], values: [] })

/** The masked text, with capitals where the original has them. */
const withCaseOf = (original: string, masked: string): string =>
  masked.replaceAll(/./gs, (character, at: number) => {
    const isCapital = original[at] !== original[at]?.toLowerCase()
    return isCapital ? character.toUpperCase() : character.toLowerCase()
  })

/** Replaces the ASCII letters and digits of a text, in order; their case stays. */
function withAscii(text: string, ascii: string): string {
  let at = 0
  return text.replaceAll(/[a-zA-Z0-9]/g, (character) => {
    const small = ascii[at++]!
    return character === character.toLowerCase() ? small : small.toUpperCase()
  })
}

/** Replaces the digits of a text, in order. */
function withDigits(text: string, digits: string): string {
  let at = 0
  return text.replaceAll(/\d/g, () => digits[at++]!)
}

// ── Tax identifiers ─────────────────────────────────────────────────────────────────────────────────────────────────

const paddedNumbers = (from: number, to: number, length: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i).padStart(length, '0'))
/** Areas that begin with 0 are separate, because as a JSON number they have fewer digits. */
const AREAS = {
  low: paddedNumbers(1, 99, 3),
  early: paddedNumbers(100, 899, 3).filter((area) => area !== '666'),
  late: paddedNumbers(900, 999, 3),
}
const GROUPS = paddedNumbers(1, 99, 2)

/** The 50 states and the District of Columbia. */
const STATES = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC ' +
  'SD TN TX UT VT VA WA WV WI WY'
).split(' ')
