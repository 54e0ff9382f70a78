import type { Agent, IncomingMessage } from 'node:http'

/**
 * Requests over Node's own HTTP, of the library and of the commands: `fetch` does not exist in every test environment, such as jsdom, or is
 * replaced by mocks, and takes 40 ms to load.
 */

export interface Answer {
  readonly status: number
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Outgoing {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** Without a byte from the server. */
  readonly timeoutMs?: number | undefined
  /** For the whole answer. */
  readonly withinMs?: number | undefined
  readonly mostBytes?: number | undefined
}

/** Its idle connections close before the sandbox closes them, so that no request uses a closing connection. */
let agent: Agent | undefined

/** Rejects if no answer comes. */
export async function send(url: string, outgoing: Outgoing): Promise<Answer> {
  const { mostBytes = Number.POSITIVE_INFINITY } = outgoing
  const response = await open(url, outgoing)
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
    headers: Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    text: Buffer.concat(parts).toString('utf8'),
  }
}

/** The response as a stream. */
export function open(url: string, { method, headers, body, timeoutMs, withinMs }: Outgoing): Promise<IncomingMessage> {
  const isSecure = url.startsWith('https:')
  // Loaded on use: TLS takes longer to load than a request to this machine takes, and `import` would load all of Node's HTTP with `fetch`.
  const http = process.getBuiltinModule('node:http')
  const { request: start } = isSecure ? process.getBuiltinModule('node:https') : http
  agent ??= new http.Agent({ keepAlive: true, timeout: 20_000 })
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = start(url, {
      method,
      headers: { ...headers, ...length },
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
      ...(isSecure ? {} : { agent }),
    })
    if (timeoutMs !== undefined)
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)))
    request.on('error', reject)
    // The only sign of an answer that switches protocols.
    request.on('close', () => reject(new Error('the connection was closed before there was an answer')))
    request.on('response', resolve)
    request.end(body)
  })
}

/** For the library: says what to do if there is no sandbox. */
export async function sendRequest(url: string, outgoing: Outgoing): Promise<Answer> {
  try {
    return await send(url, outgoing)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
    throw new Error(`Nothing answers at ${new URL(url).origin}: start that sandbox`, { cause: error })
  }
}
