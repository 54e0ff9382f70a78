/** One flow through the API, as an integrator writes it. It is compiled strictly together with each generated client. */

export interface Answer<T> {
  readonly status: number
  readonly body?: T | undefined
  readonly error?: { readonly errors: readonly { readonly code: number | string }[] } | undefined
}

interface Page<T> {
  readonly total_count: number
  readonly data: readonly T[]
}

interface Account {
  readonly uid: string
  readonly status: string
  readonly net_usd_balance: string | null
  readonly net_usd_available_balance: string | null
}

interface Payment {
  readonly uid: string
  readonly status: string
}

export const customer = {
  external_uid: 'clients-1',
  email: 'ada@example.test',
  details: {
    first_name: 'Ada',
    last_name: 'Byron',
    phone: '5155550123',
    ssn: '512-04-8823',
    dob: '1990-04-17',
    address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}

const createCounterparty = (pool_uid: string, synthetic_account_type_uid: string) => ({
  name: 'Northern Mill',
  pool_uid,
  synthetic_account_type_uid,
  routing_number: '021000021',
  account_number: '7000010',
  ach: { account_type: 'checking' as const, counterparty_name: 'Northern Mill Co' },
})

interface Parties {
  readonly customer_uid: string
  readonly account_uid: string
  readonly counterparty_uid: string
}

const createPayment = ({ customer_uid, account_uid, counterparty_uid }: Parties, date: string) => ({
  external_uid: 'invoice-4711',
  source_synthetic_account_uid: account_uid,
  destination_synthetic_account_uid: counterparty_uid,
  initiating_customer_uid: customer_uid,
  usd_transfer_amount: '99.99',
  ach: {
    originator_name: 'Harbor Payments',
    sec_code: 'CCD' as const,
    entry_description: 'INVOICE',
    service_processing: 'STANDARD' as const,
    effective_entry_date: date,
  },
})

const createMock = (transaction_type: 'ach' | 'wire', customer_uid: string, us_dollar_amount: number) => ({
  transaction_type,
  customer_uid,
  us_dollar_amount,
  counterparty_name: 'Grand Hotel Ames',
})

const createReturn = (customer_uid: string, original_transaction_uid: string) => ({
  original_transaction_uid,
  requesting_customer_uid: customer_uid,
  requestor_type: 'customer' as const,
  return_reason: 'Not authorized',
  ach: { ach_return_code: 'R10' as const },
})

/** The operations of the flow. Each client implements them with its generated functions and types. */
export interface Calls {
  createCustomer(body: typeof customer): Promise<Answer<{ uid: string }>>
  getCustomer(uid: string): Promise<Answer<{ status: string; pool_uids: readonly string[] }>>
  listCustomers(query: { uid: string[]; status: 'active'[]; sort: 'email_asc' }): Promise<Answer<Page<{ uid: string }>>>
  archiveCustomer(uid: string, body: { archive_note: string }): Promise<Answer<{ status: string }>>
  listProducts(): Promise<Answer<Page<{ uid: string; prerequisite_product_uids: readonly string[] }>>>
  onboardCustomer(body: { customer_uid: string; product_uid: string }): Promise<Answer<{ status: string }>>
  listSyntheticAccountTypes(): Promise<Answer<Page<{ uid: string; synthetic_account_category: string }>>>
  listSyntheticAccounts(query: { customer_uid: string[]; liability: boolean }): Promise<Answer<Page<Account>>>
  createSyntheticAccount(body: ReturnType<typeof createCounterparty>): Promise<Answer<Account>>
  getSyntheticAccount(uid: string): Promise<Answer<Account>>
  archiveSyntheticAccount(uid: string): Promise<Answer<unknown>>
  createMockTransaction(body: ReturnType<typeof createMock>): Promise<Answer<{ uid: string }>>
  createTransfer(body: ReturnType<typeof createPayment>): Promise<Answer<Payment>>
  getTransfer(uid: string): Promise<Answer<Payment>>
  listTransfers(query: {
    customer_uid: string[]
    limit: number
    sort: 'created_at_asc'
  }): Promise<Answer<Page<Payment>>>
  cancelTransfer(uid: string, body: { cancellation_reason: string }): Promise<Answer<Payment>>
  listTransactions(query: {
    customer_uid: string[]
    type: ('ach' | 'wire')[]
    status: ('settled' | 'failed')[]
    created_at_after: string
    sort: 'id_asc'
  }): Promise<Answer<Page<Payment & { type: string }>>>
  createReturn(body: ReturnType<typeof createReturn>): Promise<Answer<Payment>>
  getReturn(uid: string): Promise<Answer<Payment>>
  listReturns(query: { customer_uid: string[]; status: 'settled'[] }): Promise<Answer<Page<Payment>>>
}

/** What a client needs to begin. */
export interface Settings {
  readonly api: string
  readonly refreshToken: string
  /** A new value for each request. */
  readonly trace: () => string
}

export type Connect = (settings: Settings) => Promise<Calls>

export interface Operator {
  /** Advances the clock until nothing is scheduled. */
  advance(): Promise<void>
  /** The simulated date, `YYYY-MM-DD`. */
  today(): Promise<string>
}

class Unexpected extends Error {
  override name = 'Unexpected'
}

function expectEqual(what: string, found: unknown, expected: unknown) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Unexpected(`${what}: ${b} is expected, ${a} was found`)
}

/** Runs the flow and returns how many responses were as expected. Throws at the first that is not. */
export async function runFlow(calls: Calls, { advance, today }: Operator): Promise<number> {
  let answers = 0
  async function succeed<T>(what: string, status: number, answer: Promise<Answer<T>>): Promise<T> {
    const { status: found, body, error } = await answer
    if (found !== status)
      throw new Unexpected(
        `${what}: status ${status} is expected, ${found} was found: ${JSON.stringify(error ?? body)}`,
      )
    answers++
    return body as T
  }
  async function fail(what: string, status: number, code: number, answer: Promise<Answer<unknown>>) {
    const { status: found, error } = await answer
    expectEqual(what, [found, error?.errors?.[0]?.code], [status, code])
    answers++
  }

  const { uid: customer_uid } = await succeed('create a Customer', 201, calls.createCustomer(customer))
  const products = await succeed('list Products', 200, calls.listProducts())
  const product = products.data.find(({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0)
  if (!product) throw new Unexpected('list Products: one without prerequisites is expected, none was found')
  await succeed('onboard', 200, calls.onboardCustomer({ customer_uid, product_uid: product.uid }))
  await advance()
  const active = await succeed('get the Customer', 200, calls.getCustomer(customer_uid))
  expectEqual('status of the Customer', active.status, 'active')
  const pool_uid = active.pool_uids[0] ?? ''
  const found = await succeed(
    'list Customers with filters',
    200,
    calls.listCustomers({ uid: [customer_uid, 'nothing'], status: ['active'], sort: 'email_asc' }),
  )
  expectEqual(
    'Customers in the list',
    found.data.map(({ uid }) => uid),
    [customer_uid],
  )

  const accounts = await succeed(
    'list accounts',
    200,
    calls.listSyntheticAccounts({ customer_uid: [customer_uid], liability: true }),
  )
  const account_uid = accounts.data[0]?.uid ?? ''
  const balances = async () => {
    const account = await succeed('get the account', 200, calls.getSyntheticAccount(account_uid))
    return [account.net_usd_balance, account.net_usd_available_balance].map(Number)
  }
  const wire = await succeed(
    'receive a wire',
    201,
    calls.createMockTransaction(createMock('wire', customer_uid, 250.25)),
  )
  await advance()
  expectEqual('balances after the wire', await balances(), [250.25, 250.25])

  const types = await succeed('list account types', 200, calls.listSyntheticAccountTypes())
  const type = types.data.find(({ synthetic_account_category }) => synthetic_account_category === 'ach_external')
  const counterparty = createCounterparty(pool_uid, type?.uid ?? '')
  const { uid: counterparty_uid } = await succeed('create an account', 201, calls.createSyntheticAccount(counterparty))
  await fail('create the same account', 409, 2002, calls.createSyntheticAccount(counterparty))
  const payment = createPayment({ customer_uid, account_uid, counterparty_uid }, await today())
  const transfer = await succeed('create a Transfer', 201, calls.createTransfer(payment))
  expectEqual('status of the Transfer', transfer.status, 'queued')
  expectEqual('balances with a queued Transfer', await balances(), [250.25, 150.26])
  await advance()
  const settled = await succeed('get the Transfer', 200, calls.getTransfer(transfer.uid))
  expectEqual('status of the Transfer, later', settled.status, 'settled')
  await fail('get a Transfer that does not exist', 404, 3000, calls.getTransfer('nothing'))
  const cancellation = { cancellation_reason: 'Sent twice' }
  await fail('cancel a settled Transfer', 400, 3025, calls.cancelTransfer(transfer.uid, cancellation))
  const transfers = await succeed(
    'list Transfers',
    200,
    calls.listTransfers({ customer_uid: [customer_uid], limit: 5, sort: 'created_at_asc' }),
  )
  expectEqual(
    'Transfers in the list',
    transfers.data.map(({ uid, status }) => [uid, status]),
    [[transfer.uid, 'settled']],
  )

  const debit = await succeed(
    'receive a debit',
    201,
    calls.createMockTransaction(createMock('ach', customer_uid, -20.5)),
  )
  await advance()
  const requested = await succeed('create a Return', 201, calls.createReturn(createReturn(customer_uid, debit.uid)))
  await fail('return it again', 422, 31004, calls.createReturn(createReturn(customer_uid, debit.uid)))
  await advance()
  const returned = await succeed('get the Return', 200, calls.getReturn(requested.uid))
  expectEqual('status of the Return', returned.status, 'settled')
  const returns = await succeed(
    'list Returns',
    200,
    calls.listReturns({ customer_uid: [customer_uid], status: ['settled'] }),
  )
  expectEqual(
    'Returns in the list',
    returns.data.map(({ uid }) => uid),
    [requested.uid],
  )
  const transactions = await succeed(
    'list Transactions',
    200,
    calls.listTransactions({
      customer_uid: [customer_uid],
      type: ['ach', 'wire'],
      status: ['settled', 'failed'],
      sort: 'id_asc',
      created_at_after: '2000-01-01',
    }),
  )
  const [first, ...others] = transactions.data
  expectEqual('first Transaction', [first?.uid, first?.type, first?.status], [wire.uid, 'wire', 'settled'])
  expectEqual(
    'other Transactions',
    others.map(({ type, status }) => [type, status]),
    [
      ['ach', 'settled'],
      ['ach', 'settled'],
    ],
  )
  expectEqual('balances after the Return', await balances(), [150.26, 150.26])

  await succeed('archive the account', 204, calls.archiveSyntheticAccount(counterparty_uid))
  const note = { archive_note: 'At the request of the Customer' }
  const archival = await succeed('archive the Customer', 200, calls.archiveCustomer(customer_uid, note))
  expectEqual('status of the Customer', archival.status, 'pending_archival')
  return answers
}
