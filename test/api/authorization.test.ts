import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import type { Authorization, DeniedReason, Transaction } from '../../src/api/contract/resources/transactions.ts'
import type { Vrn } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { expectRefusal } from '../support/client.ts'
import { setUpPayments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'
import { expectUnchanged } from '../support/world.ts'

/**
 * Sections 3.4 and 4.7: the Client authorizes payments received on a VRN; facts 3.18 and 4.4. What each decision does to the balances
 * and the books, and when, is in payments.test.ts.
 */

type Body = Record<string, unknown>
type Rail = 'wire' | 'ach'
type Pace = 'fast' | 'real'
type Answered = { authorization: Authorization }

const RAILS: readonly Rail[] = ['wire', 'ach']
const PACES: readonly Pace[] = ['fast', 'real']
const NOW = new Date(START).toISOString()
const IN_24_HOURS = '2026-08-15T14:00:00.000Z'
const UNDECIDED = {
  authorization_finalized_at: null,
  authorization_required_by: null,
  denied_memo: null,
  denied_reason: null,
}
const DENIED = { authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' }
const APPROVED = { authorization_status: 'client_approved' }

const ms = (text: string, more: number) => new Date(Date.parse(text) + more).toISOString()

/** A Customer that is active at this instant, with a registered VRN. */
async function world({ at = NOW, pace = 'fast' }: { at?: string; pace?: Pace } = {}) {
  // Onboarding takes two seconds.
  const setup = await setUpPayments({ start: Date.parse(at) - 2_000, pace })
  const { api, sandbox, mock } = setup
  const owner = await setup.customer()
  const createVrn = async (body: Body = {}) => {
    const answer = await api.post<Vrn>('/virtual_reference_numbers', {
      synthetic_account_uid: owner.master,
      routing_number: '110000000',
      synchronous_registration: true,
      ...body,
    })
    expect(answer.status).toBe(201)
    return answer.body.uid
  }
  const vrn = await createVrn()
  /** A payment that arrives on the VRN. */
  const receive = (transaction_type: string, us_dollar_amount: number | string = 100, more: Body = {}) =>
    mock({ transaction_type, us_dollar_amount, customer_uid: owner.uid, virtual_reference_number_uid: vrn, ...more })
  const authorize = (uid: string, json: unknown) =>
    api.call<Answered>('PUT', `/transactions/${uid}/authorize`, { json })
  const approve = (uid: string) => authorize(uid, APPROVED)
  const deny = (uid: string, more: Body = {}) => authorize(uid, { ...DENIED, ...more })
  /** Expects that the decision is refused and changes nothing. */
  const tryTo = (uid: string, json: unknown) => expectUnchanged(sandbox, () => authorize(uid, json))
  const master = () => setup.balances(owner.master)
  const statusOf = async (uid: string) => {
    const { status, authorization } = await setup.transaction(uid)
    return [status, authorization?.authorization_status]
  }
  const tasksOf = async (uid: string) => {
    const reply = await sandbox.call('tasks.list', {})
    return (reply as { value: { tasks: Task[] } }).value.tasks.filter(({ record }) => record === uid)
  }
  const linesOf = async (uid: string) => {
    const lists = ['synthetic_line_items', 'custodial_line_items', 'transaction_events']
    const pages = await Promise.all(lists.map((path) => api.get<Page<object>>(`/${path}?transaction_uid=${uid}`)))
    return pages.map(({ body }) => body.total_count)
  }
  const actions = { createVrn, receive, authorize, approve, deny, tryTo }
  return { ...setup, ...actions, owner, vrn, master, statusOf, tasksOf, linesOf }
}

// ── Awaiting a decision ─────────────────────────────────────────────────────────────────────────────────────────────

describe.each(RAILS)('3.4 awaiting decision: %s', (rail) => {
  it.each(PACES)('a payment received on a VRN awaits authorization for 24 h (pace %s)', async (pace) => {
    const { vrn, receive, transaction, tasksOf, list } = await world({ pace })
    const uid = await receive(rail)
    const waiting = await transaction(uid)
    expect(waiting).toMatchObject({
      type: rail,
      status: 'authorization_pending',
      net_asset: 'positive',
      us_dollar_amount: '100.00',
      virtual_reference_number_uid: vrn,
      transfer_uid: null,
      created_at: NOW,
      settled_index: null,
    })
    // No other fields: no decision, no reason.
    expect(waiting.authorization).toEqual({
      ...UNDECIDED,
      authorization_required_by: IN_24_HOURS,
      authorization_status: 'client_approval_pending',
    })
    expect((await tasksOf(uid)).map(({ kind, due_at }) => [kind, due_at])).toEqual([
      ['close authorization', IN_24_HOURS],
    ])
    const [listed] = await list<Transaction>('/transactions?status=authorization_pending')
    expect(listed).toMatchObject({ uid, authorization: waiting.authorization })
  })
})

// ── The decision ────────────────────────────────────────────────────────────────────────────────────────────────────

describe.each(RAILS)('3.4 approved: %s', (rail) => {
  it('"200 with the authorization resource"; the payment settles', async () => {
    const { receive, advance, approve, transaction } = await world()
    const uid = await receive(rail)
    await advance({ by: 'PT1H' })
    const answer = await approve(uid)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        authorization: {
          ...UNDECIDED,
          authorization_finalized_at: '2026-08-14T15:00:00.000Z',
          authorization_required_by: IN_24_HOURS,
          authorization_status: 'client_approved',
        },
      },
    })
    await advance({ until: 'idle' })
    const { authorization } = answer.body
    expect(await transaction(uid)).toMatchObject({ status: 'settled', authorization })
  })

  it('facts 3.18: reason and memo are only for denials', async () => {
    const { receive, authorize, transaction } = await world()
    const uid = await receive(rail)
    const { body } = await authorize(uid, { ...APPROVED, denied_reason: 'vrn_locked', denied_memo: 'who is it?' })
    expect(body.authorization).toMatchObject({ denied_reason: null, denied_memo: null })
    expect((await transaction(uid)).authorization).toEqual(body.authorization)
  })
})

describe.each(RAILS)('3.4 denied: %s', (rail) => {
  it.each(['denied', 'client_denied'])(
    '"Reason and memo recorded"; %s is answered as client_denied',
    async (authorization_status) => {
      const { receive, advance, authorize, transaction, tasksOf } = await world()
      const uid = await receive(rail)
      await advance({ by: 'PT1H' })
      const answer = await authorize(uid, {
        authorization_status,
        denied_reason: 'unauthorized_credit',
        denied_memo: 'who is it?',
      })
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: {
          authorization: {
            authorization_finalized_at: '2026-08-14T15:00:00.000Z',
            authorization_required_by: IN_24_HOURS,
            authorization_status: 'client_denied',
            denied_reason: 'unauthorized_credit',
            denied_memo: 'who is it?',
          },
        },
      })
      const denied = await transaction(uid)
      expect(denied).toMatchObject({ status: 'authorization_denied', settled_index: null })
      expect(denied.authorization).toEqual(answer.body.authorization)
      expect(await tasksOf(uid)).toEqual([])
    },
  )

  it('4.7: the memo is optional', async () => {
    const { receive, deny } = await world()
    for (const more of [{}, { denied_memo: null }])
      expect((await deny(await receive(rail), more)).body.authorization).toMatchObject({ denied_memo: null })
  })

  it('4.7: the reason is "required when denying"', async () => {
    const { receive, tryTo, statusOf } = await world()
    const uid = await receive(rail)
    for (const json of [
      { authorization_status: 'denied' },
      { authorization_status: 'client_denied' },
      { authorization_status: 'client_denied', denied_reason: null },
      { authorization_status: 'client_denied', denied_memo: 'no reason' },
    ])
      expectRefusal(await tryTo(uid, json), 'missingParameter', 'denied_reason is missing')
    expect(await statusOf(uid)).toEqual(['authorization_pending', 'client_approval_pending'])
  })
})

describe('4.7 "Allowed denied_reason values"', () => {
  const REASONS = {
    vrn_archived: ['wire', 'ach'],
    vrn_locked: ['wire', 'ach'],
    international_payment: ['wire'],
    unauthorized_credit: ['wire', 'ach'],
    unauthorized_debit: ['wire'],
    insufficient_funds: ['wire'],
    debit_limit_exceeded: ['ach'],
  } as const satisfies Record<DeniedReason, readonly Rail[]>
  const reasons = Object.keys(REASONS) as DeniedReason[]
  const allows = (rail: Rail) => (reason: DeniedReason) => (REASONS[reason] as readonly Rail[]).includes(rail)

  it.each(RAILS)('%s: each allowed reason is recorded', async (rail) => {
    const { receive, deny, transaction } = await world()
    for (const denied_reason of reasons.filter(allows(rail))) {
      const uid = await receive(rail)
      const { status, body } = await deny(uid, { denied_reason })
      expect({ status, ...body.authorization }).toMatchObject({ status: 200, denied_reason })
      expect((await transaction(uid)).authorization).toMatchObject({ denied_reason })
    }
  })

  it.each([
    ['wire', 1],
    ['ach', 3],
  ] as const)('%s: the %i other reasons are refused', async (rail, count) => {
    const { receive, tryTo } = await world()
    const uid = await receive(rail)
    const refused = reasons.filter((reason) => !allows(rail)(reason))
    expect(refused).toHaveLength(count)
    for (const denied_reason of refused)
      expectRefusal(await tryTo(uid, { ...DENIED, denied_reason }), 'invalidArgument', /^denied_reason: for /)
  })

  it('the rail counts, not the direction: an ACH debit cannot be denied for insufficient funds', async () => {
    const { receive, tryTo, deny } = await world()
    const uid = await receive('ach', -5)
    for (const denied_reason of ['insufficient_funds', 'unauthorized_debit'])
      expectRefusal(await tryTo(uid, { ...DENIED, denied_reason }), 'invalidArgument', /^denied_reason: for ach /)
    expect((await deny(uid, { denied_reason: 'debit_limit_exceeded' })).status).toBe(200)
  })
})

// ── Debits ──────────────────────────────────────────────────────────────────────────────────────────────────────────

it('a debit on a VRN by ACH is paid when it is approved: "Received debits: never refused for lack of funds"', async () => {
  const { receive, approve, master, statusOf, advance, expectBalancedLedger } = await world()
  const uid = await receive('ach', -25)
  await approve(uid)
  expect(await master()).toEqual({ balance: '0.00', pending: '-25.00', available: '-25.00' })
  await advance({ until: 'idle' })
  expect(await statusOf(uid)).toEqual(['settled', 'client_approved'])
  expect(await master()).toEqual({ balance: '-25.00', pending: '0.00', available: '-25.00' })
  await expectBalancedLedger()
})

// ── When it settles ─────────────────────────────────────────────────────────────────────────────────────────────────

describe('rails 8.2: settled at the "later of rail\'s settlement and decision + 1 s"', () => {
  it.each([
    // Pace fast: one second after receipt.
    ['fast', 'wire', '2026-08-14T14:00:00.000Z', '2026-08-14T14:00:00.000Z', '2026-08-14T14:00:01.000Z'],
    ['fast', 'wire', '2026-08-14T14:00:00.000Z', '2026-08-14T14:00:00.400Z', '2026-08-14T14:00:01.400Z'],
    ['fast', 'ach', '2026-08-14T14:00:00.000Z', '2026-08-15T13:59:59.999Z', '2026-08-15T14:00:00.999Z'],
    // A wire takes a minute while Fedwire is open.
    ['real', 'wire', '2026-08-14T14:00:00.000Z', '2026-08-14T14:00:58.999Z', '2026-08-14T14:01:00.000Z'],
    ['real', 'wire', '2026-08-14T14:00:00.000Z', '2026-08-14T14:00:59.500Z', '2026-08-14T14:01:00.500Z'],
    ['real', 'wire', '2026-08-14T14:00:00.000Z', '2026-08-14T19:00:00.000Z', '2026-08-14T19:00:01.000Z'],
    // Friday 18:44 and 18:45 in New York, decided on Saturday: the later one waits for Sunday 21:00.
    ['real', 'wire', '2026-08-14T22:44:00.000Z', '2026-08-15T14:00:00.000Z', '2026-08-15T14:00:01.000Z'],
    ['real', 'wire', '2026-08-14T22:45:00.000Z', '2026-08-15T14:00:00.000Z', '2026-08-17T01:01:00.000Z'],
    // ACH settles at 08:30 of the next banking day, over the weekend and over Thanksgiving.
    ['real', 'ach', '2026-08-14T20:59:00.000Z', '2026-08-15T20:58:59.999Z', '2026-08-17T12:30:00.000Z'],
    ['real', 'ach', '2026-08-16T14:00:00.000Z', '2026-08-17T12:29:59.500Z', '2026-08-17T12:30:00.500Z'],
    ['real', 'ach', '2026-08-16T14:00:00.000Z', '2026-08-17T13:00:00.000Z', '2026-08-17T13:00:01.000Z'],
  ] as const)('%s, %s: in %s, decided %s, settled %s', async (pace, rail, at, decided, settled) => {
    const { receive, advance, approve, transaction } = await world({ at, pace })
    const uid = await receive(rail)
    await advance({ to: decided })
    await approve(uid)
    await advance({ to: ms(settled, -1) })
    expect((await transaction(uid)).status).toBe('pending')
    await advance({ to: settled })
    expect(await transaction(uid)).toMatchObject({ status: 'settled', settled_at: settled })
  })
})

// ── The window ──────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.7 "decision window expired"', () => {
  it.each([
    ['approved', APPROVED],
    ['denied', DENIED],
  ])('one millisecond before its end it is %s', async (word, json) => {
    const { receive, advance, authorize } = await world()
    const uid = await receive('wire')
    await advance({ to: ms(IN_24_HOURS, -1) })
    const { status, body } = await authorize(uid, json)
    expect({ status, ...body.authorization }).toMatchObject({
      status: 200,
      authorization_status: `client_${word}`,
      authorization_finalized_at: '2026-08-15T13:59:59.999Z',
    })
  })

  it('6010: at its end and after, also for a missing or wrong reason', async () => {
    const { receive, advance, tryTo } = await world()
    const uid = await receive('wire')
    const wrong = [{ authorization_status: 'denied' }, { ...DENIED, denied_reason: 'debit_limit_exceeded' }]
    for (const late of [0, 1, 3_600_000]) {
      await advance({ to: ms(IN_24_HOURS, late) })
      for (const json of [APPROVED, DENIED, ...wrong]) expectRefusal(await tryTo(uid, json), 'authorizationExpired')
    }
  })

  it.each([
    ['approved', APPROVED],
    ['denied', DENIED],
  ])(
    '6009: "Authorization status does not allow updates": once %s, within the window and after it',
    async (_, json) => {
      const { receive, advance, authorize, tryTo } = await world()
      for (const rail of RAILS) {
        const uid = await receive(rail)
        await authorize(uid, json)
        for (const by of ['PT0S', 'PT1S', 'PT23H59M58.999S', 'PT0.001S', 'PT1H']) {
          await advance({ by })
          for (const decision of [APPROVED, DENIED]) expectRefusal(await tryTo(uid, decision), 'authorizationFinal')
        }
      }
    },
  )

  it('of two simultaneous decisions one counts', async () => {
    const { receive, approve, deny, statusOf } = await world()
    const uid = await receive('wire')
    const answers = await Promise.all([approve(uid), deny(uid)])
    const [won] = answers.filter(({ status }) => status === 200)
    const [lost] = answers.filter(({ status }) => status !== 200)
    expectRefusal(lost!, 'authorizationFinal')
    expect((await statusOf(uid))[1]).toBe(won!.body.authorization.authorization_status)
  })

  it.each([1, 72])('another window: %i hours', async (authorization_hours) => {
    const { configure, receive, advance, approve, tryTo, transaction } = await world()
    await configure({ authorization_hours })
    const [first, second] = [await receive('wire'), await receive('wire')]
    const by = ms(NOW, authorization_hours * 3_600_000)
    expect((await transaction(first)).authorization?.authorization_required_by).toBe(by)
    await advance({ to: ms(by, -1) })
    expect((await approve(first)).status).toBe(200)
    await advance({ to: by })
    expectRefusal(await tryTo(second, APPROVED), 'authorizationExpired')
  })

  it('a payment that already awaits authorization keeps its window if the Program changes', async () => {
    const { configure, receive, advance, approve } = await world()
    const uid = await receive('wire')
    await configure({ authorization_hours: 1 })
    await advance({ by: 'PT23H' })
    expect((await approve(uid)).status).toBe(200)
  })

  it.each([
    ['back', '2026-10-31T16:00:00.000Z', '2026-11-01T16:00:00.000Z'],
    ['forward', '2027-03-13T17:00:00.000Z', '2027-03-14T17:00:00.000Z'],
  ])('rails 1.3: 24 h are "elapsed time, not wall time", when clocks go %s', async (_, at, by) => {
    const { receive, advance, approve, transaction, tryTo } = await world({ at, pace: 'real' })
    const [first, second] = [await receive('wire'), await receive('wire')]
    expect((await transaction(first)).authorization?.authorization_required_by).toBe(by)
    await advance({ to: ms(by, -1) })
    expect((await approve(first)).status).toBe(200)
    await advance({ to: by })
    expectRefusal(await tryTo(second, APPROVED), 'authorizationExpired')
  })
})

describe.each(RAILS)('unanswered: %s', (rail) => {
  it.each([
    ['facts 4.4: "Timeout → client_unanswered_auto_approved"', 'approve', 'pending'],
    ['a Program can deny it automatically, without a reason', 'deny', 'authorization_denied'],
  ] as const)('%s', async (_, unanswered_authorization, status) => {
    const { configure, receive, advance, transaction } = await world()
    await configure({ unanswered_authorization })
    const uid = await receive(rail)
    const { fired } = await advance({ to: IN_24_HOURS })
    const closed = await transaction(uid)
    const decision = unanswered_authorization === 'deny' ? 'denied' : 'approved'
    const authorization_status = `client_unanswered_auto_${decision}`
    expect(fired.filter(({ record }) => record === uid)).toMatchObject([
      { at: IN_24_HOURS, task: 'close authorization', outcome: authorization_status },
    ])
    expect(closed.status).toBe(status)
    expect(closed.authorization).toEqual({
      ...UNDECIDED,
      authorization_finalized_at: IN_24_HOURS,
      authorization_required_by: IN_24_HOURS,
      authorization_status,
    })
  })
})

// ── Payments without authorization ──────────────────────────────────────────────────────────────────────────────────

describe('4.7 "transaction ineligible for authorization"', () => {
  it('6011: a payment that was not received on a VRN, and an instant payment on one', async () => {
    const { receive, tryTo, transaction, advance } = await world()
    const uids = [await receive('instant_payment')]
    for (const rail of ['wire', 'ach', 'instant_payment'])
      uids.push(await receive(rail, 100, { virtual_reference_number_uid: null }))
    for (const status of ['pending', 'settled']) {
      for (const uid of uids) {
        const received = await transaction(uid)
        expect(received.status).toBe(status)
        expect(received).not.toHaveProperty('authorization')
        for (const json of [APPROVED, DENIED]) expectRefusal(await tryTo(uid, json), 'authorizationIneligible')
      }
      await advance({ by: 'PT1S' })
    }
  })

  it('6011: originated Transfers', async () => {
    const { owner, fund, account, pay, tryTo } = await world()
    await fund(owner, '10.00')
    for (const category of ['general', 'ach_external', 'wire_external', 'instant_payment_external'] as const) {
      const { transaction_uids } = await pay(owner, owner.master, await account(owner, category), '1.00')
      expectRefusal(await tryTo(transaction_uids[0]!, APPROVED), 'authorizationIneligible')
    }
  })

  it('6011: a payment received before the Program used authorization', async () => {
    const { configure, receive, tryTo, transaction, advance } = await world({ pace: 'real' })
    await configure({ client_authorization: false })
    const uid = await receive('ach')
    expect((await transaction(uid)).status).toBe('pending')
    await configure({ client_authorization: true })
    expectRefusal(await tryTo(uid, DENIED), 'authorizationIneligible')
    await advance({ to: '2026-08-17T12:30:00.000Z' })
    expect((await transaction(uid)).status).toBe('settled')
  })

  it.each(RAILS)('6012: the Program does not use authorization; a %s on a VRN settles without it', async (rail) => {
    const { configure, receive, tryTo, transaction, advance } = await world()
    await configure({ client_authorization: false })
    const uid = await receive(rail)
    expect(Object.keys(await transaction(uid))).not.toContain('authorization')
    expectRefusal(await tryTo(uid, APPROVED), 'authorizationDisabled')
    await advance({ by: 'PT1S' })
    expect((await transaction(uid)).status).toBe('settled')
  })

  it('6012: after authorization is switched off, an awaiting payment can only expire', async () => {
    const { configure, receive, tryTo, statusOf, advance } = await world()
    const uid = await receive('wire')
    await configure({ client_authorization: false })
    expectRefusal(await tryTo(uid, DENIED), 'authorizationDisabled')
    await advance({ to: IN_24_HOURS })
    expectRefusal(await tryTo(uid, DENIED), 'authorizationDisabled')
    expect((await statusOf(uid))[1]).toBe('client_unanswered_auto_approved')
  })
})

// ── Locked and archived VRNs ────────────────────────────────────────────────────────────────────────────────────────

describe.each([
  ['locked', 'vrn_locked'],
  ['archived', 'vrn_archived'],
] as const)('facts 4.4: a payment to a VRN that is %s', (state, denied_reason) => {
  async function closed() {
    const setup = await world()
    const path = `/virtual_reference_numbers/${setup.vrn}`
    const answer =
      state === 'locked'
        ? await setup.api.call('PUT', `${path}/lock`, { json: { lock_reason: 'admin' } })
        : await setup.api.call('DELETE', path)
    expect(answer.status).toBe(state === 'locked' ? 200 : 204)
    return setup
  }

  it('is auto_denied immediately and holds no money', async () => {
    const { owner, fund, vrn, receive, transaction, master, linesOf, tasksOf, advance, expectBalancedLedger } =
      await closed()
    await fund(owner, '10.00')
    const untouched = { balance: '10.00', pending: '0.00', available: '10.00' }
    for (const [rail, amount] of [
      ['wire', 100],
      ['ach', 100],
      ['ach', -100],
      ['instant_payment', 100],
    ] as const) {
      const uid = await receive(rail, amount)
      const denied = await transaction(uid)
      expect(denied).toMatchObject({ type: rail, status: 'authorization_denied', virtual_reference_number_uid: vrn })
      expect(denied.authorization).toEqual({
        ...UNDECIDED,
        authorization_finalized_at: denied.created_at,
        authorization_status: 'auto_denied',
        denied_reason,
      })
      expect(await master()).toEqual(untouched)
      expect(await tasksOf(uid)).toEqual([])
      await advance({ by: 'P7D' })
      expect((await transaction(uid)).status).toBe('authorization_denied')
      expect(await linesOf(uid)).toEqual([0, 0, 0])
    }
    expect(await master()).toEqual(untouched)
    await expectBalancedLedger()
  })

  it('6009: refuses a decision at any time', async () => {
    const { receive, tryTo, advance } = await closed()
    const uid = await receive('wire')
    expectRefusal(await tryTo(uid, APPROVED), 'authorizationFinal')
    await advance({ by: 'P7D' })
    expectRefusal(await tryTo(uid, DENIED), 'authorizationFinal')
  })

  it('is denied in a Program without client authorization, too', async () => {
    const { configure, receive, statusOf } = await closed()
    await configure({ client_authorization: false })
    expect(await statusOf(await receive('ach'))).toEqual(['authorization_denied', 'auto_denied'])
  })
})

describe('a VRN that changes while a payment awaits authorization', () => {
  it('after a lock or an archiving the Client still decides', async () => {
    const { api, vrn, receive, approve, deny, statusOf, advance } = await world()
    const [first, second] = [await receive('wire'), await receive('wire')]
    await api.call('PUT', `/virtual_reference_numbers/${vrn}/lock`, { json: { lock_reason: 'admin' } })
    expect(await statusOf(first)).toEqual(['authorization_pending', 'client_approval_pending'])
    expect((await deny(first, { denied_reason: 'vrn_locked' })).status).toBe(200)
    await api.call('DELETE', `/virtual_reference_numbers/${vrn}`)
    expect((await approve(second)).status).toBe(200)
    await advance({ until: 'idle' })
    expect(await statusOf(second)).toEqual(['settled', 'client_approved'])
  })

  it('after an unlock payments await authorization again', async () => {
    const { api, vrn, receive, statusOf } = await world()
    const turn = (way: string, json?: object) =>
      api.call('PUT', `/virtual_reference_numbers/${vrn}/${way}`, json ? { json } : {})
    await turn('lock', { lock_reason: 'customer_request' })
    expect((await statusOf(await receive('wire')))[1]).toBe('auto_denied')
    await turn('unlock')
    expect((await statusOf(await receive('wire')))[1]).toBe('client_approval_pending')
  })

  it('a lock does not affect other VRNs', async () => {
    const { api, createVrn, receive, statusOf } = await world()
    const other = await createVrn()
    await api.call('PUT', `/virtual_reference_numbers/${other}/lock`, { json: { lock_reason: 'admin' } })
    expect((await statusOf(await receive('wire')))[1]).toBe('client_approval_pending')
  })
})

// ── Effects on other operations ─────────────────────────────────────────────────────────────────────────────────────

describe('while a payment awaits authorization', () => {
  it('its account cannot be archived: it "has a pending transfer"', async () => {
    const { api, refused, owner, account, createVrn, receive, deny } = await world()
    const general = await account(owner, 'general')
    const uid = await receive('wire', 5, {
      virtual_reference_number_uid: await createVrn({ synthetic_account_uid: general }),
    })
    const archive = () => api.call('DELETE', `/synthetic_accounts/${general}`)
    await refused(archive, 'syntheticAccountHasTransfer')
    await deny(uid)
    expect((await archive()).status).toBe(204)
  })

  it('4.5 rule 6: the archival of its Customer continues only after the decision', async () => {
    const { api, owner, receive, deny, advance } = await world()
    const uid = await receive('wire', 5)
    await api.call('DELETE', `/customers/${owner.uid}`)
    await advance({ by: 'PT12H' })
    expect((await api.get(`/customers/${owner.uid}`)).body.status).toBe('pending_archival')
    expect((await deny(uid)).status).toBe(200)
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${owner.uid}`)).body.status).toBe('archived')
  })
})
