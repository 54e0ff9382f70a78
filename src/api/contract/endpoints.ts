import { authEndpoints } from './resources/auth.ts'
import { closingBalanceEndpoints } from './resources/closing-balances.ts'
import { combinedTransferEndpoints } from './resources/combined-transfers.ts'
import { custodialAccountEndpoints } from './resources/custodial-accounts.ts'
import { customerProductEndpoints } from './resources/customer-products.ts'
import { customerEndpoints } from './resources/customers.ts'
import { mockTransactionEndpoints } from './resources/mock-transactions.ts'
import { poolEndpoints } from './resources/pools.ts'
import { productEndpoints } from './resources/products.ts'
import { returnEndpoints } from './resources/returns.ts'
import { syntheticAccountEndpoints } from './resources/synthetic-accounts.ts'
import { transactionEndpoints } from './resources/transactions.ts'
import { transferEndpoints } from './resources/transfers.ts'
import { vrnEndpoints } from './resources/virtual-reference-numbers.ts'
import type { Endpoint } from './terms/endpoint.ts'

/** Every endpoint, in the order of the specification's section 4.1; then the four closing balances. */
export const endpoints = {
  ...authEndpoints,
  ...customerEndpoints,
  ...poolEndpoints,
  ...productEndpoints,
  ...customerProductEndpoints,
  ...custodialAccountEndpoints,
  ...syntheticAccountEndpoints,
  ...transferEndpoints,
  ...transactionEndpoints,
  ...vrnEndpoints,
  ...returnEndpoints,
  ...combinedTransferEndpoints,
  ...mockTransactionEndpoints,
  ...closingBalanceEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
