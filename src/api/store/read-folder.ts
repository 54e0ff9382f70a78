import { join } from 'node:path'
import type { Commit } from './commit.ts'
import { files } from './files.ts'
import { parseLine, readHeader } from './headers.ts'
import { type Line, type ReadEnd, readLines, scanLines, unreadableLine } from './journal.ts'
import { isPart } from './replacement-file.ts'
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
export async function requireNoCommits(folder: string) {
  for (const { path } of listSegments(folder))
    for await (const { number, isTorn } of scanLines(path))
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
    await requireNoCommits(folder)
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
    const { end } = await history.add(segment, segment === segments.at(-1), (commit, line) => {
      applyCommit(path, line, world, commit)
      onCommit(commit)
    })
    paths.push(path)
    open = { path, end }
  }
  return { world, savedSeq, paths, open }
}

interface ReadSegment {
  readonly end: ReadEnd
  /** undefined if the segment is empty. */
  readonly header: SegmentHeader | undefined
}

/**
 * Reads the history from file to file, for a start and for a check: the commits are numbered without gaps, and each file follows the one
 * before it. Throws at what does not follow. After that it may go on, and begins anew.
 */
export class HistoryReader {
  readonly #folder: string
  /** The check of the last line that was read. */
  #check: number | undefined
  /** The newest commit; undefined at the beginning of the history, and after a file that does not follow. */
  newest: number | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Only the last segment may end in a torn line, in parts without their commit, or in an import whose last commits are missing: that is
   * torn as a whole.
   */
  async add(
    { path, firstSeq }: Segment,
    isLast: boolean,
    onCommit: (commit: Commit, line: Line) => void,
  ): Promise<ReadSegment> {
    const [newest = firstSeq - 1, follows] = [this.newest, this.#check]
    this.newest = undefined
    this.#check = undefined
    if (firstSeq !== newest + 1) throw missingSegment(segmentPath(this.#folder, newest + 1))
    let header: SegmentHeader | undefined
    /** An import up to now. */
    let held: (readonly [Commit, Line])[] = []
    let whole = { length: 0, check: 0, lines: 0 }
    let seq = newest
    const onLine = (line: Line) => {
      if (!header) header = readHeader<SegmentHeader>(path, line.text, 'changes')
      else if (isPart(line.text)) return
      else held.push([parseLine(path, line) as Commit, line])
      if (held.length > 0 && held.length <= (held[0]![0].imports ?? 0)) return
      for (const [commit, line] of held) {
        if (commit.seq !== seq + 1)
          throw unreadableLine(path, line.number, `commit ${seq + 1} is expected, and it is commit ${commit.seq}`)
        onCommit(commit, line)
        seq = commit.seq
      }
      held = []
      whole = { length: line.end, check: line.check, lines: line.number }
    }
    const end = await readLines(path, onLine, undefined, isLast)
    const torn = end.torn + end.length - whole.length
    if (torn > 0 && !isLast) throw unreadableLine(path, whole.lines + 1, 'it is torn, although later files follow')
    const own = header?.follows
    if (own !== undefined && follows !== undefined && own !== follows)
      throw unreadableLine(path, 1, 'it does not follow the file before it')
    this.newest = seq
    this.#check = whole.check
    return { end: { ...whole, torn }, header }
  }
}
