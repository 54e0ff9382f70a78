import type { MethodName, MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { webhookEventList } from '../contract/resources/webhooks.ts'
import { paginate, type Source } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { isSince, showEvent, writeMissing } from '../domain/resources/webhooks.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import type { ReadTx, Tx } from '../store/tx.ts'
import type { WebhookEventRecord } from '../store/world.ts'
import { readEventLog } from '../views/event-log.ts'
import { requirePublicKey } from '../webhooks/pgp.ts'
import type { OperatorDoor } from './door.ts'
import { causeOf, readProgram } from './program-scope.ts'

type WithKey = Pick<MethodParsed<'webhooks.update'>, 'pgp_public_key'>

export async function refuseUnreadableKey({ pgp_public_key: key }: WithKey): Promise<void> {
  if (typeof key !== 'string') return
  await requirePublicKey(key).catch((error: Error) => {
    throw new ApiError('invalidArgument', `pgp_public_key: the key cannot be used to encrypt: ${error.message}`)
  })
}

export function* listEvents(
  door: OperatorDoor,
  { program_uid, topic, event_type, record_uid, since, wanted, ...page }: MethodParsed<'events.list'>,
): Steps<MethodOutput<'events.list'>> {
  const log = wanted ? [] : yield* readEventLog(door.store)
  return readProgram(door, program_uid, (tx) => {
    const query = {
      ...page,
      ...(topic === undefined ? {} : { topic: [topic] }),
      ...(event_type === undefined ? {} : { event_type: [event_type] }),
      ...(record_uid === undefined ? {} : { record_uid: [record_uid] }),
    }
    const { data, total_count } = paginate(webhookEventList, eventsIn(tx, log, since), query)
    return { data: data.map((event) => showEvent(tx, event)), total_count }
  })
}

function eventsIn(tx: ReadTx, log: readonly WebhookEventRecord[], since: Uid | undefined): Source<WebhookEventRecord> {
  const isOther = ({ uid, program_uid }: WebhookEventRecord) =>
    program_uid === tx.program.uid && !tx.webhook_events.get(uid)
  const others = log.filter(isOther)
  if (since === undefined && others.length === 0) return tx.webhook_events
  const all = [...tx.webhook_events.newestFirst(), ...others].sort((a, b) => b.made - a.made)
  const first = since === undefined ? all.at(-1) : all.find(({ uid }) => uid === since)
  if (!first) throw noEvent(since!)
  const found = since === undefined ? all : all.filter((event) => isSince(event, first))
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}

const noEvent = (uid: Uid) =>
  new ApiError('routeNotFound', `there is no event ${uid} in the log: pass one that events.list has`)

/** All events of its Program, for an action: their steps ran before it, except for the newest commits. */
export const eventLogOf = ({ store }: OperatorDoor, program_uid: Uid): readonly WebhookEventRecord[] =>
  runToEnd(readEventLog(store)).filter((event) => event.program_uid === program_uid)

export const requireEvent = ({ store }: OperatorDoor, uid: Uid): WebhookEventRecord => {
  const found = store.world.collections.webhook_events.get(uid)
  return found ?? runToEnd(readEventLog(store)).find((event) => event.uid === uid) ?? throwNoEvent(uid)
}

const throwNoEvent = (uid: Uid): never => {
  throw noEvent(uid)
}

/** Writes in the Program of an event, which is a record from then on. */
export function transactForEvent<T>(door: OperatorDoor, method: MethodName, uid: Uid, work: (tx: Tx) => T): T {
  const event = requireEvent(door, uid)
  return door.store.transact(event.program_uid, causeOf(method), (tx) => {
    writeMissing(tx, [event])
    return work(tx)
  })
}
