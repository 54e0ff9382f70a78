import { amountOf, ownName, rowOf } from '../contract/collections.ts'
import { formatCounterparty, textOf } from '../contract/messages.ts'
import { taskKinds } from '../contract/tasks.ts'
import { formatAmount } from '../contract/terms/format-amount.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { areEqual } from '../store/equal.ts'
import { type CollectionName, type ReadWorld, readCollection, type StoredRecord } from '../store/world.ts'
import { messageIn, visibleFields } from './records.ts'

/** Names of records, as one line of text. */

/** Returns all fields by path, such as `details.phone`. A list is one value. */
export function flattenFields(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (path !== '') found.set(path, value)
    return found
  }
  for (const [name, part] of Object.entries(value)) flattenFields(part, path === '' ? name : `${path}.${name}`, found)
  return found
}

/** The fields that differ between two states of a record, without private ones; all of them if it has only one. */
export function differingFields(collection: CollectionName, before: StoredRecord | null, after: StoredRecord | null) {
  const [left, right] = [before, after].map((record) => flattenFields(record && visibleFields(collection, record)))
  return [...new Set([...left!.keys(), ...right!.keys()])]
    .map((field) => ({ field, before: left!.get(field) ?? null, after: right!.get(field) ?? null }))
    .filter((one) => !before || !after || !areEqual(one.before, one.after))
}

export const nameWithStatus = (collection: CollectionName, record: StoredRecord): string =>
  `${nameOf(collection, record)}${statusSuffix(record)}`

const statusSuffix = (record: StoredRecord) => {
  const { status } = record as StoredRecord & { status?: string }
  return status === undefined ? '' : `, ${status}`
}

export function nameOf(collection: CollectionName, record: StoredRecord): string {
  const { us_dollar_amount, usd_transfer_amount, ...fields } = record as StoredRecord &
    Record<string, string | undefined>
  const [name, description] = [textOf(fields.name), textOf(fields.description)]
  const what = collection.replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '')
  if (us_dollar_amount !== undefined) return `${what} "${description ?? ''}" over ${formatAmount(us_dollar_amount)}`
  if (usd_transfer_amount !== undefined) return `${what} over ${formatAmount(usd_transfer_amount)}`
  return name === undefined ? `${what} ${record.uid}` : `${what} "${name}"`
}

/** A summary of a record: its name, its status and its amount. */
export const summarize = (world: ReadWorld, collection: CollectionName, record: StoredRecord) => ({
  name: titleOf(world, collection, record),
  status: (record as StoredRecord & { status?: string }).status ?? null,
  amount: amountOf(collection, record) as Money | null,
})

const SUBJECTS = new Set(
  Object.values(taskKinds).flatMap(({ subject }): CollectionName[] => (subject ? [subject] : [])),
)

/** How a schedule names the records of its tasks. */
export const nameSubjects = (world: ReadWorld, uids: readonly Uid[]) =>
  uids.flatMap((uid) =>
    [...SUBJECTS].flatMap((collection) => {
      const record = readCollection(world, collection).get(uid)
      return record ? [{ uid, ...nameSubject(world, collection, record) }] : []
    }),
  )

/** A payment is named after its other party, and its amount has the sign of its movement. */
function nameSubject(world: ReadWorld, collection: CollectionName, record: StoredRecord) {
  const message = messageIn(collection, record)
  if (collection !== 'transactions' || !message) return { name: titleOf(world, collection, record), amount: null }
  const { net_asset } = record as StoredRecord & { readonly net_asset?: string }
  const sign = net_asset === 'negative' ? '-' : ''
  return { name: formatCounterparty(message, net_asset), amount: `${sign}${amountOf(collection, record)}` }
}

/** The record's name, or that of the record it is named after, else its uid. */
export function titleOf(world: ReadWorld, collection: CollectionName, record: StoredRecord): string {
  const own = ownName(collection, record)
  if (own !== null) return own
  const { namedAfter } = rowOf(collection).title
  const other = namedAfter && followUid(world, record, namedAfter)
  return other ? titleOf(world, ...other) : record.uid
}

/** The record whose uid is in a field of this one. */
export function followUid(
  world: ReadWorld,
  record: StoredRecord,
  { collection, field }: { readonly collection: string; readonly field: string },
): readonly [CollectionName, StoredRecord] | undefined {
  const name = collection as CollectionName
  const uid = (record as StoredRecord & Readonly<Record<string, unknown>>)[field]
  const found = typeof uid === 'string' ? readCollection(world, name).get(uid) : undefined
  return found && [name, found]
}
