import type { Cause } from '../contract/control/history.ts'
import type { Change, Commit, Replacement, ReplacementWriter, WorldDiff } from './commit.ts'
import { collectionsAfter, inParts, RECORDS_PER_STEP } from './copies.ts'
import { areEqual } from './equal.ts'
import { checkedDiffBackTo } from './history.ts'
import { type Steps, withoutCount } from './steps.ts'
import type { ImportedHistory, Store } from './store.ts'
import {
  type CollectionName,
  type Collections,
  captureWorld,
  collectionNames,
  collectionOf,
  type StoredRecord,
  type World,
} from './world.ts'

/**
 * Puts another world in place of the current one. The differences are written in steps, between which requests go on; what these
 * change is replaced, too. The last step swaps the records and appends a short commit.
 */

/** Fewer changes than this are saved in the line of the commit. */
export const MAX_CHANGES_IN_COMMIT = 1_000
/** Requests may change records while corrections are written, so the last ones are written with the commit. */
const MAX_CORRECTIONS_AT_END = 200
const MAX_CORRECTION_ROUNDS = 20

export interface NextWorld extends Omit<WorldDiff, 'changes'> {
  /** They become the records of the store, so no other world may use them. */
  readonly collections: Collections
}

/** Another world as it is: `seq` is the commit that the world then continues from. */
export const nextWorldOf = ({ seq, seed, start, clock, counters, collections }: World): NextWorld => ({
  seq,
  origin: { seed, start },
  clock,
  counters,
  collections,
})

/** `imported` is called in the last step. Returns the number of changed records. */
export function* replaceWorldInSteps(
  store: Store,
  cause: Cause,
  next: NextWorld,
  imported?: () => ImportedHistory,
): Steps<number> {
  const { collections, ...about } = next
  const touched = new TouchedRecords(store, next)
  let changes: Change[] = []
  let writer: ReplacementWriter | undefined
  try {
    for (const part of differences(store.world, next, touched)) {
      changes.push(...part)
      if (changes.length > MAX_CHANGES_IN_COMMIT) {
        writer ??= store.writeReplacement()
        for (const few of inParts(changes)) writer.add(few)
        changes = []
      }
      yield RECORDS_PER_STEP
    }
    if (writer) {
      if (changes.length > 0) writer.add(changes)
      for (let round = 0; round < MAX_CORRECTION_ROUNDS && touched.size > MAX_CORRECTIONS_AT_END; round++)
        for (const part of inParts(touched.take())) {
          writer.correct(part)
          yield 0
        }
    }
    yield 'last'
    const last = touched.take()
    if (!writer) {
      const isCorrected = new Set(last.map(({ uid }) => uid))
      const all = [...changes.filter(({ uid }) => !isCorrected.has(uid)), ...last]
      store.replaceWorld(cause, { ...about, changes: all }, imported?.())
      return all.length
    }
    if (last.length > 0) writer.correct(last)
    const replacement = writer.finish()
    store.replaceCollections(cause, about, collections, replacement, imported?.())
    writer = undefined
    return countChanges(replacement)
  } finally {
    touched.end()
    writer?.discard()
  }
}

/** Puts the world right after a commit in place. Returns the number of changed records. */
export function* rewindInSteps(store: Store, cause: Cause, seq: number): Steps<number> {
  const { changes, ...about } = yield* checkedDiffBackTo(store, seq)
  if (changes.length <= MAX_CHANGES_IN_COMMIT) store.replaceWorld(cause, { ...about, changes })
  else {
    const collections = yield* withoutCount(collectionsAfter(store.world, changes))
    yield* withoutCount(replaceWorldInSteps(store, cause, { ...about, collections }))
  }
  return changes.length
}

const countChanges = ({ records }: Replacement): number => Object.values(records).reduce((sum, count) => sum + count, 0)

/** What differs from the next world, in parts; a part may be empty. Leaves out the records that were changed meanwhile. */
function* differences(world: World, next: NextWorld, touched: TouchedRecords): Iterable<Change[]> {
  const { records } = captureWorld(world)
  for (const collection of collectionNames) {
    const current = collectionOf(world, collection)
    const other = collectionOf(next, collection)
    const changeOf = (uid: string, was: StoredRecord | undefined, record: StoredRecord | undefined): Change[] =>
      was === record || touched.has(collection, uid) || areEqual(was, record)
        ? []
        : [{ collection, uid, record: record ?? null, was: was ?? null }]
    for (const part of inParts(records[collection]))
      yield part.flatMap((was) => changeOf(was.uid, was, other.get(was.uid)))
    for (const part of inParts(other.inOrder()))
      yield part.flatMap((record) => (current.get(record.uid) ? [] : changeOf(record.uid, undefined, record)))
  }
}

/** Without a data folder, the changes stay in memory. */
export class MemoryReplacementWriter implements ReplacementWriter {
  readonly #parts: (readonly Change[])[] = []
  readonly #corrected = new Map<string, Change>()

  add(changes: readonly Change[]) {
    this.#parts.push(changes)
  }

  correct(changes: readonly Change[]) {
    for (const change of changes) this.#corrected.set(keyOf(change), change)
  }

  finish(): Replacement {
    const corrections = [...this.#corrected.values()].filter(({ record, was }) => record || was)
    const records: Partial<Record<CollectionName, number>> = {}
    for (const { collection } of [...this.#parts, corrections].flat())
      records[collection] = (records[collection] ?? 0) + 1
    const isCurrent = (change: Change) => !this.#corrected.has(keyOf(change))
    const parts = this.#parts
    return {
      records,
      *read() {
        yield corrections
        for (const part of parts) yield part.filter(isCurrent)
      },
    }
  }

  discard() {}
}

const keyOf = ({ collection, uid }: Change) => `${collection} ${uid}`

/** The records that requests change while a replacement is written. */
class TouchedRecords {
  readonly #store: Store
  readonly #next: NextWorld
  readonly #uids = new Map<CollectionName, Set<string>>()
  /** Also those that were taken. */
  readonly #all = new Map<CollectionName, Set<string>>()
  readonly end: () => void

  constructor(store: Store, next: NextWorld) {
    this.#store = store
    this.#next = next
    this.end = store.subscribe(({ changes }: Commit) => {
      for (const { collection, uid } of changes)
        for (const uids of [this.#uids, this.#all]) addTo(uids, collection, uid)
    })
  }

  get size(): number {
    return [...this.#uids.values()].reduce((sum, uids) => sum + uids.size, 0)
  }

  has(collection: CollectionName, uid: string): boolean {
    return this.#all.get(collection)?.has(uid) ?? false
  }

  /** The changes of these records as they are now. A record may be in neither world. */
  take(): Change[] {
    const changes = [...this.#uids].flatMap(([collection, uids]) =>
      [...uids].map((uid) => ({
        collection,
        uid,
        record: collectionOf(this.#next, collection).get(uid) ?? null,
        was: collectionOf(this.#store.world, collection).get(uid) ?? null,
      })),
    )
    this.#uids.clear()
    return changes
  }
}

function addTo(all: Map<CollectionName, Set<string>>, collection: CollectionName, uid: string) {
  let uids = all.get(collection)
  if (!uids) all.set(collection, (uids = new Set()))
  uids.add(uid)
}
