import type { Exchange } from '../contract/control/exchanges.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { RecordOperation } from '../contract/control/operations.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { type Change, type Commit, changesInParts, operationOf } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { currentBranch } from '../store/history.ts'
import { type Steps, withoutCount } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { CollectionName, ReadWorld, WebhookEventRecord } from '../store/world.ts'
import { fieldsOf, whatOf } from './history.ts'
import { causeOfOperation, nameOperation } from './operations.ts'

/** What happened to a record, by operation: from its commits, the request log and its webhook events. */

const DEFAULT_LIMIT = 50
/** A busy account has thousands of commits in one advance. */
const COMMITS_PER_OPERATION = 20

/** A commit that changed the record, or sent events of it. */
interface Part {
  readonly commit: Commit
  readonly change: Change | undefined
  readonly events: readonly WebhookEventRecord[]
}

export function* operationsOn(
  store: ReadStore,
  exchanges: ExchangeLog,
  collection: CollectionName,
  uid: Uid,
  limit = DEFAULT_LIMIT,
): Steps<MethodOutput<'records.operations'>> {
  /** Newest first, as their parts are. */
  const found: Part[][] = []
  /** What is between these commits is not on the current branch. */
  const left: (readonly [from: number, to: number])[] = []
  let reads = limit * COMMITS_PER_OPERATION
  let cut: Commit | undefined
  for (const commit of currentBranch(store, { texts: [changeText(collection, uid), `"record_uid":"${uid}"`] })) {
    yield
    if (!commit) continue
    if (commit.goes_on_from !== undefined) left.push([commit.goes_on_from, commit.seq])
    const part = yield* partOf(commit, collection, uid)
    // A history in memory has all commits.
    if (!part.change && part.events.length === 0) continue
    const newer = found.at(-1)
    const isJoined = newer !== undefined && belongTogether(store, newer[0]!.commit, commit)
    if (reads-- === 0 || (found.length === limit && !isJoined)) {
      cut = commit
      break
    }
    if (isJoined) newer.push(part)
    else found.push([part])
  }
  for (const shelf of store.world.collections.webhook_deliveries.shelves())
    yield* withoutCount(shelf.buildIndex('event_uid'))
  const log = new Map(exchanges.summaries().map((exchange) => [exchange.uid, exchange]))
  const placed: { readonly place: number; readonly entry: RecordOperation }[] = []
  const seen = new Set<string>()
  for (const parts of found) {
    const { commit } = parts[0]!
    const { seq: last, at, cause } = commit
    const operation = operationOf(commit)
    const exchange = log.get(cause.exchange ?? '') ?? null
    if (exchange) seen.add(exchange.uid)
    const events = parts.flatMap((part) => part.events.map((event) => showEvent(store.world, event)))
    const change = changeOf(parts)
    // Only private fields differ.
    if (change.what === 'changed' && change.fields.length === 0 && events.length === 0) continue
    const says = exchange ? saysOf(exchange) : wordsOf(store, parts)
    const partial = cut !== undefined && belongTogether(store, commit, cut)
    placed.push({ place: last, entry: { operation, last, at, cause, says, partial, exchange, events, ...change } })
  }
  // Requests that changed nothing: refused ones.
  for (const exchange of yield* exchanges.findAbout(new Set([uid]))) {
    const { status, method, path, at, seq_before: place } = exchange
    if (seen.has(exchange.uid) || (status < 400 && method === 'GET')) continue
    if ((cut && place < cut.seq) || left.some(([from, to]) => from < place && place < to)) continue
    const cause: Cause = { door: 'request', name: `${method} ${path}`, exchange: exchange.uid }
    const none = { operation: null, last: null, what: 'told' as const, fields: [], partial: false, events: [] }
    placed.push({ place: place + 0.5, entry: { ...none, at, cause, says: saysOf(exchange), exchange } })
  }
  const entries = placed.sort((a, b) => b.place - a.place).map(({ entry }) => entry)
  return { operations: entries.slice(0, limit), more: cut !== undefined || entries.length > limit }
}

const firstOf = (store: ReadStore, commit: Commit): Commit => {
  const number = operationOf(commit)
  if (number === commit.seq) return commit
  const [first = commit] = store.commitsBetween(number, number)
  return first
}

/** The tasks of one advance. A scenario has requests between its advances, and the history of a new world is no operation of a user. */
const belongTogether = (store: ReadStore, newer: Commit, older: Commit): boolean =>
  [newer, older].every(({ cause }) => cause.door === 'time') &&
  operationOf(newer) === operationOf(older) &&
  firstOf(store, newer).cause.name !== 'world.create'

function* partOf(commit: Commit, collection: CollectionName, uid: Uid): Steps<Part> {
  let found: Change | undefined
  const events: WebhookEventRecord[] = []
  for (const changes of changesInParts(commit, [uid])) {
    for (const change of changes) {
      if (change.collection === collection && change.uid === uid) found = change
      const event = change.collection === 'webhook_events' && (change.record as WebhookEventRecord | null)
      if (event && !change.was && event.record_uid === uid) events.push(event)
    }
    if (commit.replacement) yield
  }
  return { commit, change: found, events }
}

/** Of all its parts together. */
function changeOf(parts: readonly Part[]): Pick<RecordOperation, 'what' | 'fields'> {
  const changes = parts.flatMap(({ commit, change }) => (change ? [{ ...change, passed: commit.passed ?? [] }] : []))
  const [last, first] = [changes[0], changes.at(-1)]
  if (!last || !first) return { what: 'told', fields: [] }
  const { uid } = last
  const via = (field: string, from: unknown, to: unknown) => {
    const values = changes
      .toReversed()
      .flatMap(({ record, passed }) => [
        ...(field === 'status' ? passed.flatMap((one) => (one.uid === uid ? [one.status] : [])) : []),
        field.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], record),
      ])
    return [from, ...values, to].filter((one, at, all): one is string => one !== all[at - 1]).slice(1, -1)
  }
  const fields = fieldsOf({ ...last, was: first.was }).map(({ field, from, to }) => ({
    field,
    from,
    to,
    via: /status$/.test(field) ? via(field, from, to) : [],
  }))
  return { what: whatOf(first.was, last.record), fields }
}

/** Of a request that succeeded without the uid of what it created. */
const saysOf = ({ status, did }: Exchange): string => (status < 400 ? did.split(': ')[0]! : did)

/** `advance: send payment, finish payment` */
function wordsOf(store: ReadStore, parts: readonly Part[]): string {
  const { commit } = parts[0]!
  const cause = causeOfOperation(firstOf(store, commit))
  if (commit.cause.door !== 'time' || cause.door === 'time' || cause.name === 'world.create')
    return nameOperation({ cause: commit.cause, goes_on_from: commit.goes_on_from ?? null })
  const tasks = new Set(parts.map((part) => part.commit.cause.name).reverse())
  const name = cause.name === 'clock.advance' ? 'advance' : nameOperation({ cause, goes_on_from: null })
  return `${name}: ${[...tasks].join(', ')}`
}

function showEvent({ collections }: ReadWorld, { uid, program_uid, topic, event_type }: WebhookEventRecord) {
  const deliveries = collections.webhook_deliveries.shelf(program_uid).findByIndex('event_uid', uid) ?? []
  return {
    uid,
    topic,
    event_type,
    deliveries: deliveries.map(({ uid: delivery, event_uid, webhook_uid, status, next_attempt_at }) => ({
      uid: delivery,
      event_uid,
      webhook_uid,
      status,
      next_attempt_at,
    })),
  }
}
