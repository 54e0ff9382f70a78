import type { EndpointName, Endpoints } from '../contract/endpoints.ts'
import { customerList } from '../contract/resources/customers.ts'
import type { Input, Output } from '../contract/terms/endpoint.ts'
import { type List, type Page, page, type Query } from '../contract/terms/list.ts'
import * as customers from '../domain/resources/customers.ts'
import type { Records, Tx } from '../store/store.ts'
import type { Kept } from '../store/world.ts'

/** POST /auth alone is answered at the edge (`route.ts`): jose is asynchronous, and no world changes. */
type Handlers = {
  readonly [K in Exclude<EndpointName, 'createAccessToken'>]: (
    tx: Tx,
    input: Input<Endpoints[K]>,
  ) => Output<Endpoints[K]>
}

const lists =
  <R extends Kept & T, T, S>(spec: List<T>, from: (tx: Tx) => Records<R>, show: (tx: Tx, record: R) => S) =>
  (tx: Tx, { query }: { query: Query }): Page<S> => {
    const found = page(spec as unknown as List<R>, from(tx), query)
    return { ...found, data: found.data.map((record) => show(tx, record)) }
  }

/** One line per endpoint: which operation answers it. */
export const handlers: Handlers = {
  listCustomers: lists(customerList, (tx) => tx.customers, customers.show),
  createCustomer: (tx, { body }) => customers.show(tx, customers.create(tx, body)),
  getCustomer: (tx, { params }) => customers.show(tx, customers.find(tx, params.uid)),
}
