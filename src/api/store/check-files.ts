import { dirname, join } from 'node:path'
import {
  type Call,
  fileNumber,
  findOldest,
  isRequest,
  listLogFiles,
  numberOf,
  readLogFile,
  requireCommits,
} from './call-log.ts'
import type { Commit, LoggedCounts } from './commit.ts'
import { restoreCommit } from './commit-format.ts'
import { Digest } from './digest.ts'
import { files } from './files.ts'
import { isImportFile, offsetsOf } from './import-files.ts'
import { requireNoCommits, worldPath } from './read-folder.ts'
import { withReplacement } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import {
  isImported,
  listSegments,
  missingSegment,
  readSegment,
  requireFollows,
  requireImported,
  requireSeq,
  type Segment,
  segmentPath,
} from './segments.ts'
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
      if (!this.#isUnused(segment.path))
        await this.#prove(segment.path, () => history.add(segment, segments[index + 1]))
    this.problems.push(...history.findMissing(world?.seq))
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
    const wanted = paths.filter((path) => fileNumber(path) >= oldest && !this.#isUnused(path))
    for (const [index, path] of wanted.entries())
      await this.#prove(path, () => log.add(path, index === wanted.length - 1, this.#history.newest))
    const { logged, loggedBeforeImports } = this.#history
    await this.#note(() => log.requireEnds(folder, { oldest, first: wanted[0], loggedBeforeImports, logged }))
    for (const path of files.exists(folder) ? listTracesFiles(folder) : [])
      await this.#prove(path, async () => void readTracesFile(path))
  }

  /** The next start removes the files of an import that was interrupted before its commit. */
  #isUnused(path: string): boolean {
    const { newest } = this.#history
    return newest !== undefined && offsetsOf(path).commits > newest
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

/** Checks one segment after the other. After a damaged one it begins anew. */
class HistoryCheck {
  readonly #folder: string
  #check: number | undefined
  #newest: number | undefined
  /** After the newest commit; undefined at the beginning and after damage. */
  #digest: Digest | undefined
  #latestImport: Commit | undefined
  #first: Segment | undefined
  /** The first commit of the history, as the headers say. */
  #oldest: number | undefined
  /** The commits at which a world file was written. */
  readonly #places = new Map<number, Place | undefined>()
  /** By the newest commit. */
  logged: LoggedCounts | undefined
  /** The files of an import do not say which ones they follow. */
  readonly loggedBeforeImports: LoggedCounts[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  /** undefined if the newest segment is damaged. */
  get newest(): number | undefined {
    return this.#newest
  }

  remember(seqs: readonly number[]) {
    for (const seq of seqs) this.#places.set(seq, undefined)
  }

  async add(segment: Segment, next: Segment | undefined) {
    const { path, firstSeq } = segment
    // Before the commits of an import the one of the import itself may be torn.
    const isLast = !isImported(segment) && (!next || isImported(next))
    const [newest, follows] = [this.#newest, this.#check]
    this.#newest = undefined
    this.#check = undefined
    let seq = firstSeq - 1
    let digest = newest === seq ? this.#digest : undefined
    this.#digest = undefined
    const { end, header } = await readSegment(path, isLast, (commit, line) => {
      requireSeq(path, line, seq + 1, commit)
      digest = proveDigest(path, commit, digest)
      seq = commit.seq
      if (commit.imports) this.#latestImport = commit
      if (commit.imports && commit.logged) this.loggedBeforeImports.push(commit.logged)
      if (commit.logged) this.logged = commit.logged
      if (this.#places.has(seq)) this.#places.set(seq, { seq, digest, check: line.check })
    })
    if (this.#latestImport?.seq === segment.offsets.commits) requireImported(path, this.#latestImport, end.check)
    this.#first ??= segment
    this.#oldest = header?.oldest ?? this.#oldest
    this.#newest = seq
    this.#check = end.check
    this.#digest = digest
    if (newest !== undefined && newest !== firstSeq - 1)
      throw new StoreError(
        `${path} begins with commit ${firstSeq}, and commit ${newest + 1} is expected: commits are missing. ${WHAT_TO_DO}`,
      )
    requireFollows(path, header, follows)
  }

  /** The commits of the latest import, those since the world file, and those of the history. */
  *findMissing(saved: number | undefined): Iterable<string> {
    const { seq = 0, imports } = this.#latestImport ?? {}
    const newest = this.#newest
    if (imports?.check !== undefined && newest !== undefined && newest < seq + imports.commits)
      yield missingSegment(segmentPath(this.#folder, seq + 1)).message
    if (saved !== undefined && !listSegments(this.#folder).some(({ firstSeq }) => firstSeq === saved + 1))
      yield missingSegment(segmentPath(this.#folder, saved + 1)).message
    if (this.#first && this.#oldest !== undefined && this.#first.firstSeq > this.#oldest)
      yield `${this.#first.path} is the oldest file of the history, which begins with commit ${this.#oldest}: commits are missing. ${WHAT_TO_DO}`
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
  for (const { collection, was, record } of restoreCommit(commit).changes) after?.addChange(collection, was, record)
  for (const part of withReplacement(dirname(dirname(path)), commit).replacement?.read() ?? [])
    for (const { collection, was, record } of part) after?.addChange(collection, was, record)
  if (after && `${after}` !== commit.digest)
    throw new StoreError(
      `${path}: the changes of commit ${commit.seq} do not lead to the records that were saved. ${WHAT_TO_DO}`,
    )
  return Digest.parse(commit.digest)
}

// ── The logs ─────────────────────────────────────────────────────────────────────────────────────────────────────

interface Ends {
  readonly oldest: number
  /** The first file that there is. */
  readonly first: string | undefined
  /** The numbers of the newest entries at each import. */
  readonly loggedBeforeImports: readonly LoggedCounts[]
  /** The numbers of the newest entries that a commit knows of. */
  readonly logged: LoggedCounts | undefined
}

/** Checks one file of the log after the other. After a damaged one it begins anew. */
class LogCheck {
  #check: number | undefined
  /** undefined after a damaged file. */
  #newest: LoggedCounts | undefined = { requests: 0, actions: 0 }
  /** Entries up to these were deleted, or may be lost. */
  #gone: LoggedCounts | undefined
  #isWhole = true
  readonly #uids = new Set<string>()

  async add(path: string, isNewest: boolean, newestCommit: number | undefined) {
    const [follows, before, wasWhole] = [this.#check, this.#newest, this.#isWhole]
    this.#check = undefined
    this.#newest = undefined
    this.#isWhole = false
    const { found, end, header } = await readLogFile(path)
    if (end.torn > 0 && !isNewest)
      throw new StoreError(`${path}, line ${end.lines + 1} is torn, although later files follow. ${WHAT_TO_DO}`)
    const calls = found.map(({ summary }) => summary)
    let { requests, actions } = header?.counts ?? before ?? countsBefore(calls)
    if (before && !header?.isRepaired && this.#gone && actions > before.actions)
      throw new StoreError(`${path} does not follow the file before it: entries are missing. ${WHAT_TO_DO}`)
    for (const { uid } of calls) {
      const own = numberOf(uid)
      // Requests without a token have numbers, too, and are in no file.
      const isInOrder = isRequest(uid) ? own > requests : own === actions + 1 || (own > actions && header?.isRepaired)
      if (!isInOrder)
        throw new StoreError(
          `${path} has ${uid} after x${requests} and o${actions}: entries are missing or moved. ${WHAT_TO_DO}`,
        )
      if (isRequest(uid)) requests = own
      else actions = own
      this.#uids.add(uid)
    }
    const newest = { requests, actions }
    if (this.#gone && !isImportFile(path) && header && header.follows !== follows && follows !== undefined)
      throw new StoreError(`${path} does not follow the file before it: entries are missing. ${WHAT_TO_DO}`)
    this.#gone ??= header?.counts ?? { requests: 0, actions: 0 }
    if (header?.isRepaired) this.#gone = newest
    this.#check = end.check
    this.#newest = newest
    this.#isWhole = wasWhole
    if (newestCommit !== undefined) requireCommits(newestCommit, calls, dirname(path))
  }

  requireEnds(folder: string, { oldest, first, loggedBeforeImports, logged }: Ends) {
    if (first !== undefined && fileNumber(first) !== oldest)
      throw new StoreError(
        `${folder} begins with ${first}, and file ${oldest} is expected: entries are missing. ${WHAT_TO_DO}`,
      )
    const gone = this.#gone ?? { requests: 0, actions: 0 }
    const lost = loggedBeforeImports
      .flatMap(({ requests, actions }) => [
        ...(requests > gone.requests ? [`x${requests}`] : []),
        ...(actions > gone.actions ? [`o${actions}`] : []),
      ])
      .find((uid) => !this.#uids.has(uid))
    if (this.#isWhole && lost !== undefined)
      throw new StoreError(
        `${folder} has no entry ${lost}, and an import was made after it: entries are missing. ${WHAT_TO_DO}`,
      )
    const newest = this.#newest
    if (newest && logged && (newest.requests < logged.requests || newest.actions < logged.actions))
      throw new StoreError(
        `${folder} ends with x${newest.requests} and o${newest.actions}, and the newest commit was made after x${logged.requests} and o${logged.actions}: entries are missing. ${WHAT_TO_DO}`,
      )
  }
}

/** For a file after a damaged one. */
function countsBefore(calls: readonly Call[]): LoggedCounts {
  const firstOf = (isWanted: boolean) => numberOf(calls.find(({ uid }) => isRequest(uid) === isWanted)?.uid ?? 'x1') - 1
  return { requests: firstOf(true), actions: firstOf(false) }
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
