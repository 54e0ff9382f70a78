import { z } from 'zod'
import { CustomerStatus } from './resources/customers.ts'
import { SyntheticAccountCategory, SyntheticAccountStatus } from './resources/synthetic-accounts.ts'
import { TransactionStatus, TransactionType } from './resources/transactions.ts'
import { TransferStatus } from './resources/transfers.ts'
import { RegistrationStatus, VrnStatus } from './resources/virtual-reference-numbers.ts'
import { examples } from './terms/examples.ts'
import { Money, Timestamp, Uid } from './terms/primitives.ts'

/**
 * Every event that webhooks tell of, one row each: its topic, its type, when it happens and its details. `domain/rules/webhook-events.ts` finds
 * them in the changes of a commit.
 *
 * Assumed (sibling): the path of a topic is plural except virtual_reference_number, as in the published examples. The published names of the
 * fields of some events are cut off or old; these have the names of the API's resources.
 */

const ExternalUid = z.string().nullable()
const customer = { customer_uid: Uid, customer_external_uid: ExternalUid }
const changed = <S extends z.ZodType>(status: S) => ({ old_status: status, new_status: status })

const transfer = {
  ...customer,
  transfer_uid: Uid,
  transaction_uid: Uid.nullable(),
  transaction_uids: z.array(Uid),
  destination_customer_uid: Uid,
  destination_customer_external_uid: ExternalUid,
}
const transaction = { ...customer, transaction_uid: Uid, transfer_uid: Uid.nullable(), description: z.string() }
const account = {
  ...customer,
  synthetic_account_uid: Uid,
  external_uid: ExternalUid,
  synthetic_account_category: SyntheticAccountCategory,
}
const vrn = {
  ...customer,
  virtual_reference_number_uid: Uid,
  external_uid: ExternalUid,
  synthetic_account_uid: Uid,
}
const ofCustomer = { customer_uid: Uid, external_uid: ExternalUid }

interface EventRow {
  readonly topic: string
  readonly event_type: string
  readonly when: string
  readonly details: z.ZodObject
  /** What differs from `exampleFields` in an example of its details. */
  readonly example?: Readonly<Record<string, unknown>>
}

export const webhookEvents = {
  'transfers.created': {
    topic: 'transfers',
    event_type: 'created',
    when: 'A Transfer was initiated',
    details: z.object({ ...transfer, usd_transfer_amount: Money }),
  },
  'transfers.status_change': {
    topic: 'transfers',
    event_type: 'status_change',
    when: 'The status of a Transfer changed',
    details: z.object({ ...transfer, ...changed(TransferStatus) }),
  },
  'transfers.rtp_settlement': {
    topic: 'transfers',
    event_type: 'rtp_settlement',
    when: 'A Transfer by instant payment settled; its status_change is an event of its own',
    details: z.object({ ...transfer, usd_transfer_amount: Money }),
  },
  'transactions.created': {
    topic: 'transactions',
    event_type: 'created',
    when: 'There is a new Transaction. Without a transfer_uid it came from outside',
    details: z.object({
      ...transaction,
      source_synthetic_account_uid: Uid,
      destination_synthetic_account_uid: Uid,
      type: TransactionType,
      status: TransactionStatus,
      us_dollar_amount: Money,
    }),
    example: { status: 'pending' },
  },
  'transactions.status_change': {
    topic: 'transactions',
    event_type: 'status_change',
    when: 'The status of a Transaction changed',
    details: z.object({ ...transaction, ...changed(TransactionStatus), settled_index: z.int().nullable() }),
  },
  'synthetic_accounts.created': {
    topic: 'synthetic_accounts',
    event_type: 'created',
    when: 'A Synthetic Account was opened',
    details: z.object({ ...account, name: z.string(), status: SyntheticAccountStatus }),
    example: { status: 'active' },
  },
  'synthetic_accounts.status_change': {
    topic: 'synthetic_accounts',
    event_type: 'status_change',
    when: 'The status of a Synthetic Account changed',
    details: z.object({ ...account, ...changed(SyntheticAccountStatus) }),
    example: { old_status: 'active', new_status: 'archived' },
  },
  'synthetic_accounts.name_updated': {
    topic: 'synthetic_accounts',
    event_type: 'name_updated',
    when: 'A Synthetic Account has another name',
    details: z.object({ ...account, old_name: z.string(), new_name: z.string() }),
  },
  'virtual_reference_number.created': {
    topic: 'virtual_reference_number',
    event_type: 'created',
    when: 'There is a new Virtual Reference Number',
    details: z.object({
      ...vrn,
      status: VrnStatus,
      instant_payment_rail_registration_status: RegistrationStatus,
    }),
    example: { status: 'active' },
  },
  'virtual_reference_number.registration_status_change': {
    topic: 'virtual_reference_number',
    event_type: 'registration_status_change',
    when: 'The registration of a Virtual Reference Number for instant payments succeeded or failed',
    details: z.object({ ...vrn, ...changed(RegistrationStatus) }),
    example: { new_status: 'registered' },
  },
  'customers.status_change': {
    topic: 'customers',
    event_type: 'status_change',
    when: 'The status of a Customer changed',
    details: z.object({ ...ofCustomer, prior_status: CustomerStatus, new_status: CustomerStatus }),
    example: { new_status: 'active' },
  },
  'customers.lock': {
    topic: 'customers',
    event_type: 'lock',
    when: 'A Customer was locked',
    details: z.object({ ...ofCustomer, locked_at: Timestamp, lock_reason: z.string().nullable() }),
  },
  'customers.unlock': {
    topic: 'customers',
    event_type: 'unlock',
    when: 'A Customer was unlocked',
    details: z.object(ofCustomer),
  },
} as const satisfies Readonly<Record<string, EventRow>>

/** Each stands for its field in the example of every event that has it. */
const exampleFields = {
  customer_uid: examples.customers,
  customer_external_uid: 'customer-7',
  transfer_uid: examples.transfers,
  transaction_uid: examples.transactions,
  transaction_uids: [examples.transactions],
  destination_customer_uid: examples.customers,
  destination_customer_external_uid: 'customer-7',
  usd_transfer_amount: '100.00',
  us_dollar_amount: '100.00',
  description: 'An example',
  source_synthetic_account_uid: examples.synthetic_accounts,
  destination_synthetic_account_uid: examples.counterparty,
  type: 'ach',
  settled_index: null,
  synthetic_account_uid: examples.synthetic_accounts,
  external_uid: 'example-7',
  synthetic_account_category: 'general',
  name: 'Travel',
  old_name: 'Travel',
  new_name: 'Travel and food',
  virtual_reference_number_uid: examples.virtual_reference_numbers,
  instant_payment_rail_registration_status: 'pending',
  old_status: 'pending',
  new_status: 'settled',
  prior_status: 'initiated',
  locked_at: '2026-11-23T15:00:00.000Z',
  lock_reason: 'admin',
} as const

export type WebhookEventName = keyof typeof webhookEvents
export type DetailsOf<N extends WebhookEventName> = z.output<(typeof webhookEvents)[N]['details']>

export const webhookEventNames = Object.keys(webhookEvents) as readonly WebhookEventName[]
export const webhookTopics = [...new Set(Object.values(webhookEvents).map(({ topic }) => topic))]

/** Details of an event as they may be, of no record. */
export function exampleDetails(name: WebhookEventName): Readonly<Record<string, unknown>> {
  const { details, example }: EventRow = webhookEvents[name]
  return details.parse({ ...exampleFields, ...example })
}

/** The events that a name stands for: a topic for all of its events. */
export const listEvents = (event: string): readonly WebhookEventName[] =>
  webhookEventNames.filter((name) => name === event || webhookEvents[name].topic === event)

/** The fields of the details of an event, or of all events of a topic. */
export const listEventFields = (event: string): readonly string[] => [
  ...new Set(listEvents(event).flatMap((name) => Object.keys(webhookEvents[name].details.shape))),
]
