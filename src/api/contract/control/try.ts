import { z } from 'zod'
import { ErrorBody } from '../error-body.ts'
import { WorldChanges } from './changes.ts'

/** Control calls that are tried in a copy of the world. A request is a call of exchanges.send, an advance one of clock.advance. */

export const ControlCall = z.strictObject({
  method: z.string().meta({ description: 'A control method of a world', examples: ['exchanges.send'] }),
  input: z.unknown().optional(),
})

export const ControlAnswer = z.object({
  method: z.string(),
  output: z.unknown().meta({ description: 'null if it is refused' }),
  refused: ErrorBody.nullable(),
})

export const TryCalls = z.strictObject({
  calls: z.array(ControlCall).min(1).max(100),
  most_tasks: z.int().min(1).max(1_000_000).optional().meta({
    description: 'It ends before it has run more tasks. Default: 10,000',
  }),
})

export const Tried = z.object({
  answers: z.array(ControlAnswer).meta({ description: 'Up to the first call that is refused' }),
  changes: WorldChanges,
})
export type Tried = z.infer<typeof Tried>
