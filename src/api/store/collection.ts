import type { Uid } from '../contract/terms/primitives.ts'

/**
 * Records by uid, and for each Program a shelf: its records in order, and its indexes. A draft of a Program reaches
 * only its own shelf, so another Program's record cannot be found, not even by mistake.
 */

/** What every record has. `made` is its place in the order of making, given by the store. */
export interface Kept {
  uid: Uid
  program_uid: Uid
  readonly made: number
}

type Order<T> = (a: T, b: T) => number
export type Field<T> = keyof T & string

export interface Shape<T> {
  readonly indexes?: readonly Field<T>[]
  readonly order?: Order<T>
}

export class Collection<T extends Kept> {
  readonly #byUid = new Map<Uid, T>()
  readonly #shelves = new Map<Uid, Shelf<T>>()
  readonly #shape: Shape<T>

  constructor(shape: Shape<T>) {
    this.#shape = shape
  }

  get size(): number {
    return this.#byUid.size
  }

  /** The fields that records are looked up by. */
  get indexed(): readonly Field<T>[] {
    return this.#shape.indexes ?? []
  }

  get(uid: Uid): T | undefined {
    return this.#byUid.get(uid)
  }

  /** Puts `after` in the place of what has this uid now; undefined takes it away. Answers with what was there. */
  set(uid: Uid, after: T | undefined): T | undefined {
    const before = this.#byUid.get(uid)
    if (after) this.#byUid.set(uid, after)
    else this.#byUid.delete(uid)
    // After a rewind a uid may be that of another Program's record.
    const moves = before && after && before.program_uid !== after.program_uid
    if (before) this.shelf(before.program_uid).replace(before, moves ? undefined : after)
    if (after && (moves || !before)) this.shelf(after.program_uid).replace(undefined, after)
    return before
  }

  shelf(program_uid: Uid): Shelf<T> {
    let shelf = this.#shelves.get(program_uid)
    if (!shelf) {
      shelf = new Shelf(this.#shape)
      this.#shelves.set(program_uid, shelf)
    }
    return shelf
  }

  shelves(): Iterable<Shelf<T>> {
    return this.#shelves.values()
  }

  /** All records in the collection's order, over all Programs. */
  inOrder(): readonly T[] {
    const shelves = [...this.#shelves.values()].filter((shelf) => shelf.size > 0)
    if (shelves.length === 1) return shelves[0]!.inOrder()
    const order = this.#shape.order ?? madeOrder
    return shelves.flatMap((shelf) => [...shelf.inOrder()]).sort(order)
  }
}

const madeOrder: Order<Kept> = (a, b) => a.made - b.made

export class Shelf<T extends Kept> {
  readonly #all: Sorted<T>
  readonly #indexes = new Map<Field<T>, Map<string, Sorted<T>>>()
  readonly #order: Order<T>

  constructor(shape: Shape<T>) {
    this.#order = shape.order ?? madeOrder
    this.#all = new Sorted(this.#order)
    for (const field of shape.indexes ?? []) this.#indexes.set(field, new Map())
  }

  get size(): number {
    return this.#all.items.length
  }

  inOrder(): readonly T[] {
    return this.#all.items
  }

  /** Case ignored, as filters are; whoever needs the exact value looks again. */
  having(field: string, value: string): readonly T[] | undefined {
    return (
      this.#indexes.get(field as Field<T>)?.get(value.toLowerCase())?.items ?? (this.indexed(field) ? [] : undefined)
    )
  }

  indexed(field: string): boolean {
    return this.#indexes.has(field as Field<T>)
  }

  replace(before: T | undefined, after: T | undefined) {
    this.#all.replace(before, after)
    for (const [field, buckets] of this.#indexes) {
      const was = before ? keys(before[field]) : []
      const is = after ? keys(after[field]) : []
      for (const key of new Set([...was, ...is])) {
        const bucket = buckets.get(key) ?? new Sorted<T>(this.#order)
        bucket.replace(was.includes(key) ? before : undefined, is.includes(key) ? after : undefined)
        if (bucket.items.length > 0) buckets.set(key, bucket)
        else buckets.delete(key)
      }
    }
  }
}

function keys(value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()]
  return Array.isArray(value) ? value.flatMap(keys) : []
}

/**
 * An array that stays in order. Additions at the end, which is nearly all of them, cost nothing. While a world is put in
 * the place of another, two records may hold one place for a moment, so an item is found by what it is.
 */
class Sorted<T> {
  readonly items: T[] = []
  readonly #order: Order<T>

  constructor(order: Order<T>) {
    this.#order = order
  }

  replace(before: T | undefined, after: T | undefined) {
    if (before && after && this.#order(before, after) === 0) {
      this.items[this.#find(before)] = after
      return
    }
    if (before) this.items.splice(this.#find(before), 1)
    if (after) this.#add(after)
  }

  #add(item: T) {
    const last = this.items.at(-1)
    if (last === undefined || this.#order(last, item) < 0) this.items.push(item)
    else this.items.splice(this.#place(item), 0, item)
  }

  #find(item: T): number {
    const at = this.items.indexOf(item, this.#place(item))
    if (at < 0) throw new Error('A record is not in its place')
    return at
  }

  /** The first place whose item is not before this one. */
  #place(item: T): number {
    let low = 0
    let high = this.items.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#order(this.items[middle]!, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
