import { describe, expect, it } from 'vitest'
import { type Customer, CustomerStatus } from '../../src/api/contract/resources/customers.ts'
import type { KycEvaluation } from '../../src/api/contract/resources/kyc-evaluations.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { expectRefusal } from '../support/client.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { putRecord, refusing } from '../support/world.ts'
import { addProgram, advance, ask, configure } from './support.ts'

/** Section 4.6: PUT /customers/{uid}. */

const PRODUCT = 'cQ2vNf7ZxLm9TbKe'
const PURPOSE = 'rT6mHj4BzQw2YnFc'
const PAYMENTS = 'rV9sKd2NxGp7LcWm'
const NOW = '2026-08-14T14:00:00.000Z'
const HOUR_LATER = '2026-08-14T15:00:00.000Z'
const SSN = '512-04-8823'

const address = { street1: '1 Quay', street2: 'Loft', city: 'Ames', state: 'IA', postal_code: '50010' }
const olive = {
  email: 'olive@example.com',
  details: { first_name: 'Olive', last_name: 'Oyl', phone: '5155550123', ssn: SSN, dob: '1990-04-17', address },
}
/** All fields that rule 3 requires of an active Customer, with other values. */
const moved = {
  email: 'olive@sailor.example',
  details: {
    first_name: 'Olivia',
    last_name: 'Sailor',
    phone: '5155550199',
    address: { street1: '9 Main St', city: 'Boone', state: 'MN', postal_code: '50036-1234' },
  },
}

const INVISIBLE = [
  ['zero-width', '\u200b\u200d\ufeff'],
  ['no-break spaces', '\u00a0\u2007\u202f'],
  ['controls', '\u0001\t\u007f\u0085'],
  ['fillers', '\u3164\u115f\u2800\u034f\ufe0f'],
  ['marks of direction', '\u202e\u2066\u061c'],
] as const

type Body = Record<string, unknown>

async function made(body: Body = {}, settings: Parameters<typeof configure>[1] = {}) {
  const sandbox = await startSandbox()
  if (Object.keys(settings).length > 0) configure(sandbox, settings)
  const api = sandbox.client()
  const created = await api.post<Customer>('/customers', body)
  expect(created.status).toBe(201)
  const path = `/customers/${created.body.uid}`
  const put = <T = Customer>(json: unknown) => api.call<T>('PUT', path, { json })
  const read = async () => (await api.get<Customer>(path)).body
  return { sandbox, api, customer: created.body, path, put, read }
}

async function active(body: Body = olive) {
  const it = await made(body)
  expect(
    (await it.api.post('/customer_products', { customer_uid: it.customer.uid, product_uid: PRODUCT })).status,
  ).toBe(200)
  await ask(it.sandbox, 'clock.advance', { until: 'idle' })
  const customer = await it.read()
  expect(customer.status).toBe('active')
  return { ...it, customer }
}

const evaluationsOf = async (sandbox: TestSandbox) =>
  (await ask<Page<KycEvaluation>>(sandbox, 'records.list', { collection: 'kyc_evaluations' })).data

describe('4.6 rule 1: "Before the Customer is onboarded to a Product, details may be updated or removed without validation"', () => {
  it('4.6: "Response 200: the updated Customer", and it is stored', async () => {
    const { customer, put, read } = await made()
    const { status, body } = await put(olive)
    expect(status).toBe(200)
    const { ssn: _, ...shown } = olive.details
    expect(body).toEqual({
      ...customer,
      email: olive.email,
      pii_confirmed_at: NOW,
      details: { ...customer.details, ...shown, ssn_last_four: '8823' },
    })
    expect(await read()).toEqual(body)
  })

  it('details merge: fields that are not sent stay, at every depth', async () => {
    const { customer, put } = await made({ external_uid: 'o-1', ...olive })
    expect((await put({ details: { suffix: 'Jr' } })).body).toEqual({
      ...customer,
      details: { ...customer.details, suffix: 'Jr' },
    })
    expect((await put({ details: { address: { city: 'Boone' } } })).body.details).toEqual({
      ...customer.details,
      suffix: 'Jr',
      address: { ...address, city: 'Boone' },
    })
  })

  it.each<[string, Body, (customer: Customer) => unknown]>([
    ['email', { email: null }, (c) => 'email' in c],
    ['external_uid', { external_uid: null }, (c) => c.external_uid !== null],
    ['a name', { details: { first_name: null } }, (c) => c.details.first_name !== null],
    ['the date of birth', { details: { dob: null } }, (c) => c.details.dob !== null],
    ['the SSN', { details: { ssn: null } }, (c) => c.details.ssn_last_four !== null],
    ['the address', { details: { address: null } }, (c) => 'address' in c.details],
    ['a line of the address', { details: { address: { street2: null } } }, (c) => c.details.address?.street2 !== null],
    [
      'all details',
      { details: null },
      ({ details: { address: place, ...rest } }) => place !== undefined || Object.values(rest).some((v) => v !== null),
    ],
  ])('null removes: %s', async (_, body, isThere) => {
    const { put, read, customer } = await made({ external_uid: 'o-1', ...olive })
    expect(isThere(customer)).toBe(true)
    const answer = await put(body)
    expect(answer.status).toBe(200)
    expect(isThere(answer.body)).toBe(false)
    expect(await read()).toEqual(answer.body)
  })

  it('a removed SSN is missing at onboarding, and a replaced SSN is validated', async () => {
    const { api, customer, put } = await made(olive)
    const onboard = () => api.post('/customer_products', { customer_uid: customer.uid, product_uid: PRODUCT })
    await put({ details: { ssn: null } })
    expectRefusal(await onboard(), 'customerDetailsIncomplete', "Ssn can't be blank")
    expect((await put({ details: { ssn: '000-04-8823' } })).body.details.ssn_last_four).toBe('8823')
    expectRefusal(await onboard(), 'customerDetailsIncomplete', 'Ssn is invalid')
    await put({ details: { ssn: SSN } })
    expect((await onboard()).status).toBe(200)
  })

  it('4.6 rule 1: before onboarding details are taken "without validation", by POST and PUT: neither formats nor lengths are judged', async () => {
    const odd = {
      email: 'nobody',
      details: {
        first_name: 'x'.repeat(41),
        last_name: ' ',
        phone: '1',
        ssn: '000-00-0000',
        dob: '2025-02-30',
        address: { street1: 'x'.repeat(36), city: ' ', state: 'zz', postal_code: 'none' },
      },
    }
    const { put, api } = await made()
    const { ssn: _, ...shown } = odd.details
    for (const { status, body } of [await put(odd), await api.post<Customer>('/customers', odd)]) {
      expect(status).toBeLessThan(300)
      expect(body).toMatchObject({ email: 'nobody', details: { ...shown, ssn_last_four: '0000' } })
    }
  })

  it('7: a refusal names every invalid argument', async () => {
    const { put } = await made()
    const body = { email: 5, details: { first_name: 6 } }
    expectRefusal(await put(body), 'invalidArgument', /^email: .+; details\.first_name: /)
  })

  it.each<unknown>([[[]], 'x', 1, null])('a body that is no object is 400/1007: %j', async (body) => {
    const { sandbox, put } = await made(olive)
    await refusing(sandbox)(() => put(body), 'invalidArgument')
  })

  it('an empty body changes no visible field', async () => {
    const { api, path, customer, put } = await made(olive)
    expect((await put({})).body).toEqual(customer)
    const { status, body } = await api.call('PUT', path)
    expect({ status, body }).toEqual({ status: 200, body: customer })
  })

  it.each(['json', 'form'] as const)('2.2: an empty text is null, as no field may be empty: in %s', async (how) => {
    const { api, path, read } = await made({ ...olive, details: { ...olive.details, middle_name: 'M', suffix: 'Jr' } })
    const details = { middle_name: '', suffix: '', phone: '', dob: '', ssn: '', address: { street2: '', city: '' } }
    const form =
      'email=&details[middle_name]=&details[suffix]=&details[phone]=&details[dob]=&details[ssn]=' +
      '&details[address][street2]=&details[address][city]='
    const { status } = await api.call('PUT', path, how === 'form' ? { form } : { json: { email: '', details } })
    expect(status).toBe(200)
    const customer = await read()
    expect(customer).not.toHaveProperty('email')
    expect(customer.details).toMatchObject({
      middle_name: null,
      suffix: null,
      phone: null,
      dob: null,
      ssn_last_four: null,
      address: { street1: '1 Quay', street2: null, city: null },
    })
  })

  it('2.2: an empty text is null when a Customer is created, too', async () => {
    const { customer } = await made({ email: '', details: { first_name: '', address: { city: '' } } })
    expect(customer).not.toHaveProperty('email')
    expect(customer).not.toHaveProperty('pii_confirmed_at')
    expect(customer.details).toMatchObject({ first_name: null, address: { city: null } })
  })

  it.each(['\u0000', 'Ada\u0000'])(
    '2.2: the character NUL is refused in every text, before onboarding, too',
    async (text) => {
      const { sandbox, api, path, put } = await made(olive)
      const extra = 'details.address.city: the character U+0000 is not allowed'
      const body = { details: { address: { city: text } } }
      await refusing(sandbox)(() => put(body), 'invalidArgument', extra)
      const form = `details[address][city]=${encodeURIComponent(text)}`
      expectRefusal(await api.call('PUT', path, { form }), 'invalidArgument', extra)
      expectRefusal(await put({ [text]: 1 }), 'invalidArgument', /U\+0000 is not allowed in a name$/)
    },
  )
})

describe('fields that cannot change after creation', () => {
  it.each(['customer_type', 'primary_customer_uid', 'client_verified', 'status', 'uid', 'program_uid'])(
    '4.4: %s is not a field of PUT: ignored, with a hint',
    async (field) => {
      const { customer, put, read } = await made(olive)
      const value = { customer_type: 'sole_proprietor', client_verified: true }[field] ?? 'x'
      const answer = await put({ [field]: value })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(customer)
      expect(await read()).toEqual(customer)
      expect(decodeURIComponent(answer.headers.get('x-sandbank-hints') ?? '')).toContain(`${field} was ignored`)
    },
  )
})

describe('2.1 "external_uid […] unique among all of the Client\'s Customers"', () => {
  it('4016: an external_uid of another Customer is refused, and nothing changes', async () => {
    const { sandbox, api, put } = await made({ external_uid: 'mine' })
    await api.post('/customers', { external_uid: 'taken' })
    const refused = () => put({ external_uid: 'taken', email: 'new@example.com' })
    await refusing(sandbox)(refused, 'customerInUse', 'external_uid')
  })

  it('4016: an external_uid in another Program of the same Client is refused, one of another Client is not', async () => {
    const { sandbox, put } = await made()
    const sister = addProgram(sandbox)
    await sister.post('/customers', { external_uid: 'sisters' })
    const stranger = addProgram(sandbox, { uid: 'StrangersProgram', client_uid: 'stranger' })
    await stranger.post('/customers', { external_uid: 'strangers' })
    expectRefusal(await put({ external_uid: 'sisters' }), 'customerInUse')
    expect((await put({ external_uid: 'strangers' })).status).toBe(200)
  })

  it("the Customer's own external_uid can be sent again; a removed one can be used again", async () => {
    const { api, put } = await made({ external_uid: 'mine' })
    expect((await put({ external_uid: 'mine' })).status).toBe(200)
    expect((await put({ external_uid: 'other' })).body.external_uid).toBe('other')
    expect((await api.post('/customers', { external_uid: 'mine' })).status).toBe(201)
    expectRefusal(await put({ external_uid: 'mine' }), 'customerInUse')
  })
})

describe('4.6 rule 5: "After a change, `pii_confirmed_at` is updated"', () => {
  it.each<[string, Body]>([
    ['email', { email: 'new@example.com' }],
    ['a name', { details: { first_name: 'Olivia' } }],
    ['a name removed', { details: { first_name: null } }],
    ['the address', { details: { address: { city: 'Boone' } } }],
    ['the SSN', { details: { ssn: '512-04-8824' } }],
  ])('%s', async (_, body) => {
    const { sandbox, customer, put } = await made(olive)
    expect(customer.pii_confirmed_at).toBe(NOW)
    await advance(sandbox, 'PT1H')
    expect((await put(body)).body.pii_confirmed_at).toBe(HOUR_LATER)
  })

  it.each<[string, Body]>([
    ['nothing', {}],
    ['external_uid', { external_uid: 'o-1' }],
    ['a profile response', { profile_responses: [{ profile_requirement_uid: PURPOSE, profile_response: 'Payroll' }] }],
    ['details without any', { details: {} }],
    ['an unknown field', { details: { shoe_size: 43 } }],
  ])('a change without PII does not update it: %s', async (_, body) => {
    const { sandbox, put } = await made(olive)
    await advance(sandbox, 'PT1H')
    expect((await put(body)).body.pii_confirmed_at).toBe(NOW)
  })

  it('also for an active Customer', async () => {
    const { sandbox, put, read } = await active()
    await advance(sandbox, 'PT1H')
    const { now } = await ask<{ now: string }>(sandbox, 'clock.read')
    expect((await put(moved)).body.pii_confirmed_at).toBe(now)
    expect((await read()).pii_confirmed_at).toBe(now)
  })
})

describe('4.6 rule 4: "When the Customer is `active`, only first_name, middle_name, last_name, suffix, email, phone and address are editable"', () => {
  it('changes only the seven fields', async () => {
    const { customer, put, read } = await active()
    const { status, body } = await put({ ...moved, details: { ...moved.details, middle_name: 'M', suffix: 'Jr' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...customer,
      email: moved.email,
      pii_confirmed_at: expect.any(String),
      details: {
        ...customer.details,
        ...moved.details,
        middle_name: 'M',
        suffix: 'Jr',
        address: expect.objectContaining(moved.details.address),
      },
    })
    expect(await read()).toEqual(body)
  })

  it.each<[string, Body, string]>([
    ['external_uid', { external_uid: 'o-2' }, 'external_uid'],
    ['external_uid, removed', { external_uid: null }, 'external_uid'],
    ['the SSN', { details: { ...moved.details, ssn: '512-04-8824' } }, 'details.ssn'],
    ['the SSN, removed', { details: { ...moved.details, ssn: null } }, 'details.ssn'],
    ['the date of birth', { details: { ...moved.details, dob: '1990-04-18' } }, 'details.dob'],
    [
      'profile responses',
      { profile_responses: [{ profile_requirement_uid: PURPOSE, profile_response: 'Other' }] },
      'profile_responses',
    ],
    [
      'several',
      { external_uid: 'x', details: { ...moved.details, ssn: '512-04-8824', dob: '1990-04-18' } },
      'external_uid; details.ssn; details.dob',
    ],
  ])('another field is named and refused with 422/4018, and nothing changes: %s', async (_, body, extra) => {
    const { sandbox, put } = await active({ ...olive, external_uid: 'o-1' })
    await refusing(sandbox)(() => put({ ...moved, ...body }), 'piiFrozen', extra)
    expect(await evaluationsOf(sandbox)).toHaveLength(1)
  })

  it.each([olive, { ...olive, external_uid: 'o-1' }])(
    '4: an unchanged value of a field that may not be edited is no edit: GET, change one field, PUT works',
    async (body) => {
      const { put, read } = await active({
        ...body,
        profile_responses: [{ profile_requirement_uid: PURPOSE, profile_response: 'Payroll' }],
      })
      const { secondary_customer_uids: _, ...shown } = await read()
      const changed = { ...shown, details: { ...shown.details, last_name: 'Sailor' } }
      const answer = await put(changed)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ external_uid: shown.external_uid, details: changed.details })
      expect((await put({ ...changed, details: { ...changed.details, ssn: SSN } })).status).toBe(200)
    },
  )

  it('4: GET and PUT work for a sole_proprietor, whose business_name may not be edited', async () => {
    const details = { ...olive.details, business_name: 'Oyl Inc' }
    const { put, read } = await active({ ...olive, customer_type: 'sole_proprietor', details })
    expect((await put(await read())).status).toBe(200)
  })

  it('business_name of a sole_proprietor is refused, too', async () => {
    const sole = { ...olive, customer_type: 'sole_proprietor', details: { ...olive.details, business_name: 'Oyl Inc' } }
    const { sandbox, put } = await active(sole)
    const body = { ...moved, details: { ...moved.details, business_name: 'Sailor Inc' } }
    await refusing(sandbox)(() => put(body), 'piiFrozen', 'details.business_name')
  })

  it.each(['Sailor Inc', '#!?', '', null])(
    '2.2: business_name is "discarded for other types", when active too: %j',
    async (business_name) => {
      const { put } = await active()
      const { status, body } = await put({ ...moved, details: { ...moved.details, business_name } })
      expect(status).toBe(200)
      expect(body.details).toMatchObject({ ...moved.details, business_name: null })
    },
  )

  it('"Each such call triggers a new KYC/AML evaluation, which is billable"', async () => {
    const { sandbox, customer, put } = await active()
    const [first, ...none] = await evaluationsOf(sandbox)
    expect(none).toEqual([])
    expect(first).toMatchObject({ customer_uid: customer.uid, billable: false, outcome: 'approved' })

    await put(moved)
    await put({ ...moved, email: 'third@example.com' })
    const before = await evaluationsOf(sandbox)
    expect(before.map(({ billable, outcome }) => [billable, outcome])).toEqual([
      [true, null],
      [true, null],
      [false, 'approved'],
    ])
    const { fired } = await ask<{ fired: unknown[] }>(sandbox, 'clock.advance', { until: 'idle' })
    expect(fired).toHaveLength(2)
    const after = await evaluationsOf(sandbox)
    expect(after.filter(({ billable }) => billable)).toHaveLength(2)
    for (const { began_at, decided_at, outcome } of after) {
      expect(outcome).toBe('approved')
      expect(Date.parse(decided_at!) - Date.parse(began_at)).toBe(1000)
    }
  })

  it('2.1: the Customer stays active and its accounts unchanged during and after the new evaluation', async () => {
    const { sandbox, api, put, read } = await active()
    const accounts = (await api.get('/synthetic_accounts')).text
    expect((await put(moved)).body.status).toBe('active')
    await ask(sandbox, 'clock.advance', { until: 'idle' })
    expect(await read()).toMatchObject({ status: 'active', kyc_status: 'approved', kyc_status_reasons: ['Approved'] })
    expect((await api.get('/synthetic_accounts')).text).toBe(accounts)
  })

  it.each([
    ['Smith', 'manual_review', 'Further review required'],
    ['Johnson', 'denied', 'Minimum requirements to open an account were not met'],
  ])('a failed evaluation puts the Customer under review: %s', async (last_name, kyc_status, reason) => {
    const { sandbox, put, read, customer } = await active()
    const { status } = await put({ ...moved, details: { ...moved.details, last_name } })
    expect(status).toBe(200)
    await ask(sandbox, 'clock.advance', { until: 'idle' })
    expect(await read()).toMatchObject({
      status: 'under_review',
      kyc_status,
      kyc_status_reasons: [reason],
      activated_at: customer.activated_at,
      pool_uids: customer.pool_uids,
    })
    expectRefusal(await put(moved), 'customerNotUpdatable', 'its status is under_review')
  })
})

describe('4.6 rules 2 and 3: "After onboarding, all validations are enforced"; "the service rejects a request with an incomplete or missing PII field"', () => {
  const withValue = (path: string, value: unknown): Body => {
    const copy = structuredClone(moved) as Record<string, unknown>
    const parts = path.split('.')
    let node = copy
    for (const part of parts.slice(0, -1)) node = node[part] as Record<string, unknown>
    node[parts.at(-1)!] = value
    return copy
  }
  const ADDRESS = "City can't be blank; Postal code can't be blank; State can't be blank; Street1 can't be blank"
  const NAMES = "First name can't be blank; Last name can't be blank; "
  const PHONE = "City can't be blank; Phone can't be blank; Postal code can't be blank; State can't be blank; "
  const FIELDS = [
    ...['details.first_name', 'details.last_name', 'email', 'details.phone', 'details.address.city'],
    ...['details.address.postal_code', 'details.address.state', 'details.address.street1'],
  ].map((path): [string, string] => {
    const name = path.split('.').at(-1)!.replace('_', ' ')
    return [path, `${name[0]!.toUpperCase()}${name.slice(1)} can't be blank`]
  })
  const OBJECTS = [['details.address', ADDRESS] as const, ['details', `${NAMES}${PHONE}Street1 can't be blank`]]

  it('4111: each absent or null field is named, and nothing changes', async () => {
    const { sandbox, put } = await active()
    for (const [path, extra] of [...FIELDS, ...OBJECTS] as [string, string][])
      for (const body of [withValue(path, undefined), withValue(path, null)])
        await refusing(sandbox)(() => put(body), 'customerDetailsIncomplete', extra)
    for (const [path, extra] of FIELDS)
      await refusing(sandbox)(() => put(withValue(path, ' ')), 'customerDetailsIncomplete', extra)
    expect(await evaluationsOf(sandbox)).toHaveLength(1)
  })

  it.each(INVISIBLE)('2.2: a name of only invisible characters is refused: %s', async (_, text) => {
    const { sandbox, put } = await active()
    const first = () => put(withValue('details.first_name', text))
    await refusing(sandbox)(first, 'customerDetailsIncomplete', "First name can't be blank")
    const middle = () => put(withValue('details.middle_name', text))
    await refusing(sandbox)(middle, 'malformedUpdate', "Middle name can't be blank")
  })

  it.each(INVISIBLE)('2.2: onboarding refuses a name of only invisible characters: %s', async (_, text) => {
    const { api, customer } = await made({ ...olive, details: { ...olive.details, last_name: text, suffix: text } })
    const refused = await api.post('/customer_products', { customer_uid: customer.uid, product_uid: PRODUCT })
    expectRefusal(refused, 'customerDetailsIncomplete', "Last name can't be blank; Suffix can't be blank")
  })

  it('2.2: an empty middle_name or suffix of an active Customer removes it', async () => {
    const { put } = await active({ ...olive, details: { ...olive.details, middle_name: 'M', suffix: 'Jr' } })
    const { status, body } = await put({ ...moved, details: { ...moved.details, middle_name: '', suffix: '' } })
    expect(status).toBe(200)
    expect(body.details).toMatchObject({ middle_name: null, suffix: null })
  })

  it('4111: an empty body lacks all fields', async () => {
    const { sandbox, put } = await active()
    const all = `First name can't be blank; Last name can't be blank; City can't be blank; Email can't be blank; Phone can't be blank; Postal code can't be blank; State can't be blank; Street1 can't be blank`
    await refusing(sandbox)(() => put({}), 'customerDetailsIncomplete', all)
  })

  // Which values a field takes is tested in test/domain/pii.test.ts.
  it('4015: malformed fields are listed, and nothing changes', async () => {
    const { sandbox, put } = await active()
    for (const [path, value, extra] of [
      ['details.first_name', 'x'.repeat(41), 'First name is too long (maximum is 40 characters)'],
      ['email', 'nobody', 'Email is invalid'],
      ['details.address.street2', 'x'.repeat(36), 'Street2 is too long (maximum is 35 characters)'],
    ] as const)
      await refusing(sandbox)(() => put(withValue(path, value)), 'malformedUpdate', extra)
    const two = { ...moved, email: 'x', details: { ...moved.details, phone: '1' } }
    await refusing(sandbox)(() => put(two), 'malformedUpdate', 'Email is invalid; Phone is invalid')
  })

  it('4111 before 4015: missing fields are refused first', async () => {
    const { put } = await active()
    const body = { ...moved, email: null, details: { ...moved.details, phone: '1' } }
    expectRefusal(await put(body), 'customerDetailsIncomplete', "Email can't be blank")
  })

  it('absent optional names stay; null removes them', async () => {
    const { put } = await active({ ...olive, details: { ...olive.details, middle_name: 'M', suffix: 'Sr' } })
    expect((await put(moved)).body.details).toMatchObject({ middle_name: 'M', suffix: 'Sr' })
    const bare = { ...moved, details: { ...moved.details, middle_name: null, suffix: null } }
    expect((await put(bare)).body.details).toMatchObject({ middle_name: null, suffix: null })
  })

  it('rule 3: an address is one field, submitted in full: the second line of the former one does not stay', async () => {
    const { customer, put } = await active()
    expect(customer.details.address?.street2).toBe('Loft')
    expect((await put(moved)).body.details.address).toEqual({ ...moved.details.address, street2: null })
  })
})

describe('states in which the Customer can be edited', () => {
  const ANSWERS = {
    initiated: 200,
    active: 200,
    queued: 'piiFrozen',
    identity_verified: 'piiFrozen',
    manual_review: 'piiFrozen',
    rejected: 'customerNotUpdatable',
    under_review: 'customerNotUpdatable',
    pending_archival: 'customerNotUpdatable',
    archived: 'archivedCustomer',
  } as const

  it.each(CustomerStatus.options)('4.6: %s', async (status) => {
    const { sandbox, put, customer } = await made(olive)
    putRecord(sandbox, 'customers', customer.uid, { status, activated_at: NOW })
    const expected = ANSWERS[status]
    if (expected === 200) expect((await put(moved)).status).toBe(200)
    else {
      const extra = expected === 'customerNotUpdatable' ? `its status is ${status}` : undefined
      await refusing(sandbox)(() => put(moved), expected, extra)
    }
  })

  it.each(['initiated', 'active'] as const)(
    '4003 "No activities regarding this customer are allowed at this time": a locked Customer, %s',
    async (status) => {
      const { sandbox, put, customer } = await made(olive)
      putRecord(sandbox, 'customers', customer.uid, { status, locked_at: NOW, lock_reason: 'Lost phone' })
      await refusing(sandbox)(() => put(moved), 'customerLocked')
    },
  )
})

describe('profile responses: "submit profile responses" (4.4), by POST and PUT', () => {
  const shown = (profile_requirement_uid: string, profile_response: string) => ({
    profile_requirement_uid,
    profile_response,
    profile_requirement:
      profile_requirement_uid === PURPOSE
        ? 'What is the main purpose of the account?'
        : 'How many payments do you expect to make a month?',
  })
  const answer = (profile_requirement_uid: string, profile_response: unknown) => ({
    profile_responses: [{ profile_requirement_uid, profile_response }],
  })

  it('2.1: "Each has `profile_requirement` (string, the statement), `profile_response` (string, the answer), `profile_requirement_uid`"', async () => {
    const { customer, put, read } = await made(answer(PURPOSE, 'Payroll'))
    expect(customer.profile_responses).toEqual([shown(PURPOSE, 'Payroll')])
    const both = [shown(PURPOSE, 'Payroll'), shown(PAYMENTS, '12')]
    expect((await put(answer(PAYMENTS, 12))).body.profile_responses).toEqual(both)
    expect((await read()).profile_responses).toEqual(both)
  })

  it('a response that is sent again replaces the former one; null removes it', async () => {
    const { put } = await made(answer(PURPOSE, 'Payroll'))
    expect((await put(answer(PURPOSE, 'Savings'))).body.profile_responses).toEqual([shown(PURPOSE, 'Savings')])
    expect((await put(answer(PURPOSE, null))).body.profile_responses).toEqual([])
    expect((await put(answer(PURPOSE, null))).body.profile_responses).toEqual([])
  })

  it('an ordered list is sent as a list or as an object of positions, and shown as text', async () => {
    const { put } = await made()
    for (const list of [['Savings', 'Other'], { 0: 'Savings', 1: 'Other' }, { 1: 'Other', 0: 'Savings' }])
      expect((await put(answer(PURPOSE, list))).body.profile_responses).toEqual([shown(PURPOSE, '["Savings","Other"]')])
  })

  it('1 "Requests are JSON-encoded or form-encoded": a form sends them too, as a list of objects', async () => {
    const { api, path } = await made()
    const field = (i: number, name: string, text: string) => `profile_responses[${i}][profile_${name}]=${text}`
    const form = [
      field(0, 'requirement_uid', PURPOSE),
      field(0, 'response', 'Payroll'),
      field(1, 'requirement_uid', PAYMENTS),
      field(1, 'response', '7'),
    ].join('&')
    const { status, body } = await api.call<Customer>('PUT', path, { form })
    expect({ status, responses: body.profile_responses }).toEqual({
      status: 200,
      responses: [shown(PURPOSE, 'Payroll'), shown(PAYMENTS, '7')],
    })
  })

  it.each(['Payroll', '7', '007', '12.50'])(
    '1: a single response in a form stays the text that was sent: %s',
    async (text) => {
      const { api, path } = await made()
      const form = `profile_responses[profile_requirement_uid]=${PURPOSE}&profile_responses[profile_response]=${text}`
      const { status, body } = await api.call<Customer>('PUT', path, { form })
      expect({ status, responses: body.profile_responses }).toEqual({ status: 200, responses: [shown(PURPOSE, text)] })
    },
  )

  it('product: in a form "`""` is null where null is allowed": of a list too', async () => {
    const { api, path, customer } = await made(answer(PURPOSE, 'Payroll'))
    const byJson = await api.call('PUT', path, { json: { profile_responses: null } })
    expect(byJson.status).toBe(200)
    const { status, body } = await api.call('PUT', path, { form: 'profile_responses=' })
    expect({ status, body }).toEqual({ status: 200, body: byJson.body })
    expect(customer.profile_responses).toHaveLength(1)
  })

  it('4.6 rule 1: responses are validated only at onboarding; then each invalid one is named', async () => {
    const { api, customer, put } = await made(olive)
    const profile_responses = [
      { profile_requirement_uid: PURPOSE, profile_response: 'Gold' },
      { profile_requirement_uid: PAYMENTS, profile_response: '0' },
    ]
    expect((await put({ profile_responses })).status).toBe(200)
    expectRefusal(
      await api.post('/customer_products', { customer_uid: customer.uid, product_uid: PRODUCT }),
      'customerDetailsIncomplete',
      'Profile requirement "What is the main purpose of the account?" must be one of Payroll, Suppliers, Savings, Other; ' +
        'Profile requirement "How many payments do you expect to make a month?" must be a whole number greater than 0',
    )
  })

  const known = { profile_requirement_uid: PURPOSE, profile_response: 'Payroll' }
  it.each<[string, unknown, string | RegExp]>([
    ['no list', 'x', /^profile_responses: expected array/],
    ['an object', {}, /^profile_responses: expected array/],
    ['no objects in it', ['x'], /^profile_responses\.0: expected object/],
    ['a requirement of another type', [{ ...known, profile_requirement_uid: 1 }], /\.0\.\w+_uid: expected string/],
    ['a response of another type', [{ ...known, profile_response: true }], /^profile_responses\.0\.profile_response/],
    ['an unknown requirement', [{ ...known, profile_requirement_uid: 'x' }], /\.0\.\w+ names no requirement of this/],
    ['an unknown one, too', [known, { ...known, profile_requirement_uid: 'x' }], /\.1\.\w+ names no requirement of/],
    ['no requirement', [{ profile_response: 'x' }], 'profile_responses.0.profile_requirement_uid is missing'],
  ])('%s: refused by PUT and by POST, and nothing changes', async (_, profile_responses, extra) => {
    const { sandbox, api, put } = await made()
    const key = typeof extra === 'string' ? 'missingParameter' : 'invalidArgument'
    await refusing(sandbox)(() => put({ profile_responses }), key, extra)
    await refusing(sandbox)(() => api.post('/customers', { profile_responses }), key, extra)
  })

  it("1: another Program's requirement is unknown", async () => {
    const { sandbox } = await made()
    const theirs = addProgram(sandbox)
    expectRefusal(
      await theirs.post('/customers', answer(PURPOSE, 'Payroll')),
      'invalidArgument',
      /names no requirement/,
    )
  })
})

describe('2.1 pii_confirmed_at: "Last time PII was confirmed", at creation', () => {
  it.each([
    ['an email', { email: 'a@x.test' }, true],
    ['a name', { details: { first_name: 'Ada' } }, true],
    ['a part of an address', { details: { address: { city: 'Ames' } } }, true],
    ['nothing', {}, false],
    ['an external_uid', { external_uid: 'a' }, false],
    ['details without any', { details: {} }, false],
    ['details that are null', { email: null, details: { first_name: null, address: { city: null } } }, false],
  ])('%s', async (_name, body, confirms) => {
    const sandbox = await startSandbox()
    const created = await sandbox.client().post('/customers', body)
    expect(created.body.pii_confirmed_at).toBe(confirms ? '2026-08-14T14:00:00.000Z' : undefined)
  })
})
