import { expect } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { type ExampleName, fillExample, namesIn } from '../../src/api/contract/terms/examples.ts'
import { createRoute } from '../../src/api/http/route.ts'
import type { VrnRecord } from '../../src/api/store/world.ts'
import { call } from '../support/operator.ts'
import { it, startSandbox } from '../support/sandbox.ts'

/** requests.examples: the values near a record are those of its Customer. */

const declared = endpoints as Readonly<Record<string, Endpoint>>
const exampleBody = (name: string) =>
  (createRoute(name as keyof typeof endpoints).schemas().body?.examples as unknown[] | undefined)?.[0]

it('near any record, each value belongs to its Customer, and is empty where the Customer has no such record', async () => {
  const sandbox = await startSandbox({ world: 'demo' })
  const { collections } = sandbox.store.world
  let compared = 0
  for (const collection of [
    'customers',
    'synthetic_accounts',
    'virtual_reference_numbers',
    'transfers',
    'transactions',
  ] as const)
    for (const { uid } of collections[collection].inOrder()) {
      const { customer_uid, values } = await call(sandbox, 'requests.examples', { near: { collection, uid } })
      expect(customer_uid).not.toBeNull()
      expect(values.customers).toBe(customer_uid)
      const owners = {
        synthetic_accounts: collections.synthetic_accounts,
        counterparty: collections.synthetic_accounts,
        archivable_account: collections.synthetic_accounts,
        refund_account: collections.synthetic_accounts,
        virtual_reference_numbers: collections.virtual_reference_numbers,
        transactions: collections.transactions,
        returnable_transaction: collections.transactions,
        authorizable_transaction: collections.transactions,
      }
      for (const [name, records] of Object.entries(owners)) {
        const found = values[name] === '' ? undefined : records.get(values[name]!)
        if (found === undefined) expect(values[name]).toBe('')
        else expect([found.customer_uid].flat()).toContain(customer_uid)
        compared++
      }
    }
  expect(compared).toBeGreaterThan(500)
})

it('the record itself is named wherever an example can name it', async ({ demo: sandbox }) => {
  const near = async (collection: string, uid: string) =>
    (await call(sandbox, 'requests.examples', { near: { collection, uid } })).values
  const { synthetic_accounts, virtual_reference_numbers, transfers, transactions } = sandbox.store.world.collections
  for (const one of synthetic_accounts.inOrder().filter(({ status, liability }) => status === 'active' && liability)) {
    const values = await near('synthetic_accounts', one.uid)
    expect(one.synthetic_account_category === 'general' ? values.synthetic_accounts : values.counterparty).toBe(one.uid)
  }
  for (const one of virtual_reference_numbers.inOrder()) {
    const values = await near('virtual_reference_numbers', one.uid)
    expect(values).toMatchObject({ virtual_reference_numbers: one.uid, synthetic_accounts: one.synthetic_account_uid })
  }
  // Also a VRN of an archived account, although its Customer has another one.
  const [{ customer_uid, synthetic_account_uid }] = virtual_reference_numbers.inOrder() as [VrnRecord]
  const account = synthetic_accounts.get(synthetic_account_uid)!
  const api = sandbox.client()
  const { pool_uid, synthetic_account_type_uid } = account
  const opened = await api.post('/synthetic_accounts', { name: 'Spare', pool_uid, synthetic_account_type_uid })
  const body = { name: 'Spare', synthetic_account_uid: opened.body.uid, routing_number: '110000000' }
  const vrn = await api.post('/virtual_reference_numbers', body)
  const archived = await api.call('DELETE', `/synthetic_accounts/${opened.body.uid}`)
  expect([opened.status, vrn.status, archived.status]).toEqual([201, 201, 204])
  const values = await near('virtual_reference_numbers', String(vrn.body.uid))
  expect(values).toMatchObject({ customers: customer_uid, virtual_reference_numbers: vrn.body.uid })
  for (const { uid } of transfers.inOrder()) expect((await near('transfers', uid)).transfers).toBe(uid)
  for (const { uid } of transactions.inOrder()) expect((await near('transactions', uid)).transactions).toBe(uid)
})

it('what is not missing can be sent: the examples for an active Customer with money are accepted', async () => {
  const sandbox = await startSandbox({ world: 'demo' })
  const isFunded = (customer: string) =>
    sandbox.store.world.collections.synthetic_accounts
      .inOrder()
      .some((one) => one.customer_uid === customer && Number(one.net_usd_available_balance) > 100)
  const refused: unknown[] = []
  let tried = 0
  for (const { uid, status, locked_at } of sandbox.store.world.collections.customers.inOrder()) {
    if (status !== 'active' || locked_at !== null || !isFunded(uid)) continue
    const { values, missing } = await call(sandbox, 'requests.examples', { near: { collection: 'customers', uid } })
    const found = new Map(Object.entries(values) as [ExampleName, string][])
    for (const endpoint of ['createVirtualReferenceNumber', 'createMockTransaction', 'createTransfer'] as const) {
      const body = exampleBody(endpoint)
      if (namesIn(body).some((name) => missing.includes(name))) continue
      const answer = await call(sandbox, 'requests.try', { endpoint, body: fillExample(body, found) })
      if (answer.refused) refused.push([uid, endpoint, answer.refused])
      tried++
    }
  }
  expect(refused).toEqual([])
  expect(tried).toBeGreaterThan(8)
})

it('every text of an example that stands for a value is named by a sandbox', async () => {
  const sandbox = await startSandbox({ world: 'empty' })
  const { values, missing, customer_uid } = await call(sandbox, 'requests.examples', {})
  expect(customer_uid).toBeNull()
  const names = new Set(Object.keys(declared).flatMap((name) => namesIn(exampleBody(name))))
  expect(names.size).toBeGreaterThan(10)
  for (const name of names) expect(Object.keys(values)).toContain(name)
  expect(missing).toContain('customers')
})

it.each([
  [{ near: { collection: 'nothings', uid: 'x' } }, 'there is no collection nothings'],
  [{ near: { collection: 'customers', uid: 'nobody' } }, 'customers holds no record nobody'],
])('refuses %j', async (input, text) => {
  const sandbox = await startSandbox({ world: 'demo' })
  expect(JSON.stringify(await sandbox.call('requests.examples', input))).toContain(text)
})

it('refuses a record of another Program', async ({ demo: sandbox }) => {
  const { uid: program_uid } = await call(sandbox, 'programs.create', { name: 'Other' })
  const [customer] = sandbox.store.world.collections.customers.inOrder()
  const input = { program_uid, near: { collection: 'customers', uid: customer!.uid } }
  expect(JSON.stringify(await sandbox.call('requests.examples', input))).toContain('is not of Program')
})
