import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import type { Cause } from '../contract/control.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Collection } from './collection.ts'
import type { Commit, CommitFilter, CommitLog } from './commit.ts'
import { formatCommit, parseCommit, readSeq } from './commit-format.ts'
import { Journal, type Line, linesFromEnd, readLines } from './journal.ts'
import { lock } from './lock.ts'
import { type Migration, migrate, migrations } from './migrations.ts'
import { fromSlice, isSlice, type Slice, toSlice } from './record-slices.ts'
import { StoreError } from './store-error.ts'
import {
  type ClockState,
  type CollectionName,
  type Counters,
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
 * The world on disk: `world.jsonl`, a snapshot, many records to a line; and `changes/`, the commits since, one to a
 * line, in segments. lowdb keeps the world through the adapter below: `read()` is the snapshot plus the changes,
 * `write()` makes a new snapshot. A commit appends one line, so it costs the size of the change, not of the world.
 */

export type Durability = 'write' | 'fsync'

interface Header {
  readonly sandbank: 'world' | 'changes'
  readonly version: number
}
interface WorldHeader extends Header {
  readonly seed: string
  readonly start: Timestamp
  readonly seq: number
  readonly clock: ClockState
  readonly counters: Counters
}

const TODAY = migrations.length + 1
/** A snapshot is made when this much has been appended since the last one. */
export const SNAPSHOT_AFTER = { commits: 20_000, bytes: 32 << 20 }
/** On its way time waits so many times as long: an advance over ten thousand tasks needs one at its end, and not three. */
const PATIENCE = 4
/** One that failed is tried again after so many commits more. */
const RETRY_AFTER = 1_000
const GOES_ON_FROM = '"goes_on_from":'
/** Commits whose lines are kept behind the snapshot: the history. */
const HISTORY = 100_000
const SLICE = 2_000

export interface WorldFile extends CommitLog {
  /** Makes a snapshot now. */
  save(): Promise<void>
  close(): Promise<void>
}

export interface OpenedDataFolder {
  /** null: the folder holds no world yet. */
  readonly world: World | null
  readonly file: WorldFile
  /** Begins a new world in the folder. */
  begin(world: World): void
  /** The commits that came before its first snapshot, so that they too are history. */
  keepPast(past: Pick<CommitLog, 'newestFirst'>): void
}

/** Nothing is kept but the history, in memory: records never change, so holding on to them is enough. */
export class MemoryWorldFile implements WorldFile {
  readonly #commits: Commit[] = []

  append(commit: Commit) {
    this.#commits.push(commit)
    if (this.#commits.length > HISTORY * 1.1) this.#commits.splice(0, this.#commits.length - HISTORY)
  }

  /** All of them: in memory there is nothing to save by leaving some out. */
  newestFirst(): Iterable<Commit> {
    return this.#commits.toReversed()
  }

  get firstSeq(): number {
    return this.#commits[0]?.seq ?? 0
  }

  async save() {}
  async close() {}
}

/** `tell`: what the owner of the folder should know, such as a torn line that was put aside. */
export async function openDataFolder(
  folder: string,
  durability: Durability,
  tell: (line: string) => void = () => {},
  snapshotAfter = SNAPSHOT_AFTER,
): Promise<OpenedDataFolder> {
  let unlock: () => void
  try {
    mkdirSync(join(folder, 'changes'), { recursive: true, mode: 0o700 })
    unlock = lock(folder)
  } catch (error) {
    throw error instanceof StoreError ? error : unwritable(folder, error)
  }
  try {
    const adapter = new JournalAdapter(folder, durability, tell, snapshotAfter)
    const db = new Low<World | null>(adapter, null)
    await db.read()
    adapter.world = db.data
    let saving: Promise<void> | undefined
    const save = () => {
      saving ??= db
        .write()
        .catch((error: unknown) => {
          throw (error as NodeJS.ErrnoException).code ? unwritable(folder, error) : error
        })
        .finally(() => {
          saving = undefined
        })
      return saving
    }
    return {
      world: db.data,
      begin(world) {
        db.data = world
        adapter.world = world
      },
      keepPast: (past) => adapter.keepPast([...past.newestFirst()].reverse()),
      file: {
        append(commit) {
          adapter.append(commit)
          // Until a snapshot that failed is tried again, the changes tell the same.
          if (!saving && adapter.isLong(commit.cause))
            save().catch((error: Error) => tell(`No snapshot could be made: ${error.message}`))
        },
        newestFirst: (wanted) => adapter.newestFirst(wanted),
        get firstSeq() {
          return segmentsOf(folder)[0]?.from ?? 0
        },
        save,
        async close() {
          await saving?.catch(() => {})
          adapter.close()
          unlock()
        },
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

class JournalAdapter implements Adapter<World | null> {
  world: World | null = null
  readonly #folder: string
  readonly #durability: Durability
  readonly #tell: (line: string) => void
  readonly #snapshotAfter: typeof SNAPSHOT_AFTER
  #segment: Journal | undefined
  /** The newest commit, kept or, before the first snapshot, about to be. */
  #last: Commit | undefined
  #commits = 0
  #notBefore = 0
  #closed = false

  constructor(
    folder: string,
    durability: Durability,
    tell: (line: string) => void,
    snapshotAfter: typeof SNAPSHOT_AFTER,
  ) {
    this.#snapshotAfter = snapshotAfter
    this.#folder = folder
    this.#durability = durability
    this.#tell = tell
  }

  isLong({ door }: Cause): boolean {
    const { commits, bytes } = this.#snapshotAfter
    const times = door === 'time' ? PATIENCE : 1
    return (
      this.#commits >= this.#notBefore &&
      (this.#commits >= commits * times || (this.#segment?.length ?? 0) >= bytes * times)
    )
  }

  append(commit: Commit) {
    if (this.#closed) throw new Error('The data folder is closed: nothing can be kept any more')
    // Before its first snapshot a world is not on disk at all: a half-made one is never found.
    if (this.#segment) {
      this.#segment.append(formatCommit(commit))
      this.#commits++
    }
    this.#last = commit
  }

  async read(): Promise<World | null> {
    const path = join(this.#folder, 'world.jsonl')
    if (!existsSync(path)) {
      // A first start that ended in its first snapshot leaves segments without a commit: there never was a world.
      const segments = segmentsOf(this.#folder)
      if (segments.some(({ path: segment }) => readFileSync(segment, 'utf8').split('\n').length > 2))
        throw new StoreError(
          `${path} is missing although ${join(this.#folder, 'changes')} holds changes: nothing was changed; restore a copy of the folder`,
        )
      for (const { path: segment } of segments) rmSync(segment)
      return null
    }
    const world = await readSnapshot(path)
    const snapshot_seq = world.seq
    const segments = segmentsOf(this.#folder)
    // The segment that holds the first commit after the snapshot, and those behind it.
    const first = segments.findLastIndex(({ from }) => from <= world.seq + 1)
    const wanted = segments.slice(Math.max(first, 0))
    for (const [index, { path: segment }] of wanted.entries()) {
      const end = await readSegment(segment, world, index === wanted.length - 1)
      if (index < wanted.length - 1) continue
      if (end.torn > 0) this.#putAside(segment, end.good)
      this.#segment = new Journal(segment, end.good, this.#durability === 'fsync')
      if (end.good === 0) this.#segment.append(JSON.stringify(changesHeader))
      else if (end.version !== TODAY) {
        // All lines of a segment have the form that its header names, so commits of today need another segment.
        this.#segment.close()
        this.#segment = this.#newSegment(world.seq + 1)
      }
    }
    this.#segment ??= this.#newSegment(world.seq + 1)
    this.#commits = world.seq - snapshot_seq
    return world
  }

  async write(world: World | null): Promise<void> {
    if (!world) return
    // Taken at this instant: records never change, so holding on to them is enough. Later commits go to a new segment.
    // A commit that is being appended is in the records already, and `world.seq` does not count it yet.
    const { seq, at } = this.#last ?? { seq: world.seq, at: world.clock.at }
    const clock = world.clock.mode === 'running' && at > world.clock.at ? { ...world.clock, at } : world.clock
    const now = { ...captureWorld(world), seq, clock }
    const covered = this.#commits
    const before = this.#segment
    if (before?.path !== segmentPath(this.#folder, seq + 1)) {
      this.#segment = this.#newSegment(seq + 1)
      before?.close()
    }
    const path = join(this.#folder, 'world.jsonl')
    try {
      await writeSnapshot(`${path}.new`, now)
      await rename(`${path}.new`, path)
    } catch (error) {
      rmSync(`${path}.new`, { force: true })
      this.#notBefore = this.#commits + RETRY_AFTER
      throw error
    }
    this.#commits -= covered
    this.#notBefore = 0
    syncFolder(this.#folder)
    this.#forget(seq)
  }

  keepPast(commits: readonly Commit[]) {
    if (commits.length === 0) return
    const path = segmentPath(this.#folder, 1)
    if (path === this.#segment?.path) throw new Error('The past lies before the first segment')
    writeFileSync(
      path,
      [JSON.stringify(changesHeader), ...commits.map(formatCommit)].map((line) => `${line}\n`).join(''),
      {
        mode: 0o600,
      },
    )
  }

  /** Segment by segment, from the end. A line that nobody wants is not parsed. */
  *newestFirst({ texts, before = Number.POSITIVE_INFINITY }: CommitFilter = {}): Iterable<Commit> {
    const turns = Buffer.from(GOES_ON_FROM)
    const wanted = texts?.map((text) => Buffer.from(text))
    const isWanted = (line: Buffer) =>
      ((readSeq(line) ?? 0) < before && wanted?.some((text) => line.includes(text)) !== false) || line.includes(turns)
    for (const { path } of segmentsOf(this.#folder).reverse()) {
      // Whoever takes long may find that what is left has been forgotten.
      if (!existsSync(path)) return
      const lines = linesFromEnd(path, path === this.#segment?.path ? this.#segment.length : undefined)
      const header = lines.next().value?.toString() ?? ''
      // Nothing was written of it before the crash.
      if (header === '') {
        lines.return()
        continue
      }
      const toToday = migrate((JSON.parse(header) as Header).version)
      for (const line of lines) {
        if (!isWanted(line)) continue
        const commit = parseCommit(line.toString())
        yield {
          ...commit,
          changes: commit.changes.map(({ collection, record, was, ...change }) => ({
            ...change,
            collection,
            record: record && migrated(toToday, collection, record)!,
            was: was && migrated(toToday, collection, was)!,
          })),
        }
      }
    }
  }

  close() {
    this.#closed = true
    this.#segment?.close()
    this.#segment = undefined
  }

  #newSegment(from: number): Journal {
    const path = segmentPath(this.#folder, from)
    const journal = new Journal(path, 0, this.#durability === 'fsync')
    try {
      journal.append(JSON.stringify(changesHeader))
    } catch (error) {
      journal.close()
      rmSync(path, { force: true })
      throw error
    }
    if (this.#durability === 'fsync') syncFolder(join(this.#folder, 'changes'))
    return journal
  }

  /** Segments whose every commit is older than the history that is kept. */
  #forget(seq: number) {
    const segments = segmentsOf(this.#folder)
    for (const [index, { path }] of segments.entries()) {
      const next = segments[index + 1]
      if (next && next.from <= seq - HISTORY) rmSync(path, { force: true })
    }
  }

  #putAside(segment: string, good: number) {
    const torn = readFileSync(segment).subarray(good)
    const aside = `${segment}.torn-${good}`
    writeFileSync(aside, torn, { mode: 0o600 })
    this.#tell(`The last line of ${segment} was torn by a crash; it was never answered and is kept in ${aside}`)
  }
}

/** Is waited for, so that whoever writes a large world can give way, or throw to stop. In records. */
export type OnWritten = (written: number, of: number) => Promise<void>

/** A whole world, in slices, with a count of the records at the end: never one string of all of it. */
export async function writeSnapshot(
  path: string,
  world: WorldImage,
  onWritten: OnWritten = async () => {},
): Promise<void> {
  const { records, ...about } = world
  const header: WorldHeader = { sandbank: 'world', version: TODAY, ...about }
  const of = countRecords(world)
  const file = await open(path, 'w', 0o600)
  let written = 0
  try {
    await file.appendFile(`${JSON.stringify(header)}\n`)
    for (const collection of collectionNames)
      for (let from = 0; from < records[collection].length; from += SLICE) {
        const slice = records[collection].slice(from, from + SLICE)
        await file.appendFile(`${JSON.stringify(toSlice(collection, slice))}\n`)
        await onWritten((written += slice.length), of)
      }
    await file.appendFile(`${JSON.stringify({ end: of })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const changesHeader: Header = { sandbank: 'changes', version: TODAY }
const segmentPath = (folder: string, from: number) => join(folder, 'changes', `${String(from).padStart(12, '0')}.jsonl`)

function segmentsOf(folder: string): { path: string; from: number }[] {
  return readdirSync(join(folder, 'changes'))
    .filter((name) => /^\d{12}\.jsonl$/.test(name))
    .sort()
    .map((name) => ({ path: join(folder, 'changes', name), from: Number.parseInt(name, 10) }))
}

/** What its first line and its last one tell: whether it can be read from end to end is seen when it is read. */
export function readSnapshotInfo(path: string): { at: Timestamp; seq: number; records: number } {
  const lines = linesFromEnd(path)
  try {
    const texts = [lines.next(), lines.next()].map(({ value }) => value?.toString() ?? '')
    const [header, last] = texts.map((text) => JSON.parse(text) as unknown) as [WorldHeader, { end: number }]
    migrate(header.version)
    if (header.sandbank === 'world' && typeof last.end === 'number')
      return { at: header.clock.at, seq: header.seq, records: last.end }
  } catch (error) {
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code) throw error
  } finally {
    lines.return()
  }
  throw endsTooEarly(path)
}

/** `onRead` is waited for, again and again. */
export async function readSnapshot(
  path: string,
  onRead: (read: number, of: number) => Promise<void> = async () => {},
): Promise<World> {
  const { size } = await stat(path)
  let world: World | undefined
  let toToday: Migration | undefined
  let isToday = false
  let count = 0
  let ended = false
  await readLines(
    path,
    (line) => {
      const found = parse(path, line)
      if (!world) {
        const header = found as unknown as WorldHeader
        if (header.sandbank !== 'world') throw broken(path, line, 'it is not the header of a world')
        toToday = migrate(header.version)
        isToday = header.version === TODAY
        const { seed, start, seq, clock, counters } = header
        world = { seed, start, seq, clock, counters, collections: emptyCollections() }
      } else if ('end' in found) {
        if (found.end !== count)
          throw broken(path, line, `it counts ${String(found.end)} records, and ${count} were there`)
        ended = true
      } else {
        // Until shape 2 each record had a line of its own.
        const { collection, record } = found as { collection: CollectionName; record?: StoredRecord }
        if (!record && !isSlice(found)) throw broken(path, line, 'it holds no records')
        const records = record ? [record] : (fromSlice(found as unknown as Slice) as unknown as StoredRecord[])
        count += records.length
        const current = isToday ? records : records.flatMap((one) => migrated(toToday!, collection, one) ?? [])
        if (current.length > 0) collectionIn(world, path, line, collection).load(current)
      }
    },
    (read) => onRead(read, size),
  )
  if (!world || !ended) throw endsTooEarly(path)
  return world
}

const endsTooEarly = (path: string) =>
  new StoreError(
    `${path} ends too early and is no whole world: nothing was changed; move the folder aside or restore a copy`,
  )

async function readSegment(path: string, world: World, isLast: boolean) {
  let toToday: Migration | undefined
  let version: number | undefined
  const end = await readLines(path, (line) => {
    let found: unknown
    try {
      found = JSON.parse(line.text)
    } catch {
      if (isLast && line.last) return false
      throw broken(path, line, 'it is not JSON')
    }
    if (!toToday) {
      const header = found as Header
      if (header.sandbank !== 'changes') throw broken(path, line, 'it is not the header of a file of changes')
      version = header.version
      toToday = migrate(version)
      return true
    }
    const commit = found as Commit
    if (commit.seq <= world.seq) return true
    if (commit.seq !== world.seq + 1)
      throw broken(path, line, `commit ${world.seq + 1} should stand here, and ${commit.seq} does`)
    for (const { collection, uid, record } of commit.changes) put(world, path, line, toToday, collection, uid, record)
    world.seq = commit.seq
    world.counters = commit.counters
    // A running clock was last seen at its last commit; simulated time stands still while the sandbox is closed.
    world.clock = commit.clock ?? { ...world.clock, at: commit.stood_at ?? commit.at }
    Object.assign(world, commit.origin)
    return true
  })
  if (end.torn > 0 && !isLast)
    throw new StoreError(
      `${path} ends in a torn line, and later files follow: nothing was changed; restore a copy of the folder`,
    )
  return { ...end, version }
}

function put(
  world: World,
  path: string,
  line: Line,
  toToday: Migration,
  name: CollectionName,
  uid: string,
  record: StoredRecord | null,
) {
  const current = record ? migrated(toToday, name, record) : undefined
  if (record && !current) return
  collectionIn(world, path, line, name).set(uid, current)
}

const migrated = (toToday: Migration, name: CollectionName, record: StoredRecord) =>
  toToday(name, record as unknown as Record<string, unknown>) as unknown as StoredRecord | undefined

function collectionIn(world: World, path: string, line: Line, name: CollectionName): Collection<StoredRecord> {
  if (!Object.hasOwn(world.collections, name)) throw broken(path, line, `there is no collection ${name}`)
  return collectionOf(world, name)
}

function parse(path: string, line: Line): Record<string, unknown> {
  try {
    return JSON.parse(line.text) as Record<string, unknown>
  } catch {
    throw broken(path, line, 'it is not JSON')
  }
}

const broken = (path: string, line: Line, why: string) =>
  new StoreError(
    `${path}, line ${line.number} cannot be read: ${why}. Nothing was changed; restore a copy of the folder, or pass --data with another one`,
  )

const unwritable = (folder: string, error: unknown) =>
  new StoreError(
    `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}): pass --data with a folder that can, or --ephemeral`,
  )

function syncFolder(folder: string) {
  // Not every system lets a folder be opened; the rename itself is safe against a crash of the process.
  try {
    const handle = openSync(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {}
}
