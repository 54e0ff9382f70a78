import type { Kind } from './fields.ts'

/** Values by the kind of their fields, so that they are recognized elsewhere, too. Ignores case, and how a number is written. */
export class ValueSet {
  /** By group and value. */
  readonly #values = new Set<string>()
  /** Words of names, of other texts and of addresses of mail. */
  readonly #words = new Set<string>()
  readonly #numbers = new Map<string, NumberGroup | 'words'>()
  /** Numbers that the sandbox generated: a replay generates them again, and they are not personal. */
  readonly #generated = new Set<string>()

  copy(): ValueSet {
    const copy = new ValueSet()
    for (const value of this.#values) copy.#values.add(value)
    for (const word of this.#words) copy.#words.add(word)
    for (const [digits, group] of this.#numbers) copy.#numbers.set(digits, group)
    return copy
  }

  add(kind: Kind, text: string) {
    const group = groupOf(kind)
    if (!group || text.trim() === '') return
    this.#values.add(`${group} ${fold(group, text)}`)
    if (isNumberGroup(group)) {
      const digits = text.replaceAll(/\D/g, '')
      if (digits.length >= MIN_NUMBER_LENGTH) this.#numbers.set(digits, group)
    } else if (group !== 'dob')
      for (const word of text.toLowerCase().match(WORD_PATTERN) ?? []) {
        if (!/^\d+$/.test(word)) word.length >= MIN_WORD_LENGTH && this.#words.add(word)
        else if (word.length >= MIN_NUMBER_LENGTH && !this.#numbers.has(word)) this.#numbers.set(word, 'words')
      }
  }

  /** Also as ACH cuts it. */
  addName(name: string) {
    this.add('words', name)
    this.add('words', cutName(name))
  }

  addGenerated(number: string) {
    this.#generated.add(number)
  }

  /** As a whole. A name is also known in a field of free text. */
  has(kind: Kind, text: string): boolean {
    const group = groupOf(kind)
    if (!group) return false
    return this.#values.has(`${group} ${fold(group, text)}`) || (group === 'free' && this.has('words', text))
  }

  isWord = (word: string) => this.#words.has(word.toLowerCase())
  isGenerated = (number: string) => this.#generated.has(number)
  kindOfNumber = (digits: string) => (this.#generated.has(digits) ? undefined : this.#numbers.get(digits))
  /** A word or a number of a value. */
  isPart = (text: string) => this.#words.has(text) || this.#numbers.has(text) || this.#generated.has(text)
}

/** Shorter texts occur too often in other words and numbers. */
export const MIN_WORD_LENGTH = 3
const MIN_NUMBER_LENGTH = 5

export const WORD_PATTERN = /[\p{L}\p{M}\p{N}]+/gu

type NumberGroup = 'phone' | 'ssn' | 'account'
type Group = NumberGroup | 'words' | 'free' | 'email' | 'dob' | 'state'

function groupOf(kind: Kind): Group | undefined {
  if (kind === 'lines' || kind === 'suffix') return 'words'
  if (kind === 'ssnLastFour' || kind === 'accountLastFour' || kind === 'sandboxText' || kind === 'unchanged')
    return undefined
  return kind
}

const isNumberGroup = (group: Group): group is NumberGroup =>
  group === 'phone' || group === 'ssn' || group === 'account'

const fold = (group: Group, text: string) =>
  isNumberGroup(group) && !/\p{L}/u.test(text) ? text.replaceAll(/\D/g, '') : text.trim().toLowerCase()

/** ACH cuts names to 16 characters, after removing the characters that it does not know. */
export const cutName = (name: string): string =>
  name
    .replaceAll(/[^a-zA-Z0-9.,' -]/g, '')
    .slice(0, 16)
    .trim()
