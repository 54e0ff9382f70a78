import { z } from 'zod'
import { Task } from '../resources/tasks.ts'
import { Money, Timestamp, Uid } from '../terms/primitives.ts'

/** What has changed in a world, as people say it: balances, records, events, tasks. */

const beforeAndAfter = <T extends z.ZodType>(of: T) => z.object({ before: of, after: of })
export const AmountBeforeAndAfter = beforeAndAfter(Money).extend({ difference: Money })
export const StatusBeforeAndAfter = beforeAndAfter(z.string().nullable())
export const TimeBeforeAndAfter = beforeAndAfter(Timestamp)
/** `field` is a path, such as details.phone. */
export const ChangedField = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

export const ChangedRecord = z.object({
  collection: z.string(),
  uid: Uid,
  name: z.string(),
  amount: Money.nullable(),
  status: StatusBeforeAndAfter,
  what: z.enum(['created', 'changed', 'removed']),
  fields: z
    .array(ChangedField)
    .meta({ description: 'Those that differ; empty for a record that was created or removed' }),
})

export const ChangedBalances = z.object({
  synthetic_account_uid: Uid,
  name: z.string(),
  customer: z.string().meta({ description: 'The name of its Customer' }),
  settled: AmountBeforeAndAfter,
  available: AmountBeforeAndAfter,
  pending: AmountBeforeAndAfter,
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

export const WorldChanges = z.object({
  since: z.int().meta({ description: 'The commit with which the world is compared' }),
  seq: z.int().meta({ description: 'The newest commit' }),
  clock: TimeBeforeAndAfter,
  balances: z.array(ChangedBalances),
  records: z.array(ChangedRecord).meta({ description: 'Those that people name: Customers, payments, …' }),
  events: z.array(NewEvent),
  tasks: z.array(Task).meta({ description: 'Scheduled since, and not run yet' }),
  total_count: z.object({ balances: z.int(), records: z.int(), events: z.int(), tasks: z.int() }).meta({
    description: `At most ${MAX_SHOWN} of each are shown`,
  }),
})
export type WorldChanges = z.infer<typeof WorldChanges>
