import { z } from 'zod'
import { type ErrorBody, ErrorBody as ErrorBodySchema } from './error-body.ts'
import { MessageBody } from './messages.ts'
import { CreateCustomer } from './resources/customers.ts'
import { HmacKey, ProgramChanges, ProgramInFull } from './resources/programs.ts'
import { Task } from './resources/tasks.ts'
import { ScenarioResult, StepKind } from './scenario-results.ts'
import { envelope } from './terms/list.ts'
import { CalendarDate, Money, Timestamp, Uid } from './terms/primitives.ts'

/**
 * The operator's door, said once: methods with input and output, and the notices that are pushed. The window, the
 * command line and other people's test suites speak it over Electron IPC or over HTTP; `client()` is the same for both.
 */

interface Method {
  readonly summary: string
  /** It does something to the world or to requests: it is part of the record, and is done again in a replay. */
  readonly acts?: true
  readonly input: z.ZodType
  readonly output: z.ZodType
}
const method = <const M extends Method>(declared: M): M => declared

export const ClockMode = z.enum(['running', 'frozen'])
export const Pace = z.enum(['fast', 'real'])

/** Freezes the clock when a record of the collection first comes to this status. */
export const BreakOn = z.strictObject({
  collection: z.string().meta({ examples: ['transactions'] }),
  status: z.string().meta({ examples: ['authorization_pending'] }),
  uid: Uid.optional().meta({ description: 'This record alone' }),
})
export type BreakOn = z.infer<typeof BreakOn>

export const Clock = z.object({
  now: Timestamp,
  mode: ClockMode,
  pace: Pace,
  break_on: BreakOn.nullable(),
  next: z
    .object({ at: Timestamp, what: z.string(), message: MessageBody })
    .nullable()
    .meta({ description: 'Recurring tasks are left out' }),
  due: z.int().meta({ description: 'Tasks that wait, without the recurring ones' }),
})
export type Clock = z.infer<typeof Clock>

export const AdvanceInput = z.union(
  [
    z.strictObject({ by: z.string().meta({ description: 'ISO 8601 duration', examples: ['PT24H'] }) }),
    z.strictObject({
      to: z.string().meta({ description: 'ISO 8601 instant', examples: ['2026-11-23T14:30:00.000Z'] }),
    }),
    z.strictObject({ business_days: z.int().min(1).max(2600) }),
    z.strictObject({ until: z.enum(['next', 'idle']) }),
  ],
  { error: 'exactly one of by, to, business_days and until is expected' },
)
export type AdvanceInput = z.infer<typeof AdvanceInput>

export const FiredTask = z.object({
  at: Timestamp,
  task: z.string(),
  record: Uid.nullable(),
  outcome: z.string(),
  message: MessageBody,
})
export type FiredTask = z.infer<typeof FiredTask>

export const Advance = z.object({
  from: Timestamp,
  to: Timestamp,
  ran: z.int(),
  fired: z.array(FiredTask),
})
export type Advance = z.infer<typeof Advance>

export const Hint = z.object({ at: z.string(), text: z.string() })
export type Hint = z.infer<typeof Hint>

/** The checks a request passes, in their order; a refusal names the one that refused. */
export const Stage = z.enum(['route', 'token', 'allowlist', 'trace id', 'body', 'schema', 'rules'])
export type Stage = z.infer<typeof Stage>

export const Exchange = z.object({
  uid: Uid,
  at: Timestamp.meta({ description: 'Simulated time' }),
  program_uid: Uid.nullable(),
  caller: z.string(),
  endpoint: z.string().nullable().meta({ description: 'Name of the endpoint; null when no route matched' }),
  method: z.string(),
  path: z.string().meta({ description: 'With the query' }),
  trace_id: z.string().nullable(),
  status: z.int(),
  code: z.int().nullable(),
  ms: z.number(),
  did: z.string().meta({ description: 'What it did, or why it was refused, in a line' }),
  hints: z.int(),
  fault: z.string().optional().meta({ description: 'The misfortune that it met with' }),
  seq_before: z.int(),
  seq_after: z.int(),
})
export type Exchange = z.infer<typeof Exchange>

const Headers = z.array(z.tuple([z.string(), z.string()]))

export const ExchangeDetail = Exchange.extend({
  request: z.object({ headers: Headers, body: z.string() }),
  response: z.object({ headers: Headers, body: z.string() }),
  hinted: z.array(Hint),
  refusal: z
    .object({
      stage: Stage,
      key: z.string(),
      code: z.int(),
      title: z.string(),
      detail: z.string(),
      extra: z.string().nullable(),
      cause: z.string().nullable().meta({ description: 'What the caller is not told' }),
      pass: z.string().nullable(),
      section: z.string().nullable(),
    })
    .nullable(),
})
export type ExchangeDetail = z.infer<typeof ExchangeDetail>

export const ReplayDifference = z.object({
  at: z.string().meta({ description: 'Status, a header, or a path into the body', examples: ['data[0].status'] }),
  recorded: z.unknown(),
  replayed: z.unknown(),
})
export type ReplayDifference = z.infer<typeof ReplayDifference>

const ReplayAnswer = z.object({ status: z.int(), body: z.unknown() })

export const ReplayedExchange = z.object({
  index: z.int(),
  method: z.string(),
  path: z.string(),
  verdict: z.enum(['same', 'differs', 'refused', 'unrecorded']).meta({
    description: 'refused: the record says it was done, and now it is refused. unrecorded: nothing to compare with',
  }),
  recorded: ReplayAnswer.nullable(),
  replayed: ReplayAnswer,
  differences: z.array(ReplayDifference),
})
export type ReplayedExchange = z.infer<typeof ReplayedExchange>

export const ReplayResult = z.object({
  same: z.int(),
  differs: z.int(),
  refused: z.int(),
  unrecorded: z.int(),
  left: z.int().meta({ description: 'Steps of the record that were not taken, as it was stopped' }),
  exchanges: z.array(ReplayedExchange),
})
export type ReplayResult = z.infer<typeof ReplayResult>

const Unusable = z.object({ at: z.string(), why: z.string() })

/** Where a replay goes. */
export const ReplayInto = z.union(
  [
    z.literal('then').meta({ description: 'A copy of the world as it was when the record begins' }),
    z.literal('present').meta({ description: 'The present world, which goes on from there' }),
    z.strictObject({ snapshot: z.string() }),
    z.strictObject({ fresh: z.enum(['demo', 'empty']) }).meta({ description: 'Of the same seed and start' }),
  ],
  { error: 'then, present, {snapshot} or {fresh: demo or empty} is expected' },
)
export type ReplayInto = z.infer<typeof ReplayInto>

export const ReplayInput = z
  .strictObject({
    uids: z.array(Uid).min(1).max(10_000).optional().meta({ description: 'Exchanges, sent again in recorded order' }),
    since: z.int().min(0).optional().meta({ description: 'Everything since this commit, moves of the operator too' }),
    text: z.string().optional().meta({ description: 'A HAR file, curl lines, or a bundle' }),
    into: ReplayInto.optional().meta({ description: 'Default: then; for a HAR file and curl lines: present' }),
    gaps: z
      .boolean()
      .optional()
      .meta({ description: 'Simulated time moves on as it did. Default: unless the present world is replayed into' }),
    keep: z
      .lazy(() => SnapshotName)
      .optional()
      .meta({ description: 'Keep the world that comes of it under a name' }),
  })
  .refine(({ uids, since, text }) => [uids, since, text].filter((given) => given !== undefined).length === 1, {
    error: 'exactly one of uids, since and text is expected',
  })

export const LegalMove = z.object({
  move: z.string(),
  to: z.string(),
  legal: z.boolean(),
  why_not: z.string().nullable(),
  inputs: z.array(
    z.object({ name: z.string(), required: z.boolean(), values: z.array(z.string()).readonly().optional() }),
  ),
})
export type LegalMove = z.infer<typeof LegalMove>

export const LedgerCheck = z.object({
  balanced: z.boolean(),
  checked: z.record(z.string(), z.int()).meta({ description: 'How many of each were looked at' }),
  problems: z.array(z.string()),
})
export type LedgerCheck = z.infer<typeof LedgerCheck>

const FieldChange = z.object({
  field: z.string().meta({ description: 'A path, as in details.phone' }),
  from: z.unknown(),
  to: z.unknown(),
})

/** A commit as one record saw it. */
export const RecordCommit = z.object({
  seq: z.int(),
  at: Timestamp,
  cause: z.lazy(() => Cause),
  what: z.enum(['made', 'changed', 'removed']),
  fields: z.array(FieldChange),
})
export type RecordCommit = z.infer<typeof RecordCommit>

/** A commit as one of many. */
export const CommitSummary = z.object({
  seq: z.int(),
  at: Timestamp.meta({ description: 'Simulated time' }),
  cause: z.lazy(() => Cause),
  records: z.record(z.string(), z.int()).meta({ description: 'How many of each collection it changed' }),
  about: z
    .array(z.object({ collection: z.string(), uid: Uid, says: z.string() }))
    .meta({ description: 'At most three of them, as they were after it' }),
  moved: z.object({ from: Timestamp, to: Timestamp }).nullable().meta({ description: 'The operator moved time' }),
  goes_on_from: z.int().nullable().meta({
    description: 'Of a rewind, a restore and a reset: the commit that the world goes on from; 0 for a fresh one',
  }),
  left: z.boolean().meta({ description: 'A later one has gone back past it: it is kept, and not of the present line' }),
})
export type CommitSummary = z.infer<typeof CommitSummary>

export const TimelineEntry = z.object({
  at: Timestamp,
  seq: z.int().nullable().meta({ description: 'null for a request that changed nothing' }),
  kind: z.enum(['request', 'state', 'money', 'time', 'record']),
  text: z.string(),
  message: MessageBody.nullable().meta({ description: 'The text as data; null for a request' }),
  collection: z.string().nullable(),
  uid: Uid.nullable(),
  cause: z.lazy(() => Cause).nullable(),
  name: z.string().nullable().meta({ description: 'What the record is called' }),
  name_message: MessageBody.nullable().meta({ description: 'The name as data, where the sandbox has composed it' }),
  field: z.string().nullable().meta({ description: 'Of a state: which field came from what to what' }),
  from: z.string().nullable().meta({ description: 'Of a state, of the clock, of a balance' }),
  to: z.string().nullable(),
  amount: Money.nullable().meta({ description: 'What moved, with its sign as the Customer sees it' }),
  pending: z.boolean().meta({ description: 'The amount is still on its way' }),
  balance: Money.nullable().meta({ description: 'Of the account, after it' }),
  payment: z
    .object({ uid: Uid, type: z.string(), description: z.string(), message: MessageBody })
    .nullable()
    .meta({ description: 'The Transaction that moved a balance' }),
  exchange: z
    .lazy(() => Exchange.pick({ uid: true, method: true, path: true, status: true, code: true, did: true }))
    .nullable()
    .meta({ description: 'Of a request, while the log keeps it' }),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** One link of the chain from what is seen back to what made it so. */
export const Reason = z.object({
  collection: z.string(),
  uid: Uid,
  says: z.string(),
  seq: z.int().nullable().meta({ description: 'The commit; null when it is not kept any more' }),
  at: Timestamp.nullable(),
  cause: z.lazy(() => Cause).nullable(),
  rule: z.string().nullable().meta({ description: 'The rule that acted' }),
  section: z.string().nullable().meta({ description: 'Of the specification' }),
})
export type Reason = z.infer<typeof Reason>

/** A balance as a statement: parts under each other, and what they come to. */
export const BalanceStatement = z.object({
  field: z.string(),
  parts: z.array(
    z.object({
      says: z.string(),
      amount: Money.meta({ description: 'As it counts: 0.00 for what does not' }),
      of: z
        .object({ amount: Money, pending: z.boolean(), chain: z.array(Reason) })
        .nullable()
        .meta({ description: 'The payment behind the part, back to what made it so' }),
      account: z
        .object({ collection: z.string(), uid: Uid })
        .nullable()
        .meta({ description: 'The account behind the part' }),
    }),
  ),
  total: Money,
  rule: z.string(),
  section: z.string().nullable(),
})
export type BalanceStatement = z.infer<typeof BalanceStatement>

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
  kind: z.string().meta({ description: 'The category of a Synthetic Account, the type of a Custodial one' }),
  status: z.string().nullable().meta({ description: 'Of the present; null for the cash accounts' }),
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
  uid: Uid.meta({ description: 'Of an account of the same book' }),
  name: z.string(),
  outside: z.boolean().meta({ description: 'Somebody who has no account here; the uid is that of the asset account' }),
})
export type LedgerParty = z.infer<typeof LedgerParty>

const posting = {
  transaction_uid: Uid,
  type: z.string().meta({ description: 'Of the Transaction', examples: ['book_transfer'] }),
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

const NoBalance = 'null for an account that shows no balance of its own'

/** A balance holds from its instant until the next one. */
export const BalanceStep = z.object({
  at: Timestamp,
  settled: Money,
  pending: Money.nullable().meta({ description: NoBalance }),
  available: Money.nullable().meta({ description: NoBalance }),
})
export type BalanceStep = z.infer<typeof BalanceStep>

/** A payment on its way, as one account sees it. */
export const PendingEntry = z.object({
  ...posting,
  status: z.string().nullable().meta({ description: 'null as of an earlier instant' }),
  created_at: Timestamp,
  amount: Money.meta({ description: 'Signed: what it will move on the account' }),
  due_at: Timestamp.nullable().meta({
    description: 'When it is through; null while it waits for a decision or is held',
  }),
  fails: z.boolean().meta({ description: 'Its data has asked for failure: it will move nothing' }),
})
export type PendingEntry = z.infer<typeof PendingEntry>

export const Balances = z.object({
  account_uid: Uid,
  book: Book,
  from: Timestamp,
  at: Timestamp,
  steps: z.array(BalanceStep).meta({ description: 'In order; the first stands at `from`, each holds until the next' }),
  total_count: z.int().meta({ description: 'Steps there are; of very many, those are answered that shape a drawing' }),
  pending: z.array(PendingEntry).meta({ description: 'The newest first' }),
  scheduled: z.array(BalanceStep).meta({ description: 'What becomes of it when what is pending ends as it is due' }),
})
export type Balances = z.infer<typeof Balances>

/** What is owned against where it lies, in every Pool. */
export const Close = z.object({
  at: Timestamp,
  day: CalendarDate.nullable().meta({ description: 'The business day that closed; null for the instant asked about' }),
  synthetic: Money.meta({ description: 'Of the accounts that show a balance' }),
  custodial: Money.meta({ description: 'Of the dda' }),
  difference: Money.meta({ description: 'Synthetic less custodial' }),
  pools_apart: z.int().meta({ description: 'Pools whose books differ; differences of several may cancel out' }),
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

export const SnapshotName = z
  .string()
  .regex(/^[\w][\w .-]{0,63}$/, { error: 'a name is 1 to 64 letters, digits, blanks, dots and dashes' })

export const Snapshot = z.object({
  name: z.string(),
  at: Timestamp.optional().meta({ description: 'Simulated time' }),
  seq: z.int().optional(),
  records: z.int().optional(),
  trouble: z.string().optional().meta({ description: 'Why its file cannot be read; the rest is then left out' }),
})
export type Snapshot = z.infer<typeof Snapshot>

export const RestoreResult = z.object({
  seq: z.int().meta({ description: 'The commit that did it; rewinding to the one before undoes it' }),
  now: Timestamp,
  changed: z.int().meta({ description: 'Records that are others now' }),
})
export type RestoreResult = z.infer<typeof RestoreResult>

export const RecordDifference = z.object({
  collection: z.string(),
  uid: Uid,
  what: z.enum(['only in a', 'only in b', 'differs']),
  fields: z.array(z.object({ field: z.string(), a: z.unknown(), b: z.unknown() })),
})
export type RecordDifference = z.infer<typeof RecordDifference>

export const FaultKind = z.enum([
  'latency',
  'status',
  'drop_before_commit',
  'drop_after_commit',
  'rate_limit',
  'slow_body',
])
export type FaultKind = z.infer<typeof FaultKind>

/** Misfortune for requests: which ones, what kind, how often. */
export const Fault = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional().meta({ description: 'Left out: any' }),
  path: z
    .string()
    .optional()
    .meta({
      description: 'As in the specification; `*` matches the rest. Left out: any',
      examples: ['/customers/{uid}'],
    }),
  kind: FaultKind,
  times: z.int().min(1).optional().meta({ description: 'It ends after so many requests. Left out: never' }),
  until: Timestamp.optional().meta({ description: 'It ends at this simulated time' }),
  rate: z.number().min(0).max(1).optional().meta({ description: 'Of the requests that match, by the seed. Default 1' }),
  ms: z.int().min(0).max(60_000).optional().meta({ description: 'Latency, and pauses of a slow body. Default 1000' }),
  jitter_ms: z.int().min(0).max(60_000).optional().meta({ description: 'At most so much more latency' }),
  status: z.int().min(400).max(599).optional().meta({ description: 'Of kind status. Default 500' }),
  body: z.unknown().optional().meta({ description: 'Of kind status, instead of the error body' }),
  per_minute: z.int().min(1).optional().meta({ description: 'Of kind rate_limit: so many pass. Default 60' }),
})
export type Fault = z.infer<typeof Fault>

export const Faults = z.object({
  faults: z.array(Fault.extend({ met: z.int().meta({ description: 'Requests that met with it so far' }) })),
})
export type Faults = z.infer<typeof Faults>

export const ScenarioName = z
  .string()
  .regex(/^\w[\w.-]{0,99}$/, { error: 'a name is 1 to 100 letters, digits, dots and dashes' })

export const ScenarioInfo = z.object({
  name: z.string().meta({ description: 'Of its file, without the ending' }),
  title: z.string(),
  teaches: z.string().nullable(),
  own: z.boolean().meta({ description: 'Not of the library' }),
  examples: z.array(z.string()).meta({ description: 'The rows of its table' }),
  steps: z.int(),
  trouble: z.string().nullable().meta({ description: 'Why it cannot be run, with line and column' }),
})
export type ScenarioInfo = z.infer<typeof ScenarioInfo>

/** Where a scenario happens: in a world of its own that is gone afterwards, or before the operator's eyes. */
export const ScenarioInto = z.enum(['scratch', 'present'])
export type ScenarioInto = z.infer<typeof ScenarioInto>

export const ScenarioRun = z.object({
  name: z.string().nullable().meta({ description: 'null when its text was given' }),
  title: z.string(),
  example: z.int(),
  into: ScenarioInto,
  state: z.enum(['running', 'paused', 'passed', 'failed']),
  at: z.int().meta({ description: 'The step that comes next, from 0' }),
  steps: z.array(z.object({ kind: StepKind, title: z.string(), scenario: z.string(), line: z.int() })),
  began_at: z
    .int()
    .nullable()
    .meta({ description: 'The commit before it, for undoing it; null of a world of its own' }),
  result: ScenarioResult,
})
export type ScenarioRun = z.infer<typeof ScenarioRun>

const begun = {
  name: ScenarioName.optional(),
  text: z.string().optional(),
  example: z.int().min(0).optional().meta({ description: 'The row of its table, from 0. Default: the first' }),
  into: ScenarioInto.optional().meta({ description: 'Default: scratch' }),
}
const isOneScenario = ({ name, text }: { name?: string | undefined; text?: string | undefined }) =>
  name === undefined || text === undefined
const NOT_ONE = { error: 'name or text is expected, not both' }

/** A record in a line: its name, and where it stands. */
const whatItIs = {
  name: z.string(),
  status: z.string().nullable(),
  amount: Money.nullable(),
}
/** At a close of day this is what the close saw: what happens at its very instant belongs to the next day. */
const AsOf = Timestamp.optional().meta({ description: 'As it stood just before this instant. Left out: now' })

const Record = z.record(z.string(), z.unknown())
const nothing = z.strictObject({})

export const methods = {
  'clock.read': method({ summary: 'What time it is', input: nothing, output: Clock }),
  'clock.set': method({
    acts: true,
    summary: 'Freeze the clock or let it run; choose the pace of payments; stop it when something happens',
    input: z.strictObject({
      mode: ClockMode.optional(),
      pace: Pace.optional(),
      break_on: BreakOn.nullable().optional().meta({ description: 'null takes it back' }),
    }),
    output: Clock,
  }),
  'clock.advance': method({
    acts: true,
    summary: 'Move time on; answers when everything due has happened',
    input: AdvanceInput,
    output: Advance,
  }),
  'clock.cancel': method({
    summary: 'Stop a running advance between two tasks',
    input: nothing,
    output: z.object({ canceled: z.boolean() }),
  }),
  'calendar.read': method({
    summary: "The Federal Reserve's holidays among these days",
    input: z.strictObject({ from: CalendarDate, days: z.int().min(1).max(400) }),
    output: z.object({ holidays: z.array(z.object({ date: CalendarDate, name: z.string() })) }),
  }),
  'tasks.list': method({
    summary: 'What is due, when, for which record and why',
    input: nothing,
    output: z.object({ tasks: z.array(Task) }),
  }),
  'tasks.run': method({
    acts: true,
    summary: 'Run one task now, whenever it is due, and also one that has failed',
    input: z.strictObject({ uid: Uid }),
    output: FiredTask,
  }),
  'tasks.hold': method({
    acts: true,
    summary: 'Hold one task back: it does not run when it falls due',
    input: z.strictObject({ uid: Uid }),
    output: Task,
  }),
  'tasks.release': method({
    acts: true,
    summary: 'Let a task that was held back go: it runs when it is due, at once if that is past',
    input: z.strictObject({ uid: Uid }),
    output: Task,
  }),
  'records.list': method({
    summary: 'Any collection, with the filters, sorts and pages of its API list',
    input: z.looseObject({
      collection: z.string(),
      program_uid: Uid.optional(),
      limit: z.int().optional(),
      offset: z.int().optional(),
      uids: z.array(Uid).max(1000).optional().meta({ description: 'Only these; whoever is not there is left out' }),
      fields: z
        .array(z.string())
        .min(1)
        .max(100)
        .optional()
        .meta({
          description: 'Only these fields of each record, as paths; uid is always there',
          examples: [['status', 'wire.imad']],
        }),
    }),
    output: envelope(Record),
  }),
  'records.received': method({
    summary: 'What has arrived on each VRN of a Program: settled payments, and their sum',
    input: z.strictObject({ program_uid: Uid.optional() }),
    output: z.object({ received: z.array(z.object({ uid: Uid, payments: z.int(), us_dollar_amount: Money })) }),
  }),
  'records.get': method({
    summary: 'One record of a collection',
    input: z.strictObject({ collection: z.string(), uid: Uid }),
    output: Record,
  }),
  'records.search': method({
    summary: 'One text over all collections: a uid, a name, an external_uid, last four digits or an amount; best first',
    input: z.strictObject({
      text: z.string().trim().min(1).max(200),
      program_uid: Uid.optional().meta({ description: 'Of this Program alone; an exact uid is found in any' }),
      limit: z.int().min(1).max(50).optional().meta({ description: 'Default 8' }),
    }),
    output: z.object({
      records: z.array(
        z.object({
          collection: z.string(),
          uid: Uid,
          program_uid: Uid,
          says: z.string().meta({ description: 'What it is called' }),
          field: z.string().meta({ description: 'In which the text was found' }),
          value: z.string(),
          status: z.string().nullable(),
          amount: Money.nullable(),
        }),
      ),
      complete: z
        .boolean()
        .meta({ description: 'If false, only the newest 10,000 records of a collection were looked through' }),
    }),
  }),
  'records.history': method({
    summary: 'How a record came to be as it is: every commit of the present line that touched it, the newest first',
    input: z.strictObject({ collection: z.string(), uid: Uid, limit: z.int().min(1).max(1000).optional() }),
    output: z.object({ commits: z.array(RecordCommit) }),
  }),
  'records.related': method({
    summary: 'The records that a record names and that name it, and what is still to happen to it',
    input: z.strictObject({ collection: z.string(), uid: Uid }),
    output: z.object({
      related: z.array(
        z.object({
          collection: z.string(),
          total_count: z.int(),
          records: z
            .array(z.object({ uid: Uid, says: z.string(), ...whatItIs }))
            .meta({ description: 'The newest 50' }),
        }),
      ),
      named: z
        .array(z.object({ collection: z.string(), uid: Uid, ...whatItIs }))
        .meta({ description: 'Those that the record names itself, at most 200' }),
      tasks: z.array(Task),
    }),
  }),
  'records.story': method({
    summary: "A Customer's requests, states, money and time in one stream, the newest first",
    input: z.strictObject({
      uid: Uid,
      limit: z.int().min(1).max(20_000).optional(),
      offset: z.int().min(0).optional().meta({ description: 'So many of the newest are left out' }),
      reads: z.boolean().optional().meta({ description: 'Requests that were done and changed nothing, too' }),
    }),
    output: z.object({
      entries: z.array(TimelineEntry),
      more: z.boolean().meta({ description: 'There are older ones' }),
    }),
  }),
  why: method({
    summary: 'Why a record, or one field of it, is as it is: from what is seen back to what made it so',
    input: z.strictObject({ collection: z.string(), uid: Uid, field: z.string().optional() }),
    output: z.object({
      chain: z.array(Reason),
      statement: BalanceStatement.nullable().meta({ description: 'Of a balance: what it is made of' }),
    }),
  }),
  'moves.list': method({
    summary: 'The moves of a record: the legal ones with their inputs, the others with the reason',
    input: z.strictObject({ collection: z.string(), uid: Uid }),
    output: z.object({ moves: z.array(LegalMove) }),
  }),
  'moves.make': method({
    acts: true,
    summary: 'Decide what a bank, a network or a compliance officer would decide',
    input: z.strictObject({
      collection: z.string(),
      uid: Uid,
      move: z.string(),
      inputs: z.record(z.string(), z.unknown()).optional(),
    }),
    output: Record,
  }),
  'operator.create_customer': method({
    acts: true,
    summary: 'Create a Customer in a Program whose Client is the Customer',
    input: z.strictObject({ program_uid: Uid, customer: CreateCustomer }),
    output: Record,
  }),
  'ledger.accounts': method({
    summary: 'Every account of both books with its balance, now or at an earlier instant',
    input: z.strictObject({
      program_uid: Uid.optional(),
      book: Book.optional(),
      uid: z.array(Uid).max(10_000).optional().meta({ description: 'Of these alone' }),
      at: AsOf,
    }),
    output: z.object({ accounts: z.array(LedgerAccount) }),
  }),
  'ledger.lines': method({
    summary: 'Line items of both books, the newest first',
    input: z.strictObject({
      program_uid: Uid.optional(),
      book: Book.optional(),
      account_uid: Uid.optional(),
      transaction_uid: Uid.optional(),
      at: AsOf,
      limit: z.int().min(0).max(1000).optional(),
      offset: z.int().min(0).optional(),
    }),
    output: envelope(LedgerLine),
  }),
  'ledger.balances': method({
    summary:
      'The balance of an account over simulated time, recomputed from its line items and payments, and as scheduled',
    input: z.strictObject({
      account_uid: Uid,
      from: Timestamp.optional().meta({ description: 'Default: before its first movement' }),
      at: AsOf,
    }),
    output: Balances,
  }),
  'ledger.reconciliation': method({
    summary: 'What is owned (synthetic) against where it lies (custodial), at each close of day and now',
    input: z.strictObject({
      program_uid: Uid.optional(),
      pool_uid: Uid.optional().meta({ description: 'Left out: all Pools of the Program' }),
      days: z.int().min(0).max(60).optional().meta({ description: 'Closes of day. Default: 5' }),
      at: AsOf,
    }),
    output: z.object({
      closes: z.array(Close).meta({ description: 'The oldest first; the last one is now, or the instant asked about' }),
      differences: z.array(BookDifference).meta({ description: 'The payments it comes from, at most 100' }),
    }),
  }),
  'ledger.trial_balance': method({
    summary: 'Both books, summed from their line items; each must come to 0.00',
    input: z.strictObject({ program_uid: Uid.optional(), pool_uid: Uid.optional(), at: AsOf }),
    output: z.object({ books: z.array(TrialBalance) }),
  }),
  'ledger.check': method({
    summary: 'Proves both books from their line items alone, and one book against the other',
    input: nothing,
    output: LedgerCheck,
  }),
  'exchanges.list': method({
    summary: 'The request log, newest first',
    input: z.strictObject({
      limit: z.int().min(0).max(1000).optional(),
      offset: z.int().min(0).optional(),
      program_uid: Uid.optional(),
    }),
    output: envelope(Exchange),
  }),
  'exchanges.get': method({
    summary: 'One request and its answer in full, secrets removed',
    input: z.strictObject({ uid: Uid }),
    output: ExchangeDetail,
  }),
  'exchanges.send': method({
    summary: "Send a request of your own, with the Program's token and a new trace id, and see what becomes of it",
    input: z.strictObject({
      program_uid: Uid.optional().meta({ description: 'Default: the first' }),
      method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
      path: z
        .string()
        .regex(/^\//, { error: 'a path below /api/v1 is expected, as /customers' })
        .meta({ description: 'With the query', examples: ['/customers?limit=1'] }),
      body: z.string().optional().meta({ description: 'JSON, sent as it is' }),
    }),
    output: ExchangeDetail,
  }),
  'exchanges.replay': method({
    summary: 'Send requests of a record again, and compare the answers',
    input: ReplayInput,
    output: ReplayResult.extend({
      acts: z.array(z.object({ name: z.string(), refused: z.string().nullable() })).meta({
        description: 'What the operator did in the record, done again',
      }),
      unusable: z.array(Unusable).meta({ description: 'What stands in the text and could not be sent' }),
    }),
  }),
  'scenarios.list': method({
    summary: 'The scenarios of the library and your own, and the one that was run last',
    input: nothing,
    output: z.object({ scenarios: z.array(ScenarioInfo), current: ScenarioRun.nullable() }),
  }),
  'scenarios.save': method({
    summary: 'Keep a scenario of your own; one of this name that you have already is replaced',
    input: z.strictObject({ name: ScenarioName, text: z.string() }),
    output: ScenarioInfo,
  }),
  'scenarios.read': method({
    summary: 'The text of a scenario',
    input: z.strictObject({ name: ScenarioName }),
    output: z.object({ name: z.string(), text: z.string(), own: z.boolean() }),
  }),
  'scenarios.delete': method({
    summary: 'Forget a scenario of your own',
    input: z.strictObject({ name: ScenarioName }),
    output: z.object({ deleted: z.boolean() }),
  }),
  'scenarios.run': method({
    summary: 'Run a scenario by name or by its text, or go on with the one that was begun; answers when it stops',
    input: z
      .strictObject({
        ...begun,
        until: z.int().min(0).optional().meta({ description: 'Stop before this step, counted from 0' }),
      })
      .refine(isOneScenario, NOT_ONE),
    output: ScenarioRun,
  }),
  'scenarios.step': method({
    summary: 'The next step of the scenario that was begun, or the first of the one that is named',
    input: z.strictObject(begun).refine(isOneScenario, NOT_ONE),
    output: ScenarioRun,
  }),
  'scenarios.pause': method({
    summary: 'Stop a running scenario when its step is done',
    input: nothing,
    output: z.object({ paused: z.boolean() }),
  }),
  'scenarios.record': method({
    summary: 'What was done in this world by hand, as a scenario: its text, not yet kept',
    input: z.strictObject({
      since: z.int().min(0).optional().meta({ description: 'What came before this commit is done, and not judged' }),
      name: z.string().min(1).max(200).optional(),
      teaches: z.string().min(1).max(1_000).optional(),
    }),
    output: z.object({ text: z.string(), steps: z.int(), left_out: z.array(Unusable) }),
  }),
  'bundles.export': method({
    summary: 'The present world with its record as one file to hand on: personal data masked, keys left out',
    input: z.strictObject({ note: z.string().max(10_000).optional() }),
    output: z.object({
      name: z.string(),
      text: z.string(),
      exchanges: z.int(),
      acts: z.int(),
      commits: z.int(),
    }),
  }),
  'bundles.import': method({
    summary:
      'Put the world of a bundle in the place of the present one, with its record, as commits that can be undone',
    input: z.strictObject({ text: z.string() }),
    output: z.object({
      since: z.int().meta({ description: 'Where its record begins, for exchanges.replay' }),
      seq: z.int(),
      now: Timestamp,
      exchanges: z.int(),
      acts: z.int(),
      note: z.string().nullable(),
    }),
  }),
  'programs.list': method({
    summary: 'The Programs with their keys, settings, Products and Synthetic Account Types',
    input: nothing,
    output: z.object({ programs: z.array(ProgramInFull) }),
  }),
  'programs.create': method({
    acts: true,
    summary: "A further Program of the same Client, with the demonstration's products, account types and settings",
    input: z.strictObject({ name: z.string().min(1), ...ProgramChanges.shape }),
    output: ProgramInFull,
  }),
  'programs.update': method({
    acts: true,
    summary: 'Change the settings of a Program, its Products and its account types; what is left out stays',
    input: z.strictObject({ uid: Uid, name: z.string().min(1).optional(), ...ProgramChanges.shape }),
    output: ProgramInFull,
  }),
  'programs.rotate_key': method({
    acts: true,
    summary: 'Give a Program another HMAC key; access tokens that were issued keep their life',
    input: z.strictObject({ uid: Uid, hmac_key: HmacKey.optional() }),
    output: ProgramInFull,
  }),
  'snapshots.keep': method({
    summary: 'Keep the whole world under a name; one that has it already is replaced',
    input: z.strictObject({ name: SnapshotName }),
    output: Snapshot,
  }),
  'snapshots.list': method({
    summary: 'The worlds that are kept',
    input: nothing,
    output: z.object({ snapshots: z.array(Snapshot) }),
  }),
  'snapshots.restore': method({
    acts: true,
    summary: 'Put a kept world in the place of the present one, as a commit that can be undone',
    input: z.strictObject({ name: SnapshotName }),
    output: RestoreResult,
  }),
  'snapshots.delete': method({
    summary: 'Forget a kept world',
    input: z.strictObject({ name: SnapshotName }),
    output: z.object({ deleted: z.boolean() }),
  }),
  'snapshots.compare': method({
    summary: 'What differs between two kept worlds, by record and field; a name left out is the present world',
    input: z.strictObject({ a: SnapshotName.optional(), b: SnapshotName.optional() }),
    output: z.object({
      differences: z.array(RecordDifference).meta({ description: 'At most 1,000' }),
      total_count: z.int(),
    }),
  }),
  'world.commits': method({
    summary: 'The commits that are kept, the newest first: what there is to rewind to',
    input: z.strictObject({
      limit: z.int().min(1).max(1000).optional().meta({ description: 'Default 100' }),
      before: z.int().min(1).optional().meta({ description: 'Those before this commit' }),
    }),
    output: z.object({
      commits: z.array(CommitSummary),
      more: z.boolean().meta({ description: 'Older ones are kept' }),
    }),
  }),
  'world.reset': method({
    acts: true,
    summary: 'Begin again: a fresh world, of the same seed, start and clock unless others are given; can be undone',
    input: z.strictObject({
      world: z.enum(['demo', 'empty']),
      seed: z.string().min(1).max(200).optional(),
      start: Timestamp.optional(),
      mode: ClockMode.optional(),
      pace: Pace.optional(),
    }),
    output: RestoreResult,
  }),
  'world.rewind': method({
    acts: true,
    summary: 'The world as it was after an earlier commit, as a commit that can be undone',
    input: z.strictObject({ seq: z.int().min(0) }),
    output: RestoreResult,
  }),
  'work.cancel': method({
    summary: 'Stop what takes long, as a rewind or a replay does; an advance has clock.cancel',
    input: z.strictObject({ uid: Uid.optional().meta({ description: 'As a notice names it; without, all of it' }) }),
    output: z.object({ canceled: z.boolean().meta({ description: 'false when nothing was under way' }) }),
  }),
  'faults.set': method({
    acts: true,
    summary: 'Let requests meet with misfortune; takes the place of what was set before',
    input: z.strictObject({ faults: z.array(Fault).max(100) }),
    output: Faults,
  }),
  'faults.list': method({ summary: 'The misfortunes that are set', input: nothing, output: Faults }),
  'faults.clear': method({ acts: true, summary: 'No more misfortune', input: nothing, output: Faults }),
  'world.describe': method({
    summary: 'Which world this is, where it is kept, and where its API listens',
    input: nothing,
    output: z.object({
      version: z.string(),
      api: z.string(),
      data: z.string().nullable().meta({ description: 'The data folder; null when nothing is kept' }),
      seed: z.string(),
      start: Timestamp,
      seq: z.int().meta({ description: 'Commits so far' }),
      allow: z.array(z.string()),
      opened_at: Timestamp.meta({ description: 'Simulated time at which this process opened the world' }),
      log_length: z.int().meta({ description: 'Requests that are kept at least; the oldest go by quarters of this' }),
    }),
  }),
} satisfies { readonly [name: string]: Method }

export type Methods = typeof methods
export type MethodName = keyof Methods
export type MethodInput<N extends MethodName> = z.input<Methods[N]['input']>
/** The input as the method gets it, after parsing. */
export type MethodParsed<N extends MethodName> = z.output<Methods[N]['input']>
export type MethodOutput<N extends MethodName> = z.output<Methods[N]['output']>
export const methodNames = Object.keys(methods) as MethodName[]

// ── Notices ──────────────────────────────────────────────────────────────────────────────────────────────────────

export const Cause = z.object({
  door: z.enum(['request', 'time', 'operator']),
  name: z.string(),
  exchange: z.string().optional(),
  from: Timestamp.optional().meta({ description: 'Of an advance: where the clock stood when it began' }),
  decision: z.string().optional().meta({ description: 'Of moves.make: what was decided' }),
})
export type Cause = z.infer<typeof Cause>

export const Notice = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('commit'),
    seq: z.int(),
    at: Timestamp,
    cause: Cause,
    collections: z.array(z.string()),
    uids: z.array(Uid),
  }),
  z.object({ type: z.literal('exchange'), exchange: Exchange }),
  z.object({
    type: z.literal('progress'),
    from: Timestamp,
    to: Timestamp.nullable().meta({ description: 'null while the end is not known: until idle' }),
    now: Timestamp,
    ran: z.int(),
    left: z.int().nullable().meta({ description: 'Tasks still due on the way, as known now' }),
    done: z.boolean(),
  }),
  z
    .object({
      type: z.literal('work'),
      uid: Uid.meta({ description: 'For work.cancel' }),
      name: z.string().meta({ description: 'The method that takes long' }),
      done: z.int(),
      of: z.int().nullable().meta({ description: 'null while nobody knows how much there is to do' }),
      unit: z.enum(['commits', 'steps', 'bytes', 'records']).meta({ description: 'What is counted' }),
      can_stop: z.boolean().meta({ description: 'work.cancel stops it; at its end nothing does any more' }),
      over: z.boolean(),
    })
    .meta({ description: 'How far something is that takes long, as a rewind does; the clock has progress' }),
  z.object({ type: z.literal('task_failed'), task: Task }),
  z.object({ type: z.literal('scenario'), run: ScenarioRun }),
  z.object({ type: z.literal('faults') }).meta({ description: 'Other faults were set' }),
  z.object({ type: z.literal('world') }).meta({ description: 'Everything may have changed' }),
])
export type Notice = z.infer<typeof Notice>

// ── The client, over any transport ───────────────────────────────────────────────────────────────────────────────

export type ControlReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorBody }

/** A transport. It knows no method by name. */
export interface Bridge {
  call(name: string, input: unknown): Promise<ControlReply>
  /** `connected` says when the stream of notices is lost and when it is back. */
  subscribe(onNotice: (notice: Notice) => void, connected?: (is: boolean) => void): () => void
}

/** A refusal as it crossed the process boundary. */
export class ControlError extends Error {
  override name = 'ControlError'
  readonly body: ErrorBody
  constructor(body: ErrorBody) {
    const [first] = body.errors
    super(first ? (first.extra ?? first.detail) : `Refused with status ${body.status}`)
    this.body = body
  }
}

export type ControlClient = { readonly [N in MethodName]: (input: MethodInput<N>) => Promise<MethodOutput<N>> }

export function createControlClient(bridge: Bridge): ControlClient {
  const call = (name: MethodName) => async (input: unknown) => {
    const reply = await bridge.call(name, input)
    if (!reply.ok) throw new ControlError(ErrorBodySchema.parse(reply.error))
    return reply.value
  }
  return Object.fromEntries(methodNames.map((name) => [name, call(name)])) as unknown as ControlClient
}
