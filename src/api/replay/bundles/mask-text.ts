import { ownNames } from '../../contract/messages.ts'
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
    String.raw`\d{3}(?:-|%2D)\d{2}(?:-|%2D)\d{4}`,
    String.raw`(?<![\w-])\d{2}-\d{7}(?![\w-])`,
    String.raw`(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])`,
    String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
    String.raw`(?<![\w.-])\d{5,}(?![\w-]|\.\d)`,
  ].join('|'),
  'gi',
)

export class TextMask {
  readonly #pseudonyms: Pseudonyms
  readonly #known: KnownValues
  readonly #seal: Seal

  constructor(pseudonyms: Pseudonyms, known: KnownValues, seal: Seal) {
    this.#pseudonyms = pseudonyms
    this.#known = known
    this.#seal = seal
  }

  text(text: string, isSearch = false): string {
    if (this.#pseudonyms.isPublic('free', text)) return text
    if (this.#known.isCompleteValue(text) && !OWN_PHRASES.test(text)) return this.#pseudonyms.words(text)
    return text
      .split(OWN_PHRASES)
      .map((part, i) => (i % 2 === 1 ? part : this.patterns(part, (rest) => this.#maskWords(rest, isSearch))))
      .join('')
  }

  /** Masks what looks personal, and applies `rest` to the text in between. */
  patterns(text: string, rest: (text: string) => string = (same) => same): string {
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
    return found
      ? this.#seal.seal(inside(found.opened)) + found.rest
      : SEALED + this.#pseudonyms.opaque(text.slice(SEALED.length))
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
    if (/%2D/i.test(text)) return this.#pseudonyms.ssn(text.replaceAll(/%2D/gi, '-'))
    if (/^\d{3}-\d{2}-\d{4}$|^\d{2}-\d{7}$/.test(text)) return this.#pseudonyms.ssn(text)
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
