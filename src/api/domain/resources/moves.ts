import type { LegalMove } from '../../contract/control.ts'
import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import { KycStatusReason } from '../../contract/resources/customers.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { Tx } from '../../store/store.ts'
import type { CustomerRecord } from '../../store/world.ts'
import { next } from '../rules/machine.ts'
import * as customers from './customers.ts'
import { conclude } from './verification.ts'

/** What a bank or a compliance officer would decide: the moves of a record, legal or with the reason why not. */

type Inputs = Readonly<Record<string, unknown>>

interface Move {
  readonly to: string
  readonly inputs: LegalMove['inputs']
  /** undefined when it may be made. */
  readonly why_not: (customer: CustomerRecord) => string | undefined
  readonly make: (tx: Tx, customer: CustomerRecord, inputs: Inputs) => void
}

type KycEvent = keyof typeof machines.kyc.moves

/** The reason that is recorded when the operator gives none. */
const usualReason: Record<KycEvent, KycStatusReason> = {
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

function kycMove(event: KycEvent): Move {
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
      const usual = fromDocuments ? 'Valid Documents Provided' : usualReason[event]
      conclude(tx, customer, to, [reason === undefined ? usual : reasonOf(reason)])
    },
  }
}

function statusMove(event: 'put under review' | 'end review'): Move {
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
      void tx.customers.put({ ...customer, status: next(machines.customer, customer.status, event) }),
  }
}

const customerMoves: Readonly<Record<string, Move>> = {
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
      if (typeof lock_reason !== 'string' || lock_reason.trim() === '')
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

export function list(tx: Tx, uid: Uid): LegalMove[] {
  const customer = customers.find(tx, uid)
  return Object.entries(customerMoves).map(([move, { to, inputs, why_not }]) => {
    const reason = why_not(customer) ?? null
    return { move, to, inputs, legal: reason === null, why_not: reason }
  })
}

export function make(tx: Tx, uid: Uid, name: string, inputs: Inputs): CustomerRecord {
  const customer = customers.find(tx, uid)
  const move = Object.hasOwn(customerMoves, name) ? customerMoves[name] : undefined
  if (!move)
    throw new ApiError(
      'invalidArgument',
      `there is no move ${name}; there are ${Object.keys(customerMoves).join(', ')}`,
    )
  const reason = move.why_not(customer)
  if (reason) throw new ApiError('invalidArgument', `${name}: ${reason}`)
  move.make(tx, customer, inputs)
  return customers.find(tx, uid)
}

function reasonOf(given: unknown): KycStatusReason {
  const parsed = KycStatusReason.safeParse(given)
  if (!parsed.success)
    throw new ApiError('invalidArgument', `reason must be one of ${KycStatusReason.options.join('; ')}`)
  return parsed.data
}
