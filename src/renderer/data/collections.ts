import type { ListedScreen } from './screen-list.ts'

/** Every collection that has records to look at: its words, and the screen that lists it. */

interface Collection {
  readonly one: string
  readonly many: string
  readonly home: ListedScreen
}

export const collections = {
  programs: { one: 'Program', many: 'Programs', home: 'settings' },
  customers: { one: 'Customer', many: 'Customers', home: 'customers' },
  products: { one: 'Product', many: 'Products', home: 'settings' },
  synthetic_account_types: { one: 'Synthetic Account Type', many: 'Synthetic Account Types', home: 'settings' },
  pools: { one: 'Pool', many: 'Pools', home: 'accounts' },
  customer_products: { one: 'Customer Product', many: 'Customer Products', home: 'customers' },
  custodial_accounts: { one: 'Custodial Account', many: 'Custodial Accounts', home: 'accounts' },
  synthetic_accounts: { one: 'Synthetic Account', many: 'Synthetic Accounts', home: 'accounts' },
  custodial_account_closing_balances: {
    one: 'Custodial Account closing balance',
    many: 'Custodial Account closing balances',
    home: 'accounts',
  },
  synthetic_account_closing_balances: {
    one: 'Synthetic Account closing balance',
    many: 'Synthetic Account closing balances',
    home: 'accounts',
  },
  kyc_evaluations: { one: 'KYC/AML evaluation', many: 'KYC/AML evaluations', home: 'customers' },
  transfers: { one: 'Transfer', many: 'Transfers', home: 'payments' },
  transactions: { one: 'Transaction', many: 'Transactions', home: 'payments' },
  transaction_events: { one: 'Transaction Event', many: 'Transaction Events', home: 'payments' },
  synthetic_line_items: { one: 'Synthetic Line Item', many: 'Synthetic Line Items', home: 'accounts' },
  custodial_line_items: { one: 'Custodial Line Item', many: 'Custodial Line Items', home: 'accounts' },
  virtual_reference_numbers: { one: 'Virtual Reference Number', many: 'Virtual Reference Numbers', home: 'vrns' },
  returns: { one: 'Return', many: 'Returns', home: 'payments' },
  combined_transfers: { one: 'Combined Transfer', many: 'Combined Transfers', home: 'payments' },
  tasks: { one: 'task', many: 'tasks', home: 'time' },
} as const satisfies { readonly [name: string]: Collection }

export type CollectionName = keyof typeof collections

export const isCollection = (name: string | null | undefined): name is CollectionName =>
  typeof name === 'string' && Object.hasOwn(collections, name)
