import { useMemo } from 'react'
import type { Webhook, WebhookDelivery } from '../../../api/contract/resources/webhooks.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatDateTime, plural } from '../../format/text.ts'
import { GlyphText } from '../../ui/Text.tsx'
import { signalOfGlyph, statusGlyphs } from '../Status.tsx'

/** The state of deliveries, as a line or in a cell. */

export type DeliverySummary = Pick<WebhookDelivery, 'uid' | 'event_uid' | 'webhook_uid' | 'status' | 'next_attempt_at'>

/** The status of an event without deliveries. */
export const ONLY_KEPT = 'only kept'
export const ONLY_KEPT_HINT = 'It was kept and sent nowhere: no webhook with an address had subscribed to it.'

export const eventName = ({ topic, event_type }: { readonly topic: string; readonly event_type: string }) =>
  `${topic}.${event_type}`

function describeDelivery({ status, next_attempt_at }: DeliverySummary, webhook: Webhook | undefined): string {
  if (status === 'waiting' && next_attempt_at !== null)
    return `waiting until ${formatDateTime(Date.parse(next_attempt_at))}`
  if (status === 'due' && webhook?.status === 'paused') return 'due, but the webhook is paused'
  return status
}

export const DeliveryState = ({ delivery, webhook }: { delivery: DeliverySummary; webhook: Webhook | undefined }) => (
  <StateText status={delivery.status}>{describeDelivery(delivery, webhook)}</StateText>
)

function StateText({ status, children }: { status: string; children: string }) {
  const shape = statusGlyphs[status] ?? 'under-way'
  return (
    <GlyphText glyph={shape} signal={signalOfGlyph(shape)} title={children}>
      <span className="cut">{children}</span>
    </GlyphText>
  )
}

/** The newest delivery to each webhook: after a resend the earlier ones no longer count. */
export function latestDeliveries<D extends DeliverySummary>(newestFirst: readonly D[]): readonly D[] {
  const seen = new Set<string>()
  return newestFirst.filter(({ webhook_uid }) => !seen.has(webhook_uid) && seen.add(webhook_uid))
}

/** What became of an event, in a few words. */
export function describeDeliveries(newestFirst: readonly DeliverySummary[], webhooks: WebhooksByUid): string {
  const latest = latestDeliveries(newestFirst)
  const [only] = latest
  if (!only) return ONLY_KEPT
  if (latest.length === 1) return describeDelivery(only, webhooks.get(only.webhook_uid))
  return countByStatus(latest)
    .map(({ text }) => text)
    .join(', ')
}

function countByStatus(deliveries: readonly DeliverySummary[]) {
  const counts = new Map<string, number>()
  for (const { status } of deliveries) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => ({ status, text: `${count} ${status}` }))
}

interface EventStateProps {
  /** Newest first. */
  readonly deliveries: readonly DeliverySummary[]
  readonly webhooks: WebhooksByUid
}

/** The state of all deliveries of an event. */
export function EventState({ deliveries, webhooks }: EventStateProps) {
  const latest = latestDeliveries(deliveries)
  const [only] = latest
  if (!only)
    return (
      <GlyphText glyph="not-begun" signal="soft" title={ONLY_KEPT_HINT}>
        <span>{ONLY_KEPT}</span>
      </GlyphText>
    )
  if (latest.length === 1) return <DeliveryState delivery={only} webhook={webhooks.get(only.webhook_uid)} />
  return (
    <span className="row" title={`To ${plural(latest.length, 'webhook')}`}>
      {countByStatus(latest).map(({ status, text }) => (
        <StateText key={status} status={status}>
          {text}
        </StateText>
      ))}
    </span>
  )
}

export type WebhooksByUid = ReadonlyMap<string, Webhook>

const NONE: readonly Webhook[] = []

/** The webhooks of all Programs, oldest first. `isKnown` is false until they are read. */
export function useWebhooks() {
  const { data, error } = useQuery('webhooks.list', {}, ['webhooks'])
  const webhooks = data?.webhooks ?? NONE
  const byUid: WebhooksByUid = useMemo(() => new Map(webhooks.map((webhook) => [webhook.uid, webhook])), [webhooks])
  return { webhooks, byUid, isKnown: data !== undefined, error }
}

/** How a webhook is called where its address is not shown beside it. */
export const webhookName = (webhook: Webhook | undefined) =>
  webhook === undefined ? 'a deleted webhook' : (webhook.url ?? 'no address')
