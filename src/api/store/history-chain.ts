import type { Commit } from './commit.ts'
import { type Line, unreadableLine } from './journal.ts'
import { missingSegment, type ReadSegment, readSegment, type Segment, segmentPath } from './segments.ts'

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
