import { drawBytes } from './draw-bytes.ts'

/**
 * Pronounceable pseudonyms of words of ASCII letters: consonants and vowels by turns, drawn with the key of the mask. They show
 * the length of a word, not its letters or its vowels. Different words get different pseudonyms in one bundle.
 */
export class Syllables {
  readonly #key: Uint8Array
  /** By namespace and word. */
  readonly #pseudonyms = new Map<string, string>()
  /** By namespace, the pseudonyms in use. */
  readonly #used = new Map<string, Set<string>>()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /**
   * `small`: the word in lower case. `space`: words of different spaces may get the same pseudonym. `isRefused`: pseudonyms that
   * are not allowed. undefined if almost all pseudonyms of this length are in use, as with two letters, and after very many words.
   */
  replace(small: string, space: string, isRefused: (candidate: string) => boolean): string | undefined {
    const name = `${space} ${small}`
    const known = this.#pseudonyms.get(name)
    if (known !== undefined) return known
    if (this.#pseudonyms.size >= MAX_WORDS) return undefined
    const used = this.#used.get(space) ?? new Set<string>()
    this.#used.set(space, used)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const candidate = this.#draw(`${attempt} ${name}`, small.length)
      if (candidate === small || used.has(candidate) || isRefused(candidate)) continue
      return this.#keep(name, used, candidate)
    }
    return undefined
  }

  isUsed = (candidate: string, space: string): boolean => this.#used.get(space)?.has(candidate) ?? false

  /** For a word that got its pseudonym in another way. */
  add(small: string, space: string, pseudonym: string) {
    if (this.#pseudonyms.size >= MAX_WORDS) return
    const used = this.#used.get(space) ?? new Set<string>()
    this.#used.set(space, used)
    this.#keep(`${space} ${small}`, used, pseudonym)
  }

  #keep(name: string, used: Set<string>, pseudonym: string): string {
    used.add(pseudonym)
    this.#pseudonyms.set(name, pseudonym)
    return pseudonym
  }

  #draw(of: string, length: number): string {
    const bytes = drawBytes(this.#key, `syllables ${of}`, 1 + 2 * length)
    const isVowelFirst = bytes[0]! % 4 === 0
    return Array.from({ length }, (_, i) => {
      const letters = (i % 2 === 0) === isVowelFirst ? VOWELS : CONSONANTS
      return letters[bytes.readUInt16BE(1 + 2 * i) % letters.length]
    }).join('')
  }
}

const VOWELS = 'aeiou'
const CONSONANTS = 'bdfghjklmnprstvwz'
const MAX_ATTEMPTS = 40
/** Each takes about 200 bytes. */
const MAX_WORDS = 500_000
