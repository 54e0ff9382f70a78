import { z } from 'zod'
import { ErrorItem } from './terms/error-item.ts'

/** The body of an error response (specification section 7). */
export const ErrorBody = z
  .object({
    errors: z.array(ErrorItem),
    status: z.int(),
  })
  .meta({ id: 'ErrorBody' })
export type ErrorBody = z.infer<typeof ErrorBody>
