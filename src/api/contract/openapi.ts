import { z } from 'zod'
import { ErrorBody } from './error-body.ts'
import { type ErrorKey, errors } from './errors.ts'
import type { Endpoint } from './terms/endpoint.ts'

/** The contract prints itself: declared endpoints → an OpenAPI 3.1 document. */

export { ErrorBody }

/** What any endpoint may answer, in the order in which these checks are made. */
const BEFORE_ANY: readonly ErrorKey[] = ['unauthorized', 'notAllowed', 'missingParameter', 'duplicateTraceId']
const BEFORE_A_QUERY: readonly ErrorKey[] = ['invalidArgument']
const BEFORE_A_BODY: readonly ErrorKey[] = ['bodyTooLarge', 'unsupportedMediaType', 'invalidArgument']

/** Everything an endpoint may be refused with, in the order in which it is judged. */
export const refusalsOf = ({ query, body, errors }: Endpoint): ErrorKey[] => [
  ...new Set([...BEFORE_ANY, ...(query ? BEFORE_A_QUERY : []), ...(body ? BEFORE_A_BODY : []), ...errors]),
]

export type JsonSchema = { [key: string]: unknown } & {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  required?: string[]
  default?: unknown
  description?: string
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const printed = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema: node }) => {
      // Zod takes examples away from what is transformed; ours are of what is sent.
      const examples = z.globalRegistry.get(zodSchema)?.examples
      if (examples && io === 'input') node.examples = examples as unknown[]
      delete node.additionalProperties // An answer may grow a field; a request's unknown field is ignored.
      if (node.format === 'date-time' || node.format === 'date') delete node.pattern // Zod's own, a line long.
      if (node.writeOnly) delete node.not // What cannot be in an answer is still a field of the resource.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
    },
  }) as JsonSchema
  delete printed.$schema
  return printed
}

/** Moves what zod put under `$defs` to the components of the document. */
export function collector() {
  const schemas: Record<string, JsonSchema> = {}
  const ref = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const { $defs, ...node } = jsonSchema(schema, io)
    const moved = (part: unknown): never =>
      JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as never
    for (const [id, def] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const { id: _, ...rest } = def
      schemas[id] = moved(rest)
    }
    const { id, ...rest } = node
    if (typeof id !== 'string') return moved(rest)
    schemas[id] = moved(rest)
    return { $ref: `#/components/schemas/${id}` }
  }
  return { schemas, ref }
}

const traceId = {
  name: 'x-trace-id',
  in: 'header',
  required: true,
  schema: { type: 'string', examples: ['123e4567-e89b-12d3-a456-426614174000'] },
  description: 'Unique per request; a value repeated within 7 days is refused.',
}
const echoed = { 'x-trace-id': { description: 'The x-trace-id of the request', schema: { type: 'string' } } }

export function openapi(endpoints: Readonly<Record<string, Endpoint>>) {
  const { schemas, ref } = collector()
  const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
  const paths: Record<string, Record<string, unknown>> = {}

  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const { method, path, group, summary, query, body, status, response } = endpoint
    const parameters: unknown[] = [traceId]
    if (endpoint.token === 'refresh')
      parameters.push({
        name: 'Authorization',
        in: 'header',
        required: true,
        schema: { type: 'string' },
        description: 'The refresh token: a JWS signed with HS512',
      })
    for (const [, name] of path.matchAll(/\{(\w+)\}/g))
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } })
    for (const [name, schema] of Object.entries(query ? (jsonSchema(query, 'input').properties ?? {}) : {})) {
      const { description, ...rest } = schema
      parameters.push({
        name,
        in: 'query',
        required: false,
        schema: rest,
        ...(description ? { description } : {}),
        ...(rest.type === 'array' ? { style: 'form', explode: true } : {}),
      })
    }

    const refusals = new Map<number, ErrorKey[]>()
    for (const key of refusalsOf(endpoint)) {
      const at = errors[key].status
      refusals.set(at, [...(refusals.get(at) ?? []), key])
    }
    for (const at of endpoint.documents ?? []) if (!refusals.has(at)) refusals.set(at, [])

    const operation = {
      operationId,
      tags: [group],
      summary,
      parameters,
      ...(endpoint.token === 'refresh' ? { security: [] } : {}),
      ...(body
        ? {
            requestBody: {
              required: false,
              content: {
                ...json(ref(body, 'input')),
                'application/x-www-form-urlencoded': { schema: ref(body, 'input') },
              },
            },
          }
        : {}),
      responses: {
        [status]: {
          description: 'Success',
          headers: echoed,
          ...(status === 204 ? {} : { content: json(ref(response, 'output')) }),
        },
        ...Object.fromEntries(
          [...refusals].map(([at, keys]) => [
            at,
            {
              description:
                keys.map((key) => `${errors[key].code} ${errors[key].title}`).join('; ') || 'An unexpected failure',
              headers: echoed,
              content: json(ref(ErrorBody, 'output')),
            },
          ]),
        ),
      },
    }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Customer, Account and Payment Platform API',
      version: '0.1.0',
      description: 'Served by Sandbank on this machine. Every value that moves money here is play money.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ accessToken: [] }],
    tags: [...new Set(Object.values(endpoints).map((endpoint) => endpoint.group))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The whole value that POST /auth answers with, beginning with auth-',
        },
      },
    },
  }
}
