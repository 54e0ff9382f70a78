import type { Collection } from './collection.ts'
import type { Change } from './commit.ts'
import { areEqual } from './equal.ts'
import { RecordMap } from './record-map.ts'
import type { Steps } from './steps.ts'
import type { Store } from './store.ts'
import {
  type Collections,
  collectionNames,
  collectionOf,
  emptyCollections,
  forkCollections,
  type StoredRecord,
  type World,
} from './world.ts'

/** Forks and differences of worlds. */

/** Records that a step compares or adds. */
export const RECORDS_PER_STEP = 1_000

/** The world of the store, with the present time of its clock. */
export function currentWorld(store: Store): World {
  const { world, clock } = store
  store.requireProved()
  return { ...world, clock: { ...world.clock, at: new Date(clock.now()).toISOString() } }
}

/**
 * A world with the same records: later changes of either world are not seen in the other. Copies nothing, so it takes the same time
 * however many records there are. No draft may be open.
 */
export const forkWorld = (world: World): World => ({ ...world, collections: forkCollections(world.collections) })

type Patch = Omit<Change, 'was'>

/** With fewer changes, a fork is cheaper than creating a collection. */
const MANY_CHANGES = 1_000
const CHANGES_PER_STEP = 100

/** The records of a world after changes, as the world is at the first step. Later changes of the same record win. */
export function* collectionsAfter(world: Pick<World, 'collections'>, changes: Iterable<Patch>): Steps<Collections> {
  const forked = forkCollections(world.collections)
  const collections: Record<string, unknown> = { ...forked }
  for (const [name, patch] of (yield* groupPatches(changes)).byCollection()) {
    const collection = collectionOf({ collections: forked }, name)
    if (patch.size > MANY_CHANGES && patch.size * 32 > collection.size)
      collections[name] = yield* createCollection(
        collectionOf({ collections: emptyCollections() }, name),
        collection,
        patch,
      )
    else yield* changeCollection(collection, patch)
  }
  return collections as unknown as Collections
}

function* changeCollection(collection: Collection<StoredRecord>, patch: CollectionPatch): Steps<void> {
  let count = 0
  for (const [uid, record] of patch) {
    collection.set(uid, record ?? undefined)
    if (++count % CHANGES_PER_STEP === 0) yield CHANGES_PER_STEP
  }
}

function* createCollection(
  created: Collection<StoredRecord>,
  from: Collection<StoredRecord>,
  patch: CollectionPatch,
): Steps<Collection<StoredRecord>> {
  const added = [...patch.values()].filter((record) => record !== null).sort(created.order)
  let next = 0
  let part: StoredRecord[] = []
  for (const record of from.inOrder()) {
    if (!patch.has(record.uid)) {
      while (next < added.length && created.order(added[next]!, record) < 0) part.push(added[next++]!)
      part.push(record)
    }
    if (part.length < RECORDS_PER_STEP) continue
    created.load(part)
    yield part.length
    part = []
  }
  created.load(part)
  for (; next < added.length; next += RECORDS_PER_STEP) {
    created.load(added.slice(next, next + RECORDS_PER_STEP))
    yield RECORDS_PER_STEP
  }
  return created
}

type CollectionPatch = ReadonlyMap<string, StoredRecord | null>

function* groupPatches(changes: Iterable<Patch>): Steps<RecordMap<StoredRecord | null>> {
  const patches = new RecordMap<StoredRecord | null>()
  let grouped = 0
  for (const change of changes) {
    patches.set(change, change.record)
    if (++grouped % RECORDS_PER_STEP === 0) yield RECORDS_PER_STEP
  }
  return patches
}

/** The changes from one world to another, neither of which changes meanwhile, in parts; a part may be empty. */
export function* differences(from: Collections, to: Collections): Iterable<Change[]> {
  for (const collection of collectionNames) {
    const [current, next] = [from, to].map((collections) => collectionOf({ collections }, collection)) as [Own, Own]
    for (const part of inParts(current.inOrder()))
      yield part.flatMap((was) => {
        const record = next.get(was.uid)
        return was === record || areEqual(was, record)
          ? []
          : [{ collection, uid: was.uid, record: record ?? null, was }]
      })
    for (const part of inParts(next.inOrder()))
      yield part.flatMap((record) =>
        current.get(record.uid) ? [] : [{ collection, uid: record.uid, record, was: null }],
      )
  }
}

type Own = Collection<StoredRecord>

export function* inParts<T>(items: readonly T[], length = RECORDS_PER_STEP): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += length) yield items.slice(from, from + length)
}
