/** What the collections are called, and where each belongs. Without a schema, so that a window needs none to begin. */

/** The part of the product a collection belongs to. The window has a screen for each. */
export type Area = 'customers' | 'accounts' | 'payments' | 'vrns' | 'time' | 'webhooks' | 'program'

export interface CollectionWords {
  readonly one: string
  readonly many: string
  readonly area: Area
  /** The window counts and lists this collection for its area. */
  readonly leadsArea?: true
  /** The parameters that make its list show what it hides by default. */
  readonly hiddenUnless?: readonly string[]
}

/** In the order in which files hold the collections. */
const words = {
  programs: { one: 'Program', many: 'Programs', area: 'program' },
  customers: {
    one: 'Customer',
    many: 'Customers',
    area: 'customers',
    leadsArea: true,
    hiddenUnless: ['include_initiated'],
  },
  pools: { one: 'Pool', many: 'Pools', area: 'accounts' },
  products: { one: 'Product', many: 'Products', area: 'program' },
  synthetic_account_types: { one: 'Synthetic Account Type', many: 'Synthetic Account Types', area: 'program' },
  customer_products: { one: 'Customer Product', many: 'Customer Products', area: 'customers' },
  custodial_accounts: { one: 'Custodial Account', many: 'Custodial Accounts', area: 'accounts' },
  synthetic_accounts: { one: 'Synthetic Account', many: 'Synthetic Accounts', area: 'accounts', leadsArea: true },
  kyc_evaluations: { one: 'KYC/AML evaluation', many: 'KYC/AML evaluations', area: 'customers' },
  transfers: { one: 'Transfer', many: 'Transfers', area: 'payments' },
  transactions: {
    one: 'Transaction',
    many: 'Transactions',
    area: 'payments',
    leadsArea: true,
    hiddenUnless: ['include_zero', 'show_denied_auths', 'show_expired'],
  },
  transaction_events: { one: 'Transaction Event', many: 'Transaction Events', area: 'payments' },
  synthetic_line_items: { one: 'Synthetic Line Item', many: 'Synthetic Line Items', area: 'accounts' },
  custodial_line_items: { one: 'Custodial Line Item', many: 'Custodial Line Items', area: 'accounts' },
  virtual_reference_numbers: {
    one: 'Virtual Reference Number',
    many: 'Virtual Reference Numbers',
    area: 'vrns',
    leadsArea: true,
  },
  returns: { one: 'Return', many: 'Returns', area: 'payments' },
  combined_transfers: { one: 'Combined Transfer', many: 'Combined Transfers', area: 'payments' },
  custodial_account_closing_balances: {
    one: 'Custodial Account closing balance',
    many: 'Custodial Account closing balances',
    area: 'accounts',
  },
  synthetic_account_closing_balances: {
    one: 'Synthetic Account closing balance',
    many: 'Synthetic Account closing balances',
    area: 'accounts',
  },
  tasks: { one: 'task', many: 'tasks', area: 'time' },
  webhooks: { one: 'webhook', many: 'webhooks', area: 'webhooks' },
  webhook_events: { one: 'webhook event', many: 'webhook events', area: 'webhooks' },
  webhook_deliveries: { one: 'webhook delivery', many: 'webhook deliveries', area: 'webhooks' },
  webhook_attempts: { one: 'record of webhook attempts', many: 'records of webhook attempts', area: 'webhooks' },
} as const satisfies Readonly<Record<string, CollectionWords>>

export type CollectionName = keyof typeof words

export const collectionNames = Object.keys(words) as CollectionName[]

export const isCollection = (name: unknown): name is CollectionName =>
  typeof name === 'string' && Object.hasOwn(words, name)

export const wordsOf = (name: CollectionName): CollectionWords => words[name]

/** The parameters that make a list show what it hides by default, all of them set. */
export const showHidden = (name: CollectionName): Readonly<Record<string, boolean>> =>
  Object.fromEntries((wordsOf(name).hiddenUnless ?? []).map((parameter) => [parameter, true]))

const singular = collectionNames
  .map((name) => [name.slice(0, -1), name] as const)
  .sort(([a], [b]) => b.length - a.length)

/** The collection that a field refers to: `source_synthetic_account_uid` refers to Synthetic Accounts. */
export function collectionOfField(field: string, parent = ''): CollectionName | undefined {
  const stem = field === 'uid' ? parent : /^(.*)_uids?$/.exec(field)?.[1]
  if (!stem) return undefined
  return singular.find(([one]) => stem === one || stem.endsWith(`_${one}`))?.[1]
}
