import { z } from 'zod'
import { Uid } from '../terms/primitives.ts'

/** What the platform's hosted sandbox would refuse, or do in another way (`contract/hosted.ts`). */
export const MigrationFinding = z.object({
  rule: z.string().meta({ examples: ['no-customers'] }),
  published: z.string().meta({ description: 'The sentence of its public documents' }),
  of: z.enum(['requests', 'actions']).meta({ description: 'Requests to the API, or actions of the control API' }),
  count: z.int(),
  first: Uid.meta({ description: 'The number of the first in the log' }),
  last: Uid,
  there: z.string().meta({ description: 'What would happen there' }),
  todo: z.string().meta({ description: 'What to do' }),
})
export type MigrationFinding = z.infer<typeof MigrationFinding>

export const MigrationReport = z.object({
  findings: z.array(MigrationFinding),
  requests: z
    .int()
    .meta({ description: 'How many requests were judged: all that the log has, but those without a valid token' }),
  actions: z.int(),
  log_complete: z.boolean().meta({ description: 'false: the log no longer has its oldest requests' }),
})
export type MigrationReport = z.infer<typeof MigrationReport>
