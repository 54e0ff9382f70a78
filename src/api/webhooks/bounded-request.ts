import { type ClientRequest, type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'

/**
 * One HTTP request that ends exactly once and in time, whatever its connection does: it waits for a status, reads a part of the body, and
 * ends. After that nothing of it is left, except a connection that the agent keeps for the next request.
 */

export interface RequestParts {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

interface Bounds {
  /** false: a connection of its own. */
  readonly agent: HttpAgent | HttpsAgent | false
  /** For all of it: the name, the connection, a second try, the answer. */
  readonly withinMs: number
  readonly signal?: AbortSignal
}

/** The answer of a receiver. */
export interface Answered {
  readonly status: number
  readonly type: string | undefined
  /** Its beginning. */
  readonly body: Buffer
  /** How long its status took. */
  readonly ms: number
}

export interface Unanswered {
  readonly status: null
  /** silent: nothing came in time. aborted: by the signal. */
  readonly why: 'failed' | 'silent' | 'aborted'
  readonly error: string
  readonly ms: number
}

/** Of the body of an answer, whose rest is not read. */
export const MAX_ANSWER_BYTES = 4_096
/**
 * Assumed (invented): the outcome of an attempt is known when its status has arrived. Of the body counts what comes within half a second; one that is
 * slow, broken or without an end changes nothing.
 */
const READ_MS = 500
/** Each may be followed by another one, without an end. */
const MAX_INFORMATIONAL = 100

/** Never rejects. */
export const sendBounded = (parts: RequestParts, bounds: Bounds): Promise<Answered | Unanswered> =>
  new Promise((resolve) => new BoundedRequest(parts, bounds, resolve).begin())

type Ended = Answered | Unanswered

class BoundedRequest {
  readonly #parts: RequestParts
  readonly #bounds: Bounds
  readonly #resolve: (ended: Ended) => void
  readonly #began = performance.now()
  readonly #deadline: NodeJS.Timeout
  #readLimit: NodeJS.Timeout | undefined
  #state: 'waiting' | 'reading' | 'ended' = 'waiting'
  #request: ClientRequest | undefined
  #hasRetried = false
  #informational = 0
  #answer: Omit<Answered, 'body'> | undefined
  readonly #read: Buffer[] = []
  #length = 0

  constructor(parts: RequestParts, bounds: Bounds, resolve: (ended: Ended) => void) {
    this.#parts = parts
    this.#bounds = bounds
    this.#resolve = resolve
    const { withinMs, signal } = bounds
    this.#deadline = setTimeout(() => this.#miss(), withinMs)
    signal?.addEventListener('abort', this.#abort)
  }

  begin() {
    if (this.#bounds.signal?.aborted) this.#abort()
    else this.#send(this.#bounds.agent)
  }

  // ── Waiting ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #send(agent: Bounds['agent']) {
    const { url, method, headers, body } = this.#parts
    try {
      const parsed = new URL(url)
      const create = parsed.protocol === 'https:' ? requestHttps : requestHttp
      const request = create(parsed, { method, headers, agent })
      this.#request = request
      // An earlier try has no say any more.
      const listen = <A extends unknown[]>(event: string, listener: (...args: A) => void) =>
        request.on(event, (...args: A) => {
          if (request === this.#request) listener(...args)
        })
      listen('response', (response: IncomingMessage) => this.#readAnswer(response))
      request.on('upgrade', (response, socket) => this.#switchProtocols(response, socket))
      listen('information', () => this.#countInformational())
      listen('error', (error: Error) => this.#failOrRetry(error, request.reusedSocket))
      listen('close', () => this.#close())
      request.end(body)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** The receiver may close a connection between two requests, which is no refusal. Another one of the agent may be closed, too. */
  #failOrRetry(error: Error, isReused: boolean) {
    if (this.#state === 'reading') return this.#finish()
    if (this.#state === 'ended' || !isReused || this.#hasRetried) return this.#fail(error)
    this.#hasRetried = true
    this.#send(false)
  }

  #countInformational() {
    if (++this.#informational > MAX_INFORMATIONAL)
      this.#fail(new Error(`there were more than ${MAX_INFORMATIONAL} informational answers`))
  }

  #close() {
    if (this.#state === 'waiting') this.#fail(new Error('the connection was closed before there was an answer'))
    else this.#finish()
  }

  #miss() {
    if (this.#state === 'reading') return this.#finish()
    this.#end({ status: null, why: 'silent', error: noAnswerWithin(this.#bounds.withinMs), ms: this.#elapsed() })
  }

  #abort = () => this.#end({ status: null, why: 'aborted', error: 'the request was aborted', ms: this.#elapsed() })

  #fail(error: Error) {
    this.#end({ status: null, why: 'failed', error: formatError(error), ms: this.#elapsed() })
  }

  // ── Reading ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #readAnswer(response: IncomingMessage) {
    this.#noteStatus(response)
    response.on('data', (part: Buffer) => {
      if (this.#state !== 'reading') return
      this.#read.push(part.subarray(0, MAX_ANSWER_BYTES - this.#length))
      this.#length += part.length
      if (this.#length >= MAX_ANSWER_BYTES) this.#finish()
    })
    response.on('end', () => this.#finish({ isComplete: true }))
    response.on('error', () => this.#finish())
    response.on('close', () => this.#finish())
  }

  /** The socket belongs to no request any more. */
  #switchProtocols(response: IncomingMessage, socket: Duplex) {
    socket.on('error', () => {})
    socket.destroy()
    if (this.#state !== 'waiting') return
    this.#noteStatus(response)
    this.#finish()
  }

  #noteStatus({ statusCode, headers }: IncomingMessage) {
    if (this.#state !== 'waiting') return
    this.#state = 'reading'
    this.#answer = { status: statusCode!, type: headers['content-type'], ms: this.#elapsed() }
    this.#readLimit = setTimeout(() => this.#finish(), READ_MS)
  }

  #finish({ isComplete = false } = {}) {
    if (this.#state === 'reading') this.#end({ ...this.#answer!, body: Buffer.concat(this.#read) }, isComplete)
  }

  // ── The end ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The listeners stay, because a request that is destroyed can still emit an error. */
  #end(ended: Ended, isComplete = false) {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    clearTimeout(this.#deadline)
    clearTimeout(this.#readLimit)
    this.#bounds.signal?.removeEventListener('abort', this.#abort)
    if (!isComplete) this.#request?.destroy()
    this.#resolve(ended)
  }

  #elapsed = () => Math.round(performance.now() - this.#began)
}

const noAnswerWithin = (ms: number) => `there was no answer within ${ms / 1_000} seconds`

/** Errors of the network have a code, and those of several addresses have no message of their own. */
function formatError(error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] }): string {
  const message = error.message || error.errors?.[0]?.message || 'the request failed'
  return error.code && !message.includes(error.code) ? `${error.code}: ${message}` : message
}
