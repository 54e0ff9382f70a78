import { withCheckDigit } from '../domain/rules/network-ids.ts'
import type { Seal } from '../store/seal.ts'
import { findExcess } from './json-size.ts'
import { createKeyRemover, MIN_KEY_LENGTH } from './live-keys.ts'
import { decodePercents, occursMoreThan, parsePair } from './percent.ts'
import { isSecretHeader, isSsnName, secrecyOf } from './secret-fields.ts'
import { hasNumber, hideNumbers, hideSeparatedNumbers, maskNumbers, removeTokens, toPlainText } from './secret-text.ts'
import { describeUnlogged, MAX_SEALS, MAX_VALUES } from './text-budget.ts'

/**
 * Removes secrets from what is logged. The name of a field says whether its value is one (`secret-fields.ts`). Tokens and keys are
 * removed wherever they are; Social Security numbers are sealed, so that a replay can send them again. All else stays as it was sent: a
 * request with a wrong name can be sent again. In a body that cannot be parsed numbers are masked.
 */

/** Names that need no check. */
const COMMON_HEADERS = new Set([
  ...['host', 'connection', 'content-type', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'x-trace-id'],
])
const MAX_DEPTH = 64
/** JSON in a text counts as so many levels. */
const DEPTH_OF_TEXT = 16
type HeaderList = [string, string][]

const MAX_CLEAN = 1_000
const MAX_CLEAN_LENGTH = 300

/** What is known of one list of keys. */
interface Known {
  readonly keys: readonly string[]
  readonly remove: (text: string) => string
  /** Texts and paths without secrets: most headers and paths repeat. */
  readonly texts: Set<string>
  readonly paths: Set<string>
}

export class Redaction {
  readonly #currentSeal: () => Seal
  readonly #keys: () => readonly string[]
  /** How many more numbers of the present text are sealed, and how many more of its values are read. */
  #seals = MAX_SEALS
  #values = MAX_VALUES
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
    this.#begin()
    return this.#redactDeclared(text)
  }

  /** For texts of a caller in places that the contract does not declare. */
  redactUnknownText(text: string): string {
    const { texts } = this.#known
    return texts.has(text) ? text : rememberClean(texts, text, this.redactTraceId(text))
  }

  /** Another one for each request: not remembered. */
  redactTraceId(text: string): string {
    this.#begin()
    return this.#redactUnknown(text)
  }

  #begin() {
    this.#seals = MAX_SEALS
    this.#values = MAX_VALUES
  }

  /** The keys and tokens, in whatever leaves the sandbox. What it leaves of JSON is JSON. */
  removeSecrets(text: string): string {
    return this.#known.remove(removeTokens(text))
  }

  /** For text that cannot be parsed: without its escapes if something is found in it, else as it is. */
  maskText(text: string): string {
    const clean = this.removeSecrets(text)
    const plain = toPlainText(clean)
    const masked = maskNumbers(this.removeSecrets(plain))
    return masked === plain && plain !== clean ? maskNumbers(clean) : masked
  }

  get #known(): Known {
    const keys = this.#keys()
    if (this.#lastKnown?.keys === keys) return this.#lastKnown
    return (this.#lastKnown = { keys, remove: createKeyRemover(keys), texts: new Set(), paths: new Set() })
  }

  /** `trace`: the trace id without secrets. */
  redactHeaders(headers: Readonly<Record<string, unknown>>, trace?: string): HeaderList {
    return Object.entries(headers).map(([name, value]) => {
      if (trace !== undefined && name === 'x-trace-id') return [name, trace]
      const isCommon = COMMON_HEADERS.has(name)
      const isSecret = !isCommon && (isSecretHeader(name) || isSsnName(name))
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      return [isCommon ? name : this.redactUnknownText(name), isSecret ? '[removed]' : this.redactUnknownText(text)]
    })
  }

  redactPath(path: string): string {
    const { paths } = this.#known
    if (paths.has(path)) return path
    this.#begin()
    return rememberClean(paths, path, this.#redactPathSteps(path))
  }

  #redactPathSteps(path: string): string {
    const at = path.indexOf('?')
    const steps = (at < 0 ? path : path.slice(0, at)).split('/').map((step) => this.#redactPathStep(step))
    if (at < 0) return steps.join('/')
    return `${steps.join('/')}?${this.#redactForm(path.slice(at + 1))}`
  }

  #redactPathStep(step: string): string {
    const plain = decodePercents(step)
    const clean = this.#redactUnknown(plain)
    return clean === plain ? step : encodeURIComponent(clean.toWellFormed())
  }

  redactBody(text: string, type: string | undefined): string {
    this.#begin()
    if (text === '') return ''
    if (type?.toLowerCase().includes('x-www-form-urlencoded')) return this.#redactForm(text)
    return this.#redactJson(text, 0) ?? this.maskText(text)
  }

  /** undefined if it cannot be parsed. */
  #redactJson(text: string, depth: number): string | undefined {
    // Not masked by pattern: that would show what only the name of its field tells to be a secret.
    if (findExcess(text, { keys: this.#values, levels: Number.POSITIVE_INFINITY }))
      return JSON.stringify(describeUnlogged(text))
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return undefined
    }
    const value = this.#redactValue(parsed, '', false, depth)
    const clean = JSON.stringify(value)
    if (value !== parsed || text === clean) return clean
    // Keep the client's own text for replays, unless parsing may hide something: of a field that is there twice, JSON.parse
    // keeps the last.
    return !text.includes('\\u') && this.maskText(text) === text ? text : clean
  }

  #hide = (number: string): string =>
    --this.#seals < 0 ? '[masked]' : this.#currentSeal().seal(number.replaceAll(/%2D|\\u002d/gi, '-'))

  #redactDeclared(text: string): string {
    return text.length < MIN_KEY_LENGTH ? text : hideSeparatedNumbers(this.removeSecrets(text), this.#hide)
  }

  #redactUnknown(text: string, depth = 0): string {
    if (text.length < MIN_KEY_LENGTH) return text
    const json = /^\s*["[{]/.test(text) ? this.#redactJson(text, depth + DEPTH_OF_TEXT) : undefined
    return json ?? hideNumbers(this.removeSecrets(text), this.#hide)
  }

  /** Returns the same value if nothing needs to be removed. */
  #redactValue(value: unknown, name: string, isSsn: boolean, depth: number): unknown {
    if (depth > MAX_DEPTH) return '[too deep]'
    this.#values--
    if (isSsn && (typeof value === 'number' || (typeof value === 'string' && value !== '')))
      return this.#hide(String(value))
    if (typeof value === 'string') return this.#redactField(name, value, depth)
    if (typeof value === 'number') {
      const clean = this.#redactField(name, String(value), depth)
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
      const cleanName = secrecy === 'declared' ? name : this.#redactUnknown(name, depth)
      const clean =
        secrecy === 'removed' && value !== null
          ? '[removed]'
          : this.#redactValue(value, name, isSsn || secrecy === 'ssn', depth + 1)
      hasChanged ||= cleanName !== name || clean !== value
      return [cleanName, clean]
    })
    return hasChanged ? Object.fromEntries(redacted) : fields
  }

  #redactField = (name: string, text: string, depth = 0) =>
    secrecyOf(name) === 'declared' || isRoutingNumber(name, text)
      ? this.#redactDeclared(text)
      : this.#redactUnknown(text, depth)

  /** Keeps the original text if nothing needs to be removed. */
  #redactForm(text: string): string {
    if (occursMoreThan(text, '&', MAX_VALUES - 1)) return describeUnlogged(text)
    const pairs = text.split('&').map(parsePair)
    // JSON that was sent as a form is one long name, which cannot be parsed.
    if (pairs.some(([name]) => /["{}]/.test(name) || hasNumber(name))) {
      const plain = decodePercents(text)
      const clean = this.#redactJson(plain, 0) ?? this.maskText(plain)
      return clean === plain ? text : clean
    }
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
    if (secrecy === 'ssn' && value !== '') return [this.#redactUnknown(name), this.#hide(value)]
    return [this.#redactUnknown(name), secrecy === 'removed' ? '[removed]' : this.#redactField(field, value)]
  }
}

function rememberClean(clean: Set<string>, text: string, redacted: string): string {
  if (redacted !== text || text.length > MAX_CLEAN_LENGTH) return redacted
  if (clean.size >= MAX_CLEAN) clean.clear()
  clean.add(text)
  return redacted
}

/** For reports, which are passed on: what the request log seals they cannot open. */
export const createReportRedaction = (keys: () => readonly string[] = () => NO_KEYS): Redaction =>
  new Redaction(() => ({ seal: () => '[masked]', open: (text) => text }), keys)
const NO_KEYS: readonly string[] = []

/** `details[address][city]` is the field `city`, and `names[0]` the field `names`. Of a long name the end says enough. */
const lastStep = (name: string): string =>
  name
    .slice(-MAX_NAME)
    .split(/[[\]]/)
    .findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? ''
const MAX_NAME = 300

const encodePart = (part: string) => encodeURIComponent(part.toWellFormed()).replaceAll('%20', '+')

/** Nine digits with a valid check digit, in a field whose name is close to `routing_number`. */
function isRoutingNumber(name: string, text: string): boolean {
  if (!/^\d{9}$/.test(text) || !/routing|aba|rtn/i.test(name)) return false
  return withCheckDigit(text.slice(0, -1)) === text
}
