import { setTimeout } from 'node:timers/promises'
import type {
  DeliveryAttempt,
  EventWithDeliveries,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
} from '../../api/contract/resources/webhooks.ts'
import { type Action, type FormatContext, runAction, table } from './actions.ts'
import { OptionError, type Values } from './command.ts'
import { formatLine } from './paint.ts'
import { callControl, type RunningSandbox } from './running.ts'

/** `sandbank webhooks` and `sandbank events`. */

const isNotDelivered = ({ deliveries }: EventWithDeliveries) => deliveries.at(-1)?.status !== 'delivered'

const webhookActions: Readonly<Record<string, Action>> = {
  list: {
    names: [],
    method: 'webhooks.list',
    takesProgram: true,
    toInput: () => ({}),
    format: ({ webhooks }: { webhooks: Webhook[] }) =>
      webhooks.length === 0
        ? 'No webhooks'
        : table(webhooks.map((one) => [one.uid, one.status, addressOf(one), formatTopics(one)])),
  },
  create: {
    names: ['URL'],
    optional: 1,
    method: 'webhooks.create',
    takesProgram: true,
    toInput: ([url = null], values) => ({
      url,
      ...toWebhookSettings(values),
      ...(values['no-confirm'] === true && { confirm: false }),
    }),
    complete: waitForConfirmation,
    format: formatWebhook,
  },
  update: {
    names: ['UID', 'URL'],
    optional: 1,
    method: 'webhooks.update',
    toInput([uid, url], values) {
      const changes = { ...(url !== undefined && { url }), ...toWebhookSettings(values) }
      if (Object.keys(changes).length === 0)
        throw new OptionError('webhooks update: a URL, or an option such as --topic, is expected')
      return { uid, ...changes }
    },
    format: formatWebhook,
  },
  pause: {
    names: ['UID'],
    method: 'webhooks.update',
    toInput: ([uid]) => ({ uid, status: 'paused' }),
    format: ({ uid }: Webhook) => `Paused ${uid}`,
  },
  activate: {
    names: ['UID'],
    method: 'webhooks.update',
    toInput: ([uid]) => ({ uid, status: 'active' }),
    format: ({ uid }: Webhook) => `${uid} is active`,
  },
  delete: {
    names: ['UID'],
    method: 'webhooks.delete',
    toInput: ([uid]) => ({ uid }),
    format: ({ deleted }: { deleted: string }) => `Deleted ${deleted}`,
  },
  test: {
    names: ['UID'],
    method: 'webhooks.test',
    toInput: ([uid]) => ({ uid }),
    complete: waitForOutcome,
    format: formatEvent,
    isRefused: isNotDelivered,
  },
}

const eventActions: Readonly<Record<string, Action>> = {
  list: {
    names: [],
    method: 'events.list',
    takesProgram: true,
    toInput: (_names, { topic, type, record, lines = '20' }) => {
      if (!/^[1-9]\d{0,3}$/.test(String(lines)) || Number(lines) > 1000)
        throw new OptionError('--lines: a number from 1 to 1000 is expected')
      return without({ topic, event_type: type, record_uid: record, limit: Number(lines) })
    },
    format: async ({ data, total_count }: { data: EventWithDeliveries[]; total_count: number }, context) => {
      if (data.length === 0) return 'No events. A Program without webhooks keeps none'
      const addresses = await readAddresses(context.sandbox)
      const rest = data.length < total_count ? [`${data.length} of ${total_count} events`] : []
      return [...data.map((event) => formatWithAddresses(event, addresses)), ...rest].join('\n')
    },
  },
  show: { names: ['UID'], method: 'events.get', toInput: ([uid]) => ({ uid }), format: formatWithAttempts },
  resend: {
    names: ['UID', 'WEBHOOK'],
    optional: 1,
    method: 'events.resend',
    toInput: ([uid, webhook_uid]) => without({ uid, webhook_uid }),
    complete: waitForOutcome,
    format: formatEvent,
  },
  hold: { names: ['UID'], method: 'events.hold', toInput: ([uid]) => ({ uid }), format: formatEvent },
  release: {
    names: ['UID'],
    method: 'events.release',
    toInput: ([uid]) => ({ uid }),
    complete: waitForOutcome,
    format: formatEvent,
  },
}

export const webhooks = runAction('webhooks', webhookActions)
export const events = runAction('events', eventActions)

const without = (input: object) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

type WebhookSettings = Partial<Omit<WebhookChanges, 'url' | 'status'>>

/** The options that `webhooks create`, `webhooks update` and `listen` share. */
export function toWebhookSettings({ topic, key, envelope, retry, 'event-id': eventId }: Values): WebhookSettings {
  const topics = topic as readonly string[] | undefined
  return without({
    topics: topics?.includes('all') ? null : topics,
    hmac_key: key,
    envelope,
    event_id_in: eventId,
    retry_seconds: retry === undefined ? undefined : parseWaits(String(retry)),
  })
}

function parseWaits(text: string): number[] {
  if (text === 'none') return []
  if (/^\d{1,6}(,\d{1,6})*$/.test(text)) return text.split(',').map(Number)
  throw new OptionError(`--retry: seconds separated by commas, such as 30,60,120, or none are expected; found ${text}`)
}

// ── Outcomes ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A little longer than the time of a receiver to answer. */
const OUTCOME_MS = 6_000
const POLL_MS = 50

/** Waits until no delivery of an event is being sent. To a paused webhook nothing is sent. */
async function waitForOutcome(event: EventWithDeliveries, sandbox: RunningSandbox): Promise<EventWithDeliveries> {
  const { webhooks } = await callControl<{ webhooks: Webhook[] }>(sandbox, 'webhooks.list')
  const paused = new Set(webhooks.filter(({ status }) => status === 'paused').map(({ uid }) => uid))
  const isBeingSent = ({ status, webhook_uid }: WebhookDelivery) => status === 'due' && !paused.has(webhook_uid)
  const end = performance.now() + OUTCOME_MS
  let now = event
  while (now.deliveries.some(isBeingSent) && performance.now() < end) {
    await setTimeout(POLL_MS)
    now = await callControl<EventWithDeliveries>(sandbox, 'events.get', { uid: event.uid })
  }
  return now
}

/** Waits for the outcome of the test event of a new webhook. */
async function waitForConfirmation(created: Webhook, sandbox: RunningSandbox): Promise<Webhook> {
  if (created.status !== 'unconfirmed') return created
  const { uid, program_uid } = created
  const { data } = await callControl<{ data: EventWithDeliveries[] }>(sandbox, 'events.list', {
    program_uid,
    topic: 'test',
  })
  const test = data.find(({ deliveries }) => deliveries.some(({ webhook_uid }) => webhook_uid === uid))
  if (test) await waitForOutcome(test, sandbox)
  const { webhooks } = await callControl<{ webhooks: Webhook[] }>(sandbox, 'webhooks.list', { program_uid })
  return webhooks.find((one) => one.uid === uid) ?? created
}

// ── Texts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const addressOf = ({ url }: Webhook) => url ?? 'sent nowhere'
const formatTopics = ({ topics }: Webhook) => topics?.join(', ') ?? 'all events'

function formatWebhook(webhook: Webhook): string {
  const { uid, status, hmac_key } = webhook
  const next =
    status === 'unconfirmed'
      ? [`Its receiver has not accepted the test event. To send it again: sandbank webhooks test ${uid}`]
      : []
  const rows = [
    ['Webhook', uid],
    ['Status', status],
    ['Address', addressOf(webhook)],
    ['Topics', formatTopics(webhook)],
    ['Key', hmac_key],
  ]
  return [table(rows), ...next].join('\n')
}

async function readAddresses(sandbox: RunningSandbox): Promise<ReadonlyMap<string, string>> {
  const { webhooks } = await callControl<{ webhooks: Webhook[] }>(sandbox, 'webhooks.list')
  return new Map(webhooks.map((one) => [one.uid, addressOf(one)]))
}

async function formatEvent(event: EventWithDeliveries, { sandbox }: FormatContext): Promise<string> {
  return formatWithAddresses(event, await readAddresses(sandbox))
}

async function formatWithAttempts(event: EventWithDeliveries, { sandbox }: FormatContext): Promise<string> {
  const addresses = await readAddresses(sandbox)
  const deliveries = event.deliveries.flatMap((delivery) => [
    formatDelivery(delivery, addresses),
    ...delivery.attempts.map((attempt) => `    ${attempt.at}  ${formatAttempt(attempt)}`),
  ])
  return [formatHead(event), ...deliveries, JSON.stringify(event.details, null, 2)].join('\n')
}

const formatWithAddresses = (event: EventWithDeliveries, addresses: ReadonlyMap<string, string>) =>
  [formatHead(event), ...event.deliveries.map((delivery) => formatDelivery(delivery, addresses))].join('\n')

/** One event has one name: a test event has the same topic and type. */
export const nameOfEvent = (topic: string, event_type: string) =>
  topic === event_type ? topic : `${topic}.${event_type}`

const formatHead = ({ uid, created_at, topic, event_type, record_uid }: EventWithDeliveries) =>
  formatLine([created_at, nameOfEvent(topic, event_type), record_uid ?? 'no record', uid])

function formatDelivery(
  { status, webhook_uid, next_attempt_at, attempts }: WebhookDelivery,
  addresses: ReadonlyMap<string, string>,
): string {
  const last = attempts.at(-1)
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  const parts = [
    addresses.get(webhook_uid) ?? `webhook ${webhook_uid}, deleted`,
    last ? `${count}: ${formatAttempt(last)}` : 'not sent yet',
    status === 'waiting' && `next ${next_attempt_at}`,
  ]
  return `  ${formatLine([status.padEnd(9), ...parts])}`
}

const MAX_SHOWN = 120

/** The answer of a receiver is quoted, because it may have any characters. */
function formatAttempt({ status, error, answer, ms, sent_before }: DeliveryAttempt): string {
  const parts = [
    status === null ? (error ?? 'no answer') : String(status),
    answer ? JSON.stringify(answer.slice(0, MAX_SHOWN)) : undefined,
    sent_before ? 'sent before a rewind' : `${ms} ms`,
  ]
  return formatLine(parts)
}
