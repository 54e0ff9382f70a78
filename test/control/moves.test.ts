import { describe, expect, it } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import type { LegalMove } from '../../src/api/contract/control/records.ts'
import {
  type Customer,
  CustomerStatus,
  KycStatus,
  KycStatusReason,
} from '../../src/api/contract/resources/customers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { CustomerRecord } from '../../src/api/store/world.ts'
import { ipcBridge } from '../support/bridges.ts'
import { expectRefusal } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { refusingCalls } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'
import { table } from '../support/table.ts'
import { putRecord } from '../support/world.ts'

const NOW = '2026-08-14T14:00:00.000Z'
const CHECKING = 'cQ2vNf7ZxLm9TbKe'
const SSN = '512-04-8823'
const smith = { ...OLIVE, details: { ...OLIVE.details, last_name: 'Smith' } }

/** Each move of KYC/AML: from where it may be made, where it leads, and the reason that is recorded. */
const PENDING = 'pending_id_documents, pending_poa_documents, pending_idandpoa_documents'
const KYC_MOVES = Object.fromEntries(
  table(`
    approve                      | manual_review, documents_provided                 | approved                   | Approved
    deny                         | manual_review, documents_provided, documents_rejected, ${PENDING}, retake_images | denied | Minimum requirements to open an account were not met
    ask for ID documents         | manual_review, documents_rejected                 | pending_id_documents       | Further review required
    ask for POA documents        | manual_review, documents_rejected                 | pending_poa_documents      | Further review required
    ask for ID and POA documents | manual_review, documents_rejected                 | pending_idandpoa_documents | Further review required
    provide documents            | ${PENDING}, documents_rejected, retake_images     | documents_provided         | Further review required
    reject documents             | documents_provided                                | documents_rejected         | Invalid documents
    ask to retake images         | documents_provided, documents_rejected            | retake_images              | Illegible ID document
    review again                 | approved, documents_provided                      | manual_review              | Further review required
  `).map(([move, from, to, reason]) => [move!, { from: from!.split(', '), to: to!, reason: reason! }]),
)
const OTHER_MOVES = ['put under review', 'end review', 'lock', 'unlock']

describe('decisions on a Customer', () => {
  async function operator() {
    const sandbox = await startSandbox()
    const bridge = ipcBridge(sandbox)
    const control = createControlClient(bridge)
    const api = sandbox.client()
    const create = async (body: object = OLIVE) => (await api.post<Customer>('/customers', body)).body
    const onboard = async (uid: string) => {
      await api.post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
      await idle()
      return uid
    }
    const idle = () => control['clock.advance']({ until: 'idle' })
    const read = async (uid: string) => (await api.get<Customer>(`/customers/${uid}`)).body
    const list = async <T>(path: string) => (await api.get<Page<T>>(path)).body.data
    const make = (uid: string, move: string, inputs?: Record<string, unknown>) =>
      control['moves.make']({ collection: 'customers', uid, move, ...(inputs ? { inputs } : {}) })
    const moves = async (uid: string) => (await control['moves.list']({ collection: 'customers', uid })).moves
    const legal = async (uid: string) => (await moves(uid)).filter((it) => it.legal).map(({ move }) => move)
    const set = (uid: string, changed: Partial<CustomerRecord>) => putRecord(sandbox, 'customers', uid, changed)
    const refused = refusingCalls(sandbox)
    return { sandbox, bridge, control, api, create, onboard, idle, read, list, make, moves, legal, set, refused }
  }

  it('moves.list: "the legal next moves of a record, from the state tables, each with its inputs; the illegal ones with the reason"', async () => {
    const { create, onboard, moves } = await operator()
    const { uid } = await create(smith)
    const names = [...Object.keys(KYC_MOVES), ...OTHER_MOVES]
    for (const step of [() => undefined, () => onboard(uid)]) {
      await step()
      const all = await moves(uid)
      expect(all.map(({ move }) => move)).toEqual(names)
      for (const { move, legal, why_not } of all) expect([move, legal, why_not === null]).toEqual([move, legal, legal])
    }
    const byName = Object.fromEntries((await moves(uid)).map((it) => [it.move, it])) as Record<string, LegalMove>
    expect(byName.approve).toEqual({
      move: 'approve',
      to: 'approved',
      legal: true,
      why_not: null,
      inputs: [{ name: 'reason', required: false, values: [...KycStatusReason.options] }],
    })
    expect(byName.lock).toMatchObject({ legal: true, inputs: [{ name: 'lock_reason', required: true }] })
    expect(byName.unlock).toMatchObject({ legal: false, why_not: 'the Customer is not locked', inputs: [] })
    expect(byName['review again']?.why_not).toBe(
      'kyc_status is manual_review; it must be approved or documents_provided',
    )
    expect(byName['end review']?.why_not).toBe("the Customer's status is manual_review; it must be under_review")
  })

  describe.each(['manual_review', 'under_review'] as const)('3.2 KYC/AML of a Customer in %s', (status) => {
    it.each(KycStatus.options)(
      'in kyc_status %s each decision is executed, or refused with its reason',
      async (kyc_status) => {
        const it = await operator()
        const { create, read, make, legal, set } = it
        const expected = Object.keys(KYC_MOVES).filter((move) => KYC_MOVES[move]!.from.includes(kyc_status))
        const { uid } = await create()
        const initial = { status, kyc_status, ...(status === 'under_review' ? { activated_at: NOW } : {}) }
        set(uid, initial)
        expect((await legal(uid)).filter((move) => move in KYC_MOVES)).toEqual(expected)
        for (const [move, { from, to }] of Object.entries(KYC_MOVES)) {
          if (expected.includes(move)) {
            const own = await create()
            set(own.uid, initial)
            expect(await make(own.uid, move)).toMatchObject({ uid: own.uid, kyc_status: to })
            expect((await read(own.uid)).kyc_status).toBe(to)
          } else
            await it.refused(
              () => make(uid, move),
              'invalidArgument',
              `${move}: kyc_status is ${kyc_status}; it must be ${from.join(' or ')}`,
            )
        }
        expect(await read(uid)).toMatchObject({ status, kyc_status })
      },
    )
  })

  it.each(CustomerStatus.options.filter((status) => status !== 'manual_review' && status !== 'under_review'))(
    '3.2: in status %s no move of KYC/AML is legal',
    async (status) => {
      const it = await operator()
      const { uid } = await it.create()
      it.set(uid, { status, kyc_status: 'manual_review' })
      expect((await it.legal(uid)).filter((move) => move in KYC_MOVES)).toEqual([])
      for (const move of Object.keys(KYC_MOVES))
        await it.refused(
          () => it.make(uid, move),
          'invalidArgument',
          `${move}: the Customer's status is ${status}, not manual_review or under_review`,
        )
    },
  )

  it.each(Object.entries(KYC_MOVES))(
    '2.1 kyc_status_reasons: %s records its usual reason, or the one given',
    async (move, { from, reason }) => {
      const { create, make, set } = await operator()
      const usual = await create()
      const given = await create()
      for (const { uid } of [usual, given]) set(uid, { status: 'manual_review', kyc_status: from[0] as KycStatus })
      expect(await make(usual.uid, move)).toMatchObject({ kyc_status_reasons: [reason] })
      expect(await make(given.uid, move, { reason: 'Expired ID' })).toMatchObject({
        kyc_status_reasons: ['Expired ID'],
      })
    },
  )

  it('after documents were provided, the approval mentions them', async () => {
    const { create, make, set } = await operator()
    const { uid } = await create()
    set(uid, { status: 'manual_review', kyc_status: 'documents_provided' })
    expect(await make(uid, 'approve')).toMatchObject({ kyc_status_reasons: ['Valid Documents Provided'] })
  })

  it('2.1 client_verified: "If true, `kyc_status` is `pre_verified`", also when the operator approves', async () => {
    const { create, make, set } = await operator()
    const { uid } = await create()
    set(uid, { status: 'manual_review', kyc_status: 'manual_review', client_verified: true })
    expect(await make(uid, 'approve')).toMatchObject({ status: 'identity_verified', kyc_status: 'pre_verified' })
  })

  it.each([['Because'], [''], [null], [1]])('2.1: a reason that is not in the list is refused: %j', async (reason) => {
    const it = await operator()
    const { uid } = await it.create()
    it.set(uid, { status: 'manual_review', kyc_status: 'manual_review' })
    await it.refused(() => it.make(uid, 'approve', { reason }), 'invalidArgument', /^reason must be one of Approved; /)
  })

  it('3.1: manual review to active, over documents: accounts and Product follow the approval', async () => {
    const { create, onboard, read, list, make, idle } = await operator()
    const { uid } = await create(smith)
    await onboard(uid)
    for (const [move, kyc_status] of [
      ['ask for ID documents', 'pending_id_documents'],
      ['provide documents', 'documents_provided'],
      ['reject documents', 'documents_rejected'],
      ['ask to retake images', 'retake_images'],
      ['provide documents', 'documents_provided'],
    ] as const) {
      await make(uid, move)
      expect(await read(uid)).toMatchObject({ status: 'manual_review', kyc_status, pool_uids: [] })
      expect(await list('/customer_products')).toEqual([expect.objectContaining({ status: 'manual_review' })])
    }
    await make(uid, 'approve')
    expect(await read(uid)).toMatchObject({ status: 'identity_verified', kyc_status: 'approved', pool_uids: [] })
    await idle()
    const approved = await read(uid)
    expect(approved).toMatchObject({
      status: 'active',
      kyc_status: 'approved',
      activated_at: '2026-08-14T14:00:02.000Z',
    })
    expect(approved.pool_uids).toHaveLength(1)
    expect(await list('/customer_products')).toEqual([expect.objectContaining({ status: 'active' })])
    expect(await list('/custodial_accounts')).toHaveLength(3)
    expect(await list('/synthetic_accounts')).toHaveLength(1)
  })

  it('3.1: manual review to rejected: nothing is opened, and the Product is rejected too', async () => {
    const { create, onboard, read, list, make, legal } = await operator()
    const { uid } = await create(smith)
    await onboard(uid)
    await make(uid, 'deny', { reason: 'Invalid Documents submitted multiple times' })
    const denied = { status: 'rejected', kyc_status: 'denied', pool_uids: [] }
    expect(await read(uid)).toMatchObject(denied)
    expect(await list('/customer_products')).toEqual([expect.objectContaining({ status: 'rejected' })])
    expect(await list('/pools')).toEqual([])
    expect(await legal(uid)).toEqual(['lock'])
  })

  describe('3.1 under review', () => {
    it('put under review and end review, from active and back; the accounts stay the same', async () => {
      const { api, create, onboard, read, list, make } = await operator()
      const uid = await onboard((await create()).uid)
      const before = await read(uid)
      expect(await make(uid, 'put under review')).toMatchObject({ status: 'under_review' })
      expect(await read(uid)).toEqual({ ...before, status: 'under_review' })
      const body = { name: 'N', pool_uid: before.pool_uids[0], synthetic_account_type_uid: 'gA3nWq9KtXv5LzRe' }
      expectRefusal(await api.post('/synthetic_accounts', body), 'inactiveCustomer')
      await make(uid, 'end review')
      expect(await read(uid)).toEqual(before)
      expect(await list('/synthetic_accounts')).toHaveLength(1)
    })

    it.each(CustomerStatus.options)('in %s: one of the two, or neither', async (status) => {
      const it = await operator()
      const { uid } = await it.create()
      it.set(uid, { status, kyc_status: 'approved' })
      const found = (await it.legal(uid)).filter((move) => move.includes('review') && !(move in KYC_MOVES))
      const expected = { active: ['put under review'], under_review: ['end review'] }[status as string] ?? []
      expect(found).toEqual(expected)
      for (const [move, from] of [
        ['put under review', 'active'],
        ['end review', 'under_review'],
      ] as const)
        if (!expected.includes(move))
          await it.refused(
            () => it.make(uid, move),
            'invalidArgument',
            `${move}: the Customer's status is ${status}; it must be ${from}`,
          )
    })

    it('a review does not end while kyc_status is not approved', async () => {
      const it = await operator()
      const { uid } = await it.create()
      it.set(uid, { status: 'under_review', kyc_status: 'denied' })
      await it.refused(
        () => it.make(uid, 'end review'),
        'invalidArgument',
        'end review: kyc_status is denied; it must be approved first',
      )
    })

    it('a new decision on an evaluation ends the review, or does not', async () => {
      const { create, onboard, read, make } = await operator()
      const uid = await onboard((await create()).uid)
      await make(uid, 'put under review')
      await make(uid, 'review again')
      expect(await read(uid)).toMatchObject({ status: 'under_review', kyc_status: 'manual_review' })
      await make(uid, 'approve')
      expect(await read(uid)).toMatchObject({ status: 'active', kyc_status: 'approved' })
      await make(uid, 'put under review')
      await make(uid, 'review again')
      await make(uid, 'deny')
      expect(await read(uid)).toMatchObject({ status: 'under_review', kyc_status: 'denied' })
    })

    it('a review started by the operator continues when an evaluation passes meanwhile', async () => {
      const { control, api, create, onboard, read, make } = await operator()
      const uid = await onboard((await create()).uid)
      const { ssn: _, dob: __, ...details } = OLIVE.details
      expect((await api.call('PUT', `/customers/${uid}`, { json: { email: 'new@example.com', details } })).status).toBe(
        200,
      )
      await make(uid, 'put under review')
      await control['clock.advance']({ until: 'idle' })
      expect(await read(uid)).toMatchObject({ status: 'under_review', kyc_status: 'approved' })
    })
  })

  describe('2.1 lock and unlock: "Null if and only if"', () => {
    it('lock sets both fields, unlock clears both; the filter finds locked Customers', async () => {
      const { create, onboard, read, list, make } = await operator()
      const uid = await onboard((await create()).uid)
      const before = await read(uid)
      const locked = { locked_at: '2026-08-14T14:00:02.000Z', lock_reason: 'Lost phone' }
      expect(await make(uid, 'lock', { lock_reason: 'Lost phone' })).toMatchObject(locked)
      expect(await read(uid)).toEqual({ ...before, ...locked })
      expect(await list('/customers?locked=true')).toHaveLength(1)
      expect(await list('/customers?locked=false')).toEqual([])
      await make(uid, 'unlock')
      expect(await read(uid)).toEqual(before)
      expect(await list('/customers?locked=true')).toEqual([])
    })

    it.each([
      [undefined],
      [{}],
      [{ lock_reason: '' }],
      [{ lock_reason: ' ' }],
      [{ lock_reason: null }],
      [{ lock_reason: 1 }],
    ])('a lock without its reason is refused: %j', async (inputs) => {
      const it = await operator()
      const { uid } = await it.create()
      await it.refused(() => it.make(uid, 'lock', inputs), 'missingParameter', 'lock_reason is missing')
    })

    it('a locked Customer cannot be locked again, nor an unlocked one unlocked', async () => {
      const it = await operator()
      const { uid } = await it.create()
      await it.refused(() => it.make(uid, 'unlock'), 'invalidArgument', 'unlock: the Customer is not locked')
      await it.make(uid, 'lock', { lock_reason: 'x' })
      await it.refused(
        () => it.make(uid, 'lock', { lock_reason: 'y' }),
        'invalidArgument',
        'lock: the Customer is locked already',
      )
    })

    it.each(CustomerStatus.options)('every Customer but an archived one can be locked: %s', async (status) => {
      const it = await operator()
      const { uid } = await it.create()
      it.set(uid, { status })
      const lock = () => it.make(uid, 'lock', { lock_reason: 'x' })
      if (status === 'archived') await it.refused(lock, 'invalidArgument', 'lock: the Customer is archived')
      else expect(await lock()).toMatchObject({ status, lock_reason: 'x', locked_at: NOW })
    })
  })

  describe('an invalid decision', () => {
    it.each(['archive', 'activate', 'toString', '__proto__', ''])(
      '%j is refused with the list of those that are',
      async (move) => {
        const it = await operator()
        const { uid } = await it.create()
        await it.refused(
          () => it.make(uid, move),
          'invalidArgument',
          /^there is no move .*; there are approve, deny, .*, unlock$/,
        )
      },
    )
  })

  it('a decision is a commit with the operator as its cause, and sends a notice', async () => {
    const { sandbox, bridge, create, make } = await operator()
    const { uid } = await create()
    const heard = new Promise<Notice>((resolve) => {
      bridge.subscribe(
        (notices) => {
          for (const notice of notices)
            if (notice.type === 'commit' && notice.cause.door === 'operator') resolve(notice)
        },
        (is) => {
          if (is) void make(uid, 'lock', { lock_reason: 'x' })
        },
      )
    })
    expect(await heard).toMatchObject({
      seq: sandbox.store.world.seq,
      cause: { door: 'operator', name: 'moves.make lock' },
      collections: ['customers'],
      uids: [uid],
    })
  })

  describe('operator.create_customer', () => {
    const program_uid = 'Hb7QmXk2Tz9LrVw4'

    it('1 "the service operator pre-creates the Customers": creates the same Customer as POST; the SSN is in no response', async () => {
      const { control, create, read } = await operator()
      const byClient = await create()
      const customer = await control['operator.create_customer']({ program_uid, customer: OLIVE })
      expect(customer).toEqual({ ...byClient, uid: customer.uid })
      expect(await read(String(customer.uid))).toEqual(customer)
      expect(JSON.stringify(customer)).not.toContain(SSN)
      expect(await control['operator.create_customer']({ program_uid, customer: {} })).toMatchObject({
        status: 'initiated',
      })
    })

    it('the rules of POST apply: invalid input changes nothing', async () => {
      const it = await operator()
      const primary = await it.create({ external_uid: 'taken', customer_type: 'sole_proprietor' })
      const make = (customer: object, program = program_uid) =>
        it.control['operator.create_customer']({ program_uid: program, customer: customer as never })
      await it.refused(() => make({}, 'nobody'), 'routeNotFound', 'there is no Program nobody')
      await it.refused(() => make({ customer_type: 'x' }), 'invalidArgument', /customer_type/)
      await it.refused(() => make({ email: 1 }), 'invalidArgument', 'customer.email: expected string, received number')
      await it.refused(() => make({ details: { ssn: 512048823 } }), 'invalidArgument', /customer\.details\.ssn/)
      await it.refused(() => make({ customer_type: 'secondary' }), 'missingParameter', /primary_customer_uid/)
      await it.refused(() => make({ customer_type: 'secondary', primary_customer_uid: 'x' }), 'customerNotFound')
      await it.refused(() => make({ customer_type: 'secondary', primary_customer_uid: primary.uid }), 'invalidArgument')
      await it.refused(() => make({ external_uid: 'taken' }), 'customerInUse', 'external_uid')
      await it.refused(() => make({ client_verified: true }), 'invalidArgument', /client_verified/)
      await it.refused(
        () => it.control['operator.create_customer']({ program_uid } as never),
        'missingParameter',
        'customer is missing',
      )
    })
  })

  it('kyc_evaluations: each of them, with its outcome, and those after activation billable', async () => {
    const { control, api, create, onboard } = await operator()
    const uid = await onboard((await create()).uid)
    const { ssn: _, dob: __, ...details } = OLIVE.details
    for (let i = 0; i < 3; i++)
      await api.call('PUT', `/customers/${uid}`, { json: { email: `${i}@example.com`, details } })
    await control['clock.advance']({ until: 'idle' })
    const { data } = await control['records.list']({ collection: 'kyc_evaluations' })
    expect(data.map(({ billable, outcome }) => [billable, outcome])).toEqual([
      ...[0, 1, 2].map(() => [true, 'approved']),
      [false, 'approved'],
    ])
    for (const record of data)
      expect(Object.keys(record).sort()).toEqual(
        ['uid', 'program_uid', 'customer_uid', 'began_at', 'decided_at', 'billable', 'outcome'].sort(),
      )
  })
})
