import type { Webhook, WebhookEvent } from './resources/webhooks.ts'

/**
 * The body of an event as a webhook sends it; the details may be encrypted. Assumed (example): the old envelope has all of the body in `data`.
 */
export function buildEventBody(
  { envelope, event_id_in }: Pick<Webhook, 'envelope' | 'event_id_in'>,
  { uid, event_type, details }: Pick<WebhookEvent, 'uid' | 'event_type'> & { readonly details: unknown },
): Readonly<Record<string, unknown>> {
  const content = { event_type, ...(event_id_in === 'header' ? {} : { event_id: uid }), details }
  return envelope === 'data' ? { data: content } : content
}
