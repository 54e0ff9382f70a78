import { MAX_SHOWN, type WorldChanges } from '../contract/control/changes.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { type Outcomes, showTask } from '../domain/resources/show.ts'
import { type Change, changesInParts } from '../store/commit.ts'
import { areEqual } from '../store/equal.ts'
import { findCommit } from '../store/history.ts'
import { RecordMap } from '../store/record-map.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import {
  readCollection,
  type StoredRecord,
  type TaskRecord,
  type WebhookDeliveryRecord,
  type WebhookEventRecord,
  type WebhookRecord,
} from '../store/world.ts'
import { describeDifferences } from './differences.ts'
import { eventsAfter } from './event-log.ts'
import { pairOf } from './matching.ts'

/** What has changed since a commit. It follows from the commits since, so it takes as long as what has changed, not as the world. */
export function* changesSince(
  store: ReadStore,
  since: number,
  now: Timestamp,
  outcomes: Outcomes,
): Steps<WorldChanges> {
  // What comes while it runs is not a part.
  const { seq, counters } = store.world
  const before = yield* timeAfter(store, since)
  const changes = [...(yield* collectChanges(store, since, seq)).values()].sort((a, b) => madeOf(a) - madeOf(b))
  const worlds = [store.world, store.world] as const
  const { total_count, others: _, ...parts } = yield* describeDifferences(changes.map(pairOf), { worlds, labels: null })
  const deliveries = createdIn<WebhookDeliveryRecord>(changes, 'webhook_deliveries')
  const events = withSent(store, (yield* eventsAfter(store, since)).events, deliveries).filter(
    ({ made }) => made < counters.made,
  )
  const tasks = createdIn<TaskRecord>(changes, 'tasks')
  return {
    since,
    seq,
    clock: { before, after: now },
    ...parts,
    events: events.slice(0, MAX_SHOWN).map(({ uid, topic, event_type, record_uid }) => ({
      uid,
      topic,
      event_type,
      record_uid,
      sent_to: deliveries.filter(({ event_uid }) => event_uid === uid).flatMap((one) => addressOf(store, one)),
    })),
    tasks: tasks.slice(0, MAX_SHOWN).map((task) => showTask(task, outcomes.get(task.uid))),
    total_count: {
      sentences: total_count.sentences,
      balances: total_count.balances,
      records: total_count.records,
      events: events.length,
      tasks: tasks.length,
    },
  }
}

const madeOf = ({ record, was }: Change) => (record ?? was)!.made

function* timeAfter(store: ReadStore, seq: number): Steps<string> {
  const { beginning, firstSeq, world } = store
  if (seq > world.seq) throw refusal(`there is no commit ${seq} yet: the newest one is ${world.seq}`)
  if (seq === beginning.seq) return beginning.clock.at
  const commit = yield* findCommit(store, seq)
  if (commit) return commit.clock?.at ?? commit.stood_at ?? commit.at
  throw refusal(`commit ${seq} is not in the history any more, which begins with commit ${firstSeq}`)
}

const refusal = (extra: string) => new ApiError('invalidArgument', `since: ${extra}`)

/** Each record that differs, once: from what it was then to what it is now. */
function* collectChanges(store: ReadStore, since: number, until: number): Steps<RecordMap<Change>> {
  const found = new RecordMap<Change>()
  for (const commit of store.historyInSteps({ after: since, before: until + 1 })) {
    yield
    if (!commit || commit.seq > until) continue
    if (commit.seq <= since) break
    for (const part of changesInParts(commit)) {
      for (const change of part) found.set(change, { ...(found.get(change) ?? change), was: change.was })
      yield part.length
    }
  }
  for (const change of [...found.values()]) if (areEqual(change.was, change.record)) found.delete(change)
  return found
}

const createdIn = <T extends StoredRecord>(changes: readonly Change[], wanted: Change['collection']) =>
  changes.flatMap(({ collection, record, was }) => (collection === wanted && record && !was ? [record as T] : []))

/** With those that are older and are sent now: test events, and what a late webhook or a further delivery gets. */
function withSent(
  { world }: ReadStore,
  events: readonly WebhookEventRecord[],
  deliveries: readonly WebhookDeliveryRecord[],
): readonly WebhookEventRecord[] {
  const sent = new Set(deliveries.map(({ event_uid }) => event_uid))
  for (const { uid } of events) sent.delete(uid)
  const others = [...sent].map((uid) => readCollection(world, 'webhook_events').get(uid) as WebhookEventRecord)
  return [...others, ...events].sort((a, b) => a.made - b.made)
}

function addressOf({ world }: ReadStore, { webhook_uid }: WebhookDeliveryRecord): string[] {
  const webhook = readCollection(world, 'webhooks').get(webhook_uid) as WebhookRecord | undefined
  return typeof webhook?.url === 'string' ? [webhook.url] : []
}
