import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import { Journal, readLines } from './journal.ts'

/**
 * What came to pass, in order, about the world and not of it: restoring a world does not erase it. What a list shows
 * stays in memory; the rest is read from the file when somebody asks. A line is the summary, a tab, the rest.
 */

/** How many entries are kept at least, where nobody says otherwise. */
export const LOG_LENGTH = 10_000
/** A segment ends when it holds a quarter of the log or so many bytes; the oldest goes as one when the log is too long. */
const SEGMENT_BYTES = 16 << 20
const KEEP_BYTES = 256 << 20

interface Segment {
  /** Without a folder there is none, and the entries hold their own text. */
  readonly journal: Journal | undefined
  entries: number
  bytes: number
}

interface Entry<S> {
  readonly summary: S
  readonly read: () => string
}

export class Log<S extends { readonly uid: Uid }, R extends object> {
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

  /** Uids are the letter and a number that counts on. */
  static async open<S extends { readonly uid: Uid }, R extends object>(
    folder: string | null,
    letter: string,
    length = LOG_LENGTH,
  ): Promise<Log<S, R>> {
    const log = new Log<S, R>(folder, letter, length)
    await log.#load()
    return log
  }

  get nextUid(): Uid {
    return `${this.#letter}${this.#count + 1}`
  }

  get newestUid(): Uid | null {
    return this.#entries.at(-1)?.summary.uid ?? null
  }

  /** The oldest first. */
  summaries(): S[] {
    return this.#entries.map(({ summary }) => summary)
  }

  /** In full, the oldest first. */
  *entries(): Iterable<S & R> {
    for (const entry of this.#entries) yield whole<S, R>(entry)
  }

  get(uid: Uid): (S & R) | undefined {
    const entry = this.#entries.find(({ summary }) => summary.uid === uid)
    return entry && whole<S, R>(entry)
  }

  /** Under the next uid, or under its own when it was kept elsewhere before. */
  add(summary: S, rest: R) {
    this.#count = Math.max(this.#count + 1, numberOf(summary.uid))
    const line = `${JSON.stringify(summary)}\t${JSON.stringify(rest)}`
    let segment = this.#segments.at(-1)
    if (!segment || segment.entries >= this.#length / 4 || segment.bytes >= SEGMENT_BYTES) {
      const journal = this.#folder === null ? undefined : new Journal(segmentPath(this.#folder, this.#count), 0)
      segment = { journal, entries: 0, bytes: 0 }
      this.#segments.push(segment)
    }
    const { journal } = segment
    this.#entries.push({ summary, read: journal ? readAt(journal, journal.append(line)) : () => line })
    segment.entries++
    segment.bytes += line.length
    this.#forget()
  }

  close() {
    for (const { journal } of this.#segments) journal?.close()
  }

  #forget() {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    const [oldest] = this.#segments
    if (!oldest || this.#segments.length === 1) return
    if (this.#entries.length - oldest.entries < this.#length && bytes < KEEP_BYTES) return
    this.#segments.shift()
    this.#entries.splice(0, oldest.entries)
    oldest.journal?.close()
    if (oldest.journal) rmSync(oldest.journal.path, { force: true })
  }

  async #load() {
    if (this.#folder === null) return
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const names = readdirSync(this.#folder).filter((name) => /^\d{12}\.jsonl$/.test(name))
    for (const name of names.sort()) await this.#loadSegment(join(this.#folder, name))
  }

  async #loadSegment(path: string) {
    const found: { summary: S; at: number; length: number }[] = []
    const { good } = await readLines(path, ({ text, at, length }) => {
      // A log is no ledger: a line that cannot be read is left out, and the sandbox opens.
      try {
        found.push({ summary: JSON.parse(text.slice(0, text.indexOf('\t'))) as S, at, length })
      } catch {}
    })
    const journal = new Journal(path, good)
    this.#segments.push({ journal, entries: found.length, bytes: good })
    for (const { summary, at, length } of found) {
      this.#entries.push({ summary, read: readAt(journal, { at, length }) })
      this.#count = Math.max(this.#count, numberOf(summary.uid))
    }
  }
}

function whole<S, R>({ summary, read }: Entry<S>): S & R {
  const line = read()
  return { ...summary, ...(JSON.parse(line.slice(line.indexOf('\t') + 1)) as R) }
}

/** Apart from where the line is at hand: a closure keeps alive whatever another one of its scope needs. */
const readAt =
  (journal: Journal, { at, length }: { at: number; length: number }) =>
  () =>
    journal.read(at, length)

const numberOf = (uid: Uid) => Number(uid.slice(1))

const segmentPath = (folder: string, from: number) => join(folder, `${String(from).padStart(12, '0')}.jsonl`)
