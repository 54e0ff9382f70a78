import type { Cause } from '../contract/control/history.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
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
  /** Set only if a request made it. */
  readonly request?: CommittedRequest
  readonly changes: readonly Change[]
}

/**
 * A commit and the request log are written one after the other. After a crash in between, the entry of the log is rebuilt from
 * this. The trace id is used up by the same write that makes the change.
 */
export interface CommittedRequest {
  readonly program_uid: Uid
  readonly caller: string
  readonly path: string
  readonly trace_id: string | null
  /** The hash of the trace id, as in `traces.jsonl`. */
  readonly trace?: string | undefined
  readonly content_type?: string | undefined
  /** Without secrets. */
  readonly body: string
}

export interface Change {
  readonly collection: CollectionName
  readonly uid: Uid
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
}

/** Selects commits: those whose line contains one of the texts, and those before a commit. */
export interface CommitFilter {
  readonly texts?: readonly string[] | undefined
  readonly before?: number | undefined
}

export interface CommitLog {
  /** Throws if the commit cannot be saved. */
  append(commit: Commit, world: World): void
  /** A filter may let other commits through, and always lets those with `goes_on_from` through. */
  newestFirst(filter?: CommitFilter): Iterable<Commit>
  /** The number of the first saved commit, or a lower one. */
  readonly firstSeq: number
}
