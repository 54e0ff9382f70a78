import type { Customer } from '../../api/contract/resources/customers.ts'

export type CustomerNameFields = Pick<Customer, 'uid' | 'details' | 'email' | 'external_uid'>

/** What to call a Customer: the business, the person, or whatever tells it apart. */
export function customerName({ details, email, external_uid }: CustomerNameFields): string | null {
  const { first_name, middle_name, last_name, suffix, business_name } = details
  const person = [first_name, middle_name, last_name, suffix].filter(Boolean).join(' ')
  return business_name || person || email || external_uid || null
}
