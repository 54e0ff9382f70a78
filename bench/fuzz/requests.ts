import { type MethodName, methodNames, methods } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Body } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { KnownRecords } from './known-records.ts'
import { type BuilderContext, type BuiltRequest, requestBuilders, weights } from './valid-requests.ts'
import { mutate, oddName, oddValue, oddWord, valueFor } from './values.ts'

/** One request as plain data, so that it can be sent again and printed as a curl line. */
export interface FuzzRequest {
  readonly door: 'api' | 'control'
  /** The endpoint or control method; null when the path belongs to none. */
  readonly name: string | null
  readonly method: string
  /** Without the origin. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
  /** Faults are active: errors and dropped connections are expected. */
  readonly hasFaults?: boolean
}

const API = Object.entries(endpoints) as [EndpointName, Endpoint][]
const API_ROWS = API.filter(([name]) => name !== 'createAccessToken').map(
  ([name, endpoint]) => [weights[name] ?? 1, [name, endpoint] as const] as const,
)

interface Schemas {
  readonly body: JsonSchema | undefined
  readonly query: JsonSchema | undefined
}
/** Replaces each `$ref` by its definition. Inputs are trees, so this ends. */
function withoutReferences(schema: JsonSchema): JsonSchema {
  const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: string }
    if ($ref) return walk(defs[$ref.replace('#/$defs/', '')])
    return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, walk(part)]))
  }
  return walk(schema) as JsonSchema
}
const printSchema = (schema: Endpoint['body']) => schema && withoutReferences(jsonSchema(schema, 'input'))
const schemasOf = new Map<EndpointName, Schemas>(
  API.map(([name, { body, query }]) => [name, { body: printSchema(body), query: printSchema(query) }]),
)
const inputs = new Map<MethodName, JsonSchema>(
  methodNames.map((name) => [name, withoutReferences(jsonSchema(methods[name].input, 'input'))]),
)

type Way = 'by the rules' | 'by the schema' | 'mutated'

export class RequestGenerator {
  readonly #context: BuilderContext
  readonly #seed: string
  #count = 0

  constructor(records: KnownRecords, random: Random, seed: string) {
    this.#seed = seed
    let n = 0
    this.#context = { records, random, nextNumber: () => ++n }
  }

  get #random() {
    return this.#context.random
  }
  get #records() {
    return this.#context.records
  }

  next(): FuzzRequest {
    return this.#random.pickWeighted<() => FuzzRequest>([
      [68, () => this.#apiRequest()],
      [27, () => this.#controlRequest()],
      [5, () => this.#malformedRequest()],
    ])()
  }

  // ── The API

  #apiRequest(): FuzzRequest {
    const [name, endpoint] = this.#random.pickWeighted(API_ROWS)
    const way = this.#random.pickWeighted<Way>([
      [50, 'by the rules'],
      [17, 'by the schema'],
      [33, 'mutated'],
    ])
    return this.api(name, this.#build(name, endpoint, way), way === 'mutated' && !endpoint.body)
  }

  #build(name: EndpointName, endpoint: Endpoint, way: Way): BuiltRequest & { query?: string } {
    const random = this.#random
    const { body, query } = schemasOf.get(name)!
    const byTheRules = way === 'by the schema' ? undefined : requestBuilders[name]?.(this.#context)
    const findUid = this.#records.uidFinder(random)
    const built: BuiltRequest = byTheRules ?? (body ? { body: valueFor(body, random, findUid) } : {})
    const params = built.params ?? this.#params(endpoint)
    const sent = way === 'mutated' && built.body !== undefined ? mutate(built.body, body, random) : built.body
    return {
      params,
      ...(sent === undefined ? {} : { body: sent }),
      ...(query ? { query: this.#query(query, way === 'mutated') } : {}),
    }
  }

  #params({ path }: Endpoint): Record<string, string> {
    const collection = path.split('/')[1]!
    const uid = this.#records.uid(collection, this.#random) ?? 'unknown'
    return path.includes('{uid}') ? { uid } : {}
  }

  /** Some of the parameters, with values of existing records or, when mutated, invalid ones. */
  #query(schema: JsonSchema, isMutated: boolean): string {
    const random = this.#random
    const wanted = Object.entries(schema.properties ?? {}).filter(() => random.chance(0.12))
    const pairs = wanted.flatMap(([name, part]) => {
      const value =
        isMutated && random.chance(0.6)
          ? oddWord(random)
          : valueFor(part, random, this.#records.uidFinder(random), name)
      const values = Array.isArray(value) ? value : [value]
      const written = random.chance(0.5) && Array.isArray(value) ? `${name}[]` : name
      return values.map((one) => `${written}=${encoded(one)}`)
    })
    if (isMutated && random.chance(0.2)) pairs.push(`${encoded(oddName(random))}=${encoded(oddWord(random))}`)
    return pairs.join('&')
  }

  api(
    name: EndpointName,
    { params = {}, body, query }: BuiltRequest & { query?: string },
    hasOddUid = false,
  ): FuzzRequest {
    const { method, path } = endpoints[name] as Endpoint
    const uid = hasOddUid && this.#random.chance(0.3) ? oddWord(this.#random) : params.uid
    const search = query ? `?${query}` : ''
    return {
      door: 'api',
      // With an empty uid it is the path of the list.
      name: uid === '' ? null : name,
      method,
      path: `/api/v1${path.replace('{uid}', encoded(uid))}${search}`,
      headers: { 'x-trace-id': this.#trace(), ...(body === undefined ? {} : JSON_TYPE) },
      ...(body === undefined ? {} : { text: asText(body) }),
    }
  }

  #trace = () => `${this.#seed}-${++this.#count}`

  // ── Control methods

  #controlRequest(): FuzzRequest {
    const random = this.#random
    const [name, input] = random.pickWeighted<() => readonly [MethodName, unknown]>(this.#operations())()
    const isMutated = random.chance(0.2) && !NEVER_MUTATED.has(name)
    return this.control(name, isMutated ? mutate(input, inputs.get(name), random) : input)
  }

  control(name: MethodName, input: unknown): FuzzRequest {
    return {
      door: 'control',
      name,
      method: 'POST',
      path: `/control/${name}`,
      headers: JSON_TYPE,
      text: asText(input),
    }
  }

  /** Weights and inputs: time passes often, worlds are replaced seldom. A method that is not listed is called by its schema. */
  #operations(): readonly (readonly [number, () => readonly [MethodName, unknown]])[] {
    const random = this.#random
    const records = this.#records
    const anyRecord = () => {
      const collection = random.pick(CHANGING_COLLECTIONS)
      return { collection, uid: records.uid(collection, random) ?? 'unknown' }
    }
    const snapshotName = () => ({ name: `snapshot ${random.below(4)}` })
    const by = () =>
      random.pickWeighted([
        [8, `PT${random.between(1, 6)}S`],
        [2, 'PT6M'],
        [2, 'PT24H'],
        [1, 'P5D'],
      ])
    const rest = methodNames.filter((name) => !LISTED.has(name) && !EXCLUDED.has(name) && !takesFiles(name))
    return [
      [40, () => ['clock.advance', { by: by() }]],
      [6, () => ['clock.advance', { until: 'next' }]],
      [2, () => ['clock.advance', { until: 'idle' }]],
      [4, () => ['clock.advance', { business_days: random.between(1, 6) }]],
      [1, () => ['clock.set', { pace: random.pick(['fast', 'real']) }]],
      [1, () => ['clock.advance', { to: random.pick(['soon', '2001-01-01', '2026-02-30', '', '12:00']) }]],
      [6, () => ['moves.list', anyRecord()]],
      [10, () => ['moves.make', this.#decision(anyRecord())]],
      [3, () => ['records.get', anyRecord()]],
      [4, () => ['records.list', { collection: random.pick(CHANGING_COLLECTIONS), limit: random.between(0, 20) }]],
      [3, () => ['records.history', { ...anyRecord(), limit: 20 }]],
      [2, () => ['records.story', { uid: records.uid('customers', random) ?? 'unknown', limit: 50 }]],
      [
        3,
        () => [
          'why',
          { ...anyRecord(), ...(random.chance(0.3) ? { field: random.pick(['status', 'uid', 'details.phone']) } : {}) },
        ],
      ],
      [3, () => ['tasks.run', { uid: records.uid('tasks', random) ?? 'unknown' }]],
      [1, () => ['tasks.hold', { uid: records.uid('tasks', random) ?? 'unknown' }]],
      [1, () => ['tasks.release', { uid: records.uid('tasks', random) ?? 'unknown' }]],
      [2, () => ['exchanges.get', { uid: `x${random.between(1, this.#count + 2)}` }]],
      [2, () => ['programs.update', { uid: records.uid('programs', random) ?? 'unknown', ...this.#settings() }]],
      [0.5, () => ['programs.create', { name: `Program ${this.#context.nextNumber()}` }]],
      [0.5, () => ['snapshots.keep', snapshotName()]],
      [0.4, () => ['snapshots.restore', snapshotName()]],
      [0.4, () => ['snapshots.delete', snapshotName()]],
      [0.4, () => ['snapshots.compare', { a: snapshotName().name }]],
      [0.15, () => ['world.reset', { world: random.pick(['demo', 'demo', 'empty']) }]],
      [0.4, () => ['world.rewind', { seq: random.below(400) }]],
      [1, () => ['faults.set', { faults: [this.#fault()] }]],
      ...rest.map(
        (name) => [0.6, () => [name, valueFor(inputs.get(name)!, random, records.uidFinder(random))] as const] as const,
      ),
    ]
  }

  /** Mostly a decision that moves.list offered. */
  #decision(record: Body): Body {
    const random = this.#random
    const { offers } = this.#records
    if (offers.length === 0 || random.chance(0.2))
      return { ...record, move: random.pick(DECISIONS), inputs: this.#inputs() }
    const { collection, uid, move, inputs } = random.pick(offers)
    const filled = inputs
      .filter(({ required }) => required || random.chance(0.3))
      .map(({ name, values }) => [name, values ? random.pick(values) : 'asked for'])
    return { collection, uid, move, inputs: Object.fromEntries(filled) }
  }

  #inputs(): Body {
    const random = this.#random
    return random.pick<Body>([
      {},
      {},
      { reason: random.pick(['asked for', 'fraud', '']) },
      { code: random.pick(['R01', 'R10', 'C01', 'AM04']) },
      { [oddName(random)]: oddValue(random) },
    ])
  }

  #settings(): Body {
    const random = this.#random
    return random.pick<Body>([
      { pre_funding: random.chance(0.5) },
      { unanswered_authorization: random.pick(['approve', 'deny']) },
      { authorization_hours: random.pick([1, 24]) },
      { strict: random.chance(0.2) },
      { returns: random.chance(0.8), combined_transfers: random.chance(0.8) },
      { client_authorization: random.chance(0.8) },
      { queue_minutes: { ach: random.pick([0, 10]), book: random.pick([0, 1]) } },
      { vrn_cooldown_minutes: random.pick([0, 5]) },
      { limits: { ach: { maximum_amount: random.pick(['5000000.00', '10.00']) } } },
      { account_limits: { external_accounts: random.pick([null, 5]), general_accounts: random.pick([null, 3]) } },
    ])
  }

  #fault(): Body {
    const random = this.#random
    const kind = random.pick([
      'latency',
      'status',
      'drop_before_commit',
      'drop_after_commit',
      'rate_limit',
      'slow_body',
    ])
    return { kind, ms: random.below(20), times: random.between(1, 5), rate: random.pick([0.5, 1]), per_minute: 1 }
  }

  // ── Malformed requests

  /** Unknown paths and methods, broken bodies, missing headers. */
  #malformedRequest(): FuzzRequest {
    const random = this.#random
    const [name, { method, path }] = random.pick(API)
    const uid = this.#records.uid(path.split('/')[1]!, random) ?? 'unknown'
    const known = `/api/v1${path.replace('{uid}', uid)}`
    const headers = { 'x-trace-id': this.#trace(), ...JSON_TYPE }
    const request = { door: 'api' as const, name, method, path: known, headers }
    const withText = (text: string, type = 'application/json') => ({
      ...request,
      headers: { ...headers, 'content-type': type },
      text,
    })
    return random.pickWeighted<() => FuzzRequest>([
      [2, () => ({ ...request, name: null, path: `${known}/${encoded(oddWord(random))}` })],
      [1, () => ({ ...request, name: null, path: `/api/v1/${encoded(oddWord(random))}` })],
      [
        1,
        () => ({
          ...request,
          name: null,
          path: random.pick(['/api/v1', '/api', '/api/v1//customers', '/%zz', '/api/v1/customers/%E0%A4%A']),
        }),
      ],
      [
        2,
        () => ({ ...request, name: null, method: random.pick(['PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'POST']) }),
      ],
      [2, () => ({ ...request, headers: {} })],
      [1, () => ({ ...request, headers: { 'x-trace-id': this.#seed } })],
      [
        2,
        () => ({
          ...request,
          headers: { ...headers, authorization: random.pick(['', 'Bearer x', 'auth-', 'auth-a.b.c', '{}']) },
        }),
      ],
      [
        3,
        () =>
          withText(random.pick(['{', '[]', 'null', '"x"', '{"a":', '\ufeff{}', '{"a":1,}', '{}{}', '1', '[{}]', ' '])),
      ],
      [1, () => withText(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
      [1, () => withText(`{${Array.from({ length: 1_100 }, (_, n) => `"k${n}":1`).join()}}`)],
      [0.3, () => withText(JSON.stringify({ name: 'x'.repeat(1_100_000) }))],
      [
        1,
        () =>
          withText(
            'a=1',
            random.pick([
              'text/plain',
              'application/xml',
              'multipart/form-data',
              'x',
              'application/json; charset=latin1',
            ]),
          ),
      ],
      [3, () => withText(this.#form(), 'application/x-www-form-urlencoded')],
      [1, () => ({ ...this.control('clock.read', {}), headers: { 'x-control-key': 'wrong' }, name: null })],
      [1, () => ({ ...this.control('clock.read', {}), path: `/control/${encoded(oddName(random))}`, name: null })],
      [1, () => ({ ...this.control('clock.read', {}), text: random.pick(['{', '[]', 'null', '7', '"x"']) })],
    ])()
  }

  #form(): string {
    const random = this.#random
    const names = [
      'name',
      'name[]',
      'name[a]',
      'name[a][b]',
      'details[address][city]',
      '__proto__[x]',
      'a[',
      'a]',
      '[]',
      '',
      'us_dollar_amount',
    ]
    return Array.from(
      { length: random.between(1, 5) },
      () => `${encoded(random.pick(names))}=${encoded(oddWord(random))}`,
    ).join('&')
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

const CHANGING_COLLECTIONS = [
  'customers',
  'synthetic_accounts',
  'transfers',
  'transactions',
  'virtual_reference_numbers',
  'returns',
  'combined_transfers',
]
const DECISIONS = [
  'settle',
  'fail',
  'return',
  'notify of change',
  'approve',
  'deny',
  'reject',
  'lock',
  'unlock',
  'verify',
  'review again',
  'send to manual review',
  'put under review',
  'end review',
  'mark the check as cashed',
]
/** The methods that #operations lists. */
const LISTED = new Set<string>([
  'clock.advance',
  'clock.set',
  'moves.list',
  'moves.make',
  'records.get',
  'records.list',
  'records.history',
  'records.story',
  'why',
  'tasks.run',
  'tasks.hold',
  'tasks.release',
  'exchanges.get',
  'programs.update',
  'programs.create',
  'snapshots.keep',
  'snapshots.restore',
  'snapshots.delete',
  'snapshots.compare',
  'world.reset',
  'world.rewind',
  'faults.set',
])
/** Methods that take whole files or send many requests have their own tests. */
const takesFiles = (name: string) => /^(bundles|scenarios)\.|^exchanges\.replay$|^records\.related$/.test(name)

/** A new key would end the run. */
const EXCLUDED = new Set<string>(['programs.rotate_key'])
/** Their mutations may be valid and never end, such as an advance over ten thousand years. */
const NEVER_MUTATED = new Set<string>(['clock.advance', 'clock.set', 'faults.set'])

/** A lone surrogate cannot be encoded, so it is replaced. */
function encoded(value: unknown): string {
  return encodeURIComponent(String(value ?? '').toWellFormed())
}

const asText = (value: unknown): string => JSON.stringify(value) ?? ''
