import { setTimeout } from 'node:timers/promises'
import type {
  DeliveryAttempt,
  EventWithDeliveries,
  Webhook,
  WebhookDelivery,
} from '../../api/contract/resources/webhooks.ts'
import { type ReportContext, runActions } from './actions.ts'
import { formatCount, formatTable } from './format.ts'
import { formatLine } from './paint.ts'
import { callControl, type RunningSandbox } from './running.ts'
import { commands } from './table.ts'

/** What `sandbank webhooks` and `sandbank events` print. */

export const webhooks = runActions(commands.webhooks, {
  list: ({ webhooks }) =>
    webhooks.length === 0
      ? 'No webhooks'
      : formatTable(webhooks.map((one) => [one.uid, one.status, addressOf(one), formatTopics(one)])),
  create: { complete: waitForConfirmation, format: formatWebhook },
  update: formatWebhook,
  pause: ({ uid }) => `Paused ${uid}`,
  activate: ({ uid }) => `${uid} is active`,
  delete: ({ deleted }) => `Deleted ${deleted}`,
  test: {
    complete: waitForOutcome,
    format: formatEvent,
    hasFailed: ({ deliveries }) => deliveries.at(-1)?.status !== 'delivered',
  },
})

export const events = runActions(commands.events, {
  list: async ({ data, total_count }, { sandbox }) => {
    if (data.length === 0) return 'No events'
    const addresses = await readAddresses(sandbox)
    const rest = data.length < total_count ? [`${data.length} of ${total_count} events`] : []
    return [...data.map((event) => formatWithAddresses(event, addresses)), ...rest].join('\n')
  },
  show: async (event, { sandbox }) =>
    `${formatWithAddresses(event, await readAddresses(sandbox), formatAttempts)}\n${JSON.stringify(event.details, null, 2)}`,
  resend: { complete: waitForOutcome, format: formatEvent },
  example: { complete: waitForOutcome, format: formatEvent },
  hold: formatEvent,
  release: { complete: waitForOutcome, format: formatEvent },
})

// ── Outcomes ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A little longer than the time of a receiver to answer. */
const OUTCOME_MS = 6_000
const POLL_MS = 50

/** Waits until no delivery of an event is being sent. To a webhook that is not active nothing is sent but test events. */
async function waitForOutcome(event: EventWithDeliveries, sandbox: RunningSandbox): Promise<EventWithDeliveries> {
  const { webhooks } = await callControl(sandbox, 'webhooks.list')
  const isSentTo = ({ status }: Webhook) => status === 'active' || (status === 'unconfirmed' && event.topic === 'test')
  const open = new Set(webhooks.filter(isSentTo).map(({ uid }) => uid))
  const isBeingSent = ({ status, webhook_uid }: WebhookDelivery) => status === 'due' && open.has(webhook_uid)
  const end = performance.now() + OUTCOME_MS
  let now = event
  while (now.deliveries.some(isBeingSent) && performance.now() < end) {
    await setTimeout(POLL_MS)
    now = await callControl(sandbox, 'events.get', { uid: event.uid })
  }
  return now
}

/** Waits for the outcome of the test event of a new webhook. */
async function waitForConfirmation(created: Webhook, sandbox: RunningSandbox): Promise<Webhook> {
  if (created.status !== 'unconfirmed') return created
  const { uid, program_uid } = created
  const { data } = await callControl(sandbox, 'events.list', { program_uid, topic: 'test', wanted: true })
  const test = data.find(({ deliveries }) => deliveries.some(({ webhook_uid }) => webhook_uid === uid))
  if (test) await waitForOutcome(test, sandbox)
  const { webhooks } = await callControl(sandbox, 'webhooks.list', { program_uid })
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
  const rows = Object.entries({
    Webhook: uid,
    Status: status,
    Address: addressOf(webhook),
    Topics: formatTopics(webhook),
    Key: hmac_key,
  })
  return [formatTable(rows), ...next].join('\n')
}

async function readAddresses(sandbox: RunningSandbox): Promise<ReadonlyMap<string, string>> {
  const { webhooks } = await callControl(sandbox, 'webhooks.list')
  return new Map(webhooks.map((one) => [one.uid, addressOf(one)]))
}

async function formatEvent(event: EventWithDeliveries, { sandbox }: ReportContext): Promise<string> {
  return formatWithAddresses(event, await readAddresses(sandbox))
}

/** `formatMore`: further lines of each delivery. */
function formatWithAddresses(
  { created_at, topic, event_type, record_uid, uid, deliveries }: EventWithDeliveries,
  addresses: ReadonlyMap<string, string>,
  formatMore = (_delivery: WebhookDelivery): readonly string[] => [],
): string {
  const head = formatLine([created_at, nameOfEvent(topic, event_type), record_uid ?? 'no record', uid])
  return [head, ...deliveries.flatMap((one) => [formatDelivery(one, addresses), ...formatMore(one)])].join('\n')
}

const formatAttempts = ({ attempts }: WebhookDelivery) =>
  attempts.map((attempt) => `    ${attempt.at}  ${formatAttempt(attempt)}`)

/** One event has one name: a test event has the same topic and type. */
export const nameOfEvent = (topic: string, event_type: string) =>
  topic === event_type ? topic : `${topic}.${event_type}`

function formatDelivery(
  { status, webhook_uid, next_attempt_at, attempts }: WebhookDelivery,
  addresses: ReadonlyMap<string, string>,
): string {
  const last = attempts.at(-1)
  const parts = [
    addresses.get(webhook_uid) ?? `webhook ${webhook_uid}, deleted`,
    last ? `${formatCount(attempts.length, 'attempt')}: ${formatAttempt(last)}` : 'not sent yet',
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
