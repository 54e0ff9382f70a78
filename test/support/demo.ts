import { expect } from 'vitest'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { apiClient } from './client.ts'
import { call } from './operator.ts'

/** A wire to a VRN of the demo world that waits for the Client's approval, with its Customer and its account. */
export async function receiveWireToApprove(sandbox: Sandbox) {
  const list = async (collection: string, query: object = {}) =>
    (await call(sandbox, 'records.list', { collection, limit: 1, ...query })).data[0]!
  const vrn = await list('virtual_reference_numbers')
  const account = await call(sandbox, 'records.get', {
    collection: 'synthetic_accounts',
    uid: String(vrn.synthetic_account_uid),
  })
  const customer = String((await list('customers', { pool_uid: [account.pool_uid] })).uid)
  const { status, body } = await apiClient(sandbox).post<{ uid: string }>('/sandbox/mock_transactions', {
    transaction_type: 'wire',
    customer_uid: customer,
    us_dollar_amount: '18450.00',
    virtual_reference_number_uid: vrn.uid,
  })
  expect(status).toBe(201)
  return { uid: body.uid, customer, account: String(account.uid) }
}
