import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import type { Vrn } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { setUpPayments } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'

/** Virtual Reference Numbers: sections 1 and 4.1; facts 3.9 and 4.5. */

const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/
/** The instant at which a Customer that is onboarded at the start becomes active. */
const NOW = '2026-08-14T14:00:02.000Z'
const ROUTING = '110000000'

type Body = Record<string, unknown>

async function world(options: Partial<SandboxOptions> = {}) {
  const setup = await setUpPayments(options)
  const { api, sandbox } = setup
  const owner = await setup.customer()
  const at = (uid: string) => `/virtual_reference_numbers/${uid}`
  const tryToCreate = (body: Body = {}) =>
    api.post<Vrn>('/virtual_reference_numbers', {
      synthetic_account_uid: owner.master,
      routing_number: ROUTING,
      ...body,
    })
  const create = async (body: Body = {}): Promise<Vrn> => {
    const answer = await tryToCreate(body)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }
  const read = async (uid: string) => (await api.get<Vrn>(at(uid))).body
  const list = async (query = '') => (await api.get<Page<Vrn>>(`/virtual_reference_numbers${query}`)).body
  const update = (uid: string, json: unknown) => api.call<Vrn>('PUT', at(uid), { json })
  const lock = (uid: string, lock_reason: unknown = 'admin') =>
    api.call<Vrn>('PUT', `${at(uid)}/lock`, { json: { lock_reason } })
  const unlock = (uid: string) => api.call<Vrn>('PUT', `${at(uid)}/unlock`)
  const archive = (uid: string) => api.call('DELETE', at(uid))
  const registration = async (uid: string) => (await read(uid)).instant_payment_rail_registration_status
  const tasksOf = async (uid: string) => {
    const reply = await sandbox.call('tasks.list', {})
    return (reply as { value: { tasks: Task[] } }).value.tasks.filter(({ record }) => record === uid)
  }
  const actions = { tryToCreate, create, read, list, update, lock, unlock, archive }
  return { ...setup, ...actions, owner, registration, tasksOf }
}

// ── Creation ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 POST /virtual_reference_numbers', () => {
  it('1: "A Virtual Reference Number (VRN) is a virtual account number that aliases one Synthetic Account"', async () => {
    const { api, owner, create, read } = await world()
    const account = await api.get(`/synthetic_accounts/${owner.master}`)
    const vrn = await create()
    // No other fields.
    expect(vrn).toEqual({
      external_uid: null,
      name: null,
      uid: expect.stringMatching(UID),
      synthetic_account_uid: owner.master,
      custodial_account_uid: (account.body.custodial_account_uids as string[])[0],
      routing_number: ROUTING,
      virtual_reference_number: expect.stringMatching(/^\d{16}$/),
      virtual_reference_number_last_four: vrn.virtual_reference_number.slice(-4),
      status: 'active',
      instant_payment_rail_registration_status: 'pending',
      locked_at: null,
      lock_reason: null,
      archived_at: null,
      created_at: NOW,
    })
    expect(await read(vrn.uid)).toEqual(vrn)
  })

  it('the response has the given values', async () => {
    const { create, read } = await world()
    const vrn = await create({ external_uid: 'invoice-7', name: 'greenfield1', routing_number: '123456789' })
    expect(vrn).toMatchObject({ external_uid: 'invoice-7', name: 'greenfield1', routing_number: '123456789' })
    expect(await read(vrn.uid)).toEqual(vrn)
  })

  it('null counts as absent', async () => {
    const { create } = await world()
    const vrn = await create({ external_uid: null, name: null, synchronous_registration: null })
    expect(vrn).toMatchObject({ external_uid: null, name: null })
    expect(vrn.instant_payment_rail_registration_status).toBe('pending')
  })

  it('1: "Many VRNs may point to one account"; each has a number of its own', async () => {
    const { owner, create, list } = await world()
    const numbers: string[] = []
    for (let i = 0; i < 12; i++) numbers.push((await create()).virtual_reference_number)
    expect(new Set(numbers).size).toBe(12)
    expect((await list(`?synthetic_account_uid=${owner.master}`)).total_count).toBe(12)
  })

  it('facts 3.9: "if the same value is given, no new resource will be created": external_uid', async () => {
    const setup = await world()
    const { tryToCreate, create, list, owner, account } = setup
    const first = await create({ external_uid: 'invoice-7', name: 'First' })
    const again = await expectUnchanged(setup.sandbox, () => tryToCreate({ external_uid: 'invoice-7', name: 'Second' }))
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first })
    // The same VRN for another account and with a name that triggers a failure: nothing is created.
    const other = await account(owner, 'general')
    const elsewhere = { external_uid: 'invoice-7', name: 'fail', synthetic_account_uid: other }
    expect((await expectUnchanged(setup.sandbox, () => tryToCreate(elsewhere))).body).toEqual(first)
    expect((await list()).total_count).toBe(1)
    // Another case is another value.
    expect((await create({ external_uid: 'INVOICE-7' })).uid).not.toBe(first.uid)
  })

  it('a repeated external_uid answers with the VRN as it is now, archived or not', async () => {
    const { sandbox, tryToCreate, create, archive, read } = await world()
    const { uid } = await create({ external_uid: 'invoice-7' })
    await archive(uid)
    const again = await expectUnchanged(sandbox, () => tryToCreate({ external_uid: 'invoice-7' }))
    expect(again).toMatchObject({ status: 201, body: { uid, status: 'archived' } })
    expect(again.body).toEqual(await read(uid))
  })

  it('30002: "The Synthetic Account must be an active, general, liability account"', async () => {
    const { refused, api, account, owner, tryToCreate } = await world()
    const general = '/synthetic_accounts?synthetic_account_category=general&liability=false'
    const assets = (await api.get<Page<{ uid: string }>>(general)).body.data
    expect(assets).toHaveLength(1)
    for (const uid of [
      assets[0]!.uid,
      await account(owner, 'ach_external'),
      await account(owner, 'wire_external'),
      await account(owner, 'instant_payment_external'),
    ])
      await refused(() => tryToCreate({ synthetic_account_uid: uid }), 'vrnAccountIneligible')
  })

  it('an unknown account is refused', async () => {
    const { refused, tryToCreate } = await world()
    await refused(() => tryToCreate({ synthetic_account_uid: 'nobody' }), 'syntheticAccountNotFound')
  })

  it('30002: an archived account', async () => {
    const { refused, api, account, owner, tryToCreate } = await world()
    const uid = await account(owner, 'general')
    expect((await api.call('DELETE', `/synthetic_accounts/${uid}`)).status).toBe(204)
    await refused(() => tryToCreate({ synthetic_account_uid: uid }), 'vrnAccountIneligible')
  })

  it('refuses a Customer that is locked, in archival or archived', async () => {
    const { refused, api, owner, move, tryToCreate, advance } = await world()
    await move('customers', owner.uid, 'lock', { lock_reason: 'under suspicion' })
    await refused(() => tryToCreate(), 'customerLocked')
    await move('customers', owner.uid, 'unlock')
    expect((await tryToCreate()).status).toBe(201)
    await api.call('DELETE', `/customers/${owner.uid}`)
    await refused(() => tryToCreate(), 'inactiveCustomer')
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${owner.uid}`)).body.status).toBe('archived')
    await refused(() => tryToCreate(), 'archivedCustomer')
  })

  it('30001: a name that begins with "fail" triggers a failure', async () => {
    const { refused, tryToCreate } = await world()
    for (const name of ['fail', 'Failure', 'FAIL please', '  fails'])
      for (const synchronous_registration of [false, true])
        await refused(() => tryToCreate({ name, synchronous_registration }), 'vrnNotCreated')
  })

  it('a name with "fail" in another place does not trigger a failure', async () => {
    const { create } = await world()
    for (const name of ['does not fail', 'fai', 'a fail']) expect((await create({ name })).name).toBe(name)
  })
})

// ── Registration ────────────────────────────────────────────────────────────────────────────────────────────────────

describe('1: "For some rails (instant payments) a VRN must be registered before use"', () => {
  it.each([
    ['fast', '2026-08-14T14:00:03.000Z'],
    ['real', '2026-08-14T14:00:04.000Z'],
  ] as const)('facts 4.5: pending → registered, at pace %s at %s', async (pace, at) => {
    const { create, registration, advance, tasksOf } = await world({ pace })
    const { uid } = await create()
    await advance({ to: new Date(Date.parse(at) - 1).toISOString() })
    expect(await registration(uid)).toBe('pending')
    const { fired } = await advance({ by: 'PT0.001S' })
    const message = { code: 'registration', facts: { registration_status: 'registered' } }
    expect(fired).toEqual([{ at, task: 'register vrn', record: uid, outcome: 'registered', message }])
    expect(await registration(uid)).toBe('registered')
    expect(await tasksOf(uid)).toEqual([])
  })

  it.each(['instant payment fail', 'Instant Payment Failure of today'])(
    'facts 5: the name %j: "created, registration ends failed"',
    async (name) => {
      const { create, registration, advance, read } = await world()
      const vrn = await create({ name, synchronous_registration: false })
      expect(vrn.instant_payment_rail_registration_status).toBe('pending')
      await advance({ until: 'idle' })
      expect(await registration(vrn.uid)).toBe('failed')
      expect((await read(vrn.uid)).status).toBe('active')
    },
  )

  it.each([
    ['Till 4', 'registered'],
    ['instant payment fail', 'failed'],
  ])(
    'facts 3.9: "With synchronous_registration true the POST waits for the result": %s, %s',
    async (name, registration) => {
      const { create, read, tasksOf, advance } = await world()
      const vrn = await create({ name, synchronous_registration: true })
      expect(vrn).toMatchObject({ instant_payment_rail_registration_status: registration, created_at: NOW })
      expect(await tasksOf(vrn.uid)).toEqual([])
      await advance({ by: 'PT10S' })
      expect(await read(vrn.uid)).toEqual(vrn)
    },
  )

  it.each([true, false])(
    'facts 3.9: "unregistered when the client has not bought instant payments" (synchronous: %s); ACH and wire still work',
    async (synchronous_registration) => {
      const { configure, create, registration, tasksOf, advance, mock, transaction, owner } = await world()
      await configure({ transaction_types: ['ach', 'wire', 'book_transfer'], client_authorization: false })
      const { uid, ...vrn } = await create({ synchronous_registration, name: 'instant payment fail' })
      expect(vrn.instant_payment_rail_registration_status).toBe('unregistered')
      expect(await tasksOf(uid)).toEqual([])
      const received = { customer_uid: owner.uid, us_dollar_amount: 5, virtual_reference_number_uid: uid }
      const ach = await mock({ ...received, transaction_type: 'ach' })
      const wire = await mock({ ...received, transaction_type: 'wire' })
      await advance({ until: 'idle' })
      expect(await registration(uid)).toBe('unregistered')
      expect(await transaction(ach)).toMatchObject({ status: 'settled', virtual_reference_number_uid: uid })
      expect(await transaction(wire)).toMatchObject({ status: 'settled', virtual_reference_number_uid: uid })
    },
  )

  it('a lock does not delay the registration', async () => {
    const { create, lock, registration, advance } = await world()
    const { uid } = await create()
    await lock(uid)
    await advance({ by: 'PT1S' })
    expect(await registration(uid)).toBe('registered')
  })

  it('an archived VRN is no longer registered', async () => {
    const { create, archive, registration, advance, tasksOf } = await world()
    const { uid } = await create()
    await archive(uid)
    expect(await tasksOf(uid)).toEqual([])
    await advance({ by: 'PT10S' })
    expect(await registration(uid)).toBe('pending')
  })
})

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

it('4.1 GET /virtual_reference_numbers: facts 3.9, the "full value only on create/single-get/mutations, not in lists"', async () => {
  const { create, list, update, lock, unlock } = await world()
  const vrn = await create({ name: 'Till 4' })
  const { virtual_reference_number, ...listed } = vrn
  const page = await list()
  expect(page).toEqual({ total_count: 1, count: 1, limit: 1000, offset: 0, data: [listed] })
  expect(JSON.stringify(page)).not.toContain(virtual_reference_number)
  for (const answer of [await update(vrn.uid, {}), await lock(vrn.uid), await unlock(vrn.uid)])
    expect(answer.body.virtual_reference_number).toBe(virtual_reference_number)
})

// ── Editing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 PUT /virtual_reference_numbers/{uid}', () => {
  it('name and external_uid may change; nothing else does', async () => {
    const { create, update, read, account, owner } = await world()
    const vrn = await create({ name: 'Till 4' })
    const other = await account(owner, 'general')
    const answer = await update(vrn.uid, {
      name: 'Till 5',
      external_uid: 'till-5',
      synthetic_account_uid: other,
      routing_number: '123456789',
      virtual_reference_number: '1'.repeat(16),
      status: 'archived',
      instant_payment_rail_registration_status: 'failed',
      locked_at: NOW,
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ...vrn, name: 'Till 5', external_uid: 'till-5' })
    expect(await read(vrn.uid)).toEqual(answer.body)
  })

  it('fields that are not sent stay, and null removes', async () => {
    const { create, update } = await world()
    const vrn = await create({ name: 'Till 4', external_uid: 'till-4' })
    expect((await update(vrn.uid, {})).body).toEqual(vrn)
    expect((await update(vrn.uid, { name: 'Till 5' })).body).toEqual({ ...vrn, name: 'Till 5' })
    expect((await update(vrn.uid, { external_uid: 'till-5' })).body).toEqual({
      ...vrn,
      name: 'Till 5',
      external_uid: 'till-5',
    })
    const removed = { name: null, external_uid: null }
    expect((await update(vrn.uid, removed)).body).toEqual({ ...vrn, ...removed })
  })

  it('an external_uid can be used again after its removal', async () => {
    const { create, update } = await world()
    const { uid } = await create({ external_uid: 'till-4' })
    await update(uid, { external_uid: null })
    expect((await create({ external_uid: 'till-4' })).uid).not.toBe(uid)
  })

  it('30004: an external_uid that another VRN has, archived or not', async () => {
    const { sandbox, create, update, archive } = await world()
    const first = await create({ external_uid: 'till-4' })
    const { uid } = await create()
    const attempt = () => expectUnchanged(sandbox, () => update(uid, { external_uid: 'till-4', name: 'New' }))
    expectRefusal(await attempt(), 'vrnNotUpdated')
    await archive(first.uid)
    expectRefusal(await attempt(), 'vrnNotUpdated')
    // The VRN's own external_uid is not a duplicate.
    await update(uid, { external_uid: 'till-5' })
    expect((await update(uid, { external_uid: 'till-5', name: 'New' })).status).toBe(200)
  })

  it('a locked VRN can be edited and stays locked', async () => {
    const { create, update, lock } = await world()
    const { uid } = await create()
    const { body } = await lock(uid)
    expect((await update(uid, { name: 'Till 4' })).body).toEqual({ ...body, name: 'Till 4' })
  })

  it('30005: an archived VRN cannot be edited', async () => {
    const { refused, create, update, archive } = await world()
    const { uid } = await create()
    await archive(uid)
    await refused(() => update(uid, { name: 'Till 4' }), 'vrnArchived')
  })
})

// ── Lock and unlock ─────────────────────────────────────────────────────────────────────────────────────────────────

describe('1: "VRNs can be locked, unlocked and archived"', () => {
  it.each(['admin', 'customer_request'])('a lock sets time and reason: %s; an unlock removes both', async (reason) => {
    const { create, read, lock, unlock, advance } = await world()
    const vrn = await create({ synchronous_registration: true })
    await advance({ by: 'PT1M' })
    const locked = await lock(vrn.uid, reason)
    expect(locked.status).toBe(200)
    // A lock does not change the status.
    expect(locked.body).toEqual({ ...vrn, locked_at: '2026-08-14T14:01:02.000Z', lock_reason: reason })
    expect(await read(vrn.uid)).toEqual(locked.body)
    const unlocked = await unlock(vrn.uid)
    expect({ status: unlocked.status, body: unlocked.body }).toEqual({ status: 200, body: vrn })
    expect(await read(vrn.uid)).toEqual(vrn)
  })

  it('30010 and 30013: a locked VRN cannot be locked, an unlocked one cannot be unlocked', async () => {
    const { refused, create, lock, unlock } = await world()
    const { uid } = await create()
    await refused(() => unlock(uid), 'vrnAlreadyUnlocked')
    await lock(uid)
    await refused(() => lock(uid, 'customer_request'), 'vrnAlreadyLocked')
    await unlock(uid)
    await refused(() => unlock(uid), 'vrnAlreadyUnlocked')
    // Without a cooldown the next change can follow immediately.
    expect((await lock(uid)).status).toBe(200)
  })

  it('30005: an archived VRN cannot be locked or unlocked', async () => {
    const { refused, create, archive, lock, unlock } = await world()
    const locked = (await create()).uid
    await lock(locked)
    const open = (await create()).uid
    for (const uid of [locked, open]) {
      await archive(uid)
      await refused(() => lock(uid), 'vrnArchived')
      await refused(() => unlock(uid), 'vrnArchived')
    }
  })

  it('30017 and 30018: "cannot be locked/unlocked until the cooldown period has ended"', async () => {
    const { refused, configure, create, lock, unlock, advance } = await world()
    await configure({ vrn_cooldown_minutes: 15 })
    const { uid } = await create()
    // A new VRN has no cooldown.
    expect((await lock(uid)).status).toBe(200)
    await advance({ by: 'PT14M59.999S' })
    await refused(() => unlock(uid), 'vrnUnlockCooldown')
    // The error for a VRN that is locked already has priority.
    await refused(() => lock(uid), 'vrnAlreadyLocked')
    await advance({ by: 'PT0.001S' })
    expect((await unlock(uid)).status).toBe(200)
    await advance({ by: 'PT14M59.999S' })
    await refused(() => lock(uid), 'vrnLockCooldown')
    await refused(() => unlock(uid), 'vrnAlreadyUnlocked')
    await advance({ by: 'PT0.001S' })
    expect((await lock(uid)).status).toBe(200)
  })

  it('each VRN has its own cooldown, and an edit does not start it', async () => {
    const { configure, create, lock, unlock, update } = await world()
    await configure({ vrn_cooldown_minutes: 15 })
    const [first, second] = [(await create()).uid, (await create()).uid]
    await lock(first)
    await update(second, { name: 'Till 4' })
    expect((await lock(second)).status).toBe(200)
    await configure({ vrn_cooldown_minutes: 0 })
    expect((await unlock(first)).status).toBe(200)
  })
})

// ── Archiving ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 DELETE /virtual_reference_numbers/{uid}', () => {
  it('answers 204 without a body; the VRN stays readable', async () => {
    const { create, archive, read, list, advance } = await world()
    const vrn = await create({ synchronous_registration: true })
    await advance({ by: 'PT1M' })
    const answer = await archive(vrn.uid)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
    const archived = { ...vrn, status: 'archived', archived_at: '2026-08-14T14:01:02.000Z' }
    expect(await read(vrn.uid)).toEqual(archived)
    expect((await list()).total_count).toBe(1)
  })

  it('a second archiving changes nothing', async () => {
    const { sandbox, create, archive, advance } = await world()
    const { uid } = await create()
    await archive(uid)
    await advance({ by: 'PT1M' })
    expect((await expectUnchanged(sandbox, () => archive(uid))).status).toBe(204)
  })

  it('a locked VRN keeps its lock reason', async () => {
    const { create, lock, archive, read } = await world()
    const { uid } = await create()
    await lock(uid, 'customer_request')
    await archive(uid)
    expect(await read(uid)).toMatchObject({ status: 'archived', locked_at: NOW, lock_reason: 'customer_request' })
  })

  it('its number is not reused', async () => {
    const { create, archive, list } = await world()
    const { uid, virtual_reference_number } = await create()
    await archive(uid)
    await create()
    expect((await list(`?virtual_reference_number=${virtual_reference_number}`)).data.map((vrn) => vrn.uid)).toEqual([
      uid,
    ])
  })

  it('archiving an account archives the VRNs of that account only', async () => {
    const { api, owner, account, create, read, advance } = await world()
    const general = await account(owner, 'general')
    const before = await create({ synthetic_account_uid: general })
    const stays = await create()
    await advance({ by: 'PT1M' })
    expect((await api.call('DELETE', `/synthetic_accounts/${general}`)).status).toBe(204)
    expect(await read(before.uid)).toMatchObject({ status: 'archived', archived_at: '2026-08-14T14:01:02.000Z' })
    expect(await read(stays.uid)).toMatchObject({ status: 'active', archived_at: null })
  })

  it('archiving a Customer archives its VRNs; one archived earlier keeps its date', async () => {
    const { api, owner, customer, create, archive, read, advance } = await world()
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const theirs = await create({ synthetic_account_uid: other.master })
    const [early, late] = [await create(), await create()]
    await archive(early.uid)
    const { archived_at } = await read(early.uid)
    await api.call('DELETE', `/customers/${owner.uid}`)
    expect((await read(late.uid)).status).toBe('active')
    await advance({ business_days: 1 })
    const closed = await api.get(`/customers/${owner.uid}`)
    expect(closed.body.status).toBe('archived')
    expect(await read(late.uid)).toMatchObject({ status: 'archived', archived_at: closed.body.archived_at })
    expect((await read(early.uid)).archived_at).toBe(archived_at)
    expect((await read(theirs.uid)).status).toBe('active')
  })
})

it('1: "VRNs hold no balance, cannot originate payments, only receive them": no transfer takes one', async () => {
  const { refused, owner, account, create, tryToPay } = await world()
  const { uid, virtual_reference_number } = await create()
  const general = await account(owner, 'general')
  for (const vrn of [uid, virtual_reference_number]) {
    await refused(() => tryToPay(owner, vrn, general, '1.00'), 'syntheticAccountNotFound')
    await refused(() => tryToPay(owner, general, vrn, '1.00'), 'syntheticAccountNotFound')
  }
})
