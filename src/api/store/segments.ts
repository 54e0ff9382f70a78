import { join } from 'node:path'
import type { ChainHeader } from './chain.ts'
import { type Commit, type CommitFilter, changesInParts } from './commit.ts'
import { formatCommit, parseCommit, readSeq } from './commit-format.ts'
import { collectionsAfter } from './copies.ts'
import { fileNumber, files, listFiles, numberedName, writeText } from './files.ts'
import { formatHeader, type Header, readHeader } from './headers.ts'
import {
  createJournal,
  formatLines,
  type Journal,
  type Line,
  linesFromEnd,
  linesFromStart,
  unreadableLine,
} from './journal.ts'
import { withReplacement } from './replacement-file.ts'
import { mapInSteps, runToEnd, type Steps } from './steps.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import { digestOf, type World } from './world.ts'
import { namedCollection } from './world-file.ts'

/**
 * The folder `changes/`: commits, one per line, in segments that are named after their first commit. If that replaced most of the world, the lines
 * before it have its changes; without it they count for nothing.
 */

/** Older commits are deleted, segment by segment. */
export const HISTORY_LENGTH = 100_000

export interface Segment {
  readonly path: string
  readonly firstSeq: number
}

export const segmentPath = (folder: string, firstSeq: number) => join(folder, 'changes', numberedName(firstSeq))

/** Oldest first. */
export const listSegments = (folder: string): Segment[] =>
  listFiles(join(folder, 'changes'), /^\d{12}(?:\.replacement)?\.jsonl$/).map((path) => ({
    path,
    firstSeq: fileNumber(path),
  }))

export interface SegmentHeader extends ChainHeader {
  readonly sandbank: 'changes'
}

type SegmentPlace = Omit<SegmentHeader, keyof Header>

export const formatSegmentHeader = (place: SegmentPlace = {}) => formatHeader<SegmentHeader>('changes', place)

export const createSegment = (path: string, sync: boolean, place?: SegmentPlace): Journal =>
  createJournal(path, formatSegmentHeader(place), sync)

/** Writes commits from before the folder existed: prints them one by one, and writes them at once, so that a kill leaves no gap. */
export function* writeSegment(path: string, commits: readonly Commit[]): Steps<void> {
  const lines = yield* mapInSteps(commits, formatCommit)
  writeText(path, formatLines([formatSegmentHeader(), ...lines]))
}

/** Deletes segments whose commits are all older than the history. The header of the newest one says so already. */
export function deleteOldSegments(folder: string, newestSeq: number) {
  const oldest = oldestSegment(folder, newestSeq) ?? 0
  for (const { path, firstSeq } of listSegments(folder)) if (firstSeq < oldest) files.remove(path)
}

/** The first commit of the oldest segment that is kept, if there is one. */
export const oldestSegment = (folder: string, newestSeq: number): number | undefined => {
  const segments = listSegments(folder)
  const isOld = (_: Segment, index: number) => {
    const next = segments[index + 1]
    return next !== undefined && next.firstSeq <= newestSeq - HISTORY_LENGTH
  }
  return segments.find((segment, index) => !isOld(segment, index))?.firstSeq
}

/** The next one of the world. */
export function applyCommit(path: string, line: Pick<Line, 'number'>, world: World, commit: Commit) {
  for (const { collection, uid, record } of commit.changes)
    namedCollection(world, path, line, collection).set(uid, record ?? undefined)
  if (commit.replacement) {
    const changes = flatten(changesInParts(withReplacement(path, commit)))
    world.collections = runToEnd(collectionsAfter(world, changes))
  }
  if (`${digestOf(world)}` !== commit.digest)
    throw unreadableLine(path, line.number, `the records after commit ${commit.seq} are not those that were saved`)
  world.seq = commit.seq
  world.counters = commit.counters
  // Simulated time stops while the sandbox is closed: a running clock continues from its last commit.
  world.clock = commit.clock ?? { ...world.clock, at: commit.stood_at ?? commit.at }
  Object.assign(world, commit.origin)
}

function* flatten<T>(parts: Iterable<readonly T[]>): Iterable<T> {
  for (const part of parts) yield* part
}

/** The lines of the commits of a segment; undefined if a crash before its first write left it empty. `open` is the one that is being written. */
function linesOfCommits(path: string, open: Journal | undefined, read: typeof linesFromEnd | typeof linesFromStart) {
  const lines = read(path, path === open?.path ? open.length : undefined)
  const header = lines.next().value?.toString() ?? ''
  if (header !== '') {
    readHeader(path, header, 'changes')
    return lines
  }
  lines.return()
  return undefined
}

/** What is searched at once takes a few milliseconds. */
const SLICE_BYTES = 1 << 20

/** Reads from the end. Lines that the filter excludes are not parsed; after each SLICE_BYTES of them it yields undefined. */
export function* readCommitsFromEnd(
  folder: string,
  open: Journal | undefined,
  filter: CommitFilter = {},
): Iterable<Commit | undefined> {
  const passes = lineFilter(filter)
  /** Bytes that were read since a value was yielded. */
  let skipped = 0
  /** The commit that the next line must be. */
  let expected: number | undefined
  for (const { path, firstSeq } of listSegments(folder).reverse()) {
    // A slow caller may find that a segment was deleted meanwhile.
    if (!files.exists(path)) return
    const lines = linesOfCommits(path, open, linesFromEnd)
    if (!lines) continue
    for (const line of lines) {
      const seq = readSeq(line)
      // What is before the first commit are the parts of a replacement.
      if (seq === undefined) break
      if (expected !== undefined && seq !== expected) throw missingCommit(path, expected, seq)
      expected = seq - 1
      if (filter.after !== undefined && seq <= filter.after) return
      if (passes(line, seq)) {
        skipped = 0
        yield withReplacement(path, parseCommit(line.toString()))
      } else if ((skipped += line.length) >= SLICE_BYTES) {
        skipped = 0
        yield undefined
      }
    }
    if (expected !== undefined && expected !== firstSeq - 1) throw missingCommit(path, expected, firstSeq - 1)
    expected = firstSeq - 1
  }
}

/** Reads the commits from one number to another, oldest first; fewer if the history begins later. */
export function* readCommitsFromStart(
  folder: string,
  open: Journal | undefined,
  from: number,
  to: number,
): Iterable<Commit> {
  const segments = listSegments(folder)
  for (const [index, { path, firstSeq }] of segments.entries()) {
    const next = segments[index + 1]
    if (firstSeq > to) return
    if (next && next.firstSeq <= from) continue
    if (!files.exists(path)) throw new StoreError(`${path} was removed from the history while it was read: try again`)
    for (const line of linesOfCommits(path, open, linesFromStart) ?? []) {
      const seq = readSeq(line)
      if (seq === undefined || seq < from) continue
      const commit = parseCommit(line.toString())
      if (commit.seq > to) return
      yield withReplacement(path, commit)
    }
  }
}

const missingCommit = (path: string, expected: number, found: number) =>
  new StoreError(`${path}: commit ${expected} is missing, commit ${found} is in its place. ${WHAT_TO_DO}`)

const GOES_ON_FROM = Buffer.from('"goes_on_from":')

function lineFilter({ texts, before = Number.POSITIVE_INFINITY }: CommitFilter) {
  const wanted = texts?.map((text) => Buffer.from(text))
  return (line: Buffer, seq: number): boolean =>
    (seq < before && wanted?.some((text) => line.includes(text)) !== false) || line.includes(GOES_ON_FROM)
}

export const missingSegment = (path: string) =>
  new StoreError(`${path} is missing or incomplete: changes of the world are lost. ${WHAT_TO_DO}`)
