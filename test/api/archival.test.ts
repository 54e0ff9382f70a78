import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/client.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

const DETAILS = {
  first_name: 'Ada',
  last_name: 'Byron',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: { street1: '1 Main St', city: 'Ames', state: 'IA', postal_code: '50010' },
}
const CAUSE = { door: 'operator', name: 'test' } as const

type Body = Record<string, string> & { pool_uids: string[] }

async function world() {
  const sandbox = (await startSandbox()) as TestSandbox
  const api = sandbox.client()
  const products = await api.get<{ data: { uid: string; prerequisite_product_uids: string[] }[] }>('/products')
  const product_uid = products.body.data.find((product) => product.prerequisite_product_uids.length === 0)!.uid
  const advance = (input: object) => sandbox.call('clock.advance', input)

  async function active(details: object = DETAILS): Promise<Body> {
    const { body } = await api.post<Body>('/customers', { email: 'ada@example.test', details })
    const onboarded = await api.post('/customer_products', { customer_uid: body.uid, product_uid })
    expect(onboarded.status).toBe(200)
    await advance({ by: 'PT2S' })
    return (await api.get<Body>(`/customers/${body.uid}`)).body
  }

  async function external(customer: Body, n: number): Promise<string> {
    const types = await api.get<{ data: { uid: string; synthetic_account_category: string }[] }>(
      '/synthetic_account_types',
    )
    const type = types.body.data.find(
      ({ synthetic_account_category }) => synthetic_account_category === 'ach_external',
    )!
    const { body } = await api.post('/synthetic_accounts', {
      name: `Counterparty ${n}`,
      pool_uid: customer.pool_uids[0],
      synthetic_account_type_uid: type.uid,
      routing_number: '110000000',
      account_number: `100${n}`,
      ach: { account_type: 'checking', counterparty_name: 'Somebody' },
    })
    return String(body.uid)
  }

  const archive = (uid: string | undefined, json: object = {}) =>
    api.call<Body>('DELETE', `/customers/${uid}`, { json })
  return { sandbox, api, product_uid, advance, active, external, archive }
}

describe('4.5 DELETE /customers/{uid}', () => {
  it('rule 1: on receipt, status becomes pending_archival and the accounts are locked', async () => {
    const { api, active, archive } = await world()
    const customer = await active()
    const { status, body } = await archive(customer.uid, { archive_note: 'moved away' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ uid: customer.uid, status: 'pending_archival', archived_at: null, locked_at: null })
    const types = await api.get<{ data: { uid: string }[] }>('/synthetic_account_types')
    const refused = await api.post('/synthetic_accounts', {
      name: 'Another',
      pool_uid: customer.pool_uids[0],
      synthetic_account_type_uid: types.body.data[0]!.uid,
    })
    expectRefusal(refused, 'archivedCustomer')
  })

  it('the body is optional', async () => {
    const { api, active } = await world()
    const customer = await active()
    const { status, body } = await api.call('DELETE', `/customers/${customer.uid}`)
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'pending_archival' })
  })

  it('rules 2 and 6: with a $0 balance all accounts are closed and status becomes archived, within 8 business days', async () => {
    const { api, active, external, archive, advance } = await world()
    const customer = await active()
    await external(customer, 1)
    await archive(customer.uid)
    await advance({ business_days: 8 })
    const after = await api.get(`/customers/${customer.uid}`)
    // Requested on a Friday at 10:00 in New York: archived when that day closes.
    expect(after.body).toMatchObject({
      status: 'archived',
      archived_at: '2026-08-15T00:00:00.000Z',
      total_balance: '0.00',
    })
    const accounts = await api.get<{ data: Record<string, unknown>[] }>(
      `/synthetic_accounts?customer_uid=${customer.uid}`,
    )
    expect(accounts.body.data.map(({ status, closed_at }) => [status, closed_at])).toEqual([
      ['archived', '2026-08-15T00:00:00.000Z'],
      ['archived', '2026-08-15T00:00:00.000Z'],
    ])
    const custodial = await api.get<{ data: Record<string, unknown>[] }>(
      `/custodial_accounts?customer_uid=${customer.uid}`,
    )
    expect(custodial.body.data.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      'dda archived',
      'dda_cash_external null',
      'dda_cash_received null',
    ])
  })

  it('rule 6: status becomes archived only with a $0 balance', async () => {
    const { sandbox, api, active, archive, advance } = await world()
    const customer = await active()
    const setBalance = (net_usd_balance: string) =>
      sandbox.store.operate(CAUSE, (tx) => {
        const [master] = tx.synthetic_accounts.by('customer_uid', customer.uid!)
        tx.synthetic_accounts.put({ ...master!, net_usd_balance: net_usd_balance as never })
      })
    setBalance('0.01')
    await archive(customer.uid)
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${customer.uid}`)).body.status).toBe('pending_archival')
    setBalance('0.00')
    await advance({ business_days: 1 })
    expect((await api.get(`/customers/${customer.uid}`)).body.status).toBe('archived')
  })

  it('rule 7: records remain available for history; the Customer cannot open new accounts', async () => {
    const { api, active, archive, advance, product_uid } = await world()
    const customer = await active()
    await archive(customer.uid)
    await advance({ business_days: 1 })
    const listed = await api.get<{ data: { uid: string }[] }>('/customers?status=archived')
    expect(listed.body.data.map(({ uid }) => uid)).toEqual([customer.uid])
    expectRefusal(await api.post('/customer_products', { customer_uid: customer.uid, product_uid }), 'archivedCustomer')
    expectRefusal(await api.call('PUT', `/customers/${customer.uid}`, { json: {} }), 'archivedCustomer')
    expectRefusal(await archive(customer.uid), 'archivedCustomer')
  })

  it('destination_synthetic_account_uid is required if the Customer has several active external Synthetic Accounts', async () => {
    const { sandbox, active, external, archive } = await world()
    const customer = await active()
    await external(customer, 1)
    const second = await external(customer, 2)
    const { seq } = sandbox.store.world
    expectRefusal(await archive(customer.uid), 'missingParameter', /^destination_synthetic_account_uid is required/)
    expect(sandbox.store.world.seq).toBe(seq)
    const named = await archive(customer.uid, { destination_synthetic_account_uid: second })
    expect(named.body.status).toBe('pending_archival')
  })

  it('the destination must be an active external account of the Customer', async () => {
    const { api, active, external, archive } = await world()
    const customer = await active()
    const other = await active({ ...DETAILS, ssn: '512-04-8824' })
    const foreign = await external(other, 1)
    const own = await api.get<{ data: { uid: string }[] }>(`/synthetic_accounts?customer_uid=${customer.uid}`)
    for (const uid of [foreign, own.body.data[0]!.uid])
      expectRefusal(
        await archive(customer.uid, { destination_synthetic_account_uid: uid }),
        'invalidArgument',
        /must name an active external account of the Customer/,
      )
    expectRefusal(await archive(customer.uid, { destination_synthetic_account_uid: 'x' }), 'syntheticAccountNotFound')
  })

  it('can_apply_again: false prevents the same person from reapplying to the Program', async () => {
    const { api, active, archive, advance, product_uid } = await world()
    const customer = await active()
    await archive(customer.uid, { can_apply_again: false })
    await advance({ business_days: 1 })
    const { body } = await api.post('/customers', { email: 'again@example.test', details: DETAILS })
    expectRefusal(await api.post('/customer_products', { customer_uid: body.uid, product_uid }), 'customerInUse')
    const another = await api.post('/customers', {
      email: 'b@example.test',
      details: { ...DETAILS, ssn: '512-04-8825' },
    })
    const onboarded = await api.post('/customer_products', { customer_uid: another.body.uid, product_uid })
    expect(onboarded.status).toBe(200)
  })

  it('can_apply_again is true by default', async () => {
    const { api, active, archive, advance, product_uid } = await world()
    const customer = await active()
    await archive(customer.uid)
    await advance({ business_days: 1 })
    const { body } = await api.post('/customers', { email: 'again@example.test', details: DETAILS })
    expect((await api.post('/customer_products', { customer_uid: body.uid, product_uid })).status).toBe(200)
  })

  it('a Customer in verification is archived, and the check that was under way changes nothing any more', async () => {
    const { sandbox, api, archive, advance, product_uid } = await world()
    const { body } = await api.post('/customers', { email: 'ada@example.test', details: DETAILS })
    await api.post('/customer_products', { customer_uid: body.uid, product_uid })
    await archive(String(body.uid))
    await advance({ by: 'PT2S' })
    const between = await api.get(`/customers/${body.uid}`)
    expect(between.body).toMatchObject({ status: 'pending_archival', kyc_status: null, pool_uids: [] })
    await advance({ business_days: 1 })
    expect((await api.get(`/customers/${body.uid}`)).body.status).toBe('archived')
    expect(sandbox.store.world.collections.tasks.inOrder().filter(({ failed }) => failed)).toEqual([])
  })

  it('archiving twice, or a rejected Customer, is refused', async () => {
    const { api, active, archive, advance, product_uid } = await world()
    const customer = await active()
    await archive(customer.uid)
    expectRefusal(await archive(customer.uid), 'customerNotUpdatable', 'its status is pending_archival')
    const { body } = await api.post('/customers', {
      email: 'j@x.test',
      details: { ...DETAILS, last_name: 'Johnson', ssn: '512-04-8826' },
    })
    await api.post('/customer_products', { customer_uid: body.uid, product_uid })
    await advance({ by: 'PT2S' })
    expectRefusal(await archive(String(body.uid)), 'customerNotUpdatable', 'its status is rejected')
  })

  it('an unknown Customer, or a body of the wrong type, is refused', async () => {
    const { active, archive } = await world()
    expectRefusal(await archive('x'), 'customerNotFound')
    const customer = await active()
    expectRefusal(await archive(customer.uid, { can_apply_again: 'no' }), 'invalidArgument', /^can_apply_again/)
  })
})
