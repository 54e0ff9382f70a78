import { type Keepable, MAX_MASKED } from '../../contract/control/bundles.ts'
import type { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { type AnyMessage, formatMessage, isMessage } from '../../contract/messages.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { type ForcedOutcomes, outcomeOf } from '../../contract/triggers.ts'
import { dateAt } from '../../domain/rules/calendar.ts'
import { cutLong } from '../../http/text-budget.ts'
import type { Seal } from '../../store/seal.ts'
import type { Steps } from '../../store/steps.ts'
import type {
  CollectionName,
  CustomerRecord,
  KycEvaluationRecord,
  ProgramRecord,
  StoredRecord,
} from '../../store/world.ts'
import { headerOf } from '../recordings/headers.ts'
import type { HeaderList } from '../recordings/recording.ts'
import { Dictionary } from './dictionary.ts'
import { isPersonal } from './fields.ts'
import { type MaskedOutcome, outcomesByPseudonym } from './forced-outcomes.ts'
import { maskCaller, maskHeader } from './mask-headers.ts'
import { TextMask } from './mask-text.ts'
import { ValueMask } from './mask-values.ts'
import { type Walk, walkBody, walkPath, walkValue } from './mask-walk.ts'
import { type Holder, isSandboxAccount, type Leaf, type Place, type Writer } from './places.ts'
import type { Random } from './random.ts'
import { ValueSet } from './values.ts'

export interface MaskOptions {
  /** The seal of the masked world. Values sealed with another seed cannot be opened; their sealed text is replaced. */
  readonly seal: Seal
  /** The values that are not masked. */
  readonly publicValues?: ValueSet
  /** The simulated time of the bundle, in which pseudonyms of dates of birth decide as the originals do. */
  readonly span: readonly [from: string, to: string]
  /** The outcomes of a world that was imported from a bundle. */
  readonly forced?: ForcedOutcomes | undefined
  /** Kinds of values that stay. */
  readonly keep?: readonly Keepable[]
  readonly random?: Random
}

/**
 * Replaces personal data by pseudonyms. A replay of the masked requests must give the masked responses, so a pseudonym depends
 * only on the text and the name of its field: the same in records, requests, queries and responses. Two passes over the same
 * data: first learn all of it, then mask all of it. Learning after that throws, because earlier results would be incomplete. Only the
 * beginning of a long text is masked, and the rest is cut.
 */
export class Mask {
  readonly #dictionary: Dictionary
  readonly #seal: Seal
  readonly #known = new ValueSet()
  readonly #texts: TextMask
  readonly #masks: Parameters<typeof maskHeader>[0]
  readonly #values: ValueMask
  /** The messages of all records by their text, because responses contain only the text. */
  readonly #messages = new Map<string, AnyMessage>()
  /** The start of the bundle: its replay repeats the decisions after it. */
  readonly #start: string
  /** The present date of birth of each Customer. */
  readonly #births = new Map<Uid, string | null>()
  readonly #public: ValueSet
  /** The outcomes of a world from a bundle. */
  readonly #before: ForcedOutcomes | undefined
  /** Mask the values that force an outcome, each once for each kind of field. */
  readonly #forcing = new Map<string, () => MaskedOutcome[]>()
  #outcomes: ForcedOutcomes | undefined
  #isMasking = false

  constructor({ seal, span, forced, publicValues, ...options }: MaskOptions) {
    this.#public = publicValues?.copy() ?? new ValueSet()
    const isTaken = (text: string) => this.#known.isPart(text) || this.#public.isPart(text)
    this.#dictionary = new Dictionary({ ...options, span, publicValues: this.#public, isTaken })
    this.#seal = seal
    this.#start = span[0]
    this.#before = forced
    this.#texts = new TextMask(this.#dictionary, this.#known, seal)
    this.#masks = { dictionary: this.#dictionary, texts: this.#texts }
    this.#values = new ValueMask(this.#dictionary, this.#texts, this.#messages)
  }

  // ── First pass: learn ──────────────────────────────────────────────────────────────────────────────────────────

  readonly learn = {
    /** Records and the changes of commits, in their order. */
    record: (collection: CollectionName, record: StoredRecord): Steps<void> => this.#learnRecord(collection, record),
    value: (value: unknown): Steps<unknown> => walkValue(this.#learning('sandbox'), value),
    body: (text: string, contentType: string | undefined, by?: Writer): Steps<unknown> =>
      walkBody(this.#learning(by), text, contentType),
    path: (path: string): Steps<unknown> => walkPath(this.#learning(), path),
    exchange: (exchange: ExchangeDetail): Steps<void> => this.#learnExchange(exchange),
  }

  #learning(writer: Writer = 'caller'): Walk {
    if (this.#isMasking) throw new Error('Masking has begun: everything must be learned before')
    const same = (text: string) => text
    return { writer, leaf: this.#learnLeaf, name: same, text: same, cut: cutLong, enter: this.#learnHolder }
  }

  #learnLeaf: Leaf = (value, place) => {
    const { kind, name, holder } = place
    this.#learnOutcome(String(value), place)
    const [text] = cutLong(kind === 'ssn' ? this.#seal.open(String(value)) : String(value))
    if (kind === 'account' && isSandboxAccount(holder)) this.#known.addGenerated(text)
    else if (kind === 'ssnLastFour' || kind === 'accountLastFour' || kind === 'state' || kind === 'suffix') return value
    else if (isPersonal(kind) && text.trim() !== '') {
      this.#known.add(kind, text)
      // What ACH has cut is no whole name.
      if (kind === 'words' && name !== 'originator_name' && !this.#public.has('words', text))
        this.#dictionary.addName(text)
    } else if (name === 'virtual_reference_number') this.#known.addGenerated(text)
    return value
  }

  #learnOutcome(value: string, { kind, name, holder }: Place) {
    const outcome = outcomeOf(name, value, { forced_outcomes: this.#before })
    if (outcome === undefined || (kind === 'account' && isSandboxAccount(holder))) return
    const [kept, mark] = cutLong(value)
    // Not the whole holder, as it may have long texts.
    const owner = 'owner_customer_uid' in holder ? { owner_customer_uid: null } : {}
    const text = kept + mark
    this.#forcing.set(`${kind} ${name} ${Object.keys(owner)} ${text}`, () => {
      const pseudonym = String(this.#values.leaf(text, { name, kind, holder: owner, parent: {} }, 'caller'))
      return pseudonym === text && mark === '' ? [] : [{ field: name, pseudonym, outcome }]
    })
  }

  #learnDecision({ customer_uid, decided_at }: KycEvaluationRecord) {
    const dob = this.#births.get(customer_uid)
    if (dob && decided_at !== null && decided_at >= this.#start)
      this.#dictionary.birthDates.addDecision(dob, dateAt(Date.parse(decided_at)))
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
      this.#dictionary.addJoined(String(first_name), String(last_name))
    }
    if (isMessage(holder)) this.#messages.set(formatMessage(holder), holder)
  }

  // ── Second pass: mask ──────────────────────────────────────────────────────────────────────────────────────────

  #beginMasking() {
    if (this.#isMasking) return
    this.#isMasking = true
    this.#outcomes = outcomesByPseudonym([...this.#forcing.values()].flatMap((mask) => mask()))
    this.#texts.cuts = 0
  }

  /** What the learned values force, by pseudonym. */
  get outcomes(): ForcedOutcomes | undefined {
    this.#beginMasking()
    return this.#outcomes
  }

  /** In how many places a long text was cut so far. */
  get cuts(): number {
    return this.#texts.cuts
  }

  /** Any JSON value, such as a record or a commit. */
  *value<T>(value: T): Steps<T> {
    return (yield* walkValue(this.#walk('sandbox'), value)) as T
  }

  /** JSON or a form; other texts are masked by patterns. A body without personal data stays the same, byte by byte. */
  body(text: string, contentType: string | undefined, by?: Writer): Steps<string> {
    return walkBody(this.#walk(by), text, contentType)
  }

  /** A path with its query. */
  path(path: string): Steps<string> {
    return walkPath(this.#walk(), path)
  }

  /** Free text: learned values, and everything that looks like a tax identifier, an e-mail address or a phone number. */
  text(text: string): string {
    this.#beginMasking()
    return this.#texts.text(text)
  }

  *headers(headers: HeaderList): Steps<[string, string][]> {
    this.#beginMasking()
    const masked: [string, string][] = []
    for (const [name, value] of headers) {
      masked.push([this.#texts.patterns(name), maskHeader(this.#masks, name.toLowerCase(), value)])
      if (value.length > LONG_HEADER) yield 0
    }
    return masked
  }

  /** A complete entry of the request log. */
  *exchange(exchange: ExchangeDetail): Steps<ExchangeDetail> {
    const { path, caller, did, request, response, hinted, refusal, ...rest } = exchange
    const { trace_id, fault } = rest
    const patterns = (text: string) => this.#texts.patterns(text)
    return {
      ...rest,
      trace_id: trace_id === null ? null : this.text(trace_id),
      ...(fault === undefined ? {} : { fault: patterns(fault) }),
      path: yield* this.path(path),
      caller: maskCaller(this.#masks, caller),
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

  #walk(writer: Writer = 'caller'): Walk {
    this.#beginMasking()
    return {
      writer,
      leaf: this.#values.leaf,
      name: (name) => this.#texts.patterns(name),
      text: (text) => this.#texts.text(text),
      cut: (text) => this.#texts.cut(text),
    }
  }
}

/** After a longer one masking pauses. */
const LONG_HEADER = 1_000

const typeOf = (headers: HeaderList) => headerOf(headers, 'content-type')
