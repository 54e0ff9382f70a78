import { describe, expect, it } from 'vitest'
import { add, sum, ZERO } from '../../src/api/domain/rules/money.ts'
import { createCaller } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'

/** Balances as statements, names of related records, and a timeline with amounts. */

async function bank() {
  const setup = await setUpPayments()
  const ask = createCaller(setup.sandbox)
  const statement = async (collection: string, uid: string, field: string) => {
    const { statement } = await ask('why', { collection, uid, field })
    return statement
  }
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  return { ...setup, ask, statement, olive, mill }
}

describe('why, for a balance: a statement that adds up to the balance', () => {
  it('settled, less each pending withdrawal with its chain; a pending deposit does not count', async () => {
    const { olive, mill, pay, mock, statement } = await bank()
    const sent = await pay(olive, olive.master, mill, '20.00')
    const deposit = await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 7 })
    const result = (await statement('synthetic_accounts', olive.master, 'net_usd_available_balance'))!
    expect(result.parts.map(({ says, amount }) => [says, amount])).toEqual([
      ['settled, from 1 line item', '500.00'],
      ['a deposit still pending does not count', '0.00'],
      ['less a withdrawal still pending', '-20.00'],
    ])
    expect(result).toMatchObject({
      total: '480.00',
      rule: expect.stringContaining('settled balance less pending withdrawals'),
    })
    const [settled, coming, going] = result.parts
    expect(settled!.account).toEqual({ collection: 'synthetic_accounts', uid: olive.master })
    expect(coming!.of).toMatchObject({ amount: '7.00', chain: [{ collection: 'transactions', uid: deposit }] })
    expect(going!.of!.chain.map(({ collection, uid }) => [collection, uid])).toEqual([
      ['transactions', sent.transaction_uids[0]],
      ['transfers', sent.uid],
    ])
    expect(going!.of!.chain.at(-1)!.cause).toMatchObject({ name: 'POST /transfers', exchange: expect.any(String) })

    const pending = (await statement('synthetic_accounts', olive.master, 'net_usd_pending_balance'))!
    expect(pending.total).toBe('-13.00')
    expect(pending.parts.map(({ amount }) => amount)).toEqual(['7.00', '-20.00'])
  })

  it('a settled balance has its line items, newest first, each with its Transaction', async () => {
    const { olive, mill, pay, advance, ask, statement } = await bank()
    const { transaction_uids } = await pay(olive, olive.master, mill, '20.00')
    await advance({ until: 'idle' })
    const { parts, total } = (await statement('synthetic_accounts', olive.master, 'net_usd_balance'))!
    const { data } = await ask('ledger.lines', { book: 'synthetic', account_uid: olive.master })
    expect(parts.map(({ amount, line_item }) => [amount, line_item?.uid, line_item?.at])).toEqual(
      data.map(({ amount, uid, at }) => [amount, uid, at]),
    )
    expect(parts[0]).toMatchObject({ amount: '-20.00', line_item: { transaction_uid: transaction_uids[0] } })
    expect([total, sum(parts.map(({ amount }) => amount))]).toEqual(['480.00', '480.00'])
  })

  it('of more than 50 line items the earlier ones are one part, and the parts add up', async () => {
    const { olive, account, pay, advance, statement } = await bank()
    const second = await account(olive, 'general')
    for (let i = 0; i < 52; i++) await pay(olive, olive.master, second, '1.01')
    await advance({ until: 'idle' })
    const { parts, total } = (await statement('synthetic_accounts', second, 'net_usd_balance'))!
    expect(parts).toHaveLength(51)
    expect(parts.at(-1)).toMatchObject({
      says: '2 earlier line items',
      amount: '2.02',
      line_item: null,
      account: { collection: 'synthetic_accounts', uid: second },
    })
    expect([total, sum(parts.map(({ amount }) => amount))]).toEqual(['52.52', '52.52'])
  })

  it('in both books the parts add up to the total, also with pending payments', async () => {
    const { olive, mill, pay, mock, ask, account } = await bank()
    const second = await account(olive, 'general')
    await pay(olive, olive.master, second, '31.00')
    await pay(olive, olive.master, mill, '20.00')
    await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: -5 })
    await mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 11 })
    let asked = 0
    for (const { book, uid, available } of (await ask('ledger.accounts', {})).accounts)
      for (const field of ['net_usd_balance', 'net_usd_pending_balance', 'net_usd_available_balance']) {
        const collection = `${book}_accounts`
        const { statement } = await ask('why', { collection, uid, field })
        if (available === null) expect(statement).toBeNull()
        else {
          asked++
          expect(sum(statement!.parts.map(({ amount }) => amount)), `${collection} ${field}`).toBe(statement!.total)
        }
      }
    expect(asked).toBeGreaterThanOrEqual(9)
  })

  it('more than 20 payments: the rest is one part', async () => {
    const { olive, mill, pay, statement } = await bank()
    for (let i = 0; i < 23; i++) await pay(olive, olive.master, mill, '1.00')
    const { parts, total } = (await statement('synthetic_accounts', olive.master, 'net_usd_available_balance'))!
    expect(parts).toHaveLength(22)
    expect(parts.at(-1)).toEqual({
      says: '3 more payments still pending',
      amount: '-3.00',
      of: null,
      account: null,
      line_item: null,
    })
    expect(total).toBe('477.00')
  })

  it("a Customer's total is the sum of its accounts; other fields have no statement", async () => {
    const { olive, statement, account } = await bank()
    const second = await account(olive, 'general')
    const result = (await statement('customers', olive.uid, 'total_balance'))!
    expect(result.total).toBe('500.00')
    expect(result.parts.map(({ amount, account }) => [account?.uid, amount])).toEqual([
      [olive.master, '500.00'],
      [second, '0.00'],
    ])
    expect(await statement('customers', olive.uid, 'status')).toBeNull()
  })
})

it('records.related: each record has a name, a status and an amount, and records that it names are marked', async () => {
  const { olive, mill, pay, ask } = await bank()
  const { uid } = await pay(olive, olive.master, mill, '20.00')
  const { related, named } = await ask('records.related', { collection: 'transfers', uid })
  expect(named.find((one) => one.uid === olive.master)).toEqual({
    collection: 'synthetic_accounts',
    uid: olive.master,
    name: 'Primary Synthetic Account',
    status: 'active',
    amount: '500.00',
  })
  // Its Transaction names it, and not the other way round.
  expect(named.map(({ collection }) => collection)).not.toContain('transactions')
  const customers = related.find(({ collection }) => collection === 'customers')!
  expect(customers.records[0]!.name).toMatch(/^[A-Z]\w+ [A-Z]\w+$/)
  const payments = related.find(({ collection }) => collection === 'transactions')!
  expect(payments.records[0]).toMatchObject({ status: expect.any(String), amount: '20.00' })
})

describe('records.story: the timeline of a Customer with its amounts', () => {
  it('an entry of money has the amount, the balance after it and the payment; a hold is pending', async () => {
    const { olive, mill, pay, ask, sandbox } = await bank()
    const { uid, transaction_uids } = await pay(olive, olive.master, mill, '20.00')
    await sandbox.call('clock.advance', { until: 'idle' })
    const { entries } = await ask('records.story', { uid: olive.uid })
    const money = entries.filter(({ kind, uid }) => kind === 'money' && uid === olive.master)
    expect(money.map(({ amount, balance, pending, payment }) => [amount, balance, pending, payment?.uid])).toEqual([
      ['-20.00', '480.00', false, transaction_uids[0]],
      ['-20.00', null, true, undefined],
      ['500.00', '500.00', false, expect.any(String)],
    ])
    // What settled is what the account holds.
    const settled = money.filter(({ pending }) => !pending).map(({ amount }) => amount!)
    expect(settled.reduce(add, ZERO)).toBe('480.00')
    const state = entries.find((entry) => entry.uid === uid && entry.kind === 'state')
    expect(state).toMatchObject({ field: 'status', from: 'pending', to: 'settled', name: 'ach' })
    const request = entries.find(({ kind, text }) => kind === 'request' && text === 'POST /transfers')
    expect(request!.exchange).toMatchObject({ method: 'POST', path: '/transfers', status: 201 })
    const made = entries.find((entry) => entry.uid === transaction_uids[0] && entry.kind === 'money')
    expect(made).toMatchObject({ amount: '-20.00', pending: true, payment: { type: 'ach' } })
  })

  it('reads are included on request, and so are requests refused because of their body', async () => {
    const { olive, mill, tryToPay, ask, api } = await bank()
    await api.get(`/customers/${olive.uid}`)
    expect((await tryToPay(olive, mill, mill, '20.00')).status).toBeGreaterThanOrEqual(400)
    const { entries } = await ask('records.story', { uid: olive.uid })
    expect(entries[0]).toMatchObject({ seq: null, exchange: { method: 'POST', path: '/transfers' } })
    expect(entries.some(({ exchange }) => exchange?.method === 'GET')).toBe(false)
    const all = await ask('records.story', { uid: olive.uid, reads: true })
    expect(all.entries.filter(({ exchange }) => exchange?.method === 'GET').length).toBeGreaterThanOrEqual(1)
  })

  it('pages continue each other, and the last one says that there are no more', async () => {
    const { olive, ask } = await bank()
    const { entries, more } = await ask('records.story', { uid: olive.uid })
    expect(more).toBe(false)
    const paged = []
    for (let offset = 0, going = true; going; offset += 4) {
      const page = await ask('records.story', { uid: olive.uid, limit: 4, offset })
      paged.push(...page.entries)
      going = page.more
    }
    expect(paged).toEqual(entries)
  })
})
