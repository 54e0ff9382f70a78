import { expect } from 'vitest'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { startSandbox } from './sandbox.ts'
import { refusing } from './world.ts'

/** A sandbox for tests of Customers, created and onboarded through the API. */

export const OLIVE = {
  email: 'olive@example.com',
  details: {
    first_name: 'Olive',
    last_name: 'Oyl',
    phone: '5155550123',
    ssn: '512-04-8823',
    dob: '1990-04-17',
    address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}
export const PERSON = OLIVE.details

export type Resource = Record<string, string> & { pool_uids: string[] }
export type Listed = { total_count: number; data: Record<string, string>[] }

export async function setUpCustomers(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox(options)
  const api = sandbox.client()
  const products = await api.get<{ data: { uid: string; prerequisite_product_uids: string[] }[] }>('/products')
  const product_uid = products.body.data.find(
    ({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0,
  )!.uid
  const advance = (input: object) => sandbox.call('clock.advance', input)

  const created = async (details: object = PERSON) =>
    (await api.post<Resource>('/customers', { email: 'ada@example.test', details })).body

  const onboard = (customer_uid: string | undefined) => api.post('/customer_products', { customer_uid, product_uid })

  /** Creates a Customer, onboards it and lets its verification finish. */
  async function active(details: object = PERSON): Promise<Resource> {
    const { uid } = await created(details)
    expect((await onboard(uid)).status).toBe(200)
    await advance({ by: 'PT2S' })
    return (await api.get<Resource>(`/customers/${uid}`)).body
  }

  /** Creates an ACH counterparty. */
  async function counterparty(customer: Resource, n: number): Promise<string> {
    const types = await api.get<Listed>('/synthetic_account_types')
    const type = types.body.data.find(
      ({ synthetic_account_category }) => synthetic_account_category === 'ach_external',
    )!
    const { body } = await api.post('/synthetic_accounts', {
      name: `Counterparty ${n}`,
      pool_uid: customer.pool_uids[0],
      synthetic_account_type_uid: type.uid,
      routing_number: '110000000',
      account_number: `100${n}`,
      ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
    })
    return String(body.uid)
  }

  return { sandbox, api, refused: refusing(sandbox), advance, created, onboard, active, counterparty }
}
