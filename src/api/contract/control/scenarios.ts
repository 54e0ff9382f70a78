import { z } from 'zod'
import { ScenarioResult, StepKind } from '../scenario-results.ts'

export const ScenarioName = z
  .string()
  .regex(/^\w[\w.-]{0,99}$/, { error: 'a name is 1 to 100 letters, digits, dots and dashes' })

export const ScenarioInfo = z.object({
  name: z.string().meta({ description: 'Name of its file, without the extension' }),
  title: z.string(),
  teaches: z.string().nullable(),
  own: z.boolean().meta({ description: 'Your own; false for one of the library' }),
  examples: z.array(z.string()).meta({ description: 'The rows of its table' }),
  steps: z.int(),
  adds: z.boolean().meta({ description: 'It can go on in the current world, with reset: false' }),
  trouble: z.string().nullable().meta({ description: 'Why it cannot be run, with line and column' }),
})
export type ScenarioInfo = z.infer<typeof ScenarioInfo>

/** The world that a scenario runs in: a temporary one, or the current one. */
export const ScenarioInto = z.enum(['scratch', 'present'])
export type ScenarioInto = z.infer<typeof ScenarioInto>

export const ScenarioRun = z.object({
  name: z.string().nullable().meta({ description: 'null when the text was given' }),
  title: z.string(),
  example: z.int(),
  into: ScenarioInto,
  state: z.enum(['running', 'paused', 'passed', 'failed']),
  at: z.int().meta({ description: 'The next step, from 0' }),
  steps: z.array(z.object({ kind: StepKind, title: z.string(), scenario: z.string(), line: z.int() })),
  operation: z.int().nullable().meta({ description: 'For operations.undo; null for a temporary world' }),
  world: z.string().nullable().meta({ description: 'The named world that stays' }),
  result: ScenarioResult,
})
export type ScenarioRun = z.infer<typeof ScenarioRun>
