import { z } from 'zod'
import { MessageBody } from '../messages.ts'
import { Task } from '../resources/tasks.ts'
import { MAX_BUSINESS_DAYS } from '../terms/amounts-of-time.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'
import { Collection } from './collection.ts'

export const ClockMode = z.enum(['running', 'frozen'])
export const Pace = z.enum(['fast', 'real'])

/** Freezes the clock when a record of the collection first reaches this status. */
export const BreakOn = z.strictObject({
  collection: Collection.meta({ examples: ['transactions'] }),
  status: z.string().meta({ examples: ['authorization_pending'] }),
  uid: Uid.optional().meta({ description: 'Only this record' }),
})
export type BreakOn = z.infer<typeof BreakOn>

export const Clock = z.object({
  now: Timestamp,
  mode: ClockMode,
  pace: Pace,
  paces: z.array(Pace).meta({
    description: 'Those that clock.set takes: only fast where all Programs behave as the hosted sandbox',
  }),
  break_on: BreakOn.nullable(),
  next: z
    .object({ at: Timestamp, what: z.string(), message: MessageBody, outcome: MessageBody.nullable() })
    .nullable()
    .meta({ description: 'The next task; recurring tasks do not count' }),
  due: z.int().meta({ description: 'Number of scheduled tasks, without the recurring ones' }),
})
export type Clock = z.infer<typeof Clock>

const whileAdvancing = {
  wait_for_webhooks: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether time stands still until the receivers of webhooks have answered, so that all retries that come due are made. Default: true. ' +
        'false: events are sent while time passes, and an outcome counts from the simulated time at which it comes, mostly after the advance: ' +
        'the wait before the next attempt begins then, and a further advance makes it',
    }),
}

const goalWith = <T extends z.ZodRawShape>(options: T) =>
  z.union(
    [
      z.strictObject({
        by: z.string().meta({ description: 'ISO 8601 duration', examples: ['PT24H'] }),
        ...options,
      }),
      z.strictObject({
        to: z.string().meta({ description: 'ISO 8601 instant', examples: ['2026-11-23T14:30:00.000Z'] }),
        ...options,
      }),
      z.strictObject({ business_days: z.int().min(1).max(MAX_BUSINESS_DAYS), ...options }),
      z.strictObject({ until: z.enum(['next', 'idle']), ...options }),
      z.strictObject({
        text: z.string().meta({
          description:
            'As people write it: 8 business days, 8bd, 24h, 1d12h, 90 minutes, PT24H, next, idle, tomorrow, monday 9:00, 2026-12-01T14:00. ' +
            'A time without an offset is one in New York',
          examples: ['8 business days'],
        }),
        ...options,
      }),
    ],
    { error: 'exactly one of by, to, business_days, until and text is expected' },
  )

export const AdvanceGoal = goalWith({})
export type AdvanceGoal = z.infer<typeof AdvanceGoal>
export const AdvanceInput = goalWith(whileAdvancing)
export type AdvanceInput = z.infer<typeof AdvanceInput>

export const AdvancePreview = z.object({
  now: Timestamp,
  refused: z.string().nullable().meta({ description: 'Why the advance would be refused' }),
  to: Timestamp.nullable().meta({
    description:
      'Where the advance ends, unless break_on stops it before; null until idle, which ends when no task is left, and tasks schedule tasks',
  }),
  runs: z.int().meta({
    description:
      'How many tasks run until then, with those that they schedule; a recurring one is counted once. Of more than 200, those that are ' +
      'scheduled now',
  }),
  recurring: z.int().meta({ description: 'How many of them recur' }),
  skipped: z.int().meta({ description: 'How many are held or failed, and would not run' }),
  tasks: z.array(Task).meta({
    description:
      'The first 20 that run, with those that they schedule; the uid of a record that does not exist yet is provisional',
  }),
})
export type AdvancePreview = z.infer<typeof AdvancePreview>

export const FiredTask = z.object({
  at: Timestamp,
  task: z.string(),
  record: Uid.nullable(),
  outcome: z.string(),
  message: MessageBody,
  overtaken: z.array(z.string()).optional().meta({
    description: 'Only of tasks.run: the kinds of the tasks of the same record that were due before and had not run',
  }),
})
export type FiredTask = z.infer<typeof FiredTask>

/** An advance waits for receivers, but not for ever for one that answers nothing. */
export const SilentWebhook = z.object({
  uid: Uid,
  url: z.string(),
  unanswered: z.int().meta({ description: 'How many of its attempts had no answer in time' }),
  not_sent: z.int().meta({ description: 'How many further attempts have failed without being sent' }),
  message: z.string().meta({ description: 'The same in words, and what to do' }),
})
export type SilentWebhook = z.infer<typeof SilentWebhook>

export const Advance = z.object({
  from: Timestamp,
  to: Timestamp,
  ran: z.int(),
  stopped_by: z.enum(['goal', 'break_on', 'cancel']).meta({
    description: 'goal: it came to its end; break_on: the condition of clock.set was met; cancel: clock.cancel',
  }),
  met: z
    .object({ collection: z.string(), uid: Uid, status: z.string() })
    .nullable()
    .meta({ description: 'The record that met break_on' }),
  fired: z.array(FiredTask),
  silent_webhooks: z.array(SilentWebhook).meta({
    description: 'The webhooks whose receivers did not answer three attempts, so that the others were not sent',
  }),
})
export type Advance = z.infer<typeof Advance>
