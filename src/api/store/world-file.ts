import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Collection } from './collection.ts'
import { Digest } from './digest.ts'
import { files, sizeOf, writeBytesInBackground } from './files.ts'
import { formatHeader, type Header, parseLine, readHeader } from './headers.ts'
import { formatLine, type Line, linesFromEnd, readLines, unreadableLine } from './journal.ts'
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

export interface WorldHeader extends Header {
  readonly seed: string
  readonly start: Timestamp
  readonly seq: number
  readonly clock: ClockState
  readonly counters: Counters
  readonly digests: DigestsByCollection
}

const RECORDS_PER_SLICE = 2_000

/** Awaited again and again, with numbers of bytes: allows other work in between, and cancels by throwing. */
export type OnRead = (read: number, total: number) => Promise<void> | void

/** The same after each slice, with numbers of records. */
export type OnWritten = (written: number, total: number) => Promise<void>

/** Writes slice by slice, so that a large world is never one string. */
export async function writeWorldFile(
  path: string,
  world: WorldImage,
  onWritten: OnWritten = async () => {},
): Promise<void> {
  const { records, ...about } = world
  const total = countRecords(world)
  const file = files.open(path, 'w+')
  let [length, checkBefore] = [0, 0]
  const writeLine = async (text: string) => {
    const { bytes, check } = formatLine(text, checkBefore)
    await writeBytesInBackground(file, bytes, length)
    length += bytes.length
    checkBefore = check
  }
  let written = 0
  try {
    await writeLine(formatHeader<WorldHeader>('world', about))
    for (const collection of collectionNames)
      for (let from = 0; from < records[collection].length; from += RECORDS_PER_SLICE) {
        const slice = records[collection].slice(from, from + RECORDS_PER_SLICE)
        await writeLine(JSON.stringify(toSlice(collection, slice)))
        await onWritten((written += slice.length), total)
      }
    await writeLine(JSON.stringify({ end: total }))
    await files.syncInBackground(file)
  } finally {
    files.close(file)
  }
}

export async function readWorldFile(path: string, onRead?: OnRead): Promise<World> {
  let world: World | undefined
  let saved: DigestsByCollection = {}
  let count = 0
  let ended = false
  const readHead = (text: string) => {
    const { seed, start, seq, clock, counters, digests } = readHeader<WorldHeader>(path, text, 'world')
    saved = digests
    return { seed, start, seq, clock, counters, collections: emptyCollections() }
  }
  const onLine = (line: Line) => {
    if (!world) {
      world = readHead(line.text)
      return
    }
    const content = parseLine(path, line)
    if (ended) throw unreadableLine(path, line.number, 'it follows the end of the world')
    if ('end' in content) {
      if (content.end !== count)
        throw unreadableLine(path, line.number, `it counts ${String(content.end)} records, and ${count} were there`)
      ended = true
    } else {
      if (!isSlice(content)) throw unreadableLine(path, line.number, 'it holds no records')
      const records = fromSlice(content) as unknown as StoredRecord[]
      count += records.length
      namedCollection(world, path, line, content.collection as CollectionName).load(records, content)
    }
  }
  const steps = readLines(path, onLine)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await onRead?.(step.value, sizeOf(path))
  const { torn } = step.value
  if (!world || !ended || torn > 0) throw endsTooEarly(path)
  const found = digestsOf(world)
  const wrong = collectionNames.find((name) => found[name] !== saved[name])
  if (wrong) throw new StoreError(`${path}: the records of ${wrong} are not those that were saved. ${WHAT_TO_DO}`)
  return world
}

export interface WorldFileInfo {
  readonly at: Timestamp
  readonly seq: number
  readonly records: number
  /** Of all records. */
  readonly digest: string
}

/** Reads the first and the last line only; errors in between are found when the file is read. */
export function readWorldFileInfo(path: string): WorldFileInfo {
  const lines = linesFromEnd(path)
  try {
    const texts = [lines.next(), lines.next()].map(({ value }) => value?.toString() ?? '')
    const header = readHeader<WorldHeader>(path, texts[0]!, 'world')
    const last = JSON.parse(texts[1]!) as { end: number }
    const digest = new Digest()
    for (const text of Object.values(header.digests)) digest.add(Digest.parse(text))
    if (typeof last.end === 'number')
      return { at: header.clock.at, seq: header.seq, records: last.end, digest: `${digest}` }
  } catch (error) {
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code) throw error
  } finally {
    lines.return()
  }
  throw endsTooEarly(path)
}

export function namedCollection(
  world: World,
  path: string,
  line: Pick<Line, 'number'>,
  name: CollectionName,
): Collection<StoredRecord> {
  if (!Object.hasOwn(world.collections, name)) throw unreadableLine(path, line.number, `there is no collection ${name}`)
  return collectionOf(world, name)
}

const endsTooEarly = (path: string) => new StoreError(`${path} ends too early and is no whole world. ${WHAT_TO_DO}`)
