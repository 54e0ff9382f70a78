import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import type { Cause } from '../contract/control/history.ts'
import { numberOf } from './call-log.ts'
import type {
  Commit,
  CommitFilter,
  CommitLog,
  CommittedAction,
  DataPlace,
  LoggedCounts,
  PrintedCommit,
} from './commit.ts'
import { formatCommit, formatNumbers } from './commit-format.ts'
import { createFolder, fileNumber, files, removeUnfinished, syncFileInBackground } from './files.ts'
import { type FileEnd, Journal } from './journal.ts'
import { lock, type ReportRemark } from './lock.ts'
import { type ReadFolder, readFolder } from './read-folder.ts'
import { interruptedRepair } from './repair.ts'
import { replacementPath, temporaryPath } from './replacement-file.ts'
import {
  createSegment,
  deleteOldSegments,
  formatSegmentHeader,
  listSegments,
  oldestSegment,
  readCommitsFromEnd,
  readCommitsFromStart,
  segmentPath,
  writeSegment,
} from './segments.ts'
import type { Steps } from './steps.ts'
import { StoreError } from './store-error.ts'
import { captureWorld, type World } from './world.ts'
import { writeWorldFile } from './world-file.ts'

/**
 * The world on disk: `world.jsonl`, and the commits since in `changes/`. lowdb reads and writes both through the adapter
 * below. A commit appends one line, so it costs the size of the change, not of the world.
 */

export type Durability = 'write' | 'fsync'

/** The world file is rewritten after this much has been appended to `changes/`. */
export const SAVE_AFTER = { commits: 20_000, bytes: 32 << 20 }
/** During an advance it waits four times as long, so a long advance writes it once instead of three times. */
const SAVE_LATER_IN_ADVANCE = 4
/** Commits before the next attempt after a failed one. */
const RETRY_AFTER = 1_000

export interface WorldFile extends CommitLog {
  /** Writes the world file now. */
  save(): Promise<void>
  close(): Promise<void>
}

export type ActionCommit = Omit<Commit, 'changes'>

/** Opens and locks a data folder. `report` gets lines for its owner, e.g. about a torn line that was cut off. */
export async function openDataFolder(
  folder: string,
  durability: Durability,
  report: ReportRemark = () => {},
  saveAfter = SAVE_AFTER,
): Promise<DataFolder> {
  const unlock = await lockFolder(folder, report)
  try {
    removeUnfinished(folder)
    const opened = new DataFolder({ folder, sync: durability === 'fsync' }, { report, saveAfter, unlock })
    await opened.load()
    return opened
  } catch (error) {
    unlock()
    throw error
  }
}

export async function lockFolder(folder: string, report: ReportRemark): Promise<() => void> {
  try {
    createFolder(join(folder, 'changes'))
    return await lock(folder, report)
  } catch (error) {
    throw error instanceof StoreError ? error : unwritable(folder, error)
  }
}

interface Owner {
  readonly report: ReportRemark
  readonly saveAfter: typeof SAVE_AFTER
  readonly unlock: () => void
}

/** A data folder that is open. */
export class DataFolder implements WorldFile, Adapter<World | null> {
  readonly place: DataPlace
  readonly #folder: string
  readonly #sync: boolean
  readonly #owner: Owner
  readonly #db = new Low<World | null>(this, null)
  #saving: Promise<void> | undefined
  /** undefined until the first save, and after closing. */
  #segment: Journal | undefined
  /** The name of the segment survives a power failure. */
  #isNamed = true
  /** The newest commit, which may still be in the middle of being appended. */
  #newest: Commit | undefined
  /** Commits since the world file. */
  #commits = 0
  /** The newest commit of the world file. */
  #savedSeq = 0
  #retryAt = 0
  /** A replacement since the world file: the next start would read both worlds. */
  #isReplaced = false
  #isClosed = false
  #recent: ActionCommit[] = []
  /** The newest entries of the log that the commits since the world file know of. */
  logged: LoggedCounts = { requests: 0, actions: 0 }
  /** Ends before a world file takes the place of the commits since the one before. */
  beforeSave: () => Promise<void> = async () => {}

  constructor(place: DataPlace, owner: Owner) {
    this.place = place
    this.#folder = place.folder
    this.#sync = place.sync
    this.#owner = owner
  }

  get file(): WorldFile {
    return this
  }

  /** null if the folder holds no world yet. */
  get world(): World | null {
    return this.#db.data
  }

  load = () => this.#db.read()

  /** Sets the world of a folder that holds none. The first `save` writes it. */
  begin = (world: World) => {
    this.#db.data = world
  }

  /** Writes the world file. Calls during a save share its result. */
  save(): Promise<void> {
    this.#saving ??= this.#db
      .write()
      .catch((error: unknown) => {
        throw (error as NodeJS.ErrnoException).code ? unwritable(this.#folder, error) : error
      })
      .finally(() => {
        this.#saving = undefined
      })
    return this.#saving
  }

  /** Returns when no save is running. Until then the files that `beforeSave` syncs must stay open. */
  finishSave = async () => this.#saving?.catch(() => {})

  append(commit: Commit, _world: World, imported: readonly PrintedCommit[] = []) {
    this.#append(commit, imported)
    // A failed attempt loses nothing: all commits are in `changes/`.
    if (!this.#saving && this.#isSaveDue(commit.cause))
      this.save().catch((error: Error) => this.#owner.report(`The world file could not be written: ${error.message}`))
  }

  async close() {
    await this.finishSave()
    this.#isClosed = true
    this.#segment?.close()
    this.#segment = undefined
    this.#owner.unlock()
  }

  get firstSeq(): number {
    return listSegments(this.#folder)[0]?.firstSeq ?? 0
  }

  #isSaveDue({ door }: Cause): boolean {
    const { commits, bytes } = this.#owner.saveAfter
    const times = door === 'time' ? SAVE_LATER_IN_ADVANCE : 1
    return (
      this.#commits >= this.#retryAt &&
      (this.#isReplaced || this.#commits >= commits * times || (this.#segment?.length ?? 0) >= bytes * times)
    )
  }

  #append(commit: Commit, imported: readonly PrintedCommit[]) {
    if (this.#isClosed) throw new Error('The data folder is closed: commits can no longer be saved')
    // Before the first save nothing is on disk, so a half-created world is never found.
    if (this.#segment) {
      const lines = imported.map(({ commit, rest }) => ({ begin: formatNumbers(commit), rest }))
      if (commit.replacement?.parts) this.#beginWithParts(this.#segment, commit.seq, commit.replacement.parts)
      this.#syncName()
      this.#segment.appendAll([formatCommit(commit), ...lines])
      this.#commits += 1 + imported.length
    }
    if (commit.replacement) this.#isReplaced = true
    this.#newest = imported.at(-1)?.commit ?? commit
  }

  /** The file with the changes of a replacement becomes the next segment, whether or not its commit can be appended. */
  #beginWithParts(before: Journal, seq: number, parts: FileEnd) {
    before.cutOff()
    const segment = new Journal(temporaryPath(this.#folder), parts, this.#sync)
    try {
      segment.rename(replacementPath(this.#folder, seq))
    } catch (error) {
      segment.close()
      throw error
    }
    this.#goOnWith(segment)
  }

  #goOnWith(segment: Journal) {
    const before = this.#segment
    this.#segment = segment
    this.#isNamed = !this.#sync
    before?.close()
  }

  /** Before anything that counts is appended. */
  #syncName() {
    if (!this.#isNamed) files.syncFolder(join(this.#folder, 'changes'))
    this.#isNamed = true
  }

  async read(): Promise<World | null> {
    const repaired = interruptedRepair(this.#folder)
    // Without its files the folder would look new.
    if (repaired !== undefined)
      throw new StoreError(
        `A repair was interrupted before it moved all files of ${repaired}/: nothing was changed; run sandbank repair again, which finishes it`,
      )
    const read = await readFolder(this.#folder, (commit) => this.#noteCommit(commit))
    if (read) await this.#continue(read)
    // A first start that crashed during its first save leaves segments without commits.
    else for (const { path } of listSegments(this.#folder)) files.remove(path)
    return read?.world ?? null
  }

  async #continue({ world, savedSeq, paths, open }: ReadFolder) {
    this.#savedSeq = savedSeq
    this.#segment = this.#continueSegment(open)
    if (this.#sync) for (const path of paths) if (path !== open.path) await syncFileInBackground(path)
    // What was read must survive a power failure before a request sees it.
    if (this.#sync) for (const folder of [join(this.#folder, 'changes'), this.#folder]) files.syncFolder(folder)
    this.#commits = world.seq - savedSeq
  }

  #noteCommit(commit: Commit) {
    const { changes: _, ...recent } = commit
    const { action, cause } = commit
    const { requests = 0, actions = 0 } = commit.logged ?? {}
    this.logged = {
      requests: Math.max(this.logged.requests, requests, numberOf(cause.exchange)),
      actions: Math.max(this.logged.actions, actions),
    }
    if (!action) return
    if (isSameAction(action, this.#recent.at(-1)?.action)) this.#recent.pop()
    this.#recent.push(recent)
  }

  /**
   * The commits of operator actions since the world file was written, oldest first; of an advance the last one. Gives the list away, because
   * it is needed only when the sandbox opens.
   */
  takeRecent(): readonly ActionCommit[] {
    const recent = this.#recent
    this.#recent = []
    return recent
  }

  #continueSegment({ path, end: { length, check, torn } }: ReadFolder['open']): Journal {
    if (torn > 0)
      this.#owner.report(
        `The end of ${path} was torn by a crash: its change was never confirmed, and was cut off`,
        'after crash',
      )
    const journal = new Journal(path, { length, check }, this.#sync)
    if (length === 0) journal.append(formatSegmentHeader())
    return journal
  }

  async write(world: World | null): Promise<void> {
    if (!world) return
    // A commit that is being appended is in the records already, but not in `world.seq`. Later commits go to a new segment.
    const { seq, at } = this.#newest ?? { seq: world.seq, at: world.clock.at }
    const clock = world.clock.mode === 'running' && at > world.clock.at ? { ...world.clock, at } : world.clock
    const image = { ...captureWorld(world), seq, clock }
    const covered = this.#commits
    if (fileNumber(this.#segment?.path ?? '') !== seq + 1) this.#beginSegment(seq + 1)
    const isReplaced = this.#isReplaced
    this.#isReplaced = false
    const path = join(this.#folder, 'world.jsonl')
    try {
      await this.#segment?.syncInBackground()
      if (!this.#sync) await this.#syncCommitsUpTo(seq)
      await files.syncFolderInBackground(join(this.#folder, 'changes'))
      await this.beforeSave()
      await writeWorldFile(`${path}.new`, image)
      files.rename(`${path}.new`, path)
      await files.syncFolderInBackground(this.#folder)
    } catch (error) {
      files.remove(`${path}.new`)
      this.#retryAt = this.#commits + RETRY_AFTER
      this.#isReplaced ||= isReplaced
      throw error
    }
    this.#commits -= covered
    this.#savedSeq = seq
    this.#retryAt = 0
    deleteOldSegments(this.#folder, seq)
  }

  /** The commits before a world file are never checked by a start again, so a power failure must not damage them. */
  async #syncCommitsUpTo(newest: number) {
    for (const { path, firstSeq } of listSegments(this.#folder))
      if (firstSeq > this.#savedSeq && firstSeq <= newest) await syncFileInBackground(path)
  }

  /** Adds the commits from before the first `save` to the history. */
  *saveHistory(history: Pick<CommitLog, 'newestFirst'>): Steps<void> {
    const commits: Commit[] = []
    for (const commit of history.newestFirst()) {
      if (commit) commits.push(commit)
      yield
    }
    if (commits.length === 0) return
    commits.reverse()
    const path = segmentPath(this.#folder, commits[0]!.seq)
    if (path === this.#segment?.path) throw new Error('The history must come before the first segment')
    yield* writeSegment(path, commits)
  }

  oldestFirst(from: number, to: number): Iterable<Commit> {
    return readCommitsFromStart(this.#folder, this.#segment, from, to)
  }

  newestFirst(filter?: CommitFilter): Iterable<Commit | undefined> {
    return readCommitsFromEnd(this.#folder, this.#segment, filter)
  }

  #beginSegment(firstSeq: number) {
    const before = this.#segment
    before?.cutOff()
    this.#goOnWith(
      createSegment(segmentPath(this.#folder, firstSeq), this.#sync, {
        follows: before?.check,
        oldest: oldestSegment(this.#folder, firstSeq - 1) ?? firstSeq,
      }),
    )
    this.#syncName()
  }
}

const isSameAction = (a: CommittedAction, b: CommittedAction | undefined) =>
  a.name === b?.name && a.seq_before === b.seq_before

const unwritable = (folder: string, error: unknown) =>
  new StoreError(
    `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}): pass --data with a folder that can, or --ephemeral`,
    { cause: error },
  )
