import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript.ts'
import type { Flow } from './flow.ts'

/** One flow through the API, as an integrator writes it, with the types of openapi-typescript and the client openapi-fetch. */

interface Answer<T> {
  readonly data?: T
  readonly error?: { readonly errors: readonly { readonly code: number | string }[] }
  readonly response: Response
}

function expectEqual(what: string, found: unknown, expected: unknown) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what}: ${b} is expected, ${a} was found`)
}

export const run: Flow = async ({ api, refreshToken, trace }, { advance, today }) => {
  let answers = 0
  async function succeed<T>(what: string, answer: Promise<Answer<T>>): Promise<T> {
    const { data, error, response } = await answer
    if (!response.ok) throw new Error(`${what}: a success is expected, ${JSON.stringify(error)} was found`)
    answers++
    return data as T
  }
  async function fail(what: string, status: number, code: number, answer: Promise<Answer<unknown>>) {
    const { error, response } = await answer
    expectEqual(what, [response.status, error?.errors[0]?.code], [status, code])
    answers++
  }
  const client = createClient<paths>({ baseUrl: api })
  const header = () => ({ 'x-trace-id': trace() })
  const params = () => ({ params: { header: header() } })
  const of = (uid: string) => ({ params: { header: header(), path: { uid } } })
  const by = <Q>(query: Q) => ({ params: { header: header(), query } })
  const { token } = await succeed(
    'sign in',
    client.POST('/auth', { ...params(), headers: { Authorization: refreshToken } }),
  )
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', token)
      return request
    },
  })

  const address = { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' }
  const person = { first_name: 'Ada', last_name: 'Byron', phone: '5155550123', ssn: '512-04-8823', dob: '1990-04-17' }
  const body = { email: 'ada@example.test', details: { ...person, address } }
  const { uid: customer_uid } = await succeed('create a Customer', client.POST('/customers', { ...params(), body }))
  const products = await succeed('list Products', client.GET('/products', params()))
  const product = products.data.find(({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0)
  const product_uid = product?.uid ?? ''
  await succeed('onboard', client.POST('/customer_products', { ...params(), body: { customer_uid, product_uid } }))
  await advance()
  const active = await succeed('get the Customer', client.GET('/customers/{uid}', of(customer_uid)))
  expectEqual('status of the Customer', active.status, 'active')
  const filtered = { uid: [customer_uid, 'nothing'], status: ['active' as const], sort: 'email_asc' as const }
  const found = await succeed('list Customers with filters', client.GET('/customers', by(filtered)))
  expectEqual('Customers in the list', found.total_count, 1)

  const own = { customer_uid: [customer_uid] }
  const accounts = await succeed('list accounts', client.GET('/synthetic_accounts', by({ ...own, liability: true })))
  const account_uid = accounts.data[0]?.uid ?? ''
  const mock = { transaction_type: 'wire' as const, customer_uid, us_dollar_amount: 250.25 }
  await succeed('receive a wire', client.POST('/sandbox/mock_transactions', { ...params(), body: mock }))
  await advance()
  const types = await succeed('list account types', client.GET('/synthetic_account_types', params()))
  const type = types.data.find(({ synthetic_account_category }) => synthetic_account_category === 'ach_external')
  const mill = {
    name: 'Northern Mill',
    pool_uid: active.pool_uids[0] ?? '',
    synthetic_account_type_uid: type?.uid ?? '',
    routing_number: '021000021',
    account_number: '7000010',
    ach: { account_type: 'checking' as const, counterparty_name: 'Northern Mill Co' },
  }
  const other = await succeed('create an account', client.POST('/synthetic_accounts', { ...params(), body: mill }))
  await fail('create it again', 409, 2002, client.POST('/synthetic_accounts', { ...params(), body: mill }))
  const payment = {
    source_synthetic_account_uid: account_uid,
    destination_synthetic_account_uid: other.uid,
    initiating_customer_uid: customer_uid,
    usd_transfer_amount: '99.99',
    ach: {
      originator_name: 'Harbor Payments',
      sec_code: 'CCD' as const,
      entry_description: 'INVOICE',
      service_processing: 'STANDARD' as const,
      effective_entry_date: await today(),
    },
  }
  const transfer = await succeed('create a Transfer', client.POST('/transfers', { ...params(), body: payment }))
  await advance()
  const settled = await succeed('get the Transfer', client.GET('/transfers/{uid}', of(transfer.uid)))
  expectEqual('status of the Transfer', settled.status, 'settled')
  const late = client.PUT('/transfers/{uid}/cancel', {
    ...of(transfer.uid),
    body: { cancellation_reason: 'Sent twice' },
  })
  await fail('cancel a settled Transfer', 400, 3025, late)
  const balances = await succeed('get the account', client.GET('/synthetic_accounts/{uid}', of(account_uid)))
  expectEqual('its balance', balances.net_usd_balance, '150.26')

  const debit = { transaction_type: 'ach' as const, customer_uid, us_dollar_amount: -20.5 }
  const received = await succeed(
    'receive a debit',
    client.POST('/sandbox/mock_transactions', { ...params(), body: debit }),
  )
  await advance()
  const refund = {
    original_transaction_uid: received.uid,
    requesting_customer_uid: customer_uid,
    requestor_type: 'customer' as const,
    return_reason: 'Not authorized',
    ach: { ach_return_code: 'R10' as const },
  }
  const requested = await succeed('create a Return', client.POST('/returns', { ...params(), body: refund }))
  await advance()
  const returned = await succeed('get the Return', client.GET('/returns/{uid}', of(requested.uid)))
  expectEqual('status of the Return', returned.status, 'settled')
  const recent = {
    ...own,
    type: ['ach' as const, 'wire' as const],
    created_at_after: '2000-01-01',
    sort: 'id_asc' as const,
  }
  const transactions = await succeed('list Transactions', client.GET('/transactions', by(recent)))
  expectEqual('number of Transactions', transactions.total_count, 3)
  await succeed('archive the account', client.DELETE('/synthetic_accounts/{uid}', of(other.uid)))
  const archival = { ...of(customer_uid), body: { archive_note: 'At the request of the Customer' } }
  await succeed('archive the Customer', client.DELETE('/customers/{uid}', archival))
  return answers
}
