import { randomUUID } from 'node:crypto'
import type { HeaderList } from '../recordings/recording.ts'
import { isList, isObject, type Json, pairs, parsed } from './pairs.ts'

/**
 * What a recorded answer has introduced, such as the uid of a new Customer, has another value when the request is sent
 * again. It is learned from the two answers side by side, and put into every later request in the place of the old one.
 */

/** A shorter one would be found in amounts and dates. */
const SHORTEST = 8
const WORD = /[A-Za-z0-9_-]{8,}/g
const TIME = /^\d{4}-\d{2}-\d{2}(T|$)/

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
  readonly #traces = new Map<string, string>()

  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  /** A recorded text, with the values of today. */
  translated(text: string): string {
    return this.#now.size === 0 ? text : text.replace(WORD, (word) => this.#now.get(word) ?? word)
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
        if (!isAnswer && made && isNew && isUid(fieldIn(recorded, value)) && value.length >= SHORTEST)
          this.#is(value, `gone-${value}`)
      }
      if (typeof a === 'string' && typeof b === 'string' && this.#isGenerated(field, a, b)) this.#is(a, b)
    }
  }

  #is(recorded: string, today: string) {
    if (this.#now.has(recorded)) return
    this.#now.set(recorded, today)
    this.#taken.add(today)
  }

  #isGenerated(field: string, a: string, b: string): boolean {
    if (this.#now.has(a) || this.#given.has(a) || a.length < SHORTEST || TIME.test(a)) return false
    if (isUid(field)) return true
    return a !== b && /\d/.test(a) && !/[.\s]/.test(a) && formOf(a) === formOf(b)
  }
}

/** The trace id of a network is drawn as a uid is. */
const isUid = (field: string) => /(^|_)uids?$|^transfer_trace_id$/.test(field)
const isForm = (headers: HeaderList) =>
  headers.some(([name, value]) => name === 'content-type' && value.includes('x-www-form-urlencoded'))

/** Digits and letters, each of one kind. */
const formOf = (text: string) => text.replace(/\d/g, '0').replace(/[a-z]/gi, 'a')

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
