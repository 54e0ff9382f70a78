import { describe, expect, it } from 'vitest'
import type { Customer } from '../../src/api/contract/resources/customers.ts'
import { CustomerStatus, KycStatus } from '../../src/api/contract/resources/customers.ts'
import { expectRefusal } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'
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

  it('4.4: "Creates a Customer in `initiated` status" and answers 201 with "the Customer (2.1)"', async () => {
    const api = (await startSandbox()).client()
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

  it('4.4: a creation is one commit with the request as its cause', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
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

  it('4.4: `customer_type` "must be given for types other than primary"', async () => {
    const api = (await startSandbox()).client()
    const { body: sole } = await api.post('/customers', { customer_type: 'sole_proprietor' })
    expect(sole.customer_type).toBe('sole_proprietor')
    const { body: primary } = await api.post('/customers', { customer_type: 'primary' })
    expect(primary.customer_type).toBe('primary')
    const { body } = await api.post('/customers', { customer_type: 'secondary', primary_customer_uid: primary.uid })
    expect(body.customer_type).toBe('secondary')
  })

  it.each(['sub_ledger', 'PRIMARY', 'tertiary', '', null, 1, ['primary']])(
    '4.4: `customer_type` is one of `primary`, `secondary`, `sole_proprietor`; %j is refused',
    async (customer_type) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      await refusing(sandbox)(() => api.post('/customers', { customer_type }), 'invalidArgument', /^customer_type/)
    },
  )

  it('1: a Program defines "which […] Customer Types […] are available"', async () => {
    const sandbox = await startSandbox()
    configure(sandbox, { customer_types: ['primary'] })
    const api = sandbox.client()
    const answer = await api.post('/customers', { customer_type: 'sole_proprietor' })
    expectRefusal(answer, 'invalidArgument', /customer_type sole_proprietor is not available/)
    expect((await api.post('/customers', {})).status).toBe(201)
  })

  it('1: "If the Client is itself the Customer, […] the Client cannot create new ones"', async () => {
    const sandbox = await startSandbox()
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

    it('4.4: it must name an existing Customer', async () => {
      const api = (await startSandbox()).client()
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

    it('4.4: "the Program must be configured to accept it"', async () => {
      const sandbox = await startSandbox()
      await refusing(sandbox)(
        () => sandbox.client().post('/customers', { client_verified: true }),
        'invalidArgument',
        /client_verified/,
      )
    })

    it('2.1: "If true, `kyc_status` is `pre_verified`"', async () => {
      const sandbox = await startSandbox()
      configure(sandbox, { accepts_client_verified: true })
      const { body } = await sandbox.client().post('/customers', { client_verified: true })
      expect(body).toMatchObject({ client_verified: true, kyc_status: 'pre_verified', status: 'initiated' })
    })

    it('4.4: in such a Program a Customer may be created without it: onboarding requires it', async () => {
      const sandbox = await startSandbox()
      configure(sandbox, { accepts_client_verified: true })
      const { body } = await sandbox.client().post('/customers', {})
      expect(body).toMatchObject({ client_verified: false, kyc_status: null })
    })
  })

  describe('external_uid', () => {
    it('2.1: it is "unique among all of the Client\'s Customers"', async () => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      expect((await api.post('/customers', { external_uid: 'one' })).status).toBe(201)
      await refusing(sandbox)(
        () => api.post('/customers', { external_uid: 'one', email: 'other@example.com' }),
        'customerInUse',
        'external_uid',
      )
      expect((await api.post('/customers', { external_uid: 'two' })).status).toBe(201)
    })

    it('2.1: of simultaneous requests with one external_uid, one creates a Customer', async () => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api.post('/customers', { external_uid: 'at once' })),
      )
      const [good, ...others] = answers.sort((a, b) => a.status - b.status)
      expect(good?.status).toBe(201)
      for (const other of others) expectRefusal(other, 'customerInUse', 'external_uid')
      expect(worldOf(sandbox).customers).toHaveLength(1)
    })

    it("2.1: another Client's Customers do not count", async () => {
      const sandbox = await startSandbox()
      const stranger = addProgram(sandbox, { client_uid: 'AnotherClient123' })
      await sandbox.client().post('/customers', { external_uid: 'one' })
      expect((await stranger.post('/customers', { external_uid: 'one' })).status).toBe(201)
    })

    it('2.1: it may be null for any number of Customers', async () => {
      const api = (await startSandbox()).client()
      for (let i = 0; i < 2; i++) expect((await api.post('/customers', { external_uid: null })).status).toBe(201)
    })
  })

  it('2.1: email and SSN need not be unique', async () => {
    const api = (await startSandbox()).client()
    const body = { email: 'same@example.com', details: { ssn: '512-04-8823' } }
    expect((await api.post('/customers', body)).status).toBe(201)
    expect((await api.post('/customers', body)).status).toBe(201)
  })

  describe('details', () => {
    it('2.2: business_name is "discarded for other types" than `sole_proprietor`', async () => {
      const api = (await startSandbox()).client()
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

    it('4.4: "Any field accepted by PUT /customers/{uid} may be sent", and null counts as absent', async () => {
      const api = (await startSandbox()).client()
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
  it('4.5: "GET returns 200 with the full Customer, including total balance"', async () => {
    const api = (await startSandbox()).client()
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

  it('4.5: an unknown uid is 404/4002', async () => {
    const api = (await startSandbox()).client()
    await api.post('/customers', {})
    const names = ['nobody', '__proto__', 'constructor', 'toString', 'x'.repeat(4000)]
    for (const uid of [...names, '%00', 'a%2Fb', '%F0%9F%90%9F', '%20'])
      expectRefusal(await api.get(`/customers/${uid}`), 'customerNotFound')
  })

  it('4.5: the uid in the path is case-sensitive', async () => {
    const sandbox = await startSandbox()
    const { uid } = putCustomer(sandbox)
    const api = sandbox.client()
    const swapped = uid === uid.toLowerCase() ? uid.toUpperCase() : uid.toLowerCase()
    expectRefusal(await api.get(`/customers/${swapped}`), 'customerNotFound')
  })

  it('4.5: reading changes nothing: no commit, no uid', async () => {
    const sandbox = await startSandbox()
    const { uid } = putCustomer(sandbox)
    const api = sandbox.client()
    const before = worldOf(sandbox)
    await api.get(`/customers/${uid}`)
    await api.get('/customers?include_initiated=true&sort=email_asc')
    expect(worldOf(sandbox)).toEqual(before)
  })
})

describe('4.3 GET /customers', () => {
  const uids = ({ data }: CustomerPage) => data.map(({ uid }) => uid)

  it('4.3: "Response 200: the list envelope (`total_count`, `count`, `limit`, `offset`, `data`)"', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const empty = await api.get('/customers')
    expect(empty.status).toBe(200)
    expect(empty.body).toEqual({ total_count: 0, count: 0, limit: 100, offset: 0, data: [] })
    for (let i = 0; i < 5; i++) putCustomer(sandbox)
    const { body } = await api.get<CustomerPage>('/customers?limit=2&offset=1')
    expect(body).toMatchObject({ total_count: 5, count: 2, limit: 2, offset: 1 })
    expect(body.data).toHaveLength(2)
  })

  it('2.1: "The list endpoint returns `details` with only the name and phone fields"', async () => {
    const api = (await startSandbox()).client()
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

    it.each(shown)('4.3: status=%s lists those and no others', async (status) => {
      expect(await (await oneOfEach())(`?status=${status}`)).toEqual([status])
    })
  })

  describe('filters', () => {
    /** Two Customers that differ in every field with a filter. */
    async function pair() {
      const sandbox = await startSandbox()
      const one = putCustomer(sandbox, {
        external_uid: 'Client-One',
        status: 'active',
        kyc_status: 'approved',
        customer_type: 'primary',
        email: 'Olive@Example.com',
        pool_uids: ['PoolOne', 'PoolTwo'],
        details: { ...blank, first_name: 'Olive', last_name: 'Oyl', business_name: 'Quay Supplies' },
      })
      const two = putCustomer(sandbox, {
        external_uid: 'Client-Two',
        status: 'under_review',
        kyc_status: 'manual_review',
        customer_type: 'sole_proprietor',
        email: 'brutus@example.com',
        lock_reason: 'Fraud suspected',
        locked_at: NOW,
        pool_uids: ['PoolThree'],
        details: { ...blank, first_name: 'Brutus', last_name: 'Bluto', business_name: 'Bluto & Sons' },
      })
      const api = sandbox.client()
      const names: Record<string, string> = { [one.uid]: 'one', [two.uid]: 'two' }
      const found = async (query: string) =>
        uids((await api.get<CustomerPage>(`/customers?${query}`)).body)
          .map((uid) => names[uid])
          .sort()
          .join()
      return { sandbox, api, one, two, found }
    }
    const blank = noDetails

    it.each([
      ['status', 'status=active', 'one'],
      ['status in another case', 'status=Under_Review', 'two'],
      ['kyc_status', 'kyc_status=approved', 'one'],
      ['kyc_status in another case', 'kyc_status=MANUAL_REVIEW', 'two'],
      ['customer_type', 'customer_type=sole_proprietor', 'two'],
      ['customer_type in another case', 'customer_type=PRIMARY', 'one'],
      ['first_name', 'first_name=Olive', 'one'],
      ['first_name in another case', 'first_name=oLIVE', 'one'],
      ['a part of first_name', 'first_name=Oliv', ''],
      ['last_name', 'last_name=bluto', 'two'],
      ['a part of last_name', 'last_name=luto', ''],
      ['email', 'email=Olive%40Example.com', 'one'],
      ['email in another case', 'email=BRUTUS@EXAMPLE.COM', 'two'],
      ['a part of email', 'email=example.com', ''],
      ['locked=true "returns only locked Customers"', 'locked=true', 'two'],
      ['locked=false returns "only unlocked"', 'locked=false', 'one'],
      ['external_uid', 'external_uid=client-one', 'one'],
      ['a part of external_uid', 'external_uid=Client', ''],
      ['pool_uid', 'pool_uid=pooltwo', 'one'],
      ['program_uid', 'program_uid=Hb7QmXk2Tz9LrVw4', 'one,two'],
      ['program_uid in another case', 'program_uid=hb7qmxk2tz9lrvw4', 'one,two'],
      ['an unknown program_uid', 'program_uid=other', ''],
      ['business_name', 'business_name=Quay%20Supplies', 'one'],
      ['business_name, "Partial match"', 'business_name=SONS', 'two'],
      ['business_name, a part both have', 'business_name=u', 'one,two'],
      ['an unknown name', 'first_name=Wimpy', ''],
    ])('4.3: "Filters are case-insensitive exact matches": %s', async (_, query, expected) => {
      expect(await (await pair()).found(query)).toBe(expected)
    })

    it('4.3: uid is a filter, too, and ignores case', async () => {
      const { one, two, found } = await pair()
      expect(await found(`uid=${one.uid}`)).toBe('one')
      expect(await found(`uid=${two.uid.toUpperCase()}`)).toBe('two')
      expect(await found(`uid=${one.uid.slice(0, 8)}`)).toBe('')
    })

    it.each([
      ['both hold for one', 'first_name=olive&last_name=OYL', 'one'],
      ['each holds for another', 'first_name=olive&last_name=bluto', ''],
      ['three of them', 'status=under_review&locked=true&email=brutus@example.com', 'two'],
      ['indexed ones that exclude each other', 'email=olive@example.com&external_uid=client-two', ''],
      ['a partial one and an exact one', 'business_name=u&customer_type=primary', 'one'],
    ])('4.3: filters "are combined with AND": %s', async (_, query, expected) => {
      expect(await (await pair()).found(query)).toBe(expected)
    })

    it.each([
      ['status', 'status[]=active&status[]=under_review'],
      ['kyc_status', 'kyc_status[]=approved&kyc_status[]=manual_review'],
      ['customer_type', 'customer_type[]=primary&customer_type[]=sole_proprietor'],
      ['first_name', 'first_name[]=olive&first_name[]=brutus'],
      ['last_name', 'last_name[]=oyl&last_name[]=bluto'],
      ['email', 'email[]=olive@example.com&email[]=brutus@example.com'],
      ['program_uid', 'program_uid[]=x&program_uid[]=Hb7QmXk2Tz9LrVw4'],
      ['external_uid', 'external_uid[]=client-one&external_uid[]=client-two'],
      ['pool_uid', 'pool_uid[]=poolone&pool_uid[]=poolthree'],
      ['a repeated plain name', 'first_name=olive&first_name=brutus'],
      ['both forms mixed', 'first_name=olive&first_name[]=brutus'],
      ['encoded brackets', 'first_name%5B%5D=olive&first_name%5B%5D=brutus'],
    ])('4.3: "Any parameter marked multi-value accepts repeated array form": %s', async (_, query) => {
      expect(await (await pair()).found(query)).toBe('one,two')
    })

    it('4.3: repeated array form of uid, to any length', async () => {
      const { one, two, found } = await pair()
      const many = Array.from({ length: 60 }, (_, i) => `uid[]=nobody${i}`)
      expect(await found([...many, `uid[]=${one.uid}`, `uid[]=${two.uid}`].join('&'))).toBe('one,two')
      expect(await found(`uid[]=${one.uid}`)).toBe('one')
    })

    it.each([
      ...CustomerStatus.options.map((value) => ['status', value]),
      ...KycStatus.options.map((value) => ['kyc_status', value]),
      ...['primary', 'secondary', 'sole_proprietor'].map((value) => ['customer_type', value]),
    ])('4.3: an allowed value of %s is %s', async (name, value) => {
      const api = (await startSandbox()).client()
      expect((await api.get(`/customers?${name}=${value}`)).status).toBe(200)
    })

    it('4.3: an unknown parameter is ignored', async () => {
      const { found } = await pair()
      expect(await found('shoe_size=43&first_name=olive')).toBe('one')
    })
  })

  describe('sort', () => {
    async function four() {
      const sandbox = await startSandbox()
      const people: [string, string | undefined, string | null, string | undefined][] = [
        ['B', 'delta', 'Adams', '2026-01-02T00:00:00.000Z'],
        ['none', undefined, null, undefined],
        ['A', 'Charlie', 'baker', '2026-01-03T00:00:00.000Z'],
        ['C', 'alpha', 'Clark', '2026-01-01T00:00:00.000Z'],
      ]
      for (const [external_uid, email, name, activated_at] of people)
        putCustomer(sandbox, {
          external_uid,
          ...(email ? { email } : {}),
          ...(activated_at ? { activated_at } : {}),
          details: { ...noDetails, first_name: name, last_name: name },
        })
      const api = sandbox.client()
      return async (query: string) =>
        (await api.get<CustomerPage>(`/customers?${query}`)).body.data.map(({ external_uid }) => external_uid).join()
    }

    it.each([
      ['activated_at_asc', 'C,B,A,none'],
      ['activated_at_desc', 'A,B,C,none'],
      ['first_name_asc', 'B,A,C,none'],
      ['first_name_desc', 'C,A,B,none'],
      ['last_name_asc', 'B,A,C,none'],
      ['last_name_desc', 'C,A,B,none'],
      ['email_asc', 'C,A,B,none'],
      ['email_desc', 'B,A,C,none'],
    ])('4.3: sort=%s ignores case and puts missing values last', async (sort, expected) => {
      expect(await (await four())(`sort=${sort}`)).toBe(expected)
    })

    it('4.3: without `sort` the list is newest first', async () => {
      expect(await (await four())('')).toBe('C,A,none,B')
    })

    it('4.3: limit and offset apply after sorting', async () => {
      const sorted = await four()
      expect(await sorted('sort=email_asc&limit=2')).toBe('C,A')
      expect(await sorted('sort=email_asc&limit=2&offset=2')).toBe('B,none')
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
        (await api.get<CustomerPage>(`/customers?${query}`)).body.data.map(({ external_uid }) => external_uid)
      expect(await found('business_name=quay')).toEqual(['exact in capitals', 'exact', 'inside', 'longer'])
      expect(await found('business_name=quay&sort=email_asc')).toEqual([
        'exact in capitals',
        'exact',
        'longer',
        'inside',
      ])
      expect(await found('business_name=quay&sort=email_desc')).toEqual([
        'exact',
        'exact in capitals',
        'inside',
        'longer',
      ])
      expect(await found('business_name=quay&limit=1')).toEqual(['exact in capitals'])
    })
  })

  describe('limit and offset', () => {
    it.each([
      ['no limit', '', 100, 105],
      ['a limit', '?limit=7', 7, 7],
      ['a limit of nothing', '?limit=0', 0, 0],
      ['the largest limit', '?limit=1000', 1000, 105],
      ['a limit above the largest', '?limit=1001', 1000, 105],
      ['a limit far above the largest', '?limit=999999999', 1000, 105],
      ['a limit above what a number can count', '?limit=99999999999999999999', 1000, 105],
    ])('2.4: the envelope shows the `limit`: %s', async (_, query, limit, most) => {
      const sandbox = await startSandbox()
      for (let i = 0; i < 105; i++) putCustomer(sandbox)
      const { status, body } = await sandbox.client().get<CustomerPage>(`/customers${query}`)
      const count = Math.min(most, limit)
      expect({ status, body }).toMatchObject({ status: 200, body: { total_count: 105, count, limit, offset: 0 } })
      expect(body.data).toHaveLength(count)
    })
  })

  it('2.1: `created_at` is the simulated time of the creation', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await advance(sandbox, 'P1DT1H')
    const again = sandbox.client()
    expect((await again.post('/customers', {})).body.created_at).toBe('2026-08-15T15:00:00.000Z')
    expect((await api.get<CustomerPage>('/customers?include_initiated=true')).body.total_count).toBe(1)
  })
})
