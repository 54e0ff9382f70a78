import { Api } from '../../generated/api.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ refreshToken, trace }) => {
  const api = new Api<string>({
    securityWorker: (token) => ({ headers: { Authorization: token ?? '', 'x-trace-id': trace() } }),
  })
  api.setSecurityData(refreshToken)
  api.setSecurityData((await api.auth.createAccessToken()).data.token)
  const { data: customer } = await api.customers.createCustomer({ email })
  const { data: list } = await api.customers.listCustomers({ uid: [customer.uid], include_initiated: true })
  return [customer.status, list.total_count, list.data[0]?.email]
}
