import { ApiError } from '../../contract/errors.ts'
import { formatCustomer } from '../../contract/messages.ts'
import { instantPaymentRejections } from '../../contract/network-codes.ts'
import type { SyntheticAccountCategory } from '../../contract/resources/synthetic-accounts.ts'
import type { CancelTransfer, CreateTransfer, Transfer } from '../../contract/resources/transfers.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import { DEFAULT_REJECTION, forcesFailure, rejectionFor } from '../../contract/triggers.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { CustomerRecord, Rail, SyntheticAccountRecord, TransferRecord } from '../../store/world.ts'
import { dateAt, plusDays } from '../rules/calendar.ts'
import { type AddDerived, addDerived } from '../rules/derived.ts'
import { ddaOf } from '../rules/ledger.ts'
import { refuseAboveLimits, refuseUnfunded } from '../rules/limits.ts'
import { isZero } from '../rules/money.ts'
import { networkTransactionId } from '../rules/network-ids.ts'
import { INSTANT_TIMES_OUT_MS, rails } from '../rules/rails.ts'
import { refuseOtherForm } from '../rules/wire-addresses.ts'
import * as customers from './customers.ts'
import { knownUnlessRefused } from './require-record.ts'
import * as transactions from './transactions.ts'

/** A Transfer moves assets between two Synthetic Accounts, at most one of them external. */

export function find(tx: Tx, uid: Uid): TransferRecord {
  const transfer = tx.transfers.get(uid)
  if (!transfer) throw new ApiError('transferNotFound')
  return transfer
}

/**
 * The response contains the uid of its Transaction.
 *
 * Assumed (invented; repeated_external_uid): a repeated external_uid is 201 with the existing Transfer, VRN or Return, and creates nothing.
 */
export function initiate(tx: Tx, body: CreateTransfer): TransferRecord {
  if (body.external_uid != null) {
    const [known] = tx.transfers.findBy('external_uid', body.external_uid)
    if (known) return knownUnlessRefused(tx, known, 'transferNotCreated')
  }
  if (isZero(body.usd_transfer_amount) && !body.ach?.prenote) throw new ApiError('transferAmountNotPositive')
  const customer = customers.find(tx, body.initiating_customer_uid)
  const source = findAccount(tx, body, 'source_synthetic_account_uid')
  const destination = findAccount(tx, body, 'destination_synthetic_account_uid')
  if (source.uid === destination.uid) throw new ApiError('sameAccounts')
  const rail = railBetween(source, destination)
  refuseInactive(customer)
  refuseOtherPools(tx, customer, source, destination, body.destination_customer_uid ?? customer.uid)
  refuseUnavailable(tx, rail)
  refuseInactiveAccounts([source, destination])
  refuseRailWithoutProduct(tx, customer, rail)
  refuseUnfit(tx, body, rail, source, destination)
  const amount = body.usd_transfer_amount
  const asked = {
    initiating_customer_uid: customer.uid,
    source,
    rail,
    amount,
    same_day: rail === 'ach' && body.ach?.service_processing === 'SAMEDAY',
  }
  refuseAboveLimits(tx, asked)
  refuseUnfunded(tx, asked)
  return createUnchecked(tx, { customer, source, destination, rail, amount, body })
}

interface NewTransfer {
  readonly customer: CustomerRecord
  readonly source: SyntheticAccountRecord
  readonly destination: SyntheticAccountRecord
  readonly rail: Rail
  readonly amount: Money
  readonly body: Omit<
    CreateTransfer,
    | 'source_synthetic_account_uid'
    | 'destination_synthetic_account_uid'
    | 'initiating_customer_uid'
    | 'usd_transfer_amount'
  >
  /** Set when the service itself sends it. */
  readonly purpose?: TransferRecord['purpose']
}

/** Creates the Transfer and its Transaction without further checks. */
export function createUnchecked(
  tx: Tx,
  { customer, source, destination, rail, amount, body, purpose }: NewTransfer,
): TransferRecord {
  // 4.5 rule 2: the refund of an archival waits in no queue.
  const wait = purpose === 'archival' ? 0 : tx.program.queue_minutes[rail] * 60_000
  const t0 = toMs(tx.now) + wait
  const { initiator_type, destination_customer_uid, external_uid } = body
  const particulars = particularsOf(tx, rail, body)
  const transfer = tx.transfers.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    ...(external_uid == null ? {} : { external_uid }),
    source_synthetic_account_uid: source.uid,
    destination_synthetic_account_uid: destination.uid,
    initiating_customer_uid: customer.uid,
    destination_customer_uid: destination_customer_uid ?? customer.uid,
    status: 'queued',
    initiator_type: initiator_type ?? 'customer',
    created_at: tx.now,
    ...(wait > 0 ? { queued_until: toTimestamp(t0) } : {}),
    usd_transfer_amount: amount,
    ...particulars,
    pool_uid: (source.liability ? source : destination).pool_uid,
    rail,
    customer_uid: [...new Set([customer.uid, destination_customer_uid ?? customer.uid])],
    synthetic_account_uid: [source.uid, destination.uid],
    ...(purpose ? { purpose } : {}),
  })
  const external = source.liability ? destination : source
  const will_fail = failureOf(tx, rail, external)
  const timeline = rails[rail].originated[tx.pace](t0, particulars.ach ?? {})
  const timesOut = will_fail?.failure_code === TIMED_OUT
  transactions.create(tx, {
    type: rail === 'book' ? 'book_transfer' : rail,
    rail,
    originated: true,
    customer_uid: customer.uid,
    source,
    destination,
    us_dollar_amount: amount,
    description: {
      code: 'transfer',
      facts: { source_account_name: source.name, destination_account_name: destination.name },
    },
    timeline: timesOut ? { ...timeline, settles_at: t0 + INSTANT_TIMES_OUT_MS } : timeline,
    status: 'queued',
    transfer_uid: transfer.uid,
    ...factsOf(tx, transfer, customer, source, destination),
    ...(will_fail ? { will_fail } : {}),
  })
  return transfer
}

const TIMED_OUT = 'ERR500'

/**
 * Assumed (published): a queued transfer can be canceled; a pending one has been sent, 422/3026; book transfers, instant payments
 * and ended transfers are 400/3025. A refused cancellation changes nothing.
 */
export function cancel(tx: Tx, uid: Uid, body: CancelTransfer): TransferRecord {
  const transfer = find(tx, uid)
  if (transfer.purpose === 'archival')
    throw new ApiError('transferNotCancelable', 'The archival of the Customer has sent it')
  if (transfer.rail === 'book' || transfer.rail === 'instant_payment')
    throw new ApiError('transferNotCancelable', 'Only a wire or an ACH transfer can be canceled')
  if (transfer.status === 'pending')
    throw new ApiError('transferNotCanceled', 'The payment has already been submitted. It is too late to cancel.')
  if (transfer.status !== 'queued')
    throw new ApiError(
      'transferNotCancelable',
      'Transfer status must be one of the following to cancel: pending, queued',
    )
  return cancelQueued(tx, transfer, body)
}

/** Without further checks. */
export function cancelQueued(tx: Tx, transfer: TransferRecord, body: CancelTransfer = {}): TransferRecord {
  transactions.cancel(tx, firstTransaction(tx, transfer))
  const { authorized_representative_name, cancellation_reason } = body
  return tx.transfers.put({
    ...find(tx, transfer.uid),
    cancellation: {
      ...(authorized_representative_name == null ? {} : { authorized_representative_name }),
      ...(cancellation_reason == null ? {} : { cancellation_reason }),
      current_cancellation_status: 'successful_cancellation',
      cancellation_requested_at: tx.now,
      cancellation_succeeded_at: tx.now,
    },
  })
}

/** The Transaction created with the Transfer; returns are later ones of the same Transfer. */
export function firstTransaction(tx: Tx, { uid }: TransferRecord) {
  const [first] = tx.transactions.findBy('transfer_uid', uid)
  if (!first) throw new Error(`Transfer ${uid} has no Transaction`)
  return first
}

export const show = (tx: ReadTx, record: TransferRecord, add: AddDerived = addDerived): Transfer =>
  add(record, {
    transaction_uids: tx.transactions.findBy('transfer_uid', record.uid).map(({ uid }) => uid),
  })

// ── Which accounts ─────────────────────────────────────────────────────────────────────────────────────────────────

const railOf: Readonly<Record<Exclude<SyntheticAccountCategory, 'general'>, Rail>> = {
  ach_external: 'ach',
  wire_external: 'wire',
  instant_payment_external: 'instant_payment',
}

/**
 * The category of the external account decides, not a field of the request.
 *
 * Assumed (published): wires and instant payments cannot debit, so for them the external account must be the destination.
 */
function railBetween(source: SyntheticAccountRecord, destination: SyntheticAccountRecord): Rail {
  const [external, ...others] = [source, destination].filter(({ liability }) => !liability)
  if (!external) return 'book'
  if (others.length > 0) throw new ApiError('transferProhibited', 'both accounts are external')
  if (external.synthetic_account_category === 'general')
    throw new ApiError('transferProhibited', 'the account is kept by the service for its own accounting')
  const rail = railOf[external.synthetic_account_category]
  if (external === source && rail !== 'ach')
    throw new ApiError(
      'transferProhibited',
      `an account of category ${external.synthetic_account_category} cannot be debited`,
      undefined,
      ['source_synthetic_account_uid'],
    )
  return rail
}

function findAccount(
  tx: Tx,
  body: CreateTransfer,
  field: 'source_synthetic_account_uid' | 'destination_synthetic_account_uid',
): SyntheticAccountRecord {
  const account = tx.synthetic_accounts.get(body[field])
  if (!account) throw new ApiError('syntheticAccountNotFound', field)
  return account
}

/** The Customer and both accounts must have the same Pool. */
function refuseOtherPools(
  tx: Tx,
  customer: CustomerRecord,
  source: SyntheticAccountRecord,
  destination: SyntheticAccountRecord,
  destination_customer_uid: Uid,
) {
  if (destination_customer_uid !== customer.uid && !tx.customers.get(destination_customer_uid))
    throw new ApiError('customerNotFound', 'destination_customer_uid')
  if (source.pool_uid !== destination.pool_uid)
    throw new ApiError('transferProhibited', 'the accounts belong to different Pools')
  if (!customer.pool_uids.includes(source.pool_uid))
    throw new ApiError(
      'transferProhibited',
      'the initiating Customer does not share the Pool of the accounts',
      undefined,
      ['initiating_customer_uid'],
    )
  if (destination_customer_uid !== customer.uid)
    throw new ApiError('transferProhibited', 'the accounts do not belong to the destination Customer', undefined, [
      'destination_customer_uid',
    ])
}

function refuseUnavailable(tx: Tx, rail: Rail) {
  const type = rail === 'book' ? 'book_transfer' : rail
  if (!tx.program.transaction_types.includes(type))
    throw new ApiError('transferProhibited', `${type} is not available in this Program`)
}

/**
 * Assumed (sibling): transfers of a Customer under review are 422/1010, of an archived one 422/1008; in archival its accounts are
 * locked, 422/3008.
 */
function refuseInactive(customer: CustomerRecord) {
  if (customer.status === 'archived') throw new ApiError('archivedCustomer')
  if (customer.locked_at !== null || customer.status === 'pending_archival') throw new ApiError('accountLocked')
  if (customer.status !== 'active') throw new ApiError('inactiveCustomer', `its status is ${customer.status}`)
}

function refuseInactiveAccounts(accounts: readonly SyntheticAccountRecord[]) {
  const inactive = accounts.find(({ status }) => status !== 'active')
  if (inactive) throw new ApiError('accountDiscarded', `${inactive.uid}: its status is ${inactive.status}`)
}

/**
 * Section 1: "A Product is a financial product available to Customers, for example a payment rail", and a Product can
 * support several rails.
 *
 * Assumed (invented): a secondary Customer also has the Products of its primary. A payment within a Pool, a received payment and the
 * refund of an archival need no Product.
 */
function refuseRailWithoutProduct(tx: Tx, customer: CustomerRecord, rail: Rail) {
  if (!tx.program.rails_need_products || rail === 'book') return
  const owners = [customer.uid, customer.primary_customer_uid].filter((uid) => uid !== null)
  const allowed = owners
    .flatMap((uid) => tx.customer_products.findBy('customer_uid', uid))
    .some(({ status, product_uid }) => status === 'active' && tx.products.get(product_uid)?.rails.includes(rail))
  if (allowed) return
  const fitting = [...tx.products.newestFirst()].filter(({ rails }) => rails.includes(rail)).reverse()
  const names = fitting.map(({ name, uid }) => `${name} (${uid})`).join(' or ')
  throw new ApiError(
    'transferProhibited',
    names === ''
      ? `no Product of this Program allows ${rail}`
      : `no active Product of the Customer allows ${rail}: onboard it to ${names} with POST /customer_products`,
    undefined,
    ['initiating_customer_uid'],
  )
}

// ── Data that the rail needs ───────────────────────────────────────────────────────────────────────────────────────

const MAX_DAYS_AHEAD = 30

/**
 * Assumed (sibling): CIE is for credits only, TEL for debits only, and WEB for both. A company_id must be one of the account at
 * the custodian.
 */
function refuseUnfit(
  tx: Tx,
  body: CreateTransfer,
  rail: Rail,
  source: SyntheticAccountRecord,
  destination: SyntheticAccountRecord,
) {
  const { ach, usd_transfer_amount, initiator_type } = body
  const isPrenote = rail === 'ach' && ach?.prenote === true
  if (rail === 'ach') {
    if (!ach) throw new ApiError('missingParameter', 'ach is missing')
    const today = dateAt(toMs(tx.now))
    if (ach.effective_entry_date < today)
      throw new ApiError('invalidArgument', 'ach.effective_entry_date must not be in the past')
    if (ach.effective_entry_date > plusDays(today, MAX_DAYS_AHEAD))
      throw new ApiError('invalidArgument', `ach.effective_entry_date must be within ${MAX_DAYS_AHEAD} days`)
    if (ach.sec_code === 'CIE' && !source.liability)
      throw new ApiError(
        'invalidArgument',
        'ach.sec_code CIE is for credits: the external account must be the destination',
      )
    if (ach.sec_code === 'TEL' && source.liability)
      throw new ApiError('invalidArgument', 'ach.sec_code TEL is for debits: the external account must be the source')
    const { counterparty_name = '' } = (source.liability ? destination : source).ach ?? {}
    if (ach.sec_code === 'CIE' && counterparty_name.length > 15)
      throw new ApiError('invalidArgument', "with sec_code CIE the counterparty's name has at most 15 characters")
  }
  refuseForeignCompany(tx, source.pool_uid, 'company_id', body.company_id)
  if (rail === 'ach') refuseForeignCompany(tx, source.pool_uid, 'ach.company_id', ach?.company_id)
  if (isPrenote && !isZero(usd_transfer_amount))
    throw new ApiError('invalidArgument', 'usd_transfer_amount of a prenote must be 0.00')
  if (!isPrenote && isZero(usd_transfer_amount)) throw new ApiError('transferAmountNotPositive')
  if (initiator_type !== 'transmitter') return
  if (rail === 'wire' && !wireTransmitterOf(body))
    throw new ApiError('missingParameter', 'wire.wire_transmitter is missing')
  if (rail === 'wire') refuseOtherForm(tx.program, 'wire.wire_transmitter', wireTransmitterOf(body))
  if (rail === 'instant_payment' && !instantTransmitterOf(body))
    throw new ApiError('missingParameter', 'instant_payment.instant_payment_transmitter is missing')
}

/** 2.4: "`company_id` is optional when initiating a transfer and is validated when given." */
function refuseForeignCompany(tx: Tx, pool_uid: Uid, field: string, company_id: string | null | undefined) {
  if (company_id == null) return
  const { company_ids = [], uid } = ddaOf(tx, pool_uid)
  if (!company_ids.includes(company_id))
    throw new ApiError(
      'invalidArgument',
      `${field} is none of the Customer; GET /custodial_accounts/${uid} shows ${company_ids.join(' and ')}`,
    )
}

type Particulars = Pick<TransferRecord, 'ach' | 'wire' | 'instant_payment'>

type TransferBody = NewTransfer['body']
const wireTransmitterOf = ({ wire, wire_transmitter }: TransferBody) => wire?.wire_transmitter ?? wire_transmitter
const instantTransmitterOf = ({ instant_payment, instant_payment_transmitter }: TransferBody) =>
  instant_payment?.instant_payment_transmitter ?? instant_payment_transmitter

/** The submitted data of this rail. Objects of other rails and an unneeded transmitter are ignored. */
function particularsOf(tx: Tx, rail: Rail, body: TransferBody): Particulars {
  const { ach, company_id, initiator_type } = body
  const transmits = initiator_type === 'transmitter'
  if (rail === 'ach' && ach) {
    const { prenote, payment_type, ...rest } = given({ ...ach, company_id: ach.company_id ?? company_id })
    return {
      ach: { ...rest, prenote: prenote ?? false, payment_type: payment_type ?? 'S', transfer_trace_id: tx.uid() },
    }
  }
  if (rail === 'wire') {
    const wire_transmitter = transmits ? wireTransmitterOf(body) : undefined
    return { wire: given({ ...body.wire, wire_transmitter }) }
  }
  if (rail === 'instant_payment') {
    const instant_payment_transmitter = transmits ? instantTransmitterOf(body) : undefined
    const purpose_of_payment = body.instant_payment?.purpose_of_payment ?? ''
    return { instant_payment: given({ ...body.instant_payment, instant_payment_transmitter, purpose_of_payment }) }
  }
  return {}
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> }

/** null means the same as leaving the field out. */
const given = <T extends object>(part: T): Given<T> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value != null)) as Given<T>

/** The data of the payment that the Transaction shows. */
function factsOf(
  tx: Tx,
  { uid, ach, wire, instant_payment, rail }: TransferRecord,
  customer: CustomerRecord,
  source: SyntheticAccountRecord,
  destination: SyntheticAccountRecord,
) {
  const [general, external] = source.liability ? [source, destination] : [destination, source]
  if (rail === 'ach') {
    const [company_id] = ddaOf(tx, general.pool_uid).company_ids ?? []
    return {
      ach: {
        ...(company_id === undefined ? {} : { company_id }),
        ...ach,
        originator_routing_number: tx.program.routing_number,
        counterparty_name: nameOf(external),
      },
    }
  }
  if (rail === 'wire') {
    const { wire_transmitter: _, ...instructions } = wire ?? {}
    const { counterparty_address, counterparty_bank_name, counterparty_bank_address } = external.wire ?? {}
    return {
      wire: {
        ...instructions,
        counterparty_name: nameOf(external),
        counterparty_address: counterparty_address ?? null,
        counterparty_bank_name: counterparty_bank_name ?? null,
        counterparty_bank_address: counterparty_bank_address ?? null,
        ...(external.routing_number ? { counterparty_bank_routing_number: external.routing_number } : {}),
        chips: null,
        imad: null,
        uetr: null,
        bank_to_bank_info: null,
        originator_account_number_last_four: general.account_number?.slice(-4) ?? null,
      },
    }
  }
  if (rail === 'instant_payment') {
    const { instant_payment_transmitter: transmitter, memo = null, purpose_of_payment = '' } = instant_payment ?? {}
    const initiating_party_name = transmitter?.name ?? formatCustomer(customers.nameFacts(customer))
    return {
      instant_payment: {
        network: 'tch' as const,
        network_transaction_id: networkTransactionId(tx),
        counterparty_name: nameOf(external),
        ...(external.routing_number ? { counterparty_bank_routing_number: external.routing_number } : {}),
        ...(external.account_number
          ? { counterparty_account_number_last_four: external.account_number.slice(-4) }
          : {}),
        counterparty_address: external.instant_payment?.counterparty_address ?? null,
        counterparty_bank_address: null,
        payment_id: uid,
        original_end_to_end_id: null,
        initiating_party_name,
        ...(transmitter ? { transmitter_name: transmitter.name, instant_payment_transmitter: transmitter } : {}),
        memo,
        purpose_of_payment,
      },
    }
  }
  return {}
}

const nameOf = ({ ach, wire, instant_payment, name }: SyntheticAccountRecord): string =>
  ach?.counterparty_name ?? wire?.counterparty_name ?? instant_payment?.counterparty_name ?? name

/** Forced by the data of the counterparty; see `contract/triggers.ts`. */
function failureOf(
  { program }: Tx,
  rail: Rail,
  external: SyntheticAccountRecord,
): { failure_code?: string; failure_reason?: string } | undefined {
  if (rail === 'book') return undefined
  const fails = forcesFailure(external.name, program) || forcesFailure(nameOf(external), program)
  if (rail !== 'instant_payment') return fails ? {} : undefined
  const code = rejectionFor(external.account_number, program) ?? (fails ? DEFAULT_REJECTION : undefined)
  return code === undefined ? undefined : { failure_code: code, failure_reason: instantPaymentRejections[code] ?? code }
}
