import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange, ExchangeInFull } from '../contract/control.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { Journal, readLines } from '../store/journal.ts'

/**
 * The request log: about the world, not of it, so restoring a world does not erase it. What a list shows stays in
 * memory; headers and bodies are read from the file when somebody asks. A line is the summary, a tab, the rest.
 */

/** A segment ends when it has so many entries or bytes; the oldest goes as one when the log is longer than this. */
const SEGMENT = { entries: 2_500, bytes: 16 << 20 }
const KEEP = { entries: 10_000, bytes: 256 << 20 }

type Unnumbered = Omit<ExchangeInFull, 'uid'>

interface Segment {
  /** Without a data folder there is none, and the entries hold their own text. */
  readonly journal: Journal | undefined
  entries: number
  bytes: number
}

interface Entry {
  readonly summary: Exchange
  readonly read: () => string
}

export class ExchangeLog {
  readonly #folder: string | null
  /** Oldest first, over all segments. */
  readonly #entries: Entry[] = []
  readonly #segments: Segment[] = []
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #count = 0

  private constructor(folder: string | null) {
    this.#folder = folder
  }

  static async open(dataFolder: string | null): Promise<ExchangeLog> {
    const log = new ExchangeLog(dataFolder && join(dataFolder, 'exchanges'))
    await log.#load()
    return log
  }

  /** The uid that the next entry will have. Requests are answered one at a time, so a commit may name its own. */
  get nextUid(): Uid {
    return `x${this.#count + 1}`
  }

  add({ request, response, hinted, refusal, ...rest }: Unnumbered): Exchange {
    const summary: Exchange = { uid: this.nextUid, ...rest }
    this.#count++
    this.#keep(summary, `${JSON.stringify(summary)}\t${JSON.stringify({ request, response, hinted, refusal })}`)
    for (const listener of this.#listeners) listener(summary)
    return summary
  }

  list({
    limit = 100,
    offset = 0,
    program_uid,
  }: {
    limit?: number | undefined
    offset?: number | undefined
    program_uid?: Uid | undefined
  }): Page<Exchange> {
    const wanted =
      program_uid === undefined
        ? this.#entries
        : this.#entries.filter(({ summary }) => summary.program_uid === null || summary.program_uid === program_uid)
    const end = Math.max(0, wanted.length - offset)
    const data = wanted
      .slice(Math.max(0, end - limit), end)
      .reverse()
      .map(({ summary }) => summary)
    return { total_count: wanted.length, count: data.length, limit, offset, data }
  }

  /** Those whose path names it, the newest first. */
  about(uid: Uid): Exchange[] {
    return this.#entries
      .filter(({ summary }) => summary.path.includes(uid))
      .map(({ summary }) => summary)
      .reverse()
  }

  get(uid: Uid): ExchangeInFull | undefined {
    const entry = this.#entries.find(({ summary }) => summary.uid === uid)
    if (!entry) return undefined
    const line = entry.read()
    return {
      ...entry.summary,
      ...(JSON.parse(line.slice(line.indexOf('\t') + 1)) as Omit<ExchangeInFull, keyof Exchange>),
    }
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close() {
    for (const { journal } of this.#segments) journal?.close()
  }

  #keep(summary: Exchange, line: string) {
    let segment = this.#segments.at(-1)
    if (!segment || segment.entries >= SEGMENT.entries || segment.bytes >= SEGMENT.bytes) {
      const journal = this.#folder === null ? undefined : new Journal(segmentPath(this.#folder, this.#count), 0)
      segment = { journal, entries: 0, bytes: 0 }
      this.#segments.push(segment)
    }
    const { journal } = segment
    const place = journal?.append(line)
    this.#entries.push({ summary, read: place && journal ? () => journal.read(place.at, place.length) : () => line })
    segment.entries++
    segment.bytes += line.length
    this.#forget()
  }

  #forget() {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    const [oldest] = this.#segments
    if (!oldest || this.#segments.length === 1) return
    if (this.#entries.length - oldest.entries < KEEP.entries && bytes < KEEP.bytes) return
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
    const found: { summary: Exchange; at: number; length: number }[] = []
    const { good } = await readLines(path, ({ text, at, length }) => {
      // A log is no ledger: a line that cannot be read is left out, and the sandbox opens.
      try {
        found.push({ summary: JSON.parse(text.slice(0, text.indexOf('\t'))) as Exchange, at, length })
      } catch {}
    })
    const journal = new Journal(path, good)
    this.#segments.push({ journal, entries: found.length, bytes: good })
    for (const { summary, at, length } of found) {
      this.#entries.push({ summary, read: () => journal.read(at, length) })
      this.#count = Math.max(this.#count, Number(summary.uid.slice(1)))
    }
  }
}

const segmentPath = (folder: string, from: number) => join(folder, `${String(from).padStart(12, '0')}.jsonl`)
