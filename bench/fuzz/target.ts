import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { MONITOR, readFigures } from '../stalls/server.ts'
import {
  type Body,
  ConnectionLost,
  HttpClient,
  type HttpRequest,
  NoResponse,
  type Response,
  refreshToken,
} from '../support/client.ts'
import { type SandboxProcess, type ServeOutput, serve } from '../support/process.ts'
import { findProblem } from './check-response.ts'
import { editBundle } from './files.ts'
import { createForgedToken } from './forged-tokens.ts'
import { writeOut } from './malformed-requests.ts'
import { controlRequest, type FuzzRequest } from './requests.ts'

/** A fresh sandbox that requests are sent to one after the other. The same requests give the same world. */

const WITHIN_MS = 30_000
/** Methods that may take minutes in a long history; they report progress meanwhile. */
const SLOW: ReadonlySet<string> = new Set<MethodName>(['world.rewind', 'snapshots.restore'])
const SLOW_WITHIN_MS = 300_000

const MIN_STALL_MS = 50
const MOST_STALLS = 12

export interface Stall {
  readonly name: string
  readonly ms: number
}

export const serveArguments = (seed: string, data: string): string[] => [
  ...['--data', data, '--clock', 'frozen', '--world', 'demo', '--seed', seed, '--start', '2026-08-14T14:00:00.000Z'],
]

export class FuzzTarget {
  readonly #host: SandboxProcess
  readonly #sandbox: ServeOutput
  readonly #http: HttpClient
  readonly #slowHttp: HttpClient
  /** For requests while the world is replaced. */
  readonly #otherHttp: HttpClient
  #token: string | undefined
  readonly #stalls = new Map<string, number>()

  private constructor(host: SandboxProcess, sandbox: ServeOutput) {
    this.#host = host
    this.#sandbox = sandbox
    this.#http = new HttpClient(sandbox.api, { sockets: 1, withinMs: WITHIN_MS })
    this.#slowHttp = new HttpClient(sandbox.api, { sockets: 1, withinMs: SLOW_WITHIN_MS })
    this.#otherHttp = new HttpClient(sandbox.api, { sockets: 1, withinMs: SLOW_WITHIN_MS })
  }

  static async open(args: readonly string[]): Promise<FuzzTarget> {
    const host = serve(args, { node: MONITOR, hasChannel: true })
    const output = await host.output
    await readFigures(host.child) // Without the stalls of its start.
    return new FuzzTarget(host, output)
  }

  /** The longest stalls, each by the request during which it was measured, longest first. */
  get stalls(): readonly Stall[] {
    return [...this.#stalls]
      .map(([name, ms]) => ({ name, ms }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, MOST_STALLS)
  }

  async #measureStall({ name, path, repeated, large }: FuzzRequest) {
    const { slice } = await readFigures(this.#host.child)
    const content = repeated ? ` with ${repeated.times} times ${JSON.stringify(repeated.unit)}` : ''
    const of = large ? `${large.name} (${large.bytes} bytes)` : (name ?? path.slice(0, 60)) + content
    this.#stalls.set(of, Math.max(slice, this.#stalls.get(of) ?? 0))
  }

  get mainProgram(): string {
    return this.#sandbox.programs[0]!.uid
  }

  get isAlive(): boolean {
    return this.#host.child.exitCode === null && this.#host.child.signalCode === null
  }

  /** The response, and its problem. */
  async send(request: FuzzRequest): Promise<{ response: Response | undefined; problem: string | undefined }> {
    const began = performance.now()
    try {
      const sent = await this.#complete(request)
      const others = this.#sendMeanwhile(request.meanwhile ?? [])
      const response = await this.#send(sent)
      const problem = findProblem(sent, response) ?? (await others)
      // No stall is longer than the request that causes it.
      if (performance.now() - began > MIN_STALL_MS) await this.#measureStall(request)
      return { response, problem: request.hasFaults ? undefined : problem }
    } catch (error) {
      if (error instanceof NoResponse) return { response: undefined, problem: error.message }
      if (!(error instanceof ConnectionLost)) throw error
      const problem = this.isAlive ? `the connection was dropped: ${error.message}` : 'the process ended'
      return { response: undefined, problem: request.hasFaults && this.isAlive ? undefined : problem }
    }
  }

  /** Returns the first problem. */
  async #sendMeanwhile(requests: readonly FuzzRequest[]): Promise<string | undefined> {
    for (const request of requests) {
      const problem = findProblem(request, await this.#send(request, this.#otherHttp))
      if (problem !== undefined) return `${problem} (${request.method} ${request.path}, while the world was replaced)`
    }
    return undefined
  }

  async #send(request: FuzzRequest, http = this.#http): Promise<Response> {
    if (request.door === 'control') return this.#sendControl(request)
    if (request.name === 'createAccessToken')
      return http.send(this.#withHeaders(request, { authorization: this.#refresh() }))
    const authorization = await this.#validToken()
    const response = await http.send(this.#withHeaders(request, { authorization }))
    if (response.status !== 401 || request.headers.authorization !== undefined) return response
    // The token has expired, or the world was replaced.
    this.#token = await this.#signIn()
    return http.send(this.#withHeaders(request, { authorization: this.#token }))
  }

  #sendControl(request: FuzzRequest): Promise<Response> {
    const http = SLOW.has(request.name ?? '') ? this.#slowHttp : this.#http
    return http.send(this.#withHeaders(request, { 'x-control-key': this.#sandbox.control_key }))
  }

  async #validToken(): Promise<string> {
    this.#token ??= await this.#signIn()
    return this.#token
  }

  /** What depends on the present world or time, or is too long for the log of the run, is created now. */
  async #complete(request: FuzzRequest): Promise<FuzzRequest> {
    const { token, edit, headers } = request
    if (token !== undefined) {
      const parts = {
        program: this.#sandbox.programs[0]!,
        access: await this.#validToken(),
        now: Math.floor(Date.now() / 1000),
      }
      return { ...request, headers: { ...headers, authorization: createForgedToken(token, parts) } }
    }
    if (edit !== undefined) {
      const { body } = await this.#sendControl(controlRequest('bundles.export', {}))
      return { ...request, text: JSON.stringify({ text: editBundle(body.text, edit) }) }
    }
    return writeOut(request)
  }

  #refresh = () => refreshToken(this.#sandbox.programs[0]!)

  #withHeaders = ({ method, path, headers, text }: FuzzRequest, defaults: Record<string, string>): HttpRequest => ({
    method,
    path,
    headers: { ...defaults, ...headers },
    ...(text === undefined ? {} : { text }),
  })

  #signIns = 0
  async #signIn(): Promise<string> {
    const headers = { authorization: this.#refresh(), 'x-trace-id': `sign-in-${process.pid}-${++this.#signIns}` }
    const { body } = await this.#http.send({ method: 'POST', path: '/api/v1/auth', headers })
    return String(body?.token)
  }

  /** Stops the sandbox; returns what it wrote to stderr, which is empty unless it has a defect. */
  async close(): Promise<string> {
    this.#http.close()
    this.#slowHttp.close()
    this.#otherHttp.close()
    const { code, stderr } = await this.#host.stop()
    return code === 0 ? stderr : `it ended with ${code}: ${stderr}`
  }
}

/** The collection of the records in a response to this request. */
export function collectionOf({ door, name, path, text }: FuzzRequest): string | undefined {
  if (door === 'api') {
    if (name === 'createMockTransaction') return 'transactions'
    return name === null || !Object.hasOwn(endpoints, name)
      ? undefined
      : endpoints[name as EndpointName].path.split('/')[1]
  }
  if (name === 'records.list' || name === 'records.get' || name === 'moves.make')
    return (JSON.parse(text ?? '{}') as Body)?.collection
  for (const collection of ['programs', 'webhooks', 'events'])
    if (path.startsWith(`/control/${collection}.`)) return collection
  return undefined
}
