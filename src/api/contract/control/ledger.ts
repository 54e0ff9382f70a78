import { z } from 'zod'
import { CalendarDate, Money, Timestamp, Uid } from '../terms/primitives.ts'

export const LedgerCheck = z.object({
  balanced: z.boolean(),
  checked: z.record(z.string(), z.int()).meta({ description: 'How many of each were checked' }),
  problems: z.array(z.string()),
})
export type LedgerCheck = z.infer<typeof LedgerCheck>

export const Book = z.enum(['synthetic', 'custodial'])
export type Book = z.infer<typeof Book>

export const LedgerAccount = z.object({
  book: Book,
  uid: Uid,
  name: z.string(),
  program_uid: Uid,
  customer_uid: Uid,
  customer_name: z.string(),
  pool_uid: Uid,
  kind: z.string().meta({ description: 'Category of a Synthetic Account, type of a Custodial Account' }),
  status: z.string().nullable().meta({ description: 'The current status; null for the cash accounts' }),
  master: z.boolean().meta({ description: 'The master account of its Pool' }),
  account_number_last_four: z.string().nullable(),
  liability: z.boolean(),
  balance: Money.meta({ description: 'The sum of its lines' }),
  pending: Money.nullable(),
  available: Money.nullable(),
  lines: z.int(),
})
export type LedgerAccount = z.infer<typeof LedgerAccount>

/** One side of a posting. */
export const LedgerParty = z.object({
  uid: Uid.meta({ description: 'An account of the same book' }),
  name: z.string(),
  outside: z.boolean().meta({ description: 'A party without an account here; uid is the asset account' }),
})
export type LedgerParty = z.infer<typeof LedgerParty>

const posting = {
  transaction_uid: Uid,
  type: z.string().meta({ description: 'Type of the Transaction', examples: ['book_transfer'] }),
  source: LedgerParty,
  destination: LedgerParty,
  purpose: z.string().meta({ description: 'The description of the Transaction' }),
}

export const LedgerLine = z.object({
  book: Book,
  uid: Uid,
  account_uid: Uid,
  account_name: z.string(),
  ...posting,
  amount: Money,
  running: Money,
  description: z.string(),
  at: Timestamp,
})
export type LedgerLine = z.infer<typeof LedgerLine>

const NO_BALANCE = 'null for an account that shows no balance'

/** A balance is valid from its instant until the next one. */
export const BalanceStep = z.object({
  at: Timestamp,
  settled: Money,
  pending: Money.nullable().meta({ description: NO_BALANCE }),
  available: Money.nullable().meta({ description: NO_BALANCE }),
})
export type BalanceStep = z.infer<typeof BalanceStep>

/** A pending payment, from the view of one account. */
export const PendingEntry = z.object({
  ...posting,
  status: z.string().nullable().meta({ description: 'null for an earlier instant' }),
  created_at: Timestamp,
  amount: Money.meta({ description: 'Signed: the change of the balance when it settles' }),
  due_at: Timestamp.nullable().meta({
    description: 'When it settles; null while it waits for a decision or is held',
  }),
  settles: Money.meta({ description: 'By how much it will change the balance: 0.00 if it fails or expires' }),
})
export type PendingEntry = z.infer<typeof PendingEntry>

export const Balances = z.object({
  account_uid: Uid,
  book: Book,
  from: Timestamp,
  at: Timestamp,
  steps: z
    .array(BalanceStep)
    .meta({ description: 'In order; the first one is at `from`, each is valid until the next one' }),
  total_count: z
    .int()
    .meta({ description: 'Number of steps in all; of very many, only those that shape a chart are returned' }),
  pending: z.array(PendingEntry).meta({ description: 'Newest first' }),
  scheduled: z
    .array(BalanceStep)
    .meta({ description: 'The future balance, if every pending payment ends as scheduled' }),
})
export type Balances = z.infer<typeof Balances>

/** The sum of the balances (synthetic) and the money that backs them (custodial), over all Pools. */
export const Close = z.object({
  at: Timestamp,
  day: CalendarDate.nullable().meta({ description: 'The business day that closed; null for the requested instant' }),
  synthetic: Money.meta({ description: 'Sum of the accounts that show a balance' }),
  custodial: Money.meta({ description: 'Sum of the dda accounts' }),
  difference: Money.meta({ description: 'Synthetic minus custodial' }),
  pools_apart: z.int().meta({ description: 'Number of Pools whose books differ; their differences may cancel out' }),
})
export type Close = z.infer<typeof Close>

export const BookDifference = z.object({
  transaction_uid: Uid,
  pool_uid: Uid,
  at: Timestamp,
  synthetic: Money,
  custodial: Money,
  difference: Money,
})
export type BookDifference = z.infer<typeof BookDifference>

export const TrialBalance = z.object({
  book: Book,
  accounts: z.int(),
  lines: z.int(),
  credits: Money,
  debits: Money,
  total: Money.meta({ description: 'Must be 0.00' }),
})
export type TrialBalance = z.infer<typeof TrialBalance>
