import type { CollectionName } from './collections.ts'

/** How a list is limited to the records of one Customer. */

const FILTERS: Readonly<
  Partial<Record<CollectionName, 'customer_uid' | 'transfer_customer_uid' | 'synthetic_account_uid'>>
> = {
  synthetic_accounts: 'customer_uid',
  custodial_accounts: 'customer_uid',
  pools: 'customer_uid',
  transfers: 'customer_uid',
  transactions: 'customer_uid',
  returns: 'customer_uid',
  customer_products: 'customer_uid',
  combined_transfers: 'transfer_customer_uid',
  virtual_reference_numbers: 'synthetic_account_uid',
}

/** True if the accounts of the Customer have to be known for the filter. */
export const needsAccounts = (collection: CollectionName) => FILTERS[collection] === 'synthetic_account_uid'

/** null if the list cannot be limited to a Customer, or the Customer has no such records. */
export function customerFilter(
  collection: CollectionName,
  customer: string,
  accounts: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> | null {
  const filter = FILTERS[collection]
  if (filter === undefined) return null
  if (filter !== 'synthetic_account_uid') return { [filter]: [customer] }
  return accounts.length === 0 ? null : { [filter]: accounts }
}
