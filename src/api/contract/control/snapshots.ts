import { z } from 'zod'
import { Timestamp } from '../terms/primitives.ts'

export const SnapshotName = z
  .string()
  .regex(/^[\w][\w .-]{0,63}$/, { error: 'a name is 1 to 64 letters, digits, blanks, dots and dashes' })

export const Snapshot = z.object({
  name: z.string(),
  at: Timestamp.optional().meta({ description: 'Simulated time' }),
  seq: z.int().optional(),
  records: z.int().optional(),
  trouble: z.string().optional().meta({ description: 'Why its file cannot be read; the other fields are absent then' }),
})
export type Snapshot = z.infer<typeof Snapshot>

/** The result of a rewind, a restore or a reset. */
export const RestoreResult = z.object({
  seq: z.int().meta({ description: 'The new commit; to undo it, rewind to the commit before it' }),
  now: Timestamp,
  changed: z.int().meta({ description: 'Number of changed records' }),
})
export type RestoreResult = z.infer<typeof RestoreResult>
