import type { Cause } from '../contract/control/history.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Commit, Correction, WorldDiff } from './commit.ts'
import { collectionsAfter, differences, inParts, RECORDS_PER_STEP } from './copies.ts'
import { checkedDiffBackTo } from './history.ts'
import { type RecordKey, RecordMap } from './record-map.ts'
import { MAX_CHANGES_IN_COMMIT, ReplacementWriter } from './replacement-file.ts'
import { asSubsteps, type Steps, withoutCount } from './steps.ts'
import type { ImportedWorld, Store } from './store.ts'
import { type Collections, collectionOf, digestOf, forkCollections, type StoredRecord, type World } from './world.ts'

/**
 * Puts another world in place of the current one. First its books are proved, then the differences are written, in steps between which
 * requests go on. What these change is corrected. The last step swaps the records and appends a short commit.
 */

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
  imported?: () => ImportedWorld,
): Steps<number> {
  const { collections, ...about } = next
  yield* withoutCount(asSubsteps(proveBooks({ ...next, ...next.origin })))
  const current = forkCollections(store.world.collections)
  const touched = new TouchedRecords(store, current, collections)
  const writer = new ReplacementWriter(store.place)
  try {
    for (const part of differences(current, collections)) {
      writer.add(part)
      yield RECORDS_PER_STEP
    }
    for (let round = 0; round < MAX_CORRECTION_ROUNDS && touched.size > MAX_CORRECTIONS_AT_END; round++)
      for (const part of inParts(touched.take())) {
        writer.correct(part.map(touched.correct))
        yield 0
      }
    yield 'last'
    writer.correct(touched.take().map(touched.correct))
    const replaced = writer.finish()
    store.replaceCollections(cause, about, collections, replaced, imported?.())
    writer.adopt()
    return countChanges(replaced)
  } finally {
    touched.end()
    writer.discard()
  }
}

/**
 * Puts the world right after a commit in place, at a time at which nothing has happened since, or at that of the commit. Returns the number
 * of changed records.
 */
export function* rewindInSteps(
  store: Store,
  cause: Cause,
  seq: number,
  proveBooks: ProveBooks,
  at: Timestamp | null = null,
): Steps<number> {
  const { changes, ...back } = yield* checkedDiffBackTo(store, seq)
  const about = { ...back, clock: { ...back.clock, at: at ?? back.clock.at } }
  if (changes.length <= MAX_CHANGES_IN_COMMIT) store.replaceWorld(cause, { ...about, changes })
  else {
    const collections = yield* withoutCount(collectionsAfter(store.world, changes))
    yield* withoutCount(replaceWorldInSteps(store, cause, { ...about, collections }, proveBooks))
  }
  return changes.length
}

const countChanges = ({ changes, replacement }: Pick<Commit, 'changes' | 'replacement'>): number =>
  changes.length + Object.values(replacement?.records ?? {}).reduce((sum, count) => sum + count, 0)

const recordOf = (collections: Collections, { collection, uid }: RecordKey): StoredRecord | null =>
  collectionOf({ collections }, collection).get(uid) ?? null

/** The records that requests change while a replacement is written. */
class TouchedRecords {
  readonly #store: Store
  /** The world when the differences were computed. */
  readonly #current: Collections
  readonly #next: Collections
  readonly #keys = new RecordMap<RecordKey>()
  /** The record before the latest correction of each record. */
  readonly #corrected = new RecordMap<StoredRecord | null>()
  readonly end: () => void

  constructor(store: Store, current: Collections, next: Collections) {
    this.#store = store
    this.#current = current
    this.#next = next
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

  correct = (key: RecordKey): Correction => {
    const was = recordOf(this.#store.world.collections, key)
    const before = this.#corrected.get(key)
    const instead_of = before === undefined ? recordOf(this.#current, key) : before
    this.#corrected.set(key, was)
    return { ...key, record: recordOf(this.#next, key), was, instead_of }
  }
}
