import type { Exchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { CallLog, type Entry, numberOf, type PrintedCall, withDetails } from '../store/call-log.ts'
import type { Steps } from '../store/steps.ts'

type Details = Omit<ExchangeDetail, keyof Exchange>

/**
 * Requests without a valid token have a log of their own, in memory: they must not push other requests out, nor fill the disk.
 *
 * Assumed (invented): the request log has the newest 1,000 requests without a valid token, until the sandbox ends. Then their numbers are free again.
 */
const REFUSED_LENGTH = 1_000

interface Answer {
  readonly summary: Exchange
  /** Why it could not be logged. */
  failure?: unknown
  readonly send: (failure?: unknown) => void
}

/** The first of many requests that arrive at once does not wait for all others. */
const MAX_ANSWERS = 32

/** The request log: requests x1, x2, … */
export class ExchangeLog {
  readonly #log: CallLog
  readonly #refused = CallLog.inMemory({ length: REFUSED_LENGTH })
  /** To requests of this turn. */
  readonly #answers: Answer[] = []
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  /** Texts that may be uids. Cached, because bodies are read from files. */
  readonly #possibleUids = new WeakMap<Exchange, readonly Uid[]>()

  constructor(log: CallLog) {
    this.#log = log
  }

  /** The uid of the next entry. The rules of a request run synchronously, so its commit can name its exchange. */
  get nextUid(): Uid {
    return `x${this.#log.counts.requests + 1}`
  }

  /** Its entry may be gone. */
  get newestUid(): Uid | null {
    const { requests } = this.#log.counts
    return requests === 0 ? null : `x${requests}`
  }

  /** No entry of a caller with a token was deleted yet. */
  get isComplete(): boolean {
    return this.#log.isComplete
  }

  /**
   * The details are those that `printDetails` prints; `trace`: the hash of the trace id that the request used up. The entries of one turn of the
   * event loop are one write; then `send` is called, with the error if that failed.
   */
  addLater(summary: Exchange, details: string, trace: string | undefined, send: Answer['send']) {
    const answer: Answer = { summary, send }
    const onFailure = (error: unknown) => void (answer.failure = error)
    if (summary.program_uid !== null) this.#log.addLater({ summary, details, trace, onFailure })
    else {
      this.#refused.add({ summary, details })
      // Both logs share one sequence of numbers, and no lower one may wait.
      this.#log.writeWaiting()
      this.#log.reserve({ requests: numberOf(summary.uid) })
    }
    this.answerLater(answer)
  }

  /** For a request whose commit is not saved yet. */
  write(summary: Exchange, details: string, trace?: string): Exchange {
    this.#log.add({ summary, details, trace })
    return summary
  }

  /** At the end of the turn: a client that is woken once for several answers costs less than one that is woken for each. */
  answerLater(answer: Answer) {
    if (this.#answers.push(answer) === 1) setImmediate(() => this.#sendAnswers())
    else if (this.#answers.length === MAX_ANSWERS) this.#sendAnswers()
  }

  #sendAnswers() {
    this.#log.writeWaiting()
    for (const { summary, failure, send } of this.#answers.splice(0)) {
      if (failure === undefined) for (const listener of this.#listeners) listener(summary)
      send(failure)
    }
  }

  /** Its commit could not be saved. */
  takeBack() {
    this.#log.takeBack()
  }

  list({ limit = 100, offset = 0, program_uid, trace_id }: MethodParsed<'exchanges.list'>): Page<Exchange> {
    const matching = this.summaries().filter(
      (exchange) =>
        (program_uid === undefined || [null, program_uid].includes(exchange.program_uid)) &&
        (trace_id === undefined || exchange.trace_id === trace_id),
    )
    const end = Math.max(0, matching.length - offset)
    const data = matching.slice(Math.max(0, end - limit), end).reverse()
    return { total_count: matching.length, count: data.length, limit, offset, data }
  }

  /** Oldest first. */
  summaries(): Exchange[] {
    const [known, refused] = [this.authenticated(), this.#refused.requests.map(summaryOf)]
    return refused.length === 0 ? known : [...mergeByUid(known, refused)]
  }

  /** Those of callers with a token, oldest first. */
  authenticated(): Exchange[] {
    return this.#log.requests.map(summaryOf)
  }

  /** Oldest first. Only the wanted ones are read from the disk. */
  entries(isWanted: (exchange: Exchange) => boolean): Iterable<ExchangeDetail> {
    const [known, refused] = [this.#log, this.#refused].map((log) =>
      log.details<Exchange, ExchangeDetail>(log.requests, isWanted),
    )
    return mergeByUid(known!, refused!)
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
    const found = [this.#log, this.#refused].flatMap(
      ({ requests }) => requests.find(({ summary }) => summary.uid === uid) ?? [],
    )
    return found[0] && (withDetails(found[0]) as ExchangeDetail)
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const summaryOf = ({ summary }: Entry<Exchange>) => summary

/** An exchange in the two parts of its line in the log. */
export function printExchange({ request, response, hinted, refusal, ...summary }: ExchangeDetail): PrintedCall {
  const details: Details = { request, response, hinted, refusal }
  return { summary, details: JSON.stringify(details) }
}

/** The body of the response follows as it is: printing it as a JSON string costs more than all the rest. It is JSON of one line. */
export const printDetails = ({ request, response: { headers, body }, hinted, refusal }: Details): string =>
  `${JSON.stringify({ request, response: { headers }, hinted, refusal })}\t${body}`

/** Two lists, each in the order of its uids, as one. */
function* mergeByUid<T extends { readonly uid: Uid }>(a: Iterable<T>, b: Iterable<T>): Iterable<T> {
  const others = b[Symbol.iterator]()
  let other = others.next()
  for (const entry of a) {
    const counter = numberOf(entry.uid)
    for (; !other.done && numberOf(other.value.uid) < counter; other = others.next()) yield other.value
    yield entry
  }
  for (; !other.done; other = others.next()) yield other.value
}
