import { createApiClient } from '../../generated/api.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ api: url, refreshToken, trace }) => {
  const api = createApiClient(url)
  let token = refreshToken
  api.axios.interceptors.request.use((request) => {
    request.headers.set('Authorization', token)
    return request
  })
  const headers = () => ({ headers: { 'x-trace-id': trace() } })
  token = (await api.createAccessToken(undefined, headers())).token
  const customer = await api.createCustomer({ email }, headers())
  const list = await api.listCustomers({ ...headers(), queries: { uid: [customer.uid], include_initiated: true } })
  return [customer.status, list.total_count, list.data[0]?.email]
}
