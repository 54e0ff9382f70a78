import { z } from 'zod'

/** What `describe` says of a name. */

export const describedKinds = [
  ...(['operation', 'method', 'resource', 'event', 'error', 'machine', 'state'] as const),
  ...(['setting', 'task', 'step', 'command', 'option'] as const),
] as const
export type DescribedKind = (typeof describedKinds)[number]

const Named = z.object({ name: z.string(), summary: z.string() })
export type Named = z.infer<typeof Named>

export const Description = z.object({
  kind: z.enum([...describedKinds, 'map']),
  name: z.string().meta({ description: 'The name by which it is found again' }),
  text: z.string().meta({ description: 'At most 2,400 characters' }),
  see: z.array(z.string()).meta({ description: 'Names to describe next' }),
  map: z
    .array(z.object({ kind: z.enum(describedKinds), names: z.array(Named) }))
    .optional()
    .meta({ description: 'Every name; only without a name' }),
})
export type Description = z.infer<typeof Description>
