import { describe, expect, it } from 'vitest'
import type { Listed } from '../support/customers.ts'
import { setUpPayments } from '../support/payments.ts'

/** An active Customer, and a function that sets the balance of its account with incoming or outgoing payments. */
async function world() {
  const { api, advance, customer, fund, balances } = await setUpPayments()
  const owner = await customer()
  const synthetic = owner.master
  const custodials = await api.get<Listed>('/custodial_accounts?type=dda')
  const custodial = custodials.body.data[0]!.uid!
  const setBalance = async (wanted: string) => {
    const lacking = Number(wanted) - Number((await balances(synthetic)).balance)
    if (lacking !== 0) await fund(owner, lacking.toFixed(2))
  }
  return { api, advance, synthetic, custodial, setBalance }
}

describe.each(['synthetic', 'custodial'] as const)('closing balances of %s accounts', (kind) => {
  const path = `/${kind}_account_closing_balances`

  it('one row per account and business day on which its balance changed', async () => {
    const { api, advance, setBalance, ...accounts } = await world()
    await setBalance('10.00')
    // Friday 10:00 to Wednesday 10:00 in New York: closes on Friday, Monday and Tuesday.
    await advance({ business_days: 1 })
    await setBalance('10.00')
    await advance({ business_days: 1 })
    await setBalance('7.50')
    await advance({ business_days: 1 })
    const { body } = await api.get<Listed>(path)
    expect(body.data.map((row) => [row.net_usd_closing_balance_as_of, row.net_usd_closing_balance])).toEqual([
      ['2026-08-18', '7.50'],
      ['2026-08-14', '10.00'],
    ])
    expect(body.data[0]![`${kind}_account_uid`]).toBe(accounts[kind])
    expect((await api.get(`${path}/${body.data[0]!.uid}`)).body).toEqual(body.data[0])
    const account = await api.get(`/${kind}_accounts/${accounts[kind]}`)
    expect(account.body).toMatchObject({ net_usd_closing_balance: '7.50', net_usd_closing_balance_as_of: '2026-08-18' })
  })

  it('a balance that is back at the end of the day adds no row', async () => {
    const { api, advance, setBalance } = await world()
    await setBalance('10.00')
    await setBalance('0.00')
    await advance({ business_days: 1 })
    expect((await api.get<Listed>(path)).body.total_count).toBe(0)
  })

  it('the filters by day take timestamps, too', async () => {
    const { api, advance, setBalance } = await world()
    for (const balance of ['1.00', '2.00']) {
      await setBalance(balance)
      await advance({ business_days: 1 })
    }
    const { body } = await api.get<Listed>(`${path}?net_usd_closing_balance_after=2026-08-14T12:00:00Z`)
    expect(body.data.map((row) => row.net_usd_closing_balance_as_of)).toEqual(['2026-08-17'])
  })
})
