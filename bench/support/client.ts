import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { ServeOutput } from './process.ts'

/** A client of a running sandbox: it signs in, sends trace ids and keeps its connections open. */

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of its response.
export type Body = any

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** undefined when the text is not JSON. */
  readonly body: Body
}

export interface HttpRequest {
  readonly method: string
  /** Without the origin: `/api/v1/customers`. */
  readonly path: string
  /** Several values are sent as several headers. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly text?: string
}

/** The connection was refused or dropped before a response came. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}
/** A request that must succeed was refused. */
export class Refused extends Error {
  override name = 'Refused'
}
/** No response came in time. */
export class NoResponse extends Error {
  override name = 'NoResponse'
}

export interface ClientOptions {
  readonly sockets?: number
  readonly withinMs?: number
}

const MAX_KEPT_BYTES = 200 << 20

export class HttpClient {
  readonly #origin: URL
  readonly #agent: Agent
  readonly #withinMs: number

  constructor(origin: string, options: ClientOptions = {}) {
    const { sockets = 8, withinMs = 20_000 } = options
    this.#origin = new URL(origin)
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets })
    this.#withinMs = withinMs
  }

  send({ method, path, headers = {}, text }: HttpRequest): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#origin
      const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
      const sent = request(
        { hostname, port, method, path, agent: this.#agent, headers: listIfRepeated({ ...headers, ...length }) },
        (res) => {
          const parts: Buffer[] = []
          let length = 0
          res.on('data', (part: Buffer) => {
            // A text of V8 has at most 512 MB, so a longer answer is read and discarded.
            length += part.length
            if (length > MAX_KEPT_BYTES) parts.length = 0
            else parts.push(part)
          })
          res.on('error', (error) => reject(new ConnectionLost(error.message)))
          res.on('end', () => {
            const received = Buffer.concat(parts).toString('utf8')
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              text: received,
              body: parseJson(received),
            })
          })
        },
      )
      const giveUp = () => {
        reject(new NoResponse(`no response within ${this.#withinMs} ms`))
        sent.destroy()
      }
      sent.setTimeout(this.#withinMs, giveUp)
      sent.on('error', (error) => reject(new ConnectionLost(error.message)))
      sent.end(text)
    })
  }

  close() {
    this.#agent.destroy()
  }
}

/** Node repeats a header such as Host only from a flat list of names and values. */
function listIfRepeated(headers: Record<string, string | string[]>): Record<string, string | string[]> | string[] {
  if (!Object.values(headers).some(Array.isArray)) return headers
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
}

function parseJson(text: string): Body {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Body)
  } catch {
    return undefined
  }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A refresh token: HS512 over the Program's uid and the current time. */
export function refreshToken({ uid, hmac_key }: { uid: string; hmac_key: string }): string {
  const claims = { iat: Math.floor(Date.now() / 1000), sub: uid }
  const content = `${base64url({ alg: 'HS512', typ: 'JWT' })}.${base64url(claims)}`
  return `${content}.${createHmac('sha512', hmac_key).update(content).digest('base64url')}`
}

/** Letters only: the request log masks nine digits in a row, because they may be a Social Security number. */
export const newTrace = () => randomUUID().replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)

/** Requests of one Program and calls of control methods, to one running sandbox. */
export class Client {
  readonly http: HttpClient
  readonly #sandbox: ServeOutput
  #token: Promise<string> | undefined

  constructor(sandbox: ServeOutput, options?: ClientOptions) {
    this.#sandbox = sandbox
    this.http = new HttpClient(sandbox.api, options)
  }

  /** A new token: those of before a reset are refused. */
  async token(): Promise<string> {
    return (this.#token = this.#signIn())
  }

  get controlKey(): Readonly<Record<'x-control-key', string>> {
    return { 'x-control-key': this.#sandbox.control_key }
  }

  /** Signs in again when the token has expired. A 401 does not use up the trace id. */
  async api(method: string, path: string, json?: unknown, trace: string = newTrace()): Promise<Response> {
    this.#token ??= this.#signIn()
    const send = async () =>
      this.http.send({
        method,
        path: `/api/v1${path}`,
        headers: {
          authorization: await this.#token!,
          'x-trace-id': trace,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { text: JSON.stringify(json) }),
      })
    const response = await send()
    if (response.status !== 401) return response
    this.#token = this.#signIn()
    return send()
  }

  /** `world`: the prefix of a named world. */
  control(method: string, input: object = {}, world = ''): Promise<Response> {
    return this.http.send({
      method: 'POST',
      path: `${world}/control/${method}`,
      headers: { ...this.controlKey, 'content-type': 'application/json' },
      text: JSON.stringify(input),
    })
  }

  close() {
    this.http.close()
  }

  /** With the present key, which an operator may have changed. */
  async #signIn(): Promise<string> {
    const { programs } = await expectSuccess(this.control('programs.list'))
    const response = await this.http.send({
      method: 'POST',
      path: '/api/v1/auth',
      headers: { authorization: refreshToken(programs[0]), 'x-trace-id': newTrace() },
    })
    return String(response.body?.token)
  }
}

/** The body of a response, which must be a success. */
export async function expectSuccess(request: Promise<Response>): Promise<Body> {
  const { status, text, body } = await request
  if (status >= 300) throw new Refused(`A request that must succeed was refused with ${status}: ${text}`)
  return body
}
