import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type Body, ConnectionLost, HttpClient, NoResponse, type Response, refreshToken } from '../support/client.ts'
import { type SandboxProcess, type ServeOutput, serve } from '../support/process.ts'
import { findProblem } from './check-response.ts'
import type { FuzzRequest } from './requests.ts'

/** A fresh sandbox that requests are sent to one after the other. The same requests give the same world. */

const WITHIN_MS = 30_000
/** Methods that may take minutes in a long history; they report progress meanwhile. */
const SLOW: ReadonlySet<string> = new Set<MethodName>(['world.rewind', 'snapshots.restore'])
const SLOW_WITHIN_MS = 300_000

export const serveArguments = (seed: string, data: string): string[] => [
  ...['--data', data, '--clock', 'frozen', '--world', 'demo', '--seed', seed, '--start', '2026-08-14T14:00:00.000Z'],
]

export class FuzzTarget {
  readonly #host: SandboxProcess
  readonly #sandbox: ServeOutput
  readonly #http: HttpClient
  readonly #slowHttp: HttpClient
  #token: string | undefined

  private constructor(host: SandboxProcess, sandbox: ServeOutput) {
    this.#host = host
    this.#sandbox = sandbox
    this.#http = new HttpClient(sandbox.api, { sockets: 1, withinMs: WITHIN_MS })
    this.#slowHttp = new HttpClient(sandbox.api, { sockets: 1, withinMs: SLOW_WITHIN_MS })
  }

  static async open(args: readonly string[]): Promise<FuzzTarget> {
    const host = serve(args)
    return new FuzzTarget(host, await host.output)
  }

  get isAlive(): boolean {
    return this.#host.child.exitCode === null && this.#host.child.signalCode === null
  }

  /** The response, and its problem. */
  async send(request: FuzzRequest): Promise<{ response: Response | undefined; problem: string | undefined }> {
    try {
      const response = await this.#send(request)
      return { response, problem: request.hasFaults ? undefined : findProblem(request, response) }
    } catch (error) {
      if (error instanceof NoResponse) return { response: undefined, problem: error.message }
      if (!(error instanceof ConnectionLost)) throw error
      const problem = this.isAlive ? `the connection was dropped: ${error.message}` : 'the process ended'
      return { response: undefined, problem: request.hasFaults && this.isAlive ? undefined : problem }
    }
  }

  async #send(request: FuzzRequest): Promise<Response> {
    if (request.door === 'control') {
      const http = SLOW.has(request.name ?? '') ? this.#slowHttp : this.#http
      return http.send(this.#withHeaders(request, { 'x-control-key': this.#sandbox.control_key }))
    }
    if (request.name === 'createAccessToken')
      return this.#http.send(this.#withHeaders(request, { authorization: this.#refresh() }))
    this.#token ??= await this.#signIn()
    const response = await this.#http.send(this.#withHeaders(request, { authorization: this.#token }))
    if (response.status !== 401 || request.headers.authorization !== undefined) return response
    // The token has expired, or the world was replaced.
    this.#token = await this.#signIn()
    return this.#http.send(this.#withHeaders(request, { authorization: this.#token }))
  }

  #refresh = () => refreshToken(this.#sandbox.programs[0]!)

  #withHeaders = (request: FuzzRequest, headers: Record<string, string>) => ({
    ...request,
    headers: { ...headers, ...request.headers },
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
    const { code, stderr } = await this.#host.stop()
    return code === 0 ? stderr : `it ended with ${code}: ${stderr}`
  }

  /** As a curl line. */
  static curl({ door, method, path, headers, text }: FuzzRequest): string {
    const quoted = (part: string) => `'${part.replaceAll("'", "'\\''")}'`
    const key = door === 'api' ? '-H "authorization: $TOKEN"' : '-H "x-control-key: $KEY"'
    const own = headers.authorization === undefined && headers['x-control-key'] === undefined ? [key] : []
    return [
      `curl -X ${method} "$ORIGIN"${quoted(path)}`,
      ...own,
      ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(text === undefined ? [] : [`--data-raw ${quoted(text)}`]),
    ].join(' ')
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
  if (path.startsWith('/control/programs.')) return 'programs'
  return undefined
}
