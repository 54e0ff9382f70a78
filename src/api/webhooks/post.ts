import { createHmac } from 'node:crypto'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { AttemptOutcome, Webhook, WebhookEvent } from '../contract/resources/webhooks.ts'
import { buildEventBody } from '../contract/webhook-body.ts'
import { encryptDetails } from './pgp.ts'

/** Sends one event to a receiver over HTTP, signed. Redirects are not followed. */

export type Outcome = Omit<AttemptOutcome, 'delivery_uid' | 'attempt' | 'sent_before'>

const TIME_LIMIT_MS = 5_000
/** Of the body of an answer, whose rest is not read. */
const MAX_ANSWER_BYTES = 4_096
const MAX_ERROR = 500

/** Connections to one receiver. */
export function createAgent(url: string, maxSockets: number): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, maxSockets }
  return new URL(url).protocol === 'https:' ? new HttpsAgent(options) : new SmallReadsAgent(options)
}

/** What all connections read into, one after the other: each part is copied before the next read. */
const readBuffer = Buffer.alloc(MAX_ANSWER_BYTES)

/** A socket of Node reads 64 kB at a time, which for each endless answer would be garbage outside of the heap. */
class SmallReadsAgent extends HttpAgent {
  override createConnection(options: NetConnectOpts): Socket {
    const callback = (length: number, part: Uint8Array): boolean => socket.push(Buffer.from(part.subarray(0, length)))
    const socket: Socket = connect({ ...options, onread: { buffer: readBuffer, callback } })
    return socket
  }
}

type Receiver = Pick<Webhook, 'url' | 'hmac_key' | 'envelope' | 'event_id_in' | 'pgp_public_key'>
type Told = Pick<WebhookEvent, 'uid' | 'topic' | 'event_type' | 'details'>

interface Sending {
  readonly agent: HttpAgent | HttpsAgent
  readonly signal: AbortSignal
  readonly userAgent: string
}

/** Assumed: the timestamp is in seconds of real time, as a receiver compares it with its own clock. */
export async function formatEvent(receiver: Receiver, event: Told, now: number, isCorrupted = false) {
  const { hmac_key, event_id_in, pgp_public_key } = receiver
  const details = pgp_public_key === null ? event.details : await encryptDetails(event.details, pgp_public_key)
  const body = JSON.stringify(buildEventBody(receiver, { ...event, details }))
  const timestamp = String(Math.floor(now / 1_000))
  const key = isCorrupted ? `not ${hmac_key}` : hmac_key
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-signature-sha-256': createHmac('sha256', key).update(`${body}${timestamp}`).digest('hex'),
    'x-request-signature-timestamp': timestamp,
    ...(event_id_in === 'body' ? {} : { 'x-event-id': event.uid }),
  }
  return { body, headers }
}

/** Never throws. */
export async function postEvent(
  webhook: Receiver,
  event: Told,
  { isCorrupted, ...sending }: Sending & { readonly isCorrupted: boolean },
): Promise<Outcome> {
  try {
    const { body, headers } = await formatEvent(webhook, event, Date.now(), isCorrupted)
    return await send(`${addressOf(webhook)}/${event.topic}`, 'POST', headers, body, sending)
  } catch (error) {
    return { status: null, error: formatError(error as Error).slice(0, MAX_ERROR), answer: null, ms: 0 }
  }
}

/** Asks the receiver whether it works. Never throws. */
export async function probeHealth(
  webhook: Receiver,
  { topic }: Told,
  sending: Sending,
): Promise<AttemptOutcome['health']> {
  const { status, error } = await send(`${addressOf(webhook)}/${topic}/health`, 'GET', {}, '', sending)
  return { status, error }
}

const addressOf = ({ url }: Receiver) => url!.replace(/\/$/, '')

/** Never throws. The receiver has 5 seconds to answer. */
function send(
  address: string,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string>>,
  body: string,
  { agent, signal, userAgent }: Sending,
): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    let sent: ClientRequest | undefined
    const finish = (outcome: Omit<Outcome, 'ms'>) => {
      clearTimeout(timer)
      resolve({ ...outcome, ms: Math.round(performance.now() - began) })
    }
    const fail = (error: NodeJS.ErrnoException) =>
      finish({ status: null, error: formatError(error).slice(0, MAX_ERROR), answer: null })
    const timer = setTimeout(() => sent?.destroy(new Error('there was no answer within 5 seconds')), TIME_LIMIT_MS)
    const begin = () => {
      try {
        const url = new URL(address)
        const request = url.protocol === 'https:' ? requestHttps : requestHttp
        const options = { method, headers: { ...headers, 'user-agent': userAgent }, agent, signal }
        const own = request(url, options, (response) => readAnswer(response, finish, fail))
        sent = own
        // The receiver may close a connection between two requests, which is no refusal.
        own.on('error', (error) => (own.reusedSocket && isClosed(error) ? begin() : fail(error)))
        own.end(body)
      } catch (error) {
        fail(error as Error)
      }
    }
    begin()
  })
}

const isClosed = ({ code }: NodeJS.ErrnoException) => code === 'ECONNRESET' || code === 'EPIPE'

function readAnswer(
  response: IncomingMessage,
  finish: (outcome: Omit<Outcome, 'ms'>) => void,
  fail: (error: Error) => void,
) {
  const parts: Buffer[] = []
  let length = 0
  const end = () =>
    finish({ status: response.statusCode ?? null, error: null, answer: Buffer.concat(parts).toString('utf8') })
  response.on('data', (part: Buffer) => {
    parts.push(part.subarray(0, MAX_ANSWER_BYTES - length))
    length += part.length
    if (length < MAX_ANSWER_BYTES) return
    end()
    response.destroy()
  })
  response.on('end', end)
  response.on('error', fail)
}

/** Errors of the network have a code, and those of several addresses have no message of their own. */
function formatError(error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] }): string {
  const message = error.message || error.errors?.[0]?.message || 'the request failed'
  return error.code && !message.includes(error.code) ? `${error.code}: ${message}` : message
}
