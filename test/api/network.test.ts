import { describe, expect, it } from 'vitest'
import type { Return } from '../../src/api/contract/resources/returns.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import { endingFor, type NumberOutcomes, outcomesOfNumber } from '../../src/api/contract/triggers.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'
import { refusing } from '../support/world.ts'

/** Other banks answer an ACH of the Client, and the Client can react to their answers. */

async function setUp() {
  const setup = await setUpPayments()
  const { api, customer, fund, account, pay, advance, list } = setup
  const olive = await customer()
  await fund(olive, '1000.00')
  /** Sent to the account with this number, or taken from it, and settled; nothing else has happened since. */
  async function settled(account_number: string, direction: 'credit' | 'debit' = 'credit') {
    const other = await account(olive, 'ach_external', { account_number })
    const [from, to] = direction === 'credit' ? [olive.master, other] : [other, olive.master]
    const { uid: transfer_uid, transaction_uids } = await pay(olive, from, to, '40.00')
    await advance({ by: 'PT5S' })
    const uid = transaction_uids[0]!
    expect((await setup.transaction(uid)).status).toBe('settled')
    return { uid, transfer_uid, other }
  }
  const reverse = (original_transaction_uid: string) =>
    api.post<Return>('/returns', returnBody(original_transaction_uid, olive.uid))
  /** The returns by other banks, oldest first. */
  const returned = async () => (await list<Transaction>('/transactions?type=ach_return')).reverse()
  const settledBalance = async () => (await setup.balances(olive.master)).balance
  return { ...setup, olive, settled, reverse, returned, settledBalance }
}

// ── Notices of change ───────────────────────────────────────────────────────────────────────────────────────────────

/** What an entry was sent with, and where in the corrected data its corrections are. */
interface Sent {
  account_number: string
  routing_number: string
  counterparty_name: string
  account_type: string
  id_number: string
  addenda: string | null
}
const FIRST: Sent = {
  account_number: '71239800',
  routing_number: '021000021',
  counterparty_name: 'Northern Mill Co',
  account_type: 'checking',
  id_number: 'EMP 4471',
  addenda: 'Invoice 7',
}
const typeOf = (code: string) => (code.startsWith('3') ? 'savings' : 'checking')
const CORRECTIONS: Readonly<Record<string, (data: string) => Partial<Sent>>> = {
  C01: (data) => ({ account_number: data }),
  C02: (data) => ({ routing_number: data }),
  C03: (data) => ({ routing_number: data.slice(0, 9), account_number: data.slice(12) }),
  C04: (data) => ({ counterparty_name: data }),
  C05: (data) => ({ account_type: typeOf(data) }),
  C06: (data) => ({ account_number: data.slice(0, 17).trim(), account_type: typeOf(data.slice(20)) }),
  C07: (data) => ({
    routing_number: data.slice(0, 9),
    account_number: data.slice(9, 26).trim(),
    account_type: typeOf(data.slice(26)),
  }),
  C09: (data) => ({ id_number: data }),
  C13: () => ({ addenda: null }),
}

const passesCheckDigit = (routing: string) =>
  [...routing].reduce((sum, digit, i) => sum + Number(digit) * [3, 7, 1][i % 3]!, 0) % 10 === 0

describe('a notice of change can be followed', () => {
  it.each(Object.entries(CORRECTIONS))('%s: its correction derives from what was sent, and ends it', async (...row) => {
    const [code, read] = row
    const { api, olive, account, pay, advance, transaction } = await setUp()
    /** Opens the account as it is known by then, sends it an entry, and archives it, so that it can be opened again. */
    async function send({ account_number, routing_number, counterparty_name, account_type, ...entry }: Sent) {
      const ach = { account_type, counterparty_name }
      const party = await account(olive, 'ach_external', { account_number, routing_number, ach })
      const payment = await pay(olive, olive.master, party, '1.00', { ach: { ...ACH, ...entry } })
      await advance({ until: 'idle' })
      expect((await api.call('DELETE', `/synthetic_accounts/${party}`)).status).toBe(204)
      return (await transaction(payment.transaction_uids[0]!)).ach
    }
    const sent: Sent = { ...FIRST, account_number: `71239 98${code.slice(1)}`.replace(' ', '') }
    const notice = await send(sent)
    expect(notice?.noc_code).toBe(code)
    const correction = read(notice?.noc_corrected_data ?? '')
    for (const [field, value] of Object.entries(correction)) expect(value).not.toBe(sent[field as keyof Sent])
    if (correction.account_number) {
      expect(correction.account_number).toHaveLength(sent.account_number.length)
      expect(outcomesOfNumber(correction.account_number)).toEqual({})
    }
    if (correction.routing_number) expect(correction.routing_number).toSatisfy(passesCheckDigit)
    if (correction.id_number) expect(correction.id_number).toContain(sent.id_number)
    expect((await send({ ...sent, ...correction }))?.noc_code).toBeNull()
  })

  it('a correction of the operator is another number, too, and forces nothing', async () => {
    const { settled, move, transaction } = await setUp()
    for (const number of ['7128801', '7199970301', '5', '70000']) {
      const { uid } = await settled(number)
      await move('transactions', uid, 'notify of change', { code: 'C01' })
      const corrected = (await transaction(uid)).ach?.noc_corrected_data ?? ''
      expect(corrected).not.toBe(number)
      expect([corrected.length, outcomesOfNumber(corrected)]).toEqual([number.length, {}])
    }
  })
})

// ── Returns ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('a return can come late by data', () => {
  it.each(['fast', 'real'] as const)(
    'at pace %s it settles on the banking day that the account number names',
    async (pace) => {
      const { sandbox, settled, advance, returned, transaction } = await setUp()
      const { uid } = await settled('71970501', 'debit')
      await sandbox.call('clock.set', { pace })
      expect((await transaction(uid)).settled_at).toMatch(/^2026-08-14/)
      // The fifth banking day after Friday the 14th.
      await advance({ to: '2026-08-20T20:59:59.999Z' })
      expect(await returned()).toEqual([])
      await advance({ to: '2026-08-20T21:00:00.000Z' })
      expect(await returned()).toMatchObject([{ status: 'pending', ach: { ach_return_code: 'R01' } }])
      await advance({ to: '2026-08-21T12:30:00.000Z' })
      expect(await returned()).toMatchObject([{ status: 'settled', settled_at: '2026-08-21T12:30:00.000Z' }])
    },
  )

  it('the days are 03 to 60, and the code is one of the list; every other number forces nothing', () => {
    expect(outcomesOfNumber('970301')).toEqual({ ach_return: 'R01', return_days: 3 })
    expect(outcomesOfNumber('71976010')).toEqual({ ach_return: 'R10', return_days: 60 })
    for (const number of ['970201', '976101', '970001', '970313', '70301']) expect(outcomesOfNumber(number)).toEqual({})
    // The last four digits count first.
    expect(outcomesOfNumber('979901')).toMatchObject({ ach_return: 'R01' })
    expect(outcomesOfNumber('979901')).not.toHaveProperty('return_days')
  })

  it('the digits of a pseudonym that name no code force nothing: the number that it masks does', () => {
    const late = { ach_return: 'R02', return_days: 10 }
    const masking = (number: string, outcomes: NumberOutcomes) =>
      outcomesOfNumber(number, {
        forced_outcomes: { last_names: {}, names: {}, account_numbers: { [number]: outcomes } },
      })
    expect(masking('4971099', { ach_return: 'R02' })).toEqual({ ach_return: 'R02' })
    for (const number of ['4970215', '4119999', '4971099']) {
      expect(masking(number, late)).toMatchObject(late)
      expect(endingFor(number, 'ach_return')).toBeUndefined()
    }
    expect(endingFor('4971002', 'ach_return')).toBe('971002')
  })

  it('also after its Customer is archived: money that comes back is mailed as a check', async () => {
    const { api, olive, settled, advance, list, returned, settledBalance, expectBalancedLedger } = await setUp()
    await settled('71971502')
    await api.call('DELETE', `/customers/${olive.uid}`)
    await advance({ business_days: 8 })
    const customer = async () => (await api.get(`/customers/${olive.uid}`)).body
    expect([(await customer()).status, await returned()]).toEqual(['archived', []])
    await advance({ business_days: 8 })
    // The payment, and the refund of what was left.
    const amounts = (all: Transaction[]) => all.map((one) => `${one.status} ${one.us_dollar_amount}`)
    expect(amounts(await returned())).toEqual(['settled 40.00', 'settled 960.00'])
    const checks = await list<Transaction>('/transactions?type=other')
    expect(amounts(checks)).toEqual(['settled 1000.00'])
    expect(checks[0]!.description).toMatch(/^Paper check to /)
    expect([(await customer()).status, await settledBalance()]).toEqual(['archived', '0.00'])
    await expectBalancedLedger()
  })

  it('also after its Customer is archived: a debit that comes back leaves a balance below 0', async () => {
    const { api, olive, settled, advance, returned, settledBalance, expectBalancedLedger } = await setUp()
    await settled('71971501', 'debit')
    await api.call('DELETE', `/customers/${olive.uid}`)
    await advance({ business_days: 16 })
    expect((await api.get(`/customers/${olive.uid}`)).body).toMatchObject({
      status: 'archived',
      total_balance: '-40.00',
    })
    expect(await returned()).toMatchObject([{ status: 'settled' }])
    expect(await settledBalance()).toBe('-40.00')
    await expectBalancedLedger()
  })
})

describe('a reversal can be refused by the other bank', () => {
  it.each([
    ['a debit that takes a credit back', 'credit', '719611', 'R11', '960.00'],
    ['a debit that takes a credit back', 'credit', '719617', 'R17', '960.00'],
    ['a credit that gives a debit back', 'debit', '719617', 'R17', '1040.00'],
  ] as const)('%s, sent as %s, to %s with %s: the payment stands, and can be reversed again', async (...row) => {
    const [, direction, number, code, stands] = row
    const { settled, reverse, advance, returned, settledBalance, transaction, expectBalancedLedger } = await setUp()
    const { uid } = await settled(number, direction)
    const { body: reversal } = await reverse(uid)
    await advance({ by: 'PT3S' })
    expect([(await transaction(reversal.return_transaction_uid)).status, await settledBalance()]).toEqual([
      'settled',
      '1000.00',
    ])
    await advance({ until: 'idle' })
    expect(await returned()).toMatchObject([{ status: 'settled', ach: { ach_return_code: code } }])
    expect((await transaction(reversal.return_transaction_uid)).ach?.ach_return_code).toBe(code)
    expect([(await transaction(uid)).return_uid, await settledBalance()]).toEqual([null, stands])
    expect((await reverse(uid)).status).toBe(201)
    await expectBalancedLedger()
  })

  it('R11 refuses debits only, so a credit that gives a debit back is accepted', async () => {
    const { settled, reverse, advance, returned, settledBalance } = await setUp()
    const { uid } = await settled('719611', 'debit')
    await reverse(uid)
    await advance({ until: 'idle' })
    expect([await returned(), await settledBalance()]).toEqual([[], '1000.00'])
  })

  it('by a decision, with R11 or R17 only', async () => {
    const { sandbox, settled, reverse, advance, returned, move } = await setUp()
    const { uid } = await settled('71000')
    const { body } = await reverse(uid)
    await advance({ by: 'PT3S' })
    const of = { collection: 'transactions', uid: body.return_transaction_uid }
    const reply = await sandbox.call('moves.make', { ...of, move: 'return', inputs: { code: 'R02' } })
    expect(JSON.stringify(reply)).toContain('code: a reversal is refused with R11 or R17')
    await move('transactions', of.uid, 'return', { code: 'R11' })
    await advance({ until: 'idle' })
    expect(await returned()).toMatchObject([{ status: 'settled', ach: { ach_return_code: 'R11' } }])
  })
})

describe('R01 and R09 can be re-presented', () => {
  const AGAIN = { collection: 'transactions', move: 're-present' }

  it('twice: each time the Transfer has one more Transaction, and the account number returns it again', async () => {
    const { sandbox, settled, advance, returned, transfer, transaction, settledBalance, expectBalancedLedger } =
      await setUp()
    const { uid, transfer_uid } = await settled('719909', 'debit')
    const again = async (of: string) => JSON.stringify(await sandbox.call('moves.make', { ...AGAIN, uid: of }))
    expect(await again(uid)).toContain('it has not been returned with R01 or R09')
    let latest = uid
    for (const attempt of [1, 2]) {
      await advance({ until: 'idle' })
      expect(await returned()).toHaveLength(attempt)
      expect(await settledBalance()).toBe('1000.00')
      await sandbox.call('moves.make', { ...AGAIN, uid: latest })
      expect(await again(latest)).toContain('is its latest presentment')
      const { status, transaction_uids } = await transfer(transfer_uid)
      expect(status).toBe('settled')
      const payments = await Promise.all(transaction_uids.map(transaction))
      const presented = payments.filter((one) => one.status === 'queued')
      expect(presented).toMatchObject([
        { type: 'ach', us_dollar_amount: '40.00', ach: { entry_description: 'RETRY PYMT', ach_return_code: null } },
      ])
      latest = presented[0]!.uid
      await advance({ by: 'PT5S' })
      expect([(await transaction(latest)).status, await settledBalance()]).toEqual(['settled', '1040.00'])
    }
    await advance({ until: 'idle' })
    expect(await again(latest)).toContain('it has been presented three times, which is all that is allowed')
    expect(await settledBalance()).toBe('1000.00')
    await expectBalancedLedger()
  })

  it('within 180 days of the first settlement, and with no other code', async () => {
    const { sandbox, settled, advance } = await setUp()
    const again = async (uid: string) => JSON.stringify(await sandbox.call('moves.make', { ...AGAIN, uid }))
    const [late, closed] = [(await settled('719901', 'debit')).uid, (await settled('719902', 'debit')).uid]
    await advance({ until: 'idle' })
    expect(await again(closed)).toContain('it has been returned with R02, not with R01 or R09')
    await advance({ by: 'P180D' })
    expect(await again(late)).toContain('the 180 days since its settlement have passed')
  })
})

// ── When a simulated payment settles ────────────────────────────────────────────────────────────────────────────────

describe('a simulated payment settles when its caller says', () => {
  const NOW = '2026-08-14T14:00:00.000Z'

  it.each([
    ['resolve_at', '2026-08-20T09:00:00-04:00', '2026-08-20T13:00:00.000Z'],
    ['after', '36h', '2026-08-16T02:00:00.000Z'],
    ['after', '3 banking days', '2026-08-19T14:00:00.000Z'],
  ])('%s %s: an ACH, a wire, the return of an ACH and a card purchase', async (field, value, at) => {
    const { sandbox, olive, mock, settled, advance, transaction, expectBalancedLedger } = await setUp()
    const { uid } = await settled('71000')
    const when = { [field]: value }
    const body = { customer_uid: olive.uid, ...when }
    const card = await sandbox.call('transactions.inject', {
      movement: 'card_purchase',
      us_dollar_amount: '5.00',
      ...body,
    })
    const uids = [
      await mock({ transaction_type: 'ach', us_dollar_amount: 1, ...body }),
      await mock({ transaction_type: 'wire', us_dollar_amount: 2, ...body }),
      await mock({ transaction_type: 'ach_return', transaction_uid: uid, ...when }),
      (card as unknown as { value: { uid: string } }).value.uid,
    ]
    const now = Date.parse((await transaction(uids[0]!)).created_at)
    const shifted = new Date(Date.parse(at) + (field === 'after' ? now - Date.parse(NOW) : 0))
    const states = async () => Promise.all(uids.map(async (one) => (await transaction(one)).status))
    await advance({ to: new Date(shifted.getTime() - 1).toISOString() })
    expect(await states()).toEqual(uids.map(() => 'pending'))
    await advance({ to: shifted.toISOString() })
    expect(await states()).toEqual(uids.map(() => 'settled'))
    expect((await transaction(uids[0]!)).settled_at).toBe(shifted.toISOString())
    await expectBalancedLedger()
  })

  it.each([
    [
      'in the past',
      'ach',
      { resolve_at: '2026-08-14T13:59:59Z' },
      /^resolve_at: 2026-08-14T13:59:59.000Z is not after .* give a later/,
    ],
    ['the present', 'wire', { after: '0s' }, /^after: .* is not after .* give a later instant$/],
    [
      'no amount of time',
      'ach',
      { after: 'soon' },
      /^after: "soon" is no amount of time such as 36h or 3 banking days$/,
    ],
    ['no fixed instant', 'ach', { after: 'idle' }, /^after: "idle" is no amount of time/],
    [
      'on a rail that does not wait',
      'instant_payment',
      { after: '2h' },
      /^after: a payment by instant_payment does not wait; leave it out$/,
    ],
    [
      'after the horizon',
      'ach',
      { resolve_at: '2027-08-16T14:00:00Z' },
      /^resolve_at: .* is more than 366 days ahead; give an earlier instant$/,
    ],
    [
      'both',
      'ach',
      { resolve_at: '2026-08-20T14:00:00Z', after: '2h' },
      /^resolve_at: after is given, too; give one of them$/,
    ],
  ])('%s is refused, with what to do', async (_what, transaction_type, when, why) => {
    const { sandbox, api, olive } = await setUp()
    await refusing(sandbox)(
      () =>
        api.post('/sandbox/mock_transactions', {
          transaction_type,
          customer_uid: olive.uid,
          us_dollar_amount: 1,
          ...when,
        }),
      'invalidArgument',
      why,
    )
  })

  it('interest does not wait either', async () => {
    const { sandbox, olive } = await setUp()
    const interest = { movement: 'interest', customer_uid: olive.uid, us_dollar_amount: '1.00', after: '2h' }
    expect(JSON.stringify(await sandbox.call('transactions.inject', interest))).toContain('by custodian does not wait')
  })
})

// ── Synthetic Accounts ──────────────────────────────────────────────────────────────────────────────────────────────

describe('a Synthetic Account can be initiated and failed, by its name', () => {
  it.each([
    ['Initiated mill', 'active'],
    ['Account fail mill', 'failed'],
  ])('%s is initiated, and %s after a second', async (name, end) => {
    const { api, sandbox, olive, account, advance, tryToPay } = await setUp()
    const refused = refusing(sandbox)
    const status = async (uid: string) => (await api.get(`/synthetic_accounts/${uid}`)).body.status
    const pay = (to: string) => tryToPay(olive, olive.master, to, '1.00')
    for (const category of ['general', 'ach_external', 'wire_external'] as const) {
      const uid = await account(olive, category, { name: `${name} ${category}` })
      expect(await status(uid)).toBe('initiated')
      await refused(() => pay(uid), 'accountDiscarded', `${uid}: its status is initiated`)
      await advance({ by: 'PT1S' })
      expect(await status(uid)).toBe(end)
      if (end === 'active') expect((await pay(uid)).status).toBe(201)
      else await refused(() => pay(uid), 'accountDiscarded', `${uid}: its status is failed`)
    }
  })

  it('or by a decision, which takes the place of its task; a failed account leaves its name and number free', async () => {
    const { sandbox, api, olive, account, move, advance } = await setUp()
    const like = { name: 'Initiated mill', account_number: '71000' }
    const uid = await account(olive, 'ach_external', like)
    await move('synthetic_accounts', uid, 'fail')
    expect((await api.get(`/synthetic_accounts/${uid}`)).body).toMatchObject({
      status: 'failed',
      closed_at: expect.anything(),
    })
    const second = await account(olive, 'ach_external', like)
    await move('synthetic_accounts', second, 'activate')
    expect((await advance({ until: 'idle' })).fired.filter(({ task }) => task === 'open account')).toEqual([])
    const reply = await sandbox.call('moves.make', { collection: 'synthetic_accounts', uid, move: 'activate' })
    expect(JSON.stringify(reply)).toContain('its status is failed; it must be initiated')
  })
})
