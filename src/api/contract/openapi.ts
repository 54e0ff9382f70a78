import { z } from 'zod'
import { ErrorBody } from './error-body.ts'
import { type ErrorKey, errors } from './errors.ts'
import type { Endpoint } from './terms/endpoint.ts'
import { type ExampleName, examples } from './terms/examples.ts'
import { webhookEvents } from './webhooks.ts'

/** Generates an OpenAPI 3.1 document from the declared endpoints; `openapi-3.0.ts` has the form for older tools. */

const BEFORE_ALL: readonly ErrorKey[] = ['unauthorized', 'notAllowed', 'missingParameter', 'duplicateTraceId']
const BEFORE_QUERY: readonly ErrorKey[] = ['invalidArgument']
const BEFORE_BODY: readonly ErrorKey[] = ['bodyTooLarge', 'unsupportedMediaType', 'invalidArgument']

/** The errors that an endpoint can answer with, in the order of the checks. */
export const errorsOf = ({ query, body, errors }: Endpoint): ErrorKey[] => [
  ...new Set([...BEFORE_ALL, ...(query ? BEFORE_QUERY : []), ...(body ? BEFORE_BODY : []), ...errors]),
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

/** Names of schemas that have no `id` of their own. */
export type SchemaNames = ReadonlyMap<unknown, string>

/** `withRules`: with the sentence that a schema answers to a wrong value, as `rule`. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  names?: SchemaNames,
  withRules = false,
): JsonSchema {
  const metadata = names && {
    get: (part: z.ZodType) => ({ ...z.globalRegistry.get(part), ...(names.has(part) ? { id: names.get(part) } : {}) }),
  }
  const printed = z.toJSONSchema(schema, {
    io,
    ...(metadata ? { metadata: metadata as unknown as typeof z.globalRegistry } : {}),
    override: ({ zodSchema, jsonSchema: node }) => {
      // Zod drops the examples of transformed fields. Ours are values before the transformation, so they are right.
      const examples = z.globalRegistry.get(zodSchema)?.examples
      if (examples && io === 'input') node.examples = examples as unknown[]
      if (withRules) Object.assign(node, ruleOf(zodSchema))
      delete node.additionalProperties // Responses may get new fields; unknown fields of requests are ignored.
      if (io === 'output') delete node.default // Of a field that a record lacks: a response has the field
      if (node.format) delete node.pattern // The long patterns of zod, which some generators cannot escape
      if (node.writeOnly) delete node.not // A write-only field is never in a response, but it is a field of the resource
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
    },
  }) as JsonSchema
  delete printed.$schema
  return printed
}

function ruleOf({ _zod: { def } }: z.core.$ZodType): { readonly rule?: string } {
  const messages = [def, ...(def.checks ?? []).map((check) => check._zod.def)].map(({ error }) => error?.({} as never))
  const rule = messages.find((message) => typeof message === 'string' && message.endsWith('expected'))
  return typeof rule === 'string' ? { rule } : {}
}

/** Collects the schemas that zod puts under `$defs` as components of the document. */
export function createSchemaCollector(names?: SchemaNames) {
  const schemas: Record<string, JsonSchema> = {}
  const add = (id: string, schema: JsonSchema) => {
    if (schemas[id] && JSON.stringify(schemas[id]) !== JSON.stringify(schema))
      throw new Error(`There are two different schemas with the name ${id}: rename one`)
    schemas[id] = schema
  }
  const ref = (schema: z.ZodType, io: 'input' | 'output', name?: string): JsonSchema => {
    const { $defs, ...node } = jsonSchema(schema, io, names)
    const moved = (part: unknown): never =>
      JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as never
    for (const [id, def] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const { id: _, ...rest } = def
      add(id, moved(rest))
    }
    const { id = name, ...rest } = node
    if (typeof id !== 'string' || '$ref' in rest) return moved(rest)
    add(id, moved(rest))
    return { $ref: `#/components/schemas/${id}` }
  }
  return { schemas, ref }
}

const traceId = {
  name: 'x-trace-id',
  in: 'header',
  required: true,
  // Without an example: tools would send it with every request.
  schema: { type: 'string' },
  description: 'Unique per request, such as a UUID; a value that was used within the last 7 days is refused.',
}
const echoed = { 'x-trace-id': { description: 'The x-trace-id of the request', schema: { type: 'string' } } }

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/** What each group of endpoints is about. */
const groups: Readonly<Record<string, string>> = {
  Auth: 'Exchange of a signed refresh token for an access token',
  Customers: 'The end users of a Client, who own the assets',
  Pools: 'Containers of the accounts of a Customer',
  Products: 'The financial products of the Program',
  'Customer Products': 'Onboarding of Customers to Products',
  'Custodial Accounts': 'Accounts at the custodian bank',
  'Synthetic Accounts': 'Accounts of Customers and of their counterparties',
  Transfers: 'Payments that the Client initiates',
  Transactions: 'Movements of assets, with their events and line items',
  VRNs: 'Virtual Reference Numbers, which receive payments for an account',
  Returns: 'Returns of settled payments',
  'Combined Transfers': 'A counterparty and a Transfer in one call',
  Sandbox: 'Simulation of payments from outside',
  'Closing Balances': 'Balances at the end of each business day',
  Webhooks: 'What the receiver of a Client is told of. The operator creates webhooks',
}

/** Where `sandbank serve` listens by default. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:4010'

export const describe = (title: string, description: string) => ({
  title,
  version: '0.1.0',
  description,
  contact: { name: 'The maintainers of Sandbank', url: 'https://sandbank.example' },
  license: { name: 'MIT', identifier: 'MIT' },
})

/** What the documents of both APIs have. */
export interface OpenApiDocument {
  readonly info: ReturnType<typeof describe>
  readonly tags: readonly { readonly name: string }[]
  readonly paths: object
  readonly webhooks?: object
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export function createOpenApi(endpoints: Readonly<Record<string, Endpoint>>, origin = DEFAULT_ORIGIN) {
  const { schemas, ref } = createSchemaCollector()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, endpoint] of Object.entries(endpoints))
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, ref),
    }
  return {
    openapi: '3.1.0',
    info: describe(
      'Customer, Account and Payment Platform API',
      'Served by Sandbank on this machine. It moves no real money.',
    ),
    servers: [
      { url: `${origin}/api/v1`, description: 'This sandbox' },
      { url: '/api/v1', description: 'The sandbox that serves this document' },
    ],
    security: [{ accessToken: [] }],
    tags: [...new Set([...Object.values(endpoints).map((endpoint) => endpoint.group), 'Webhooks'])].map((name) => ({
      name,
      description: groups[name],
    })),
    paths,
    webhooks: describeWebhooks(ref),
    components: {
      schemas,
      securitySchemes: {
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The whole token from the response of POST /auth; it begins with auth-',
        },
        refreshToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The refresh token: a JWS signed with HS512. Only for POST /auth',
        },
      },
    },
  }
}

type Ref = ReturnType<typeof createSchemaCollector>['ref']

function operationOf(operationId: string, endpoint: Endpoint, ref: Ref) {
  const { group, summary, description, body, status, response } = endpoint
  const bodySchema = body && ref(body, 'input')
  return {
    operationId,
    tags: [group],
    summary,
    description,
    parameters: parametersOf(endpoint),
    ...(endpoint.token === 'refresh' ? { security: [{ refreshToken: [] }] } : {}),
    ...(body && bodySchema
      ? {
          requestBody: {
            required: hasRequiredField(body),
            content: {
              // Generators of requests read the example here, not in the schema.
              'application/json': { schema: bodySchema, example: exampleOf(body) },
              'application/x-www-form-urlencoded': { schema: bodySchema },
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
      ...errorResponses(endpoint, ref),
    },
  }
}

const signatureHeaders = [
  [
    'X-Request-Signature-SHA-256',
    'The hexadecimal HMAC-SHA256 of the raw body and the timestamp, with the key of the webhook',
  ],
  ['X-Request-Signature-Timestamp', 'Seconds since 1970, in real time'],
].map(([name, description]) => ({ name, in: 'header', required: true, schema: { type: 'string' }, description }))

/** What a receiver gets, for each event. Its address is that of the webhook and the topic. */
const describeWebhooks = (ref: Ref) =>
  Object.fromEntries(
    Object.entries(webhookEvents).map(([name, { topic, event_type, when, details }]) => [
      name,
      {
        post: {
          operationId: `receive_${name.replace('.', '_')}`,
          tags: ['Webhooks'],
          summary: when,
          description: `Sent to the path /${topic} below the address of the webhook. If the webhook has a PGP key, details are an armored message instead`,
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: json({
              type: 'object',
              properties: {
                event_type: { type: 'string', const: event_type },
                event_id: { type: 'string', description: 'The same for each attempt' },
                details: ref(details, 'output'),
              },
              required: ['event_type', 'details'],
            }),
          },
          responses: {
            204: { description: 'Accepted, as is any status from 200 to 299 within 5 seconds' },
            '4XX': { description: 'Not accepted: it is sent again' },
          },
        },
      },
    ]),
  )

function rootOf(body: z.ZodType): JsonSchema {
  const { $defs = {}, $ref, ...root } = jsonSchema(body, 'input')
  return ($defs as Record<string, JsonSchema>)[String($ref).replace('#/$defs/', '')] ?? root
}

const hasRequiredField = (body: z.ZodType): boolean => (rootOf(body).required ?? []).length > 0

export const exampleOf = (body: z.ZodType): unknown => (rootOf(body).examples as unknown[] | undefined)?.[0]

/** The uid in the path of the example. */
export function exampleInPath(path: string, example?: ExampleName): string {
  const [, collection] = path.split('/')
  return examples[example ?? (collection as ExampleName)]
}

function parametersOf({ path, query, example }: Endpoint) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleInPath(path, example),
  }))
  const inQuery = Object.entries(query ? (jsonSchema(query, 'input').properties ?? {}) : {}).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      schema,
      ...(description ? { description } : {}),
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    }),
  )
  return [traceId, ...inPath, ...inQuery]
}

function errorResponses(endpoint: Endpoint, ref: Ref) {
  const keysByStatus = new Map<number, ErrorKey[]>()
  for (const key of errorsOf(endpoint)) {
    const { status } = errors[key]
    keysByStatus.set(status, [...(keysByStatus.get(status) ?? []), key])
  }
  for (const status of endpoint.documents ?? []) if (!keysByStatus.has(status)) keysByStatus.set(status, [])
  return Object.fromEntries(
    [...keysByStatus].map(([status, keys]) => [
      status,
      {
        description:
          keys.map((key) => `${errors[key].code} ${errors[key].title}`).join('; ') || 'An unexpected failure',
        headers: echoed,
        content: json(ref(ErrorBody, 'output')),
      },
    ]),
  )
}
