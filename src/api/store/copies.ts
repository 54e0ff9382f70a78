import type { Change } from './commit.ts'
import { areEqual } from './equal.ts'
import { runToEnd, type Steps } from './steps.ts'
import type { Store } from './store.ts'
import {
  type CollectionName,
  type Collections,
  captureWorld,
  collectionNames,
  collectionOf,
  emptyCollections,
  type StoredRecord,
  type World,
  type WorldImage,
} from './world.ts'

/** Copies and differences of worlds. */

/** Records that a step compares or copies. */
export const RECORDS_PER_STEP = 1_000

/** The world of the store, with the present time of its clock. */
export const currentWorld = ({ world, clock }: Store): World => ({
  ...world,
  clock: { ...world.clock, at: new Date(clock.now()).toISOString() },
})

/** A world of the same records: later changes of either world are not seen in the other. No draft may be open. */
export const forkWorld = (world: World): World => runToEnd(copyInSteps(world))

/** The same, as the world is at the first step. */
export function* copyInSteps(world: World): Steps<World> {
  return { ...world, collections: yield* collectionsAfter(captureWorld(world), []) }
}

type Patch = Omit<Change, 'was'>

/** The records of a world after changes. Later changes of the same record win. */
export function* collectionsAfter({ records }: WorldImage, changes: Iterable<Patch>): Steps<Collections> {
  const patches = yield* groupPatches(changes)
  const collections = emptyCollections()
  for (const name of collectionNames) {
    const collection = collectionOf({ collections }, name)
    const patch = patches.get(name)
    const added = [...(patch?.values() ?? [])].filter((record) => record !== null).sort(collection.order)
    let next = 0
    let part: StoredRecord[] = []
    for (const record of records[name]) {
      if (!patch?.has(record.uid)) {
        while (next < added.length && collection.order(added[next]!, record) < 0) part.push(added[next++]!)
        part.push(record)
      }
      if (part.length < RECORDS_PER_STEP) continue
      collection.load(part)
      yield part.length
      part = []
    }
    collection.load(part)
    for (; next < added.length; next += RECORDS_PER_STEP) {
      collection.load(added.slice(next, next + RECORDS_PER_STEP))
      yield RECORDS_PER_STEP
    }
  }
  return collections
}

function* groupPatches(changes: Iterable<Patch>): Steps<Map<CollectionName, Map<string, StoredRecord | null>>> {
  const patches = new Map<CollectionName, Map<string, StoredRecord | null>>()
  let grouped = 0
  for (const { collection, uid, record } of changes) {
    let patch = patches.get(collection)
    if (!patch) patches.set(collection, (patch = new Map()))
    patch.set(uid, record)
    if (++grouped % RECORDS_PER_STEP === 0) yield RECORDS_PER_STEP
  }
  return patches
}

export interface RecordDifference {
  readonly collection: CollectionName
  readonly uid: string
  readonly a: StoredRecord | undefined
  readonly b: StoredRecord | undefined
}

export function* compareRecords(a: WorldImage, b: WorldImage): Steps<RecordDifference[]> {
  const found: RecordDifference[] = []
  for (const collection of collectionNames) {
    const inB = new Map<string, StoredRecord>()
    for (const part of inParts(b.records[collection])) {
      for (const record of part) inB.set(record.uid, record)
      yield 0
    }
    for (const part of inParts(a.records[collection])) {
      for (const record of part) {
        const other = inB.get(record.uid)
        inB.delete(record.uid)
        if (other !== record && !areEqual(record, other))
          found.push({ collection, uid: record.uid, a: record, b: other })
      }
      yield part.length
    }
    for (const record of inB.values()) found.push({ collection, uid: record.uid, a: undefined, b: record })
  }
  return found
}

export function* inParts<T>(items: readonly T[], length = RECORDS_PER_STEP): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += length) yield items.slice(from, from + length)
}
