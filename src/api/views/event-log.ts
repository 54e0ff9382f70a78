import { MAX_EVENTS } from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { createEvent, findEvents, type Others } from '../domain/rules/webhook-events.ts'
import type { Commit } from '../store/commit.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { CustomerRecord, TransferRecord, WebhookEventRecord } from '../store/world.ts'

/** All events of the kept history, whether or not a webhook wants them. They are found in its commits, and then remembered. */

/** The lines of commits that have one of these are read. */
const TEXTS = ['"events":{', '"collection":"customers"']

const logs = new WeakMap<ReadStore, EventLog>()

/** Oldest first. */
export function readEventLog(store: ReadStore): Steps<readonly WebhookEventRecord[]> {
  let log = logs.get(store)
  if (!log) logs.set(store, (log = new EventLog(store)))
  return log.read()
}

/** Assumed (invented): the event log of a world has the newest 20,000 events of its kept history. */
class EventLog {
  readonly #store: ReadStore
  #events: readonly WebhookEventRecord[] = []
  /** They are those up to this commit. */
  #seq = 0

  constructor(store: ReadStore) {
    this.#store = store
  }

  *read(): Steps<readonly WebhookEventRecord[]> {
    const known = this.#events
    if (this.#store.world.seq === this.#seq) return known
    const newer = yield* eventsAfter(this.#store, this.#seq)
    // Another past: all of it is read again.
    const { events, seq } = newer.isReplaced ? yield* eventsAfter(this.#store, 0) : newer
    const log = [...(newer.isReplaced ? [] : known), ...events].slice(-MAX_EVENTS)
    // Another caller may have read more meanwhile.
    if (seq > this.#seq) [this.#events, this.#seq] = [log, seq]
    return log
  }
}

/** Those of the current branch after a commit, up to the commit `seq`, and whether the world was replaced since. */
export function* eventsAfter(store: ReadStore, after: number) {
  for (const shelf of store.world.collections.transactions.shelves()) yield* shelf.buildIndex('transfer_uid')
  const { seq } = store.world
  const before = new CommitsBackwards(store)
  const found: WebhookEventRecord[] = []
  let isReplaced = false
  try {
    for (const commit of currentBranch(store, { texts: TEXTS, after })) {
      yield 0
      if (!commit) continue
      if (commit.seq <= after || found.length >= MAX_EVENTS) break
      if (commit.goes_on_from === undefined) found.push(...before.eventsOf(commit).reverse())
      else isReplaced = true
    }
  } finally {
    before.end()
  }
  return { events: found.reverse(), isReplaced, seq }
}

/** From the newest commit to the oldest: knows what other records were after each. */
class CommitsBackwards implements Others {
  readonly #store: ReadStore
  readonly #external = new Map<Uid, string | null>()
  #made = 0
  /** Stops to follow what is committed meanwhile. */
  readonly end: () => void

  constructor(store: ReadStore) {
    this.#store = store
    this.end = store.subscribe(({ changes }) => this.#goBack(changes, false))
  }

  eventsOf(commit: Commit): WebhookEventRecord[] {
    const { events: numbers, at } = commit
    this.#made = numbers?.made ?? 0
    const events = numbers
      ? findEvents(commit).map((event, position) => createEvent(event, numbers, position, at, this))
      : []
    this.#goBack(commit.changes, true)
    return events
  }

  externalUid(customer: Uid): string | null {
    const known = this.#external.get(customer)
    return known === undefined ? (this.#store.world.collections.customers.get(customer)?.external_uid ?? null) : known
  }

  transactionUids({ uid, program_uid }: TransferRecord): Uid[] {
    const { transactions } = this.#store.world.collections
    const all = transactions.shelf(program_uid).findByIndex('transfer_uid', uid) ?? []
    return all.flatMap((one) => (one.transfer_uid === uid && one.made < this.#made ? [one.uid] : []))
  }

  #goBack(changes: Commit['changes'], isOlder: boolean) {
    for (const { collection, uid, was } of changes)
      if (collection === 'customers' && was && (isOlder || !this.#external.has(uid)))
        this.#external.set(uid, (was as CustomerRecord).external_uid)
  }
}
