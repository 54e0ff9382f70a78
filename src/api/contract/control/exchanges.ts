import { z } from 'zod'
import { Timestamp, Uid } from '../terms/primitives.ts'

export const Hint = z.object({ at: z.string(), text: z.string() })
export type Hint = z.infer<typeof Hint>

/** The checks of a request in their order. A refusal names the check that refused the request. */
export const Stage = z.enum(['route', 'token', 'allowlist', 'trace id', 'body', 'schema', 'rules'])
export type Stage = z.infer<typeof Stage>

export const Exchange = z.object({
  uid: Uid,
  at: Timestamp.meta({ description: 'Simulated time' }),
  received_at: Timestamp.optional().meta({
    description:
      'Real time at which the request arrived, by the clock of this computer. Missing if it is not known: requests of older versions, and those that the process ended before it logged them',
    examples: ['2026-02-03T14:03:22.417Z'],
  }),
  program_uid: Uid.nullable(),
  caller: z.string().meta({
    description:
      'Its address and User-Agent. The User-Agent of requests that the sandbox sends itself, for the window, a scenario or a replay, ends in `sandbank`',
    examples: ['127.0.0.1, curl/8.7.1'],
  }),
  endpoint: z.string().nullable().meta({ description: 'Name of the endpoint; null when no route matched' }),
  method: z.string(),
  path: z.string().meta({ description: 'With the query' }),
  trace_id: z.string().nullable(),
  status: z.int(),
  code: z.int().nullable(),
  ms: z.number(),
  did: z.string().meta({ description: 'What the request did, or why it was refused, in one line' }),
  hints: z.int(),
  fault: z.string().optional().meta({ description: 'The fault that was injected' }),
  seq_before: z.int(),
  seq_after: z.int(),
  undone_by: z.object({ seq: z.int(), name: z.string() }).optional().meta({
    description:
      'The commit and the method of the latest rewind, restore, reset or import that went back before this request: what it did is not in the current world. To see that world, create one with worlds.create from the commit seq_after',
  }),
})
export type Exchange = z.infer<typeof Exchange>

const Headers = z.array(z.tuple([z.string(), z.string()]))

export const ExchangeDetail = Exchange.extend({
  request: z.object({ headers: Headers, body: z.string() }),
  response: z.object({ headers: Headers, body: z.string() }),
  hinted: z.array(Hint),
  refusal: z
    .object({
      stage: Stage,
      key: z.string(),
      code: z.int(),
      title: z.string(),
      detail: z.string(),
      extra: z.string().nullable(),
      cause: z.string().nullable().meta({ description: 'The reason that the response does not disclose' }),
      fields: z
        .array(z.string())
        .optional()
        .meta({
          description:
            'The parts of the request that caused the refusal: fields of the body and parameters of the query by their paths, a header by its name, and {uid} for the uid in the path. Left out if no part of it is wrong',
          examples: [['usd_transfer_amount'], ['ach.sec_code'], ['x-trace-id'], ['{uid}']],
        }),
      pass: z.string().nullable(),
      section: z.string().nullable(),
    })
    .nullable(),
})
export type ExchangeDetail = z.infer<typeof ExchangeDetail>

export const AnsweredExchange = ExchangeDetail.extend({
  operation: z.int().nullable().meta({ description: 'What it changed, for operations.undo; null if nothing' }),
})
export type AnsweredExchange = z.infer<typeof AnsweredExchange>
