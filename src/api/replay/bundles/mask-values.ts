import { ownNames } from '../../contract/messages.ts'
import { SEALED } from '../../store/seal.ts'
import { isPersonal } from './fields.ts'
import type { OutcomeCollector } from './forced-outcomes.ts'
import type { TextMask } from './mask-text.ts'
import { type Holder, isSandboxAccount, type Leaf, type Place } from './places.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** Masks one value by the kind of its field. */

/** The names that the sandbox gives to unnamed counterparties, also cut to the 16 characters of ACH. */
const OWN_NAMES = [ownNames.counterparty, ownNames.counterparty.slice(0, 16)].map((name) => name.toLowerCase())
const isOwnName = (text: string) => OWN_NAMES.includes(text.trim().toLowerCase())

/** The state in the last line of an address, which is masked as the field `state` is. */
const STATE_IN_LINE = /(?<=^|[ ,])([a-z]{2})(?=,? \d)/gi

/** Fields whose text may be a sentence of the sandbox. */
const SENTENCES = new Set(['name', 'description'])

export interface Sentences {
  /** The masked sentence of a record; undefined if no record has it. */
  maskSentence(text: string): string | undefined
  maskSearch(search: string): string | undefined
  /** Texts of the sandbox are masked more thoroughly. */
  readonly isWrittenBySandbox: boolean
}

export class ValueMask {
  readonly #pseudonyms: Pseudonyms
  readonly #texts: TextMask
  readonly #sentences: Sentences
  readonly #outcomes: OutcomeCollector

  constructor(pseudonyms: Pseudonyms, texts: TextMask, sentences: Sentences, outcomes: OutcomeCollector) {
    this.#pseudonyms = pseudonyms
    this.#texts = texts
    this.#sentences = sentences
    this.#outcomes = outcomes
  }

  leaf: Leaf = (value, place) => {
    if (typeof value === 'string') return value.trim() === '' ? value : this.#maskText(value, place)
    if (!isPersonal(place.kind) || !Number.isFinite(value)) return value
    // A number with a leading 0 would be shorter.
    let text = this.#maskText(String(value), place)
    while (text.length > 1 && /^-?0\d*$/.test(text)) text = this.#maskText(text, place)
    const number = Number(text)
    return Number.isNaN(number) ? value : number
  }

  #maskText(text: string, place: Place): string {
    const masked = this.#maskValue(text, place)
    this.#outcomes.addValue(place.name, text, masked)
    return masked
  }

  #maskValue(text: string, place: Place): string {
    const { kind, name, holder, parent } = place
    if (text === '[removed]' || text === '[masked]') return text
    // The request log seals every value whose field name suggests a tax identifier, so the field decides how to mask it.
    if (text.startsWith(SEALED) && isPersonal(kind))
      return this.#texts.sealed(text, (opened) => this.#maskValue(opened, place))
    if (kind === 'unchanged') return text
    const sentence = kind === 'free' && SENTENCES.has(name) ? this.#sentences.maskSentence(text) : undefined
    if (sentence !== undefined) return sentence
    const [kept, mark] = this.#texts.cut(text)
    if (mark !== '') return (kept === '' ? '' : this.#maskValue(kept, place)) + mark
    switch (kind) {
      case 'sandboxText':
        return this.#texts.patterns(text)
      case 'words':
        return this.#maskName(text)
      case 'lines':
        return this.#maskAddressLine(text)
      case 'account':
        return isSandboxAccount(holder) ? text : this.#texts.account(text)
      case 'accountLastFour':
        // The sandbox draws the number behind an incoming payment, which no transfer caused.
        return isSandboxAccount(holder) || parent.transfer_uid === null ? text : this.#pseudonyms.accountLastFour(text)
      case 'free':
        return this.#maskFree(text, name, holder)
      default:
        return this.#pseudonyms[kind](text)
    }
  }

  #maskFree(text: string, name: string, holder: Holder): string {
    switch (name) {
      case 'initiating_party_name':
        return text === holder.counterparty_name || text === holder.transmitter_name
          ? this.#maskName(text)
          : this.#texts.text(text)
      case 'noc_corrected_data':
        return this.#maskCorrectedData(text, holder.noc_code)
      case 'corrected_data':
        return this.#maskCorrectedData(text, holder.code)
      case 'name':
        return 'owner_customer_uid' in holder ? this.#maskName(text) : this.#texts.text(text)
      case 'description':
        // A sentence about a record that is not in the bundle: each word may be personal.
        return this.#sentences.isWrittenBySandbox ? this.#maskName(text) : this.#texts.text(text)
      case 'search_description':
        return this.#sentences.maskSearch(text) ?? this.#texts.text(text, true)
      default:
        return this.#texts.text(text)
    }
  }

  #maskName(text: string): string {
    return isOwnName(text) ? text : this.#pseudonyms.words(text)
  }

  #maskAddressLine(text: string): string {
    const states = [...text.matchAll(STATE_IN_LINE)].map(({ index }) => index)
    const masked = this.#pseudonyms.words(text)
    const last = states.at(-1)
    if (last === undefined) return masked
    return masked.slice(0, last) + this.#pseudonyms.state(text.slice(last, last + 2)) + masked.slice(last + 2)
  }

  /** Corrected data has another layout for each NOC code. */
  #maskCorrectedData(text: string, code: unknown): string {
    const account = (from: number, to?: number) => {
      const part = text.slice(from, to)
      const digits = part.trim()
      return digits === '' ? part : this.#maskCorrectedAccount(digits) + part.slice(digits.length)
    }
    if (code === 'C01') return account(0)
    if (code === 'C03') return text.slice(0, 12) + account(12)
    if (code === 'C04') return this.#maskName(text)
    if (code === 'C06') return account(0, 17) + text.slice(17)
    if (code === 'C07') return text.slice(0, 9) + account(9, 26) + text.slice(26)
    return this.#texts.text(text)
  }

  /** The sandbox corrects an account number to the next one, so its pseudonym is the next one, too. */
  #maskCorrectedAccount(text: string): string {
    return /^\d+$/.test(text) ? addToEnd(this.#texts.account(addToEnd(text, 9)), 1) : this.#texts.account(text)
  }
}

const addToEnd = (digits: string, n: number): string =>
  digits.slice(0, -1) + String((Number(digits.slice(-1)) + n) % 10)
