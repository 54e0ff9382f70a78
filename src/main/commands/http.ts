import { Agent, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, Agent as TlsAgent } from 'node:https'

/** Requests of the commands to a running sandbox. Node's own `fetch` takes 40 ms to load. */

export interface Sent {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMs?: number
}

export interface Answer {
  readonly status: number
  readonly message: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) }

/** Longer than any latency that can be injected. */
const TIMEOUT_MS = 120_000

/** Rejects if no answer comes. */
export async function send(url: string, sent: Sent): Promise<Answer> {
  const response = await open(url, sent)
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return {
    status: response.statusCode ?? 0,
    message: response.statusMessage ?? '',
    headers: response.headers,
    text: Buffer.concat(parts).toString('utf8'),
  }
}

/** The response as a stream. */
export function open(
  url: string,
  { method, headers = {}, body, timeoutMs = TIMEOUT_MS }: Sent,
): Promise<IncomingMessage> {
  const { protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = (isSecure ? overHttps : overHttp)(url, {
      method,
      headers: { ...headers, ...length },
      agent: agents[isSecure ? 'https:' : 'http:'],
      timeout: timeoutMs,
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)))
    request.on('error', reject)
    request.on('response', resolve)
    request.end(body)
  })
}
