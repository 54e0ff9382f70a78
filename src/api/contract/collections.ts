import type { z } from 'zod'
import { type CollectionName, type CollectionWords, wordsOf } from './collection-names.ts'
import type { MachineName } from './machines.ts'
import { textOf } from './messages.ts'
import {
  CustodialAccountClosingBalance,
  closingBalanceEndpoints,
  custodialClosingBalanceList,
  SyntheticAccountClosingBalance,
  syntheticClosingBalanceList,
} from './resources/closing-balances.ts'
import { CombinedTransfer, combinedTransferEndpoints, combinedTransferList } from './resources/combined-transfers.ts'
import { CustodialAccount, custodialAccountEndpoints, custodialAccountList } from './resources/custodial-accounts.ts'
import { CustomerProduct, customerProductEndpoints, customerProductList } from './resources/customer-products.ts'
import { Customer, customerEndpoints, customerList, customerName, personName } from './resources/customers.ts'
import { KycEvaluation, kycEvaluationList } from './resources/kyc-evaluations.ts'
import { Pool, poolEndpoints, poolList } from './resources/pools.ts'
import { Product, productEndpoints, productList } from './resources/products.ts'
import { Program, programList } from './resources/programs.ts'
import { Return, returnEndpoints, returnList } from './resources/returns.ts'
import {
  SyntheticAccount,
  SyntheticAccountType,
  syntheticAccountEndpoints,
  syntheticAccountList,
  syntheticAccountTypeList,
} from './resources/synthetic-accounts.ts'
import { Task, taskList } from './resources/tasks.ts'
import {
  CustodialLineItem,
  custodialLineItemList,
  SyntheticLineItem,
  syntheticLineItemList,
  Transaction,
  TransactionEvent,
  transactionEndpoints,
  transactionEventList,
  transactionList,
} from './resources/transactions.ts'
import { railOf, Transfer, transferEndpoints, transferList } from './resources/transfers.ts'
import { Vrn, vrnEndpoints, vrnList } from './resources/virtual-reference-numbers.ts'
import {
  Webhook,
  WebhookAttempts,
  WebhookDelivery,
  WebhookEvent,
  webhookAttemptsList,
  webhookDeliveryList,
  webhookEventList,
  webhookList,
} from './resources/webhooks.ts'
import { taskRow } from './tasks.ts'
import type { Endpoint } from './terms/endpoint.ts'
import type { Filter, List } from './terms/list.ts'

export { type CollectionName, collectionNames, isCollection } from './collection-names.ts'

/**
 * Every collection, one row each. Store, views, masking and window derive from these rows what they need to know: the
 * indexes, how a record is listed, shown, named, searched and explained.
 */

type RecordSchema = z.ZodType & { readonly shape: Readonly<Record<string, unknown>> }
type Endpoints = Readonly<Record<string, Endpoint>>
type Text = string | null | undefined

/** How a record is called. `T` is what stored and shown records have in common. */
interface Title<T> {
  /** Its own name; null when it has none. */
  readonly name: (record: T) => Text
  /** Without a name of its own it is called after another record. */
  readonly namedAfter?: { readonly collection: string; readonly field: string }
  /** Precedes the word for the collection: `ach Transaction`, `general Synthetic Account`. */
  readonly kind?: (record: T) => Text
  /** The field with the uid of the record after "of": `Return of <Transaction>`. */
  readonly of?: string
  /** Follows the word for the collection. */
  readonly detail?: (record: T) => Text
  /** The fields with the accounts that money goes from and to. */
  readonly parties?: readonly [from: string, to: string]
}

/** A field to search in, or a name for a text that is computed from the record. */
export type SearchField<T> = string | readonly [name: string, text: (record: T) => Text]

/** A record that a record goes back to, for `why`. */
interface Parent<T> {
  /** A function where a field of the record decides which collection it is. */
  readonly collection: string | ((record: T) => Text)
  /** The field of the record with the uid of its parent, or with a list of which it is the first. Default: its own uid. */
  readonly field?: string
  /** The indexed field of the parent that has the same value. Default: its uid. */
  readonly childField?: string
}

interface CollectionRow<T = never, L = never> extends CollectionWords {
  /** The record as the operator sees it. Fields that are not in the schema are private. */
  readonly schema: RecordSchema
  /** Of the API that clients call, by their names. */
  readonly endpoints?: Endpoints
  /** Filters and sorts. A filter declared with `indexed` gives the collection an index on its field. */
  readonly list: List<L>
  /** Further fields with an index, by which the domain finds records. */
  readonly indexes?: readonly string[]
  readonly title: Title<T>
  /** The field that is stored as a message. The operator gets that message as `message` beside the text. */
  readonly messageField?: 'description' | 'name'
  /** The path of the amount of money that a summary of the record shows. */
  readonly amount?: string
  /** The field with the Transaction that moves the money of the record: its uid, or a list of which it is the first. */
  readonly payment?: string
  /** For the search over all records. Without it only the uid is found. */
  readonly search?: {
    /** Of equally good results the ones with the lower rank come first. */
    readonly rank: number
    readonly fields: readonly SearchField<T>[]
    /** Indexed fields in which an exact value is found however old the record is. */
    readonly exact?: readonly string[]
  }
  /** The first of them that exists is the record's parent. */
  readonly parents?: readonly Parent<T>[]
  /** The state machines, by the path of the field they govern. */
  readonly machines?: Readonly<Record<string, MachineName>>
  /** Its changes are entries of a Customer's timeline and are named in the list of commits. */
  readonly main?: true
}

type Known<S extends z.ZodType> = Partial<z.output<S>>

const collection = <
  S extends RecordSchema,
  L,
  const F extends readonly string[] = [],
  E extends Endpoints = Record<never, never>,
>(
  name: CollectionName,
  row: Omit<CollectionRow<Known<S>>, keyof CollectionWords | 'schema' | 'endpoints' | 'list' | 'indexes'> & {
    readonly schema: S
    readonly endpoints?: E
    readonly list: List<L>
    readonly indexes?: F
  },
) => ({ ...wordsOf(name), ...row })

const accountBalance = 'net_usd_balance'

export const collections = {
  programs: collection('programs', {
    schema: Program,
    list: programList,
    indexes: ['client_uid'],
    title: { name: ({ name }) => name },
    search: { rank: 8, fields: ['name'] },
  }),
  customers: collection('customers', {
    schema: Customer,
    endpoints: customerEndpoints,
    list: customerList,
    indexes: ['primary_customer_uid', 'ssn'],
    title: { name: customerName, kind: ({ customer_type }) => customer_type },
    amount: 'total_balance',
    search: {
      rank: 1,
      fields: [
        ['name', ({ details }) => details && personName(details)],
        ['business_name', ({ details }) => details?.business_name],
        'email',
        'external_uid',
        ['phone', ({ details }) => details?.phone],
        ['ssn_last_four', ({ details }) => details?.ssn_last_four],
      ],
      exact: ['external_uid', 'email'],
    },
    machines: { status: 'customer', kyc_status: 'kyc' },
    main: true,
  }),
  pools: collection('pools', {
    schema: Pool,
    endpoints: poolEndpoints,
    list: poolList,
    messageField: 'name',
    title: { name: ({ name }) => name },
    search: { rank: 11, fields: ['name'] },
  }),
  products: collection('products', {
    schema: Product,
    endpoints: productEndpoints,
    list: productList,
    title: { name: ({ name }) => name },
    search: { rank: 9, fields: ['name', 'description'] },
  }),
  synthetic_account_types: collection('synthetic_account_types', {
    schema: SyntheticAccountType,
    list: syntheticAccountTypeList,
    title: { name: ({ name }) => name },
    search: { rank: 10, fields: ['name', 'description'] },
  }),
  customer_products: collection('customer_products', {
    schema: CustomerProduct,
    endpoints: customerProductEndpoints,
    list: customerProductList,
    title: {
      name: ({ product_name }) => product_name,
      namedAfter: { collection: 'products', field: 'product_uid' },
      of: 'customer_uid',
    },
    parents: [{ collection: 'customers', field: 'customer_uid' }],
    machines: { status: 'customer_product' },
    main: true,
  }),
  custodial_accounts: collection('custodial_accounts', {
    schema: CustodialAccount,
    endpoints: custodialAccountEndpoints,
    list: custodialAccountList,
    indexes: ['pool_uid'],
    title: { name: ({ name, type }) => name ?? type, kind: ({ type }) => type },
    amount: accountBalance,
    search: { rank: 12, fields: ['name', 'external_uid'] },
  }),
  synthetic_accounts: collection('synthetic_accounts', {
    schema: SyntheticAccount,
    endpoints: syntheticAccountEndpoints,
    list: syntheticAccountList,
    indexes: ['account_number'],
    title: {
      name: ({ name }) => name,
      kind: ({ synthetic_account_category }) => synthetic_account_category,
    },
    amount: accountBalance,
    search: {
      rank: 2,
      // The numbers of counterparties are private; their last four digits are not.
      fields: [
        'name',
        'external_uid',
        ['account_number_last_four', ({ account_number }) => account_number?.slice(-4)],
        accountBalance,
      ],
      exact: ['external_uid', 'account_number'],
    },
    machines: { status: 'synthetic_account' },
    main: true,
  }),
  kyc_evaluations: collection('kyc_evaluations', {
    schema: KycEvaluation,
    list: kycEvaluationList,
    title: {
      name: () => null,
      namedAfter: { collection: 'customers', field: 'customer_uid' },
      detail: ({ billable }) => (billable ? 'billable' : 'not billable'),
    },
    parents: [{ collection: 'customers', field: 'customer_uid' }],
  }),
  transfers: collection('transfers', {
    schema: Transfer,
    endpoints: transferEndpoints,
    list: transferList,
    indexes: ['initiating_customer_uid'],
    title: {
      name: (transfer) => railOf(transfer).replace('_', ' '),
      kind: railOf,
      parties: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
    },
    amount: 'usd_transfer_amount',
    payment: 'transaction_uids',
    search: { rank: 5, fields: ['external_uid', 'usd_transfer_amount'], exact: ['external_uid'] },
    parents: [{ collection: 'combined_transfers', childField: 'transfer_uid' }],
    machines: { status: 'transfer' },
    main: true,
  }),
  transactions: collection('transactions', {
    schema: Transaction,
    endpoints: transactionEndpoints,
    list: transactionList,
    indexes: ['transfer_uid', 'original_transaction_uid', 'open_for'],
    messageField: 'description',
    title: {
      name: ({ description }) => description,
      kind: ({ type }) => type,
      parties: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
    },
    amount: 'us_dollar_amount',
    payment: 'uid',
    search: { rank: 4, fields: ['description', 'us_dollar_amount'] },
    parents: [
      { collection: 'returns', childField: 'return_transaction_uid' },
      { collection: 'transactions', field: 'original_transaction_uid' },
      { collection: 'transfers', field: 'transfer_uid' },
    ],
    machines: { status: 'transaction', 'authorization.authorization_status': 'authorization' },
    main: true,
  }),
  transaction_events: collection('transaction_events', {
    schema: TransactionEvent,
    list: transactionEventList,
    messageField: 'description',
    title: {
      name: ({ description }) => description,
      kind: ({ type }) => type,
      parties: ['source_custodial_account_uid', 'destination_custodial_account_uid'],
    },
    amount: 'us_dollar_amount',
    payment: 'transaction_uids',
    parents: [{ collection: 'transactions', field: 'transaction_uid' }],
  }),
  synthetic_line_items: collection('synthetic_line_items', {
    schema: SyntheticLineItem,
    list: syntheticLineItemList,
    messageField: 'description',
    title: { name: ({ description }) => description },
    amount: 'us_dollar_amount',
    payment: 'transaction_uid',
    parents: [
      // A payment within a Pool has no event.
      { collection: 'transaction_events', field: 'transaction_uid', childField: 'transaction_uids' },
      { collection: 'transactions', field: 'transaction_uid' },
    ],
  }),
  custodial_line_items: collection('custodial_line_items', {
    schema: CustodialLineItem,
    list: custodialLineItemList,
    messageField: 'description',
    title: { name: ({ description }) => description, kind: ({ type }) => type },
    amount: 'us_dollar_amount',
    payment: 'transaction_uid',
    parents: [{ collection: 'transaction_events', field: 'transaction_event_uid' }],
  }),
  virtual_reference_numbers: collection('virtual_reference_numbers', {
    schema: Vrn,
    endpoints: vrnEndpoints,
    list: vrnList,
    indexes: ['external_uid', 'customer_uid'],
    title: {
      name: ({ name, virtual_reference_number: number }) => name ?? (number && `VRN ··${number.slice(-4)}`),
      detail: ({ virtual_reference_number: number }) => number,
    },
    search: {
      rank: 3,
      fields: ['name', 'external_uid', 'virtual_reference_number'],
      exact: ['external_uid', 'virtual_reference_number'],
    },
    machines: {
      status: 'virtual_reference_number',
      instant_payment_rail_registration_status: 'vrn_registration',
    },
    main: true,
  }),
  returns: collection('returns', {
    schema: Return,
    endpoints: returnEndpoints,
    list: returnList,
    indexes: ['external_uid', 'original_transaction_uid', 'return_transaction_uid'],
    title: { name: ({ return_reason }) => return_reason, of: 'original_transaction_uid' },
    payment: 'return_transaction_uid',
    search: { rank: 6, fields: ['return_reason', 'external_uid'], exact: ['external_uid'] },
    parents: [{ collection: 'transactions', field: 'original_transaction_uid' }],
    machines: { status: 'return' },
    main: true,
  }),
  combined_transfers: collection('combined_transfers', {
    schema: CombinedTransfer,
    endpoints: combinedTransferEndpoints,
    list: combinedTransferList,
    title: { name: () => null },
    amount: 'transfer.usd_transfer_amount',
    search: { rank: 7, fields: ['external_uid'], exact: ['external_uid'] },
    machines: { status: 'combined_transfer' },
    main: true,
  }),
  custodial_account_closing_balances: collection('custodial_account_closing_balances', {
    schema: CustodialAccountClosingBalance,
    list: custodialClosingBalanceList,
    title: { name: ({ net_usd_closing_balance_as_of: day }) => day },
    amount: 'net_usd_closing_balance',
    parents: [{ collection: 'custodial_accounts', field: 'custodial_account_uid' }],
  }),
  synthetic_account_closing_balances: collection('synthetic_account_closing_balances', {
    schema: SyntheticAccountClosingBalance,
    endpoints: closingBalanceEndpoints,
    list: syntheticClosingBalanceList,
    title: { name: ({ net_usd_closing_balance_as_of: day }) => day },
    amount: 'net_usd_closing_balance',
    parents: [{ collection: 'synthetic_accounts', field: 'synthetic_account_uid' }],
  }),
  tasks: collection('tasks', {
    schema: Task,
    list: taskList,
    title: { name: ({ why }) => why, kind: ({ kind }) => kind },
    parents: [
      { collection: ({ kind }) => taskRow(kind ?? '')?.subject, field: 'subject_uid' },
      { collection: 'programs', field: 'program_uid' },
    ],
  }),
  webhooks: collection('webhooks', {
    schema: Webhook,
    list: webhookList,
    title: { name: ({ url }) => url },
  }),
  webhook_events: collection('webhook_events', {
    schema: WebhookEvent,
    list: webhookEventList,
    title: { name: ({ topic, event_type }) => topic && `${topic}.${event_type}` },
    parents: [{ collection: (event) => event.collection, field: 'record_uid' }],
  }),
  webhook_deliveries: collection('webhook_deliveries', {
    schema: WebhookDelivery,
    list: webhookDeliveryList,
    title: { name: () => null, namedAfter: { collection: 'webhook_events', field: 'event_uid' } },
    parents: [{ collection: 'webhook_events', field: 'event_uid' }],
  }),
  webhook_attempts: collection('webhook_attempts', {
    schema: WebhookAttempts,
    list: webhookAttemptsList,
    title: { name: () => null },
    parents: [{ collection: 'webhook_deliveries', field: 'delivery_uid' }],
  }),
} as const satisfies Readonly<Record<CollectionName, unknown>>

/** A record with its derived fields, as its schema requires it. */
export type ShownRecord<N extends CollectionName> = z.input<(typeof collections)[N]['schema']>

/** A record as its schema describes it. */
export type DeclaredRecord<N extends CollectionName> = z.output<(typeof collections)[N]['schema']>

export const rowOf = (name: CollectionName): CollectionRow => collections[name]

// ── Derived from a row ───────────────────────────────────────────────────────────────────────────────────────────

/** The fields with an index: those of the list's indexed filters, and the further ones of the row. */
export function indexedFields(name: CollectionName): readonly string[] {
  const { list, indexes = [] } = rowOf(name)
  const filtered = Object.values<Filter<never>>(list.filters).flatMap(({ index }) => index ?? [])
  return [...new Set([...filtered, ...indexes])]
}

type Fields = Readonly<Record<string, unknown>>

/** The record's own name; null when it has none. A stored record may have a message where a shown one has its text. */
export const ownName = (name: CollectionName, record: object): string | null =>
  textOf(rowOf(name).title.name(record as never)) || null

/** The Transaction that moves the money of a shown record; null when there is none. */
export function paymentOf(name: CollectionName, record: Fields): string | null {
  const { payment } = rowOf(name)
  const [uid] = [payment === undefined ? undefined : record[payment]].flat()
  return typeof uid === 'string' ? uid : null
}

/** The amount that a summary shows; null when the record has none. */
export function amountOf(name: CollectionName, record: object): string | null {
  const { amount } = rowOf(name)
  const value = amount?.split('.').reduce<unknown>((at, field) => (at as Fields | null | undefined)?.[field], record)
  return typeof value === 'string' ? value : null
}
