import { describe, expect, it } from 'vitest'
import type { OutsideMovement } from '../../src/api/contract/resources/outside-transactions.ts'
import type { Transaction, TransactionEvent } from '../../src/api/contract/resources/transactions.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { controlOf } from '../support/bridges.ts'
import { expectRefusal } from '../support/client.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

/**
 * 1: "A Transaction is created by a Transfer or by movements outside the application, such as card purchases, direct deposits,
 * interest and fees."
 */
describe('movements outside the application', () => {
  async function bank(options: Partial<SandboxOptions> = {}) {
    const setup = await setUpPayments(options)
    const control = controlOf(setup.sandbox)
    const olive = await setup.customer()
    await setup.fund(olive, 1000)
    const inject = (movement: OutsideMovement, us_dollar_amount = '25.00', more: object = {}) =>
      control['transactions.inject']({ movement, customer_uid: olive.uid, us_dollar_amount, ...more }) as Promise<
        Transaction & Record<string, unknown>
      >
    const read = async (uid: string) => (await setup.api.get<Transaction>(`/transactions/${uid}`)).body
    return { ...setup, control, olive, inject, read }
  }

  it('are in a bundle, which another sandbox imports', async () => {
    const { control, inject } = await bank()
    await inject('card_purchase')
    await inject('interest')
    const { text } = await control['bundles.export']({})
    const other = controlOf(await startSandbox({ seed: 'other' }))
    await other['bundles.import']({ text })
    const { data } = await other['records.list']({ collection: 'transactions' })
    expect(data.map((one) => (one as unknown as Transaction).type).slice(0, 2)).toEqual(['interest', 'card_purchase'])
    expect(await other['ledger.check']({})).toMatchObject({ balanced: true })
  })

  it.each([
    ['card_purchase', 'card_purchase', 'negative', 'Card purchase, Bayline Hotels'],
    ['card_refund', 'card_refund', 'positive', 'Card refund, Bayline Hotels'],
    ['card_load', 'card_load', 'positive', 'Card load, Bayline Hotels'],
    ['cash_load', 'cash_load', 'positive', 'Cash load, Bayline Hotels'],
    ['atm_withdrawal', 'atm_withdrawal', 'negative', 'ATM withdrawal, Bayline Hotels'],
    ['direct_deposit', 'ach', 'positive', 'ACH credit from Bayline Hotels'],
    ['interest', 'interest', 'positive', expect.stringMatching(/^Interest, Bayline Hotels, \d{4}-\d\d-01 to /)],
    ['fee', 'fee', 'negative', 'Fee, Bayline Hotels'],
    ['credit', 'credit', 'positive', 'Credit, Bayline Hotels'],
  ] as const)(
    '%s is a Transaction of type %s in both books, with its event',
    async (movement, type, net_asset, description) => {
      const { api, control, olive, inject, read, advance, balances } = await bank()
      const { uid } = await inject(movement, '25.00', { counterparty_name: 'Bayline Hotels' })
      expect(await read(uid)).toMatchObject({
        type,
        net_asset,
        status: 'pending',
        us_dollar_amount: '25.00',
        description,
        transfer_uid: null,
      })
      await advance({ by: 'PT1S' })
      const settled = await read(uid)
      expect(settled.status).toBe('settled')
      expect((await balances(olive.master)).balance).toBe(net_asset === 'positive' ? '1025.00' : '975.00')
      expect(
        (await api.get<Page<Transaction>>(`/transactions?type=${type}`)).body.data.map((one) => one.uid),
      ).toContain(uid)
      const event = await api.get<TransactionEvent>(`/transaction_events/${settled.transaction_event_uids[0]}`)
      expect(event.body).toMatchObject({
        status: 'settled',
        net_asset,
        type: net_asset === 'positive' ? 'rdfi_ach_deposit' : 'rdfi_ach_withdrawal',
      })
      const lines = (path: string) => api.get<Page<object>>(`/${path}?transaction_uid=${uid}`)
      expect((await lines('synthetic_line_items')).body.total_count).toBe(2)
      expect((await lines('custodial_line_items')).body.total_count).toBe(2)
      expect(await control['ledger.check']({})).toMatchObject({ balanced: true })
    },
  )

  it('a direct deposit is an ACH credit with the code PPD', async () => {
    const { inject } = await bank()
    expect((await inject('direct_deposit')).ach).toMatchObject({ sec_code: 'PPD', entry_description: 'PAYROLL' })
  })

  it('by the banking calendar, movements by card settle with the next received ACH, those of the custodian after a second', async () => {
    const { inject, read, advance } = await bank({ pace: 'real' })
    await advance({ to: '2026-08-17T15:00:00.000Z' })
    const [purchase, fee] = [await inject('card_purchase'), await inject('fee')]
    await advance({ by: 'P2D' })
    expect((await read(purchase.uid)).settled_at).toBe('2026-08-18T12:30:00.000Z')
    expect((await read(fee.uid)).settled_at).toBe('2026-08-17T15:00:01.000Z')
  })

  it('they go to the master account or to the general account that is named', async () => {
    const { olive, account, inject } = await bank()
    const savings = await account(olive, 'general')
    expect((await inject('interest')).destination_synthetic_account_uid).toBe(olive.master)
    expect(
      (await inject('interest', '1.00', { synthetic_account_uid: savings })).destination_synthetic_account_uid,
    ).toBe(savings)
  })

  it('a fee is not refused for insufficient funds: the balance becomes negative', async () => {
    const { olive, inject, advance, balances } = await bank()
    await inject('fee', '1000.01')
    await advance({ by: 'PT1S' })
    expect((await balances(olive.master)).balance).toBe('-0.01')
  })

  it.each([
    ['an amount of 0', { us_dollar_amount: '0' }, 'invalidArgument', /us_dollar_amount must be more than 0/],
    ['a negative amount', { us_dollar_amount: '-1.00' }, 'invalidArgument', /us_dollar_amount must be more than 0/],
    ['an unknown movement', { movement: 'wire' }, 'invalidArgument', /movement/],
    ['an unknown field', { memo: 'x' }, 'invalidArgument', /memo/],
    ['an unknown account', { synthetic_account_uid: 'uKxmLxUEiSj5h4M3' }, 'syntheticAccountNotFound', undefined],
    ['an unknown Customer', { customer_uid: 'uKxmLxUEiSj5h4M3' }, 'routeNotFound', undefined],
  ] as const)('%s is refused, and nothing changes', async (_what, part, key, extra) => {
    const { sandbox, control, olive } = await bank()
    const input = { movement: 'fee', customer_uid: olive.uid, us_dollar_amount: '1.00', ...part }
    await expectRefusedCall(sandbox, () => control['transactions.inject'](input as never), key, extra)
  })

  it('the mock endpoint of Clients knows only its four types', async () => {
    const { api, olive } = await bank()
    const body = { transaction_type: 'card_purchase', customer_uid: olive.uid, us_dollar_amount: 5 }
    expectRefusal(await api.post('/sandbox/mock_transactions', body), 'invalidArgument', /transaction_type/)
  })

  it('why names the operator and the rule; a replay of the bundle repeats it without a difference', async () => {
    const { control, inject, advance } = await bank({ seed: 'outside' })
    const { uid } = await inject('card_purchase', '4.20', { counterparty_name: 'Bayline Hotels' })
    await advance({ by: 'PT1S' })
    const { chain } = await control.why({ collection: 'transactions', uid, field: 'us_dollar_amount' })
    expect(chain.at(-1)).toMatchObject({ cause: { door: 'operator', name: 'transactions.inject' }, section: '1' })
    const { text } = (await control['bundles.export']({})) as { text: string }
    expect(text).not.toContain('Bayline Hotels')
    expect(await control['exchanges.replay']({ text })).toMatchObject({ differs: 0, refused: 0 })
  })
})
