import { z } from 'zod'
import { formatAmount } from './terms/format-amount.ts'
import { newYorkTime } from './terms/new-york.ts'
import type { Uid } from './terms/primitives.ts'

/**
 * Every sentence that the sandbox writes into records, tasks and results, as data: a code and facts. The wording is in this
 * file alone. Masking and the window read the facts, so a sentence can be reworded without touching them.
 */

/** A message as the control API sends it. */
export const MessageBody = z
  .object({ code: z.string(), facts: z.record(z.string(), z.unknown()) })
  .meta({ description: 'The sentence as data, so that nothing needs to parse it' })
export type MessageBody = z.infer<typeof MessageBody>

export interface AnyMessage {
  readonly code: string
  readonly facts: object
}

/** The messages of a table of sentences: each code with the facts that its sentence needs. */
type MessagesOf<Sentences> = {
  [C in keyof Sentences]: Sentences[C] extends (facts: infer F, name?: FormatPayment) => string
    ? { readonly code: C; readonly facts: F }
    : never
}[keyof Sentences]

// ── Descriptions of Transactions, Transaction Events and line items: part of the public API ──────────────────────

const railNames = { ach: 'ACH', wire: 'Wire', instant_payment: 'Instant payment' } as const
const lineNames = { debit: 'Debit', credit: 'Credit', deposit: 'Deposit', withdrawal: 'Withdrawal' } as const
const movementNames = {
  card_purchase: 'Card purchase',
  card_refund: 'Card refund',
  card_load: 'Card load',
  cash_load: 'Cash load',
  atm_withdrawal: 'ATM withdrawal',
  fee: 'Fee',
  credit: 'Credit',
} as const
const returnNames = {
  initiated_ach_return: 'ACH return',
  initiated_ach_reversal: 'ACH reversal',
  initiated_wire_return: 'Wire return',
} as const

interface Account {
  readonly account_name: string
}
interface Parties {
  readonly source_account_name: string
  readonly destination_account_name: string
}
interface Received {
  readonly rail: keyof typeof railNames
  readonly counterparty_name: string
}
interface NamedCustomer {
  /** null for a Customer that has not given a name. */
  readonly customer_name: string | null
  readonly customer_uid: Uid
}

/** A Customer without a name is called by its uid. */
export const formatCustomer = ({ customer_name, customer_uid }: NamedCustomer): string =>
  customer_name ?? `Customer ${customer_uid}`

const descriptions = {
  transfer: ({ source_account_name: from, destination_account_name: to }: Parties) =>
    `Transfer from "${from}" to "${to}"`,
  line: ({ movement, direction, account_name }: Account & Line) =>
    `${lineNames[movement]} ${direction} "${account_name}"`,
  received_credit: ({ rail, counterparty_name }: Received) => `${railNames[rail]} credit from ${counterparty_name}`,
  received_debit: ({ rail, counterparty_name }: Received) => `${railNames[rail]} debit by ${counterparty_name}`,
  outside_movement: ({ transaction_type, counterparty_name }: Movement) =>
    `${movementNames[transaction_type]}${counterparty_name === null ? '' : `, ${counterparty_name}`}`,
  interest: ({ counterparty_name, period_from, period_to }: InterestFacts) =>
    `Interest${counterparty_name === null ? '' : `, ${counterparty_name}`}, ${period_from} to ${period_to}`,
  ach_return: ({ ach_return_code, original }: ReturnFacts) =>
    `ACH return ${ach_return_code} of ${formatMessage(original)}`,
  requested_return: ({ return_type, direction, account_uid }: RequestedReturn) =>
    `${returnNames[return_type]} ${direction === 'debit' ? 'debited from' : 'credited to'} ${account_uid}`,
  paper_check: ({ street1, city, state, postal_code, ...customer }: NamedCustomer & Address) =>
    `Paper check to ${formatCustomer(customer)}, ${[street1, city, state, postal_code].filter(Boolean).join(', ')}`,
  /** Written by a caller, or by a version before messages. */
  text: ({ text }: { readonly text: string }) => text,
}

interface Movement {
  readonly transaction_type: keyof typeof movementNames
  readonly counterparty_name: string | null
}
interface InterestFacts {
  readonly counterparty_name: string | null
  readonly period_from: string
  readonly period_to: string
}
interface ReturnFacts {
  readonly ach_return_code: string
  readonly original: AnyMessage
}
interface Line {
  readonly movement: keyof typeof lineNames
  readonly direction: 'to' | 'from'
}
interface RequestedReturn {
  readonly return_type: keyof typeof returnNames
  readonly direction: 'debit' | 'credit'
  readonly account_uid: Uid
}
interface Address {
  readonly street1?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly postal_code?: string | null | undefined
}

// ── Names that the sandbox composes: part of the public API ──────────────────────────────────────────────────────

const names = {
  pool: (owner: NamedCustomer) => `${formatCustomer(owner)} ${owner.customer_uid.slice(0, 4)}`,
}

/** Fixed names of the sandbox. They belong to no person, so masking keeps them. */
export const ownNames = {
  counterparty: 'Mock Counterparty',
  masterAccount: 'Primary Synthetic Account',
  outsideAccount: 'Outside bank',
  custodialAccount: 'Commercial DDA',
} as const

// ── Why a task is scheduled. Its outcome says what it will do ─────────────────────────────────────────────────────

export interface PaymentFacts {
  readonly us_dollar_amount: string
  readonly transaction_type: string
  readonly transaction_uid: Uid
}

/** How a sentence names a payment. The window gives another one, which leaves out what stands next to the sentence. */
export type FormatPayment = (payment: PaymentFacts) => string

const formatPayment: FormatPayment = ({ us_dollar_amount, transaction_type, transaction_uid }) =>
  `${formatAmount(us_dollar_amount)} by ${transaction_type.replaceAll('_', ' ')} (${transaction_uid})`

const reasons = {
  payment_sent: (facts: PaymentFacts, name = formatPayment) => `${name(facts)} is sent`,
  payment_ends: (facts: PaymentFacts, name = formatPayment) => `${name(facts)} ends`,
  return_arrives: (facts: PaymentFacts, name = formatPayment) => `A return of ${name(facts)} arrives`,
  correction_arrives: (facts: PaymentFacts, name = formatPayment) =>
    `A notification of change for ${name(facts)} arrives`,
  authorization_closes: (facts: PaymentFacts, name = formatPayment) => `The window to authorize ${name(facts)} closes`,
  kyc_decided: (customer: NamedCustomer) => `KYC/AML of ${formatCustomer(customer)} is decided`,
  activation_due: (customer: NamedCustomer) => `The activation of ${formatCustomer(customer)} is due`,
  archival_continues: (_: None) => 'Archival continues',
  archival_ends: (customer: NamedCustomer) => `The end of the archival of ${formatCustomer(customer)} is due`,
  registration_ends: ({ vrn_last_four }: { readonly vrn_last_four: string }) =>
    `The registration of VRN ${vrn_last_four} for instant payments ends`,
  account_opening_due: (_: None) => 'The opening of the Synthetic Account is due',
  counterparty_due: ({ combined_transfer_uid }: CombinedFacts) =>
    `Combined Transfer ${combined_transfer_uid}: its counterparty is due`,
  transfer_due: ({ combined_transfer_uid }: CombinedFacts) =>
    `Combined Transfer ${combined_transfer_uid}: its Transfer is due`,
  events_due_again: (_: None) => 'Events that wait are due',
  business_day_closes: (_: None) => 'The business day closes',
}

type None = Readonly<Record<never, never>>
interface CombinedFacts {
  readonly combined_transfer_uid: Uid
}

// ── The outcome of a task that ran ───────────────────────────────────────────────────────────────────────────────

/** As the banks and the window show it: `2026-08-14 20:00:00 ET`. */
function inNewYork(instant: string): string {
  const { date, time_ms } = newYorkTime(Date.parse(instant))
  return `${date} ${new Date(time_ms).toISOString().slice(11, 19)} ET`
}

const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

const outcomes = {
  done: (_: None) => 'done',
  /** An internal error, or an API error that stopped a Combined Transfer. */
  failed_with: ({ error }: { readonly error: string }) => `failed: ${error}`,
  pending: (_: None) => 'pending',
  events_due: ({ events }: { readonly events: number }) =>
    events === 0 ? 'not needed: no event waits any more' : `${count(events, 'event')} sent`,
  settled: (_: None) => 'settled',
  failed: (_: None) => 'failed',
  expired: (_: None) => 'expired',
  returned: ({ ach_return_code }: { readonly ach_return_code: string }) => `returned with ${ach_return_code}`,
  returned_before: (_: None) => 'not returned: it has been returned already',
  notified_of_change: ({ noc_code }: { readonly noc_code: string }) => `notification of change ${noc_code}`,
  kyc: ({ kyc_status }: { readonly kyc_status: string }) => kyc_status,
  kyc_not_needed: ({ customer_status }: { readonly customer_status: string }) =>
    `not needed any more: the Customer's status is ${customer_status}`,
  activated: (_: None) => 'active',
  activation_waits: ({ customer_status }: { readonly customer_status: string }) =>
    `waits for its primary Customer: its status is ${customer_status}`,
  activation_not_needed: ({ customer_status }: { readonly customer_status: string }) =>
    `not needed: its status is ${customer_status}`,
  authorization: ({ authorization_status }: { readonly authorization_status: string }) => authorization_status,
  registration: ({ registration_status }: { readonly registration_status: string }) => registration_status,
  account: ({ account_status }: { readonly account_status: string }) => account_status,
  combined_transfer: ({ combined_transfer_status }: { readonly combined_transfer_status: string }) =>
    combined_transfer_status,
  archival_not_needed: ({ customer_status }: { readonly customer_status: string }) =>
    `not needed: its status is ${customer_status}`,
  archival_waits: ({ payment_count }: { readonly payment_count: number }) =>
    `waits for ${count(payment_count, 'payment')}`,
  archival_waits_for_return: (_: None) => 'waits for a payment that is returned',
  archival_waits_for_funds: (_: None) => 'waits: a balance is negative',
  refunded_by_ach: ({ account_count }: { readonly account_count: number }) =>
    `refunds ${count(account_count, 'balance')} by ACH`,
  checks_mailed: ({ check_count }: { readonly check_count: number }) => `mails ${count(check_count, 'check')}`,
  archival_scheduled: ({ archived_at }: { readonly archived_at: string }) =>
    `nothing is left: archived at ${inNewYork(archived_at)}`,
  archived: (_: None) => 'archived',
  closing_balances: ({ balance_count }: { readonly balance_count: number }) => count(balance_count, 'closing balance'),
  no_close: (_: None) => 'not the close of a business day',
}

// ── Entries of a Customer's timeline ─────────────────────────────────────────────────────────────────────────────

interface Changed {
  readonly record_name: string
  readonly from: string | null
  readonly to: string | null
}

const entries = {
  record_created: ({ record_name, status }: { readonly record_name: string; readonly status: string | null }) =>
    `${record_name} is created${status === null ? '' : `, ${status}`}`,
  record_removed: ({ record_name }: { readonly record_name: string }) => `${record_name} is removed`,
  customer_data_changed: ({ customer_uid }: { readonly customer_uid: Uid }) => `the data of ${customer_uid} is changed`,
  state_changed: ({ record_name, field, from, to }: Changed & { readonly field: string }) =>
    `${record_name}: ${field} ${from} → ${to}`,
  balance_changed: ({ record_name, from, to }: Changed) => `${record_name}: ${from} → ${to}`,
  available_changed: ({ record_name, from, to }: Changed) => `${record_name}: available ${from} → ${to}`,
  clock_moved: ({ from, to }: Pick<Changed, 'from' | 'to'>) => `the clock went from ${from} to ${to}`,
}

// ── All sentences ────────────────────────────────────────────────────────────────────────────────────────────────

export type Description = MessagesOf<typeof descriptions>
export type PoolName = MessagesOf<typeof names> | MessagesOf<Pick<typeof descriptions, 'text'>>
export type TaskReason = MessagesOf<typeof reasons> | MessagesOf<Pick<typeof descriptions, 'text'>>
export type Outcome = MessagesOf<typeof outcomes> | MessagesOf<Pick<typeof descriptions, 'text'>>
export type OutcomeCode = Outcome['code']
export type TimelineMessage = MessagesOf<typeof entries>
type Message = Description | PoolName | TaskReason | Outcome | TimelineMessage

type FactsOf<M> = M extends { readonly facts: infer F } ? keyof F : never
/** The facts of the messages that are stored. `replay/bundles/fields.ts` says how each is masked. */
export type StoredFact = Exclude<FactsOf<Description | PoolName | TaskReason>, 'original'>

/** Not frozen: a test replaces every wording. */
export const sentences: Readonly<Record<Message['code'], (facts: never, name?: FormatPayment) => string>> = {
  ...descriptions,
  ...names,
  ...reasons,
  ...outcomes,
  ...entries,
}

export function formatMessage({ code, facts }: AnyMessage, name?: FormatPayment): string {
  const sentence: ((facts: never, name?: FormatPayment) => string) | undefined = sentences[code as Message['code']]
  if (!sentence) throw new Error(`There is no sentence for the message ${code}`)
  return sentence(facts as never, name)
}

/** Why a task is scheduled, and what it will do. */
export const formatTask = (
  { message, outcome }: { readonly message: AnyMessage; readonly outcome: AnyMessage | null },
  name?: FormatPayment,
): string => formatMessage(message, name) + (outcome ? `: ${formatMessage(outcome)}` : '')

/** The other side of a payment, for a place that already shows its type and its account. */
export function formatCounterparty({ code, facts }: AnyMessage, netAsset?: unknown): string {
  if (code === 'transfer') {
    const { source_account_name: from, destination_account_name: to } = facts as Parties
    return netAsset === 'positive' ? `from ${from}` : netAsset === 'negative' ? `to ${to}` : `${from} → ${to}`
  }
  if (code === 'received_credit') return `from ${(facts as Received).counterparty_name}`
  if (code === 'received_debit') return `by ${(facts as Received).counterparty_name}`
  // The type of the Transaction already shows that it is a return.
  if (code === 'ach_return') {
    const { ach_return_code, original } = facts as ReturnFacts
    return `${ach_return_code} of ${formatMessage(original)}`
  }
  return formatMessage({ code, facts })
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'facts' in value &&
  typeof value.code === 'string' &&
  Object.hasOwn(sentences, value.code)

/** A text, or the text of a message; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : isMessage(value) ? formatMessage(value) : undefined

/** A copy for the control API. */
export const messageBody = ({ code, facts }: AnyMessage): MessageBody => ({ code, facts: { ...facts } })

export const textMessage = (text: string): { readonly code: 'text'; readonly facts: { readonly text: string } } => ({
  code: 'text',
  facts: { text },
})
