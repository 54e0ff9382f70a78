import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { allEndpoints, bodySchemas, inputSchemas, querySchemas } from '../support/examples.ts'
import type { Random } from '../support/random.ts'
import { controlCall, NEVER_MUTATED } from './control-requests.ts'
import type { KnownRecords } from './known-records.ts'
import { forbiddenRequest, largeRequest, malformedRequest, repetitiveRequest } from './malformed-requests.ts'
import { asText, controlRequest, encoded, type FuzzRequest, JSON_TYPE, type RequestContext } from './requests.ts'
import { type BuiltRequest, validRequest, weights } from './valid-requests.ts'
import { mutate, oddName, oddWord, valueFor } from './values.ts'

const API_ROWS = allEndpoints
  .filter(([name]) => name !== 'createAccessToken')
  .map(([name, endpoint]) => [weights[name] ?? 1, [name, endpoint] as const] as const)

/** So many of the latest requests can become a recording. */
const MOST_RECENT = 12

type Way = 'by its example' | 'by the schema' | 'mutated'

export class RequestGenerator {
  readonly #context: RequestContext
  readonly #recent: FuzzRequest[] = []

  constructor(records: KnownRecords, random: Random, seed: string, receivers: readonly string[]) {
    let n = 0
    let count = 0
    this.#context = {
      records,
      random,
      seed,
      receivers,
      nextNumber: () => ++n,
      trace: () => `${seed}-${++count}`,
      exchanges: () => count,
      recent: () => this.#recent,
    }
  }

  get #random() {
    return this.#context.random
  }
  get #records() {
    return this.#context.records
  }

  next(): FuzzRequest {
    return this.#random.pickWeighted<() => FuzzRequest>([
      [67, () => this.nextOfApi()],
      [26, () => this.#controlRequest()],
      [5, () => malformedRequest(this.#context)],
      [2, () => forbiddenRequest(this.#context)],
      [0.4, () => repetitiveRequest(this.#context)],
      [0.4, () => largeRequest(this.#context)],
    ])()
  }

  /** A request that changes nothing, with a short response: the log keeps thousands of them. It is accepted or refused. */
  nextRead(): FuzzRequest {
    const [name, endpoint] = this.#random.pick(
      allEndpoints.filter(([, { method, path }]) => method === 'GET' && path.includes('{')),
    )
    const isRefused = this.#random.chance(0.5)
    return this.api(
      name,
      isRefused ? { params: { uid: 'unknown' }, query: 'limit=x' } : this.#build(name, endpoint, 'by its example'),
    )
  }

  /** The same request with another trace id. */
  repeat(request: FuzzRequest): FuzzRequest {
    return { ...request, headers: { ...request.headers, 'x-trace-id': this.#context.trace() } }
  }

  // ── The API

  nextOfApi(): FuzzRequest {
    const [name, endpoint] = this.#random.pickWeighted(API_ROWS)
    const way = this.#random.pickWeighted<Way>([
      [50, 'by its example'],
      [17, 'by the schema'],
      [33, 'mutated'],
    ])
    const request = this.api(name, this.#build(name, endpoint, way), way === 'mutated' && !endpoint.body)
    this.#recent.push(request)
    if (this.#recent.length > MOST_RECENT) this.#recent.shift()
    return request
  }

  #build(name: EndpointName, endpoint: Endpoint, way: Way): BuiltRequest & { query?: string } {
    const random = this.#random
    const [body, query] = [bodySchemas.get(name), querySchemas.get(name)]
    const findUid = this.#records.uidFinder(random)
    const built: BuiltRequest =
      way !== 'by the schema' && random.chance(0.8)
        ? validRequest(name, this.#context)
        : { params: this.#params(endpoint), ...(body ? { body: valueFor(body, random, findUid) } : {}) }
    const { params = {} } = built
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
      headers: { 'x-trace-id': this.#context.trace(), ...(body === undefined ? {} : JSON_TYPE) },
      ...(body === undefined ? {} : { text: asText(body) }),
    }
  }

  // ── Control methods

  #controlRequest(): FuzzRequest {
    const random = this.#random
    const [name, input] = controlCall(this.#context)
    const isMutated = random.chance(0.2) && !NEVER_MUTATED.has(name)
    return controlRequest(name, isMutated ? mutate(input, inputSchemas.get(name), random) : input)
  }

  /** The values near one Customer, from which the next requests are made. */
  nextExamples(): FuzzRequest {
    const uid = this.#records.uid('customers', this.#random)
    const near = uid === undefined || this.#random.chance(0.3) ? {} : { near: { collection: 'customers', uid } }
    return controlRequest('requests.examples', near)
  }
}
