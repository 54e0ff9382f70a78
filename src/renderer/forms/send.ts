import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import type { Endpoint } from '../../api/contract/terms/endpoint.ts'
import { type CollectionName, isCollection } from '../data/collections.ts'
import { sandbox } from '../data/sandbox.ts'
import { isJsonObject, type JsonObject } from './values.ts'

/** Builds and sends requests, and reads their responses. */

export interface Request {
  readonly method: Endpoint['method']
  /** Relative to the base path, with the query. */
  readonly path: string
  /** Empty for none. */
  readonly body: string
}

export const sendRequest = (
  program_uid: string | undefined,
  { method, path, body }: Request,
): Promise<ExchangeDetail> =>
  sandbox['exchanges.send']({
    ...(program_uid === undefined ? {} : { program_uid }),
    method,
    path,
    ...(body === '' ? {} : { body }),
  })

/** The request in the form of a recorded one, for `formatCurl`. */
export const toSentRequest = ({ method, path, body }: Request) => ({
  method,
  path,
  request: { headers: body === '' ? [] : [['content-type', 'application/json'] as [string, string]], body },
})

/** Fills in the parameters of a path. A missing one stays as `{uid}`: the API reports the error. */
export function buildPath(template: string, params: JsonObject, query: JsonObject = {}): string {
  const path = template.replace(/\{(\w+)\}/g, (part, name: string) =>
    typeof params[name] === 'string' && params[name] !== '' ? encodeURIComponent(params[name]) : part,
  )
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one) => [value.length > 1 ? `${name}[]` : name, String(one)])
      : [[name, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

export interface RecordRef {
  readonly collection: CollectionName
  readonly uid: string
}

export const parseResponseBody = ({ response }: ExchangeDetail): JsonObject => {
  try {
    const value: unknown = JSON.parse(response.body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The record that a response describes, if any. */
export function findCreatedRecord(exchange: ExchangeDetail): RecordRef | null {
  if (exchange.status < 200 || exchange.status > 299) return null
  const [, first, second] = exchange.path.split(/[/?]/)
  const collection = first === 'sandbox' ? 'transactions' : first
  const { uid } = parseResponseBody(exchange)
  const named = typeof uid === 'string' ? uid : exchange.method === 'GET' ? undefined : second
  return isCollection(collection) && named ? { collection, uid: named } : null
}
