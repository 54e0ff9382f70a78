import { type Bucket, indexKeys } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'

/**
 * Records by uid, and for each Program a shelf: its records in order, and its indexes. A draft of a Program reaches
 * only its own shelf, so another Program's record cannot be found, not even by mistake.
 */

/** What every record has. `made` is its place in the order of making, given by the store. */
export interface StoredRecord {
  uid: Uid
  program_uid: Uid
  readonly made: number
}

type Order<T> = (a: T, b: T) => number
export type Field<T> = keyof T & string

export interface Shape<T> {
  readonly indexes?: readonly Field<T>[]
  readonly order?: Order<T>
  /** What lists leave out unless they are asked: it is counted, so that a page need not look for it. */
  readonly aside?: ((record: T) => boolean) | undefined
}

export class Collection<T extends StoredRecord> {
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

  /** Records in their order, as a file holds them. */
  fill(records: readonly T[]) {
    let shelf: Shelf<T> | undefined
    let of: Uid | undefined
    for (const record of records) {
      const { uid, program_uid } = record
      if (this.#byUid.has(uid)) this.set(uid, record)
      else {
        this.#byUid.set(uid, record)
        if (program_uid !== of || !shelf) shelf = this.shelf((of = program_uid))
        shelf.replace(undefined, record)
      }
    }
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

const madeOrder: Order<StoredRecord> = (a, b) => a.made - b.made

export class Shelf<T extends StoredRecord> {
  readonly #all: Sorted<T>
  /** An index is made when somebody first looks by it: a large world opens without, and most need few of them. */
  readonly #indexes = new Map<Field<T>, Index<T>>()
  readonly #shape: Shape<T>

  constructor(shape: Shape<T>) {
    this.#shape = shape
    this.#all = new Sorted(shape)
  }

  get size(): number {
    return this.#all.items.length
  }

  inOrder(): readonly T[] {
    return this.#all.items
  }

  /** Case ignored, as filters are; whoever needs the exact value looks again. */
  having(field: string, value: string): readonly T[] | undefined {
    return this.bucket(field, value)?.items
  }

  /** Of everything, or of what has this value, case ignored; undefined without an index on the field. */
  bucket(field?: string, value = ''): Bucket<T> | undefined {
    if (field === undefined) return this.#all
    const index = this.#index(field as Field<T>)
    return index && (index.get(value.toLowerCase()) ?? NOTHING)
  }

  replace(before: T | undefined, after: T | undefined) {
    this.#all.replace(before, after)
    for (const [field, index] of this.#indexes)
      this.#move(index, indexKeys(before?.[field]), before, indexKeys(after?.[field]), after)
  }

  #index(field: Field<T>): Index<T> | undefined {
    const known = this.#indexes.get(field)
    if (known || !this.#shape.indexes?.includes(field)) return known
    const index: Index<T> = new Map()
    for (const item of this.#all.items) this.#move(index, indexKeys(undefined), undefined, indexKeys(item[field]), item)
    this.#indexes.set(field, index)
    return index
  }

  #move(index: Index<T>, was: readonly string[], before: T | undefined, is: readonly string[], after: T | undefined) {
    for (const key of was) this.#put(index, key, before, is.includes(key) ? after : undefined)
    for (const key of is) if (!was.includes(key)) this.#put(index, key, undefined, after)
  }

  #put(index: Index<T>, key: string, before: T | undefined, after: T | undefined) {
    const bucket = index.get(key)
    if (!bucket) {
      if (after) index.set(key, new Sorted(this.#shape, after))
      return
    }
    bucket.replace(before, after)
    if (bucket.items.length === 0) index.delete(key)
  }
}

type Index<T extends StoredRecord> = Map<string, Sorted<T>>

const NOTHING: Bucket<never> = { items: [], aside: 0 }

/**
 * An array that stays in order. Additions at the end, which is nearly all of them, cost nothing. While a world is put in
 * the place of another, two records may hold one place for a moment, so an item is found by what it is.
 */
class Sorted<T extends StoredRecord> implements Bucket<T> {
  readonly items: T[]
  aside: number
  readonly #shape: Shape<T>

  /** Most buckets never hold more than one record: an array that is made with it takes no room for others. */
  constructor(shape: Shape<T>, first?: T) {
    this.#shape = shape
    this.items = first ? [first] : []
    this.aside = this.#isAside(first)
  }

  replace(before: T | undefined, after: T | undefined) {
    if (this.#shape.aside) this.aside += this.#isAside(after) - this.#isAside(before)
    if (before && after && this.#order(before, after) === 0) {
      this.items[this.#find(before)] = after
      return
    }
    if (before) this.#take(this.#find(before))
    if (after) this.#add(after)
  }

  /** What falls due leaves at the front: a shift moves nothing. */
  #take(at: number) {
    if (at === 0) this.items.shift()
    else this.items.splice(at, 1)
  }

  get #order(): Order<T> {
    return this.#shape.order ?? madeOrder
  }

  #isAside(item: T | undefined): number {
    return item && this.#shape.aside?.(item) ? 1 : 0
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
