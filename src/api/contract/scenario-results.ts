import { z } from 'zod'
import { WorldChanges } from './control/changes.ts'
import { Timestamp } from './terms/primitives.ts'

/** The result of a scenario and of its steps, for the window, the command line and its reports. */

/** A position in a scenario file. */
export const Place = z.object({ file: z.string(), line: z.int(), column: z.int() })
export type Place = z.infer<typeof Place>

/** The result of one expectation. */
export const Check = z.object({
  what: z.string().meta({ description: 'As in "status", "body data[0].uid", "balance of …"' }),
  expected: z.unknown(),
  actual: z.unknown().optional().meta({ description: 'Not set if there was no value' }),
  ok: z.boolean(),
  place: Place,
})
export type Check = z.infer<typeof Check>

export const StepKind = z.enum([
  'given',
  'request',
  'inject',
  'advance',
  'decide',
  'operator',
  'together',
  'restart',
  'expect',
])
export type StepKind = z.infer<typeof StepKind>

const Sent = z
  .object({
    method: z.string(),
    path: z.string().meta({ description: 'Below the base path, or the name of a control method' }),
    body: z.string(),
  })
  .nullable()
const Answer = z
  .object({ status: z.int().meta({ description: '0 if the connection was dropped' }), body: z.string() })
  .nullable()

/** One of the requests of `together`. */
export const RequestResult = z.object({
  title: z.string(),
  ok: z.boolean(),
  sent: Sent,
  answer: Answer,
  checks: z.array(Check),
  captured: z.record(z.string(), z.unknown()),
  trouble: z.string().nullable().meta({ description: 'Why it could not be sent' }),
})
export type RequestResult = z.infer<typeof RequestResult>

export const StepResult = z.object({
  index: z.int().meta({ description: 'From 0, including the steps of its setup scenario' }),
  kind: StepKind,
  title: z.string(),
  scenario: z.string().meta({ description: 'The scenario that contains it' }),
  place: Place,
  ok: z.boolean(),
  sent: Sent,
  answer: Answer,
  requests: z.array(RequestResult).optional().meta({ description: 'Of `together`, in the order of the file' }),
  checks: z.array(Check),
  captured: z.record(z.string(), z.unknown()),
  trouble: z
    .string()
    .nullable()
    .meta({ description: 'Why the step could not be executed, or what explains its failed expectations' }),
  from: Timestamp.meta({ description: 'Simulated time before the step' }),
  to: Timestamp.meta({ description: 'Simulated time after the step' }),
  ms: z.number(),
})
export type StepResult = z.infer<typeof StepResult>

/** A mistake of a scenario file. Without line and column: there is no such file. */
export const ScenarioMistake = z.object({
  file: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  message: z.string(),
})
export type ScenarioMistake = z.infer<typeof ScenarioMistake>

export const ScenarioResult = z.object({
  name: z.string(),
  example: z.string().nullable().meta({ description: 'The row of its examples, as in "code: R01"' }),
  file: z.string(),
  line: z.int().optional().meta({ description: 'Of its name, or of its row of examples' }),
  ok: z.boolean(),
  trouble: z.string().nullable().meta({ description: 'Why its world could not be set up' }),
  issues: z.array(ScenarioMistake).optional().meta({ description: 'The mistakes of its file, which was not run' }),
  steps: z.array(StepResult),
  left: z.int().meta({ description: 'Steps that were not run' }),
  ms: z.number(),
  changes: WorldChanges.optional().meta({ description: 'Of a dry run: what differs in its world after it' }),
})
export type ScenarioResult = z.infer<typeof ScenarioResult>
