import { AuthService, CustomersService, OpenAPI } from '../../generated/index.ts'
import { type Call, email } from './calls.ts'

export const call: Call = async ({ refreshToken, trace }) => {
  OpenAPI.HEADERS = { Authorization: refreshToken }
  OpenAPI.HEADERS = { Authorization: (await AuthService.createAccessToken({ xTraceId: trace() })).token }
  const customer = await CustomersService.createCustomer({ xTraceId: trace(), requestBody: { email } })
  const list = await CustomersService.listCustomers({ xTraceId: trace(), uid: [customer.uid], includeInitiated: true })
  return [customer.status, list.total_count, list.data[0]?.email]
}
