import type { Uid } from '../contract/terms/primitives.ts'
import type { CollectionName } from './world.ts'

/** Names a record. A uid alone does not: after a reset or an import it may belong to another collection. */
export interface RecordKey {
  readonly collection: CollectionName
  readonly uid: Uid
}

/** One value for each record. */
export class RecordMap<T> {
  readonly #collections = new Map<CollectionName, Map<Uid, T>>()

  get size(): number {
    let size = 0
    for (const { size: own } of this.#collections.values()) size += own
    return size
  }

  get({ collection, uid }: RecordKey): T | undefined {
    return this.#collections.get(collection)?.get(uid)
  }

  has({ collection, uid }: RecordKey): boolean {
    return this.#collections.get(collection)?.has(uid) ?? false
  }

  set({ collection, uid }: RecordKey, value: T) {
    let own = this.#collections.get(collection)
    if (!own) this.#collections.set(collection, (own = new Map()))
    own.set(uid, value)
  }

  delete({ collection, uid }: RecordKey) {
    this.#collections.get(collection)?.delete(uid)
  }

  /** Removes all values. */
  take(): readonly T[] {
    const values = [...this.values()]
    this.#collections.clear()
    return values
  }

  byCollection(): Iterable<readonly [CollectionName, ReadonlyMap<Uid, T>]> {
    return this.#collections
  }

  *values(): Iterable<T> {
    for (const own of this.#collections.values()) yield* own.values()
  }
}
