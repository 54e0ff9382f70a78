import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import { createFolder, files } from './files.ts'
import { Journal, readLines } from './journal.ts'

/**
 * An append-only log next to the world: restoring a world does not change it. Summaries, which lists show, stay in memory;
 * details are read from the file on demand. A line is the summary, a tab, the details.
 */

/** The default of the least number of entries in the log. */
export const LOG_LENGTH = 10_000
/** A segment ends at a quarter of the length, or at this size. The oldest segment is deleted as a whole. */
const SEGMENT_BYTES = 16 << 20
const MAX_BYTES = 256 << 20

interface Segment {
  /** undefined without a folder: then the entries hold their own lines. */
  readonly journal: Journal | undefined
  entries: number
  bytes: number
}

interface Entry<S> {
  readonly summary: S
  readonly readLine: () => string
}

export class Log<S extends { readonly uid: Uid }, D extends object> {
  readonly #folder: string | null
  readonly #letter: string
  readonly #length: number
  /** Oldest first, over all segments. */
  readonly #entries: Entry<S>[] = []
  readonly #segments: Segment[] = []
  #count = 0

  private constructor(folder: string | null, letter: string, length: number) {
    this.#folder = folder
    this.#letter = letter
    this.#length = length
  }

  /** Uids are the letter and a counter. */
  static async open<S extends { readonly uid: Uid }, D extends object>(
    folder: string | null,
    letter: string,
    length = LOG_LENGTH,
  ): Promise<Log<S, D>> {
    const log = new Log<S, D>(folder, letter, length)
    await log.#load()
    return log
  }

  get nextUid(): Uid {
    return `${this.#letter}${this.#count + 1}`
  }

  get newestUid(): Uid | null {
    return this.#entries.at(-1)?.summary.uid ?? null
  }

  /** Oldest first. */
  summaries(): S[] {
    return this.#entries.map(({ summary }) => summary)
  }

  /** With details, oldest first. */
  *entries(): Iterable<S & D> {
    for (const entry of this.#entries) yield withDetails<S, D>(entry)
  }

  get(uid: Uid): (S & D) | undefined {
    const entry = this.#entries.find(({ summary }) => summary.uid === uid)
    return entry && withDetails<S, D>(entry)
  }

  /** The summary has the next uid, or, if it comes from another log, its uid there. */
  add(summary: S, details: D) {
    this.#count = Math.max(this.#count + 1, counterOf(summary.uid))
    const line = `${JSON.stringify(summary)}\t${JSON.stringify(details)}`
    let segment = this.#segments.at(-1)
    if (!segment || segment.entries >= this.#length / 4 || segment.bytes >= SEGMENT_BYTES) {
      const journal = this.#folder === null ? undefined : new Journal(segmentPath(this.#folder, this.#count), 0)
      segment = { journal, entries: 0, bytes: 0 }
      this.#segments.push(segment)
    }
    const { journal } = segment
    this.#entries.push({ summary, readLine: journal ? lineReader(journal, journal.append(line)) : () => line })
    segment.entries++
    segment.bytes += line.length
    this.#deleteOldest()
  }

  close() {
    for (const { journal } of this.#segments) journal?.close()
  }

  #deleteOldest() {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    const [oldest] = this.#segments
    if (!oldest || this.#segments.length === 1) return
    if (this.#entries.length - oldest.entries < this.#length && bytes < MAX_BYTES) return
    this.#segments.shift()
    this.#entries.splice(0, oldest.entries)
    oldest.journal?.close()
    if (oldest.journal) files.remove(oldest.journal.path)
  }

  async #load() {
    if (this.#folder === null) return
    createFolder(this.#folder)
    const names = files.list(this.#folder).filter((name) => /^\d{12}\.jsonl$/.test(name))
    for (const name of names.sort()) await this.#loadSegment(join(this.#folder, name))
  }

  async #loadSegment(path: string) {
    const found: { summary: S; at: number; length: number }[] = []
    const { good } = await readLines(path, ({ text, at, length }) => {
      // The sandbox works without its logs, so a line that cannot be read is skipped.
      try {
        found.push({ summary: JSON.parse(text.slice(0, text.indexOf('\t'))) as S, at, length })
      } catch {}
    })
    const journal = new Journal(path, good)
    this.#segments.push({ journal, entries: found.length, bytes: good })
    for (const { summary, at, length } of found) {
      this.#entries.push({ summary, readLine: lineReader(journal, { at, length }) })
      this.#count = Math.max(this.#count, counterOf(summary.uid))
    }
  }
}

function withDetails<S, D>({ summary, readLine }: Entry<S>): S & D {
  const line = readLine()
  return { ...summary, ...(JSON.parse(line.slice(line.indexOf('\t') + 1)) as D) }
}

/** A function of its own, so that the closure does not keep the line in memory. */
const lineReader =
  (journal: Journal, { at, length }: { at: number; length: number }) =>
  () =>
    journal.read(at, length)

const counterOf = (uid: Uid) => Number(uid.slice(1))

const segmentPath = (folder: string, counter: number) => join(folder, `${String(counter).padStart(12, '0')}.jsonl`)
