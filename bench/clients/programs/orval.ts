import * as api from '../generated/orval.ts'
import type { Answer, Connect } from './flow.ts'

/** The flow with the fetch client of orval. The address of the sandbox is in the generated code. */

interface Result {
  readonly status: number
  readonly data: unknown
}
type Success<R> = R extends { status: 200 | 201; data: infer T } ? T : R extends { status: 204 } ? undefined : never

async function answer<R extends Result>(result: Promise<R>): Promise<Answer<Success<R>>> {
  const { status, data } = await result
  if (status >= 300) return { status, error: data as Answer<never>['error'] }
  return { status, body: data as Success<R> }
}

export const connect: Connect = async ({ refreshToken, trace }) => {
  const header = () => ({ 'x-trace-id': trace() })
  const signIn = await answer(api.createAccessToken(header(), { headers: { Authorization: refreshToken } }))
  const options = { headers: { Authorization: signIn.body?.token ?? '' } }
  return {
    createCustomer: (body) => answer(api.createCustomer(header(), body, options)),
    getCustomer: (uid) => answer(api.getCustomer(uid, header(), options)),
    listCustomers: (query) => answer(api.listCustomers(header(), query, options)),
    archiveCustomer: (uid, body) => answer(api.archiveCustomer(uid, header(), body, options)),
    listProducts: () => answer(api.listProducts(header(), undefined, options)),
    onboardCustomer: (body) => answer(api.onboardCustomer(body, header(), options)),
    listSyntheticAccountTypes: () => answer(api.listSyntheticAccountTypes(header(), undefined, options)),
    listSyntheticAccounts: (query) => answer(api.listSyntheticAccounts(header(), query, options)),
    createSyntheticAccount: (body) => answer(api.createSyntheticAccount(body, header(), options)),
    getSyntheticAccount: (uid) => answer(api.getSyntheticAccount(uid, header(), options)),
    archiveSyntheticAccount: (uid) => answer(api.archiveSyntheticAccount(uid, header(), options)),
    createMockTransaction: (body) => answer(api.createMockTransaction(body, header(), options)),
    createTransfer: (body) => answer(api.createTransfer(body, header(), options)),
    getTransfer: (uid) => answer(api.getTransfer(uid, header(), options)),
    listTransfers: (query) => answer(api.listTransfers(header(), query, options)),
    cancelTransfer: (uid, body) => answer(api.cancelTransfer(uid, header(), body, options)),
    listTransactions: (query) => answer(api.listTransactions(header(), query, options)),
    createReturn: (body) => answer(api.createReturn(body, header(), options)),
    getReturn: (uid) => answer(api.getReturn(uid, header(), options)),
    listReturns: (query) => answer(api.listReturns(header(), query, options)),
  }
}
