import { setConfig } from '../../generated/kubb/.kubb/fetch.ts'
import { createAccessToken, createCustomer, listCustomers } from '../../generated/kubb/index.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ api, refreshToken, trace }) => {
  const signWith = (token: string) =>
    setConfig({ baseURL: api, headers: { Authorization: token, 'content-type': 'application/json' } })
  const header = () => ({ 'x-trace-id': trace() })
  signWith(refreshToken)
  signWith((await createAccessToken(header())).token)
  const customer = await createCustomer(header(), { email })
  const list = await listCustomers(header(), { uid: [customer.uid], include_initiated: true })
  return [customer.status, list.total_count, list.data[0]?.email]
}
