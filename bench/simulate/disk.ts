import { dirname } from 'node:path'
import type { Files } from '../../src/api/store/files.ts'
import type { Random } from '../support/random.ts'

/**
 * A disk in memory that behaves as badly as POSIX allows. It remembers for each file which bytes are synced and for each folder which
 * names are. A process can be killed at any call, in the middle of a write; a power loss then keeps any of the unsynced writes
 * and names; any call can fail; a byte can change while no process runs.
 */

/** Everything after the process was killed: its code still runs, but reaches nothing. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
}

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number }

interface File {
  content: Buffer
  length: number
  /** As of the last sync. */
  synced: Buffer
  readonly unsynced: Change[]
}

type Naming =
  | { readonly kind: 'add'; readonly name: string; readonly file: File | Folder }
  | { readonly kind: 'remove'; readonly name: string }
  /** One step, so that a crash cannot leave both names or neither. */
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly file: File | Folder }

interface Folder {
  names: Map<string, File | Folder>
  synced: Map<string, File | Folder>
  unsynced: Naming[]
}

interface Fault {
  after: number
  readonly code: string
  times: number
}

const isFolder = (entry: File | Folder | undefined): entry is Folder => entry !== undefined && 'names' in entry
const newFolder = (): Folder => ({ names: new Map(), synced: new Map(), unsynced: [] })

export class Disk {
  readonly #root = newFolder()
  readonly #random: Random
  /** The process that runs now; calls of earlier ones fail. */
  #process: Process | undefined
  #killAfter: number | undefined
  #fault: Fault | undefined
  #bytesLeft = Number.POSITIVE_INFINITY
  /** How many faults were injected. */
  injected = 0

  constructor(random: Random) {
    this.#random = random
  }

  // ── Processes and faults ───────────────────────────────────────────────────────────────────────────────────────

  /** The file system as a new process sees it. Processes before it have ended. */
  startProcess(): Files {
    this.#process?.end()
    this.#killAfter = undefined
    this.#process = new Process(this)
    return this.#process
  }

  get isProcessEnded(): boolean {
    return this.#process?.hasEnded ?? true
  }

  killNow() {
    this.#process?.end()
  }

  /** Kills the process at a later call; a write at that call is torn. */
  killAfter(calls: number) {
    this.#killAfter = calls
  }

  /** Lets calls fail that change something. */
  failAfter(calls: number, code: string, times: number) {
    this.#fault = { after: calls, code, times }
  }

  /** The disk is full after so many more bytes. */
  limitSpace(bytes: number) {
    this.#bytesLeft = bytes
  }

  endFaults() {
    this.#fault = undefined
    this.#killAfter = undefined
    this.#bytesLeft = Number.POSITIVE_INFINITY
  }

  /** Before each call of the process. `write` is the change that a kill at this call may leave half done. */
  beforeCall(changes: boolean, write?: { file: File; at: number; bytes: Buffer }) {
    if (this.#killAfter !== undefined && this.#killAfter-- <= 0) {
      this.#killAfter = undefined
      if (write) this.write(write.file, write.at, write.bytes.subarray(0, this.#random.below(write.bytes.length + 1)))
      this.#process?.end()
      throw new ProcessEnded('The process was killed')
    }
    const fault = this.#fault
    if (!fault || !changes) return
    if (fault.after > 0) fault.after--
    else if (fault.times > 0) {
      fault.times--
      this.injected++
      if (write && fault.code === 'ENOSPC')
        this.write(write.file, write.at, write.bytes.subarray(0, this.#random.below(write.bytes.length + 1)))
      throw errno(fault.code)
    }
  }

  /**
   * Forgets what was not synced. Of the unsynced writes to a file and names in a folder any may be on the disk, in any order; a
   * write may be there in part.
   */
  losePower() {
    this.killNow()
    const seen = new Set<File | Folder>()
    const visit = (entry: File | Folder) => {
      if (seen.has(entry)) return
      seen.add(entry)
      if (!isFolder(entry)) return this.#loseWrites(entry)
      this.#loseNames(entry)
      for (const child of entry.names.values()) visit(child)
    }
    visit(this.#root)
  }

  #loseWrites(file: File) {
    const keep = this.#chooser()
    const after: File = {
      content: Buffer.from(file.synced),
      length: file.synced.length,
      synced: file.synced,
      unsynced: [],
    }
    for (const change of file.unsynced) {
      if (!keep()) continue
      if ('length' in change) setLength(after, change.length)
      else {
        const part = this.#random.chance(0.2) ? this.#random.below(change.bytes.length + 1) : change.bytes.length
        this.write(after, change.at, change.bytes.subarray(0, part))
      }
    }
    const content = Buffer.from(after.content.subarray(0, after.length))
    Object.assign(file, { content, length: content.length, synced: Buffer.from(content) })
    file.unsynced.length = 0
  }

  #loseNames(folder: Folder) {
    const keep = this.#chooser()
    const names = new Map(folder.synced)
    for (const naming of folder.unsynced) {
      if (!keep()) continue
      if (naming.kind === 'remove') names.delete(naming.name)
      else if (naming.kind === 'add') names.set(naming.name, naming.file)
      else {
        names.delete(naming.from)
        names.set(naming.to, naming.file)
      }
    }
    Object.assign(folder, { names, synced: new Map(names), unsynced: [] })
  }

  /** Keeps all changes, none, those before a moment, or any of them. */
  #chooser(): () => boolean {
    const way = this.#random.below(4)
    if (way === 0) return () => true
    if (way === 1) return () => false
    if (way === 2) return () => this.#random.chance(0.5)
    let left = this.#random.below(6)
    return () => left-- > 0
  }

  // ── Files and folders ──────────────────────────────────────────────────────────────────────────────────────────

  find(path: string): File | Folder | undefined {
    let entry: File | Folder | undefined = this.#root
    for (const name of path.split('/').filter(Boolean)) {
      if (!isFolder(entry)) return undefined
      entry = entry.names.get(name)
    }
    return entry
  }

  findFile(path: string): File {
    const entry = this.find(path)
    if (!entry) throw errno('ENOENT', path)
    if (isFolder(entry)) throw errno('EISDIR', path)
    return entry
  }

  findFolder(path: string): Folder {
    const entry = this.find(path)
    if (!entry) throw errno('ENOENT', path)
    if (!isFolder(entry)) throw errno('ENOTDIR', path)
    return entry
  }

  name(path: string, entry: File | Folder) {
    const folder = this.findFolder(dirname(path))
    folder.names.set(baseName(path), entry)
    folder.unsynced.push({ kind: 'add', name: baseName(path), file: entry })
  }

  createFile(path: string): File {
    const file: File = { content: Buffer.alloc(0), length: 0, synced: Buffer.alloc(0), unsynced: [] }
    this.name(path, file)
    return file
  }

  createFolder(path: string) {
    if (this.find(path)) throw errno('EEXIST', path)
    this.name(path, newFolder())
  }

  rename(from: string, to: string) {
    const entry = this.find(from)
    if (!entry) throw errno('ENOENT', from)
    const source = this.findFolder(dirname(from))
    const target = this.findFolder(dirname(to))
    source.names.delete(baseName(from))
    target.names.set(baseName(to), entry)
    if (source === target) {
      source.unsynced.push({ kind: 'rename', from: baseName(from), to: baseName(to), file: entry })
      return
    }
    source.unsynced.push({ kind: 'remove', name: baseName(from) })
    target.unsynced.push({ kind: 'add', name: baseName(to), file: entry })
  }

  remove(path: string) {
    const folder = this.find(dirname(path))
    if (!isFolder(folder) || !folder.names.has(baseName(path))) return
    if (isFolder(folder.names.get(baseName(path)))) throw errno('EISDIR', path)
    folder.names.delete(baseName(path))
    folder.unsynced.push({ kind: 'remove', name: baseName(path) })
  }

  write(file: File, at: number, bytes: Buffer) {
    if (bytes.length === 0) return
    const growth = Math.max(0, at + bytes.length - file.length)
    if (growth > this.#bytesLeft) {
      const left = this.#bytesLeft
      this.injected++
      this.#bytesLeft = Number.POSITIVE_INFINITY
      this.write(file, at, bytes.subarray(0, bytes.length - growth + left))
      this.#bytesLeft = 0
      throw errno('ENOSPC')
    }
    this.#bytesLeft -= growth
    if (at + bytes.length > file.length) setLength(file, at + bytes.length)
    bytes.copy(file.content, at)
    file.unsynced.push({ at, bytes: Buffer.from(bytes) })
  }

  /** A write may store only a part, and says so. */
  shorten = (length: number): number => (this.#random.chance(0.02) ? Math.ceil(length / 2) : length)

  truncate(file: File, length: number) {
    if (length === file.length) return
    setLength(file, length)
    file.unsynced.push({ length })
  }

  sync(file: File) {
    file.synced = Buffer.from(file.content.subarray(0, file.length))
    file.unsynced.length = 0
  }

  removeEmptyFolder(path: string) {
    if (this.findFolder(path).names.size > 0) throw errno('ENOTEMPTY', path)
    const folder = this.findFolder(dirname(path))
    folder.names.delete(baseName(path))
    folder.unsynced.push({ kind: 'remove', name: baseName(path) })
  }

  syncFolder(path: string) {
    const folder = this.findFolder(path)
    folder.synced = new Map(folder.names)
    folder.unsynced.length = 0
  }

  // ── For the simulator, while no process runs ───────────────────────────────────────────────────────────────────

  /** The paths of all files, in a fixed order. */
  paths(path = '', folder = this.#root): string[] {
    const found = [...folder.names].sort(([a], [b]) => (a < b ? -1 : 1))
    return found.flatMap(([name, entry]) =>
      isFolder(entry) ? this.paths(`${path}/${name}`, entry) : [`${path}/${name}`],
    )
  }

  readFile(path: string): Buffer {
    const { content, length } = this.findFile(path)
    return Buffer.from(content.subarray(0, length))
  }

  /** Changes one bit. */
  flip(path: string, at: number, bit: number) {
    const file = this.findFile(path)
    file.content[at]! ^= 1 << bit
    file.synced = Buffer.from(file.content.subarray(0, file.length))
    file.unsynced.length = 0
  }

  /** An independent copy of all files. */
  copyFiles(): ReadonlyMap<string, Buffer> {
    return new Map(this.paths().map((path) => [path, this.readFile(path)]))
  }

  /** Puts the disk back to a copy. All of it is synced. */
  restoreFiles(copy: ReadonlyMap<string, Buffer>) {
    for (const path of this.paths()) if (!copy.has(path)) this.remove(path)
    for (const [path, bytes] of copy) {
      const file = (this.find(path) as File | undefined) ?? this.createFile(path)
      Object.assign(file, { content: Buffer.from(bytes), length: bytes.length })
      this.sync(file)
    }
    this.#syncFolders(this.#root)
  }

  #syncFolders(folder: Folder) {
    Object.assign(folder, { synced: new Map(folder.names), unsynced: [] })
    for (const entry of folder.names.values()) if (isFolder(entry)) this.#syncFolders(entry)
  }
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function setLength(file: File, length: number) {
  if (length > file.content.length) {
    const content = Buffer.alloc(Math.max(length, file.content.length * 2))
    file.content.copy(content, 0, 0, file.length)
    file.content = content
  } else if (length > file.length) file.content.fill(0, file.length, length)
  file.length = length
}

function errno(code: string, path = ''): Error {
  return Object.assign(new Error(`${code}: injected by the simulation${path && `, ${path}`}`), { code })
}

/** The files as one process sees them, with its open files. */
class Process implements Files {
  readonly #disk: Disk
  readonly #open = new Map<number, File>()
  #count = 2
  hasEnded = false

  constructor(disk: Disk) {
    this.#disk = disk
  }

  end() {
    this.hasEnded = true
    this.#open.clear()
  }

  #before(changes: boolean, write?: { file: File; at: number; bytes: Buffer }) {
    if (this.hasEnded) throw new ProcessEnded('The process has ended')
    this.#disk.beforeCall(changes, write)
  }

  #file(handle: number): File {
    const file = this.#open.get(handle)
    if (!file) throw errno('EBADF')
    return file
  }

  open(path: string, flags: 'r' | 'r+' | 'w+'): number {
    this.#before(true)
    this.#open.set(++this.#count, flags === 'w+' ? this.#create(path) : this.#disk.findFile(path))
    return this.#count
  }

  /** A kill between the two steps leaves no file. */
  #create(path: string): File {
    if (this.#disk.find(path)) {
      this.#disk.remove(path)
      this.#before(true)
    }
    return this.#disk.createFile(path)
  }

  close(handle: number) {
    if (this.hasEnded) return
    this.#file(handle)
    this.#open.delete(handle)
  }

  sizeOf(handle: number): number {
    this.#before(false)
    return this.#file(handle).length
  }

  read(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    this.#before(false)
    const file = this.#file(handle)
    const end = Math.min(file.length, position + length)
    return end <= position ? 0 : file.content.copy(bytes, offset, position, end)
  }

  write(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    const file = this.#file(handle)
    const part = Buffer.from(bytes.buffer, bytes.byteOffset + offset, this.#disk.shorten(length))
    this.#before(true, { file, at: position, bytes: part })
    this.#disk.write(file, position, part)
    return part.length
  }

  truncate(handle: number, length: number) {
    this.#before(true)
    this.#disk.truncate(this.#file(handle), length)
  }

  sync(handle: number) {
    this.#before(true)
    this.#disk.sync(this.#file(handle))
  }

  writeInBackground: Files['writeInBackground'] = async (...args) => this.write(...args)
  syncInBackground: Files['syncInBackground'] = async (handle) => this.sync(handle)

  exists(path: string): boolean {
    if (this.hasEnded) return false
    return this.#disk.find(path) !== undefined
  }

  isFolder(path: string): boolean {
    return isFolder(this.#disk.find(path))
  }

  list(folder: string): string[] {
    this.#before(false)
    return [...this.#disk.findFolder(folder).names.keys()]
  }

  createFolder(folder: string) {
    this.#before(true)
    this.#disk.createFolder(folder)
  }

  rename(from: string, to: string) {
    this.#before(true)
    this.#disk.rename(from, to)
  }

  remove(path: string) {
    this.#before(true)
    this.#disk.remove(path)
  }

  removeEmptyFolder(folder: string) {
    this.#before(true)
    this.#disk.removeEmptyFolder(folder)
  }

  /** The product ignores a failure, because not every system can sync a folder; so none is injected. */
  syncFolder(folder: string) {
    this.#before(false)
    this.#disk.syncFolder(folder)
  }

  syncFolderInBackground: Files['syncFolderInBackground'] = async (folder) => this.syncFolder(folder)
}
