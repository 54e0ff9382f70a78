import { request as overHttp, validateHeaderName, validateHeaderValue } from 'node:http'
import { request as overHttps } from 'node:https'
import type { ControlReply } from '../contract/control.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { ClockState, World } from '../store/world.ts'
import type { HeaderList, RecordedAnswer } from './recordings/recording.ts'

/**
 * A sandbox as a replay or a scenario meets it: its API over loopback, through the same pipeline as everybody's
 * requests, and the operator's door. Whether it is the present world or one made for the purpose makes no difference.
 */
export interface SandboxClient {
  /** With the base path, as `http://127.0.0.1:4010/api/v1`. */
  readonly api: string
  programs(): Promise<readonly Program[]>
  /** An access token of the Program, valid now. */
  token(program: Program): Promise<string>
  /** What a Client signs with its HMAC key to ask for an access token. */
  refreshToken(program: Program): Promise<string>
  /** The operator's door. */
  call(name: string, input: unknown): Promise<ControlReply>
}

/** One that was opened for the purpose, in memory and on a port of its own, and goes when it is through. */
export interface ScratchSandbox extends SandboxClient {
  /** As it stands. */
  world(): World
  close(): Promise<void>
}

/** How a world begins. */
export interface WorldSetup {
  readonly kind: 'demo' | 'empty'
  readonly seed: string
  readonly start: Timestamp
  readonly clock: Omit<ClockState, 'at'>
}

/** `from`: a fresh world, or one that there is already, which is not touched. */
export type OpenScratchSandbox = (from: WorldSetup | World) => Promise<ScratchSandbox>

export interface Outgoing {
  readonly method: string
  /** With the query, below the base path. */
  readonly path: string
  readonly headers: HeaderList
  readonly body: string | Uint8Array
}

/** Sends exactly this and nothing else, but for what HTTP itself needs. A dropped connection is an answer too. */
export function sendRequest(api: string, { method, path, headers, body }: Outgoing): Promise<RecordedAnswer> {
  const { protocol, hostname, port, host, pathname } = new URL(api)
  const request = protocol === 'https:' ? overHttps : overHttp
  // It stands beside the API, not below it.
  const base = /^\/health(\?|$)/.test(path) ? '' : pathname.replace(/\/+$/, '')
  const bytes = Buffer.from(body as string)
  return new Promise((resolve) => {
    const dropped = () => resolve({ status: 0, headers: [], body: '' })
    const sent = request({
      hostname,
      port,
      method,
      path: `${base}${path}`.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent),
      timeout: SILENT_MS,
      headers: [
        ['host', host],
        ...headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase())),
        ...(bytes.length > 0 ? [['content-length', String(bytes.length)] as const] : []),
      ].flat(),
    })
    sent.on('error', dropped)
    sent.on('timeout', () => sent.destroy())
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('error', dropped)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: pairs(response.rawHeaders),
          body: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    sent.end(bytes)
  })
}

/** Longer than any fault that the operator can order. */
const SILENT_MS = 120_000

/** Recordings hold headers that HTTP cannot carry. */
export function canBeSent(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** They say how a message travels, not what it says. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
])

const pairs = (raw: readonly string[]): HeaderList =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? ''] as const] : []))
