import type { MethodOutput } from '../contract/control/methods.ts'
import type { Outcome } from '../contract/messages.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { showTask } from '../domain/resources/show.ts'
import { eachInSteps, type Steps, withoutCount } from '../store/steps.ts'
import {
  type CollectionName,
  collectionNames,
  type ReadWorld,
  readCollection,
  type StoredRecord,
  type TaskRecord,
  type TransactionRecord,
} from '../store/world.ts'
import { nameWithStatus, summarize } from './names.ts'
import { findReturnsIn, paymentReturnOf } from './payment-return.ts'

/** The records that a record names, those that name it, and its scheduled tasks. One index is searched per step. */

const MAX_PER_COLLECTION = 50
const MAX_NAMED = 200

export function* relatedTo(
  world: ReadWorld,
  record: StoredRecord,
  outcomes: ReadonlyMap<Uid, Outcome>,
): Steps<MethodOutput<'records.related'>> {
  const found = new Map<CollectionName, Map<Uid, StoredRecord>>()
  const add = (collection: CollectionName, other: StoredRecord) => {
    if (other.uid === record.uid || other.program_uid !== record.program_uid) return
    found.set(collection, (found.get(collection) ?? new Map<Uid, StoredRecord>()).set(other.uid, other))
  }
  const named = new Map<Uid, readonly [CollectionName, StoredRecord]>()
  const candidates = new Set(textsOf(record))
  for (const collection of collectionNames.filter((other) => other !== 'programs' && other !== 'tasks')) {
    const records = readCollection(world, collection)
    for (const uid of candidates) {
      const other = records.get(uid)
      if (!other) continue
      add(collection, other)
      if (found.get(collection)?.has(uid)) named.set(uid, [collection, other])
    }
    const shelf = records.shelf(record.program_uid)
    for (const field of records.indexedFields) {
      yield* withoutCount(shelf.buildIndex(field))
      // A copy: the index may change meanwhile.
      yield* eachInSteps([...(shelf.findByIndex(field, record.uid) ?? [])], (other) => {
        if (namesUid(other, field, record.uid)) add(collection, other)
      })
      yield
    }
  }
  const related: MethodOutput<'records.related'>['related'] = []
  for (const [collection, others] of found) {
    const newest = [...others.values()].sort((a, b) => b.made - a.made).slice(0, MAX_PER_COLLECTION)
    related.push({
      collection,
      total_count: others.size,
      records: newest.map((other) => ({
        uid: other.uid,
        says: nameWithStatus(collection, other),
        ...summarize(world, collection, other),
      })),
    })
    yield
  }
  return {
    related,
    named: [...named].slice(0, MAX_NAMED).map(([uid, [collection, other]]) => ({
      collection,
      uid,
      ...summarize(world, collection, other),
    })),
    payment_return: returnIn(world, record, found),
    tasks: tasksOf(world, record, found).map((task) => ({
      ...showTask(task, outcomes.get(task.uid)),
      payment: paymentOf(world, task),
    })),
  }
}

/** Of a Transaction; a Transfer has that of its payment. */
function returnIn(
  world: ReadWorld,
  { uid }: StoredRecord,
  found: ReadonlyMap<CollectionName, ReadonlyMap<Uid, StoredRecord>>,
) {
  const { transactions, transfers } = world.collections
  const others = transfers.get(uid) && (found.get('transactions') as ReadonlyMap<Uid, TransactionRecord> | undefined)
  const payment =
    transactions.get(uid) ?? [...(others?.values() ?? [])].find((one) => one.original_transaction_uid === undefined)
  return payment ? paymentReturnOf(payment, findReturnsIn(world)) : null
}

/** Besides its own tasks a record has those of these records that are related to it. */
const SCHEDULED: readonly CollectionName[] = ['transactions', 'kyc_evaluations']

function tasksOf(
  world: ReadWorld,
  record: StoredRecord,
  found: ReadonlyMap<CollectionName, ReadonlyMap<Uid, unknown>>,
) {
  const { customers, transfers, returns, tasks } = world.collections
  const hasOthers = [customers, transfers, returns].some((records) => records.get(record.uid) !== undefined)
  const isSubject = (uid: Uid) =>
    uid === record.uid || (hasOthers && SCHEDULED.some((name) => found.get(name)?.has(uid)))
  return tasks
    .inOrder()
    .filter(({ uid, subject_uid }) => uid === record.uid || (subject_uid !== null && isSubject(subject_uid)))
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
}

function paymentOf({ collections }: ReadWorld, { subject_uid }: TaskRecord) {
  const payment = subject_uid === null ? undefined : collections.transactions.get(subject_uid)
  if (!payment) return null
  const { uid, type, status, us_dollar_amount, net_asset } = payment
  return { uid, type, status, us_dollar_amount, net_asset }
}

/** All texts in a value, which may be uids. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}

/** Compares again, because an index ignores case. */
function namesUid(record: StoredRecord, field: string, uid: Uid): boolean {
  const held = (record as unknown as Readonly<Record<string, unknown>>)[field]
  return Array.isArray(held) ? held.includes(uid) : held === uid
}
