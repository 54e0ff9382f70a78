import { z } from 'zod'
import { Task } from '../resources/tasks.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'
import { Exchange } from './exchanges.ts'
import { Cause } from './history.ts'
import { ScenarioRun } from './scenarios.ts'

/** What the control API pushes to its clients. */
export const Notice = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('commit'),
    seq: z.int(),
    operation: z.int().meta({ description: 'The operation that it is a part of' }),
    at: Timestamp,
    cause: Cause,
    collections: z.array(z.string()),
    uids: z.array(Uid),
  }),
  z.object({ type: z.literal('exchange'), exchange: Exchange }),
  z.object({
    type: z.literal('progress'),
    from: Timestamp,
    to: Timestamp.nullable().meta({ description: 'null while the end is unknown (until idle)' }),
    now: Timestamp,
    ran: z.int(),
    left: z.int().nullable().meta({ description: 'Tasks that are still to run, as far as scheduled now' }),
    done: z.boolean(),
  }),
  z
    .object({
      type: z.literal('work'),
      uid: Uid.meta({ description: 'For work.cancel' }),
      name: z.string().meta({ description: 'The method that is running' }),
      done: z.int(),
      of: z.int().nullable().meta({ description: 'null while the total is unknown' }),
      unit: z.enum(['commits', 'steps', 'bytes', 'records']).meta({ description: 'What is counted' }),
      can_stop: z.boolean().meta({ description: 'work.cancel can stop it; false in its last phase' }),
      over: z.boolean(),
    })
    .meta({ description: 'Progress of a long operation such as a rewind; an advance has its own notice, progress' }),
  z.object({ type: z.literal('task_failed'), task: Task }),
  z.object({ type: z.literal('scenario'), run: ScenarioRun }),
  z
    .object({
      type: z.literal('omitted'),
      requests: z
        .array(z.object({ program_uid: Uid.nullable(), total: z.int(), refused: z.int() }))
        .meta({ description: 'How many requests of each Program were left out; null for those without a valid token' }),
      doors: z.array(Cause.shape.door).meta({ description: 'What made the commits that were left out' }),
      seq: z.int().meta({ description: 'The newest of these commits; 0 if there is none' }),
      collections: z.array(z.string()),
      uids: z.array(Uid).nullable().meta({ description: 'null if they are too many to name' }),
    })
    .meta({
      description:
        'Only in batches: what was left out because there was more than a person can read. Lists and counts are read again',
    }),
  z.object({ type: z.literal('faults') }).meta({ description: 'The faults were set or cleared' }),
  z.object({ type: z.literal('world') }).meta({ description: 'Everything may have changed' }),
  z.object({ type: z.literal('scenarios') }).meta({ description: 'One of your scenarios was saved or deleted' }),
  z.object({ type: z.literal('worlds') }).meta({ description: 'A world was created or dropped: see worlds.list' }),
])
export type Notice = z.infer<typeof Notice>
