import { randomUUID } from 'node:crypto'
import { isList, isObject, type Json, pairs, parsed } from './json-pairs.ts'
import type { HeaderList } from './recordings/recording.ts'

/**
 * What a recorded answer has introduced, such as the uid of a new Customer, has another value when the request is sent
 * again. It is learned from the two answers side by side, and put into every later request in the place of the old one.
 */

/** A shorter one would be found in other texts. */
const SHORTEST = 8
/** A whole word, and no part of an amount. */
const WORD = /(?<![\w-])(?<!\d\.)[\w-]{8,}(?![\w-])(?!\.\d)/g
/** A Pool is called after its Customer and the beginning of its uid. */
const HEAD = /(?<= )[1-9A-HJ-NP-Za-km-z]{4}$/
const HEAD_LENGTH = 4

export class Correlation {
  /** What stood in the record, and what stands for it now. */
  readonly #now = new Map<string, string>()
  /** What is the new value of something already. */
  readonly #taken = new Set<string>()
  /** What callers wrote themselves: it must come back as it was. */
  readonly #given = new Set<string>()
  /** What had a uid before the record begins. */
  readonly #known: ReadonlySet<string>
  readonly #seen = new Set<string>()
  readonly #heads = new Map<string, string>()
  #hasMoved = false
  readonly #traces = new Map<string, string>()

  /** It is sent into the world that it was recorded in, where what was known is what it was. */
  readonly #isSameWorld: boolean

  constructor(known: ReadonlySet<string> = new Set(), isSameWorld = false) {
    this.#known = known
    this.#isSameWorld = isSameWorld
  }

  /** A recorded text, with the values of today. */
  translated(text: string): string {
    return this.#now.size === 0 ? text : text.replace(WORD, (word) => this.#now.get(word) ?? word)
  }

  /** The same of a text that the sandbox has made, which may name a record by the beginning of its uid. */
  told(text: string): string {
    return this.translated(text).replace(HEAD, (head) => this.#heads.get(head) ?? head)
  }

  /** Something of the record stands for something else now: numbers may have been drawn in another order. */
  get hasMoved(): boolean {
    return this.#hasMoved
  }

  /** One trace id for one: a repeat stays a repeat. What is none stays none. */
  trace(recorded: string): string {
    if (recorded.trim() === '') return recorded
    const known = this.#traces.get(recorded)
    if (known !== undefined) return known
    const fresh = randomUUID()
    this.#traces.set(recorded, fresh)
    return fresh
  }

  hasTrace = (recorded: string): boolean => this.#traces.has(recorded)

  isGiven = (value: string): boolean => this.#given.has(value)

  isEndOfGiven = (value: string): boolean => [...this.#given].some((given) => given.endsWith(value))

  /** The record of today that this one of the record has become. */
  twinOf = (uid: string): string | undefined => {
    const twin = this.#now.get(uid)
    return twin ?? (this.#taken.has(uid) ? undefined : uid)
  }

  /** Before it is sent. */
  sends(path: string, headers: HeaderList, body: string) {
    const [before = '', query] = path.split('?', 2)
    for (const part of before.split('/')) this.#gives(decoded(part))
    const forms = [query ?? '', ...(isForm(headers) ? [body] : [])]
    for (const form of forms) for (const value of new URLSearchParams(form).values()) this.#gives(value)
    for (const leaf of strings(parsed(body))) this.#gives(leaf)
  }

  /** What they have from an answer is not their own. */
  #gives(value: string) {
    if (!this.#now.has(value)) this.#given.add(value)
  }

  /** After it was answered. */
  learns(recorded: Json | undefined, replayed: Json | undefined, made: boolean) {
    const isAnswer = isObject(replayed) && !('errors' in replayed)
    for (const { field, a, b } of pairs(recorded, isAnswer ? replayed : undefined, this.twinOf)) {
      for (const value of a === undefined ? [] : strings(a)) {
        const isNew = !this.#seen.has(value) && !this.#known.has(value) && !this.#given.has(value)
        this.#seen.add(value)
        // What came of a request that is refused now is nobody's: another record may have its uid today.
        if (!isAnswer && made && isNew && isDrawn(fieldIn(recorded, value)) && value.length >= SHORTEST)
          this.#is(value, `gone-${value}`)
      }
      if (typeof a === 'string' && typeof b === 'string' && this.#isGenerated(field, a, b)) this.#is(a, b)
    }
  }

  #is(recorded: string, today: string) {
    if (this.#now.has(recorded)) return
    this.#now.set(recorded, today)
    this.#taken.add(today)
    this.#heads.set(recorded.slice(0, HEAD_LENGTH), today.slice(0, HEAD_LENGTH))
    this.#hasMoved ||= recorded !== today
  }

  /** What is nobody's yet can come to stand for something else; what was there before the record stays what it was. */
  #isGenerated(field: string, a: string, b: string): boolean {
    if (!isDrawn(field) || a.length < SHORTEST) return false
    if (this.#now.has(a) || this.#taken.has(b) || this.#given.has(a)) return false
    return a === b || !(this.#isSameWorld && this.#known.has(a))
  }
}

/** What the sandbox draws: uids, and the numbers by which banks and networks know things. */
const isDrawn = (field: string) =>
  (isUid(field) && field !== 'external_uid' && field !== 'program_uid') ||
  /^(account_number|virtual_reference_number|company_ids?|imad|network_transaction_id)$/.test(field)
/** The trace id of a network is drawn as a uid is. */
const isUid = (field: string) => /(^|_)uids?$|^transfer_trace_id$/.test(field)
const isForm = (headers: HeaderList) =>
  headers.some(([name, value]) => name === 'content-type' && value.includes('x-www-form-urlencoded'))

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function* strings(value: Json | undefined): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (isList(value)) for (const part of value) yield* strings(part)
  else if (isObject(value)) for (const part of Object.values(value)) yield* strings(part)
}

/** The name of the field that holds this text. */
function fieldIn(value: Json | undefined, text: string, field = ''): string {
  if (value === text) return field
  if (isList(value)) return value.map((part) => fieldIn(part, text, field)).find((found) => found !== '') ?? ''
  if (!isObject(value)) return ''
  for (const [name, part] of Object.entries(value)) {
    const found = fieldIn(part, text, name)
    if (found !== '') return found
  }
  return ''
}
