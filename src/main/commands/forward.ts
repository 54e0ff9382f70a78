import type { IncomingHttpHeaders } from 'node:http'
import { type Answered, sendBounded, type Unanswered } from '../../api/webhooks/bounded-request.ts'

/** Passes a request of the sandbox on to another receiver, byte by byte. */

interface ForwardedRequest {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/** Shorter than the 5 seconds of the sandbox, so that it still gets an answer. */
const TIME_LIMIT_MS = 4_500

const PASSED_ON = [
  'content-type',
  'user-agent',
  'x-request-signature-sha-256',
  'x-request-signature-timestamp',
  'x-event-id',
]

/** Each request has a connection of its own, as a target that was restarted has closed the old ones. */
export function forward(url: string, { body, headers }: ForwardedRequest): Promise<Answered | Unanswered> {
  const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  const all: Record<string, string> = { ...Object.fromEntries(passed), 'content-length': String(body.length) }
  return sendBounded({ url, method: 'POST', headers: all, body }, { agent: false, withinMs: TIME_LIMIT_MS })
}
