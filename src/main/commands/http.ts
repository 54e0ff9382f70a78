import { Agent, type IncomingMessage, request as overHttp } from 'node:http'

/** Requests of the commands to a running sandbox. Node's own `fetch` takes 40 ms to load. */

interface Sent {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Without a byte from the server. */
  readonly timeoutMs?: number
  /** For the whole answer. */
  readonly withinMs?: number
  readonly mostBytes?: number
}

export interface Answer {
  readonly status: number
  readonly message: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const agent = new Agent({ keepAlive: true })

/** Longer than any latency that can be injected. */
const TIMEOUT_MS = 120_000

/** Rejects if no answer comes. */
export async function send(url: string, sent: Sent): Promise<Answer> {
  const { mostBytes = Number.POSITIVE_INFINITY } = sent
  const response = await open(url, sent)
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length > mostBytes) throw new Error(`more than ${mostBytes} bytes`)
  }
  return {
    status: response.statusCode ?? 0,
    message: response.statusMessage ?? '',
    headers: response.headers,
    text: Buffer.concat(parts).toString('utf8'),
  }
}

/** The response as a stream. */
export async function open(
  url: string,
  { method, headers = {}, body, timeoutMs = TIMEOUT_MS, withinMs }: Sent,
): Promise<IncomingMessage> {
  const isSecure = new URL(url).protocol === 'https:'
  // Loaded on use: TLS takes longer to load than a request to this machine takes.
  const send = isSecure ? (await import('node:https')).request : overHttp
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = send(url, {
      method,
      headers: { ...headers, ...length },
      timeout: timeoutMs,
      ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
      ...(isSecure ? {} : { agent }),
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)))
    request.on('error', reject)
    // The only sign of an answer that switches protocols.
    request.on('close', () => reject(new Error('the connection was closed before there was an answer')))
    request.on('response', resolve)
    request.end(body)
  })
}
