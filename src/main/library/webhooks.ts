import { createHmac, timingSafeEqual } from 'node:crypto'

/** For the receiver of an app: proves that a webhook comes from the platform, or from the sandbox. */

/** Of fetch; its own type would need the types of browsers or of Node. */
interface FetchHeaders {
  get(name: string): string | null
}

/** The request as it arrived. */
export interface ReceivedWebhook {
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array
  /** Those of Node, of Express, or of fetch. */
  readonly headers: FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The `hmac_key` of the webhook. */
  readonly key: string
  /** How old or how far ahead its timestamp may be, in seconds. Default: 300 */
  readonly tolerance?: number | undefined
}

export interface VerifiedWebhook {
  readonly event_type: string
  /** null if it is neither in the body nor in a header. */
  readonly event_id: string | null
  /** Empty if they are encrypted. */
  readonly details: Readonly<Record<string, unknown>>
  /** The PGP message that contains the details, if the webhook has a PGP key. Decrypt it with your private key. */
  readonly encrypted_details: string | null
}

/** The webhook cannot be trusted: answer it with 401. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

const SIGNATURE = 'x-request-signature-sha-256'
const TIMESTAMP = 'x-request-signature-timestamp'

/** Returns the event of a webhook. Throws a WebhookError if its signature is not that of the key, or too old. */
export function verifyWebhook({ body, headers, key, tolerance = 300 }: ReceivedWebhook): VerifiedWebhook {
  const raw = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body)
  const signature = readHeader(headers, SIGNATURE)
  const timestamp = readHeader(headers, TIMESTAMP)
  if (signature === undefined || timestamp === undefined)
    throw new WebhookError(`The headers ${SIGNATURE} and ${TIMESTAMP} are expected; pass all headers of the request`)
  const expected = createHmac('sha256', key).update(raw).update(timestamp).digest()
  // Node stops at the first character that is not hexadecimal.
  const found = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex')
  if (found.length !== expected.length || !timingSafeEqual(found, expected))
    throw new WebhookError('The signature is not that of the key and the raw body: pass the body before it is parsed')
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!(age <= tolerance))
    throw new WebhookError(
      `The timestamp ${timestamp} is ${Math.round(age)} seconds from now; at most ${tolerance} are expected`,
    )
  return readEvent(raw, readHeader(headers, 'x-event-id'))
}

function readEvent(raw: Buffer, idInHeader: string | undefined): VerifiedWebhook {
  const parsed = JSON.parse(raw.toString('utf8')) as Record<string, unknown>
  // The old envelope.
  const content = (parsed.data ?? parsed) as Partial<Omit<VerifiedWebhook, 'details'>> & { details?: unknown }
  const { event_type, event_id = idInHeader ?? null, details = {} } = content
  if (typeof event_type !== 'string') throw new WebhookError('The body has no event_type')
  const isEncrypted = typeof details === 'string'
  return {
    event_type,
    event_id,
    details: isEncrypted ? {} : (details as VerifiedWebhook['details']),
    encrypted_details: isEncrypted ? details : null,
  }
}

/** Also those of another realm, and of the package undici. */
const isFetchHeaders = (headers: ReceivedWebhook['headers']): headers is FetchHeaders =>
  typeof (headers as Partial<FetchHeaders>).get === 'function'

function readHeader(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}
