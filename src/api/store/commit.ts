import type { Cause } from '../contract/control/history.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { FileEnd } from './journal.ts'
import type { RecordKey } from './record-map.ts'
import type { ClockState, CollectionName, Counters, StoredRecord, World } from './world.ts'

/** One change of the world, and where such changes are saved. */

export interface Commit {
  readonly seq: number
  readonly at: Timestamp
  readonly cause: Cause
  readonly counters: Counters
  /** Set only if the commit changed the clock. */
  readonly clock?: ClockState
  readonly was_clock?: ClockState
  /** Set only if the frozen clock was already past the time of the work, e.g. for a task that was held. */
  readonly stood_at?: Timestamp
  /** Set only if the commit replaced the world by one with another seed or start. */
  readonly origin?: Origin
  readonly was_origin?: Origin
  /** Set only by a rewind, restore or reset: the commit whose state the world continues from. */
  readonly goes_on_from?: number
  /** The first commit of its operation; not set in that one. */
  readonly part_of?: number
  /** Set in the first commit of a scenario or a replay: its control method. */
  readonly run?: string
  /** Set only if an operator action made it. */
  readonly action?: CommittedAction
  readonly changes: readonly Change[]
  /** Where its events begin; set only if its changes are events, whether or not a webhook wants them. */
  readonly events?: EventNumbers
  /** Statuses that a record had only within the commit, oldest first. */
  readonly passed?: readonly PassedStatus[]
  /** Of all records after it. */
  readonly digest: string
  /** How far the log in the data folder was then. */
  readonly logged?: LoggedCounts
  /** Set only by an import: so many commits belong to it and follow in the same file. It counts only with all of them. */
  readonly imports?: number
  /** Set only if the commit replaced so many records that its segment begins with them; `changes` is then empty. */
  readonly replacement?: Replacement
}

/** Their uids follow from `uid`, which no other commit has, also after a rewind; the first has the position `made`. */
export interface EventNumbers {
  readonly uid: number
  readonly made: number
}

export interface PassedStatus {
  readonly uid: Uid
  readonly status: string
}

/** The number of the operation of a commit. */
export const operationOf = ({ seq, part_of = seq }: Pick<Commit, 'seq' | 'part_of'>): number => part_of

/** The numbers of the newest entries of the log. A check finds by it that the log has lost its end. */
export interface LoggedCounts {
  readonly requests: number
  readonly actions: number
}

/** The changes of a commit that replaced most of the world. */
export interface Replacement {
  /** The number of changes, by collection. Records that changed while it was written may count twice. */
  readonly records: Partial<Record<CollectionName, number>>
  /** Where they end in its segment, which begins with them; absent in memory. */
  readonly parts?: FileEnd
  /** Each change once, in parts. With `uids`, parts without any of them are empty. */
  read(uids?: readonly Uid[]): Iterable<readonly Change[]>
}

/** The changes of a commit in parts. `uids`: only parts with these records are needed. */
export function* changesInParts(commit: Commit, uids?: readonly Uid[]): Iterable<readonly Change[]> {
  yield commit.changes
  if (commit.replacement) yield* commit.replacement.read(uids)
}

/** The entries of a request or of an import in the log: written before its commit, which decides whether they count. */
export interface LoggedRequest {
  /** The running operation that sent it, as it names itself in a header. */
  readonly run?: string | undefined
  write(): void
  /** The commit could not be saved. */
  takeBack(): void
}

/** From this a start rebuilds the entry of the operator log, if a crash came between the two. */
export interface CommittedAction {
  readonly name: string
  /** JSON text, without secrets; absent for a part of an advance, whose end is the time of its last commit. */
  readonly input?: string
  /** The newest exchange before it; null if there was none. */
  readonly after: Uid | null
  /** The commit before the action: with the name it identifies the action. */
  readonly seq_before: number
}

export interface Change extends RecordKey {
  /** null if the record was removed. */
  readonly record: StoredRecord | null
  /** The record before; null if there was none. Allows the history to be followed backwards. */
  readonly was: StoredRecord | null
}

/** Together with the requests and operator actions, these determine everything in a world. */
export interface Origin {
  readonly seed: string
  readonly start: Timestamp
}

/** What to change about the current world to get another one. */
export interface WorldDiff {
  /** The commit that produced the other world; 0 for a fresh one. */
  readonly seq: number
  readonly origin: Origin
  readonly clock: ClockState
  readonly counters: Counters
  readonly changes: readonly Omit<Change, 'was'>[]
  /** Of all records of the other world. */
  readonly digest: string
  /**
   * Set by a rewind and a restore: uids go on after those that this seed has issued so far, so a uid of a record that is gone
   * never names another one. At least so many were issued.
   */
  readonly issued_uids?: number
}

/** A commit of an import, printed before its numbers are known: `rest` is its line without them. */
export interface PrintedCommit {
  readonly commit: Commit
  readonly rest: Buffer
}

/** Selects commits: those whose line contains one of the texts, and those before a commit. */
export interface CommitFilter {
  readonly texts?: readonly string[] | undefined
  readonly before?: number | undefined
  /** This commit and older ones are not needed: reading may end there. */
  readonly after?: number | undefined
}

/** Where the files of commits are written. With `sync` they survive a power failure. */
export interface DataPlace {
  readonly folder: string
  readonly sync: boolean
}

export interface CommitLog {
  /** null if it is in memory. */
  readonly place: DataPlace | null
  /** `imported`: the commits that belong to an import. Throws if the commit cannot be saved; then none is. */
  append(commit: Commit, world: World, imported?: readonly PrintedCommit[]): void
  /**
   * A filter may let other commits through, and always lets those with `goes_on_from` through. Yields undefined between
   * slices of what it leaves out, so that a caller can pause.
   */
  newestFirst(filter?: CommitFilter): Iterable<Commit | undefined>
  /** The saved commits from one number to another. */
  oldestFirst(from: number, to: number): Iterable<Commit>
  /** The number of the first saved commit, or a lower one. */
  readonly firstSeq: number
}
