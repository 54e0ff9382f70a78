import type { Keepable } from '../../contract/control/bundles.ts'
import type { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { type AnyMessage, formatMessage, isMessage } from '../../contract/messages.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ForcedOutcomes } from '../../contract/triggers.ts'
import { dateAt } from '../../domain/rules/calendar.ts'
import type { Seal } from '../../store/seal.ts'
import type {
  CollectionName,
  CustomerRecord,
  KycEvaluationRecord,
  ProgramRecord,
  StoredRecord,
} from '../../store/world.ts'
import { findCutWord } from './ach-names.ts'
import { isPersonal } from './fields.ts'
import { type FoundSearches, parseSearch, SearchFinder } from './find-searches.ts'
import { OutcomeCollector } from './forced-outcomes.ts'
import { KnownValues } from './known-values.ts'
import { HeaderMask } from './mask-headers.ts'
import { TextMask } from './mask-text.ts'
import { type Sentences, ValueMask } from './mask-values.ts'
import { type Walk, type Writer, walkBody, walkPath, walkValue } from './mask-walk.ts'
import { type Holder, isSandboxAccount, type Leaf } from './places.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { PublicValues } from './public-values.ts'

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
  /** What the values that were masked so far force. */
  readonly outcomes: ForcedOutcomes | undefined
}

export interface Learner {
  /** Records and the changes of commits, in their order. */
  record(collection: CollectionName, record: StoredRecord): void
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
  /** The values that are not masked. */
  readonly publicValues?: PublicValues
  /** The simulated time of the bundle, in which pseudonyms of dates of birth decide as the originals do. */
  readonly span: readonly [from: string, to: string]
  /** The outcomes of a world that was imported from a bundle. */
  readonly forced?: ForcedOutcomes | undefined
  /** Kinds of values that stay. */
  readonly keep?: readonly Keepable[]
}

export const createMask = (options: MaskOptions): Mask => new BundleMask(options)

/** Filters that find a part of a value: what they name may be the beginning of a word. */
const SEARCHED = new Set(['business_name', 'search_description'])

class BundleMask implements Mask, Sentences {
  readonly #pseudonyms: Pseudonyms
  readonly #seal: Seal
  readonly #known = new KnownValues()
  readonly #outcomes: OutcomeCollector
  readonly #texts: TextMask
  readonly #headers: HeaderMask
  readonly #values: ValueMask
  /** The messages of all records by their text, because responses contain only the text. */
  readonly #messages = new Map<string, AnyMessage>()
  /** The start of the bundle: its replay repeats the decisions after it. */
  readonly #start: string
  /** The present date of birth of each Customer. */
  readonly #births = new Map<Uid, string | null>()
  readonly #public: PublicValues
  /** Public names that ACH may have cut: they are learned if a search has removed them from the public values. */
  readonly #publicNames = new Set<string>()
  readonly #searches = new SearchFinder()
  #foundSearches: FoundSearches | undefined
  #isMasking = false
  isWrittenBySandbox = false

  constructor({ key, seal, span, forced, publicValues, keep = [] }: MaskOptions) {
    this.#public = publicValues?.copy() ?? new PublicValues()
    this.#pseudonyms = new Pseudonyms(key, this.#public, { span, keep, isKnownWord: this.#known.isWord })
    this.#seal = seal
    this.#start = span[0]
    this.#outcomes = new OutcomeCollector(forced)
    this.#texts = new TextMask(this.#pseudonyms, this.#known, seal)
    this.#headers = new HeaderMask(this.#pseudonyms, this.#texts)
    this.#values = new ValueMask(this.#pseudonyms, this.#texts, this, this.#outcomes)
  }

  get outcomes(): ForcedOutcomes | undefined {
    return this.#outcomes.outcomes
  }

  // ── First pass: learn ──────────────────────────────────────────────────────────────────────────────────────────

  readonly learn: Learner = {
    record: (collection, record) => {
      this.learn.value(record)
      if (collection === 'customers') this.#births.set(record.uid, (record as CustomerRecord).details.dob)
      else if (collection === 'kyc_evaluations') this.#learnDecision(record as KycEvaluationRecord)
      else if (collection === 'programs') this.#public.addName((record as ProgramRecord).name)
    },
    value: (value) => this.#learn('sandbox', (walk) => walkValue(walk, value)),
    body: (text, contentType, by) => this.#learn(by, (walk) => walkBody(walk, text, contentType)),
    path: (path) => this.#learn('caller', (walk) => walkPath({ ...walk, leaf: this.#learnParameter }, path)),
    exchange: ({ path, request, response }) => {
      this.learn.path(path)
      this.learn.body(request.body, typeOf(request.headers))
      this.learn.body(response.body, typeOf(response.headers), 'sandbox')
    },
  }

  #learn(writer: Writer = 'caller', work: (walk: Walk) => unknown) {
    if (this.#isMasking) throw new Error('Masking has begun: everything must be learned before')
    const same = (text: string) => text
    work({ writer, leaf: this.#learnLeaf, name: same, text: same, enter: this.#learnHolder })
  }

  #learnLeaf: Leaf = (value, { kind, name, holder }) => {
    const text = String(value)
    if (name === 'search_description') this.#searches.add(text)
    if (kind === 'account' && isSandboxAccount(holder)) this.#known.addGenerated(text)
    else if (kind === 'ssnLastFour' || kind === 'accountLastFour' || kind === 'state' || kind === 'suffix') return value
    else if (isPersonal(kind) && text.trim() !== '') {
      this.#known.add(kind, kind === 'ssn' ? this.#seal.open(text) : text)
      if (kind === 'words') this.#learnCutName(text)
    } else if (name === 'virtual_reference_number') this.#known.addGenerated(text)
    return value
  }

  #learnParameter: Leaf = (value, place) => {
    if (SEARCHED.has(place.name)) {
      const search = String(value).slice(-MAX_SEARCHED)
      const word = /[^.,' *-]+(?=[.,' *-]*$)/.exec(search)?.[0]
      if (word !== undefined) this.#pseudonyms.addFragment(word)
      this.#public.removeSearched(search.replaceAll(/^\*|\*$/g, ''))
    }
    return this.#learnLeaf(value, place)
  }

  #learnCutName(text: string) {
    if (findCutWord(text) === undefined) return
    if (this.#public.has('words', text)) this.#publicNames.add(text)
    else this.#pseudonyms.addCutName(text)
  }

  #learnDecision({ customer_uid, decided_at }: KycEvaluationRecord) {
    const dob = this.#births.get(customer_uid)
    if (dob && decided_at !== null && decided_at >= this.#start)
      this.#pseudonyms.birthDates.addDecision(dob, dateAt(Date.parse(decided_at)))
  }

  #learnHolder = (holder: Holder) => {
    // The sandbox joins first and last names.
    const { first_name, last_name } = holder
    const both = [first_name, last_name].filter((name) => typeof name === 'string' && name !== '')
    if (both.length === 2) {
      this.#known.add('words', both.join(' '))
      this.#pseudonyms.addJoined(String(first_name), String(last_name))
    }
    if (isMessage(holder)) this.#messages.set(formatMessage(holder), holder)
  }

  // ── Second pass: mask ──────────────────────────────────────────────────────────────────────────────────────────

  #beginMasking() {
    if (this.#isMasking) return
    this.#isMasking = true
    for (const name of this.#publicNames) this.#learnCutName(name)
  }

  value<T>(value: T): T {
    return this.#mask('sandbox', (walk) => walkValue(walk, value)) as T
  }

  body(text: string, contentType: string | undefined, by?: Writer): string {
    return this.#mask(by, (walk) => walkBody(walk, text, contentType))
  }

  path(path: string): string {
    return this.#mask('caller', (walk) => walkPath(walk, path))
  }

  text(text: string): string {
    this.#beginMasking()
    return this.#texts.text(text)
  }

  headers(headers: HeaderList): [string, string][] {
    this.#beginMasking()
    return headers.map(([name, value]) => [this.#texts.patterns(name), this.#headers.header(name.toLowerCase(), value)])
  }

  exchange(exchange: ExchangeDetail): ExchangeDetail {
    const { path, caller, did, request, response, hinted, refusal, ...rest } = exchange
    const { trace_id, fault } = rest
    const patterns = (text: string) => this.#texts.patterns(text)
    return {
      ...rest,
      trace_id: trace_id === null ? null : this.text(trace_id),
      ...(fault === undefined ? {} : { fault: patterns(fault) }),
      path: this.path(path),
      caller: this.#headers.caller(caller),
      did: patterns(did),
      request: { headers: this.headers(request.headers), body: this.body(request.body, typeOf(request.headers)) },
      response: {
        headers: this.headers(response.headers),
        body: this.body(response.body, typeOf(response.headers), 'sandbox'),
      },
      hinted: hinted.map(({ at, text }) => ({ at: patterns(at), text: patterns(text) })),
      refusal: refusal && {
        ...refusal,
        extra: refusal.extra === null ? null : patterns(refusal.extra),
        ...(refusal.fields ? { fields: refusal.fields.map(patterns) } : {}),
        cause: refusal.cause === null ? null : this.text(refusal.cause),
      },
    }
  }

  #mask<T>(writer: Writer = 'caller', work: (walk: Walk) => T): T {
    this.#beginMasking()
    this.isWrittenBySandbox = writer === 'sandbox'
    try {
      return work(this.#walk(writer))
    } finally {
      this.isWrittenBySandbox = false
    }
  }

  #walk = (writer: Writer): Walk => ({
    writer,
    leaf: this.#values.leaf,
    name: (name) => this.#texts.patterns(name),
    text: (text) => this.#texts.text(text),
  })

  // ── Sentences ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Masks the facts of the message with this text, and words it again. */
  maskSentence(text: string): string | undefined {
    const message = this.#messages.get(text)
    const writer = this.isWrittenBySandbox ? 'sandbox' : 'caller'
    return message && formatMessage(walkValue(this.#walk(writer), message) as AnyMessage)
  }

  /**
   * A search for a part of a sentence becomes the search for the same part of the masked sentence. That works because a
   * pseudonym is as long as what it replaces.
   */
  maskSearch(search: string): string | undefined {
    this.#foundSearches ??= this.#searches.find(this.#messages.keys())
    const found = this.#foundSearches.get(search)
    const masked = found && this.maskSentence(found.text)
    if (masked?.length !== found?.text.length) return undefined
    const { isOpenStart, part, isOpenEnd } = parseSearch(search)
    return (
      masked &&
      `${isOpenStart ? '*' : ''}${masked.slice(found.start, found.start + part.length)}${isOpenEnd ? '*' : ''}`
    )
  }
}

/** A longer search is looked at from its end. */
const MAX_SEARCHED = 200

const typeOf = (headers: HeaderList) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
