import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/client.ts'
import { type Listed, PERSON, type Resource, setUpCustomers } from '../support/customers.ts'
import { ACH } from '../support/payments.ts'

async function world() {
  const begun = await setUpCustomers()
  const archive = (uid: string | undefined, json: object = {}) =>
    begun.api.call<Resource>('DELETE', `/customers/${uid}`, { json })
  return { ...begun, archive }
}

describe('4.5 DELETE /customers/{uid}', () => {
  it('rule 1: on receipt, status becomes pending_archival and the accounts are locked', async () => {
    const { api, active, archive } = await world()
    const customer = await active()
    const { status, body } = await archive(customer.uid, { archive_note: 'moved away' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ uid: customer.uid, status: 'pending_archival', archived_at: null, locked_at: null })
    const types = await api.get<{ data: { uid: string }[] }>('/synthetic_account_types')
    const refused = await api.post('/synthetic_accounts', {
      name: 'Another',
      pool_uid: customer.pool_uids[0],
      synthetic_account_type_uid: types.body.data[0]!.uid,
    })
    expectRefusal(refused, 'archivedCustomer')
  })

  it('rule 1: no request changes or closes the accounts of a Customer in archival', async () => {
    const { api, active, counterparty, archive } = await world()
    const customer = await active()
    const destination = await counterparty(customer, 1)
    await archive(customer.uid, { destination_synthetic_account_uid: destination })
    const path = `/synthetic_accounts/${destination}`
    expectRefusal(await api.call('PUT', path, { json: { name: 'Another', note: 'why' } }), 'archivedCustomer')
    expectRefusal(await api.call('DELETE', path), 'archivedCustomer')
  })

  it('the body is optional', async () => {
    const { api, active } = await world()
    const customer = await active()
    const { status, body } = await api.call('DELETE', `/customers/${customer.uid}`)
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'pending_archival' })
  })

  it('rules 2 and 6: with a $0 balance all accounts are closed and status becomes archived, within 8 business days', async () => {
    const { api, advance, active, counterparty, archive } = await world()
    const customer = await active()
    await counterparty(customer, 1)
    await archive(customer.uid)
    await advance({ business_days: 8 })
    const after = await api.get(`/customers/${customer.uid}`)
    // Requested on a Friday at 10:00 in New York: archived when that day closes.
    expect(after.body).toMatchObject({
      status: 'archived',
      archived_at: '2026-08-15T00:00:00.000Z',
      total_balance: '0.00',
    })
    const accounts = await api.get<{ data: Record<string, unknown>[] }>(
      `/synthetic_accounts?customer_uid=${customer.uid}`,
    )
    expect(accounts.body.data.map(({ status, closed_at }) => [status, closed_at])).toEqual([
      ['archived', '2026-08-15T00:00:00.000Z'],
      ['archived', '2026-08-15T00:00:00.000Z'],
    ])
    const custodial = await api.get<{ data: Record<string, unknown>[] }>(
      `/custodial_accounts?customer_uid=${customer.uid}`,
    )
    expect(custodial.body.data.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      'dda archived',
      'dda_cash_external null',
      'dda_cash_received null',
    ])
  })

  it('rule 2: an archive request cancels what is still queued', async () => {
    const { sandbox, api, active, counterparty, archive } = await world()
    const customer = await active()
    const external = await counterparty(customer, 1)
    await sandbox.call('programs.update', { uid: api.program.uid, queue_minutes: { ach: 525_600 } })
    const accounts = await api.get<Listed>(`/synthetic_accounts?customer_uid=${customer.uid}&liability=true`)
    const transfer = await api.post('/transfers', {
      source_synthetic_account_uid: external,
      destination_synthetic_account_uid: accounts.body.data[0]!.uid,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: '25.00',
      ach: { ...ACH, effective_entry_date: '2026-09-13' },
    })
    expect(transfer.status).toBe(201)
    await archive(customer.uid)
    const { body } = await api.get(`/transfers/${transfer.body.uid}`)
    expect(body).toMatchObject({
      status: 'canceled',
      cancellation: { current_cancellation_status: 'successful_cancellation' },
    })
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

  it('rule 6: status becomes archived only with a $0 balance', async () => {
    const { api, advance, active, archive } = await world()
    const customer = await active()
    const receive = (us_dollar_amount: number) =>
      api.post('/sandbox/mock_transactions', { transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount })
    await receive(-0.01)
    await advance({ by: 'PT1S' })
    await archive(customer.uid)
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${customer.uid}`)).body.status).toBe('pending_archival')
    await receive(0.01)
    await advance({ business_days: 1 })
    expect((await api.get(`/customers/${customer.uid}`)).body.status).toBe('archived')
  })

  it('rule 7: records remain available for history; the Customer cannot open new accounts', async () => {
    const { api, advance, onboard, active, archive } = await world()
    const customer = await active()
    await archive(customer.uid)
    await advance({ business_days: 1 })
    const listed = await api.get<{ data: { uid: string }[] }>('/customers?status=archived')
    expect(listed.body.data.map(({ uid }) => uid)).toEqual([customer.uid])
    expectRefusal(await onboard(customer.uid), 'archivedCustomer')
    expectRefusal(await api.call('PUT', `/customers/${customer.uid}`, { json: {} }), 'archivedCustomer')
    expectRefusal(await archive(customer.uid), 'archivedCustomer')
  })

  it('destination_synthetic_account_uid is required if the Customer has several active external Synthetic Accounts', async () => {
    const { sandbox, active, counterparty, archive } = await world()
    const customer = await active()
    await counterparty(customer, 1)
    const second = await counterparty(customer, 2)
    const { seq } = sandbox.store.world
    expectRefusal(await archive(customer.uid), 'missingParameter', /^destination_synthetic_account_uid is required/)
    expect(sandbox.store.world.seq).toBe(seq)
    const named = await archive(customer.uid, { destination_synthetic_account_uid: second })
    expect(named.body.status).toBe('pending_archival')
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

  it('can_apply_again: false prevents the same person from reapplying to the Program', async () => {
    const { advance, created, onboard, active, archive } = await world()
    const customer = await active()
    await archive(customer.uid, { can_apply_again: false })
    await advance({ business_days: 1 })
    const again = await created()
    expectRefusal(await onboard(again.uid), 'customerInUse')
    const another = await created({ ...PERSON, ssn: '512-04-8825' })
    expect((await onboard(another.uid)).status).toBe(200)
  })

  it('can_apply_again is true by default', async () => {
    const { advance, created, onboard, active, archive } = await world()
    const customer = await active()
    await archive(customer.uid)
    await advance({ business_days: 1 })
    const again = await created()
    expect((await onboard(again.uid)).status).toBe(200)
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

  it('refuses to archive a Customer twice, or a rejected Customer', async () => {
    const { advance, created, onboard, active, archive } = await world()
    const customer = await active()
    await archive(customer.uid)
    expectRefusal(await archive(customer.uid), 'customerNotUpdatable', 'its status is pending_archival')
    const body = await created({ ...PERSON, last_name: 'Johnson', ssn: '512-04-8826' })
    await onboard(body.uid)
    await advance({ by: 'PT2S' })
    expectRefusal(await archive(body.uid), 'customerNotUpdatable', 'its status is rejected')
  })

  it('refuses an unknown Customer and a body of the wrong type', async () => {
    const { active, archive } = await world()
    expectRefusal(await archive('x'), 'customerNotFound')
    const customer = await active()
    expectRefusal(await archive(customer.uid, { can_apply_again: 'no' }), 'invalidArgument', /^can_apply_again/)
  })
})
