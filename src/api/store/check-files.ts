import { dirname, join } from 'node:path'
import { countCalls, findOldest, readLogFile, requireCommits } from './call-log.ts'
import type { LoggedCounts } from './commit.ts'
import { digestBefore, restoreCommit } from './commit-format.ts'
import { Digest } from './digest.ts'
import { fileNumber, files, listFiles } from './files.ts'
import { HistoryReader, requireNoCommits, worldPath } from './read-folder.ts'
import { withReplacement } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import { listSegments, missingSegment, type Segment, segmentPath } from './segments.ts'
import { isFileError, StoreError, unreadable, WHAT_TO_DO } from './store-error.ts'
import { listTracesFiles, readTracesFile } from './traces-files.ts'
import { digestOf, type World } from './world.ts'
import { readWorldFile } from './world-file.ts'

/**
 * Proves the files of a data folder: each line by its check, that the files of the history and of the logs follow each other, and that the
 * logs are as long as the newest commit says. Reads only. Only the newest file may end in a torn line, which a crash leaves.
 */

export interface CheckedFiles {
  readonly files: number
  /** One line each. */
  readonly problems: readonly string[]
}

export async function checkFiles(folder: string): Promise<CheckedFiles> {
  if (!files.exists(folder)) throw new StoreError(`There is no folder ${folder}`)
  const problems: string[] = []
  let count = 0
  const attempt = async <T>(path: string, work: (path: string) => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work(path)
    } catch (error) {
      if (!(error instanceof StoreError) && !isFileError(error)) throw error
      problems.push(error instanceof StoreError ? error.message : unreadable(path, error).message)
      return undefined
    }
  }
  const prove = async <T>(path: string, work: (path: string) => T | Promise<T>) => {
    if (!files.exists(path)) return undefined
    count++
    return attempt(path, work)
  }
  const note = (missing: Iterable<StoreError>) => problems.push(...[...missing].map(({ message }) => message))

  const world = await prove(worldPath(folder), (path) => readWorldFile(path))
  const segments = listSegments(folder)
  const history = new HistoryCheck(folder, world?.seq)
  if (!files.exists(worldPath(folder))) await attempt(folder, requireNoCommits)
  for (const segment of segments) await prove(segment.path, () => history.add(segment, segment === segments.at(-1)))
  note(history.findMissing(segments, world))
  for (const path of listSnapshotFiles(folder)) await prove(path, (path) => readWorldFile(path))
  const paths = listFiles(join(folder, 'log'))
  const oldest = await findOldest(paths)
  const log = new LogCheck()
  const wanted = paths.filter((path) => fileNumber(path) >= oldest)
  for (const path of wanted) await prove(path, () => log.add(path, path === wanted.at(-1), history.newest))
  note(log.findMissing(join(folder, 'log'), wanted[0], oldest, history.logged))
  for (const path of listTracesFiles(join(folder, 'log'))) await prove(path, readTracesFile)
  await prove(secretPath(folder), () => readSecret(folder))
  return { files: count, problems }
}

// ── The history ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Proves the digest of each commit. */
class HistoryCheck {
  readonly #folder: string
  readonly #reader: HistoryReader
  /** After the newest commit; undefined at the beginning and after damage. */
  #digest: Digest | undefined
  /** The first commit of the history, as the headers say. */
  #oldest: number | undefined
  /** The commit of the world file, and the digest after it. */
  readonly #saved: number | undefined
  #atSaved: string | undefined
  /** By the newest commit. */
  logged: LoggedCounts | undefined

  constructor(folder: string, saved: number | undefined) {
    this.#folder = folder
    this.#saved = saved
    this.#reader = new HistoryReader(folder)
  }

  get newest(): number | undefined {
    return this.#reader.newest
  }

  async add(segment: Segment, isLast: boolean) {
    let digest = this.newest === segment.firstSeq - 1 ? this.#digest : undefined
    this.#digest = undefined
    const { header } = await this.#reader.add(segment, isLast, (short) => {
      const commit = withReplacement(segment.path, restoreCommit(short))
      if (digest && `${digest}` !== `${digestBefore(commit)}`)
        throw new StoreError(
          `${segment.path}: the changes of commit ${commit.seq} do not lead to the records that were saved. ${WHAT_TO_DO}`,
        )
      digest = Digest.parse(commit.digest)
      this.logged = commit.logged ?? this.logged
      if (commit.seq === this.#saved) this.#atSaved = commit.digest
    })
    this.#oldest = header?.oldest ?? this.#oldest
    this.#digest = digest
  }

  /** The commits since the world file and those of the history are there, and the world file has the records that they lead to. */
  *findMissing(segments: readonly Segment[], world: World | undefined): Iterable<StoreError> {
    const [first] = segments
    if (world && !segments.some(({ firstSeq }) => firstSeq === world.seq + 1))
      yield missingSegment(segmentPath(this.#folder, world.seq + 1))
    if (first && this.#oldest !== undefined && first.firstSeq > this.#oldest)
      yield missingSegment(segmentPath(this.#folder, this.#oldest))
    if (world && this.#atSaved && this.#atSaved !== `${digestOf(world)}`)
      yield new StoreError(
        `${worldPath(this.#folder)} does not have the records that there were after commit ${world.seq}. ${WHAT_TO_DO}`,
      )
  }
}

// ── The log ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Checks one file of the log after the other: each line is proved by its check, so only whole files can be missing. */
class LogCheck {
  /** Of the last line of the file before; undefined after a damaged one. */
  #follows: number | undefined
  #isWhole = true
  #newest: LoggedCounts = { requests: 0, actions: 0 }

  async add(path: string, isNewest: boolean, newestCommit: number | undefined) {
    const [follows, wasWhole] = [this.#follows, this.#isWhole]
    this.#follows = undefined
    this.#isWhole = false
    const { found, end, header } = await readLogFile(path, isNewest)
    if (end.torn > 0 && !isNewest)
      throw new StoreError(`${path}, line ${end.lines + 1} is torn, although later files follow. ${WHAT_TO_DO}`)
    if (header && follows !== undefined && header.follows !== follows)
      throw new StoreError(`${path} does not follow the file before it: entries are missing or moved. ${WHAT_TO_DO}`)
    const calls = found.map(({ summary }) => summary)
    this.#newest = countCalls(calls, header?.counts ?? this.#newest)
    this.#follows = end.check
    this.#isWhole = wasWhole
    if (newestCommit !== undefined) requireCommits(newestCommit, calls, dirname(path))
  }

  /** No file is missing at the beginning and at the end. */
  *findMissing(
    folder: string,
    first: string | undefined,
    oldest: number,
    logged: LoggedCounts | undefined,
  ): Iterable<StoreError> {
    if (first !== undefined && fileNumber(first) !== oldest)
      yield new StoreError(
        `${folder} begins with ${first}, and file ${oldest} is expected: entries are missing. ${WHAT_TO_DO}`,
      )
    const { requests, actions } = this.#newest
    if (this.#isWhole && logged && (requests < logged.requests || actions < logged.actions))
      yield new StoreError(
        `${folder} ends with x${requests} and o${actions}, and the newest commit was made after x${logged.requests} and o${logged.actions}: entries are missing. ${WHAT_TO_DO}`,
      )
  }
}

export const listSnapshotFiles = (folder: string): string[] => listFiles(join(folder, 'snapshots'), /\.jsonl$/)
