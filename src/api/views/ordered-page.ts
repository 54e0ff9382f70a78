import { clampLimit, type Page, type Query } from '../contract/terms/list.ts'
import { compareKeys, type OrderKey, orderKey } from '../contract/terms/order.ts'
import { type Range, rangeTest } from '../contract/terms/range.ts'
import type { Outcomes } from '../domain/resources/show.ts'
import { inSlices, type Steps } from '../store/steps.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import type { CollectionName, StoredRecord } from '../store/world.ts'
import { fieldPicker } from './records.ts'

/**
 * A page of a list in the order of any field, and of the records in ranges. It looks at every record, so it works in steps:
 * requests run in between. Records that change meanwhile are shown as they are at the end.
 */

interface OrderedPage {
  readonly name: CollectionName
  readonly order: { readonly field: string; readonly descending?: boolean | undefined } | undefined
  readonly ranges: readonly (Range & { readonly field: string })[]
  readonly query: Query
  readonly show: (record: StoredRecord, tx: ReadTx) => Record<string, unknown>
  readonly outcomes: Outcomes | undefined
  readonly read: <T>(work: (tx: ReadTx) => T) => T
  /** The records that the filters accept, newest first. */
  readonly find: (tx: ReadTx) => readonly StoredRecord[]
}

interface Keyed {
  readonly record: StoredRecord
  readonly key: OrderKey
}

export function* orderedPage(page: OrderedPage): Steps<Page<Record<string, unknown>>> {
  const { name, order, ranges, query, outcomes, show, read } = page
  const orderValue = order && valueReader(name, order.field, outcomes)
  const tests = ranges.map((range) => ({ readValue: valueReader(name, range.field, outcomes), fits: rangeTest(range) }))
  const found: Keyed[] = []
  for (const slice of inSlices(read(page.find))) {
    read((tx) => {
      for (const record of slice)
        if (tests.every((test) => test.fits(orderKey(test.readValue(record, tx)))))
          found.push({ record, key: orderValue ? orderKey(orderValue(record, tx)) : null })
    })
    yield
  }
  const sorted = order ? yield* sortInSteps(found, order.descending === true) : found
  const limit = clampLimit(query.limit)
  const offset = query.offset ?? 0
  const shown = read((tx) => {
    const records = tx[name] as unknown as ReadRecords<StoredRecord>
    return sorted.slice(offset, offset + limit).flatMap(({ record }) => {
      const latest = records.get(record.uid)
      return latest ? [show(latest, tx)] : []
    })
  })
  return { total_count: sorted.length, count: shown.length, limit, offset, data: shown }
}

/** Reads the value of a field as the operator sees it. Refuses unknown fields. */
function valueReader(name: CollectionName, field: string, outcomes: Outcomes | undefined) {
  const pick = fieldPicker(name, [field], outcomes)
  const path = field.split('.')
  return (record: StoredRecord, tx: ReadTx): unknown => {
    let value: unknown = pick(record, tx)
    for (const part of path) value = (value as Record<string, unknown> | null | undefined)?.[part]
    return value
  }
}

/** Merge sort, which can pause anywhere. As in all lists, equal ones are oldest first in ascending order, newest first in descending. */
function* sortInSteps(records: readonly Keyed[], descending: boolean): Steps<readonly Keyed[]> {
  const sign = descending ? -1 : 1
  let runs: (readonly Keyed[])[] = []
  for (const slice of inSlices(descending ? records : records.toReversed())) {
    runs.push(slice.toSorted((a, b) => compareKeys(a.key, b.key, sign)))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly Keyed[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? [], sign))
    runs = merged
  }
  return runs[0] ?? []
}

const MERGED_PER_STEP = 8_192

function* merge(left: readonly Keyed[], right: readonly Keyed[], sign: number): Steps<readonly Keyed[]> {
  const merged: Keyed[] = []
  let [l, r] = [0, 0]
  while (l < left.length || r < right.length) {
    const isLeft = r >= right.length || (l < left.length && compareKeys(left[l]!.key, right[r]!.key, sign) <= 0)
    merged.push(isLeft ? left[l++]! : right[r++]!)
    if (merged.length % MERGED_PER_STEP === 0) yield
  }
  return merged
}
