import { z } from 'zod'
import { CalendarDate, Money, Timestamp, Uid } from '../terms/primitives.ts'
import { Cause } from './history.ts'
import { Book, LedgerParty } from './ledger.ts'

/** A time of day at which a rail opens, closes, sends or settles. */
export const RailTimeName = z.enum([
  'ACH cut-off',
  'ACH settlement',
  'same-day ACH cut-off',
  'same-day ACH settlement',
  'wires open',
  'wire cut-off',
  'Fedwire opens',
  'Fedwire closes',
])
export type RailTimeName = z.infer<typeof RailTimeName>

const PassedState = z.object({
  state: z.string(),
  from: Timestamp.nullable().meta({ description: 'null if the commit is no longer stored' }),
  until: Timestamp.nullable().meta({ description: 'null for the current state, or if the commit is no longer stored' }),
  cause: Cause.nullable().meta({ description: 'What led to it' }),
})

const PossibleState = z.object({
  state: z.string(),
  event: z.string().meta({ description: 'The transition of the state machine' }),
  after: z.string().meta({ description: 'The state before it' }),
  at: Timestamp.nullable().meta({ description: 'When it is scheduled; null if only a decision leads to it' }),
  held: z.boolean().meta({ description: 'Its task is held, or failed' }),
})

const Entry = z.object({
  book: Book,
  account: LedgerParty,
  amount: Money,
  line_item_uid: Uid.nullable().meta({ description: 'null for an entry that would post next' }),
})

export const PathPayment = z.object({
  transaction_uid: Uid,
  type: z.string(),
  rail: z.string(),
  amount: Money,
  status: z.string(),
  passed: z.array(PassedState).meta({ description: 'In order; the last one is the current state' }),
  next: z.array(PossibleState).meta({ description: 'The scheduled ones first, in order; then those by a decision' }),
  source: LedgerParty,
  destination: LedgerParty,
  entries: z
    .array(Entry)
    .meta({ description: 'Posted, or to be posted when it settles. Empty if nothing was or will be posted' }),
  posted: z.boolean(),
})
export type PathPayment = z.infer<typeof PathPayment>

/** A payment with its returns: the states of each over time, and its entries in both books. */
export const PaymentPath = z.object({
  payments: z.array(PathPayment).meta({ description: 'The payment first, then its returns' }),
  return_due: z
    .object({
      arrives_at: Timestamp,
      settles_at: Timestamp,
      held: z.boolean().meta({ description: 'Its task is held, or failed' }),
      entries: z.array(Entry).meta({ description: 'That would post when the return settles' }),
    })
    .nullable()
    .meta({ description: 'A return that its data forces, and that has not arrived yet' }),
  now: Timestamp,
  from: Timestamp,
  until: Timestamp.meta({ description: 'The last passed or scheduled instant' }),
  days: z
    .array(
      z.object({
        date: CalendarDate,
        start: Timestamp,
        end: Timestamp,
        banking: z.boolean(),
        holiday: z.string().nullable(),
      }),
    )
    .meta({ description: 'The days in New York from the first to the last instant; of very many, the first 100' }),
  times: z
    .array(z.object({ at: Timestamp, name: RailTimeName }))
    .meta({ description: 'Cut-offs and settlements of the rail on these days. None at the pace fast' }),
})
export type PaymentPath = z.infer<typeof PaymentPath>
