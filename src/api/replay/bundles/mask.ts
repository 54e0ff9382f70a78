import type { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { type AnyMessage, formatMessage, isMessage, ownNames } from '../../contract/messages.ts'
import { SEALED, type Seal } from '../../store/seal.ts'
import { parseJsonBody as parsedJson } from '../json-pairs.ts'
import { isPersonal, type Kind, kindOf } from './fields.ts'
import { Known, WORDS } from './known.ts'
import { Pseudonyms } from './pseudonyms.ts'

/**
 * The mask of a bundle: whoever reads it meets nobody, and whoever replays it meets the same answers. So it is one
 * function of the text and the name of its field, wherever they stand: in a record, a request, a query or an answer.
 * What the sandbox makes of somebody's data, such as the name of a Pool, comes to what it makes of the stand-ins.
 *
 * It is used in two passes over the same things: first `learn` sees everything, then everything is masked. What is
 * learned later would be masked otherwise than before, so it is refused.
 */
export interface Mask {
  readonly learn: Learning
  /** Any JSON: a record, a commit, what an operator asked, a body that is parsed already. */
  value<T>(value: T): T
  /** JSON or a form; what cannot be parsed is masked by pattern. Bytes that need no change stay as they were. */
  body(text: string, contentType: string | undefined, by?: Writer): string
  /** With its query. */
  path(path: string): string
  headers(headers: HeaderList): [string, string][]
  /** Free text: what is known to be somebody's, and whatever looks like a tax identifier, an e-mail or a phone. */
  text(text: string): string
  /** An entry of the request log, whole. */
  exchange(exchange: ExchangeDetail): ExchangeDetail
}

/** Whose words a body is: a caller may write anything, and call it anything. */
export type Writer = 'caller' | 'sandbox'

export interface Learning {
  value(value: unknown): void
  body(text: string, contentType: string | undefined, by?: Writer): void
  path(path: string): void
  exchange(exchange: ExchangeDetail): void
}

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface MaskOptions {
  /** Drawn for one export and thrown away with it: nobody can undo the mask. */
  readonly key: Uint8Array
  /** Of the world that is masked. What another seed has sealed is not opened, and replaced as it is. */
  readonly seal: Seal
  /** The simulated time from the first to the last thing masked: who comes of age near it keeps the day of birth. */
  readonly span?: readonly [from: string, to: string] | undefined
}

const NEAR_YEARS = 2

export function maskOf({ key, seal, span }: MaskOptions): Mask {
  const year = (text: string) => Number(text.slice(0, 4))
  const watched = span && ([year(span[0]) - NEAR_YEARS, year(span[1]) + NEAR_YEARS] as const)
  return new TheMask(new Pseudonyms(key, watched), seal)
}

/** Who stands beside a value: the record or body that has it. */
type Holder = Readonly<Record<string, unknown>>
interface Place {
  readonly name: string
  readonly kind: Kind
  readonly holder: Holder
}
type Leaf = (value: string | number, place: Place) => string | number

const NOWHERE: Place = { name: '', kind: 'free', holder: {} }
/** As the request log has it. */
const DEEPEST = 64

/** The name of a counterparty that no caller has named. ACH has room for 16 letters of it. */
const OWN_NAMES = [ownNames.counterparty, ownNames.counterparty.slice(0, 16)].map((name) => name.toLowerCase())
const OWN_PHRASES = new RegExp(`(${Object.values(ownNames).map(escapeRegExp).join('|')})`, 'i')

/** The state in the last line of an address stays, as it does in a field of its own. */
const STATE_IN_LINE = /(?<=^|[ ,])([a-z]{2})(?=,? \d)/gi

const PATTERNS = new RegExp(
  [
    `${SEALED}[\\w-]{22,}`,
    // Only from its first sign on: a megabyte without an @ is read once.
    String.raw`(?<![^\s@"'<>(),;:=&?/\\])[^\s@"'<>(),;:=&?/\\]+@[^\s@"'<>(),;:=&?/\\]+`,
    String.raw`\d{3}(?:-|%2D)\d{2}(?:-|%2D)\d{4}`,
    String.raw`(?<![\w-])\d{2}-\d{7}(?![\w-])`,
    String.raw`(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])`,
    String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
    String.raw`(?<![\w.-])\d{5,}(?![\w-]|\.\d)`,
  ].join('|'),
  'gi',
)

class TheMask implements Mask {
  readonly #standIns: Pseudonyms
  readonly #seal: Seal
  readonly #known = new Known()
  /** The messages of all records, by their text: responses have the text alone. */
  readonly #messages = new Map<string, AnyMessage>()
  #isLearnt = false
  /** What stands there was written by the sandbox. */
  #isOwnWriting = false

  constructor(standIns: Pseudonyms, seal: Seal) {
    this.#standIns = standIns
    this.#seal = seal
  }

  // ── The first pass

  readonly learn: Learning = {
    value: (value) => this.#learn(() => void this.#by('sandbox', () => this.#walk(value, NOWHERE, this.#note))),
    body: (text, contentType, by) =>
      this.#learn(() => void this.#by(by, () => this.#body(text, contentType, this.#note))),
    path: (path) => this.#learn(() => void this.#path(path, this.#note)),
    exchange: ({ path, request, response }) => {
      this.learn.path(path)
      this.learn.body(request.body, typeOf(request.headers))
      this.learn.body(response.body, typeOf(response.headers), 'sandbox')
    },
  }

  #learn(work: () => void) {
    if (this.#isLearnt) throw new Error('What is learned after the first thing is masked would be masked twice over')
    work()
  }

  #note: Leaf = (value, { kind, name, holder }) => {
    const text = String(value)
    if (kind === 'account' && isOurs(holder)) this.#known.addOurs(text)
    else if (isPersonal(kind) && text.trim() !== '')
      this.#known.add(kind, kind === 'ssn' ? this.#seal.open(text) : text)
    else if (name === 'virtual_reference_number') this.#known.addOurs(text)
    return value
  }

  #by<T>(writer: Writer | undefined, work: () => T): T {
    this.#isOwnWriting = writer === 'sandbox'
    try {
      return work()
    } finally {
      this.#isOwnWriting = false
    }
  }

  // ── The second pass

  value<T>(value: T): T {
    this.#isLearnt = true
    return this.#by('sandbox', () => this.#walk(value, NOWHERE, this.#leaf)) as T
  }

  body(text: string, contentType: string | undefined, by?: Writer): string {
    this.#isLearnt = true
    return this.#by(by, () => this.#body(text, contentType, this.#leaf))
  }

  path(path: string): string {
    this.#isLearnt = true
    return this.#path(path, this.#leaf)
  }

  text(text: string): string {
    this.#isLearnt = true
    return this.#free(text)
  }

  headers(headers: HeaderList): [string, string][] {
    this.#isLearnt = true
    return headers.map(([name, value]) => [this.#patterns(name), this.#header(name.toLowerCase(), value)])
  }

  exchange(exchange: ExchangeDetail): ExchangeDetail {
    const { path, caller, did, request, response, hinted, refusal, ...rest } = exchange
    const { trace_id, fault } = rest
    return {
      ...rest,
      trace_id: trace_id === null ? null : this.text(trace_id),
      ...(fault === undefined ? {} : { fault: this.#patterns(fault) }),
      path: this.path(path),
      caller: this.#caller(caller),
      did: this.#patterns(did),
      request: { headers: this.headers(request.headers), body: this.body(request.body, typeOf(request.headers)) },
      response: {
        headers: this.headers(response.headers),
        body: this.body(response.body, typeOf(response.headers), 'sandbox'),
      },
      hinted: hinted.map(({ at, text }) => ({ at: this.#patterns(at), text: this.#patterns(text) })),
      refusal: refusal && {
        ...refusal,
        extra: refusal.extra === null ? null : this.#patterns(refusal.extra),
        cause: refusal.cause === null ? null : this.#free(refusal.cause),
      },
    }
  }

  // ── Where things stand

  #walk(value: unknown, place: Place, leaf: Leaf, depth = 0): unknown {
    if (depth > DEEPEST) return '[too deep]'
    if (typeof value === 'string' || typeof value === 'number') return leaf(value, place)
    if (Array.isArray(value)) return value.map((part) => this.#walk(part, place, leaf, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    const holder = value as Holder
    if (this.#isOwnWriting && isNobodys(holder)) return value
    if (leaf === this.#note) this.#noteName(holder)
    if (leaf === this.#note && isMessage(holder)) this.#messages.set(formatMessage(holder), holder)
    return Object.fromEntries(
      Object.entries(holder).map(([name, part]) => [
        leaf === this.#leaf ? this.#patterns(name) : name,
        this.#walk(part, below(place, name, holder), leaf, depth + 1),
      ]),
    )
  }

  /** The sandbox puts first and last names together. */
  #noteName({ first_name, last_name }: Holder) {
    const both = [first_name, last_name].filter((name) => typeof name === 'string' && name !== '')
    if (both.length === 2) this.#known.add('words', both.join(' '))
  }

  #body(text: string, contentType: string | undefined, leaf: Leaf): string {
    if (text.trim() === '') return text
    if (contentType?.toLowerCase().includes('x-www-form-urlencoded')) return this.#form(text, leaf)
    const parsed = parsedJson(text)
    if (parsed === undefined) return this.#loose(text, leaf)
    const plain = JSON.stringify(parsed)
    const masked = JSON.stringify(this.#walk(parsed, NOWHERE, leaf))
    // The caller's own bytes, where nothing can be hidden in them.
    return masked === plain && dense(plain).length === dense(text).length ? text : masked
  }

  /** Fields are looked for in what is no JSON; whatever else there is, is free text. */
  #loose(text: string, leaf: Leaf): string {
    const parts = text.split(/("[^"\\]{1,64}"\s*:\s*"(?:[^"\\]|\\.)*"?|"[^"\\]{1,64}"\s*:\s*\d+)/)
    return parts
      .map((part, i) => {
        if (i % 2 === 0) return leaf === this.#leaf ? this.#free(part) : part
        const [, before = '', name = '', value = '', after = ''] =
          /^("([^"\\]+)"\s*:\s*"?)(.*?)("?)$/s.exec(part)?.slice(0) ?? []
        return `${before}${leaf(value, below(NOWHERE, name, {}))}${after}`
      })
      .join('')
  }

  #path(path: string, leaf: Leaf): string {
    const at = path.indexOf('?')
    const steps = (at < 0 ? path : path.slice(0, at)).split('/').map((step) => {
      if (ROUTE_WORDS.has(step) || leaf === this.#note) return step
      const plain = decoded(step)
      const masked = this.#free(plain)
      return masked === plain ? step : encodeURIComponent(masked)
    })
    return at < 0 ? steps.join('/') : `${steps.join('/')}?${this.#form(path.slice(at + 1), leaf)}`
  }

  /** Only the pairs that had to be changed are written anew. */
  #form(text: string, leaf: Leaf): string {
    return text
      .split('&')
      .map((pair) => {
        const [[name, value] = ['', '']] = [...new URLSearchParams(pair)]
        const steps = name.split(/[[\]]+/).filter((step) => step !== '' && !/^\d+$/.test(step))
        const place = steps.reduce<Place>((above, step) => below(above, step, {}), NOWHERE)
        const clean = leaf === this.#leaf ? this.#key(name) : name
        const masked = value === '' ? '' : String(leaf(value, place))
        return clean === name && masked === value ? pair : new URLSearchParams([[clean, masked]]).toString()
      })
      .join('&')
  }

  /** JSON that was sent as a form is one long name. */
  #key = (name: string) => (/["{}]/.test(name) ? this.#loose(name, this.#leaf) : this.#patterns(name))

  #header(name: string, value: string): string {
    if (/^(x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|via)$/.test(name))
      return this.#ips(value)
    if (/^(cookie|set-cookie|authorization|proxy-authorization)$/.test(name)) return '[removed]'
    if (name === 'user-agent') return this.#agent(value)
    if (name === 'x-sandbank-hints')
      return value
        .split(', ')
        .map((hint) => encoded(this.#patterns(decoded(hint))))
        .join(', ')
    if (/^(content-|accept|date$|connection$|host$|etag$|transfer-)/.test(name)) return this.#patterns(value)
    return this.#free(value)
  }

  /** Products stay; what they say of somebody's machine does not. */
  #agent = (text: string) => this.#free(text.replaceAll(/\([^)]*\)/g, '(removed)'))

  #caller(caller: string): string {
    const [, address = '', agent = ''] = /^([^,]*)(.*)$/s.exec(caller) ?? []
    return (/^(::ffff:)?127\.|^::1$/.test(address) ? address : this.#ips(address)) + this.#agent(agent)
  }

  #ips = (text: string) =>
    this.#free(
      text.replaceAll(/\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*(?::[\da-f]*){2,}(?:%\w+)?/gi, (ip) => this.#standIns.ip(ip)),
    )

  // ── What stands there

  #leaf: Leaf = (value, place) => {
    if (typeof value === 'string') return value.trim() === '' ? value : this.#masked(value, place)
    if (!isPersonal(place.kind) || !Number.isFinite(value)) return value
    const number = Number(this.#masked(String(value), place))
    return Number.isNaN(number) ? value : number
  }

  #masked(text: string, place: Place): string {
    const { kind, name, holder } = place
    if (text === '[removed]' || text === '[masked]') return text
    // The log seals what may be a tax identifier by the name of its field, whatever it is.
    if (text.startsWith(SEALED) && isPersonal(kind)) return this.#sealed(text, (opened) => this.#masked(opened, place))
    switch (kind) {
      case 'kept':
        return text
      case 'said':
        return this.#patterns(text)
      case 'words':
        return this.#name(text)
      case 'lines':
        return this.#line(text)
      case 'email':
        return this.#standIns.email(text)
      case 'phone':
        return this.#standIns.phone(text)
      case 'dob':
        return this.#standIns.dob(text)
      case 'account':
        return isOurs(holder) ? text : this.#account(text)
      case 'ssn':
        return this.#standIns.ssn(text)
      case 'free':
        return this.#maskFree(text, name, holder)
    }
  }

  #maskFree(text: string, name: string, holder: Holder): string {
    switch (name) {
      case 'initiating_party_name':
        return text === holder.counterparty_name || text === holder.transmitter_name
          ? this.#name(text)
          : this.#free(text)
      case 'noc_corrected_data':
        return this.#corrected(text, holder.noc_code)
      case 'corrected_data':
        return this.#corrected(text, holder.code)
      case 'name':
        return this.#maskSentence(text) ?? ('owner_customer_uid' in holder ? this.#name(text) : this.#free(text))
      case 'description':
        // A sentence of the sandbox about a record that is not known: each word of it may be personal.
        return this.#maskSentence(text) ?? (this.#isOwnWriting ? this.#name(text) : this.#free(text))
      case 'search_description':
        return this.#maskSearch(text) ?? this.#free(text, true)
      default:
        return this.#free(text)
    }
  }

  /** The text of a message that some record has: its facts are masked, and then worded again. */
  #maskSentence(text: string): string | undefined {
    const message = this.#messages.get(text)
    return message && formatMessage(this.#walk(message, NOWHERE, this.#leaf) as AnyMessage)
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

  #name(text: string): string {
    return isOwnName(text) ? text : this.#standIns.words(text)
  }

  #line(text: string): string {
    const states = [...text.matchAll(STATE_IN_LINE)].map(({ index }) => index)
    const masked = this.#standIns.words(text)
    const last = states.at(-1)
    return last === undefined ? masked : masked.slice(0, last) + text.slice(last, last + 2) + masked.slice(last + 2)
  }

  /** Ours stay, and no stand-in is one of them. */
  #account(text: string): string {
    if (this.#known.isOurs(text)) return text
    let moved = this.#standIns.account(text)
    while (this.#known.isOurs(moved)) moved = this.#standIns.account(moved)
    return moved
  }

  /** Each code has a layout of its own. */
  #corrected(text: string, code: unknown): string {
    const account = (from: number, to?: number) => {
      const part = text.slice(from, to)
      const digits = part.trim()
      return digits === '' ? part : this.#account(digits) + part.slice(digits.length)
    }
    if (code === 'C01') return account(0)
    if (code === 'C03') return text.slice(0, 12) + account(12)
    if (code === 'C04') return this.#name(text)
    if (code === 'C06') return account(0, 17) + text.slice(17)
    if (code === 'C07') return text.slice(0, 9) + account(9, 26) + text.slice(26)
    return this.#free(text)
  }

  #sealed(text: string, inside: (opened: string) => string): string {
    const opened = this.#seal.open(text)
    return opened === text ? SEALED + this.#standIns.opaque(text.slice(SEALED.length)) : this.#seal.seal(inside(opened))
  }

  #free(text: string, isSearch = false): string {
    if (this.#known.isWhole(text) && !OWN_PHRASES.test(text)) return this.#standIns.words(text)
    return text
      .split(OWN_PHRASES)
      .map((part, i) => (i % 2 === 1 ? part : this.#patterns(part, (rest) => this.#words(rest, isSearch))))
      .join('')
  }

  /** What looks like somebody's; the rest of the text as it is told. */
  #patterns(text: string, rest: (text: string) => string = (same) => same): string {
    let done = 0
    let masked = ''
    for (const found of text.matchAll(PATTERNS)) {
      masked += rest(text.slice(done, found.index)) + this.#pattern(found[0])
      done = found.index + found[0].length
    }
    return done === 0 ? rest(text) : masked + rest(text.slice(done))
  }

  #pattern(text: string): string {
    if (text.startsWith(SEALED)) return this.#sealed(text, (opened) => this.#standIns.ssn(opened))
    if (text.includes('@')) return this.#standIns.email(text)
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return this.#known.isDate(text) ? this.#standIns.dob(text) : text
    if (/%2D/i.test(text)) return this.#standIns.ssn(text.replaceAll(/%2D/gi, '-'))
    if (/^\d{3}-\d{2}-\d{4}$|^\d{2}-\d{7}$/.test(text)) return this.#standIns.ssn(text)
    if (!/^\d+$/.test(text)) return this.#standIns.phone(text)
    return text.length === 10 && !this.#known.isOurs(text) ? this.#standIns.phone(text) : this.#number(text)
  }

  #number(digits: string): string {
    const kind = this.#known.numberOf(digits)
    if (kind === 'account') return this.#account(digits)
    return kind === undefined ? digits : this.#standIns[kind](digits)
  }

  #words(text: string, isSearch: boolean): string {
    const last = isSearch ? text.match(WORDS)?.at(-1) : undefined
    return text.replaceAll(WORDS, (word) => {
      if (/^\d+$/.test(word)) return this.#number(word)
      const isKnown = this.#known.isWord(word) || (word === last && this.#known.begins(word))
      return isKnown ? this.#standIns.words(word) : word
    })
  }
}

/** Where a sentence has the part that a search with these wildcards looks for; -1 if it has not. */
function findPart(text: string, part: string, isOpenStart: boolean, isOpenEnd: boolean): number {
  if (isOpenStart && isOpenEnd) return text.indexOf(part)
  if (isOpenStart) return text.endsWith(part) ? text.length - part.length : -1
  if (isOpenEnd) return text.startsWith(part) ? 0 : -1
  return text === part ? 0 : -1
}

/** A field within somebody's field is somebody's. */
function below(place: Place, name: string, holder: Holder): Place {
  const kind = isPersonal(place.kind) ? place.kind : kindOf(name)
  const isTransmitter = name === 'name' && /transmitter$/.test(place.name)
  return { name, kind: isTransmitter ? 'words' : kind, holder }
}

/** A Program and what it is set up with, and the cause of a commit. */
function isNobodys(holder: Holder): boolean {
  return (
    'hmac_key' in holder ||
    'profile_requirements' in holder ||
    ('door' in holder && 'name' in holder) ||
    ('synthetic_account_category' in holder && 'description' in holder)
  )
}

/** Of the accounts that have a number, callers bring those of the external categories. */
function isOurs(holder: Holder): boolean {
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

const dense = (text: string) => text.replaceAll(/\s/g, '')
const isOwnName = (text: string) => OWN_NAMES.includes(text.trim().toLowerCase())
const typeOf = (headers: HeaderList) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
