import { join } from 'node:path'
import type { Commit } from './commit.ts'
import { files } from './files.ts'
import { type Line, type ReadEnd, scanLines, unreadableLine } from './journal.ts'
import {
  applyCommit,
  listSegments,
  missingSegment,
  type ReadSegment,
  readSegment,
  type Segment,
  segmentPath,
} from './segments.ts'
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
  const chain = new HistoryChain(folder, savedSeq)
  const paths: string[] = []
  let open!: ReadFolder['open']
  for (const [index, segment] of segments.entries()) {
    const { path } = segment
    const { end } = await chain.add(segment, index === segments.length - 1, (commit, line) => {
      applyCommit(path, line, world, commit)
      onCommit(commit)
    })
    paths.push(path)
    open = { path, end }
  }
  return { world, savedSeq, paths, open }
}

/**
 * Follows the history from file to file, for a start and for a check: the commits are numbered without gaps, and each file follows the one
 * before it. Throws at what does not follow. After that it may go on, and begins anew.
 */
export class HistoryChain {
  readonly #folder: string
  #check: number | undefined
  /** The newest commit; undefined at the beginning of the history, and after a file that does not follow. */
  newest: number | undefined

  constructor(folder: string, newest?: number) {
    this.#folder = folder
    this.newest = newest
  }

  /** The check of the last line that was read. */
  get check(): number | undefined {
    return this.#check
  }

  async add(
    { path, firstSeq }: Segment,
    isLast: boolean,
    onCommit: (commit: Commit, line: Line) => void,
  ): Promise<ReadSegment> {
    const [newest = firstSeq - 1, follows] = [this.newest, this.#check]
    this.newest = undefined
    this.#check = undefined
    if (firstSeq !== newest + 1) throw missingSegment(segmentPath(this.#folder, newest + 1))
    let seq = newest
    const read = await readSegment(path, isLast, (commit, line) => {
      if (commit.seq !== seq + 1)
        throw unreadableLine(path, line.number, `commit ${seq + 1} is expected, and it is commit ${commit.seq}`)
      onCommit(commit, line)
      seq = commit.seq
    })
    const own = read.header?.follows
    if (own !== undefined && follows !== undefined && own !== follows)
      throw unreadableLine(path, 1, 'it does not follow the file before it')
    this.newest = seq
    this.#check = read.end.check
    return read
  }
}
