import { type AnyMessage, formatMessage, ownNames } from '../../contract/messages.ts'
import { correctAccountNumber, ID_ENDING, sentAccountNumber } from '../../domain/rules/corrections.ts'
import { cutLong } from '../../http/text-budget.ts'
import { SEALED } from '../../store/seal.ts'
import { runToEnd } from '../../store/steps.ts'
import type { Dictionary } from './dictionary.ts'
import { isPersonal } from './fields.ts'
import type { TextMask } from './mask-text.ts'
import { walkValue } from './mask-walk.ts'
import { isSandboxAccount, type Leaf, type Place, type Writer } from './places.ts'

/** Masks one value by the kind of its field. */

/** The names that the sandbox gives to unnamed counterparties, also cut to the 16 characters of ACH. */
const OWN_NAMES = [ownNames.counterparty, ownNames.counterparty.slice(0, 16)].map((name) => name.toLowerCase())
const isOwnName = (text: string) => OWN_NAMES.includes(text.trim().toLowerCase())

/** The state in the last line of an address, which is masked as the field `state` is. */
const STATE_IN_LINE = /(?<=^|[ ,])([a-z]{2})(?=,? \d)/gi

/** Fields whose text may be a sentence of the sandbox. */
const SENTENCES = new Set(['name', 'description'])

export class ValueMask {
  readonly #dictionary: Dictionary
  readonly #texts: TextMask
  /** By their text, because responses contain only the text. */
  readonly #messages: ReadonlyMap<string, AnyMessage>

  constructor(dictionary: Dictionary, texts: TextMask, messages: ReadonlyMap<string, AnyMessage>) {
    this.#dictionary = dictionary
    this.#texts = texts
    this.#messages = messages
  }

  leaf: Leaf = (value, place, writer) => {
    if (typeof value === 'string') return value.trim() === '' ? value : this.#maskValue(value, place, writer)
    if (!isPersonal(place.kind) || !Number.isFinite(value)) return value
    // A number with a leading 0 would be shorter.
    const text = this.#maskValue(String(value), place, writer).replace(/^(-?)0(?=\d)/, (_, sign: string) => `${sign}1`)
    return Number.isNaN(Number(text)) ? value : Number(text)
  }

  #maskValue(text: string, place: Place, writer: Writer): string {
    const { kind, name, holder, parent } = place
    if (text === '[removed]' || text === '[masked]') return text
    // The request log seals every value whose field name suggests a tax identifier, so the field decides how to mask it.
    if (text.startsWith(SEALED) && isPersonal(kind))
      return this.#texts.sealed(text, (opened) => this.#maskValue(opened, place, writer))
    if (kind === 'unchanged') return text
    const message = kind === 'free' && SENTENCES.has(name) ? this.#messages.get(text) : undefined
    if (message) return this.#maskSentence(message, writer)
    const [kept, mark] = this.#texts.cut(text)
    if (mark !== '') return (kept === '' ? '' : this.#maskValue(kept, place, writer)) + mark
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
        return isSandboxAccount(holder) || parent.transfer_uid === null ? text : this.#dictionary.accountLastFour(text)
      case 'free':
        return this.#maskFree(text, place, writer)
      default:
        return this.#dictionary[kind](text)
    }
  }

  #maskFree(text: string, { name, holder }: Place, writer: Writer): string {
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
        return writer === 'sandbox' ? this.#maskName(text) : this.#texts.text(text)
      case 'search_description':
        // It may name a part of a word, which no list of words has.
        return this.#maskName(text)
      default:
        return this.#texts.text(text)
    }
  }

  /** Masks the facts, and words the message again. */
  #maskSentence(message: AnyMessage, writer: Writer): string {
    const same = (text: string) => text
    const walk = { writer, leaf: this.leaf, name: same, text: same, cut: cutLong }
    return formatMessage(runToEnd(walkValue(walk, message)) as AnyMessage)
  }

  #maskName(text: string): string {
    return isOwnName(text) ? text : this.#dictionary.words(text)
  }

  #maskAddressLine(text: string): string {
    const states = [...text.matchAll(STATE_IN_LINE)].map(({ index }) => index)
    const masked = this.#dictionary.words(text)
    const last = states.at(-1)
    if (last === undefined) return masked
    return masked.slice(0, last) + this.#dictionary.state(text.slice(last, last + 2)) + masked.slice(last + 2)
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
    if (code === 'C09' && text.endsWith(ID_ENDING)) return this.#maskName(text.slice(0, -ID_ENDING.length)) + ID_ENDING
    return this.#texts.text(text)
  }

  /** The sandbox corrects the number that was sent, so it is the correction of its pseudonym. */
  #maskCorrectedAccount(text: string): string {
    const sent = /^\d+$/.test(text) ? sentAccountNumber(text) : undefined
    return sent === undefined ? this.#texts.account(text) : correctAccountNumber(this.#texts.account(sent))
  }
}
