import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { controlOpenapi } from '../../src/api/contract/control/openapi.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { createOpenApi, type JsonSchema } from '../../src/api/contract/openapi.ts'
import { toOpenApi30, toSchema30 } from '../../src/api/contract/openapi-3.0.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { openSandbox, type Sandbox } from '../../src/api/sandbox.ts'
import { type ApiResponse, apiClient, type RequestOptions } from '../support/client.ts'
import { START } from '../support/sandbox.ts'
import { putRecord } from '../support/world.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
interface Operation {
  readonly operationId: string
  readonly description: string
  readonly security?: unknown[]
  readonly parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: Json }> }
  readonly responses: Record<
    string,
    { description: string; headers: Record<string, unknown>; content: Record<string, { schema: JsonSchema }> }
  >
}
/** As a client reads it: what JSON cannot hold is not there. */
const document = JSON.parse(JSON.stringify(createOpenApi(endpoints))) as { [key: string]: Json } & {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> }
}
const document30 = JSON.parse(JSON.stringify(toOpenApi30(createOpenApi(endpoints)))) as typeof document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)
const operationOf = (name: string) => operations.find(([known]) => known === name)?.[1]

const withoutExamples = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, part) => (key === 'example' || key === 'examples' ? undefined : part)))

function everyNode(value: unknown, visit: (node: { [key: string]: unknown }) => void) {
  if (Array.isArray(value)) for (const part of value) everyNode(part, visit)
  else if (typeof value === 'object' && value !== null) {
    visit(value as { [key: string]: unknown })
    for (const part of Object.values(value)) everyNode(part, visit)
  }
}

function resolve(ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} leaves the document`)
  let node: unknown = document
  for (const step of ref.slice(2).split('/')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined
    node = (node as { [key: string]: unknown })[step]
  }
  return node
}

/** Of our own answers nothing may leave that the document does not declare, or declares for requests alone. */
function asAnswer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asAnswer)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, asAnswer(part)]))
  if (typeof parts.$ref === 'string') parts.$ref = parts.$ref.replace('#/components/schemas/', '#/$defs/')
  if (!isObject(parts.properties) || 'additionalProperties' in parts) return parts
  const shown = Object.entries(parts.properties).filter(([, part]) => !isObject(part) || part.writeOnly !== true)
  return { ...parts, properties: Object.fromEntries(shown), additionalProperties: false }
}
const isObject = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null

const $defs = asAnswer(document.components.schemas) as object
const validators = new Map<JsonSchema, z.ZodType>()
/** What is wrong with a value, by a schema of the document. */
function problems(schema: JsonSchema, value: Json): string[] {
  const known =
    validators.get(schema) ?? z.fromJSONSchema({ $defs, ...(asAnswer(schema) as object) } as JsonSchema as never)
  validators.set(schema, known)
  return (known.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

// ── The document itself ──────────────────────────────────────────────────────────────────────────────────────────

it('resources/openapi.json is this document (npm run openapi writes it)', () => {
  const written = JSON.parse(readFileSync(join(import.meta.dirname, '../../resources/openapi.json'), 'utf8'))
  expect(document).toEqual(written)
})

describe('the document', () => {
  it('9: "The interface description carries the version 0.1.0", and the server ends in `/api/v1`', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('0.1.0')
    // Importers resolve a relative address against nothing, so the absolute one comes first.
    expect((document.servers as { url: string }[]).map(({ url }) => url)).toEqual([
      ...['http://127.0.0.1:4010/api/v1', '/api/v1'],
    ])
  })

  it('has contact, licence, and a description of each tag and operation', () => {
    expect(document.info).toMatchObject({
      contact: { url: expect.stringMatching(/^https:/) },
      license: { identifier: 'MIT' },
    })
    for (const tag of document.tags as object[]) expect(tag).toMatchObject({ description: expect.any(String) })
    for (const [name, { description }] of operations) expect(description, name).toMatch(/^[A-Z].{10,}\.$/)
  })

  it('5.6: "The security scheme is an API key in the `Authorization` header"', () => {
    const { securitySchemes } = document.components
    expect(Object.keys(securitySchemes)).toEqual(['accessToken', 'refreshToken'])
    for (const scheme of Object.values(securitySchemes))
      expect(scheme).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' })
    expect(document.security).toEqual([{ accessToken: [] }])
  })

  it('5.6: the access token opens every endpoint but POST /auth, which takes the refresh token', () => {
    for (const [name, { security, parameters }] of operations) {
      expect([name, security]).toEqual([name, name === 'POST /auth' ? [{ refreshToken: [] }] : undefined])
      // A parameter of this name would be a second way to send the token.
      expect(parameters.map((parameter) => parameter.name)).not.toContain('Authorization')
    }
  })

  it('4.1: it has the endpoints of the contract, each by its own name', () => {
    expect(operations.map(([name]) => name).sort()).toEqual(
      Object.values<Endpoint>(endpoints)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const name of ['POST /auth', 'GET /customers', 'POST /customers', 'GET /customers/{uid}'])
      expect(operationOf(name), name).toBeDefined()
  })

  it.each(operations)('4: %s needs the header `x-trace-id`, and every answer of it has it', (_, operation) => {
    const trace = operation.parameters.filter(({ name }) => name === 'x-trace-id')
    expect(trace).toEqual([expect.objectContaining({ in: 'header', required: true })])
    // A tool would send an example with every request.
    expect(JSON.stringify(trace)).not.toContain('example')
    for (const { headers } of Object.values(operation.responses)) expect(headers).toHaveProperty('x-trace-id')
  })

  it.each(operations)('%s names every part of its path, and no parameter twice', (name, { parameters }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    expect(inPath).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, part]) => part))
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(operations)('1: %s takes JSON and forms where it takes a body', (name, { requestBody }) => {
    // 4.5: of the deletions only that of a Customer takes a body.
    if (requestBody)
      expect(Object.keys(requestBody.content)).toEqual(['application/json', 'application/x-www-form-urlencoded'])
    else expect(name).toMatch(/^(GET \S+|POST \/auth|PUT \S+\/unlock|DELETE (?!\/customers)\S+)$/)
  })

  it.each(operations)(
    '1 "Responses are JSON-encoded": %s answers its success with JSON, or 204 with nothing',
    (name, operation) => {
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
      expect(successes).toHaveLength(1)
      for (const [status, { content }] of successes) {
        expect([name, status === '204']).toEqual([name, /^DELETE (?!\/customers)/.test(name)])
        expect(Object.keys(content ?? {})).toEqual(status === '204' ? [] : ['application/json'])
      }
    },
  )

  it('4.4: "an empty body is allowed": the body of POST /customers is not required, nor is any field of it', () => {
    const body = operationOf('POST /customers')?.requestBody
    expect(body?.required).toBe(false)
    const schema = resolve(String(body?.content['application/json']?.schema.$ref)) as JsonSchema
    expect(schema.required ?? []).toEqual([])
    expect(Object.keys(schema.properties ?? {})).toEqual([
      ...['customer_type', 'primary_customer_uid', 'client_verified', 'external_uid', 'email', 'details'],
      'profile_responses',
    ])
  })

  it.each(operations)('the body of %s is required if one of its fields is', (_, { requestBody }) => {
    if (!requestBody) return
    const { schema } = requestBody.content['application/json']!
    const { required = [] } = (schema.$ref ? resolve(String(schema.$ref)) : schema) as JsonSchema
    expect(requestBody.required).toBe(required.length > 0)
  })

  it('4.3: GET /customers has the parameters of the table', () => {
    const names = operationOf('GET /customers')
      ?.parameters.filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['uid', 'status', 'include_initiated', 'kyc_status', 'customer_type', 'first_name', 'last_name', 'email'],
        ...['locked', 'program_uid', 'business_name', 'sort', 'limit', 'offset'],
      ]),
    )
    for (const { name, required } of operationOf('GET /customers')!.parameters)
      if (name !== 'x-trace-id') expect([name, required]).toEqual([name, false])
  })

  it('2.1: the shape of a Customer has every field of the table, and its `ssn` is write-only', () => {
    const { properties } = document.components.schemas.Customer!
    expect(Object.keys(properties!).sort()).toEqual(
      [
        ...['uid', 'external_uid', 'activated_at', 'created_at', 'archived_at', 'customer_type', 'email'],
        ...['client_verified', 'kyc_status', 'kyc_status_reasons', 'lock_reason', 'locked_at', 'pii_confirmed_at'],
        ...['pool_uids', 'primary_customer_uid', 'secondary_customer_uids', 'profile_responses', 'program_uid'],
        ...['status', 'total_balance', 'details'],
      ].sort(),
    )
    for (const [name, { properties: parts }] of Object.entries(document.components.schemas))
      if (parts?.ssn) expect([name, parts.ssn]).toEqual([name, expect.objectContaining({ writeOnly: true })])
  })

  it('2.1: what is not nullable in the table cannot be null; what has no value yet and cannot be null may be left out', () => {
    const { properties, required } = document.components.schemas.Customer!
    const isNullable = (schema: JsonSchema): boolean =>
      [schema.type].flat().includes('null') || (schema.anyOf ?? []).some(isNullable)
    const nullable = Object.entries(properties!).flatMap(([name, schema]) => (isNullable(schema) ? [name] : []))
    expect(nullable.sort()).toEqual([
      ...['archived_at', 'external_uid', 'kyc_status', 'kyc_status_reasons', 'lock_reason', 'locked_at'],
      ...['primary_customer_uid', 'secondary_customer_uids'],
    ])
    const optional = Object.keys(properties!).filter((name) => !required?.includes(name))
    expect(optional.sort()).toEqual(['activated_at', 'email', 'pii_confirmed_at'])
  })

  it('2.4: the envelope is "an object with integers `total_count`, `count`, `limit`, `offset` and an array `data`"', () => {
    const schema = operationOf('GET /customers')?.responses[200]?.content['application/json']?.schema
    const { properties = {}, required } = (schema?.$ref ? resolve(String(schema.$ref)) : schema) as JsonSchema
    const numbers = ['total_count', 'count', 'limit', 'offset']
    expect(Object.keys(properties).sort()).toEqual([...numbers, 'data'].sort())
    expect([...(required ?? [])].sort()).toEqual([...numbers, 'data'].sort())
    for (const name of numbers) expect([name, properties[name]?.type]).toEqual([name, 'integer'])
    expect(properties.data?.type).toBe('array')
  })

  it('every $ref resolves, and every component is used', () => {
    const refs = new Set<string>()
    everyNode(document, ({ $ref }) => {
      if (typeof $ref === 'string') refs.add($ref)
    })
    expect(refs.size).toBeGreaterThan(0)
    expect([...refs].filter((ref) => resolve(ref) === undefined)).toEqual([])
    const declared = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(declared.filter((name) => !refs.has(name))).toEqual([])
  })

  it.each([
    ['the API', document],
    ['the control API', controlOpenapi()],
  ])('of %s no enum has "", and no pattern an escaped slash: generators write them into code', (_, document) => {
    everyNode(document, (node) => {
      if (Array.isArray(node.enum)) expect(node.enum).not.toContain('')
      if (typeof node.pattern === 'string') expect(node.pattern).not.toContain('\\/')
    })
  })

  it('no field has null as its default: that is none of the values of an enum in the form for 3.0', () => {
    everyNode(document, (node) => expect(node).not.toHaveProperty('default', null))
  })

  it('the offset of a list is at least 0', () => {
    const offsets = operations.flatMap(([, { parameters }]) => parameters.filter(({ name }) => name === 'offset'))
    expect(new Set(offsets.map(({ schema }) => schema.minimum))).toEqual(new Set([0]))
  })

  it("no leftovers of zod's own printing", () => {
    everyNode(document, (node) => {
      for (const left of ['$defs', '$schema', '$id', 'definitions', '~standard']) expect(node).not.toHaveProperty(left)
    })
    expect(JSON.stringify(document)).not.toContain('#/$defs')
  })

  it.each(operations)('%s has an example for each part of its path and for its body', (_, operation) => {
    for (const parameter of operation.parameters)
      if (parameter.in === 'path') expect(parameter).toMatchObject({ example: expect.any(String) })
    if (!operation.requestBody) return
    const { schema, example } = operation.requestBody.content['application/json']!
    expect(problems(schema, example!)).toEqual([])
  })

  it('every example fits its own schema', () => {
    let seen = 0
    everyNode(document, (node) => {
      if (!Array.isArray(node.examples) || typeof node.type === 'undefined') return
      for (const example of node.examples) {
        seen++
        expect(problems(node as JsonSchema, example as Json)).toEqual([])
      }
    })
    expect(seen).toBeGreaterThan(10)
  })
})

describe('the 3.0.3 form, for older generators', () => {
  it('has the same operations and components', () => {
    expect(document30.openapi).toBe('3.0.3')
    expect(document30.info).toMatchObject({ license: { name: 'MIT', url: expect.stringMatching(/^https:/) } })
    const namesOf = ({ paths, components }: typeof document) => [
      Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]),
      Object.keys(components.schemas),
    ]
    expect(namesOf(document30)).toEqual(namesOf(document))
  })

  it.each<[string, JsonSchema, JsonSchema]>([
    ['a text', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    ['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    ['several types', { type: ['integer', 'null'] }, { type: 'integer', nullable: true }],
    [
      'two types or null',
      { type: ['integer', 'string', 'null'] },
      {
        anyOf: [
          { type: 'integer', nullable: true },
          { type: 'string', nullable: true },
        ],
      },
    ],
    [
      'two shapes or null',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'object' }] }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'object', nullable: true },
        ],
      },
    ],
    ['a component', { $ref: '#/a' }, { $ref: '#/a' }],
    ['a component, described', { $ref: '#/a', description: 'b' }, { allOf: [{ $ref: '#/a' }], description: 'b' }],
    [
      'a component or null',
      { anyOf: [{ $ref: '#/a' }, { type: 'null' }] },
      { type: 'object', nullable: true, allOf: [{ $ref: '#/a' }] },
    ],
    [
      'parts',
      { type: 'object', properties: { type: { type: ['string', 'null'] } }, propertyNames: {} },
      { type: 'object', properties: { type: { type: 'string', nullable: true } } },
    ],
    ['one value', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, minItems: 2, maxItems: 2 },
    ],
    [
      'a list',
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      { type: 'array', items: { type: 'string', nullable: true } },
    ],
  ])('%s', (_, schema, expected) => {
    expect(toSchema30(schema)).toEqual(expected)
  })

  it.each([
    ['the API', document30],
    ['the control API', toOpenApi30(controlOpenapi())],
  ])('of %s has nothing that 3.0 does not know', (_, { components }) => {
    everyNode(components.schemas, (node) => {
      // A property may have the name examples.
      expect(Array.isArray(node.examples)).toBe(false)
      for (const keyword of ['propertyNames', 'const', 'prefixItems']) expect(node).not.toHaveProperty(keyword)
      if (typeof node.type === 'string') expect(node.type).not.toBe('null')
      if (typeof node.$ref === 'string') expect(Object.keys(node)).toEqual(['$ref'])
    })
  })
})

// ── Answers held against the document ────────────────────────────────────────────────────────────────────────────

it('an answer with a field that is not declared, declared for requests alone, or of another type is found', () => {
  const secret = { type: 'string', writeOnly: true } as const
  const schema = { type: 'object', properties: { uid: { type: 'string' }, secret }, required: ['uid'] } as JsonSchema
  expect(problems(schema, { uid: 'a' })).toEqual([])
  for (const wrong of [{}, { uid: 1 }, { uid: 'a', more: 1 }, { uid: 'a', secret: 'x' }, { uid: null }, []])
    expect(problems(schema, wrong), JSON.stringify(wrong)).toHaveLength(1)
})

describe('every answer is as the document says', () => {
  let sandbox: Sandbox
  let api: ReturnType<typeof apiClient>
  /** The operations with the examples of this world. */
  let served: typeof document.paths
  beforeAll(async () => {
    sandbox = await openSandbox({
      version: '0.0.0-test',
      data: null,
      port: 0,
      world: 'demo',
      clock: 'frozen',
      control_key: 'test-key',
      seed: 'test',
      start: START,
    })
    api = apiClient(sandbox)
    served = ((await (await fetch(new URL('/openapi.json', sandbox.api))).json()) as typeof document).paths
    return () => sandbox.close()
  })

  /** What the document says of this answer, and what is wrong with it. */
  function judge(name: string, { status, body }: ApiResponse<unknown>): string[] {
    const response = operationOf(name)?.responses[status]
    if (!response) return [`${name}: an answer of ${status} is not declared`]
    const json = response.content?.['application/json']
    if (!json) return body === undefined ? [] : [`${name}: an answer of ${status} has no body`]
    const found = problems(json.schema, body as Json).map((problem) => `${name}: ${status}: ${problem}`)
    const [error] = (body as { errors?: { code: number }[] }).errors ?? []
    // A refusal is announced by its code, so that a reader of the document meets it before the caller does.
    if (error && !new RegExp(`\\b${error.code}\\b`).test(response.description))
      found.push(`${name}: code ${error.code} is not announced among "${response.description}"`)
    return found
  }

  /** The request of the example, with the uid of its path. */
  function exampleOf(name: string, unknown?: string) {
    const [method = '', path = ''] = name.split(' ')
    const { parameters, requestBody } = served[path]![method.toLowerCase()]!
    const uid = (parameters as { in: string; example?: string }[]).find((one) => one.in === 'path')?.example ?? ''
    const json = requestBody?.content['application/json']?.example as Record<string, unknown> | undefined
    return { method, path: path.replace('{uid}', unknown ?? uid), json }
  }

  it.each(operations.filter(([name]) => /^GET [^{]+$/.test(name)))(
    '%s: the list, each of its records, and what it refuses',
    async (name) => {
      const path = name.slice('GET '.length)
      const page = await api.get<{ data: { uid: string }[] }>(`${path}?limit=1000`)
      const wrong = judge(name, page)
      for (const query of ['limit=-1', 'limit=x', 'sort=x', 'status=x', 'created_at_after=x', 'offset=1'])
        wrong.push(...judge(name, await api.get(`${path}?${query}`)))
      for (const uid of [...page.body.data.map((one) => one.uid), 'nobody'])
        wrong.push(...judge(`${name}/{uid}`, await api.get(`${path}/${uid}`)))
      expect([page.status, wrong]).toEqual([200, []])
    },
  )

  it.each(operations.filter(([, { requestBody }]) => requestBody))(
    '%s: its example, the example without a field or with a wrong one, and bodies that cannot be read',
    async (name) => {
      const { method, path, json = {} } = exampleOf(name)
      const sent: RequestOptions[] = [
        ...['{', 'x'.repeat((1 << 20) + 1)].map((raw) => ({ raw, headers: { 'content-type': 'application/json' } })),
        { raw: 'x', headers: { 'content-type': 'text/plain' } },
        ...[undefined, null, 5, 'x', ''].flatMap((value) =>
          Object.keys(json).map((field) => ({ json: { ...json, [field]: value } })),
        ),
        { json },
        { json },
      ]
      const wrong: string[] = []
      for (const one of sent) wrong.push(...judge(name, await api.call(method, path, one)))
      wrong.push(...judge(name, await api.call(method, exampleOf(name, 'nobody').path, { json })))
      expect(wrong).toEqual([])
    },
  )

  it.each(operations)(
    '%s: no token or trace id, a repeated trace id (409), and a caller outside the allowlist (403)',
    async (name) => {
      const { method, path } = exampleOf(name)
      const authorization = name === 'POST /auth' ? api.refreshToken() : await api.signIn()
      const send = (headers: Record<string, string | undefined>) =>
        api.send(method, path, { headers: { authorization, 'x-trace-id': name, ...headers } })
      const { uid, allowlist } = sandbox.programs()[0]!
      await send({})
      const answers = [await send({ authorization: 'auth-x' }), await send({ 'x-trace-id': ' ' }), await send({})]
      putRecord(sandbox, 'programs', uid, { allowlist: [] })
      answers.push(await send({}))
      putRecord(sandbox, 'programs', uid, { allowlist })
      expect(answers.map(({ status }) => status)).toEqual([401, 400, 409, 403])
      expect(answers.flatMap((answer) => judge(name, answer))).toEqual([])
    },
  )

  it.each([
    ['/openapi.json', document],
    ['/api/v1/openapi.json', document],
    ['/openapi-3.0.json', document30],
    ['/api/v1/openapi-3.0.json', document30],
  ])(
    '%s is this document with the address of the caller and own examples, and needs no key, token or trace id',
    async (path, expected) => {
      for (const host of ['127.0.0.1', 'localhost']) {
        const { port } = new URL(sandbox.api)
        const response = await fetch(new URL(path, `http://${host}:${port}`))
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toMatch(/^application\/json/)
        const [own, ...others] = expected.servers as { url: string }[]
        const servers = [{ ...own, url: `http://${host}:${port}/api/v1` }, ...others]
        expect(withoutExamples(await response.json())).toEqual(withoutExamples({ ...expected, servers }))
      }
    },
  )
})
