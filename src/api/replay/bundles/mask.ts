import { type Keepable, MAX_MASKED } from '../../contract/control/bundles.ts'
import type { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { type AnyMessage, formatMessage, isMessage } from '../../contract/messages.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ForcedOutcomes } from '../../contract/triggers.ts'
import { dateAt } from '../../domain/rules/calendar.ts'
import { cutLong } from '../../http/text-budget.ts'
import type { Seal } from '../../store/seal.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
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
 * data: first learn all of it, then mask all of it. Learning after that throws, because earlier results would be incomplete. Only the
 * beginning of a long text is masked, and the rest is cut.
 */
export interface Mask {
  readonly learn: Learner
  /** Any JSON value, such as a record or a commit. */
  value<T>(value: T): Steps<T>
  /** JSON or a form; other texts are masked by patterns. A body without personal data stays the same, byte by byte. */
  body(text: string, contentType: string | undefined, by?: Writer): Steps<string>
  /** A path with its query. */
  path(path: string): Steps<string>
  headers(headers: HeaderList): Steps<[string, string][]>
  /** Free text: learned values, and everything that looks like a tax identifier, an e-mail address or a phone number. */
  text(text: string): string
  /** A complete entry of the request log. */
  exchange(exchange: ExchangeDetail): Steps<ExchangeDetail>
  /** In how many places a long text was cut so far. */
  readonly cuts: number
  /** What the values that were masked so far force. */
  readonly outcomes: ForcedOutcomes | undefined
}

export interface Learner {
  /** Records and the changes of commits, in their order. */
  record(collection: CollectionName, record: StoredRecord): Steps<void>
  value(value: unknown): Steps<unknown>
  body(text: string, contentType: string | undefined, by?: Writer): Steps<unknown>
  path(path: string): Steps<unknown>
  exchange(exchange: ExchangeDetail): Steps<void>
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
    record: (collection, record) => this.#learnRecord(collection, record),
    value: (value) => walkValue(this.#learning('sandbox'), value),
    body: (text, contentType, by) => walkBody(this.#learning(by), text, contentType),
    path: (path) => walkPath({ ...this.#learning('caller'), leaf: this.#learnParameter }, path),
    exchange: (exchange) => this.#learnExchange(exchange),
  }

  #learning(writer: Writer = 'caller'): Walk {
    if (this.#isMasking) throw new Error('Masking has begun: everything must be learned before')
    const same = (text: string) => text
    return { writer, leaf: this.#learnLeaf, name: same, text: same, cut: cutLong, enter: this.#learnHolder }
  }

  #learnLeaf: Leaf = (value, { kind, name, holder }) => {
    const [text] = cutLong(kind === 'ssn' ? this.#seal.open(String(value)) : String(value))
    if (name === 'search_description') this.#searches.add(text)
    if (kind === 'account' && isSandboxAccount(holder)) this.#known.addGenerated(text)
    else if (kind === 'ssnLastFour' || kind === 'accountLastFour' || kind === 'state' || kind === 'suffix') return value
    else if (isPersonal(kind) && text.trim() !== '') {
      this.#known.add(kind, text)
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

  *#learnRecord(collection: CollectionName, record: StoredRecord): Steps<void> {
    yield* this.learn.value(record)
    if (collection === 'customers') this.#births.set(record.uid, (record as CustomerRecord).details.dob)
    else if (collection === 'kyc_evaluations') this.#learnDecision(record as KycEvaluationRecord)
    else if (collection === 'programs') this.#public.addName((record as ProgramRecord).name)
  }

  *#learnExchange({ path, request, response }: ExchangeDetail): Steps<void> {
    yield* this.learn.path(path)
    yield* this.learn.body(request.body, typeOf(request.headers))
    yield* this.learn.body(response.body, typeOf(response.headers), 'sandbox')
  }

  #learnHolder = (holder: Holder) => {
    // The sandbox joins first and last names.
    const { first_name, last_name } = holder
    const both = [first_name, last_name].filter((name) => typeof name === 'string' && name !== '')
    const joined = both.join(' ')
    if (both.length === 2 && joined.length <= MAX_MASKED) {
      this.#known.add('words', joined)
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

  get cuts(): number {
    return this.#texts.cuts
  }

  *value<T>(value: T): Steps<T> {
    return (yield* this.#mask('sandbox', (walk) => walkValue(walk, value))) as T
  }

  body(text: string, contentType: string | undefined, by?: Writer): Steps<string> {
    return this.#mask(by, (walk) => walkBody(walk, text, contentType))
  }

  path(path: string): Steps<string> {
    return this.#mask('caller', (walk) => walkPath(walk, path))
  }

  text(text: string): string {
    this.#beginMasking()
    return this.#texts.text(text)
  }

  *headers(headers: HeaderList): Steps<[string, string][]> {
    this.#beginMasking()
    const masked: [string, string][] = []
    for (const [name, value] of headers) {
      masked.push([this.#texts.patterns(name), this.#headers.header(name.toLowerCase(), value)])
      if (value.length > LONG_HEADER) yield 0
    }
    return masked
  }

  *exchange(exchange: ExchangeDetail): Steps<ExchangeDetail> {
    const { path, caller, did, request, response, hinted, refusal, ...rest } = exchange
    const { trace_id, fault } = rest
    const patterns = (text: string) => this.#texts.patterns(text)
    return {
      ...rest,
      trace_id: trace_id === null ? null : this.text(trace_id),
      ...(fault === undefined ? {} : { fault: patterns(fault) }),
      path: yield* this.path(path),
      caller: this.#headers.caller(caller),
      did: patterns(did),
      request: {
        headers: yield* this.headers(request.headers),
        body: yield* this.body(request.body, typeOf(request.headers)),
      },
      response: {
        headers: yield* this.headers(response.headers),
        body: yield* this.body(response.body, typeOf(response.headers), 'sandbox'),
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

  *#mask<T>(writer: Writer = 'caller', work: (walk: Walk) => Steps<T>): Steps<T> {
    this.#beginMasking()
    this.isWrittenBySandbox = writer === 'sandbox'
    try {
      return yield* work(this.#walk(writer))
    } finally {
      this.isWrittenBySandbox = false
    }
  }

  #walk = (writer: Writer): Walk => ({
    writer,
    leaf: this.#values.leaf,
    name: (name) => this.#texts.patterns(name),
    text: (text) => this.#texts.text(text),
    cut: (text) => this.#texts.cut(text),
  })

  // ── Sentences ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Masks the facts of the message with this text, and words it again. */
  maskSentence(text: string): string | undefined {
    const message = this.#messages.get(text)
    const writer = this.isWrittenBySandbox ? 'sandbox' : 'caller'
    return message && formatMessage(runToEnd(walkValue(this.#walk(writer), message)) as AnyMessage)
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
/** After a longer one masking pauses. */
const LONG_HEADER = 1_000

const typeOf = (headers: HeaderList) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
