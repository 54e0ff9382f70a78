import type { Seal } from '../store/seal.ts'
import { findExcess } from './json-size.ts'
import { KeyFinder } from './live-keys.ts'
import { decodeEscapes, decodePercents, occursMoreThan, parsePair } from './percent.ts'
import { isSecretHeader, isSsnName, secrecyOf } from './secret-fields.ts'
import {
  hasNumber,
  hideBase64Numbers,
  hideEncodedTokens,
  hideNumbers,
  hideSeparatedNumbers,
  maskNumbers,
  removeTokens,
  withoutNuls,
} from './secret-text.ts'
import { BUDGET, createBudget, describeUnlogged } from './text-budget.ts'

/**
 * Removes secrets from what is logged. Tokens and keys are removed wherever they are; Social Security numbers are sealed,
 * so that a replay can send them again; a body that cannot be parsed is masked by pattern.
 */

/** Names that need no check. */
const COMMON_HEADERS = new Set([
  ...['host', 'connection', 'content-type', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'x-trace-id'],
])
/** Headers of the protocol, whose numbers are lengths and times. */
const PROTOCOL_HEADERS = new Set(['host', 'connection', 'content-length', 'accept', 'accept-encoding', 'date', 'etag'])
const MAX_DEPTH = 64
/** The shortest key. */
const MIN_SECRET = 6
/** How often text is decoded again: an encoded text in an encoded text. */
const MAX_DECODINGS = 3
/** JSON within JSON counts as so many levels, so that it ends at MAX_DEPTH. */
const DECODED_DEPTH = 16
type HeaderList = [string, string][]

const MAX_CLEAN = 2_000
const MAX_CLEAN_LENGTH = 300

/** What is known of one list of keys. */
interface Known {
  readonly keys: readonly string[]
  readonly finder: KeyFinder
  /** Texts and paths without secrets: most headers and paths repeat. */
  readonly texts: Set<string>
  readonly paths: Set<string>
}

class TooManyParts extends Error {}

export class Redaction {
  readonly #currentSeal: () => Seal
  readonly #keys: () => readonly string[]
  #budget = createBudget()
  #lastKnown: Known | undefined

  /** The seal and the keys of the present world. */
  constructor(seal: () => Seal, keys: () => readonly string[]) {
    this.#currentSeal = seal
    this.#keys = keys
  }

  /** Another list after every change of them, and for another world. */
  get keys(): readonly string[] {
    return this.#keys()
  }

  /** For texts of declared fields and of the sandbox, in which nine plain digits are no Social Security number. */
  redactText(text: string): string {
    return this.#withLimits(text, () => this.#redactDeclared(text))
  }

  /** For texts of a caller in places that the contract does not declare. */
  redactUnknownText(text: string): string {
    return this.#unlessClean('texts', text, () => this.#withLimits(text, () => this.#redactUnknown(text, 0)))
  }

  /** For all that leaves, whatever it is: the keys, and tokens and numbers in base64. It has no limit, and what it leaves of JSON is JSON. */
  removeSecrets(text: string): string {
    this.#budget = createBudget()
    return this.#removeEncoded(removeTokens(text))
  }

  get #known(): Known {
    const keys = this.#keys()
    if (this.#lastKnown?.keys === keys) return this.#lastKnown
    return (this.#lastKnown = { keys, finder: new KeyFinder(keys), texts: new Set(), paths: new Set() })
  }

  #unlessClean(kind: 'texts' | 'paths', text: string, redact: () => string): string {
    if (text.length > MAX_CLEAN_LENGTH) return redact()
    const { texts, paths, [kind]: clean } = this.#known
    if (clean.has(text)) return text
    const redacted = redact()
    if (texts.size + paths.size >= MAX_CLEAN) {
      texts.clear()
      paths.clear()
    }
    if (redacted === text) clean.add(text)
    return redacted
  }

  /** Masks by pattern, for text that cannot be parsed. */
  maskText(text: string): string {
    return this.#withLimits(text, () => this.#maskDecoded(text))
  }

  #maskDecoded(text: string): string {
    const plain = decodeAll(withoutNuls(text))
    const clean = this.#maskPlain(plain)
    return clean === plain && plain !== text ? this.#maskPlain(text) : clean
  }

  redactHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
    return Object.entries(headers).map(([name, value]) => [
      COMMON_HEADERS.has(name) ? name : this.redactUnknownText(name),
      this.#redactHeader(name, Array.isArray(value) ? value.join(', ') : String(value)),
    ])
  }

  redactPath(path: string): string {
    return this.#unlessClean('paths', path, () => this.#redactPathSteps(path))
  }

  #redactPathSteps(path: string): string {
    const at = path.indexOf('?')
    const steps = (at < 0 ? path : path.slice(0, at)).split('/').map((step) => this.redactUnknownText(step))
    if (at < 0) return steps.join('/')
    const query = path.slice(at + 1)
    return `${steps.join('/')}?${this.#withLimits(query, () => this.#redactForm(query))}`
  }

  redactBody(text: string, type: string | undefined): string {
    if (text === '') return ''
    if (type?.toLowerCase().includes('x-www-form-urlencoded'))
      return this.#withLimits(text, () => this.#redactForm(text))
    // Not masked by pattern: that would show what only the name of its field tells to be a secret.
    const describe = () => JSON.stringify(describeUnlogged(text))
    if (hasTooManyValues(text)) return describe()
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return this.maskText(text)
    }
    return this.#withLimits(text, () => this.#redactParsed(text, parsed), describe)
  }

  #redactParsed(text: string, parsed: unknown): string {
    const value = this.#redactValue(parsed, '', false, 0)
    const clean = JSON.stringify(value)
    if (value !== parsed || text === clean) return clean
    // Keep the client's own text for replays, unless parsing may hide something: of a field that is there twice, JSON.parse
    // keeps the last.
    return !text.includes('\\u') && this.#maskPlain(text) === text ? text : clean
  }

  /** The limits count for one text. */
  #withLimits(text: string, redact: () => string, describe = () => describeUnlogged(text)): string {
    this.#budget = createBudget()
    try {
      return redact()
    } catch (error) {
      return error instanceof TooManyParts ? describe() : this.#maskDecoded(text)
    }
  }

  get #seal(): Seal {
    return this.#currentSeal()
  }

  #hide = (number: string): string =>
    --this.#budget.seals < 0 ? '[masked]' : this.#seal.seal(number.replaceAll(/%2D|\\u002d/gi, '-'))

  #removeTokens = (text: string): string => (text.includes('eyJ') ? removeTokens(text, this.#countToken) : text)

  #countToken = () => {
    if (--this.#budget.tokens < 0) throw new TooManyParts()
  }

  /** Keys in any form, and tokens and numbers in base64. */
  #removeEncoded(text: string): string {
    const keys = this.#known.finder.remove(text)
    return hideBase64Numbers(hideEncodedTokens(keys, this.#budget), this.#budget)
  }

  #redactDeclared(text: string): string {
    if (text.length < MIN_SECRET) return text
    return hideSeparatedNumbers(this.#removeEncoded(this.#removeTokens(text)), this.#hide)
  }

  #redactUnknown(text: string, decodings: number): string {
    if (text.length < MIN_SECRET) return text
    const clean = hideNumbers(this.#removeEncoded(this.#removeTokens(text)), this.#hide)
    if (decodings >= MAX_DECODINGS) return clean
    // Not the text without secrets, which may begin with "[token removed]".
    if (/^\s{0,99}[[{]/.test(text)) return this.#redactJson(clean, decodings + 1)
    const decoded = decodeAll(clean)
    if (decoded === clean) return clean
    const redacted = this.#redactUnknown(decoded, decodings + 1)
    return redacted === decoded ? clean : encodeURIComponent(redacted.toWellFormed())
  }

  /** JSON in a text. */
  #redactJson(text: string, depth: number): string {
    if (hasTooManyValues(text)) throw new TooManyParts()
    try {
      const parsed: unknown = JSON.parse(text)
      const value = this.#redactValue(parsed, '', false, depth * DECODED_DEPTH)
      return value === parsed ? text : JSON.stringify(value)
    } catch (error) {
      if (error instanceof TooManyParts) throw error
      return this.#maskDecoded(text)
    }
  }

  #maskPlain(text: string): string {
    return maskNumbers(this.#removeEncoded(this.#removeTokens(text)))
  }

  #redactHeader(name: string, value: string): string {
    if (PROTOCOL_HEADERS.has(name)) return this.redactText(value)
    if (!COMMON_HEADERS.has(name) && (isSecretHeader(name) || isSsnName(name))) return '[removed]'
    return this.redactUnknownText(value)
  }

  /** Returns the same value if nothing needs to be removed. */
  #redactValue(value: unknown, name: string, isSsn: boolean, depth: number): unknown {
    if (depth > MAX_DEPTH) return '[too deep]'
    if (--this.#budget.values < 0) throw new TooManyParts()
    if (isSsn && (typeof value === 'number' || (typeof value === 'string' && value !== '')))
      return this.#hide(String(value))
    if (typeof value === 'string') return this.#redactField(name, value)
    if (typeof value === 'number') {
      const clean = this.#redactField(name, String(value))
      return clean === String(value) ? value : clean
    }
    if (Array.isArray(value)) {
      const parts = value.map((part) => this.#redactValue(part, name, isSsn, depth + 1))
      return parts.some((part, i) => part !== value[i]) ? parts : value
    }
    return typeof value === 'object' && value !== null ? this.#redactFields(value, isSsn, depth) : value
  }

  #redactFields(fields: object, isSsn: boolean, depth: number): object {
    let hasChanged = false
    const redacted = Object.entries(fields).map(([name, value]): [string, unknown] => {
      const secrecy = secrecyOf(name)
      const cleanName = secrecy === 'declared' ? name : this.#redactUnknown(name, 0)
      const clean =
        secrecy === 'removed' && value !== null
          ? this.#removeValue(value)
          : this.#redactValue(value, name, isSsn || secrecy === 'ssn', depth + 1)
      hasChanged ||= cleanName !== name || clean !== value
      return [cleanName, clean]
    })
    return hasChanged ? Object.fromEntries(redacted) : fields
  }

  #removeValue(value: unknown): string {
    const clean = typeof value === 'string' ? this.#redactUnknown(value, 0) : ''
    return clean === '[token removed]' || clean === '[key removed]' ? clean : '[removed]'
  }

  #redactField = (name: string, text: string) =>
    secrecyOf(name) === 'declared' || isRoutingNumber(name, text)
      ? this.#redactDeclared(text)
      : this.#redactUnknown(text, 0)

  /** Keeps the original text if nothing needs to be removed. */
  #redactForm(text: string): string {
    if (occursMoreThan(text, '&', BUDGET.values - 1)) throw new TooManyParts()
    const pairs = text.split('&').map(parsePair)
    // JSON that was sent as a form is one long name, which cannot be parsed.
    if (pairs.some(([name]) => /["{}]/.test(name) || hasNumber(name))) return this.#maskDecoded(text)
    let hasChanged = false
    const clean = pairs.map(([name, value, pair]) => {
      const [cleanName, cleanValue] = this.#redactPair(name, value)
      if (name === cleanName && value === cleanValue) return pair
      hasChanged = true
      return `${encodePart(cleanName)}=${encodePart(cleanValue)}`
    })
    return hasChanged ? clean.join('&') : this.#redactDeclared(text)
  }

  #redactPair(name: string, value: string): readonly [name: string, value: string] {
    const field = lastStep(name)
    const secrecy = isSsnName(name) ? 'ssn' : secrecyOf(field)
    if (secrecy === 'ssn' && value !== '') return [this.#redactUnknown(name, 0), this.#hide(value)]
    return [this.#redactUnknown(name, 0), secrecy === 'removed' ? '[removed]' : this.#redactField(field, value)]
  }
}

/** For reports, which are passed on: what the request log seals they cannot open. */
export const createReportRedaction = (keys: () => readonly string[] = () => NO_KEYS): Redaction =>
  new Redaction(() => ({ seal: () => '[masked]', open: (text) => text }), keys)
const NO_KEYS: readonly string[] = []

/** `details[address][city]` is the field `city`, and `names[0]` the field `names`. Reads no more than it needs. */
function lastStep(name: string): string {
  for (let end = name.length; end > 0; ) {
    let begin = end
    while (begin > 0 && name[begin - 1] !== '[' && name[begin - 1] !== ']') begin--
    const step = name.slice(begin, end)
    if (step !== '' && !/^\d+$/.test(step)) return step
    end = begin - 1
  }
  return ''
}

const encodePart = (part: string) => encodeURIComponent(part.toWellFormed()).replaceAll('%20', '+')

/** Each element counts, and each field. */
const hasTooManyValues = (text: string) =>
  findExcess(text, { keys: BUDGET.values, levels: Number.POSITIVE_INFINITY }) !== undefined

/** Nine digits with a valid check digit, in a field whose name is close to `routing_number`. */
function isRoutingNumber(name: string, text: string): boolean {
  if (!/^\d{9}$/.test(text) || !/routing|aba|rtn/i.test(name)) return false
  const weights = [3, 7, 1]
  return [...text].reduce((sum, digit, i) => sum + Number(digit) * weights[i % 3]!, 0) % 10 === 0
}

const decodeAll = (text: string): string => decodePercents(decodeEscapes(text))
