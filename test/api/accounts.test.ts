import { describe, expect, it } from 'vitest'
import { type Customer, CustomerStatus } from '../../src/api/contract/resources/customers.ts'
import type { SyntheticAccount, SyntheticAccountType } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { expectRefusal } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { putRecord, refusing } from '../support/world.ts'
import { advance, ask, exchangesOf } from './support.ts'

/** Synthetic Account Types and Synthetic Accounts: sections 1 and 4.1. */

const TYPES = {
  general: 'gA3nWq9KtXv5LzRe',
  ach_external: 'hC7dMf2SyJb8PkTw',
  wire_external: 'jE5rHx4GvNc9QmZs',
  instant_payment_external: 'kF6tLb3DwYp7VnXg',
} as const
const ACTIVE = '2026-08-14T14:00:02.000Z'
const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/

const numbers = { routing_number: '021000021', account_number: '123456789' }
const ach = { account_type: 'checking', counterparty_name: 'Popeye Sailor' }
const lines = { line1: '1 Main St', line2: null, line3: 'Apt 4', country: 'US' }
const wire = {
  counterparty_name: 'Popeye Sailor',
  counterparty_bank_name: 'First Bank',
  counterparty_address: lines,
  counterparty_bank_address: { line1: '2 Bank Rd', country: 'US' },
}
const structured = {
  street_number: '12',
  street1: 'Main St',
  street2: 'Apt 4',
  city: 'Ames',
  state: 'IA',
  postal_code: '50010',
  country: 'US',
}
const instant_payment = {
  counterparty_name: 'Popeye Sailor',
  counterparty_address: structured,
  email: 'popeye@example.com',
  phone: '5155550188',
}
/** For each category, the required fields besides name, pool and type. */
const NEEDS = {
  general: {},
  ach_external: { ...numbers, ach },
  wire_external: { ...numbers, wire },
  instant_payment_external: { ...numbers, instant_payment },
} as const
type Category = keyof typeof NEEDS
const CATEGORIES = Object.keys(NEEDS) as Category[]
const EXTERNAL = CATEGORIES.filter((category) => category !== 'general')

type Body = Record<string, unknown>

async function start() {
  const sandbox = await startSandbox()
  const api = sandbox.client()
  const customer = await activate(sandbox, api)
  const pool_uid = customer.pool_uids[0]!
  const create = (body: Body) => api.post<SyntheticAccount>('/synthetic_accounts', { pool_uid, ...body })
  const open = async (category: Category, more: Body = {}) => {
    const body = { name: category, synthetic_account_type_uid: TYPES[category], ...NEEDS[category], ...more }
    const answer = await create(body)
    expect(answer.status).toBe(201)
    return answer.body
  }
  const update = (uid: string, json: unknown) =>
    api.call<SyntheticAccount>('PUT', `/synthetic_accounts/${uid}`, { json })
  const archive = (uid: string) => api.call('DELETE', `/synthetic_accounts/${uid}`)
  const read = async (uid: string) => (await api.get<SyntheticAccount>(`/synthetic_accounts/${uid}`)).body
  const list = async (query = '') => (await api.get<Page<SyntheticAccount>>(`/synthetic_accounts${query}`)).body
  const master = (await list('?synthetic_account_category=general')).data[0]!
  /** Money from outside, settled. */
  const receive = async (synthetic_account_uid: string, us_dollar_amount: string) => {
    const body = { transaction_type: 'ach', customer_uid: customer.uid, synthetic_account_uid, us_dollar_amount }
    expect((await api.post('/sandbox/mock_transactions', body)).status).toBe(201)
    await ask(sandbox, 'clock.advance', { by: 'PT1S' })
  }
  const refused = refusing(sandbox)
  return { sandbox, api, customer, pool_uid, master, create, open, update, archive, read, list, receive, refused }
}

async function activate(sandbox: TestSandbox, api: ReturnType<TestSandbox['client']>): Promise<Customer> {
  const { body } = await api.post<Customer>('/customers', OLIVE)
  await api.post('/customer_products', { customer_uid: body.uid, product_uid: 'cQ2vNf7ZxLm9TbKe' })
  await ask(sandbox, 'clock.advance', { until: 'idle' })
  return (await api.get<Customer>(`/customers/${body.uid}`)).body
}

// ── Types ───────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('1 Synthetic Account Types', () => {
  it('1: "Each Synthetic Account Type belongs to a category, such as general use or external accounts"', async () => {
    const api = (await startSandbox()).client()
    const { data } = (await api.get<Page<SyntheticAccountType>>('/synthetic_account_types')).body
    expect(Object.fromEntries(data.map((type) => [type.synthetic_account_category, type.uid]))).toEqual(TYPES)
    for (const type of data) {
      expect(type).toEqual({
        uid: type.uid,
        name: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        program_uid: api.program.uid,
        synthetic_account_category: type.synthetic_account_category,
      })
      expect((await api.get(`/synthetic_account_types/${type.uid}`)).body).toEqual(type)
    }
  })

  it('1 "for example of types wire_external, ach_external, instant_payments_external": the names are these', async () => {
    const api = (await startSandbox()).client()
    const { data } = (await api.get<Page<SyntheticAccountType>>('/synthetic_account_types')).body
    expect(data.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['wire_external', 'ach_external', 'instant_payments_external']),
    )
  })
})

// ── Creation ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 POST /synthetic_accounts', () => {
  it.each(EXTERNAL)(
    '1: "The Client creates external synthetic accounts […] to represent counterparties": %s',
    async (category) => {
      const { pool_uid, create, read, list } = await start()
      const body = {
        name: 'Popeye',
        external_uid: 'p-1',
        synthetic_account_type_uid: TYPES[category],
        ...NEEDS[category],
      }
      const answer = await create(body)
      expect(answer.status).toBe(201)
      const { account_number: _, ...given } = NEEDS[category]
      expect(answer.body).toEqual({
        uid: expect.stringMatching(UID),
        external_uid: 'p-1',
        name: 'Popeye',
        pool_uid,
        synthetic_account_type_uid: TYPES[category],
        synthetic_account_category: category,
        status: 'active',
        liability: false,
        master_account: false,
        custodial_account_uids: [],
        asset_balances: null,
        net_usd_balance: null,
        net_usd_pending_balance: null,
        net_usd_available_balance: null,
        net_usd_closing_balance: null,
        opened_at: ACTIVE,
        closed_at: null,
        // "account_number: null in responses for external categories", the last four digits always.
        account_number: null,
        account_number_last_four: '6789',
        wire: null,
        instant_payment: null,
        ...given,
      })
      expect(await read(answer.body.uid)).toEqual(answer.body)
      const [listed] = (await list('?external_uid=p-1')).data
      expect(listed).not.toHaveProperty('account_number')
      expect(JSON.stringify(listed)).not.toContain('"counterparty_address"')
      expect(listed).toMatchObject({
        uid: answer.body.uid,
        account_number_last_four: '6789',
        routing_number: '021000021',
      })
    },
  )

  it('a general account gets its own numbers and has no money; fields of counterparties are ignored', async () => {
    const { create, read, master } = await start()
    const { status, body } = await create({
      name: 'Rent',
      synthetic_account_type_uid: TYPES.general,
      ...numbers,
      ach,
      wire,
      instant_payment,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...master,
      uid: expect.stringMatching(UID),
      name: 'Rent',
      master_account: false,
      account_number: expect.stringMatching(/^\d{12}$/),
      account_number_last_four: body.account_number!.slice(-4),
    })
    expect(body.uid).not.toBe(master.uid)
    expect(body.account_number).not.toBe(numbers.account_number)
    expect(body.account_number).not.toBe((await read(master.uid)).account_number)
  })

  it('the objects of other rails are ignored', async () => {
    const { open } = await start()
    const body = await open('ach_external', { wire, instant_payment })
    expect(body.ach).toEqual(ach)
    expect(body).toMatchObject({ wire: null, instant_payment: null })
  })

  it('accepts absent or null optional fields', async () => {
    const { open } = await start()
    const bare = { external_uid: null, external_processor_token: null, ach: null, wire: null, instant_payment: null }
    expect(await open('general', { ...bare, routing_number: null, account_number: null })).toMatchObject({
      external_uid: null,
    })
    await open('wire_external', { wire: { counterparty_name: 'Popeye' } })
    await open('wire_external', {
      name: 'w2',
      account_number: '1',
      wire: { ...wire, counterparty_address: null, counterparty_bank_name: null, counterparty_bank_address: null },
    })
    const { street2: _, ...place } = structured
    await open('instant_payment_external', { instant_payment: { counterparty_name: 'P', counterparty_address: place } })
  })

  it('city, state, postal_code and country of an address in parts are required, and may be null', async () => {
    const { open, read } = await start()
    const place = { ...structured, city: null, state: null, postal_code: null, country: null }
    const made = await open('instant_payment_external', {
      instant_payment: { ...instant_payment, counterparty_address: place },
    })
    expect(made.instant_payment?.counterparty_address).toEqual(place)
    expect(await read(made.uid)).toEqual(made)
  })

  it('accepts an external_processor_token and stores it in no response, record or log', async () => {
    const { sandbox, api, open, read } = await start()
    const token = 'processor-sandbox-0asd1-a92nc'
    const { uid } = await open('ach_external', { external_processor_token: token })
    const form = new URLSearchParams({ name: 'By form', external_processor_token: token }).toString()
    expectRefusal(await api.call('POST', '/synthetic_accounts', { form }), 'missingParameter')
    const texts = [
      await read(uid),
      sandbox.store.world.collections.synthetic_accounts.inOrder(),
      await exchangesOf(sandbox),
    ]
    expect(texts.map((it) => JSON.stringify(it).includes(token))).toEqual([false, false, false])
  })
})

describe('what a category needs: each refusal names its field and changes nothing', () => {
  it.each(EXTERNAL)('%s', async (category) => {
    const { create, refused } = await start()
    const rail = category.replace('_external', '')
    const whole = { name: 'N', synthetic_account_type_uid: TYPES[category], ...NEEDS[category] }
    const fields = ['routing_number', 'account_number', rail]
    const missing = (names: readonly string[]) => names.map((field) => `${field} is missing`).join('; ')
    await refused(() => create({ ...whole, ...NOTHING, [rail]: undefined }), 'missingParameter', missing(fields))
    for (const field of fields)
      await refused(() => create({ ...whole, [field]: null }), 'missingParameter', missing([field]))
  })
  const NOTHING = { routing_number: undefined, account_number: undefined }

  it('an unknown Pool or type; a name that is null or blank; a wrong number though it is ignored', async () => {
    const { create, refused } = await start()
    const whole = { name: 'N', synthetic_account_type_uid: TYPES.general }
    await refused(() => create({ ...whole, pool_uid: 'x' }), 'unknownRecord', 'there is no Pool with this uid')
    const unknown = { ...whole, synthetic_account_type_uid: 'x' }
    await refused(() => create(unknown), 'unknownRecord', 'there is no Synthetic Account Type with this uid')
    for (const name of [null, '', ' \t'])
      await refused(() => create({ ...whole, name }), 'missingParameter', 'name cannot be null or blank')
    await refused(() => create({ ...whole, routing_number: '12' }), 'invalidArgument', /^routing_number: exactly 9/)
    expect((await create(whole)).status).toBe(201)
  })
})

describe('who may have a new account', () => {
  const ANSWERS = Object.fromEntries(
    CustomerStatus.options.map((status) => [
      status,
      status === 'active' ? 201 : status === 'archived' ? 'archivedCustomer' : 'inactiveCustomer',
    ]),
  ) as Record<string, 201 | 'archivedCustomer' | 'inactiveCustomer'>

  it.each(CustomerStatus.options)('3.1, 4.5 rule 7 "The Customer cannot open new accounts": %s', async (status) => {
    const { sandbox, refused, customer, create } = await start()
    putRecord(sandbox, 'customers', customer.uid, { status })
    const send = () => create({ name: 'N', synthetic_account_type_uid: TYPES.general })
    const expected = ANSWERS[status]!
    if (expected === 201) expect((await send()).status).toBe(201)
    else await refused(send, expected)
  })

  it('4003: a locked Customer', async () => {
    const { sandbox, refused, customer, create } = await start()
    putRecord(sandbox, 'customers', customer.uid, { locked_at: ACTIVE, lock_reason: 'Lost phone' })
    const send = () => create({ name: 'N', synthetic_account_type_uid: TYPES.ach_external, ...NEEDS.ach_external })
    await refused(send, 'customerLocked')
  })
})

describe('2002 duplicates', () => {
  it('the same external_uid, in any Pool', async () => {
    const { sandbox, refused, api, create, open } = await start()
    await open('ach_external', { external_uid: 'p-1' })
    const again = { name: 'Other', external_uid: 'p-1', synthetic_account_type_uid: TYPES.general }
    await refused(() => create(again), 'syntheticAccountExists', 'external_uid has already been taken')
    const [pool_uid] = (await activate(sandbox, api)).pool_uids
    expectRefusal(await create({ ...again, pool_uid }), 'syntheticAccountExists')
  })

  it('the same name, in the same Pool', async () => {
    const { sandbox, refused, api, create, open } = await start()
    await open('general', { name: 'Rent' })
    const again = { name: 'Rent', synthetic_account_type_uid: TYPES.general }
    await refused(() => create(again), 'syntheticAccountExists', 'name has already been taken in this Pool')
    const [pool_uid] = (await activate(sandbox, api)).pool_uids
    expect((await create({ ...again, pool_uid })).status).toBe(201)
  })

  it.each(EXTERNAL)('"same category, routing number, account number and pool": %s', async (category) => {
    const { sandbox, refused, api, create, open } = await start()
    const { uid } = await open(category)
    const twin = { name: 'Twin', synthetic_account_type_uid: TYPES[category], ...NEEDS[category] }
    await refused(() => create(twin), 'syntheticAccountExists', `Account number taken by Synthetic Account ${uid}.`)
    const other = EXTERNAL.find((it) => it !== category)!
    await open(other, { name: 'another category' })
    await open(category, { name: 'another routing number', routing_number: '011401533' })
    await open(category, { name: 'another account number', account_number: '1' })
    await open(category, { name: 'another pool', pool_uid: (await activate(sandbox, api)).pool_uids[0] })
  })

  it.each(['archived', 'failed'] as const)('an account that is %s is no duplicate', async (status) => {
    const { sandbox, open } = await start()
    const { uid } = await open('ach_external')
    putRecord(sandbox, 'synthetic_accounts', uid, { status })
    await open('ach_external')
  })
})

// ── Update ──────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 PUT /synthetic_accounts/{uid} "Update metadata"', () => {
  const note = 'They moved'

  it('changes only name, external_uid and the fields of the counterparty', async () => {
    const { open, update, read } = await start()
    const changes = {
      ach_external: { ach: { account_type: 'savings', counterparty_name: 'Bluto' } },
      wire_external: { wire: { ...wire, counterparty_name: 'Bluto' } },
      instant_payment_external: { instant_payment: { ...instant_payment, counterparty_name: 'Bluto', phone: null } },
    } as const
    for (const category of EXTERNAL) {
      const before = await open(category)
      const rail = changes[category as keyof typeof changes]
      const { status, body } = await update(before.uid, {
        name: `${category} 2`,
        external_uid: category,
        note,
        ...rail,
      })
      expect(status).toBe(200)
      expect(body).toEqual({ ...before, name: `${category} 2`, external_uid: category, ...rail })
      expect(await read(before.uid)).toEqual(body)
    }
  })

  it.each([
    ['ach_external', { ach: { counterparty_name: 'Bluto' } }],
    ['ach_external', { ach: { account_type: 'savings' } }],
    ['wire_external', { wire: { counterparty_bank_name: 'Bluto Bank' } }],
    ['wire_external', { wire: { counterparty_address: null } }],
    ['instant_payment_external', { instant_payment: { email: 'bluto@example.com' } }],
    ['instant_payment_external', { instant_payment: { counterparty_address: { ...structured, city: 'Boone' } } }],
  ] as const)('all fields of the counterparty are optional, and absent ones stay: %s %j', async (category, change) => {
    const { open, update, read } = await start()
    const before = await open(category)
    const { status, body } = await update(before.uid, { ...change, note })
    expect(status).toBe(200)
    const [[rail, sent]] = Object.entries(change) as [[keyof typeof before, object]]
    expect(body).toEqual({ ...before, [rail]: { ...(before[rail] as object), ...sent } })
    expect(await read(before.uid)).toEqual(body)
  })

  it('unchanged values are no change; the whole resource may be sent back', async () => {
    const { open, update } = await start()
    const before = await open('ach_external', { external_uid: 'p-1' })
    const whole = {
      name: before.name,
      pool_uid: before.pool_uid,
      synthetic_account_type_uid: TYPES.ach_external,
      ...numbers,
      ach,
      external_uid: 'p-1',
      note,
    }
    expect(await update(before.uid, whole)).toMatchObject({ status: 200, body: before })
    expect(await update(before.uid, { note })).toMatchObject({ status: 200, body: before })
  })

  it('2008 "A note is required to update Synthetic Accounts": absent or blank', async () => {
    const { refused, master, update } = await start()
    for (const body of [{}, { name: 'New' }, { name: 'New', note: '' }, { name: 'New', note: ' ' }])
      await refused(() => update(master.uid, body), 'syntheticAccountNoteMissing', 'note')
  })

  it.each([[''], [' '], [null]])('1003 "name cannot be null or blank": %j', async (name) => {
    const { refused, master, update } = await start()
    await refused(() => update(master.uid, { name, note }), 'missingParameter', 'name cannot be null or blank')
  })

  it('2007: another Pool, type or number is refused by name, and nothing changes', async () => {
    const { refused, open, update, master } = await start()
    const { uid } = await open('ach_external')
    for (const [body, extra] of [
      [{ pool_uid: 'other' }, 'pool_uid cannot change'],
      [{ synthetic_account_type_uid: TYPES.wire_external }, 'synthetic_account_type_uid cannot change'],
      [{ routing_number: '011401533' }, 'routing_number cannot change'],
      [{ account_number: '1' }, 'account_number cannot change'],
      [{ pool_uid: 'x', account_number: '1' }, 'pool_uid cannot change; account_number cannot change'],
    ] as const)
      await refused(() => update(uid, { name: 'New', note, ...body }), 'syntheticAccountNotUpdatable', extra)
    expectRefusal(await update(master.uid, { account_number: '1', note }), 'syntheticAccountNotUpdatable')
  })

  it.each(['initiated', 'archived', 'failed'] as const)('2007: an account that is %s', async (status) => {
    const { sandbox, refused, master, update } = await start()
    putRecord(sandbox, 'synthetic_accounts', master.uid, { status })
    await refused(
      () => update(master.uid, { name: 'New', note }),
      'syntheticAccountNotUpdatable',
      `its status is ${status}`,
    )
  })

  it('2002: a name or an external_uid of another account', async () => {
    const { refused, open, update } = await start()
    await open('general', { name: 'Rent', external_uid: 'taken' })
    const { uid } = await open('general', { name: 'Food' })
    await refused(
      () => update(uid, { name: 'Rent', note }),
      'syntheticAccountExists',
      'name has already been taken in this Pool',
    )
    await refused(
      () => update(uid, { external_uid: 'taken', note }),
      'syntheticAccountExists',
      'external_uid has already been taken',
    )
  })

  it('wrong types and forms are 400/1007', async () => {
    const { refused, open, update } = await start()
    const { uid } = await open('ach_external')
    const wrong = { ach: { ...ach, counterparty_name: 'x'.repeat(23) } }
    for (const body of [{ name: 1 }, { note: 1 }, { ach: 'x' }, wrong, { external_uid: '' }])
      await refused(() => update(uid, { note, ...body }), 'invalidArgument')
  })

  it('1003: an incomplete address', async () => {
    const { refused, open, update } = await start()
    const { uid } = await open('instant_payment_external')
    const { city: _, ...rest } = structured
    const part = { instant_payment: { counterparty_address: rest } }
    await refused(
      () => update(uid, { note, ...part }),
      'missingParameter',
      'instant_payment.counterparty_address.city is missing',
    )
  })
})

// ── Archive ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 DELETE /synthetic_accounts/{uid} "Archive"', () => {
  it.each(CATEGORIES)(
    'answers 204 without a body; the account stays readable, with closed_at: %s',
    async (category) => {
      const { sandbox, open, archive, read, list } = await start()
      const before = await open(category)
      await advance(sandbox, 'PT1H')
      const answer = await archive(before.uid)
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
      expect(answer.headers.get('x-trace-id')).toMatch(/./)
      const after = await read(before.uid)
      expect(after).toEqual({ ...before, status: 'archived', closed_at: '2026-08-14T15:00:02.000Z' })
      expect((await list('?status=archived')).data.map(({ uid }) => uid)).toEqual([before.uid])
      // Its name is free again.
      await open(category)
    },
  )

  it('2003: "The master Synthetic Account for a Customer cannot be archived"', async () => {
    const { refused, master, archive } = await start()
    await refused(() => archive(master.uid), 'masterAccountNotArchivable')
  })

  it.each(['0.01', '-0.01', '1000.00'])(
    '2004: "A Synthetic Account with a non-zero balance cannot be archived": %s',
    async (balance) => {
      const { refused, open, archive, receive } = await start()
      const { uid } = await open('general')
      await receive(uid, balance)
      await refused(() => archive(uid), 'syntheticAccountHasBalance', 'Its balance is not 0')
    },
  )

  it.each(['initiated', 'archived', 'failed'] as const)(
    '2017: "Synthetic Account must be in \'active\' status to archive": %s',
    async (status) => {
      const { sandbox, refused, open, archive } = await start()
      const { uid } = await open('ach_external')
      putRecord(sandbox, 'synthetic_accounts', uid, { status })
      await refused(() => archive(uid), 'syntheticAccountNotActive', `its status is ${status}`)
    },
  )
})

// ── Lists ───────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 GET /synthetic_accounts', () => {
  it.each(['instant_payment_external', 'instant_payments_external', 'INSTANT_PAYMENTS_EXTERNAL'])(
    'the instant category is found by either spelling, and answered as instant_payment_external: %s',
    async (category) => {
      const { open, list } = await start()
      const { uid } = await open('instant_payment_external')
      const { data } = await list(`?synthetic_account_category=${category}`)
      expect(data).toMatchObject([{ uid, synthetic_account_category: 'instant_payment_external' }])
    },
  )
})
