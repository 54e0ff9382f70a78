import { ownNames } from '../../contract/messages.ts'
import { SEPARATED } from '../../http/secret-text.ts'
import { cutLong } from '../../http/text-budget.ts'
import { openInText, SEALED, type Seal } from '../../store/seal.ts'
import { type KnownValues, WORD_PATTERN } from './known-values.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** Masks free text: learned values, and everything that looks like a tax identifier, an e-mail address or a phone number. */

const OWN_PHRASES = new RegExp(`(${Object.values(ownNames).map(escapeRegExp).join('|')})`, 'i')

const PATTERNS = new RegExp(
  [
    `${SEALED}[\\w-]{22,}`,
    // The lookbehind allows a match only at the start of a word, so that long texts without an @ take linear time.
    String.raw`(?<![^\s@"'<>(),;:=&?/\\])[^\s@"'<>(),;:=&?/\\]+@[^\s@"'<>(),;:=&?/\\]+`,
    SEPARATED.source,
    String.raw`(?<![\w-])\d{2}-\d{7}(?![\w-])`,
    String.raw`(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])`,
    String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
    String.raw`(?<![\w.-])\d{5,}(?![\w-]|\.\d)`,
  ].join('|'),
  'gi',
)

/** Most names of fields have none of these characters, and each pattern needs one. */
const IN_PATTERNS = /[@\d:]/
const IS_SSN = new RegExp(`^(?:${SEPARATED.source}|\\d{2}-\\d{7})$`, 'i')

export class TextMask {
  readonly #pseudonyms: Pseudonyms
  readonly #known: KnownValues
  readonly #seal: Seal
  /** In how many places a text was cut. */
  cuts = 0

  constructor(pseudonyms: Pseudonyms, known: KnownValues, seal: Seal) {
    this.#pseudonyms = pseudonyms
    this.#known = known
    this.#seal = seal
  }

  cut(text: string): ReturnType<typeof cutLong> {
    const cut = cutLong(text)
    if (cut[1] !== '') this.cuts++
    return cut
  }

  text(whole: string, isSearch = false): string {
    const [text, mark] = this.cut(whole)
    return this.#maskFree(text, isSearch) + mark
  }

  #maskFree(text: string, isSearch: boolean): string {
    if (this.#pseudonyms.isPublic('free', text)) return text
    if (this.#known.isCompleteValue(text) && !OWN_PHRASES.test(text)) return this.#pseudonyms.words(text)
    return text
      .split(OWN_PHRASES)
      .map((part, i) => (i % 2 === 1 ? part : this.#maskPatterns(part, (rest) => this.#maskWords(rest, isSearch))))
      .join('')
  }

  /** Masks what looks personal. */
  patterns(whole: string): string {
    const [text, mark] = this.cut(whole)
    return this.#maskPatterns(text, (same) => same) + mark
  }

  /** Applies `rest` to the text in between. */
  #maskPatterns(text: string, rest: (text: string) => string): string {
    if (!IN_PATTERNS.test(text)) return rest(text)
    let done = 0
    let masked = ''
    for (const found of text.matchAll(PATTERNS)) {
      masked += rest(text.slice(done, found.index)) + this.#maskPattern(found[0])
      done = found.index + found[0].length
    }
    return done === 0 ? rest(text) : masked + rest(text.slice(done))
  }

  sealed(text: string, inside: (opened: string) => string): string {
    const found = openInText(this.#seal, text)
    if (found) return this.#seal.seal(inside(found.opened)) + found.rest
    const [kept, mark] = this.cut(text)
    return (kept === '' ? '' : SEALED + this.#pseudonyms.opaque(kept.slice(SEALED.length))) + mark
  }

  /** Generated numbers stay the same, and no pseudonym equals one. */
  account(text: string): string {
    if (this.#known.isGenerated(text)) return text
    let pseudonym = this.#pseudonyms.account(text)
    while (this.#known.isGenerated(pseudonym)) pseudonym = this.#pseudonyms.account(pseudonym)
    return pseudonym
  }

  #maskPattern(text: string): string {
    if (text.startsWith(SEALED)) return this.sealed(text, (opened) => this.#pseudonyms.ssn(opened))
    if (text.includes('@')) {
      // The end of a sentence is not part of the address.
      const address = text.replace(/(?<!\.)\.+$/, '')
      return this.#pseudonyms.email(address) + text.slice(address.length)
    }
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return this.#known.isDate(text) ? this.#pseudonyms.dob(text) : text
    if (IS_SSN.test(text)) return this.#pseudonyms.ssn(text.replaceAll(/%2D/gi, '-'))
    if (!/^\d+$/.test(text)) return this.#pseudonyms.phone(text)
    return text.length === 10 && !this.#known.isGenerated(text) ? this.#pseudonyms.phone(text) : this.#maskNumber(text)
  }

  #maskNumber(digits: string): string {
    const kind = this.#known.kindOfNumber(digits)
    if (kind === 'account') return this.account(digits)
    return kind === undefined ? digits : this.#pseudonyms[kind](digits)
  }

  #maskWords(text: string, isSearch: boolean): string {
    const last = isSearch ? text.match(WORD_PATTERN)?.at(-1) : undefined
    return text.replaceAll(WORD_PATTERN, (word) => {
      if (/^\d+$/.test(word)) return this.#maskNumber(word)
      const isKnown = this.#known.isWord(word) || (word === last && this.#known.isBeginningOfWord(word))
      return isKnown ? this.#pseudonyms.words(word) : word
    })
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
