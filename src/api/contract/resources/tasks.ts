import { z } from 'zod'
import { MessageBody } from '../messages.ts'
import { fromOwn } from '../terms/derived.ts'
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

/** Computed when it is shown. */
const derivedFields = {
  record: fromOwn('The record that the task is for', 'subject_uid'),
  why: fromOwn('The text of its reason', 'why'),
  message: fromOwn('The reason as data', 'why'),
  outcome: fromOwn('What the engine says it will do: the tasks run ahead in an attempt that is undone', 'kind'),
}
type StoredTask = Omit<Task, keyof typeof derivedFields> & { readonly subject_uid: Uid | null }

export const taskList = list<StoredTask>()({
  rules: derivedFields,
  filters: {
    uid: anyOf((task) => task.uid),
    kind: anyOf((task) => task.kind),
    record: indexed('subject_uid'),
    recurring: flag((task) => task.recurring),
    held: flag((task) => task.held),
  },
})
