import { amountOf, rowOf } from '../contract/collections.ts'
import { MAX_SHOWN, type WorldChanges } from '../contract/control/changes.ts'
import { ApiError } from '../contract/errors.ts'
import { netBalances } from '../contract/terms/balances.ts'
import type { Money, Timestamp } from '../contract/terms/primitives.ts'
import { type Outcomes, showTask } from '../domain/resources/show.ts'
import { subtract, ZERO } from '../domain/rules/money.ts'
import { type Change, changesInParts } from '../store/commit.ts'
import { areEqual } from '../store/equal.ts'
import { findCommit } from '../store/history.ts'
import { RecordMap } from '../store/record-map.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import {
  readCollection,
  type StoredRecord,
  type SyntheticAccountRecord,
  type TaskRecord,
  type WebhookDeliveryRecord,
  type WebhookEventRecord,
  type WebhookRecord,
} from '../store/world.ts'
import { eventsAfter } from './event-log.ts'
import { differingFields, titleOf } from './names.ts'

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
  const balances = changes.flatMap((change) => balancesOf(store, change, changes))
  const records = changes.filter((change) => isNamed(change.collection) && isMoreThanBalances(change))
  const deliveries = createdIn<WebhookDeliveryRecord>(changes, 'webhook_deliveries')
  const events = withSent(store, (yield* eventsAfter(store, since)).events, deliveries).filter(
    ({ made }) => made < counters.made,
  )
  const tasks = createdIn<TaskRecord>(changes, 'tasks')
  return {
    since,
    seq,
    clock: { before, after: now },
    balances: balances.slice(0, MAX_SHOWN),
    records: records.slice(0, MAX_SHOWN).map((change) => describeRecord(store, change)),
    events: events.slice(0, MAX_SHOWN).map(({ uid, topic, event_type, record_uid }) => ({
      uid,
      topic,
      event_type,
      record_uid,
      sent_to: deliveries.filter(({ event_uid }) => event_uid === uid).flatMap((one) => addressOf(store, one)),
    })),
    tasks: tasks.slice(0, MAX_SHOWN).map((task) => showTask(task, outcomes.get(task.uid))),
    total_count: {
      balances: balances.length,
      records: records.length,
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

const statusOf = (record: StoredRecord | null) => (record as { readonly status?: string } | null)?.status ?? null

function describeRecord(
  { world }: ReadStore,
  { collection, uid, record, was }: Change,
): WorldChanges['records'][number] {
  const shown = (record ?? was)!
  return {
    collection,
    uid,
    name: titleOf(world, collection, shown),
    amount: amountOf(collection, shown) as Money | null,
    status: { before: statusOf(was), after: statusOf(record) },
    what: !was ? 'created' : record ? 'changed' : 'removed',
    fields: record && was ? fieldsBesideBalances(collection, was, record) : [],
  }
}

/** Besides what people call a record: what the operator sets up. */
const isNamed = (collection: Change['collection']) =>
  rowOf(collection).main || collection === 'programs' || collection === 'webhooks'

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

/** An account whose balances alone have changed is not named again. */
const isMoreThanBalances = ({ collection, record, was }: Change) =>
  !record || !was || fieldsBesideBalances(collection, was, record).length > 0

const fieldsBesideBalances = (...change: Parameters<typeof differingFields>) =>
  differingFields(...change).filter(({ field }) => !Object.hasOwn(netBalances, field))

function balancesOf(
  { world }: ReadStore,
  { collection, uid, record, was }: Change,
  all: readonly Change[],
): WorldChanges['balances'] {
  if (collection !== 'synthetic_accounts') return []
  const [before, after] = [was, record].map((one) => (one ?? {}) as Partial<SyntheticAccountRecord>) as [Shown, Shown]
  const pair = (field: keyof Shown): Pair => {
    const [was, is] = [before[field] ?? ZERO, after[field] ?? ZERO]
    return { before: was, after: is, difference: subtract(is, was) }
  }
  const [settled, available, pending] = BALANCES.map(pair) as [Pair, Pair, Pair]
  if ([settled, available, pending].every((one) => one.before === one.after)) return []
  const account = (record ?? was) as SyntheticAccountRecord
  // It may be gone, with its account.
  const customer =
    readCollection(world, 'customers').get(account.customer_uid) ??
    all.find((change) => change.collection === 'customers' && change.uid === account.customer_uid)?.was
  const name = titleOf(world, collection, account)
  return [
    {
      synthetic_account_uid: uid,
      name,
      customer: customer ? titleOf(world, 'customers', customer) : name,
      settled,
      available,
      pending,
    },
  ]
}

const BALANCES = ['net_usd_balance', 'net_usd_available_balance', 'net_usd_pending_balance'] as const
type Shown = Partial<Pick<SyntheticAccountRecord, (typeof BALANCES)[number]>>
type Pair = WorldChanges['balances'][number]['settled']

function addressOf({ world }: ReadStore, { webhook_uid }: WebhookDeliveryRecord): string[] {
  const webhook = readCollection(world, 'webhooks').get(webhook_uid) as WebhookRecord | undefined
  return typeof webhook?.url === 'string' ? [webhook.url] : []
}
