import { collections } from './collections.ts'
import { authEndpoints } from './resources/auth.ts'
import { mockTransactionEndpoints } from './resources/mock-transactions.ts'

/** Every endpoint: those of the collections, in their order, between the two that belong to none. */

type Rows = typeof collections
type OfRow<N extends keyof Rows> = NonNullable<Rows[N]['endpoints']>
/** All of them in one type: the intersection of what each row has. */
type OfCollections = {
  [N in keyof Rows]: (all: OfRow<N>) => void
}[keyof Rows] extends (all: infer All) => void
  ? All
  : never

export type Endpoints = typeof authEndpoints & OfCollections & typeof mockTransactionEndpoints
export type EndpointName = keyof Endpoints

const ofCollections = Object.values(collections).map(({ endpoints }) => endpoints)
export const endpoints: Endpoints = Object.assign({}, authEndpoints, ...ofCollections, mockTransactionEndpoints)
