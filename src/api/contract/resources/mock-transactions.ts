import { z } from 'zod'
import { AddressLines, StructuredAddress } from '../terms/addresses.ts'
import { amount } from '../terms/amounts.ts'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { Instant, optionalName, RoutingNumber, Uid } from '../terms/primitives.ts'
import { Network } from './transactions.ts'
import { Addenda, BankName, EntryDescription, Memo, SecCode, WireInstructions } from './transfers.ts'

/** A simulated payment from outside. Only sandboxes have this endpoint. */

const MockTransactionType = z.enum(['wire', 'instant_payment', 'ach', 'ach_return'])
export type MockTransactionType = z.infer<typeof MockTransactionType>

const optional = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

/** A negative amount is a debit. */
const MockAmount = amount({
  published: 'number',
  notNumeric: 'invalidArgument: us_dollar_amount must be numeric',
  zero: 'invalidArgument: us_dollar_amount must not be 0',
})

/** When a simulated payment settles, instead of at the time of its rail. At most one of the two. */
export const resolution = {
  resolve_at: optional(Instant).meta({ description: 'When it settles. By ach, wire and card' }),
  after: optional(z.string().min(1).max(100)).meta({
    description: 'How long after the request it settles, such as 36h or 3 banking days',
    examples: ['3 banking days'],
  }),
}
export type Resolution = z.infer<z.ZodObject<typeof resolution>>

const asked = z
  .object({
    transaction_type: MockTransactionType,
    customer_uid: optional(Uid).meta({ description: 'Required, except for ach_return' }),
    us_dollar_amount: optional(MockAmount).meta({
      description: 'Above 0 a credit, below 0 a debit. Required, except for ach_return',
      examples: [21.89],
    }),
    transaction_uid: optional(Uid).meta({ description: 'The ACH to return; required for ach_return' }),
    description: optional(z.string().min(8)).meta({
      description: 'Description of the Transaction',
      examples: ['Rent of November'],
    }),
    synthetic_account_uid: optional(Uid).meta({ description: 'A general account of the Customer' }),
    virtual_reference_number_uid: optional(Uid).meta({ description: 'An active VRN; a wire must be a credit' }),
    network: optional(Network).meta({ description: 'Network of an instant payment. Default tch' }),
    counterparty_name: optional(z.string().max(35)).meta({ examples: ['Bayline Hotels'] }),
    // Strict, so that an invalid address in parts is not accepted as an empty address in lines.
    counterparty_address: optional(z.union([StructuredAddress, z.strictObject(AddressLines.shape)])),
    counterparty_bank_name: optionalName(BankName),
    counterparty_bank_address: optional(AddressLines),
    intermediary_bank_name: optionalName(BankName),
    intermediary_bank_address: optional(AddressLines),
    intermediary_bank_routing_number: optional(RoutingNumber),
    wire_instructions: optional(WireInstructions),
    chips: optional(z.string()).meta({ description: 'Of chips, imad and uetr at most one' }),
    imad: optional(z.string()),
    uetr: optional(z.string()),
    memo: optional(Memo),
    entry_description: optional(EntryDescription),
    sec_code: optional(SecCode),
    addenda: optional(Addenda),
    iat: optional(z.union([z.string(), z.number(), z.boolean()])).meta({
      description: 'Any value adds the detail of an international ACH',
    }),
    ...resolution,
  })
  .refine(({ chips, imad, uetr }) => [chips, imad, uetr].filter(Boolean).length <= 1, {
    error: 'invalidArgument: at most one of chips, imad and uetr is expected',
  })
  .refine(({ sec_code, addenda }) => sec_code !== 'TEL' || addenda == null, {
    error: 'invalidArgument: addenda is not allowed with sec_code TEL',
  })
  .meta({
    id: 'MockTransaction',
    examples: [
      {
        transaction_type: 'wire',
        customer_uid: examples.customers,
        us_dollar_amount: 21.89,
        synthetic_account_uid: examples.synthetic_accounts,
        counterparty_name: 'Bayline Hotels',
      },
    ],
  })

/** An ach_return has the amount of the original payment, so a us_dollar_amount in the request is ignored. */
export const MockTransaction = z.preprocess((body) => {
  const { us_dollar_amount: _, ...rest } = (body ?? {}) as Record<string, unknown>
  return rest.transaction_type === 'ach_return' ? rest : body
}, asked)
export type MockTransaction = z.infer<typeof MockTransaction>

const MockTransactionAnswer = z
  .object({
    success: z.string(),
    uid: Uid.meta({ description: 'The Transaction' }),
  })
  .meta({ id: 'MockTransactionAnswer' })

export const mockTransactionEndpoints = {
  createMockTransaction: endpoint({
    method: 'POST',
    path: '/sandbox/mock_transactions',
    group: 'Sandbox',
    summary: 'Simulate a Transaction',
    description: 'Simulates a payment from outside, to a general account or a Virtual Reference Number.',
    body: MockTransaction,
    status: 201,
    response: MockTransactionAnswer,
    errors: [
      'missingParameter',
      'invalidArgument',
      'customerNotFound',
      'unknownRecord',
      'syntheticAccountNotFound',
      'vrnNotFound',
      'archivedCustomer',
      'inactiveCustomer',
    ],
  }),
}
