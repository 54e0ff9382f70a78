import { basename, join } from 'node:path'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { currentWorld, forkWorld } from './copies.ts'
import { createFolder, files, listFiles, removeDurably } from './files.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'
import { captureWorld, countRecords, sizeOf, type World, type WorldImage } from './world.ts'
import { type OnRead, type OnWritten, readWorldFile, readWorldFileInfo, writeWorldFile } from './world-file.ts'

/** Worlds saved under a name: with a data folder each is a world file, without one a fork in memory. */

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
  /** An independent world; undefined if there is no such snapshot. */
  read(name: string, onRead?: OnRead): Promise<World | undefined>
  delete(name: string): Promise<boolean>
}

export function openSnapshots(store: Store, folder: string | null): Snapshots {
  return folder === null ? memorySnapshots(store) : fileSnapshots(store, join(folder, 'snapshots'))
}

function memorySnapshots(store: Store): Snapshots {
  const worlds = new Map<string, World>()
  return {
    async save(name, world = currentWorld(store), onWritten = async () => {}) {
      const saved = forkWorld(world)
      const records = sizeOf(saved)
      await onWritten(records, records)
      worlds.set(name, saved)
      return infoOf(name, saved, records)
    },
    async list() {
      const names = [...worlds.keys()].sort()
      return names.map((name) => infoOf(name, worlds.get(name)!, sizeOf(worlds.get(name)!)))
    },
    async read(name) {
      const world = worlds.get(name)
      return world && forkWorld(world)
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
    async save(name, given, onWritten) {
      const image = captureWorld(given ?? currentWorld(store))
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
      return infoOf(name, image, countRecords(image))
    },
    async list() {
      return snapshotNames(folder).map((name) => {
        try {
          const { at, seq, records } = readWorldFileInfo(pathOf(name))
          return { name, at, seq, records }
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
          return { name, trouble: error.message }
        }
      })
    },
    async read(name, onRead) {
      if (!snapshotNames(folder).includes(name)) return undefined
      try {
        return await readWorldFile(pathOf(name), onRead)
      } catch (error) {
        // It was deleted meanwhile.
        if (!files.exists(pathOf(name))) return undefined
        throw error
      }
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
const snapshotNames = (folder: string): string[] =>
  listFiles(folder, /^(?:[^%]|%[0-9A-Fa-f]{2})*\.jsonl$/).map((path) => decodeURIComponent(basename(path, ENDING)))

const infoOf = (name: string, { clock, seq }: Pick<WorldImage, 'clock' | 'seq'>, records: number): SnapshotInfo => ({
  name,
  at: clock.at,
  seq,
  records,
})
