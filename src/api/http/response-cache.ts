import type { Program } from '../contract/resources/programs.ts'
import type { Endpoint, Schema } from '../contract/terms/endpoint.ts'
import { leaveOutNulls } from '../contract/terms/fields.ts'
import { itemSchemaOf } from '../contract/terms/list.ts'
import type { AddDerived } from '../domain/rules/derived.ts'
import { areEqual } from '../store/equal.ts'
import type { StoredRecord } from '../store/world.ts'
import type { Redaction } from './redact.ts'

interface ResponseText {
  readonly text: string
  /** For the request log: without secrets. */
  readonly logged: string
}

/**
 * Response texts, validated by the schema of their endpoint. A record that looks as it did in an earlier response gets
 * the text of that response; it is compared, because derived fields may depend on the time and on other records.
 *
 * Saves 30 % of GET 20 Transactions and 18 % of GET one Customer (docs/performance.md).
 */
export class ResponseCache {
  /** By response schema and uid, the oldest first. */
  readonly #printed = new Map<Schema, Map<unknown, Printed>>()
  readonly #withDerived = new Map<StoredRecord, object>()
  readonly #redaction: Pick<Redaction, 'keys' | 'redactText'>
  readonly #perSchema: number
  #keys: readonly string[] = []

  constructor(redaction: Pick<Redaction, 'keys' | 'redactText'>, perSchema = PER_SCHEMA) {
    this.#redaction = redaction
    this.#perSchema = perSchema
  }

  /** The text of a response, empty for undefined. Throws if the endpoint does not declare this value. */
  print({ response }: Pick<Endpoint, 'response'>, value: unknown, { shows_nulls }: ShownForm): ResponseText {
    this.#forgetAfterNewKeys()
    const item = itemSchemaOf(response)
    if (item === undefined) return this.#printOne(response, value, shows_nulls)
    const page = value as { readonly data: readonly unknown[] }
    const envelope = this.#printOne(response, { ...page, data: [] }, shows_nulls)
    const parts = [envelope, ...page.data.map((it) => this.#printOne(item, it, shows_nulls))]
    const text = joinPage(parts.map((part) => part.text))
    const isClean = parts.every((part) => part.logged === part.text)
    return { text, logged: isClean ? text : joinPage(parts.map((part) => part.logged)) }
  }

  /**
   * Returns the same object for the same record and equal derived fields, so that `print` recognizes it without looking
   * at its fields. Saves another 32 % of GET 20 Transactions.
   */
  addDerived: AddDerived = <R extends StoredRecord, D extends object>(record: R, derived: D): Omit<R, keyof D> & D => {
    const known = this.#withDerived.get(record) as (Omit<R, keyof D> & D) | undefined
    if (known && hasFields(known, derived)) return known
    const shown = Object.assign({}, record, derived)
    if (this.#withDerived.size >= MAX_WITH_DERIVED) this.#withDerived.clear()
    this.#withDerived.set(record, shown)
    return shown
  }

  #printOne(schema: Schema, value: unknown, shows_nulls: boolean): ResponseText {
    const uid = (value as { readonly uid?: unknown } | undefined)?.uid
    const printed = this.#printedFor(schema)
    const known = printed.get(uid)
    if (known?.shows_nulls === shows_nulls && areEqual(known.value, value)) return known
    const shown = schema.parse(value)
    const text = JSON.stringify(shows_nulls ? shown : leaveOutNulls(schema, shown)) ?? ''
    if (!known && printed.size >= this.#perSchema) printed.delete(printed.keys().next().value)
    const result = { value, shows_nulls, text, logged: this.#redaction.redactText(text) }
    printed.set(uid, result)
    return result
  }

  /** A text may hold a key that was created later. After another world is loaded, numbers are sealed anew. */
  #forgetAfterNewKeys() {
    const { keys } = this.#redaction
    if (keys !== this.#keys) this.#printed.clear()
    this.#keys = keys
  }

  #printedFor(schema: Schema): Map<unknown, Printed> {
    let printed = this.#printed.get(schema)
    if (!printed) this.#printed.set(schema, (printed = new Map()))
    return printed
  }
}

const joinPage = ([envelope, ...items]: readonly string[]) =>
  envelope!.replace('"data":[]', () => `"data":[${items.join()}]`)

function hasFields<D extends object>(known: D, derived: D): boolean {
  for (const field in derived) if (!areEqual(known[field], derived[field])) return false
  return true
}

type ShownForm = Pick<Program, 'shows_nulls'>

interface Printed extends ResponseText, ShownForm {
  readonly value: unknown
}

/** Some megabytes over all schemas. */
const PER_SCHEMA = 1_000
const MAX_WITH_DERIVED = 2_000
