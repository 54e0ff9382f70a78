import { textMessage } from '../../contract/messages.ts'
import type { OutsideMovement, OutsideTransaction } from '../../contract/resources/outside-transactions.ts'
import type { Tx } from '../../store/tx.ts'
import type { PaymentRail, TransactionRecord } from '../../store/world.ts'
import { timelineOf } from '../rules/resolution.ts'
import * as mockTransactions from './mock-transactions.ts'
import { outsideAccountOf } from './open-accounts.ts'
import * as transactions from './transactions.ts'

/**
 * Section 1: "A Transaction is created by a Transfer or by movements outside the application, such as card purchases, direct
 * deposits, interest and fees."
 *
 * Assumed (invented): they are pending at once and are never refused for insufficient funds, so a balance can become negative. Movements by
 * card settle with the next received ACH, those of the custodian after a second.
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
  if (movement === 'direct_deposit') return directDeposit(tx, body)
  const { direction, rail } = rows[movement]
  const customer = mockTransactions.findReceiver(tx, body)
  const account = mockTransactions.findReceivingAccount(tx, body, customer)
  const outside = outsideAccountOf(tx, account.pool_uid)
  const { us_dollar_amount, description, counterparty_name } = body
  return transactions.create(tx, {
    type: movement,
    rail,
    originated: false,
    customer_uid: customer.uid,
    source: direction === 'debit' ? account : outside,
    destination: direction === 'debit' ? outside : account,
    us_dollar_amount,
    description:
      description === undefined
        ? {
            code: 'outside_movement',
            facts: { transaction_type: movement, counterparty_name: counterparty_name ?? null },
          }
        : textMessage(description),
    timeline: timelineOf(tx, rail, body),
    status: 'pending',
  })
}

/** An ACH credit to a person, as an employer sends it. */
const directDeposit = (tx: Tx, body: Omit<OutsideTransaction, 'movement'>): TransactionRecord =>
  transactions.find(
    tx,
    mockTransactions.create(tx, {
      transaction_type: 'ach',
      sec_code: 'PPD',
      entry_description: 'PAYROLL',
      ...body,
    }).uid,
  )
