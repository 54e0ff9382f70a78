import { z } from 'zod'
import { type ErrorBody, ErrorBody as ErrorBodySchema } from './openapi.ts'
import { CreateCustomer, KycStatus } from './resources/customers.ts'
import { Program, ProgramSettings } from './resources/programs.ts'
import { envelope } from './terms/list.ts'
import { CalendarDate, Timestamp, Uid } from './terms/primitives.ts'

/**
 * The operator's door, said once: methods with input and output, and the notices that are pushed. The window, the
 * command line and other people's test suites speak it over Electron IPC or over HTTP; `client()` is the same for both.
 */

interface Method {
  readonly summary: string
  readonly input: z.ZodType
  readonly output: z.ZodType
}
const method = <const M extends Method>(declared: M): M => declared

export const ClockMode = z.enum(['running', 'frozen'])
export const Pace = z.enum(['fast', 'real'])

export const Clock = z.object({
  now: Timestamp,
  mode: ClockMode,
  pace: Pace,
  next: z.object({ at: Timestamp, what: z.string() }).nullable().meta({ description: 'Recurring tasks are left out' }),
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

export const Advance = z.object({
  from: Timestamp,
  to: Timestamp,
  ran: z.int(),
  fired: z.array(z.object({ at: Timestamp, task: z.string(), record: Uid.nullable(), outcome: z.string() })),
})
export type Advance = z.infer<typeof Advance>

export const Task = z.object({
  uid: Uid,
  due_at: Timestamp,
  kind: z.string(),
  record: Uid.nullable(),
  why: z.string(),
  recurring: z.boolean(),
  held: z.boolean(),
  failed: z.string().nullable(),
  program_uid: Uid,
})
export type Task = z.infer<typeof Task>

/** Each KYC/AML evaluation after activation is billable to the Program. */
export const KycEvaluation = z.object({
  uid: Uid,
  program_uid: Uid,
  customer_uid: Uid,
  began_at: Timestamp,
  decided_at: Timestamp.nullable(),
  billable: z.boolean(),
  outcome: KycStatus.nullable(),
})
export type KycEvaluation = z.infer<typeof KycEvaluation>

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
  seq_before: z.int(),
  seq_after: z.int(),
})
export type Exchange = z.infer<typeof Exchange>

const Headers = z.array(z.tuple([z.string(), z.string()]))

export const ExchangeInFull = Exchange.extend({
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
export type ExchangeInFull = z.infer<typeof ExchangeInFull>

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

/** Whose moves a bank, a network or a compliance officer would make. */
export const MovableCollection = z.enum(['customers', 'transactions', 'virtual_reference_numbers'])
export type MovableCollection = z.infer<typeof MovableCollection>

export const LedgerProof = z.object({
  balanced: z.boolean(),
  checked: z.record(z.string(), z.int()).meta({ description: 'How many of each were looked at' }),
  problems: z.array(z.string()),
})
export type LedgerProof = z.infer<typeof LedgerProof>

const Record = z.record(z.string(), z.unknown())
const nothing = z.strictObject({})

export const methods = {
  'clock.read': method({ summary: 'What time it is', input: nothing, output: Clock }),
  'clock.set': method({
    summary: 'Freeze the clock or let it run; choose the pace of payments',
    input: z.strictObject({ mode: ClockMode.optional(), pace: Pace.optional() }),
    output: Clock,
  }),
  'clock.advance': method({
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
  'records.list': method({
    summary: 'Any collection, with the filters, sorts and pages of its API list',
    input: z.looseObject({
      collection: z.string(),
      program_uid: Uid.optional(),
      limit: z.int().optional(),
      offset: z.int().optional(),
    }),
    output: envelope(Record),
  }),
  'records.get': method({
    summary: 'One record of a collection',
    input: z.strictObject({ collection: z.string(), uid: Uid }),
    output: Record,
  }),
  'moves.list': method({
    summary: 'The moves of a record: the legal ones with their inputs, the others with the reason',
    input: z.strictObject({ collection: MovableCollection, uid: Uid }),
    output: z.object({ moves: z.array(LegalMove) }),
  }),
  'moves.make': method({
    summary: 'Decide what a bank, a network or a compliance officer would decide',
    input: z.strictObject({
      collection: MovableCollection,
      uid: Uid,
      move: z.string(),
      inputs: z.record(z.string(), z.unknown()).optional(),
    }),
    output: Record,
  }),
  'operator.create_customer': method({
    summary: 'Create a Customer in a Program whose Client is the Customer',
    input: z.strictObject({ program_uid: Uid, customer: CreateCustomer }),
    output: Record,
  }),
  'ledger.check': method({
    summary: 'Proves both books from their line items alone, and one book against the other',
    input: nothing,
    output: LedgerProof,
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
    output: ExchangeInFull,
  }),
  'programs.list': method({
    summary: 'The Programs with their keys and settings',
    input: nothing,
    output: z.object({ programs: z.array(Program) }),
  }),
  'programs.create': method({
    summary: "A further Program of the same Client, with the demonstration's products, account types and settings",
    input: z.strictObject({ name: z.string().min(1), ...ProgramSettings.partial().shape }),
    output: Program,
  }),
  'programs.update': method({
    summary: 'Change the settings of a Program; what is left out stays',
    input: z.strictObject({ uid: Uid, name: z.string().min(1).optional(), ...ProgramSettings.partial().shape }),
    output: Program,
  }),
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
  z.object({ type: z.literal('task_failed'), task: Task }),
  z.object({ type: z.literal('world') }).meta({ description: 'Everything may have changed' }),
])
export type Notice = z.infer<typeof Notice>

// ── The client, over any transport ───────────────────────────────────────────────────────────────────────────────

export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ErrorBody }

/** A transport. It knows no method by name. */
export interface Bridge {
  call(name: string, input: unknown): Promise<Reply>
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

export function client(bridge: Bridge): ControlClient {
  const call = (name: MethodName) => async (input: unknown) => {
    const reply = await bridge.call(name, input)
    if (!reply.ok) throw new ControlError(ErrorBodySchema.parse(reply.error))
    return reply.value
  }
  return Object.fromEntries(methodNames.map((name) => [name, call(name)])) as unknown as ControlClient
}
