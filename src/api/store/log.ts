import { basename, join } from 'node:path'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Offsets, PreparedPart } from './commit.ts'
import { createFolder, files } from './files.ts'
import { NO_OFFSETS, numberedName, offsetsOf, parseNumberedName, shiftEntry, temporaryName } from './import-files.ts'
import { EMPTY, type FileEnd, Journal, type LinePlace, readLines, scanLines, unreadableLine } from './journal.ts'
import { CURRENT_VERSION, migrate } from './migrations.ts'
import { StoreError } from './store-error.ts'
import type { Header } from './world-file.ts'

/**
 * An append-only log next to the world: restoring a world does not change it. Summaries, which lists show, stay in memory;
 * details are read from the file on demand. A file begins with a header; each other line is the summary, a tab, the details.
 */

/** The default of the least number of entries in the log. */
export const LOG_LENGTH = 10_000
/** A segment ends at a quarter of the length, or at this size. The oldest segment is deleted as a whole. */
const SEGMENT_BYTES = 16 << 20
const MAX_BYTES = 256 << 20

interface LogHeader extends Header {
  /** The check of the last line of the file before, if there is one. The files of an import do not have it. */
  readonly follows?: number | undefined
  /** The number of the oldest file that was kept when this one was created: older ones are deleted. */
  readonly oldest?: number
  /** A repair may have left out entries. */
  readonly isRepaired?: true
  /** The numbers up to this one are in use, although their entries may be lost. */
  readonly reserved?: number
}

export const formatLogHeader = (place: Omit<LogHeader, keyof Header> = {}): string =>
  JSON.stringify({ sandbank: 'log', version: CURRENT_VERSION, ...place } satisfies LogHeader)

interface Segment {
  /** undefined without a folder: then the entries hold their own lines. */
  readonly file: LogFile | undefined
  entries: number
  bytes: number
}

interface LogFile {
  readonly path: string
  readonly read: (place: LinePlace) => string
  readonly close: () => void
  /** undefined once it is closed. */
  readonly journal?: Journal
  /** Nothing is appended to the file of an import. */
  readonly isComplete?: boolean
}

interface Entry<S> {
  readonly summary: S
  readonly readLine: () => string
}

export interface LogOptions {
  /** Entries that the log keeps at least. */
  readonly length?: number | undefined
  /** Each entry survives a power failure. */
  readonly sync?: boolean | undefined
}

export class Log<S extends { readonly uid: Uid }, D extends object> {
  readonly #folder: string | null
  readonly #letter: string
  readonly #length: number
  readonly #sync: boolean
  /** Oldest first, over all segments. */
  readonly #entries: Entry<S>[] = []
  readonly #segments: Segment[] = []
  #count = 0
  #isComplete = true

  private constructor(folder: string | null, letter: string, { length = LOG_LENGTH, sync = false }: LogOptions) {
    this.#folder = folder
    this.#letter = letter
    this.#length = length
    this.#sync = sync
  }

  static inMemory<S extends { readonly uid: Uid }, D extends object>(letter: string, options: LogOptions = {}) {
    return new Log<S, D>(null, letter, options)
  }

  /** Uids are the letter and a counter. */
  static async open<S extends { readonly uid: Uid }, D extends object>(
    folder: string | null,
    letter: string,
    options: LogOptions = {},
  ): Promise<Log<S, D>> {
    const log = new Log<S, D>(folder, letter, options)
    await log.#load()
    return log
  }

  get nextUid(): Uid {
    return `${this.#letter}${this.#count + 1}`
  }

  get newestUid(): Uid | null {
    return this.#entries.at(-1)?.summary.uid ?? null
  }

  /** No entry was deleted yet. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Never gives out this uid again: it is in use, although its entry may be lost. */
  reserve(uid: Uid) {
    this.#count = Math.max(this.#count, counterOf(uid))
  }

  /** Oldest first. */
  summaries(): S[] {
    return this.#entries.map(({ summary }) => summary)
  }

  /** With details, oldest first, as they are at the first step. Only the wanted ones are read from the disk. */
  *entries(isWanted: (summary: S) => boolean = () => true): Iterable<S & D> {
    for (const entry of this.#entries.filter(({ summary }) => isWanted(summary))) {
      if (counterOf(entry.summary.uid) < counterOf(this.#entries[0]!.summary.uid))
        throw new ApiError(
          'invalidArgument',
          'the oldest entries of the log were deleted while they were read: try again',
        )
      yield withDetails<S, D>(entry)
    }
  }

  get(uid: Uid): (S & D) | undefined {
    const entry = this.#entries.find(({ summary }) => summary.uid === uid)
    return entry && withDetails<S, D>(entry)
  }

  /** The summary has the next uid, or, if it comes from another log, its uid there. The details are JSON text. */
  add(summary: S, details: string) {
    this.#count = Math.max(this.#count + 1, counterOf(summary.uid))
    const line = `${JSON.stringify(summary)}\t${details}`
    const segment = this.#openSegment(counterOf(summary.uid))
    const journal = segment.file?.journal
    this.#entries.push({ summary, readLine: journal ? lineReader(segment, journal.append(line)) : () => line })
    segment.entries++
    segment.bytes += line.length
  }

  /** As `add`, with one write for each segment. */
  addAll(entries: readonly PrintedEntry<S>[]) {
    appendInSegments(
      entries,
      this.#length,
      (first) => this.#openSegment(counterOf(first.uid)),
      (entry) => {
        this.reserve(entry.summary.uid)
        this.#entries.push(entry)
      },
    )
  }

  /** Entries of an import, which are added later, as a whole. Until then their numbers count from 1. */
  prepare(): PreparedEntries<S> {
    return new PreparedEntries<S>({
      folder: this.#folder,
      length: this.#length,
      sync: this.#sync,
      offsetOf: ({ requests, actions }) => (this.#letter === 'x' ? requests : actions),
      isEmpty: () => this.#segments.length === 0,
      onAdopt: (entries, segments) => {
        for (const entry of entries) this.#entries.push(entry)
        this.#segments.push(...segments)
        const newest = entries.at(-1)
        if (newest) this.reserve(newest.summary.uid)
      },
    })
  }

  /** The segment to append to: the newest, or another one if that is full. `first`: the number of the next entry. */
  #openSegment(first: number): Segment {
    const newest = this.#segments.at(-1)
    const isComplete = newest?.file && (!newest.file.journal || newest.file.isComplete)
    if (newest && !isComplete && !isFull(newest, this.#length)) return newest
    const old = this.#findOld()
    const kept = this.#segments[old]
    const segment = { file: this.#folder === null ? undefined : this.#createFile(first, kept), entries: 0, bytes: 0 }
    this.#segments.push(segment)
    // The new file says that these are deleted, so it comes first.
    for (let n = 0; n < old; n++) this.#deleteOldest()
    return segment
  }

  #createFile(first: number, oldest: Segment | undefined): LogFile {
    const number = this.#segments.length === 0 ? FIRST_SEGMENT : first
    const journal = new Journal(segmentPath(this.#folder!, number), EMPTY, this.#sync)
    this.#writeHeader(journal, oldest)
    if (this.#sync) files.syncFolder(this.#folder!)
    return fileOf(journal)
  }

  #writeHeader(journal: Journal, oldest: Segment | undefined) {
    const follows = this.#segments.at(-1)?.file?.journal?.check
    journal.append(formatLogHeader({ follows, oldest: numberOf(oldest?.file?.path ?? journal.path) }))
  }

  /** Returns when all entries so far, and the names of their files, are on the disk. */
  async sync() {
    const unsynced = this.#segments.filter(({ file }, index) => file?.isComplete || index === this.#segments.length - 1)
    await Promise.all(unsynced.map(({ file }) => file?.journal?.syncInBackground()))
    if (this.#folder !== null && unsynced.length > 0) await files.syncFolderInBackground(this.#folder)
  }

  close() {
    for (const { file } of this.#segments) file?.close()
  }

  /** How many segments at the beginning are not needed. */
  #findOld(): number {
    let entries = this.#entries.length
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    let old = 0
    for (const segment of this.#segments) {
      if (entries - segment.entries < this.#length && bytes < MAX_BYTES) break
      entries -= segment.entries
      bytes -= segment.bytes
      old++
    }
    return old
  }

  #deleteOldest() {
    const { entries, file } = this.#segments.shift()!
    this.#isComplete = false
    this.#entries.splice(0, entries)
    file?.close()
    if (file) files.remove(file.path)
  }

  async #load() {
    if (this.#folder === null) return
    createFolder(this.#folder)
    if (this.#sync) files.syncFolder(this.#folder)
    const paths = listLogFiles(this.#folder)
    const oldest = await findOldest(paths)
    this.#isComplete = paths.length === 0 || oldest === FIRST_SEGMENT
    for (const path of paths) {
      // A crash came between the header that says so and the deletion.
      if (numberOf(path) < oldest) {
        files.remove(path)
        continue
      }
      await this.#loadSegment(path)
    }
  }

  async #loadSegment(path: string) {
    const { found, end, header } = await readLogFile<S>(path)
    this.#count = Math.max(this.#count, reservedBy(path, header))
    // A crash before the header was written leaves an empty file.
    const isEmpty = end.length === 0
    const file =
      offsetsOf(path) !== NO_OFFSETS
        ? openCompleteFile(path, end, this.#sync)
        : fileOf(new Journal(path, end, this.#sync))
    if (isEmpty) this.#writeHeader(file.journal!, this.#segments[0])
    const segment = { file, entries: found.length, bytes: end.length }
    this.#segments.push(segment)
    for (const { summary, place } of found) {
      this.#entries.push({ summary, readLine: lineReader(segment, place) })
      this.reserve(summary.uid)
    }
  }
}

export interface PrintedEntry<S> {
  readonly summary: S
  /** JSON text. */
  readonly details: string
}

/** With one write for each segment. */
function appendInSegments<S extends { readonly uid: Uid }>(
  entries: readonly PrintedEntry<S>[],
  length: number,
  openSegment: (first: S) => Segment,
  onEntry: (entry: Entry<S>) => void,
) {
  for (let from = 0; from < entries.length; ) {
    const segment = openSegment(entries[from]!.summary)
    const journal = segment.file?.journal
    const part = entries.slice(from, from + Math.max(1, Math.ceil(length / 4) - segment.entries))
    const lines = part.map(({ summary, details }) => `${JSON.stringify(summary)}\t${details}`)
    const places = journal?.appendAll(lines)
    for (const [index, { summary }] of part.entries()) {
      const line = lines[index]!
      onEntry({ summary, readLine: journal ? lineReader(segment, places![index]!) : () => line })
      segment.bytes += line.length
    }
    segment.entries += part.length
    from += part.length
  }
}

interface PreparedOptions<S> {
  readonly folder: string | null
  readonly length: number
  readonly sync: boolean
  /** What is added to the number of an entry. */
  readonly offsetOf: (offsets: Offsets) => number
  readonly isEmpty: () => boolean
  readonly onAdopt: (entries: readonly Entry<S>[], segments: readonly Segment[]) => void
}

/** The entries of an import: written in steps, added as a whole. */
export class PreparedEntries<S extends { readonly uid: Uid }> implements PreparedPart {
  readonly #log: PreparedOptions<S>
  #entries: Entry<S>[] = []
  #segments: PreparedSegment[] = []
  #offsets = NO_OFFSETS

  constructor(log: PreparedOptions<S>) {
    this.#log = log
  }

  /** The first entry has the number 1. The summaries belong to the log from then on. */
  add(entries: readonly PrintedEntry<S>[]) {
    const openSegment = () => this.#openSegment()
    appendInSegments(entries, this.#log.length, openSegment, (entry) => this.#entries.push(entry))
  }

  #openSegment(): Segment {
    const { folder, length, sync } = this.#log
    const newest = this.#segments.at(-1)
    if (newest && !isFull(newest, length)) return newest
    const segment: PreparedSegment = { first: this.#entries.length + 1, file: undefined, entries: 0, bytes: 0 }
    this.#segments.push(segment)
    if (folder !== null) {
      const journal = new Journal(join(folder, temporaryName(this.#segments.length)), EMPTY, sync)
      segment.file = fileOf(journal)
      journal.append(formatLogHeader())
    }
    return segment
  }

  place(offsets: Offsets) {
    const { folder, sync, offsetOf, isEmpty } = this.#log
    this.#offsets = offsets
    if (folder === null) return
    for (const [index, segment] of this.#segments.entries()) {
      const isFirst = index === 0 && isEmpty()
      const path = join(folder, numberedName(isFirst ? FIRST_SEGMENT : segment.first + offsetOf(offsets), offsets))
      const { journal, path: temporary } = segment.file!
      segment.file = closedFile(temporary)
      // Windows renames no open file.
      journal!.close()
      files.rename(temporary, path)
      segment.file = closedFile(path)
      segment.file = openCompleteFile(path, journal!.end, sync)
    }
    if (sync) files.syncFolder(folder)
  }

  adopt() {
    for (const { summary } of this.#entries) shiftEntry(summary, this.#offsets)
    this.#log.onAdopt(this.#entries, this.#segments)
    this.#entries = []
    this.#segments = []
  }

  remove() {
    const { folder } = this.#log
    for (const segment of this.#segments) {
      const { file } = segment
      if (!file) continue
      segment.file = closedFile(file.path)
      file.close()
      files.remove(file.path)
      segment.file = undefined
    }
    if (folder !== null && this.#segments.length > 0) files.syncFolder(folder)
    this.#entries = []
    this.#segments = []
  }
}

interface PreparedSegment extends Segment {
  /** The number of its first entry, from 1. */
  readonly first: number
  /** Another one after the file has got its name. */
  file: LogFile | undefined
}

const isFull = ({ entries, bytes }: Segment, length: number) => entries >= length / 4 || bytes >= SEGMENT_BYTES

/** The number of the oldest file, as long as no entry was deleted. */
const FIRST_SEGMENT = 1
export const numberOf = (path: string) => Number.parseInt(basename(path), 10)

/** The numbers up to this one are in use before the first entry, whose number is in the name. */
export const reservedBy = (path: string, header: LogHeader | undefined): number =>
  header?.reserved ?? numberOf(path) - 1

/** The number of the oldest file that belongs to the log. */
export async function findOldest(paths: readonly string[]): Promise<number> {
  for (const path of paths.toReversed()) {
    const { oldest } = (await readHeader(path)) ?? {}
    if (oldest !== undefined) return oldest
  }
  return FIRST_SEGMENT
}

/** undefined if it is damaged, which reading the file reports. */
async function readHeader(path: string): Promise<Partial<LogHeader> | undefined> {
  try {
    for await (const { text } of scanLines(path))
      return text && (parseSummary(path, 1, text.toString('utf8')) as Partial<LogHeader>)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
  return undefined
}

const fileOf = (journal: Journal): LogFile => ({
  path: journal.path,
  read: (place) => journal.read(place),
  close: () => journal.close(),
  journal,
})

const openCompleteFile = (path: string, end: FileEnd, sync: boolean): LogFile => ({
  ...fileOf(new Journal(path, end, sync)),
  isComplete: true,
})

function closedFile(path: string): LogFile {
  const read = () => {
    throw new Error(`${path} is closed`)
  }
  return { path, read, close: () => {} }
}

/** Oldest first. */
export const listLogFiles = (folder: string): string[] =>
  files
    .list(folder)
    .filter((name) => parseNumberedName(name) !== undefined)
    .sort()
    .map((name) => join(folder, name))

/** Reads the summaries. */
export async function readLogFile<S extends { readonly uid: Uid }>(path: string) {
  const found: { summary: S; place: LinePlace }[] = []
  let header: LogHeader | undefined
  const offsets = offsetsOf(path)
  const end = await readLines(path, ({ text, number, at, length }) => {
    const content = parseSummary(path, number, text)
    if (number === 1) {
      header = content as unknown as LogHeader
      if (header.sandbank !== 'log') throw unreadableLine(path, number, 'it is not the header of a log')
      migrate(header.version)
    } else if (typeof content.uid === 'string') {
      const summary = content as S
      shiftEntry(summary, offsets)
      found.push({ summary, place: { at, length } })
    } else throw unreadableLine(path, number, 'it has no uid')
  })
  return { found, end, header }
}

function parseSummary(path: string, number: number, text: string): { readonly uid?: unknown } {
  const tab = text.indexOf('\t')
  try {
    return JSON.parse(tab < 0 ? text : text.slice(0, tab)) as { uid?: unknown }
  } catch {
    throw unreadableLine(path, number, 'it is not JSON')
  }
}

function withDetails<S, D>({ summary, readLine }: Entry<S>): S & D {
  const line = readLine()
  return { ...summary, ...(JSON.parse(line.slice(line.indexOf('\t') + 1)) as D) }
}

/** A function of its own, so that the closure does not keep the line in memory. */
const lineReader =
  (segment: Segment, { at, length }: LinePlace) =>
  () =>
    segment.file!.read({ at, length })

const counterOf = (uid: Uid) => Number(uid.slice(1))

const segmentPath = (folder: string, counter: number) => join(folder, numberedName(counter))
