import { z } from 'zod'
import { type Description, formatMessage } from '../messages.ts'
import { AddressLines, StructuredAddress, WireAddress } from '../terms/addresses.ts'
import { fromLinked, fromOwn } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import {
  after,
  anyOf,
  atLeast,
  atMost,
  before,
  envelope,
  flag,
  indexed,
  lessThan,
  list,
  moreThan,
  wildcard,
} from '../terms/list.ts'
import { Money, orNull, Timestamp, Uid } from '../terms/primitives.ts'
import { achFacts, InstantPaymentTransmitter, intermediaryFacts, PurposeOfPayment } from './transfers.ts'

export const TransactionStatus = z.enum([
  'queued',
  'pending',
  'settled',
  'failed',
  'canceled',
  'denied',
  'expired',
  'authorization_pending',
  'authorization_denied',
])
export type TransactionStatus = z.infer<typeof TransactionStatus>

export const TransactionType = z.enum([
  'ach',
  'ach_return',
  'atm_withdrawal',
  'book_transfer',
  'card_load',
  'card_purchase',
  'card_refund',
  'cash_load',
  'corporate_action',
  'credit',
  'denied_authorization',
  'dispute',
  'fee',
  'initiated_ach_return',
  'initiated_ach_reversal',
  'initiated_wire_return',
  'instant_payment',
  'interest',
  'other',
  'peer_to_peer_transfer',
  'reversal',
  'reversed_transfer',
  'set_account_balance',
  'wire',
])
export type TransactionType = z.infer<typeof TransactionType>

/** The direction as the Customer sees it; neutral between its own accounts. */
export const NetAsset = z.enum(['positive', 'negative', 'neutral'])
export type NetAsset = z.infer<typeof NetAsset>

// ── Authorization: specification 3.4 and 4.7 ───────────────────────────────────────────────────────────────────────

export const AuthorizationStatus = z.enum([
  'created',
  'client_approval_pending',
  'client_approved',
  'client_denied',
  'auto_approved',
  'auto_denied',
  'client_unanswered_auto_approved',
  'client_unanswered_auto_denied',
])
export type AuthorizationStatus = z.infer<typeof AuthorizationStatus>

export const DeniedReason = z.enum([
  'debit_limit_exceeded',
  'insufficient_funds',
  'international_payment',
  'unauthorized_credit',
  'unauthorized_debit',
  'vrn_archived',
  'vrn_locked',
])
export type DeniedReason = z.infer<typeof DeniedReason>

export const Authorization = z
  .object({
    authorization_finalized_at: orNull(Timestamp).meta({ description: 'Only once it is decided' }),
    authorization_required_by: orNull(Timestamp),
    authorization_status: AuthorizationStatus,
    denied_memo: orNull(z.string()),
    denied_reason: orNull(DeniedReason),
  })
  .meta({ id: 'Authorization' })
export type Authorization = z.infer<typeof Authorization>

/** Assumed (published): a request may deny with `denied` or `client_denied`; responses have `client_denied`. */
export const AuthorizeTransaction = z
  .object({
    authorization_status: z.enum(['client_approved', 'client_denied', 'denied']),
    denied_reason: DeniedReason.nullable().optional().meta({ description: 'Required for a denial' }),
    denied_memo: z.string().max(44).nullable().optional(),
  })
  .meta({ id: 'AuthorizeTransaction', examples: [{ authorization_status: 'client_approved' }] })
export type AuthorizeTransaction = z.infer<typeof AuthorizeTransaction>

const AuthorizationAnswer = z.object({ authorization: Authorization }).meta({ id: 'AuthorizationAnswer' })

// ── Fields of each rail ────────────────────────────────────────────────────────────────────────────────────────────

const text = z.string().optional()
const textOrNull = z.string().nullable().optional()

/** Details of an international ACH; only in Programs with shows_iat. */
export const Iat = z.object({
  foreign_exchange_indicator: text,
  foreign_exchange_reference_indicator: text,
  foreign_exchange_reference: textOrNull,
  iso_destination_country_code: text,
  iso_originating_currency_code: text,
  iso_destination_currency_code: text,
  transaction_code: text,
  transaction_type_code: text,
  foreign_payment_amount: textOrNull,
  foreign_trace_number: textOrNull,
  originator_street_address: text,
  originator_city_state_province: text,
  originator_country_postal_code: text,
  odfi_name: text,
  odfi_identification_number_qualifier: text,
  odfi_id: text,
  odfi_branch_country_code: text,
  rdfi_name: text,
  rdfi_identification_number_qualifier: text,
  rdfi_id: text,
  rdfi_branch_country_code: text,
  counterparty_street_address: text,
  counterparty_city_state_province: text,
  counterparty_country_postal_code: text,
  payment_related_information_1: textOrNull,
  payment_related_information_2: textOrNull,
  foreign_correspondent_banks: z
    .array(z.object({ name: text, id_number_qualifier: text, id_number: text, branch_country_code: text }))
    .optional(),
})
export type Iat = z.infer<typeof Iat>

const AchSummary = z.object({
  ...achFacts,
  originator_routing_number: text,
  counterparty_name: text,
  transfer_trace_id: text,
  ach_return_code: orNull(z.string()),
  ach_return_reason: orNull(z.string()),
  noc_code: orNull(z.string()),
  noc_reason: orNull(z.string()),
  iat: Iat.optional(),
})
const Ach = AchSummary.extend({ addenda: orNull(z.string()), noc_corrected_data: orNull(z.string()) })

export const Network = z.enum(['tch', 'fednow'])
export type Network = z.infer<typeof Network>

const InstantPaymentSummary = z.object({
  network_transaction_id: text,
  network: Network.optional(),
  failure_code: orNull(z.string()),
  failure_reason: orNull(z.string()),
  counterparty_name: text,
  counterparty_bank_name: text,
  counterparty_bank_routing_number: text,
  counterparty_bank_address: StructuredAddress.nullable().optional(),
  counterparty_account_number_last_four: text,
  payment_id: text,
  original_end_to_end_id: textOrNull,
  initiating_party_name: text,
  transmitter_name: text.meta({ deprecated: true }),
  instant_payment_transmitter: orNull(InstantPaymentTransmitter),
})
const InstantPayment = InstantPaymentSummary.extend({
  memo: orNull(z.string()),
  purpose_of_payment: PurposeOfPayment.optional(),
  counterparty_address: StructuredAddress.nullable().optional(),
})

const WireSummary = z.object({
  counterparty_name: z.string(),
  counterparty_bank_name: textOrNull,
  counterparty_bank_address: AddressLines.nullable().optional(),
  counterparty_bank_routing_number: text,
  ...intermediaryFacts,
  chips: textOrNull.meta({ description: 'Of chips, imad and uetr at most one is set' }),
  imad: textOrNull,
  uetr: textOrNull,
  bank_to_bank_info: textOrNull,
  originator_account_number_last_four: textOrNull,
})
const Wire = WireSummary.extend({
  counterparty_address: WireAddress.nullable().optional(),
  wire_instructions: orNull(z.string()),
})

// ── Transactions ───────────────────────────────────────────────────────────────────────────────────────────────────

const facts = {
  uid: Uid,
  id: z.int().meta({ description: 'Counter in order of creation' }),
  customer_uid: Uid,
  source_synthetic_account_uid: Uid,
  destination_synthetic_account_uid: Uid,
  custodial_account_uids: z.array(Uid),
  type: TransactionType,
  status: TransactionStatus,
  us_dollar_amount: Money.meta({ description: 'Never negative; net_asset is the direction' }),
  net_asset: NetAsset,
  description: z.string(),
  transfer_uid: Uid.nullable().meta({ description: 'Null if the payment came from outside' }),
  return_uid: Uid.nullable(),
  adjustment_uid: Uid.nullable(),
  transaction_batch_uid: Uid.nullable(),
  virtual_reference_number_uid: orNull(Uid),
  debit_card_uid: orNull(Uid),
  transaction_event_uids: z.array(Uid),
  settled_index: z.int().nullable().meta({ description: 'Counter in order of settlement' }),
  created_at: Timestamp,
  initial_action_at: Timestamp,
  settled_at: orNull(Timestamp),
  statement_posted_at: Timestamp.nullable().meta({ description: 'When it was posted to a bank statement' }),
  authorization: Authorization.optional(),
}

/** A list does not show addenda, corrections, memos, instructions and the addresses of counterparties. */
const TransactionSummary = z
  .object({
    ...facts,
    ach: AchSummary.optional(),
    instant_payment: InstantPaymentSummary.optional(),
    wire: WireSummary.optional(),
  })
  .meta({ id: 'TransactionSummary' })

export const Transaction = z
  .object({
    ...facts,
    ach: Ach.optional(),
    instant_payment: InstantPayment.optional(),
    wire: Wire.optional(),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.infer<typeof Transaction>

/** Computed when it is shown. */
export const derivedFields = {
  transaction_event_uids: fromLinked(
    'The movements between Custodial Accounts that carry it out; a book transfer has some only with the setting book_transfer_events',
    'transaction_events',
    'transaction_uids',
  ),
  statement_posted_at: fromOwn('The end of the business day on which it settled; null until then', 'posts_at'),
  description: fromOwn('The text of the Client, or one that names the other party', 'description'),
}
type Kept = Omit<Transaction, keyof typeof derivedFields> & {
  readonly description: Description
  readonly pool_uid: Uid
  /** Both accounts, for the index. */
  readonly synthetic_account_uid: readonly Uid[]
}
/** A number only to compare amounts, never to calculate. */
const amountOf = ({ us_dollar_amount }: { readonly us_dollar_amount: Money }) => Number(us_dollar_amount)

export const transactionList = list<Kept>()({
  rules: {
    ...derivedFields,
    custodial_account_uids: fromOwn(
      'Between which it moves; a book transfer does so only with the setting book_transfer_events',
      'custodial_account_uids',
    ),
  },
  filters: {
    customer_uid: indexed('customer_uid'),
    pool_uid: indexed('pool_uid'),
    source_synthetic_account_uid: indexed('source_synthetic_account_uid'),
    destination_synthetic_account_uid: indexed('destination_synthetic_account_uid'),
    synthetic_account_uid: indexed('synthetic_account_uid'),
    type: anyOf((it) => it.type, TransactionType),
    status: indexed('status', TransactionStatus),
    has_return: flag((it) => it.return_uid !== null),
    search_description: wildcard((it) => formatMessage(it.description)),
    created_at_after: after((it) => it.created_at),
    created_at_before: before((it) => it.created_at),
    settled_at_after: after((it) => it.settled_at),
    settled_at_before: before((it) => it.settled_at),
    initial_action_at_after: after((it) => it.initial_action_at),
    initial_action_at_before: before((it) => it.initial_action_at),
    settled_index_after: moreThan((it) => it.settled_index),
    settled_index_before: lessThan((it) => it.settled_index),
    id_after: moreThan((it) => it.id),
    id_before: lessThan((it) => it.id),
  },
  hides: [
    {
      when: (it) => it.us_dollar_amount === '0.00',
      unless: 'include_zero',
      description: 'Transactions of 0.00, such as prenotes',
    },
    {
      when: (it) => it.status === 'denied',
      unless: 'show_denied_auths',
      description: 'Transactions that are `denied`',
    },
    { when: (it) => it.status === 'expired', unless: 'show_expired', description: 'Transactions that are `expired`' },
  ],
  sort: {
    created_at: (it) => it.created_at,
    description: (it) => formatMessage(it.description),
    id: (it) => it.id,
    settled_index: (it) => it.settled_index,
    us_dollar_amount: amountOf,
  },
})

// ── Transaction Events ─────────────────────────────────────────────────────────────────────────────────────────────

/** Originated by us (odfi) or received (rdfi), and the direction. All rails use these types. */
const TransactionEventType = z.enum([
  'odfi_ach_deposit',
  'odfi_ach_withdrawal',
  'rdfi_ach_deposit',
  'rdfi_ach_withdrawal',
])
export type TransactionEventType = z.infer<typeof TransactionEventType>

/** A movement between Custodial Accounts, created when it settles. */
export const TransactionEvent = z
  .object({
    uid: Uid,
    settled_index: z.int(),
    transaction_uids: z.array(Uid),
    source_custodial_account_uid: Uid,
    destination_custodial_account_uid: Uid,
    custodial_line_item_uids: z.array(Uid),
    status: z.enum(['settled']),
    us_dollar_amount: Money,
    type: TransactionEventType,
    debit_card_uid: orNull(Uid),
    net_asset: NetAsset,
    description: z.string(),
    created_at: Timestamp,
    settled_at: Timestamp,
  })
  .meta({ id: 'TransactionEvent' })
export type TransactionEvent = z.infer<typeof TransactionEvent>

/** Transaction Events and line items are stored with their description as a message. */
type Stored<T> = Omit<T, 'description'> & { readonly description: Description }

interface SortedRecord {
  readonly created_at: Timestamp
  readonly description: Description
  readonly settled_index: number
  readonly us_dollar_amount: Money
}
/** Transaction Events and line items have the same sorts. */
const sort = {
  created_at: (it: SortedRecord) => it.created_at,
  description: (it: SortedRecord) => formatMessage(it.description),
  settled_index: (it: SortedRecord) => it.settled_index,
  us_dollar_amount: (it: SortedRecord) => amountOf(it),
}

export const transactionEventList = list<Stored<TransactionEvent>>()({
  filters: {
    source_custodial_account_uid: anyOf((event) => event.source_custodial_account_uid),
    destination_custodial_account_uid: anyOf((event) => event.destination_custodial_account_uid),
    custodial_account_uid: anyOf((event) => [
      event.source_custodial_account_uid,
      event.destination_custodial_account_uid,
    ]),
    type: anyOf((event) => event.type, TransactionEventType),
    transaction_uid: indexed('transaction_uids'),
  },
  sort,
})

// ── Line items: one side of a movement ─────────────────────────────────────────────────────────────────────────────

const lineFacts = {
  uid: Uid,
  settled_index: z.int(),
  transaction_uid: Uid,
  us_dollar_amount: Money.meta({ description: 'Negative if money leaves the account' }),
  asset_quantity: z.string(),
  asset_type: z.string(),
  closing_price: z.string(),
  description: z.string(),
  created_at: Timestamp,
  settled_at: Timestamp,
}

export const SyntheticLineItem = z
  .object({
    ...lineFacts,
    synthetic_account_uid: Uid,
    status: z.enum(['settled']),
    running_us_dollar_balance: Money,
    running_asset_balance: z.string(),
    custodial_account_uid: Uid,
    custodial_account_name: z.string(),
  })
  .meta({ id: 'SyntheticLineItem' })
export type SyntheticLineItem = z.infer<typeof SyntheticLineItem>

export const syntheticLineItemList = list<
  Stored<SyntheticLineItem> & { readonly customer_uid: Uid; readonly pool_uid: Uid }
>()({
  filters: {
    customer_uid: indexed('customer_uid'),
    pool_uid: indexed('pool_uid'),
    synthetic_account_uid: indexed('synthetic_account_uid'),
    transaction_uid: indexed('transaction_uid'),
    status: anyOf((item) => item.status, z.enum(['begun', 'failed', 'in_progress', 'settled'])),
  },
  sort,
})

const CustodialLineItemStatus = z.enum(['settled', 'voided'])
export type CustodialLineItemStatus = z.infer<typeof CustodialLineItemStatus>

export const CustodialLineItem = z
  .object({
    ...lineFacts,
    transaction_event_uid: Uid,
    custodial_account_uid: Uid,
    debit_card_uid: orNull(Uid),
    status: CustodialLineItemStatus,
    running_us_dollar_balance: Money.nullable(),
    running_asset_balance: z.string().nullable(),
    type: z.string(),
    occurred_at: Timestamp,
  })
  .meta({ id: 'CustodialLineItem' })
export type CustodialLineItem = z.infer<typeof CustodialLineItem>

export const custodialLineItemList = list<Stored<CustodialLineItem> & { readonly customer_uid: Uid }>()({
  filters: {
    customer_uid: indexed('customer_uid'),
    custodial_account_uid: indexed('custodial_account_uid'),
    status: anyOf((item) => item.status, CustodialLineItemStatus),
    us_dollar_amount_max: atMost(amountOf),
    us_dollar_amount_min: atLeast(amountOf),
    transaction_event_uid: indexed('transaction_event_uid'),
    transaction_uid: indexed('transaction_uid'),
  },
  sort,
})

export const transactionEndpoints = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/transactions',
    group: 'Transactions',
    summary: 'List Transactions',
    description: 'Lists the Transactions, the newest first. Prenotes, denied and expired ones are listed on request.',
    query: transactionList.query,
    status: 200,
    response: envelope(TransactionSummary),
    errors: ['invalidLimit', 'invalidSort', 'unparseableDate'],
  }),
  getTransaction: endpoint({
    method: 'GET',
    path: '/transactions/{uid}',
    group: 'Transactions',
    summary: 'Get one Transaction',
    description: 'Returns a Transaction.',
    status: 200,
    response: Transaction,
    errors: ['unknownRecord'],
  }),
  authorizeTransaction: endpoint({
    method: 'PUT',
    path: '/transactions/{uid}/authorize',
    example: 'authorizable_transaction',
    group: 'Transactions',
    summary: 'Approve or deny a Transaction',
    description:
      'Approves or denies a payment to a Virtual Reference Number while it waits for the decision of the Client.',
    body: AuthorizeTransaction,
    status: 200,
    response: AuthorizationAnswer,
    errors: [
      'unknownRecord',
      'authorizationDisabled',
      'authorizationIneligible',
      'authorizationExpired',
      'authorizationFinal',
      'missingParameter',
      'invalidArgument',
    ],
    documents: [422],
  }),
  listTransactionEvents: endpoint({
    method: 'GET',
    path: '/transaction_events',
    group: 'Transactions',
    summary: 'List Transaction Events',
    description: 'Lists the steps of Transactions.',
    query: transactionEventList.query,
    status: 200,
    response: envelope(TransactionEvent),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  getTransactionEvent: endpoint({
    method: 'GET',
    path: '/transaction_events/{uid}',
    group: 'Transactions',
    summary: 'Get one Transaction Event',
    description: 'Returns a step of a Transaction.',
    status: 200,
    response: TransactionEvent,
    errors: ['unknownRecord'],
  }),
  listSyntheticLineItems: endpoint({
    method: 'GET',
    path: '/synthetic_line_items',
    group: 'Transactions',
    summary: 'List the line items of Synthetic Accounts',
    description: 'Lists the credits and debits of Synthetic Accounts.',
    query: syntheticLineItemList.query,
    status: 200,
    response: envelope(SyntheticLineItem),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  getSyntheticLineItem: endpoint({
    method: 'GET',
    path: '/synthetic_line_items/{uid}',
    group: 'Transactions',
    summary: 'Get one line item of a Synthetic Account',
    description: 'Returns a credit or debit of a Synthetic Account.',
    status: 200,
    response: SyntheticLineItem,
    errors: ['unknownRecord'],
  }),
  listCustodialLineItems: endpoint({
    method: 'GET',
    path: '/custodial_line_items',
    group: 'Transactions',
    summary: 'List the line items of Custodial Accounts',
    description: 'Lists the credits and debits of Custodial Accounts.',
    query: custodialLineItemList.query,
    status: 200,
    response: envelope(CustodialLineItem),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  getCustodialLineItem: endpoint({
    method: 'GET',
    path: '/custodial_line_items/{uid}',
    group: 'Transactions',
    summary: 'Get one line item of a Custodial Account',
    description: 'Returns a credit or debit of a Custodial Account.',
    status: 200,
    response: CustodialLineItem,
    errors: ['unknownRecord'],
  }),
}
