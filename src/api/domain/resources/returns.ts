import { ApiError } from '../../contract/errors.ts'
import { achReturnCodes, findMisfit } from '../../contract/network-codes.ts'
import type { CreateReturn } from '../../contract/resources/returns.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { ReturnRecord, TransactionRecord } from '../../store/world.ts'
import { isMore } from '../rules/money.ts'
import { type Frame, rails, returnDeadline } from '../rules/rails.ts'
import * as customers from './customers.ts'
import { knownUnlessRefused } from './require-record.ts'
import * as transactions from './transactions.ts'

/** A Return reverses a completed payment, a received one or an originated one. */

export function find(tx: Tx, uid: Uid): ReturnRecord {
  refuseDisabled(tx)
  const found = tx.returns.get(uid)
  if (!found) throw new ApiError('returnNotFound')
  return found
}

export function refuseDisabled(tx: Tx) {
  if (!tx.program.returns) throw new ApiError('returnsDisabled')
}

type Kind = 'initiated_ach_return' | 'initiated_ach_reversal' | 'initiated_wire_return'

/**
 * Assumed (invented): an external_uid is repeated if a Return of the same Customer has it; a Return of another Customer's
 * Transaction is 400/31014, and one above the available balance 422/31002; a prenote cannot be reversed, 400/31012; a
 * Customer that is locked, in archival or archived cannot return payments. A Return that failed or was canceled does not
 * prevent another one.
 */
export function create(tx: Tx, body: CreateReturn): ReturnRecord {
  refuseDisabled(tx)
  const customer = customers.find(tx, body.requesting_customer_uid)
  if (body.external_uid != null) {
    const known = tx.returns.findBy('external_uid', body.external_uid).find((one) => one.customer_uid === customer.uid)
    if (known) return knownUnlessRefused(tx, known, 'returnNotCreated')
  }
  const original = transactions.find(tx, body.original_transaction_uid)
  if (original.customer_uid !== customer.uid)
    throw new ApiError('returnIneligible', 'the Transaction belongs to another Customer')
  customers.refuseArchival(customer)
  if (customer.locked_at !== null) throw new ApiError('customerLocked')
  const kind = kindOf(original)
  if (original.status !== 'settled') throw new ApiError('returnNotSettled')
  if (transactions.returnsOf(tx, original).length > 0) throw new ApiError('returnExists')
  if (original.ach?.prenote)
    throw new ApiError('returnCodeUnsupported', 'a prenote moves nothing that could be returned')
  refuseWrongInformation(kind, body)
  refuseWrongCode(original, body.ach?.ach_return_code)
  refuseLate(tx, original, frameOf(kind, body.ach?.ach_return_code))
  return begin(tx, original, kind, body)
}

function begin(tx: Tx, original: TransactionRecord, kind: Kind, body: CreateReturn): ReturnRecord {
  const [source, destination] = transactions.returnParties(tx, original)
  const available = source.net_usd_available_balance
  if (available !== null && isMore(original.us_dollar_amount, available))
    throw new ApiError('returnNotCreated', `available: ${available}`)
  const { ach_return_code, addenda_info } = body.ach ?? {}
  const { wire_instructions } = body.wire ?? {}
  const return_uid = tx.uid()
  const rail = kind === 'initiated_wire_return' ? 'wire' : 'ach'
  const transaction = transactions.create(tx, {
    type: kind,
    rail,
    originated: original.originated,
    customer_uid: original.customer_uid,
    source,
    destination,
    us_dollar_amount: original.us_dollar_amount,
    description: {
      code: 'requested_return',
      facts: {
        return_type: kind,
        direction: source.liability ? 'debit' : 'credit',
        account_uid: source.liability ? source.uid : destination.uid,
      },
    },
    ...(original.ach ? { ach: achOf(tx, original.ach, ach_return_code, addenda_info) } : {}),
    ...(original.wire ? { wire: wireOf(original.wire, wire_instructions) } : {}),
    timeline: rails[rail].returned[tx.pace](toMs(tx.now), {}),
    status: 'queued',
    return_uid,
    original_transaction_uid: original.uid,
    ...(original.transfer_uid === null ? {} : { transfer_uid: original.transfer_uid }),
  })
  tx.transactions.put({ ...original, return_uid })
  return tx.returns.put({
    uid: return_uid,
    program_uid: tx.program.uid,
    ...(body.external_uid == null ? {} : { external_uid: body.external_uid }),
    original_transaction_uid: original.uid,
    return_transaction_uid: transaction.uid,
    customer_uid: original.customer_uid,
    requestor_type: body.requestor_type,
    return_reason: body.return_reason,
    status: 'queued',
    created_at: tx.now,
    ...(ach_return_code == null ? {} : { ach: { ach_return_code, ...(addenda_info == null ? {} : { addenda_info }) } }),
    ...(kind === 'initiated_wire_return' && body.wire
      ? { wire: wire_instructions == null ? {} : { wire_instructions } }
      : {}),
  })
}

type Ach = NonNullable<TransactionRecord['ach']>

/** A Return has its own trace id and message. Codes that other banks have given to the original do not apply to it. */
function achOf(tx: Tx, original: Ach, code: string | null | undefined, addenda: string | null | undefined): Ach {
  const { iat: _, addenda: __, ...ach } = transactions.withoutReturn(transactions.withoutNotices(original))
  return {
    ...ach,
    transfer_trace_id: tx.uid(),
    ...(code == null ? {} : { ach_return_code: code, ach_return_reason: achReturnCodes[code]?.reason ?? code }),
    ...(addenda == null ? {} : { addenda }),
  }
}

type Wire = NonNullable<TransactionRecord['wire']>

const wireOf = ({ wire_instructions: _, ...wire }: Wire, instructions: string | null | undefined): Wire => ({
  ...wire,
  ...(instructions == null ? {} : { wire_instructions: instructions }),
  imad: null,
  chips: null,
  uetr: null,
})

/** The kind of Return for a Transaction. Throws if there is none. */
function kindOf({ type, originated, wire }: TransactionRecord): Kind {
  if (type === 'ach_return' || type.startsWith('initiated_')) throw new ApiError('returnOfReturn')
  if (type === 'ach') return originated ? 'initiated_ach_reversal' : 'initiated_ach_return'
  if (type !== 'wire') throw new ApiError('returnUnsupported', `type is ${type}`)
  if (originated) throw new ApiError('returnIneligible', 'a wire that was sent is final')
  if (wire?.uetr) throw new ApiError('returnNetworkUnsupported')
  return 'initiated_wire_return'
}

/** Only the return of a received ACH has a code. */
function refuseWrongInformation(kind: Kind, { ach, wire }: CreateReturn) {
  if (kind === 'initiated_ach_return' && ach?.ach_return_code == null)
    throw new ApiError('missingParameter', 'ach.ach_return_code is missing')
  if (kind !== 'initiated_ach_return' && ach) throw new ApiError('returnExtraInformation', 'ach')
  if (kind !== 'initiated_wire_return' && wire) throw new ApiError('returnExtraInformation', 'wire')
}

/** Some codes are for debits only, one for credits only. */
function refuseWrongCode(original: TransactionRecord, code: string | null | undefined) {
  const misfit = code == null ? undefined : findMisfit(code, transactions.directionOf(original))
  if (misfit) throw new ApiError('returnIneligible', misfit, undefined, ['ach.ach_return_code'])
}

/** Assumed (invented): a wire can be returned within 60 days, as no period is published. */
function frameOf(kind: Kind, code: string | null | undefined): Frame {
  if (kind === 'initiated_ach_reversal') return 'reversal'
  return kind === 'initiated_wire_return' ? '60 days' : (achReturnCodes[code ?? '']?.frame ?? '2 banking days')
}

/** The same at both paces: a Return must reach the other bank within the period. */
function refuseLate(tx: Tx, { settled_at }: TransactionRecord, frame: Frame) {
  const now = toMs(tx.now)
  const { late_from, expired_from } = returnDeadline(frame, toMs(settled_at ?? tx.now))
  if (now >= expired_from) throw new ApiError('returnExpired', `the window of ${frame} has passed`)
  if (now >= late_from) throw new ApiError('returnTooLateToday')
}
