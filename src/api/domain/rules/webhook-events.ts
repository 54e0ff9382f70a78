import { formatMessage } from '../../contract/messages.ts'
import type { Timestamp, Uid } from '../../contract/terms/primitives.ts'
import { type DetailsOf, type WebhookEventName, webhookEventNames, webhookEvents } from '../../contract/webhooks.ts'
import type { Change, Commit, EventNumbers } from '../../store/commit.ts'
import { uidAt } from '../../store/uid.ts'
import {
  type CollectionName,
  type CustomerRecord,
  eventCollections,
  type RecordOf,
  type StoredRecord,
  type SyntheticAccountRecord,
  type TransactionRecord,
  type TransferRecord,
  type VrnRecord,
  type WebhookEventRecord,
} from '../../store/world.ts'

/**
 * Finds the events of `contract/webhooks.ts` in the changes of a commit: when it is made, for the webhooks that want them, and later in the
 * history, which is the log of all events.
 */

/** What an event says of other records than its own, as they were after its commit. */
export interface Others {
  externalUid(customer: Uid): string | null
  transactionUids(transfer: TransferRecord): readonly Uid[]
}

interface Rule<N extends WebhookEventName, C extends CollectionName> {
  readonly collection: C
  /** Whether this event leads from one version of a record to the next. */
  readonly occurs: (was: RecordOf[C] | undefined, now: RecordOf[C]) => boolean
  /** Of the record after the commit; `was` and `now` are the versions. */
  readonly details: (
    others: Others,
    record: RecordOf[C],
    was: RecordOf[C] | undefined,
    now: RecordOf[C],
  ) => DetailsOf<N>
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

const ofCustomer = (others: Others, customer_uid: string) => ({
  customer_uid,
  customer_external_uid: others.externalUid(customer_uid),
})

const ofTransfer = (others: Others, transfer: TransferRecord) => {
  const transaction_uids = [...others.transactionUids(transfer)]
  const { destination_customer_uid } = transfer
  return {
    ...ofCustomer(others, transfer.initiating_customer_uid),
    transfer_uid: transfer.uid,
    transaction_uid: transaction_uids[0] ?? null,
    transaction_uids,
    destination_customer_uid,
    destination_customer_external_uid: others.externalUid(destination_customer_uid),
  }
}
const ofTransaction = (others: Others, { uid, customer_uid, transfer_uid, description }: TransactionRecord) => ({
  ...ofCustomer(others, customer_uid),
  transaction_uid: uid,
  transfer_uid,
  description: formatMessage(description),
})
const ofAccount = (others: Others, account: SyntheticAccountRecord) => ({
  ...ofCustomer(others, account.customer_uid),
  synthetic_account_uid: account.uid,
  external_uid: account.external_uid ?? null,
  synthetic_account_category: account.synthetic_account_category,
})
const ofVrn = (others: Others, vrn: VrnRecord) => ({
  ...ofCustomer(others, vrn.customer_uid),
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
    details: (others, it) => ({ ...ofTransfer(others, it), usd_transfer_amount: it.usd_transfer_amount }),
  }),
  'transfers.status_change': inTransfers({
    occurs: hasNew('status'),
    details: (others, it, was, now) => ({ ...ofTransfer(others, it), ...statusOf(was, now) }),
  }),
  'transfers.rtp_settlement': inTransfers({
    occurs: (was, now) => now.rail === 'instant_payment' && now.status === 'settled' && hasNew('status')(was, now),
    details: (others, it) => ({ ...ofTransfer(others, it), usd_transfer_amount: it.usd_transfer_amount }),
  }),
  'transactions.created': inTransactions({
    occurs: isCreated,
    details: (others, it, _, { status }) => ({
      ...ofTransaction(others, it),
      source_synthetic_account_uid: it.source_synthetic_account_uid,
      destination_synthetic_account_uid: it.destination_synthetic_account_uid,
      type: it.type,
      status,
      us_dollar_amount: it.us_dollar_amount,
    }),
  }),
  'transactions.status_change': inTransactions({
    occurs: hasNew('status'),
    details: (others, it, was, now) => ({
      ...ofTransaction(others, it),
      ...statusOf(was, now),
      settled_index: now === it ? it.settled_index : null,
    }),
  }),
  'synthetic_accounts.created': inAccounts({
    occurs: isCreated,
    details: (others, it, _, { name, status }) => ({ ...ofAccount(others, it), name, status }),
  }),
  'synthetic_accounts.status_change': inAccounts({
    occurs: hasNew('status'),
    details: (others, it, was, now) => ({ ...ofAccount(others, it), ...statusOf(was, now) }),
  }),
  'synthetic_accounts.name_updated': inAccounts({
    occurs: hasNew('name'),
    details: (others, it, was, now) => ({ ...ofAccount(others, it), old_name: was!.name, new_name: now.name }),
  }),
  'virtual_reference_number.created': inVrns({
    occurs: isCreated,
    details: (others, it, _, now) => ({ ...ofVrn(others, it), status: now.status, [REGISTRATION]: now[REGISTRATION] }),
  }),
  'virtual_reference_number.registration_status_change': inVrns({
    occurs: hasNew(REGISTRATION),
    details: (others, it, was, now) => ({
      ...ofVrn(others, it),
      old_status: was![REGISTRATION],
      new_status: now[REGISTRATION],
    }),
  }),
  'customers.status_change': inCustomers({
    occurs: hasNew('status'),
    details: (_others, it, was, now) => ({ ...onlyCustomer(it), prior_status: was!.status, new_status: now.status }),
  }),
  'customers.lock': inCustomers({
    occurs: (was, now) => was?.locked_at === null && now.locked_at !== null,
    details: (_others, it, _, { locked_at, lock_reason }) => ({
      ...onlyCustomer(it),
      locked_at: locked_at!,
      lock_reason,
    }),
  }),
  'customers.unlock': inCustomers({
    occurs: (was, now) => was !== undefined && was.locked_at !== null && now.locked_at === null,
    details: (_others, it) => onlyCustomer(it),
  }),
}

const anyRules = rules as unknown as Readonly<Record<WebhookEventName, Rule<WebhookEventName, CollectionName>>>

const namesOf = (wanted: CollectionName) => webhookEventNames.filter((name) => anyRules[name].collection === wanted)
const names = new Map([...eventCollections].map((collection) => [collection, namesOf(collection)]))

export interface FoundEvent {
  readonly name: WebhookEventName
  readonly change: Change
  readonly was: StoredRecord | undefined
  readonly now: StoredRecord
}

/** The events of a commit; those of one record are in the order in which they happened. */
export function findEvents({ changes, passed }: Pick<Commit, 'changes' | 'passed'>): FoundEvent[] {
  const found: FoundEvent[] = []
  for (const change of changes) {
    const { record, collection, uid } = change
    let was = change.was ?? undefined
    const between = record && passed?.filter((one) => one.uid === uid).map(({ status }) => ({ ...record, status }))
    for (const now of record && names.has(collection) ? [...(between ?? []), record] : []) {
      for (const name of names.get(collection)!)
        if (anyRules[name].occurs(was as never, now as never)) found.push({ name, change, was, now })
      was = now
    }
  }
  return found
}

/** The record of the event with this position in its commit. It is the same whenever it is created. */
export function createEvent(
  { name, change: { collection, record }, was, now }: FoundEvent,
  { uid, made }: EventNumbers,
  position: number,
  created_at: Timestamp,
  others: Others,
): WebhookEventRecord {
  const { topic, event_type, details } = webhookEvents[name]
  return {
    uid: uidAt(`${now.uid} ${uid}`, position),
    program_uid: now.program_uid,
    created_at,
    topic,
    event_type,
    collection,
    record_uid: now.uid,
    details: details.parse(anyRules[name].details(others, record as never, was as never, now as never)),
    made: made + position,
  }
}
