import { type IncomingHttpHeaders, request as overHttp } from 'node:http'

/** Passes a request of the sandbox on to another receiver, byte by byte. */

export interface ForwardedRequest {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

export interface ForwardedAnswer {
  readonly status: number
  readonly type: string | undefined
  readonly body: Buffer
}

/** Shorter than the 5 seconds of the sandbox, so that it still gets an answer. */
const TIME_LIMIT_MS = 4_500
/** The sandbox reads no more of an answer. */
const MAX_ANSWER_BYTES = 4_096

const PASSED_ON = [
  'content-type',
  'user-agent',
  'x-request-signature-sha-256',
  'x-request-signature-timestamp',
  'x-event-id',
]

/** Rejects if there is no answer. Each request has a connection of its own, as a target that was restarted has closed the old ones. */
export async function forward(url: string, { body, headers }: ForwardedRequest): Promise<ForwardedAnswer> {
  const send = url.startsWith('https:') ? (await import('node:https')).request : overHttp
  const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(passed), 'content-length': String(body.length) },
      agent: false,
    })
    const timer = setTimeout(() => {
      reject(new Error(`there was no answer within ${TIME_LIMIT_MS / 1_000} seconds`))
      request.destroy()
    }, TIME_LIMIT_MS)
    request.on('close', () => clearTimeout(timer))
    request.on('error', reject)
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let length = 0
      const end = () => {
        const answer = Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES)
        resolve({ status: response.statusCode ?? 502, type: response.headers['content-type'], body: answer })
      }
      response.on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length < MAX_ANSWER_BYTES) return
        end()
        response.destroy()
      })
      response.on('end', end)
      response.on('error', reject)
    })
    request.end(body)
  })
}
