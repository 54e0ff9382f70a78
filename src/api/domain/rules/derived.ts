import type { StoredRecord } from '../../store/collection.ts'
import { areEqual } from '../../store/snapshots.ts'

/** Of what is shown again and again, as lists are. */
const MOST = 2_000
const shown = new Map<StoredRecord, object>()

/**
 * A record with what is worked out about it. A record never changes: as long as the rest says the same, it is the same
 * object again, and whoever has proved and printed it need not look at its fields.
 */
export function withDerived<R extends StoredRecord, M extends object>(record: R, more: M): R & M {
  const known = shown.get(record) as (R & M) | undefined
  if (known && Object.entries(more).every(([field, value]) => areEqual(known[field as keyof M], value))) return known
  // Behind what is added to it a record is spread in a quarter of the time that it takes before it.
  const made = { ...more, ...record }
  if (shown.size >= MOST) shown.clear()
  shown.set(record, made)
  return made
}
