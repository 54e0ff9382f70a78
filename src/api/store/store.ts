import type { Cause } from '../contract/control/history.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { type Clock, toMs, toTimestamp } from './clock.ts'
import {
  type Commit,
  type CommitFilter,
  type CommitLog,
  type DataPlace,
  type LoggedCounts,
  type LoggedRequest,
  operationOf,
  type PrintedCommit,
  type WorldDiff,
} from './commit.ts'
import type { Digest } from './digest.ts'
import { type Announce, type Check, Draft, type ReplacedRecords } from './draft.ts'
import { createSeal, type Seal } from './seal.ts'
import type { Steps } from './steps.ts'
import type { ReadTx, Tx, WorldTx } from './tx.ts'
import { type Collections, digestOf, type ReadWorld, requireRecords, type World } from './world.ts'

/** The commit could not be saved, e.g. because the disk is full. Nothing has changed; trying again is safe. */
export class NotSavedError extends Error {
  override name = 'NotSaved'
}

/** The history of an imported world after the commit that puts its beginning in place. */
export interface ImportedWorld {
  /** They follow the commit of the import. */
  readonly commits: readonly PrintedCommit[]
  readonly log: LoggedRequest
  /** The world after its commits. */
  readonly end: Pick<World, 'collections' | 'counters' | 'clock'>
}

/** A commit that put another world in the place of the current one. */
export interface WorldReplacement {
  readonly seq: number
  readonly operation: number
  readonly cause: Cause
  /** The commit that the world continues from; 0 for a world from elsewhere. */
  readonly goes_on_from: number
  /** Its changes are not in its line of the history. */
  readonly isLarge: boolean
}

const toWorldReplacement = (commit: Commit): WorldReplacement => ({
  seq: commit.seq,
  operation: operationOf(commit),
  cause: commit.cause,
  goes_on_from: commit.goes_on_from ?? 0,
  isLarge: commit.replacement !== undefined,
})

interface RunOptions {
  readonly replacing?: { readonly before: Digest; readonly expected: string } | undefined
  readonly request?: LoggedRequest | undefined
  readonly imported?: ImportedWorld | undefined
}

/** Of an attempt: another Program, or a later time. */
export type InProgram = (uid: Uid, at?: Timestamp) => Tx

/** What a view needs of the store: nothing here changes the world. */
export interface ReadStore {
  readonly world: ReadWorld
  read<T>(program: Uid, work: (tx: ReadTx) => T): T
  historyInSteps(filter?: CommitFilter): Iterable<Commit | undefined>
  commitsBetween(from: number, to: number): Iterable<Commit>
  findReplacements(): Steps<readonly WorldReplacement[]>
  subscribe(listener: (commit: Commit) => void): () => void
  readonly firstSeq: number
  readonly beginning: Omit<WorldDiff, 'changes'>
}

/**
 * The only way to change the world: `transact` for one Program, `operate` for all of it. Either all writes of the work take
 * effect, or none. A commit is saved before it takes effect.
 */
export class Store implements ReadStore {
  readonly world: World
  readonly clock: Clock
  #seal: Seal
  readonly #log: CommitLog
  readonly #check: Check
  readonly #announce: Announce | undefined
  readonly #listeners = new Set<(commit: Commit) => void>()
  #draft: Draft | null = null
  /** After the latest commit. */
  #digest: string
  /** Those before the first in `#recentReplacements`; undefined until first needed. */
  #olderReplacements: readonly WorldReplacement[] | undefined
  /** Those since the store was opened, or since the latest import. */
  #recentReplacements: WorldReplacement[] = []
  /** The world when the store was opened: its history may not have the commit that led to it. */
  readonly beginning: Omit<WorldDiff, 'changes'>
  onListenerError: (error: unknown) => void = () => {}
  /** Adds to a commit its operation, and the operator action that makes it. */
  addOrigin: (commit: Commit, request?: LoggedRequest) => Commit = (commit) => commit
  /** Set if there is a log in a data folder. */
  log: { readonly newest: LoggedCounts; cutOff(): void } | undefined

  constructor(world: World, clock: Clock, log: CommitLog, check: Check = () => {}, announce?: Announce) {
    this.world = world
    const { seq, seed, start, counters } = world
    this.#digest = `${digestOf(world)}`
    this.beginning = { seq, origin: { seed, start }, clock: world.clock, counters, digest: this.#digest }
    this.clock = clock
    this.#seal = createSeal(world.seed)
    this.#log = log
    this.#check = check
    this.#announce = announce
  }

  /** Depends on the seed alone, so worlds with one seed can open each other's sealed values. */
  get seal(): Seal {
    return this.#seal
  }

  /** Reads one Program at simulated now. `canWait`: throws IndexMissing instead of building a large index at once. */
  read<T>(program: Uid, work: (tx: ReadTx) => T, { canWait = false } = {}): T {
    this.#refuseNesting()
    const { clock, world } = this
    const draft = new Draft(world, this.#seal, toTimestamp(clock.now()), !clock.ticks, canWait)
    return work(draft.forReading(program))
  }

  /**
   * Writes in one Program. The scheduler passes `at`; requests and the operator work at simulated now. A request can wait:
   * IndexMissing is thrown instead of building a large index at once.
   */
  transact<T>(program: Uid, cause: Cause, work: (tx: Tx) => T, at = this.clock.now(), request?: LoggedRequest): T {
    return this.#run(cause, at, (draft) => work(draft.forProgram(program)), { request })
  }

  /** What work in one Program would do: all that it writes is undone. Throws IndexMissing instead of building a large index at once. */
  attempt<T>(program: Uid, work: (tx: Tx, inProgram: InProgram) => T, canWait = true): T {
    this.#refuseNesting()
    const draft = new Draft(this.world, this.#seal, toTimestamp(this.clock.now()), !this.clock.ticks, canWait)
    this.#draft = draft
    try {
      return work(draft.forProgram(program), (uid, at) => draft.forProgram(uid, at))
    } finally {
      draft.undo()
      this.#draft = null
    }
  }

  /** Writes in the whole world. */
  operate<T>(cause: Cause, work: (tx: WorldTx) => T, at = this.clock.now()): T {
    return this.#run(cause, at, (draft) => work(draft.forWorld()))
  }

  /** The saved rewinds, restores, resets and imports. Oldest first. */
  *findReplacements(): Steps<readonly WorldReplacement[]> {
    while (!this.#olderReplacements) {
      const recent = this.#recentReplacements
      const found: WorldReplacement[] = []
      for (const commit of this.historyInSteps({ texts: [] })) {
        if (commit?.goes_on_from !== undefined) found.push(toWorldReplacement(commit))
        yield
      }
      // After an import meanwhile, its commits are read, too.
      if (recent === this.#recentReplacements) this.#olderReplacements = found.reverse()
    }
    const [first] = this.#recentReplacements
    const older = this.#olderReplacements
    return first ? [...older.filter(({ seq }) => seq < first.seq), ...this.#recentReplacements] : older
  }

  /** The number of the first commit in the history, or a lower one. */
  get firstSeq(): number {
    return this.#log.firstSeq
  }

  /** The saved commits, newest first. */
  *history(filter?: CommitFilter): Iterable<Commit> {
    for (const commit of this.historyInSteps(filter)) if (commit) yield commit
  }

  /** The same, with undefined between slices of what the filter leaves out, so that a caller can pause. */
  historyInSteps(filter?: CommitFilter): Iterable<Commit | undefined> {
    return this.#log.newestFirst(filter)
  }

  /** The saved commits from one number to another, oldest first. */
  commitsBetween(from: number, to: number): Iterable<Commit> {
    return this.#log.oldestFirst(from, to)
  }

  /** Puts another world in the place of this one, as a commit, so it can be undone. */
  replaceWorld(cause: Cause, diff: WorldDiff): void {
    this.#replace(cause, diff, (draft) => draft.putRecords(diff.changes))
  }

  /** For `replaceWorldInSteps`, which prepares all of it and proves the books. */
  replaceCollections(
    cause: Cause,
    diff: Omit<WorldDiff, 'changes'>,
    collections: Collections,
    replaced: ReplacedRecords,
    imported?: ImportedWorld,
  ): void {
    this.#replace(cause, diff, (draft) => draft.replaceCollections(collections, replaced), imported)
  }

  #replace(
    cause: Cause,
    diff: Omit<WorldDiff, 'changes'>,
    replace: (draft: Draft) => void,
    imported?: ImportedWorld,
  ): void {
    const replacing = { before: digestOf(this.world), expected: diff.digest }
    this.#run(
      cause,
      toMs(diff.clock.at),
      (draft) => {
        replace(draft)
        draft.continueFrom(diff)
      },
      { replacing, imported },
    )
  }

  /** Throws if the records are not those after the latest commit. Before another world is made of this one. */
  requireProved() {
    requireRecords(digestOf(this.world), this.#digest, `after commit ${this.world.seq}`)
  }

  /** Where replacements are written. */
  get place(): DataPlace | null {
    return this.#log.place
  }

  /** Repeats a commit from another world's history in this one, including the check. */
  repeatCommit({ cause, at, changes, counters, clock, ...events }: Omit<Commit, 'seq' | 'digest'>): void {
    this.#run(cause, toMs(at), (draft) => {
      draft.putRecords(changes)
      draft.repeatEvents(events)
      draft.setCounters(counters)
      if (clock) draft.forWorld().setClock(clock)
    })
  }

  subscribe(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #run<T>(cause: Cause, at: number, work: (draft: Draft) => T, { replacing, request, imported }: RunOptions = {}): T {
    this.#refuseNesting()
    const draft = new Draft(this.world, this.#seal, toTimestamp(at), !this.clock.ticks, request !== undefined)
    // A frozen clock shows the time of the latest work.
    if (!this.clock.ticks && draft.now > this.world.clock.at) this.world.clock = { ...this.world.clock, at: draft.now }
    this.#draft = draft
    let commit: Commit | undefined
    let result: T
    try {
      result = work(draft)
      if (this.#announce) draft.announceChanges(this.#announce)
      commit = draft.toCommit(cause)
      if (commit) {
        if (replacing) requireExact(commit, replacing, this.world)
        draft.runCheck(this.#check, commit)
        commit = this.addOrigin(commit, request)
        if (imported) commit = this.#withImport(commit, imported)
        commit = this.#save(commit, request ?? imported?.log, imported?.commits)
      } else draft.undo()
    } catch (error) {
      draft.undo()
      throw error
    } finally {
      this.#draft = null
    }
    if (commit) this.#afterCommit(commit)
    const last = commit && imported?.commits.at(-1)
    if (last) this.#afterCommit(last.commit)
    return result
  }

  /** The world is the one at the end when the commits are saved, as a world file may be written from then on. */
  #withImport(commit: Commit, { commits, end }: ImportedWorld): Commit {
    const { collections, counters, clock } = end
    const last = commits.at(-1)?.commit ?? commit
    requireRecords(digestOf(end), last.digest, `at the end of ${commit.cause.name}`)
    Object.assign(this.world, { collections, counters, clock })
    return { ...commit, imports: commits.length }
  }

  #noteReplacement(commit: Commit) {
    if (commit.imports !== undefined) {
      // Its history may contain rewinds.
      this.#olderReplacements = undefined
      this.#recentReplacements = []
    } else if (commit.goes_on_from !== undefined) this.#recentReplacements.push(toWorldReplacement(commit))
  }

  #refuseNesting() {
    if (this.#draft) throw new Error('A transaction is open already: the domain takes its tx as an argument')
  }

  #save(commit: Commit, request?: LoggedRequest, imported: readonly PrintedCommit[] = []): Commit {
    let isWritten = false
    try {
      this.log?.cutOff()
      request?.write()
      isWritten = true
      const saved = this.log ? { ...commit, logged: this.log.newest } : commit
      this.#log.append(saved, this.world, imported)
      const last = imported.at(-1)?.commit ?? commit
      this.world.seq = last.seq
      this.#digest = last.digest
      return saved
    } catch (error) {
      if (isWritten) request?.takeBack()
      throw new NotSavedError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  #afterCommit(commit: Commit) {
    this.#noteReplacement(commit)
    if (commit.origin) this.#seal = createSeal(commit.origin.seed)
    if (commit.clock) this.clock.restart()
    // An error in a listener cannot undo a saved commit.
    for (const listener of this.#listeners)
      try {
        listener(commit)
      } catch (error) {
        this.onListenerError(error)
      }
  }
}

/** Whatever went wrong: a replacement counts only if it leads to the world that was asked for. A writer proves the changes in its file. */
function requireExact(
  { cause, changes, replacement }: Commit,
  { before, expected }: NonNullable<RunOptions['replacing']>,
  world: World,
) {
  requireRecords(digestOf(world), expected, `after ${cause.name}`)
  if (replacement) return
  const after = before.copy()
  for (const { collection, was, record } of changes) after.addChange(collection, was, record)
  requireRecords(after, expected, `that follow from the changes of ${cause.name}`)
}
