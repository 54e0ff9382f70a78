import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type { Authorization, AuthorizeTransaction, DeniedReason } from '../../contract/resources/transactions.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { PaymentRail, TaskRecord, TransactionRecord } from '../../store/world.ts'
import { isHosted } from '../rules/hosted.ts'
import { nextState } from '../rules/machine.ts'
import { DECISION_TAKES_MS } from '../rules/rails.ts'
import * as transactions from './transactions.ts'

/**
 * Specification 3.4 and 4.7: a payment received on a VRN waits for the Client's decision, or for the end of its window.
 */

/** The reasons that a denial may give, by the rail of the payment. */
export const deniedReasons: Readonly<Partial<Record<PaymentRail, readonly DeniedReason[]>>> = {
  wire: [
    'vrn_archived',
    'vrn_locked',
    'international_payment',
    'unauthorized_credit',
    'unauthorized_debit',
    'insufficient_funds',
  ],
  ach: ['vrn_archived', 'vrn_locked', 'debit_limit_exceeded', 'unauthorized_credit'],
  card: ['insufficient_funds', 'debit_limit_exceeded', 'international_payment', 'unauthorized_debit'],
}

const HOUR_MS = 3_600_000

/** The window begins at once and counts elapsed time, at both paces. */
export const requestAuthorization = (tx: Tx): Authorization => ({
  authorization_required_by: toTimestamp(toMs(tx.now) + tx.program.authorization_hours * HOUR_MS),
  authorization_status: nextState(machines.authorization, 'created', 'ask'),
})

export const denyAtOnce = (tx: Tx, denied_reason: DeniedReason): Authorization => ({
  authorization_finalized_at: tx.now,
  authorization_status: nextState(machines.authorization, 'created', 'deny at once'),
  denied_reason,
})

export const scheduleClosing = (tx: Tx, transaction: TransactionRecord) =>
  tx.schedule({
    kind: 'close authorization',
    due_at: transaction.authorization?.authorization_required_by ?? tx.now,
    subject_uid: transaction.uid,
    why: { code: 'authorization_closes', facts: transactions.paymentFacts(transaction) },
  })

/**
 * Within the decision window.
 *
 * Assumed (invented): a payment that was decided is 400/6009, also after its window; one whose window has passed without a decision is
 * 400/6010.
 */
export function authorize(tx: Tx, uid: Uid, body: AuthorizeTransaction): { authorization: Authorization } {
  const transaction = transactions.find(tx, uid)
  if (!tx.program.client_authorization) throw new ApiError('authorizationDisabled')
  const { authorization } = transaction
  if (!authorization) throw new ApiError('authorizationIneligible')
  const { authorization_required_by: by, authorization_status: status } = authorization
  const isDecided = status === 'client_approved' || status === 'client_denied' || status === 'auto_denied'
  if (isDecided) throw new ApiError('authorizationFinal')
  if (status !== 'client_approval_pending' || (by && tx.now >= by)) throw new ApiError('authorizationExpired')
  return decideForClient(tx, transaction, body)
}

/** Decides for the Client, too: the only condition is that the payment waits for a decision. */
export function decideForClient(tx: Tx, transaction: TransactionRecord, body: AuthorizeTransaction) {
  if (body.authorization_status === 'client_approved') return shown(approve(tx, transaction, 'approve'))

  const { denied_reason, denied_memo } = body
  if (denied_reason == null) throw new ApiError('missingParameter', 'denied_reason is missing')
  const allowed = deniedReasons[transaction.rail] ?? []
  if (!allowed.includes(denied_reason))
    throw new ApiError(
      'invalidArgument',
      `denied_reason: for ${transaction.rail} one of ${allowed.join(', ')} is expected`,
    )
  return shown(deny(tx, transaction, 'deny', { denied_reason, ...(denied_memo == null ? {} : { denied_memo }) }))
}

/**
 * Runs when the window ends without an answer of the Client.
 *
 * Assumed (invented): a debit or credit that the Program denies unanswered has no reason.
 */
export function closeWindow(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'close authorization'> {
  const transaction = transactions.find(tx, subject_uid ?? '')
  const event = `${tx.program.unanswered_authorization} unanswered` as const
  const closed = event === 'approve unanswered' ? approve(tx, transaction, event) : deny(tx, transaction, event, {})
  return { code: 'authorization', facts: { authorization_status: shown(closed).authorization.authorization_status } }
}

function approve(tx: Tx, transaction: TransactionRecord, event: 'approve' | 'approve unanswered'): TransactionRecord {
  const decided = decide(tx, transaction, event)
  const takes = isHosted(tx.program) ? 0 : DECISION_TAKES_MS
  return transactions.approve(tx, decided, toMs(tx.now) + takes)
}

function deny(
  tx: Tx,
  transaction: TransactionRecord,
  event: 'deny' | 'deny unanswered',
  because: Pick<Authorization, 'denied_reason' | 'denied_memo'>,
): TransactionRecord {
  return transactions.deny(tx, decide(tx, transaction, event, because))
}

function decide(
  tx: Tx,
  transaction: TransactionRecord,
  event: keyof typeof machines.authorization.moves,
  because: Partial<Authorization> = {},
): TransactionRecord {
  const { authorization } = transaction
  if (!authorization) throw new Error(`${transaction.uid} has nothing to authorize`)
  for (const task of tx.tasks.findBy('subject_uid', transaction.uid)) tx.tasks.remove(task.uid)
  return {
    ...transaction,
    authorization: {
      ...authorization,
      ...because,
      authorization_finalized_at: tx.now,
      authorization_status: nextState(machines.authorization, authorization.authorization_status, event),
    },
  }
}

const shown = ({ authorization }: TransactionRecord): { authorization: Authorization } => {
  if (!authorization) throw new Error('The Transaction has no authorization')
  return { authorization }
}
