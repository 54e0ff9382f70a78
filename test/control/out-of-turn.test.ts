import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { ACH, setUpPayments } from '../support/payments.ts'

/** What happens out of its turn: a task that is run early or let go late, a day that is closed by hand. */

async function outOfTurn() {
  const told = await setUpPayments()
  const of = await told.customer()
  await told.fund(of, 100)
  const ask = async <T>(name: string, input: object) => {
    const reply = await told.sandbox.call(name, input)
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: T }).value
  }
  const task = async (kind: string) =>
    (await ask<{ tasks: Task[] }>('tasks.list', {})).tasks.find((one) => one.kind === kind)!.uid
  return { ...told, of, ask, task }
}

describe('a task that runs at another time', () => {
  it('if the end of a payment runs before its start, the payment ends, and no amount stays held', async () => {
    const { of, account, pay, ask, task, transfer, balances, advance, expectBalancedLedger } = await outOfTurn()
    const { uid } = await pay(of, of.master, await account(of, 'ach_external'), '10.00')
    expect(await ask('tasks.run', { uid: await task('finish payment') })).toMatchObject({
      outcome: 'settled, out of order: before "begin payment"',
    })
    expect((await transfer(uid)).status).toBe('settled')
    expect((await advance({ until: 'idle' })).fired).toEqual([])
    expect(await balances(of.master)).toEqual({ balance: '90.00', pending: '0.00', available: '90.00' })
    await expectBalancedLedger()
  })

  it('a payment whose start is held does not settle before it is released', async () => {
    const { of, account, pay, ask, task, transfer, advance } = await outOfTurn()
    const { uid } = await pay(of, of.master, await account(of, 'ach_external'), '10.00')
    const begin = await task('begin payment')
    await ask('tasks.hold', { uid: begin })
    await advance({ by: 'PT1M' })
    expect((await transfer(uid)).status).toBe('queued')
    await ask('tasks.release', { uid: begin })
    await advance({ until: 'idle' })
    expect((await transfer(uid)).status).toBe('settled')
  })

  it('a task that is released after it was due runs now: time does not go back', async () => {
    const { of, account, pay, ask, task, transaction, advance } = await outOfTurn()
    const { transaction_uids } = await pay(of, of.master, await account(of, 'ach_external'), '10.00')
    const uid = await task('finish payment')
    await ask('tasks.hold', { uid })
    const { to } = await advance({ by: 'P4D' }).then(async () => ({
      to: (await ask<{ now: string }>('clock.read', {})).now,
    }))
    await ask('tasks.release', { uid })
    await advance({ until: 'idle' })
    expect(await transaction(transaction_uids[0]!)).toMatchObject({ status: 'settled', settled_at: to })
  })

  it('running the daily close at another time adds no closing balance; the next close adds one', async () => {
    const { of, mock, ask, task, list, advance } = await outOfTurn()
    await advance({ to: '2026-08-15T16:00:00Z' })
    const rows = () => list('/synthetic_account_closing_balances')
    const before = await rows()
    await mock({ transaction_type: 'instant_payment', customer_uid: of.uid, us_dollar_amount: 5 })
    await advance({ by: 'PT1S' })
    for (const _ of [1, 2]) await ask('tasks.run', { uid: await task('close of day') })
    expect(await rows()).toEqual(before)
    await advance({ business_days: 2 })
    expect(await rows()).toHaveLength(before.length + 1)
  })

  it('a payment that settles exactly at a close belongs to the next business day', async () => {
    const { of, mock, list, advance } = await outOfTurn()
    await advance({ to: '2026-08-17T23:59:59Z' })
    const before = (await list('/synthetic_account_closing_balances')).length
    await mock({ transaction_type: 'instant_payment', customer_uid: of.uid, us_dollar_amount: 5 })
    await advance({ to: '2026-08-18T00:00:00Z' })
    expect(await list('/synthetic_account_closing_balances')).toHaveLength(before)
    await advance({ business_days: 1 })
    expect(
      (await list<{ net_usd_closing_balance_as_of: string }>('/synthetic_account_closing_balances'))[0],
    ).toMatchObject({
      net_usd_closing_balance_as_of: '2026-08-18',
    })
  })
})

describe('rules that are easy to miss', () => {
  it('after a failed Return the original can be returned again', async () => {
    const { of, mock, ask, api, transaction } = await outOfTurn()
    const uid = await mock({ transaction_type: 'ach', customer_uid: of.uid, us_dollar_amount: 5 })
    await ask('moves.make', { collection: 'transactions', uid, move: 'settle' })
    const body = {
      ...{ original_transaction_uid: uid, requesting_customer_uid: of.uid },
      ...{ requestor_type: 'customer', return_reason: 'No', ach: { ach_return_code: 'R03' } },
    }
    const { body: made } = await api.post<{ uid: string }>('/returns', body)
    expect((await transaction(uid)).return_uid).toBe(made.uid)
    await ask('moves.make', { collection: 'returns', uid: made.uid, move: 'fail' })
    expect((await transaction(uid)).return_uid).toBeNull()
    expect((await api.post('/returns', body)).status).toBe(201)
  })

  it('a pending authorization can still be decided after the Program stops asking the Client', async () => {
    const { of, mock, ask, api, configure, transaction } = await outOfTurn()
    const vrn = await api.post('/virtual_reference_numbers', {
      synthetic_account_uid: of.master,
      routing_number: '110000000',
    })
    const on = { customer_uid: of.uid, us_dollar_amount: 5, virtual_reference_number_uid: vrn.body.uid }
    const uid = await mock({ transaction_type: 'wire', ...on })
    await configure({ client_authorization: false })
    await ask<Transaction>('moves.make', { collection: 'transactions', uid, move: 'approve' })
    expect((await transaction(uid)).status).toBe('pending')
  })

  it('3003: an amount of zero is refused before the accounts are checked', async () => {
    const { of, account, tryToPay, ask } = await outOfTurn()
    const to = await account(of, 'ach_external')
    await ask('moves.make', { collection: 'customers', uid: of.uid, move: 'lock', inputs: { lock_reason: 'x' } })
    expectRefusal(await tryToPay(of, of.master, to, '0.00', { ach: ACH }), 'transferAmountNotPositive')
  })

  it.each(['2026-02-31', '2026-13-01', '2027-02-29T10:00:00Z'])('1002: %s is not a date', async (moment) => {
    const { api } = await setUpPayments()
    expectRefusal(await api.get(`/transactions?created_at_after=${moment}`), 'unparseableDate')
  })

  it('a timestamp without an offset is UTC, in every time zone of the machine', async () => {
    const { api, list } = await outOfTurn()
    expect(await list('/transactions?created_at_after=2026-08-14T14:00:01')).toHaveLength(1)
    expect(await list('/transactions?created_at_after=2026-08-14T14:00:02')).toHaveLength(0)
    expect((await api.get('/transactions?created_at_before=2026-08-14T14:00:02.001')).body.total_count).toBe(1)
  })

  it('a break condition with a status that no record reaches is refused', async () => {
    const { sandbox } = await setUpPayments()
    const reply = await sandbox.call('clock.set', { break_on: { collection: 'transactions', status: 'settledd' } })
    expect(reply).toMatchObject({ ok: false, error: { errors: [{ code: 1007 }] } })
  })

  it('the billable evaluations of a Program are counted by a list', async () => {
    const { of, api, ask, advance } = await outOfTurn()
    const { first_name, last_name, phone, address } = PERSON
    const billable = async () =>
      (await ask<{ total_count: number }>('records.list', { collection: 'kyc_evaluations', billable: true }))
        .total_count
    expect(await billable()).toBe(0)
    const json = { email: 'olive@example.com', details: { first_name, last_name, phone, address } }
    expect((await api.call('PUT', `/customers/${of.uid}`, { json })).status).toBe(200)
    await advance({ by: 'PT2S' })
    expect(await billable()).toBe(1)
    const none = { collection: 'kyc_evaluations', customer_uid: 'nobody' }
    expect(await ask('records.list', none)).toMatchObject({ total_count: 0 })
  })

  it('omitted settings of a Program stay the same, also within a group; unknown ones are refused', async () => {
    const { sandbox, api, ask } = await outOfTurn()
    const { uid } = api.program
    const before = sandbox.programs()[0]!
    const after = await ask('programs.update', { uid, queue_minutes: { ach: 5 }, limits: { wire: { daily_count: 7 } } })
    expect(after).toMatchObject({
      queue_minutes: { ...before.queue_minutes, ach: 5 },
      limits: { ...before.limits, wire: { ...before.limits.wire, daily_count: 7 } },
    })
    for (const wrong of [{ queue_minutes: { check: 1 } }, { limits: { ach: { most: '1.00' } } }]) {
      const reply = await sandbox.call('programs.update', { uid, ...wrong })
      expect(reply).toMatchObject({ ok: false, error: { errors: [{ code: 1007 }] } })
    }
  })

  it('a filter that takes a list also takes one value, as in a query', async () => {
    const { ask } = await outOfTurn()
    const found = await ask<{ total_count: number }>('records.list', { collection: 'transactions', status: 'settled' })
    expect(found.total_count).toBe(1)
  })
})
