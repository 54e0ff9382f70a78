import { z } from 'zod'
import { Uid } from '../terms/primitives.ts'
import { ControlCall } from './try.ts'

export const ReachInput = z.strictObject({
  goal: z
    .string()
    .min(1)
    .max(1_000)
    .meta({
      description:
        'COLLECTION=STATE, error=CODE or event=NAME, and what the record must be: code=R10, type=ach, customer=EMAIL, account=UID, uid=UID, program=NAME',
      examples: ['transactions=returned code=R10'],
    }),
  apply: z.boolean().optional().meta({ description: 'Takes the steps in the world. Default: false, nothing changes' }),
  scenario: z.string().min(1).max(200).optional().meta({ description: 'Writes them as a scenario with this name' }),
})

export const ReachStep = ControlCall.extend({
  text: z.string().meta({ description: 'What it does', examples: ['POST /customers: create a Customer'] }),
})

export const ReachedRecord = z.object({ collection: z.string(), uid: Uid })

export const Reached = z.object({
  goal: z.string(),
  steps: z.array(ReachStep).meta({
    description:
      'In this order; none if the world is so already. worlds.try and the world itself take them as they are',
  }),
  record: ReachedRecord.nullable().meta({
    description: 'The record that is in the state, or whose change is the event',
  }),
  ends_at: z.string().meta({ description: 'The simulated time after the steps' }),
  applied: z.boolean(),
  operation: z.int().nullable().meta({ description: 'The operation to undo, if they were applied' }),
  scenario: z.string().nullable(),
})
export type Reached = z.infer<typeof Reached>
