import { z } from 'zod'

export const LegalMove = z.object({
  move: z.string(),
  to: z.string(),
  legal: z.boolean(),
  why_not: z.string().nullable(),
  inputs: z.array(
    z.object({ name: z.string(), required: z.boolean(), values: z.array(z.string()).readonly().optional() }),
  ),
})
export type LegalMove = z.infer<typeof LegalMove>
