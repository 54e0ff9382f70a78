import { dirname, join } from 'node:path'
import { countCalls, fileNumber, findOldest, listLogFiles, readLogFile, requireCommits } from './call-log.ts'
import { type Commit, changesInParts, type LoggedCounts } from './commit.ts'
import { restoreCommit } from './commit-format.ts'
import { Digest } from './digest.ts'
import { files } from './files.ts'
import { HistoryChain } from './history-chain.ts'
import { isImportFile, offsetsOf } from './import-files.ts'
import { requireNoCommits, worldPath } from './read-folder.ts'
import { withReplacement } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import { listSegments, missingSegment, type Segment, segmentPath } from './segments.ts'
import { isFileError, StoreError, unreadable, WHAT_TO_DO } from './store-error.ts'
import { listTracesFiles, readTracesFile } from './traces-files.ts'
import { digestOf } from './world.ts'
import { readWorldFile, readWorldFileInfo } from './world-file.ts'

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
    const snapshots = listSnapshotFiles(this.#folder)
    const places = snapshots.flatMap((path) => infoOf(path)?.seq ?? [])
    const history = this.#history
    history.remember([...(world ? [world.seq] : []), ...places])
    const segments = listSegments(this.#folder)
    for (const [index, segment] of segments.entries())
      if (!history.chain.isUnused(segment))
        await this.#prove(segment.path, () => history.add(segment, segments[index + 1]))
    for (const require of history.requirements(segments, world?.seq)) await this.#note(require)
    if (world)
      await this.#note(() => history.requireSame(worldPath(this.#folder), { seq: world.seq, digest: digestOf(world) }))
    for (const path of snapshots) await this.#prove(path, () => this.#checkSnapshot(path))
    await this.#checkLog(join(this.#folder, 'log'))
    await this.#prove(secretPath(this.#folder), async () => readSecret(this.#folder))
  }

  async #checkSnapshot(path: string) {
    const { journal } = readWorldFileInfo(path)
    const { seq, collections } = await readWorldFile(path)
    this.#history.requireSame(path, { seq, digest: digestOf({ collections }), check: journal })
  }

  /** The files follow each other, and none is missing at the beginning, before an import or at the end. */
  async #checkLog(folder: string) {
    const paths = listFilesOf(folder)
    const oldest = await findOldest(paths)
    const log = new LogCheck()
    const { chain } = this.#history
    const wanted = paths.filter((path) => fileNumber(path) >= oldest && !chain.isUnused({ offsets: offsetsOf(path) }))
    for (const [index, path] of wanted.entries())
      await this.#prove(path, () => log.add(path, index === wanted.length - 1, chain.newest))
    for (const require of log.requirements(folder, wanted[0], oldest, this.#history)) await this.#note(require)
    for (const path of files.exists(folder) ? listTracesFiles(folder) : [])
      await this.#prove(path, async () => void readTracesFile(path))
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

function infoOf(path: string) {
  try {
    return readWorldFileInfo(path)
  } catch (error) {
    // Reading the file reports it.
    if (error instanceof StoreError || isFileError(error)) return undefined
    throw error
  }
}

// ── The history ──────────────────────────────────────────────────────────────────────────────────────────────────

interface Place {
  readonly seq: number
  readonly digest: Digest
  /** The check of the journal after this commit; undefined if it is not known. */
  readonly check?: number | undefined
}

/** Proves the digest of each commit. */
class HistoryCheck {
  readonly #folder: string
  readonly chain: HistoryChain
  /** After the newest commit; undefined at the beginning and after damage. */
  #digest: Digest | undefined
  /** The first commit of the history, as the headers say. */
  #oldest: number | undefined
  /** The commits at which a world file was written. */
  readonly #places = new Map<number, Place | undefined>()
  /** By the newest commit. */
  logged: LoggedCounts | undefined
  /** The first file of an import does not say which one it follows. */
  readonly loggedBeforeImports: LoggedCounts[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.chain = new HistoryChain(folder)
  }

  remember(seqs: readonly number[]) {
    for (const seq of seqs) this.#places.set(seq, undefined)
  }

  async add(segment: Segment, next: Segment | undefined) {
    let digest = this.chain.newest === segment.firstSeq - 1 ? this.#digest : undefined
    this.#digest = undefined
    const { header } = await this.chain.add(segment, next, (commit, { check }) => {
      digest = proveDigest(segment.path, commit, digest)
      const { seq, imports, logged } = commit
      if (imports && logged) this.loggedBeforeImports.push(logged)
      if (logged) this.logged = logged
      if (this.#places.has(seq)) this.#places.set(seq, { seq, digest, check })
    })
    this.#oldest = header?.oldest ?? this.#oldest
    this.#digest = digest
  }

  /** The commits of the latest import, those since the world file, and those of the history. */
  *requirements(segments: readonly Segment[], saved: number | undefined): Iterable<() => void> {
    const [first] = segments
    yield () => this.chain.requireWholeImport()
    yield () => {
      if (saved !== undefined && !segments.some(({ firstSeq }) => firstSeq === saved + 1))
        throw missingSegment(segmentPath(this.#folder, saved + 1))
    }
    yield () => {
      if (first && this.#oldest !== undefined && first.firstSeq > this.#oldest)
        throw missingSegment(segmentPath(this.#folder, this.#oldest))
    }
  }

  /** A world file has the records that the history has after its commit. */
  requireSame(path: string, { seq, digest, check }: Place) {
    const known = this.#places.get(seq)
    if (!known || (check !== undefined && check !== known.check)) return
    if (`${known.digest}` !== `${digest}`)
      throw new StoreError(`${path} does not have the records that there were after commit ${seq}. ${WHAT_TO_DO}`)
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
  /** Entries up to these were deleted, or may be lost. */
  #gone: LoggedCounts | undefined
  #newest: LoggedCounts = { requests: 0, actions: 0 }
  readonly #uids = new Set<string>()

  async add(path: string, isNewest: boolean, newestCommit: number | undefined) {
    const [follows, wasWhole] = [this.#follows, this.#isWhole]
    this.#follows = undefined
    this.#isWhole = false
    const { found, end, header } = await readLogFile(path)
    if (end.torn > 0 && !isNewest)
      throw new StoreError(`${path}, line ${end.lines + 1} is torn, although later files follow. ${WHAT_TO_DO}`)
    const isImported = isImportFile(path)
    const beginsImport = isImported && header?.follows === undefined
    const isExchanged = header !== undefined && isImported === (header.counts !== undefined)
    if (isExchanged || (header && follows !== undefined && !beginsImport && header.follows !== follows))
      throw new StoreError(`${path} does not follow the file before it: entries are missing or moved. ${WHAT_TO_DO}`)
    const calls = found.map(({ summary }) => summary)
    for (const { uid } of calls) this.#uids.add(uid)
    this.#newest = countCalls(calls, header?.counts ?? this.#newest)
    this.#gone ??= header?.counts
    if (header?.isRepaired) this.#gone = this.#newest
    this.#follows = end.check
    this.#isWhole = wasWhole
    if (newestCommit !== undefined) requireCommits(newestCommit, calls, dirname(path))
  }

  /** No file is missing at the beginning, before an import, and at the end. */
  *requirements(folder: string, first: string | undefined, oldest: number, history: HistoryCheck) {
    yield () => {
      if (first !== undefined && fileNumber(first) !== oldest)
        throw new StoreError(
          `${folder} begins with ${first}, and file ${oldest} is expected: entries are missing. ${WHAT_TO_DO}`,
        )
    }
    if (!this.#isWhole) return
    const gone = this.#gone ?? { requests: 0, actions: 0 }
    for (const { requests, actions } of history.loggedBeforeImports)
      for (const uid of [
        ...(requests > gone.requests ? [`x${requests}`] : []),
        ...(actions > gone.actions ? [`o${actions}`] : []),
      ])
        yield () => {
          if (!this.#uids.has(uid))
            throw new StoreError(
              `${folder} has no entry ${uid}, and an import was made after it: entries are missing. ${WHAT_TO_DO}`,
            )
        }
    const { requests, actions } = this.#newest
    const { logged } = history
    yield () => {
      if (logged && (requests < logged.requests || actions < logged.actions))
        throw new StoreError(
          `${folder} ends with x${requests} and o${actions}, and the newest commit was made after x${logged.requests} and o${logged.actions}: entries are missing. ${WHAT_TO_DO}`,
        )
    }
  }
}

export function listSnapshotFiles(folder: string): string[] {
  const snapshots = join(folder, 'snapshots')
  if (!files.exists(snapshots)) return []
  return files
    .list(snapshots)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(snapshots, name))
}

export const listFilesOf = (folder: string): string[] => (files.exists(folder) ? listLogFiles(folder) : [])
