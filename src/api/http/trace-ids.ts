import { hash } from 'node:crypto'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { toMs } from '../store/clock.ts'
import type { RecentCommit } from '../store/data-folder.ts'
import { files, renameDurably } from '../store/files.ts'
import { EMPTY, Journal } from '../store/journal.ts'
import {
  formatMark,
  formatSaved,
  formatTracesHeader,
  readTraces,
  type TraceMark,
  tracesPath,
} from '../store/traces-file.ts'

/**
 * Every request needs an x-trace-id, and a value repeated within 7 days is refused.
 *
 * Assumed: trace ids are unique per Program, judged after authentication, over 7 days of simulated time.
 */
export const TRACE_WINDOW_MS = 7 * 86_400_000
/**
 * Assumed: of more than 200,000 trace ids of a Program within 7 days, the oldest are forgotten first: under a frozen clock none
 * would ever expire.
 */
export const MAX_TRACE_IDS = 200_000
/** The file is written anew when so many of its lines are forgotten ids. */
const MAX_FORGOTTEN_LINES = 50_000
/** So many ids are written anew with each new one, so that no request waits for the whole file. */
const IDS_PER_STEP = 200

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
  readonly #seen = new Map<Uid, UsedIds>()
  readonly #sync: boolean
  #journal: Journal | undefined
  /** Those that so far only their commits hold. */
  #unsaved: TraceMark[] = []
  /** The last reset whose commit this file knows of. */
  #reset = 0
  /** The file has ids from before that reset. */
  #isStale = false
  #linesInFile = 0
  /** How many were saved, since the folder exists. */
  #saved = 0
  #rewriting: { readonly journal: Journal; readonly ids: Iterator<TraceMark> } | undefined

  private constructor(sync: boolean) {
    this.#sync = sync
  }

  static inMemory(): TraceIds {
    return new TraceIds(false)
  }

  /** `recent`: the commits since the last `syncAll`. */
  static async open(
    folder: string | null,
    { sync = false, recent = [] }: { sync?: boolean; recent?: readonly RecentCommit[] } = {},
  ): Promise<TraceIds> {
    const traces = new TraceIds(sync)
    if (folder !== null) await traces.#load(tracesPath(folder))
    for (const { seq, at, cause, request } of recent)
      if (cause.name === 'world.reset') traces.clear(seq)
      else if (request?.trace && seq > traces.#reset)
        traces.#addIfUnsaved({ program: request.program_uid, hash: request.trace, at: toMs(at) })
    return traces
  }

  async #load(path: string) {
    const end = files.exists(path)
      ? await readTraces(path, {
          onMark: (mark) => this.#remember(mark),
          onHeader: ({ reset = 0 }) => {
            this.#reset = reset
          },
        })
      : { ...EMPTY, lines: 0, saved: 0 }
    this.#linesInFile = end.lines
    this.#saved = end.saved
    this.#journal = end.length > 0 ? new Journal(path, end, this.#sync) : this.#writeAll(path)
  }

  /** Throws if the id is missing, or was used within the window. */
  use(program: Uid, id: string | undefined, now: number): TraceMark {
    if (!id?.trim()) throw new ApiError('missingParameter', 'the header x-trace-id is missing')
    const ids = this.#idsOf(program)
    const hash = hashOf(id)
    const usedAt = ids.usedAt(hash)
    // After a rewind `usedAt` may be in the future; it still counts.
    if (usedAt !== undefined && now - usedAt < TRACE_WINDOW_MS) throw new ApiError('duplicateTraceId', 'x-trace-id')
    ids.add(hash, now)
    return { program, hash, at: now }
  }

  #remember({ program, hash, at }: TraceMark) {
    this.#idsOf(program).add(hash, at)
  }

  /** The file may have it already: otherwise it would grow with each start. */
  #addIfUnsaved(mark: TraceMark) {
    if (this.#idsOf(mark.program).usedAt(mark.hash) === mark.at) return
    this.#remember(mark)
    this.addCommitted(mark)
  }

  /** The commit of the request holds the id, so it need not be saved at once. */
  addCommitted(mark: TraceMark) {
    if (this.#journal) this.#unsaved.push(mark)
  }

  /** Saves the id of a request that made no commit. */
  save(mark: TraceMark) {
    try {
      this.#saveAll([mark])
    } catch (error) {
      this.#idsOf(mark.program).delete(mark.hash)
      throw error
    }
  }

  get saved(): number {
    return this.#saved
  }

  /** Returns when all ids are on the disk. */
  async syncAll() {
    this.#saveAll([])
    await this.#journal?.syncInBackground()
  }

  #saveAll(more: readonly TraceMark[]) {
    if (this.#isStale) return this.#rewrite()
    const lines = [...this.#unsaved, ...more].map(formatMark)
    if (lines.length === 0 || !this.#journal) return
    this.#journal.appendAll(lines)
    if (this.#unsaved.length > 0) this.#unsaved = []
    this.#linesInFile += lines.length
    this.#saved += lines.length
    try {
      this.#rewriting?.journal.appendAll(lines)
      this.#rewriteStep()
    } catch {
      // The disk may be full. The old file has all ids, and the next attempt begins from the start.
      this.#stopRewriting()
    }
  }

  #stopRewriting() {
    const unfinished = this.#rewriting
    this.#rewriting = undefined
    this.#linesInFile = 0
    unfinished?.journal.close()
  }

  /**
   * For a reset, whose commit has this number: a test suite may send the same trace ids again. The file is written later: until then the
   * commit says that its ids are forgotten.
   */
  clear(seq: number) {
    if (seq <= this.#reset) return
    this.#seen.clear()
    this.#unsaved = []
    this.#reset = seq
    this.#isStale = true
  }

  close() {
    try {
      this.#saveAll([])
    } catch {
      // The next start reads them from their commits.
    }
    this.#stopRewriting()
    this.#journal?.close()
    this.#journal = undefined
  }

  #idsOf(program: Uid): UsedIds {
    let ids = this.#seen.get(program)
    if (!ids) this.#seen.set(program, (ids = new UsedIds()))
    return ids
  }

  /** Writes a part of the new file, next to the old one, which it replaces when it is complete. */
  #rewriteStep() {
    const old = this.#journal!
    if (!this.#rewriting) {
      let known = 0
      for (const ids of this.#seen.values()) known += ids.size
      if (this.#linesInFile - known < MAX_FORGOTTEN_LINES) return
      const journal = new Journal(`${old.path}.new`, EMPTY, this.#sync)
      journal.append(formatTracesHeader(this.#reset))
      this.#linesInFile = 1
      this.#rewriting = { journal, ids: this.#marks() }
    }
    const { journal, ids } = this.#rewriting
    const lines: string[] = []
    while (lines.length < IDS_PER_STEP) {
      const next = ids.next()
      if (next.done) break
      lines.push(formatMark(next.value))
    }
    journal.appendAll(lines)
    this.#linesInFile += lines.length
    if (lines.length === IDS_PER_STEP) return
    this.#rewriting = undefined
    journal.append(formatSaved(this.#saved))
    journal.close()
    renameDurably(journal.path, old.path)
    this.#journal = new Journal(old.path, journal, this.#sync)
    old.close()
  }

  *#marks(): Generator<TraceMark> {
    for (const [program, ids] of this.#seen) for (const [hash, at] of ids.inOrder()) yield { program, hash, at }
  }

  /** If the disk fails, the file stays stale: ids in it from after the reset would be forgotten at the next start. */
  #rewrite() {
    this.#stopRewriting()
    if (this.#journal) {
      const old = this.#journal
      this.#journal = this.#writeAll(old.path)
      old.close()
    }
    this.#unsaved = []
    this.#isStale = false
  }

  #writeAll(path: string): Journal {
    const marks = [...this.#marks()]
    this.#linesInFile = 2 + marks.length
    const fresh = new Journal(`${path}.new`, EMPTY, this.#sync)
    fresh.appendAll([formatTracesHeader(this.#reset), ...marks.map(formatMark), formatSaved(this.#saved)])
    fresh.close()
    renameDurably(fresh.path, path)
    return new Journal(path, fresh, this.#sync)
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

  inOrder(): Iterable<[hash: string, at: number]> {
    return this.#usedAt
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
