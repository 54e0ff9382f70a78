import { z } from 'zod'
import { ClockMode, Pace } from './control/clock.ts'
import { Fault } from './control/faults.ts'
import { WorldKind } from './control/worlds.ts'
import { ProgramChanges } from './resources/programs.ts'
import { valueAt } from './terms/at-path.ts'
import { webhookEventNames, webhookTopics } from './webhooks.ts'

/**
 * The format of scenario files. `docs/scenarios.md` describes it; `api/scenarios/` reads and runs them. All objects are
 * strict, so that an unknown key is refused instead of ignored.
 */

/**
 * The first line of a scenario file, which tells editors its schema. A sandbox on the default port answers there while it runs.
 */
export const SCHEMA_LINE = '# yaml-language-server: $schema=http://127.0.0.1:4010/scenario.schema.json'
/** The same in a file of the library, which has the schema beside its folder. */
export const LIBRARY_SCHEMA_LINE = '# yaml-language-server: $schema=../scenario.schema.json'

/** Letters, digits and underscores, not beginning with a digit, so that `$10` is an amount and not a variable. */
const VARIABLE_NAME = /^[A-Za-z_]\w*$/

/** Aborts on a mismatch, so that a union continues with its next option. */
const pattern = (regex: RegExp) => z.string().regex(regex, { abort: true })
const Variable = pattern(/^\$(\w+|\{[^{}]+\})$/)
const orVariable = <S extends z.ZodType>(schema: S, error: string) => z.union([schema, Variable], { error })

const VariableName = z
  .string()
  .regex(VARIABLE_NAME, {
    error: 'a name of letters, digits and underscores that does not begin with a digit is expected',
  })
  .meta({ id: 'VariableName', not: { enum: ['program', 'now', 'today'] } })
const Value = z.unknown()
/** `scenario-schema.ts` replaces it by a schema that knows the matchers. */
const Expected = z
  .unknown()
  .meta({ id: 'Expected', description: 'A value, an object of fields, a list, or a matcher such as { is: present }' })
const Fields = z.record(z.string(), Expected)

/** The keys of a matcher. An object with only these keys is a matcher. */
export const matcherNames = ['is', 'matches', 'one_of', 'contains', 'not', 'count', 'at_least', 'at_most'] as const
export type MatcherName = (typeof matcherNames)[number]

export const isWords = ['present', 'absent', 'null', 'uid', 'time', 'date', 'amount', 'text', 'number', 'list'] as const
export type IsWord = (typeof isWords)[number]

const Matcher = z.partialRecord(z.enum(matcherNames), z.unknown()).meta({ id: 'Matcher' })

// ── Setup of the world ───────────────────────────────────────────────────────────────────────────────────────────

export const ScenarioSetup = z
  .strictObject({
    scenario: z.string().min(1).optional().meta({
      description: 'Begin with the steps and variables of this one: a file in the same folder, or of the library',
    }),
    world: WorldKind.optional().meta({
      description: 'empty: one Program without Customers; demo: with a month of history. Default: empty',
    }),
    seed: z.string().min(1).max(200).optional().meta({
      description: 'The same seed, start and steps give the same uids. Default: sandbank',
    }),
    start: z.iso
      .datetime({ offset: true, error: 'an ISO 8601 instant is expected, such as 2026-11-23T15:00:00Z' })
      .optional()
      .meta({ description: 'First instant of the world. Default: 2026-11-23T15:00:00Z, a Monday, 10:00 in New York' }),
    clock: ClockMode.optional().meta({ description: 'Whether its time passes by itself. Default: frozen' }),
    pace: Pace.optional().meta({
      description: 'fast: payments take seconds; real: they follow the banking calendar. Default: fast',
    }),
    program: z.strictObject(ProgramChanges.shape).optional().meta({ description: 'Settings of the first Program' }),
    programs: z
      .array(
        z.strictObject({ name: z.string().min(1).meta({ description: 'For `as` in steps' }), ...ProgramChanges.shape }),
      )
      .optional()
      .meta({ description: 'Further Programs' }),
    faults: z.array(Fault).max(100).optional().meta({ description: 'Faults for requests, as input of faults.set' }),
  })
  .meta({ id: 'ScenarioGiven', description: 'Setup of the world. All keys are optional' })
export type ScenarioSetup = z.infer<typeof ScenarioSetup>

// ── Steps ────────────────────────────────────────────────────────────────────────────────────────────────────────

const Status = z.union([z.int().min(100).max(599), z.literal('dropped'), Variable, Matcher], {
  error: 'a status from 100 to 599, dropped, a variable or a matcher is expected',
})

export const ExpectedAnswer = z
  .strictObject({
    status: Status.optional().meta({
      description: 'Default: 2xx, unless one of the next four keys expects an error',
    }),
    code: Expected.optional().meta({ description: 'The code of the first error' }),
    title: Expected.optional().meta({ description: 'The title of the first error' }),
    detail: Expected.optional().meta({ description: 'The detail of the first error' }),
    extra: Expected.optional().meta({ description: 'The extra of the first error' }),
    headers: Fields.optional().meta({ description: 'By name, in any case' }),
    body: Fields.nullable().optional().meta({ description: 'Paths with the expected values; null: no body' }),
  })
  .meta({ id: 'ExpectedAnswer' })
export type ExpectedAnswer = z.infer<typeof ExpectedAnswer>

const title = { name: z.string().min(1).optional().meta({ description: 'A title for reports' }) }
const outcome = {
  expect: ExpectedAnswer.optional().meta({ description: 'What the response must be. Default: a success' }),
  capture: z
    .record(VariableName, z.string())
    .optional()
    .meta({ description: 'Variables with the paths of the response that they get their values from' }),
}
const sender = {
  as: z.string().min(1).optional().meta({ description: 'Name of the Program. Default: the first' }),
}
const requestOptions = {
  ...sender,
  token: z.string().min(1).optional().meta({
    description: 'none, bad, or the value of the header. Default: a valid one, for POST /auth a signed refresh token',
  }),
  trace: z.string().nullable().optional().meta({ description: 'Default: a new one; null sends none' }),
  headers: z.record(z.string(), z.string().nullable()).optional().meta({ description: 'null removes a header' }),
}

const RequestStep = z
  .strictObject({
    request: z
      .string()
      .regex(/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/[\x21-\x7e]*$/, {
        error: 'a method and a path are expected, as in POST /customers',
      })
      .meta({ description: 'Send a request: the method, and the path without /api/v1' }),
    ...title,
    ...requestOptions,
    query: z.record(z.string(), Value).optional().meta({ description: 'A list is repeated as name[]' }),
    body: Value.optional().meta({ description: 'JSON' }),
    form: z.record(z.string(), Value).optional().meta({ description: 'x-www-form-urlencoded' }),
    raw: z.string().optional().meta({ description: 'The bytes themselves' }),
    ...outcome,
  })
  .refine(({ body, form, raw }) => [body, form, raw].filter((part) => part !== undefined).length <= 1, {
    error: 'at most one of body, form and raw is expected',
  })
  .meta({
    id: 'RequestStep',
    description: 'Sends a request to the API',
    not: { anyOf: [{ required: ['body', 'form'] }, { required: ['body', 'raw'] }, { required: ['form', 'raw'] }] },
  })

const InjectStep = z
  .strictObject({
    inject: z.record(z.string(), Value).meta({
      description: 'Simulate a payment from outside: the body of POST /sandbox/mock_transactions',
    }),
    ...title,
    ...requestOptions,
    ...outcome,
  })
  .meta({ id: 'InjectStep', description: 'Simulates a payment from outside' })

/** `scenario-schema.ts` adds the names of the collections. */
const RecordKey = z
  .string()
  .regex(/^[^/\s]+\/[^/\s]+$/, { error: 'a record is expected, as in customers/$customer' })
  .meta({ id: 'RecordKey' })

const UNTIL_EXPECTED = 'records with their statuses are expected, as in { transfers/$transfer: settled }'
const UntilStates = z
  .record(RecordKey, Expected)
  .refine((states) => Object.keys(states).length > 0, { error: UNTIL_EXPECTED })
  .meta({ description: 'Run task after task until these records have these statuses' })

const AdvanceStep = z
  .strictObject({
    advance: z
      .union(
        [
          z.string().meta({ examples: ['1 hour', 'PT24H', '8 business days', 'next', 'idle', 'monday 9:00'] }),
          z.strictObject({
            by: z.string().meta({ description: 'An ISO 8601 duration, such as PT24H' }),
          }),
          z.strictObject({
            to: z.string().meta({ description: 'An instant, such as 2026-11-24T15:00:00Z' }),
          }),
          z.strictObject({
            business_days: orVariable(z.int().meta({ minimum: 1 }), 'a whole number').meta({
              description: 'To the same time of day in New York, so many banking days later',
            }),
          }),
          z.strictObject({
            until: z.union([z.string(), UntilStates], { error: UNTIL_EXPECTED }).meta({
              description: 'next, idle, or records with the statuses to wait for',
            }),
          }),
        ],
        {
          error:
            'an amount of time such as PT24H, 8 business days, next or idle, { to: 2026-11-24T15:00:00Z }, { business_days: 2 } or { until: { transfers/$transfer: settled } } is expected',
        },
      )
      .meta({
        description:
          'Advance the clock and run everything due: an amount of time, such as 24h, 8 business days or monday 9:00 in New York, next (the next task), idle (until nothing is scheduled)',
      }),
    ...title,
    ...outcome,
  })
  .meta({ id: 'AdvanceStep', description: 'Advances the clock and runs everything due' })

const DecideStep = z
  .strictObject({
    decide: z
      .strictObject({
        record: z
          .string()
          .regex(/^[^/\s]+\/[^/\s]+$/, { error: 'a record is expected, as in transactions/$transaction' })
          .meta({ description: 'collection/uid, such as transactions/$transaction' }),
        move: z.string().min(1).meta({ description: 'The decision, such as settle' }),
        inputs: z.record(z.string(), Value).optional().meta({ description: 'What the decision needs, by name' }),
      })
      .meta({ description: 'Decide as a bank, a network or a compliance officer does (moves.make)' }),
    ...title,
    ...outcome,
  })
  .meta({ id: 'DecideStep', description: 'Makes a decision of a bank, a network or a compliance officer' })

const OperatorStep = z
  .strictObject({
    operator: z
      .strictObject({
        call: z.string().min(1).meta({ description: 'The name of the method, such as clock.set' }),
        input: Value.optional().meta({ description: 'Its input' }),
      })
      .meta({ description: 'Call a method of the control API' }),
    ...title,
    ...outcome,
  })
  .meta({ id: 'OperatorStep', description: 'Calls a method of the control API' })

const eventNames = [...webhookTopics, ...webhookEventNames] as const
export const EVENT_EXPECTED = `one of ${eventNames.join(', ')} is expected`

export const ExpectedEvent = z
  .strictObject({
    event: orVariable(z.enum(eventNames), EVENT_EXPECTED).meta({
      description: 'A topic, such as transfers, or an event, such as transfers.status_change',
    }),
    details: Fields.optional().meta({ description: 'Paths of its details with the expected values' }),
    times: z
      .union([z.int().min(0), Variable, Matcher], { error: 'a whole number, a variable or a matcher is expected' })
      .optional()
      .meta({
        description: 'How many such events there are. 0: there is none. Default: one or more, of which one is taken',
      }),
    in_order: z.boolean().optional().meta({
      description: 'Whether it came after the events of the entry before. Default: false',
    }),
    delivered: z.boolean().optional().meta({
      description: 'true: each webhook that it was sent to has accepted it. false: none has',
    }),
  })
  .refine(({ times, delivered }) => times !== 0 || delivered === undefined, {
    error: 'delivered or times: 0 is expected',
  })
  .meta({
    id: 'ExpectedEvent',
    description: 'An event that webhooks tell of',
    not: { properties: { times: { const: 0 } }, required: ['times', 'delivered'] },
  })
export type ExpectedEvent = z.infer<typeof ExpectedEvent>

export const ExpectStep = z
  .strictObject({
    expect: z
      .strictObject({
        balances: z
          .record(
            z.string(),
            z.union(
              [
                z.string(),
                z.null(),
                z.strictObject({
                  balance: Expected.optional().meta({ description: 'The settled balance' }),
                  pending: Expected.optional().meta({ description: 'The balance of pending payments' }),
                  available: Expected.optional().meta({ description: 'What can be spent' }),
                  closing: Expected.optional().meta({ description: 'The balance at the last close of day' }),
                }),
                Matcher,
              ],
              {
                error:
                  'an amount in quotes such as "10.00", or some of balance, pending, available and closing is expected',
              },
            ),
          )
          .optional()
          .meta({ description: 'Of Synthetic Accounts, by uid' }),
        records: z.record(RecordKey, Fields).optional().meta({ description: 'Fields of records, by collection/uid' }),
        states: z
          .record(RecordKey, Expected)
          .optional()
          .meta({ description: 'The status of records, by collection/uid' }),
        counts: z
          .record(z.string().regex(/^\/[\x21-\x7e]*$/, { error: 'a path is expected, as in /customers' }), Expected)
          .optional()
          .meta({ description: 'The total_count of lists, by path' }),
        events: z.array(ExpectedEvent).min(1).optional().meta({
          description: 'Events of webhooks that no earlier expectation of the run has taken',
        }),
        ledger: z.literal('balanced').optional().meta({ description: 'Both books are proved from their line items' }),
        clock: Fields.optional().meta({ description: 'Fields of clock.read' }),
      })
      .meta({ description: 'Check the world; changes nothing' }),
    ...title,
    ...sender,
  })
  .meta({ id: 'ExpectStep', description: 'Checks the world and changes nothing' })

const times = orVariable(z.int().min(1), 'a whole number from 1 on is expected, or a column of examples')
const indexVariable = {
  index: VariableName.optional().meta({ description: 'A variable that counts from 1' }),
}

/** Assumed (invented): at most 100 requests are sent at once. */
export const MAX_TOGETHER = 100

const TogetherStep = z
  .strictObject({
    together: z
      .array(z.union([RequestStep, InjectStep]))
      .min(1)
      .meta({ description: 'Send these requests at the same time' }),
    times: times.optional().meta({ description: 'Send each of them so many times. Default: 1' }),
    ...indexVariable,
    ...title,
    expect: z
      .strictObject({
        statuses: z
          .record(
            z.string().regex(/^([1-5]\d\d|dropped)$/, { error: 'a status from 100 to 599 or dropped is expected' }),
            Expected,
          )
          .meta({ description: 'How many responses have each status; there must be no others' }),
      })
      .optional()
      .meta({ description: 'Of all responses together' }),
  })
  .meta({ id: 'TogetherStep', description: 'Sends several requests at the same time' })

const RestartStep = z
  .strictObject({
    restart: z
      .literal(true, { error: 'true is expected' })
      .meta({ description: 'Close the sandbox and open it again' }),
    ...title,
  })
  .meta({ id: 'RestartStep', description: 'Closes and reopens the sandbox' })

/** The steps that can be repeated, by the key that defines their kind. */
const plainSteps = {
  request: RequestStep,
  inject: InjectStep,
  advance: AdvanceStep,
  decide: DecideStep,
  operator: OperatorStep,
  together: TogetherStep,
  restart: RestartStep,
  expect: ExpectStep,
} as const

const PlainStep = z.union([
  RequestStep,
  InjectStep,
  AdvanceStep,
  DecideStep,
  OperatorStep,
  TogetherStep,
  RestartStep,
  ExpectStep,
])
export type PlainStep = z.infer<typeof PlainStep>

const RepeatStep = z
  .strictObject({
    repeat: times.meta({ description: 'Run these steps so many times' }),
    ...indexVariable,
    ...title,
    steps: z.array(PlainStep).min(1).meta({ description: 'The steps; any but repeat' }),
  })
  .meta({ id: 'RepeatStep', description: 'Runs steps several times' })

/** The key that defines the kind of a step. Other steps can have `expect`, too. */
export const steps = { ...plainSteps, repeat: RepeatStep } as const
export type StepName = keyof typeof steps
const stepNames = Object.keys(steps) as StepName[]
const plainStepNames = stepNames.filter((name) => name !== 'repeat')

export const Step = z.union([PlainStep, RepeatStep]).meta({ id: 'ScenarioStep' })
export type Step = z.infer<typeof Step>

export const Scenario = z
  .strictObject({
    name: z.string().min(1).max(200).meta({ description: 'The title of the scenario' }),
    teaches: z.string().min(1).optional().meta({ description: 'What it shows, in one sentence' }),
    given: ScenarioSetup.optional().meta({ description: 'How its world starts. All keys are optional' }),
    examples: z
      .array(z.record(VariableName, Value))
      .min(1)
      .optional()
      .meta({ description: 'One run for each row; the columns are variables' }),
    steps: z.array(Step).min(1).meta({ description: 'The steps, in order. The first failed step ends the run' }),
    $schema: z.string().optional().meta({ description: 'The address of this schema, for editors' }),
  })
  .meta({
    id: 'Scenario',
    description: 'A test in a file: how the world starts, which steps run, and what must be true afterwards',
  })
export type Scenario = z.infer<typeof Scenario>

/** The kind of a step; undefined if it has no key of a kind, or several. */
export function stepNameOf(step: object): StepName | undefined {
  const named = stepNames.filter((name) => name !== 'expect' && Object.hasOwn(step, name))
  if (named.length === 0 && Object.hasOwn(step, 'expect')) return 'expect'
  return named.length === 1 ? named[0] : undefined
}

// ── Validation ───────────────────────────────────────────────────────────────────────────────────────────────────

export type Path = readonly (string | number)[]

/** `key`: the key is wrong, not its value. */
export interface ScenarioIssue {
  readonly path: Path
  readonly key?: true
  readonly message: string
  readonly isUnknownVariable?: true
}

/** The scenario in a value from a file, or its issues. */
export function parseScenario(
  value: unknown,
): { readonly scenario: Scenario } | { readonly mistakes: readonly ScenarioIssue[] } {
  const parsed = Scenario.safeParse(value, PARSE_OPTIONS)
  if (parsed.success) return { scenario: parsed.data }
  return { mistakes: listIssues(parsed.error.issues, value) }
}

/** The same for a `given`, with its variables replaced by values. */
export function parseGiven(
  value: unknown,
): { readonly given: ScenarioSetup } | { readonly mistakes: readonly ScenarioIssue[] } {
  const parsed = ScenarioSetup.safeParse(value, PARSE_OPTIONS)
  if (parsed.success) return { given: parsed.data }
  return { mistakes: listIssues(parsed.error.issues, value) }
}

/** The issues of a part of a scenario, such as the input of a method. */
export function findIssues(schema: z.ZodType, value: unknown): readonly ScenarioIssue[] {
  const parsed = schema.safeParse(value, PARSE_OPTIONS)
  return parsed.success ? [] : listIssues(parsed.error.issues, value)
}

/** The error for an unknown key lists the known keys. */
const PARSE_OPTIONS: z.core.ParseContext<z.core.$ZodIssue> = {
  error: ({ code, inst, input }) => {
    if (code !== 'unrecognized_keys') return undefined
    const names = inst instanceof z.ZodObject ? Object.keys(inst.shape as object) : matcherNames
    return `${oneOf(listMissing(names, input))} is expected`
  },
}
const oneOf = (names: readonly unknown[]) => (names.length === 1 ? String(names[0]) : `one of ${names.join(', ')}`)
/** The names that the input does not have yet; all of them if it has all. */
const listMissing = (names: readonly string[], input: unknown) => {
  const left = names.filter((name) => !Object.hasOwn((input ?? {}) as object, name))
  return left.length > 0 ? left : names
}

type Issue = z.core.$ZodIssue

function listIssues(issues: readonly Issue[], value: unknown): ScenarioIssue[] {
  const ofStep = ({ path }: Issue) => (path[0] === 'steps' && typeof path[1] === 'number' ? path[1] : undefined)
  const steps = [...new Set(issues.map(ofStep).filter((n) => n !== undefined))]
  return [
    ...issues
      .filter((issue) => ofStep(issue) === undefined)
      .flatMap((issue) => describeIssue(issue, issue.path as Path, valueAt(value, issue.path as Path))),
    ...steps.flatMap((n) => listIssuesOfStep(['steps', n], valueAt(value, ['steps', n]))),
  ]
}

/** The steps inside of a step, and the kinds that they may be. */
const innerSteps: Readonly<Partial<Record<StepName, { readonly key: string; readonly names: readonly StepName[] }>>> = {
  repeat: { key: 'steps', names: plainStepNames },
  together: { key: 'together', names: ['request', 'inject'] },
}

/** Issues of the kind of step that its key says, instead of those of every kind. */
function listIssuesOfStep(path: Path, step: unknown, names: readonly StepName[] = stepNames): ScenarioIssue[] {
  if (typeof step !== 'object' || step === null || Array.isArray(step))
    return [{ path, message: `a step is expected, with one of ${names.join(', ')}; found ${abbreviate(step)}` }]
  const name = stepNameOf(step)
  if (name === undefined || !names.includes(name)) {
    const named = stepNames.filter((known) => known !== 'expect' && Object.hasOwn(step, known))
    const found = named.length > 0 ? named : Object.keys(step)
    return [
      {
        path: named.length > 1 ? [...path, named[1]!] : found[0] === undefined ? path : [...path, found[0]],
        ...(found[0] === undefined ? {} : { key: true as const }),
        message: `exactly one of ${names.join(', ')} is expected in a step; found ${found.join(' and ') || 'nothing'}`,
      },
    ]
  }
  const parsed = steps[name].safeParse(step, PARSE_OPTIONS)
  if (parsed.success) return []
  const inner = innerSteps[name]
  const indexOf = ({ path: inside }: Issue) =>
    inside[0] === inner?.key && typeof inside[1] === 'number' ? inside[1] : undefined
  const invalid = [...new Set(parsed.error.issues.map(indexOf).filter((n) => n !== undefined))]
  const ofInner = invalid.flatMap((n) =>
    listIssuesOfStep([...path, inner!.key, n], valueAt(step, [inner!.key, n]), inner!.names),
  )
  const own = parsed.error.issues.filter((issue) => indexOf(issue) === undefined)
  const ofStep = own.flatMap((issue) => {
    const inside = issue.path as (string | number)[]
    return describeIssue(issue, [...path, ...inside], valueAt(step, inside))
  })
  return [...ofStep, ...ofInner]
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function describeIssue(issue: Issue, path: Path, found: unknown): ScenarioIssue[] {
  const is = found === undefined ? 'it is missing' : `found ${abbreviate(found)}`
  const own = issue.message.endsWith('expected') ? issue.message : undefined
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        key: true as const,
        message: `there is no "${key}" here${own ? `; ${own}` : ''}`,
      }))
    case 'invalid_key':
      return [
        {
          path,
          key: true,
          message: `${issue.issues[0]?.message ?? 'another key is expected'}; found "${String(path.at(-1))}"`,
        },
      ]
    case 'invalid_type':
      return [{ path, message: `${own ?? `${EXPECTED[issue.expected] ?? issue.expected} is expected`}; ${is}` }]
    case 'invalid_value':
      return [{ path, message: `${own ?? `${oneOf(issue.values)} is expected`}; ${is}` }]
    case 'too_small':
      if (issue.origin === 'array' || (issue.origin === 'string' && issue.minimum === 1))
        return [{ path, message: `at least one ${issue.origin === 'array' ? 'item' : 'character'} is expected; ${is}` }]
      return [{ path, message: `${String(issue.minimum)} or more is expected; ${is}` }]
    case 'too_big':
      return [{ path, message: `at most ${String(issue.maximum)} is expected; ${is}` }]
    case 'invalid_union': {
      if (own) return [{ path, message: `${own}; ${is}` }]
      const [first] = issue.errors.flat()
      return first
        ? describeIssue(first, [...path, ...(first.path as (string | number)[])], found)
        : [{ path, message: is }]
    }
    default:
      return [{ path, message: own ? `${own}; ${is}` : `${issue.message}; ${is}` }]
  }
}

const MAX_LENGTH = 60

function abbreviate(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
