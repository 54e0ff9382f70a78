import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A receiver of webhooks, written without any code of the sandbox. */

export interface ReceivedEvent {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: { event_type: string; event_id: string; details: Record<string, unknown> }
}

export type Answer = (event: ReceivedEvent, response: ServerResponse) => void

const accept: Answer = (_event, response) => void response.writeHead(204).end()

export async function startReceiver(answer: Answer = accept) {
  const received: ReceivedEvent[] = []
  /** The paths of the probes after a last attempt. */
  const probes: string[] = []
  const receiver = { url: '', received, probes, health: 204, answer, accept }
  const server = createServer((request, response) => void take(request, response))
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      probes.push(request.url!)
      response.writeHead(receiver.health).end()
      return
    }
    let raw = ''
    for await (const part of request) raw += part
    const event = { path: request.url!, headers: request.headers, raw, body: JSON.parse(raw) }
    received.push(event)
    receiver.answer(event, response)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((done) => server.close(() => done()))
  })
  return receiver
}

/** As the platform describes it: the hexadecimal HMAC-SHA256 of the raw body and the timestamp. */
export function isSigned({ raw, headers }: ReceivedEvent, key: string): boolean {
  const timestamp = String(headers['x-request-signature-timestamp'])
  const expected = createHmac('sha256', Buffer.from(key, 'utf8')).update(raw).update(timestamp).digest('hex')
  return headers['x-request-signature-sha-256'] === expected
}
