import type { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { type AnyMessage, formatMessage, isMessage, ownNames } from '../../contract/messages.ts'
import { SEALED, type Seal } from '../../store/seal.ts'
import { parseJsonBody as parsedJson } from '../json-pairs.ts'
import { isPersonal, type Kind, kindOf } from './fields.ts'
import { KnownValues, WORD_PATTERN } from './known-values.ts'
import { Pseudonyms } from './pseudonyms.ts'

/**
 * Replaces personal data by pseudonyms. A replay of the masked requests must give the masked responses, so a pseudonym depends
 * only on the text and the name of its field: the same in records, requests, queries and responses. Two passes over the same
 * data: first learn all of it, then mask all of it. Learning after that throws, because earlier results would be incomplete.
 */
export interface Mask {
  readonly learn: Learner
  /** Any JSON value, such as a record or a commit. */
  value<T>(value: T): T
  /** JSON or a form; other texts are masked by patterns. A body without personal data stays the same, byte by byte. */
  body(text: string, contentType: string | undefined, by?: Writer): string
  /** A path with its query. */
  path(path: string): string
  headers(headers: HeaderList): [string, string][]
  /** Free text: learned values, and everything that looks like a tax identifier, an e-mail address or a phone number. */
  text(text: string): string
  /** A complete entry of the request log. */
  exchange(exchange: ExchangeDetail): ExchangeDetail
}

/** Who wrote a body. A caller may use any field names and any texts. */
export type Writer = 'caller' | 'sandbox'

export interface Learner {
  value(value: unknown): void
  body(text: string, contentType: string | undefined, by?: Writer): void
  path(path: string): void
  exchange(exchange: ExchangeDetail): void
}

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface MaskOptions {
  /** Random, and discarded after the export, so that the mask cannot be reversed. */
  readonly key: Uint8Array
  /** The seal of the masked world. Values sealed with another seed cannot be opened; their sealed text is replaced. */
  readonly seal: Seal
  /** The simulated time of the bundle. Birthdays of people who turn 18 near it stay, because they decide outcomes. */
  readonly span?: readonly [from: string, to: string] | undefined
}

const MARGIN_YEARS = 2

export function createMask({ key, seal, span }: MaskOptions): Mask {
  const year = (text: string) => Number(text.slice(0, 4))
  const spanYears = span && ([year(span[0]) - MARGIN_YEARS, year(span[1]) + MARGIN_YEARS] as const)
  return new BundleMask(new Pseudonyms(key, spanYears), seal)
}

/** The object that contains a value. */
type Holder = Readonly<Record<string, unknown>>
interface Place {
  readonly name: string
  readonly kind: Kind
  readonly holder: Holder
}
type Leaf = (value: string | number, place: Place) => string | number

const NOWHERE: Place = { name: '', kind: 'free', holder: {} }
/** The same limit as in the request log. */
const MAX_DEPTH = 64

/** The names that the sandbox gives to unnamed counterparties, also cut to the 16 characters of ACH. */
const OWN_NAMES = [ownNames.counterparty, ownNames.counterparty.slice(0, 16)].map((name) => name.toLowerCase())
const OWN_PHRASES = new RegExp(`(${Object.values(ownNames).map(escapeRegExp).join('|')})`, 'i')

/** The state in the last line of an address is not masked, just as the field `state` is not. */
const STATE_IN_LINE = /(?<=^|[ ,])([a-z]{2})(?=,? \d)/gi

const PATTERNS = new RegExp(
  [
    `${SEALED}[\\w-]{22,}`,
    // The lookbehind allows a match only at the start of a word, so that long texts without an @ take linear time.
    String.raw`(?<![^\s@"'<>(),;:=&?/\\])[^\s@"'<>(),;:=&?/\\]+@[^\s@"'<>(),;:=&?/\\]+`,
    String.raw`\d{3}(?:-|%2D)\d{2}(?:-|%2D)\d{4}`,
    String.raw`(?<![\w-])\d{2}-\d{7}(?![\w-])`,
    String.raw`(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])`,
    String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
    String.raw`(?<![\w.-])\d{5,}(?![\w-]|\.\d)`,
  ].join('|'),
  'gi',
)

class BundleMask implements Mask {
  readonly #pseudonyms: Pseudonyms
  readonly #seal: Seal
  readonly #known = new KnownValues()
  /** The messages of all records by their text, because responses contain only the text. */
  readonly #messages = new Map<string, AnyMessage>()
  #isMasking = false
  #isWrittenBySandbox = false

  constructor(pseudonyms: Pseudonyms, seal: Seal) {
    this.#pseudonyms = pseudonyms
    this.#seal = seal
  }

  // ── First pass: learn ──────────────────────────────────────────────────────────────────────────────────────────

  readonly learn: Learner = {
    value: (value) =>
      this.#learn(() => void this.#withWriter('sandbox', () => this.#walk(value, NOWHERE, this.#learnLeaf))),
    body: (text, contentType, by) =>
      this.#learn(() => void this.#withWriter(by, () => this.#walkBody(text, contentType, this.#learnLeaf))),
    path: (path) => this.#learn(() => void this.#walkPath(path, this.#learnLeaf)),
    exchange: ({ path, request, response }) => {
      this.learn.path(path)
      this.learn.body(request.body, typeOf(request.headers))
      this.learn.body(response.body, typeOf(response.headers), 'sandbox')
    },
  }

  #learn(work: () => void) {
    if (this.#isMasking) throw new Error('Masking has begun: everything must be learned before')
    work()
  }

  #learnLeaf: Leaf = (value, { kind, name, holder }) => {
    const text = String(value)
    if (kind === 'account' && isSandboxAccount(holder)) this.#known.addGenerated(text)
    else if (isPersonal(kind) && text.trim() !== '')
      this.#known.add(kind, kind === 'ssn' ? this.#seal.open(text) : text)
    else if (name === 'virtual_reference_number') this.#known.addGenerated(text)
    return value
  }

  #withWriter<T>(writer: Writer | undefined, work: () => T): T {
    this.#isWrittenBySandbox = writer === 'sandbox'
    try {
      return work()
    } finally {
      this.#isWrittenBySandbox = false
    }
  }

  // ── Second pass: mask ──────────────────────────────────────────────────────────────────────────────────────────

  value<T>(value: T): T {
    this.#isMasking = true
    return this.#withWriter('sandbox', () => this.#walk(value, NOWHERE, this.#maskLeaf)) as T
  }

  body(text: string, contentType: string | undefined, by?: Writer): string {
    this.#isMasking = true
    return this.#withWriter(by, () => this.#walkBody(text, contentType, this.#maskLeaf))
  }

  path(path: string): string {
    this.#isMasking = true
    return this.#walkPath(path, this.#maskLeaf)
  }

  text(text: string): string {
    this.#isMasking = true
    return this.#maskText(text)
  }

  headers(headers: HeaderList): [string, string][] {
    this.#isMasking = true
    return headers.map(([name, value]) => [this.#maskPatterns(name), this.#maskHeader(name.toLowerCase(), value)])
  }

  exchange(exchange: ExchangeDetail): ExchangeDetail {
    const { path, caller, did, request, response, hinted, refusal, ...rest } = exchange
    const { trace_id, fault } = rest
    return {
      ...rest,
      trace_id: trace_id === null ? null : this.text(trace_id),
      ...(fault === undefined ? {} : { fault: this.#maskPatterns(fault) }),
      path: this.path(path),
      caller: this.#maskCaller(caller),
      did: this.#maskPatterns(did),
      request: { headers: this.headers(request.headers), body: this.body(request.body, typeOf(request.headers)) },
      response: {
        headers: this.headers(response.headers),
        body: this.body(response.body, typeOf(response.headers), 'sandbox'),
      },
      hinted: hinted.map(({ at, text }) => ({ at: this.#maskPatterns(at), text: this.#maskPatterns(text) })),
      refusal: refusal && {
        ...refusal,
        extra: refusal.extra === null ? null : this.#maskPatterns(refusal.extra),
        cause: refusal.cause === null ? null : this.#maskText(refusal.cause),
      },
    }
  }

  // ── Finding the fields: in JSON, forms, paths and headers ──────────────────────────────────────────────────────

  #walk(value: unknown, place: Place, leaf: Leaf, depth = 0): unknown {
    if (depth > MAX_DEPTH) return '[too deep]'
    if (typeof value === 'string' || typeof value === 'number') return leaf(value, place)
    if (Array.isArray(value)) return value.map((part) => this.#walk(part, place, leaf, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    const holder = value as Holder
    if (this.#isWrittenBySandbox && isImpersonal(holder)) return value
    if (leaf === this.#learnLeaf) this.#learnFullName(holder)
    if (leaf === this.#learnLeaf && isMessage(holder)) this.#messages.set(formatMessage(holder), holder)
    return Object.fromEntries(
      Object.entries(holder).map(([name, part]) => [
        leaf === this.#maskLeaf ? this.#maskPatterns(name) : name,
        this.#walk(part, placeOf(place, name, holder), leaf, depth + 1),
      ]),
    )
  }

  /** The sandbox joins first and last names. */
  #learnFullName({ first_name, last_name }: Holder) {
    const both = [first_name, last_name].filter((name) => typeof name === 'string' && name !== '')
    if (both.length === 2) this.#known.add('words', both.join(' '))
  }

  #walkBody(text: string, contentType: string | undefined, leaf: Leaf): string {
    if (text.trim() === '') return text
    if (contentType?.toLowerCase().includes('x-www-form-urlencoded')) return this.#walkForm(text, leaf)
    const parsed = parsedJson(text)
    if (parsed === undefined) return this.#walkNonJson(text, leaf)
    const plain = JSON.stringify(parsed)
    const masked = JSON.stringify(this.#walk(parsed, NOWHERE, leaf))
    // The original bytes, unless the parsed value lacks some of them, such as a repeated field.
    return masked === plain && withoutSpaces(plain).length === withoutSpaces(text).length ? text : masked
  }

  /** Finds `"name": "value"` pairs in a text that is not valid JSON; the rest is free text. */
  #walkNonJson(text: string, leaf: Leaf): string {
    const parts = text.split(/("[^"\\]{1,64}"\s*:\s*"(?:[^"\\]|\\.)*"?|"[^"\\]{1,64}"\s*:\s*\d+)/)
    return parts
      .map((part, i) => {
        if (i % 2 === 0) return leaf === this.#maskLeaf ? this.#maskText(part) : part
        const [, before = '', name = '', value = '', after = ''] =
          /^("([^"\\]+)"\s*:\s*"?)(.*?)("?)$/s.exec(part)?.slice(0) ?? []
        return `${before}${leaf(value, placeOf(NOWHERE, name, {}))}${after}`
      })
      .join('')
  }

  #walkPath(path: string, leaf: Leaf): string {
    const at = path.indexOf('?')
    const steps = (at < 0 ? path : path.slice(0, at)).split('/').map((step) => {
      if (ROUTE_WORDS.has(step) || leaf === this.#learnLeaf) return step
      const plain = decode(step)
      const masked = this.#maskText(plain)
      return masked === plain ? step : encodeURIComponent(masked)
    })
    return at < 0 ? steps.join('/') : `${steps.join('/')}?${this.#walkForm(path.slice(at + 1), leaf)}`
  }

  /** Pairs without personal data stay the same, byte by byte. */
  #walkForm(text: string, leaf: Leaf): string {
    return text
      .split('&')
      .map((pair) => {
        const [[name, value] = ['', '']] = [...new URLSearchParams(pair)]
        const steps = name.split(/[[\]]+/).filter((step) => step !== '' && !/^\d+$/.test(step))
        const place = steps.reduce<Place>((above, step) => placeOf(above, step, {}), NOWHERE)
        const clean = leaf === this.#maskLeaf ? this.#maskFormName(name) : name
        const masked = value === '' ? '' : String(leaf(value, place))
        return clean === name && masked === value ? pair : new URLSearchParams([[clean, masked]]).toString()
      })
      .join('&')
  }

  /** JSON that was sent as a form is parsed as one long name. */
  #maskFormName = (name: string) =>
    /["{}]/.test(name) ? this.#walkNonJson(name, this.#maskLeaf) : this.#maskPatterns(name)

  #maskHeader(name: string, value: string): string {
    if (/^(x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|via)$/.test(name))
      return this.#maskIps(value)
    if (/^(cookie|set-cookie|authorization|proxy-authorization)$/.test(name)) return '[removed]'
    if (name === 'user-agent') return this.#maskUserAgent(value)
    if (name === 'x-sandbank-hints')
      return value
        .split(', ')
        .map((hint) => encode(this.#maskPatterns(decode(hint))))
        .join(', ')
    if (/^(content-|accept|date$|connection$|host$|etag$|transfer-)/.test(name)) return this.#maskPatterns(value)
    return this.#maskText(value)
  }

  /** Keeps the names of products, and removes the details of the machine in parentheses. */
  #maskUserAgent = (text: string) => this.#maskText(text.replaceAll(/\([^)]*(?:\)|$)/g, '(removed)'))

  #maskCaller(caller: string): string {
    const [, address = '', agent = ''] = /^([^,]*)(.*)$/s.exec(caller) ?? []
    return (/^(::ffff:)?127\.|^::1$/.test(address) ? address : this.#maskIps(address)) + this.#maskUserAgent(agent)
  }

  #maskIps = (text: string) =>
    this.#maskText(
      text.replaceAll(/\d{1,3}(?:\.\d{1,3}){3}|(?<![\da-f])[\da-f]*(?::[\da-f]*){2,}(?:%\w+)?/gi, (ip) =>
        this.#pseudonyms.ip(ip),
      ),
    )

  // ── Masking one value ──────────────────────────────────────────────────────────────────────────────────────────

  #maskLeaf: Leaf = (value, place) => {
    if (typeof value === 'string') return value.trim() === '' ? value : this.#maskValue(value, place)
    if (!isPersonal(place.kind) || !Number.isFinite(value)) return value
    const number = Number(this.#maskValue(String(value), place))
    return Number.isNaN(number) ? value : number
  }

  #maskValue(text: string, place: Place): string {
    const { kind, name, holder } = place
    if (text === '[removed]' || text === '[masked]') return text
    // The request log seals every value whose field name suggests a tax identifier, so the field decides how to mask it.
    if (text.startsWith(SEALED) && isPersonal(kind))
      return this.#maskSealed(text, (opened) => this.#maskValue(opened, place))
    switch (kind) {
      case 'unchanged':
        return text
      case 'sandboxText':
        return this.#maskPatterns(text)
      case 'words':
        return this.#maskName(text)
      case 'lines':
        return this.#maskAddressLine(text)
      case 'email':
        return this.#pseudonyms.email(text)
      case 'phone':
        return this.#pseudonyms.phone(text)
      case 'dob':
        return this.#pseudonyms.dob(text)
      case 'account':
        return isSandboxAccount(holder) ? text : this.#maskAccount(text)
      case 'ssn':
        return this.#pseudonyms.ssn(text)
      case 'free':
        return this.#maskFree(text, name, holder)
    }
  }

  #maskFree(text: string, name: string, holder: Holder): string {
    switch (name) {
      case 'initiating_party_name':
        return text === holder.counterparty_name || text === holder.transmitter_name
          ? this.#maskName(text)
          : this.#maskText(text)
      case 'noc_corrected_data':
        return this.#maskCorrectedData(text, holder.noc_code)
      case 'corrected_data':
        return this.#maskCorrectedData(text, holder.code)
      case 'name':
        return (
          this.#maskSentence(text) ?? ('owner_customer_uid' in holder ? this.#maskName(text) : this.#maskText(text))
        )
      case 'description':
        // A sentence about a record that is not in the bundle: each word may be personal.
        return this.#maskSentence(text) ?? (this.#isWrittenBySandbox ? this.#maskName(text) : this.#maskText(text))
      case 'search_description':
        return this.#maskSearch(text) ?? this.#maskText(text, true)
      default:
        return this.#maskText(text)
    }
  }

  /** Masks the facts of the message with this text, and words it again. undefined if no record has such a message. */
  #maskSentence(text: string): string | undefined {
    const message = this.#messages.get(text)
    return message && formatMessage(this.#walk(message, NOWHERE, this.#maskLeaf) as AnyMessage)
  }

  /**
   * A search for a part of a sentence becomes the search for the same part of the masked sentence. That works because a
   * pseudonym is as long as what it replaces.
   */
  #maskSearch(search: string): string | undefined {
    const [, start = '', part = '', end = ''] = /^(\*?)(.*?)(\*?)$/s.exec(search.toLowerCase()) ?? []
    if (part === '') return undefined
    for (const text of this.#messages.keys()) {
      const lower = text.toLowerCase()
      const at = lower.length === text.length ? findPart(lower, part, start !== '', end !== '') : -1
      if (at < 0) continue
      const masked = this.#maskSentence(text)
      if (masked?.length === text.length) return start + masked.slice(at, at + part.length) + end
    }
    return undefined
  }

  #maskName(text: string): string {
    return isOwnName(text) ? text : this.#pseudonyms.words(text)
  }

  #maskAddressLine(text: string): string {
    const states = [...text.matchAll(STATE_IN_LINE)].map(({ index }) => index)
    const masked = this.#pseudonyms.words(text)
    const last = states.at(-1)
    return last === undefined ? masked : masked.slice(0, last) + text.slice(last, last + 2) + masked.slice(last + 2)
  }

  /** Generated numbers stay the same, and no pseudonym equals one. */
  #maskAccount(text: string): string {
    if (this.#known.isGenerated(text)) return text
    let pseudonym = this.#pseudonyms.account(text)
    while (this.#known.isGenerated(pseudonym)) pseudonym = this.#pseudonyms.account(pseudonym)
    return pseudonym
  }

  /** Corrected data has another layout for each NOC code. */
  #maskCorrectedData(text: string, code: unknown): string {
    const account = (from: number, to?: number) => {
      const part = text.slice(from, to)
      const digits = part.trim()
      return digits === '' ? part : this.#maskAccount(digits) + part.slice(digits.length)
    }
    if (code === 'C01') return account(0)
    if (code === 'C03') return text.slice(0, 12) + account(12)
    if (code === 'C04') return this.#maskName(text)
    if (code === 'C06') return account(0, 17) + text.slice(17)
    if (code === 'C07') return text.slice(0, 9) + account(9, 26) + text.slice(26)
    return this.#maskText(text)
  }

  #maskSealed(text: string, inside: (opened: string) => string): string {
    const opened = this.#seal.open(text)
    return opened === text
      ? SEALED + this.#pseudonyms.opaque(text.slice(SEALED.length))
      : this.#seal.seal(inside(opened))
  }

  #maskText(text: string, isSearch = false): string {
    if (this.#known.isCompleteValue(text) && !OWN_PHRASES.test(text)) return this.#pseudonyms.words(text)
    return text
      .split(OWN_PHRASES)
      .map((part, i) => (i % 2 === 1 ? part : this.#maskPatterns(part, (rest) => this.#maskWords(rest, isSearch))))
      .join('')
  }

  /** Masks what looks personal, and applies `rest` to the text in between. */
  #maskPatterns(text: string, rest: (text: string) => string = (same) => same): string {
    let done = 0
    let masked = ''
    for (const found of text.matchAll(PATTERNS)) {
      masked += rest(text.slice(done, found.index)) + this.#maskPattern(found[0])
      done = found.index + found[0].length
    }
    return done === 0 ? rest(text) : masked + rest(text.slice(done))
  }

  #maskPattern(text: string): string {
    if (text.startsWith(SEALED)) return this.#maskSealed(text, (opened) => this.#pseudonyms.ssn(opened))
    if (text.includes('@')) return this.#pseudonyms.email(text)
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return this.#known.isDate(text) ? this.#pseudonyms.dob(text) : text
    if (/%2D/i.test(text)) return this.#pseudonyms.ssn(text.replaceAll(/%2D/gi, '-'))
    if (/^\d{3}-\d{2}-\d{4}$|^\d{2}-\d{7}$/.test(text)) return this.#pseudonyms.ssn(text)
    if (!/^\d+$/.test(text)) return this.#pseudonyms.phone(text)
    return text.length === 10 && !this.#known.isGenerated(text) ? this.#pseudonyms.phone(text) : this.#maskNumber(text)
  }

  #maskNumber(digits: string): string {
    const kind = this.#known.kindOfNumber(digits)
    if (kind === 'account') return this.#maskAccount(digits)
    return kind === undefined ? digits : this.#pseudonyms[kind](digits)
  }

  #maskWords(text: string, isSearch: boolean): string {
    const last = isSearch ? text.match(WORD_PATTERN)?.at(-1) : undefined
    return text.replaceAll(WORD_PATTERN, (word) => {
      if (/^\d+$/.test(word)) return this.#maskNumber(word)
      const isKnown = this.#known.isWord(word) || (word === last && this.#known.isBeginningOfWord(word))
      return isKnown ? this.#pseudonyms.words(word) : word
    })
  }
}

/** The position of the part that a search with these wildcards finds; -1 if it finds none. */
function findPart(text: string, part: string, isOpenStart: boolean, isOpenEnd: boolean): number {
  if (isOpenStart && isOpenEnd) return text.indexOf(part)
  if (isOpenStart) return text.endsWith(part) ? text.length - part.length : -1
  if (isOpenEnd) return text.startsWith(part) ? 0 : -1
  return text === part ? 0 : -1
}

/** A field within a personal field is personal. */
function placeOf(place: Place, name: string, holder: Holder): Place {
  const kind = isPersonal(place.kind) ? place.kind : kindOf(name)
  const isTransmitter = name === 'name' && /transmitter$/.test(place.name)
  return { name, kind: isTransmitter ? 'words' : kind, holder }
}

/** True for the settings of a Program and for causes of commits: they have no personal data. */
function isImpersonal(holder: Holder): boolean {
  return (
    'hmac_key' in holder ||
    'profile_requirements' in holder ||
    ('door' in holder && 'name' in holder) ||
    ('synthetic_account_category' in holder && 'description' in holder)
  )
}

/** True for accounts whose number the sandbox generates; the numbers of external accounts come from callers. */
function isSandboxAccount(holder: Holder): boolean {
  return (
    holder.synthetic_account_category === 'general' ||
    'account_number_masked' in holder ||
    ('company_ids' in holder && 'primary_account' in holder)
  )
}

const ROUTE_WORDS = new Set(
  Object.values(endpoints)
    .flatMap(({ path }) => path.split('/'))
    .filter((step) => !step.includes('{')),
)

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')
const isOwnName = (text: string) => OWN_NAMES.includes(text.trim().toLowerCase())
const typeOf = (headers: HeaderList) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
