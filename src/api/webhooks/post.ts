import { createHmac } from 'node:crypto'
import type { Agent } from 'node:http'
import type { AttemptOutcome, Webhook, WebhookEvent } from '../contract/resources/webhooks.ts'
import { buildEventBody } from '../contract/webhook-body.ts'
import { type Answered, type RequestParts, sendBounded, type Unanswered } from './bounded-request.ts'
import { encryptDetails } from './pgp.ts'

/** Sends one event to a receiver over HTTP, signed. Redirects are not followed. */

export type Outcome = Omit<AttemptOutcome, 'delivery_uid' | 'attempt' | 'sent_before'>

/** The time of a receiver to answer. */
const TIME_LIMIT_MS = 5_000
/** A receiver that has just failed does not double the wait for it. */
const HEALTH_LIMIT_MS = 1_000
const MAX_ERROR = 500

type Receiver = Pick<Webhook, 'url' | 'hmac_key' | 'envelope' | 'event_id_in' | 'pgp_public_key'>
type Told = Pick<WebhookEvent, 'uid' | 'topic' | 'event_type' | 'details'>

interface Sending {
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly userAgent: string
}

/** Assumed (invented): the timestamp is in seconds of real time, as a receiver compares it with its own clock. */
async function formatEvent(receiver: Receiver, event: Told, now: number, isCorrupted = false) {
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

/** undefined: it was aborted. Never throws. */
export async function postEvent(
  webhook: Receiver,
  event: Told,
  { isCorrupted, ...sending }: Sending & { readonly isCorrupted: boolean },
): Promise<Posted | undefined> {
  try {
    const { body, headers } = await formatEvent(webhook, event, Date.now(), isCorrupted)
    const request = { url: `${addressOf(webhook)}/${event.topic}`, method: 'POST', headers, body } as const
    return toPosted(await send(request, TIME_LIMIT_MS, sending))
  } catch (error) {
    return { outcome: withoutAnswer((error as Error).message), isSilent: false }
  }
}

interface Posted {
  readonly outcome: Outcome
  /** Nothing was answered in time. */
  readonly isSilent: boolean
}

/** Asks the receiver whether it works. undefined: it was aborted. Never throws. */
export async function probeHealth(
  webhook: Receiver,
  { topic }: Told,
  sending: Sending,
): Promise<AttemptOutcome['health']> {
  const request = { url: `${addressOf(webhook)}/${topic}/health`, method: 'GET', headers: {}, body: '' } as const
  const posted = toPosted(await send(request, HEALTH_LIMIT_MS, sending))
  return posted && { status: posted.outcome.status, error: posted.outcome.error }
}

const addressOf = ({ url }: Receiver) => url!.replace(/\/$/, '')

const send = (request: RequestParts, withinMs: number, { agent, signal, userAgent }: Sending) =>
  sendBounded({ ...request, headers: { ...request.headers, 'user-agent': userAgent } }, { agent, signal, withinMs })

function toPosted(ended: Answered | Unanswered): Posted | undefined {
  const { ms } = ended
  if (ended.status !== null) {
    const answer = ended.body.toString('utf8')
    return { outcome: { status: ended.status, error: null, answer, ms }, isSilent: false }
  }
  if (ended.why === 'aborted') return undefined
  return { outcome: withoutAnswer(ended.error, ms), isSilent: ended.why === 'silent' }
}

export const withoutAnswer = (error: string, ms = 0): Outcome => ({
  status: null,
  error: error.slice(0, MAX_ERROR),
  answer: null,
  ms,
})
