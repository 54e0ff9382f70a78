import { randomBytes } from 'node:crypto'
import type { Keepable } from '../../contract/control/bundles.ts'
import { forcesFailure, kycTriggers, outcomesOfNumber } from '../../contract/triggers.ts'
import { BirthDates } from './birth-dates.ts'
import type { Kind } from './fields.ts'
import { drawRandom, type Random } from './random.ts'
import { candidatesOf, DIGITS, foldCase, type Shape, shapeOf, syllablesOf, withCaseOf } from './shapes.ts'
import { cutName, MIN_WORD_LENGTH, ValueSet } from './values.ts'

interface DictionaryOptions {
  /** These stay. */
  readonly publicValues?: ValueSet
  /** The simulated time of the bundle. */
  readonly span?: readonly [from: string, to: string]
  /** Kinds of values that stay. */
  readonly keep?: readonly Keepable[]
  /** True for words and numbers of the bundle: no pseudonym is the value of another person. */
  readonly isTaken?: (text: string) => boolean
  readonly random?: Random
}

/** ACH removes all other characters from names, so they neither end a word nor count as part of it. */
const WORD = /[^.,' -]+/g
const FORCING_WORDS = new Set(kycTriggers.map(({ last_name }) => last_name.toLowerCase()))
const isForcingWord = (word: string) => FORCING_WORDS.has(word) || forcesFailure(word)
const isForcingEnd = (digits: string) => Object.keys(outcomesOfNumber(digits)).length > 0

const SSN = /^(\d{3})(?:\D?|[^\d\p{L}]{2,9})(\d{2})(?:\D?|[^\d\p{L}]{2,9})(\d{4})$/u
const EIN = /^\d{2}-\d{7}$/
const NO_SPAN = ['2000-01-01', '2000-01-01'] as const

/**
 * The pseudonym of each personal value: a random one of the same length, form and case that no other value has, drawn when the value is
 * first met. There is no key, so nothing but the dictionary itself leads back. No pseudonym forces an outcome. A public value stays.
 */
export class Dictionary {
  readonly birthDates: BirthDates
  /** By kind and value. */
  readonly #pseudonyms = new Map<string, string>()
  readonly #used = new Set<string>()
  /** Whole names, in lower case. */
  readonly #names = new Set<string>()
  /** For each name as ACH cuts it, the whole one. */
  readonly #cutNames = new Map<string, string>()
  /** Of joined names, the length of the first one. */
  readonly #joined = new Map<string, number>()
  readonly #public: ValueSet
  readonly #keep: ReadonlySet<Keepable>
  readonly #isTaken: (text: string) => boolean
  readonly #random: Random

  constructor(options: DictionaryOptions = {}) {
    const { publicValues = new ValueSet(), span = NO_SPAN, keep = [], random = drawRandom } = options
    this.#public = publicValues
    this.#keep = new Set(keep)
    this.#isTaken = options.isTaken ?? (() => false)
    this.#random = random
    this.birthDates = new BirthDates(random, span)
  }

  /** The first candidate that is neither refused nor in use; if there is none, the value itself or a shared one. */
  #replace(
    kind: string,
    value: string,
    candidates: Iterable<string>,
    isRefused: (candidate: string) => boolean = () => false,
  ): string {
    const key = `${kind} ${value}`
    const known = this.#pseudonyms.get(key)
    if (known !== undefined) return known
    const isUsed = (text: string) => this.#used.has(`${kind} ${text}`)
    let found: string | undefined
    let shared: string | undefined
    for (const candidate of candidates) {
      if (isRefused(candidate)) continue
      shared ??= candidate
      if (candidate === value || isUsed(candidate) || this.#isTaken(candidate)) continue
      found = candidate
      break
    }
    const pseudonym = found ?? (isUsed(value) || isRefused(value) ? (shared ?? value) : value)
    this.#used.add(`${kind} ${pseudonym}`)
    this.#pseudonyms.set(key, pseudonym)
    return pseudonym
  }

  #candidates = (shape: Shape) => candidatesOf(shape, this.#random)

  isPublic = (kind: Kind, text: string) => this.#public.has(kind, text)

  // ── Names ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The name as ACH cuts it gets the cut pseudonym of the whole one, or of the first one that is cut alike. */
  addName(name: string) {
    const small = name.toLowerCase()
    const cut = cutName(name).toLowerCase()
    this.#names.add(small)
    if (cut.length >= MIN_WORD_LENGTH && cut !== small && !this.#cutNames.has(cut)) this.#cutNames.set(cut, name)
  }

  /** The sandbox joins a first and a last name. If one of them is public, it stays in the joined name as well. */
  addJoined(first: string, last: string) {
    if (this.#public.has('words', first) || this.#public.has('words', last))
      this.#joined.set(`${first} ${last}`.toLowerCase(), first.length)
  }

  /** Names, addresses and other texts made of words. */
  words(text: string): string {
    if (this.#public.has('words', text)) return text
    const small = text.toLowerCase()
    const name = this.#names.has(small) ? undefined : this.#cutNames.get(small)
    if (name !== undefined) return withCaseOf(text, foldCase(cutName(this.words(name))))
    const length = this.#joined.get(small)
    return length === undefined
      ? text.replaceAll(WORD, (word) => this.#word(word))
      : `${this.words(text.slice(0, length))} ${this.words(text.slice(length + 1))}`
  }

  #word(word: string): string {
    const small = foldCase(word)
    const readable = () => syllablesOf(small, this.#random)
    const candidates = candidatesOf(shapeOf(small), this.#random, readable)
    return withCaseOf(word, this.#replace('word', small, candidates, isForcingWord))
  }

  suffix(text: string): string {
    return this.#keep.has('suffix') ? text : this.words(text)
  }

  /** A US state becomes another one. No rule reads it. */
  state(text: string): string {
    const state = text.toUpperCase()
    if (this.#keep.has('state') || this.#public.has('state', text)) return text
    if (!STATES.includes(state)) return this.words(text)
    const other = this.#replace('state', state, this.#candidates([STATES]), (candidate) => candidate === state)
    return withCaseOf(text, other.toLowerCase())
  }

  // ── Addresses and dates ────────────────────────────────────────────────────────────────────────────────────────

  /** The address as a whole, without its top-level domain. */
  email(text: string): string {
    const at = text.lastIndexOf('@')
    const dot = text.lastIndexOf('.')
    const end = at >= 0 && dot > at ? dot : text.length
    const rest = text.slice(end)
    if (this.#public.has('email', text)) return text
    return this.#whole('email', text.slice(0, end), (start) => this.#public.has('email', start + rest)) + rest
  }

  /** A date that does not exist becomes another one. */
  dob(text: string): string {
    if (this.#public.has('dob', text)) return text
    const isDate = (date: string) => this.birthDates.isDate(date)
    if (!isDate(text)) return this.#whole('no date', text, isDate)
    return this.#replace('dob', text, this.birthDates.candidates(text), (date) => this.#public.has('dob', date))
  }

  #whole(kind: string, text: string, isRefused: (candidate: string) => boolean): string {
    const small = foldCase(text)
    return withCaseOf(text, this.#replace(kind, small, this.#candidates(shapeOf(small)), isRefused))
  }

  /** An address of the private network 10.0.0.0/8. */
  ip(text: string): string {
    const BYTES = Array.from({ length: 256 }, (_, byte) => `.${byte}`)
    return this.#replace('ip', text, this.#candidates([['10'], BYTES, BYTES, BYTES]))
  }

  /** For sealed text that cannot be opened. */
  opaque(text: string): string {
    return this.#replace('opaque', text, [randomBytes(text.length).toString('base64url').slice(0, text.length)])
  }

  // ── Numbers ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Depends only on the digits, so that every spelling of a number gets the same pseudonym. */
  phone(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    // With or without the country code it is the same number.
    const [, country = ''] = (digitsOf(text).length === 11 && /^(\D*\d)/.exec(text)) || []
    const number = text.slice(country.length)
    return country + this.#number('phone', number, shapeOf(digitsOf(number)))
  }

  account(text: string): string {
    if (/\p{L}/u.test(text)) return this.words(text)
    const digits = digitsOf(text)
    const start = shapeOf(digits.slice(0, -4))
    return this.#number('account', text, [...start, [this.accountLastFour(digits.slice(-4))]])
  }

  /** The end of an account number has a pseudonym by itself, as responses show it alone. That of public numbers is 0000. */
  accountLastFour(text: string): string {
    const isRefused = (end: string) => isForcingEnd(end) || end === '0000'
    return text === '0000' ? text : this.#replace('account end', text, this.#end(text), isRefused)
  }

  /** Keeps whether the number is valid. */
  ssn(text: string): string {
    const digits = digitsOf(text)
    const end = [this.ssnLastFour(digits.slice(-4))]
    const [, area, group] = SSN.exec(text) ?? []
    if (area && group) return this.#number('ssn', text, [areasLike(area), group === '00' ? [group] : GROUPS, end])
    if (EIN.test(text)) return this.#number('ssn', text, [DIGITS, DIGITS, DIGITS, DIGITS, DIGITS, end], 'ein')
    const number = this.#number('ssn', text, [...shapeOf(digits.slice(0, -4)), end], 'other')
    return number.replaceAll(/\p{L}+/gu, (letters) => this.#word(letters))
  }

  /** 0000 is invalid at the end of a Social Security number, so it stays, and no other end becomes it. */
  ssnLastFour(text: string): string {
    if (text === '0000' || this.#keep.has('ssn_last_four')) return text
    return this.#replace('ssn end', text, this.#end(text), (end) => end === '0000')
  }

  #end = (digits: string) => this.#candidates([...digits].map((digit) => (/\d/.test(digit) ? DIGITS : [digit])))

  /** Replaces the digits of a text. */
  #number(kind: 'phone' | 'account' | 'ssn', text: string, shape: Shape, form = ''): string {
    const digits = digitsOf(text)
    if (digits === '' || this.#public.has(kind, text)) return text
    const isPublic = (candidate: string) => this.#public.has(kind, candidate)
    const pseudonym = this.#replace(kind + form, digits, this.#candidates(shape), isPublic)
    let at = 0
    return text.replaceAll(/\d/g, () => pseudonym[at++]!)
  }
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

const paddedNumbers = (from: number, to: number, length: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i).padStart(length, '0'))
/** Areas that begin with 0 are separate, because as a JSON number they have fewer digits. */
const LOW_AREAS = paddedNumbers(1, 99, 3)
const EARLY_AREAS = paddedNumbers(100, 899, 3).filter((area) => area !== '666')
const LATE_AREAS = paddedNumbers(900, 999, 3)
const GROUPS = paddedNumbers(1, 99, 2)

function areasLike(area: string): readonly string[] {
  if (area === '000' || area === '666') return [area]
  return area.startsWith('9') ? LATE_AREAS : area.startsWith('0') ? LOW_AREAS : EARLY_AREAS
}

/** The states, the District of Columbia and the territories. */
const STATES = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC ' +
  'SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'
).split(' ')
