import { z } from 'zod'
import { describedKinds } from '../describe/key.ts'

/** What `describe` says of a name. */

export const DescribedName = z.object({ name: z.string(), summary: z.string() })
export type DescribedName = z.infer<typeof DescribedName>

export const DescribedNames = z.object({ kind: z.enum(describedKinds), names: z.array(DescribedName) })

export const Description = z.object({
  kind: z.enum([...describedKinds, 'map']),
  name: z.string().meta({ description: 'The name by which it is found again' }),
  text: z.string().meta({ description: 'At most 2,400 characters' }),
  see: z.array(z.string()).meta({ description: 'Names to describe next' }),
  map: z.array(DescribedNames).optional().meta({ description: 'Every name; only without a name' }),
})
export type Description = z.infer<typeof Description>

/** In the file of all descriptions, which the build writes: a command finds a name there without loading the contract. */
export interface PreparedDescription {
  readonly description: Description
  /** Its example names records, so that a running sandbox has a better one. */
  readonly in_world: boolean
}

/** Also there: what completion knows beside the names. */
export interface PreparedWords {
  /** What can be given to an operation or a control method as key=value, by its name. */
  readonly inputs: Readonly<Record<string, readonly PreparedField[]>>
  /** What `sandbank reach` can look for, such as `transactions=returned`. */
  readonly goals: readonly string[]
}

export interface PreparedField {
  readonly path: string
  /** The only values that it may have. */
  readonly values?: readonly string[]
  /** It names records of this collection. */
  readonly collection?: string
}
