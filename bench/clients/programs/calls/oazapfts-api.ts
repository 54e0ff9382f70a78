import * as api from '../../generated/api.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ refreshToken, trace }) => {
  const signIn = await api.createAccessToken(trace(), { headers: { Authorization: refreshToken } })
  if (signIn.status !== 201) throw new Error(JSON.stringify(signIn.data))
  api.defaults.headers = { Authorization: signIn.data.token }
  const customer = await api.createCustomer(trace(), { email })
  if (customer.status !== 201) throw new Error(JSON.stringify(customer.data))
  const list = await api.listCustomers(trace(), { uid: [customer.data.uid], includeInitiated: true })
  if (list.status !== 200) throw new Error(JSON.stringify(list.data))
  return [customer.data.status, list.data.total_count, list.data.data[0]?.email]
}
