import { hash } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { Journal, readLines } from '../store/journal.ts'

/**
 * Every request needs an x-trace-id, and a value repeated within 7 days is refused.
 *
 * Assumed: trace ids are unique per Program, judged after authentication, over 7 days of simulated time.
 */
export const TRACE_WINDOW_MS = 7 * 86_400_000
/** When so many have been added since the last clearing, those out of the window are dropped. */
const CLEAR_AFTER = 50_000

/** Of one length however long the id is, and telling nobody what a caller wrote into it. */
const markOf = (id: string) => hash('sha256', id, 'base64url').slice(0, 22)

/**
 * The trace ids seen, kept durably beside the world: no commit and no uid, and they survive restart, restore and
 * rewind, so that a random trace id on a GET changes nothing that is compared.
 *
 * Assumed: a reset forgets them, as they belong to the world that has ended; a rewind that undoes the reset does not
 * bring them back.
 */
export class TraceIds {
  readonly #seen = new Map<Uid, Map<string, number>>()
  #journal: Journal | undefined
  #sinceCleared = 0

  static async open(folder: string | null): Promise<TraceIds> {
    const traces = new TraceIds()
    if (folder === null) return traces
    const path = join(folder, 'traces.jsonl')
    let good = 0
    if (existsSync(path)) {
      const end = await readLines(path, ({ text }) => {
        // A broken line forgets one trace id: no reason to refuse to open.
        try {
          const [program, mark, at] = JSON.parse(text) as [Uid, string, number]
          traces.#of(program).set(mark, at)
        } catch {}
      })
      good = end.good
      traces.#sinceCleared = end.lines
    }
    traces.#journal = new Journal(path, good)
    return traces
  }

  /** Throws when the id is missing or was seen; else it is seen from now on. */
  use(program: Uid, id: string | undefined, now: number) {
    if (!id?.trim()) throw new ApiError('missingParameter', 'the header x-trace-id is missing')
    const ids = this.#of(program)
    const mark = markOf(id)
    const seen = ids.get(mark)
    // After a rewind an id may have been seen in what is now the future: still a repeat.
    if (seen !== undefined && now - seen < TRACE_WINDOW_MS) throw new ApiError('duplicateTraceId', 'x-trace-id')
    this.#journal?.append(JSON.stringify([program, mark, now]))
    ids.set(mark, now)
    if (++this.#sinceCleared >= CLEAR_AFTER) this.#clear(now)
  }

  /** A world begins again, and a test suite may send the same trace ids once more. */
  forget() {
    this.#seen.clear()
    this.#rewrite()
  }

  close() {
    this.#journal?.close()
    this.#journal = undefined
  }

  #of(program: Uid): Map<string, number> {
    let ids = this.#seen.get(program)
    if (!ids) this.#seen.set(program, (ids = new Map()))
    return ids
  }

  #clear(now: number) {
    for (const ids of this.#seen.values())
      for (const [mark, at] of ids) if (now - at >= TRACE_WINDOW_MS) ids.delete(mark)
    this.#rewrite()
  }

  #rewrite() {
    this.#sinceCleared = 0
    if (!this.#journal) return
    const { path } = this.#journal
    const fresh = new Journal(`${path}.new`, 0)
    for (const [program, ids] of this.#seen)
      for (const [mark, at] of ids) fresh.append(JSON.stringify([program, mark, at]))
    fresh.close()
    renameSync(fresh.path, path)
    const old = this.#journal
    this.#journal = new Journal(path, fresh.length)
    old.close()
  }
}
