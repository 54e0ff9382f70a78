import { describe, expect, it } from 'vitest'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { openBank, openOperator, PROGRAM } from '../support/operator-sandbox.ts'

describe('the ledger', () => {
  async function openWithPayments() {
    const it = await openBank()
    await it.fund(it.customer, '100.00')
    const second = await it.account(it.customer, 'general')
    await it.pay(it.customer, it.customer.master, second, '25.00')
    const { uid: transaction_uid } = await it.send('30.00')
    await it.advance({ until: 'idle' })
    return { ...it, second, transaction_uid }
  }
  const cents = (money: string) => Math.round(Number(money) * 100)

  it('ledger.accounts lists every account of both books, with the sum of its lines as its balance', async () => {
    const { control, customer, second, counterparty, balances } = await openWithPayments()
    const { accounts } = await control['ledger.accounts']({})
    const { data: lines, total_count } = await control['ledger.lines']({ limit: 1000 })
    expect(total_count).toBe(lines.length)
    for (const account of accounts) {
      const own = lines.filter(({ account_uid, book }) => account_uid === account.uid && book === account.book)
      expect(own).toHaveLength(account.lines)
      expect(own.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(account.balance))
      expect(account).toMatchObject({ customer_uid: customer.uid, pool_uid: customer.pool, program_uid: PROGRAM })
    }
    const of = (uid: string) => accounts.find((account) => account.uid === uid)
    expect(of(customer.master)).toMatchObject({ liability: true, kind: 'general', balance: '45.00', lines: 3 })
    expect(of(second)).toMatchObject({ balance: '25.00', available: '25.00', lines: 1 })
    expect(of(counterparty)).toMatchObject({
      liability: false,
      kind: 'ach_external',
      balance: '30.00',
      pending: null,
    })
    expect(await balances(customer.master)).toMatchObject({ balance: of(customer.master)!.balance })
    expect(accounts.filter(({ book }) => book === 'custodial').map(({ kind }) => kind)).toEqual([
      'dda',
      'dda_cash_external',
      'dda_cash_received',
    ])
    for (const book of ['synthetic', 'custodial'] as const)
      expect((await control['ledger.accounts']({ book })).accounts).toEqual(accounts.filter((it) => it.book === book))
  })

  it('ledger.lines lists the newest first, with the running balance, by account, transaction, book and page', async () => {
    const { control, customer, transaction_uid } = await openWithPayments()
    const all = (await control['ledger.lines']({ limit: 1000 })).data
    expect(all.map((line) => line.at)).toEqual(
      all
        .map((line) => line.at)
        .toSorted()
        .reverse(),
    )
    const own = (await control['ledger.lines']({ account_uid: customer.master })).data
    expect(own.map(({ amount, running }) => [amount, running])).toEqual([
      ['-30.00', '45.00'],
      ['-25.00', '75.00'],
      ['100.00', '100.00'],
    ])
    const posted = (await control['ledger.lines']({ transaction_uid })).data
    expect(posted.map(({ book }) => book).toSorted()).toEqual(['custodial', 'custodial', 'synthetic', 'synthetic'])
    for (const book of ['synthetic', 'custodial'])
      expect(posted.filter((line) => line.book === book).reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(0)
    expect((await control['ledger.lines']({ book: 'custodial', limit: 1000 })).data).toEqual(
      all.filter(({ book }) => book === 'custodial'),
    )
    expect(await control['ledger.lines']({ limit: 2, offset: 3 })).toEqual({
      total_count: all.length,
      count: 2,
      limit: 2,
      offset: 3,
      data: all.slice(3, 5),
    })
    expect(await control['ledger.lines']({ account_uid: 'x' })).toMatchObject({ total_count: 0, data: [] })
  })

  it('ledger.trial_balance adds up to 0.00 in both books', async () => {
    const { control } = await openWithPayments()
    const { accounts } = await control['ledger.accounts']({})
    const { data: lines } = await control['ledger.lines']({ limit: 1000 })
    const { books } = await control['ledger.trial_balance']({})
    expect(books.map(({ book }) => book)).toEqual(['synthetic', 'custodial'])
    for (const row of books) {
      const own = lines.filter(({ book }) => book === row.book)
      expect(row).toMatchObject({
        total: '0.00',
        lines: own.length,
        accounts: accounts.filter(({ book }) => book === row.book).length,
      })
      expect(cents(row.credits)).toBe(own.reduce((sum, { amount }) => sum + Math.max(0, cents(amount)), 0))
      expect(cents(row.debits)).toBe(-cents(row.credits))
    }
  })

  it('each Program has its own books', async () => {
    const { control, sandbox } = await openWithPayments()
    const { uid } = await control['programs.create']({ name: 'Second' })
    expect(await control['ledger.accounts']({ program_uid: uid })).toEqual({ accounts: [] })
    expect(await control['ledger.lines']({ program_uid: uid })).toMatchObject({ total_count: 0 })
    expect((await control['ledger.trial_balance']({ program_uid: uid })).books).toMatchObject([
      { lines: 0, total: '0.00' },
      { lines: 0, total: '0.00' },
    ])
    expect((await control['ledger.check']({})).checked).toMatchObject({ programs: 2 })
    for (const method of ['ledger.accounts', 'ledger.lines', 'ledger.trial_balance'] as const)
      await expectRefusedCall(
        sandbox,
        () => control[method]({ program_uid: 'x' }),
        'routeNotFound',
        'there is no Program x',
      )
  })

  it.each<[MethodName, object, RegExp]>([
    ['ledger.accounts', { book: 'red' }, /^book: /],
    ['ledger.lines', { book: 'red' }, /^book: /],
    ['ledger.lines', { limit: 1001 }, /^limit: /],
    ['ledger.lines', { offset: -1 }, /^offset: /],
    ['ledger.trial_balance', { book: 'synthetic' }, /Unrecognized key: "book"/],
    ['ledger.check', { program_uid: PROGRAM }, /Unrecognized key: "program_uid"/],
  ])('%s %j is refused', async (method, input, extra) => {
    const { refused, control } = await openOperator()
    await refused(() => control[method](input as never), 'invalidArgument', extra)
  })
})
