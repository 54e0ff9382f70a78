import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Collection } from './collection.ts'
import { files, writeBytesInBackground } from './files.ts'
import type { OnRead } from './journal.ts'
import { formatLine, type Line, linesFromEnd, readLines, unreadableLine } from './journal.ts'
import { CURRENT_VERSION, type Migration, migrate } from './migrations.ts'
import { fromSlice, isSlice, toSlice } from './record-slices.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import {
  type ClockState,
  type CollectionName,
  type Counters,
  collectionNames,
  collectionOf,
  countRecords,
  type DigestsByCollection,
  digestsOf,
  emptyCollections,
  type StoredRecord,
  type World,
  type WorldImage,
} from './world.ts'

/** A whole world as a file: a header, slices of many records per line, and a last line that counts the records. */

export interface Header {
  readonly sandbank: 'world' | 'changes' | 'replacement' | 'log' | 'traces'
  readonly version: number
}
export interface WorldHeader extends Header {
  readonly seed: string
  readonly start: Timestamp
  readonly seq: number
  readonly clock: ClockState
  readonly counters: Counters
  readonly digests: DigestsByCollection
  /** The check that the journal had after commit `seq`: it proves which history a snapshot belongs to. */
  readonly journal?: number | undefined
}

const RECORDS_PER_SLICE = 2_000

/** Awaited after each slice, with numbers of records: allows other work in between, and cancels by throwing. */
export type OnWritten = (written: number, total: number) => Promise<void>

/** Writes slice by slice, so that a large world is never one string. */
export async function writeWorldFile(
  path: string,
  world: WorldImage,
  onWritten: OnWritten = async () => {},
  journal?: number,
): Promise<void> {
  const { records, ...about } = world
  const header: WorldHeader = { sandbank: 'world', version: CURRENT_VERSION, ...about, journal }
  const total = countRecords(world)
  const file = files.open(path, 'w+')
  let [length, checkBefore] = [0, 0]
  const writeLine = async (content: object) => {
    const { bytes, check } = formatLine(JSON.stringify(content), checkBefore)
    await writeBytesInBackground(file, bytes, length)
    length += bytes.length
    checkBefore = check
  }
  let written = 0
  try {
    await writeLine(header)
    for (const collection of collectionNames)
      for (let from = 0; from < records[collection].length; from += RECORDS_PER_SLICE) {
        const slice = records[collection].slice(from, from + RECORDS_PER_SLICE)
        await writeLine(toSlice(collection, slice))
        await onWritten((written += slice.length), total)
      }
    await writeLine({ end: total })
    await files.syncInBackground(file)
  } finally {
    files.close(file)
  }
}

export async function readWorldFile(path: string, onRead?: OnRead): Promise<World> {
  const reader = new WorldReader(path)
  const { torn } = await readLines(path, (line) => reader.add(line), onRead)
  return reader.finish(torn)
}

class WorldReader {
  readonly #path: string
  #world: World | undefined
  #migration: Migration | undefined
  #digests: DigestsByCollection = {}
  #count = 0
  #ended = false

  constructor(path: string) {
    this.#path = path
  }

  add(line: Line) {
    const content = parseLine(this.#path, line)
    if (!this.#world) this.#readHeader(line, content)
    else if (this.#ended) throw unreadableLine(this.#path, line.number, 'it follows the end of the world')
    else if ('end' in content) this.#readEnd(line, content)
    else this.#readRecords(this.#world, line, content)
  }

  finish(torn: number): World {
    if (!this.#world || !this.#ended || torn > 0) throw endsTooEarly(this.#path)
    if (!this.#migration) this.#requireDigests(this.#world)
    return this.#world
  }

  #requireDigests(world: World) {
    const found = digestsOf(world)
    const wrong = collectionNames.find((name) => found[name] !== this.#digests[name])
    if (wrong)
      throw new StoreError(`${this.#path}: the records of ${wrong} are not those that were saved. ${WHAT_TO_DO}`)
  }

  #readHeader(line: Line, content: object) {
    const header = content as WorldHeader
    if (header.sandbank !== 'world') throw unreadableLine(this.#path, line.number, 'it is not the header of a world')
    this.#migration = migrate(header.version)
    const { seed, start, seq, clock, counters } = header
    this.#digests = header.digests
    this.#world = { seed, start, seq, clock, counters, collections: emptyCollections() }
  }

  #readEnd(line: Line, { end }: { end?: unknown }) {
    if (end !== this.#count)
      throw unreadableLine(this.#path, line.number, `it counts ${String(end)} records, and ${this.#count} were there`)
    this.#ended = true
  }

  #readRecords(world: World, line: Line, content: object) {
    if (!isSlice(content)) throw unreadableLine(this.#path, line.number, 'it holds no records')
    const collection = content.collection as CollectionName
    const saved = fromSlice(content) as unknown as StoredRecord[]
    this.#count += saved.length
    const migration = this.#migration
    const records = migration ? saved.flatMap((one) => migrateRecord(migration, collection, one) ?? []) : saved
    if (records.length === 0) return
    namedCollection(world, this.#path, line, collection).load(records, migration ? undefined : content)
  }
}

export interface WorldFileInfo {
  readonly at: Timestamp
  readonly seq: number
  readonly records: number
  readonly journal: number | undefined
}

/** Reads the first and the last line only; errors in between are found when the file is read. */
export function readWorldFileInfo(path: string): WorldFileInfo {
  const lines = linesFromEnd(path)
  try {
    const texts = [lines.next(), lines.next()].map(({ value }) => value?.toString() ?? '')
    const [header, last] = texts.map((text) => JSON.parse(text) as unknown) as [WorldHeader, { end: number }]
    migrate(header.version)
    if (header.sandbank === 'world' && typeof last.end === 'number')
      return { at: header.clock.at, seq: header.seq, records: last.end, journal: header.journal }
  } catch (error) {
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code) throw error
  } finally {
    lines.return()
  }
  throw endsTooEarly(path)
}

/** undefined if the migration drops the record. */
export const migrateRecord = (migration: Migration | undefined, name: CollectionName, record: StoredRecord) =>
  migration
    ? (migration(name, record as unknown as Record<string, unknown>) as unknown as StoredRecord | undefined)
    : record

export function namedCollection(
  world: World,
  path: string,
  line: Line,
  name: CollectionName,
): Collection<StoredRecord> {
  if (!Object.hasOwn(world.collections, name)) throw unreadableLine(path, line.number, `there is no collection ${name}`)
  return collectionOf(world, name)
}

export function parseLine(path: string, line: Pick<Line, 'text' | 'number'>): object {
  try {
    return JSON.parse(line.text) as object
  } catch {
    throw unreadableLine(path, line.number, 'it is not JSON')
  }
}

const endsTooEarly = (path: string) => new StoreError(`${path} ends too early and is no whole world. ${WHAT_TO_DO}`)
