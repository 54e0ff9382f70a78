import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { WorldDiff } from './commit.ts'
import { type OnWritten, readSnapshot, readSnapshotInfo, writeSnapshot } from './file.ts'
import { runToEnd, type Steps } from './steps.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'
import {
  captureWorld,
  collectionNames,
  collectionOf,
  countRecords,
  emptyCollections,
  type StoredRecord,
  type World,
  type WorldImage,
} from './world.ts'

/**
 * Whole worlds under names. Records never change, so holding on to them is all it takes in memory; with a data folder
 * each is a file of the same form as the world's own.
 */

export interface SnapshotInfo {
  readonly name: string
  readonly at?: Timestamp
  readonly seq?: number
  readonly records?: number
  /** Why its file cannot be read. */
  readonly trouble?: string
}

/** Is waited for, so that whoever reads a large file can give way, or throw to stop. In bytes. */
export type OnRead = (read: number, of: number) => Promise<void>

export interface Snapshots {
  /** The present world as it stands at this instant, or another one. */
  save(name: string, world?: World, onWritten?: OnWritten): Promise<SnapshotInfo>
  list(): Promise<SnapshotInfo[]>
  /** undefined when there is none of this name. */
  read(name: string, onRead?: OnRead): Promise<World | undefined>
  delete(name: string): Promise<boolean>
}

export function openSnapshots(store: Store, folder: string | null): Snapshots {
  return folder === null ? inMemory(store) : inFolder(store, join(folder, 'snapshots'))
}

function inMemory(store: Store): Snapshots {
  const kept = new Map<string, World>()
  return {
    async save(name, world = currentWorld(store)) {
      kept.delete(name)
      kept.set(name, copyWorld(world))
      return infoOf(name, captureWorld(world))
    },
    async list() {
      return [...kept].map(([name, world]) => infoOf(name, captureWorld(world)))
    },
    async read(name) {
      return kept.get(name)
    },
    async delete(name) {
      return kept.delete(name)
    },
  }
}

const ENDING = '.jsonl'

function inFolder(store: Store, folder: string): Snapshots {
  // Two that are kept under one name at once must not write into each other.
  let written = 0
  const pathOf = (name: string) => join(folder, `${encodeURIComponent(name)}${ENDING}`)
  const names = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => file.endsWith(ENDING))
          .sort()
          .flatMap((file) => {
            // A name that is none of ours is no snapshot of ours.
            const name = file.slice(0, -ENDING.length)
            return /%(?![0-9A-F]{2})/i.test(name) ? [] : [decodeURIComponent(name)]
          })
      : []
  return {
    async save(name, world = currentWorld(store), onWritten) {
      const copy = captureWorld(world)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(name)
      const beside = `${path}.new-${++written}`
      try {
        await writeSnapshot(beside, copy, onWritten)
        await rename(beside, path)
      } catch (error) {
        rmSync(beside, { force: true })
        throw error
      }
      return infoOf(name, copy)
    },
    async list() {
      const found: SnapshotInfo[] = []
      for (const name of names())
        try {
          found.push({ name, ...readSnapshotInfo(pathOf(name)) })
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
          found.push({ name, trouble: error.message })
        }
      return found
    },
    async read(name, onRead) {
      return names().includes(name) ? readSnapshot(pathOf(name), onRead) : undefined
    },
    async delete(name) {
      const known = names().includes(name)
      if (known) rmSync(pathOf(name))
      return known
    },
  }
}

/** With the clock as it stands at this instant. */
export const currentWorld = ({ world, clock }: Store): World => ({
  ...world,
  clock: { ...world.clock, at: new Date(clock.now()).toISOString() },
})

/** The world as it stands at this instant, as one of its own. */
export const copyCurrentWorld = (store: Store): World => copyWorld(currentWorld(store))

/** Another world of the same records, which may go another way. */
export function copyWorld(world: World): World {
  const copy: World = { ...world, collections: emptyCollections() }
  for (const name of collectionNames) collectionOf(copy, name).load(collectionOf(world, name).inOrder())
  return copy
}

const infoOf = (name: string, copy: WorldImage): SnapshotInfo => ({
  name,
  at: copy.clock.at,
  seq: copy.seq,
  records: countRecords(copy),
})

/** What to change about one world to make it the other. */
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
  readonly collection: (typeof collectionNames)[number]
  readonly uid: string
  readonly a: StoredRecord | undefined
  readonly b: StoredRecord | undefined
}

/** A step of a comparison. */
const MANY = 1_000

/** Record by record. One that is the same object, or says the same, does not differ. */
export function* compareRecords(a: WorldImage, b: WorldImage): Steps<RecordDifference[]> {
  const found: RecordDifference[] = []
  let looked = 0
  for (const collection of collectionNames) {
    const left = a.records[collection]
    const others = new Map(b.records[collection].map((record) => [record.uid, record]))
    for (const record of left) {
      const other = others.get(record.uid)
      others.delete(record.uid)
      if (other !== record && !areEqual(record, other)) found.push({ collection, uid: record.uid, a: record, b: other })
      if (++looked % MANY === 0) yield MANY
    }
    for (const record of others.values()) found.push({ collection, uid: record.uid, a: undefined, b: record })
  }
  return found
}

/** Whatever the order of their fields. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && areEqual((a as never)[name], (b as never)[name]))
  )
}
