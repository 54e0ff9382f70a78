import { setTimeout as delay } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { Exchange, Hint, Stage } from '../contract/control/exchanges.ts'
import type { Cause } from '../contract/control/history.ts'
import { RUN_HEADER } from '../contract/control/own-requests.ts'
import { ApiError, errorKeyOf, errors } from '../contract/errors.ts'
import { WITHOUT_HOSTED } from '../contract/hosted.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import type { Query } from '../contract/terms/list.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { cutText } from '../contract/terms/texts.ts'
import type { TraceMark } from '../store/call-log.ts'
import { toTimestamp } from '../store/clock.ts'
import { IndexMissing } from '../store/collection.ts'
import type { Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import type { ProgramRecord } from '../store/world.ts'
import type { Allowlist } from './allowlist.ts'
import { BodyReader, MAX_BODY_BYTES, NO_BODY, parseBody, type Tree, unpackBody } from './body.ts'
import { keepConnection } from './connections.ts'
import { findRefusalHints, findResponseHints } from './drawn-hints.ts'
import { errorBody, toApiError } from './error-response.ts'
import { type ExchangeLog, printDetails } from './exchanges.ts'
import type { Faults, InjectedFault } from './faults.ts'
import { type RulesInput, refuseHints, runRules } from './handlers.ts'
import { findHints, formatHintsHeader } from './hints.ts'
import type { Redaction } from './redact.ts'
import { findRefusedFields } from './refused-fields.ts'
import type { ResponseCache } from './response-cache.ts'
import { NO_PARAMETERS, type Route, validate } from './route.ts'
import { findTokenHints, type Tokens } from './tokens.ts'
import type { TraceIds } from './trace-ids.ts'

/** What handling a request needs of its world. */
export interface RequestContext {
  /** Its path before /api/v1: empty for the root world. */
  readonly prefix: string
  readonly store: Store
  readonly tokens: Tokens
  readonly traces: TraceIds
  readonly exchanges: ExchangeLog
  readonly responses: ResponseCache
  readonly allowlist: Allowlist
  readonly redaction: Redaction
  readonly faults: Faults
  /** Runs the tasks that are due now. */
  runDue(): void
  /** Runs them with pauses. Returns undefined if none is needed. */
  catchUp(): Promise<void> | undefined
  /** Runs the steps with pauses, in which other requests are handled. */
  runSteps(steps: Steps<void>): Promise<void>
  reportInternalError(error: ApiError): void
  /** Aborted when the world is dropped or the sandbox closes: an injected latency ends. */
  readonly closing: AbortSignal
  /** Throws the 404 if the world was dropped since the request arrived. */
  requireOpen(): void
}

type RedactedRequest = Pick<Exchange, 'caller' | 'path' | 'trace_id'> & { readonly body: string }

interface Answer {
  readonly text: string
  /** The text for the request log; without it the text is redacted. */
  readonly logged?: string
  /** For the request log. */
  readonly summary: string
}

/** One request, from its arrival to its entry in the request log. */
export class RequestHandling {
  readonly #context: RequestContext
  readonly #req: Request
  readonly #res: Response
  readonly #started = performance.now()
  readonly #receivedAt = Date.now()
  readonly #reader: BodyReader | undefined
  #rawBody = NO_BODY
  /** The simulated time at which the rules run. */
  #at: number | undefined
  #trace: TraceMark | undefined
  /** Its entry in the log, if that was written before its commit. */
  #logged: Exchange | undefined
  /** The check that is in progress; a refusal is logged with it. */
  #stage: Stage = 'route'
  #endpoint: string | null = null
  #program: ProgramRecord | null = null
  readonly #run: string | undefined
  #redacted: RedactedRequest | undefined
  /** Express resets those of the request when a handler throws. */
  #params: Request['params'] = {}
  #parsedQuery: Tree | undefined
  #parsedBody: Tree | undefined
  #hints: Hint[] = []
  #injected: InjectedFault | undefined

  constructor(context: RequestContext, req: Request, res: Response) {
    this.#context = context
    this.#req = req
    this.#res = res
    const { 'content-length': length, 'transfer-encoding': coding, [RUN_HEADER]: run } = req.headers
    this.#run = run === undefined ? run : String(run)
    delete req.headers[RUN_HEADER]
    if (coding === undefined && !(Number(length) > 0)) return
    this.#reader = new BodyReader(req)
    this.#reader.whole.catch(() => {}) // Rejections surface where the body is awaited.
  }

  /** Prevents DNS rebinding: a web page whose host name resolves to this machine. */
  checkHost() {
    this.#stage = 'allowlist'
    this.#context.allowlist.checkHost(this.#req.headers.host)
    this.#stage = 'route'
  }

  /**
   * Checks in order; each refusal is final.
   *
   * Assumed (invented): the order of checks is the name of the host, route and method, token, allowlist, injected faults, trace id, body,
   * schema, rules.
   */
  async handle(route: Route): Promise<void> {
    const { endpoint, name } = route
    const { tokens, faults } = this.#context
    const { authorization } = this.#req.headers
    this.#endpoint = name
    this.#params = this.#req.params
    this.#stage = 'token'
    // What is there at once is not awaited: each pause costs more than a check.
    const isRefresh = endpoint.token === 'refresh'
    const known = isRefresh ? await tokens.verifyRefresh(authorization) : tokens.findVerified(authorization)
    const caller = known ?? (await tokens.verifyAccess(authorization))
    this.#admit(caller, authorization)
    // Issuing is asynchronous.
    const token = isRefresh ? await tokens.issue(caller) : undefined
    // After the token: a caller without one must not use up a fault.
    this.#injected = faults.apply(endpoint.method, endpoint.path)
    if (this.#injected && (await this.#applyFault(this.#injected))) return
    if (this.#reader) this.#rawBody = await this.#reader.whole
    const due = this.#context.catchUp()
    if (due) await due
    const [hints, rawBody] = [this.#hints, this.#rawBody]
    for (;;)
      try {
        return this.#execute(route, caller, token)
      } catch (error) {
        if (!(error instanceof IndexMissing)) throw error
        this.#hints = hints
        this.#rawBody = rawBody
        await this.#context.runSteps(error.build())
      }
  }

  /** Nothing is awaited here, so no other request can come in between. */
  #execute(route: Route, caller: ProgramRecord, token: string | undefined) {
    const { endpoint } = route
    this.#context.requireOpen()
    // A reset may have removed the Program.
    const program = this.#requireCurrent(caller)
    this.#context.runDue()
    this.#at = this.#context.store.clock.now()
    this.#checkTraceId(program, this.#at)
    const input = this.#parseInput(route, program)
    const answer =
      token === undefined
        ? this.#runRules(route, program, input, this.#at)
        : {
            text: JSON.stringify({ token }),
            logged: '{"token":"[removed]"}',
            summary: `token for ${program.name}`,
          }
    this.#respond(endpoint.status, answer)
  }

  /** Answers with the error, and logs it. */
  async refuse(error: unknown): Promise<void> {
    if (this.#res.closed) return // The client disconnected, and nothing was changed.
    const refusal = toApiError(error)
    if (refusal.cause_for_operator === WITHOUT_HOSTED)
      this.#hints = [...this.#hints, { at: this.#endpoint ?? '', text: WITHOUT_HOSTED }]
    if (refusal.key === 'internal') this.#context.reportInternalError(refusal)
    if (this.#stage === 'route') await this.#findCaller()
    if (!this.#program) this.#reader?.keepOnly(MAX_UNKNOWN.bodyBytes)
    // A client that still sends its body would not read the response.
    this.#rawBody = (await this.#reader?.whole.catch(() => NO_BODY)) ?? NO_BODY
    const { status } = refusal
    const { title } = errors[refusal.key]
    const text = JSON.stringify(errorBody(refusal, this.#now))
    const summary = refusal.extra ? `${title}: ${refusal.extra}` : title
    if (this.#program) this.#hints = [...this.#hints, ...findRefusalHints(this.#program, refusal)]
    this.#respond(status, { text, logged: this.#redactOutput(text), summary }, refusal)
  }

  // ── The checks ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Returns true if the fault ended the request. */
  async #applyFault(injected: InjectedFault): Promise<boolean> {
    if (injected.delay_ms > 0) await pause(injected.delay_ms, this.#context.closing)
    const { fault } = injected
    if (fault?.kind === 'rate_limit') {
      this.#res.setHeader('retry-after', String(injected.retry_after))
      throw new ApiError('tooManyRequests', `retry after ${injected.retry_after} s`)
    }
    if (fault?.kind !== 'status' && fault?.kind !== 'drop_before_commit') return false
    if (this.#reader) this.#rawBody = await this.#reader.whole
    if (fault.kind === 'status') {
      const error = errorBody(new ApiError(errorKeyOf(fault.code ?? 0) ?? 'internal'), this.#now)
      const status = fault.status ?? error.status
      const defaultBody = { ...error, status }
      const text = JSON.stringify(fault.body === undefined ? defaultBody : fault.body) ?? ''
      this.#respond(status, { text, summary: `fault injected: status ${status}` })
    } else {
      const summary = 'fault injected: connection dropped before the request was handled'
      this.#log(0, { text: '', summary }, undefined, () => void this.#req.socket.destroy())
    }
    return true
  }

  /** After the token is verified. */
  #admit(program: ProgramRecord, authorization: string | undefined) {
    this.#program = program
    this.#hints = findTokenHints(program, authorization)
    this.#stage = 'allowlist'
    this.#context.allowlist.check(this.#req.socket.remoteAddress, program)
    keepConnection(this.#req.socket)
  }

  /** A path or method that does not exist is refused before the token is checked; the log has its caller. */
  async #findCaller() {
    const { authorization } = this.#req.headers
    if (authorization === undefined) return
    const { tokens } = this.#context
    this.#program = tokens.findVerified(authorization) ?? (await tokens.verifyAccess(authorization).catch(() => null))
  }

  #requireCurrent({ uid }: ProgramRecord): ProgramRecord {
    this.#stage = 'token'
    return this.#context.tokens.requireProgram(uid)
  }

  #checkTraceId(program: ProgramRecord, now: number) {
    this.#stage = 'trace id'
    // It was used up by this request before it waited.
    if (this.#trace) return
    const trace = traceIdOf(this.#req)
    // Assumed (published; trace_ids_optional): a request without a trace id is refused, though some clients of the platform send none.
    if (trace !== undefined || !program.trace_ids_optional)
      this.#trace = this.#context.traces.use(program.uid, trace, now, Number(program.repeated_trace_id))
  }

  #parseInput(route: Route, program: ProgramRecord): RulesInput {
    this.#stage = 'body'
    const { body: bodySchema, queries } = route.schemas()
    if (bodySchema) this.#rawBody = unpackBody(this.#rawBody, this.#req)
    if (this.#rawBody.tooLarge) throw new ApiError('bodyTooLarge', `more than ${MAX_BODY_BYTES} bytes`)
    const body = bodySchema && parseBody(this.#rawBody, this.#req, bodySchema)
    this.#parsedBody = body

    this.#stage = 'schema'
    const query = queries.parse(queryOf(this.#req))
    this.#parsedQuery = query.tree
    const ignored = [...query.hints, ...findHints(body, bodySchema ?? NO_PARAMETERS)]
    this.#hints = [...this.#hints, ...ignored]
    refuseHints(program, ignored)
    return {
      params: this.#params,
      query: queries.validate(query),
      body: route.endpoint.body && validate(route.endpoint.body, body),
    }
  }

  /** Prints the response inside the transaction: an error in it undoes the work. */
  #runRules({ name, endpoint }: Route, program: ProgramRecord, input: RulesInput, at: number): Answer {
    const { store, exchanges, responses } = this.#context
    this.#stage = 'rules'
    const cause: Cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}`, exchange: exchanges.nextUid }
    const hasTrace = this.#trace !== undefined
    let answer: Answer | undefined
    store.transact(
      program.uid,
      cause,
      (tx) => {
        const value = runRules(tx, name, input, responses.addDerived)
        const answered = { hasTrace, endpoint, query: (input.query ?? {}) as Query, value }
        this.#hints = [...this.#hints, ...tx.hints, ...findResponseHints(program, answered)]
        const { text, logged } = responses.print(endpoint, value, program)
        answer = { text, logged, summary: summarize(endpoint, value) }
      },
      at,
      {
        run: this.#run,
        // Before its commit, so that after a crash the log has the request of each change.
        write: () => {
          this.#setHead(endpoint.status, answer!.text)
          this.#logged = exchanges.write(...this.#toEntry(endpoint.status, answer!, { commits: 1 }))
        },
        takeBack: () => {
          this.#logged = undefined
          exchanges.takeBack()
        },
      },
    )
    return answer!
  }

  // ── The response and its log entry ─────────────────────────────────────────────────────────────────────────────

  #respond(status: number, answer: Answer, refusal?: ApiError) {
    const { text } = answer
    if (!this.#logged) this.#setHead(status, text)
    this.#log(status, answer, refusal, () => this.#send(text))
  }

  /** A fault may drop the response, or send it slowly. */
  #send(text: string) {
    const fault = this.#injected?.fault
    if (fault?.kind === 'drop_after_commit') this.#req.socket.destroy()
    else if (fault?.kind === 'slow_body') {
      const { closing } = this.#context
      void sendSlowly(this.#res, Buffer.from(text), () => pause(fault.ms ?? SLOW_PAUSE_MS, closing))
    } else if (Buffer.byteLength(text) === text.length) this.#res.end(text, 'latin1')
    // With a string, Node sends headers and body in one encoding, and headers are in latin1.
    else this.#res.end(Buffer.from(text))
  }

  /** The time of the rules, or the present time if the request did not get that far. */
  get #now(): Timestamp {
    return toTimestamp(this.#at ?? this.#context.store.clock.now())
  }

  #maskHints(): Hint[] {
    const { redaction } = this.#context
    return this.#hints.map(({ at, text }) => ({ at: redaction.maskText(at), text: redaction.maskText(text) }))
  }

  /**
   * `send` is called after the entry is written, so that after a crash the log has every request that was answered. One that cannot be logged,
   * e.g. because the disk is full, is still answered.
   */
  #log(status: number, answer: Answer, refusal: ApiError | undefined, send: () => void) {
    const { exchanges, traces } = this.#context
    if (this.#logged) return exchanges.answerLater({ summary: this.#logged, send })
    exchanges.addLater(...this.#toEntry(status, answer, { refusal }), (failure) => {
      if (failure !== undefined) {
        if (this.#trace) traces.forget(this.#trace)
        this.#context.reportInternalError(toApiError(failure))
      }
      send()
    })
  }

  #setHead(status: number, text: string) {
    const res = this.#res
    res.statusCode = status
    if (text) res.setHeader('content-type', 'application/json; charset=utf-8')
    // Hints repeat field names of the client, which may hold secrets.
    if (this.#hints.length > 0) res.setHeader('x-sandbank-hints', formatHintsHeader(this.#maskHints()))
    if (this.#rawBody.tooLarge) res.setHeader('connection', 'close')
  }

  #toEntry(
    status: number,
    { text, logged, summary }: Answer,
    { refusal, commits = 0 }: { refusal?: ApiError | undefined; commits?: number },
  ) {
    const { store, redaction, exchanges } = this.#context
    const req = this.#req
    const kinds = this.#injected?.kinds
    const { caller, path, trace_id, body } = this.#redactedRequest()
    const exchange: Exchange = {
      uid: exchanges.nextUid,
      at: this.#now,
      // Not with toTimestamp, whose cache is for simulated time.
      received_at: new Date(this.#receivedAt).toISOString(),
      program_uid: this.#program?.uid ?? null,
      caller,
      endpoint: this.#endpoint,
      method: req.method,
      path,
      trace_id,
      status,
      code: refusal ? errors[refusal.key].code : null,
      ms: Math.round((performance.now() - this.#started) * 10) / 10,
      did: this.#redactOutput(summary),
      hints: this.#hints.length,
      seq_before: store.world.seq,
      seq_after: store.world.seq + commits,
    }
    // Not in the literal, where a spread takes as long as all the rest.
    if (kinds !== undefined) exchange.fault = kinds
    const headers = redaction.redactHeaders(this.#res.getHeaders(), trace_id ?? '')
    const details = printDetails({
      request: { headers: this.#redactHeaders(trace_id ?? ''), body },
      // A HEAD request gets no body.
      response: { headers, body: req.method === 'HEAD' ? '' : (logged ?? redaction.redactText(text)) },
      hinted: this.#maskHints(),
      refusal: refusal ? this.#explain(refusal) : null,
    })
    return [exchange, details, this.#trace?.hash] as const
  }

  /** Without secrets; redacted once for the commit and the log. */
  #redactedRequest(): RedactedRequest {
    const { redaction } = this.#context
    const req = this.#req
    return (this.#redacted ??= {
      caller: redaction.redactUnknownText(
        this.#cut([req.socket.remoteAddress, req.headers['user-agent']].filter(Boolean).join(', '), MAX_UNKNOWN.header),
      ),
      path: redaction.redactPath(this.#cut(pathOf(req), MAX_UNKNOWN.path)),
      trace_id: redaction.redactTraceId(this.#cut(traceIdOf(req) ?? '', MAX_UNKNOWN.header)) || null,
      body: this.#redactRequestBody(),
    })
  }

  #redactRequestBody(): string {
    const { redaction } = this.#context
    const { bytes, dropped } = this.#rawBody
    const text = bytes.toString('utf8')
    const start = this.#cut(text, MAX_UNKNOWN.body, dropped)
    return start === text ? redaction.redactBody(text, this.#req.headers['content-type']) : redaction.maskText(start)
  }

  /** A caller without a token may send much, and only its beginning is logged. */
  #cut(text: string, most: number, dropped = 0): string {
    return this.#program ? text : cutText(text, most, 'are not logged', dropped)
  }

  #redactHeaders(trace: string) {
    const { redaction } = this.#context
    if (this.#program) return redaction.redactHeaders(this.#req.headers, trace)
    const headers = Object.entries(this.#req.headers).map(([name, value]) => [
      this.#cut(name, MAX_UNKNOWN.header),
      this.#cut(Array.isArray(value) ? value.join(', ') : String(value), MAX_UNKNOWN.header),
    ])
    return redaction.redactHeaders(Object.fromEntries(headers) as Record<string, string>)
  }

  /** A refusal repeats texts of the caller. */
  #redactOutput(text: string): string {
    return this.#context.redaction.redactUnknownText(this.#cut(text, MAX_UNKNOWN.body))
  }

  #explain(refusal: ApiError) {
    const { key, extra, cause_for_operator: cause, setting } = refusal
    const { code, title, detail, pass = null, section = null } = errors[key]
    const input = { params: this.#params, query: this.#parsedQuery, body: this.#parsedBody }
    const fields = findRefusedFields(refusal, this.#stage, input)
    // The general advice is about the usual setting.
    const advice = cause === WITHOUT_HOSTED ? null : pass
    return {
      stage: this.#stage,
      key,
      code,
      title,
      detail,
      extra: extra ? this.#redactOutput(extra) : null,
      cause: cause ? this.#redactOutput(cause) : null,
      ...(fields.length === 0 ? {} : { fields: fields.map((field) => this.#redactOutput(field)) }),
      pass: key === 'missingParameter' && this.#stage === 'trace id' ? NEW_TRACE_ID : addSetting(advice, setting),
      section,
    }
  }
}

const addSetting = (pass: string | null, setting: string | undefined) =>
  setting === undefined ? pass : [pass, `The Program setting ${setting} decides it.`].filter(Boolean).join(' ')

/** How to fix a request without a trace id: the general advice is about fields. */
const NEW_TRACE_ID =
  'Send the header x-trace-id with a new value in every request, for example a UUID. A client that cannot, such as the TypeScript SDK of the platform, ' +
  'needs the setting trace_ids_optional of the Program.'

/** How much of a request without a valid token is logged, in characters. */
const MAX_UNKNOWN = { path: 2_048, header: 512, body: 4_096, bodyBytes: 4 * 4_096 }

/** Ends early when the world does. */
const pause = (ms: number, closing: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal: closing }).catch(() => {})

const SLOW_PAUSE_MS = 1_000
const SLOW_PIECES = 8

async function sendSlowly(res: Response, bytes: Buffer, wait: () => Promise<void>) {
  res.setHeader('content-length', bytes.length)
  res.flushHeaders()
  const size = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES))
  for (let from = 0; from < bytes.length && !res.destroyed; from += size) {
    await wait()
    res.write(bytes.subarray(from, from + size))
  }
  res.end()
}

function summarize(endpoint: Endpoint, value: unknown): string {
  const { total_count, count, uid } = (value ?? {}) as Partial<Record<'total_count' | 'count' | 'uid', unknown>>
  if (total_count !== undefined) return `read ${String(count)} of ${String(total_count)}`
  return uid === undefined ? endpoint.summary : `${endpoint.summary}: ${String(uid)}`
}

export const traceIdOf = (req: Request): string | undefined => {
  const header = req.headers['x-trace-id']
  return Array.isArray(header) ? header.join(', ') : header
}

const pathOf = (req: Request) => req.originalUrl.replace(/^\/api\/v1(?=[/?]|$)/, '') || '/'
const queryOf = (req: Request) => {
  const at = req.originalUrl.indexOf('?')
  return at < 0 ? '' : req.originalUrl.slice(at + 1)
}
