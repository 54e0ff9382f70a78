import { createClient } from '../generated/hey-api/client/index.ts'
import * as api from '../generated/hey-api/index.ts'
import type { Answer, Connect } from './flow.ts'

/** The flow with the client of @hey-api/openapi-ts. */

interface Result {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: Response | undefined
}

async function answer<R extends Result>(result: Promise<R>): Promise<Answer<NonNullable<R['data']>>> {
  const { data, error, response } = await result
  return { status: response?.status ?? 0, body: data ?? undefined, error: error as Answer<never>['error'] }
}

export const connect: Connect = async ({ api: baseUrl, refreshToken, trace }) => {
  let token = refreshToken
  const client = createClient({ baseUrl, auth: () => token })
  const next = () => ({ client, headers: { 'x-trace-id': trace() } })
  const { data } = await api.createAccessToken(next())
  token = data?.token ?? ''
  const of = (uid: string) => ({ ...next(), path: { uid } })
  return {
    createCustomer: (body) => answer(api.createCustomer({ ...next(), body })),
    getCustomer: (uid) => answer(api.getCustomer(of(uid))),
    listCustomers: (query) => answer(api.listCustomers({ ...next(), query })),
    archiveCustomer: (uid, body) => answer(api.archiveCustomer({ ...of(uid), body })),
    listProducts: () => answer(api.listProducts(next())),
    onboardCustomer: (body) => answer(api.onboardCustomer({ ...next(), body })),
    listSyntheticAccountTypes: () => answer(api.listSyntheticAccountTypes(next())),
    listSyntheticAccounts: (query) => answer(api.listSyntheticAccounts({ ...next(), query })),
    createSyntheticAccount: (body) => answer(api.createSyntheticAccount({ ...next(), body })),
    getSyntheticAccount: (uid) => answer(api.getSyntheticAccount(of(uid))),
    archiveSyntheticAccount: (uid) => answer(api.archiveSyntheticAccount(of(uid))),
    createMockTransaction: (body) => answer(api.createMockTransaction({ ...next(), body })),
    createTransfer: (body) => answer(api.createTransfer({ ...next(), body })),
    getTransfer: (uid) => answer(api.getTransfer(of(uid))),
    listTransfers: (query) => answer(api.listTransfers({ ...next(), query })),
    cancelTransfer: (uid, body) => answer(api.cancelTransfer({ ...of(uid), body })),
    listTransactions: (query) => answer(api.listTransactions({ ...next(), query })),
    createReturn: (body) => answer(api.createReturn({ ...next(), body })),
    getReturn: (uid) => answer(api.getReturn(of(uid))),
    listReturns: (query) => answer(api.listReturns({ ...next(), query })),
  }
}
