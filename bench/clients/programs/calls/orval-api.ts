import * as api from '../../generated/orval.ts'
import { type Call, email } from './calls.ts'

/** The address of the sandbox is in the generated code. */
export const call: Call = async ({ refreshToken, trace }) => {
  const header = () => ({ 'x-trace-id': trace() })
  const signIn = await api.createAccessToken(header(), { headers: { Authorization: refreshToken } })
  if (signIn.status !== 201) throw new Error(JSON.stringify(signIn.data))
  const options = { headers: { Authorization: signIn.data.token } }
  const customer = await api.createCustomer(header(), { email }, options)
  if (customer.status !== 201) throw new Error(JSON.stringify(customer.data))
  const list = await api.listCustomers(header(), { uid: [customer.data.uid], include_initiated: true }, options)
  if (list.status !== 200) throw new Error(JSON.stringify(list.data))
  return [customer.data.status, list.data.total_count, list.data.data[0]?.email]
}
