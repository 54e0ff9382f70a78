import { describe, expect, it } from 'vitest'
import { AchReturnCode, type Return } from '../../src/api/contract/resources/returns.ts'
import type {
  CustodialLineItem,
  SyntheticLineItem,
  Transaction,
  TransactionEvent,
} from '../../src/api/contract/resources/transactions.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { createCaller } from '../support/operator.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'

/** "A Return reverses a received or originated payment. It can only be created for eligible, already completed ones." */

const R02 = { ach: { ach_return_code: 'R02' } }

/** A funded Customer, and functions for received payments, sent payments and returns. */
async function returning(options: Partial<SandboxOptions> = {}) {
  const setup = await setUpPayments(options)
  const { api, mock, pay, fund, account, customer, advance, settle } = setup
  const olive = await customer()
  await fund(olive, 1000)
  /** A received pending payment; a negative amount is a debit. */
  const incoming = (transaction_type: string, us_dollar_amount: number, more: object = {}) =>
    mock({ transaction_type, customer_uid: olive.uid, us_dollar_amount, ...more })
  const received = async (...given: Parameters<typeof incoming>) => settle(await incoming(...given))
  /** An originated credit or debit. */
  const sent = async (direction: 'credit' | 'debit', amount: number, ach: object = {}) => {
    const party = await account(olive, 'ach_external')
    const [from, to] = direction === 'credit' ? [olive.master, party] : [party, olive.master]
    const transfer = await pay(olive, from, to, amount, { ach: { ...ACH, ...ach } })
    return { party, transfer, uid: transfer.transaction_uids[0]! }
  }
  const bodyOf = (uid: string, more: object = {}) => returnBody(uid, olive.uid, more)
  const ask = (original_transaction_uid: string, more: object = {}) =>
    api.post<Return>('/returns', bodyOf(original_transaction_uid, more))
  const give = async (original_transaction_uid: string, more: object = {}) => {
    const answer = await ask(original_transaction_uid, more)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }
  const read = async (uid: string) => (await api.get<Return>(`/returns/${uid}`)).body
  const list = async (query = '') => (await api.get<Page<Return>>(`/returns${query}`)).body
  const until = (to: string | number) => advance({ to: new Date(to).toISOString() })
  return { ...setup, olive, incoming, received, sent, bodyOf, ask, give, read, list, until }
}
type Story = Awaited<ReturnType<typeof returning>>

/** Each kind of return: the original payment, the request fields, and the expected result. */
interface Kind {
  readonly original: (story: Story) => Promise<{ uid: string; transfer_uid: string | null; other: string }>
  readonly more: object
  readonly type: string
  /** The way the money takes back, as the Customer sees it. */
  readonly back: 'positive' | 'negative'
  readonly isReceived: boolean
}

const received =
  (rail: 'ach' | 'wire', amount: number): Kind['original'] =>
  async (story) => ({
    uid: await story.received(rail, amount),
    transfer_uid: null,
    other: await story.outside(story.olive),
  })
const sent =
  (direction: 'credit' | 'debit'): Kind['original'] =>
  async (story) => {
    const { uid, transfer, party } = await story.sent(direction, 40)
    return { uid: await story.settle(uid), transfer_uid: transfer.uid, other: party }
  }

const R01 = { ach: { ach_return_code: 'R01' } }
const kinds = (
  [
    ['the return of a received ACH credit', received('ach', 40), R02, 'initiated_ach_return', 'negative'],
    ['the return of a received ACH debit', received('ach', -40), R01, 'initiated_ach_return', 'positive'],
    ['the return of a received wire', received('wire', 40), {}, 'initiated_wire_return', 'negative'],
    ['the reversal of our ACH credit', sent('credit'), {}, 'initiated_ach_reversal', 'positive'],
    ['the reversal of our ACH debit', sent('debit'), {}, 'initiated_ach_reversal', 'negative'],
  ] as const
).map(([name, original, more, type, back]): [string, Kind] => [
  name,
  { original, more, type, back, isReceived: name.includes('received') },
])
const descriptionOf = ({ type, back }: Kind, master: string) => {
  const words = { initiated_ach_return: 'ACH return', initiated_wire_return: 'Wire return' }[type] ?? 'ACH reversal'
  return `${words} ${back === 'negative' ? 'debited from' : 'credited to'} ${master}`
}

describe('1: "A Return reverses a received or originated payment"', () => {
  it.each(kinds)('%s: the Return, its Transaction, and the links between them', async (_name, kind) => {
    const story = await returning()
    const { olive, give, read, transaction, transfer } = story
    const original = await kind.original(story)
    const before = await transaction(original.uid)
    const made = await give(original.uid, { ...kind.more, requestor_type: 'subclient', external_uid: 'r-1' })
    const now = story.sandbox.store.world.clock.at
    expect(made).toEqual({
      uid: expect.stringMatching(/^\w{16}$/),
      external_uid: 'r-1',
      original_transaction_uid: original.uid,
      return_transaction_uid: expect.stringMatching(/^\w{16}$/),
      customer_uid: olive.uid,
      requestor_type: 'subclient',
      return_reason: 'Not ours',
      status: 'queued',
      created_at: now,
      ...kind.more,
      ...('ach' in kind.more && { ach: { ...(kind.more.ach as object), addenda_info: null } }),
    })
    expect(await read(made.uid)).toEqual(made)

    const back = await transaction(made.return_transaction_uid)
    const [source, destination] =
      kind.back === 'negative' ? [olive.master, original.other] : [original.other, olive.master]
    expect(back).toMatchObject({
      type: kind.type,
      status: 'queued',
      us_dollar_amount: '40.00',
      net_asset: kind.back,
      description: descriptionOf(kind, olive.master),
      source_synthetic_account_uid: source,
      destination_synthetic_account_uid: destination,
      customer_uid: olive.uid,
      transfer_uid: original.transfer_uid,
      return_uid: made.uid,
      created_at: now,
      settled_index: null,
      transaction_event_uids: [],
    })
    expect(back.settled_at).toBeNull()
    expect(await transaction(original.uid)).toEqual({ ...before, return_uid: made.uid })
    if (original.transfer_uid) {
      const whole = await transfer(original.transfer_uid)
      expect([whole.status, [...whole.transaction_uids].sort()]).toEqual(['settled', [original.uid, back.uid].sort()])
    }
    const own = await story.list(`?customer_uid=${olive.uid}`)
    expect(own.data.map(({ uid }) => uid)).toEqual([made.uid])
  })

  it.each(kinds)('%s: its status follows its Transaction, and both books are updated', async (_name, kind) => {
    const story = await returning()
    const { olive, give, read, transaction, advance, balances, expectBalancedLedger } = story
    const original = await kind.original(story)
    const [held, freed] = kind.back === 'negative' ? ['-40.00', '1000.00'] : ['40.00', '960.00']
    const settled = kind.back === 'negative' ? '1040.00' : '960.00'
    expect(await balances(olive.master)).toEqual({ balance: settled, pending: '0.00', available: settled })
    const made = await give(original.uid, kind.more)
    const states = async () => [
      (await read(made.uid)).status,
      (await transaction(made.return_transaction_uid)).status,
      (await transaction(original.uid)).status,
    ]
    const settles_after = kind.type === 'initiated_wire_return' ? 2 : 3
    for (const [after, state] of [
      [0, 'queued'],
      [1, 'pending'],
      [settles_after - 1.001, 'pending'],
    ] as const) {
      await advance({ by: `PT${after}S` })
      expect(await states()).toEqual([state, state, 'settled'])
      expect(await balances(olive.master)).toEqual({ balance: settled, pending: held, available: freed })
      await expectBalancedLedger()
    }
    await advance({ by: 'PT0.001S' })
    expect(await states()).toEqual(['settled', 'settled', 'settled'])
    expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
    await expectBalancedLedger()

    const back = await transaction(made.return_transaction_uid)
    const at = Date.parse(made.created_at) + settles_after * 1000
    expect(back.settled_at).toBe(new Date(at).toISOString())
    expect(back.settled_index).toBe((await transaction(original.uid)).settled_index! + 1)

    const [event, ...more] = await lists<TransactionEvent>(story, 'transaction_events', back.uid)
    expect(more).toEqual([])
    const [bank, way] = [kind.isReceived ? 'rdfi' : 'odfi', kind.back === 'negative' ? 'withdrawal' : 'deposit']
    expect(event).toMatchObject({ type: `${bank}_ach_${way}`, net_asset: kind.back, us_dollar_amount: '40.00' })
    expect(back.transaction_event_uids).toEqual([event!.uid])
    const custodial = await lists<CustodialLineItem>(story, 'custodial_line_items', back.uid)
    const accounts = await story.api.get<Page<{ uid: string; type: string }>>(`/custodial_accounts`)
    const typeOf = (uid: string) => accounts.body.data.find((one) => one.uid === uid)!.type
    const moved = custodial.map((line) => [typeOf(line.custodial_account_uid), line.us_dollar_amount])
    const [own, cash] = kind.back === 'negative' ? ['-40.00', '40.00'] : ['40.00', '-40.00']
    expect(Object.fromEntries(moved)).toEqual({
      dda: own,
      [`dda_cash_${kind.isReceived ? 'received' : 'external'}`]: cash,
    })
    expect([...back.custodial_account_uids].sort()).toEqual(
      custodial.map(({ custodial_account_uid }) => custodial_account_uid).sort(),
    )
    const lines = await lists<SyntheticLineItem>(story, 'synthetic_line_items', back.uid)
    expect(Object.fromEntries(lines.map((line) => [line.synthetic_account_uid, line.us_dollar_amount]))).toEqual({
      [olive.master]: own,
      [original.other]: cash,
    })
    expect(await advance({ until: 'idle' })).toMatchObject({ ran: 0 })
  })

  const lists = async <T>(story: Story, what: string, transaction_uid: string) =>
    (await story.api.get<Page<T>>(`/${what}?transaction_uid=${transaction_uid}`)).body.data

  it('a return that the operator fails releases its money, and the original can be returned again', async () => {
    const { olive, received, give, read, move, balances, expectBalancedLedger, transaction } = await returning()
    const uid = await received('ach', 40)
    const first = await give(uid, R02)
    await move('transactions', first.return_transaction_uid, 'fail')
    expect(await read(first.uid)).toMatchObject({ status: 'failed' })
    expect(await balances(olive.master)).toEqual({ balance: '1040.00', pending: '0.00', available: '1040.00' })
    const second = await give(uid, R02)
    expect(second.uid).not.toBe(first.uid)
    expect((await transaction(uid)).return_uid).toBe(second.uid)
    await expectBalancedLedger()
  })

  it('to a general account other than the master account, the return is taken from that account', async () => {
    const { olive, account, received, give, advance, balances, transaction } = await returning()
    const savings = await account(olive, 'general')
    const uid = await received('ach', 40, { synthetic_account_uid: savings })
    const made = await give(uid, R02)
    expect((await transaction(made.return_transaction_uid)).description).toBe(`ACH return debited from ${savings}`)
    await advance({ until: 'idle' })
    expect(await balances(savings)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
    expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
  })
})

// ── Fields of a return ──────────────────────────────────────────────────────────────────────────────────────────────

/** The return codes of rails-facts 2.6 that a client may send: direction and time frame. */
const CODES = {
  R01: { hits: 'debit', days: 2, reason: 'Insufficient funds' },
  R02: { hits: 'both', days: 2, reason: 'Account closed' },
  R03: { hits: 'both', days: 2, reason: 'No account or unable to locate account' },
  R04: { hits: 'both', days: 2, reason: 'Invalid account number structure' },
  R06: { hits: 'both', days: 60, reason: 'Return requested by ODFI' },
  R09: { hits: 'debit', days: 2, reason: 'Uncollected funds' },
  R10: { hits: 'debit', days: 60, reason: 'Customer advises not authorized' },
  R16: { hits: 'both', days: 2, reason: 'Account frozen or OFAC instruction' },
  R17: { hits: 'both', days: 2, reason: 'File record edit criteria' },
  R20: { hits: 'both', days: 2, reason: 'Non-transaction account' },
  R23: { hits: 'credit', days: 60, reason: 'Credit refused by receiver' },
  R29: { hits: 'debit', days: 2, reason: 'Corporate customer advises not authorized' },
  R31: { hits: 'debit', days: 60, reason: 'Permissible return' },
} as const
const codes = Object.entries(CODES)

describe('3.15 the 13 return codes', () => {
  it('are exactly these', () => {
    expect([...AchReturnCode.options].sort()).toEqual(Object.keys(CODES))
  })

  it.each(codes)(
    '%s: returns only entries of its direction, within its time frame',
    async (ach_return_code, { hits, days, reason }) => {
      const { refused, received, ask, give, transaction, until } = await returning()
      const more = { ach: { ach_return_code, addenda_info: 'see letter' } }
      for (const [direction, amount] of [
        ['credit', 40],
        ['debit', -40],
      ] as const) {
        const uid = await received('ach', amount)
        if (hits === 'both' || hits === direction) {
          const made = await give(uid, more)
          expect(made.ach).toEqual(more.ach)
          const { ach } = await transaction(made.return_transaction_uid)
          expect(ach).toMatchObject({ ach_return_code, ach_return_reason: reason, addenda: 'see letter' })
          expect((await transaction(uid)).ach).toMatchObject({ ach_return_code: null })
        } else
          await refused(
            () => ask(uid, more),
            'returnIneligible',
            new RegExp(`^${ach_return_code} returns ${hits}s, and this is a ${direction}, which fits R`),
          )
      }
      const late = await received('ach', hits === 'credit' ? 40 : -40)
      // Settled on Friday 2026-08-14: two banking days end on Tuesday at 08:30 in New York.
      await until('2026-08-18T12:30:00.000Z')
      if (days === 60) expect((await give(late, more)).status).toBe('queued')
      else await refused(() => ask(late, more), 'returnExpired', /2 banking days/)
    },
  )

  it('a return is a separate entry with its own trace id and without the notification of the original', async () => {
    const { received, give, transaction } = await returning()
    const uid = await received('ach', 40, { iat: true, addenda: 'invoice 7' })
    const made = await give(uid, R02)
    const [original, back] = [await transaction(uid), await transaction(made.return_transaction_uid)]
    expect(original.ach?.iat).toBeDefined()
    expect(back.ach).not.toHaveProperty('iat')
    expect(back.ach?.transfer_trace_id).toMatch(/^\w{16}$/)
    expect(back.ach?.transfer_trace_id).not.toBe(original.ach?.transfer_trace_id)
  })

  it('the return of a wire has its own IMAD after settlement', async () => {
    const { received, give, advance, transaction } = await returning()
    const uid = await received('wire', 40, { imad: '20260814ABCDEFGH000001' })
    const made = await give(uid, { wire: { wire_instructions: 'sent back' } })
    expect(made.wire).toEqual({ wire_instructions: 'sent back' })
    expect((await transaction(made.return_transaction_uid)).wire).toMatchObject({ imad: null, chips: null, uetr: null })
    await advance({ until: 'idle' })
    const { wire } = await transaction(made.return_transaction_uid)
    expect(wire).toMatchObject({ imad: expect.stringMatching(/^20260814[A-Z0-9]{8}\d{6}$/), chips: null, uetr: null })
    expect(wire?.imad).not.toBe('20260814ABCDEFGH000001')
  })

  it('a wire by CHIPS is returned like a wire by Fedwire', async () => {
    const { received, give } = await returning()
    expect((await give(await received('wire', 40, { chips: '1234567' }))).status).toBe('queued')
  })
})

// ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The states before and at the two instants. */
const statesAt = (pending: string, settled: string): [number, string][] => [
  [Date.parse(pending) - 1, 'queued'],
  [Date.parse(pending), 'pending'],
  [Date.parse(settled) - 1, 'pending'],
  [Date.parse(settled), 'settled'],
]

// All rows of rails-facts 8.2 and 8.3 are in test/domain/rails.test.ts.
it.each(kinds)('8.2 at the pace of real banks: %s that is requested on Friday at 16:59', async (_name, kind) => {
  const story = await returning({ pace: 'real', start: Date.parse('2026-08-12T14:00:00.000Z') })
  const { give, read, until, transaction } = story
  const original = await kind.original(story)
  await until('2026-08-14T20:59:00Z')
  // After more than two banking days only the long frame is open; the reversal has five.
  const more = kind.type === 'initiated_ach_return' ? { ach: { ach_return_code: 'R06' } } : {}
  const made = await give(original.uid, more)
  const [settled, posted] =
    kind.type === 'initiated_wire_return'
      ? ['2026-08-14T21:09:00.000Z', '2026-08-15T00:00:00.000Z']
      : ['2026-08-17T12:30:00.000Z', '2026-08-18T00:00:00.000Z']
  for (const [to, status] of statesAt('2026-08-14T21:00:00Z', settled)) {
    await until(to)
    expect((await read(made.uid)).status).toBe(status)
    expect((await transaction(made.return_transaction_uid)).status).toBe(status)
  }
  const back = () => transaction(made.return_transaction_uid)
  expect(await back()).toMatchObject({ settled_at: settled, statement_posted_at: null })
  await until(posted)
  expect(await back()).toMatchObject({ statement_posted_at: posted })
})

const SETTLED = '2026-08-17T12:30:00.000Z'
const LONG = ['2026-10-16T21:00:00.000Z', '2026-10-19T12:30:00.000Z'] as const
const receivedDebit = (story: Story) => story.received('ach', -40)
const sentCredit = async (story: Story) =>
  story.settle((await story.sent('credit', 40, { effective_entry_date: SETTLED.slice(0, 10) })).uid)

it('offers a code with a longer period for a return that is too late, and no later day: on that it is expired', async () => {
  const story = await returning({ start: Date.parse(SETTLED) - 2000 })
  const { sandbox, until, ask, refused } = story
  const uid = await receivedDebit(story)
  await until('2026-08-18T21:00:00.000Z')
  await refused(() => ask(uid, { ach: { ach_return_code: 'R01' } }), 'returnTooLateToday')
  const operator = createCaller(sandbox)
  const [sent] = (await operator('exchanges.list', { limit: 1 })).data
  const { repairs } = await operator('exchanges.repair', { uid: sent!.uid })
  expect(repairs.length).toBeGreaterThan(0)
  for (const { change, advance } of repairs) {
    expect(change).toEqual([{ field: 'ach.ach_return_code', before: 'R01', after: expect.any(String) }])
    expect(advance).toBeUndefined()
  }
  expect(await operator('exchanges.send', repairs[0]!.request)).toMatchObject({ status: 201 })
})

describe.each(['real', 'fast'] as const)('8.3 deadlines of a payment settled on Monday, at pace %s', (pace) => {
  it.each([
    ['a code of two banking days', receivedDebit, 'R01', '2026-08-18T21:00:00.000Z', '2026-08-19T12:30:00.000Z'],
    ['a code of sixty days', receivedDebit, 'R10', ...LONG],
    ['a reversal', sentCredit, undefined, '2026-08-24T21:00:00.000Z', '2026-08-25T04:00:00.000Z'],
    ['a wire: "60 calendar days, same end as ACH 60 d"', (s: Story) => s.received('wire', 40), undefined, ...LONG],
  ] as const)('%s', async (_name, create, ach_return_code, late_from, expired_from) => {
    const story = await returning({ pace, start: Date.parse(SETTLED) - 2000 })
    const { until, ask, give, refused } = story
    const [first, second] = [await create(story), await create(story)]
    expect(await story.transaction(second)).toMatchObject({ status: 'settled', settled_at: SETTLED })
    const more = ach_return_code ? { ach: { ach_return_code } } : {}
    const [late, expired] = [Date.parse(late_from), Date.parse(expired_from)]
    await until(late - 1)
    expect((await give(first, more)).status).toBe('queued')
    for (const at of [late, expired - 1]) {
      await until(at)
      await refused(() => ask(second, more), 'returnTooLateToday')
    }
    for (const at of [expired, expired + 86_400_000]) {
      await until(at)
      await refused(() => ask(second, more), 'returnExpired')
    }
  })
})

// ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('"It can only be created for eligible, already completed transactions"', () => {
  it('18007: for every request in a Program without Returns', async () => {
    const { refused, api, received, bodyOf, give, configure } = await returning()
    const made = await give(await received('ach', 40), R02)
    const body = bodyOf(await received('ach', 40), R02)
    await configure({ returns: false })
    await refused(() => api.post('/returns', body), 'returnsDisabled')
    expectRefusal(await api.get('/returns'), 'returnsDisabled')
    expectRefusal(await api.get(`/returns/${made.uid}`), 'returnsDisabled')
    expectRefusal(await api.get('/returns/unknown'), 'returnsDisabled')
    await configure({ returns: true })
    expect((await api.get(`/returns/${made.uid}`)).status).toBe(200)
  })

  it('18007: a Return in progress completes after Returns are disabled', async () => {
    const { received, give, configure, advance, transaction, read } = await returning()
    const made = await give(await received('ach', 40), R02)
    await configure({ returns: false })
    await advance({ until: 'idle' })
    expect((await transaction(made.return_transaction_uid)).status).toBe('settled')
    await configure({ returns: true })
    expect((await read(made.uid)).status).toBe('settled')
  })

  it('31002: a return above the available balance is refused, to the cent', async () => {
    const { olive, refused, account, received, pay, ask, give, configure } = await returning()
    const uid = await received('ach', 40)
    const savings = await account(olive, 'general')
    await pay(olive, olive.master, savings, '1000.01')
    await refused(() => ask(uid, R02), 'returnNotCreated', 'available: 39.99')
    await configure({ pre_funding: false })
    expectRefusal(await ask(uid, R02), 'returnNotCreated')
    const [reversed, wire] = [await received('wire', 0.01), await received('wire', 50)]
    await give(wire)
    expect(await ask(uid, R02)).toMatchObject({ status: 201 })
    expectRefusal(await ask(reversed), 'returnNotCreated', 'available: 0.00')
  })

  it('31002: the reversal of a debit needs available money, too; the reversal of a credit does not', async () => {
    const { olive, refused, account, sent, settle, pay, ask, give } = await returning()
    const [debit, credit] = [await sent('debit', 40), await sent('credit', 40)]
    for (const { uid } of [debit, credit]) await settle(uid)
    await pay(olive, olive.master, await account(olive, 'general'), 1000)
    await refused(() => ask(debit.uid), 'returnNotCreated', 'available: 0.00')
    expect((await give(credit.uid)).status).toBe('queued')
  })

  it('31003: "The requestor type is not recognized"', async () => {
    const { refused, received, ask } = await returning()
    const uid = await received('ach', 40)
    for (const requestor_type of ['operator', '', 'CUSTOMER!', 5])
      await refused(() => ask(uid, { ...R02, requestor_type }), 'returnRequestorUnknown')
  })

  it('31004: a payment can be returned only once, by the Client, the operator or a bank', async () => {
    const { refused, api, received, sent, settle, ask, give, advance } = await returning()
    const uid = await received('ach', 40)
    await give(uid, R02)
    await refused(() => ask(uid, R02), 'returnExists')
    await advance({ until: 'idle' })
    await refused(() => ask(uid, { ...R02, external_uid: 'again' }), 'returnExists')

    const own = await sent('debit', 40)
    await settle(own.uid)
    await api.post('/sandbox/mock_transactions', { transaction_type: 'ach_return', transaction_uid: own.uid })
    await refused(() => ask(own.uid), 'returnExists')
  })

  it.each(['ach', 'wire'])('31005: a received %s that has not settled', async (rail) => {
    const { refused, incoming, ask, settle, give } = await returning()
    const uid = await incoming(rail, 40)
    const more = rail === 'ach' ? R02 : {}
    await refused(() => ask(uid, more), 'returnNotSettled')
    await settle(uid)
    expect((await give(uid, more)).status).toBe('queued')
  })

  it('31005: an originated ACH that is queued, pending, canceled or failed', async () => {
    const { move, refused, api, sent, ask, advance } = await returning()
    const { uid, transfer } = await sent('credit', 40)
    const canceled = await sent('credit', 40)
    await api.call('PUT', `/transfers/${canceled.transfer.uid}/cancel`, { json: {} })
    await refused(() => ask(canceled.uid), 'returnNotSettled')
    await refused(() => ask(uid), 'returnNotSettled')
    await advance({ by: 'PT2S' })
    expect((await api.get(`/transfers/${transfer.uid}`)).body.status).toBe('pending')
    await refused(() => ask(uid), 'returnNotSettled')
    await move('transactions', uid, 'fail')
    await refused(() => ask(uid), 'returnNotSettled')
  })

  it('31006: a book transfer, and instant payments in both directions', async () => {
    const { olive, refused, account, pay, received, ask, advance } = await returning()
    const book = await pay(olive, olive.master, await account(olive, 'general'), 1)
    const instant = await pay(olive, olive.master, await account(olive, 'instant_payment_external'), 1)
    await advance({ until: 'idle' })
    for (const uid of [book.transaction_uids[0]!, instant.transaction_uids[0]!, await received('instant_payment', 1)])
      await refused(() => ask(uid), 'returnUnsupported', /^type is /)
  })

  it('31008: "Returns are not supported for Wires with UETR numbers"', async () => {
    const { refused, received, ask } = await returning()
    const uid = await received('wire', 40, { uetr: '1f2e3d4c-1111-4222-8333-444455556666' })
    await refused(() => ask(uid), 'returnNetworkUnsupported')
  })

  it('31009: "Payment information was provided that is not required for this return"', async () => {
    const { refused, sent, settle, received, ask } = await returning()
    const own = await settle((await sent('credit', 40)).uid)
    const [ach, wire] = [await received('ach', 40), await received('wire', 40)]
    for (const [uid, more, extra] of [
      [own, R02, 'ach'],
      [own, { ach: {} }, 'ach'],
      [own, { wire: {} }, 'wire'],
      [wire, R02, 'ach'],
      [ach, { ...R02, wire: { wire_instructions: 'x' } }, 'wire'],
    ] as const)
      await refused(() => ask(uid, more), 'returnExtraInformation', extra)
  })

  it('31009: null counts as absent', async () => {
    const { sent, settle, received, give } = await returning()
    const own = await settle((await sent('credit', 40)).uid)
    expect(await give(own, { ach: null, wire: null, external_uid: null })).not.toHaveProperty('ach')
    const made = await give(await received('ach', 40), {
      ach: { ach_return_code: 'R02', addenda_info: null },
      wire: null,
    })
    expect(made.ach).toEqual({ ach_return_code: 'R02', addenda_info: null })
  })

  it('31012: a prenote', async () => {
    const { olive, refused, account, pay, ask, advance } = await returning()
    const party = await account(olive, 'ach_external')
    const { transaction_uids } = await pay(olive, olive.master, party, '0.00', { ach: { ...ACH, prenote: true } })
    await advance({ until: 'idle' })
    await refused(() => ask(transaction_uids[0]!), 'returnCodeUnsupported')
  })

  it('31013: no return of a return, of any kind', async () => {
    const story = await returning()
    const made: [name: string, uid: string, more: object][] = []
    for (const [name, kind] of kinds) {
      const { uid } = await kind.original(story)
      made.push([name, (await story.give(uid, kind.more)).return_transaction_uid, kind.more])
    }
    for (const step of [() => undefined, () => story.advance({ until: 'idle' })]) {
      await step()
      for (const [, uid, more] of made)
        for (const said of [more, {}]) await story.refused(() => story.ask(uid, said), 'returnOfReturn')
    }
  })

  it('31013: no return of a payment that another bank has returned', async () => {
    const { refused, sent, settle, mock, advance, ask } = await returning()
    const { uid } = await sent('credit', 40)
    await settle(uid)
    const back = await mock({ transaction_type: 'ach_return', transaction_uid: uid })
    await advance({ until: 'idle' })
    await refused(() => ask(back), 'returnOfReturn')
  })

  it("31014: an originated wire, and another Customer's Transaction", async () => {
    const { olive, refused, customer, account, pay, received, ask, advance } = await returning()
    const wire = await pay(olive, olive.master, await account(olive, 'wire_external'), 40)
    await advance({ until: 'idle' })
    await refused(() => ask(wire.transaction_uids[0]!), 'returnIneligible', /sent is final/)
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const uid = await received('ach', 40)
    await refused(
      () => ask(uid, { ...R02, requesting_customer_uid: other.uid }),
      'returnIneligible',
      'the Transaction belongs to another Customer',
    )
  })

  it('1003: a received ACH needs its code', async () => {
    const { refused, received, ask } = await returning()
    const uid = await received('ach', 40)
    for (const ach of [undefined, null, {}, { ach_return_code: null }, { addenda_info: 'x' }])
      await refused(() => ask(uid, { ach }), 'missingParameter', 'ach.ach_return_code is missing')
  })

  it('1019 and 4002: an unknown Transaction, an unknown Customer', async () => {
    const { refused, received, ask } = await returning()
    await refused(() => ask('unknown', R02), 'unknownRecord', /there is no Transaction/)
    const uid = await received('ach', 40)
    await refused(() => ask(uid, { ...R02, requesting_customer_uid: 'unknown' }), 'customerNotFound')
  })

  it('4003: a locked Customer cannot return a payment', async () => {
    const { olive, move, refused, received, ask, give } = await returning()
    const uid = await received('ach', 40)
    await move('customers', olive.uid, 'lock', { lock_reason: 'lost phone' })
    await refused(() => ask(uid, R02), 'customerLocked')
    await move('customers', olive.uid, 'unlock')
    expect((await give(uid, R02)).status).toBe('queued')
  })

  it('1010, 1008: a Customer in archival or an archived one cannot return a payment', async () => {
    const { olive, refused, api, received, ask, advance } = await returning()
    const uid = await received('ach', 40)
    await api.call('DELETE', `/customers/${olive.uid}`)
    expect((await api.get(`/customers/${olive.uid}`)).body.status).toBe('pending_archival')
    await refused(() => ask(uid, { ach: { ach_return_code: 'R23' } }), 'inactiveCustomer')
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${olive.uid}`)).body.status).toBe('archived')
    await refused(() => ask(uid, { ach: { ach_return_code: 'R23' } }), 'archivedCustomer')
  })
})

// ── Repeated requests ───────────────────────────────────────────────────────────────────────────────────────────────

describe('external_uid: "unique within the customer; same value → no new resource"', () => {
  it('a repeated external_uid returns the existing Return, with any other fields', async () => {
    const { sandbox, api, received, ask, give, bodyOf, advance, read } = await returning()
    const uid = await received('ach', 40)
    const made = await give(uid, { ...R02, external_uid: 'once' })
    const again = await expectUnchanged(sandbox, () => ask(uid, { ...R02, external_uid: 'once' }))
    expect(again).toMatchObject({ status: 201, body: made })
    const other = await received('ach', 40)
    const elsewhere = await expectUnchanged(sandbox, () =>
      api.post('/returns', bodyOf(other, { ach: { ach_return_code: 'R03' }, external_uid: 'once' })),
    )
    expect(elsewhere).toMatchObject({ status: 201, body: made })
    await advance({ until: 'idle' })
    expect((await ask(uid, { ...R02, external_uid: 'once' })).body).toEqual(await read(made.uid))
  })

  it('another Customer can use the same external_uid', async () => {
    const { customer, mock, settle, received, give } = await returning()
    const made = await give(await received('ach', 40), { ...R02, external_uid: 'once' })
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const uid = await settle(await mock({ transaction_type: 'ach', customer_uid: other.uid, us_dollar_amount: 40 }))
    const theirs = await give(uid, { ...R02, external_uid: 'once', requesting_customer_uid: other.uid })
    expect(theirs.uid).not.toBe(made.uid)
    expect(theirs).toMatchObject({ customer_uid: other.uid, original_transaction_uid: uid, external_uid: 'once' })
  })
})

// ── The list ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('4.1 GET /returns', () => {
  it('a list leaves out the objects of the rails', async () => {
    const { received, give, list, read } = await returning()
    await give(await received('ach', 40), { ach: { ach_return_code: 'R03', addenda_info: 'private' } })
    await give(await received('wire', 40), { wire: { wire_instructions: 'back' } })
    const { data } = await list()
    expect(data).toHaveLength(2)
    for (const item of data) {
      const { ach: _, wire: __, ...rest } = await read(item.uid)
      expect(item).toEqual(rest)
    }
  })

  it('has_return lists returned Transactions and their returns', async () => {
    const { olive, received, give, list, api } = await returning()
    const uid = await received('ach', 40)
    const made = await give(uid, R02)
    expect((await list()).total_count).toBe(1)
    const found = await api.get<Page<Transaction>>(`/transactions?customer_uid=${olive.uid}&has_return=true`)
    expect(found.body.data.map((one) => one.uid).sort()).toEqual([uid, made.return_transaction_uid].sort())
  })
})

it('3.8 "archived = balance 0.00": nothing is paid into an archived account', async () => {
  const { olive, api, account, fund, received, ask, advance, balances, expectBalancedLedger } = await returning()
  const savings = await account(olive, 'general')
  await fund(olive, 40, savings)
  const uid = await received('ach', -40, { synthetic_account_uid: savings })
  expect((await api.call('DELETE', `/synthetic_accounts/${savings}`)).status).toBe(204)
  await ask(uid, { ach: { ach_return_code: 'R01' } })
  await advance({ until: 'idle' })
  expect(await balances(savings)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
  await expectBalancedLedger()
})
