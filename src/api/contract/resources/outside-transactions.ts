import { z } from 'zod'
import { amount } from '../terms/amounts.ts'
import { CalendarDate, Uid } from '../terms/primitives.ts'
import { resolution } from './mock-transactions.ts'
import { DeniedReason } from './transactions.ts'

/**
 * Section 1: a Transaction is also "created by movements outside the application, such as card purchases, direct deposits,
 * interest and fees". Clients cannot create them, only the operator.
 */

export const OutsideMovement = z.enum([
  'card_purchase',
  'card_refund',
  'card_load',
  'cash_load',
  'atm_withdrawal',
  'direct_deposit',
  'interest',
  'fee',
  'credit',
])
export type OutsideMovement = z.infer<typeof OutsideMovement>

/** A card authorization holds money; what comes in by card has none. */
const authorizations: readonly OutsideMovement[] = ['card_purchase', 'atm_withdrawal']

/** The fields that only these movements take. */
export const movementsTaking = {
  outcome: authorizations,
  denied_reason: authorizations,
  settled_amount: authorizations,
  transaction_uid: authorizations,
  period: ['interest'],
} as const satisfies Readonly<Record<string, readonly OutsideMovement[]>>

export const takes = (movement: OutsideMovement, field: string): boolean =>
  !Object.hasOwn(movementsTaking, field) ||
  movementsTaking[field as keyof typeof movementsTaking].some((one) => one === movement)

/** How a card authorization ends. */
const CardOutcome = z.enum(['settled', 'declined', 'expired'])

const aboveZero = (name: string) => {
  const refusal = `invalidArgument: ${name} must be more than 0: the movement decides the direction` as const
  const notNumeric = `invalidArgument: ${name} must be numeric` as const
  return amount({ published: 'text', notNumeric, negative: refusal, zero: refusal })
}

export const OutsideTransaction = z
  .strictObject({
    movement: OutsideMovement.meta({ description: 'It decides the direction' }),
    customer_uid: Uid,
    us_dollar_amount: aboveZero('us_dollar_amount').meta({ examples: ['21.89'] }),
    synthetic_account_uid: Uid.optional().meta({
      description: 'A general account of the Customer. Default: its master account',
    }),
    counterparty_name: z
      .string()
      .min(1)
      .max(35)
      .optional()
      .meta({ description: 'The merchant, the employer or the bank', examples: ['Bayline Hotels'] }),
    description: z.string().min(8).max(255).optional().meta({ description: 'Default: the movement and the name' }),
    outcome: CardOutcome.optional().meta({
      description:
        'Of a card_purchase or an atm_withdrawal. Default: settled. One that expires releases its hold without a settlement',
    }),
    denied_reason: DeniedReason.optional().meta({
      description: 'With the outcome declined. Default: insufficient_funds',
    }),
    settled_amount: aboveZero('settled_amount')
      .optional()
      .meta({
        description:
          'Of a card_purchase or an atm_withdrawal that settles for more or less than is authorized. With transaction_uid it takes the ' +
          'place of the earlier one',
      }),
    transaction_uid: Uid.optional().meta({
      description: 'A pending card_purchase or atm_withdrawal, whose hold us_dollar_amount is added to now',
    }),
    period: z
      .strictObject({ from: CalendarDate, to: CalendarDate })
      .optional()
      .meta({ description: 'The period that interest is paid for. Default: the month before' }),
    ...resolution,
  })
  .meta({ id: 'OutsideTransaction' })
export type OutsideTransaction = z.infer<typeof OutsideTransaction>
