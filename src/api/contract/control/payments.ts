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

export const PathState = z.object({
  state: z.string(),
  kind: z.enum(['passed', 'current', 'scheduled', 'possible']),
  from: Timestamp.nullable().meta({
    description: 'null if the commit is no longer stored, if its task is held, or if only a decision leads to it',
  }),
  until: Timestamp.nullable().meta({ description: 'When it ended, or is scheduled to end' }),
  event: z.string().nullable().meta({ description: 'Of a coming state: the transition of the state machine' }),
  after: z.string().nullable().meta({ description: 'Of a coming state: the state before it' }),
  held: z.boolean().meta({ description: 'Its task is held, or failed' }),
  cause: Cause.nullable().meta({ description: 'What led to it' }),
})
export type PathState = z.infer<typeof PathState>

export const Entry = z.object({
  book: Book,
  account: LedgerParty,
  amount: Money,
  line_item_uid: Uid.nullable().meta({ description: 'null for an entry that would post next' }),
})

export const PathPayment = z.object({
  transaction_uid: Uid.nullable().meta({
    description: 'null for a return that its data forces, and that has not arrived yet',
  }),
  type: z.string(),
  amount: Money,
  states: z.array(PathState).meta({
    description: 'In order: those that it passed, the current one, the scheduled ones, those by a decision',
  }),
  entries: z
    .array(Entry)
    .meta({ description: 'Posted, or to be posted when it settles. Empty if nothing was or will be posted' }),
  posted: z.boolean(),
})
export type PathPayment = z.infer<typeof PathPayment>

/** A payment with its returns: the states of each over time, and its entries in both books. */
export const PaymentPath = z.object({
  payments: z.array(PathPayment).meta({ description: 'The payment first, then its returns' }),
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
