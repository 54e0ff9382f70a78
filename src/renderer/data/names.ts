import { useMemo } from 'react'
import { type Customer, customerName } from '../../api/contract/resources/customers.ts'
import { type ListSource, useRecords } from './live-list.ts'

/** Names of Customers and accounts, by uid. */

/** What a Customer's name is made of. */
export const CUSTOMER_NAME_FIELDS = [
  ...['details.first_name', 'details.middle_name', 'details.last_name', 'details.suffix', 'details.business_name'],
  ...['email', 'external_uid'],
]

const customersSource: ListSource<Customer> = {
  collection: 'customers',
  fields: ['pool_uids', ...CUSTOMER_NAME_FIELDS],
}

interface Account {
  readonly uid: string
  readonly name: string
  readonly pool_uid: string
  /** False for an account outside the platform. */
  readonly liability: boolean
}

const accountsSource: ListSource<Account> = {
  collection: 'synthetic_accounts',
  fields: ['name', 'pool_uid', 'liability'],
}

export interface PartyNames {
  customer(uid: string | undefined): string | undefined
  account(uid: string | null | undefined): string | undefined
  /** The Customer that its Pool belongs to. */
  owner(account: string): string | undefined
  /** Whether the account is outside the platform. Undefined until known. */
  outside(uid: string | null | undefined): boolean | undefined
  readonly customers: readonly { readonly uid: string; readonly name: string }[]
}

export function useNames(program_uid: string | undefined): { readonly names: PartyNames } {
  const customers = useRecords(customersSource, program_uid).rows
  const { rows: accounts, total } = useRecords(accountsSource, program_uid)
  const whole = accounts.length === total
  return useMemo(() => {
    const named = customers.map((customer) => ({ uid: customer.uid, name: customerName(customer) ?? customer.uid }))
    const customerNames = new Map(named.map(({ uid, name }) => [uid, name]))
    const owners = new Map(customers.flatMap(({ uid, pool_uids }) => pool_uids.map((pool) => [pool, uid])))
    const byUid = new Map(accounts.map((account) => [account.uid, account]))
    const names: PartyNames = {
      customer: (uid) => customerNames.get(uid ?? ''),
      account: (uid) => byUid.get(uid ?? '')?.name,
      owner: (account) => owners.get(byUid.get(account)?.pool_uid ?? ''),
      outside: (uid) => {
        const account = byUid.get(uid ?? '')
        // The Pools' own accounts for external counterparties are not listed.
        return account ? !account.liability : whole && uid != null ? true : undefined
      },
      customers: named,
    }
    return { names }
  }, [customers, accounts, whole])
}
