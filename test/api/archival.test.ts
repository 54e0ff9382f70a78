import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/client.ts'
import { type Listed, PERSON, type Resource, setUpCustomers } from '../support/customers.ts'

async function world() {
  const begun = await setUpCustomers()
  const archive = (uid: string | undefined, json: object = {}) =>
    begun.api.call<Resource>('DELETE', `/customers/${uid}`, { json })
  return { ...begun, archive }
}

// What follows from an archival, step by step, is in test/journeys/archival.test.ts.
describe('4.5 DELETE /customers/{uid}', () => {
  it('the body is optional', async () => {
    const { api, active } = await world()
    const customer = await active()
    const { status, body } = await api.call('DELETE', `/customers/${customer.uid}`)
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'pending_archival' })
  })

  it('rule 2: an archive request refunds at once what no open payment has reserved', async () => {
    const { sandbox, api, active, counterparty, archive } = await world()
    const customer = await active()
    const external = await counterparty(customer, 1)
    await sandbox.call('programs.update', { uid: api.program.uid, queue_minutes: { ach: 525_600 } })
    const receive = (us_dollar_amount: number, transaction_type = 'ach') =>
      api.post('/sandbox/mock_transactions', { transaction_type, customer_uid: customer.uid, us_dollar_amount })
    await receive(100, 'wire')
    await sandbox.call('clock.advance', { by: 'P1D' })
    await receive(-30)
    await archive(customer.uid)
    const { body } = await api.get<Listed>(`/transfers?customer_uid=${customer.uid}`)
    expect(body.data).toMatchObject([
      { usd_transfer_amount: '70.00', status: 'queued', destination_synthetic_account_uid: external },
    ])
    expect(body.data[0]).not.toHaveProperty('queued_until')
  })

  it('the destination must be an active external account of the Customer', async () => {
    const { api, active, counterparty, archive } = await world()
    const customer = await active()
    const other = await active({ ...PERSON, ssn: '512-04-8824' })
    const foreign = await counterparty(other, 1)
    const own = await api.get<{ data: { uid: string }[] }>(`/synthetic_accounts?customer_uid=${customer.uid}`)
    for (const uid of [foreign, own.body.data[0]!.uid])
      expectRefusal(
        await archive(customer.uid, { destination_synthetic_account_uid: uid }),
        'invalidArgument',
        /must name an active external account of the Customer/,
      )
    expectRefusal(await archive(customer.uid, { destination_synthetic_account_uid: 'x' }), 'syntheticAccountNotFound')
  })

  it('a Customer in verification is archived, and its running check changes nothing afterwards', async () => {
    const { sandbox, api, advance, created, onboard, archive } = await world()
    const body = await created()
    await onboard(body.uid)
    await archive(body.uid)
    await advance({ by: 'PT2S' })
    const between = await api.get(`/customers/${body.uid}`)
    expect(between.body).toMatchObject({ status: 'pending_archival', kyc_status: null, pool_uids: [] })
    await advance({ business_days: 1 })
    expect((await api.get(`/customers/${body.uid}`)).body.status).toBe('archived')
    expect(sandbox.store.world.collections.tasks.inOrder().filter(({ failed }) => failed)).toEqual([])
  })

  it('refuses to archive a rejected Customer', async () => {
    const { advance, created, onboard, archive } = await world()
    const { uid } = await created({ ...PERSON, last_name: 'Johnson' })
    await onboard(uid)
    await advance({ by: 'PT2S' })
    expectRefusal(await archive(uid), 'customerNotUpdatable', 'its status is rejected')
  })
})
