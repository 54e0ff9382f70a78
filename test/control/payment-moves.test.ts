import { describe, expect, it } from 'vitest'
import {
  achReturnCodes,
  instantPaymentRejections,
  nocCodes,
  returnCodesFor,
} from '../../src/api/contract/network-codes.ts'
import type { Return } from '../../src/api/contract/resources/returns.ts'
import { type Transaction, TransactionStatus } from '../../src/api/contract/resources/transactions.ts'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import { RegistrationStatus, type Vrn } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { controlOf } from '../support/bridges.ts'
import { expectRefusal } from '../support/client.ts'
import { refusingCalls } from '../support/operator.ts'
import { ACH, type Category, returnBody, setUpPayments } from '../support/payments.ts'
import { putRecord } from '../support/world.ts'

/** What a bank or a network would decide about a payment, and about a VRN. */

const MOVES = [
  'settle',
  'fail',
  'expire',
  'return',
  'approve',
  'deny',
  'cash the check',
  'notify of change',
  're-present',
] as const

async function deciding(options: Partial<SandboxOptions> = {}) {
  const told = await setUpPayments(options)
  const { api, sandbox, customer, fund, account, pay, mock, balances } = told
  const control = controlOf(sandbox)
  const of = await customer()
  await fund(of, 1000)
  const moves = async (uid: string, collection = 'transactions') =>
    (await control['moves.list']({ collection, uid })).moves
  const legal = async (uid: string, collection?: string) =>
    (await moves(uid, collection)).filter((one) => one.legal).map(({ move }) => move)
  const make = (uid: string, move: string, inputs?: Record<string, unknown>, collection = 'transactions') =>
    control['moves.make']({ collection, uid, move, ...(inputs ? { inputs } : {}) })
  const refused = refusingCalls(sandbox)
  /** Sent to a counterparty, or taken from it. */
  const sent = async (category: Category, { amount = '40.00', debit = false, more = {}, party = {} } = {}) => {
    const other = await account(of, category, party)
    const [from, to] = debit ? [other, of.master] : [of.master, other]
    const transfer = await pay(of, from, to, amount, more)
    return { uid: transfer.transaction_uids[0]!, transfer_uid: transfer.uid, other }
  }
  const settled = async (...given: Parameters<typeof sent>) => {
    const payment = await sent(...given)
    await make(payment.uid, 'settle')
    return payment
  }
  const received = (transaction_type: string, us_dollar_amount: number, more: object = {}) =>
    mock({ transaction_type, customer_uid: of.uid, us_dollar_amount, ...more })
  const back = async (uid: string, more: object = {}) => {
    const answer = await api.post<Return>('/returns', returnBody(uid, of.uid, more))
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }
  const master = () => balances(of.master)
  /** Nothing that waits, and nothing that went wrong, for this record. */
  const tasksOf = async (uid: string) =>
    (await control['tasks.list']({})).tasks.filter((task) => task.record === uid || task.failed !== null)
  return { ...told, control, of, moves, legal, make, refused, sent, settled, received, back, master, tasksOf }
}

type Deciding = Awaited<ReturnType<typeof deciding>>

const FREE = (balance: string) => ({ balance, pending: '0.00', available: balance })

// ── Which moves there are ────────────────────────────────────────────────────────────────────────────────────────

const NOT_ASKED = 'no authorization is pending'
const NO_CHECK = 'it is not a paper check'
const ON_ITS_WAY = (status: string) => `its status is ${status}; it must be queued or pending`

describe('moves.list: "the legal next moves of a record, each with its inputs; the illegal ones with the reason"', () => {
  it('every decision with its inputs and its result', async () => {
    const { sent, moves } = await deciding()
    const { uid } = await sent('ach_external')
    const code = (codes: object, required = true) => ({ name: 'code', required, values: Object.keys(codes) })
    const denied_reasons = ['vrn_archived', 'vrn_locked', 'debit_limit_exceeded', 'unauthorized_credit']
    expect((await moves(uid)).map(({ move, to, inputs }) => [move, to, inputs])).toEqual([
      ['settle', 'settled', []],
      ['fail', 'failed', [code(instantPaymentRejections, false)]],
      ['expire', 'expired', []],
      ['return', 'settled', [code(returnCodesFor('credit'))]],
      ['approve', 'pending', []],
      [
        ...['deny', 'authorization_denied'],
        [
          { name: 'denied_reason', required: true, values: denied_reasons },
          { name: 'denied_memo', required: false },
        ],
      ],
      ['cash the check', 'settled', []],
      ['notify of change', 'settled', [code(nocCodes), { name: 'corrected_data', required: false }]],
      ['re-present', 'queued', []],
    ])
  })

  it('an outgoing ACH, in every state: the possible decisions, and the reasons against others', async () => {
    const story = await deciding()
    const { sent, moves, legal, make, refused } = story
    const { uid } = await sent('ach_external')
    const expected: Partial<Record<TransactionStatus, string[]>> = {
      queued: ['settle', 'fail'],
      pending: ['settle', 'fail'],
      settled: ['return', 'notify of change'],
    }
    for (const status of TransactionStatus.options) {
      putRecord(story.sandbox, 'transactions', uid, { status })
      const own = expected[status] ?? []
      expect([status, await legal(uid)]).toEqual([status, own])
      const reasons: Record<(typeof MOVES)[number], string> = {
        settle: ON_ITS_WAY(status),
        fail: ON_ITS_WAY(status),
        expire: 'only a card authorization can expire',
        return: `its status is ${status}, not settled`,
        approve: NOT_ASKED,
        deny: NOT_ASKED,
        'cash the check': NO_CHECK,
        're-present': 'it has not been returned with R01 or R09',
        'notify of change': `its status is ${status}; it must be settled`,
      }
      for (const move of MOVES) {
        const why_not = own.includes(move) ? null : reasons[move]
        expect((await moves(uid)).find((one) => one.move === move)).toMatchObject({ legal: why_not === null, why_not })
        if (why_not !== null)
          await refused(() => make(uid, move, { code: 'R02' }), 'invalidArgument', `${move}: ${why_not}`)
      }
    }
  })

  it.each([
    ['a received ACH', 'ach', 'it came from outside: POST /returns returns it'],
    ['a received wire', 'wire', 'its type is wire, not ach'],
    ['a received instant payment', 'instant_payment', 'its type is instant_payment, not ach'],
  ])('%s: pending, then settled for good', async (_what, rail, why_not) => {
    const { received, legal, moves, make, refused } = await deciding()
    const uid = await received(rail, 40)
    expect(await legal(uid)).toEqual(['settle', 'fail'])
    await make(uid, 'settle')
    const noc = 'only an ACH of the Client can get a notification of change'
    expect((await moves(uid)).map((one) => one.why_not)).toEqual([
      ...[ON_ITS_WAY('settled'), ON_ITS_WAY('settled'), 'only a card authorization can expire'],
      ...[why_not, NOT_ASKED, NOT_ASKED, NO_CHECK, noc],
      'only an ACH of the Client can be re-presented',
    ])
    await refused(() => make(uid, 'return', { code: 'R02' }), 'invalidArgument', `return: ${why_not}`)
    await refused(() => make(uid, 'notify of change', { code: 'C01' }), 'invalidArgument', `notify of change: ${noc}`)
  })

  it.each(['wire_external', 'instant_payment_external', 'general'] as const)(
    'a payment of our own to %s: queued, pending, then settled for good',
    async (category) => {
      const { sent, legal, advance } = await deciding()
      const { uid } = await sent(category)
      expect(await legal(uid)).toEqual(['settle', 'fail'])
      await advance({ until: 'next' })
      if (category !== 'general') expect(await legal(uid)).toEqual(['settle', 'fail'])
      await advance({ until: 'idle' })
      expect(await legal(uid)).toEqual([])
    },
  )

  it('4.7: a pending authorization is decided by the operator for the Client, or automatically, not by a bank', async () => {
    const { api, of, received, legal, make, transaction, tasksOf, advance, master, moves } = await deciding()
    const vrn = await api.post<Vrn>('/virtual_reference_numbers', {
      synthetic_account_uid: of.master,
      routing_number: '110000000',
    })
    const on = { virtual_reference_number_uid: vrn.body.uid }
    const [approved, denied] = [await received('wire', 40, on), await received('wire', 50, on)]
    for (const uid of [approved, denied]) {
      expect((await transaction(uid)).status).toBe('authorization_pending')
      expect(await legal(uid)).toEqual(['approve', 'deny'])
      expect((await moves(uid))[0]!.why_not).toBe(ON_ITS_WAY('authorization_pending'))
    }
    const authorize = (uid: string, json: object) => api.call('PUT', `/transactions/${uid}/authorize`, { json })
    await authorize(denied, { authorization_status: 'denied', denied_reason: 'unauthorized_credit' })
    expect(await legal(denied)).toEqual([])
    await authorize(approved, { authorization_status: 'client_approved' })
    expect(await legal(approved)).toEqual(['settle', 'fail'])
    const settled = await make(approved, 'settle')
    await advance({ by: 'P2D' })
    expect({ ...(await transaction(approved)) }).toEqual(settled)
    expect(await tasksOf(approved)).toEqual([])
    expect(await master()).toEqual(FREE('1040.00'))
  })
})

describe('an invalid decision', () => {
  it('an unknown name is refused with the list of valid names', async () => {
    const { sent, make, refused } = await deciding()
    const { uid } = await sent('ach_external')
    for (const name of ['cancel', 'Settle', '__proto__', 'toString', ''])
      await refused(() => make(uid, name), 'invalidArgument', `there is no move ${name}; there are ${MOVES.join(', ')}`)
  })

  it('a record of another collection and an unknown field are refused', async () => {
    const { of, sent, make, moves, refused, control } = await deciding()
    const { uid } = await sent('ach_external')
    for (const ask of [moves, (one: string, collection: string) => make(one, 'settle', {}, collection)])
      for (const collection of ['transactions', 'virtual_reference_numbers'])
        await refused(() => ask(of.uid, collection), 'routeNotFound', `${collection} holds no record ${of.uid}`)
    const input = { collection: 'transactions', uid, move: 'settle', code: 'R01' }
    await refused(() => control['moves.make'](input as never), 'invalidArgument', /code/)
    await refused(() => make(uid, 'settle', 'now' as never), 'invalidArgument', /^inputs/)
  })

  it('returns the record as the API shows it', async () => {
    const { sent, make, transaction } = await deciding()
    const { uid } = await sent('ach_external')
    const answer = await make(uid, 'settle')
    expect(answer).toEqual(await transaction(uid))
    expect(answer).not.toHaveProperty('will_fail')
  })
})

// ── Settle ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is decided of a payment on its way is final: no task is left, and nothing changes later. */
async function expectFinal({ transaction, tasksOf, advance, expectBalancedLedger }: Deciding, uid: string) {
  const done = await transaction(uid)
  expect(await tasksOf(uid)).toEqual([])
  expect((await advance({ until: 'idle' })).fired).toEqual([])
  await advance({ business_days: 3 })
  expect(await transaction(uid)).toEqual(done)
  await expectBalancedLedger()
}

describe.each([
  ['an ACH credit', 'ach_external', false, 2],
  ['an ACH debit', 'ach_external', true, 2],
  ['a wire', 'wire_external', false, 1],
  ['an instant payment', 'instant_payment_external', false, 1],
  ['a book transfer', 'general', false, 0],
] as const)('%s, queued or pending', (_what, category, debit, begins) => {
  const froms = begins === 0 ? (['queued'] as const) : (['queued', 'pending'] as const)
  /** The payment in this status, and when that was. */
  async function sentIn(status: 'queued' | 'pending') {
    const story = await deciding({ pace: 'fast' })
    const payment = await story.sent(category, { debit })
    if (status === 'pending') await story.advance({ by: `PT${begins}S` })
    const one = await story.transaction(payment.uid)
    expect(one.status).toBe(status)
    const at = Date.parse(one.created_at) + (status === 'pending' ? begins * 1000 : 0)
    return { story, at: new Date(at).toISOString(), ...payment }
  }

  it.each(froms)('%s: it settles now, its Transfer too, and never again', async (from) => {
    const { story, at, uid, transfer_uid, other } = await sentIn(from)
    const { make, transaction, transfer, master, list, balances } = story
    await make(uid, 'settle')
    const done = await transaction(uid)
    expect(done).toMatchObject({ status: 'settled', settled_at: at, settled_index: 2 })
    expect(await transfer(transfer_uid)).toMatchObject({ status: 'settled', transaction_uids: [uid] })
    expect(await master()).toEqual(FREE(debit ? '1040.00' : '960.00'))
    if (category === 'general') expect(await balances(other)).toEqual(FREE('40.00'))
    expect(done.transaction_event_uids).toHaveLength(category === 'general' ? 0 : 1)
    expect(await list(`/synthetic_line_items?transaction_uid=${uid}`)).toHaveLength(2)
    expect(await list(`/custodial_line_items?transaction_uid=${uid}`)).toHaveLength(category === 'general' ? 0 : 2)
    await expectFinal(story, uid)
  })

  it.each(froms)('%s: it fails now, its Transfer too, and what it held is free', async (from) => {
    const { story, uid, transfer_uid } = await sentIn(from)
    const { make, transaction, transfer, master, list } = story
    await make(uid, 'fail')
    const failed = { status: 'failed', settled_index: null, settled_at: null, transaction_event_uids: [] }
    const done = await transaction(uid)
    expect(done).toMatchObject(failed)
    expect(done.instant_payment?.failure_code).toBe(category === 'instant_payment_external' ? 'ERR302' : undefined)
    expect((await transfer(transfer_uid)).status).toBe('failed')
    expect(await master()).toEqual(FREE('1000.00'))
    expect(await list(`/synthetic_line_items?transaction_uid=${uid}`)).toEqual([])
    await expectFinal(story, uid)
  })
})

describe('settle', () => {
  it.each(['ach', 'wire', 'instant_payment'])('a received %s, credit and debit', async (rail) => {
    const { received, make, transaction, advance, master, tasksOf, expectBalancedLedger } = await deciding({
      pace: 'real',
    })
    for (const [amount, after] of [
      [40, '1040.00'],
      [-50, '990.00'],
    ] as const) {
      const uid = await received(rail, amount)
      await make(uid, 'settle')
      expect((await transaction(uid)).status).toBe('settled')
      expect(await master()).toEqual(FREE(after))
      expect(await tasksOf(uid)).toEqual([])
    }
    await advance({ business_days: 3 })
    expect(await master()).toEqual(FREE('990.00'))
    await expectBalancedLedger()
  })

  it('the operator can settle a payment that its data would fail', async () => {
    const { settled, transfer, transaction, advance, master } = await deciding()
    const { uid, transfer_uid } = await settled('wire_external', { party: { name: 'fail me' } })
    await advance({ until: 'idle' })
    expect([(await transaction(uid)).status, (await transfer(transfer_uid)).status]).toEqual(['settled', 'settled'])
    expect(await master()).toEqual(FREE('960.00'))
  })

  it('after the decision, the other bank returns an ACH as its account number forces', async () => {
    const { settled, transfer, advance, list } = await deciding()
    const { transfer_uid } = await settled('ach_external', { party: { account_number: '79903' } })
    await advance({ until: 'idle' })
    expect((await transfer(transfer_uid)).transaction_uids).toHaveLength(2)
    expect(await list('/transactions?type=ach_return&status=settled')).toHaveLength(1)
  })

  it('at the pace of real banks the statement is written at the close of that business day', async () => {
    const { settled, transaction, advance } = await deciding({ pace: 'real' })
    const { uid } = await settled('ach_external')
    expect((await transaction(uid)).statement_posted_at).toBeNull()
    const statement_posted_at = '2026-08-15T00:00:00.000Z'
    await advance({ to: statement_posted_at })
    expect(await transaction(uid)).toMatchObject({ settled_at: '2026-08-14T14:00:02.000Z', statement_posted_at })
  })

  it.each(['queued', 'pending'])('the Transaction of a Return that is %s: the Return settles with it', async (from) => {
    const { api, received, make, back, advance, master, transaction, tasksOf, expectBalancedLedger } = await deciding()
    const uid = await received('ach', 40)
    await make(uid, 'settle')
    const made = await back(uid, { ach: { ach_return_code: 'R02' } })
    if (from === 'pending') await advance({ by: 'PT1S' })
    await make(made.return_transaction_uid, 'settle')
    const read = async () => (await api.get<Return>(`/returns/${made.uid}`)).body.status
    expect([await read(), (await transaction(made.return_transaction_uid)).status]).toEqual(['settled', 'settled'])
    expect((await transaction(uid)).status).toBe('settled')
    expect(await master()).toEqual(FREE('1000.00'))
    expect(await tasksOf(made.return_transaction_uid)).toEqual([])
    expect((await advance({ until: 'idle' })).fired).toEqual([])
    expect(await read()).toBe('settled')
    await expectBalancedLedger()
  })
})

// ── Fail ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('fail', () => {
  it('an instant payment fails with a given code and reason; the default is ERR302', async () => {
    const { of, account, pay, make, master, expectBalancedLedger } = await deciding()
    const party = await account(of, 'instant_payment_external')
    const failing = async (inputs?: Record<string, unknown>) => {
      const { transaction_uids } = await pay(of, of.master, party, '1.00')
      return ((await make(transaction_uids[0]!, 'fail', inputs)) as unknown as Transaction).instant_payment
    }
    const usual = { failure_code: 'ERR302', failure_reason: 'Payment not accepted' }
    expect(await failing()).toMatchObject(usual)
    expect(await failing({})).toMatchObject(usual)
    for (const [failure_code, failure_reason] of Object.entries(instantPaymentRejections))
      expect(await failing({ code: failure_code })).toMatchObject({ failure_code, failure_reason })
    expect(await master()).toEqual(FREE('1000.00'))
    await expectBalancedLedger()
  })

  it('a code that the network does not have is refused', async () => {
    const { sent, make, refused } = await deciding()
    const { uid } = await sent('instant_payment_external')
    for (const code of ['R01', 'ERR9', 'err302', '', '__proto__', 'toString', 302, null, ['ERR302']])
      await refused(() => make(uid, 'fail', { code }), 'invalidArgument', /^code must be one of ERR050, /)
  })

  it('the Transaction of a Return: the Return fails with it, and its Transfer stays settled', async () => {
    const { api, settled, make, back, transfer, transaction, master, advance } = await deciding()
    const { uid, transfer_uid } = await settled('ach_external', { debit: true })
    const made = await back(uid)
    expect(await master()).toEqual({ balance: '1040.00', pending: '-40.00', available: '1000.00' })
    await make(made.return_transaction_uid, 'fail')
    expect((await api.get<Return>(`/returns/${made.uid}`)).body.status).toBe('failed')
    expect((await transfer(transfer_uid)).status).toBe('settled')
    expect((await transaction(uid)).status).toBe('settled')
    expect(await master()).toEqual(FREE('1040.00'))
    expect((await advance({ until: 'idle' })).fired).toEqual([])
  })

  it('4.5 rule 4: "when […] the ACH fails, a paper check is mailed": archival continues after the decision', async () => {
    const { api, of, account, make, advance, list, expectBalancedLedger } = await deciding({ pace: 'real' })
    await account(of, 'ach_external')
    await api.call('DELETE', `/customers/${of.uid}`)
    const [refund] = await list<Transfer>('/transfers')
    await make(refund!.transaction_uids[0]!, 'fail')
    await advance({ until: 'next' })
    const checks = await list<Transaction>('/transactions?type=other')
    expect(checks).toMatchObject([{ status: 'settled', us_dollar_amount: '1000.00' }])
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${of.uid}`)).body.status).toBe('archived')
    await expectBalancedLedger()
  })
})

// ── Return ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('return', () => {
  it.each([
    ['a credit', false, '960.00', '40.00', '960.00', 'positive', 'odfi_ach_deposit'],
    ['a debit', true, '1040.00', '-40.00', '1000.00', 'negative', 'odfi_ach_withdrawal'],
  ] as const)(
    'of %s: a new Transaction of the same Transfer, pending, settled as entries from outside are',
    async (_what, debit, balance, pending, available, net_asset, type) => {
      const { settled, make, transaction, transfer, master, advance, list, expectBalancedLedger, legal, of } =
        await deciding()
      const { uid, transfer_uid, other } = await settled('ach_external', { debit })
      expect(await master()).toEqual(FREE(balance))
      const before = await transaction(uid)
      const answer = await make(uid, 'return', { code: 'R03' })
      const code = { ach_return_code: 'R03', ach_return_reason: 'No account or unable to locate account' }
      expect(answer).toEqual({ ...before, ach: { ...before.ach, ...code } })
      expect(await transaction(uid)).toEqual(answer)

      const { transaction_uids, status } = await transfer(transfer_uid)
      expect(status).toBe('settled')
      expect(transaction_uids).toHaveLength(2)
      const back = await transaction(transaction_uids.find((one) => one !== uid)!)
      const [source, destination] = debit ? [of.master, other] : [other, of.master]
      expect(back).toMatchObject({
        type: 'ach_return',
        status: 'pending',
        us_dollar_amount: '40.00',
        net_asset,
        return_uid: null,
        transfer_uid,
        source_synthetic_account_uid: source,
        destination_synthetic_account_uid: destination,
        ach: code,
      })
      expect(await master()).toEqual({ balance, pending, available })
      await advance({ by: 'PT0.999S' })
      expect((await transaction(back.uid)).status).toBe('pending')
      await advance({ by: 'PT0.001S' })
      expect((await transaction(back.uid)).status).toBe('settled')
      expect(await master()).toEqual(FREE('1000.00'))
      expect(await list(`/transaction_events?transaction_uid=${back.uid}`)).toMatchObject([{ type, net_asset }])
      expect((await advance({ until: 'idle' })).fired).toEqual([])
      expect(await legal(uid)).toEqual(['notify of change'])
      expect(await legal(back.uid)).toEqual([])
      await expectBalancedLedger()
    },
  )

  it('with every return code of another bank', async () => {
    const { of, account, pay, make, transaction, transfer, advance, master } = await deciding()
    const party = await account(of, 'ach_external')
    for (const [ach_return_code, { reason, hits }] of Object.entries(achReturnCodes)) {
      const [from, to] = hits === 'debit' ? [party, of.master] : [of.master, party]
      const { uid, transaction_uids } = await pay(of, from, to, '1.00', {
        ach: { ...ACH, effective_entry_date: '2026-08-14' },
      })
      await make(transaction_uids[0]!, 'settle')
      await make(transaction_uids[0]!, 'return', { code: ach_return_code })
      const told = { ach_return_code, ach_return_reason: reason }
      for (const one of (await transfer(uid)).transaction_uids) expect((await transaction(one)).ach).toMatchObject(told)
    }
    await advance({ until: 'idle' })
    expect(await master()).toEqual(FREE('1000.00'))
  })

  it.each([
    ['return', ['R99', 'r01', 'C01', 'ERR302', '', '__proto__', 1, null, ['R01']], 'R01'],
    ['notify of change', ['C08', 'C14', 'c01', 'R01', '', '__proto__', 1, null], 'C01'],
  ])('%s: 1003 without a code, 1007 with an unknown one', async (move, codes, first) => {
    const { settled, make, refused } = await deciding()
    const { uid } = await settled('ach_external')
    for (const inputs of [undefined, {}])
      await refused(() => make(uid, move, inputs), 'missingParameter', 'code is missing')
    const extra = new RegExp(`^code must be one of ${first}, `)
    for (const code of codes) await refused(() => make(uid, move, { code }), 'invalidArgument', extra)
  })

  it('only once, also after a return of the Client', async () => {
    const { settled, make, refused, back, mock, legal, advance } = await deciding()
    const payments = [await settled('ach_external'), await settled('ach_external'), await settled('ach_external')]
    const [byBank, byUs, byMock] = payments as [(typeof payments)[0], (typeof payments)[0], (typeof payments)[0]]
    await make(byBank.uid, 'return', { code: 'R02' })
    await back(byUs.uid)
    await mock({ transaction_type: 'ach_return', transaction_uid: byMock.uid })
    for (const step of [() => undefined, () => advance({ until: 'idle' })]) {
      await step()
      for (const { uid } of [byBank, byUs, byMock]) {
        expect(await legal(uid)).toEqual(['notify of change'])
        const again = 'return: it has been returned already'
        await refused(() => make(uid, 'return', { code: 'R02' }), 'invalidArgument', again)
      }
    }
  })

  it('unknown inputs of a move are refused, and the known ones named', async () => {
    const { settled, make, refused } = await deciding()
    const { uid } = await settled('ach_external')
    for (const [move, inputs, extra] of [
      ['return', { Code: 'R02' }, 'inputs: return has no input Code; it has code'],
      ['return', { code: 'R02', reason: 'x' }, 'inputs: return has no input reason; it has code'],
      ['notify of change', { kode: 'C01' }, 'inputs: notify of change has no input kode; it has code, corrected_data'],
    ] as const)
      await refused(() => make(uid, move, inputs), 'invalidArgument', extra)
    const open = await settled('ach_external')
    await refused(
      () => make(open.uid, 'return', { code: 'R02', a: 1, b: 2 }),
      'invalidArgument',
      /no input a, b; it has code$/,
    )
  })

  it('a return code fits its direction: R01 is no answer to a credit', async () => {
    const { settled, make, moves, transaction, refused } = await deciding()
    const { uid } = await settled('ach_external')
    await refused(
      () => make(uid, 'return', { code: 'R01' }),
      'invalidArgument',
      /^code: R01 returns debits, and this is a credit, which fits R02, .*R23/,
    )
    const { values = [] } = (await moves(uid)).find(({ move }) => move === 'return')!.inputs[0]!
    expect(values).toEqual(expect.arrayContaining(['R02', 'R23']))
    expect(values).not.toContain('R01')
    await make(uid, 'return', { code: 'R23' })
    expect((await transaction(uid)).ach?.ach_return_code).toBe('R23')
  })

  it('again, once the first return has failed', async () => {
    const { settled, make, legal, transfer, list, advance, master } = await deciding()
    const { uid, transfer_uid } = await settled('ach_external')
    await make(uid, 'return', { code: 'R02' })
    const [first] = await list<Transaction>('/transactions?type=ach_return')
    await make(first!.uid, 'fail')
    expect((await transfer(transfer_uid)).status).toBe('settled')
    expect(await legal(uid)).toEqual(['return', 'notify of change'])
    await make(uid, 'return', { code: 'R02' })
    await advance({ until: 'idle' })
    expect(await master()).toEqual(FREE('1000.00'))
    expect((await list<Transaction>('/transactions?type=ach_return')).map(({ status }) => status)).toEqual([
      'settled',
      'failed',
    ])
  })

  it('a reversal has no return code, also after failed attempts', async () => {
    const { settled, make, list, back, transaction } = await deciding()
    const { uid } = await settled('ach_external')
    await make(uid, 'return', { code: 'R02' })
    const [first] = await list<Transaction>('/transactions?type=ach_return')
    await make(first!.uid, 'fail')
    const { ach } = await transaction((await back(uid)).return_transaction_uid)
    expect(ach).toMatchObject({ ach_return_code: null, ach_return_reason: null })
  })

  it('a payment that its account number returns later is not returned twice', async () => {
    const { settled, make, advance, list, master, transaction } = await deciding()
    const { uid } = await settled('ach_external', { party: { account_number: '79903' } })
    await make(uid, 'return', { code: 'R02' })
    const { fired } = await advance({ until: 'idle' })
    expect(fired.find(({ task }) => task === 'receive return')?.outcome).toMatch(/^not returned/)
    expect(await list('/transactions?type=ach_return')).toHaveLength(1)
    expect((await transaction(uid)).ach?.ach_return_code).toBe('R02')
    expect(await master()).toEqual(FREE('1000.00'))
  })

  it('a return cannot be returned', async () => {
    const { settled, make, list, moves, advance } = await deciding()
    const { uid } = await settled('ach_external')
    await make(uid, 'return', { code: 'R02' })
    await advance({ until: 'idle' })
    const [one] = await list<Transaction>('/transactions?type=ach_return')
    const byName = new Map((await moves(one!.uid)).map((move) => [move.move, move]))
    expect(byName.get('return')?.why_not).toBe('its type is ach_return, not ach')
    expect(byName.get('notify of change')?.why_not).toMatch(/^only an ACH of the Client/)
  })

  it('3.8 "archived = balance 0.00": payments of an archived account cannot be returned', async () => {
    const { api, of, fund, account, pay, make, advance, balances, expectBalancedLedger } = await deciding()
    const savings = await account(of, 'general')
    await fund(of, 40, savings)
    const { transaction_uids } = await pay(of, savings, await account(of, 'ach_external'), '40.00')
    await make(transaction_uids[0]!, 'settle')
    expect((await api.call('DELETE', `/synthetic_accounts/${savings}`)).status).toBe(204)
    await make(transaction_uids[0]!, 'return', { code: 'R03' }).catch(() => undefined)
    await advance({ until: 'idle' })
    expect(await balances(savings)).toEqual(FREE('0.00'))
    await expectBalancedLedger()
  })
})

// ── Notification of change ───────────────────────────────────────────────────────────────────────────────────────

describe('notify of change: rails-facts 2.7', () => {
  const NUMBER = '12345678901234560'
  const SHORT = '7100010'
  const ROUTING = '021000021'
  const NAME = 'Northern Mill Co'

  /** The columns of each layout: what stands in them, and where. */
  const LAYOUTS: Readonly<Record<string, Readonly<Record<string, readonly [from: number, to: number]>>>> = {
    C01: { account: [1, 17] },
    C02: { routing: [1, 9] },
    C03: { routing: [1, 9], blank: [10, 12], account: [13, 29] },
    C04: { name: [1, 22] },
    C05: { code: [1, 2] },
    C06: { account: [1, 17], blank: [18, 20], code: [21, 22] },
    C07: { routing: [1, 9], account: [10, 26], code: [27, 28] },
    C09: { id: [1, 22] },
    C13: {},
  }

  it('the codes are these: "offer C01–C07, C09, C13 as operator moves"', () => {
    expect(Object.keys(nocCodes)).toEqual(Object.keys(LAYOUTS))
  })

  describe.each([
    ['a credit to a checking account', false, 'checking', NUMBER, '32'],
    ['a credit to a savings account', false, 'savings', SHORT, '22'],
    ['a debit from a checking account', true, 'checking', SHORT, '37'],
    ['a debit from a savings account', true, 'savings', NUMBER, '27'],
  ] as const)('of %s', (_what, debit, account_type, account_number, transaction_code) => {
    it('each code has its correction at its position', async () => {
      const { of, account, pay, make, transaction, transfer, master, list, expectBalancedLedger } = await deciding()
      const ach = { account_type, counterparty_name: NAME }
      const other = await account(of, 'ach_external', { account_number, ach })
      const [from, to] = debit ? [other, of.master] : [of.master, other]
      for (const [code, columns] of Object.entries(LAYOUTS)) {
        const { uid: transfer_uid, transaction_uids } = await pay(of, from, to, '1.00')
        const uid = transaction_uids[0]!
        await make(uid, 'settle')
        const before = await transaction(uid)
        const around = async () => [await master(), await transfer(transfer_uid), (await list('/transactions')).length]
        const calm = await around()
        const answer = (await make(uid, 'notify of change', { code })) as unknown as Transaction
        const data = answer.ach!.noc_corrected_data
        expect(answer).toEqual({
          ...before,
          ach: { ...before.ach, noc_code: code, noc_reason: nocCodes[code], noc_corrected_data: data },
        })
        expect(await transaction(uid)).toEqual(answer)
        // No money moves, and nothing new is made.
        expect(await around()).toEqual(calm)
        expect([code, data == null]).toEqual([code, code === 'C13'])
        if (data == null) continue

        expect(data, code).toBe(data.trim())
        expect(data.length, code).toBeLessThanOrEqual(Math.max(...Object.values(columns).map(([, last]) => last)))
        const at = ([first, last]: readonly [number, number]) => data.slice(first - 1, last)
        const stands: Record<string, (text: string) => void> = {
          blank: (text) => expect(text, code).toBe('   '),
          routing: (text) => {
            expect(text, code).toMatch(/^\d{9}$/)
            expect(text, code).not.toBe(ROUTING)
          },
          account: (text) => {
            expect(text.trimEnd(), code).toMatch(new RegExp(`^\\d{${account_number.length}}$`))
            expect(text.trimEnd(), code).not.toBe(account_number)
          },
          name: (text) => {
            expect(text, code).toMatch(/^\S/)
            expect(text, code).not.toBe(NAME)
          },
          code: (text) => expect(text, `${code}: live codes are 22/27 and 32/37, credit/debit`).toBe(transaction_code),
          id: (text) => expect(text, code).toMatch(/^[a-zA-Z0-9 ]+$/),
        }
        for (const [what, place] of Object.entries(columns)) stands[what]!(at(place))
      }
      await expectBalancedLedger()
    })
  })

  it('uses given corrected data: "trimmed, with inner blanks kept", one field of 29 characters', async () => {
    const { settled, make } = await deciding()
    const { uid } = await settled('ach_external')
    const given = async (corrected_data: string) =>
      ((await make(uid, 'notify of change', { code: 'C04', corrected_data })) as unknown as Transaction).ach
        ?.noc_corrected_data
    expect(await given('Aaron  Velazquez')).toBe('Aaron  Velazquez')
    expect(await given('  Aaron Velazquez   ')).toBe('Aaron Velazquez')
    expect((await given('x'.repeat(40)))!.length).toBeLessThanOrEqual(29)
    expect(await given(`${'x'.repeat(28)} y`)).toBe('x'.repeat(28))
    expect(await given('')).toBe(NAME.toUpperCase())
  })

  it('a later one replaces an earlier one completely', async () => {
    const { settled, make, transaction } = await deciding()
    const { uid } = await settled('ach_external')
    await make(uid, 'notify of change', { code: 'C01' })
    await make(uid, 'notify of change', { code: 'C02', corrected_data: '011401533' })
    expect((await transaction(uid)).ach).toMatchObject({
      noc_code: 'C02',
      noc_reason: 'Incorrect routing number',
      noc_corrected_data: '011401533',
    })
    await make(uid, 'notify of change', { code: 'C13' })
    const { ach } = await transaction(uid)
    expect(ach).toMatchObject({ noc_code: 'C13', noc_reason: 'Addenda format error' })
    expect(ach!.noc_corrected_data, '"blank: nothing to correct by data"').toBeNull()
  })

  it('1007: corrected data that is not text', async () => {
    const { settled, make, refused } = await deciding()
    const { uid } = await settled('ach_external')
    for (const corrected_data of [5, true, {}, ['x']])
      await refused(
        () => make(uid, 'notify of change', { code: 'C01', corrected_data }),
        'invalidArgument',
        /^corrected_data/,
      )
  })

  it('also applies to a prenote', async () => {
    const { settled, make } = await deciding()
    const { uid } = await settled('ach_external', { amount: '0.00', more: { ach: { ...ACH, prenote: true } } })
    expect(await make(uid, 'notify of change', { code: 'C05' })).toMatchObject({ ach: { noc_code: 'C05' } })
  })

  it('applies only to the original: a later return or reversal does not have it', async () => {
    const { settled, make, back, transaction, list } = await deciding()
    const [returned, reversed] = [await settled('ach_external'), await settled('ach_external')]
    for (const { uid } of [returned, reversed]) await make(uid, 'notify of change', { code: 'C01' })
    await make(returned.uid, 'return', { code: 'R02' })
    await back(reversed.uid)
    for (const type of ['ach_return', 'initiated_ach_reversal']) {
      const [made] = await list<Transaction>(`/transactions?type=${type}`)
      const none = { noc_code: null, noc_reason: null, noc_corrected_data: null }
      expect((await transaction(made!.uid)).ach).toMatchObject(none)
    }
    expect((await transaction(returned.uid)).ach).toMatchObject({ noc_code: 'C01', ach_return_code: 'R02' })
  })
})

// ── VRNs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('decisions on a VRN: its registration for instant payments', () => {
  async function registering(options: Partial<SandboxOptions> = {}) {
    const story = await deciding(options)
    const { api, of, sandbox, legal, make, moves } = story
    const create = async (more: object = {}) => {
      const body = { synthetic_account_uid: of.master, routing_number: '110000000', ...more }
      return (await api.post<Vrn>('/virtual_reference_numbers', body)).body.uid
    }
    const read = async (uid: string) => (await api.get<Vrn>(`/virtual_reference_numbers/${uid}`)).body
    const state = async (uid: string) => (await read(uid)).instant_payment_rail_registration_status
    const put = (uid: string, instant_payment_rail_registration_status: RegistrationStatus) =>
      putRecord(sandbox, 'virtual_reference_numbers', uid, { instant_payment_rail_registration_status })
    const vrns = 'virtual_reference_numbers' as const
    return {
      ...story,
      create,
      read,
      state,
      put,
      legal: async (uid: string) => (await legal(uid, vrns)).filter((move) => move in FROM),
      moves: async (uid: string) => (await moves(uid, vrns)).filter(({ move }) => move in FROM),
      make: (uid: string, move: string, inputs?: Record<string, unknown>) => make(uid, move, inputs, vrns),
    }
  }
  const FROM = { register: ['pending', 'failed'], 'fail registration': ['pending'] }

  it('in every registration status each decision is executed, or refused with its reason; none once it is archived', async () => {
    const { api, create, put, read, moves, make, refused } = await registering()
    for (const status of RegistrationStatus.options)
      for (const [move, from] of Object.entries(FROM)) {
        const uid = await create()
        put(uid, status)
        const legal = from.includes(status)
        const why_not = legal ? null : `its registration is ${status}; it must be ${from.join(' or ')}`
        const to = move === 'register' ? 'registered' : 'failed'
        expect((await moves(uid)).find((one) => one.move === move)).toEqual({ move, to, inputs: [], legal, why_not })
        const after = { ...(await read(uid)), instant_payment_rail_registration_status: to }
        if (legal) {
          expect(await make(uid, move)).toEqual(after)
          expect(await read(uid)).toEqual(after)
        } else await refused(() => make(uid, move), 'invalidArgument', `${move}: ${why_not}`)
        put(uid, status)
        expect((await api.call('DELETE', `/virtual_reference_numbers/${uid}`)).status).toBe(204)
        expect((await moves(uid)).map((one) => [one.move, one.why_not])).toEqual(
          Object.keys(FROM).map((name) => [name, 'the VRN is archived']),
        )
        await refused(() => make(uid, move), 'invalidArgument', `${move}: the VRN is archived`)
      }
  })

  it.each([
    ['register', 'A', 'registered'],
    ['fail registration', 'A', 'failed'],
    ['register', 'instant payment fail', 'registered'],
    ['fail registration', 'instant payment fail', 'failed'],
  ])('%s, of one named %s, while it is pending: no later task decides again', async (move, name, expected) => {
    const { create, state, make, advance, tasksOf } = await registering()
    const uid = await create({ name })
    expect(await state(uid)).toBe('pending')
    await make(uid, move)
    expect(await state(uid)).toBe(expected)
    expect(await tasksOf(uid)).toEqual([])
    expect((await advance({ until: 'idle' })).fired).toEqual([])
    await advance({ by: 'PT1H' })
    expect(await state(uid)).toBe(expected)
  })

  it('3.9: a registered VRN accepts instant payments, a failed one does not; it can be registered later', async () => {
    const { api, of, create, make, received, transaction, state } = await registering()
    const uid = await create()
    const body = {
      transaction_type: 'instant_payment',
      customer_uid: of.uid,
      us_dollar_amount: 5,
      virtual_reference_number_uid: uid,
    }
    const mock = () => api.post('/sandbox/mock_transactions', body)
    expectRefusal(await mock(), 'invalidArgument', /registration for instant payments is pending/)
    await make(uid, 'fail registration')
    expectRefusal(await mock(), 'invalidArgument', /registration for instant payments is failed/)
    await make(uid, 'register')
    expect(await state(uid)).toBe('registered')
    const paid = await received('instant_payment', 5, { virtual_reference_number_uid: uid })
    expect(await transaction(paid)).toMatchObject({ status: 'pending', virtual_reference_number_uid: uid })
  })

  it('without instant payments in the Program, registration is not possible', async () => {
    const { create, configure, state, legal, make, refused } = await registering()
    await configure({ transaction_types: ['ach', 'wire'] })
    const uid = await create()
    expect(await state(uid)).toBe('unregistered')
    expect(await legal(uid)).toEqual([])
    await refused(
      () => make(uid, 'register'),
      'invalidArgument',
      'register: its registration is unregistered; it must be pending or failed',
    )
  })

  it('a locked VRN can be registered, because a lock is not a state', async () => {
    const { api, create, legal, make, read } = await registering()
    const uid = await create()
    await api.call('PUT', `/virtual_reference_numbers/${uid}/lock`, { json: { lock_reason: 'admin' } })
    expect(await legal(uid)).toEqual(['register', 'fail registration'])
    await make(uid, 'register')
    expect(await read(uid)).toMatchObject({
      status: 'active',
      lock_reason: 'admin',
      instant_payment_rail_registration_status: 'registered',
    })
  })
})

// ── Every record ─────────────────────────────────────────────────────────────────────────────────────────────────

describe('decisions on other records', () => {
  it('a Transfer has the decisions of its Transaction, and follows it', async () => {
    const { sent, moves, legal, make, transaction } = await deciding()
    const { uid, transfer_uid } = await sent('wire_external')
    expect(await moves(transfer_uid, 'transfers')).toEqual(await moves(uid))
    expect(await make(transfer_uid, 'settle', {}, 'transfers')).toMatchObject({ uid: transfer_uid, status: 'settled' })
    expect((await transaction(uid)).status).toBe('settled')
    expect(await legal(transfer_uid, 'transfers')).toEqual([])
  })

  it('a Return has the decisions of its own Transaction', async () => {
    const { received, make, back, legal, transaction } = await deciding()
    const uid = await received('ach', 40)
    await make(uid, 'settle')
    const made = await back(uid, { ach: { ach_return_code: 'R02' } })
    expect(await legal(made.uid, 'returns')).toEqual(['settle', 'fail'])
    expect(await make(made.uid, 'fail', {}, 'returns')).toMatchObject({ uid: made.uid, status: 'failed' })
    expect((await transaction(made.return_transaction_uid)).status).toBe('failed')
  })

  it('an account is archived by the rules of the API; a refusal gives the reason', async () => {
    const { of, sent, moves, make, refused, advance, account } = await deciding()
    const why = async (uid: string) =>
      (await moves(uid, 'synthetic_accounts')).flatMap(({ move, why_not }) =>
        move === 'archive' ? [[move, why_not]] : [],
      )
    expect(await why(of.master)).toEqual([
      ['archive', 'The master Synthetic Account for a Customer cannot be archived.'],
    ])
    const { other } = await sent('ach_external')
    expect(await why(other)).toEqual([['archive', 'It has a pending transfer']])
    await refused(
      () => make(other, 'archive', {}, 'synthetic_accounts'),
      'invalidArgument',
      'archive: It has a pending transfer',
    )
    await advance({ until: 'idle' })
    expect(await make(other, 'archive', {}, 'synthetic_accounts')).toMatchObject({ status: 'archived' })
    expect(await why(other)).toEqual([['archive', 'its status is archived']])
    const general = await account(of, 'general')
    expect(await why(general)).toEqual([['archive', null]])
  })

  it('a VRN is locked, unlocked and archived', async () => {
    const { api, of, legal, make, refused } = await deciding()
    const body = { synthetic_account_uid: of.master, routing_number: '110000000', synchronous_registration: true }
    const { uid } = (await api.post<Vrn>('/virtual_reference_numbers', body)).body
    const act = (move: string, inputs = {}) => make(uid, move, inputs, 'virtual_reference_numbers')
    expect(await legal(uid, 'virtual_reference_numbers')).toEqual(['lock', 'archive'])
    await refused(() => act('lock', { lock_reason: 'because' }), 'invalidArgument', /^lock_reason/)
    expect(await act('lock', { lock_reason: 'admin' })).toMatchObject({ lock_reason: 'admin' })
    expect(await legal(uid, 'virtual_reference_numbers')).toEqual(['unlock', 'archive'])
    expect(await act('unlock')).toMatchObject({ locked_at: null })
    expect(await act('archive')).toMatchObject({ status: 'archived' })
    expect(await legal(uid, 'virtual_reference_numbers')).toEqual([])
    await refused(() => act('lock', { lock_reason: 'admin' }), 'invalidArgument', 'lock: Cannot use archived VRN')
  })

  it('most collections have no decisions', async () => {
    const { of, moves, make, refused, list } = await deciding()
    const [line] = await list<{ uid: string }>('/synthetic_line_items')
    expect(await moves(line!.uid, 'synthetic_line_items')).toEqual([])
    expect(await moves(of.pool, 'pools')).toEqual([])
    await refused(
      () => make(of.pool, 'settle', {}, 'pools'),
      'invalidArgument',
      'there is no move settle; there are none',
    )
  })
})
