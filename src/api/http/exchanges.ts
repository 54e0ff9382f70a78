import { join } from 'node:path'
import type { Exchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { CommittedRequest } from '../store/commit.ts'
import type { RecentCommit } from '../store/data-folder.ts'
import { Log, type LogOptions, type PreparedEntries, type PrintedEntry } from '../store/log.ts'
import type { Steps } from '../store/steps.ts'
import { ReservedNumbers } from './reserved-numbers.ts'

type Details = Omit<ExchangeDetail, keyof Exchange>

/**
 * Requests without a valid token have a log of their own, in memory: they must not push other requests out, nor fill the disk.
 *
 * Assumed: the request log has the newest 1,000 requests without a valid token, until the sandbox ends.
 */
const REFUSED_LENGTH = 1_000

/** The request log. */
export class ExchangeLog {
  readonly #log: Log<Exchange, Details>
  readonly #refused: Log<Exchange, Details>
  /** Those of `#refused` are in no file. */
  readonly #reserved: ReservedNumbers
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  /** Texts that may be uids. Cached, because bodies are read from files. */
  readonly #possibleUids = new WeakMap<Exchange, readonly Uid[]>()

  private constructor(log: Log<Exchange, Details>, reserved: ReservedNumbers) {
    this.#log = log
    this.#refused = Log.inMemory('x', { length: REFUSED_LENGTH })
    this.#reserved = reserved
    log.reserve(`x${reserved.last}`)
  }

  static async open(dataFolder: string | null, options?: LogOptions): Promise<ExchangeLog> {
    return new ExchangeLog(
      await Log.open(dataFolder && join(dataFolder, 'exchanges'), 'x', options),
      new ReservedNumbers(dataFolder, options?.sync),
    )
  }

  static inMemory(options?: LogOptions): ExchangeLog {
    return new ExchangeLog(Log.inMemory('x', options), new ReservedNumbers(null))
  }

  /** Never gives out this uid again. */
  reserve(uid: Uid) {
    this.#log.reserve(uid)
  }

  /** Adds the requests that were committed, but not logged because the process ended in between. */
  addUnlogged(recent: readonly RecentCommit[]) {
    const newest = counterOf(this.#log.newestUid)
    const unlogged = recent.filter(({ cause }) => counterOf(cause.exchange) > newest)
    this.addAllExisting(unlogged.map(rebuildExchange))
  }

  /** Returns when all entries so far are on the disk. */
  sync(): Promise<void> {
    return this.#log.sync()
  }

  /** The uid of the next entry. The rules of a request run synchronously, so its commit can name its exchange. */
  get nextUid(): Uid {
    return this.#log.nextUid
  }

  /** Its entry may be gone: a request without a valid token, before a restart. */
  get newestUid(): Uid | null {
    const newest = counterOf(this.nextUid) - 1
    return newest === 0 ? null : `x${newest}`
  }

  /** The number of the newest entry in the data folder. */
  get logged(): number {
    return counterOf(this.#log.newestUid)
  }

  /** No entry of a caller with a token was deleted yet. */
  get isComplete(): boolean {
    return this.#log.isComplete
  }

  /** The details are those that `printDetails` prints. */
  add(exchange: Omit<Exchange, 'uid'>, details: string): Exchange {
    const summary = { uid: this.nextUid, ...exchange }
    if (summary.program_uid === null) {
      // Both logs share one sequence of uids.
      this.#log.reserve(summary.uid)
      this.#reserved.reserve(counterOf(summary.uid))
      this.#refused.add(summary, details)
    } else this.#log.add(summary, details)
    for (const listener of this.#listeners) listener(summary)
    return summary
  }

  /** Adds exchanges with their uids, in one write. */
  addAllExisting(exchanges: readonly ExchangeDetail[]) {
    this.#log.addAll(exchanges.map(printExchange))
  }

  /** For an import. The first exchange must have the uid x1. */
  prepare(): PreparedEntries<Exchange> {
    return this.#log.prepare()
  }

  list({ limit = 100, offset = 0, program_uid }: MethodParsed<'exchanges.list'>): Page<Exchange> {
    const matching = this.summaries().filter(
      (exchange) => program_uid === undefined || [null, program_uid].includes(exchange.program_uid),
    )
    const end = Math.max(0, matching.length - offset)
    const data = matching.slice(Math.max(0, end - limit), end).reverse()
    return { total_count: matching.length, count: data.length, limit, offset, data }
  }

  /** Oldest first. */
  summaries(): Exchange[] {
    const [known, refused] = [this.#log.summaries(), this.#refused.summaries()]
    return refused.length === 0 ? known : [...mergeByUid(known, refused)]
  }

  /** Those of callers with a token, oldest first. */
  authenticated(): Exchange[] {
    return this.#log.summaries()
  }

  /** Oldest first. Only the wanted ones are read from the disk. */
  entries(isWanted: (exchange: Exchange) => boolean): Iterable<ExchangeDetail> {
    return mergeByUid(this.#log.entries(isWanted), this.#refused.entries(isWanted))
  }

  /** Exchanges whose path, or for a refusal whose body, contains one of the uids. Newest first. */
  *findAbout(uids: ReadonlySet<Uid>): Steps<Exchange[]> {
    const found: Exchange[] = []
    for (const exchange of this.summaries().reverse()) {
      if (this.#possibleUidsIn(exchange).some((uid) => uids.has(uid))) found.push(exchange)
      yield
    }
    return found
  }

  #possibleUidsIn(exchange: Exchange): readonly Uid[] {
    const known = this.#possibleUids.get(exchange)
    if (known) return known
    const isRefusal = exchange.status >= 400 && exchange.method !== 'GET'
    const body = isRefusal ? (this.get(exchange.uid)?.request.body ?? '') : ''
    const uids = [...new Set(`${exchange.path} ${body}`.match(/\b[A-Za-z0-9]{16}\b/g))]
    this.#possibleUids.set(exchange, uids)
    return uids
  }

  get(uid: Uid): ExchangeDetail | undefined {
    return this.#log.get(uid) ?? this.#refused.get(uid)
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close() {
    this.#reserved.close(counterOf(this.nextUid) - 1)
    this.#log.close()
  }
}

/** Exchanges are numbered x1, x2, … */
const counterOf = (uid: Uid | null | undefined) => (uid ? Number(uid.slice(1)) : 0)

/** An exchange in the two parts of its line in the log. */
export function printExchange({
  request,
  response,
  hinted,
  refusal,
  ...summary
}: ExchangeDetail): PrintedEntry<Exchange> {
  const details: Details = { request, response, hinted, refusal }
  return { summary, details: JSON.stringify(details) }
}

/** `responseBody`: the text of the response as JSON; of most of it that is known. */
export const printDetails = (
  request: Details['request'],
  responseHeaders: Details['response']['headers'],
  responseBody: string,
  { hinted, refusal }: Pick<Details, 'hinted' | 'refusal'>,
): string =>
  `{"request":${JSON.stringify(request)},"response":{"headers":${JSON.stringify(responseHeaders)},"body":${responseBody}},"hinted":${JSON.stringify(hinted)},"refusal":${JSON.stringify(refusal)}}`

/** Two lists, each in the order of its uids, as one. */
function* mergeByUid<T extends { readonly uid: Uid }>(a: Iterable<T>, b: Iterable<T>): Iterable<T> {
  const others = b[Symbol.iterator]()
  let other = others.next()
  for (const entry of a) {
    const counter = counterOf(entry.uid)
    for (; !other.done && counterOf(other.value.uid) < counter; other = others.next()) yield other.value
    yield entry
  }
  for (; !other.done; other = others.next()) yield other.value
}

/** Without a response, because none was sent. */
function rebuildExchange({ seq, at, cause, request }: RecentCommit): ExchangeDetail {
  const [method = '', path = ''] = cause.name.split(' ')
  const { program_uid = null, caller = '', trace_id = null, body = '' } = request ?? {}
  return {
    uid: cause.exchange!,
    at,
    program_uid,
    caller,
    endpoint: endpointOf(method, path),
    method,
    path: request?.path ?? path,
    trace_id,
    status: 0,
    code: null,
    ms: 0,
    did: 'The change was made; the sandbox ended before it sent the response',
    hints: 0,
    seq_before: seq - 1,
    seq_after: seq,
    request: { headers: request ? headersOf(request) : [], body },
    response: { headers: [], body: '' },
    hinted: [],
    refusal: null,
  }
}

/** A request that made a commit had a token and a trace id. A replay needs both headers; the others are not known. */
const headersOf = ({ trace_id, content_type }: CommittedRequest): [string, string][] => [
  ...(content_type === undefined ? [] : [['content-type', content_type] as [string, string]]),
  ['authorization', '[removed]'],
  ...(trace_id === null ? [] : [['x-trace-id', trace_id] as [string, string]]),
]

const endpointOf = (method: string, path: string): EndpointName | null =>
  (Object.keys(endpoints) as EndpointName[]).find(
    (name) => endpoints[name].method === method && endpoints[name].path === path,
  ) ?? null
