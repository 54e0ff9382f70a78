import { z } from 'zod'
import { MessageBody } from '../messages.ts'
import { Money, Timestamp, Uid } from '../terms/primitives.ts'
import { Exchange } from './exchanges.ts'

/** What made a commit: a request, a task or an operator action. */
export const Cause = z.object({
  door: z.enum(['request', 'time', 'operator']),
  name: z.string(),
  exchange: z.string().optional(),
  from: Timestamp.optional().meta({ description: 'For an advance: the time before it' }),
  decision: z.string().optional().meta({ description: 'For moves.make: the decision' }),
  undo: z
    .enum(['undo', 'redo'])
    .optional()
    .meta({ description: 'For a rewind: operations.undo or operations.redo made it' }),
})
export type Cause = z.infer<typeof Cause>

export const FieldChange = z.object({
  field: z.string().meta({ description: 'A path, for example details.phone' }),
  from: z.unknown(),
  to: z.unknown(),
})

/** What a commit changed in one record. */
export const RecordCommit = z.object({
  seq: z.int(),
  at: Timestamp,
  cause: Cause,
  what: z.enum(['made', 'changed', 'removed']),
  fields: z.array(FieldChange),
})
export type RecordCommit = z.infer<typeof RecordCommit>

export const CommitSummary = z.object({
  seq: z.int(),
  operation: z.int().meta({ description: 'The operation that it is a part of: the first commit of that' }),
  at: Timestamp.meta({ description: 'Simulated time' }),
  cause: Cause,
  records: z.record(z.string(), z.int()).meta({ description: 'Number of changed records by collection' }),
  about: z
    .array(z.object({ collection: z.string(), uid: Uid, says: z.string() }))
    .meta({ description: 'At most three of the changed records, as they were after the commit' }),
  moved: z
    .object({ from: Timestamp, to: Timestamp })
    .nullable()
    .meta({ description: 'The operator advanced the clock' }),
  goes_on_from: z.int().nullable().meta({
    description: 'For a rewind, a restore and a reset: the commit that the world continues from; 0 for a fresh world',
  }),
  left_by: z.int().nullable().meta({
    description:
      'The commit of the undo, rewind, restore, reset or import that went back before it: it is still stored, but not on the current branch; to bring it back, rewind to the commit before that',
  }),
})
export type CommitSummary = z.infer<typeof CommitSummary>

/** How a payment and a return belong together, as seen from one of them. */
export const PaymentReturn = z.object({
  is: z.enum(['returned', 'return']).meta({ description: 'The payment was returned, or it returns another one' }),
  uid: Uid.meta({ description: 'The other Transaction' }),
  text: z
    .string()
    .meta({ description: 'For example "returned R01", "returns", or "has not reversed" if the other bank refused it' }),
})
export type PaymentReturn = z.infer<typeof PaymentReturn>

export const TimelineEntry = z.object({
  at: Timestamp,
  seq: z.int().nullable().meta({ description: 'null for a request that changed nothing' }),
  kind: z.enum(['request', 'state', 'money', 'time', 'record']),
  text: z.string(),
  message: MessageBody.nullable().meta({ description: 'The text as data; null for a request' }),
  collection: z.string().nullable(),
  uid: Uid.nullable(),
  cause: Cause.nullable(),
  name: z.string().nullable().meta({ description: 'Name of the record' }),
  name_message: MessageBody.nullable().meta({ description: 'The name as data, if the sandbox composed it' }),
  field: z.string().nullable().meta({ description: 'For a state: the field that changed' }),
  from: z.string().nullable().meta({ description: 'The value before: of a state, the clock or a balance' }),
  to: z.string().nullable().meta({ description: 'The value after' }),
  amount: Money.nullable().meta({ description: 'The amount, with its sign from the view of the Customer' }),
  pending: z.boolean().meta({ description: 'The amount is not settled yet' }),
  balance: Money.nullable().meta({ description: 'Balance of the account afterwards' }),
  payment: z
    .object({
      uid: Uid,
      type: z.string(),
      description: z.string(),
      message: MessageBody,
      payment_return: PaymentReturn.nullable().meta({ description: 'Its return, or the payment that it returns' }),
    })
    .nullable()
    .meta({ description: 'The Transaction that changed the balance' }),
  exchange: Exchange.pick({ uid: true, method: true, path: true, status: true, code: true, did: true })
    .nullable()
    .meta({ description: 'The request, while the request log still has it' }),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** One step of an explanation, which goes from a value back to the request, the operator action or the time that began it. */
export const Reason = z.object({
  collection: z.string(),
  uid: Uid,
  says: z.string(),
  seq: z.int().nullable().meta({ description: 'The commit; null when it is no longer stored' }),
  at: Timestamp.nullable(),
  cause: Cause.nullable(),
  rule: z.string().nullable().meta({ description: 'The rule that was applied' }),
  section: z.string().nullable().meta({ description: 'Section of the specification' }),
  forced_by: z.string().nullable().meta({ description: 'The data that forced the outcome' }),
})
export type Reason = z.infer<typeof Reason>

/** A balance as a statement: its parts and their sum. */
export const BalanceStatement = z.object({
  field: z.string(),
  parts: z.array(
    z.object({
      says: z.string(),
      amount: Money.meta({ description: 'As counted: 0.00 for a part that does not count' }),
      of: z
        .object({ amount: Money, pending: z.boolean(), chain: z.array(Reason) })
        .nullable()
        .meta({ description: 'The payment of this part, with its explanation' }),
      account: z
        .object({ collection: z.string(), uid: Uid })
        .nullable()
        .meta({ description: 'The account of this part' }),
      line_item: z
        .object({ collection: z.string(), uid: Uid, at: Timestamp, transaction_uid: Uid })
        .nullable()
        .meta({ description: 'Of a settled balance: the line item of this part' }),
    }),
  ),
  total: Money,
  rule: z.string(),
  section: z.string().nullable(),
})
export type BalanceStatement = z.infer<typeof BalanceStatement>
