import { amountOf, rowOf } from '../contract/collections.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Change } from '../store/commit.ts'
import { areEqual } from '../store/equal.ts'
import type { Steps } from '../store/steps.ts'
import type { CollectionName, ReadWorld, StoredRecord } from '../store/world.ts'
import { type differingFields, followUid, titleOf } from './names.ts'

/** A record of one world and the same thing in another one; null where there is none. Their uids may differ. */
export interface Pair extends Pick<Change, 'collection' | 'was' | 'record'> {
  readonly uid: Uid
}

export const pairOf = ({ collection, was, record }: Omit<Pair, 'uid'>): Pair => ({
  collection,
  was,
  record,
  uid: (record ?? was)!.uid,
})

/** The worlds that names come from: for one before and after, twice the same. `labels`: how to call two that stand beside each other. */
export interface Sides {
  readonly worlds: readonly [ReadWorld, ReadWorld]
  readonly labels: readonly [string, string] | null
}

export type Field = ReturnType<typeof differingFields>[number]

export const statusOf = (record: StoredRecord | null) => (record as { readonly status?: string } | null)?.status ?? null

export const sideOf = ({ record }: Pair): 0 | 1 => (record ? 1 : 0)

export const titleIn = ({ worlds }: Sides, pair: Pair) =>
  titleOf(worlds[sideOf(pair)], pair.collection, (pair.record ?? pair.was)!)

/**
 * Pairs what people name by what it is, in the order in which it was made: worlds number their records by themselves, so the same uid may be
 * another payment, and the same payment may have another uid.
 */
export function* matchByMeaning(
  changes: readonly Change[],
  [a, b]: readonly [ReadWorld, ReadWorld],
): Steps<readonly Pair[]> {
  const pairs: Pair[] = []
  const waiting = new Map<string, [StoredRecord[], StoredRecord[]]>()
  const wait = (key: string, side: 0 | 1, record: StoredRecord) => {
    const both = waiting.get(key) ?? [[], []]
    both[side].push(record)
    waiting.set(key, both)
  }
  for (const change of changes) {
    const { collection, was, record } = change
    if (!rowOf(collection).main) {
      pairs.push(pairOf(change))
      continue
    }
    yield 1
    const [left, right] = [was && meaningOf(a, collection, was), record && meaningOf(b, collection, record)]
    if (was && record && (left === right || isSameThing(was, record))) pairs.push(pairOf(change))
    else {
      if (was) wait(left!, 0, was)
      if (record) wait(right!, 1, record)
    }
  }
  for (const [key, [left, right]] of waiting) {
    const [collection] = JSON.parse(key) as [CollectionName]
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      yield 1
      pairs.push(pairOf({ collection, was: left[at] ?? null, record: right[at] ?? null }))
    }
  }
  return pairs
}

type Fields = StoredRecord & Readonly<Record<string, unknown>>

function meaningOf(world: ReadWorld, collection: CollectionName, record: StoredRecord): string {
  const { kind, parties = [] } = rowOf(collection).title
  const named = (other: CollectionName, field: string) => {
    const found = followUid(world, record, { collection: other, field })
    return found ? titleOf(world, ...found) : null
  }
  return JSON.stringify([
    collection,
    kind?.(record as never) ?? null,
    collection === 'customers' || collection === 'synthetic_accounts' ? null : amountOf(collection, record),
    (record as Fields).net_asset ?? null,
    titleOf(world, collection, record),
    named('customers', 'customer_uid'),
    ...parties.map((field) => named('synthetic_accounts', field)),
  ])
}

/** What never changes in a record: with the same uid it is the same thing, under another name. */
const isSameThing = (a: StoredRecord, b: StoredRecord) =>
  LASTING.every((field) => areEqual((a as Fields)[field], (b as Fields)[field])) &&
  // The amount of a card authorization changes.
  ((a as Fields).card !== undefined || AMOUNTS.every((field) => (a as Fields)[field] === (b as Fields)[field]))

const AMOUNTS = ['us_dollar_amount', 'usd_transfer_amount']
const LASTING = [
  'created_at',
  'type',
  'net_asset',
  'synthetic_account_category',
  'customer_type',
  'customer_uid',
  'source_synthetic_account_uid',
  'destination_synthetic_account_uid',
]
