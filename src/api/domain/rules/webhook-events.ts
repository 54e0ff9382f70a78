import { formatMessage } from '../../contract/messages.ts'
import { type DetailsOf, type WebhookEventName, webhookEventNames, webhookEvents } from '../../contract/webhooks.ts'
import type { Write } from '../../store/draft.ts'
import type { ReadTx } from '../../store/tx.ts'
import type {
  CollectionName,
  CustomerRecord,
  RecordOf,
  SyntheticAccountRecord,
  TransactionRecord,
  TransferRecord,
  VrnRecord,
} from '../../store/world.ts'

/** Finds the events of `contract/webhooks.ts` in what a transaction writes. */

interface Rule<N extends WebhookEventName, C extends CollectionName> {
  readonly collection: C
  /** Whether the write of a record is this event. */
  readonly occurs: (was: RecordOf[C] | undefined, now: RecordOf[C]) => boolean
  /** Of the record as it is at the end of the transaction; `was` and `now` are the ones of the write. */
  readonly details: (tx: ReadTx, record: RecordOf[C], was: RecordOf[C] | undefined, now: RecordOf[C]) => DetailsOf<N>
}

const rule =
  <C extends CollectionName>(collection: C) =>
  <N extends WebhookEventName>(parts: Omit<Rule<N, C>, 'collection'>): Rule<N, C> => ({ collection, ...parts })

const isCreated = (was: unknown) => was === undefined
const hasNew =
  <F extends string>(field: F) =>
  (was: Partial<Record<F, unknown>> | undefined, now: Partial<Record<F, unknown>>) =>
    was !== undefined && was[field] !== now[field]
const statusOf = <S>(was: { readonly status: S } | undefined, now: { readonly status: S }) => ({
  old_status: was!.status,
  new_status: now.status,
})

const externalUid = (tx: ReadTx, customer_uid: string) => tx.customers.get(customer_uid)?.external_uid ?? null
const ofCustomer = (tx: ReadTx, customer_uid: string) => ({
  customer_uid,
  customer_external_uid: externalUid(tx, customer_uid),
})

const ofTransfer = (tx: ReadTx, transfer: TransferRecord) => {
  const transaction_uids = tx.transactions.findBy('transfer_uid', transfer.uid).map(({ uid }) => uid)
  const { destination_customer_uid } = transfer
  return {
    ...ofCustomer(tx, transfer.initiating_customer_uid),
    transfer_uid: transfer.uid,
    transaction_uid: transaction_uids[0] ?? null,
    transaction_uids,
    destination_customer_uid,
    destination_customer_external_uid: externalUid(tx, destination_customer_uid),
  }
}
const ofTransaction = (tx: ReadTx, { uid, customer_uid, transfer_uid, description }: TransactionRecord) => ({
  ...ofCustomer(tx, customer_uid),
  transaction_uid: uid,
  transfer_uid,
  description: formatMessage(description),
})
const ofAccount = (tx: ReadTx, account: SyntheticAccountRecord) => ({
  ...ofCustomer(tx, account.customer_uid),
  synthetic_account_uid: account.uid,
  external_uid: account.external_uid ?? null,
  synthetic_account_category: account.synthetic_account_category,
})
const ofVrn = (tx: ReadTx, vrn: VrnRecord) => ({
  ...ofCustomer(tx, vrn.customer_uid),
  virtual_reference_number_uid: vrn.uid,
  external_uid: vrn.external_uid ?? null,
  synthetic_account_uid: vrn.synthetic_account_uid,
})
const onlyCustomer = ({ uid, external_uid }: CustomerRecord) => ({ customer_uid: uid, external_uid })

const inTransfers = rule('transfers')
const inTransactions = rule('transactions')
const inAccounts = rule('synthetic_accounts')
const inVrns = rule('virtual_reference_numbers')
const inCustomers = rule('customers')
const REGISTRATION = 'instant_payment_rail_registration_status'

type AnyRule<N extends WebhookEventName> = { readonly [C in CollectionName]: Rule<N, C> }[CollectionName]

const rules: { readonly [N in WebhookEventName]: AnyRule<N> } = {
  'transfers.created': inTransfers({
    occurs: isCreated,
    details: (tx, it) => ({ ...ofTransfer(tx, it), usd_transfer_amount: it.usd_transfer_amount }),
  }),
  'transfers.status_change': inTransfers({
    occurs: hasNew('status'),
    details: (tx, it, was, now) => ({ ...ofTransfer(tx, it), ...statusOf(was, now) }),
  }),
  'transfers.rtp_settlement': inTransfers({
    occurs: (was, now) => now.rail === 'instant_payment' && now.status === 'settled' && hasNew('status')(was, now),
    details: (tx, it) => ({ ...ofTransfer(tx, it), usd_transfer_amount: it.usd_transfer_amount }),
  }),
  'transactions.created': inTransactions({
    occurs: isCreated,
    details: (tx, it, _, { status }) => ({
      ...ofTransaction(tx, it),
      source_synthetic_account_uid: it.source_synthetic_account_uid,
      destination_synthetic_account_uid: it.destination_synthetic_account_uid,
      type: it.type,
      status,
      us_dollar_amount: it.us_dollar_amount,
    }),
  }),
  'transactions.status_change': inTransactions({
    occurs: hasNew('status'),
    details: (tx, it, was, now) => ({
      ...ofTransaction(tx, it),
      ...statusOf(was, now),
      settled_index: now.settled_index,
    }),
  }),
  'synthetic_accounts.created': inAccounts({
    occurs: isCreated,
    details: (tx, it, _, { name, status }) => ({ ...ofAccount(tx, it), name, status }),
  }),
  'synthetic_accounts.status_change': inAccounts({
    occurs: hasNew('status'),
    details: (tx, it, was, now) => ({ ...ofAccount(tx, it), ...statusOf(was, now) }),
  }),
  'synthetic_accounts.name_updated': inAccounts({
    occurs: hasNew('name'),
    details: (tx, it, was, now) => ({ ...ofAccount(tx, it), old_name: was!.name, new_name: now.name }),
  }),
  'virtual_reference_number.created': inVrns({
    occurs: isCreated,
    details: (tx, it, _, now) => ({ ...ofVrn(tx, it), status: now.status, [REGISTRATION]: now[REGISTRATION] }),
  }),
  'virtual_reference_number.registration_status_change': inVrns({
    occurs: hasNew(REGISTRATION),
    details: (tx, it, was, now) => ({
      ...ofVrn(tx, it),
      old_status: was![REGISTRATION],
      new_status: now[REGISTRATION],
    }),
  }),
  'customers.status_change': inCustomers({
    occurs: hasNew('status'),
    details: (_tx, it, was, now) => ({ ...onlyCustomer(it), prior_status: was!.status, new_status: now.status }),
  }),
  'customers.lock': inCustomers({
    occurs: (was, now) => was?.locked_at === null && now.locked_at !== null,
    details: (_tx, it, _, { locked_at, lock_reason }) => ({ ...onlyCustomer(it), locked_at: locked_at!, lock_reason }),
  }),
  'customers.unlock': inCustomers({
    occurs: (was, now) => was !== undefined && was.locked_at !== null && now.locked_at === null,
    details: (_tx, it) => onlyCustomer(it),
  }),
}

const anyRules = rules as unknown as Readonly<Record<WebhookEventName, Rule<WebhookEventName, CollectionName>>>

/** The events of a write, in the order of the table. */
export const eventsOf = ({ collection, was, now }: Write): readonly WebhookEventName[] =>
  webhookEventNames.filter((name) => {
    const row = anyRules[name]
    return row.collection === collection && row.occurs(was as never, now as never)
  })

export const detailsOf = (tx: ReadTx, name: WebhookEventName, { collection, was, now }: Write) => {
  const record = (tx[collection].get(now.uid) ?? now) as never
  return webhookEvents[name].details.parse(anyRules[name].details(tx, record, was as never, now as never))
}
