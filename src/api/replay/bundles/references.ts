import { type CollectionName, collectionOf, type StoredRecord, type World } from '../../store/world.ts'

/** Which records a stored record names. A world in which they are missing cannot be shown or continued. */

/** By the end of the name of a field; the first that fits counts. */
const endings: readonly (readonly [string, CollectionName])[] = [
  ['customer_product_uid', 'customer_products'],
  ['customer_uid', 'customers'],
  ['customer_uids', 'customers'],
  ['pool_uid', 'pools'],
  ['pool_uids', 'pools'],
  ['product_uid', 'products'],
  ['product_uids', 'products'],
  ['synthetic_account_type_uid', 'synthetic_account_types'],
  ['synthetic_account_uid', 'synthetic_accounts'],
  ['custodial_account_uid', 'custodial_accounts'],
  ['custodial_account_uids', 'custodial_accounts'],
  ['custodial_line_item_uids', 'custodial_line_items'],
  ['virtual_reference_number_uid', 'virtual_reference_numbers'],
  ['transaction_event_uid', 'transaction_events'],
  ['transaction_event_uids', 'transaction_events'],
  ['event_uid', 'webhook_events'],
  ['transaction_uid', 'transactions'],
  ['transaction_uids', 'transactions'],
  ['combined_transfer_uid', 'combined_transfers'],
  ['transfer_uid', 'transfers'],
  ['return_uid', 'returns'],
  ['program_uid', 'programs'],
]

const collectionsByField = new Map<string, CollectionName | undefined>()

function collectionOfField(field: string): CollectionName | undefined {
  if (!collectionsByField.has(field))
    collectionsByField.set(field, endings.find(([ending]) => `_${field}`.endsWith(`_${ending}`))?.[1])
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
