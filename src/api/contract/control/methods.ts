import { z } from 'zod'
import { ADA, CreateCustomer } from '../resources/customers.ts'
import { OutsideTransaction } from '../resources/outside-transactions.ts'
import { BehavesAs, ChosenUid, HmacKey, ProgramChanges, ProgramInFull } from '../resources/programs.ts'
import { Task } from '../resources/tasks.ts'
import { NetAsset } from '../resources/transactions.ts'
import {
  AttemptOutcome,
  CreateWebhook,
  DeliveryFailure,
  EventWithDeliveries,
  MAX_OUTCOMES,
  OlderEvents,
  Webhook,
  WebhookChanges,
} from '../resources/webhooks.ts'
import { examples } from '../terms/examples.ts'
import { envelope } from '../terms/list.ts'
import { CalendarDate, Instant, Money, Timestamp, Uid } from '../terms/primitives.ts'
import { isOneLine, NOT_ONE_LINE } from '../terms/texts.ts'
import { webhookEventNames } from '../webhooks.ts'
import { Keepable, keepableNames, MAX_MASKED } from './bundles.ts'
import { WorldChanges, WorldComparison } from './changes.ts'
import {
  Advance,
  AdvanceGoal,
  AdvanceInput,
  AdvancePreview,
  BreakOn,
  Clock,
  ClockMode,
  FiredTask,
  Pace,
} from './clock.ts'
import { Collection } from './collection.ts'
import { CustomerMap } from './customer-map.ts'
import { Description } from './describe.ts'
import { AnsweredExchange, Exchange } from './exchanges.ts'
import { Fault, Faults } from './faults.ts'
import { BalanceStatement, CommitSummary, PaymentReturn, Reason, RecordCommit, TimelineEntry } from './history.ts'
import {
  Balances,
  Book,
  BookDifference,
  Close,
  LedgerAccount,
  LedgerCheck,
  LedgerLine,
  TrialBalance,
} from './ledger.ts'
import { MigrationReport } from './migration.ts'
import { Now, NowPart } from './now.ts'
import { Operation, OperationNumber, PartOfTime, RecordOperation, UndoStep } from './operations.ts'
import { PaymentPath, RailTimeName } from './payments.ts'
import { Period } from './period.ts'
import { Reached, ReachInput } from './reach.ts'
import { LegalMove } from './records.ts'
import { OutgoingRequest, Repairs } from './repairs.ts'
import { RecordingSummary, ReplayInput, ReplayResult, Unusable } from './replay.ts'
import { ProgramExamples, RecordAction, Refusal, TriedRequest, TriedResponse } from './requests.ts'
import { ScenarioInfo, ScenarioInto, ScenarioName, ScenarioRun } from './scenarios.ts'
import { RestoreResult, Snapshot, SnapshotName } from './snapshots.ts'
import { Tried, TryCalls } from './try.ts'
import { CreatedWorld, CreateWorld, Seed, WorldInfo, WorldKind, WorldName } from './worlds.ts'

/**
 * The methods of the control API with their input and output. The window, the command line and test suites call them
 * over Electron IPC or over HTTP.
 */

interface Method {
  readonly summary: string
  /** An operator action: it changes the world or its faults, so it is in the operator log and a replay repeats it. */
  readonly isAction?: true
  /** It is about the process, not about a world: tasks that are due need not run before it, so that it is answered at once. */
  readonly isOfSandbox?: true
  /** Of an action: a field of its input that is in the records that it adds. The log and its commit have it only there. */
  readonly keeps?: 'outcomes' | 'older'
  readonly input: z.ZodType
  readonly output: z.ZodType
}

/** An input, with texts of `terms/examples.ts` for values of the world. A method without input needs none. */
type WithExample<I extends z.ZodType> =
  z.input<I> extends Record<string, never> ? unknown : { readonly example: z.input<I> }

const method = <I extends z.ZodType, const M extends Method>(declared: M & { readonly input: I } & WithExample<I>): M =>
  declared

const scenarioInput = {
  name: ScenarioName.optional(),
  text: z.string().optional(),
  example: z.int().min(0).optional().meta({ description: 'The row of its table, from 0. Default: the first' }),
  into: ScenarioInto.optional().meta({
    description:
      'Default: scratch. present: the current world, after a reset to the world that the scenario begins with',
  }),
  stays: z.boolean().optional().meta({
    description:
      'The world of the run stays as a named world, such as scenario-1, until it is dropped; not for the current world',
  }),
  reset: z.literal(false).optional().meta({
    description:
      'With into: present. false: no reset; the steps, also those of the scenario that it begins with, go on in the current world, so its `given` may name nothing else',
  }),
}
const isOneScenario = ({ name, text }: { name?: string | undefined; text?: string | undefined }) =>
  name === undefined || text === undefined
const NOT_ONE = { error: 'name or text is expected, not both' }

const isOneRange = (range: { period?: unknown; from?: unknown; until?: unknown }) =>
  range.period === undefined || (range.from === undefined && range.until === undefined)
const NOT_ONE_RANGE = { error: 'period, or from and until, are expected, not both' }

/** A record in one line. */
/** The Transaction of a scheduled task. */
const ScheduledPayment = z.object({
  uid: Uid,
  type: z.string(),
  status: z.string(),
  us_dollar_amount: Money,
  net_asset: NetAsset,
})

const recordLine = {
  name: z.string(),
  status: z.string().nullable(),
  amount: Money.nullable(),
}
/** At the instant of a close of day this is the closing balance: what is posted at that instant counts for the next day. */
const AsOf = Timestamp.optional().meta({ description: 'The state just before this instant. Default: now' })

const Record = z.record(z.string(), z.unknown())
const ProgramName = z.string().min(1).refine(isOneLine, NOT_ONE_LINE)
const nothing = z.strictObject({})
const withOlder = { older: OlderEvents.optional() }

const SCENARIO = 'name: Mine\nsteps:\n  - advance: 1h\n  - advance: idle\n'

export const methods = {
  'clock.read': method({ summary: 'The clock: time, mode, pace and the next task', input: nothing, output: Clock }),
  'clock.set': method({
    isAction: true,
    summary: 'Freeze the clock or let it run, choose the pace of payments, set a break condition',
    input: z.strictObject({
      mode: ClockMode.optional(),
      pace: Pace.optional(),
      break_on: BreakOn.nullable().optional().meta({ description: 'null removes it' }),
    }),
    example: { mode: 'frozen', pace: 'real' },
    output: Clock,
  }),
  'clock.advance': method({
    isAction: true,
    summary: 'Advance the clock; returns when every task that is due has run',
    input: AdvanceInput,
    example: { by: 'PT24H' },
    output: Advance,
  }),
  'clock.preview': method({
    summary: 'Where an advance would lead and what would run until then, as far as it is scheduled; changes nothing',
    input: AdvanceGoal,
    example: { text: '8 business days' },
    output: AdvancePreview,
  }),
  'clock.cancel': method({
    summary: 'Stop a running advance after its current task',
    input: nothing,
    output: z.object({ canceled: z.boolean() }),
  }),
  'calendar.read': method({
    summary: 'The holidays of the Federal Reserve within these days, and the cut-offs of each banking day',
    input: z.strictObject({ from: CalendarDate, days: z.int().min(1).max(400) }),
    example: { from: '2026-11-20', days: 60 },
    output: z.object({
      holidays: z.array(z.object({ date: CalendarDate, name: z.string() })),
      cut_offs: z
        .array(z.object({ name: RailTimeName, time: z.string().meta({ description: 'In New York, hh:mm' }) }))
        .meta({ description: 'Only the pace real follows them' }),
    }),
  }),
  'tasks.list': method({
    summary: 'The scheduled tasks: when, for which record and why',
    input: nothing,
    output: z.object({ tasks: z.array(Task) }),
  }),
  'tasks.run': method({
    isAction: true,
    summary: 'Run one task now, no matter when it is due; also a failed one. Names the earlier tasks of its record',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.tasks },
    output: FiredTask,
  }),
  'tasks.hold': method({
    isAction: true,
    summary: 'Hold a task and the later ones of its record: they do not run when they are due',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.tasks },
    output: Task,
  }),
  'tasks.release': method({
    isAction: true,
    summary: 'Release a held task and the later ones of its record: they run when due, or at once if overdue',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.tasks },
    output: Task,
  }),
  'records.list': method({
    summary: 'The records of a collection, with the filters, sorting and pages of its list in the API',
    input: z.looseObject({
      collection: Collection,
      program_uid: Uid.optional(),
      limit: z.int().optional(),
      offset: z.int().optional(),
      order: z
        .strictObject({ field: z.string(), descending: z.boolean().optional() })
        .optional()
        .meta({
          description: 'By any field, as a path, instead of `sort`. Amounts by size; missing values come last',
          examples: [{ field: 'us_dollar_amount', descending: true }],
        }),
      ranges: z
        .array(z.strictObject({ field: z.string(), from: z.string().optional(), to: z.string().optional() }))
        .max(20)
        .optional()
        .meta({
          description:
            'Only records whose fields are in all these ranges, ends included. A date without a time is its start in UTC',
          examples: [[{ field: 'created_at', from: '2026-11-01', to: '2026-11-20' }]],
        }),
      uids: z.array(Uid).max(1000).optional().meta({ description: 'Only these; unknown ones are ignored' }),
      fields: z
        .array(z.string().max(200))
        .min(1)
        .max(100)
        .optional()
        .meta({
          description:
            'Only these fields of each record, as paths, also of the records that it names: `transfer.status` by `transfer_uid`. `message` is that of its text, and of a payment `payment_return` its return. uid is always included',
          examples: [['status', 'wire.imad', 'transfer.status']],
        }),
    }),
    example: { collection: 'transactions', limit: 5, fields: ['status', 'us_dollar_amount'] },
    output: envelope(Record),
  }),
  'records.received': method({
    summary: 'The settled incoming payments of each VRN of a Program: their number and sum',
    input: z.strictObject({ program_uid: Uid.optional() }),
    example: {},
    output: z.object({ received: z.array(z.object({ uid: Uid, payments: z.int(), us_dollar_amount: Money })) }),
  }),
  'records.get': method({
    summary: 'One record of a collection',
    input: z.strictObject({ collection: Collection, uid: Uid }),
    example: { collection: 'customers', uid: examples.customers },
    output: Record,
  }),
  'records.search': method({
    summary:
      'Search all collections for a uid, a name, an external_uid, last four digits or an amount; best match first',
    input: z.strictObject({
      text: z.string().trim().min(1).max(200),
      program_uid: Uid.optional().meta({ description: 'Only this Program; an exact uid is found in every Program' }),
      limit: z.int().min(1).max(50).optional().meta({ description: 'Default 8' }),
      complete: z.boolean().optional().meta({
        description:
          'true: search all records, which takes longer in a large world. Default: the newest 10,000 of each collection, and exact uids and external_uids of all',
      }),
    }),
    example: { text: 'Quayside' },
    output: z.object({
      records: z.array(
        z.object({
          collection: z.string(),
          uid: Uid,
          program_uid: Uid,
          says: z.string().meta({ description: 'Name of the record' }),
          field: z.string().meta({ description: 'The field that matches' }),
          value: z.string(),
          status: z.string().nullable(),
          amount: Money.nullable(),
        }),
      ),
      complete: z
        .boolean()
        .meta({ description: 'false: only the newest 10,000 records of a collection were searched' }),
    }),
  }),
  'records.names': method({
    summary: 'How a schedule names the records of its tasks: a payment by its other party and its signed amount',
    input: z.strictObject({ uids: z.array(Uid).max(1_000) }),
    example: { uids: [examples.transactions] },
    output: z.object({
      names: z
        .array(z.object({ uid: Uid, name: z.string(), amount: z.string().nullable() }))
        .meta({ description: 'Without those that do not exist' }),
    }),
  }),
  'records.history': method({
    summary: 'The history of a record: every commit of the current branch that changed it, newest first',
    input: z.strictObject({ collection: Collection, uid: Uid, limit: z.int().min(1).max(1000).optional() }),
    example: { collection: 'customers', uid: examples.customers },
    output: z.object({ commits: z.array(RecordCommit) }),
  }),
  'records.operations': method({
    summary: 'What happened to a record, newest first: changes, requests, tasks and webhook events, by operation',
    input: z.strictObject({ collection: Collection, uid: Uid, limit: z.int().min(1).max(1000).optional() }),
    example: { collection: 'customers', uid: examples.customers },
    output: z.object({
      operations: z.array(RecordOperation),
      more: z.boolean().meta({ description: 'There are older ones' }),
    }),
  }),
  'records.related': method({
    summary: 'The records that refer to a record, those it refers to, and what is scheduled for it',
    input: z.strictObject({ collection: Collection, uid: Uid }),
    example: { collection: 'customers', uid: examples.customers },
    output: z.object({
      related: z.array(
        z.object({
          collection: z.string(),
          total_count: z.int(),
          records: z
            .array(z.object({ uid: Uid, says: z.string(), ...recordLine }))
            .meta({ description: 'The newest 50' }),
        }),
      ),
      named: z
        .array(z.object({ collection: z.string(), uid: Uid, ...recordLine }))
        .meta({ description: 'Those that the record refers to, at most 200' }),
      payment_return: PaymentReturn.nullable().meta({
        description: 'For a payment: its return, or the payment that it returns',
      }),
      tasks: z
        .array(Task.extend({ payment: ScheduledPayment.nullable() }))
        .meta({ description: 'By due time; also those of its payments, and of the KYC evaluations of a Customer' }),
    }),
  }),
  'records.story': method({
    summary: 'The timeline of a Customer: requests, states, money and clock changes, newest first',
    input: z.strictObject({
      uid: Uid,
      limit: z.int().min(1).max(20_000).optional(),
      offset: z.int().min(0).optional().meta({ description: 'Skips this many of the newest entries' }),
      reads: z.boolean().optional().meta({ description: 'Include successful requests that changed nothing' }),
    }),
    example: { uid: examples.customers },
    output: z.object({
      entries: z.array(TimelineEntry),
      more: z.boolean().meta({ description: 'There are older entries' }),
    }),
  }),
  why: method({
    summary: 'Why a record, or one of its fields, has its present value: from the value back to its causes',
    input: z.strictObject({ collection: Collection, uid: Uid, field: z.string().optional() }),
    example: { collection: 'customers', uid: examples.customers, field: 'status' },
    output: z.object({
      chain: z.array(Reason),
      statement: BalanceStatement.nullable().meta({ description: 'For a balance: its parts' }),
    }),
  }),
  'payments.path': method({
    summary:
      'The path of a payment: its states over banking days, those that can follow, and its entries in both books',
    input: z.strictObject({
      uid: Uid.meta({ description: 'A Transaction. For a return the answer begins with the payment that it returns' }),
    }),
    example: { uid: examples.transactions },
    output: PaymentPath,
  }),
  'now.read': method({
    summary:
      'What waits for the operator, the money of the last 30 days, and what the latest requests did: what the first screen shows',
    input: z.strictObject({
      program_uid: Uid.optional(),
      parts: z.array(NowPart).min(1).optional().meta({ description: 'Default: all. The others are null' }),
    }),
    example: { parts: ['needs', 'flow'] },
    output: Now,
  }),
  'customers.map': method({
    summary:
      'The flow of money of a Customer: its accounts, VRNs and counterparties, and what moved between each two of them',
    input: z
      .strictObject({
        customer_uid: Uid,
        period: Period.optional().meta({ description: 'Ends now. Default: all' }),
        from: Timestamp.optional(),
        until: Timestamp.optional().meta({ description: 'Included, as from is. Default: now' }),
        limit: z.int().min(1).max(100).optional().meta({
          description: 'The largest accounts, VRNs and parties; two or more others are one node. Default: 30',
        }),
        flow: z
          .strictObject({ from: z.string(), to: z.string() })
          .optional()
          .meta({ description: 'The nodes of a flow whose Transactions are wanted, too' }),
      })
      .refine(isOneRange, NOT_ONE_RANGE),
    example: { customer_uid: examples.customers },
    output: CustomerMap,
  }),
  'records.actions': method({
    summary: 'The requests of a client that concern a record, filled in, and why the API would refuse them',
    input: z.strictObject({ collection: Collection, uid: Uid }),
    example: { collection: 'customers', uid: examples.customers },
    output: z.object({ actions: z.array(RecordAction) }),
  }),
  'requests.examples': method({
    summary: 'Values of the world for the examples of requests; near a record, those of its Customer',
    input: z.strictObject({
      program_uid: Uid.optional(),
      near: z.strictObject({ collection: Collection, uid: z.string() }).optional(),
    }),
    example: { near: { collection: 'customers', uid: examples.customers } },
    output: ProgramExamples,
  }),
  'requests.try': method({
    summary: 'What the API would answer to a request: its rules run, and all that they change is undone',
    input: TriedRequest,
    example: { endpoint: 'getCustomer', params: { uid: examples.customers } },
    output: TriedResponse,
  }),
  'requests.foresee': method({
    summary:
      'What would follow from a request, if nothing else happened: the tasks that it schedules, and what each does',
    input: TriedRequest,
    example: { endpoint: 'archiveCustomer', params: { uid: examples.customers }, body: {} },
    output: z.object({
      refused: Refusal.nullable(),
      next: z.string().nullable().meta({
        description:
          'For a new Customer or counterparty: the next request, which was assumed, as its data has an outcome only then',
      }),
      follows: z.array(Task),
      is_whole: z.boolean().meta({
        description:
          'Whether nothing else follows. False if too many tasks come before the others, which are not run ahead',
      }),
    }),
  }),
  'moves.list': method({
    summary: 'The decisions about a record: possible ones with their inputs, the others with the reason',
    input: z.strictObject({ collection: Collection, uid: Uid }),
    example: { collection: 'customers', uid: examples.customers },
    output: z.object({ moves: z.array(LegalMove) }),
  }),
  'moves.make': method({
    isAction: true,
    summary: 'Decide about a record as a bank, a network or a compliance officer',
    input: z.strictObject({
      collection: Collection,
      uid: Uid,
      move: z.string(),
      inputs: z.record(z.string(), z.unknown()).optional(),
    }),
    example: { collection: 'customers', uid: examples.customers, move: 'put under review' },
    output: Record,
  }),
  'transactions.inject': method({
    isAction: true,
    summary: 'Create a Transaction by a movement outside the application: by card, a direct deposit, interest, a fee',
    input: OutsideTransaction,
    example: { movement: 'fee', customer_uid: examples.customers, us_dollar_amount: '1.00' },
    output: Record,
  }),
  'operator.create_customer': method({
    isAction: true,
    summary: 'Create a Customer in a Program whose Client is the Customer',
    input: z.strictObject({ program_uid: Uid, customer: CreateCustomer }),
    example: { program_uid: examples.programs, customer: ADA },
    output: Record,
  }),
  'ledger.accounts': method({
    summary: 'The accounts of both books with their balances, now or at an earlier instant',
    input: z.strictObject({
      program_uid: Uid.optional(),
      book: Book.optional(),
      uid: z.array(Uid).max(10_000).optional().meta({ description: 'Only these' }),
      at: AsOf,
    }),
    example: { book: 'synthetic' },
    output: z.object({ accounts: z.array(LedgerAccount) }),
  }),
  'ledger.lines': method({
    summary: 'The line items of both books, newest first',
    input: z.strictObject({
      program_uid: Uid.optional(),
      book: Book.optional(),
      account_uid: Uid.optional(),
      transaction_uid: Uid.optional(),
      at: AsOf,
      limit: z.int().min(0).max(1000).optional(),
      offset: z.int().min(0).optional(),
    }),
    example: { account_uid: examples.synthetic_accounts, limit: 5 },
    output: envelope(LedgerLine),
  }),
  'ledger.balances': method({
    summary:
      'The balance of an account over simulated time, computed from its line items and payments; past and scheduled',
    input: z.strictObject({
      account_uid: Uid,
      from: Timestamp.optional().meta({ description: 'Default: before its first payment' }),
      at: AsOf,
    }),
    example: { account_uid: examples.synthetic_accounts },
    output: Balances,
  }),
  'ledger.reconciliation': method({
    summary: 'The synthetic book against the custodial book, at each close of day and now',
    input: z.strictObject({
      program_uid: Uid.optional(),
      pool_uid: Uid.optional().meta({ description: 'Default: all Pools of the Program' }),
      days: z.int().min(0).max(60).optional().meta({ description: 'Number of closes of day. Default: 5' }),
      at: AsOf,
    }),
    example: { days: 5 },
    output: z.object({
      closes: z.array(Close).meta({ description: 'Oldest first; the last one is now, or the requested instant' }),
      differences: z.array(BookDifference).meta({ description: 'The payments that cause a difference, at most 100' }),
    }),
  }),
  'ledger.trial_balance': method({
    summary: 'The sums of both books, from their line items; each total must be 0.00',
    input: z.strictObject({ program_uid: Uid.optional(), pool_uid: Uid.optional(), at: AsOf }),
    example: {},
    output: z.object({ books: z.array(TrialBalance) }),
  }),
  'ledger.check': method({
    summary: 'Check both books against their line items, and one book against the other',
    input: nothing,
    output: LedgerCheck,
  }),
  'exchanges.list': method({
    summary: 'The request log, newest first',
    input: z.strictObject({
      limit: z.int().min(0).max(1000).optional(),
      offset: z.int().min(0).optional(),
      program_uid: Uid.optional(),
      trace_id: z.string().optional().meta({ description: 'Only the requests that had it' }),
    }),
    example: { limit: 5 },
    output: envelope(Exchange).extend({
      log_complete: z.boolean().meta({ description: 'false: the log no longer has its oldest requests' }),
    }),
  }),
  'moments.find': method({
    summary: 'The requests and records that a text names, such as a uid, a trace id or lines of a log of an app',
    input: z.strictObject({ text: z.string() }),
    example: { text: '2026-11-24 POST /transfers failed, trace id 7f3a' },
    output: z.object({
      moments: z.array(
        z.object({
          collection: Collection.nullable().meta({ description: 'null for a request of the log' }),
          uid: Uid,
          program_uid: Uid.nullable(),
          says: z.string(),
        }),
      ),
    }),
  }),
  'exchanges.get': method({
    summary: 'One request with its response, without secrets',
    input: z.strictObject({ uid: Uid }),
    example: { uid: 'x1' },
    output: AnsweredExchange,
  }),
  'exchanges.repair': method({
    summary: 'What to change in a refused request so that it is accepted now: the smallest changes, each of them tried',
    input: z
      .strictObject({
        uid: Uid.optional().meta({ description: 'Of the request log' }),
        request: OutgoingRequest.optional().meta({ description: 'One that need not have been sent' }),
      })
      .refine(({ uid, request }) => (uid === undefined) !== (request === undefined), {
        error: 'exactly one of uid and request is expected',
      }),
    example: { request: { method: 'GET', path: '/customers?limit=-1' } },
    output: Repairs,
  }),
  'migration.report': method({
    summary:
      'What the app did, by the request log, that the platform’s hosted sandbox would refuse or do in another way',
    input: z.strictObject({
      program_uid: Uid.optional().meta({
        description: 'Leaves out requests of other Programs, and actions that name one. Default: all Programs',
      }),
    }),
    example: {},
    output: MigrationReport,
  }),
  'exchanges.send': method({
    summary: 'Send a request with a token of the Program and a new trace id',
    input: z.strictObject({
      program_uid: Uid.optional().meta({ description: 'Default: the first Program' }),
      method: z
        .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
        .meta({ description: 'PATCH is refused with 405, as by the API; HEAD is answered as GET, without a body' }),
      path: z
        .string()
        .regex(/^[/]/, { error: 'a path below /api/v1 is expected, as /customers' })
        .refine(isOneLine, NOT_ONE_LINE)
        .meta({ description: 'With the query', examples: ['/customers?limit=1'] }),
      body: z.string().optional().meta({
        description: 'Sent unchanged, but for numbers that the request log has sealed: they are sent as they were',
      }),
      content_type: z
        .string()
        .regex(/^[\x20-\x7e]{1,200}$/)
        .optional()
        .meta({ description: 'Of the body. Default: application/json' }),
      anonymous: z.literal(true).optional().meta({ description: 'Without a token, so it is refused with 1004' }),
      trace_id: z
        .string()
        .regex(/^[\x21-\x7e]{1,200}$/)
        .optional()
        .meta({ description: 'Default: a new one. A repeated one is refused with 1012' }),
    }),
    example: { method: 'GET', path: '/customers?limit=1' },
    output: AnsweredExchange,
  }),
  'exchanges.replay': method({
    summary: 'Send recorded requests again and compare the responses',
    input: ReplayInput,
    example: { uids: ['x1'], into: 'then' },
    output: ReplayResult.extend({
      acts: z.array(z.object({ name: z.string(), refused: z.string().nullable() })).meta({
        description: 'The recorded operator actions, repeated',
      }),
      operation: z.int().nullable().meta({ description: 'What it changed, for operations.undo; null if nothing' }),
      world: z.string().nullable().meta({ description: 'The named world that stays' }),
      unusable: z.array(Unusable).meta({ description: 'Entries of the text that could not be replayed' }),
    }),
  }),
  'recordings.describe': method({
    summary: 'What a HAR file, curl lines or a bundle contain, and what a replay of them needs',
    input: z.strictObject({ text: z.string() }),
    example: { text: 'curl http://127.0.0.1:4010/api/v1/customers' },
    output: RecordingSummary,
  }),
  'scenarios.list': method({
    summary: 'The scenarios of the library, your own, and the latest run',
    input: nothing,
    output: z.object({ scenarios: z.array(ScenarioInfo), current: ScenarioRun.nullable() }),
  }),
  'scenarios.save': method({
    summary: 'Save a scenario; replaces your scenario of the same name',
    input: z.strictObject({ name: ScenarioName, text: z.string() }),
    example: { name: 'mine', text: SCENARIO },
    output: ScenarioInfo,
  }),
  'scenarios.read': method({
    summary: 'The text of a scenario',
    input: z.strictObject({ name: ScenarioName }),
    example: { name: 'mine' },
    output: z.object({ name: z.string(), text: z.string(), own: z.boolean() }),
  }),
  'scenarios.delete': method({
    summary: 'Delete one of your scenarios',
    input: z.strictObject({ name: ScenarioName }),
    example: { name: 'mine' },
    output: z.object({ deleted: z.boolean() }),
  }),
  'scenarios.run': method({
    summary: 'Run a scenario by name or by text, or continue the current one; returns when it stops',
    input: z
      .strictObject({
        ...scenarioInput,
        until: z.int().min(0).optional().meta({ description: 'Stop before this step, from 0' }),
      })
      .refine(isOneScenario, NOT_ONE),
    example: { text: SCENARIO },
    output: ScenarioRun,
  }),
  'scenarios.step': method({
    summary: 'Run the next step of the current scenario, or the first step of the given one',
    input: z.strictObject(scenarioInput).refine(isOneScenario, NOT_ONE),
    example: { text: SCENARIO },
    output: ScenarioRun,
  }),
  'scenarios.pause': method({
    summary: 'Pause a running scenario after its current step',
    input: nothing,
    output: z.object({ paused: z.boolean() }),
  }),
  'scenarios.record': method({
    summary: 'Turn what was done in this world into the text of a scenario; it is not saved',
    input: z.strictObject({
      since: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'What was done before this commit becomes steps without expectations' }),
      name: z.string().min(1).max(200).refine(isOneLine, NOT_ONE_LINE).optional(),
      teaches: z.string().min(1).max(1_000).optional(),
    }),
    example: {},
    output: z.object({ text: z.string(), steps: z.int(), left_out: z.array(Unusable) }),
  }),
  'bundles.export': method({
    summary: 'Export the current world with its log as one file, with masked personal data and without keys',
    input: z.strictObject({
      note: z.string().max(10_000).optional(),
      keep: z.array(Keepable).max(keepableNames.length).optional().meta({
        description: 'Personal values that are not masked; the default masks all of them',
      }),
    }),
    example: { note: 'For the support' },
    output: z.object({
      name: z.string(),
      text: z.string(),
      exchanges: z.int(),
      acts: z.int(),
      commits: z.int(),
      cut: z.int().meta({
        description: `In how many places a text of more than ${MAX_MASKED} characters is cut: a replay may differ there`,
      }),
      left: z.array(z.string()).meta({ description: 'What the mask leaves, as sentences; the bundle says so, too' }),
    }),
  }),
  'bundles.import': method({
    summary: 'Replace the current world and its log by those of a bundle; a rewind undoes it',
    input: z.strictObject({ text: z.string() }),
    example: { text: 'the text of bundles.export' },
    output: z.object({
      since: z.int().meta({ description: 'Its first commit: for exchanges.replay, and for operations.undo' }),
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
    isAction: true,
    summary: 'Create another Program of the Client, with the products, account types and settings of the demo',
    input: z.strictObject({
      name: ProgramName,
      uid: ChosenUid.optional().meta({ description: 'As your app has it. Default: a random one' }),
      hmac_key: HmacKey.optional(),
      behaves_as: BehavesAs.optional().meta({ description: 'Default: as the first Program of the world' }),
      ...ProgramChanges.shape,
    }),
    example: { name: 'Second' },
    output: ProgramInFull,
  }),
  'programs.update': method({
    isAction: true,
    summary: 'Change the settings of a Program, its Products and its account types; fields that are not given stay',
    input: z.strictObject({ uid: Uid, name: ProgramName.optional(), ...ProgramChanges.shape }),
    example: { uid: examples.programs, name: 'Renamed' },
    output: ProgramInFull,
  }),
  'programs.rotate_key': method({
    isAction: true,
    summary: 'Give a Program a new HMAC key; access tokens stay valid until they expire',
    input: z.strictObject({ uid: Uid, hmac_key: HmacKey.optional() }),
    example: { uid: examples.programs },
    output: ProgramInFull,
  }),
  'webhooks.create': method({
    isAction: true,
    keeps: 'older',
    summary: 'Subscribe a Client to events: its receiver gets them from now on, or also those of before',
    input: CreateWebhook.extend(withOlder),
    example: { url: null, topics: ['customers'] },
    output: Webhook,
  }),
  'webhooks.list': method({
    summary: 'The webhooks of all Programs, or of one',
    input: z.strictObject({ program_uid: Uid.optional() }),
    example: {},
    output: z.object({ webhooks: z.array(Webhook) }),
  }),
  'webhooks.update': method({
    isAction: true,
    keeps: 'older',
    summary: 'Change a webhook, pause it or make it active; what is not given stays',
    input: WebhookChanges.extend({ uid: Uid, ...withOlder }),
    example: { uid: examples.webhooks, status: 'paused' },
    output: Webhook,
  }),
  'webhooks.delete': method({
    isAction: true,
    summary: 'Delete a webhook: what is on its way to it fails, and its events stay',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.webhooks },
    output: z.object({ deleted: Uid }),
  }),
  'webhooks.test': method({
    isAction: true,
    summary: 'Send a test event to a webhook; one that is unconfirmed is active when its receiver accepts it',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.webhooks },
    output: EventWithDeliveries,
  }),
  'webhooks.record_attempts': method({
    isAction: true,
    keeps: 'outcomes',
    summary:
      'Record the outcomes of attempts to deliver events; those that are not due any more are left out. The sandbox calls it itself; a replay repeats it',
    input: z.strictObject({ outcomes: z.array(z.strictObject(AttemptOutcome.shape)).min(1).max(MAX_OUTCOMES) }),
    example: {
      outcomes: [
        { delivery_uid: examples.webhook_deliveries, attempt: 1, status: 204, error: null, answer: '', ms: 1 },
      ],
    },
    output: z.object({ recorded: z.int() }),
  }),
  'events.list': method({
    summary: 'The events of a Program, whether or not a webhook wants them, newest first, with their deliveries',
    input: z.strictObject({
      program_uid: Uid.optional().meta({ description: 'Default: the first Program' }),
      topic: z.string().optional(),
      event_type: z.string().optional(),
      record_uid: Uid.optional().meta({ description: 'Only events that tell of this record' }),
      since: Uid.optional().meta({ description: 'Only this event and newer ones, without test events' }),
      wanted: z.boolean().optional().meta({ description: 'Only those that a webhook wants. Default: all' }),
      wanted_by: Uid.optional().meta({ description: 'Only those whose topics this webhook wants now' }),
      limit: z.int().min(1).max(1_000).optional().meta({ description: 'Default: 100' }),
      offset: z.int().min(0).optional(),
    }),
    example: { limit: 5 },
    output: z.object({ data: z.array(EventWithDeliveries), total_count: z.int() }),
  }),
  'events.get': method({
    summary: 'An event with its deliveries and their attempts',
    input: z.strictObject({ uid: Uid }),
    example: { uid: examples.webhook_events },
    output: EventWithDeliveries,
  }),
  'events.resend': method({
    isAction: true,
    keeps: 'older',
    summary: 'Send an event once more, with the same event_id; or it and all newer ones',
    input: z.strictObject({
      uid: Uid,
      webhook_uid: Uid.optional().meta({ description: 'Default: all webhooks that it was for' }),
      failure: DeliveryFailure.optional().meta({ description: 'What goes wrong with it on purpose. Default: nothing' }),
      and_newer: z.boolean().optional().meta({
        description:
          'Also the newer events of its Program, oldest first, without test events: each to the webhooks that it was for, or to `webhook_uid` those that it wants',
      }),
      ...withOlder,
    }),
    example: { uid: examples.webhook_events },
    output: EventWithDeliveries,
  }),
  'events.send_example': method({
    isAction: true,
    summary: 'Send a webhook an example of an event, which tells of no record',
    input: z.strictObject({ webhook_uid: Uid, event: z.enum(webhookEventNames) }),
    example: { webhook_uid: examples.webhooks, event: 'transfers.created' },
    output: EventWithDeliveries,
  }),
  'events.hold': method({
    isAction: true,
    keeps: 'older',
    summary: 'Hold the deliveries of an event that are not finished: they are not sent until events.release',
    input: z.strictObject({ uid: Uid, ...withOlder }),
    example: { uid: examples.webhook_events },
    output: EventWithDeliveries,
  }),
  'events.release': method({
    isAction: true,
    keeps: 'older',
    summary: 'Send the held deliveries of an event',
    input: z.strictObject({
      uid: Uid,
      failure: DeliveryFailure.optional().meta({
        description: 'What goes wrong with them on purpose. Default: nothing',
      }),
      ...withOlder,
    }),
    example: { uid: examples.webhook_events },
    output: EventWithDeliveries,
  }),
  'tokens.expire': method({
    isAction: true,
    summary: 'Expire the access tokens of a Program now; new ones can be requested at once',
    input: z.union(
      [
        z.strictObject({ uid: Uid.meta({ description: 'Of the Program' }) }),
        z.strictObject({ program_uid: Uid.meta({ description: 'The same, for clients that name it so' }) }),
      ],
      { error: 'exactly one of uid and program_uid is expected, with the uid of a Program' },
    ),
    example: { uid: examples.programs },
    output: z.object({ uid: Uid }),
  }),
  'snapshots.keep': method({
    summary: 'Save the world as a snapshot; replaces a snapshot of the same name',
    input: z.strictObject({ name: SnapshotName }),
    example: { name: 'before' },
    output: Snapshot,
  }),
  'snapshots.list': method({
    summary: 'The snapshots',
    input: nothing,
    output: z.object({ snapshots: z.array(Snapshot) }),
  }),
  'snapshots.restore': method({
    isAction: true,
    summary: 'Replace the world by a snapshot, as a commit that can be undone',
    input: z.strictObject({ name: SnapshotName }),
    example: { name: 'before' },
    output: RestoreResult,
  }),
  'snapshots.delete': method({
    summary: 'Delete a snapshot',
    input: z.strictObject({ name: SnapshotName }),
    example: { name: 'before' },
    output: z.object({ deleted: z.boolean() }),
  }),
  'snapshots.compare': method({
    summary:
      'What differs between two snapshots, in sentences, balances and records; without a name: the current world',
    input: z.strictObject({ a: SnapshotName.optional(), b: SnapshotName.optional() }),
    example: { a: 'before' },
    output: WorldComparison,
  }),
  'world.commits': method({
    summary: 'The stored commits, newest first; you can rewind to each of them',
    input: z.strictObject({
      limit: z.int().min(1).max(1000).optional().meta({ description: 'Default 100' }),
      before: z.int().min(1).optional().meta({ description: 'Only commits before this one' }),
    }),
    example: { limit: 5 },
    output: z.object({
      commits: z.array(CommitSummary),
      more: z.boolean().meta({ description: 'There are older commits' }),
    }),
  }),
  'world.changes': method({
    summary: 'What has changed since a commit: balances, records, events and tasks',
    input: z.strictObject({ since: z.int().min(0).meta({ description: 'The number of a commit' }) }),
    example: { since: 1 },
    output: WorldChanges,
  }),
  'world.reset': method({
    isAction: true,
    summary: 'Start over with a fresh world; seed, start and clock stay unless given; can be undone',
    input: z.strictObject({
      world: WorldKind,
      seed: Seed.optional(),
      start: Instant.optional(),
      mode: ClockMode.optional(),
      pace: Pace.optional(),
    }),
    example: { world: 'demo' },
    output: RestoreResult,
  }),
  'world.rewind': method({
    isAction: true,
    summary: 'Rewind the world to an earlier commit, as a commit that can be undone',
    input: z.strictObject({ seq: z.int().min(0) }),
    example: { seq: 1 },
    output: RestoreResult,
  }),
  'operations.list': method({
    summary: 'The operations, newest first: an advance, a scenario, a replay, a request, … with their commits',
    input: z.strictObject({
      limit: z.int().min(1).max(1000).optional().meta({ description: 'Default 50. A page may have more' }),
      before: z.int().min(1).optional().meta({ description: 'The `next` of the page before' }),
    }),
    example: { limit: 5 },
    output: z.object({
      operations: z.array(Operation),
      next: z.int().nullable().meta({ description: '`before` of the next page; null on the last one' }),
    }),
  }),
  'operations.preview': method({
    summary: 'What an undo of an operation would do, or its redo; changes nothing',
    input: z.strictObject({ operation: OperationNumber.optional().meta({ description: 'Default: the newest' }) }),
    example: {},
    output: z.object({
      undo: UndoStep.nullable(),
      redo: UndoStep.nullable(),
      undone_by: CommitSummary.pick({ seq: true, cause: true, goes_on_from: true })
        .nullable()
        .meta({ description: 'The undo, rewind, restore, reset or import that went back before it' }),
    }),
  }),
  'operations.count': method({
    summary: 'How much happened when: a span of simulated time in equal parts, without what was undone',
    input: z.strictObject({ from: Instant, to: Instant, parts: z.int().min(1).max(1_000) }),
    example: { from: '2026-11-01T05:00:00.000Z', to: '2026-12-01T05:00:00.000Z', parts: 30 },
    output: z.object({
      parts: z.array(PartOfTime).meta({ description: 'Oldest first, without the empty ones' }),
      refused: z
        .array(z.object({ until: Timestamp, requests: z.int(), newest: Uid }))
        .meta({ description: 'The same of the refused requests in the request log, which changed nothing' }),
    }),
  }),
  'operations.undo': method({
    summary: 'Undo the newest operation, or one with all later ones: a rewind to the commit before it',
    input: z.strictObject({ operation: OperationNumber.optional() }),
    example: {},
    output: UndoStep.extend(RestoreResult.shape),
  }),
  'operations.redo': method({
    summary: 'Redo what the last undo has undone, or what has undone an operation; not after another change',
    input: z.strictObject({ operation: OperationNumber.optional() }),
    example: {},
    output: UndoStep.extend(RestoreResult.shape),
  }),
  'work.cancel': method({
    summary: 'Cancel a long operation such as a rewind or a replay; for an advance use clock.cancel',
    input: z.strictObject({ uid: Uid.optional().meta({ description: 'As in its notice. Default: all of them' }) }),
    example: {},
    output: z.object({ canceled: z.boolean().meta({ description: 'false: nothing was running' }) }),
  }),
  'faults.set': method({
    isAction: true,
    summary: 'Set the faults to inject into requests; replaces the faults set before',
    input: z.strictObject({ faults: z.array(Fault).max(100) }),
    example: { faults: [{ kind: 'latency', ms: 200, times: 3 }] },
    output: Faults,
  }),
  'faults.list': method({ summary: 'The faults that are set', input: nothing, output: Faults }),
  'faults.clear': method({ isAction: true, summary: 'Remove all faults', input: nothing, output: Faults }),
  'world.describe': method({
    summary: 'About this sandbox: version, data folder, address of the API, seed and start',
    input: nothing,
    output: z.object({
      name: WorldName.nullable().meta({ description: 'null for the root world; the others are in worlds.list' }),
      version: z.string(),
      api: z.string(),
      data: z.string().nullable().meta({ description: 'The data folder; null when nothing is saved' }),
      seed: z.string(),
      start: Timestamp,
      resets_to: z.array(WorldKind).meta({ description: 'What world.reset takes as world' }),
      seq: z.int().meta({ description: 'Number of commits so far' }),
      allow: z.array(z.string()),
      opened_at: Timestamp.meta({ description: 'Simulated time when this process opened the world' }),
      look: z
        .object({ of: WorldName.nullable(), commit: z.int() })
        .nullable()
        .meta({ description: 'Of a read-only world: the world that it was made from, and the newest commit of it' }),
      log_length: z
        .int()
        .meta({ description: 'Size of the request log; the oldest entries are removed a quarter of this at a time' }),
    }),
  }),
  describe: method({
    summary:
      'What a name means: an operation, a control method, a resource, an event, an error, a state, a setting, a task, a step of scenarios, a forced outcome or a command; without a name, all names',
    input: z.strictObject({
      name: z.string().trim().min(1).max(200).optional().meta({
        description:
          'As POST /transfers, clock.advance, transactions, 3006, transactions.status or POST /transfers ach',
      }),
      program_uid: Uid.optional().meta({ description: 'The Program of the example. Default: the first one' }),
    }),
    example: { name: 'POST /transfers' },
    output: Description,
  }),
  'sandbox.identify': method({
    isOfSandbox: true,
    summary: 'Which process answers: its runtime file has the same pid, host, start and nonce',
    input: nothing,
    output: z.object({
      pid: z.int(),
      host: z.string(),
      started_at: Timestamp.meta({ description: 'Real time' }),
      nonce: z.string().meta({ description: 'Random for each sandbox' }),
    }),
  }),
  'sandbox.open': method({
    isOfSandbox: true,
    summary:
      'A path that opens the window in a browser without the control key in its address, once and within 60 seconds',
    input: nothing,
    output: z.object({
      path: z
        .string()
        .meta({ description: 'Behind the address of a sandbox that serves its window, as sandbank serve does' }),
    }),
  }),
  'sandbox.stop': method({
    isOfSandbox: true,
    summary: 'End the sandbox with all of its worlds, as sandbank stop does; only in the root world',
    input: z.strictObject({
      nonce: z
        .string()
        .meta({ description: 'Of sandbox.identify: no other sandbox that has the address now is ended' }),
    }),
    example: { nonce: 'the nonce of sandbox.identify' },
    output: z.object({ stopping: z.boolean() }),
  }),
  // None of them is an operator action: worlds are outside of the world whose history is recorded, so a replay of it creates none.
  'worlds.create': method({
    summary: 'Create a named world next to the root world, with records, a clock, keys and logs of its own',
    input: CreateWorld,
    example: { name: 'branch', from: 'current' },
    output: CreatedWorld,
  }),
  'worlds.list': method({
    summary: 'The named worlds',
    input: nothing,
    output: z.object({ worlds: z.array(WorldInfo) }),
  }),
  'worlds.keep': method({
    summary: 'Write a world into a new data folder, which sandbank serve --data opens',
    input: z.strictObject({
      name: WorldName,
      folder: z
        .string()
        .min(1)
        .max(4096)
        .refine(isOneLine, NOT_ONE_LINE)
        .meta({ description: 'An absolute path on the machine of the sandbox; new or empty' }),
    }),
    example: { name: 'branch', folder: '/tmp/branch' },
    output: z.object({ folder: z.string(), seq: z.int(), records: z.int() }),
  }),
  'worlds.compare': method({
    summary: 'What differs between two worlds, in sentences, balances and records; without a name: the root world',
    input: z.strictObject({ a: WorldName.optional(), b: WorldName.optional() }),
    example: { b: 'branch' },
    output: WorldComparison,
  }),
  'worlds.try': method({
    summary:
      'What calls would do, one after the other: they run in a copy of the world that is dropped, so nothing changes and nothing is sent',
    input: TryCalls,
    example: { calls: [{ method: 'clock.advance', input: { text: '2 banking days' } }] },
    output: Tried,
  }),
  reach: method({
    summary:
      'A short lawful way to a state of a record, an event or an error: requests, injections, decisions and advances, found in copies of the world',
    input: ReachInput,
    example: { goal: 'customers=under_review' },
    output: Reached,
  }),
  'worlds.drop': method({
    summary: 'Drop a world: its requests, jobs and streams of notices end',
    input: z.strictObject({ name: WorldName }),
    example: { name: 'branch' },
    output: z.object({ dropped: z.boolean() }),
  }),
} satisfies { readonly [name: string]: Method }

export type Methods = typeof methods
export type MethodName = keyof Methods
export type MethodInput<N extends MethodName> = z.input<Methods[N]['input']>
/** The input after parsing. */
export type MethodParsed<N extends MethodName> = z.output<Methods[N]['input']>
export type MethodOutput<N extends MethodName> = z.output<Methods[N]['output']>
export const methodNames = Object.keys(methods) as MethodName[]

/** They change something, and are no operator action: a replay does not repeat them. */
const otherChanges: ReadonlySet<string> = new Set<MethodName>([
  ...(['clock.cancel', 'work.cancel', 'exchanges.send', 'exchanges.replay', 'bundles.import'] as const),
  ...(['scenarios.save', 'scenarios.delete', 'scenarios.run', 'scenarios.step', 'scenarios.pause'] as const),
  ...(['snapshots.keep', 'snapshots.delete', 'operations.undo', 'operations.redo'] as const),
  ...(['worlds.create', 'worlds.keep', 'worlds.drop', 'sandbox.open', 'sandbox.stop', 'reach'] as const),
])
export const onlyReads = (name: string): name is MethodName =>
  Object.hasOwn(methods, name) && !('isAction' in methods[name as MethodName]) && !otherChanges.has(name)

export const exampleOf = <N extends MethodName>(name: N): MethodInput<N> =>
  ('example' in methods[name] ? methods[name].example : {}) as MethodInput<N>
