import { z } from 'zod'
import { Money, Timestamp } from '../terms/primitives.ts'

/** Requests, refusals and settled money over time. */
export const Pulse = z.object({
  from: Timestamp,
  until: Timestamp.meta({ description: 'Now; it belongs to the last step' }),
  step_ms: z.number().meta({ description: 'Length of a step' }),
  requests: z
    .array(z.object({ at: Timestamp, total: z.int(), refused: z.int() }))
    .meta({ description: 'One for each step, by its start' }),
  rails: z
    .array(
      z.object({
        rail: z.string(),
        payments: z.int(),
        us_dollar_amount: Money.meta({ description: 'Settled in the period' }),
        steps: z.array(Money).meta({ description: 'One for each step' }),
      }),
    )
    .meta({ description: 'The rails on which payments settled' }),
  errors: z
    .array(
      z.object({
        code: z.int().nullable(),
        status: z.int(),
        endpoint: z.string().nullable().meta({ description: 'null when no route matched' }),
        requests: z.int(),
        newest: z.string().meta({ description: 'Exchange uid' }),
      }),
    )
    .meta({ description: 'Refused requests by code and endpoint, the most frequent first' }),
  log_complete: z
    .boolean()
    .meta({ description: 'The request log still has every request of a caller with a token of this world' }),
})
export type Pulse = z.infer<typeof Pulse>
