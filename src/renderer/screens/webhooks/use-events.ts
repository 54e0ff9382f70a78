import { useMemo } from 'react'
import type { DeliverySummary } from '../../components/webhooks/deliveries.tsx'
import { type WebhooksByUid, webhookName } from '../../components/webhooks/use-webhooks.ts'
import { useRecords } from '../../data/live-list.ts'
import { useRoute } from '../../data/route.ts'
import { type DeliveriesOf, deliverySource, eventColumns, eventFilters, eventSource } from './columns.tsx'

const NONE: readonly DeliverySummary[] = []

/** The columns and filters of the list of events: they need the deliveries, which are a collection of their own. */
export function useEventList(program_uid: string | undefined, webhooks: WebhooksByUid) {
  const { rows, total } = useRecords(deliverySource, program_uid)
  return useMemo(() => {
    const byEvent = new Map<string, DeliverySummary[]>()
    for (const delivery of rows) {
      const known = byEvent.get(delivery.event_uid)
      if (known) known.push(delivery)
      else byEvent.set(delivery.event_uid, [delivery])
    }
    const isWhole = total !== undefined && rows.length >= total
    const deliveriesOf: DeliveriesOf = (uid) => byEvent.get(uid) ?? (isWhole ? NONE : undefined)
    return { columns: eventColumns(deliveriesOf, webhooks), filters: eventFilters(deliveriesOf) }
  }, [rows, total, webhooks])
}

/** The filters that only links set: the events of one record, or those that were for one webhook. */
export function useOnly(program_uid: string | undefined, webhooks: WebhooksByUid) {
  const record = useRoute(({ params }) => params.record_uid?.[0])
  const webhook = useRoute(({ params }) => params.webhook_uid?.[0])
  const events = useRecords(eventSource, program_uid)
  const deliveries = useRecords(deliverySource, program_uid)
  return useMemo(() => {
    if (record !== undefined) {
      const uids = events.rows.filter(({ record_uid }) => record_uid === record).map(({ uid }) => uid)
      return { param: 'record_uid', title: 'Record', text: record, uids: known(events, uids) }
    }
    if (webhook === undefined) return null
    const uids = deliveries.rows.filter(({ webhook_uid }) => webhook_uid === webhook).map((row) => row.event_uid)
    return {
      param: 'webhook_uid',
      title: 'Webhook',
      text: webhookName(webhooks.get(webhook)),
      uids: known(deliveries, uids),
    }
  }, [record, webhook, events, deliveries, webhooks])
}

const known = ({ total }: { readonly total: number | undefined }, uids: readonly string[]) =>
  total === undefined ? undefined : new Set(uids)
