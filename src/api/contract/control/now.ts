import { z } from 'zod'
import { Task } from '../resources/tasks.ts'
import { CalendarDate, Money, Timestamp, Uid } from '../terms/primitives.ts'
import { Collection } from './collection.ts'
import { Exchange } from './exchanges.ts'
import { LegalMove } from './records.ts'

/** What the first screen shows: what waits for the operator, the money, and what the latest requests did. */

export const NowPart = z.enum(['needs', 'money', 'flow'])

export const Decision = z.object({
  collection: Collection,
  uid: Uid,
  name: z.string().meta({ description: 'Of a payment, its other party; else the name of the record' }),
  customer_uid: Uid,
  customer_name: z.string(),
  status: z.string(),
  amount: Money.nullable().meta({ description: 'Negative if it leaves the account' }),
  since: Timestamp,
  closes_at: Timestamp.nullable().meta({ description: 'The end of the window in which the Client can decide' }),
  unanswered: z.enum(['approve', 'deny']).nullable().meta({ description: 'What the end of the window does' }),
  moves: z
    .array(LegalMove)
    .meta({ description: 'The decisions that end the wait and are possible now, for moves.make' }),
})

export const FailingWebhook = z.object({
  uid: Uid,
  url: z.string().nullable(),
  failed: z.int().meta({ description: 'Events that are not sent again' }),
  waiting: z.int().meta({ description: 'Events whose next attempt is to come' }),
  event_uid: Uid.meta({ description: 'The newest of these events' }),
  answer: z.string().meta({ description: 'What came of its latest attempt' }),
  next_attempt_at: Timestamp.nullable(),
})

export const RefusalGroup = z.object({
  code: z.int().nullable(),
  status: z.int(),
  endpoint: z.string().nullable().meta({ description: 'null when no route matched' }),
  request: z.string().meta({ description: 'Method and path', examples: ['GET /customers'] }),
  requests: z.int(),
  newest: Uid.meta({ description: 'Of the request log' }),
  at: Timestamp,
  did: z.string().meta({ description: 'Why the newest one was refused' }),
  fix: z.string().nullable(),
})

export const Needs = z.object({
  decisions: z.array(Decision).meta({ description: 'Those whose window ends first, then reviews, the oldest first' }),
  decisions_total: z.int(),
  webhooks: z.array(FailingWebhook).meta({ description: 'Whose receivers did not accept an event' }),
  tasks: z.array(Task).meta({ description: 'Held and failed ones' }),
  tasks_total: z.int(),
  refusals: z.array(RefusalGroup).meta({
    description:
      'Of requests of an app, by code and endpoint, the newest first, unless its endpoint has accepted one since',
  }),
  refusals_total: z.int(),
})
export type Needs = z.infer<typeof Needs>

export const MoneyOfCustomer = z.object({
  uid: Uid,
  name: z.string(),
  status: z.string(),
  balance: Money.meta({ description: 'As total_balance of the Customer' }),
  days: z.array(Money).meta({ description: 'Its balance at the end of each day' }),
  arriving: Money.meta({ description: 'Of its payments that have not ended' }),
  leaving: Money,
})

export const MoneyOfRail = z.object({
  rail: z.string(),
  in: z.array(Money),
  out: z.array(Money),
  total_in: Money,
  total_out: Money,
})

export const MoneyNow = z.object({
  days: z.array(CalendarDate).meta({ description: 'In New York, up to today' }),
  customers: z.array(MoneyOfCustomer).meta({ description: 'Those with the newest payments first' }),
  customers_total: z.int(),
  rails: z.array(MoneyOfRail).meta({ description: 'What settled on each day' }),
})
export type MoneyNow = z.infer<typeof MoneyNow>

export const Flow = z.object({
  exchange: Exchange,
  records: z
    .array(z.object({ collection: Collection, uid: Uid, says: z.string() }))
    .meta({ description: 'At most three of the records that it changed, as they are now' }),
  tasks: z.int().meta({ description: 'How many it scheduled' }),
  deliveries: z.int().meta({ description: 'How many webhooks it sent' }),
})
export type Flow = z.infer<typeof Flow>

export const Now = z.object({
  needs: Needs.nullable(),
  money: MoneyNow.nullable(),
  flow: z.array(Flow).nullable().meta({ description: 'The newest request first' }),
})
export type Now = z.infer<typeof Now>
