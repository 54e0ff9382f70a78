import { describe, expect } from 'vitest'
import { textOf } from '../../src/api/contract/messages.ts'
import type { CustodialAccount } from '../../src/api/contract/resources/custodial-accounts.ts'
import type { CustomerProduct } from '../../src/api/contract/resources/customer-products.ts'
import { type Customer, CustomerStatus } from '../../src/api/contract/resources/customers.ts'
import type { KycEvaluation } from '../../src/api/contract/resources/kyc-evaluations.ts'
import type { Pool } from '../../src/api/contract/resources/pools.ts'
import type { Product } from '../../src/api/contract/resources/products.ts'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import { expectRefusal } from '../support/client.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { putRecord, refusing } from '../support/world.ts'
import { advance, ask, configure } from './support.ts'

/** Products, POST /customer_products, KYC/AML and the accounts opened on approval: sections 1, 2.3, 3.2 and 4.4. */

const CHECKING = 'cQ2vNf7ZxLm9TbKe'
const WIRES = 'wX8yTg3JkRb5QhSn'
const INSTANT = 'iM4zVe6PcYf2DtHr'
const NOW = '2026-08-14T14:00:00.000Z'
const DECIDED = '2026-08-14T14:00:01.000Z'
const ACTIVATED = '2026-08-14T14:00:02.000Z'
const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/
const SSN = '512-04-8823'

const address = { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' }
const details = { first_name: 'Olive', last_name: 'Oyl', phone: '5155550123', ssn: SSN, dob: '1990-04-17', address }
const olive = { email: 'olive@example.com', details }

type Body = Record<string, unknown>

async function start(settings: Parameters<typeof configure>[1] = {}, options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options)
  if (Object.keys(settings).length > 0) configure(sandbox, settings)
  const api = sandbox.client()
  const create = async (body: Body = olive) => {
    const { status, body: customer } = await api.post<Customer>('/customers', body)
    expect(status).toBe(201)
    return customer
  }
  const onboard = (customer_uid: unknown, product_uid: unknown = CHECKING) =>
    api.post<CustomerProduct>('/customer_products', { customer_uid, product_uid })
  const read = async ({ uid }: { uid: string }) => (await api.get<Customer>(`/customers/${uid}`)).body
  const idle = () => ask<{ fired: { at: string; outcome: string }[] }>(sandbox, 'clock.advance', { until: 'idle' })
  const list = async <T>(path: string) => (await api.get<Page<T>>(path)).body.data
  return { sandbox, api, create, onboard, read, idle, list, refused: refusing(sandbox) }
}

const evaluationsOf = async (sandbox: TestSandbox) =>
  (await ask<Page<KycEvaluation>>(sandbox, 'records.list', { collection: 'kyc_evaluations' })).data

// ── Products ────────────────────────────────────────────────────────────────────────────────────────────────────────

it('1: "A Product exposes its account, compliance and profile requirements and the Customer Types allowed to use it"', async () => {
  const { api, list } = await start()
  const products = await list<Product>('/products')
  // Clients take the first one for the first onboarding.
  expect(products[0]).toMatchObject({ uid: CHECKING, prerequisite_product_uids: [] })
  expect(products.map(({ uid }) => uid).sort()).toEqual([CHECKING, WIRES, INSTANT].sort())
  for (const product of products) {
    expect(product.program_uid).toBe(api.program.uid)
    expect((await api.get(`/products/${product.uid}`)).body).toEqual(product)
  }
  const checking = products.find(({ uid }) => uid === CHECKING)!
  expect(checking).toMatchObject({
    name: 'Business Checking',
    customer_types: ['primary', 'secondary', 'sole_proprietor'],
    prerequisite_product_uids: [],
    profile_requirements: [
      {
        category: 'default',
        required: false,
        requirement_type: 'fixed_list',
        profile_requirement: expect.any(String),
      },
      { category: 'default', required: false, requirement_type: 'integer_greater', response_values: ['0'] },
    ],
  })
  const primary = ['city', 'dob', 'email', 'first_name', 'last_name', 'phone', 'postal_code', 'ssn', 'state', 'street1']
  expect(checking.required_fields).toEqual([
    { customer_type: 'primary', fields: primary },
    { customer_type: 'sole_proprietor', fields: ['business_name', ...primary] },
    { customer_type: 'secondary', fields: primary.filter((field) => field !== 'ssn') },
  ])
  expect(products.find(({ uid }) => uid === WIRES)?.prerequisite_product_uids).toEqual([CHECKING])
})

// ── The onboarding request ──────────────────────────────────────────────────────────────────────────────────────────

describe('1 "A Customer Product is created when a Customer is submitted for onboarding to a Product"', () => {
  it('answers 200 with the Customer Product, which can be read and listed', async () => {
    const { api, create, onboard, list } = await start()
    const customer = await create()
    const { status, body } = await onboard(customer.uid)
    expect(status).toBe(200)
    expect(body).toEqual({
      uid: expect.stringMatching(UID),
      status: 'created',
      customer_uid: customer.uid,
      customer_email: 'olive@example.com',
      product_uid: CHECKING,
      product_name: 'Business Checking',
      program_uid: api.program.uid,
    })
    expect((await api.get(`/customer_products/${body.uid}`)).body).toEqual(body)
    expect(await list('/customer_products')).toEqual([body])
  })

  it('3.2: "KYC/AML starts when a valid onboarding request is received": the Customer is queued and is listed', async () => {
    const { create, onboard, read, list } = await start()
    const customer = await create()
    expect(await list('/customers')).toEqual([])
    await onboard(customer.uid)
    expect(await read(customer)).toEqual({ ...customer, status: 'queued' })
    expect((await list<Customer>('/customers')).map(({ uid, status }) => [uid, status])).toEqual([
      [customer.uid, 'queued'],
    ])
  })
  it('an unknown Customer or Product is refused, and nothing changes', async () => {
    const { refused, create, onboard } = await start()
    const { uid } = await create()
    await refused(() => onboard('nobody'), 'customerNotFound')
    await refused(() => onboard(uid, 'x'), 'unknownRecord', /there is no Product/)
  })
})

describe('7 "On onboarding (POST /customer_products) with unmet Product requirements, the service returns an error that names which validation element failed"', () => {
  const ALL =
    "City can't be blank; Dob can't be blank; Email can't be blank; Phone can't be blank; " +
    "Postal code can't be blank; Ssn can't be blank; State can't be blank; Street1 can't be blank"

  it.each([
    ['primary', {}, `First name can't be blank; Last name can't be blank; ${ALL}`],
    [
      'sole_proprietor',
      { customer_type: 'sole_proprietor' },
      `First name can't be blank; Last name can't be blank; Business name can't be blank; ${ALL}`,
    ],
    [
      'secondary, of whom no SSN is asked',
      { customer_type: 'secondary', primary_customer_uid: 'PRIMARY' },
      `First name can't be blank; Last name can't be blank; ${ALL.replace("Ssn can't be blank; ", '')}`,
    ],
  ])('4111: every requirement in the documented order, for an empty %s', async (_, body, extra) => {
    const { refused, create, onboard } = await start()
    const primary = await create()
    const customer = await create({
      ...body,
      ...('primary_customer_uid' in body ? { primary_customer_uid: primary.uid } : {}),
    })
    await refused(() => onboard(customer.uid), 'customerDetailsIncomplete', extra)
  })

  // Which values a field takes is tested in test/domain/pii.test.ts.
  it.each<[string, Body, string]>([
    ['email', { email: 'nobody' }, 'Email is invalid'],
    ['a dob with a blank before it', { details: { dob: ' 2015-01-01' } }, 'Dob is invalid'],
    [
      'street2',
      { details: { address: { street2: 'x'.repeat(36) } } },
      'Street2 is too long (maximum is 35 characters)',
    ],
    [
      'two',
      { email: null, details: { phone: 'x', address: { city: null } } },
      "City can't be blank; Email can't be blank; Phone is invalid",
    ],
  ])('4.4 "Non-active Customers are validated on the first onboarding attempt": %s', async (_, changed, extra) => {
    const { refused, api, create, onboard, read } = await start()
    const { uid } = await create()
    expect((await api.call('PUT', `/customers/${uid}`, { json: changed })).status).toBe(200)
    await refused(() => onboard(uid), 'customerDetailsIncomplete', extra)
    expect(await read({ uid })).toMatchObject({ status: 'initiated', kyc_status: null })
  })

  it('the same request is accepted when the requirements are met', async () => {
    const { api, create, onboard } = await start()
    const { uid } = await create({ ...olive, email: null })
    expectRefusal(await onboard(uid), 'customerDetailsIncomplete', "Email can't be blank")
    await api.call('PUT', `/customers/${uid}`, { json: { email: 'o@example.com' } })
    expect((await onboard(uid)).status).toBe(200)
  })

  it('missing profile responses of the Product are named after missing PII', async () => {
    const { sandbox, refused, api, create, onboard } = await start()
    const product = sandbox.store.world.collections.products.get(CHECKING)!
    const profile_requirements = product.profile_requirements.map((it) => ({ ...it, required: true }))
    putRecord(sandbox, 'products', CHECKING, { profile_requirements })
    const { uid } = await create({ ...olive, email: null })
    const [purpose, payments] = profile_requirements
    const missing = (it: typeof purpose) => `Profile requirement "${it!.profile_requirement}" can't be blank`
    await refused(
      () => onboard(uid),
      'customerDetailsIncomplete',
      `Email can't be blank; ${missing(purpose)}; ${missing(payments)}`,
    )
    const profile_responses = [
      { profile_requirement_uid: purpose!.profile_requirement_uid, profile_response: 'Payroll' },
      { profile_requirement_uid: payments!.profile_requirement_uid, profile_response: 12 },
    ]
    await api.call('PUT', `/customers/${uid}`, { json: { email: 'o@example.com', profile_responses } })
    expect((await onboard(uid)).status).toBe(200)
  })

  it('2.3: "The allowed Customer Types of a Product are listed on the Product": another is named', async () => {
    const { sandbox, refused, create, onboard } = await start()
    putRecord(sandbox, 'products', CHECKING, { customer_types: ['sole_proprietor'] })
    const { uid } = await create()
    await refused(
      () => onboard(uid),
      'customerDetailsIncomplete',
      'Customer type primary is not allowed for this Product',
    )
  })

  it('4.4: "in such a Program all Customers must submit true to complete onboarding"', async () => {
    const { refused, create, onboard } = await start({ accepts_client_verified: true })
    const { uid } = await create()
    await refused(() => onboard(uid), 'customerDetailsIncomplete', 'Client verified must be true')
    const verified = await create({ ...olive, client_verified: true })
    expect((await onboard(verified.uid)).status).toBe(200)
  })
})

describe('1 "Some programs require one Product to be onboarded before another"', () => {
  it('4011: the missing Products are named, and nothing changes', async () => {
    const { sandbox, refused, create, onboard } = await start()
    const { uid } = await create()
    await refused(() => onboard(uid, WIRES), 'onboardingIncomplete', 'Business Checking must be onboarded first')
    putRecord(sandbox, 'products', WIRES, { prerequisite_product_uids: [CHECKING, INSTANT] })
    expectRefusal(
      await onboard(uid, WIRES),
      'onboardingIncomplete',
      'Business Checking must be onboarded first; Instant Payments must be onboarded first',
    )
  })

  it('4011 has priority over 4111', async () => {
    const { create, onboard } = await start()
    expectRefusal(await onboard((await create({})).uid, WIRES), 'onboardingIncomplete')
  })

  it('"Products and Customers are many-to-many": a further Product of an active Customer is active at once, without another evaluation', async () => {
    const { sandbox, create, onboard, idle, read, list } = await start()
    const customer = await create()
    await onboard(customer.uid)
    await idle()
    const before = await read(customer)
    const accounts = await list('/synthetic_accounts')
    const { status, body } = await onboard(customer.uid, WIRES)
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'active', activated_at: ACTIVATED } })
    expect(await read(customer)).toEqual(before)
    expect(await list('/synthetic_accounts')).toEqual(accounts)
    expect(await evaluationsOf(sandbox)).toHaveLength(1)
    expect(await list('/customer_products')).toHaveLength(2)
  })

  it('a second onboarding to the same Product is 422/4016, as the interface documents 422', async () => {
    const { refused, create, onboard, idle } = await start()
    const { uid } = await create()
    await onboard(uid)
    await idle()
    await refused(() => onboard(uid), 'customerInUse', 'the Customer is on this Product already')
  })
})

describe('who can be onboarded', () => {
  const ANSWERS = {
    initiated: 200,
    active: 200,
    queued: 'inactiveCustomer',
    identity_verified: 'inactiveCustomer',
    manual_review: 'inactiveCustomer',
    rejected: 'inactiveCustomer',
    under_review: 'inactiveCustomer',
    pending_archival: 'inactiveCustomer',
    archived: 'archivedCustomer',
  } as const

  it.each(CustomerStatus.options)('3.1: %s', async (status) => {
    const { sandbox, refused, create, onboard } = await start()
    const { uid } = await create()
    putRecord(sandbox, 'customers', uid, { status })
    const expected = ANSWERS[status]
    if (expected === 200) expect((await onboard(uid)).status).toBe(200)
    else await refused(() => onboard(uid), expected)
  })

  it('4003: a locked Customer is refused', async () => {
    const { sandbox, refused, create, onboard } = await start()
    const { uid } = await create()
    putRecord(sandbox, 'customers', uid, { locked_at: NOW, lock_reason: 'Lost phone' })
    await refused(() => onboard(uid), 'customerLocked')
  })
})

describe('2.3 secondary Customers', () => {
  async function family() {
    const it = await start()
    const primary = await it.create()
    const secondary = await it.create({
      ...olive,
      customer_type: 'secondary',
      primary_customer_uid: primary.uid,
      details: { ...details, ssn: '512-04-8824' },
    })
    const archive = (uid: string) => it.api.call('DELETE', `/customers/${uid}`)
    return { ...it, primary, secondary, archive }
  }

  it('2.3: a secondary is not active before its primary', async () => {
    const { sandbox, read, idle, onboard, primary, secondary } = await family()
    expect((await onboard(secondary.uid)).status).toBe(200)
    const { fired } = await idle()
    expect(fired.at(-1)?.outcome).toBe('waits for its primary Customer: its status is initiated')
    await ask(sandbox, 'clock.advance', { business_days: 10 })
    expect(await read(secondary)).toMatchObject({ status: 'identity_verified', pool_uids: [] })
    await onboard(primary.uid)
    await idle()
    const [first, second] = [await read(primary), await read(secondary)]
    expect([first.status, second.status]).toEqual(['active', 'active'])
    expect(second.pool_uids).toHaveLength(1)
    expect(second.activated_at! >= first.activated_at!).toBe(true)
  })

  it('2.3: a secondary of an active primary is active as usual', async () => {
    const { idle, read, onboard, primary, secondary } = await family()
    await onboard(primary.uid)
    await idle()
    await onboard(secondary.uid)
    await idle()
    expect(await read(secondary)).toMatchObject({ status: 'active' })
  })

  it.each(['queued', 'identity_verified', 'active'])(
    '4.5: a primary with secondaries that are %s is archived with them',
    async (status) => {
      const { sandbox, idle, read, onboard, primary, secondary, archive } = await family()
      await onboard(primary.uid)
      await idle()
      await onboard(secondary.uid)
      await advance(sandbox, `PT${['queued', 'identity_verified', 'active'].indexOf(status)}S`)
      expect(await read(secondary)).toMatchObject({ status })
      expect((await archive(primary.uid)).status).toBe(200)
      await ask(sandbox, 'clock.advance', { business_days: 8 })
      expect([await read(primary), await read(secondary)]).toMatchObject([
        { status: 'archived' },
        { status: 'archived' },
      ])
    },
  )

  it('2.3: a secondary of a primary in archival cannot be onboarded', async () => {
    const { refused, idle, onboard, primary, secondary, archive } = await family()
    await onboard(primary.uid)
    await idle()
    await archive(primary.uid)
    await refused(() => onboard(secondary.uid), 'inactiveCustomer', 'its status is pending_archival')
  })
})

// ── KYC/AML ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe.each(['fast', 'real'] as const)(
  '3.2 KYC/AML, in the pace %s: decided a second after onboarding, with accounts a second later',
  (pace) => {
    const inPace = (settings: Parameters<typeof configure>[1] = {}) => start(settings, { pace } as never)

    it.each<[string, Body, string, string, string]>([
      ['anybody', {}, 'active', 'approved', 'Approved'],
      ['Smith', { last_name: 'Smith' }, 'manual_review', 'manual_review', 'Further review required'],
      ['smith', { last_name: 'smith' }, 'manual_review', 'manual_review', 'Further review required'],
      [
        'Johnson',
        { last_name: 'Johnson' },
        'rejected',
        'denied',
        'Minimum requirements to open an account were not met',
      ],
      ['a minor', { dob: '2008-08-15' }, 'rejected', 'denied', 'Minor (age < 18 years)'],
      ['18 today', { dob: '2008-08-14' }, 'active', 'approved', 'Approved'],
      ['both', { last_name: 'Smith', dob: '2010-01-01' }, 'rejected', 'denied', 'Minor (age < 18 years)'],
    ])('%s', async (_, changed, status, kyc_status, reason) => {
      const { sandbox, create, onboard, read, list } = await inPace()
      const customer = await create({ ...olive, details: { ...details, ...changed } })
      await onboard(customer.uid)
      await advance(sandbox, 'PT0.999S')
      expect(await read(customer)).toMatchObject({ status: 'queued', kyc_status: null })
      const { fired } = await ask<{ fired: object[] }>(sandbox, 'clock.advance', { by: 'PT0.001S' })
      expect(fired).toEqual([expect.objectContaining({ at: DECIDED, task: 'decide kyc', outcome: kyc_status })])
      const isActive = status === 'active'
      expect((await read(customer)).status).toBe(isActive ? 'identity_verified' : status)
      await advance(sandbox, 'PT1S')
      const judged = await read(customer)
      expect(judged).toMatchObject({ status, kyc_status, kyc_status_reasons: [reason] })
      expect(judged.activated_at).toBe(isActive ? ACTIVATED : undefined)
      expect(judged.pool_uids).toHaveLength(isActive ? 1 : 0)
      expect(await list('/customer_products')).toEqual([
        expect.objectContaining({ status, ...(isActive ? { activated_at: ACTIVATED } : {}) }),
      ])
      for (const path of ['/pools', '/custodial_accounts', '/synthetic_accounts'])
        expect([path, (await list(path)).length > 0]).toEqual([path, isActive])
      expect(await evaluationsOf(sandbox)).toEqual([
        expect.objectContaining({
          customer_uid: customer.uid,
          began_at: NOW,
          decided_at: DECIDED,
          billable: false,
          outcome: kyc_status,
        }),
      ])
      expect(sandbox.store.world.clock.pace).toBe(pace)
    })

    it('3.1: a Customer is identity_verified for a moment of simulated time, and has no accounts yet', async () => {
      const { sandbox, api, create, onboard, read, list } = await inPace()
      const customer = await create()
      await onboard(customer.uid)
      await advance(sandbox, 'PT1.999S')
      const verified = await read(customer)
      expect(verified).toMatchObject({ status: 'identity_verified', kyc_status: 'approved', pool_uids: [] })
      expect(verified).not.toHaveProperty('activated_at')
      expect(await list('/customers?status=identity_verified')).toHaveLength(1)
      expect(await list('/customer_products')).toMatchObject([{ status: 'created' }])
      expect(await list('/pools')).toEqual([])
      expectRefusal(await api.call('PUT', `/customers/${customer.uid}`, { json: olive }), 'piiFrozen')
      await advance(sandbox, 'PT0.001S')
      expect(await read(customer)).toMatchObject({ status: 'active', activated_at: ACTIVATED })
    })

    it('3.1: an archive request for an identity_verified Customer opens no accounts', async () => {
      const { sandbox, api, create, onboard, read, list } = await inPace()
      const customer = await create()
      await onboard(customer.uid)
      await advance(sandbox, 'PT1S')
      expect((await api.call('DELETE', `/customers/${customer.uid}`)).status).toBe(200)
      await ask(sandbox, 'clock.advance', { business_days: 1 })
      expect(await read(customer)).toMatchObject({ status: 'archived', pool_uids: [] })
      expect(await list('/pools')).toEqual([])
    })

    it('2.1 client_verified: "If true, `kyc_status` is `pre_verified`", before and after', async () => {
      const { create, onboard, read, idle } = await inPace({ accepts_client_verified: true })
      const customer = await create({ ...olive, client_verified: true })
      expect(customer).toMatchObject({ client_verified: true, kyc_status: 'pre_verified' })
      await onboard(customer.uid)
      expect((await read(customer)).kyc_status).toBe('pre_verified')
      await idle()
      expect(await read(customer)).toMatchObject({
        status: 'active',
        kyc_status: 'pre_verified',
        activated_at: ACTIVATED,
      })
    })
  },
)

describe('3.2 states that only an operator decision ends', () => {
  it.each(['initiated', 'manual_review'])('no task ends the state %s', async (status) => {
    const { sandbox, create, onboard, idle } = await start()
    const customer = await create({ ...olive, details: { ...details, last_name: 'Smith' } })
    if (status === 'manual_review') await onboard(customer.uid)
    await idle()
    await advance(sandbox, 'P365D')
    // The first token has expired, so use another client.
    expect((await sandbox.client().get(`/customers/${customer.uid}`)).body.status).toBe(status)
    const { tasks } = await ask<{ tasks: { recurring: boolean }[] }>(sandbox, 'tasks.list')
    expect(tasks.filter(({ recurring }) => !recurring)).toEqual([])
  })

  it('2.3: the calendar of New York decides who is a minor: a Customer is 18 from midnight there', async () => {
    // 03:59:59 UTC is still the day before in New York; the decision is exactly at midnight there.
    for (const [from, status] of [
      ['2026-08-14T03:59:58.000Z', 'rejected'],
      ['2026-08-14T03:59:59.000Z', 'active'],
    ] as const) {
      const { create, onboard, read, idle } = await start({}, { seed: 'test', start: Date.parse(from) })
      const customer = await create({ ...olive, details: { ...details, dob: '2008-08-14' } })
      await onboard(customer.uid)
      await idle()
      expect([from, (await read(customer)).status]).toEqual([from, status])
    }
  })

  it('the decision uses the current data, and no request can change them before it', async () => {
    const { refused, api, create, onboard } = await start()
    const { uid } = await create()
    await onboard(uid)
    const put = () => api.call('PUT', `/customers/${uid}`, { json: olive })
    await refused(put, 'piiFrozen')
  })

  it('scheduled tasks survive a restart before the decision', async ({ folder: data }) => {
    const first = await startSandbox({ data, seed: 'test', start: Date.parse(NOW) })
    const api = first.client()
    const { body } = await api.post<Customer>('/customers', olive)
    await api.post('/customer_products', { customer_uid: body.uid, product_uid: CHECKING })
    await first.close()
    const second = await startSandbox({ data })
    await ask(second, 'clock.advance', { until: 'idle' })
    expect((await second.client().get<Customer>(`/customers/${body.uid}`)).body.status).toBe('active')
  })
})

// ── Opened accounts ─────────────────────────────────────────────────────────────────────────────────────────────────

describe('1 "The service then creates any needed financial products"', () => {
  async function opened(body: Body = olive) {
    const it = await start()
    const customer = await it.create(body)
    await it.onboard(customer.uid)
    await it.idle()
    return { ...it, customer: await it.read(customer) }
  }

  it('1: "Currently one Customer maps to one Pool and back"', async () => {
    const { api, customer, list } = await opened()
    const pools = await list<Pool>('/pools')
    expect(pools).toEqual([
      {
        uid: customer.pool_uids[0],
        name: expect.stringContaining('Olive Oyl'),
        owner_customer_uid: customer.uid,
        customer_uids: [customer.uid],
      },
    ])
    expect((await api.get(`/pools/${pools[0]!.uid}`)).body).toEqual(pools[0])
  })

  it('1: a Custodial Account with its two cash accounts, one-to-one with the Customer', async () => {
    const { api, customer, list } = await opened()
    const accounts = await list<CustodialAccount>('/custodial_accounts')
    expect(accounts.map(({ type }) => type).sort()).toEqual(['dda', 'dda_cash_external', 'dda_cash_received'])
    const [pool_uid] = customer.pool_uids
    for (const account of accounts) {
      const isDda = account.type === 'dda'
      const cash = null
      expect(account).toEqual({
        uid: expect.stringMatching(UID),
        customer_uid: customer.uid,
        pool_uid,
        type: account.type,
        liability: isDda,
        primary_account: isDda,
        name: isDda ? 'Commercial DDA' : null,
        status: isDda ? 'active' : null,
        account_errors: [],
        net_usd_balance: isDda ? '0.00' : cash,
        net_usd_pending_balance: isDda ? '0.00' : cash,
        net_usd_available_balance: isDda ? '0.00' : cash,
        net_usd_closing_balance: null,
        asset_balances: isDda
          ? [{ asset_quantity: '0.00', asset_type: 'USD', current_usd_value: '0.00', debit: false }]
          : cash,
        routing_number: isDda ? '110000000' : cash,
        account_number_masked: isDda ? expect.stringMatching(/^\d{4}$/) : cash,
        opened_at: ACTIVATED,
        closed_at: null,
      })
      const { account_number, company_ids, ...rest } = (
        await api.get<CustodialAccount>(`/custodial_accounts/${account.uid}`)
      ).body
      expect(rest).toEqual(account)
      expect(account_number).toEqual(
        isDda ? expect.stringMatching(new RegExp(`^\\d{8}${account.account_number_masked}$`)) : null,
      )
      // 2.4: "In the sandbox, company_id and custodial accounts are always 1:1".
      expect(company_ids).toEqual(isDda ? [expect.stringMatching(/^C\d{9}$/)] : undefined)
    }
  })

  it('1: a Synthetic Account as the origination account, the master of the Customer', async () => {
    const { api, customer, list } = await opened()
    const [dda] = await list<CustodialAccount>('/custodial_accounts?type=dda')
    const accounts = await list<SyntheticAccount>('/synthetic_accounts')
    expect(accounts).toHaveLength(1)
    const { body } = await api.get<SyntheticAccount>(`/synthetic_accounts/${accounts[0]!.uid}`)
    expect(body).toEqual({
      uid: expect.stringMatching(UID),
      external_uid: null,
      wire: null,
      instant_payment: null,
      name: 'Primary Synthetic Account',
      pool_uid: customer.pool_uids[0],
      synthetic_account_type_uid: 'gA3nWq9KtXv5LzRe',
      synthetic_account_category: 'general',
      custodial_account_uids: [dda!.uid],
      status: 'active',
      liability: true,
      master_account: true,
      net_usd_balance: '0.00',
      net_usd_pending_balance: '0.00',
      net_usd_available_balance: '0.00',
      net_usd_closing_balance: null,
      asset_balances: [
        {
          asset_quantity: '0.00',
          asset_type: 'USD',
          current_usd_value: '0.00',
          debit: false,
          custodial_account_uid: dda!.uid,
          custodial_account_name: 'Commercial DDA',
        },
      ],
      routing_number: '110000000',
      account_number: expect.stringMatching(/^\d{12}$/),
      account_number_last_four: body.account_number?.slice(-4),
      opened_at: ACTIVATED,
      closed_at: null,
    })
    const { account_number: _, ...summary } = body
    expect(accounts[0]).toEqual(summary)
  })

  it('each Customer has its own account numbers', async () => {
    const { api, create, onboard, idle, list } = await start()
    for (let i = 0; i < 5; i++) await onboard((await create()).uid)
    await idle()
    const numbers = new Set<string>()
    for (const collection of ['/synthetic_accounts', '/custodial_accounts?type=dda'])
      for (const { uid } of await list<{ uid: string }>(collection)) {
        const { body } = await api.get<CustodialAccount>(`/${collection.split(/[/?]/)[1]}/${uid}`)
        for (const number of [body.account_number!, ...(body.company_ids ?? [])]) numbers.add(number)
      }
    expect(numbers.size).toBe(15)
    expect((await list<Customer>('/customers')).flatMap(({ pool_uids }) => pool_uids)).toHaveLength(5)
  })
})

it('1 "If the Client is itself the Customer, the service operator pre-creates the Customers": the operator creates one, and the Client onboards it', async () => {
  const { sandbox, refused, api, onboard, idle, read } = await start({ client_is_customer: true })
  await refused(() => api.post('/customers', olive), 'creationByOperator')
  const customer = await ask<Customer>(sandbox, 'operator.create_customer', {
    program_uid: api.program.uid,
    customer: olive,
  })
  expect(customer).toMatchObject({ status: 'initiated', program_uid: api.program.uid, email: olive.email })
  expect((await onboard(customer.uid)).status).toBe(200)
  await idle()
  expect((await read(customer)).status).toBe('active')
})

// ── The journey ─────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.4 "The recommended onboarding order"', () => {
  it('from an empty body to an active Customer with an external account', async ({ sandbox, api }) => {
    let uid = ''
    // The changes of each commit: each record once, with its collection and its status.
    const transcript: string[] = []
    let commits: Commit[] = []
    sandbox.store.subscribe((commit) => void commits.push(commit))
    const step = async (what: string, work: () => Promise<{ status: number }>) => {
      commits = []
      const { status } = await work()
      transcript.push(`${what} → ${status}`)
      for (const { at, cause, changes } of commits) {
        transcript.push(`  ${at.slice(11, 23)} by ${cause.door}`)
        for (const { collection, record } of changes) {
          const shown = (record ?? {}) as Record<string, unknown>
          const words = ['type', 'name', 'status', 'kyc_status', 'email', 'outcome', 'due_at']
            .filter((name) => shown[name] !== undefined && shown[name] !== null)
            .map((name) => `${name} ${String(textOf(shown[name])).replace(uid.slice(0, 4) || '?', '(uid)')}`)
          transcript.push(`    ${record ? '' : 'no more '}${[collection, ...words].join(', ')}`)
        }
      }
    }
    const put = (json: unknown) => api.call('PUT', `/customers/${uid}`, { json })

    await step('create with an empty body', async () => {
      const answer = await api.post<Customer>('/customers', {})
      uid = answer.body.uid
      return answer
    })
    await step('name it', () => put({ external_uid: 'o-1', email: 'olive@example.com' }))
    await step('onboard too early', () => api.post('/customer_products', { customer_uid: uid, product_uid: CHECKING }))
    await step('supply the remaining PII', () => put({ details: { ...details, last_name: 'Oil' } }))
    await step('edit it', () => put({ details: { last_name: 'Oyl' } }))
    await step('check the profile requirements', () => api.get('/products'))
    await step('submit profile responses', () =>
      put({ profile_responses: [{ profile_requirement_uid: 'rT6mHj4BzQw2YnFc', profile_response: 'Payroll' }] }),
    )
    await step('onboard', () => api.post('/customer_products', { customer_uid: uid, product_uid: CHECKING }))
    await step('edit too late', () => put({ details: { ssn: SSN } }))
    await step('wait', async () => {
      await ask(sandbox, 'clock.advance', { until: 'idle' })
      return { status: 200 }
    })
    await step('read', () => api.get(`/customers/${uid}`))
    await step('open an external account', async () => {
      const { body } = await api.get<Customer>(`/customers/${uid}`)
      return api.post('/synthetic_accounts', {
        name: 'Landlord',
        pool_uid: body.pool_uids[0],
        synthetic_account_type_uid: 'hC7dMf2SyJb8PkTw',
        routing_number: '021000021',
        account_number: '123456789',
        ach: { account_type: 'checking', counterparty_name: 'Popeye Sailor' },
      })
    })

    expect(`\n${transcript.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      create with an empty body → 201
        14:00:00.000 by request
          customers, status initiated
      name it → 200
        14:00:00.000 by request
          customers, status initiated, email olive@example.com
      onboard too early → 422
      supply the remaining PII → 200
        14:00:00.000 by request
          customers, status initiated, email olive@example.com
      edit it → 200
        14:00:00.000 by request
          customers, status initiated, email olive@example.com
      check the profile requirements → 200
      submit profile responses → 200
        14:00:00.000 by request
          customers, status initiated, email olive@example.com
      onboard → 200
        14:00:00.000 by request
          customer_products, status created
          customers, status queued, email olive@example.com
          kyc_evaluations
          tasks, due_at 2026-08-14T14:00:01.000Z
      edit too late → 422
      wait → 200
        14:00:01.000 by time
          no more tasks
          tasks, due_at 2026-08-14T14:00:02.000Z
          kyc_evaluations, outcome approved
          customers, status identity_verified, kyc_status approved, email olive@example.com
        14:00:02.000 by time
          no more tasks
          pools, name Olive Oyl (uid)
          custodial_accounts, type dda, name Commercial DDA, status active
          custodial_accounts, type dda_cash_external
          custodial_accounts, type dda_cash_received
          synthetic_accounts, name Outside bank, status active
          synthetic_accounts, name Primary Synthetic Account, status active
          customers, status active, kyc_status approved, email olive@example.com
          customer_products, status active
        14:00:02.000 by operator
      read → 200
      open an external account → 201
        14:00:02.000 by request
          synthetic_accounts, name Landlord, status active
      "
    `)

    const customer = (await api.get<Customer>(`/customers/${uid}`)).body
    expect(customer).toMatchObject({ status: 'active', kyc_status: 'approved', external_uid: 'o-1' })
    expect(customer.details.ssn_last_four).toBe('8823')
  })
})
