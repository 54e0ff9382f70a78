import { z } from 'zod'
import { WebhookDelivery, WebhookEvent } from '../resources/webhooks.ts'
import { Money, Timestamp } from '../terms/primitives.ts'
import { Sentence } from './changes.ts'
import { Exchange } from './exchanges.ts'
import { Cause, FieldChange } from './history.ts'

/** The number of an operation: that of its first commit. */
export const OperationNumber = z.int().min(1)

const inWords = {
  says: z.string().meta({ description: 'What it is, after the word Undo', examples: ['advance of 8 business days'] }),
  did: z.string().meta({ description: 'What it did', examples: ['12 tasks: 3 settled, 1 archived'] }),
}

/** What the operator, an app or time did at once: an advance, a scenario, a request, … */
export const Operation = z.object({
  operation: OperationNumber.meta({ description: 'Its number: that of its first commit' }),
  last: z.int().meta({ description: 'Its last commit' }),
  commits: z.int().meta({ description: 'Other operations may have commits between its first and its last one' }),
  at: Timestamp.meta({ description: 'Simulated time before it' }),
  until: Timestamp.meta({ description: 'Simulated time after its last commit' }),
  cause: Cause.meta({
    description: 'Of its first commit; for an advance, a scenario and a replay that of the operator',
  }),
  ...inWords,
  goes_on_from: z.int().nullable().meta({ description: 'As in world.commits, of its last commit that has it' }),
  tasks: z.array(
    z.object({
      kind: z.string(),
      outcome: z.string().meta({ description: 'The status that its record came to; done or failed without one' }),
      count: z.int(),
    }),
  ),
  money: Money.meta({ description: 'The sum of the payments that settled' }),
  records: z.record(z.string(), z.int()).meta({ description: 'Number of changed records by collection' }),
  about: z.array(Sentence).meta({ description: 'At most three of the changed records' }),
  undone_by: z.int().nullable().meta({
    description: 'The commit of the undo, rewind, restore, reset or import that went back before it',
  }),
})
export type Operation = z.infer<typeof Operation>

/** What an undo or a redo does. */
export const UndoStep = z.object({
  operation: OperationNumber,
  ...inWords,
  cause: Cause.meta({ description: 'Of the operation' }),
  goes_on_from: z.int().nullable(),
  to: z.int().meta({ description: 'The commit that the world goes back to' }),
  at: Timestamp.nullable().meta({
    description: 'The time to which an undo sets the clock, from before the operation; null for that of the commit',
  }),
  operations: z.int().meta({ description: 'How many operations are undone or redone, with this one' }),
  requests: z.int().meta({ description: 'How many of the others are requests' }),
})
export type UndoStep = z.infer<typeof UndoStep>

/** What happened in a part of a span of simulated time. */
export const PartOfTime = z.object({
  from: Timestamp.meta({ description: 'Of its first commit' }),
  until: Timestamp.meta({ description: 'Of its last commit' }),
  operations: z.int().meta({ description: 'How many begin in it' }),
  last: OperationNumber.meta({ description: 'The newest operation with a commit in it' }),
  commit: z.int().meta({ description: 'Its newest commit' }),
  requests: z.int(),
  decisions: z.int(),
  tasks: z.int(),
  settled: z.int().meta({ description: 'How many payments settled' }),
  money: Money.meta({ description: 'The sum of these' }),
})
export type PartOfTime = z.infer<typeof PartOfTime>

/** What an operation did to one record, with the request and the webhook events that belong to it. */
export const RecordOperation = z.object({
  operation: OperationNumber.nullable().meta({ description: 'null for a request that changed nothing' }),
  last: z.int().nullable().meta({ description: 'Its last commit that concerns the record' }),
  at: Timestamp,
  cause: Cause.meta({ description: 'Of that commit' }),
  says: z.string().meta({ description: 'What it was', examples: ['advance: send payment, finish payment'] }),
  what: z
    .enum(['made', 'changed', 'removed', 'told'])
    .meta({ description: 'told: it only sent events, or was refused' }),
  fields: z.array(
    FieldChange.extend({ via: z.array(z.string()).meta({ description: 'For a status: those in between' }) }),
  ),
  partial: z.boolean().meta({ description: 'Only its newest commits were read' }),
  exchange: Exchange.pick({ uid: true, method: true, path: true, status: true, code: true, did: true }).nullable(),
  events: z.array(
    WebhookEvent.pick({ uid: true, topic: true, event_type: true }).extend({
      deliveries: z.array(
        WebhookDelivery.pick({ uid: true, event_uid: true, webhook_uid: true, status: true, next_attempt_at: true }),
      ),
    }),
  ),
})
export type RecordOperation = z.infer<typeof RecordOperation>
