import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import { expectRefusal } from '../support/client.ts'
import { createAsker } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'

/** What happens out of its turn: a task that is run early or let go late, a day that is closed by hand. */

async function outOfTurn() {
  const told = await setUpPayments()
  const of = await told.customer()
  await told.fund(of, 100)
  const ask = createAsker(told.sandbox)
  const task = async (kind: string) =>
    (await ask<{ tasks: Task[] }>('tasks.list', {})).tasks.find((one) => one.kind === kind)!.uid
  return { ...told, of, ask, task }
}

describe('a task that runs at another time', () => {
  it('if the end of a payment runs before its start, the payment ends, and no amount stays held', async () => {
    const { of, account, pay, ask, task, transfer, balances, advance, expectBalancedLedger } = await outOfTurn()
    const { uid } = await pay(of, of.master, await account(of, 'ach_external'), '10.00')
    expect(await ask('tasks.run', { uid: await task('finish payment') })).toMatchObject({
      outcome: 'settled, out of order: before "send payment"',
    })
    expect((await transfer(uid)).status).toBe('settled')
    expect((await advance({ until: 'idle' })).fired).toEqual([])
    expect(await balances(of.master)).toEqual({ balance: '90.00', pending: '0.00', available: '90.00' })
    await expectBalancedLedger()
  })

  it('a payment whose start is held does not settle before it is released', async () => {
    const { of, account, pay, ask, task, transfer, advance } = await outOfTurn()
    const { uid } = await pay(of, of.master, await account(of, 'ach_external'), '10.00')
    const begin = await task('send payment')
    await ask('tasks.hold', { uid: begin })
    await advance({ by: 'PT1M' })
    expect((await transfer(uid)).status).toBe('queued')
    await ask('tasks.release', { uid: begin })
    await advance({ until: 'idle' })
    expect((await transfer(uid)).status).toBe('settled')
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

  it('a timestamp without an offset is UTC, in every time zone of the machine', async () => {
    const { api, list } = await outOfTurn()
    expect(await list('/transactions?created_at_after=2026-08-14T14:00:01')).toHaveLength(1)
    expect(await list('/transactions?created_at_after=2026-08-14T14:00:02')).toHaveLength(0)
    expect((await api.get('/transactions?created_at_before=2026-08-14T14:00:02.001')).body.total_count).toBe(1)
  })

  it('a filter that takes a list also takes one value, as in a query', async () => {
    const { ask } = await outOfTurn()
    const found = await ask<{ total_count: number }>('records.list', { collection: 'transactions', status: 'settled' })
    expect(found.total_count).toBe(1)
  })
})
