import type { Kind } from './fields.ts'

/** The personal values that were learned, so that they are found in free text, too. Ignores case. */
export class KnownValues {
  readonly #words = new Set<string>()
  readonly #completeValues = new Set<string>()
  readonly #numbers = new Map<string, 'phone' | 'ssn' | 'account' | 'words'>()
  readonly #dates = new Set<string>()
  /** Numbers that the sandbox generated: a replay generates them again, and they are not personal. */
  readonly #generated = new Set<string>()

  add(kind: Kind, text: string) {
    const folded = fold(text.trim())
    const digits = folded.replaceAll(/\D/g, '')
    if (kind === 'dob') this.#dates.add(folded)
    else if (kind === 'phone' || kind === 'ssn' || kind === 'account') {
      if (digits.length >= MIN_NUMBER_LENGTH) this.#numbers.set(digits, kind)
    } else {
      this.#completeValues.add(folded)
      for (const word of folded.match(WORD_PATTERN) ?? []) {
        if (!/^\d+$/.test(word)) word.length >= MIN_WORD_LENGTH && this.#words.add(word)
        else if (word.length >= MIN_NUMBER_LENGTH && !this.#numbers.has(word)) this.#numbers.set(word, 'words')
      }
    }
  }

  addGenerated(number: string) {
    this.#generated.add(number)
  }

  has = (text: string) => this.#words.has(text) || this.#numbers.has(text) || this.#generated.has(text)
  isGenerated = (number: string) => this.#generated.has(number)
  isDate = (text: string) => this.#dates.has(text)
  isCompleteValue = (text: string) => this.#completeValues.has(fold(text.trim()))
  isWord = (word: string) => this.#words.has(fold(word))
  kindOfNumber = (digits: string) => (this.#generated.has(digits) ? undefined : this.#numbers.get(digits))
}

/** Shorter texts occur too often in other words and numbers. */
const MIN_WORD_LENGTH = 3
const MIN_NUMBER_LENGTH = 5

export const WORD_PATTERN = /[\p{L}\p{M}\p{N}]+/gu
const fold = (text: string) => text.toLowerCase()
