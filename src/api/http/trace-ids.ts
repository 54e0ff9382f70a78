import { hash } from 'node:crypto'
import { join } from 'node:path'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { files, renameDurably } from '../store/files.ts'
import { Journal, readLines } from '../store/journal.ts'

/**
 * Every request needs an x-trace-id, and a value repeated within 7 days is refused.
 *
 * Assumed: trace ids are unique per Program, judged after authentication, over 7 days of simulated time.
 */
export const TRACE_WINDOW_MS = 7 * 86_400_000
/** Expired ids are removed after this many new ones. */
const REMOVE_AFTER = 50_000

/** A hash has a fixed length, and does not reveal what a client wrote into the id. */
const hashOf = (id: string) => hash('sha256', id, 'base64url').slice(0, 22)

/**
 * The trace ids of the last 7 days. They are saved beside the world, so they survive restart, restore and rewind, and a
 * random trace id on a GET does not make worlds differ.
 *
 * Assumed: a reset forgets them, as they belong to the world that has ended; a rewind that undoes the reset does not
 * bring them back.
 */
export class TraceIds {
  readonly #seen = new Map<Uid, Map<string, number>>()
  #journal: Journal | undefined
  #addedSinceCleanup = 0

  static async open(folder: string | null): Promise<TraceIds> {
    const traces = new TraceIds()
    if (folder === null) return traces
    const path = join(folder, 'traces.jsonl')
    let good = 0
    if (files.exists(path)) {
      const end = await readLines(path, ({ text }) => {
        // A line that cannot be read loses one trace id only, so the sandbox opens.
        try {
          const [program, hash, at] = JSON.parse(text) as [Uid, string, number]
          traces.#idsOf(program).set(hash, at)
        } catch {}
      })
      good = end.good
      traces.#addedSinceCleanup = end.lines
    }
    traces.#journal = new Journal(path, good)
    return traces
  }

  /** Records the id. Throws if it is missing, or was used within the window. */
  use(program: Uid, id: string | undefined, now: number) {
    if (!id?.trim()) throw new ApiError('missingParameter', 'the header x-trace-id is missing')
    const ids = this.#idsOf(program)
    const hash = hashOf(id)
    const usedAt = ids.get(hash)
    // After a rewind `usedAt` may be in the future; it still counts.
    if (usedAt !== undefined && now - usedAt < TRACE_WINDOW_MS) throw new ApiError('duplicateTraceId', 'x-trace-id')
    this.#journal?.append(JSON.stringify([program, hash, now]))
    ids.set(hash, now)
    if (++this.#addedSinceCleanup >= REMOVE_AFTER) this.#removeExpired(now)
  }

  /** For a reset: a test suite may send the same trace ids again. */
  clear() {
    this.#seen.clear()
    this.#rewrite()
  }

  close() {
    this.#journal?.close()
    this.#journal = undefined
  }

  #idsOf(program: Uid): Map<string, number> {
    let ids = this.#seen.get(program)
    if (!ids) this.#seen.set(program, (ids = new Map()))
    return ids
  }

  #removeExpired(now: number) {
    for (const ids of this.#seen.values())
      for (const [hash, at] of ids) if (now - at >= TRACE_WINDOW_MS) ids.delete(hash)
    this.#rewrite()
  }

  #rewrite() {
    this.#addedSinceCleanup = 0
    if (!this.#journal) return
    const { path } = this.#journal
    const fresh = new Journal(`${path}.new`, 0)
    for (const [program, ids] of this.#seen)
      for (const [hash, at] of ids) fresh.append(JSON.stringify([program, hash, at]))
    fresh.close()
    renameDurably(fresh.path, path)
    const old = this.#journal
    this.#journal = new Journal(path, fresh.length)
    old.close()
  }
}
