import { z } from 'zod'
import { Timestamp } from './terms/primitives.ts'

/** What came of a scenario and of its steps, for the window, the command line and its reports. */

/** Where something stands in a scenario's file. */
export const Place = z.object({ file: z.string(), line: z.int(), column: z.int() })
export type Place = z.infer<typeof Place>

/** One expectation, met or not. */
export const Check = z.object({
  what: z.string().meta({ description: 'As in "status", "body data[0].uid", "balance of …"' }),
  expected: z.unknown(),
  actual: z.unknown().optional().meta({ description: 'Left out when there was none' }),
  ok: z.boolean(),
  place: Place,
})
export type Check = z.infer<typeof Check>

export const StepKind = z.enum(['given', 'request', 'inject', 'advance', 'decide', 'operator', 'expect'])
export type StepKind = z.infer<typeof StepKind>

export const StepResult = z.object({
  index: z.int().meta({ description: 'From 0, with the steps that the scenario begins with' }),
  kind: StepKind,
  title: z.string(),
  scenario: z.string().meta({ description: 'The scenario that it stands in' }),
  place: Place,
  ok: z.boolean(),
  sent: z
    .object({
      method: z.string(),
      path: z.string().meta({ description: 'Below the base path, or the name of a control method' }),
      body: z.string(),
    })
    .nullable(),
  answer: z
    .object({ status: z.int().meta({ description: '0 when the connection was dropped' }), body: z.string() })
    .nullable(),
  checks: z.array(Check),
  captured: z.record(z.string(), z.unknown()),
  trouble: z.string().nullable().meta({ description: 'Why it could not be done at all' }),
  from: Timestamp.meta({ description: 'Simulated time before it' }),
  to: Timestamp.meta({ description: 'Simulated time after it' }),
  ms: z.number(),
})
export type StepResult = z.infer<typeof StepResult>

export const ScenarioResult = z.object({
  name: z.string(),
  example: z.string().nullable().meta({ description: 'The row of its table, as in "code: R01"' }),
  file: z.string(),
  ok: z.boolean(),
  trouble: z.string().nullable().meta({ description: 'Why its world could not begin' }),
  steps: z.array(StepResult),
  left: z.int().meta({ description: 'Steps that were not run any more' }),
  ms: z.number(),
})
export type ScenarioResult = z.infer<typeof ScenarioResult>
