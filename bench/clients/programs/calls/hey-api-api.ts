import { createClient } from '../../generated/hey-api/client/index.ts'
import * as api from '../../generated/hey-api/index.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ api: baseUrl, refreshToken, trace }) => {
  let token = refreshToken
  const client = createClient({ baseUrl, auth: () => token })
  const next = () => ({ client, headers: { 'x-trace-id': trace() } })
  token = (await api.createAccessToken(next())).data?.token ?? ''
  const { data: customer } = await api.createCustomer({ ...next(), body: { email } })
  const query = { uid: [customer?.uid ?? ''], include_initiated: true }
  const { data: list } = await api.listCustomers({ ...next(), query })
  return [customer?.status, list?.total_count, list?.data[0]?.email]
}
