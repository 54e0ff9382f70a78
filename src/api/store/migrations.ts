import type { Cause } from '../contract/control/history.ts'
import type { AnyMessage } from '../contract/messages.ts'
import { StoreError } from './store-error.ts'

/**
 * One migration for each version of the stored form: it turns a record of that version into one of the next. A released
 * migration never changes. `test/store/migrations/` has old files for each.
 */

type Json = { readonly [key: string]: unknown }
/** Returns undefined to drop the record. */
export type Migration = (collection: string, record: Json) => Json | undefined

/** Version 1 had no payments: accounts get a balance, Programs the settings of payments. */
const addPayments: Migration = (collection, record) => {
  if (collection === 'synthetic_accounts' || collection === 'custodial_accounts')
    return { ...record, book_balance: '0.00' }
  if (collection !== 'programs') return record
  return {
    ...record,
    transaction_types: ['ach', 'wire', 'instant_payment', 'book_transfer'],
    authorization_hours: 24,
    unanswered_authorization: 'approve',
    pre_funding: true,
    queue_minutes: { ach: 0, wire: 0, instant_payment: 0, book: 0 },
    vrn_cooldown_minutes: 0,
    strict: false,
    trace_ids_optional: false,
    shows_iat: true,
    account_limits: {
      general_accounts: null,
      one_external_account: false,
      external_accounts: null,
      minutes_between_external_accounts: null,
      same_external_account: null,
      ach_external_accounts: null,
    },
  }
}

/** Version 3 writes many records per line of the world file; the records are the same. */
const keepForSlices: Migration = (_collection, record) => record

/** Version 4 writes only the differences of the record before to a journal line; the records are the same. */
const keepForDifferences: Migration = (_collection, record) => record

/** Version 5 stores sentences as messages instead of text. A text that no message produces becomes free text. */
const storeMessages: Migration = (collection, record) => {
  if (collection === 'tasks') return { ...record, why: toMessage(record.why, (why) => reasonIn(why, record)) }
  if (collection === 'pools') return { ...record, name: toMessage(record.name, (name) => poolNameIn(name, record)) }
  return DESCRIBED.has(collection) ? { ...record, description: sharedDescription(record) } : record
}

/** Equal descriptions share one object, as in a current world file: many records have the same one. */
const descriptions = new Map<string, unknown>()
const MAX_DESCRIPTIONS = 10_000

function sharedDescription(record: Json): unknown {
  const { description, customer_uid } = record
  if (typeof description !== 'string') return description
  const key = `${String(customer_uid)} ${description}`
  const known = descriptions.get(key)
  if (known) return known
  const message = toMessage(description, (text) => descriptionIn(text, record))
  if (descriptions.size >= MAX_DESCRIPTIONS) descriptions.clear()
  descriptions.set(key, message)
  return message
}

const DESCRIBED: ReadonlySet<string> = new Set([
  'transactions',
  'transaction_events',
  'synthetic_line_items',
  'custodial_line_items',
])

/** Keeps messages: some worlds have records of version 5 behind a header of version 4. */
const toMessage = (value: unknown, parse: (text: string) => AnyMessage | undefined): unknown =>
  typeof value === 'string' ? (parse(value) ?? { code: 'text', facts: { text: value } }) : value

const railsByName: Readonly<Record<string, string>> = { ACH: 'ach', Wire: 'wire', 'Instant payment': 'instant_payment' }
const returnsByName: Readonly<Record<string, string>> = {
  'ACH return': 'initiated_ach_return',
  'ACH reversal': 'initiated_ach_reversal',
  'Wire return': 'initiated_wire_return',
}

/** The groups of a match; empty if the pattern does not match. */
const groups = (pattern: RegExp, text: string): readonly string[] =>
  (pattern.exec(text) ?? []).slice(1).map((group) => group ?? '')

/** `Transfer from "A" to "B"`. Names may hold the separator; a pattern with two names takes quadratic time. */
function transferAccounts(text: string) {
  const [start, separator, end] = ['Transfer from "', '" to "', '"']
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined
  const names = text.slice(start.length, -end.length)
  const at = names.lastIndexOf(separator)
  if (at < 0) return undefined
  return { source_account_name: names.slice(0, at), destination_account_name: names.slice(at + separator.length) }
}

function descriptionIn(text: string, record: Json): AnyMessage | undefined {
  const accounts = transferAccounts(text)
  if (accounts) return { code: 'transfer', facts: accounts }
  const [movement, direction, account_name] = groups(/^(Debit|Credit|Deposit|Withdrawal) (to|from) "(.*)"$/s, text)
  if (movement !== undefined)
    return { code: 'line', facts: { movement: movement.toLowerCase(), direction, account_name } }
  const [rail, way, counterparty_name] = groups(/^(ACH|Wire|Instant payment) (credit from|debit by) (.*)$/s, text)
  if (rail !== undefined)
    return {
      code: way === 'debit by' ? 'received_debit' : 'received_credit',
      facts: { rail: railsByName[rail], counterparty_name },
    }
  const [kind, side, account_uid] = groups(
    /^(ACH return|ACH reversal|Wire return) (debited from|credited to) (\w+)$/,
    text,
  )
  if (kind !== undefined)
    return {
      code: 'requested_return',
      facts: { return_type: returnsByName[kind], direction: side === 'debited from' ? 'debit' : 'credit', account_uid },
    }
  const [ach_return_code, returned] = groups(/^ACH return ([A-Z]\d\d) of (.*)$/s, text)
  if (returned !== undefined)
    return {
      code: 'ach_return',
      facts: { ach_return_code, original: toMessage(returned, (rest) => descriptionIn(rest, record)) },
    }
  const [check] = groups(/^Paper check to (.*)$/s, text)
  return check === undefined ? undefined : paperCheckIn(check, record)
}

/** Parses `name, street, city, state, postal code`; the name may contain commas. */
function paperCheckIn(text: string, { customer_uid }: Json): AnyMessage | undefined {
  const parts = text.split(', ')
  const at = parts.findLastIndex((part) => /^[A-Z]{2}$/.test(part))
  if (at < 3) return undefined
  const [street1, city, state] = parts.slice(at - 2)
  const postal_code = parts.slice(at + 1).join(', ')
  const customer = customerIn(parts.slice(0, at - 2).join(', '), customer_uid)
  return { code: 'paper_check', facts: { ...customer, street1, city, state, postal_code } }
}

/** The text of a Customer without a name was its uid. */
function customerIn(name: string, uid: unknown) {
  const [named] = groups(/^Customer (\w{16})$/, name)
  return named === undefined
    ? { customer_name: name, customer_uid: String(uid ?? '') }
    : { customer_name: null, customer_uid: named }
}

function poolNameIn(name: string, { owner_customer_uid }: Json): AnyMessage | undefined {
  const end = ` ${String(owner_customer_uid).slice(0, 4)}`
  return name.endsWith(end)
    ? { code: 'pool', facts: customerIn(name.slice(0, -end.length), owner_customer_uid) }
    : undefined
}

const PAYMENT = '(-?[\\d.]+) by ([a-z ]+) \\((\\w+)\\)'

function paymentIn(pattern: string, text: string) {
  const [us_dollar_amount, type, transaction_uid, code] = groups(new RegExp(`^${pattern}$`), text)
  return type === undefined
    ? undefined
    : { facts: { us_dollar_amount, transaction_type: type.replaceAll(' ', '_'), transaction_uid }, code }
}

const fixedReasons: Readonly<Record<string, string>> = {
  'The archival goes on': 'archival_continues',
  'The business day closes': 'business_day_closes',
}

function reasonIn(text: string, { subject_uid }: Json): AnyMessage | undefined {
  const fixed = fixedReasons[text]
  if (fixed !== undefined) return { code: fixed, facts: {} }
  const sent = paymentIn(`${PAYMENT} begins to move`, text)
  if (sent) return { code: 'payment_sent', facts: sent.facts }
  const settles = paymentIn(`${PAYMENT} is through its rail`, text)
  if (settles) return { code: 'payment_settles', facts: settles.facts }
  const back = paymentIn(`${PAYMENT} comes back with (R\\d\\d)`, text)
  if (back) return { code: 'payment_returned', facts: { ...back.facts, ach_return_code: back.code } }
  const corrected = paymentIn(`${PAYMENT} brings the notification of change (C\\d\\d)`, text)
  if (corrected) return { code: 'payment_corrected', facts: { ...corrected.facts, noc_code: corrected.code } }
  const closes = paymentIn(`The window to authorize ${PAYMENT} closes`, text)
  if (closes) return { code: 'authorization_closes', facts: closes.facts }
  // The subject of the task is the evaluation, so the uid of the Customer is not known.
  const [decided] = groups(/^KYC\/AML of (.*) is decided$/s, text)
  if (decided !== undefined) return { code: 'kyc_decided', facts: customerIn(decided, '') }
  const [archived] = groups(/^(.*) is archived, if nothing is left$/s, text)
  if (archived !== undefined) return { code: 'archival_finishes', facts: customerIn(archived, subject_uid) }
  const [vrn_last_four] = groups(/^VRN (\d{4}) is registered for instant payments$/, text)
  if (vrn_last_four !== undefined) return { code: 'vrn_registered', facts: { vrn_last_four } }
  const [combined_transfer_uid, step] = groups(
    /^Combined Transfer (\w+): its (counterparty is made|transfer is initiated)$/,
    text,
  )
  if (combined_transfer_uid === undefined) return undefined
  const code = step === 'counterparty is made' ? 'counterparty_created' : 'transfer_initiated'
  return { code, facts: { combined_transfer_uid } }
}

/** Version 6 writes a check at the end of each line; the records are the same. */
const keepForChecks: Migration = (_collection, record) => record

/** Version 7: each Program has the clock of its access tokens. Before, it was the simulated one, which no client knows. */
const addTokenClock: Migration = (collection, record) =>
  collection === 'programs' ? { ...record, token_clock: 'real' } : record

const demonstrationRails: Readonly<Record<string, string>> = {
  'Business Checking': 'ach',
  'Wire Payments': 'wire',
  'Instant Payments': 'instant_payment',
}

/**
 * Version 8: Products have rails. Existing Programs allow all transfers as before, until the operator turns the check on. The commits and
 * log entries of an import have files of their own.
 */
const addRails: Migration = (collection, record) => {
  if (collection === 'programs') return { ...record, rails_need_products: false }
  if (collection !== 'products') return record
  const rail = demonstrationRails[String(record.name)]
  return { ...record, rails: rail === undefined ? Object.values(demonstrationRails) : [rail] }
}

/**
 * Version 9: each Program accepts both forms of the addresses of wires. Before, there were only lines. The optional field stays last, as
 * in a Program that gets it later.
 */
const addWireAddresses: Migration = (collection, { former_hmac_keys, ...record }) => ({
  ...record,
  ...(collection === 'programs' ? { wire_addresses: 'both' } : {}),
  ...(former_hmac_keys === undefined ? {} : { former_hmac_keys }),
})

/** Version 10: there are webhooks, and each Program has the hosts that they may be sent to. Before, nothing was sent. */
const addWebhookHosts: Migration = (collection, { former_hmac_keys, ...record }) => ({
  ...record,
  ...(collection === 'programs' ? { webhook_hosts: [] } : {}),
  ...(former_hmac_keys === undefined ? {} : { former_hmac_keys }),
})

/** The migration at index n turns version n + 1 into version n + 2. */
export const migrations: readonly Migration[] = [
  addPayments,
  keepForSlices,
  keepForDifferences,
  storeMessages,
  keepForChecks,
  addTokenClock,
  addRails,
  addWireAddresses,
  addWebhookHosts,
]

/** Older commits have a decision only within the name of their cause. */
export function migrateCause(cause: Cause): Cause {
  const [decision] = cause.decision === undefined ? groups(/^moves\.make (.+)$/s, cause.name) : []
  return decision === undefined ? cause : { ...cause, decision }
}

/** Returns the migration from a version to the current one. Refuses versions of a newer Sandbank. */
export function migrate(version: unknown, rows: readonly Migration[] = migrations): Migration {
  const today = rows.length + 1
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new StoreError(
      `The version of the world file is ${JSON.stringify(version)}: a whole number from 1 is expected`,
    )
  if (version > today)
    throw new StoreError(
      `The world file has version ${version}, and this Sandbank reads up to ${today}: update Sandbank, or pass --data with another folder`,
    )
  const due = rows.slice(version - 1)
  return (collection, record) => {
    let current: Json | undefined = record
    for (const row of due) current = current && row(collection, current)
    return current
  }
}
