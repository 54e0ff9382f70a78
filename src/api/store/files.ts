import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createFile } from '../system/private-files.ts'

/**
 * Everything that a data folder needs of the file system. All of the API reads and writes data folders through this module, so
 * that a simulation can replace the disk.
 */
export interface Files {
  /**
   * `r` reads, `r+` reads and writes. `w+` creates a file that only its owner can read, in place of a file or link of that name: what
   * another program has planted there is not followed. It is for new files: a kill may leave neither the old one nor the new one.
   */
  open(path: string, flags: 'r' | 'r+' | 'w+'): number
  close(file: number): void
  sizeOf(file: number): number
  /** Returns the number of bytes, as do `write` and `writeInBackground`. */
  read(file: number, bytes: Uint8Array, offset: number, length: number, position: number): number
  write(file: number, bytes: Uint8Array, offset: number, length: number, position: number): number
  truncate(file: number, length: number): void
  /** Returns when the content is on the disk, so that it survives a power failure. */
  sync(file: number): void
  writeInBackground(file: number, bytes: Uint8Array, offset: number, length: number, position: number): Promise<number>
  syncInBackground(file: number): Promise<void>
  exists(path: string): boolean
  isFolder(path: string): boolean
  /** The names in a folder. */
  list(folder: string): string[]
  /** Creates one folder, in one that exists. */
  createFolder(folder: string): void
  /** Replaces a file of the new name. */
  rename(from: string, to: string): void
  /** Removes a file; does nothing if there is none. */
  remove(path: string): void
  removeEmptyFolder(folder: string): void
  /** Makes new names, renames and removals in a folder survive a power failure. */
  syncFolder(folder: string): void
  syncFolderInBackground(folder: string): Promise<void>
}

const write = promisify(fs.write)
const sync = promisify(fs.fsync)

const disk: Files = {
  open: (path, flags) => (flags === 'w+' ? createFile(path) : fs.openSync(path, flags)),
  close: fs.closeSync,
  sizeOf: (file) => fs.fstatSync(file).size,
  read: fs.readSync,
  write: fs.writeSync,
  truncate: fs.ftruncateSync,
  sync: fs.fsyncSync,
  writeInBackground: async (file, bytes, offset, length, position) =>
    (await write(file, bytes, offset, length, position)).bytesWritten,
  syncInBackground: sync,
  exists: fs.existsSync,
  isFolder: (path) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  list: (folder) => fs.readdirSync(folder),
  createFolder: (folder) => void fs.mkdirSync(folder, { mode: 0o700 }),
  rename: fs.renameSync,
  remove: (path) => fs.rmSync(path, { force: true }),
  removeEmptyFolder: fs.rmdirSync,
  // Windows cannot open a folder, and some network shares refuse to sync one; a rename then survives a crash of the process only.
  syncFolder(folder) {
    try {
      const file = fs.openSync(folder, 'r')
      try {
        fs.fsyncSync(file)
      } finally {
        fs.closeSync(file)
      }
    } catch {}
  },
  async syncFolderInBackground(folder) {
    try {
      const file = fs.openSync(folder, 'r')
      try {
        await sync(file)
      } finally {
        fs.closeSync(file)
      }
    } catch {}
  },
}

/** The file system in use. */
export let files: Files = disk

/** For simulations. Without an argument the real disk is used again. */
export function replaceFiles(other: Files = disk) {
  files = other
}

// ── Whole files and folders ──────────────────────────────────────────────────────────────────────────────────────

export function readBytes(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const count = files.read(file, bytes, done, length - done, position + done)
    if (count === 0)
      throw new Error(`The file ends at ${position + done}; ${length} bytes were expected from ${position}`)
    done += count
  }
  return bytes
}

export function writeBytes(file: number, bytes: Uint8Array, position: number) {
  for (let done = 0; done < bytes.length; ) done += files.write(file, bytes, done, bytes.length - done, position + done)
}

export async function writeBytesInBackground(file: number, bytes: Uint8Array, position: number) {
  for (let done = 0; done < bytes.length; )
    done += await files.writeInBackground(file, bytes, done, bytes.length - done, position + done)
}

export function readText(path: string): string {
  const file = files.open(path, 'r')
  try {
    return readBytes(file, 0, files.sizeOf(file)).toString('utf8')
  } finally {
    files.close(file)
  }
}

export function sizeOf(path: string): number {
  const file = files.open(path, 'r')
  try {
    return files.sizeOf(file)
  } finally {
    files.close(file)
  }
}

/** Replaces a whole file: after a crash it has the old text or the new one. */
export function writeText(path: string, text: string | Buffer) {
  const temporary = `${path}.new`
  try {
    const file = files.open(temporary, 'w+')
    try {
      writeBytes(file, Buffer.from(text as string), 0)
      files.sync(file)
    } finally {
      files.close(file)
    }
    renameDurably(temporary, path)
  } catch (error) {
    files.remove(temporary)
    throw error
  }
}

export async function syncFileInBackground(path: string) {
  const file = files.open(path, 'r+')
  try {
    await files.syncInBackground(file)
  } finally {
    files.close(file)
  }
}

export function renameDurably(from: string, to: string) {
  files.rename(from, to)
  files.syncFolder(dirname(to))
}

export function removeDurably(path: string) {
  files.remove(path)
  files.syncFolder(dirname(path))
}

/**
 * Creates a folder and the missing ones above it. `mkdirSync` with `recursive` would never return where the system answers
 * ENOENT although the folder above exists, as in /proc.
 */
export function createFolder(folder: string) {
  if (files.exists(folder)) return
  const above = dirname(folder)
  if (above !== folder) createFolder(above)
  try {
    files.createFolder(folder)
    files.syncFolder(above)
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The name of a file of lines, by what it begins with. */
export const numberedName = (first: number, ending = '.jsonl'): string => `${String(first).padStart(12, '0')}${ending}`

export const fileNumber = (path: string) => Number.parseInt(basename(path), 10)

/** The files of a folder with such names, in their order; none if there is no folder. */
export const listFiles = (folder: string, names = /^\d{12}\.jsonl$/): string[] =>
  (files.exists(folder) ? files.list(folder) : [])
    .filter((name) => names.test(name))
    .sort()
    .map((name) => join(folder, name))

/** The names under which files are written before they get their own. */
const UNFINISHED = /^(?:token-secret|replacement|.+\.(?:yaml|yml|jsonl?))\.new$|\.jsonl\.new-\d+$/

/** Removes what a killed process has left half written in a data folder, which must be locked. */
export function removeUnfinished(folder: string) {
  for (const name of files.list(folder)) if (/^repairing-\d+$/.test(name)) removeFolder(join(folder, name))
  for (const place of [folder, ...['changes', 'log', 'snapshots', 'scenarios'].map((name) => join(folder, name))])
    if (files.isFolder(place))
      for (const name of files.list(place).filter((name) => UNFINISHED.test(name))) files.remove(join(place, name))
}

/** Removes a folder with everything in it. */
export const removeFolder = (folder: string) => fs.rmSync(folder, { recursive: true, force: true })
