import type { Bucket } from '../contract/terms/list.ts'

/** Records in order, as lists that a fork shares: a list is copied at the first write of one that does not own it. */

export type Order<T> = (a: T, b: T) => number

/** Marks the lists of a shelf until it is forked. */
export interface Owner<T> {
  readonly order: Order<T>
  /** What is counted as hidden. */
  readonly aside: ((record: T) => boolean) | undefined
}

export interface SortedRecords<T> extends Bucket<T> {
  /** All of them, oldest first. The array may change with the list. */
  items(): readonly T[]
  oldestFirst(): Iterable<T>
  /** All of them in arrays, which lists share until one of them changes them. */
  parts(): readonly (readonly T[])[]
  /** Changes this list if it belongs to the owner; otherwise returns a copy with the change. */
  replace(owner: Owner<T>, before: T | undefined, after: T | undefined): SortedRecords<T>
}

export const createSortedRecords = <T>(owner: Owner<T>, first?: T): SortedRecords<T> =>
  new FewRecords(owner, first === undefined ? [] : [first], countHidden(owner, first))

/** Comparing as many takes a few milliseconds. */
const MAX_COMPARED = 20_000

/** What leads from one list to another, if it is in few parts: those that they share are not read. */
export function differencesOf<T>(from: SortedRecords<T>, to: SortedRecords<T>) {
  const [before, after] = [unsharedOf(from, to), unsharedOf(to, from)]
  if (before.length + after.length > MAX_COMPARED) return undefined
  const [had, has] = [new Set(before), new Set(after)]
  return { removed: before.filter((item) => !has.has(item)), added: after.filter((item) => !had.has(item)) }
}

function unsharedOf<T>(list: SortedRecords<T>, other: SortedRecords<T>): readonly T[] {
  const shared = new Set(other.parts())
  return list.parts().flatMap((part) => (shared.has(part) ? [] : part))
}

/** More than this are kept in chunks, so that a fork copies only the chunk to which it writes. */
const MAX_FEW = 2_048
const CHUNK = 1_024

const countHidden = <T>({ aside }: Owner<T>, item: T | undefined): number =>
  item !== undefined && aside?.(item) ? 1 : 0

/** Most indexes have a list of one record for most values, so it is small: an array created with it has no room for others. */
class FewRecords<T> implements SortedRecords<T> {
  readonly #owner: Owner<T>
  readonly #items: T[]
  hiddenCount: number

  constructor(owner: Owner<T>, items: T[], hiddenCount: number) {
    this.#owner = owner
    this.#items = items
    this.hiddenCount = hiddenCount
  }

  get size(): number {
    return this.#items.length
  }

  items(): readonly T[] {
    return this.#items
  }

  oldestFirst(): Iterable<T> {
    return this.#items
  }

  parts(): readonly (readonly T[])[] {
    return [this.#items]
  }

  *newestFirst(): Iterable<T> {
    for (let i = this.#items.length - 1; i >= 0; i--) yield this.#items[i]!
  }

  replace(owner: Owner<T>, before: T | undefined, after: T | undefined): SortedRecords<T> {
    const own = this.#owner === owner ? this : new FewRecords(owner, this.#items.slice(), this.hiddenCount)
    own.#replace(before, after)
    return own.#items.length > MAX_FEW ? ManyRecords.of(owner, own.#items, own.hiddenCount) : own
  }

  #replace(before: T | undefined, after: T | undefined) {
    const { order, aside } = this.#owner
    if (aside) this.hiddenCount += countHidden(this.#owner, after) - countHidden(this.#owner, before)
    if (before !== undefined) {
      const at = findItem(this.#items, before, order)
      if (at < 0) throw missingRecord()
      if (after !== undefined && order(before, after) === 0) {
        this.#items[at] = after
        return
      }
      removeAt(this.#items, at)
    }
    if (after !== undefined) insert(this.#items, after, order)
  }
}

interface Chunk<T> {
  readonly owner: Owner<T>
  readonly items: T[]
}

class ManyRecords<T> implements SortedRecords<T> {
  readonly #owner: Owner<T>
  /** In order. None is empty. */
  readonly #chunks: Chunk<T>[]
  size: number
  hiddenCount: number

  private constructor(owner: Owner<T>, chunks: Chunk<T>[], size: number, hiddenCount: number) {
    this.#owner = owner
    this.#chunks = chunks
    this.size = size
    this.hiddenCount = hiddenCount
  }

  static of<T>(owner: Owner<T>, items: readonly T[], hiddenCount: number): ManyRecords<T> {
    const chunks: Chunk<T>[] = []
    for (let from = 0; from < items.length; from += CHUNK)
      chunks.push({ owner, items: items.slice(from, from + CHUNK) })
    return new ManyRecords(owner, chunks, items.length, hiddenCount)
  }

  items(): readonly T[] {
    const none: T[] = []
    return none.concat(...this.parts())
  }

  *oldestFirst(): Iterable<T> {
    for (const { items } of this.#chunks) yield* items
  }

  parts(): readonly (readonly T[])[] {
    return this.#chunks.map(({ items }) => items)
  }

  /** A caller may remove what it got. */
  *newestFirst(): Iterable<T> {
    for (let c = this.#chunks.length - 1; c >= 0; c--)
      for (let i = this.#chunks[c]!.items.length - 1; i >= 0; i--) {
        const item = this.#chunks[c]?.items[i]
        if (item !== undefined) yield item
      }
  }

  replace(owner: Owner<T>, before: T | undefined, after: T | undefined): SortedRecords<T> {
    const own = this.#owner === owner ? this : new ManyRecords(owner, this.#chunks.slice(), this.size, this.hiddenCount)
    own.#replace(before, after)
    return own
  }

  #replace(before: T | undefined, after: T | undefined) {
    const { order, aside } = this.#owner
    if (aside) this.hiddenCount += countHidden(this.#owner, after) - countHidden(this.#owner, before)
    if (before !== undefined) {
      const [chunk, at] = this.#find(before)
      if (after !== undefined && order(before, after) === 0) {
        this.#ownChunk(chunk)[at] = after
        return
      }
      this.#removeAt(chunk, at)
    }
    if (after !== undefined) this.#add(after)
  }

  #removeAt(chunk: number, at: number) {
    this.size--
    if (this.#chunks[chunk]!.items.length === 1) this.#chunks.splice(chunk, 1)
    else removeAt(this.#ownChunk(chunk), at)
  }

  #add(item: T) {
    this.size++
    const owner = this.#owner
    const chunk = this.#chunkOf(item)
    if (chunk === this.#chunks.length) {
      const last = this.#chunks.at(-1)
      if (last && last.items.length < CHUNK) this.#ownChunk(chunk - 1).push(item)
      else this.#chunks.push({ owner, items: [item] })
      return
    }
    const items = this.#ownChunk(chunk)
    insert(items, item, owner.order)
    if (items.length >= 2 * CHUNK) this.#chunks.splice(chunk + 1, 0, { owner, items: items.splice(CHUNK) })
  }

  #find(item: T): readonly [chunk: number, at: number] {
    for (let chunk = this.#chunkOf(item); chunk < this.#chunks.length; chunk++) {
      const at = findItem(this.#chunks[chunk]!.items, item, this.#owner.order)
      if (at >= 0) return [chunk, at]
    }
    throw missingRecord()
  }

  /** The first chunk that does not end before this record. */
  #chunkOf(item: T): number {
    const { order } = this.#owner
    const last = this.#chunks.at(-1)
    if (!last || order(last.items.at(-1)!, item) < 0) return this.#chunks.length
    return firstAt(this.#chunks, ({ items }) => order(items.at(-1)!, item) >= 0)
  }

  #ownChunk(at: number): T[] {
    const { owner, items } = this.#chunks[at]!
    if (owner === this.#owner) return items
    const own = items.slice()
    this.#chunks[at] = { owner: this.#owner, items: own }
    return own
  }
}

/** Tasks leave at the front, where shift() is cheap. */
function removeAt<T>(items: T[], at: number) {
  if (at === 0) items.shift()
  else items.splice(at, 1)
}

/** Nearly all additions are at the end and cost nothing. */
function insert<T>(items: T[], item: T, order: Order<T>) {
  const last = items.at(-1)
  if (last === undefined || order(last, item) < 0) items.push(item)
  else items.splice(positionOf(items, item, order), 0, item)
}

/**
 * While another world is put in place, two records may have the same position for a moment, so records are found by identity. -1 if it
 * is not there.
 */
const findItem = <T>(items: readonly T[], item: T, order: Order<T>): number =>
  items.indexOf(item, positionOf(items, item, order))

/** The position of the first record that is not before this one. */
const positionOf = <T>(items: readonly T[], item: T, order: Order<T>): number =>
  firstAt(items, (other) => order(other, item) >= 0)

/** The first position where the test holds. It then holds for all that follow. */
function firstAt<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(items[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

const missingRecord = () => new Error('A record is missing from its sorted position')
