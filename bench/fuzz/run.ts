import type { MethodName } from '../../src/api/contract/control.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type Answer, type Body, Hung, Lost, refreshToken, Wire } from '../support/caller.ts'
import { type Host, type Line, serve } from '../support/host.ts'
import type { Ask } from './asks.ts'
import { judged } from './judge.ts'

/** A fresh sandbox, and requests sent to it one after the other; the same requests find the same world. */

const WITHIN_MS = 30_000
/** What tells how far it is, and gives way to others meanwhile: a long history is long to go back along. */
const TELLS: ReadonlySet<string> = new Set<MethodName>(['world.rewind', 'snapshots.restore'])
const TELLS_WITHIN_MS = 300_000

export const beginning = (seed: string, data: string): string[] => [
  ...['--data', data, '--clock', 'frozen', '--world', 'demo', '--seed', seed, '--start', '2026-08-14T14:00:00.000Z'],
]

export class Run {
  readonly #host: Host
  readonly #line: Line
  readonly #wire: Wire
  readonly #patient: Wire
  #token: string | undefined

  private constructor(host: Host, line: Line) {
    this.#host = host
    this.#line = line
    this.#wire = new Wire(line.api, { sockets: 1, withinMs: WITHIN_MS })
    this.#patient = new Wire(line.api, { sockets: 1, withinMs: TELLS_WITHIN_MS })
  }

  static async open(args: readonly string[]): Promise<Run> {
    const host = serve(args)
    return new Run(host, await host.line)
  }

  get isAlive(): boolean {
    return this.#host.child.exitCode === null && this.#host.child.signalCode === null
  }

  /** The answer, and what is wrong with it. */
  async ask(ask: Ask): Promise<{ answer: Answer | undefined; complaint: string | undefined }> {
    try {
      const answer = await this.#send(ask)
      return { answer, complaint: ask.unlucky ? undefined : judged(ask, answer) }
    } catch (error) {
      if (error instanceof Hung) return { answer: undefined, complaint: error.message }
      if (!(error instanceof Lost)) throw error
      const complaint = this.isAlive ? `the connection was cut: ${error.message}` : 'the process ended'
      return { answer: undefined, complaint: ask.unlucky && this.isAlive ? undefined : complaint }
    }
  }

  async #send(ask: Ask): Promise<Answer> {
    if (ask.door === 'control') {
      const wire = TELLS.has(ask.name ?? '') ? this.#patient : this.#wire
      return wire.send(this.#signed(ask, { 'x-control-key': this.#line.control_key }))
    }
    if (ask.name === 'createAccessToken') return this.#wire.send(this.#signed(ask, { authorization: this.#refresh() }))
    this.#token ??= await this.#signIn()
    const answer = await this.#wire.send(this.#signed(ask, { authorization: this.#token }))
    if (answer.status !== 401 || ask.headers.authorization !== undefined) return answer
    // Time has passed, or another world came in the place of this one.
    this.#token = await this.#signIn()
    return this.#wire.send(this.#signed(ask, { authorization: this.#token }))
  }

  #refresh = () => refreshToken(this.#line.programs[0]!)

  #signed = (ask: Ask, headers: Record<string, string>) => ({ ...ask, headers: { ...headers, ...ask.headers } })

  #signIns = 0
  async #signIn(): Promise<string> {
    const headers = { authorization: this.#refresh(), 'x-trace-id': `sign-in-${process.pid}-${++this.#signIns}` }
    const { body } = await this.#wire.send({ method: 'POST', path: '/api/v1/auth', headers })
    return String(body?.token)
  }

  /** Ends it; answers with what it had to say about faults of its own. */
  async close(): Promise<string> {
    this.#wire.close()
    this.#patient.close()
    const { code, stderr } = await this.#host.stop()
    return code === 0 ? stderr : `it ended with ${code}: ${stderr}`
  }

  /** As a curl line; the two keys are told apart by their doors. */
  static curl({ door, method, path, headers, text }: Ask): string {
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

/** The collection that an answer of this request speaks of. */
export function collectionOf({ door, name, path, text }: Ask): string | undefined {
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
