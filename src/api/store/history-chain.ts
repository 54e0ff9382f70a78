import type { Commit } from './commit.ts'
import { type Line, unreadableLine } from './journal.ts'
import { isImported, missingSegment, type ReadSegment, readSegment, type Segment, segmentPath } from './segments.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'

/**
 * Follows the history from file to file, for a start and for a check: the commits are numbered without gaps, each file follows the one before
 * it, and an import is there as a whole. Throws at what does not follow. After that it may go on, and begins anew.
 */
export class HistoryChain {
  readonly #folder: string
  #check: number | undefined
  #latestImport: Commit | undefined
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

  /** The next start removes the files of an import that was interrupted before its commit. */
  isUnused = ({ offsets }: Pick<Segment, 'offsets'>): boolean =>
    this.newest !== undefined && offsets.commits > this.newest

  async add(
    segment: Segment,
    next: Segment | undefined,
    onCommit: (commit: Commit, line: Line) => void,
  ): Promise<ReadSegment> {
    const { path, firstSeq, offsets } = segment
    const [newest = firstSeq - 1, follows] = [this.newest, this.#check]
    this.newest = undefined
    this.#check = undefined
    if (firstSeq !== newest + 1) throw missingSegment(segmentPath(this.#folder, newest + 1))
    // Before the commits of an import the one of the import itself may be torn.
    const mayBeTorn = !isImported(segment) && (!next || isImported(next))
    let seq = newest
    const read = await readSegment(path, mayBeTorn, (commit, line) => {
      if (commit.seq !== seq + 1)
        throw unreadableLine(path, line.number, `commit ${seq + 1} is expected, and it is commit ${commit.seq}`)
      onCommit(commit, line)
      seq = commit.seq
      if (commit.imports) this.#latestImport = commit
    })
    const own = read.header?.follows
    if (own !== undefined && follows !== undefined && own !== follows)
      throw unreadableLine(path, 1, 'it does not follow the file before it')
    if (read.end.torn > 0 && next && seq >= next.offsets.commits)
      throw unreadableLine(path, read.end.lines + 1, 'it is torn, although the commits of an import follow')
    const importCommit = this.#latestImport
    if (importCommit?.seq === offsets.commits && importCommit.imports?.check !== read.end.check)
      throw new StoreError(`${path} is not the file that the commit of its import was made with. ${WHAT_TO_DO}`)
    this.newest = seq
    this.#check = read.end.check
    return read
  }

  /** After the last file. */
  requireWholeImport() {
    const { seq = 0, imports } = this.#latestImport ?? {}
    if (imports?.check !== undefined && this.newest !== undefined && this.newest < seq + imports.commits)
      throw missingSegment(segmentPath(this.#folder, seq + 1))
  }
}
