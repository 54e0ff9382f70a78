import type { Money } from '../contract/terms/primitives.ts'
import * as customers from '../domain/resources/customers.ts'
import type {
  CollectionName,
  CustodialAccountRecord,
  CustomerProductRecord,
  CustomerRecord,
  StoredRecord,
  TaskRecord,
  TransferRecord,
  VirtualReferenceNumberRecord,
  World,
} from '../store/world.ts'

/** What records are called, in a line. */

/** What people speak of; the rest goes along with it. */
export const MAIN_COLLECTIONS: ReadonlySet<CollectionName> = new Set([
  'customers',
  'customer_products',
  'synthetic_accounts',
  'transfers',
  'transactions',
  'returns',
  'combined_transfers',
  'virtual_reference_numbers',
])

/** Lists are values; objects are walked into. */
export function flattenFields(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (path !== '') found.set(path, value)
    return found
  }
  for (const [name, part] of Object.entries(value)) flattenFields(part, path === '' ? name : `${path}.${name}`, found)
  return found
}

/** What a record is called, and its state. */
export const nameWithStatus = (collection: CollectionName, record: StoredRecord): string =>
  `${nameOf(collection, record)}${statusSuffix(record)}`

export const statusSuffix = (record: StoredRecord) => {
  const { status } = record as StoredRecord & { status?: string }
  return status === undefined ? '' : `, ${status}`
}

export function nameOf(collection: CollectionName, record: StoredRecord): string {
  const { name, description, us_dollar_amount, usd_transfer_amount } = record as StoredRecord &
    Record<string, string | undefined>
  const what = collection.replaceAll('_', ' ').replace(/s$/, '')
  if (us_dollar_amount !== undefined) return `${what} "${description ?? ''}" over ${us_dollar_amount}`
  if (usd_transfer_amount !== undefined) return `${what} over ${usd_transfer_amount}`
  return name === undefined ? `${what} ${record.uid}` : `${what} "${name}"`
}

/** In a line of its own: a name for people, where it stands, and over how much it is. */
export function summarize(world: World, collection: CollectionName, record: StoredRecord) {
  const { status, us_dollar_amount, usd_transfer_amount, net_usd_balance, net_usd_closing_balance } =
    record as StoredRecord & Record<string, string | null | undefined>
  return {
    name: titleOf(world, collection, record),
    status: status ?? null,
    amount: (us_dollar_amount ??
      usd_transfer_amount ??
      net_usd_balance ??
      net_usd_closing_balance ??
      null) as Money | null,
  }
}

export function titleOf(world: World, collection: CollectionName, record: StoredRecord): string {
  switch (collection) {
    case 'customers':
      return customers.nameOf(record as CustomerRecord)
    case 'customer_products':
      return world.collections.products.get((record as CustomerProductRecord).product_uid)?.name ?? record.uid
    case 'custodial_accounts':
      return (record as CustodialAccountRecord).name ?? (record as CustodialAccountRecord).type
    case 'transfers':
      return (record as TransferRecord).rail.replaceAll('_', ' ')
    case 'virtual_reference_numbers': {
      const { name, virtual_reference_number } = record as VirtualReferenceNumberRecord
      return name ?? `VRN ··${virtual_reference_number.slice(-4)}`
    }
    case 'tasks':
      return (record as TaskRecord).why
  }
  const { name, description, return_reason, net_usd_closing_balance_as_of } = record as StoredRecord &
    Record<string, string | null | undefined>
  return name ?? description ?? return_reason ?? net_usd_closing_balance_as_of ?? record.uid
}
