import { describe, expect, it } from 'vitest'
import type { Customer } from '../../src/api/contract/resources/customers.ts'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import { bankingDayAfter, dateAt, instantAt } from '../../src/api/domain/rules/calendar.ts'
import { expectRefusal } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { ACH, type Category, returnBody, STRUCTURED } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'
import { type Journey, journey, PACES } from './support.ts'

/**
 * Specification 4.5, as stories: from an empty body to an archived Customer. What each step changes is in snapshots/, to
 * be read like a story; here is what must hold whatever it looks like.
 */

type Resident = Awaited<ReturnType<Journey['become']>>

const number = { routing_number: '021000021', account_number: '7400120' }
const ach = { account_type: 'checking', counterparty_name: 'Northern Mill' }
const BANKS = {
  'Northern Mill': ['ach_external', { ...number, ach }],
  'Eastern Mill': ['ach_external', { ...number, account_number: '7400220', ach }],
  // Its name makes it fail; its number makes it come back.
  'Fail Mill': ['ach_external', { ...number, account_number: '7400320', ach }],
  'Returning Mill': ['ach_external', { ...number, account_number: '7409902', ach }],
  'Harbor Leasing': ['wire_external', { ...number, wire: { counterparty_name: 'Harbor Leasing' } }],
  'Ada Okafor': [
    'instant_payment_external',
    { ...number, instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: STRUCTURED } },
  ],
} as const satisfies Record<string, readonly [Category, object]>
type Bank = keyof typeof BANKS

const bank = (j: Journey, olive: Resident, name: Bank) => {
  const [category, more] = BANKS[name]
  return j.account(olive, category, { name, ...more })
}
const savings = (j: Journey, olive: Resident) => j.account(olive, 'general', { name: 'Savings' })

const vrnFor = async (j: Journey, olive: Resident) => {
  const body = { synthetic_account_uid: olive.master, routing_number: '110000000', name: 'Rent' }
  const { body: vrn } = await j.api.post('/virtual_reference_numbers', body)
  await j.advance({ by: 'PT2S' })
  return String(vrn.uid)
}
const receive = (j: Journey, olive: Resident, more: Record<string, unknown>) =>
  j.mock({ customer_uid: olive.uid, transaction_type: 'ach', ...more })

/** The operator lets it be through its rail. */
const settled = async (j: Journey, uid: string) => {
  const move = { collection: 'transactions', uid, move: 'settle' }
  expect(await j.sandbox.call('moves.make', move)).toMatchObject({ ok: true })
  return uid
}

/** "This can take up to 8 business days": the end of the eighth one after the day of the request. */
const lastMomentAfter = (requested: string) =>
  new Date(instantAt(bankingDayAfter(dateAt(Date.parse(requested)), 8), '20:00')).toISOString()

/** The operator sends what is queued. */
const sendQueued = async (j: Journey) => {
  const left = await j.sandbox.call('tasks.list', {})
  const { tasks } = (left as unknown as { value: { tasks: { uid: string; kind: string }[] } }).value
  for (const { uid, kind } of tasks)
    if (kind === 'send payment') expect(await j.sandbox.call('tasks.run', { uid })).toMatchObject({ ok: true })
}

type Told = Pick<Transaction, 'type' | 'status' | 'us_dollar_amount'> & { to: string }

/** What there is before the request: every record, which accounts are closed, which payments have come to their end. */
async function standing(j: Journey, olive: Resident) {
  const closed = (await accountsOf(j, olive)).filter(({ closed_at }) => closed_at !== null).map(({ uid }) => uid)
  const payments = await j.list<Transaction>(`/transactions?customer_uid=${olive.uid}&limit=1000`)
  const settled = payments.filter(({ status }) => status === 'settled').map(({ uid }) => uid)
  return { records: { ...(await history(j, olive)), closed }, settled }
}

/** What was paid besides these, in its order. */
async function paidSince(j: Journey, olive: Resident, settled: readonly string[]): Promise<string[]> {
  const payments = await j.list<Transaction>(`/transactions?customer_uid=${olive.uid}&limit=1000`)
  const told: Told[] = []
  for (const payment of payments.reverse())
    if (!settled.includes(payment.uid)) {
      const { name } = await j.read<SyntheticAccount>(
        `/synthetic_accounts/${payment.destination_synthetic_account_uid}`,
      )
      told.push({ ...payment, to: payment.description.startsWith('Paper check') ? 'a check' : name })
    }
  return told.map(({ type, status, us_dollar_amount, to }) => `${type} ${us_dollar_amount} to ${to}: ${status}`)
}

const accountsOf = async (j: Journey, olive: Resident) => [
  ...(await j.list<SyntheticAccount>(`/synthetic_accounts?customer_uid=${olive.uid}&liability=true`)),
  ...(await j.list<SyntheticAccount>(`/synthetic_accounts?customer_uid=${olive.uid}&liability=false`)),
]

/** Everything of the Customer that can be listed. */
async function history(j: Journey, olive: Resident): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const name of ['customer_products', 'transfers', 'transactions', 'synthetic_line_items', 'custodial_line_items'])
    found[name] = (await j.list<{ uid: string }>(`/${name}?customer_uid=${olive.uid}&limit=1000`)).map(({ uid }) => uid)
  return found
}

/** What must be so once a Customer is archived, however it came to that. */
async function expectArchived(j: Journey, olive: Resident, latest: string, before: Record<string, string[]>) {
  const customer = await j.read<Customer>(`/customers/${olive.uid}`)
  expect(customer).toMatchObject({ status: 'archived', total_balance: '0.00' })
  const { archived_at } = customer
  expect(archived_at! <= latest, `archived at ${archived_at}, no later than ${latest}`).toBe(true)

  const accounts = await accountsOf(j, olive)
  for (const account of accounts) {
    expect(account.status).toBe('archived')
    if (!before.closed?.includes(account.uid)) expect(account.closed_at).toBe(archived_at)
    const zero = account.liability ? '0.00' : null
    expect(account).toMatchObject({
      net_usd_balance: zero,
      net_usd_pending_balance: zero,
      net_usd_available_balance: zero,
    })
  }
  const custodial = await j.list(`/custodial_accounts?customer_uid=${olive.uid}`)
  expect(custodial.map(({ type, status, closed_at }) => [type, status, closed_at]).sort()).toEqual([
    ['dda', 'archived', archived_at],
    ['dda_cash_external', null, archived_at],
    ['dda_cash_received', null, archived_at],
  ])
  for (const { uid } of accounts.filter(({ liability }) => liability))
    for (const vrn of await j.list(`/virtual_reference_numbers?synthetic_account_uid=${uid}`))
      expect(vrn).toMatchObject({ status: 'archived', archived_at })
  await j.expectBalancedLedger()

  // Nothing will happen to it any more, and nothing has gone wrong on the way.
  const left = await j.sandbox.call('tasks.list', {})
  expect(left).toMatchObject({ ok: true })
  const { tasks } = (left as unknown as { value: { tasks: { recurring: boolean }[] } }).value
  expect(tasks.filter(({ recurring }) => !recurring)).toEqual([])

  // Rule 7: "Records remain available for history."
  const after = await history(j, olive)
  for (const [name, uids] of Object.entries(before))
    if (name !== 'closed') expect(after[name], name).toEqual(expect.arrayContaining(uids))
  for (const [name, [uid]] of Object.entries(after))
    if (uid) expect(await j.api.get(`/${name}/${uid}`), name).toMatchObject({ status: 200, body: { uid } })
  await expectNothingNew(j, olive)
}

/** Rule 7: "The Customer cannot open new accounts", and nothing else moves for it either. */
async function expectNothingNew(j: Journey, olive: Resident) {
  const { api, typeOf } = j
  const others = await j.list<SyntheticAccount>(`/synthetic_accounts?customer_uid=${olive.uid}`)
  const other = others.find(({ uid }) => uid !== olive.master)
  const opens = (category: Category, more: object = {}) =>
    api.post('/synthetic_accounts', {
      name: 'One more',
      pool_uid: olive.pool,
      synthetic_account_type_uid: typeOf(category),
      ...more,
    })
  await expectUnchanged(j.sandbox, async () => {
    expectRefusal(await opens('general'), 'archivedCustomer')
    expectRefusal(await opens('ach_external', { ...number, account_number: '7400920', ach }), 'archivedCustomer')
    if (other) expectRefusal(await j.tryToPay(olive, olive.master, other.uid, '1.00'), 'archivedCustomer')
    expectRefusal(
      await api.post('/sandbox/mock_transactions', {
        transaction_type: 'ach',
        customer_uid: olive.uid,
        us_dollar_amount: 1,
      }),
      'archivedCustomer',
    )
    expectRefusal(await j.archive(olive.uid), 'archivedCustomer')
  })
}

// ── The stories ──────────────────────────────────────────────────────────────────────────────────────────────────

interface Story {
  readonly name: string
  /** When it begins; else on the Friday of every sandbox, 10:00 in New York. */
  readonly start?: string
  /** It is told from the empty body on. */
  readonly whole?: true
  /** What is there when the archival is asked for. */
  readonly has: (j: Journey, olive: Resident) => Promise<unknown>
  /** Everything that is on its way at the request, or paid from then on. */
  readonly pays: readonly string[] | ((pace: (typeof PACES)[number]) => readonly string[])
  /** Until when at most, in New York: worked out by hand. */
  readonly latest?: string
}

const RETURNED = [
  'ach 250.00 to Returning Mill: settled',
  'ach_return 250.00 to Primary Synthetic Account: settled',
  'other 250.00 to a check: settled',
]

/** One external account, and money on the master account. */
const holds =
  (amount: number | string, ...banks: Bank[]) =>
  async (j: Journey, olive: Resident) => {
    for (const name of banks) await bank(j, olive, name)
    await j.fund(olive, amount)
  }

const stories: readonly Story[] = [
  {
    name: 'nothing left',
    whole: true,
    has: vrnFor,
    pays: [],
    latest: '2026-08-27T00:00:00.000Z',
  },
  {
    name: 'positive, one external account',
    whole: true,
    has: holds(250, 'Northern Mill'),
    pays: ['ach 250.00 to Northern Mill: settled'],
  },
  {
    name: 'positive over two general accounts',
    has: async (j, olive) => {
      await holds(250, 'Northern Mill')(j, olive)
      await j.fund(olive, '75.50', await savings(j, olive))
    },
    pays: ['ach 250.00 to Northern Mill: settled', 'ach 75.50 to Northern Mill: settled'],
  },
  {
    name: 'an external account of category wire_external',
    has: holds('0.01', 'Harbor Leasing'),
    pays: ['ach 0.01 to Harbor Leasing: settled'],
  },
  {
    name: 'an external account of category instant_payment_external',
    has: holds(1000, 'Ada Okafor'),
    pays: ['ach 1000.00 to Ada Okafor: settled'],
  },
  {
    name: 'of two external accounts one is archived already',
    has: async (j, olive) => {
      await holds(60, 'Eastern Mill', 'Northern Mill')(j, olive)
      const [gone] = await j.list<SyntheticAccount>(
        '/synthetic_accounts?synthetic_account_category=ach_external&offset=1',
      )
      expect((await j.api.call('DELETE', `/synthetic_accounts/${gone!.uid}`)).status).toBe(204)
    },
    pays: ['ach 60.00 to Northern Mill: settled'],
  },
  {
    name: 'no external account',
    has: async (j, olive) => {
      await j.fund(olive, 250)
      await j.fund(olive, 50, await savings(j, olive))
    },
    pays: ['other 250.00 to a check: settled', 'other 50.00 to a check: settled'],
  },
  {
    name: 'the ACH fails',
    has: async (j, olive) => {
      await holds(250, 'Fail Mill')(j, olive)
      await j.fund(olive, 50, await savings(j, olive))
    },
    pays: [
      'ach 250.00 to Fail Mill: failed',
      'ach 50.00 to Fail Mill: failed',
      'other 250.00 to a check: settled',
      'other 50.00 to a check: settled',
    ],
  },
  {
    name: 'the ACH is returned',
    has: holds(250, 'Returning Mill'),
    pays: RETURNED,
  },
  {
    name: 'payments on their way',
    has: async (j, olive) => {
      const mill = await bank(j, olive, 'Northern Mill')
      const other = await savings(j, olive)
      await j.fund(olive, 100)
      await j.pay(olive, olive.master, mill, '40.00')
      await j.pay(olive, olive.master, other, '10.00')
      await sendQueued(j)
      await receive(j, olive, { us_dollar_amount: 25 })
      await receive(j, olive, { us_dollar_amount: -5, synthetic_account_uid: other })
    },
    // What is received settles after a second, or on the next banking day.
    pays: (pace) => [
      'ach 40.00 to Northern Mill: settled',
      'book_transfer 10.00 to Savings: settled',
      'ach 25.00 to Primary Synthetic Account: settled',
      'ach 5.00 to Outside bank: settled',
      'ach 50.00 to Northern Mill: settled',
      ...(pace === 'fast'
        ? ['ach 25.00 to Northern Mill: settled', 'ach 5.00 to Northern Mill: settled']
        : ['ach 5.00 to Northern Mill: settled', 'ach 25.00 to Northern Mill: settled']),
    ],
  },
  {
    name: 'transfers wait for their date and in their queue',
    start: '2026-08-14T21:30:00.000Z',
    has: async (j, olive) => {
      const mill = await bank(j, olive, 'Northern Mill')
      const other = await savings(j, olive)
      await j.fund(olive, 100)
      await j.configure({ queue_minutes: { ach: 525_600, wire: 525_600, book: 525_600 } })
      await j.pay(olive, olive.master, mill, '40.00', { ach: { ...ACH, effective_entry_date: '2026-09-13' } })
      await j.pay(olive, mill, olive.master, '15.00')
      await j.pay(olive, olive.master, other, '10.00')
    },
    pays: [
      'ach 40.00 to Northern Mill: canceled',
      'ach 15.00 to Primary Synthetic Account: canceled',
      'book_transfer 10.00 to Savings: canceled',
      'ach 100.00 to Northern Mill: settled',
    ],
    latest: '2026-08-27T00:00:00.000Z',
  },
  {
    name: 'a payment on its way comes back, and so does the refund',
    start: '2026-08-14T21:30:00.000Z',
    has: async (j, olive) => {
      const mill = await bank(j, olive, 'Returning Mill')
      await j.fund(olive, 100)
      await j.pay(olive, olive.master, mill, '40.00')
      await sendQueued(j)
    },
    pays: [
      'ach 40.00 to Returning Mill: settled',
      'ach 60.00 to Returning Mill: settled',
      'ach_return 40.00 to Primary Synthetic Account: settled',
      'ach_return 60.00 to Primary Synthetic Account: settled',
      'other 100.00 to a check: settled',
    ],
  },
  {
    name: 'a payment awaits authorization, without an answer',
    has: async (j, olive) => {
      await bank(j, olive, 'Northern Mill')
      await receive(j, olive, { us_dollar_amount: 30, virtual_reference_number_uid: await vrnFor(j, olive) })
    },
    pays: ['ach 30.00 to Primary Synthetic Account: settled', 'ach 30.00 to Northern Mill: settled'],
  },
  {
    name: 'a Return is on its way',
    has: async (j, olive) => {
      const uid = await settled(j, await receive(j, olive, { us_dollar_amount: 25 }))
      await j.fund(olive, 5)
      const answer = await j.api.post('/returns', returnBody(uid, olive.uid, { ach: { ach_return_code: 'R23' } }))
      expect(answer.status).toBe(201)
    },
    pays: ['initiated_ach_return 25.00 to Outside bank: settled', 'other 5.00 to a check: settled'],
  },
  {
    name: 'a Combined Transfer is on its way, and finds the accounts locked',
    has: async (j, olive) => {
      await holds(50, 'Northern Mill')(j, olive)
      const answer = await j.api.post('/combined_transfers', {
        synthetic_account: {
          name: 'Eastern Mill',
          pool_uid: olive.pool,
          synthetic_account_type_uid: j.typeOf('ach_external'),
          ...BANKS['Eastern Mill'][1],
        },
        transfer: {
          source_synthetic_account_uid: olive.master,
          initiating_customer_uid: olive.uid,
          usd_transfer_amount: '20.00',
          ach: ACH,
        },
      })
      expect(answer.status).toBe(201)
    },
    pays: ['ach 50.00 to Northern Mill: settled'],
  },
  {
    name: 'over a weekend',
    start: '2026-08-15T15:00:00.000Z',
    has: holds(250, 'Northern Mill'),
    pays: ['ach 250.00 to Northern Mill: settled'],
    latest: '2026-08-27T00:00:00.000Z',
  },
  {
    name: 'over Thanksgiving, and the ACH is returned',
    start: '2026-11-25T22:30:00.000Z',
    has: holds(250, 'Returning Mill'),
    pays: RETURNED,
    latest: '2026-12-09T01:00:00.000Z',
  },
  {
    name: 'over Christmas and New Year, and the ACH is returned',
    start: '2026-12-24T22:30:00.000Z',
    has: holds(250, 'Returning Mill'),
    pays: RETURNED,
    latest: '2027-01-08T01:00:00.000Z',
  },
]

const each = stories.flatMap((story) =>
  PACES.map((pace) => [`${story.name}, at pace ${pace}`, { ...story, pace }] as const),
)

describe('4.5: from the request to the archived Customer', () => {
  it.each(each)(
    '2: "Remaining balances are refunded and all active […] Accounts […] are closed": %s',
    async (_, { name, pace, start, whole, has, pays, latest }) => {
      const j = await journey({ pace, ...(start ? { start: Date.parse(start) } : {}) })
      const olive = await j.become()
      if (whole) await j.step('What Olive has', () => has(j, olive))
      else {
        await has(j, olive)
        j.beginHere()
      }
      const was = await standing(j, olive)
      const end = lastMomentAfter(j.now())
      if (latest) expect(end).toBe(latest)
      const answer = await j.step('Olive asks to be archived', () => j.archive(olive.uid, { archive_note: 'moved' }))
      expect(answer).toMatchObject({ status: 200, body: { status: 'pending_archival', archived_at: null } })
      await j.passes('Eight business days pass', { to: end })
      await expectArchived(j, olive, end, was.records)
      expectRefusal(await j.onboard(olive.uid), 'archivedCustomer')
      expectRefusal(await j.api.call('PUT', `/customers/${olive.uid}`, { json: {} }), 'archivedCustomer')
      expect(await paidSince(j, olive, was.settled)).toEqual(typeof pays === 'function' ? pays(pace) : pays)
      await j.keep(name)
    },
  )

  it.each(PACES)(
    '4.5: "required if the Customer has several active external Synthetic Accounts": the named one receives, at pace %s',
    async (pace) => {
      const j = await journey({ pace })
      const olive = await j.become()
      await j.step('Olive has three counterparties, and money', () =>
        holds(250, 'Northern Mill', 'Harbor Leasing', 'Ada Okafor')(j, olive),
      )
      const was = await standing(j, olive)
      const end = lastMomentAfter(j.now())
      const refused = await j.step('Olive asks to be archived, and names none of them', () =>
        expectUnchanged(j.sandbox, () => j.archive(olive.uid)),
      )
      expectRefusal(refused, 'missingParameter', /^destination_synthetic_account_uid is required/)
      const accounts = await j.list<SyntheticAccount>(`/synthetic_accounts?customer_uid=${olive.uid}&liability=false`)
      const named = accounts.find(({ name }) => name === 'Harbor Leasing')!.uid
      await j.step('Olive names the second', () =>
        j.archive(olive.uid, { destination_synthetic_account_uid: named, can_apply_again: false }),
      )
      await j.passes('Eight business days pass', { to: end })
      await expectArchived(j, olive, end, was.records)
      expect(await paidSince(j, olive, was.settled)).toEqual(['ach 250.00 to Harbor Leasing: settled'])
      await j.keep('several external accounts')
    },
  )

  it.each(PACES)(
    '5: "When any balance is negative, it must be raised to at least $0.00 before archival continues": at pace %s',
    async (pace) => {
      const j = await journey({ pace })
      const olive = await j.become()
      const second = await j.step('Olive has a counterparty and a second account', async () => {
        await bank(j, olive, 'Northern Mill')
        return savings(j, olive)
      })
      await j.step('One account falls below zero, the other holds money', async () => {
        await settled(j, await receive(j, olive, { us_dollar_amount: '-100.00' }))
        await j.fund(olive, 30, second)
      })
      const was = await standing(j, olive)
      await j.step('Olive asks to be archived', () => j.archive(olive.uid))
      const waits = async () => {
        expect(await j.read(`/customers/${olive.uid}`)).toMatchObject({ status: 'pending_archival', archived_at: null })
        expect(await j.balances(second)).toMatchObject({ balance: '30.00', available: '30.00' })
      }
      await j.passes('Everything happens that is to happen', { until: 'idle' })
      await waits()
      await j.passes('Twelve business days pass', { business_days: 12 })
      await waits()
      await j.step('Somebody pays in a part of it', async () =>
        settled(j, await receive(j, olive, { us_dollar_amount: '99.99' })),
      )
      await j.passes('Everything happens that is to happen', { until: 'idle' })
      await waits()
      const end = lastMomentAfter(j.now())
      await j.step('Somebody pays in the rest', async () => receive(j, olive, { us_dollar_amount: '0.01' }))
      await j.passes('Eight business days pass', { to: end })
      await expectArchived(j, olive, end, was.records)
      expect(await paidSince(j, olive, was.settled)).toEqual([
        'ach 99.99 to Primary Synthetic Account: settled',
        'ach 0.01 to Primary Synthetic Account: settled',
        'ach 30.00 to Northern Mill: settled',
      ])
      await j.keep('negative')
    },
  )

  it.each(PACES)('5: a balance that is raised above 0.00 is refunded in turn, at pace %s', async (pace) => {
    const j = await journey({ pace })
    const olive = await j.become()
    await settled(j, await receive(j, olive, { us_dollar_amount: '-100.00' }))
    j.beginHere()
    const was = await standing(j, olive)
    await j.step('Olive asks to be archived', () => j.archive(olive.uid))
    const end = lastMomentAfter(j.now())
    await j.step('Somebody pays in more than is missing', () => receive(j, olive, { us_dollar_amount: '100.01' }))
    await j.passes('Eight business days pass', { to: end })
    await expectArchived(j, olive, end, was.records)
    expect((await paidSince(j, olive, was.settled)).at(-1)).toBe('other 0.01 to a check: settled')
  })

  const decisions = PACES.flatMap((pace) =>
    (['client_approved', 'client_denied'] as const).map((say) => ({ pace, say })),
  )
  it.each(decisions)(
    '6: "only with […] no pending transactions": one that awaits authorization is decided first, $say at pace $pace',
    async ({ pace, say }) => {
      const j = await journey({ pace })
      const olive = await j.become()
      const virtual_reference_number_uid = await vrnFor(j, olive)
      const uid = await receive(j, olive, { us_dollar_amount: 30, virtual_reference_number_uid })
      j.beginHere()
      const was = await standing(j, olive)
      const end = lastMomentAfter(j.now())
      await j.step('Olive asks to be archived', () => j.archive(olive.uid))
      await j.passes('Two hours pass', { by: 'PT2H' })
      expect(await j.read(`/customers/${olive.uid}`)).toMatchObject({ status: 'pending_archival' })
      const json = {
        authorization_status: say,
        ...(say === 'client_denied' ? { denied_reason: 'unauthorized_credit' } : {}),
      }
      const decided = await j.step('The Client decides', () =>
        j.api.call('PUT', `/transactions/${uid}/authorize`, { json }),
      )
      expect(decided.status).toBe(200)
      await j.passes('Eight business days after the request', { to: end })
      await expectArchived(j, olive, end, was.records)
      expect(await paidSince(j, olive, was.settled)).toEqual(
        say === 'client_approved'
          ? ['ach 30.00 to Primary Synthetic Account: settled', 'other 30.00 to a check: settled']
          : ['ach 30.00 to Primary Synthetic Account: authorization_denied'],
      )
      await j.keep(`a payment awaits authorization, ${say}`)
    },
  )
})

describe('4.5 rule 1: "the accounts are locked"', () => {
  it.each(PACES)('1: between request and archival only what comes in moves, at pace %s', async (pace) => {
    const j = await journey({ pace })
    const olive = await j.become()
    const mill = await bank(j, olive, 'Northern Mill')
    const other = await savings(j, olive)
    await j.fund(olive, 100)
    await j.archive(olive.uid)
    const open = (category: Category, more: object = {}) =>
      j.api.post('/synthetic_accounts', {
        name: 'One more',
        pool_uid: olive.pool,
        synthetic_account_type_uid: j.typeOf(category),
        ...more,
      })
    await expectUnchanged(j.sandbox, async () => {
      for (const to of [mill, other]) expectRefusal(await j.tryToPay(olive, olive.master, to, '1.00'), 'accountLocked')
      expectRefusal(await j.tryToPay(olive, mill, olive.master, '1.00'), 'accountLocked')
      expectRefusal(await open('general'), 'inactiveCustomer')
      expectRefusal(await open('ach_external', { ...number, account_number: '7400920', ach }), 'inactiveCustomer')
      const change = { json: { name: 'Another', note: 'why' } }
      for (const uid of [mill, other]) {
        expectRefusal(await j.api.call('PUT', `/synthetic_accounts/${uid}`, change), 'inactiveCustomer')
        expectRefusal(await j.api.call('DELETE', `/synthetic_accounts/${uid}`), 'inactiveCustomer')
      }
      const vrn = { synthetic_account_uid: olive.master, routing_number: '110000000' }
      expectRefusal(await j.api.post('/virtual_reference_numbers', vrn), 'inactiveCustomer')
      expectRefusal(await j.archive(olive.uid), 'customerNotUpdatable')
    })
    const came = await receive(j, olive, { us_dollar_amount: 5 })
    const end = lastMomentAfter(j.now())
    await j.advance({ to: end })
    expect(await j.transaction(came)).toMatchObject({ status: 'settled' })
    expect(await j.read(`/customers/${olive.uid}`)).toMatchObject({ status: 'archived', total_balance: '0.00' })
  })

  it('1: what another bank takes on the last afternoon is waited for', async () => {
    const j = await journey({ pace: 'real' })
    const olive = await j.become()
    await j.archive(olive.uid)
    await receive(j, olive, { us_dollar_amount: '-7.00' })
    await j.advance({ business_days: 8 })
    const waiting = await j.read(`/customers/${olive.uid}`)
    expect(waiting).toMatchObject({ status: 'pending_archival', total_balance: '-7.00' })
    await receive(j, olive, { us_dollar_amount: '7.00' })
    await j.advance({ business_days: 2 })
    expect(await j.read(`/customers/${olive.uid}`)).toMatchObject({ status: 'archived', total_balance: '0.00' })
  })
})

describe('4.5: any eligible state', () => {
  it.each(PACES)('3.1: a Customer of which nothing is known but that it exists, at pace %s', async (pace) => {
    const j = await journey({ pace })
    const { body } = await j.step('A Customer is created with an empty body', () => j.api.post('/customers', {}))
    const uid = String(body.uid)
    const end = lastMomentAfter(j.now())
    await j.step('It is to be archived', () => j.archive(uid))
    await j.passes('Eight business days pass', { to: end })
    const archived = await j.read<Customer>(`/customers/${uid}`)
    expect(archived).toMatchObject({ status: 'archived', total_balance: '0.00', pool_uids: [] })
    expect(archived.archived_at! <= end).toBe(true)
    await j.keep('an empty Customer')
  })

  it.each(PACES)('3.1: a Customer that the operator has locked, at pace %s', async (pace) => {
    const j = await journey({ pace })
    const olive = await j.become()
    await holds(250, 'Northern Mill')(j, olive)
    const lock = { collection: 'customers', uid: olive.uid, move: 'lock', inputs: { lock_reason: 'court order' } }
    expect(await j.sandbox.call('moves.make', lock)).toMatchObject({ ok: true })
    const was = await standing(j, olive)
    const end = lastMomentAfter(j.now())
    expect(await j.archive(olive.uid)).toMatchObject({ status: 200, body: { lock_reason: 'court order' } })
    await j.advance({ to: end })
    await expectArchived(j, olive, end, was.records)
    expect(await paidSince(j, olive, was.settled)).toEqual(['ach 250.00 to Northern Mill: settled'])
  })
})

describe('4.5: after the archival', () => {
  it.each([
    [false, 'pending_archival'],
    [false, 'archived'],
    [true, 'archived'],
    [undefined, 'archived'],
  ] as const)(
    '4.5: can_apply_again %s: the same person applies while the first is %s',
    async (can_apply_again, status) => {
      const j = await journey({ pace: 'fast' })
      const olive = await j.become()
      await j.archive(olive.uid, can_apply_again === undefined ? {} : { can_apply_again })
      // Years later, too: it is no window.
      if (status === 'archived') await j.advance({ business_days: 600 })
      expect(await j.read(`/customers/${olive.uid}`)).toMatchObject({ status })
      const again = await j.created({ ...OLIVE.details, first_name: 'Olivia', last_name: 'Sailor' })
      const stranger = await j.created({ ...OLIVE.details, ssn: '512-04-8824' })
      expect((await j.onboard(stranger.uid)).status).toBe(200)
      if (can_apply_again !== false) expect((await j.onboard(again.uid)).status).toBe(200)
      else {
        const refused = await expectUnchanged(j.sandbox, () => j.onboard(again.uid))
        expectRefusal(refused, 'customerInUse')
      }
      await j.advance({ by: 'PT2S' })
      const states = await Promise.all([again, stranger].map(({ uid }) => j.read<Customer>(`/customers/${uid}`)))
      expect(states.map((one) => one.status)).toEqual([can_apply_again === false ? 'initiated' : 'active', 'active'])
    },
  )
})
