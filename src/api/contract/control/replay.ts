import { z } from 'zod'
import { Uid } from '../terms/primitives.ts'
import { ExchangeDetail } from './exchanges.ts'
import { SnapshotName } from './snapshots.ts'
import { WorldKind } from './worlds.ts'

export const ReplayDifference = z.object({
  at: z.string().meta({ description: 'Status, a header, or a path into the body', examples: ['data[0].status'] }),
  recorded: z.unknown(),
  replayed: z.unknown(),
})
export type ReplayDifference = z.infer<typeof ReplayDifference>

export const ReplayAnswer = z.object({ status: z.int(), body: z.unknown() })

export const ReplayedExchange = z.object({
  index: z.int(),
  method: z.string(),
  path: z.string(),
  verdict: z.enum(['same', 'differs', 'refused', 'unrecorded']).meta({
    description:
      'refused: refused now, and not when it was recorded, or there is no recorded response. unrecorded: accepted now, and there is no response to compare with',
  }),
  recorded: ReplayAnswer.nullable(),
  replayed: ReplayAnswer,
  differences: z.array(ReplayDifference),
  refusal: ExchangeDetail.shape.refusal.optional().meta({
    description:
      'Of the verdict refused: why, as the request log of the world of the replay says it, if that can be read',
  }),
})
export type ReplayedExchange = z.infer<typeof ReplayedExchange>

export const ReplayResult = z.object({
  same: z.int(),
  differs: z.int(),
  refused: z.int(),
  unrecorded: z.int(),
  left: z.int().meta({ description: 'Steps that were not run because the replay was canceled' }),
  exchanges: z.array(ReplayedExchange),
})
export type ReplayResult = z.infer<typeof ReplayResult>

/** A part of a recording that cannot be replayed, and the reason. */
export const Unusable = z.object({ at: z.string(), why: z.string() })

/** The world that a replay uses. */
export const ReplayInto = z.union(
  [
    z.literal('then').meta({ description: 'A copy of the world at the beginning of the recording' }),
    z.literal('present').meta({ description: 'The current world; the replay changes it' }),
    z.literal('copy').meta({ description: 'A copy of the current world' }),
    z.strictObject({ snapshot: SnapshotName }),
    z.strictObject({ fresh: WorldKind }).meta({ description: 'With the same seed and start' }),
  ],
  { error: 'then, present, copy, {snapshot} or {fresh: demo, empty or hosted} is expected' },
)
export type ReplayInto = z.infer<typeof ReplayInto>

export const ReplayInput = z
  .strictObject({
    uids: z
      .array(Uid)
      .min(1)
      .max(10_000)
      .optional()
      .meta({ description: 'Exchanges of the request log; they are sent again in recorded order' }),
    since: z.int().min(0).optional().meta({ description: 'Everything since this commit, operator actions included' }),
    text: z.string().optional().meta({ description: 'A HAR file, curl lines, or a bundle' }),
    into: ReplayInto.optional().meta({ description: 'Default: then; for a HAR file and curl lines: present' }),
    gaps: z.boolean().optional().meta({
      description:
        'Advance the clock between requests as it was recorded. Default: true, but false for the current world',
    }),
    stays: z.boolean().optional().meta({
      description:
        'The world of the replay stays as a named world, such as replay-1, until it is dropped; not for the current world',
    }),
    keep: SnapshotName.optional().meta({ description: 'Save the resulting world as a snapshot of this name' }),
  })
  .refine(({ uids, since, text }) => [uids, since, text].filter((given) => given !== undefined).length === 1, {
    error: 'exactly one of uids, since and text is expected',
  })

/** What a recording contains, and what a replay of it needs. */
export const RecordingSummary = z.object({
  requests: z.int(),
  actions: z.int().meta({ description: 'Operator actions' }),
  kinds: z
    .array(z.object({ name: z.string().meta({ examples: ['GET /customers/{uid}'] }), count: z.int() }))
    .meta({ description: 'Requests by method and path, the most frequent first; at most 50' }),
  from: z
    .string()
    .nullable()
    .meta({ description: 'The time of the first request or action, if the recording has times' }),
  to: z.string().nullable(),
  note: z.string().nullable().meta({ description: 'What the sender of a bundle wrote' }),
  has_world: z.boolean().meta({ description: 'It contains the world that it begins with' }),
  has_responses: z.boolean().meta({ description: 'There are responses to compare with' }),
  needs: z.array(Uid).meta({ description: 'Records that it names and does not create; none if it contains its world' }),
  missing: z.array(Uid).meta({ description: 'Those that the current world does not have' }),
  unusable: z.array(Unusable),
})
export type RecordingSummary = z.infer<typeof RecordingSummary>
