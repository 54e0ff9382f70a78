import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript.ts'
import type { Answer, Connect } from './flow.ts'

/** The flow with the types of openapi-typescript and the client openapi-fetch. */

interface Result {
  readonly data?: unknown
  readonly error?: Answer<never>['error'] | undefined
  readonly response: Response
}

async function answer<R extends Result>(result: Promise<R>): Promise<Answer<NonNullable<R['data']>>> {
  const { data, error, response } = await result
  return { status: response.status, body: data ?? undefined, error }
}

export const connect: Connect = async ({ api, refreshToken, trace }) => {
  const client = createClient<paths>({ baseUrl: api })
  const header = () => ({ 'x-trace-id': trace() })
  const { data } = await client.POST('/auth', {
    params: { header: header() },
    headers: { Authorization: refreshToken },
  })
  const token = data?.token ?? ''
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', token)
      return request
    },
  })
  const params = () => ({ header: header() })
  const of = (uid: string) => ({ header: header(), path: { uid } })
  const filtered = <Q>(query: Q) => ({ header: header(), query })
  return {
    createCustomer: (body) => answer(client.POST('/customers', { params: params(), body })),
    getCustomer: (uid) => answer(client.GET('/customers/{uid}', { params: of(uid) })),
    listCustomers: (query) => answer(client.GET('/customers', { params: filtered(query) })),
    archiveCustomer: (uid, body) => answer(client.DELETE('/customers/{uid}', { params: of(uid), body })),
    listProducts: () => answer(client.GET('/products', { params: params() })),
    onboardCustomer: (body) => answer(client.POST('/customer_products', { params: params(), body })),
    listSyntheticAccountTypes: () => answer(client.GET('/synthetic_account_types', { params: params() })),
    listSyntheticAccounts: (query) => answer(client.GET('/synthetic_accounts', { params: filtered(query) })),
    createSyntheticAccount: (body) => answer(client.POST('/synthetic_accounts', { params: params(), body })),
    getSyntheticAccount: (uid) => answer(client.GET('/synthetic_accounts/{uid}', { params: of(uid) })),
    archiveSyntheticAccount: (uid) => answer(client.DELETE('/synthetic_accounts/{uid}', { params: of(uid) })),
    createMockTransaction: (body) => answer(client.POST('/sandbox/mock_transactions', { params: params(), body })),
    createTransfer: (body) => answer(client.POST('/transfers', { params: params(), body })),
    getTransfer: (uid) => answer(client.GET('/transfers/{uid}', { params: of(uid) })),
    listTransfers: (query) => answer(client.GET('/transfers', { params: filtered(query) })),
    cancelTransfer: (uid, body) => answer(client.PUT('/transfers/{uid}/cancel', { params: of(uid), body })),
    listTransactions: (query) => answer(client.GET('/transactions', { params: filtered(query) })),
    createReturn: (body) => answer(client.POST('/returns', { params: params(), body })),
    getReturn: (uid) => answer(client.GET('/returns/{uid}', { params: of(uid) })),
    listReturns: (query) => answer(client.GET('/returns', { params: filtered(query) })),
  }
}
