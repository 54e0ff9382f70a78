import { describe, expect } from 'vitest'
import type { Customer } from '../../src/api/contract/resources/customers.ts'
import { CustomerStatus } from '../../src/api/contract/resources/customers.ts'
import { expectRefusal } from '../support/client.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import { refusing } from '../support/world.ts'
import { addProgram, advance, type CustomerPage, configure, putCustomer, worldOf } from './support.ts'

const NOW = '2026-08-14T14:00:00.000Z'
const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/

const noDetails = {
  first_name: null,
  middle_name: null,
  last_name: null,
  suffix: null,
  phone: null,
  business_name: null,
  ssn_last_four: null,
  dob: null,
}
/** A Customer created with an empty body. Keys that cannot be null are absent until they have a value. */
const emptyCustomer = (program_uid: string) => ({
  uid: expect.stringMatching(UID),
  external_uid: null,
  created_at: NOW,
  archived_at: null,
  customer_type: 'primary',
  client_verified: false,
  kyc_status: null,
  kyc_status_reasons: null,
  lock_reason: null,
  locked_at: null,
  pool_uids: [],
  primary_customer_uid: null,
  secondary_customer_uids: [],
  profile_responses: [],
  program_uid,
  status: 'initiated',
  total_balance: '0.00',
  details: noDetails,
})

const olive = {
  first_name: 'Olive',
  middle_name: 'Olivia',
  last_name: 'Oyl',
  suffix: 'Jr.',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: { street1: '1 Quay', street2: 'Suite 4A', city: 'Ames', state: 'IA', postal_code: '50010-1234' },
}

describe('4.4 POST /customers', () => {
  it.each([
    ['no body at all', {}],
    ['an empty text said to be JSON', { raw: '', headers: { 'content-type': 'application/json' } }],
    ['blanks said to be JSON', { raw: ' \n', headers: { 'content-type': 'application/json' } }],
    ['an empty object', { json: {} }],
    ['an empty form', { form: '' }],
  ])('4.4: "Every body field is optional, and an empty body is allowed": %s', async (_, sent) => {
    const api = (await startSandbox()).client()
    const answer = await api.call('POST', '/customers', sent)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual(emptyCustomer(api.program.uid))
  })

  it('4.4: "Creates a Customer in `initiated` status" and answers 201 with "the Customer (2.1)"', async ({ api }) => {
    const answer = await api.post('/customers', {
      external_uid: 'client-generated-42',
      email: 'olive@example.com',
      details: olive,
    })
    expect(answer.status).toBe(201)
    const { ssn: _, ...details } = olive
    expect(answer.body).toEqual({
      ...emptyCustomer(api.program.uid),
      external_uid: 'client-generated-42',
      email: 'olive@example.com',
      pii_confirmed_at: NOW,
      details: { ...noDetails, ...details, ssn_last_four: '8823' },
    })
  })

  it('4.4: a creation is one commit with the request as its cause', async ({ sandbox, api }) => {
    const { seq } = sandbox.store.world
    const commits: unknown[] = []
    sandbox.store.subscribe(({ seq, cause, changes }) =>
      commits.push({ seq, cause, uids: changes.map(({ uid }) => uid) }),
    )
    const { body } = await api.post('/customers', {})
    expect(commits).toEqual([
      { seq: seq + 1, cause: { door: 'request', name: 'POST /customers', exchange: 'x2' }, uids: [body.uid] },
    ])
  })

  it('4.4: `customer_type` "must be given for types other than primary"', async ({ api }) => {
    const { body: sole } = await api.post('/customers', { customer_type: 'sole_proprietor' })
    expect(sole.customer_type).toBe('sole_proprietor')
    const { body: primary } = await api.post('/customers', { customer_type: 'primary' })
    expect(primary.customer_type).toBe('primary')
    const { body } = await api.post('/customers', { customer_type: 'secondary', primary_customer_uid: primary.uid })
    expect(body.customer_type).toBe('secondary')
  })

  it.each(['sub_ledger', 'PRIMARY', '', null, 1])(
    '4.4: `customer_type` is one of `primary`, `secondary`, `sole_proprietor`; %j is refused',
    async (customer_type) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      await refusing(sandbox)(() => api.post('/customers', { customer_type }), 'invalidArgument', /^customer_type/)
    },
  )

  it('1: a Program defines "which […] Customer Types […] are available"', async ({ sandbox }) => {
    configure(sandbox, { customer_types: ['primary'] })
    const api = sandbox.client()
    const answer = await api.post('/customers', { customer_type: 'sole_proprietor' })
    expectRefusal(answer, 'invalidArgument', /customer_type sole_proprietor is not available/)
    expect((await api.post('/customers', {})).status).toBe(201)
  })

  it('1: "If the Client is itself the Customer, […] the Client cannot create new ones"', async ({ sandbox }) => {
    configure(sandbox, { client_is_customer: true })
    await refusing(sandbox)(() => sandbox.client().post('/customers', {}), 'creationByOperator')
  })

  describe('primary_customer_uid', () => {
    it.each([
      ['left out', {}],
      ['null', { primary_customer_uid: null }],
      ['empty', { primary_customer_uid: '' }],
    ])('4.4: it is "Required for […] `secondary`": %s is refused', async (_, given) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      await refusing(sandbox)(
        () => api.post('/customers', { customer_type: 'secondary', ...given }),
        'missingParameter',
        /primary_customer_uid/,
      )
    })

    it('4.4: it must name an existing Customer', async ({ api }) => {
      const answer = await api.post('/customers', { customer_type: 'secondary', primary_customer_uid: 'nobody' })
      expectRefusal(answer, 'customerNotFound', 'primary_customer_uid')
    })

    it('2.1: a Customer of type `secondary` belongs to a primary Customer, not to one of another type', async () => {
      const api = (await startSandbox()).client()
      const { body: sole } = await api.post('/customers', { customer_type: 'sole_proprietor' })
      const answer = await api.post('/customers', { customer_type: 'secondary', primary_customer_uid: sole.uid })
      expectRefusal(answer, 'invalidArgument', /primary_customer_uid/)
    })

    it.each(['primary', 'sole_proprietor'])(
      '4.4, 2.3: it is "only applicable to `secondary`", so it is ignored for %s',
      async (customer_type) => {
        const api = (await startSandbox()).client()
        for (const primary_customer_uid of ['nobody', (await api.post('/customers', {})).body.uid]) {
          const answer = await api.post('/customers', { customer_type, primary_customer_uid })
          expect(answer.status).toBe(201)
          expect(answer.body.primary_customer_uid).toBeNull()
        }
      },
    )

    it('2.1: `secondary_customer_uids` is "Null unless customer_type is `primary`", and names them in order', async () => {
      const api = (await startSandbox()).client()
      const { body: primary } = await api.post<Customer>('/customers', {})
      const made: string[] = []
      for (let i = 0; i < 3; i++) {
        const { body } = await api.post<Customer>('/customers', {
          customer_type: 'secondary',
          primary_customer_uid: primary.uid,
        })
        expect(body).toMatchObject({ primary_customer_uid: primary.uid, secondary_customer_uids: null })
        made.push(body.uid)
      }
      expect((await api.get(`/customers/${primary.uid}`)).body.secondary_customer_uids).toEqual(made)
      const { body: sole } = await api.post('/customers', { customer_type: 'sole_proprietor' })
      expect(sole.secondary_customer_uids).toBeNull()
    })
  })

  describe('client_verified', () => {
    it.each([undefined, null, false])('4.4: it has the "Default false": %j', async (client_verified) => {
      const api = (await startSandbox()).client()
      const { status, body } = await api.post('/customers', { client_verified })
      expect({ status, body }).toMatchObject({ status: 201, body: { client_verified: false, kyc_status: null } })
    })

    it('4.4: "the Program must be configured to accept it"', async ({ sandbox }) => {
      await refusing(sandbox)(
        () => sandbox.client().post('/customers', { client_verified: true }),
        'invalidArgument',
        /client_verified/,
      )
    })

    it('4.4: in such a Program a Customer may be created without it: onboarding requires it', async ({ sandbox }) => {
      configure(sandbox, { accepts_client_verified: true })
      const { body } = await sandbox.client().post('/customers', {})
      expect(body).toMatchObject({ client_verified: false, kyc_status: null })
    })
  })

  describe('external_uid', () => {
    it('2.1: it is "unique among all of the Client\'s Customers"', async ({ sandbox, api }) => {
      expect((await api.post('/customers', { external_uid: 'one' })).status).toBe(201)
      await refusing(sandbox)(
        () => api.post('/customers', { external_uid: 'one', email: 'other@example.com' }),
        'customerInUse',
        'external_uid',
      )
      expect((await api.post('/customers', { external_uid: 'two' })).status).toBe(201)
    })

    it('2.1: of simultaneous requests with one external_uid, one creates a Customer', async ({ sandbox, api }) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api.post('/customers', { external_uid: 'at once' })),
      )
      const [good, ...others] = answers.sort((a, b) => a.status - b.status)
      expect(good?.status).toBe(201)
      for (const other of others) expectRefusal(other, 'customerInUse', 'external_uid')
      expect(worldOf(sandbox).customers).toHaveLength(1)
    })

    it("2.1: another Client's Customers do not count", async ({ sandbox }) => {
      const stranger = addProgram(sandbox, { client_uid: 'AnotherClient123' })
      await sandbox.client().post('/customers', { external_uid: 'one' })
      expect((await stranger.post('/customers', { external_uid: 'one' })).status).toBe(201)
    })

    it('2.1: it may be null for any number of Customers', async ({ api }) => {
      for (let i = 0; i < 2; i++) expect((await api.post('/customers', { external_uid: null })).status).toBe(201)
    })
  })

  it('2.1: email and SSN need not be unique', async ({ api }) => {
    const body = { email: 'same@example.com', details: { ssn: '512-04-8823' } }
    expect((await api.post('/customers', body)).status).toBe(201)
    expect((await api.post('/customers', body)).status).toBe(201)
  })

  describe('details', () => {
    it('2.2: business_name is "discarded for other types" than `sole_proprietor`', async ({ api }) => {
      const details = { business_name: 'Quay Supplies' }
      const { body: sole } = await api.post<Customer>('/customers', { customer_type: 'sole_proprietor', details })
      expect(sole.details.business_name).toBe('Quay Supplies')
      const { body: primary } = await api.post<Customer>('/customers', { details })
      expect(primary.details.business_name).toBeNull()
      const { body: secondary } = await api.post<Customer>('/customers', {
        customer_type: 'secondary',
        primary_customer_uid: primary.uid,
        details,
      })
      expect(secondary.details.business_name).toBeNull()
    })

    it.each([
      ['an SSN', '512-04-8823', '8823'],
      ['a taxpayer number (ITIN)', '912-70-1234', '1234'],
      ['an employer number (EIN)', '12-3456789', '6789'],
    ])('2.1: "The SSN is write-only and only `ssn_last_four` is returned": %s', async (_, ssn, last) => {
      const api = (await startSandbox()).client()
      const created = await api.post<Customer>('/customers', { details: { ssn } })
      expect(created.status).toBe(201)
      const read = await api.get<Customer>(`/customers/${created.body.uid}`)
      for (const answer of [created, read]) {
        expect(answer.body.details.ssn_last_four).toBe(last)
        expect(answer.body.details).not.toHaveProperty('ssn')
        expect(answer.text).not.toContain(ssn)
        expect(answer.text).not.toContain(ssn.replaceAll('-', ''))
        expect(answer.text).not.toContain('sealed')
      }
    })

    it.each(
      Object.entries({
        status: 'active',
        uid: 'mine',
        kyc_status: 'approved',
        program_uid: 'other',
        total_balance: '1000000.00',
        created_at: '2001-01-01T00:00:00.000Z',
        activated_at: '2001-01-01T00:00:00.000Z',
        archived_at: '2001-01-01T00:00:00.000Z',
        locked_at: '2001-01-01T00:00:00.000Z',
        lock_reason: 'mine',
        pii_confirmed_at: '2001-01-01T00:00:00.000Z',
        pool_uids: ['pool'],
        secondary_customer_uids: ['x'],
        kyc_status_reasons: ['Approved'],
        details: { ssn_last_four: '1234' },
      }),
    )('2.1: %s is read-only: a sent value is ignored', async (name, value) => {
      const api = (await startSandbox()).client()
      const answer = await api.post('/customers', { [name]: value })
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual(emptyCustomer(api.program.uid))
    })

    it('4.4: "Any field accepted by PUT /customers/{uid} may be sent", and null counts as absent', async ({ api }) => {
      const nothing = {
        external_uid: null,
        email: null,
        primary_customer_uid: null,
        client_verified: null,
        details: {
          ...Object.fromEntries(Object.keys(olive).map((name) => [name, null])),
          business_name: null,
        },
      }
      const { status, body } = await api.post('/customers', nothing)
      const { pii_confirmed_at: _, ...rest } = body
      expect({ status, body: rest }).toEqual({ status: 201, body: emptyCustomer(api.program.uid) })
      const { status: also, body: less } = await api.post('/customers', { details: null })
      expect({ status: also, body: less }).toEqual({ status: 201, body: emptyCustomer(api.program.uid) })
    })
  })
})

describe('4.5 GET /customers/{uid}', () => {
  it('4.5: "GET returns 200 with the full Customer, including total balance"', async ({ api }) => {
    const { body: made } = await api.post('/customers', { email: 'olive@example.com', details: olive })
    const answer = await api.get<Customer>(`/customers/${made.uid}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(made)
    expect(answer.body).toMatchObject({ total_balance: '0.00', details: { dob: olive.dob, address: olive.address } })
  })

  it('2.1: "The full record is only available from the single-Customer endpoint", in every status', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    for (const status of CustomerStatus.options) {
      const { uid } = putCustomer(sandbox, { status })
      expect((await api.get(`/customers/${uid}`)).body).toMatchObject({ uid, status })
    }
  })

  it('4.5: an unknown uid is 404/4002', async ({ api }) => {
    await api.post('/customers', {})
    const names = ['nobody', '__proto__', 'constructor', 'toString', 'x'.repeat(4000)]
    for (const uid of [...names, '%00', 'a%2Fb', '%F0%9F%90%9F', '%20'])
      expectRefusal(await api.get(`/customers/${uid}`), 'customerNotFound')
  })

  it('4.5: the uid in the path is case-sensitive', async ({ sandbox }) => {
    const { uid } = putCustomer(sandbox)
    const api = sandbox.client()
    const swapped = uid === uid.toLowerCase() ? uid.toUpperCase() : uid.toLowerCase()
    expectRefusal(await api.get(`/customers/${swapped}`), 'customerNotFound')
  })

  it('4.5: reading changes nothing: no commit, no uid', async ({ sandbox }) => {
    const { uid } = putCustomer(sandbox)
    const api = sandbox.client()
    const before = worldOf(sandbox)
    await api.get(`/customers/${uid}`)
    await api.get('/customers?include_initiated=true&sort=email_asc')
    expect(worldOf(sandbox)).toEqual(before)
  })
})

describe('4.3 GET /customers', () => {
  it('2.1: "The list endpoint returns `details` with only the name and phone fields"', async ({ api }) => {
    const { body: made } = await api.post<Customer>('/customers', {
      customer_type: 'sole_proprietor',
      external_uid: 'x1',
      email: 'olive@example.com',
      details: { ...olive, business_name: 'Quay Supplies' },
    })
    const answer = await api.get<CustomerPage>('/customers?include_initiated=true')
    const { first_name, middle_name, last_name, suffix, phone } = olive
    expect(answer.body.data).toEqual([
      { ...made, details: { first_name, middle_name, last_name, suffix, phone, business_name: 'Quay Supplies' } },
    ])
    for (const hidden of ['1 Quay', 'Ames', '50010', '1990-04-17', '8823'])
      expect(answer.text, 'a list "omits sensitive data such as address and date of birth"').not.toContain(hidden)
  })

  describe('hidden Customers', () => {
    /** One Customer in each status, and a function that lists them. */
    async function oneOfEach() {
      const sandbox = await startSandbox()
      for (const status of CustomerStatus.options) putCustomer(sandbox, { status })
      const api = sandbox.client()
      const statuses = async (query: string) =>
        (await api.get<CustomerPage>(`/customers${query}`)).body.data.map(({ status }) => status).sort()
      return statuses
    }
    const all = [...CustomerStatus.options].sort()
    const shown = all.filter((status) => status !== 'initiated')

    it.each([
      ['3.1: an initiated Customer is "hidden from lists by default"', '', shown],
      ['4.3: include_initiated has the "Default false"', '?include_initiated=false', shown],
      [
        '4.3: include_initiated: "when true, Customers in `initiated` status are listed"',
        '?include_initiated=true',
        all,
      ],
      [
        '4.3: "`initiated` is ignored unless include_initiated is true", so alone it is no filter',
        '?status=initiated',
        shown,
      ],
      ['4.3: an ignored value leaves the others as they are', '?status[]=initiated&status[]=active', ['active']],
      [
        '4.3: with include_initiated=true it is a value like the others',
        '?include_initiated=true&status=initiated',
        ['initiated'],
      ],
      [
        '4.3: with include_initiated=true it is one of several',
        '?include_initiated=true&status[]=initiated&status[]=queued',
        ['initiated', 'queued'],
      ],
      ['4.3: its case makes no difference', '?status=INITIATED', shown],
    ])('%s', async (_, query, expected) => {
      expect(await (await oneOfEach())(query)).toEqual(expected)
    })
  })

  describe('filters', () => {
    async function found(query: string) {
      const sandbox = await startSandbox()
      putCustomer(sandbox, { external_uid: 'one', details: { ...noDetails, business_name: 'Quay Supplies' } })
      putCustomer(sandbox, { external_uid: 'two', details: { ...noDetails, business_name: 'Bluto & Sons' } })
      const { body } = await sandbox.client().get<CustomerPage>(`/customers?${query}`)
      return body.data.map(({ external_uid }) => external_uid).join()
    }

    it.each([
      ['business_name', 'business_name=Quay%20Supplies', 'one'],
      ['business_name, "Partial match"', 'business_name=SONS', 'two'],
      ['business_name, a part both have', 'business_name=u', 'two,one'],
      ['a part of external_uid', 'external_uid=on', ''],
      ['an unknown program_uid', 'program_uid=other', ''],
      ['an unknown parameter is ignored', 'shoe_size=43&external_uid=one', 'one'],
    ])('4.3: "Filters are case-insensitive exact matches": %s', async (_, query, expected) => {
      expect(await found(query)).toBe(expected)
    })

    it.each([
      ['a repeated plain name', 'external_uid=one&external_uid=two'],
      ['both forms mixed', 'external_uid=one&external_uid[]=two'],
      ['encoded brackets', 'external_uid%5B%5D=one&external_uid%5B%5D=two'],
      ['any length', `${'external_uid[]=nobody&'.repeat(60)}external_uid[]=one&external_uid[]=two`],
    ])('4.3: "Any parameter marked multi-value accepts repeated array form": %s', async (_, query) => {
      expect(await found(query)).toBe('two,one')
    })

    it('4.3: business_name: "exact matches sorted first", before newer ones and in any sort order', async () => {
      const sandbox = await startSandbox()
      for (const [external_uid, business_name, email] of [
        ['exact', 'Quay', 'z@example.com'],
        ['longer', 'Quay Supplies', 'a@example.com'],
        ['inside', 'The Quay', 'b@example.com'],
        ['other', 'Bluto', 'c@example.com'],
        ['exact in capitals', 'QUAY', 'y@example.com'],
      ] as const)
        putCustomer(sandbox, { external_uid, email, details: { ...noDetails, business_name } })
      const api = sandbox.client()
      const found = async (query: string) =>
        (await api.get<CustomerPage>(`/customers?${query}`)).body.data
          .map(({ external_uid }) => external_uid)
          .join(', ')
      for (const [more, expected] of [
        ['', 'exact in capitals, exact, inside, longer'],
        ['&sort=email_asc', 'exact in capitals, exact, longer, inside'],
        ['&sort=email_desc', 'exact, exact in capitals, inside, longer'],
        ['&limit=1', 'exact in capitals'],
      ])
        expect([more, await found(`business_name=quay${more}`)]).toEqual([more, expected])
    })
  })

  it('2.1: `created_at` is the simulated time of the creation', async ({ sandbox, api }) => {
    await advance(sandbox, 'P1DT1H')
    const again = sandbox.client()
    expect((await again.post('/customers', {})).body.created_at).toBe('2026-08-15T15:00:00.000Z')
    expect((await api.get<CustomerPage>('/customers?include_initiated=true')).body.total_count).toBe(1)
  })
})
