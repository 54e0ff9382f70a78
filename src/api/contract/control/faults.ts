import { z } from 'zod'
import { errorKeyOf } from '../errors.ts'
import { Timestamp } from '../terms/primitives.ts'
import { isOneLine, NOT_ONE_LINE } from '../terms/texts.ts'

export const FaultKind = z.enum([
  'latency',
  'status',
  'drop_before_commit',
  'drop_after_commit',
  'rate_limit',
  'slow_body',
])
export type FaultKind = z.infer<typeof FaultKind>

/** A fault to inject: into which requests, of what kind, how often. */
export const Fault = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional().meta({ description: 'Without it: any method' }),
  path: z
    .string()
    .refine(isOneLine, NOT_ONE_LINE)
    .optional()
    .meta({
      description: 'As in the specification; `*` matches the rest. Without it: any path',
      examples: ['/customers/{uid}'],
    }),
  kind: FaultKind.meta({ description: 'What happens to the request' }),
  times: z.int().min(1).optional().meta({ description: 'Ends after this many requests. Without it: never' }),
  until: Timestamp.optional().meta({ description: 'Ends at this simulated time' }),
  rate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Share of the matching requests; the seed decides which. Default 1' }),
  ms: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta({ description: 'The latency, or the pauses of a slow body. Default 1000' }),
  jitter_ms: z.int().min(0).max(60_000).optional().meta({ description: 'Adds a random latency of at most this much' }),
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .meta({ description: 'For kind status. Default: that of the code, or 500' }),
  code: z
    .int()
    .refine((code) => errorKeyOf(code) !== undefined, {
      error: 'a code of the error catalog is expected, such as 6008',
    })
    .optional()
    .meta({ description: 'For kind status: an error of the platform, with its status, title and detail' }),
  body: z.unknown().optional().meta({ description: 'For kind status: replaces the error body' }),
  per_minute: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'For kind rate_limit: requests that pass per minute. Default 60' }),
})
export type Fault = z.infer<typeof Fault>

export const Faults = z.object({
  faults: z.array(Fault.extend({ met: z.int().meta({ description: 'Requests it was applied to so far' }) })),
})
export type Faults = z.infer<typeof Faults>
