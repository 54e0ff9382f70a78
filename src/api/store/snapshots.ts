import { join } from 'node:path'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { WorldDiff } from './commit.ts'
import { areEqual } from './equal.ts'
import { createFolder, files, removeDurably } from './files.ts'
import { runToEnd, type Steps } from './steps.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'
import {
  type CollectionName,
  captureWorld,
  collectionNames,
  collectionOf,
  countRecords,
  emptyCollections,
  type StoredRecord,
  type World,
  type WorldImage,
} from './world.ts'
import { type OnRead, type OnWritten, readWorldFile, readWorldFileInfo, writeWorldFile } from './world-file.ts'

/** Worlds saved under a name: with a data folder each is a world file, without one a copy in memory. */

export interface SnapshotInfo {
  readonly name: string
  readonly at?: Timestamp
  readonly seq?: number
  readonly records?: number
  /** Why the file cannot be read. */
  readonly trouble?: string
}

export interface Snapshots {
  /** Saves the current world, or another one. */
  save(name: string, world?: World, onWritten?: OnWritten): Promise<SnapshotInfo>
  list(): Promise<SnapshotInfo[]>
  /** undefined if there is no such snapshot. */
  read(name: string, onRead?: OnRead): Promise<World | undefined>
  delete(name: string): Promise<boolean>
}

export function openSnapshots(store: Store, folder: string | null): Snapshots {
  return folder === null ? memorySnapshots(store) : fileSnapshots(store, join(folder, 'snapshots'))
}

function memorySnapshots(store: Store): Snapshots {
  const worlds = new Map<string, World>()
  return {
    async save(name, world = currentWorld(store)) {
      worlds.set(name, copyWorld(world))
      return infoOf(name, captureWorld(world))
    },
    async list() {
      const names = [...worlds.keys()].sort()
      return names.map((name) => infoOf(name, captureWorld(worlds.get(name)!)))
    },
    async read(name) {
      return worlds.get(name)
    },
    async delete(name) {
      return worlds.delete(name)
    },
  }
}

function fileSnapshots(store: Store, folder: string): Snapshots {
  // Two snapshots that are saved under one name at the same time must not share a temporary file.
  let temporaryFiles = 0
  const pathOf = (name: string) => join(folder, `${encodeURIComponent(name)}${ENDING}`)
  return {
    async save(name, world = currentWorld(store), onWritten) {
      const image = captureWorld(world)
      createFolder(folder)
      const path = pathOf(name)
      const temporary = `${path}.new-${++temporaryFiles}`
      try {
        await writeWorldFile(temporary, image, onWritten)
        files.rename(temporary, path)
        await files.syncFolderInBackground(folder)
      } catch (error) {
        files.remove(temporary)
        throw error
      }
      return infoOf(name, image)
    },
    async list() {
      return snapshotNames(folder).map((name) => {
        try {
          return { name, ...readWorldFileInfo(pathOf(name)) }
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
          return { name, trouble: error.message }
        }
      })
    },
    async read(name, onRead) {
      return snapshotNames(folder).includes(name) ? readWorldFile(pathOf(name), onRead) : undefined
    },
    async delete(name) {
      const exists = snapshotNames(folder).includes(name)
      if (exists) removeDurably(pathOf(name))
      return exists
    },
  }
}

const ENDING = '.jsonl'

/** Skips files whose name no snapshot can have. */
function snapshotNames(folder: string): string[] {
  if (!files.exists(folder)) return []
  return files
    .list(folder)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) => file.slice(0, -ENDING.length))
    .filter((name) => !/%(?![0-9A-F]{2})/i.test(name))
    .map(decodeURIComponent)
}

const infoOf = (name: string, image: WorldImage): SnapshotInfo => ({
  name,
  at: image.clock.at,
  seq: image.seq,
  records: countRecords(image),
})

// ── Copies and differences of worlds ─────────────────────────────────────────────────────────────────────────────

/** The world of the store, with the present time of its clock. */
export const currentWorld = ({ world, clock }: Store): World => ({
  ...world,
  clock: { ...world.clock, at: new Date(clock.now()).toISOString() },
})

export const copyCurrentWorld = (store: Store): World => copyWorld(currentWorld(store))

/** An independent world of the same records. */
export function copyWorld(world: World): World {
  const copy: World = { ...world, collections: emptyCollections() }
  for (const name of collectionNames) collectionOf(copy, name).load(collectionOf(world, name).inOrder())
  return copy
}

/** What to change about one world to get the other. */
export function diffWorlds(from: World, to: World): WorldDiff {
  return {
    seq: to.seq,
    origin: { seed: to.seed, start: to.start },
    clock: to.clock,
    counters: to.counters,
    changes: runToEnd(compareRecords(captureWorld(from), captureWorld(to))).map(({ collection, uid, b }) => ({
      collection,
      uid,
      record: b ?? null,
    })),
  }
}

export interface RecordDifference {
  readonly collection: CollectionName
  readonly uid: string
  readonly a: StoredRecord | undefined
  readonly b: StoredRecord | undefined
}

const RECORDS_PER_STEP = 1_000

export function* compareRecords(a: WorldImage, b: WorldImage): Steps<RecordDifference[]> {
  const found: RecordDifference[] = []
  let compared = 0
  for (const collection of collectionNames) {
    const inB = new Map(b.records[collection].map((record) => [record.uid, record]))
    for (const record of a.records[collection]) {
      const other = inB.get(record.uid)
      inB.delete(record.uid)
      if (other !== record && !areEqual(record, other)) found.push({ collection, uid: record.uid, a: record, b: other })
      if (++compared % RECORDS_PER_STEP === 0) yield RECORDS_PER_STEP
    }
    for (const record of inB.values()) found.push({ collection, uid: record.uid, a: undefined, b: record })
  }
  return found
}
