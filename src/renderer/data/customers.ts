import type { Customer } from '../../api/contract/resources/customers.ts'
import type { ListSource } from './live-list.ts'

/** In a list, `details` holds only names. */
export type CustomerSummary = Customer

/**
 * A Customer's balance is the sum of its accounts, so a changed account also changes its Customer, found by its Pool.
 */
export const customersSource: ListSource<CustomerSummary> = {
  collection: 'customers',
  fields: [
    'created_at',
    'status',
    'kyc_status',
    'customer_type',
    'external_uid',
    'email',
    'locked_at',
    'pool_uids',
    'total_balance',
    'details.first_name',
    'details.middle_name',
    'details.last_name',
    'details.suffix',
    'details.phone',
    'details.business_name',
  ],
  follows: { by: 'synthetic_accounts', field: 'pool_uid', of: ({ pool_uids }) => pool_uids },
}
