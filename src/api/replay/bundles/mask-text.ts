import { ownNames } from '../../contract/messages.ts'
import { escapeRegExp } from '../../contract/terms/texts.ts'
import { SEPARATED } from '../../http/secret-text.ts'
import { cutLong } from '../../http/text-budget.ts'
import { openInText, SEALED, type Seal } from '../../store/seal.ts'
import type { Dictionary } from './dictionary.ts'
import { type ValueSet, WORD_PATTERN } from './values.ts'

/** Masks free text: learned values, and everything that looks like a tax identifier, an e-mail address or a phone number. */

const OWN_PHRASES = new RegExp(`(${Object.values(ownNames).map(escapeRegExp).join('|')})`, 'i')

const PATTERNS = new RegExp(
  `(${[
    `${SEALED}[\\w-]{22,}`,
    // The lookbehind allows a match only at the start of a word, so that long texts without an @ take linear time.
    String.raw`(?<![^\s@"'<>(),;:=&?/\\])[^\s@"'<>(),;:=&?/\\]+@[^\s@"'<>(),;:=&?/\\]+`,
    SEPARATED.source,
    String.raw`(?<![\w-])\d{2}-\d{7}(?![\w-])`,
    String.raw`(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])`,
    String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
    String.raw`(?<![\w.-])\d{5,}(?![\w-]|\.\d)`,
  ].join('|')})`,
  'i',
)

/** Most names of fields have none of these characters, and each pattern needs one. */
const IN_PATTERNS = /[@\d:]/
const IS_SSN = new RegExp(`^(?:${SEPARATED.source}|\\d{2}-\\d{7})$`, 'i')

export class TextMask {
  readonly #dictionary: Dictionary
  readonly #known: ValueSet
  readonly #seal: Seal
  /** In how many places a text was cut. */
  cuts = 0

  constructor(dictionary: Dictionary, known: ValueSet, seal: Seal) {
    this.#dictionary = dictionary
    this.#known = known
    this.#seal = seal
  }

  cut(text: string): ReturnType<typeof cutLong> {
    const cut = cutLong(text)
    if (cut[1] !== '') this.cuts++
    return cut
  }

  text(whole: string): string {
    const [text, mark] = this.cut(whole)
    return this.#maskFree(text) + mark
  }

  #maskFree(text: string): string {
    if (this.#dictionary.isPublic('free', text)) return text
    if (this.#known.has('words', text) && !OWN_PHRASES.test(text)) return this.#dictionary.words(text)
    return text
      .split(OWN_PHRASES)
      .map((part, i) => (i % 2 === 1 ? part : this.#maskPatterns(part, (rest) => this.#maskWords(rest))))
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
    const parts = text.split(PATTERNS)
    return parts.map((part, i) => (i % 2 === 1 ? this.#maskPattern(part) : rest(part))).join('')
  }

  sealed(text: string, inside: (opened: string) => string): string {
    const found = openInText(this.#seal, text)
    if (found) return this.#seal.seal(inside(found.opened)) + found.rest
    const [kept, mark] = this.cut(text)
    return (kept === '' ? '' : SEALED + this.#dictionary.opaque(kept.slice(SEALED.length))) + mark
  }

  /** Generated numbers stay the same. */
  account(text: string): string {
    return this.#known.isGenerated(text) ? text : this.#dictionary.account(text)
  }

  #maskPattern(text: string): string {
    if (text.startsWith(SEALED)) return this.sealed(text, (opened) => this.#dictionary.ssn(opened))
    if (text.includes('@')) {
      // The end of a sentence is not part of the address.
      const address = text.replace(/(?<!\.)\.+$/, '')
      return this.#dictionary.email(address) + text.slice(address.length)
    }
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return this.#known.has('dob', text) ? this.#dictionary.dob(text) : text
    if (IS_SSN.test(text)) return this.#dictionary.ssn(text.replaceAll(/%2D/gi, '-'))
    if (!/^\d+$/.test(text)) return this.#dictionary.phone(text)
    return text.length === 10 && !this.#known.isGenerated(text) ? this.#dictionary.phone(text) : this.#maskNumber(text)
  }

  #maskNumber(digits: string): string {
    const kind = this.#known.kindOfNumber(digits)
    if (kind === 'account') return this.account(digits)
    return kind === undefined ? digits : this.#dictionary[kind](digits)
  }

  #maskWords(text: string): string {
    return text.replaceAll(WORD_PATTERN, (word) => {
      if (/^\d+$/.test(word)) return this.#maskNumber(word)
      return this.#known.isWord(word) ? this.#dictionary.words(word) : word
    })
  }
}
