import { z } from 'zod'
import { MessageBody } from '../messages.ts'
import { anyOf, flag, indexed, list } from '../terms/list.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'

/** Something scheduled for an instant of simulated time. Only the operator sees tasks. */
export const Task = z.object({
  uid: Uid,
  due_at: Timestamp,
  kind: z.string(),
  record: Uid.nullable(),
  why: z.string().meta({ description: 'Why it is scheduled, and what it will do if that is known' }),
  message: MessageBody,
  outcome: MessageBody.nullable().meta({
    description:
      'What it will do if nothing else happens: it is run ahead, and undone. null if it is held, has failed, recurs or waits for receivers of ' +
      'webhooks, or if 200 others come before it',
  }),
  recurring: z.boolean(),
  held: z.boolean(),
  held_by: Uid.optional().meta({ description: 'The earlier task of the record with which it is held' }),
  failed: z.string().nullable(),
  program_uid: Uid,
})
export type Task = z.infer<typeof Task>

type StoredTask = Omit<Task, 'record' | 'why' | 'message' | 'outcome'> & { readonly subject_uid: Uid | null }

export const taskList = list<StoredTask>()({
  filters: {
    uid: anyOf((task) => task.uid),
    kind: anyOf((task) => task.kind),
    record: indexed('subject_uid'),
    recurring: flag((task) => task.recurring),
    held: flag((task) => task.held),
  },
})
