import { describe, expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import { subtract, sum } from '../../src/api/domain/rules/money.ts'
import { createCaller } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

/** What the first screen shows: its numbers are those of the API. */

async function setUp() {
  const payments = await setUpPayments()
  const call = createCaller(payments.sandbox)
  const read = async (...parts: MethodInput<'now.read'>['parts'] & string[]) => call('now.read', { parts })
  const needs = async () => (await read('needs')).needs!
  const money = async () => (await read('money')).money!
  const flow = async () => (await read('flow')).flow!
  const asked = async (of: { uid: string; master: string }, ...amounts: number[]) => {
    const vrn = { synthetic_account_uid: of.master, routing_number: '110000000' }
    const { uid } = (await payments.api.post('/virtual_reference_numbers', vrn)).body
    await payments.advance({ by: 'PT1M' })
    const wire = { transaction_type: 'wire', customer_uid: of.uid, virtual_reference_number_uid: uid }
    const uids: string[] = []
    for (const us_dollar_amount of amounts) uids.push(await payments.mock({ ...wire, us_dollar_amount }))
    return uids
  }
  return { ...payments, call, needs, money, flow, asked }
}

describe('what needs the operator', () => {
  it('lists payments by the end of their window, with the decisions that are possible, until one is made', async () => {
    const { customer, asked, needs, call, advance, list } = await setUp()
    const olive = await customer()
    const [first] = await asked(olive, 40)
    await advance({ by: 'PT1H' })
    await asked(olive, 7.5)
    const { decisions, decisions_total } = await needs()
    expect(
      decisions.map(({ amount, unanswered, moves }) => [amount, unanswered, moves.map(({ move }) => move)]),
    ).toEqual([
      ['40.00', 'approve', ['approve', 'deny']],
      ['7.50', 'approve', ['approve', 'deny']],
    ])
    const pending = await list<Transaction>('/transactions?status=authorization_pending')
    expect(decisions_total).toBe(pending.length)
    expect(decisions.map(({ closes_at }) => closes_at).sort()).toEqual(
      pending.map(({ authorization }) => authorization!.authorization_required_by).sort(),
    )
    await call('moves.make', { collection: 'transactions', uid: first!, move: 'approve' })
    expect((await needs()).decisions.map(({ amount }) => amount)).toEqual(['7.50'])
    await call('operations.undo', {})
    expect((await needs()).decisions_total).toBe(2)
    await advance({ by: 'P2D' })
    expect((await needs()).decisions).toEqual([])
  })

  it('lists Customers in review', async () => {
    const { customer, needs, call } = await setUp()
    const { uid } = await customer()
    await call('moves.make', { collection: 'customers', uid, move: 'put under review' })
    expect((await needs()).decisions).toMatchObject([{ uid, status: 'under_review', closes_at: null, amount: null }])
    await call('moves.make', { collection: 'customers', uid, move: 'end review' })
    expect((await needs()).decisions_total).toBe(0)
  })

  it('lists held tasks once, not those that are held with them', async () => {
    const { customer, account, fund, pay, needs, call } = await setUp()
    const olive = await customer()
    const mill = await account(olive, 'ach_external')
    await fund(olive, '50.00')
    await pay(olive, olive.master, mill, '5.00')
    const { tasks } = await call('tasks.list', {})
    const first = tasks.find(({ recurring }) => !recurring)!
    await call('tasks.hold', { uid: first.uid })
    expect((await needs()).tasks.map(({ uid }) => uid)).toEqual([first.uid])
    await call('tasks.release', { uid: first.uid })
    expect((await needs()).tasks_total).toBe(0)
  })

  it('groups the refusals of an app with the fix, until its endpoint accepts a request, or a rewind undoes them', async () => {
    const { api, needs, call } = await setUp()
    const groups = async () =>
      (await needs()).refusals.map(({ code, endpoint, requests }) => [code, endpoint, requests])
    await api.get('/customers?limit=-1')
    await api.get('/transfers?limit=-1')
    await api.get('/customers?limit=-2')
    await api.get('/nowhere')
    await call('exchanges.send', { method: 'GET', path: '/pools?limit=-1' })
    expect(await groups()).toEqual([
      [1001, null, 1],
      [1005, 'listCustomers', 2],
      [1005, 'listTransfers', 1],
    ])
    const { did, fix, newest } = (await needs()).refusals[1]!
    const { refusal } = await call('exchanges.get', { uid: newest })
    expect([did, fix]).toEqual([expect.stringContaining('limit'), refusal!.pass])
    await api.get('/customers')
    expect(await groups()).toEqual([
      [1001, null, 1],
      [1005, 'listTransfers', 1],
    ])
    await call('world.reset', { world: 'empty' })
    expect(await groups()).toEqual([])
  })

  it('names a webhook whose receiver fails, until its events are accepted', async () => {
    const { call, receiver, webhook } = await setUpWebhook({ retry_seconds: [30] })
    const failing = async () => (await call('now.read', { parts: ['needs'] })).needs!.webhooks
    receiver.answer = (_event, response) => void response.writeHead(503).end()
    await call('webhooks.test', { uid: webhook.uid })
    await waitForDeliveries(call)
    expect(await failing()).toMatchObject([
      { uid: webhook.uid, failed: 0, waiting: 1, answer: 'its receiver answered 503' },
    ])
    await call('clock.advance', { by: 'PT1M' })
    const [{ failed, waiting, event_uid } = { failed: 0, waiting: 0, event_uid: '' }] = await failing()
    expect([failed, waiting]).toEqual([1, 0])
    receiver.answer = receiver.accept
    await call('events.resend', { uid: event_uid })
    await waitForDeliveries(call)
    expect(await failing()).toEqual([])
  })
})

describe('money', () => {
  it('has the balance of each Customer, of each day, and what is on its way, to the cent', async () => {
    const { api, customer, account, fund, pay, money, advance } = await setUp()
    const [olive, finn] = [await customer(), await customer()]
    const mill = await account(olive, 'ach_external')
    await fund(olive, '500.00')
    await advance({ by: 'P2D' })
    const ach = { ...ACH, effective_entry_date: '2026-08-17' }
    await pay(olive, olive.master, mill, '20.10', { ach })
    await pay(olive, mill, olive.master, '3.33', { ach })
    const { customers, customers_total, days } = await money()
    const [first, second] = customers
    const { body } = await api.get(`/customers/${olive.uid}`)
    expect([first!.uid, first!.balance, first!.leaving, first!.arriving]).toEqual([
      olive.uid,
      body.total_balance,
      '20.10',
      '3.33',
    ])
    expect([second!.uid, second!.balance, customers_total]).toEqual([finn.uid, '0.00', 2])
    expect([days.length, first!.days.length]).toEqual([30, 30])
    expect(first!.days.slice(-4)).toEqual(['0.00', '500.00', '500.00', '500.00'])
    await advance({ until: 'idle' })
    const after = (await money()).customers[0]!
    expect([after.days.at(-1), after.leaving]).toEqual(['483.23', '0.00'])
  })

  it('adds up what settled in and out on each rail, as the Transactions do', async () => {
    const { customer, account, fund, pay, mock, money, advance, list } = await setUp()
    const olive = await customer()
    const mill = await account(olive, 'ach_external')
    await fund(olive, '500.00')
    await pay(olive, olive.master, mill, '20.10')
    await pay(olive, olive.master, mill, '0.05')
    await advance({ until: 'idle' })
    await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 7 })
    const { rails } = await money()
    const settled = await list<Transaction>('/transactions?status=settled')
    const total = (net: string) =>
      sum(settled.filter((one) => one.net_asset === net).map((one) => one.us_dollar_amount))
    expect(rails.map(({ rail, out }) => [rail, sum(out)])).toEqual([
      ['ach', '20.15'],
      ['wire', '0.00'],
    ])
    expect(subtract(sum(rails.flatMap((rail) => rail.in)), sum(rails.flatMap(({ out }) => out)))).toBe(
      subtract(total('positive'), total('negative')),
    )
  })
})

describe('flow', () => {
  it('has the newest request first, with what it set off, as that is now', async () => {
    const { customer, account, fund, pay, api, flow, advance, call } = await setUp()
    const olive = await customer()
    const mill = await account(olive, 'ach_external')
    await fund(olive, '500.00')
    await pay(olive, olive.master, mill, '20.10')
    await api.get('/customers?limit=1')
    const [read, paid] = await flow()
    expect(read).toMatchObject({ exchange: { path: '/customers?limit=1' }, records: [], tasks: 0 })
    expect(paid!.exchange.endpoint).toBe('createTransfer')
    expect(paid!.tasks).toBeGreaterThan(0)
    const before = paid!.records.map(({ says }) => says).join()
    expect(before).toContain('over 20.10, queued')
    await advance({ until: 'idle' })
    expect((await flow())[1]!.records.map(({ says }) => says).join()).toContain('over 20.10, settled')
    const { data } = await call('exchanges.list', { limit: 2 })
    expect((await flow()).slice(0, 2).map(({ exchange }) => exchange.uid)).toEqual(data.map(({ uid }) => uid))
  })

  it('does not contain what another Program has', async () => {
    const { customer, fund, api, call } = await setUp()
    await fund(await customer(), '5.00')
    await api.get('/customers?limit=-1')
    const { uid } = await call('programs.create', { name: 'Another Program' })
    const { needs, money, flow } = await call('now.read', { program_uid: uid })
    expect([needs!.refusals, money!.rails, money!.customers, flow]).toEqual([[], [], [], []])
  })
})

it('finds the requests and records that a line of a log names', async () => {
  const { customer, api, call } = await setUp()
  const olive = await customer()
  const { data } = await call('exchanges.list', { limit: 1 })
  await api.get('/customers?limit=1')
  const { trace_id } = data[0]!
  const line = `2026-08-14 10:00:01 ERROR customer="/customers/${olive.uid}" (trace-id: ${trace_id}) failed.`
  const named = async (text: string) =>
    (await call('moments.find', { text })).moments.map(({ collection, uid }) => [collection, uid])
  expect(await named(line)).toEqual([
    [null, data[0]!.uid],
    ['customers', olive.uid],
  ])
  expect(await named(` ${olive.uid}\n`)).toEqual([['customers', olive.uid]])
  expect(await named('nothing that this world has')).toEqual([])
})
