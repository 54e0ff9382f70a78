import type { Cause } from '../contract/control/history.ts'
import type { AnyMessage } from '../contract/messages.ts'
import { StoreError } from './store-error.ts'

/**
 * Every change of the saved shape is a row: how one record of the shape before becomes a record of the shape after.
 * A row is never edited once released, and each has a folder of old files in `test/store/migrations/`.
 */

type Json = { readonly [key: string]: unknown }
/** undefined drops the record. */
export type Migration = (collection: string, record: Json) => Json | undefined

/** Until now no account had held anything, and no Program had said how payments go. */
const paymentsBegin: Migration = (collection, record) => {
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

/** World files have many records to a line since; the records are the same. */
const slicesBegin: Migration = (_collection, record) => record

/** A line of changes says only how the record before differed since; the records are the same. */
const differencesBegin: Migration = (_collection, record) => record

/** Sentences are stored as messages since, and not as text. What is no sentence of the sandbox becomes free text. */
const messagesBegin: Migration = (collection, record) => {
  if (collection === 'tasks') return { ...record, why: parsed(record.why, (why) => reasonIn(why, record)) }
  if (collection === 'pools') return { ...record, name: parsed(record.name, (name) => poolNameIn(name, record)) }
  return DESCRIBED.has(collection) ? { ...record, description: sharedDescription(record) } : record
}

/** Equal descriptions are one object, as they are in a world file of today: many records have the same one. */
const descriptions = new Map<string, unknown>()
const MAX_DESCRIPTIONS = 10_000

function sharedDescription(record: Json): unknown {
  const { description, customer_uid } = record
  if (typeof description !== 'string') return description
  const key = `${String(customer_uid)} ${description}`
  const known = descriptions.get(key)
  if (known) return known
  const message = parsed(description, (text) => descriptionIn(text, record))
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

/** A message stays as it is: some worlds have records of this version behind a header of the one before. */
const parsed = (value: unknown, parse: (text: string) => AnyMessage | undefined): unknown =>
  typeof value === 'string' ? (parse(value) ?? { code: 'text', facts: { text: value } }) : value

const railsByName: Readonly<Record<string, string>> = { ACH: 'ach', Wire: 'wire', 'Instant payment': 'instant_payment' }
const returnsByName: Readonly<Record<string, string>> = {
  'ACH return': 'initiated_ach_return',
  'ACH reversal': 'initiated_ach_reversal',
  'Wire return': 'initiated_wire_return',
}

/** The groups of a pattern, all of them texts; none when the text does not fit. */
const groups = (pattern: RegExp, text: string): readonly string[] =>
  (pattern.exec(text) ?? []).slice(1).map((group) => group ?? '')

function descriptionIn(text: string, record: Json): AnyMessage | undefined {
  const [from, to] = groups(/^Transfer from "(.*)" to "(.*)"$/s, text)
  if (from !== undefined)
    return { code: 'transfer', facts: { source_account_name: from, destination_account_name: to } }
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
      facts: { ach_return_code, original: parsed(returned, (rest) => descriptionIn(rest, record)) },
    }
  const [check] = groups(/^Paper check to (.*)$/s, text)
  return check === undefined ? undefined : paperCheckIn(check, record)
}

/** Name, street, city, state, postal code; the name may have commas of its own. */
function paperCheckIn(text: string, { customer_uid }: Json): AnyMessage | undefined {
  const parts = text.split(', ')
  const at = parts.findLastIndex((part) => /^[A-Z]{2}$/.test(part))
  if (at < 3) return undefined
  const [street1, city, state] = parts.slice(at - 2)
  const postal_code = parts.slice(at + 1).join(', ')
  const customer = customerIn(parts.slice(0, at - 2).join(', '), customer_uid)
  return { code: 'paper_check', facts: { ...customer, street1, city, state, postal_code } }
}

/** A Customer without a name was called by its uid. */
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
  // The task is for the evaluation, so the uid of the Customer is not known here.
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

/** The row at place n leads from shape n + 1 to shape n + 2. */
export const migrations: readonly Migration[] = [paymentsBegin, slicesBegin, differencesBegin, messagesBegin]

/** Causes of older commits name a decision in the text of their name alone. */
export function migrateCause(cause: Cause): Cause {
  const [decision] = cause.decision === undefined ? groups(/^moves\.make (.+)$/s, cause.name) : []
  return decision === undefined ? cause : { ...cause, decision }
}

/** What brings records of this shape to today's; refuses what a newer Sandbank has written. */
export function migrate(version: unknown, rows: readonly Migration[] = migrations): Migration {
  const today = rows.length + 1
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new StoreError(`The world's shape is ${JSON.stringify(version)}, which is no version of Sandbank`)
  if (version > today)
    throw new StoreError(
      `The world has shape ${version} and this Sandbank reads up to ${today}: update Sandbank, or pass --data with another folder`,
    )
  const due = rows.slice(version - 1)
  return (collection, record) => {
    let current: Json | undefined = record
    for (const row of due) current = current && row(collection, current)
    return current
  }
}
