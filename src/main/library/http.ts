import { Agent, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

/** Requests over Node's own HTTP: `fetch` does not exist in every test environment, such as jsdom, or is replaced by mocks. */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Outgoing {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Idle connections close before the sandbox closes them, so that no request uses a closing connection. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 })

export function sendRequest(url: string, { method, headers, body }: Outgoing): Promise<Answer> {
  const isSecure = url.startsWith('https:')
  return new Promise((resolve, reject) => {
    const length: Record<string, string> =
      body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method, headers: { ...headers, ...length }, ...(isSecure ? {} : { agent }) }
    const sent = (isSecure ? overHttps : overHttp)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ECONNREFUSED'
          ? new Error(`Nothing answers at ${new URL(url).origin}: start that sandbox`, { cause: error })
          : error,
      ),
    )
    sent.end(body)
  })
}
