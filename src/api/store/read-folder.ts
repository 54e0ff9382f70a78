import { join } from 'node:path'
import { countCalls } from './call-log.ts'
import { ChainReader } from './chain.ts'
import type { Commit, LoggedCounts } from './commit.ts'
import { digestBefore, isCommit, restoreCommit } from './commit-format.ts'
import { files } from './files.ts'
import { parseLine } from './headers.ts'
import {
  attempt,
  type FileEnd,
  type Line,
  type OnProblem,
  type ReadEnd,
  scanLines,
  throwProblem,
  unreadableLine,
} from './journal.ts'
import { isPart, withReplacement } from './replacement-file.ts'
import { applyCommit, listSegments, missingSegment, type Segment, type SegmentHeader, segmentPath } from './segments.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import type { World } from './world.ts'
import { readWorldFile } from './world-file.ts'

/** The world of a data folder as its files have it: the world file and the commits since. Changes nothing. */

export interface ReadFolder {
  readonly world: World
  /** The newest commit of the world file. */
  readonly savedSeq: number
  /** The segments that were read. */
  readonly paths: readonly string[]
  /** The segment in which the commits go on. */
  readonly open: { readonly path: string; readonly end: ReadEnd }
}

export const worldPath = (folder: string) => join(folder, 'world.jsonl')

/** A folder without a world file is a new one, unless it has commits. */
export function requireNoCommits(folder: string) {
  for (const { path } of listSegments(folder))
    for (const { number, isTorn } of scanLines(path))
      if (number > 1 && !isTorn)
        throw new StoreError(
          `${worldPath(folder)} is missing although ${path} holds changes: the world is lost. ${WHAT_TO_DO}`,
        )
}

/** Returns null if the folder holds no world. `onCommit` gets the commits since the world file. */
export async function readFolder(
  folder: string,
  onCommit: (commit: Commit) => void = () => {},
): Promise<ReadFolder | null> {
  if (!files.exists(worldPath(folder))) {
    requireNoCommits(folder)
    return null
  }
  const world = await readWorldFile(worldPath(folder))
  const savedSeq = world.seq
  const segments = listSegments(folder).filter(({ firstSeq }) => firstSeq > savedSeq)
  // The segment is created before the world file is written.
  if (segments[0]?.firstSeq !== savedSeq + 1) throw missingSegment(segmentPath(folder, savedSeq + 1))
  const history = new HistoryReader(folder)
  const paths: string[] = []
  let open!: ReadFolder['open']
  for (const segment of segments) {
    const { path } = segment
    const end = history.add(segment, segment === segments.at(-1), (commit, line) => {
      applyCommit(path, line, world, commit)
      onCommit(commit)
    })
    paths.push(path)
    open = { path, end }
  }
  return { world, savedSeq, paths, open }
}

/**
 * Reads the history from file to file, for a start, a check and a repair: the commits are numbered without gaps. The last segment may also end in
 * parts without their commit, or in an import whose last commits are missing: that is torn as a whole.
 */
export class HistoryReader {
  readonly #folder: string
  readonly #onProblem: OnProblem
  readonly #files: ChainReader<SegmentHeader>
  /** The newest commit. */
  newest: number | undefined
  /** The first commit that is kept, as the newest header says. */
  oldest: number | undefined

  constructor(folder: string, onProblem = throwProblem) {
    this.#folder = folder
    this.#onProblem = onProblem
    this.#files = new ChainReader('changes', onProblem)
  }

  /** Returns where the whole commits end. */
  add({ path, firstSeq }: Segment, isLast: boolean, onCommit: (commit: Commit, line: Line) => void): ReadEnd {
    const { newest = firstSeq - 1 } = this
    if (firstSeq !== newest + 1) this.#onProblem(missingSegment(segmentPath(this.#folder, newest + 1)))
    let seq = firstSeq - 1
    /** An import up to now. */
    let held: (readonly [Commit, Line])[] = []
    const release = () => {
      const released = held
      held = []
      for (const [commit, line] of released) {
        const expected = seq + 1
        seq = commit.seq
        if (seq !== expected)
          this.#onProblem(unreadableLine(path, line.number, `commit ${expected} is expected, and it is commit ${seq}`))
        attempt(this.#onProblem, () => onCommit(commit, line))
      }
    }
    let whole: Omit<ReadEnd, 'torn'> | undefined
    const { header, head, end, isWhole } = this.#files.add(path, isLast, (line) => {
      if (isPart(line.text)) return
      if (!isCommit(line.text)) throw unreadableLine(path, line.number, 'it holds no commit')
      held.push([parseLine(path, line) as Commit, line])
      if (held.length <= (held[0]![0].imports ?? 0)) return
      release()
      whole = { length: line.end, check: line.check, lines: line.number }
    })
    // Damage is no crash: what is left of an import is named, too.
    if (!isWhole) release()
    whole ??= head
    const torn = end.torn + end.length - whole.length
    if (isWhole && torn > 0 && !isLast)
      this.#onProblem(unreadableLine(path, whole.lines + 1, 'it is torn, although later files follow'))
    this.newest = seq
    this.oldest = header?.oldest ?? this.oldest
    return { ...whole, torn }
  }
}

/** A whole commit, and where its line is. */
export interface CommitPlace extends Pick<Commit, 'seq' | 'digest'> {
  readonly path: string
  readonly line: Pick<Line, 'at' | 'length' | 'number'>
  /** The digest of the records before it. */
  readonly before: string
  /** So many commits of its import follow. */
  readonly imports: number
  /** Of a replacement: where they end in its segment, which begins with them. */
  readonly parts: FileEnd | undefined
  /** The newest entries of the log that it names. */
  readonly logged: LoggedCounts
}

/** All commits, for a check and a repair. The records that were saved with each must follow from its changes. */
export function readHistory(folder: string, onProblem: OnProblem, onCommit: (place: CommitPlace) => void) {
  const reader = new HistoryReader(folder, onProblem)
  const segments = listSegments(folder)
  let last: CommitPlace | undefined
  for (const segment of segments)
    reader.add(segment, segment === segments.at(-1), (short, { at, length, number }) => {
      const { path } = segment
      const commit = withReplacement(path, restoreCommit(short))
      const { seq, digest, imports = 0, replacement: { parts } = {} } = commit
      const before = `${digestBefore(commit)}`
      if (last?.seq === seq - 1 && last.digest !== before)
        onProblem(
          new StoreError(
            `${path}: the changes of commit ${seq} do not lead to the records that were saved. ${WHAT_TO_DO}`,
          ),
        )
      const logged = countCalls(commit.cause.exchange ? [{ uid: commit.cause.exchange }] : [], commit.logged)
      last = { path, line: { at, length, number }, seq, digest, before, imports, parts, logged }
      onCommit(last)
    })
  return { segments, reader }
}
