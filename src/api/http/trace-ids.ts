import { hash } from 'node:crypto'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { CallLog, TraceMark } from '../store/call-log.ts'

/**
 * Every request needs an x-trace-id, and a value repeated within 7 days is refused.
 *
 * Assumed (invented): trace ids are unique per Program, judged after authentication, over 7 days of simulated time.
 */
export const TRACE_WINDOW_MS = 7 * 86_400_000
/**
 * Assumed (invented): of more than 200,000 trace ids of a Program within 7 days, the oldest are forgotten first: under a frozen clock none
 * would ever expire.
 */
export const MAX_TRACE_IDS = 200_000

/** A hash has a fixed length, and does not reveal what a client wrote into the id. */
const hashOf = (id: string) => hash('sha256', id, 'base64url').slice(0, 22)

/**
 * The trace ids of the last 7 days. The entry of a request in the log holds its id, beside the world: so they survive restart, restore and
 * rewind, and a random trace id on a GET does not make worlds differ.
 *
 * Assumed (invented): a reset forgets them, as they belong to the world that has ended; a rewind that undoes the reset does not
 * bring them back.
 */
export class TraceIds {
  readonly #seen = new Map<Uid, UsedIds>()

  constructor(log: CallLog) {
    for (const { program, hash, at } of log.usedTraces()) this.#idsOf(program).add(hash, at)
    log.isUsed = ({ program, hash }, now) =>
      now - (this.#seen.get(program)?.usedAt(hash) ?? -Infinity) < TRACE_WINDOW_MS
  }

  /**
   * Throws if the id is missing, or was used within the window. Returns what the log entry of the request holds.
   *
   * Assumed (invented; repeated_trace_id): a repeated trace id is 409/1012.
   */
  use(program: Uid, id: string | undefined, now: number, status?: number): TraceMark {
    if (!id?.trim()) throw new ApiError('missingParameter', 'the header x-trace-id is missing')
    const ids = this.#idsOf(program)
    const hash = hashOf(id)
    const usedAt = ids.usedAt(hash)
    // After a rewind `usedAt` may be in the future; it still counts.
    if (usedAt !== undefined && now - usedAt < TRACE_WINDOW_MS)
      throw new ApiError('duplicateTraceId', 'x-trace-id', undefined, undefined, status === undefined ? {} : { status })
    ids.add(hash, now)
    return { program, hash, at: now }
  }

  /** For a request that could not be logged. */
  forget({ program, hash }: TraceMark) {
    this.#idsOf(program).delete(hash)
  }

  /** After a reset: a test suite may send the same trace ids again. */
  clear() {
    this.#seen.clear()
  }

  #idsOf(program: Uid): UsedIds {
    let ids = this.#seen.get(program)
    if (!ids) this.#seen.set(program, (ids = new UsedIds()))
    return ids
  }
}

/** The trace ids of one Program, in the order of their use. */
class UsedIds {
  readonly #usedAt = new Map<string, number>()
  /** Goes on where it was: a new iterator first passes what was deleted before, which takes up to half a millisecond. */
  #next = this.#usedAt.entries()
  #oldest: readonly [hash: string, at: number] | undefined

  get size(): number {
    return this.#usedAt.size
  }

  usedAt(hash: string): number | undefined {
    return this.#usedAt.get(hash)
  }

  delete(hash: string) {
    this.#usedAt.delete(hash)
  }

  /** An older one of the same text moves to the end. Forgets two others at most, so that no request does the work of many. */
  add(hash: string, now: number) {
    this.#usedAt.delete(hash)
    this.#usedAt.set(hash, now)
    for (let forgotten = 0; forgotten < 2; forgotten++) {
      const [oldest, at] = this.#findOldest()
      if (now - at < TRACE_WINDOW_MS && this.size <= MAX_TRACE_IDS) return
      this.#usedAt.delete(oldest)
    }
  }

  #findOldest(): readonly [hash: string, at: number] {
    while (this.#oldest === undefined || this.#usedAt.get(this.#oldest[0]) !== this.#oldest[1]) {
      const { value, done } = this.#next.next()
      if (done) this.#next = this.#usedAt.entries()
      else this.#oldest = value
    }
    return this.#oldest
  }
}
