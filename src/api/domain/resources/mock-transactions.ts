import { ApiError } from '../../contract/errors.ts'
import { WITHOUT_HOSTED } from '../../contract/hosted.ts'
import { type Description, ownNames, textMessage } from '../../contract/messages.ts'
import type { MockTransaction, Resolution } from '../../contract/resources/mock-transactions.ts'
import type { Authorization, Iat } from '../../contract/resources/transactions.ts'
import { toLine } from '../../contract/terms/addresses.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustomerRecord, Rail, SyntheticAccountRecord, TransactionRecord, VrnRecord } from '../../store/world.ts'
import { dateAt } from '../rules/calendar.ts'
import { isHosted } from '../rules/hosted.ts'
import { absolute, isMore, isNegative, money } from '../rules/money.ts'
import { imad, networkTransactionId } from '../rules/network-ids.ts'
import type { Timeline } from '../rules/rails.ts'
import { timelineOf } from '../rules/resolution.ts'
import * as authorization from './authorization.ts'
import { returnByOtherBank } from './bank-responses.ts'
import * as customers from './customers.ts'
import { outsideAccountOf } from './open-accounts.ts'
import * as syntheticAccounts from './synthetic-accounts.ts'
import * as transactions from './transactions.ts'
import * as vrns from './virtual-reference-numbers.ts'

/** Payments from outside, which a tester simulates. */

const SUCCESS = 'A mocked transaction has been successfully initiated.'

export const create = (tx: Tx, body: MockTransaction): { success: string; uid: Uid } => ({
  success: SUCCESS,
  uid: (body.transaction_type === 'ach_return' ? returnOfAch(tx, body) : receive(tx, body, body.transaction_type)).uid,
})

/**
 * Assumed (invented): a mocked return has code R01 for money that the Client collected, R03 for money that it sent and R17 for its
 * reversal; only a settled ACH of the Client or its reversal that has not been returned can be returned.
 */
function returnOfAch(tx: Tx, { transaction_uid, ...body }: MockTransaction): TransactionRecord {
  if (transaction_uid == null) throw new ApiError('missingParameter', 'transaction_uid is missing')
  const original = transactions.find(tx, transaction_uid)
  const wrong = findReturnError(tx, original)
  if (wrong) throw new ApiError('invalidArgument', `transaction_uid: ${wrong}`)
  const usual = original.net_asset === 'positive' ? 'R01' : 'R03'
  return returnNow(tx, original, original.type === 'ach' ? usual : 'R17', body)
}

export function findReturnError(tx: Tx, original: TransactionRecord): string | undefined {
  const { type } = original
  if (type !== 'ach' && type !== 'initiated_ach_reversal') return `its type is ${type}, not ach`
  if (!original.originated) return 'it came from outside: POST /returns returns it'
  if (original.status !== 'settled') return `its status is ${original.status}, not settled`
  if (transactions.returnsOf(tx, original).length > 0) return 'it has been returned already'
  return undefined
}

/** Like any ACH entry from outside: pending at once, settled at the usual time unless the caller says when. */
export const returnNow = (tx: Tx, original: TransactionRecord, code: string, when: Resolution = {}) =>
  returnByOtherBank(tx, original, code, timelineOfMock(tx, 'ach', when))

function timelineOfMock(tx: Tx, rail: Exclude<Rail, 'book'>, when: Resolution): Timeline {
  if (!isHosted(tx.program)) return timelineOf(tx, rail, when)
  for (const at of ['resolve_at', 'after'] as const)
    if (when[at] != null) tx.hints.push({ at, text: `${at} was ignored: ${WITHOUT_HOSTED}` })
  const now = toMs(tx.now)
  return { pending_at: now, settles_at: now }
}

/** The network's limit for a received payment. */
const INSTANT_MOST = money('10000000.00')

/**
 * Assumed (invented): without an account or a VRN a payment goes to the master account; a payment to a locked or archived VRN is
 * created and denied at once; a Customer that is locked or in archival still receives payments.
 */
function receive(tx: Tx, body: MockTransaction, rail: Exclude<Rail, 'book'>): TransactionRecord {
  const customer = findReceiver(tx, body)
  if (body.us_dollar_amount == null) throw new ApiError('missingParameter', 'us_dollar_amount is missing')
  if (rail === 'instant_payment' && isMore(absolute(body.us_dollar_amount), INSTANT_MOST))
    throw new ApiError('invalidArgument', `us_dollar_amount: the network allows at most ${INSTANT_MOST}`)
  const vrn = vrnOf(tx, body, customer)
  const account = findReceivingAccount(tx, body, customer, vrn)
  const outside = outsideAccountOf(tx, account.pool_uid)
  const isDebit = isNegative(body.us_dollar_amount)
  if (vrn) refuseOnVrn(vrn, rail, isDebit)
  const verdict = authorizationOf(tx, rail, vrn)
  const denied = verdict?.authorization_status === 'auto_denied'
  const transaction = transactions.create(tx, {
    type: rail,
    rail,
    originated: false,
    customer_uid: customer.uid,
    source: isDebit ? account : outside,
    destination: isDebit ? outside : account,
    us_dollar_amount: absolute(body.us_dollar_amount),
    description: descriptionOf(rail, body, isDebit),
    timeline: timelineOfMock(tx, rail, body),
    status: verdict ? 'authorization_pending' : 'pending',
    ...factsOf(tx, body, rail, account, isDebit),
    ...(vrn ? { virtual_reference_number_uid: vrn.uid } : {}),
    ...(verdict ? { authorization: verdict } : {}),
  })
  if (denied) return transactions.deny(tx, transaction)
  if (verdict) authorization.scheduleClosing(tx, transaction)
  return transaction
}

export function findReceiver(tx: Tx, { customer_uid }: Pick<MockTransaction, 'customer_uid'>): CustomerRecord {
  if (customer_uid == null) throw new ApiError('missingParameter', 'customer_uid is missing')
  const customer = customers.find(tx, customer_uid)
  if (customer.status === 'archived') throw new ApiError('archivedCustomer')
  if (customer.pool_uids.length === 0) throw new ApiError('inactiveCustomer', 'it has no accounts yet')
  return customer
}

function vrnOf(tx: Tx, { virtual_reference_number_uid: uid }: MockTransaction, customer: CustomerRecord) {
  if (uid == null) return undefined
  const vrn = vrns.find(tx, uid)
  if (vrn.customer_uid !== customer.uid)
    throw new ApiError('invalidArgument', 'virtual_reference_number_uid belongs to another Customer')
  return vrn
}

export function findReceivingAccount(
  tx: Tx,
  { synthetic_account_uid }: Pick<MockTransaction, 'synthetic_account_uid'>,
  customer: CustomerRecord,
  vrn?: VrnRecord,
): SyntheticAccountRecord {
  if (vrn && synthetic_account_uid != null && vrn.synthetic_account_uid !== synthetic_account_uid)
    throw new ApiError('invalidArgument', 'synthetic_account_uid is not the account of the VRN')
  const uid = vrn?.synthetic_account_uid ?? synthetic_account_uid
  if (uid == null) return masterOf(tx, customer)
  const account = syntheticAccounts.find(tx, uid)
  if (account.customer_uid !== customer.uid || !account.liability)
    throw new ApiError('invalidArgument', 'synthetic_account_uid must name a general account of the Customer')
  if (vrn?.status === 'archived') return account.status === 'active' ? account : masterOf(tx, customer)
  if (account.status !== 'active')
    throw new ApiError('invalidArgument', `synthetic_account_uid: its status is ${account.status}, not active`)
  return account
}

/** The default account of a payment that names no other. */
function masterOf(tx: Tx, customer: CustomerRecord): SyntheticAccountRecord {
  const master = tx.synthetic_accounts.findBy('customer_uid', customer.uid).find(({ master_account }) => master_account)
  if (!master) throw new Error(`Customer ${customer.uid} has no master account`)
  return master
}

function refuseOnVrn(vrn: VrnRecord, rail: Rail, isDebit: boolean) {
  if (rail === 'wire' && isDebit)
    throw new ApiError('invalidArgument', 'virtual_reference_number_uid: a VRN receives wire credits only')
  const registration = vrn.instant_payment_rail_registration_status
  if (rail === 'instant_payment' && registration !== 'registered')
    throw new ApiError(
      'invalidArgument',
      `virtual_reference_number_uid: its registration for instant payments is ${registration}, not registered`,
    )
}

/**
 * Wires and ACH to a VRN wait for the Client if the Program says so. A locked or archived VRN denies payments of all
 * rails.
 */
function authorizationOf(tx: Tx, rail: Rail, vrn: VrnRecord | undefined): Authorization | undefined {
  if (!vrn) return undefined
  if (vrn.status === 'archived') return authorization.denyAtOnce(tx, 'vrn_archived')
  if (vrn.locked_at !== null) return authorization.denyAtOnce(tx, 'vrn_locked')
  return tx.program.client_authorization && rail !== 'instant_payment'
    ? authorization.requestAuthorization(tx)
    : undefined
}

/** The characters that ACH allows. */
const plain = (name: string) => name.replaceAll(/[^a-zA-Z0-9.,' -]/g, '')

function descriptionOf(
  rail: Exclude<Rail, 'book'>,
  { description, counterparty_name }: MockTransaction,
  isDebit: boolean,
): Description {
  if (description != null) return textMessage(description)
  const facts = { rail, counterparty_name: counterparty_name || ownNames.counterparty }
  return { code: isDebit ? 'received_debit' : 'received_credit', facts }
}

type Facts = Pick<TransactionRecord, 'ach' | 'wire' | 'instant_payment'>

function factsOf(
  tx: Tx,
  body: MockTransaction,
  rail: Exclude<Rail, 'book'>,
  account: SyntheticAccountRecord,
  isDebit: boolean,
): Facts {
  const counterparty_name = body.counterparty_name || ownNames.counterparty
  if (rail === 'ach') {
    const { sec_code, entry_description, addenda, iat } = body
    return {
      ach: {
        originator_name: plain(counterparty_name).slice(0, 16).trim() || ownNames.counterparty,
        originator_routing_number: OUTSIDE_ROUTING,
        counterparty_name,
        prenote: false,
        sec_code: sec_code ?? 'CCD',
        payment_type: 'S',
        entry_description: entry_description ?? 'PAYMENT',
        service_processing: 'STANDARD',
        effective_entry_date: dateAt(toMs(tx.now)),
        ...(addenda == null ? {} : { addenda }),
        transfer_trace_id: tx.uid(),
        ...(iat == null ? {} : { iat: iatOf(tx, counterparty_name, isDebit) }),
      },
    }
  }
  if (rail === 'wire') {
    const { wire_instructions, intermediary_bank_name } = body
    const chips = body.chips || null
    const uetr = body.uetr || null
    const { intermediary_bank_address, intermediary_bank_routing_number } = body
    const named = chips !== null || uetr !== null
    return {
      wire: {
        counterparty_name,
        counterparty_address: addressOf(body.counterparty_address),
        counterparty_bank_name: body.counterparty_bank_name ?? null,
        counterparty_bank_address: body.counterparty_bank_address ?? null,
        counterparty_bank_routing_number: OUTSIDE_ROUTING,
        ...(intermediary_bank_name == null ? {} : { intermediary_bank_name }),
        ...(intermediary_bank_address == null ? {} : { intermediary_bank_address }),
        ...(intermediary_bank_routing_number == null ? {} : { intermediary_bank_routing_number }),
        ...(wire_instructions == null ? {} : { wire_instructions }),
        chips,
        uetr,
        imad: named ? null : body.imad || imad(tx),
        bank_to_bank_info: null,
        originator_account_number_last_four: null,
      },
    }
  }
  return {
    instant_payment: {
      network: body.network ?? 'tch',
      network_transaction_id: networkTransactionId(tx),
      counterparty_name,
      ...(body.counterparty_bank_name == null ? {} : { counterparty_bank_name: body.counterparty_bank_name }),
      counterparty_bank_routing_number: OUTSIDE_ROUTING,
      counterparty_account_number_last_four: tx.digits(4),
      counterparty_address: partsOf(body.counterparty_address),
      counterparty_bank_address: null,
      payment_id: tx.uid(),
      original_end_to_end_id: null,
      initiating_party_name: isDebit ? account.name : counterparty_name,
      memo: body.memo ?? null,
    },
  }
}

/** The other bank. Its number has a valid check digit. */
const OUTSIDE_ROUTING = '021000021'

type Address = MockTransaction['counterparty_address']
type Lines = NonNullable<NonNullable<TransactionRecord['wire']>['counterparty_address']>
type Parts = NonNullable<NonNullable<TransactionRecord['instant_payment']>['counterparty_address']>

/**
 * Both forms of an address are accepted. A wire shows lines, an instant payment shows parts or nothing. Assumed (invented):
 * characters that a line of a wire cannot hold, such as the # of "Pier #4", are dropped.
 */
function addressOf(address: Address): Lines | null {
  if (!address) return null
  if (!('street1' in address)) return address as Lines
  const { street_number, street1, street2, city, state, postal_code, country } = address
  return {
    line1: toLine(`${street_number} ${street1}`, 35),
    line2: street2 ? toLine(street2, 35) : null,
    line3: toLine([city, state, postal_code].filter(Boolean).join(' '), 32) || null,
    country,
  }
}
const partsOf = (address: Address): Parts | null => (address && 'street1' in address ? (address as Parts) : null)

function iatOf(tx: Tx, counterparty: string, isDebit: boolean): Iat {
  return {
    foreign_exchange_indicator: 'FF',
    foreign_exchange_reference_indicator: '3',
    foreign_exchange_reference: null,
    iso_destination_country_code: 'US',
    iso_originating_currency_code: 'USD',
    iso_destination_currency_code: 'USD',
    transaction_code: isDebit ? '27' : '22',
    transaction_type_code: 'MIS',
    foreign_payment_amount: null,
    foreign_trace_number: null,
    originator_street_address: '12 HARBOUR ROAD',
    originator_city_state_province: 'HALIFAX*NS',
    originator_country_postal_code: 'CA*B3J1A1',
    odfi_name: 'FIRST MARITIME BANK',
    odfi_identification_number_qualifier: '01',
    odfi_id: OUTSIDE_ROUTING,
    odfi_branch_country_code: 'CA',
    rdfi_name: tx.program.name.toUpperCase(),
    rdfi_identification_number_qualifier: '01',
    rdfi_id: tx.program.routing_number,
    rdfi_branch_country_code: 'US',
    counterparty_street_address: '1 QUAY STREET',
    counterparty_city_state_province: 'AMES*IA',
    counterparty_country_postal_code: 'US*50010',
    payment_related_information_1: counterparty.toUpperCase(),
    payment_related_information_2: null,
    foreign_correspondent_banks: [],
  }
}
