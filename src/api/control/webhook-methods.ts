import { isCollection } from '../contract/collections.ts'
import type { MethodName, MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { type OlderEvents, webhookEventList } from '../contract/resources/webhooks.ts'
import { paginate, type Source } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { isSince, showEvent, wantsEvent, writeMissing } from '../domain/resources/webhooks.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import type { ReadTx, Tx } from '../store/tx.ts'
import type { WebhookEventRecord } from '../store/world.ts'
import { readEventLog } from '../views/event-log.ts'
import { requirePublicKey } from '../webhooks/pgp.ts'
import type { OperatorDoor } from './door.ts'
import { causeOf, notFound, readProgram } from './program-scope.ts'

type WithKey = Pick<MethodParsed<'webhooks.update'>, 'pgp_public_key'>

export async function refuseUnreadableKey({ pgp_public_key: key }: WithKey): Promise<void> {
  if (typeof key !== 'string') return
  await requirePublicKey(key).catch((error: Error) => {
    throw new ApiError('invalidArgument', `pgp_public_key: the key cannot be used to encrypt: ${error.message}`)
  })
}

export function* listEvents(
  door: OperatorDoor,
  { program_uid, topic, event_type, record_uid, since, wanted, wanted_by, ...page }: MethodParsed<'events.list'>,
): Steps<MethodOutput<'events.list'>> {
  const log = wanted && since === undefined ? [] : yield* readEventLog(door.store)
  return readProgram(door, program_uid, (tx) => {
    const first = since === undefined ? undefined : (findEvent(tx, log, since) ?? throwNoEvent(since))
    const all = eventsIn(tx, wanted ? [] : log)
    const webhook = wanted_by === undefined ? undefined : requireWebhook(tx, wanted_by)
    const isChosen = (event: WebhookEventRecord) =>
      (!first || isSince(event, first)) && (!webhook || wantsEvent(webhook, event))
    const query = {
      ...page,
      ...(topic === undefined ? {} : { topic: [topic] }),
      ...(event_type === undefined ? {} : { event_type: [event_type] }),
      ...(record_uid === undefined ? {} : { record_uid: [record_uid] }),
    }
    const { data, total_count } = paginate(webhookEventList, first || webhook ? filtered(all, isChosen) : all, query)
    return { data: data.map((event) => showEvent(tx, event)), total_count }
  })
}

const requireWebhook = (tx: ReadTx, uid: Uid) => tx.webhooks.get(uid) ?? notFound(`there is no webhook ${uid}`)

const findEvent = (tx: ReadTx, log: readonly WebhookEventRecord[], uid: Uid) =>
  tx.webhook_events.get(uid) ?? log.find((event) => event.uid === uid && event.program_uid === tx.program.uid)

type Events = Source<WebhookEventRecord>

/** The records of its Program and the others of the log: both are in order, so a page is read without sorting them. */
function eventsIn(tx: ReadTx, log: readonly WebhookEventRecord[]): Events {
  const isOther = ({ uid, program_uid }: WebhookEventRecord) =>
    program_uid === tx.program.uid && !tx.webhook_events.get(uid)
  const others = log.filter(isOther)
  if (others.length === 0) return tx.webhook_events
  return {
    size: tx.webhook_events.size + others.length,
    newestFirst: () => merge(tx.webhook_events.newestFirst(), others),
    findByIndex: () => undefined,
  }
}

function* merge(newestFirst: Iterable<WebhookEventRecord>, others: readonly WebhookEventRecord[]) {
  let left = others.length
  for (const event of newestFirst) {
    while (left > 0 && others[left - 1]!.made > event.made) yield others[--left]!
    yield event
  }
  while (left > 0) yield others[--left]!
}

function filtered(all: Events, isChosen: (event: WebhookEventRecord) => boolean): Events {
  const found = [...all.newestFirst()].filter(isChosen)
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}

const throwNoEvent = (uid: Uid): never => notFound(`there is no event ${uid} in the log: pass one that events.list has`)

/** Whether an action needs the event log, which takes time when it is read first. */
const needsLog: {
  readonly [N in MethodName]?: (input: MethodParsed<N>, isRecord: (event: Uid) => boolean) => boolean
} = {
  'webhooks.create': ({ from = 'now' }) => from !== 'now',
  'webhooks.update': ({ from = 'now' }) => from !== 'now',
  'events.resend': ({ uid, webhook_uid, and_newer }, isRecord) =>
    !isRecord(uid) || (and_newer === true && webhook_uid !== undefined),
  'events.hold': ({ uid }, isRecord) => !isRecord(uid),
  'events.release': ({ uid }, isRecord) => !isRecord(uid),
}

/** Steps to run before an action, so that it need not read the log itself. */
export function readLogFor<N extends MethodName>(
  store: Store,
  name: N,
  input: MethodParsed<N>,
): Steps<unknown> | undefined {
  const isRecord = (event: Uid) => store.world.collections.webhook_events.get(event) !== undefined
  return needsLog[name]?.(input, isRecord) ? readEventLog(store) : undefined
}

/**
 * All events, for an action: their steps ran before it, except for the newest commits. `older`: those of a replay, whose history begins
 * later than that of the recorded world.
 */
function readAll({ store }: OperatorDoor, older: OlderEvents = []): readonly WebhookEventRecord[] {
  const log = runToEnd(readEventLog(store))
  if (older.length === 0) return log
  const { counters, collections } = store.world
  for (const { uid, made, collection, record_uid } of older)
    if (made >= counters.made || !isCollection(collection) || !collections[collection].get(record_uid))
      throw new ApiError('invalidArgument', `older: the event ${uid} tells of no record that this world had before`)
  const known = new Set(log.map(({ uid }) => uid))
  return [...older.filter(({ uid }) => !known.has(uid)), ...log].sort((a, b) => a.made - b.made)
}

export const eventLogOf = (door: OperatorDoor, program_uid: Uid, older?: OlderEvents) =>
  readAll(door, older).filter((event) => event.program_uid === program_uid)

export const requireEvent = (door: OperatorDoor, uid: Uid, older?: OlderEvents): WebhookEventRecord => {
  const found = door.store.world.collections.webhook_events.get(uid)
  return found ?? readAll(door, older).find((event) => event.uid === uid) ?? throwNoEvent(uid)
}

/** Writes in the Program of an event, which is a record from then on. */
export function transactForEvent<T>(
  door: OperatorDoor,
  method: MethodName,
  { uid, older }: MethodParsed<'events.hold'>,
  work: (tx: Tx) => T,
): T {
  const event = requireEvent(door, uid, older)
  return door.store.transact(event.program_uid, causeOf(method), (tx) => {
    writeMissing(tx, [event])
    return work(tx)
  })
}
