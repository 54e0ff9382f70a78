import type { Endpoint, Schema } from '../contract/terms/endpoint.ts'
import { itemOf } from '../contract/terms/list.ts'

/**
 * Answers as text, proved by their schema. To prove and to print a record costs more than all else of reading it, so a
 * record that is shown as it was shown last is answered with the text of then. What is shown may depend on the time and
 * on other records; it is compared, not guessed.
 */
export class ResponseCache {
  /** By endpoint and uid, the eldest first. */
  readonly #kept = new Map<Schema, Map<unknown, Kept>>()
  readonly #most: number

  constructor(most = MOST) {
    this.#most = most
  }

  /** The text of an answer, empty for one that says nothing. Throws when it is not what the endpoint declares. */
  print({ response }: Pick<Endpoint, 'response'>, value: unknown): string {
    const item = itemOf(response)
    if (item === undefined) return this.#one(response, value)
    const page = value as { readonly data: readonly unknown[] }
    const around = JSON.stringify(response.parse({ ...page, data: [] }))
    return around.replace('"data":[]', () => `"data":[${page.data.map((record) => this.#one(item, record)).join()}]`)
  }

  #one(schema: Schema, shown: unknown): string {
    const uid = (shown as { readonly uid?: unknown } | undefined)?.uid
    const kept = this.#of(schema)
    const known = kept.get(uid)
    if (known && isSame(known.shown, shown)) return known.text
    const text = JSON.stringify(schema.parse(shown)) ?? ''
    if (uid === undefined) return text
    if (!known && kept.size >= this.#most) kept.delete(kept.keys().next().value)
    kept.set(uid, { shown, text })
    return text
  }

  #of(schema: Schema): Map<unknown, Kept> {
    let kept = this.#kept.get(schema)
    if (!kept) this.#kept.set(schema, (kept = new Map()))
    return kept
  }
}

interface Kept {
  readonly shown: unknown
  readonly text: string
}

/** Of each kind, some megabytes in all. */
const MOST = 1_000

/** Records hold what JSON holds, and share what did not change. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  let more = 0
  for (const _ in other) more++
  for (const name in one) {
    more--
    const value = (one as Tree)[name]
    // Where another name took the place of one that says nothing, there are as many.
    if (!isSame(value, (other as Tree)[name]) || (value === undefined && !Object.hasOwn(other, name))) return false
  }
  return more === 0 && Array.isArray(one) === Array.isArray(other)
}

type Tree = Readonly<Record<string, unknown>>
