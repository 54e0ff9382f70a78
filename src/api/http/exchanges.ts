import { join } from 'node:path'
import type { Exchange, ExchangeDetail } from '../contract/control.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { Log } from '../store/log.ts'

/** The request log. */

type Details = Omit<ExchangeDetail, keyof Exchange>
type Unnumbered = Omit<ExchangeDetail, 'uid'>

export class ExchangeLog {
  readonly #log: Log<Exchange, Details>
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  /** What may be a uid in each: looked for once, as bodies lie in files. */
  readonly #named = new WeakMap<Exchange, readonly Uid[]>()

  private constructor(log: Log<Exchange, Details>) {
    this.#log = log
  }

  static async open(dataFolder: string | null, length?: number): Promise<ExchangeLog> {
    return new ExchangeLog(await Log.open(dataFolder && join(dataFolder, 'exchanges'), 'x', length))
  }

  /** The uid that the next entry will have. Requests are answered one at a time, so a commit may name its own. */
  get nextUid(): Uid {
    return this.#log.nextUid
  }

  get newestUid(): Uid | null {
    return this.#log.newestUid
  }

  add(exchange: Unnumbered): Exchange {
    const summary = this.keep({ uid: this.nextUid, ...exchange })
    for (const listener of this.#listeners) listener(summary)
    return summary
  }

  /** One that another log has held. */
  keep({ request, response, hinted, refusal, ...summary }: ExchangeDetail): Exchange {
    this.#log.add(summary, { request, response, hinted, refusal })
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
    const all = this.#log.summaries()
    const wanted =
      program_uid === undefined
        ? all
        : all.filter((exchange) => exchange.program_uid === null || exchange.program_uid === program_uid)
    const end = Math.max(0, wanted.length - offset)
    const data = wanted.slice(Math.max(0, end - limit), end).reverse()
    return { total_count: wanted.length, count: data.length, limit, offset, data }
  }

  /** The oldest first. */
  summaries(): Exchange[] {
    return this.#log.summaries()
  }

  /** The oldest first. */
  all(): Iterable<ExchangeDetail> {
    return this.#log.entries()
  }

  /** Those whose path names one of these, and those refused whose body does; the newest first. */
  about(uids: ReadonlySet<Uid>): Exchange[] {
    return this.#log
      .summaries()
      .filter((exchange) => this.#namedBy(exchange).some((uid) => uids.has(uid)))
      .reverse()
  }

  #namedBy(exchange: Exchange): readonly Uid[] {
    const known = this.#named.get(exchange)
    if (known) return known
    const isRefusal = exchange.status >= 400 && exchange.method !== 'GET'
    const body = isRefusal ? (this.get(exchange.uid)?.request.body ?? '') : ''
    const named = [...new Set(`${exchange.path} ${body}`.match(/\b[A-Za-z0-9]{16}\b/g))]
    this.#named.set(exchange, named)
    return named
  }

  get(uid: Uid): ExchangeDetail | undefined {
    return this.#log.get(uid)
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close() {
    this.#log.close()
  }
}
