import type { Cause } from '../contract/control/history.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Change, Commit, WorldDiff } from './commit.ts'
import { collectionsAfter, differences, inParts, RECORDS_PER_STEP } from './copies.ts'
import { checkedDiffBackTo } from './history.ts'
import { type RecordKey, RecordMap } from './record-map.ts'
import { MAX_CHANGES_IN_COMMIT, ReplacementWriter } from './replacement-file.ts'
import { asSubsteps, type Steps, withoutCount } from './steps.ts'
import type { ImportedWorld, Store } from './store.ts'
import {
  type Collections,
  collectionOf,
  digestOf,
  forkCollections,
  requireRecords,
  type StoredRecord,
  type World,
} from './world.ts'

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
  const writer = new ReplacementWriter(store.place, digestOf({ collections: current }))
  const touched = new RecordMap<RecordKey>()
  const unsubscribe = store.subscribe(({ changes }) => {
    for (const { collection, uid } of changes) touched.set({ collection, uid }, { collection, uid })
  })
  /** The records of the world before, as the writer has them. */
  const before = digestOf({ collections: current })
  const corrected = new RecordMap<StoredRecord | null>()
  const correct = (key: RecordKey): Change => {
    const was = recordOf(store.world.collections, key)
    const known = corrected.get(key)
    before.addChange(key.collection, known === undefined ? recordOf(current, key) : known, was)
    corrected.set(key, was)
    return { ...key, record: recordOf(collections, key), was }
  }
  try {
    for (const part of differences(current, collections)) {
      writer.add(part)
      yield RECORDS_PER_STEP
    }
    requireRecords(writer.digest, about.digest, `that follow from the changes of ${cause.name}`)
    for (let round = 0; round < MAX_CORRECTION_ROUNDS && touched.size > MAX_CORRECTIONS_AT_END; round++)
      for (const part of inParts(touched.take())) {
        writer.add(part.map(correct), true)
        yield 0
      }
    yield 'last'
    writer.add(touched.take().map(correct), true)
    requireRecords(before, `${digestOf(store.world)}`, `before ${cause.name}`)
    const replaced = writer.finish(store.world.seq + 1)
    store.replaceCollections(cause, about, collections, replaced, imported?.())
    writer.adopt()
    return countChanges(replaced)
  } finally {
    unsubscribe()
    writer.end()
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
