import { expect, it } from 'vitest'
import { expectRefusal } from '../support/client.ts'
import { OLIVE, PERSON } from '../support/customers.ts'
import { returnBody, setUpPayments } from '../support/payments.ts'

/** What is seldom sent, and what the answer says then. */

const archiving = { pending: 'PT0S', archived: 'P15D' }

async function bank() {
  const setup = await setUpPayments()
  const { api } = setup
  const olive = await setup.customer()
  const customerOf = async (uid: string | undefined) => (await api.get<{ status: string }>(`/customers/${uid}`)).body
  const archive = (uid: string) => api.call('DELETE', `/customers/${uid}`, { json: {} })
  const createSecondary = (primary_customer_uid: string) =>
    api.post<{ uid: string }>('/customers', { ...OLIVE, customer_type: 'secondary', primary_customer_uid })
  return { ...setup, olive, customerOf, archive, createSecondary }
}

it.each([
  ['1899-12-31', false],
  ['1900-01-01', true],
  ['2026-08-14', true],
  ['2026-08-15', false],
  ['2999-01-01', false],
])('2.3: a dob before 1900 or in the future is 422/4111: %s', async (dob, isValid) => {
  const { created, onboard, advance, customerOf } = await bank()
  const { uid } = await created({ ...PERSON, dob })
  const answer = await onboard(uid)
  if (!isValid) return expectRefusal(answer, 'customerDetailsIncomplete', 'Dob is invalid')
  expect(answer.status).toBe(200)
  await advance({ by: 'PT2S' })
  expect((await customerOf(uid)).status).toBe(dob < '2000' ? 'active' : 'rejected')
})

it('4.5: during pending_archival nothing says "is archived"', async () => {
  const { api, olive, archive, account, typeOf, onboard, mock, settle, sandbox } = await bank()
  const mill = await account(olive, 'ach_external')
  const received = await settle(await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 9 }))
  expect((await archive(olive.uid)).body).toMatchObject({ status: 'pending_archival' })
  const change = { json: { name: 'Another', note: 'why' } }
  const refused = [
    await onboard(olive.uid),
    await api.post('/synthetic_accounts', {
      name: 'One more',
      pool_uid: olive.pool,
      synthetic_account_type_uid: typeOf('general'),
    }),
    await api.call('PUT', `/synthetic_accounts/${mill}`, change),
    await api.call('DELETE', `/synthetic_accounts/${mill}`),
    await api.post('/virtual_reference_numbers', { synthetic_account_uid: olive.master, routing_number: '110000000' }),
    await api.post('/returns', returnBody(received, olive.uid, { ach: { ach_return_code: 'R23' } })),
  ]
  for (const answer of refused) expectRefusal(answer, 'inactiveCustomer', 'its status is pending_archival')
  for (const answer of [await archive(olive.uid), await api.call('PUT', `/customers/${olive.uid}`, { json: {} })])
    expectRefusal(answer, 'customerNotUpdatable', 'its status is pending_archival')
  // Nor what the operator reads.
  const { uid } = (await api.post<{ uid: string }>('/customers', OLIVE)).body
  await onboard(uid)
  await archive(uid)
  const advanced = await sandbox.call('clock.advance', { by: 'PT2S' })
  expect(JSON.stringify(advanced)).toContain("not needed any more: the Customer's status is pending_archival")
})

it('unknown Transactions, Pools, Products, types and line items have a 404 that is not the router\'s "Page Not Found"', async () => {
  const { api, olive, typeOf, onboard } = await bank()
  const returned = { requesting_customer_uid: olive.uid, requestor_type: 'customer', return_reason: 'not mine' }
  const opened = { name: 'N', pool_uid: olive.pool, synthetic_account_type_uid: typeOf('general') }
  const paths = [
    ...['transactions', 'pools', 'products', 'custodial_accounts', 'customer_products', 'synthetic_account_types'],
    ...['synthetic_line_items', 'custodial_line_items', 'transaction_events'],
  ]
  const refused = [
    ...(await Promise.all(paths.map((path) => api.get(`/${path}/unknown`)))),
    await api.call('PUT', '/transactions/unknown/authorize', { json: { authorization_status: 'client_approved' } }),
    await api.post('/sandbox/mock_transactions', { transaction_type: 'ach_return', transaction_uid: 'unknown' }),
    await api.post('/returns', { ...returned, original_transaction_uid: 'unknown', ach: { ach_return_code: 'R10' } }),
    await api.post('/synthetic_accounts', { ...opened, pool_uid: 'unknown' }),
    await api.post('/synthetic_accounts', { ...opened, synthetic_account_type_uid: 'unknown' }),
    await api.post('/customer_products', { customer_uid: olive.uid, product_uid: 'unknown' }),
  ]
  for (const answer of refused) expectRefusal(answer, 'unknownRecord', /^there is no [A-Z][A-Za-z ]+ with this uid$/)
  expect((await onboard(olive.uid)).status).toBe(422)
})

it('4.5 "any eligible state": a primary with active secondaries can be archived, and they follow', async () => {
  const { olive, createSecondary, onboard, advance, archive, customerOf, account, fund, list } = await bank()
  const secondaries = [(await createSecondary(olive.uid)).body.uid, (await createSecondary(olive.uid)).body.uid]
  await onboard(secondaries[0])
  await advance({ by: 'PT2S' })
  expect(await Promise.all(secondaries.map(async (uid) => (await customerOf(uid)).status))).toEqual([
    'active',
    'initiated',
  ])
  const [first] = await list<{ uid: string; pool_uids: string[] }>(`/customers?uid=${secondaries[0]}`)
  const [master] = await list<{ uid: string }>(`/synthetic_accounts?customer_uid=${first!.uid}&liability=true`)
  const other = { uid: first!.uid, pool: first!.pool_uids[0]!, master: master!.uid }
  await fund(other, '20.00')
  // No request names the account that receives its money, so it is refunded by check.
  await account(other, 'ach_external')
  await account(other, 'ach_external')
  expect((await archive(olive.uid)).status).toBe(200)
  const all = [olive.uid, ...secondaries]
  for (const uid of all) expect((await customerOf(uid)).status).toBe('pending_archival')
  await advance({ business_days: 8 })
  for (const uid of all) expect(await customerOf(uid)).toMatchObject({ status: 'archived', total_balance: '0.00' })
  expect(await list(`/transactions?customer_uid=${other.uid}&type=other`)).toHaveLength(1)
})

it.each(Object.entries(archiving))('2.1: no secondary can be created under a primary that is %s', async (_, by) => {
  const { olive, createSecondary, archive, advance, customerOf } = await bank()
  await archive(olive.uid)
  await advance({ by })
  const { status } = await customerOf(olive.uid)
  expectRefusal(await createSecondary(olive.uid), 'inactiveCustomer', `primary_customer_uid: its status is ${status}`)
})

it('JSON "" for a nullable name is null', async () => {
  const { api, olive, account } = await bank()
  const vrn = { synthetic_account_uid: olive.master, routing_number: '110000000' }
  const { uid } = (await api.post<{ uid: string }>('/virtual_reference_numbers', { ...vrn, name: 'Invoice' })).body
  expect((await api.post('/virtual_reference_numbers', { ...vrn, name: '' })).body).toMatchObject({ name: null })
  const path = `/virtual_reference_numbers/${uid}`
  expect((await api.call('PUT', path, { json: { name: '' } })).body).toMatchObject({ name: null })

  const wire = { counterparty_name: 'Harbor Leasing Inc', counterparty_bank_name: '' }
  const to = await account(olive, 'wire_external', { wire })
  expect((await api.get(`/synthetic_accounts/${to}`)).body).toMatchObject({ wire: { counterparty_bank_name: null } })
  const names = { counterparty_bank_name: '', intermediary_bank_name: '' }
  const received = { transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 5, ...names }
  const { body } = await api.post<{ uid: string }>('/sandbox/mock_transactions', received)
  expect((await api.get(`/transactions/${body.uid}`)).body).toMatchObject({
    wire: { counterparty_bank_name: null, intermediary_bank_name: null },
  })

  const blank = { first_name: '', middle_name: '', last_name: '', suffix: '', business_name: '' }
  const nulls = { first_name: null, middle_name: null, last_name: null, suffix: null, business_name: null }
  expect((await api.post('/customers', { details: blank })).body).toMatchObject({ details: nulls })
})
