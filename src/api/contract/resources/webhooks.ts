import { z } from 'zod'
import { fromLinked } from '../terms/derived.ts'
import { anyOf, indexed, list } from '../terms/list.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'
import { type WebhookEventName, webhookEventNames, webhookEvents, webhookTopics } from '../webhooks.ts'
import { HmacKey } from './programs.ts'

/** Subscriptions of a Client to events, the events, and their deliveries. Only the control API shows and changes them. */

const WebhookTopic = z.enum([...webhookTopics, ...webhookEventNames], {
  error: `a topic or an event is expected: ${[...webhookTopics, ...webhookEventNames].join(', ')}`,
})

const MAX_URL = 2_000
const WebhookUrl = z
  .string()
  .max(MAX_URL)
  .superRefine((text, context) => {
    const problem = findUrlProblem(text)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })
  .meta({
    format: 'uri',
    description: 'Events are sent to this address, a slash and the topic',
    examples: ['http://127.0.0.1:8080/hooks'],
  })

function findUrlProblem(text: string): string | undefined {
  if (text !== text.trim()) return 'an address without blanks around it is expected'
  if (!URL.canParse(text)) return 'an address is expected, as in http://127.0.0.1:8080/hooks'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'an address with http:// or https:// is expected'
  if (url.username !== '' || url.password !== '')
    return 'no name and no password are expected: the signature proves the sender'
  if (url.search !== '' || url.hash !== '') return 'no ? and no # are expected, because the topic is added to the path'
  return undefined
}

const MAX_WAIT_SECONDS = 7 * 86_400
/**
 * Assumed (invented): after 10 attempts a delivery has failed, and the waits between them double, from half a minute on. Older pages of the platform have
 * 3 attempts.
 */
const RETRIES = [30, 60, 120, 240, 480, 960, 1920, 3840, 7680]

/** What goes wrong with a delivery on purpose. */
export const FailureKind = z.enum(['hold', 'drop', 'duplicate', 'delay', 'reorder', 'corrupt_signature']).meta({
  description:
    'hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. ' +
    'reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong',
})
export type FailureKind = z.infer<typeof FailureKind>

/** Assumed (invented): a reordered event is sent after an hour of simulated time, if no other event comes. */
export const failureSeconds = { delay: 60, reorder: 3_600 } as const

export const DeliveryFailure = z.strictObject({
  kind: FailureKind,
  seconds: z
    .int()
    .min(1)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .meta({
      description: `The simulated time of a delay, and the longest one for which a reordered event waits. Default: ${failureSeconds.delay} and ${failureSeconds.reorder}`,
    }),
})
export type DeliveryFailure = z.infer<typeof DeliveryFailure>

const topics = z.array(WebhookTopic).min(1).max(50)

/** The first rule of a webhook that applies to an event decides. */
export const FailureRule = z.strictObject({
  ...DeliveryFailure.shape,
  topics: topics.optional().meta({ description: 'Topics and single events that it applies to. Default: all' }),
  times: z.int().min(1).max(1_000_000).optional().meta({
    description: 'How many more deliveries it applies to; then it is removed. Default: no limit',
  }),
  rate: z.number().min(0).max(1).optional().meta({
    description: 'Share of the deliveries that it applies to; the seed decides which. Default: 1',
  }),
})
export type FailureRule = z.infer<typeof FailureRule>

const MAX_PGP_KEY = 20_000
const PgpPublicKey = z
  .string()
  .max(MAX_PGP_KEY)
  .refine((text) => text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----'), {
    error: 'a public key is expected that begins with -----BEGIN PGP PUBLIC KEY BLOCK-----',
  })

const settings = {
  url: WebhookUrl.nullable().meta({ description: 'Without an address (null), events are kept and not sent' }),
  topics: topics.nullable().meta({
    description: 'Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all',
  }),
  hmac_key: HmacKey.meta({ description: 'Its UTF-8 bytes sign deliveries. Default: a random key' }),
  envelope: z.enum(['details', 'data']).meta({
    description:
      'details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details',
  }),
  event_id_in: z
    .enum(['body', 'header', 'both'])
    .meta({ description: 'Where the event_id is. The header is X-Event-Id. Default: body' }),
  retry_seconds: z
    .array(z.int().min(1).max(MAX_WAIT_SECONDS))
    .max(20)
    .meta({ description: 'The simulated time before each further attempt. Default: 9 that double, from 30 on' }),
  pgp_public_key: PgpPublicKey.nullable().meta({
    description: 'The details are encrypted for the owner of this key. Default: null, which leaves them readable',
  }),
  failures: z
    .array(FailureRule)
    .max(20)
    .meta({ description: 'What goes wrong with its deliveries on purpose. Default: nothing' }),
}

/**
 * Assumed (invented): where Clients may differ (envelope, event_id, retries) each webhook has its own settings, not the Program, because one Program may
 * have receivers of different ages.
 */
export const webhookDefaults = {
  topics: null,
  envelope: 'details',
  event_id_in: 'body',
  retry_seconds: RETRIES,
  pgp_public_key: null,
  failures: [] as FailureRule[],
} as const

const EventsFrom = z.union([z.enum(['now', 'beginning']), Uid])

const WebhookStatus = z.enum(['unconfirmed', 'active', 'paused'])

export const Webhook = z.object({
  uid: Uid,
  program_uid: Uid,
  created_at: Timestamp,
  status: WebhookStatus.meta({
    description:
      'unconfirmed: its receiver has not accepted the test event yet. Until it is active, and while it is paused, its events wait',
  }),
  ...settings,
  reordered_delivery_uid: Uid.nullable().meta({ description: 'The delivery that is sent after the next event' }),
  next_event_uid: Uid.nullable().meta({
    description:
      'While it is given older events (from): the first of those that it was not given yet. Newer ones follow them',
  }),
})
export type Webhook = z.infer<typeof Webhook>

export const CreateWebhook = z.strictObject({
  program_uid: Uid.optional().meta({ description: 'Default: the first Program' }),
  url: settings.url,
  ...z.object(settings).omit({ url: true }).partial().shape,
  confirm: z.boolean().optional().meta({
    description: 'Whether the receiver must first accept a test event, with a status of 200 to 299. Default: true',
  }),
  from: EventsFrom.optional().meta({
    description:
      'Which events of before it gets: none (now), all that events.list has (beginning), or those since one of these. Default: now',
  }),
})

export type CreateWebhook = z.infer<typeof CreateWebhook>

export const WebhookChanges = z.strictObject({
  ...z.object(settings).partial().shape,
  status: z.enum(['active', 'paused']).optional(),
  from: EventsFrom.optional().meta({
    description:
      'now: what waits is not sent any more. beginning, or an event: events since then are sent that were never on their way to it. Default: what waits is sent',
  }),
})
export type WebhookChanges = z.infer<typeof WebhookChanges>

export const webhookList = list<Webhook>()({
  filters: { uid: anyOf((it) => it.uid), status: anyOf((it) => it.status) },
})

/** What happened, as it was when it happened. */
export const WebhookEvent = z.object({
  uid: Uid.meta({ description: 'The event_id' }),
  program_uid: Uid,
  created_at: Timestamp,
  topic: z.string(),
  event_type: z.string(),
  collection: z.string().nullable().meta({ description: 'Of the record that it tells of; null for a test event' }),
  record_uid: Uid.nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** A Program keeps so many events, and its log has so many. */
export const MAX_EVENTS = 20_000

/** An event of the log as it is stored, with its place among all of them. */
const OlderEvent = z
  .strictObject({ ...WebhookEvent.shape, collection: z.string(), record_uid: Uid, made: z.int().min(0) })
  .refine((event) => nameOf(event) !== undefined, { error: 'a known event is expected' })
export const OlderEvents = z.array(OlderEvent).max(MAX_EVENTS).meta({
  id: 'OlderEvents',
  description:
    'Events that are not in the history of the world. A replay passes them, so that a webhook gets what it got when it was recorded',
})
export type OlderEvents = z.infer<typeof OlderEvents>

/** undefined for a test event. */
export const nameOf = ({
  topic,
  event_type,
}: Pick<WebhookEvent, 'topic' | 'event_type'>): WebhookEventName | undefined =>
  webhookEventNames.find((name) => webhookEvents[name].topic === topic && webhookEvents[name].event_type === event_type)

export const webhookEventList = list<WebhookEvent>()({
  filters: {
    uid: anyOf((it) => it.uid),
    topic: anyOf((it) => it.topic),
    event_type: anyOf((it) => it.event_type),
    record_uid: indexed('record_uid'),
  },
})

export const DeliveryStatus = z.enum(['due', 'waiting', 'delivered', 'failed', 'held', 'dropped'])

export const MAX_ANSWER = 1_000
export const DeliveryAttempt = z.object({
  at: Timestamp,
  status: z.int().nullable().meta({ description: 'Of the answer; null if there was none' }),
  error: z.string().max(MAX_ANSWER).nullable().meta({ description: 'Why there was no answer' }),
  answer: z
    .string()
    .max(MAX_ANSWER)
    .nullable()
    .meta({ description: `The first ${MAX_ANSWER} characters of its body` }),
  ms: z.int().min(0).meta({ description: 'How long it took, in real time' }),
  health: z
    .object({ status: z.int().nullable(), error: z.string().max(MAX_ANSWER).nullable() })
    .optional()
    .meta({ description: 'What {url}/{topic}/health answered after the last attempt failed' }),
  signature_corrupted: z.boolean().optional().meta({ description: 'Its signature was wrong on purpose' }),
  sent_before: z.boolean().optional().meta({
    description:
      'It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved',
  }),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/** One event on its way to one webhook. */
export const WebhookDelivery = z.object({
  uid: Uid,
  program_uid: Uid,
  event_uid: Uid,
  webhook_uid: Uid,
  status: DeliveryStatus.meta({
    description:
      'due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent',
  }),
  failure: FailureKind.nullable().meta({ description: 'What goes wrong with it on purpose' }),
  precedes_uid: Uid.nullable().meta({ description: 'The reordered delivery that is sent after this one' }),
  next_attempt_at: Timestamp.nullable(),
  attempts: z.array(DeliveryAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Derived, so that an attempt is stored once: the collection webhook_attempts has them. */
export const derivedFields = {
  attempts: fromLinked('Each attempt to deliver it, with the outcome', 'webhook_attempts', 'delivery_uid'),
}

export const webhookDeliveryList = list<Omit<WebhookDelivery, keyof typeof derivedFields>>()({
  rules: derivedFields,
  filters: {
    uid: anyOf((it) => it.uid),
    event_uid: indexed('event_uid'),
    webhook_uid: indexed('webhook_uid'),
    status: indexed('status'),
  },
})

export const AttemptOutcome = DeliveryAttempt.omit({ at: true }).extend({
  delivery_uid: Uid,
  attempt: z.int().min(1).meta({ description: 'Which attempt of the delivery it was, from 1' }),
})
export type AttemptOutcome = z.infer<typeof AttemptOutcome>

/** What is recorded at once. */
export const MAX_OUTCOMES = 100

const StoredOutcome = DeliveryAttempt.omit({ at: true, error: true, answer: true }).extend({
  attempt: AttemptOutcome.shape.attempt,
  error: z.int().min(0).optional().meta({ description: 'Its place in texts' }),
  answer: z.int().min(0).optional().meta({ description: 'Its place in texts' }),
})

/** Attempts that were recorded together: receivers that fail answer the same many times, and here it is once. */
export const WebhookAttempts = z.object({
  uid: Uid,
  program_uid: Uid,
  at: Timestamp,
  delivery_uid: z.array(Uid).meta({ description: 'The deliveries that were attempted' }),
  outcomes: z.array(StoredOutcome).meta({ description: 'In the order of the deliveries' }),
  texts: z.array(z.string().max(MAX_ANSWER)).meta({ description: 'What receivers answered, and errors' }),
})
export type WebhookAttempts = z.infer<typeof WebhookAttempts>

export const webhookAttemptsList = list<WebhookAttempts>()({
  filters: { uid: anyOf((it) => it.uid), delivery_uid: indexed('delivery_uid') },
})

export function packOutcomes(outcomes: readonly AttemptOutcome[]): Omit<WebhookAttempts, 'uid' | 'program_uid' | 'at'> {
  const places = new Map<string, number>()
  const placeOf = (text: string) => {
    if (!places.has(text)) places.set(text, places.size)
    return places.get(text)!
  }
  return {
    delivery_uid: outcomes.map(({ delivery_uid }) => delivery_uid),
    outcomes: outcomes.map(({ delivery_uid: _, error, answer, ...outcome }) => ({
      ...outcome,
      ...(error === null ? {} : { error: placeOf(error) }),
      ...(answer === null ? {} : { answer: placeOf(answer) }),
    })),
    texts: [...places.keys()],
  }
}

export const unpackOutcomes = (stored: WebhookAttempts): AttemptOutcome[] =>
  stored.delivery_uid.flatMap((delivery_uid, i) => unpackOutcome(stored, delivery_uid, i))

/** A record of a bundle may lack parts. */
function unpackOutcome({ outcomes, texts }: WebhookAttempts, delivery_uid: Uid, i: number): AttemptOutcome[] {
  const stored = outcomes[i]
  if (!stored) return []
  const { error, answer, ...outcome } = stored
  const textAt = (place: number | undefined) => (place === undefined ? null : (texts[place] ?? null))
  return [{ delivery_uid, ...outcome, error: textAt(error), answer: textAt(answer) }]
}

/** The attempts of a delivery, from the records that have some of them, oldest first. */
export const attemptsOf = (uid: Uid, stored: readonly WebhookAttempts[]): DeliveryAttempt[] =>
  stored.flatMap((record) => {
    const found = unpackOutcome(record, uid, record.delivery_uid.indexOf(uid))
    return found.map(({ delivery_uid: _, attempt: __, ...outcome }) => ({ at: record.at, ...outcome }))
  })

export const isAccepted = ({ status }: Pick<AttemptOutcome, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

export const EventWithDeliveries = WebhookEvent.extend({ deliveries: z.array(WebhookDelivery) })
export type EventWithDeliveries = z.infer<typeof EventWithDeliveries>
