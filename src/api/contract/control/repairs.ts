import { z } from 'zod'
import { Uid } from '../terms/primitives.ts'

/** What to change in a refused request, so that it is accepted. */

/** A request as exchanges.send takes it. */
export const OutgoingRequest = z.strictObject({
  program_uid: Uid.optional().meta({ description: 'Default: the first Program' }),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
  path: z.string().meta({ description: 'With the query', examples: ['/customers?limit=1'] }),
  body: z.string().optional().meta({ description: 'JSON' }),
})
export type OutgoingRequest = z.infer<typeof OutgoingRequest>

export const RepairChange = z.object({
  field: z.string().meta({
    description:
      'A field of the body or a parameter of the query by its path, {uid} for the uid in the path, a header by its name; method, path or body for all of it',
    examples: ['usd_transfer_amount'],
  }),
  before: z.unknown().meta({ description: 'null if the request lacks it' }),
  after: z.unknown().meta({ description: 'null if it is left out' }),
})

export const Repair = z.object({
  say: z.string().meta({ description: 'The change in one line', examples: ['Send at most 99,416.67'] }),
  change: z.array(RepairChange).meta({ description: 'Empty if it is accepted unchanged' }),
  advance: z
    .string()
    .optional()
    .meta({
      description: 'An amount of time for clock.advance: the request is accepted after it',
      examples: ['1 business day'],
    }),
  request: OutgoingRequest.meta({ description: 'The changed request, as exchanges.send takes it' }),
})
export type Repair = z.infer<typeof Repair>

export const Repairs = z.object({
  repairs: z
    .array(Repair)
    .meta({ description: 'Each was tried and is accepted; the smallest change first, at most 5' }),
  none: z.string().nullable().meta({ description: 'Why there is none' }),
  tried: z.int().meta({ description: 'How many changed requests were tried' }),
})
export type Repairs = z.infer<typeof Repairs>
