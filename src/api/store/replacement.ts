import type { Cause } from '../contract/control/history.ts'
import type { Change, Commit, Correction, WorldDiff } from './commit.ts'
import { collectionsAfter, differences, inParts, RECORDS_PER_STEP } from './copies.ts'
import { areEqual } from './equal.ts'
import { checkedDiffBackTo } from './history.ts'
import { type RecordKey, RecordMap } from './record-map.ts'
import { ReplacementWriter } from './replacement-file.ts'
import { asSubsteps, type Steps, withoutCount } from './steps.ts'
import type { ImportedHistory, Store } from './store.ts'
import { type Collections, collectionOf, digestOf, forkCollections, type StoredRecord, type World } from './world.ts'

/**
 * Puts another world in place of the current one. First its books are proved, then the differences are written, in steps between which
 * requests go on. What these change is corrected. The last step swaps the records and appends a short commit.
 */

/** So many changes are saved in the line of the commit; more have a file of their own. */
export const MAX_CHANGES_IN_COMMIT = 1_000
/** Requests may change records while corrections are written, so the last ones are written with the commit. */
const MAX_CORRECTIONS_AT_END = 200
const MAX_CORRECTION_ROUNDS = 20

export interface NextWorld extends Omit<WorldDiff, 'changes'> {
  /** They become the records of the store, so no other world may use them. */
  readonly collections: Collections
}

/** Another world as it is: `seq` is the commit that the world then continues from. */
export const nextWorldOf = (world: World): NextWorld => {
  const { seq, seed, start, clock, counters, collections } = world
  return { seq, origin: { seed, start }, clock, counters, collections, digest: `${digestOf(world)}` }
}

/** Throws if the books of a world do not balance. */
export type ProveBooks = (world: World) => Steps<void>

/** `imported` is called in the last step. Returns the number of changed records. */
export function* replaceWorldInSteps(
  store: Store,
  cause: Cause,
  next: NextWorld,
  proveBooks: ProveBooks,
  imported?: () => ImportedHistory,
): Steps<number> {
  const { collections, ...about } = next
  yield* withoutCount(asSubsteps(proveBooks({ ...next, ...next.origin })))
  const current = forkCollections(store.world.collections)
  const touched = new TouchedRecords(store)
  const changes = new ReplacingChanges(store, current, collections)
  try {
    for (const part of differences(current, collections)) {
      changes.add(part)
      yield RECORDS_PER_STEP
    }
    for (let round = 0; round < MAX_CORRECTION_ROUNDS && touched.size > MAX_CORRECTIONS_AT_END; round++)
      for (const part of inParts(touched.take())) {
        changes.correct(part)
        yield 0
      }
    yield 'last'
    changes.correct(touched.take())
    const replaced = changes.finish()
    store.replaceCollections(cause, about, collections, replaced, imported?.())
    changes.adopt()
    return countChanges(replaced)
  } finally {
    touched.end()
    changes.discard()
  }
}

/** Puts the world right after a commit in place. Returns the number of changed records. */
export function* rewindInSteps(store: Store, cause: Cause, seq: number, proveBooks: ProveBooks): Steps<number> {
  const { changes, ...about } = yield* checkedDiffBackTo(store, seq)
  if (changes.length <= MAX_CHANGES_IN_COMMIT) store.replaceWorld(cause, { ...about, changes })
  else {
    const collections = yield* withoutCount(collectionsAfter(store.world, changes))
    yield* withoutCount(replaceWorldInSteps(store, cause, { ...about, collections }, proveBooks))
  }
  return changes.length
}

const countChanges = ({ changes, replacement }: Pick<Commit, 'changes' | 'replacement'>): number =>
  changes.length + Object.values(replacement?.records ?? {}).reduce((sum, count) => sum + count, 0)

/** The changes of a replacement: in a list, or in a file from MAX_CHANGES_IN_COMMIT on. */
class ReplacingChanges {
  readonly #store: Store
  /** The world when the differences were computed. */
  readonly #current: Collections
  readonly #next: Collections
  readonly #few = new RecordMap<Change>()
  #writer: ReplacementWriter | undefined
  /** The record before the latest correction of each record. */
  readonly #corrected = new RecordMap<StoredRecord | null>()

  constructor(store: Store, current: Collections, next: Collections) {
    this.#store = store
    this.#current = current
    this.#next = next
  }

  add(changes: readonly Change[]) {
    if (this.#writer) this.#writer.add(changes)
    else {
      for (const change of changes) this.#few.set(change, change)
      this.#moveToFile()
    }
  }

  /** Of records that requests have changed since. */
  correct(keys: readonly RecordKey[]) {
    const corrections = keys.map((key): Correction => {
      const was = recordOf(this.#store.world.collections, key)
      const before = this.#corrected.get(key)
      const instead_of = before === undefined ? recordOf(this.#current, key) : before
      this.#corrected.set(key, was)
      return { ...key, record: recordOf(this.#next, key), was, instead_of }
    })
    if (this.#writer) return this.#writer.correct(corrections)
    for (const { instead_of: _, ...change } of corrections)
      if (areEqual(change.was, change.record)) this.#few.delete(change)
      else this.#few.set(change, change)
    this.#moveToFile()
  }

  #moveToFile() {
    if (this.#few.size <= MAX_CHANGES_IN_COMMIT) return
    this.#writer = new ReplacementWriter(this.#store.place)
    for (const part of inParts([...this.#few.values()])) this.#writer.add(part)
    this.#few.clear()
  }

  finish(): Pick<Commit, 'changes' | 'replacement'> {
    return this.#writer ? { changes: [], replacement: this.#writer.finish() } : { changes: [...this.#few.values()] }
  }

  /** The file belongs to the commit now. */
  adopt() {
    this.#writer = undefined
  }

  discard() {
    this.#writer?.discard()
  }
}

const recordOf = (collections: Collections, { collection, uid }: RecordKey): StoredRecord | null =>
  collectionOf({ collections }, collection).get(uid) ?? null

/** The records that requests change while a replacement is written. */
class TouchedRecords {
  readonly #keys = new RecordMap<RecordKey>()
  readonly end: () => void

  constructor(store: Store) {
    this.end = store.subscribe(({ changes }: Commit) => {
      for (const { collection, uid } of changes) this.#keys.set({ collection, uid }, { collection, uid })
    })
  }

  get size(): number {
    return this.#keys.size
  }

  take(): readonly RecordKey[] {
    const keys = [...this.#keys.values()]
    this.#keys.clear()
    return keys
  }
}
