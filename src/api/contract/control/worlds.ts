import { z } from 'zod'
import { Program } from '../resources/programs.ts'
import { Instant, Timestamp } from '../terms/primitives.ts'
import { isOneLine, NOT_ONE_LINE } from '../terms/texts.ts'
import { ClockMode, Pace } from './clock.ts'
import { SnapshotName } from './snapshots.ts'

/** The named worlds of a sandbox. */

export const WorldName = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, { error: 'a name is 1 to 63 lower-case letters, digits and dashes' })
  .meta({ examples: ['checkout-3'] })

export const Seed = z.string().min(1).max(200).refine(isOneLine, NOT_ONE_LINE)

/** What a fresh world begins with. `hosted` behaves as the platform's hosted sandbox does: `contract/hosted.ts`. */
export const WorldKind = z.enum(['demo', 'empty', 'hosted'])
export type WorldKind = z.infer<typeof WorldKind>

const NO_ORIGIN = { error: 'demo, empty, hosted, current, {snapshot}, {commit} or {world} is expected' }

export const WorldFrom = z.union(
  [
    z.enum([...WorldKind.options, 'current'], NO_ORIGIN).meta({
      description:
        'demo, empty and hosted: a fresh world; hosted behaves as the platform’s hosted sandbox, with its staged businesses; ' +
        'current: the world of this control API, as it is now',
    }),
    z.strictObject({ snapshot: SnapshotName }),
    z
      .strictObject({ commit: z.int().min(0) })
      .meta({ description: 'The world of this control API as it was after a commit' }),
    z.strictObject({ world: WorldName }).meta({ description: 'Another world, as it is now' }),
  ],
  NO_ORIGIN,
)
export type WorldFrom = z.infer<typeof WorldFrom>

export const isWorldKind = (from: unknown): from is WorldKind => WorldKind.safeParse(from).success

export const CreateWorld = z
  .strictObject({
    name: WorldName.optional().meta({ description: 'Default: world-1, world-2, …' }),
    from: WorldFrom.optional().meta({ description: 'Default: demo' }),
    start: Instant.optional().meta({
      description: 'Of a fresh world. Default: now, and for a frozen clock 2026-11-23T15:00:00.000Z, a Monday',
    }),
    seed: Seed.optional().meta({ description: 'Of a fresh world. Default: sandbank' }),
    clock: ClockMode.optional().meta({ description: 'Default: frozen for a fresh world, else as it is there' }),
    pace: Pace.optional().meta({ description: 'Default: fast for a fresh world, else as it is there' }),
    read_only: z
      .literal(true)
      .optional()
      .meta({
        description:
          'To look at: it refuses each change, its clock stands still, its request log is that of then, and worlds.list does not have it. ' +
          'The newest 8 are kept. Default name: look-1, look-2, …',
      }),
  })
  .superRefine(({ from, start, seed, clock, read_only }, context) => {
    if (read_only && clock === 'running')
      context.addIssue({
        code: 'custom',
        path: ['clock'],
        message: 'that of a read-only world is frozen: leave it out',
      })
    if (from === undefined || isWorldKind(from)) return
    for (const [field, value] of Object.entries({ start, seed }))
      if (value !== undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'the records of that world have theirs: leave it out, or create a fresh world',
        })
  })

const addresses = {
  name: WorldName,
  api: z.string().meta({ format: 'uri', description: 'The base URL of its API' }),
  control: z.string().meta({ format: 'uri', description: 'The base URL of its control API' }),
  gui: z.string().meta({ format: 'uri', description: 'The address of its window, with the control key' }),
}

export const CreatedWorld = z.object({
  ...addresses,
  programs: z.array(Program.pick({ uid: true, name: true, hmac_key: true })),
})
export type CreatedWorld = z.infer<typeof CreatedWorld>

export const WorldInfo = z.object({
  ...addresses,
  from: z
    .union([WorldFrom, z.literal('replay'), z.literal('scenario')])
    .meta({ description: 'current: the root world; replay, scenario: its run began it' }),
  at: Timestamp.meta({ description: 'Simulated time' }),
  seq: z.int().meta({ description: 'Number of commits so far' }),
  records: z.int(),
  opened_at: Timestamp.meta({ description: 'Simulated time when it was created' }),
})
export type WorldInfo = z.infer<typeof WorldInfo>
