import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Line } from './host.ts'

/** A client as an integrator would write it: it signs, sends trace ids, and keeps its connections. */

// biome-ignore lint/suspicious/noExplicitAny: an answer as its reader expects it.
export type Body = any

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** undefined where the text is no JSON. */
  readonly body: Body
}

export interface Message {
  readonly method: string
  /** From the origin on, as in `/api/v1/customers`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

/** No answer came: the connection was refused or cut. */
export class Lost extends Error {
  override name = 'Lost'
}
/** No answer came in time. */
export class Hung extends Error {
  override name = 'Hung'
}

export class Wire {
  readonly #origin: URL
  readonly #agent: Agent
  readonly #withinMs: number

  constructor(origin: string, { sockets = 8, withinMs = 20_000 } = {}) {
    this.#origin = new URL(origin)
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets })
    this.#withinMs = withinMs
  }

  send({ method, path, headers = {}, text }: Message): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#origin
      const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
      const asked = request(
        { hostname, port, method, path, agent: this.#agent, headers: { ...headers, ...length } },
        (res) => {
          const parts: Buffer[] = []
          res.on('data', (part: Buffer) => parts.push(part))
          res.on('error', (error) => reject(new Lost(error.message)))
          res.on('end', () => {
            const said = Buffer.concat(parts).toString('utf8')
            resolve({ status: res.statusCode ?? 0, headers: res.headers, text: said, body: parsed(said) })
          })
        },
      )
      const late = () => {
        reject(new Hung(`no answer within ${this.#withinMs} ms`))
        asked.destroy()
      }
      asked.setTimeout(this.#withinMs, late)
      asked.on('error', (error) => reject(new Lost(error.message)))
      asked.end(text)
    })
  }

  close() {
    this.#agent.destroy()
  }
}

function parsed(text: string): Body {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Body)
  } catch {
    return undefined
  }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A refresh token: HS512 over the Program's uid and the present time. */
export function refreshToken({ uid, hmac_key }: { uid: string; hmac_key: string }): string {
  const claims = { iat: Math.floor(Date.now() / 1000), sub: uid }
  const content = `${base64url({ alg: 'HS512', typ: 'JWT' })}.${base64url(claims)}`
  return `${content}.${createHmac('sha512', hmac_key).update(content).digest('base64url')}`
}

/** One Program's requests and the operator's calls, to one running sandbox. */
export class Caller {
  readonly wire: Wire
  readonly #line: Line
  #token: Promise<string> | undefined

  constructor(line: Line, options?: { sockets?: number; withinMs?: number }) {
    this.#line = line
    this.wire = new Wire(line.api, options)
  }

  /** As a good client does, it signs in again when its token has expired; the trace id is not used up by that. */
  async api(method: string, path: string, json?: unknown, trace: string = randomUUID()): Promise<Answer> {
    this.#token ??= this.#signIn()
    const send = async () =>
      this.wire.send({
        method,
        path: `/api/v1${path}`,
        headers: {
          authorization: await this.#token!,
          'x-trace-id': trace,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { text: JSON.stringify(json) }),
      })
    const answer = await send()
    if (answer.status !== 401) return answer
    this.#token = this.#signIn()
    return send()
  }

  control(method: string, input: object = {}): Promise<Answer> {
    const { control_key } = this.#line
    return this.wire.send({
      method: 'POST',
      path: `/control/${method}`,
      headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
      text: JSON.stringify(input),
    })
  }

  close() {
    this.wire.close()
  }

  async #signIn(): Promise<string> {
    const answer = await this.wire.send({
      method: 'POST',
      path: '/api/v1/auth',
      headers: { authorization: refreshToken(this.#line.programs[0]!), 'x-trace-id': randomUUID() },
    })
    return String(answer.body?.token)
  }
}

/** An answer that must be a success. */
export async function must(asked: Promise<Answer>): Promise<Body> {
  const { status, text, body } = await asked
  if (status >= 300) throw new Error(`A step of the beginning was refused with ${status}: ${text}`)
  return body
}
