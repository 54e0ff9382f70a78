import { useMemo } from 'react'
import type { Webhook } from '../../../api/contract/resources/webhooks.ts'
import { useQuery } from '../../data/use-query.ts'

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
