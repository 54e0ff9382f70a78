import { z } from 'zod'
import { amount } from '../terms/amounts.ts'
import { Uid } from '../terms/primitives.ts'
import { resolution } from './mock-transactions.ts'

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

export const OutsideTransaction = z
  .strictObject({
    movement: OutsideMovement.meta({ description: 'It decides the direction' }),
    customer_uid: Uid,
    us_dollar_amount: amount({
      published: 'text',
      notNumeric: 'invalidArgument: us_dollar_amount must be numeric',
      negative: 'invalidArgument: us_dollar_amount must be more than 0: the movement decides the direction',
      zero: 'invalidArgument: us_dollar_amount must be more than 0: the movement decides the direction',
    }).meta({ examples: ['21.89'] }),
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
    ...resolution,
  })
  .meta({ id: 'OutsideTransaction' })
export type OutsideTransaction = z.infer<typeof OutsideTransaction>
