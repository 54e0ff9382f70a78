import { dirname, join } from 'node:path'
import type { Exchange } from '../contract/control/exchanges.ts'
import type { MethodName } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { type ChainHeader, ChainReader } from './chain.ts'
import { toMs } from './clock.ts'
import type { LoggedCounts } from './commit.ts'
import { createFolder, fileNumber, files, listFiles, numberedName, syncFileInBackground } from './files.ts'
import { formatHeader, type Header, parseLine, readHeader } from './headers.ts'
import {
  createJournal,
  EMPTY,
  type FileEnd,
  Journal,
  type LinePlace,
  type PrintedLine,
  readLineAt,
  scanLines,
  textOf,
  throwProblem,
  unreadableLine,
} from './journal.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'

/**
 * What was asked of the world: requests (x1, x2, …) and operator actions (o1, o2, …) in one sequence of files, `log/`. It is not a part of the
 * world, so restoring a world does not change it. The entry of a request that changes the world is written before its commit: it counts only if the
 * commit follows. Summaries, which lists show, stay in memory; details are read from the file on demand.
 */

/** The default of the least number of entries in the log. */
export const LOG_LENGTH = 10_000
/** A file ends at a quarter of the length, or at this size. The oldest file is deleted as a whole. */
const FILE_BYTES = 16 << 20
const MAX_BYTES = 256 << 20

export interface OperatorAction {
  readonly uid: Uid
  readonly name: MethodName
  /** JSON text, without secrets. */
  readonly input: string
  /** Simulated time. */
  readonly at: Timestamp
  /** The newest exchange before it; null if there was none. */
  readonly after: Uid | null
  readonly seq_before: number
  readonly seq_after: number
  /** Of an import: so many entries belong to it and follow in the same file. */
  readonly followed_by?: number
}

export type Call = Exchange | OperatorAction

/** An entry as its line has it: the summary, the hash of the trace id that it used up, and the details, separated by tabs. */
export interface PrintedCall {
  readonly summary: Call
  /** Empty if it used up none. */
  readonly trace?: string | undefined
  /** JSON text; after a tab, the body of the response follows, if the JSON has none. */
  readonly details: string
}

interface WaitingCall extends PrintedCall {
  readonly onFailure: (error: unknown) => void
}

export interface Entry<S extends Call = Call> {
  readonly summary: S
  readonly trace: string
  readonly readLine: () => string
}

/** A used trace id. */
export interface TraceMark {
  readonly program: Uid
  readonly hash: string
  readonly at: number
}

export interface LogHeader extends ChainHeader {
  /** The numbers up to these are in use, although their entries may be lost. */
  readonly counts?: LoggedCounts
  /** The trace ids of files that were deleted when this one was created. */
  readonly traces?: readonly Traces[]
}

/** Of one file. */
interface Traces {
  /** The commit before the newest of them. */
  readonly seq: number
  /** Of each Program the newest one: ids are forgotten oldest first. */
  readonly newest: readonly TraceMark[]
  /** Program, hash and time of each, as one text: it is copied from header to header, and read only at a start. */
  readonly marks: string
}

export const formatLogHeader = (place: Omit<LogHeader, keyof Header> = {}): string =>
  formatHeader<LogHeader>('log', place)

const formatCall = ({ summary, trace = '', details }: PrintedCall) => `${JSON.stringify(summary)}\t${trace}\t${details}`

/** An entry of an import, printed before its numbers are known: `rest` is its line without them. */
export interface ImportedCall {
  readonly summary: Call
  readonly rest: Buffer
}

export function toImported({ summary, details }: Omit<PrintedCall, 'trace'>): ImportedCall {
  const rest = { ...summary, uid: undefined, seq_before: undefined, seq_after: undefined, after: undefined }
  return { summary, rest: Buffer.from(`${JSON.stringify(rest).slice(1)}\t\t${details}`) }
}

/** JSON.stringify leaves out `after` of a request, which has none. */
const formatNumbers = ({ uid, seq_before, seq_after, after }: Call & { readonly after?: Uid | null }): string =>
  `${JSON.stringify({ uid, seq_before, seq_after, after }).slice(0, -1)},`

interface Segment {
  /** undefined without a folder: then the entries hold their own lines. */
  path: string | undefined
  /** Only of the file that is written. */
  journal: Journal | undefined
  /** Of the last line, once the file is complete. */
  check: number | undefined
  readonly entries: Entry[]
  /** Its header has trace ids. */
  hasTraces: boolean
  bytes: number
  isSynced: boolean
}

const newSegment = (journal?: Journal): Segment => ({
  path: journal?.path,
  journal,
  check: undefined,
  entries: [],
  hasTraces: false,
  bytes: 0,
  isSynced: false,
})

function complete(segment: Segment) {
  if (!segment.journal) return
  segment.check = segment.journal.check
  segment.journal.close()
  segment.journal = undefined
}

interface LogOptions {
  /** Entries that the log keeps at least. */
  readonly length?: number | undefined
  /** Each entry survives a power failure. */
  readonly sync?: boolean | undefined
}

interface OpenOptions extends LogOptions {
  /** The newest commit, and the newest entries that the commits since the world file know of. */
  readonly newest?: { readonly seq: number; readonly logged: LoggedCounts }
  /** Gets a remark if the log has lost its end. */
  readonly report?: (line: string) => void
}

export class CallLog {
  readonly #folder: string | null
  readonly #length: number
  readonly #sync: boolean
  /** Oldest first. */
  readonly #segments: Segment[] = []
  /** Of all segments, oldest first. */
  readonly requests: Entry<Exchange>[] = []
  readonly actions: Entry<OperatorAction>[] = []
  readonly #waiting: WaitingCall[] = []
  #counts: LoggedCounts = { requests: 0, actions: 0 }
  #isComplete = true
  /** Where the file ended before each of the newest entries. */
  #ends: readonly FileEnd[] = []
  /** The trace ids of files that were deleted, as the headers have them, oldest first. */
  #traces: Traces[] = []
  /** Whether a trace id still counts. Others are not kept when their file is deleted. */
  isUsed: (mark: TraceMark, now: number) => boolean = () => true

  private constructor(folder: string | null, { length = LOG_LENGTH, sync = false }: LogOptions) {
    this.#folder = folder
    this.#length = length
    this.#sync = sync
  }

  static inMemory = (options: LogOptions = {}) => new CallLog(null, options)

  static async open(data: string | null, { newest, report, ...options }: OpenOptions = {}): Promise<CallLog> {
    const log = new CallLog(data && join(data, 'log'), options)
    await log.#load()
    if (newest) log.#fitTo(newest, report)
    return log
  }

  // ── Numbers ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The newest numbers that are in use. Their entries may be gone, or never have been in this log. */
  get counts(): LoggedCounts {
    // The header of a file has no numbers of entries that follow it, so those that wait are not reserved.
    const waiting = this.#waiting.at(-1)?.summary.uid
    return waiting === undefined ? this.#counts : { ...this.#counts, requests: numberOf(waiting) }
  }

  /** The numbers of the newest entries. */
  get newest(): LoggedCounts {
    const [request, action] = [this.requests.at(-1), this.actions.at(-1)]
    return { requests: numberOf(request?.summary.uid), actions: numberOf(action?.summary.uid) }
  }

  /** Never gives out these numbers again. */
  reserve({ requests = 0, actions = 0 }: Partial<LoggedCounts>) {
    this.#counts = {
      requests: Math.max(this.#counts.requests, requests),
      actions: Math.max(this.#counts.actions, actions),
    }
  }

  /** No entry was deleted yet. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The actions of commits up to this one may have been deleted. */
  get deletedUpTo(): number {
    return this.#isComplete ? 0 : (this.#segments[0]?.entries[0]?.summary.seq_after ?? 0)
  }

  // ── Entries ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The summary has the next number, or a higher one. */
  add(call: PrintedCall) {
    this.#append([toLine(call)])
  }

  /** Writes it with the others that wait, before the next entry or when `writeWaiting` is called. Its request is not answered before. */
  addLater(call: WaitingCall) {
    this.#waiting.push(call)
  }

  /** With one write. If that fails, none of them is in the log. */
  writeWaiting() {
    const waiting = this.#waiting.splice(0)
    if (waiting.length === 0) return
    try {
      this.#append(waiting.map(toLine))
    } catch (error) {
      this.reserve({ requests: numberOf(waiting.at(-1)!.summary.uid) })
      for (const { onFailure } of waiting) onFailure(error)
    }
  }

  /** With one write. */
  addAll(calls: readonly ImportedCall[]) {
    this.#append(calls.map(({ summary, rest }) => ({ summary, line: { begin: formatNumbers(summary), rest } })))
  }

  #append(calls: readonly CallLine[]) {
    this.writeWaiting()
    const segment = this.#openSegment()
    const end = segment.journal?.end ?? EMPTY
    this.#ends = calls.map(() => end)
    for (const entry of appendTo(segment, calls)) this.#list(entry)
  }

  /** Removes the newest entries, whose commit could not be saved. */
  takeBack(count = 1) {
    const segment = this.#segments.at(-1)!
    for (const { summary } of segment.entries.splice(-count)) this.#listOf(summary.uid).pop()
    segment.journal?.takeBack(this.#ends.at(-count)!)
  }

  /** Throws if an entry that was taken back may still be in the file: then no commit may get the number that it names. */
  cutOff() {
    this.#segments.at(-1)?.journal?.cutOff()
  }

  /** With details, oldest first, as they are at the first step. Only the wanted ones are read from the disk. */
  *details<S extends Call, T>(list: readonly Entry<S>[], isWanted: (summary: S) => boolean): Iterable<T> {
    for (const entry of list.filter(({ summary }) => isWanted(summary))) {
      if (numberOf(entry.summary.uid) < numberOf(list[0]!.summary.uid))
        throw new ApiError(
          'invalidArgument',
          'the oldest entries of the log were deleted while they were read: try again',
        )
      yield withDetails(entry) as T
    }
  }

  #list(entry: Entry) {
    const { uid } = entry.summary
    this.#listOf(uid).push(entry)
    this.reserve(isRequest(uid) ? { requests: numberOf(uid) } : { actions: numberOf(uid) })
  }

  #listOf(uid: Uid): Entry[] {
    return isRequest(uid) ? this.requests : this.actions
  }

  /** A log in memory that begins with the entries of another one, up to a commit. */
  beginWith({ requests, actions, isComplete }: CallLog, seq: number) {
    const entries = [...requests, ...actions].filter(({ summary }) => summary.seq_after <= seq)
    this.#segments.push({ ...newSegment(), entries })
    for (const entry of entries) this.#list(entry)
    this.#isComplete = isComplete
  }

  // ── Trace ids ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Those that were used since the latest reset, oldest first. Gives away those of deleted files, which are needed only when the sandbox opens. */
  *usedTraces(): Iterable<TraceMark> {
    const reset = this.#latestReset()
    for (const { seq, marks } of this.#traces.splice(0)) if (seq >= reset) yield* parseMarks(marks)
    for (const { summary, trace } of this.requests)
      if (trace && summary.seq_before >= reset) yield markOf(summary, trace)
  }

  #latestReset(): number {
    return this.actions.findLast(({ summary }) => summary.name === 'world.reset')?.summary.seq_after ?? 0
  }

  /** Of files that are to be deleted, for the header of the next one. */
  #keepTraces(old: readonly Segment[]): readonly Traces[] {
    const now = toMs(this.requests.at(-1)?.summary.at ?? '')
    const isUsed = (mark: TraceMark) => this.isUsed(mark, now)
    return old
      .flatMap(({ hasTraces, path, entries }) => {
        const requests = entries.filter(({ trace }) => trace) as Entry<Exchange>[]
        const marks = requests.map(({ summary, trace }) => markOf(summary, trace)).filter(isUsed)
        const newest = [...new Map(marks.map((mark) => [mark.program, mark])).values()]
        const kept = (hasTraces && tryToReadHeader(path!)?.traces) || []
        return [...kept, { seq: requests.at(-1)?.summary.seq_before ?? 0, newest, marks: formatMarks(marks) }]
      })
      .filter(({ newest }) => newest.some(isUsed))
  }

  // ── Files ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The file to append to: the newest, or another one if that is full. */
  #openSegment(isNew = false): Segment {
    const newest = this.#segments.at(-1)
    const isOpen = newest !== undefined && newest.check === undefined
    if (isOpen && !isNew && !isFull(newest, this.#length)) return newest
    const old = this.#findOld()
    // The new file has their trace ids, and says that these are deleted.
    const traces = this.#folder === null ? [] : this.#keepTraces(this.#segments.slice(0, old))
    const journal = this.#folder === null ? undefined : this.#createFile(this.#segments[old], traces)
    if (newest) complete(newest)
    const segment = { ...newSegment(journal), hasTraces: traces.length > 0 }
    this.#segments.push(segment)
    for (let n = 0; n < old; n++) this.#deleteOldest()
    return segment
  }

  #createFile(oldest: Segment | undefined, traces: readonly Traces[]): Journal {
    const newest = listFiles(this.#folder!).at(-1)
    const number = newest === undefined ? FIRST_FILE : fileNumber(newest) + 1
    const path = join(this.#folder!, numberedName(number))
    const journal = createJournal(path, this.#formatHeader(path, oldest, traces), this.#sync)
    // Before the files that had them are deleted.
    if (traces.length > 0) journal.sync()
    if (this.#sync || traces.length > 0) files.syncFolder(this.#folder!)
    return journal
  }

  #formatHeader(path: string, oldest: Segment | undefined, traces: readonly Traces[] = []): string {
    const newest = this.#segments.at(-1)
    const follows = newest?.journal?.check ?? newest?.check
    return formatLogHeader({ follows, oldest: fileNumber(oldest?.path ?? path), counts: this.#counts, traces })
  }

  /** Returns when all entries so far, and the names of their files, are on the disk. */
  async sync() {
    if (this.#folder === null) return
    for (const segment of this.#segments.filter(({ isSynced }) => !isSynced))
      if (segment.journal) await segment.journal.syncInBackground()
      else if (files.exists(segment.path!)) {
        await syncFileInBackground(segment.path!)
        segment.isSynced = true
      }
    if (this.#segments.length > 0) await files.syncFolderInBackground(this.#folder)
  }

  close() {
    this.#segments.at(-1)?.journal?.close()
  }

  /** How many files at the beginning are not needed. */
  #findOld(): number {
    let entries = this.requests.length + this.actions.length
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    let old = 0
    for (const segment of this.#segments) {
      if (entries - segment.entries.length < this.#length && bytes < MAX_BYTES) break
      entries -= segment.entries.length
      bytes -= segment.bytes
      old++
    }
    return old
  }

  #deleteOldest() {
    const { entries, path } = this.#segments.shift()!
    this.#isComplete = false
    const requests = entries.filter(({ summary }) => isRequest(summary.uid)).length
    this.requests.splice(0, requests)
    this.actions.splice(0, entries.length - requests)
    if (path) files.remove(path)
  }

  async #load() {
    if (this.#folder === null) return
    createFolder(this.#folder)
    if (this.#sync) files.syncFolder(this.#folder)
    const paths = listFiles(this.#folder)
    const oldest = findOldest(paths)
    const reader = new ChainReader<LogHeader>('log')
    this.#isComplete = paths.length === 0 || oldest === FIRST_FILE
    // A crash came between the header that says so and the deletion.
    for (const path of paths)
      if (fileNumber(path) < oldest) files.remove(path)
      else this.#loadFile(reader, path, path === paths.at(-1))
  }

  #loadFile(reader: ChainReader<LogHeader>, path: string, isNewest: boolean) {
    const { found, head, end, header } = readLogFile(reader, path, isNewest)
    this.reserve(header?.counts ?? {})
    const { traces: kept = [] } = header ?? {}
    this.#traces.push(...kept)
    const segment: Segment = { ...newSegment(), path, bytes: end.length, hasTraces: kept.length > 0 }
    if (isNewest) segment.journal = new Journal(path, end, this.#sync)
    else segment.check = end.check
    // A crash before the header was written leaves an empty file.
    if (isNewest && end.length === 0) segment.journal!.append(this.#formatHeader(path, this.#segments[0]))
    this.#segments.push(segment)
    this.#ends = [head, ...found.map(({ end }) => end)].slice(0, -1)
    for (const { summary, trace = '', place } of found) {
      const entry = { summary, trace, readLine: lineReader(segment, place) }
      segment.entries.push(entry)
      this.#list(entry)
    }
  }

  /**
   * A request or an import that the process did not finish has entries and no commit: they go. After a power failure commits may be lost, which
   * is an error, or the newest entries; their numbers are not used again.
   */
  #fitTo({ seq, logged }: NonNullable<OpenOptions['newest']>, report: OpenOptions['report']) {
    const newest = this.#segments.at(-1)?.entries.map(({ summary }) => summary) ?? []
    const unfinished = countUnfinished(newest, seq)
    if (unfinished > 0) this.takeBack(unfinished)
    const calls = this.#segments.flatMap(({ entries }) => entries.map(({ summary }) => summary))
    requireCommits(seq, calls, this.#folder ?? '')
    const { requests, actions } = this.newest
    this.reserve(logged)
    for (const { summary } of this.actions) this.reserve({ requests: numberOf(summary.after) })
    if (requests >= logged.requests && actions >= logged.actions) return
    report?.(
      `The log ${this.#folder} ends with x${requests} and o${actions}, and changes were made after x${logged.requests} and o${logged.actions}: the power failed before it was on the disk. The changes are there; these entries and their trace ids are lost`,
    )
    this.#openSegment(true)
  }
}

/**
 * A change is saved after its request is logged, so the newest request may name a commit that did not follow; so may the entries of an
 * import. Other entries do not. Returns how many at the end do.
 */
function countUnfinished(calls: readonly Call[], newest: number): number {
  const first = calls.findIndex(({ seq_after }) => seq_after > newest)
  const call = calls[first]
  if (call?.seq_after !== newest + 1 || call.seq_before > newest) return 0
  const followed_by = 'followed_by' in call ? call.followed_by : isRequest(call.uid) ? 0 : undefined
  const count = calls.length - first
  return followed_by !== undefined && count <= 1 + followed_by ? count : 0
}

/** The newest entries may be unfinished. */
export function requireCommits(newest: number, calls: readonly Call[], folder: string, onProblem = throwProblem) {
  const finished = calls.slice(0, calls.length - countUnfinished(calls, newest))
  const ahead = finished.find(({ seq_after }) => seq_after > newest)
  if (ahead)
    onProblem(
      new StoreError(
        `${join(dirname(folder), 'changes')} ends with commit ${newest}, and ${folder} has ${ahead.uid} with commit ${ahead.seq_after}: changes are lost. ${WHAT_TO_DO}`,
      ),
    )
}

const markOf = ({ program_uid, at }: Exchange, hash: string): TraceMark => ({
  program: program_uid!,
  hash,
  at: toMs(at),
})

const formatMarks = (marks: readonly TraceMark[]): string =>
  marks.map(({ program, hash, at }) => `${program} ${hash} ${at}`).join(' ')

function* parseMarks(text: string): Iterable<TraceMark> {
  const parts = text.split(' ')
  for (let i = 0; i < parts.length; i += 3) yield { program: parts[i]!, hash: parts[i + 1]!, at: Number(parts[i + 2]) }
}

interface CallLine {
  readonly summary: Call
  readonly trace?: string | undefined
  readonly line: string | PrintedLine
}

const toLine = (call: PrintedCall): CallLine => ({ summary: call.summary, trace: call.trace, line: formatCall(call) })

/** With one write. */
function appendTo(segment: Segment, calls: readonly CallLine[]): Entry[] {
  const places = segment.journal?.appendAll(calls.map(({ line }) => line))
  const entries = calls.map(({ summary, trace = '', line }, index): Entry => {
    segment.bytes += typeof line === 'string' ? line.length : line.begin.length + line.rest.length
    return { summary, trace, readLine: places ? lineReader(segment, places[index]!) : () => textOf(line) }
  })
  for (const entry of entries) segment.entries.push(entry)
  return entries
}

const isFull = ({ entries, bytes }: Segment, length: number) => entries.length >= length / 4 || bytes >= FILE_BYTES

/** The number of the oldest file, as long as no entry was deleted. */
const FIRST_FILE = 1

/** The number of the oldest file that belongs to the log. */
export function findOldest(paths: readonly string[]): number {
  for (const path of paths.toReversed()) {
    const { oldest } = tryToReadHeader(path) ?? {}
    if (oldest !== undefined) return oldest
  }
  return FIRST_FILE
}

/** undefined if it is damaged, which reading the file reports. */
export function tryToReadHeader(path: string): Partial<LogHeader> | undefined {
  try {
    const [first] = scanLines(path)
    return first?.text && readHeader<LogHeader>(path, first.text.toString('utf8'), 'log')
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return undefined
  }
}

/** Reads the summaries. `end`: where each entry ends. */
export function readLogFile(reader: ChainReader<LogHeader>, path: string, isNewest: boolean) {
  const found: (Omit<PrintedCall, 'details'> & { place: LinePlace; end: FileEnd })[] = []
  const read = reader.add(path, isNewest, ({ text, number, at, length, check, end }) => {
    found.push({ ...parseCall(path, number, text), place: { at, length }, end: { length: end, check } })
  })
  return { ...read, found }
}

export function parseCall(path: string, number: number, text: string): Omit<PrintedCall, 'details'> {
  const first = text.indexOf('\t')
  const summary = parseLine(path, { text: text.slice(0, Math.max(first, 0)), number }) as Call
  if (typeof summary.uid !== 'string') throw unreadableLine(path, number, 'it has no uid')
  return { summary, trace: text.slice(first + 1, text.indexOf('\t', first + 1)) }
}

export function withDetails<S extends Call>({ summary, readLine }: Entry<S>): S & object {
  const [, , text = '', body] = readLine().split('\t')
  const details = JSON.parse(text) as { response?: object }
  if (body !== undefined) details.response = { ...details.response, body }
  return { ...summary, ...details }
}

/** A function of its own, so that the closure does not keep the line in memory. */
const lineReader =
  (segment: Segment, { at, length }: LinePlace) =>
  () => {
    const place = { at, length }
    return segment.journal ? segment.journal.read(place) : readLineAt(segment.path!, place)
  }

export const isRequest = (uid: Uid) => uid.startsWith('x')

/** The newest numbers of requests and actions. */
export function countCalls(
  calls: readonly Pick<Call, 'uid'>[],
  { requests, actions }: LoggedCounts = { requests: 0, actions: 0 },
): LoggedCounts {
  for (const { uid } of calls)
    if (isRequest(uid)) requests = Math.max(requests, numberOf(uid))
    else actions = Math.max(actions, numberOf(uid))
  return { requests, actions }
}

/** 0 for none. */
export const numberOf = (uid: Uid | null | undefined): number => (uid ? Number(uid.slice(1)) : 0)
