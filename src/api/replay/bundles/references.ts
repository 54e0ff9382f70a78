import { type CollectionName, collectionNames, collectionOf, type StoredRecord, type World } from '../../store/world.ts'

/** Which records a stored record names. A world in which they are missing cannot be shown or continued. */

/** A webhook may be deleted before its deliveries. */
const NAMED = collectionNames.filter((name) => name !== 'webhooks')
/** What the uids of a collection are called, such as `customer_product`; the longest first, as it ends in `product`. */
const endings: readonly (readonly [string, CollectionName])[] = [
  ...NAMED.map((name) => [name.replace(/ies$/, 'y').replace(/s$/, ''), name] as const),
  ['event', 'webhook_events'] as const,
].sort(([a], [b]) => b.length - a.length)

const collectionsByField = new Map<string, CollectionName | undefined>()

/** Of `source_synthetic_account_uid` or `custodial_account_uids`. */
function collectionOfField(field: string): CollectionName | undefined {
  if (!collectionsByField.has(field)) {
    const [, name] = /^(.*)_uids?$/.exec(field) ?? []
    collectionsByField.set(field, endings.find(([ending]) => `_${name}`.endsWith(`_${ending}`))?.[1])
  }
  return collectionsByField.get(field)
}

/** The first field with the uid of a record that does not exist, and that record. */
export function findMissingReference(world: Pick<World, 'collections'>, record: StoredRecord): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    if (value === null || !(typeof value === 'string' || Array.isArray(value))) continue
    const collection = collectionOfField(field)
    if (!collection) continue
    const records = collectionOf(world, collection)
    for (const uid of Array.isArray(value) ? value : [value])
      if (!records.get(uid as string)) return `${field}: a uid of ${collection} is expected, ${String(uid)} was found`
  }
  return undefined
}
