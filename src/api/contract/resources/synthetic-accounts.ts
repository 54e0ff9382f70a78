import { z } from 'zod'
import { Uid } from '../terms/primitives.ts'

export const SyntheticAccountCategory = z.enum(['general', 'ach_external', 'instant_payment_external', 'wire_external'])

export const SyntheticAccountType = z
  .object({
    uid: Uid,
    name: z.string(),
    description: z.string(),
    program_uid: Uid,
    synthetic_account_category: SyntheticAccountCategory,
  })
  .meta({ id: 'SyntheticAccountType' })
export type SyntheticAccountType = z.infer<typeof SyntheticAccountType>
