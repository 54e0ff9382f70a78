import { setTimeout as delay } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Cause, Hint, Stage } from '../contract/control.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { ApiError, errors } from '../contract/errors.ts'
import { type JsonSchema, jsonSchema } from '../contract/openapi.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { AddDerived } from '../domain/rules/derived.ts'
import { toTimestamp } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/tx.ts'
import type { ProgramRecord } from '../store/world.ts'
import type { Allowlist } from './allowlist.ts'
import type { Tokens } from './auth.ts'
import { fromText, MAX_BODY_BYTES, parseBody, parseQuery, type RawBody, readBody, type Tree } from './body.ts'
import type { ExchangeLog } from './exchanges.ts'
import { errorBody, toApiError, toRefusal } from './failure.ts'
import type { Faults, InjectedFault } from './faults.ts'
import { handlers } from './handlers.ts'
import { hintsFor, hintsHeader } from './hints.ts'
import type { Redaction } from './redact.ts'
import type { ResponseCache } from './response-cache.ts'
import type { TraceIds } from './trace.ts'

/** What the door of requests stands on. */
export interface RequestContext {
  readonly store: Store
  readonly tokens: Tokens
  readonly traces: TraceIds
  readonly exchanges: ExchangeLog
  readonly answers: ResponseCache
  readonly allowlist: Allowlist
  readonly redaction: Redaction
  readonly faults: Faults
  /** Door 2 goes first: runs what is due by now. */
  readonly runDue: () => void
  /** A fault of ours, for the terminal. */
  readonly fault: (error: ApiError) => void
}

const NO_PARAMETERS: JsonSchema = { properties: {} }
const NO_BODY: RawBody = { bytes: Buffer.alloc(0), tooLarge: false }

/** One request, from its arrival to the closing of its entry in the log. */
export class RequestHandling {
  readonly #door: RequestContext
  readonly #req: Request
  readonly #res: Response
  readonly #started = performance.now()
  #at: number | undefined
  #seq: { before: number; after: number } | undefined
  readonly #body: Promise<RawBody>
  #raw = NO_BODY
  #stage: Stage = 'route'
  #endpoint: string | null = null
  #program: ProgramRecord | null = null
  #hints: Hint[] = []
  #met: InjectedFault | undefined

  constructor(door: RequestContext, req: Request, res: Response) {
    this.#door = door
    this.#req = req
    this.#res = res
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers
    this.#body = coding !== undefined || Number(length) > 0 ? readBody(req) : Promise.resolve(NO_BODY)
    this.#body.catch(() => {}) // Whoever awaits it hears of it; nobody may be there yet.
  }

  /** A page of a foreign name must not reach us by making its name point here. */
  checkHost() {
    this.#stage = 'allowlist'
    this.#door.allowlist.checkHost(this.#req.headers.host)
    this.#stage = 'route'
  }

  /**
   * The checks in their order; each refusal is final.
   *
   * Assumed: the order of checks is the name of the host, route and method, token, allowlist, trace id, body, schema, rules.
   */
  async pass(route: Route): Promise<void> {
    const { store, tokens, traces, allowlist, exchanges, answers, runDue } = this.#door
    const { endpoint, name } = route
    this.#endpoint = name
    if (await this.#meetsFate(endpoint)) return
    const authorization = this.#req.headers.authorization

    this.#stage = 'token'
    const refresh = endpoint.token === 'refresh'
    const program = refresh ? await tokens.verifyRefresh(authorization) : await tokens.verifyAccess(authorization)
    this.#program = program
    const token = refresh ? await tokens.issue(program) : undefined

    this.#stage = 'allowlist'
    allowlist.check(this.#req.socket.remoteAddress, program)

    this.#raw = await this.#body
    // From here on nothing is awaited: no other request can come in between. What is due has happened, and the request has
    // its instant: a running clock goes on, and a replay must find again what was due by then and what was not.
    runDue()
    this.#at = store.clock.now()
    this.#stage = 'trace id'
    const trace = traceIdOf(this.#req)
    if (trace !== undefined || !program.trace_ids_optional) traces.use(program.uid, trace, this.#at)

    this.#stage = 'body'
    const { bodySchema, queries } = route.schemas()
    if (this.#raw.tooLarge) throw new ApiError('bodyTooLarge', `more than ${MAX_BODY_BYTES} bytes`)
    const body = bodySchema && parseBody(this.#raw, this.#req, bodySchema)

    this.#stage = 'schema'
    const query = queries.read(queryOf(this.#req))
    this.#hints = [...query.hints, ...hintsFor(body, bodySchema ?? NO_PARAMETERS)]
    // Assumed: what a strict Program does not know it refuses with 400/1007.
    if (program.strict && this.#hints.length > 0)
      throw new ApiError('invalidArgument', this.#hints.map(({ at, text }) => `${at}: ${text}`).join('; '))
    const input = {
      params: this.#req.params,
      query: queries.taken(query),
      body: endpoint.body && parsed(endpoint.body, body),
    }

    this.#stage = 'rules'
    const before = store.world.seq
    // The answer is made inside the transaction: what could not be answered has not happened.
    const cause: Cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}`, exchange: exchanges.nextUid }
    const work = (tx: Tx) => {
      const shown = handlerOf(name)(tx, input, answers.addDerived)
      return { text: answers.print(endpoint, shown), did: whatItDid(endpoint, shown) }
    }
    const { text, did } =
      token === undefined
        ? store.transact(program.uid, cause, work, this.#at)
        : { text: JSON.stringify({ token }), did: `token for ${program.name}` }
    this.#seq = { before, after: store.world.seq }
    this.#answer(endpoint.status, text, did)
  }

  /** The operator may have asked for misfortune. Answers whether the request ends with it. */
  async #meetsFate({ method, path }: Endpoint): Promise<boolean> {
    const met = this.#door.faults.meet(method, path)
    this.#met = met
    if (met.delay_ms > 0) await delay(met.delay_ms)
    const { fault } = met
    if (fault?.kind === 'rate_limit') {
      this.#res.setHeader('retry-after', String(met.retry_after))
      throw new ApiError('tooManyRequests', `again in ${met.retry_after} s`)
    }
    if (fault?.kind !== 'status' && fault?.kind !== 'drop_before_commit') return false
    this.#raw = await this.#body
    if (fault.kind === 'status') {
      const status = fault.status ?? 500
      const usual = { ...errorBody(new ApiError('internal'), this.#now), status }
      const body = JSON.stringify(fault.body === undefined ? usual : fault.body) ?? ''
      this.#answer(status, body, `met with a fault: status ${status}`)
    } else {
      this.#log(0, '', 'met with a fault: the connection was dropped, and nothing was done')
      this.#req.socket.destroy()
    }
    return true
  }

  async refuse(error: unknown): Promise<void> {
    if (this.#res.closed) return // The caller went away: nobody is left to answer, and nothing was changed.
    const refusal = toApiError(error)
    if (refusal.key === 'internal') this.#door.fault(refusal)
    // The caller may still be sending: let it, so that it gets to read the answer.
    this.#raw = await this.#body.catch(() => NO_BODY)
    const { status, title } = errors[refusal.key]
    const body = JSON.stringify(errorBody(refusal, this.#now))
    this.#answer(status, body, refusal.extra ? `${title}: ${refusal.extra}` : title, refusal)
  }

  #answer(status: number, text: string, did: string, refusal?: ApiError) {
    const res = this.#res
    res.statusCode = status
    if (text) res.setHeader('content-type', 'application/json; charset=utf-8')
    // The names are the caller's own, and what stands in them is nobody's.
    if (this.#hints.length > 0) res.setHeader('x-sandbank-hints', hintsHeader(this.#hints.map(this.#clean)))
    if (this.#raw.tooLarge) res.setHeader('connection', 'close')
    // With a text, Node writes headers and body at once, in one encoding: an echoed trace id of other than plain letters
    // would change.
    this.#send(isPlain(traceIdOf(this.#req)) ? text : Buffer.from(text))
    try {
      this.#log(status, text, did, refusal)
    } catch (error) {
      this.#door.fault(toApiError(error))
    }
  }

  /** When it happened: the instant of the rules, once there is one. */
  get #now(): Timestamp {
    return toTimestamp(this.#at ?? this.#door.store.clock.now())
  }

  #clean = ({ at, text }: Hint): Hint => {
    const { redaction } = this.#door
    return { at: redaction.loose(at), text: redaction.loose(text) }
  }

  /** What was done is done; the operator may have asked that the caller does not learn of it, or learns it slowly. */
  #send(answer: string | Buffer) {
    const fault = this.#met?.fault
    if (fault?.kind === 'drop_after_commit') this.#req.socket.destroy()
    else if (fault?.kind === 'slow_body') void sendSlowly(this.#res, Buffer.from(answer), fault.ms ?? SLOW_MS)
    else this.#res.end(answer)
  }

  #log(status: number, text: string, did: string, refusal?: ApiError) {
    const { store, exchanges, redaction } = this.#door
    const req = this.#req
    const res = this.#res
    const row = refusal && errors[refusal.key]
    exchanges.add({
      at: this.#now,
      program_uid: this.#program?.uid ?? null,
      caller: redaction.text([req.socket.remoteAddress, req.headers['user-agent']].filter(Boolean).join(', ')),
      endpoint: this.#endpoint,
      method: req.method,
      path: redaction.path(pathOf(req)),
      trace_id: redaction.text(traceIdOf(req) ?? '') || null,
      status,
      code: row?.code ?? null,
      ms: Math.round((performance.now() - this.#started) * 10) / 10,
      did: redaction.text(did),
      hints: this.#hints.length,
      seq_before: this.#seq?.before ?? store.world.seq,
      seq_after: this.#seq?.after ?? store.world.seq,
      request: {
        headers: redaction.headers(req.headers),
        body: redaction.body(this.#raw.bytes.toString('utf8'), req.headers['content-type']),
      },
      response: {
        headers: redaction.headers(res.getHeaders()),
        body: this.#endpoint === 'createAccessToken' && !refusal ? '{"token":"[removed]"}' : redaction.text(text),
      },
      hinted: this.#hints.map(this.#clean),
      refusal:
        refusal && row
          ? {
              stage: this.#stage,
              key: refusal.key,
              code: row.code,
              title: row.title,
              detail: row.detail,
              extra: refusal.extra ? redaction.text(refusal.extra) : null,
              cause: refusal.cause_for_operator ? redaction.text(refusal.cause_for_operator) : null,
              pass: row.pass ?? null,
              section: row.section ?? null,
            }
          : null,
      ...(this.#met?.said === undefined ? {} : { fault: this.#met.said }),
    })
  }
}

const isPlain = (trace = '') => /^[\x20-\x7e]*$/.test(trace)

const SLOW_MS = 1_000
const PIECES = 8

async function sendSlowly(res: Response, bytes: Buffer, pause_ms: number) {
  res.setHeader('content-length', bytes.length)
  res.flushHeaders()
  const size = Math.max(1, Math.ceil(bytes.length / PIECES))
  for (let from = 0; from < bytes.length && !res.destroyed; from += size) {
    await delay(pause_ms)
    res.write(bytes.subarray(from, from + size))
  }
  res.end()
}

export interface Route {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  /** Printed when somebody first asks: to print fifty of them would make every start wait. */
  readonly schemas: () => Schemas
}

interface Schemas {
  readonly queries: Queries
  readonly bodySchema: JsonSchema | undefined
}

interface Query {
  readonly given: Tree
  readonly hints: readonly Hint[]
  /** As the rules get it, once it was taken. */
  input?: unknown
}

/** The queries of an endpoint. They come again and again, and to judge one costs more than to find it. */
class Queries {
  readonly #of: Endpoint['query']
  readonly #schema: JsonSchema
  readonly #known = new Map<string, Query>()

  constructor(of: Endpoint['query']) {
    this.#of = of
    this.#schema = of ? inlined(jsonSchema(of, 'input')) : NO_PARAMETERS
  }

  read(text: string): Query {
    const known = this.#known.get(text)
    if (known) return known
    const given = fromText(parseQuery(text), this.#schema, { foldEnums: true }) as Tree
    const query = { given, hints: hintsFor(given, this.#schema) }
    if (this.#known.size >= MOST_QUERIES) this.#known.clear()
    if (text.length <= LONGEST_QUERY) this.#known.set(text, query)
    return query
  }

  taken(query: Query): unknown {
    return (query.input ??= this.#of && frozen(parsed(this.#of, query.given)))
  }
}

const MOST_QUERIES = 1_000
const LONGEST_QUERY = 1_000

/** Many requests share it. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

/** Printed once: they depend on the contract alone. */
const printed = new Map<EndpointName, Schemas>()

export function routeOf(name: EndpointName, endpoint: Endpoint): Route {
  const schemas = () => {
    const known = printed.get(name) ?? {
      queries: new Queries(endpoint.query),
      bodySchema: endpoint.body && inlined(jsonSchema(endpoint.body, 'input')),
    }
    printed.set(name, known)
    return known
  }
  return { name, endpoint, schemas }
}

/** `$ref`s replaced by what they point at: schemas of inputs are trees. */
function inlined(schema: JsonSchema): JsonSchema {
  const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: string }
    if ($ref) return walk(defs[$ref.replace('#/$defs/', '')])
    return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, walk(part)]))
  }
  return walk(schema) as JsonSchema
}

export const visitOf = (res: Response): RequestHandling => res.locals.visit as RequestHandling

export const visits =
  (door: RequestContext): RequestHandler =>
  (req, res, next) => {
    const visit = new RequestHandling(door, req, res)
    res.locals.visit = visit
    visit.checkHost()
    next()
  }

export const passes =
  (route: Route): RequestHandler =>
  (_req, res) =>
    visitOf(res).pass(route)

function parsed(schema: NonNullable<Endpoint['body']>, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (!result.success) throw toRefusal(result.error.issues, value)
  return result.data
}

// The one place where the types of the table meet the names of the routes: both come from `endpoints`.
const handlerOf = (name: EndpointName) =>
  (handlers as unknown as Record<string, (tx: Tx, input: unknown, add: AddDerived) => unknown>)[name]!

function whatItDid(endpoint: Endpoint, shown: unknown): string {
  const { total_count, count, uid } = (shown ?? {}) as Partial<Record<'total_count' | 'count' | 'uid', unknown>>
  if (total_count !== undefined) return `read ${String(count)} of ${String(total_count)}`
  return uid === undefined ? endpoint.summary : `${endpoint.summary}: ${String(uid)}`
}

export const traceIdOf = (req: Request): string | undefined => {
  const given = req.headers['x-trace-id']
  return Array.isArray(given) ? given.join(', ') : given
}

const pathOf = (req: Request) => req.originalUrl.replace(/^\/api\/v1(?=[/?]|$)/, '') || '/'
const queryOf = (req: Request) => {
  const at = req.originalUrl.indexOf('?')
  return at < 0 ? '' : req.originalUrl.slice(at + 1)
}
