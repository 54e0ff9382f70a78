import { randomUUID } from 'node:crypto'
import { decodePercents } from '../http/percent.ts'
import { isList, isObject, type Json, pairValues, parseJsonBody } from './json-pairs.ts'
import type { HeaderList } from './recordings/recording.ts'

/**
 * Maps generated values of a record, such as the uid of a new Customer, to those of the replay. It learns them from pairs of
 * recorded and replayed responses, and puts them into later requests.
 */

/** Shorter values would be found in other texts. */
const MIN_LENGTH = 8
/** A complete word that is no part of an amount. */
const WORD = /(?<![\w-])(?<!\d\.)[\w-]{8,}(?![\w-])(?!\.\d)/g
/** Pools are named after their Customer and the beginning of its uid. */
const UID_PREFIX = /(?<= )[1-9A-HJ-NP-Za-km-z]{4}$/
const UID_PREFIX_LENGTH = 4

export class Correlation {
  /** From recorded to current values. */
  readonly #current = new Map<string, string>()
  /** The current values of the map. */
  readonly #mappedTo = new Set<string>()
  /** Values that clients chose: responses must repeat them unchanged. */
  readonly #fromClient = new Set<string>()
  /** The uids that existed before the record began. */
  readonly #known: ReadonlySet<string>
  readonly #isSameWorld: boolean
  readonly #seen = new Set<string>()
  readonly #prefixes = new Map<string, string>()
  readonly #traceIds = new Map<string, string>()
  #hasNewValues = false

  /** `isSameWorld`: known values are unchanged. */
  constructor(known: ReadonlySet<string> = new Set(), isSameWorld = false) {
    this.#known = known
    this.#isSameWorld = isSameWorld
  }

  /** Replaces recorded values in a text by current ones. */
  translate(text: string): string {
    return this.#current.size === 0 ? text : text.replace(WORD, (word) => this.#current.get(word) ?? word)
  }

  /** The same for a text that the sandbox generated, which may contain the beginning of a uid. */
  translateGenerated(text: string): string {
    return this.translate(text).replace(UID_PREFIX, (prefix) => this.#prefixes.get(prefix) ?? prefix)
  }

  /** Whether any current value differs from its recorded one; other generated numbers may differ then, too. */
  get hasNewValues(): boolean {
    return this.#hasNewValues
  }

  /** The new trace id for a recorded one: a repeated id stays repeated, a blank one stays blank. */
  mapTraceId(recorded: string): string {
    if (recorded.trim() === '') return recorded
    const known = this.#traceIds.get(recorded)
    if (known !== undefined) return known
    const fresh = randomUUID()
    this.#traceIds.set(recorded, fresh)
    return fresh
  }

  hasTraceId = (recorded: string): boolean => this.#traceIds.has(recorded)

  isFromClient = (value: string): boolean => this.#fromClient.has(value)

  isEndOfClientValue = (value: string): boolean => [...this.#fromClient].some((whole) => whole.endsWith(value))

  /** The current uid of a recorded record; undefined if that uid now belongs to another record. */
  currentUid = (uid: string): string | undefined => {
    const current = this.#current.get(uid)
    return current ?? (this.#mappedTo.has(uid) ? undefined : uid)
  }

  /** Notes the values that the client chose. Call it before the request is sent. */
  learnRequest(path: string, headers: HeaderList, body: string) {
    const [withoutQuery = '', query] = path.split('?', 2)
    for (const part of withoutQuery.split('/')) this.#addClientValue(decodePercents(part))
    const forms = [query ?? '', ...(isForm(headers) ? [body] : [])]
    for (const form of forms) for (const value of new URLSearchParams(form).values()) this.#addClientValue(value)
    for (const [, text] of texts(parseJsonBody(body))) this.#addClientValue(text)
  }

  /** A value from an earlier response is not the client's own. */
  #addClientValue(value: string) {
    if (!this.#current.has(value)) this.#fromClient.add(value)
  }

  /** Learns generated values from a recorded response and the response to the same request now. */
  learnResponse(recorded: Json | undefined, replayed: Json | undefined, isCreation: boolean) {
    const isSuccess = isObject(replayed) && !('errors' in replayed)
    for (const { field, a, b } of pairValues(recorded, isSuccess ? replayed : undefined, this.currentUid)) {
      for (const [name, value] of texts(a, field)) {
        const isNew = !this.#seen.has(value) && !this.#known.has(value) && !this.#fromClient.has(value)
        this.#seen.add(value)
        // The creation is refused now, so the recorded uid must match no record: another one may have it today.
        if (!isSuccess && isCreation && isNew && isGeneratedField(name) && value.length >= MIN_LENGTH)
          this.#map(value, `gone-${value}`)
      }
      if (typeof a === 'string' && typeof b === 'string' && this.#isGenerated(field, a, b)) this.#map(a, b)
    }
  }

  #map(recorded: string, current: string) {
    if (this.#current.has(recorded)) return
    this.#current.set(recorded, current)
    this.#mappedTo.add(current)
    this.#prefixes.set(recorded.slice(0, UID_PREFIX_LENGTH), current.slice(0, UID_PREFIX_LENGTH))
    this.#hasNewValues ||= recorded !== current
  }

  /** In the same world, values from before the record are unchanged. */
  #isGenerated(field: string, a: string, b: string): boolean {
    if (!isGeneratedField(field) || a.length < MIN_LENGTH) return false
    if (this.#current.has(a) || this.#mappedTo.has(b) || this.#fromClient.has(a)) return false
    return a === b || !(this.#isSameWorld && this.#known.has(a))
  }
}

/** Uids, and the numbers that banks and networks assign. */
const isGeneratedField = (field: string) =>
  (isUidField(field) && field !== 'external_uid' && field !== 'program_uid') ||
  /^(account_number|virtual_reference_number|company_ids?|imad|network_transaction_id)$/.test(field)
/** The trace id of a network is generated like a uid. */
const isUidField = (field: string) => /(^|_)uids?$|^transfer_trace_id$/.test(field)
const isForm = (headers: HeaderList) =>
  headers.some(([name, value]) => name === 'content-type' && value.includes('x-www-form-urlencoded'))

/** Each text, with the name of its field. */
function* texts(value: Json | undefined, field = ''): Iterable<readonly [field: string, text: string]> {
  if (typeof value === 'string') yield [field, value]
  else if (isList(value)) for (const part of value) yield* texts(part, field)
  else if (isObject(value)) for (const [name, part] of Object.entries(value)) yield* texts(part, name)
}
