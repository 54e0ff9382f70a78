import { type Bucket, indexKeys } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { Digest } from './digest.ts'
import type { Slice } from './record-slices.ts'
import { SharedMap } from './shared-map.ts'
import { createSortedRecords, differencesOf, type Order, type Owner, type SortedRecords } from './sorted-records.ts'
import { inSlices, runToEnd, type Steps } from './steps.ts'

/**
 * Records by uid, and for each Program a shelf: its records in order, and its indexes. A draft of a Program uses only that
 * shelf, so it cannot find records of other Programs.
 *
 * A fork shares all of it. What a collection or its fork writes to, it copies first: a part of a map, or a chunk of a list.
 */

/** The fields of every record. `made` is its position in the order of creation, assigned by the store. */
export interface StoredRecord {
  uid: Uid
  program_uid: Uid
  readonly made: number
}

export type Field<T> = keyof T & string

interface CollectionOptions<T> {
  /** Part of the digest: the same record in another collection is another one. */
  readonly name?: string
  readonly indexes?: readonly Field<T>[]
  readonly order?: Order<T>
  /** What lists leave out by default. It is counted, so that a page need not look for it. */
  readonly aside?: ((record: T) => boolean) | undefined
}

export class Collection<T extends StoredRecord> {
  readonly #byUid: SharedMap<T>
  readonly #shelves: Map<Uid, Shelf<T>>
  readonly #shape: CollectionOptions<T>
  readonly #name: string
  readonly #digest: Digest

  constructor(
    shape: CollectionOptions<T>,
    byUid: SharedMap<T> = new SharedMap(),
    shelves: readonly (readonly [Uid, Shelf<T>])[] = [],
    digest = new Digest(),
  ) {
    this.#shape = shape
    this.#name = shape.name ?? ''
    this.#byUid = byUid
    this.#shelves = new Map(shelves)
    this.#digest = digest
  }

  /** The same records: later changes of either collection are not seen in the other. Costs the same however many there are. */
  fork(): Collection<T> {
    const shelves = [...this.#shelves].map(([program_uid, shelf]) => [program_uid, shelf.fork()] as const)
    return new Collection(this.#shape, this.#byUid.fork(), shelves, this.#digest.copy())
  }

  /** Of its records as they are now. */
  get digest(): Readonly<Digest> {
    return this.#digest
  }

  get size(): number {
    return this.#byUid.size
  }

  get order(): Order<T> {
    return this.#shape.order ?? madeOrder
  }

  get indexedFields(): readonly Field<T>[] {
    return this.#shape.indexes ?? []
  }

  get(uid: Uid): T | undefined {
    return this.#byUid.get(uid)
  }

  /** Replaces the record of this uid; undefined removes it. Returns the record before. */
  set(uid: Uid, after: T | undefined): T | undefined {
    const before = this.#byUid.get(uid)
    if (after) this.#byUid.set(uid, after)
    else this.#byUid.delete(uid)
    this.#digest.addChange(this.#name, before, after)
    // After a rewind, a uid may belong to another Program.
    const changesShelf = before && after && before.program_uid !== after.program_uid
    if (before) this.shelf(before.program_uid).update(before, changesShelf ? undefined : after)
    if (after && (changesShelf || !before)) this.shelf(after.program_uid).update(undefined, after)
    return before
  }

  /** Adds many records in their order. `slice`: they are its records. */
  load(records: readonly T[], slice?: Slice) {
    if (slice) this.#digest.addSlice(slice)
    let shelf: Shelf<T> | undefined
    let shelfOf: Uid | undefined
    for (const record of records) {
      const { uid, program_uid } = record
      if (this.#byUid.get(uid)) this.set(uid, record)
      else {
        this.#byUid.set(uid, record)
        if (!slice) this.#digest.addChange(this.#name, undefined, record)
        if (program_uid !== shelfOf || !shelf) shelf = this.shelf((shelfOf = program_uid))
        shelf.update(undefined, record)
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

  /** All records in the collection's order, over all Programs. The array may change with the records. */
  inOrder(): readonly T[] {
    const shelves = [...this.#shelves.values()].filter((shelf) => shelf.size > 0)
    if (shelves.length === 1) return shelves[0]!.inOrder()
    return shelves.flatMap((shelf) => [...shelf.inOrder()]).sort(this.order)
  }
}

const madeOrder: Order<StoredRecord> = (a, b) => a.made - b.made

/** A collection without the methods that change it. */
export interface ReadCollection<T extends StoredRecord>
  extends Pick<Collection<T>, 'size' | 'indexedFields' | 'get' | 'inOrder'> {
  shelf(program_uid: Uid): ReadShelf<T>
  shelves(): Iterable<ReadShelf<T>>
}
type ReadShelf<T extends StoredRecord> = Pick<
  Shelf<T>,
  'size' | 'inOrder' | 'oldestFirst' | 'findByIndex' | 'bucket' | 'buildIndex'
>

/** An index that a transaction needs is not built, and building it at once would take long: run the steps, and try again. */
export class IndexMissing extends Error {
  override name = 'IndexMissing'
  readonly build: () => Steps<void>

  constructor(build: () => Steps<void>) {
    super('An index is not built yet')
    this.build = build
  }
}

/** Building an index of fewer records takes a few milliseconds. */
const MANY_RECORDS = 5_000

export class Shelf<T extends StoredRecord> {
  readonly #shape: CollectionOptions<T>
  /** Lists with this mark belong to this shelf alone. */
  #owner: Owner<T>
  #all: SortedRecords<T>
  /** An index is built on first use: a large world opens without any, and most indexes are never used. */
  readonly #indexes: Map<Field<T>, Index<T>>
  readonly #unfinished = new Map<Field<T>, UnfinishedIndex<T>>()
  /** What a large shelf was forked from. It stays in memory only if something else uses it. */
  readonly #origin: WeakRef<Shelf<T>> | undefined

  constructor(
    shape: CollectionOptions<T>,
    all?: SortedRecords<T>,
    indexes?: Map<Field<T>, Index<T>>,
    origin?: WeakRef<Shelf<T>>,
  ) {
    this.#shape = shape
    this.#origin = origin
    this.#owner = createOwner(shape)
    this.#all = all ?? createSortedRecords(this.#owner)
    this.#indexes = indexes ?? new Map()
  }

  /** An index that is not finished yet is not shared. */
  fork(): Shelf<T> {
    this.#owner = createOwner(this.#shape)
    const indexes = [...this.#indexes].map(([field, index]) => [field, index.fork()] as const)
    const reference = this.size > MANY_RECORDS ? new WeakRef(this) : undefined
    return new Shelf(this.#shape, this.#all, new Map(indexes), reference)
  }

  get size(): number {
    return this.#all.size
  }

  /** The array may change with the records; of many records it is a copy. */
  inOrder(): readonly T[] {
    return this.#all.items()
  }

  oldestFirst(): Iterable<T> {
    return this.#all.oldestFirst()
  }

  newestFirst(): Iterable<T> {
    return this.#all.newestFirst()
  }

  /** Ignores case, as filters do; callers that need the exact value compare again. */
  findByIndex(field: string, value: string): readonly T[] | undefined {
    return this.#list(field, value)?.items()
  }

  /** All records, or those with this value, case ignored; undefined if the field has no index. */
  bucket(field?: string, value = ''): Bucket<T> | undefined {
    return field === undefined ? this.#all : this.#list(field, value)
  }

  #list(field: string, value: string): SortedRecords<T> | undefined {
    const index = this.#index(field as Field<T>)
    return index && (index.get(value.toLowerCase()) ?? createSortedRecords(this.#owner))
  }

  update(before: T | undefined, after: T | undefined) {
    this.#all = this.#all.replace(this.#owner, before, after)
    for (const [field, index] of this.#indexes) this.#updateIndex(index, field, before, after)
    for (const { changes } of this.#unfinished.values()) changes.push([before, after])
  }

  /** Throws if the first use of this index would take long. */
  requireIndex(field: string) {
    const isMissing = !this.#indexes.has(field as Field<T>) && this.#shape.indexes?.includes(field as Field<T>)
    if (isMissing && this.size > MANY_RECORDS) throw new IndexMissing(() => this.buildIndex(field))
  }

  /**
   * Does nothing if the field has no index, or if it is built already. A large one is built in what the shelf was forked from, so that
   * the next forks have it, too.
   */
  *buildIndex(name: string): Steps<void> {
    const field = name as Field<T>
    if (this.#indexes.has(field) || !this.#shape.indexes?.includes(field)) return
    const origin = this.#origin?.deref()
    if (origin) {
      yield* origin.buildIndex(field)
      if (this.#takeIndex(field, origin)) return
    }
    let unfinished = this.#unfinished.get(field)
    if (!unfinished) {
      // A copy: the records may change meanwhile.
      unfinished = {
        index: new SharedMap(),
        parts: inSlices(this.#all.items().slice())[Symbol.iterator](),
        changes: [],
      }
      this.#unfinished.set(field, unfinished)
    }
    // Another caller may finish it.
    while (this.#unfinished.get(field) === unfinished && !this.#continueIndex(field, unfinished)) yield 0
  }

  /** False if the records differ so much that it is built from them. */
  #takeIndex(field: Field<T>, origin: Shelf<T>): boolean {
    const differences = differencesOf(origin.#all, this.#all)
    if (!differences) return false
    origin.#owner = createOwner(this.#shape)
    const index = origin.#indexes.get(field)!.fork()
    for (const item of differences.removed) this.#updateIndex(index, field, item, undefined)
    for (const item of differences.added) this.#updateIndex(index, field, undefined, item)
    this.#indexes.set(field, index)
    return true
  }

  /** Returns whether the index is finished. */
  #continueIndex(field: Field<T>, { index, parts, changes }: UnfinishedIndex<T>): boolean {
    const part = parts.next()
    if (!part.done) {
      for (const item of part.value) this.#updateIndex(index, field, undefined, item)
      return false
    }
    for (const [before, after] of changes) this.#updateIndex(index, field, before, after)
    this.#unfinished.delete(field)
    this.#indexes.set(field, index)
    return true
  }

  #index(field: Field<T>): Index<T> | undefined {
    if (!this.#indexes.has(field)) runToEnd(this.buildIndex(field))
    return this.#indexes.get(field)
  }

  #updateIndex(index: Index<T>, field: Field<T>, before: T | undefined, after: T | undefined) {
    const keysBefore = indexKeys(before?.[field])
    const keysAfter = indexKeys(after?.[field])
    for (const key of keysBefore) this.#updateBucket(index, key, before, keysAfter.includes(key) ? after : undefined)
    for (const key of keysAfter) if (!keysBefore.includes(key)) this.#updateBucket(index, key, undefined, after)
  }

  #updateBucket(index: Index<T>, key: string, before: T | undefined, after: T | undefined) {
    const bucket = index.get(key)
    if (!bucket) {
      if (after) index.set(key, createSortedRecords(this.#owner, after))
      return
    }
    const changed = bucket.replace(this.#owner, before, after)
    if (changed.size === 0) index.delete(key)
    else if (changed !== bucket) index.set(key, changed)
  }
}

type Index<T extends StoredRecord> = SharedMap<SortedRecords<T>>

interface UnfinishedIndex<T extends StoredRecord> {
  readonly index: Index<T>
  /** The records that it does not hold yet. */
  readonly parts: Iterator<readonly T[]>
  /** What has changed since it was begun, for when it holds all of them. */
  readonly changes: (readonly [before: T | undefined, after: T | undefined])[]
}

const createOwner = <T extends StoredRecord>({ order = madeOrder, aside }: CollectionOptions<T>): Owner<T> => ({
  order,
  aside,
})
