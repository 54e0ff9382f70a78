import type { Kind } from './fields.ts'

/** What is known to be somebody's, so that it is found in free text too. Case is ignored. */
export class Known {
  readonly #words = new Set<string>()
  readonly #wholes = new Set<string>()
  readonly #numbers = new Map<string, 'phone' | 'ssn' | 'account' | 'words'>()
  readonly #dates = new Set<string>()
  /** Numbers that the sandbox has drawn. They are drawn again by a replay, and nobody's. */
  readonly #ours = new Set<string>()

  add(kind: Kind, text: string) {
    const folded = fold(text.trim())
    const digits = folded.replaceAll(/\D/g, '')
    if (kind === 'dob') this.#dates.add(folded)
    else if (kind === 'phone' || kind === 'ssn' || kind === 'account') {
      if (digits.length >= SHORTEST_NUMBER) this.#numbers.set(digits, kind)
    } else {
      this.#wholes.add(folded)
      for (const word of folded.match(WORDS) ?? []) {
        if (!/^\d+$/.test(word)) word.length >= SHORTEST_WORD && this.#words.add(word)
        else if (word.length >= SHORTEST_NUMBER && !this.#numbers.has(word)) this.#numbers.set(word, 'words')
      }
    }
  }

  addOurs(number: string) {
    this.#ours.add(number)
  }

  isOurs = (number: string) => this.#ours.has(number)
  isDate = (text: string) => this.#dates.has(text)
  isWhole = (text: string) => this.#wholes.has(fold(text.trim()))
  isWord = (word: string) => this.#words.has(fold(word))
  numberOf = (digits: string) => (this.#ours.has(digits) ? undefined : this.#numbers.get(digits))

  /** For a search: the beginning of a word that is known. */
  begins(part: string): boolean {
    const folded = fold(part)
    if (folded.length < SHORTEST_WORD) return false
    for (const word of this.#words) if (word.startsWith(folded)) return true
    return false
  }
}

/** Shorter ones stand in too many other words, and other numbers. */
const SHORTEST_WORD = 3
const SHORTEST_NUMBER = 5

export const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const fold = (text: string) => text.toLowerCase()
