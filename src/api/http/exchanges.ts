import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange, ExchangeInFull } from '../contract/control.ts'
import { Exchange as ExchangeSchema } from '../contract/control.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { Journal, readLines } from '../store/journal.ts'

/**
 * The request log: about the world, not of it, so restoring a world does not erase it. What a list shows stays in
 * memory; headers and bodies are read from the file when somebody asks. A line is the summary, a tab, the whole.
 */

const SEGMENT = 2_500
const KEEP = 10_000

type Unnumbered = Omit<ExchangeInFull, 'uid'>

interface Entry {
  readonly summary: Exchange
  readonly journal: Journal | undefined
  readonly at: number
  readonly length: number
  /** Only without a data folder. */
  readonly full: ExchangeInFull | undefined
}

export class ExchangeLog {
  readonly #folder: string | null
  readonly #entries: Entry[] = []
  readonly #segments: Journal[] = []
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #count = 0
  #inSegment = 0

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

  add(exchange: Unnumbered): Exchange {
    const uid = this.nextUid
    this.#count++
    const full: ExchangeInFull = { ...exchange, uid }
    const summary = ExchangeSchema.parse(full)
    const place = this.#write(summary, full)
    this.#entries.push({ summary, ...place })
    if (this.#entries.length >= KEEP + SEGMENT) this.#forget()
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

  get(uid: Uid): ExchangeInFull | undefined {
    const entry = this.#entries.find(({ summary }) => summary.uid === uid)
    if (!entry) return undefined
    if (entry.full) return entry.full
    const line = entry.journal!.read(entry.at, entry.length)
    return JSON.parse(line.slice(line.indexOf('\t') + 1)) as ExchangeInFull
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close() {
    for (const journal of this.#segments) journal.close()
  }

  #write(summary: Exchange, full: ExchangeInFull): Omit<Entry, 'summary'> {
    if (this.#folder === null) return { journal: undefined, at: 0, length: 0, full }
    if (this.#inSegment >= SEGMENT || this.#segments.length === 0) {
      this.#segments.push(new Journal(segmentPath(this.#folder, this.#count), 0))
      this.#inSegment = 0
    }
    this.#inSegment++
    const journal = this.#segments.at(-1)!
    return { journal, ...journal.append(`${JSON.stringify(summary)}\t${JSON.stringify(full)}`), full: undefined }
  }

  /** The oldest segment goes as one. */
  #forget() {
    if (this.#folder === null) {
      this.#entries.splice(0, SEGMENT)
      return
    }
    const oldest = this.#segments.shift()
    if (!oldest) return
    const kept = this.#entries.filter(({ journal }) => journal !== oldest)
    this.#entries.splice(0, this.#entries.length, ...kept)
    oldest.close()
    rmSync(oldest.path, { force: true })
  }

  async #load() {
    if (this.#folder === null) return
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const names = readdirSync(this.#folder)
      .filter((name) => /^\d{12}\.jsonl$/.test(name))
      .sort()
    for (const name of names) {
      const path = join(this.#folder, name)
      if (!existsSync(path)) continue
      const found: { summary: Exchange; at: number; length: number }[] = []
      const end = await readLines(path, ({ text, at, length }) => {
        // A log is no ledger: a line that cannot be read is left out, and the sandbox opens.
        try {
          found.push({ summary: JSON.parse(text.slice(0, text.indexOf('\t'))) as Exchange, at, length })
        } catch {}
      })
      const journal = new Journal(path, end.good)
      this.#segments.push(journal)
      for (const { summary, at, length } of found) {
        this.#entries.push({ summary, journal, at, length, full: undefined })
        this.#count = Math.max(this.#count, Number(summary.uid.slice(1)))
      }
      this.#inSegment = found.length
    }
  }
}

const segmentPath = (folder: string, from: number) => join(folder, `${String(from).padStart(12, '0')}.jsonl`)
