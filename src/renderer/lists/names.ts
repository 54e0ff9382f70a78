import { useMemo } from 'react'
import { nameOf } from '../screens/customers/names.ts'
import { customersSource } from '../screens/customers/use-customers.ts'
import { type ListSource, useRecords } from './live-list.ts'

/** What to call the Customers and accounts of a Program, wherever a record names them by uid. */

interface Account {
  readonly uid: string
  readonly name: string
  /** Only an account of the platform's own holds anything; what is not one stands for somebody outside. */
  readonly liability: boolean
  readonly master_account: boolean
  readonly synthetic_account_category: string
}

const accountsSource: ListSource<Account> = {
  collection: 'synthetic_accounts',
  fields: ['name', 'liability', 'master_account', 'synthetic_account_category'],
}

export interface Names {
  customer(uid: string | undefined): string | null | undefined
  account(uid: string | null | undefined): Account | undefined
  readonly customers: readonly { readonly uid: string; readonly name: string }[]
}

export function useNames(program_uid: string | undefined): Names {
  const customers = useRecords(customersSource, program_uid).rows
  const accounts = useRecords(accountsSource, program_uid).rows
  return useMemo(() => {
    const named = customers.map((customer) => ({ uid: customer.uid, name: nameOf(customer) ?? customer.uid }))
    const byUid = new Map(named.map(({ uid, name }) => [uid, name]))
    const accountByUid = new Map(accounts.map((account) => [account.uid, account]))
    return {
      customer: (uid) => (uid === undefined ? undefined : byUid.get(uid)),
      account: (uid) => (uid == null ? undefined : accountByUid.get(uid)),
      customers: named,
    }
  }, [customers, accounts])
}
