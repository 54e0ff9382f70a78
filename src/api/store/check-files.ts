import { dirname, join } from 'node:path'
import { countCalls, findOldest, readLogFile, requireCommits } from './call-log.ts'
import { type Commit, changesInParts, type LoggedCounts } from './commit.ts'
import { restoreCommit } from './commit-format.ts'
import { Digest } from './digest.ts'
import { fileNumber, files, listFiles } from './files.ts'
import { HistoryChain } from './history-chain.ts'
import { requireNoCommits, worldPath } from './read-folder.ts'
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
  const check = new FolderCheck(folder)
  await check.run()
  return check
}

class FolderCheck implements CheckedFiles {
  readonly #folder: string
  readonly #history: HistoryCheck
  readonly problems: string[] = []
  files = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#history = new HistoryCheck(folder)
  }

  async run() {
    const world = await this.#prove(worldPath(this.#folder), (path) => readWorldFile(path))
    if (!files.exists(worldPath(this.#folder))) await this.#note(() => requireNoCommits(this.#folder))
    const history = this.#history
    history.saved = world?.seq
    const segments = listSegments(this.#folder)
    for (const segment of segments)
      await this.#prove(segment.path, () => history.add(segment, segment === segments.at(-1)))
    for (const require of history.requirements(segments, world)) await this.#note(require)
    for (const path of listSnapshotFiles(this.#folder)) await this.#prove(path, () => readWorldFile(path))
    await this.#checkLog(join(this.#folder, 'log'))
    await this.#prove(secretPath(this.#folder), async () => readSecret(this.#folder))
  }

  /** The files follow each other, and none is missing at the beginning or at the end. */
  async #checkLog(folder: string) {
    const paths = listFiles(folder)
    const oldest = await findOldest(paths)
    const log = new LogCheck()
    const wanted = paths.filter((path) => fileNumber(path) >= oldest)
    for (const path of wanted)
      await this.#prove(path, () => log.add(path, path === wanted.at(-1), this.#history.chain.newest))
    for (const require of log.requirements(folder, wanted[0], oldest, this.#history.logged)) await this.#note(require)
    for (const path of listTracesFiles(folder)) await this.#prove(path, async () => void readTracesFile(path))
  }

  async #prove<T>(path: string, work: (path: string) => Promise<T>): Promise<T | undefined> {
    if (!files.exists(path)) return undefined
    this.files++
    try {
      return await work(path)
    } catch (error) {
      this.#add(path, error)
      return undefined
    }
  }

  async #note(work: () => void | Promise<void>) {
    try {
      await work()
    } catch (error) {
      this.#add(this.#folder, error)
    }
  }

  #add(path: string, error: unknown) {
    if (error instanceof StoreError) this.problems.push(error.message)
    else if (isFileError(error)) this.problems.push(unreadable(path, error).message)
    else throw error
  }
}

// ── The history ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Proves the digest of each commit. */
class HistoryCheck {
  readonly #folder: string
  readonly chain: HistoryChain
  /** After the newest commit; undefined at the beginning and after damage. */
  #digest: Digest | undefined
  /** The first commit of the history, as the headers say. */
  #oldest: number | undefined
  /** The commit of the world file, and the records after it. */
  saved: number | undefined
  #atSaved: Digest | undefined
  /** By the newest commit. */
  logged: LoggedCounts | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.chain = new HistoryChain(folder)
  }

  async add(segment: Segment, isLast: boolean) {
    let digest = this.chain.newest === segment.firstSeq - 1 ? this.#digest : undefined
    this.#digest = undefined
    const { header } = await this.chain.add(segment, isLast, (commit) => {
      digest = proveDigest(segment.path, commit, digest)
      const { seq, logged } = commit
      if (logged) this.logged = logged
      if (seq === this.saved) this.#atSaved = digest
    })
    this.#oldest = header?.oldest ?? this.#oldest
    this.#digest = digest
  }

  /** The commits since the world file and those of the history are there, and the world file has the records that they lead to. */
  *requirements(segments: readonly Segment[], world: World | undefined): Iterable<() => void> {
    const [first] = segments
    yield () => {
      if (world && !segments.some(({ firstSeq }) => firstSeq === world.seq + 1))
        throw missingSegment(segmentPath(this.#folder, world.seq + 1))
    }
    yield () => {
      if (first && this.#oldest !== undefined && first.firstSeq > this.#oldest)
        throw missingSegment(segmentPath(this.#folder, this.#oldest))
    }
    yield () => {
      if (world && this.#atSaved && `${this.#atSaved}` !== `${digestOf(world)}`)
        throw new StoreError(
          `${worldPath(this.#folder)} does not have the records that there were after commit ${world.seq}. ${WHAT_TO_DO}`,
        )
    }
  }
}

/** The digest after a commit follows from the one before it and the changes, which may be in a file of their own. */
function proveDigest(path: string, commit: Commit, before: Digest | undefined): Digest {
  const after = before?.copy()
  for (const part of changesInParts(withReplacement(dirname(dirname(path)), restoreCommit(commit))))
    for (const { collection, was, record } of part) after?.addChange(collection, was, record)
  if (after && `${after}` !== commit.digest)
    throw new StoreError(
      `${path}: the changes of commit ${commit.seq} do not lead to the records that were saved. ${WHAT_TO_DO}`,
    )
  return Digest.parse(commit.digest)
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
  *requirements(folder: string, first: string | undefined, oldest: number, logged: LoggedCounts | undefined) {
    yield () => {
      if (first !== undefined && fileNumber(first) !== oldest)
        throw new StoreError(
          `${folder} begins with ${first}, and file ${oldest} is expected: entries are missing. ${WHAT_TO_DO}`,
        )
    }
    if (!this.#isWhole) return
    const { requests, actions } = this.#newest
    yield () => {
      if (logged && (requests < logged.requests || actions < logged.actions))
        throw new StoreError(
          `${folder} ends with x${requests} and o${actions}, and the newest commit was made after x${logged.requests} and o${logged.actions}: entries are missing. ${WHAT_TO_DO}`,
        )
    }
  }
}

export const listSnapshotFiles = (folder: string): string[] => listFiles(join(folder, 'snapshots'), /\.jsonl$/)
