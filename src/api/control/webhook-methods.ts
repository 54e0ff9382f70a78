import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { webhookEventList } from '../contract/resources/webhooks.ts'
import { paginate, type Source } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { eventsSince, findEvent, showEvent } from '../domain/resources/webhooks.ts'
import type { ReadTx } from '../store/tx.ts'
import type { WebhookEventRecord } from '../store/world.ts'
import { requirePublicKey } from '../webhooks/pgp.ts'
import type { OperatorDoor } from './door.ts'
import { readProgram } from './program-scope.ts'

type WithKey = Pick<MethodParsed<'webhooks.update'>, 'pgp_public_key'>

export async function refuseUnreadableKey({ pgp_public_key: key }: WithKey): Promise<void> {
  if (typeof key !== 'string') return
  await requirePublicKey(key).catch((error: Error) => {
    throw new ApiError('invalidArgument', `pgp_public_key: the key cannot be used to encrypt: ${error.message}`)
  })
}

export const listEvents = (
  door: OperatorDoor,
  { program_uid, topic, event_type, record_uid, since, ...page }: MethodParsed<'events.list'>,
): MethodOutput<'events.list'> =>
  readProgram(door, program_uid, (tx) => {
    const query = {
      ...page,
      ...(topic === undefined ? {} : { topic: [topic] }),
      ...(event_type === undefined ? {} : { event_type: [event_type] }),
      ...(record_uid === undefined ? {} : { record_uid: [record_uid] }),
    }
    const { data, total_count } = paginate(webhookEventList, eventsIn(tx, since), query)
    return { data: data.map((event) => showEvent(tx, event)), total_count }
  })

function eventsIn(tx: ReadTx, since: Uid | undefined): Source<WebhookEventRecord> {
  if (since === undefined) return tx.webhook_events
  const found = eventsSince(tx, findEvent(tx, since)).reverse()
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}
