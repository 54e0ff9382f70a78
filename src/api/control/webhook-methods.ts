import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { webhookEventList } from '../contract/resources/webhooks.ts'
import { paginate, type Source } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import * as webhooks from '../domain/resources/webhooks.ts'
import type { ReadTx } from '../store/tx.ts'
import type { WebhookEventRecord } from '../store/world.ts'
import { requirePublicKey } from '../webhooks/pgp.ts'
import type { OperatorDoor } from './door.ts'
import { causeOf, readProgram, requireProgram, requireRecord, transactForRecord } from './program-scope.ts'

/** The control methods of webhooks and of their events. */

export function createWebhook(
  door: OperatorDoor,
  input: MethodParsed<'webhooks.create'>,
): MethodOutput<'webhooks.create'> {
  const program = requireProgram(door, input.program_uid)
  return door.store.transact(program, causeOf('webhooks.create'), (tx) => webhooks.create(tx, input))
}

export const listWebhooks = (
  { store }: OperatorDoor,
  { program_uid }: MethodParsed<'webhooks.list'>,
): MethodOutput<'webhooks.list'> => ({
  webhooks: store.world.collections.webhooks
    .inOrder()
    .filter((webhook) => program_uid === undefined || webhook.program_uid === program_uid),
})

export const updateWebhook = (door: OperatorDoor, { uid, ...changes }: MethodParsed<'webhooks.update'>) =>
  transactForRecord(door, 'webhooks', uid, causeOf('webhooks.update'), (tx) => webhooks.update(tx, uid, changes))

type WithKey = Pick<MethodParsed<'webhooks.update'>, 'pgp_public_key'>

export async function refuseUnreadableKey({ pgp_public_key: key }: WithKey): Promise<void> {
  if (typeof key !== 'string') return
  await requirePublicKey(key).catch((error: Error) => {
    throw new ApiError('invalidArgument', `pgp_public_key: the key cannot be used to encrypt: ${error.message}`)
  })
}

export const deleteWebhook = (door: OperatorDoor, { uid }: MethodParsed<'webhooks.delete'>) => {
  transactForRecord(door, 'webhooks', uid, causeOf('webhooks.delete'), (tx) => webhooks.remove(tx, uid))
  return { deleted: uid }
}

export const testWebhook = (door: OperatorDoor, { uid }: MethodParsed<'webhooks.test'>) =>
  transactForRecord(door, 'webhooks', uid, causeOf('webhooks.test'), (tx) =>
    webhooks.showEvent(tx, webhooks.test(tx, uid)),
  )

export const recordAttempts = (
  { store }: OperatorDoor,
  { outcomes }: MethodParsed<'webhooks.record_attempts'>,
): MethodOutput<'webhooks.record_attempts'> =>
  store.operate(causeOf('webhooks.record_attempts'), (tx) => ({ recorded: webhooks.recordAttempts(tx, outcomes) }))

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
    return { data: data.map((event) => webhooks.showEvent(tx, event)), total_count }
  })

function eventsIn(tx: ReadTx, since: Uid | undefined): Source<WebhookEventRecord> {
  if (since === undefined) return tx.webhook_events
  const found = webhooks.eventsSince(tx, webhooks.findEvent(tx, since)).reverse()
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}

export const getEvent = (door: OperatorDoor, { uid }: MethodParsed<'events.get'>) =>
  readProgram(door, requireRecord(door, 'webhook_events', uid).program_uid, (tx) =>
    webhooks.showEvent(tx, webhooks.findEvent(tx, uid)),
  )

export const resendEvent = (door: OperatorDoor, { uid, ...input }: MethodParsed<'events.resend'>) =>
  transactForRecord(door, 'webhook_events', uid, causeOf('events.resend'), (tx) => webhooks.resend(tx, uid, input))

export const holdEvent = (door: OperatorDoor, { uid }: MethodParsed<'events.hold'>) =>
  transactForRecord(door, 'webhook_events', uid, causeOf('events.hold'), (tx) => webhooks.hold(tx, uid))

export const releaseEvent = (door: OperatorDoor, { uid, failure }: MethodParsed<'events.release'>) =>
  transactForRecord(door, 'webhook_events', uid, causeOf('events.release'), (tx) => webhooks.release(tx, uid, failure))
