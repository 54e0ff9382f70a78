import { z } from 'zod'
import { ErrorItem } from './terms/error-item.ts'

/** Specification 7: what a refusal says. */
export const ErrorBody = z
  .object({
    errors: z.array(ErrorItem),
    status: z.int(),
  })
  .meta({ id: 'ErrorBody' })
export type ErrorBody = z.infer<typeof ErrorBody>
