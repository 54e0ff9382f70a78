import { type MethodName, methodNames, methods } from '../../src/api/contract/control.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Body } from '../support/caller.ts'
import type { Luck } from '../support/luck.ts'
import type { Memory } from './memory.ts'
import { type Dish, type Kitchen, recipes, weights } from './recipes.ts'
import { bent, fitting, odd, oddName, oddWord } from './values.ts'

/** One request as plain data: what a run sends, keeps, sends again, and prints as a curl line. */
export interface Ask {
  readonly door: 'api' | 'control'
  /** Of the endpoint or the method; null where none is meant to be hit. */
  readonly name: string | null
  readonly method: string
  /** From the origin on. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
  /** A misfortune is set: refusals and cut connections are what was asked for. */
  readonly unlucky?: boolean
}

const API = Object.entries(endpoints) as [EndpointName, Endpoint][]
const API_ROWS = API.filter(([name]) => name !== 'createAccessToken').map(
  ([name, endpoint]) => [weights[name] ?? 1, [name, endpoint] as const] as const,
)

interface Schemas {
  readonly body: JsonSchema | undefined
  readonly query: JsonSchema | undefined
}
/** `$ref`s are followed once, as inputs are trees. */
function plain(schema: JsonSchema): JsonSchema {
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
const printed = (schema: Endpoint['body']) => schema && plain(jsonSchema(schema, 'input'))
const schemasOf = new Map<EndpointName, Schemas>(
  API.map(([name, { body, query }]) => [name, { body: printed(body), query: printed(query) }]),
)
const inputs = new Map<MethodName, JsonSchema>(
  methodNames.map((name) => [name, plain(jsonSchema(methods[name].input, 'input'))]),
)

type Manner = 'as the rules want it' | 'by the schema' | 'bent'

export class Asks {
  readonly #kitchen: Kitchen
  readonly #seed: string
  #count = 0

  constructor(memory: Memory, luck: Luck, seed: string) {
    this.#seed = seed
    let n = 0
    this.#kitchen = { memory, luck, fresh: () => ++n }
  }

  get #luck() {
    return this.#kitchen.luck
  }
  get #memory() {
    return this.#kitchen.memory
  }

  next(): Ask {
    return this.#luck.weighed<() => Ask>([
      [68, () => this.#ofApi()],
      [27, () => this.#ofControl()],
      [5, () => this.#astray()],
    ])()
  }

  // ── The API

  #ofApi(): Ask {
    const [name, endpoint] = this.#luck.weighed(API_ROWS)
    const manner = this.#luck.weighed<Manner>([
      [50, 'as the rules want it'],
      [17, 'by the schema'],
      [33, 'bent'],
    ])
    return this.api(name, this.#dish(name, endpoint, manner), manner === 'bent' && !endpoint.body)
  }

  #dish(name: EndpointName, endpoint: Endpoint, manner: Manner): Dish & { query?: string } {
    const luck = this.#luck
    const { body, query } = schemasOf.get(name)!
    const cooked = manner === 'by the schema' ? undefined : recipes[name]?.(this.#kitchen)
    const known = this.#memory.known(luck)
    const made = cooked ?? (body ? { body: fitting(body, luck, known) } : {})
    const params = made.params ?? this.#params(endpoint)
    const said = manner === 'bent' && made.body !== undefined ? bent(made.body, body, luck) : made.body
    return {
      params,
      ...(said === undefined ? {} : { body: said }),
      ...(query ? { query: this.#query(query, manner === 'bent') } : {}),
    }
  }

  #params({ path }: Endpoint): Record<string, string> {
    const collection = path.split('/')[1]!
    const uid = this.#memory.uid(collection, this.#luck) ?? 'nobody'
    return path.includes('{uid}') ? { uid } : {}
  }

  /** Some of the parameters, with values out of records that there are, or with odd ones. */
  #query(schema: JsonSchema, isBent: boolean): string {
    const luck = this.#luck
    const wanted = Object.entries(schema.properties ?? {}).filter(() => luck.chance(0.12))
    const pairs = wanted.flatMap(([name, part]) => {
      const value = isBent && luck.chance(0.6) ? oddWord(luck) : fitting(part, luck, this.#memory.known(luck), name)
      const values = Array.isArray(value) ? value : [value]
      const written = luck.chance(0.5) && Array.isArray(value) ? `${name}[]` : name
      return values.map((one) => `${written}=${encoded(one)}`)
    })
    if (isBent && luck.chance(0.2)) pairs.push(`${encoded(oddName(luck))}=${encoded(oddWord(luck))}`)
    return pairs.join('&')
  }

  api(name: EndpointName, { params = {}, body, query }: Dish & { query?: string }, strange = false): Ask {
    const { method, path } = endpoints[name] as Endpoint
    const uid = strange && this.#luck.chance(0.3) ? oddWord(this.#luck) : params.uid
    const asked = query ? `?${query}` : ''
    return {
      door: 'api',
      // Without a uid the path is that of the list.
      name: uid === '' ? null : name,
      method,
      path: `/api/v1${path.replace('{uid}', encoded(uid))}${asked}`,
      headers: { 'x-trace-id': this.#trace(), ...(body === undefined ? {} : this.#typed()) },
      ...(body === undefined ? {} : { text: asText(body) }),
    }
  }

  #trace = () => `${this.#seed}-${++this.#count}`
  #typed = () => ({ 'content-type': 'application/json' })

  // ── The operator's door

  #ofControl(): Ask {
    const luck = this.#luck
    const [name, input] = luck.weighed<() => readonly [MethodName, unknown]>(this.#operations())()
    const isBent = luck.chance(0.2) && !UNBENT.has(name)
    return this.control(name, isBent ? bent(input, inputs.get(name), luck) : input)
  }

  control(name: MethodName, input: unknown): Ask {
    return {
      door: 'control',
      name,
      method: 'POST',
      path: `/control/${name}`,
      headers: { 'content-type': 'application/json' },
      text: asText(input),
    }
  }

  /** Time passes often, worlds are replaced seldom; what is not named here is asked by its schema. */
  #operations(): readonly (readonly [number, () => readonly [MethodName, unknown]])[] {
    const luck = this.#luck
    const memory = this.#memory
    const place = () => {
      const collection = luck.pick(MOVING)
      return { collection, uid: memory.uid(collection, luck) ?? 'nobody' }
    }
    const named = () => ({ name: `kept ${luck.below(4)}` })
    const by = () =>
      luck.weighed([
        [8, `PT${luck.between(1, 6)}S`],
        [2, 'PT6M'],
        [2, 'PT24H'],
        [1, 'P5D'],
      ])
    const rest = methodNames.filter((name) => !NAMED.has(name) && !BY_HAND.has(name) && !takesFiles(name))
    return [
      [40, () => ['clock.advance', { by: by() }]],
      [6, () => ['clock.advance', { until: 'next' }]],
      [2, () => ['clock.advance', { until: 'idle' }]],
      [4, () => ['clock.advance', { business_days: luck.between(1, 6) }]],
      [1, () => ['clock.set', { pace: luck.pick(['fast', 'real']) }]],
      [1, () => ['clock.advance', { to: luck.pick(['soon', '2001-01-01', '2026-02-30', '', '12:00']) }]],
      [6, () => ['moves.list', place()]],
      [10, () => ['moves.make', this.#move(place())]],
      [3, () => ['records.get', place()]],
      [4, () => ['records.list', { collection: luck.pick(MOVING), limit: luck.between(0, 20) }]],
      [3, () => ['records.history', { ...place(), limit: 20 }]],
      [2, () => ['records.story', { uid: memory.uid('customers', luck) ?? 'nobody', limit: 50 }]],
      [
        3,
        () => [
          'why',
          { ...place(), ...(luck.chance(0.3) ? { field: luck.pick(['status', 'uid', 'details.phone']) } : {}) },
        ],
      ],
      [3, () => ['tasks.run', { uid: memory.uid('tasks', luck) ?? 'nobody' }]],
      [1, () => ['tasks.hold', { uid: memory.uid('tasks', luck) ?? 'nobody' }]],
      [1, () => ['tasks.release', { uid: memory.uid('tasks', luck) ?? 'nobody' }]],
      [2, () => ['exchanges.get', { uid: `x${luck.between(1, this.#count + 2)}` }]],
      [2, () => ['programs.update', { uid: memory.uid('programs', luck) ?? 'nobody', ...this.#settings() }]],
      [0.5, () => ['programs.create', { name: `Program ${this.#kitchen.fresh()}` }]],
      [0.5, () => ['snapshots.keep', named()]],
      [0.4, () => ['snapshots.restore', named()]],
      [0.4, () => ['snapshots.delete', named()]],
      [0.4, () => ['snapshots.compare', { a: named().name }]],
      [0.15, () => ['world.reset', { world: luck.pick(['demo', 'demo', 'empty']) }]],
      [0.4, () => ['world.rewind', { seq: luck.below(400) }]],
      [1, () => ['faults.set', { faults: [this.#misfortune()] }]],
      ...rest.map(
        (name) => [0.6, () => [name, fitting(inputs.get(name)!, luck, memory.known(luck))] as const] as const,
      ),
    ]
  }

  /** Mostly one that was offered. */
  #move(place: Body): Body {
    const luck = this.#luck
    const { offers } = this.#memory
    if (offers.length === 0 || luck.chance(0.2)) return { ...place, move: luck.pick(MOVES), inputs: this.#inputs() }
    const { collection, uid, move, inputs } = luck.pick(offers)
    const filled = inputs
      .filter(({ required }) => required || luck.chance(0.3))
      .map(({ name, values }) => [name, values ? luck.pick(values) : 'asked for'])
    return { collection, uid, move, inputs: Object.fromEntries(filled) }
  }

  #inputs(): Body {
    const luck = this.#luck
    return luck.pick<Body>([
      {},
      {},
      { reason: luck.pick(['asked for', 'fraud', '']) },
      { code: luck.pick(['R01', 'R10', 'C01', 'AM04']) },
      { [oddName(luck)]: odd(luck) },
    ])
  }

  #settings(): Body {
    const luck = this.#luck
    return luck.pick<Body>([
      { pre_funding: luck.chance(0.5) },
      { unanswered_authorization: luck.pick(['approve', 'deny']) },
      { authorization_hours: luck.pick([1, 24]) },
      { strict: luck.chance(0.2) },
      { returns: luck.chance(0.8), combined_transfers: luck.chance(0.8) },
      { client_authorization: luck.chance(0.8) },
      { queue_minutes: { ach: luck.pick([0, 10]), book: luck.pick([0, 1]) } },
      { vrn_cooldown_minutes: luck.pick([0, 5]) },
      { limits: { ach: { maximum_amount: luck.pick(['5000000.00', '10.00']) } } },
      { account_limits: { external_accounts: luck.pick([null, 5]), general_accounts: luck.pick([null, 3]) } },
    ])
  }

  #misfortune(): Body {
    const luck = this.#luck
    const kind = luck.pick(['latency', 'status', 'drop_before_commit', 'drop_after_commit', 'rate_limit', 'slow_body'])
    return { kind, ms: luck.below(20), times: luck.between(1, 5), rate: luck.pick([0.5, 1]), per_minute: 1 }
  }

  // ── Beside every road

  /** What no client should send: foreign paths and methods, broken bodies, missing headers. */
  #astray(): Ask {
    const luck = this.#luck
    const [name, { method, path }] = luck.pick(API)
    const uid = this.#memory.uid(path.split('/')[1]!, luck) ?? 'nobody'
    const way = `/api/v1${path.replace('{uid}', uid)}`
    const headers = { 'x-trace-id': this.#trace(), 'content-type': 'application/json' }
    const ask = { door: 'api' as const, name, method, path: way, headers }
    const withText = (text: string, type = 'application/json') => ({
      ...ask,
      headers: { ...headers, 'content-type': type },
      text,
    })
    return luck.weighed<() => Ask>([
      [2, () => ({ ...ask, name: null, path: `${way}/${encoded(oddWord(luck))}` })],
      [1, () => ({ ...ask, name: null, path: `/api/v1/${encoded(oddWord(luck))}` })],
      [
        1,
        () => ({
          ...ask,
          name: null,
          path: luck.pick(['/api/v1', '/api', '/api/v1//customers', '/%zz', '/api/v1/customers/%E0%A4%A']),
        }),
      ],
      [2, () => ({ ...ask, name: null, method: luck.pick(['PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'POST']) })],
      [2, () => ({ ...ask, headers: {} })],
      [1, () => ({ ...ask, headers: { 'x-trace-id': this.#seed } })],
      [
        2,
        () => ({
          ...ask,
          headers: { ...headers, authorization: luck.pick(['', 'Bearer x', 'auth-', 'auth-a.b.c', '{}']) },
        }),
      ],
      [
        3,
        () =>
          withText(luck.pick(['{', '[]', 'null', '"x"', '{"a":', '\ufeff{}', '{"a":1,}', '{}{}', '1', '[{}]', ' '])),
      ],
      [1, () => withText(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
      [1, () => withText(`{${Array.from({ length: 1_100 }, (_, n) => `"k${n}":1`).join()}}`)],
      [0.3, () => withText(JSON.stringify({ name: 'x'.repeat(1_100_000) }))],
      [
        1,
        () =>
          withText(
            'a=1',
            luck.pick([
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
      [1, () => ({ ...this.control('clock.read', {}), path: `/control/${encoded(oddName(luck))}`, name: null })],
      [1, () => ({ ...this.control('clock.read', {}), text: luck.pick(['{', '[]', 'null', '7', '"x"']) })],
    ])()
  }

  #form(): string {
    const luck = this.#luck
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
      { length: luck.between(1, 5) },
      () => `${encoded(luck.pick(names))}=${encoded(oddWord(luck))}`,
    ).join('&')
  }
}

const MOVING = [
  'customers',
  'synthetic_accounts',
  'transfers',
  'transactions',
  'virtual_reference_numbers',
  'returns',
  'combined_transfers',
]
const MOVES = [
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
/** Recipes above speak of these. */
const NAMED = new Set<string>([
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
/** Whole files, and runs of many requests: they have campaigns of their own (test/control/{replay,bundles,scenarios}). */
const takesFiles = (name: string) => /^(bundles|scenarios)\.|^exchanges\.replay$|^records\.related$/.test(name)

/** An unsteady world would not be the same twice, and a key of its own would end the run; both are tested elsewhere. */
const BY_HAND = new Set<string>(['programs.rotate_key'])
/** An advance over ten thousand years, or a clock that runs by itself, is no misuse, and no end either. */
const UNBENT = new Set<string>(['clock.advance', 'clock.set', 'faults.set'])

/** Half of a pair of surrogates cannot be written in an address at all. */
function encoded(value: unknown): string {
  return encodeURIComponent(String(value ?? '').toWellFormed())
}

const asText = (value: unknown): string => JSON.stringify(value) ?? ''
