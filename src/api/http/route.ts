import type { Hint } from '../contract/control/exchanges.ts'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { type JsonSchema, jsonSchema } from '../contract/openapi.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { convertText, parseQuery, type Tree } from './body.ts'
import { toRefusal } from './error-response.ts'
import { findHints } from './hints.ts'

/** An endpoint with what handling its requests needs. */
export interface Route {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  /** Created on first use: creating all of them would delay every start. */
  readonly schemas: () => RouteSchemas
}

interface RouteSchemas {
  readonly queries: QueryCache
  readonly body: JsonSchema | undefined
}

/** Shared by all sandboxes of a process: schemas depend on the contract alone. */
const schemasByName = new Map<EndpointName, RouteSchemas>()

export function createRoute(name: EndpointName): Route {
  const endpoint: Endpoint = endpoints[name]
  const schemas = () => {
    const known = schemasByName.get(name) ?? {
      queries: new QueryCache(endpoint.query),
      body: endpoint.body && inlineRefs(jsonSchema(endpoint.body, 'input')),
    }
    schemasByName.set(name, known)
    return known
  }
  return { name, endpoint, schemas }
}

interface ParsedQuery {
  readonly tree: Tree
  readonly hints: readonly Hint[]
  /** The validated query; set when first needed, because an invalid one throws. */
  input?: unknown
}

/**
 * The queries of an endpoint, parsed. Clients repeat their queries, and parsing one costs more than finding it: this saves
 * 12 % of GET 20 Transactions (docs/performance.md).
 */
class QueryCache {
  readonly #querySchema: Endpoint['query']
  readonly #jsonSchema: JsonSchema
  readonly #parsed = new Map<string, ParsedQuery>()

  constructor(querySchema: Endpoint['query']) {
    this.#querySchema = querySchema
    this.#jsonSchema = querySchema ? inlineRefs(jsonSchema(querySchema, 'input')) : NO_PARAMETERS
  }

  parse(text: string): ParsedQuery {
    const known = this.#parsed.get(text)
    if (known) return known
    const tree = convertText(parseQuery(text), this.#jsonSchema, { inQuery: true }) as Tree
    const query = { tree, hints: findHints(tree, this.#jsonSchema) }
    if (this.#parsed.size >= MAX_QUERIES) this.#parsed.clear()
    if (text.length <= MAX_QUERY_LENGTH) this.#parsed.set(text, query)
    return query
  }

  /** Throws an ApiError for an invalid query. */
  validate(query: ParsedQuery): unknown {
    return (query.input ??= this.#querySchema && deepFreeze(validate(this.#querySchema, query.tree)))
  }
}

export const NO_PARAMETERS: JsonSchema = { properties: {} }
const MAX_QUERIES = 1_000
const MAX_QUERY_LENGTH = 1_000

/** Throws an ApiError for an invalid value. */
export function validate(schema: NonNullable<Endpoint['body']>, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (!result.success) throw toRefusal(result.error.issues, value, schema)
  return result.data
}

/** Requests share cached queries. */
function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) deepFreeze(part)
  return value
}

/** Replaces `$ref`s by their targets. Schemas of inputs are not recursive. */
export function inlineRefs(schema: JsonSchema): JsonSchema {
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
