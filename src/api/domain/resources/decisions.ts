import type { LegalMove } from '../../contract/control/records.ts'
import { ApiError, errors } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import {
  achReturnCodes,
  findMisfit,
  instantPaymentRejections,
  nocCodes,
  returnCodesFor,
  reversalRefusals,
} from '../../contract/network-codes.ts'
import { KycStatusReason } from '../../contract/resources/customers.ts'
import { AuthorizeTransaction } from '../../contract/resources/transactions.ts'
import { LockReason, LockVrn } from '../../contract/resources/virtual-reference-numbers.ts'
import type { Schema } from '../../contract/terms/endpoint.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { isBlank } from '../../contract/terms/texts.ts'
import { DEFAULT_REJECTION } from '../../contract/triggers.ts'
import type { Records, Tx } from '../../store/tx.ts'
import type {
  CollectionName,
  CustomerRecord,
  StoredRecord,
  SyntheticAccountRecord,
  TransactionRecord,
  VrnRecord,
} from '../../store/world.ts'
import { nextState } from '../rules/machine.ts'
import * as authorization from './authorization.ts'
import * as bankResponses from './bank-responses.ts'
import * as customers from './customers.ts'
import { findReturnError, returnNow } from './mock-transactions.ts'
import { requireRecord } from './require-record.ts'
import * as syntheticAccounts from './synthetic-accounts.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import { applyKycStatus } from './verification.ts'
import * as vrns from './virtual-reference-numbers.ts'

/**
 * The decisions of a bank, a network or a compliance officer about a record: each is possible now or has a reason why
 * not. The control API calls them moves.
 */

type Inputs = Readonly<Record<string, unknown>>

interface Move<R> {
  readonly to: string
  readonly inputs: LegalMove['inputs'] | ((record: R) => LegalMove['inputs'])
  /** undefined if the decision is possible. */
  readonly why_not: (record: R, tx: Tx) => string | undefined
  readonly make: (tx: Tx, record: R, inputs: Inputs) => void
}
type Moves<R> = Readonly<Record<string, Move<R>>>

type KycEvent = keyof typeof machines.kyc.moves

/** The reason that is stored if the operator gives none. */
const defaultReasons: Record<KycEvent, KycStatusReason> = {
  approve: 'Approved',
  deny: 'Minimum requirements to open an account were not met',
  'ask for ID documents': 'Further review required',
  'ask for POA documents': 'Further review required',
  'ask for ID and POA documents': 'Further review required',
  'provide documents': 'Further review required',
  'reject documents': 'Invalid documents',
  'ask to retake images': 'Illegible ID document',
  'review again': 'Further review required',
}

function kycMove(event: KycEvent): Move<CustomerRecord> {
  const { from, to } = machines.kyc.moves[event]
  return {
    to,
    inputs: [{ name: 'reason', required: false, values: KycStatusReason.options }],
    why_not: ({ status, kyc_status }) => {
      if (status !== 'manual_review' && status !== 'under_review')
        return `the Customer's status is ${status}, not manual_review or under_review`
      return kyc_status && from.includes(kyc_status)
        ? undefined
        : `kyc_status is ${kyc_status}; it must be ${from.join(' or ')}`
    },
    make: (tx, customer, { reason }) => {
      const fromDocuments = event === 'approve' && customer.kyc_status === 'documents_provided'
      const usual = fromDocuments ? 'Valid Documents Provided' : defaultReasons[event]
      applyKycStatus(tx, customer, to, [reason === undefined ? usual : reasonOf(reason)])
    },
  }
}

function statusMove(event: 'put under review' | 'end review'): Move<CustomerRecord> {
  const { from, to } = machines.customer.moves[event]
  return {
    to,
    inputs: [],
    why_not: ({ status, kyc_status }) => {
      if (!from.includes(status)) return `the Customer's status is ${status}; it must be ${from.join(' or ')}`
      const isBad = event === 'end review' && kyc_status !== 'approved' && kyc_status !== 'pre_verified'
      return isBad ? `kyc_status is ${kyc_status}; it must be approved first` : undefined
    },
    make: (tx, customer) =>
      void tx.customers.put({ ...customer, status: nextState(machines.customer, customer.status, event) }),
  }
}

const customerMoves: Moves<CustomerRecord> = {
  ...Object.fromEntries((Object.keys(machines.kyc.moves) as KycEvent[]).map((event) => [event, kycMove(event)])),
  'put under review': statusMove('put under review'),
  'end review': statusMove('end review'),
  lock: {
    to: 'locked',
    inputs: [{ name: 'lock_reason', required: true }],
    why_not: ({ locked_at, status }) =>
      locked_at !== null
        ? 'the Customer is locked already'
        : status === 'archived'
          ? 'the Customer is archived'
          : undefined,
    make: (tx, customer, { lock_reason }) => {
      if (typeof lock_reason !== 'string' || isBlank(lock_reason))
        throw new ApiError('missingParameter', 'lock_reason is missing')
      tx.customers.put({ ...customer, locked_at: tx.now, lock_reason })
    },
  },
  unlock: {
    to: 'unlocked',
    inputs: [],
    why_not: ({ locked_at }) => (locked_at === null ? 'the Customer is not locked' : undefined),
    make: (tx, customer) => void tx.customers.put({ ...customer, locked_at: null, lock_reason: null }),
  },
}

// ── Payments ─────────────────────────────────────────────────────────────────────────────────────────────────────

const OF_CODES = (name: string, codes: object, required = true) => ({ name, required, values: Object.keys(codes) })

const unlessOnItsWay = ({ status }: TransactionRecord) =>
  status === 'queued' || status === 'pending' ? undefined : `its status is ${status}; it must be queued or pending`

const unlessAsked = ({ authorization: asked }: TransactionRecord) =>
  asked?.authorization_status === 'client_approval_pending' ? undefined : 'no authorization is pending'

/** A bank refuses a reversal for other reasons than it returns a payment. */
const codesThatReturn = (payment: TransactionRecord) =>
  returnCodesFor(
    transactions.directionOf(payment),
    payment.type === 'initiated_ach_reversal' ? reversalRefusals : achReturnCodes,
  )

const transactionMoves: Moves<TransactionRecord> = {
  settle: {
    to: 'settled',
    inputs: [],
    why_not: unlessOnItsWay,
    make: (tx, payment) => void transactions.settle(tx, transactions.beginIfQueued(tx, payment)),
  },
  fail: {
    to: 'failed',
    inputs: [OF_CODES('code', instantPaymentRejections, false)],
    why_not: unlessOnItsWay,
    make: (tx, payment, { code = DEFAULT_REJECTION }) => {
      const failure_code = codeOf(code, instantPaymentRejections)
      const failure_reason = instantPaymentRejections[failure_code] ?? failure_code
      transactions.fail(tx, payment, { failure_code, failure_reason })
    },
  },
  expire: {
    to: 'expired',
    inputs: [],
    why_not: (payment) => (payment.card ? unlessOnItsWay(payment) : 'only a card authorization can expire'),
    make: (tx, payment) => void transactions.expire(tx, payment),
  },
  return: {
    to: 'settled',
    inputs: (payment) => [OF_CODES('code', codesThatReturn(payment))],
    why_not: (payment, tx) => findReturnError(tx, payment),
    make: (tx, payment, { code }) => {
      const known = codeOf(code, achReturnCodes)
      const codes = codesThatReturn(payment)
      const misfit = Object.hasOwn(codes, known)
        ? undefined
        : (findMisfit(known, transactions.directionOf(payment)) ??
          `a reversal is refused with ${Object.keys(codes).join(' or ')}`)
      if (misfit) throw new ApiError('invalidArgument', `code: ${misfit}`)
      returnNow(tx, payment, known)
    },
  },
  approve: {
    to: 'pending',
    inputs: [],
    why_not: unlessAsked,
    make: (tx, payment) => void authorization.decideForClient(tx, payment, { authorization_status: 'client_approved' }),
  },
  deny: {
    to: 'authorization_denied',
    inputs: ({ rail }) => [
      { name: 'denied_reason', required: true, values: authorization.deniedReasons[rail] ?? [] },
      { name: 'denied_memo', required: false },
    ],
    why_not: unlessAsked,
    make: (tx, payment, inputs) =>
      void authorization.decideForClient(
        tx,
        payment,
        parsed(AuthorizeTransaction, { authorization_status: 'client_denied', ...inputs }),
      ),
  },
  'cash the check': {
    to: 'settled',
    inputs: [],
    why_not: ({ check }) =>
      !check ? 'it is not a paper check' : check.cashed_at ? `it was cashed at ${check.cashed_at}` : undefined,
    make: (tx, payment) => void tx.transactions.put({ ...payment, check: { ...payment.check, cashed_at: tx.now } }),
  },
  'notify of change': {
    to: 'settled',
    inputs: [OF_CODES('code', nocCodes), { name: 'corrected_data', required: false }],
    why_not: ({ type, originated, status }) => {
      if (type !== 'ach' || !originated) return 'only an ACH of the Client can get a notification of change'
      return status === 'settled' ? undefined : `its status is ${status}; it must be settled`
    },
    make: (tx, payment, { code, corrected_data }) => {
      const known = codeOf(code, nocCodes)
      if (corrected_data !== undefined && typeof corrected_data !== 'string')
        throw new ApiError('invalidArgument', 'corrected_data must be text')
      bankResponses.notifyOfChange(tx, payment, known, corrected_data?.slice(0, NOC_FIELD).trim())
    },
  },
  're-present': {
    to: 'queued',
    inputs: [],
    why_not: (payment, tx) => bankResponses.findPresentmentError(tx, payment),
    make: (tx, payment) => void bankResponses.rePresent(tx, payment),
  },
}
/** The length of the field for corrected data. */
const NOC_FIELD = 29

function parsed<S extends Schema>(schema: S, inputs: unknown): ReturnType<S['parse']> {
  const result = schema.safeParse(inputs)
  if (result.success) return result.data as ReturnType<S['parse']>
  throw new ApiError(
    'invalidArgument',
    result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  )
}

function codeOf(given: unknown, codes: object): string {
  if (given === undefined) throw new ApiError('missingParameter', 'code is missing')
  if (typeof given === 'string' && Object.hasOwn(codes, given)) return given
  throw new ApiError('invalidArgument', `code must be one of ${Object.keys(codes).join(', ')}`)
}

// ── VRNs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function registrationMove(event: keyof typeof machines.vrn_registration.moves): Move<VrnRecord> {
  const { from, to } = machines.vrn_registration.moves[event]
  return {
    to,
    inputs: [],
    why_not: ({ status, instant_payment_rail_registration_status: registration }) => {
      if (status === 'archived') return 'the VRN is archived'
      return (from as readonly string[]).includes(registration)
        ? undefined
        : `its registration is ${registration}; it must be ${from.join(' or ')}`
    },
    make: (tx, vrn) => void vrns.setRegistration(tx, vrn, event),
  }
}

/** The error that the rules for requests give, or undefined. */
function whyRefused(judge: () => void): string | undefined {
  try {
    judge()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.extra ?? errors[error.key].detail
    throw error
  }
}

const vrnMoves: Moves<VrnRecord> = {
  register: registrationMove('register'),
  'fail registration': registrationMove('fail'),
  lock: {
    to: 'locked',
    inputs: [{ name: 'lock_reason', required: true, values: LockReason.options }],
    why_not: (vrn, tx) => whyRefused(() => vrns.refuseLocking(tx, vrn)),
    make: (tx, { uid }, inputs) => void vrns.lock(tx, uid, parsed(LockVrn, inputs)),
  },
  unlock: {
    to: 'unlocked',
    inputs: [],
    why_not: (vrn, tx) => whyRefused(() => vrns.refuseUnlocking(tx, vrn)),
    make: (tx, { uid }) => void vrns.unlock(tx, uid),
  },
  archive: {
    to: 'archived',
    inputs: [],
    why_not: ({ status }) => (status === 'archived' ? 'the VRN is archived' : undefined),
    make: (tx, { uid }) => vrns.archive(tx, uid),
  },
}

// ── Accounts ─────────────────────────────────────────────────────────────────────────────────────────────────────

function openingMove(event: 'activate' | 'fail'): Move<SyntheticAccountRecord> {
  return {
    to: machines.synthetic_account.moves[event].to,
    inputs: [],
    why_not: ({ status }) => (status === 'initiated' ? undefined : `its status is ${status}; it must be initiated`),
    make: (tx, account) => void syntheticAccounts.endOpening(tx, account, event),
  }
}

const accountMoves: Moves<SyntheticAccountRecord> = {
  activate: openingMove('activate'),
  fail: openingMove('fail'),
  archive: {
    to: 'archived',
    inputs: [],
    why_not: (account, tx) => whyRefused(() => syntheticAccounts.refuseArchiving(tx, account)),
    make: (tx, { uid }) => syntheticAccounts.archive(tx, uid),
  },
}

// ── Any record ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The decisions about records of one collection. */
interface Movable {
  readonly names: readonly string[]
  list(tx: Tx, uid: Uid): LegalMove[]
  make(tx: Tx, uid: Uid, name: string, inputs: Inputs): void
}

const movable = <R>(moves: Moves<R>, find: (tx: Tx, uid: Uid) => R): Movable => ({
  names: Object.keys(moves),
  list(tx, uid) {
    const record = find(tx, uid)
    return Object.entries(moves).map(([move, { to, inputs, why_not }]) => {
      const reason = why_not(record, tx) ?? null
      const asked = typeof inputs === 'function' ? inputs(record) : inputs
      return { move, to, inputs: asked, legal: reason === null, why_not: reason }
    })
  },
  make(tx, uid, name, inputs) {
    const record = find(tx, uid)
    const move = Object.hasOwn(moves, name) ? moves[name] : undefined
    if (!move)
      throw new ApiError(
        'invalidArgument',
        `there is no move ${name}; there are ${Object.keys(moves).join(', ') || 'none'}`,
      )
    const reason = move.why_not(record, tx)
    if (reason) throw new ApiError('invalidArgument', `${name}: ${reason}`)
    const known = (typeof move.inputs === 'function' ? move.inputs(record) : move.inputs).map((input) => input.name)
    const unknown = Object.keys(inputs).filter((input) => !known.includes(input))
    if (unknown.length > 0)
      throw new ApiError(
        'invalidArgument',
        `inputs: ${name} has no input ${unknown.join(', ')}; it has ${known.join(', ') || 'none'}`,
      )
    move.make(tx, record, inputs)
  },
})

const payments = movable(transactionMoves, transactions.find)

/** A Transfer and a Return follow their Transaction, so its decisions are theirs. */
const through = (paymentOf: (tx: Tx, uid: Uid) => Uid): Movable => ({
  names: payments.names,
  list: (tx, uid) => payments.list(tx, paymentOf(tx, uid)),
  make: (tx, uid, name, inputs) => payments.make(tx, paymentOf(tx, uid), name, inputs),
})

const movables: Partial<Readonly<Record<CollectionName, Movable>>> = {
  customers: movable(customerMoves, customers.find),
  transactions: payments,
  transfers: through((tx, uid) => transfers.firstTransaction(tx, transfers.find(tx, uid)).uid),
  returns: through((tx, uid) => requireRecord(tx.returns, uid, 'Return').return_transaction_uid),
  synthetic_accounts: movable(accountMoves, syntheticAccounts.find),
  virtual_reference_numbers: movable(vrnMoves, vrns.find),
}

/** The decisions about the records of a collection. Most collections have none. */
export const decisionsFor = (collection: CollectionName): Movable =>
  movables[collection] ??
  movable({}, (tx: Tx, uid: Uid) => requireRecord(tx[collection] as Records<StoredRecord>, uid, collection))

function reasonOf(given: unknown): KycStatusReason {
  const parsed = KycStatusReason.safeParse(given)
  if (!parsed.success)
    throw new ApiError('invalidArgument', `reason must be one of ${KycStatusReason.options.join('; ')}`)
  return parsed.data
}
