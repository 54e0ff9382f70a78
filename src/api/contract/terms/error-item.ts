import { z } from 'zod'
import { Timestamp } from './primitives.ts'

/** One error, of the same form in an error response and inside a resource. */
export const ErrorItem = z.object({
  code: z.int(),
  title: z.string(),
  detail: z.string(),
  occurred_at: Timestamp,
  extra: z.string().optional(),
})
export type ErrorItem = z.infer<typeof ErrorItem>
