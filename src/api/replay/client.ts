import { request as overHttp, validateHeaderName, validateHeaderValue } from 'node:http'
import { request as overHttps } from 'node:https'
import type { ControlReply } from '../contract/control/client.ts'
import { OWN_AGENT, RUN_HEADER } from '../contract/control/own-requests.ts'
import type { WorldKind } from '../contract/control/worlds.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { ClockState, World } from '../store/world.ts'
import type { HeaderList, RecordedResponse } from './recordings/recording.ts'

/** What a replay or a scenario uses of a sandbox, its own or a scratch one: the API over HTTP, and the control methods. */
export interface SandboxClient {
  /** The base URL, such as `http://127.0.0.1:4010/api/v1`. */
  readonly api: string
  /** Names the operation that its requests are a part of. */
  readonly run?: string
  /** That operation, once there is one. */
  operation?(): number | undefined
  programs(): Promise<readonly Program[]>
  /** A valid access token. */
  token(program: Program): Promise<string>
  /** A refresh token, signed with the HMAC key of the Program. */
  refreshToken(program: Program): Promise<string>
  /** Calls a control method. */
  call(name: string, input: unknown): Promise<ControlReply>
  /** Closes and reopens the sandbox; not there if that is not possible. */
  restart?(): Promise<void>
}

/** A temporary sandbox on a port of its own, in memory unless it can be restarted. */
export interface ScratchSandbox extends SandboxClient {
  /** Of one that stays as a named world. */
  readonly name?: string
  world(): World
  close(): Promise<void>
}

/** How to create a fresh world. */
export interface WorldSetup {
  readonly kind: WorldKind
  readonly seed: string
  readonly start: Timestamp
  readonly clock: Omit<ClockState, 'at'>
  /** Of its first Program. */
  readonly hard_mode?: string | undefined
}

/** `from`: how to create a world, or a world, which belongs to the scratch sandbox from then on. */
export type OpenScratchSandbox = (from: WorldSetup | World, options?: ScratchOptions) => Promise<ScratchSandbox>

export interface ScratchOptions {
  /** Keeps a new world in a temporary data folder, so that the sandbox can be restarted. */
  readonly canRestart?: boolean
  /** Sends the webhooks of a new world. */
  readonly delivers?: boolean
  /** Stays as a named world of such a name, unless it can be restarted. */
  readonly stays?: 'replay' | 'scenario' | undefined
}

interface OutgoingRequest {
  readonly method: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly headers: HeaderList
  readonly body: string | Uint8Array
}

/** Sends exactly this request. Returns status 0 for a dropped connection. */
export function sendRequest(
  api: string,
  { method, path, headers, body }: OutgoingRequest,
  run?: string,
): Promise<RecordedResponse> {
  const { protocol, hostname, port, host, pathname } = new URL(api)
  const request = protocol === 'https:' ? overHttps : overHttp
  const whole = pathname.replace(/(?<!\/)\/+$/, '')
  // /health is not below the base URL, but next to it.
  const base = /^\/health(\?|$)/.test(path) ? prefixOf(whole) : whole
  const bytes = Buffer.from(body as string)
  return new Promise((resolve) => {
    const resolveDropped = () => resolve({ status: 0, headers: [], body: '' })
    const sent = request({
      hostname,
      port,
      method,
      path: `${base}${path}`.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent),
      timeout: TIMEOUT_MS,
      headers: [
        ['host', host],
        ...headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())),
        ['user-agent', agentOf(headers)],
        ...(run === undefined ? [] : [[RUN_HEADER, run] as const]),
        ...(bytes.length > 0 ? [['content-length', String(bytes.length)] as const] : []),
      ].flat(),
    })
    sent.on('error', resolveDropped)
    sent.on('timeout', () => sent.destroy())
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('error', resolveDropped)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: toHeaderList(response.rawHeaders),
          body: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    sent.end(bytes)
  })
}

/** What the path of an address of a named world begins with; empty for any other address. */
export const prefixOf = (path: string): string => /^\/worlds\/[^/]+/.exec(path)?.[0] ?? ''

/** Longer than any latency that can be injected. */
const TIMEOUT_MS = 120_000

/** Recordings may hold headers that are invalid in HTTP. */
export function isSendableHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** That of a recorded request stays visible. */
function agentOf(headers: HeaderList): string {
  const agent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? ''
  if (agent === '' || agent.endsWith(OWN_AGENT)) return agent || OWN_AGENT
  return `${agent} ${OWN_AGENT}`
}

/** Headers that each request sets itself, most of them for the connection. */
const OWN_HEADERS = new Set(
  (
    'user-agent host connection content-length transfer-encoding accept-encoding keep-alive upgrade expect te trailer ' +
    `proxy-connection ${RUN_HEADER}`
  ).split(' '),
)

const toHeaderList = (raw: readonly string[]): HeaderList =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? ''] as const] : []))
