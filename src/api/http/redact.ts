import type { Seal } from '../store/seal.ts'

/**
 * Removes secrets from what is logged. Tokens and keys are removed wherever they are; Social Security numbers are sealed,
 * so that a replay can send them again; a body that cannot be parsed is masked by pattern.
 */

const SECRET_HEADERS = new Set(['authorization', 'x-control-key', 'cookie', 'set-cookie', 'proxy-authorization'])
/** Names that need no check. */
const COMMON_HEADERS = new Set([
  ...['host', 'connection', 'content-type', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'x-trace-id'],
])
const JWS = /(?:auth-)?eyJ[\w-]+\.[\w-]*\.[\w-]*/g
const SSN = /\d{3}(?:-|%2D)\d{2}(?:-|%2D)\d{4}/gi
/** Any tax identifier, with or without hyphens. */
const LOOSE_SSN = /\d{3}(?:-|%2D)?\d{2}(?:-|%2D)?\d{4}|\d{2}(?:-|%2D)\d{7}/i
const SECRET_FIELDS = new Set(['external_processor_token'])
/** Recognizes other names of the field, and common typos. */
export const isSsnName = (name: string) => {
  // `business_name` contains `ssn`.
  const rest = name.replaceAll(/business/gi, '')
  return /s[_-]?s[_-]?n|snn|ssm|social_?-?security|tax_?-?id|^[te]in$/i.test(rest) && !/last_four/i.test(name)
}
const MAX_DEPTH = 64
/** A shorter key would be part of ordinary words. */
const MIN_KEY_LENGTH = 6

export type HeaderList = [string, string][]

/** A cheap test before the regular expression: looks at hyphens only. Most of them belong to dates. */
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
  readonly #currentSeal: () => Seal
  readonly #keys: () => readonly string[]

  /** The seal and the keys of the present world. */
  constructor(seal: () => Seal, keys: () => readonly string[]) {
    this.#currentSeal = seal
    this.#keys = keys
  }

  get #seal(): Seal {
    return this.#currentSeal()
  }

  redactText(text: string): string {
    let clean = text.includes('eyJ') ? text.replace(JWS, '[token removed]') : text
    for (const key of this.#keys())
      if (key.length >= MIN_KEY_LENGTH && clean.includes(key)) clean = clean.replaceAll(key, '[key removed]')
    if (!mayHoldSsn(clean)) return clean
    return clean.replace(SSN, (number) => this.#seal.seal(number.replaceAll(/%2D/gi, '-')))
  }

  /** Masks by pattern, for text that cannot be parsed. */
  maskText(text: string): string {
    return this.redactText(text.replaceAll(new RegExp(LOOSE_SSN, 'gi'), '[masked]'))
  }

  redactHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
    return Object.entries(headers).map(([name, value]) => [
      COMMON_HEADERS.has(name) ? name : this.redactText(name),
      !COMMON_HEADERS.has(name) && (SECRET_HEADERS.has(name) || isSsnName(name))
        ? '[removed]'
        : this.redactText(Array.isArray(value) ? value.join(', ') : String(value)),
    ])
  }

  redactPath(path: string): string {
    const at = path.indexOf('?')
    if (at < 0) return this.redactText(path)
    return `${this.redactText(path.slice(0, at))}?${this.#redactForm(path.slice(at + 1))}`
  }

  redactBody(text: string, type: string | undefined): string {
    if (text === '') return ''
    if (type?.toLowerCase().includes('x-www-form-urlencoded')) return this.#redactForm(text)
    try {
      const parsed: unknown = JSON.parse(text)
      const unchanged = JSON.stringify(parsed)
      const clean = JSON.stringify(this.#redactValue(parsed, false, 0))
      // Keep the client's own text for replays, unless parsing may hide something: of a field that is there twice, JSON.parse
      // keeps the last.
      return clean === unchanged && !LOOSE_SSN.test(text) && !text.includes('\\u') && this.redactText(text) === text
        ? text
        : clean
    } catch {
      return this.maskText(text)
    }
  }

  #redactValue(value: unknown, isSsn: boolean, depth: number): unknown {
    if (depth > MAX_DEPTH) return '[too deep]'
    if (isSsn && (typeof value === 'number' || (typeof value === 'string' && value !== '')))
      return this.#seal.seal(String(value))
    if (typeof value === 'string') return this.redactText(value)
    if (Array.isArray(value)) return value.map((part) => this.#redactValue(part, isSsn, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        this.redactText(name),
        SECRET_FIELDS.has(name) && part !== null
          ? '[removed]'
          : this.#redactValue(part, isSsn || isSsnName(name), depth + 1),
      ]),
    )
  }

  /** Keeps the original text if nothing needs to be removed. */
  #redactForm(text: string): string {
    const pairs = [...new URLSearchParams(text)]
    // JSON that was sent as a form is one long name, which cannot be parsed.
    if (pairs.some(([name]) => /["{}]/.test(name) || LOOSE_SSN.test(name))) return this.maskText(text)
    const clean = pairs.map(([name, value]): [string, string] => [
      this.redactText(name),
      SECRET_FIELDS.has(name)
        ? '[removed]'
        : isSsnName(name) && value !== ''
          ? this.#seal.seal(value)
          : this.redactText(value),
    ])
    const changed = pairs.some(([name, value], i) => name !== clean[i]![0] || value !== clean[i]![1])
    return changed ? new URLSearchParams(clean).toString() : this.redactText(text)
  }
}
