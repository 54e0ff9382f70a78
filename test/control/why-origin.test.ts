import { describe, expect, it } from 'vitest'
import type { Reason } from '../../src/api/contract/control/history.ts'
import { controlOf } from '../support/bridges.ts'
import { PERSON } from '../support/customers.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'

/** `why` always ends at its origin: the request, the operator action or the trigger, with every step between. */
describe('why', () => {
  async function bank() {
    const setup = await setUpPayments()
    const control = controlOf(setup.sandbox)
    const why = async (collection: string, uid: string, field?: string) =>
      (await control.why({ collection, uid, ...(field === undefined ? {} : { field }) })).chain
    const olive = await setup.customer()
    await setup.fund(olive, 1000)
    const transfer = async (
      numbers: Record<string, unknown>,
      category: 'ach_external' | 'wire_external' = 'ach_external',
    ) => {
      const to = await setup.account(olive, category, numbers)
      const body = {
        source_synthetic_account_uid: olive.master,
        destination_synthetic_account_uid: to,
        initiating_customer_uid: olive.uid,
        usd_transfer_amount: '10.00',
        ...(category === 'ach_external' ? { ach: ACH } : {}),
      }
      const { body: made } = await setup.api.post<{ uid: string; transaction_uids: string[] }>('/transfers', body)
      return { uid: made.uid, payment: made.transaction_uids[0]!, to }
    }
    return { ...setup, control, why, olive, transfer }
  }
  const causes = (chain: readonly Reason[]) => chain.map(({ cause }) => `${cause?.door}: ${cause?.name}`)

  it('of a settled transfer reaches its POST', async () => {
    const { why, transfer, advance } = await bank()
    const { uid, payment } = await transfer({})
    await advance({ by: 'PT10S' })
    const chain = await why('transfers', uid)
    expect(causes(chain)).toEqual(['time: finish payment', 'request: POST /transfers'])
    expect(chain.map((reason) => reason.collection)).toEqual(['transfers', 'transfers'])
    expect(chain[1]?.cause?.exchange).toMatch(/^x\d+$/)
    expect(causes(await why('transactions', payment))).toEqual(['time: finish payment', 'request: POST /transfers'])
  })

  it('of an archived Customer reaches its DELETE, with every step between', async () => {
    const { api, why, account, olive, advance } = await bank()
    await account(olive, 'ach_external')
    expect((await api.call('DELETE', `/customers/${olive.uid}`, { json: {} })).status).toBe(200)
    await advance({ until: 'idle' })
    const chain = await why('customers', olive.uid, 'status')
    const names = causes(chain)
    expect(names[0]).toBe('time: finish archival')
    expect(names).toContain('time: continue archival')
    expect(names.at(-1)).toBe('request: DELETE /customers/{uid}')
    expect(chain.map(({ seq }) => seq)).toEqual([...chain.map(({ seq }) => seq!)].sort((a, b) => b - a))
  })

  it('of a balance that a decision about another payment led to reaches a request', async () => {
    const { api, control, why, account, olive, advance } = await bank()
    await account(olive, 'ach_external', { account_number: '880009902' })
    expect((await api.call('DELETE', `/customers/${olive.uid}`, { json: {} })).status).toBe(200)
    await advance({ by: 'PT2S' })
    const { data } = (await api.get<{ data: { uid: string; status: string }[] }>('/transactions?status=pending')).body
    await control['moves.make']({ collection: 'transactions', uid: data[0]!.uid, move: 'settle' })
    await advance({ until: 'idle' })
    const names = causes(await why('customers', olive.uid, 'total_balance'))
    expect(names).toContain('operator: moves.make settle')
    expect(names.at(-1)).toMatch(/^request: /)
  })

  it('of a failed payment names the data that failed it', async () => {
    const { why, transfer, advance } = await bank()
    const { uid, payment, to } = await transfer({ name: 'Fail Traders' }, 'wire_external')
    await advance({ by: 'PT10S' })
    const forced_by = `the name of ${to} is "Fail Traders"`
    expect((await why('transactions', payment))[0]).toMatchObject({ cause: { name: 'finish payment' }, forced_by })
    const [first, last] = await why('transfers', uid)
    expect(first).toMatchObject({ forced_by })
    expect(last).toMatchObject({ cause: { name: 'POST /transfers' }, forced_by: null })
  })

  it('of a return names the account number that forced it', async () => {
    const { why, transfer, advance, list } = await bank()
    const { to } = await transfer({ account_number: '4410209902' })
    await advance({ by: 'PT30S' })
    const [returned] = await list<{ uid: string }>('/transactions?type=ach_return')
    const chain = await why('transactions', returned!.uid, 'type')
    expect(chain[0]).toMatchObject({
      cause: { name: 'receive return' },
      forced_by: `the account_number of ${to} ends in 9902`,
    })
    expect(causes(chain).at(-1)).toBe('request: POST /transfers')
  })

  it('of a late return, and of a refused reversal, too', async () => {
    const { api, olive, why, transfer, advance, list } = await bank()
    const returned = async () => (await list<{ uid: string }>('/transactions?type=ach_return'))[0]!.uid
    const reversed = await transfer({ account_number: '4410209617' })
    await advance({ by: 'PT10S' })
    const { body } = await api.post<{ return_transaction_uid: string }>(
      '/returns',
      returnBody(reversed.payment, olive.uid),
    )
    await advance({ by: 'PT1M' })
    for (const uid of [await returned(), body.return_transaction_uid])
      expect((await why('transactions', uid, 'ach.ach_return_code'))[0]).toMatchObject({
        cause: { name: 'receive return' },
        forced_by: `the account_number of ${reversed.to} ends in 9617`,
      })
    const late = await transfer({ account_number: '441020970302' })
    await advance({ until: 'idle' })
    const [{ forced_by, rule } = {}] = await why('transactions', await returned(), 'type')
    expect(forced_by).toBe(`the account_number of ${late.to} ends in 970302`)
    expect(rule).toMatch(/99NN or 97DDNN is returned .* 96NN is refused/)
  })

  it('of an account that opened or failed by its name names it, and nothing of a later change', async () => {
    const { why, account, olive, advance, fund } = await bank()
    const opened = await account(olive, 'general', { name: 'Initiated savings' })
    const failed = await account(olive, 'ach_external', { name: 'Account fail mill' })
    await advance({ by: 'PT2S' })
    for (const [uid, name] of [
      [opened, 'Initiated savings'],
      [failed, 'Account fail mill'],
    ])
      expect((await why('synthetic_accounts', uid!, 'status'))[0]).toMatchObject({
        cause: { name: 'open account' },
        forced_by: `its name is "${name}"`,
      })
    await fund(olive, 10, opened)
    expect((await why('synthetic_accounts', opened, 'net_usd_balance'))[0]?.forced_by).toBeNull()
  })

  it.each([
    ['the last name', { ...PERSON, last_name: 'Johnson' }, 'details.last_name is "Johnson"'],
    ['the date of birth', { ...PERSON, dob: '2015-01-01' }, 'details.dob: the Customer is under 18'],
  ])('of a KYC decision names %s, and reaches the onboarding', async (_what, details, forced_by) => {
    const { why, created, onboard, advance } = await bank()
    const { uid } = await created(details)
    await onboard(uid)
    await advance({ by: 'PT5S' })
    const chain = await why('customers', uid!, 'kyc_status')
    expect(chain[0]).toMatchObject({ cause: { name: 'decide kyc' }, forced_by })
    expect(causes(chain).at(-1)).toBe('request: POST /customer_products')
  })

  it('of an approved Customer names no data', async () => {
    const { why, olive } = await bank()
    const chain = await why('customers', olive.uid, 'status')
    expect(chain.map(({ forced_by }) => forced_by)).toEqual(chain.map(() => null))
    expect(causes(chain).at(-1)).toBe('request: POST /customer_products')
  })
})
