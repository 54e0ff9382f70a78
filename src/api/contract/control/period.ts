import { z } from 'zod'

/** A period that ends now, in simulated time. */
export const Period = z.enum(['hour', 'day', 'week', 'month', 'all'])
export type Period = z.infer<typeof Period>
