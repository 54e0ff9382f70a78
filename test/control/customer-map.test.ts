import { describe, expect, it } from 'vitest'
import type { CustomerMap, MapFlow } from '../../src/api/contract/control/customer-map.ts'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { errors } from '../../src/api/contract/errors.ts'
import { expectGroupedMap, expectMapOfBooks } from '../support/customer-map.ts'
import { call } from '../support/operator.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'

/** What moved between the accounts, VRNs and counterparties of a Customer, as the books have it. */

async function bank() {
  const setup = await setUpPayments()
  const { api, sandbox, list } = setup
  const map = (customer_uid: string, more: Omit<MethodInput<'customers.map'>, 'customer_uid'> = {}) =>
    call(sandbox, 'customers.map', { customer_uid, ...more })
  const vrn = async (synthetic_account_uid: string, name: string) => {
    const { status, body } = await api.post('/virtual_reference_numbers', {
      synthetic_account_uid,
      name,
      routing_number: '110000000',
      synchronous_registration: true,
    })
    expect(status).toBe(201)
    return String(body.uid)
  }
  /** Compares the map of all time with the accounts of the Customer. */
  const expectBooks = async (customer_uid: string) => {
    const whole = await map(customer_uid)
    expectMapOfBooks(
      whole,
      await list<Parameters<typeof expectMapOfBooks>[1][number]>(
        `/synthetic_accounts?customer_uid=${customer_uid}&liability=true`,
      ),
    )
    return whole
  }
  return { ...setup, map, vrn, expectBooks }
}

/** Each flow as `from → to settled pending returned return_pending`, with the names of its nodes, in alphabetical order; what is 0.00 is `-`. */
function linesOf({ nodes, flows }: CustomerMap): string[] {
  const name = (id: string) => nodes.find((node) => node.id === id)!.name
  const show = ({ us_dollar_amount: amount, payments }: MapFlow['settled']) =>
    payments === 0 ? '-' : payments === 1 ? amount : `${amount} (${payments})`
  return flows
    .map(
      ({ from, to, settled, pending, returned, return_pending }) =>
        `${name(from)} → ${name(to)} ${[settled, pending, returned, return_pending].map(show).join(' ')}`,
    )
    .sort()
}

describe('the map of a Customer', () => {
  it('has the source and the destination of each kind of payment', async () => {
    const { customer, account, mock, pay, sandbox, vrn, advance, expectBooks } = await bank()
    const olive = await customer()
    const savings = await account(olive, 'general', { name: 'Savings' })
    const ach = await account(olive, 'ach_external', { name: 'Mill' })
    const wire = await account(olive, 'wire_external', { name: 'Harbor' })
    const instant = await account(olive, 'instant_payment_external', { name: 'Ada' })
    const invoices = await vrn(savings, 'Invoices')
    const receive = (transaction_type: string, us_dollar_amount: number, more: object = {}) =>
      mock({ transaction_type, customer_uid: olive.uid, us_dollar_amount, ...more })
    await receive('wire', 5000, { counterparty_name: 'Dock Ltd' })
    await receive('wire', 700, { counterparty_name: 'Dock Ltd', virtual_reference_number_uid: invoices })
    await receive('ach', -30, { counterparty_name: 'Power Co' })
    await receive('ach', -20, { counterparty_name: 'Power Co', virtual_reference_number_uid: invoices })
    await receive('instant_payment', 8)
    await advance({ until: 'idle' })
    await pay(olive, olive.master, savings, '100.00')
    await pay(olive, savings, olive.master, '40.00')
    const entry = { ach: { ...ACH, effective_entry_date: '2026-08-17' } }
    await pay(olive, olive.master, ach, '200.10', entry)
    await pay(olive, olive.master, ach, '0.05', entry)
    await pay(olive, ach, savings, '60.00', entry)
    await pay(olive, olive.master, wire, '300.00')
    await pay(olive, savings, instant, '9.00')
    for (const [movement, counterparty_name] of [
      ['card_purchase', 'Corner Shop'],
      ['card_purchase', undefined],
      ['interest', undefined],
      ['fee', undefined],
      ['direct_deposit', 'Employer'],
    ] as const)
      await call(sandbox, 'transactions.inject', {
        movement,
        customer_uid: olive.uid,
        us_dollar_amount: '1.50',
        ...(counterparty_name ? { counterparty_name } : {}),
      })
    await advance({ until: 'idle' })
    const map = await expectBooks(olive.uid)
    expect(linesOf(map)).toEqual(
      [
        'Dock Ltd → Primary Synthetic Account 5000.00 - - -',
        'Dock Ltd → Invoices 700.00 - - -',
        'Invoices → Savings 700.00 - - -',
        'Savings → Invoices 20.00 - - -',
        'Invoices → Power Co 20.00 - - -',
        'Primary Synthetic Account → Power Co 30.00 - - -',
        'Mock Counterparty → Primary Synthetic Account 8.00 - - -',
        'Primary Synthetic Account → Savings 100.00 - - -',
        'Savings → Primary Synthetic Account 40.00 - - -',
        'Primary Synthetic Account → Mill 200.15 (2) - - -',
        'Mill → Savings 60.00 - - -',
        'Primary Synthetic Account → Harbor 300.00 - - -',
        'Savings → Ada 9.00 - - -',
        'Primary Synthetic Account → Corner Shop 1.50 - - -',
        'Primary Synthetic Account → card_purchase 1.50 - - -',
        'interest → Primary Synthetic Account 1.50 - - -',
        'Primary Synthetic Account → fee 1.50 - - -',
        'Employer → Primary Synthetic Account 1.50 - - -',
      ].sort(),
    )
    expect(map.flows.find(({ to }) => to === instant)!.rails.map(({ rail }) => rail)).toEqual(['instant_payment'])
    expect(map.nodes.find(({ id }) => id === invoices)).toMatchObject({
      role: 'vrn',
      uid: invoices,
      balance: null,
      in: { settled: { us_dollar_amount: '700.00' } },
      out: { settled: { us_dollar_amount: '20.00' } },
    })
    expect(map.nodes.find(({ id }) => id === ach)).toMatchObject({ role: 'party', category: 'ach_external', uid: ach })
    expect(map.totals.between.settled).toEqual({ us_dollar_amount: '140.00', payments: 2 })
    // 5,000 + 700 + 8 + 60 + 1.50 + 1.50, and 30 + 20 + 200.15 + 300 + 9 + 3 × 1.50.
    expect(map.totals.in.settled).toEqual({ us_dollar_amount: '5771.00', payments: 6 })
    expect(map.totals.out.settled).toEqual({ us_dollar_amount: '563.65', payments: 9 })
    expect(map.flows.map(({ settled }) => Number(settled.us_dollar_amount))).toEqual(
      map.flows.map(({ settled }) => Number(settled.us_dollar_amount)).sort((a, b) => b - a),
    )
  })

  it('keeps apart what is pending, and leaves out what moved nothing', async () => {
    const { api, customer, account, fund, pay, mock, advance, expectBooks, configure, vrn } = await bank()
    const olive = await customer()
    await fund(olive, '500.00')
    const mill = await account(olive, 'ach_external', { name: 'Mill' })
    const invoices = await vrn(olive.master, 'Invoices')
    await configure({ client_authorization: true, queue_minutes: { ach: 60, wire: 0, instant_payment: 0, book: 0 } })
    const canceled = await pay(olive, olive.master, mill, '5.00')
    expect((await api.call('PUT', `/transfers/${canceled.uid}/cancel`, { json: {} })).status).toBe(200)
    await pay(olive, olive.master, mill, '7.00')
    await pay(olive, olive.master, mill, '0.00', { ach: { ...ACH, prenote: true } })
    await mock({
      transaction_type: 'wire',
      customer_uid: olive.uid,
      us_dollar_amount: 90,
      virtual_reference_number_uid: invoices,
    })
    expect(linesOf(await expectBooks(olive.uid))).toEqual([
      'Invoices → Primary Synthetic Account - 90.00 - -',
      'Mock Counterparty → Invoices - 90.00 - -',
      'Mock Counterparty → Primary Synthetic Account 500.00 - - -',
      'Primary Synthetic Account → Mill - 7.00 - -',
    ])
    await advance({ until: 'idle' })
    expect(linesOf(await expectBooks(olive.uid))).toContain('Primary Synthetic Account → Mill 7.00 - - -')
  })

  it('counts a return in the flow of its payment, while it is under way and when it has settled', async () => {
    const { api, sandbox, customer, account, fund, pay, mock, vrn, advance, configure, expectBooks } = await bank()
    const olive = await customer()
    await fund(olive, '500.00')
    const mill = await account(olive, 'ach_external', { name: 'Mill', account_number: '123459903' })
    await pay(olive, olive.master, mill, '120.00')
    await pay(olive, olive.master, mill, '30.00')
    await advance({ until: 'idle' })
    expect(linesOf(await expectBooks(olive.uid))).toEqual([
      'Mock Counterparty → Primary Synthetic Account 500.00 - - -',
      'Primary Synthetic Account → Mill 150.00 (2) - 150.00 (2) -',
    ])
    // A received payment on a VRN that the Client returns.
    await configure({ client_authorization: false })
    const invoices = await vrn(olive.master, 'Invoices')
    const wire = { transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 44 }
    const received = await mock({ ...wire, virtual_reference_number_uid: invoices, counterparty_name: 'Dock Ltd' })
    await call(sandbox, 'moves.make', { collection: 'transactions', uid: received, move: 'settle' })
    await api.post('/returns', returnBody(received, olive.uid))
    expect(linesOf(await expectBooks(olive.uid)).filter((line) => line.includes('Invoices'))).toEqual([
      'Dock Ltd → Invoices 44.00 - - 44.00',
      'Invoices → Primary Synthetic Account 44.00 - - 44.00',
    ])
    await advance({ until: 'idle' })
    const { flows } = await expectBooks(olive.uid)
    const flow = flows.find(({ from }) => from === invoices)!
    expect([flow.settled, flow.returned, flow.return_pending].map(({ payments }) => payments)).toEqual([1, 1, 0])
    expect(flow.rails).toEqual([
      {
        rail: 'wire',
        settled: flow.settled,
        pending: flow.pending,
        returned: flow.returned,
        return_pending: flow.return_pending,
      },
    ])
    // The return is its newest Transaction.
    expect(flow.newest).not.toBe(received)
  })

  it.each([
    ['to', 'Primary Synthetic Account → Mill'],
    ['from', 'Mill → Primary Synthetic Account'],
  ] as const)(
    'counts a refused reversal of a payment %s a counterparty in the flow of the payment, which settles again',
    async (direction, flow) => {
      const { api, customer, account, fund, pay, advance, expectBooks } = await bank()
      const olive = await customer()
      await fund(olive, '500.00')
      const mill = await account(olive, 'ach_external', { name: 'Mill', account_number: '123459617' })
      const ends = direction === 'to' ? ([olive.master, mill] as const) : ([mill, olive.master] as const)
      const { transaction_uids } = await pay(olive, ...ends, '20.00')
      await advance({ until: 'idle' })
      await api.post('/returns', returnBody(transaction_uids[0], olive.uid))
      const linesBeside = async () =>
        linesOf(await expectBooks(olive.uid)).filter((line) => !line.startsWith('Mock Counterparty'))
      expect(await linesBeside()).toEqual([`${flow} 20.00 - - 20.00`])
      await advance({ until: 'idle' })
      expect(await linesBeside()).toEqual([`${flow} 40.00 (2) - 20.00 -`])
    },
  )

  it('follows a return to the master account if the account of the payment is archived', async () => {
    const { api, customer, account, fund, pay, advance, expectBooks, sandbox } = await bank()
    const olive = await customer()
    const second = await account(olive, 'general', { name: 'Second' })
    await fund(olive, '25.00', second)
    const mill = await account(olive, 'ach_external', { name: 'Mill' })
    const { transaction_uids } = await pay(olive, second, mill, '25.00')
    await advance({ until: 'idle' })
    expect((await api.call('DELETE', `/synthetic_accounts/${second}`, { json: {} })).status).toBeLessThan(300)
    await call(sandbox, 'moves.make', {
      collection: 'transactions',
      uid: transaction_uids[0]!,
      move: 'return',
      inputs: { code: 'R03' },
    })
    await advance({ until: 'idle' })
    const map = await expectBooks(olive.uid)
    expect(linesOf(map)).toEqual([
      'Mock Counterparty → Second 25.00 - - -',
      'Primary Synthetic Account → Mill - - 25.00 -',
      'Second → Mill 25.00 - - -',
    ])
    expect(map.nodes.find(({ id }) => id === second)).toMatchObject({ status: 'archived', balance: '0.00' })
  })

  it('shows where the remainder of an archived Customer went: by ACH, or by check', async () => {
    const { api, customer, account, fund, advance, expectBooks } = await bank()
    const [olive, second] = [await customer(), await customer()]
    await account(olive, 'ach_external', { name: 'Home bank' })
    for (const one of [olive, second]) await fund(one, '80.00')
    for (const one of [olive, second]) await api.call('DELETE', `/customers/${one.uid}`, { json: {} })
    await advance({ business_days: 8 })
    expect(linesOf(await expectBooks(olive.uid))).toContain('Primary Synthetic Account → Home bank 80.00 - - -')
    expect(linesOf(await expectBooks(second.uid))).toContain('Primary Synthetic Account → paper check 80.00 - - -')
  })

  it('contains the payments of the chosen time, the balances at its end, and what was pending then', async () => {
    const { sandbox, customer, account, fund, pay, map, advance } = await bank()
    const olive = await customer()
    const mill = await account(olive, 'ach_external', { name: 'Mill' })
    await fund(olive, '500.00')
    const at = (ms: number) => new Date(START + ms).toISOString()
    const DAY = 86_400_000
    await advance({ to: at(3 * DAY) })
    const entry = { ach: { ...ACH, effective_entry_date: '2026-08-17' } }
    await pay(olive, olive.master, mill, '10.00', entry)
    await advance({ to: at(3 * DAY + 3_600_000) })
    await pay(olive, olive.master, mill, '20.00', entry)
    await advance({ to: at(10 * DAY) })
    const lines = async (input: object) => linesOf(await map(olive.uid, input))
    const funding = 'Mock Counterparty → Primary Synthetic Account 500.00 - - -'
    expect(await lines({ period: 'all' })).toEqual([funding, 'Primary Synthetic Account → Mill 30.00 (2) - - -'])
    expect(await lines({ period: 'month' })).toHaveLength(2)
    expect(await lines({ period: 'week' })).toEqual(['Primary Synthetic Account → Mill 30.00 (2) - - -'])
    expect(await lines({ period: 'day' })).toEqual([])
    expect(await lines({ period: 'hour' })).toEqual([])
    const uids = sandbox.store.world.collections.transactions.inOrder().map(({ uid }) => uid)
    const [first] = uids.slice(1).map((uid) => sandbox.store.world.collections.transactions.get(uid)!)
    expect(await lines({ until: at(DAY) })).toEqual([funding])
    expect(await lines({ from: at(DAY), until: at(3 * DAY + 1_800_000) })).toEqual([
      'Primary Synthetic Account → Mill 10.00 - - -',
    ])
    // Just before the first one settled it was pending, and the balance was whole.
    const before = new Date(Date.parse(first!.settled_at!) - 1).toISOString()
    const then = await map(olive.uid, { from: at(DAY), until: before })
    expect(linesOf(then)).toEqual(['Primary Synthetic Account → Mill - 10.00 - -'])
    expect(then).toMatchObject({ from: at(DAY), until: before })
    expect(then.nodes.find(({ role }) => role === 'account')).toMatchObject({ balance: '500.00' })
    expect(await map(olive.uid, { until: at(99 * DAY) })).toMatchObject({ from: null, until: at(10 * DAY) })
    const refused = await sandbox.call('customers.map', { customer_uid: olive.uid, period: 'day', from: at(0) })
    expect(refused).toMatchObject({ ok: false, error: { status: errors.invalidArgument.status } })
  })

  it('shows the largest of many counterparties, and the others as one node', async () => {
    const { customer, mock, account, pay, fund, sandbox, map, advance } = await bank()
    const olive = await customer()
    for (let n = 1; n <= 5; n++)
      await mock({
        transaction_type: 'wire',
        customer_uid: olive.uid,
        us_dollar_amount: n * 10,
        counterparty_name: `Sender ${n}`,
      })
    const accounts = [await account(olive, 'general'), await account(olive, 'general')]
    for (const [i, one] of accounts.entries()) await fund(olive, `${i + 1}.00`, one)
    await advance({ until: 'idle' })
    await pay(olive, accounts[0]!, accounts[1]!, '0.50')
    await advance({ until: 'idle' })
    const whole = await map(olive.uid)
    const grouped = await map(olive.uid, { limit: 1 })
    expectGroupedMap(whole, grouped)
    expect(linesOf(grouped)).toEqual([
      'Sender 5 → Primary Synthetic Account 50.00 - - -',
      'other accounts → other accounts 0.50 - - -',
      'other parties → Primary Synthetic Account 100.00 (4) - - -',
      'other parties → other accounts 3.00 (2) - - -',
    ])
    expect(grouped.nodes.map(({ id, others, balance }) => [id, others, balance]).slice(1)).toEqual([
      ['other accounts', 2, '3.00'],
      ['outside Sender 5', 0, null],
      ['other parties', 5, null],
    ])
    // One node for a single other party would not be shorter.
    expect((await map(olive.uid, { limit: 5 })).nodes.map(({ others }) => others)).toEqual(Array(9).fill(0))
    expect(await sandbox.call('customers.map', { customer_uid: olive.uid, limit: 0 })).toMatchObject({ ok: false })
  })

  it('lists the Transactions of a flow with their returns, newest first', async () => {
    const { customer, account, fund, pay, map, advance } = await bank()
    const olive = await customer()
    await fund(olive, '500.00')
    const mill = await account(olive, 'ach_external', { name: 'Mill', account_number: '123459903' })
    const other = await account(olive, 'ach_external', { name: 'Other' })
    const sent = [await pay(olive, olive.master, mill, '1.00'), await pay(olive, olive.master, mill, '2.00')]
    await pay(olive, olive.master, other, '3.00')
    await advance({ until: 'idle' })
    const flow = { from: olive.master, to: mill }
    const { payments, flows } = await map(olive.uid, { flow })
    expect(payments).toHaveLength(4)
    expect(payments!.slice(2)).toEqual(sent.map(({ transaction_uids }) => transaction_uids[0]).reverse())
    expect(flows.find(({ to }) => to === mill)!.newest).toBe(payments![0])
    expect((await map(olive.uid, { flow: { from: mill, to: 'nowhere' } })).payments).toEqual([])
    expect((await map(olive.uid)).payments).toBeNull()
  })

  it('is of one Customer, has nothing at first, and needs one that exists', async () => {
    const { customer, fund, map, sandbox } = await bank()
    const [olive, second] = [await customer(), await customer()]
    await fund(olive, '5.00')
    expect((await map(second.uid)).flows).toEqual([])
    expect((await map(second.uid)).nodes).toEqual([])
    expect(await sandbox.call('customers.map', { customer_uid: 'nobody' })).toMatchObject({ error: { status: 404 } })
  })
})
