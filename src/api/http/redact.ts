import type { Seal } from '../store/seal.ts'

/**
 * What the request log keeps of a request. Tokens and keys are taken out, wherever a caller put them; a Social
 * Security number is sealed, so that a replay can send it again; a body that cannot be parsed is masked by pattern.
 */

const SECRET_HEADERS = new Set(['authorization', 'x-control-key', 'cookie', 'set-cookie', 'proxy-authorization'])
/** Names that are nobody's secret: they need not be looked at. */
const COMMON_HEADERS = new Set([
  ...['host', 'connection', 'content-type', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'x-trace-id'],
])
const JWS = /(?:auth-)?eyJ[\w-]+\.[\w-]*\.[\w-]*/g
const SSN = /\d{3}(?:-|%2D)\d{2}(?:-|%2D)\d{4}/gi
/** Any tax identifier, with its hyphens or without. */
const LOOSE_SSN = /\d{3}(?:-|%2D)?\d{2}(?:-|%2D)?\d{4}|\d{2}(?:-|%2D)\d{7}/i
/** Fields that are nobody's business but the caller's. */
const SECRET_FIELDS = new Set(['external_processor_token'])
/** However it is called elsewhere, and by the slips of the hand that stand near it. */
export const isSsnName = (name: string) => {
  // `business_name` has the letters by chance.
  const telling = name.replaceAll(/business/gi, '')
  return /s[_-]?s[_-]?n|snn|ssm|social_?-?security|tax_?-?id|^[te]in$/i.test(telling) && !/last_four/i.test(name)
}
const DEEPEST = 64
/** A shorter key would be found in ordinary words. */
const SHORTEST_KEY = 6

export type HeaderList = [string, string][]

/** Texts are full of dates, whose hyphens stand otherwise: to look at hyphens alone is cheap. */
function mayHoldSsn(text: string): boolean {
  for (let at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1))
    if (text[at + 3] === '-' && isDigit(text, at - 3) && isDigit(text, at + 6) && isDigit(text, at + 7)) return true
  return /%2D/i.test(text)
}
const isDigit = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

export class Redaction {
  /** Of the world as it is now: another seed seals otherwise. */
  readonly #sealNow: () => Seal
  /** Keys that must not be logged, as they are now. */
  readonly #keys: () => readonly string[]

  constructor(seal: () => Seal, keys: () => readonly string[]) {
    this.#sealNow = seal
    this.#keys = keys
  }

  get #seal(): Seal {
    return this.#sealNow()
  }

  text(text: string): string {
    let clean = text.includes('eyJ') ? text.replace(JWS, '[token removed]') : text
    for (const key of this.#keys())
      if (key.length >= SHORTEST_KEY && clean.includes(key)) clean = clean.replaceAll(key, '[key removed]')
    if (!mayHoldSsn(clean)) return clean
    return clean.replace(SSN, (number) => this.#seal.seal(number.replaceAll(/%2D/gi, '-')))
  }

  /** What cannot be parsed, or may hold anything, is masked by pattern. */
  loose(text: string): string {
    return this.text(text.replaceAll(new RegExp(LOOSE_SSN, 'gi'), '[masked]'))
  }

  headers(headers: Readonly<Record<string, unknown>>): HeaderList {
    return Object.entries(headers).map(([name, value]) => [
      COMMON_HEADERS.has(name) ? name : this.text(name),
      !COMMON_HEADERS.has(name) && (SECRET_HEADERS.has(name) || isSsnName(name))
        ? '[removed]'
        : this.text(Array.isArray(value) ? value.join(', ') : String(value)),
    ])
  }

  path(path: string): string {
    const at = path.indexOf('?')
    if (at < 0) return this.text(path)
    return `${this.text(path.slice(0, at))}?${this.#form(path.slice(at + 1))}`
  }

  body(text: string, type: string | undefined): string {
    if (text === '') return ''
    if (type?.toLowerCase().includes('x-www-form-urlencoded')) return this.#form(text)
    try {
      const parsed: unknown = JSON.parse(text)
      const plain = JSON.stringify(parsed)
      const clean = JSON.stringify(this.#value(parsed, false, 0))
      // A replay sends the caller's own bytes where it can: where nothing was changed and nothing can be hidden, as in
      // a field that is written twice, of which parsing keeps the last.
      return clean === plain && !LOOSE_SSN.test(text) && !text.includes('\\u') && this.text(text) === text
        ? text
        : clean
    } catch {
      return this.loose(text)
    }
  }

  #value(value: unknown, isSsn: boolean, depth: number): unknown {
    if (depth > DEEPEST) return '[too deep]'
    if (isSsn && (typeof value === 'number' || (typeof value === 'string' && value !== '')))
      return this.#seal.seal(String(value))
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((part) => this.#value(part, isSsn, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        this.text(name),
        SECRET_FIELDS.has(name) && part !== null ? '[removed]' : this.#value(part, isSsn || isSsnName(name), depth + 1),
      ]),
    )
  }

  /** Only written anew where something had to be changed. */
  #form(text: string): string {
    const pairs = [...new URLSearchParams(text)]
    // JSON that was sent as a form is one long name: nothing of it can be told apart.
    if (pairs.some(([name]) => /["{}]/.test(name) || LOOSE_SSN.test(name))) return this.loose(text)
    const clean = pairs.map(([name, value]): [string, string] => [
      this.text(name),
      SECRET_FIELDS.has(name)
        ? '[removed]'
        : isSsnName(name) && value !== ''
          ? this.#seal.seal(value)
          : this.text(value),
    ])
    const changed = pairs.some(([name, value], i) => name !== clean[i]![0] || value !== clean[i]![1])
    return changed ? new URLSearchParams(clean).toString() : this.text(text)
  }
}
