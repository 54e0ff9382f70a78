import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { readAbout, readSnapshot, writeSnapshot } from './file.ts'
import type { Store, Target } from './store.ts'
import { StoreTrouble } from './trouble.ts'
import { collectionNames, collectionOf, emptyCollections, type Kept, type World } from './world.ts'

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
  /** The present world, or another one. */
  keep(name: string, world?: World): Promise<SnapshotInfo>
  list(): Promise<SnapshotInfo[]>
  /** undefined when there is none of this name. */
  read(name: string, onRead?: OnRead): Promise<World | undefined>
  delete(name: string): Promise<boolean>
}

export function snapshotsOf(store: Store, folder: string | null): Snapshots {
  return folder === null ? inMemory(store) : inFolder(store, join(folder, 'snapshots'))
}

function inMemory(store: Store): Snapshots {
  const kept = new Map<string, World>()
  return {
    async keep(name, copy = copyOf(store)) {
      kept.delete(name)
      kept.set(name, copy)
      return infoOf(name, copy)
    },
    async list() {
      return [...kept].map(([name, world]) => infoOf(name, world))
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
    async keep(name, copy = copyOf(store)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(name)
      const beside = `${path}.new-${++written}`
      try {
        await writeSnapshot(beside, copy)
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
          found.push({ name, ...readAbout(pathOf(name)) })
        } catch (error) {
          if (!(error instanceof StoreTrouble)) throw error
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

/** The world as it stands at this instant. */
export const copyOf = ({ world, clock }: Store): World =>
  copied({ ...world, clock: { ...world.clock, at: new Date(clock.now()).toISOString() } })

/** Another world of the same records, which may go another way. */
export function copied(world: World): World {
  const copy: World = { ...world, collections: emptyCollections() }
  for (const name of collectionNames)
    for (const record of collectionOf(world, name).inOrder()) collectionOf(copy, name).set(record.uid, record)
  return copy
}

const infoOf = (name: string, { clock, seq, collections }: World): SnapshotInfo => ({
  name,
  at: clock.at,
  seq,
  records: Object.values(collections).reduce((sum, { size }) => sum + size, 0),
})

/** What to change about one world to make it the other. */
export function target(from: World, to: World): Target {
  return {
    seq: to.seq,
    origin: { seed: to.seed, start: to.start },
    clock: to.clock,
    counters: to.counters,
    changes: differences(from, to).map(({ collection, uid, b }) => ({ collection, uid, record: b ?? null })),
  }
}

export interface RecordDifference {
  readonly collection: (typeof collectionNames)[number]
  readonly uid: string
  readonly a: Kept | undefined
  readonly b: Kept | undefined
}

/** Record by record. One that is the same object, or says the same, does not differ. */
export function differences(a: World, b: World): RecordDifference[] {
  const found: RecordDifference[] = []
  for (const collection of collectionNames) {
    const left = collectionOf(a, collection)
    const right = collectionOf(b, collection)
    for (const record of left.inOrder()) {
      const other = right.get(record.uid)
      if (other !== record && !saysTheSame(record, other))
        found.push({ collection, uid: record.uid, a: record, b: other })
    }
    for (const record of right.inOrder())
      if (!left.get(record.uid)) found.push({ collection, uid: record.uid, a: undefined, b: record })
  }
  return found
}

/** Whatever the order of their fields. */
export function saysTheSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && saysTheSame((a as never)[name], (b as never)[name]))
  )
}
