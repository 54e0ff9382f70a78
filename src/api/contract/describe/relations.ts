import { type CollectionName, isCollection, rowOf } from '../collections.ts'
import { type EndpointName, endpoints } from '../endpoints.ts'
import type { ErrorKey } from '../errors.ts'
import { errorsOf } from '../openapi.ts'
import type { Endpoint } from '../terms/endpoint.ts'
import { webhookTopics } from '../webhooks.ts'

/** What belongs together in the tables of the contract. */

/** Endpoints of the first collection also change records of the second one. */
const relatedCollections: Readonly<Record<string, CollectionName>> = {
  customer_products: 'customers',
  sandbox: 'transactions',
}

/** The collections whose records the endpoint at a path changes. */
export function collectionsAt(path: string): readonly CollectionName[] {
  const [, name = ''] = path.split('/')
  return [name, relatedCollections[name]].filter(isCollection)
}

/** With the payments that move the money of these records. */
export function collectionsChangedAt(path: string): readonly CollectionName[] {
  const named = collectionsAt(path)
  const hasPayment = named.some((one) => rowOf(one).payment !== undefined)
  return [...new Set([...named, ...(hasPayment ? (['transactions'] as const) : [])])]
}

/** The topic of the events that tell of a collection: its path is singular for one of them. */
export const topicOf = (collection: CollectionName): string | undefined =>
  webhookTopics.find((topic) => topic === collection || `${topic}s` === collection)

const endpointNames = Object.keys(endpoints) as EndpointName[]

/** The endpoints that can answer with an error. */
export const endpointsWith = (key: ErrorKey): readonly EndpointName[] =>
  endpointNames.filter((name) => errorsOf(endpoints[name]).includes(key))

/** The endpoints that declare an error. */
export const findEndpointsWithError = (key: ErrorKey): readonly EndpointName[] =>
  endpointNames.filter((name) => (endpoints[name] as Endpoint).errors.includes(key))
