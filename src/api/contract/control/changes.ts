import { z } from 'zod'
import { Task } from '../resources/tasks.ts'
import { Money, Timestamp, Uid } from '../terms/primitives.ts'

/** What differs between two worlds, or in a world before and after, as people say it: sentences, balances, records, events, tasks. */

const beforeAndAfter = <T extends z.ZodType>(of: T) => z.object({ before: of, after: of })
export const AmountBeforeAndAfter = beforeAndAfter(Money)
export const ChangedAmount = AmountBeforeAndAfter.extend({ change: Money })
export const StatusBeforeAndAfter = beforeAndAfter(z.string().nullable())
export const TimeBeforeAndAfter = beforeAndAfter(Timestamp)
/** `field` is a path, such as details.phone. */
export const ChangedField = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

const MatchedUid = Uid.nullable().meta({
  description:
    'Its uid in the first world, if it has another one there: it is matched by what it is, such as a payment by its kind, amount, parties and order',
})

export const ChangedRecord = z.object({
  collection: z.string(),
  uid: Uid,
  matched_uid: MatchedUid,
  name: z.string(),
  amount: Money.nullable(),
  status: StatusBeforeAndAfter,
  what: z.enum(['created', 'changed', 'removed']),
  fields: z
    .array(ChangedField)
    .meta({ description: 'Those that differ; empty for a record that was created or removed' }),
  folded: z.array(ChangedField).meta({ description: 'Uids and counters that differ for the same thing' }),
})

export const ChangedBalances = z.object({
  synthetic_account_uid: Uid,
  matched_uid: MatchedUid,
  name: z.string(),
  customer: z.string().meta({ description: 'The name of its Customer' }),
  settled: ChangedAmount,
  available: ChangedAmount,
  pending: ChangedAmount,
})

export const NewEvent = z.object({
  uid: Uid,
  topic: z.string(),
  event_type: z.string(),
  record_uid: Uid.nullable(),
  sent_to: z.array(z.string()).meta({
    description: 'The addresses of the webhooks that get it; one that is paused gets it once it is active again',
  }),
})

/** How many of each are shown. */
export const MAX_SHOWN = 200

export const Sentence = z.object({ says: z.string(), collection: z.string(), uid: Uid })

const parts = {
  clock: TimeBeforeAndAfter,
  sentences: z.array(Sentence).meta({
    description: 'What differs, in words: each balance with the payments that explain it, then the other records',
  }),
  balances: z.array(ChangedBalances),
  records: z.array(ChangedRecord).meta({ description: 'Those that people name: Customers, payments, …' }),
}
const counts = { sentences: z.int(), balances: z.int(), records: z.int() }
const countsOf = <T extends z.ZodRawShape>(of: T) =>
  z.object(of).meta({ description: `At most ${MAX_SHOWN} of each are shown` })

export const WorldChanges = z.object({
  since: z.int().meta({ description: 'The commit with which the world is compared' }),
  seq: z.int().meta({ description: 'The newest commit' }),
  ...parts,
  events: z.array(NewEvent),
  tasks: z.array(Task).meta({ description: 'Scheduled since, and not run yet' }),
  total_count: countsOf({ ...counts, events: z.int(), tasks: z.int() }),
})
export type WorldChanges = z.infer<typeof WorldChanges>

/** `before` is the first world, `after` the second one. */
export const WorldComparison = z.object({
  ...parts,
  others: z
    .array(ChangedRecord)
    .meta({ description: 'Bookkeeping, and records that differ in uids and counters only' }),
  total_count: countsOf({ ...counts, others: z.int() }),
})
export type WorldComparison = z.infer<typeof WorldComparison>
