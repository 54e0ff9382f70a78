import { ApiError } from '../../contract/errors.ts'
import { type Description, textMessage } from '../../contract/messages.ts'
import { type OutsideMovement, type OutsideTransaction, takes } from '../../contract/resources/outside-transactions.ts'
import { MOST } from '../../contract/terms/amounts.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { PaymentRail, TransactionRecord } from '../../store/world.ts'
import { type CalendarDate, dateAt, plusDays } from '../rules/calendar.ts'
import { add, isMore } from '../rules/money.ts'
import { rails } from '../rules/rails.ts'
import { timelineOf } from '../rules/resolution.ts'
import { deniedReasons, denyAtOnce } from './authorization.ts'
import * as mockTransactions from './mock-transactions.ts'
import { outsideAccountOf } from './open-accounts.ts'
import * as transactions from './transactions.ts'

/**
 * Section 1: "A Transaction is created by a Transfer or by movements outside the application, such as card purchases, direct
 * deposits, interest and fees."
 *
 * Assumed (invented): they are pending at once and are never refused for insufficient funds, so a balance can become negative. Movements by
 * card settle with the next received ACH, those of the custodian after a second. Interest is paid for the month before.
 *
 * Assumed (invented): a declined card authorization is a Transaction of type denied_authorization with the status denied, the reason in its
 * authorization, and no hold. An incremental authorization raises the hold of the first one and not its time; it has no event. Its settled_amount takes the place of the earlier one.
 */

interface Row {
  readonly direction: 'credit' | 'debit'
  readonly rail: Extract<PaymentRail, 'card' | 'custodian'>
}

const rows: Readonly<Record<Exclude<OutsideMovement, 'direct_deposit'>, Row>> = {
  card_purchase: { direction: 'debit', rail: 'card' },
  card_refund: { direction: 'credit', rail: 'card' },
  card_load: { direction: 'credit', rail: 'card' },
  cash_load: { direction: 'credit', rail: 'card' },
  atm_withdrawal: { direction: 'debit', rail: 'card' },
  interest: { direction: 'credit', rail: 'custodian' },
  fee: { direction: 'debit', rail: 'custodian' },
  credit: { direction: 'credit', rail: 'custodian' },
}

export function inject(tx: Tx, { movement, ...body }: OutsideTransaction): TransactionRecord {
  refuseMisfits(movement, body)
  if (movement === 'direct_deposit') return directDeposit(tx, body)
  const customer = mockTransactions.findReceiver(tx, body)
  if (body.transaction_uid !== undefined) return raiseHold(tx, movement, body, body.transaction_uid)
  const { direction, rail } = rows[movement]
  const account = mockTransactions.findReceivingAccount(tx, body, customer)
  const outside = outsideAccountOf(tx, account.pool_uid)
  const { us_dollar_amount, outcome, denied_reason = 'insufficient_funds' } = body
  const isDeclined = outcome === 'declined'
  return transactions.create(tx, {
    type: isDeclined ? 'denied_authorization' : movement,
    rail,
    originated: false,
    customer_uid: customer.uid,
    source: direction === 'debit' ? account : outside,
    destination: direction === 'debit' ? outside : account,
    us_dollar_amount,
    description: describe(tx, movement, body),
    timeline: timelineOf(tx, rail, body, outcome === 'expired' ? rails.card.expires : undefined),
    status: isDeclined ? 'denied' : 'pending',
    ...(isDeclined ? { authorization: denyAtOnce(tx, denied_reason) } : {}),
    ...(takes(movement, 'outcome') && !isDeclined ? { card: cardOf(body) } : {}),
  })
}

type Body = Omit<OutsideTransaction, 'movement'>

const cardOf = ({
  outcome,
  settled_amount,
}: Pick<Body, 'outcome' | 'settled_amount'>): NonNullable<TransactionRecord['card']> => ({
  ...(outcome === 'expired' ? { expires: true } : {}),
  ...(settled_amount === undefined ? {} : { settles_for: settled_amount }),
})

/** Fields that mean nothing for the movement, or beside another field. */
function refuseMisfits(movement: OutsideMovement, body: Body) {
  const refuse = (field: string, found: string): never => {
    throw new ApiError('invalidArgument', `${field}: ${found}; leave it out`, undefined, [field])
  }
  const { outcome = 'settled', denied_reason, period, description, transaction_uid } = body
  for (const field of ['outcome', 'denied_reason', 'settled_amount', 'transaction_uid'] as const)
    if (body[field] !== undefined && !takes(movement, field))
      refuse(field, `a ${movement} is no card authorization, as a card_purchase and an atm_withdrawal are`)
  for (const field of RAISES_NO_OTHER)
    if (transaction_uid !== undefined && body[field] != null)
      refuse(field, 'transaction_uid is given, whose hold grows now; its account, names, end and time stay')
  if (body.settled_amount !== undefined && outcome !== 'settled')
    refuse('settled_amount', `the outcome is ${outcome}, which settles nothing`)
  if (denied_reason !== undefined && outcome !== 'declined')
    refuse('denied_reason', `the outcome is ${outcome}, not declined`)
  if (denied_reason !== undefined && !deniedReasons.card!.includes(denied_reason))
    refuse('denied_reason', `a card authorization is declined for ${deniedReasons.card!.join(', ')}`)
  if (outcome === 'declined')
    for (const field of ['resolve_at', 'after'] as const)
      if (body[field] != null) refuse(field, 'a declined authorization ends at once')
  if (period === undefined) return
  if (!takes(movement, 'period')) refuse('period', `a ${movement} has no period`)
  if (description !== undefined) refuse('period', 'description is given, which names the period')
  if (period.to < period.from) refuse('period', `it ends on ${period.to}, before it begins on ${period.from}`)
}

const RAISES_NO_OTHER = [
  'outcome',
  'synthetic_account_uid',
  'counterparty_name',
  'description',
  'resolve_at',
  'after',
] as const

/** An incremental authorization. */
function raiseHold(tx: Tx, movement: OutsideMovement, { customer_uid, us_dollar_amount, ...body }: Body, uid: Uid) {
  const payment = transactions.find(tx, uid)
  const { type, status, card } = payment
  const refuse = (found: string, field: keyof OutsideTransaction = 'transaction_uid') => {
    throw new ApiError('invalidArgument', `${field}: ${found}`, undefined, [field])
  }
  if (payment.customer_uid !== customer_uid) refuse('it belongs to another Customer')
  if (type !== movement) refuse(`its type is ${type}, not ${movement}`)
  if (status !== 'pending') refuse(`its status is ${status}, not pending`)
  if (card?.expires && body.settled_amount !== undefined) refuse('it expires, so it settles nothing', 'settled_amount')
  const raised = add(payment.us_dollar_amount, us_dollar_amount)
  if (isMore(raised, MOST)) refuse(`the hold would be ${raised}; at most ${MOST} is expected`, 'us_dollar_amount')
  return transactions.changeHold(tx, { ...payment, card: { ...card, ...cardOf(body) } }, raised)
}

function describe(tx: Tx, movement: Exclude<OutsideMovement, 'direct_deposit'>, body: Body): Description {
  const { description, counterparty_name = null, period = monthBefore(tx) } = body
  if (description !== undefined) return textMessage(description)
  return movement === 'interest'
    ? { code: 'interest', facts: { counterparty_name, period_from: period.from, period_to: period.to } }
    : { code: 'outside_movement', facts: { transaction_type: movement, counterparty_name } }
}

/** In New York, as all banking days. */
function monthBefore(tx: Tx): NonNullable<Body['period']> {
  const firstOf = (date: CalendarDate) => `${date.slice(0, 8)}01`
  const to = plusDays(firstOf(dateAt(toMs(tx.now))), -1)
  return { from: firstOf(to), to }
}

/** An ACH credit to a person, as an employer sends it. */
const directDeposit = (tx: Tx, body: Body): TransactionRecord =>
  transactions.find(
    tx,
    mockTransactions.create(tx, {
      transaction_type: 'ach',
      sec_code: 'PPD',
      entry_description: 'PAYROLL',
      ...body,
    }).uid,
  )
