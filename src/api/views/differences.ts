import { amountOf, rowOf } from '../contract/collections.ts'
import { MAX_SHOWN, type WorldChanges, type WorldComparison } from '../contract/control/changes.ts'
import { netBalances } from '../contract/terms/balances.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { subtract } from '../domain/rules/money.ts'
import type { Change } from '../store/commit.ts'
import { RecordMap } from '../store/record-map.ts'
import type { Steps } from '../store/steps.ts'
import { type CollectionName, readCollection, type StoredRecord, type SyntheticAccountRecord } from '../store/world.ts'
import { type Field, matchByMeaning, type Pair, type Sides, sideOf, statusOf, titleIn } from './matching.ts'
import { differingFields, titleOf } from './names.ts'
import { sentencesOf } from './sentences.ts'

/** What differs, for every view: between two worlds, two snapshots, or a world before and after. */

type Parts = Pick<WorldChanges, 'sentences' | 'balances' | 'records'>
export type ChangedBalances = Parts['balances'][number]
export type ChangedRecord = Parts['records'][number]

/** `found`: the records that differ by their uids. */
export function* describeComparison(found: readonly Change[], sides: Sides): Steps<Omit<WorldComparison, 'clock'>> {
  return yield* describeDifferences(yield* matchByMeaning(found, sides.worlds), sides)
}

export function* describeDifferences(
  pairs: readonly Pair[],
  sides: Sides,
): Steps<Parts & Pick<WorldComparison, 'others'> & { readonly total_count: WorldComparison['total_count'] }> {
  const { isSame, customerOf } = referencesIn(pairs, sides)
  const balances: ChangedBalances[] = []
  const records: ChangedRecord[] = []
  const others: ChangedRecord[] = []
  const told: Pair[] = []
  const explained: { readonly pair: Pair; readonly balance: ChangedBalances }[] = []
  const count = { balances: 0, records: 0, others: 0 }
  for (const pair of pairs) {
    yield 1
    const balance = pair.collection === 'synthetic_accounts' ? balanceOf(pair, sides, customerOf) : undefined
    if (balance) {
      explained.push({ pair, balance })
      if (++count.balances <= MAX_SHOWN) balances.push(balance)
    }
    const differing = pair.was && pair.record ? differingFields(pair.collection, pair.was, pair.record) : null
    const fields = differing?.filter(({ field }) => !balance || !Object.hasOwn(netBalances, field))
    const own = fields?.filter((field) => !isSame(field))
    const isNamed = isNamedByPeople(pair.collection) && !own?.every(isBalance)
    if (fields?.length === 0) continue
    if (isNamed) told.push(pair)
    const [list, kind] = isNamed ? ([records, 'records'] as const) : ([others, 'others'] as const)
    if (++count[kind] > MAX_SHOWN) continue
    list.push(describeRecord(pair, sides, own ?? [], fields?.filter(isSame) ?? []))
  }
  const { sentences, count: said } = yield* sentencesOf(explained, told, sides, isSame)
  return {
    sentences,
    balances,
    records,
    others,
    total_count: { sentences: said, ...count },
  }
}

const isBalance = ({ field }: Field) => Object.hasOwn(netBalances, field)

/** Besides what people call a record: what the operator sets up. */
const isNamedByPeople = (collection: CollectionName) =>
  rowOf(collection).main || collection === 'programs' || collection === 'webhooks'

/** What a world or a network numbers by itself. */
const NUMBERS = new Set(['uid', 'id', 'transfer_trace_id', 'imad', 'payment_id'])

/** Which fields name the same thing by another uid, or count it otherwise; and the Customers that only one side has. */
function referencesIn(pairs: readonly Pair[], { worlds }: Sides) {
  const renamed = new Map<Uid, Uid>()
  const removed = new RecordMap<StoredRecord>()
  for (const { collection, was, record } of pairs) {
    if (was && record && was.uid !== record.uid) renamed.set(was.uid, record.uid)
    if (was && !record && collection === 'customers') removed.set({ collection, uid: was.uid }, was)
  }
  const isSame = ({ field, before, after }: Field) => {
    const name = field.slice(field.lastIndexOf('.') + 1)
    if (before === null || after === null) return false
    if (NUMBERS.has(name) || name.endsWith('_index')) return true
    if (name === 'external_uid' || !/_uids?$/.test(name)) return false
    const [left, right] = [[before].flat(), [after].flat()] as [Uid[], Uid[]]
    return left.length === right.length && left.every((uid, at) => (renamed.get(uid) ?? uid) === right[at])
  }
  const customerOf = (side: 0 | 1, uid: Uid) =>
    readCollection(worlds[side], 'customers').get(uid) ?? removed.get({ collection: 'customers', uid })
  return { isSame, customerOf }
}

const matchedUid = ({ was, uid }: Pair) => (was && was.uid !== uid ? was.uid : null)

const describeRecord = (
  pair: Pair,
  sides: Sides,
  fields: readonly Field[],
  folded: readonly Field[],
): ChangedRecord => ({
  collection: pair.collection,
  uid: pair.uid,
  matched_uid: matchedUid(pair),
  name: titleIn(sides, pair),
  amount: amountOf(pair.collection, (pair.record ?? pair.was)!) as Money | null,
  status: { before: statusOf(pair.was), after: statusOf(pair.record) },
  what: !pair.was ? 'created' : pair.record ? 'changed' : 'removed',
  fields: [...fields],
  folded: [...folded],
})

const BALANCES = ['net_usd_balance', 'net_usd_available_balance', 'net_usd_pending_balance'] as const
type Shown = Partial<Pick<SyntheticAccountRecord, (typeof BALANCES)[number]>>
const NOTHING = '0.00' as Money

function balanceOf(
  pair: Pair,
  sides: Sides,
  customerOf: (side: 0 | 1, uid: Uid) => StoredRecord | undefined,
): ChangedBalances | undefined {
  const [was, is] = [pair.was ?? {}, pair.record ?? {}] as [Shown, Shown]
  const [settled, available, pending] = BALANCES.map((field) => {
    const [before, after] = [was[field] ?? NOTHING, is[field] ?? NOTHING]
    return { before, after, change: subtract(after, before) }
  }) as [ChangedBalances['settled'], ChangedBalances['settled'], ChangedBalances['settled']]
  if ([settled, available, pending].every((one) => one.before === one.after)) return undefined
  const name = titleIn(sides, pair)
  const side = sideOf(pair)
  const customer = customerOf(side, ((pair.record ?? pair.was) as SyntheticAccountRecord).customer_uid)
  return {
    synthetic_account_uid: pair.uid,
    matched_uid: matchedUid(pair),
    name,
    customer: customer ? titleOf(sides.worlds[side], 'customers', customer) : name,
    settled,
    available,
    pending,
  }
}
