import { z } from 'zod'
import { type EndpointName, endpoints } from '../endpoints.ts'
import { Uid } from '../terms/primitives.ts'

/** Requests of the API that are tried: what the API would answer, without a change. */

type TriedName = Exclude<EndpointName, 'createAccessToken'>
const triedNames = Object.keys(endpoints).filter((name) => name !== 'createAccessToken') as TriedName[]

export const TriedRequest = z.strictObject({
  program_uid: Uid.optional().meta({ description: 'Default: the first Program' }),
  endpoint: z.enum(triedNames as [TriedName, ...TriedName[]]).meta({
    description: 'The operationId of the OpenAPI document',
    examples: ['createReturn'],
  }),
  params: z.record(z.string(), z.string()).optional().meta({ description: 'The parameters of the path, such as uid' }),
  query: z.string().optional().meta({ description: 'As in an address, such as limit=5' }),
  body: z.unknown().optional(),
})
export type TriedRequest = z.infer<typeof TriedRequest>

export const ProgramExamples = z.object({
  customer_uid: Uid.nullable().meta({ description: 'The Customer to which they belong' }),
  values: z.record(z.string(), z.string()).meta({ description: 'For each text of an example that stands for a value' }),
  missing: z
    .array(z.string())
    .meta({ description: 'The values for which the world has no record in the state needed' }),
})
export type ProgramExamples = z.infer<typeof ProgramExamples>

export const Refusal = z.object({
  status: z.int(),
  code: z.int(),
  title: z.string(),
  detail: z.string(),
  extra: z.string().nullable(),
  cause: z.string().nullable().meta({ description: 'The reason that the response does not disclose' }),
})
export type Refusal = z.infer<typeof Refusal>

export const TriedResponse = z.object({
  status: z.int(),
  body: z.unknown().meta({ description: 'The response; null if it is refused' }),
  refused: Refusal.nullable(),
})
export type TriedResponse = z.infer<typeof TriedResponse>

export const RecordAction = z.object({
  id: z.string().meta({ description: 'The same for each record of its collection' }),
  label: z.string().meta({ description: 'On a button beside the record', examples: ['Return'] }),
  title: z.string().meta({ description: 'In a list of commands', examples: ['Return this Transaction'] }),
  endpoint: TriedRequest.shape.endpoint,
  params: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  refused: Refusal.nullable().meta({ description: 'What the API would answer; null if it would accept it' }),
})
export type RecordAction = z.infer<typeof RecordAction>
