import { expect } from 'vitest'
import { call } from '../support/operator.ts'
import { it, startSandbox } from '../support/sandbox.ts'

/** recordings.describe: what a file contains, before it is replayed. */

let traces = 0
const curl = (method: string, path: string, body = '') =>
  `curl -X ${method} 'https://api.example.com/api/v1${path}' -H 'authorization: x' -H 'x-trace-id: ${++traces}'${body === '' ? '' : ` --data-raw '${body}'`}\n`

it('counts the requests by kind, and names the records that they need and this world lacks', async ({ sandbox }) => {
  const { body: customer } = await sandbox.client().post('/customers', {})
  const missing = 'Aa1Bb2Cc3Dd4Ee5F'
  const text = [
    curl('GET', `/customers/${customer.uid}`),
    curl('GET', `/customers/${missing}?limit=1`),
    curl('POST', '/customers', `{"primary_customer_uid":"${missing}"}`),
    'curl https://example.test/a.png\n',
  ].join('')
  const before = sandbox.store.world.seq
  expect(await call(sandbox, 'recordings.describe', { text })).toMatchObject({
    requests: 3,
    actions: 0,
    from: null,
    to: null,
    has_world: false,
    has_responses: false,
    kinds: [
      { name: 'GET /customers/{uid}', count: 2 },
      { name: 'POST /customers', count: 1 },
    ],
    needs: [customer.uid, missing],
    missing: [missing],
    unusable: [{ at: expect.any(String), why: expect.any(String) }],
  })
  expect(sandbox.store.world.seq).toBe(before)
})

it('a bundle contains its world, and needs no record of another', async ({ sandbox }) => {
  const client = sandbox.client()
  const { body } = await client.post('/customers', {})
  await client.get(`/customers/${body.uid}`)
  const { text } = await call(sandbox, 'bundles.export', {})
  const other = await startSandbox()
  const summary = await call(other, 'recordings.describe', { text })
  expect(summary).toMatchObject({ requests: 3, has_world: true, has_responses: true, needs: [], missing: [] })
  expect(summary.from).not.toBeNull()
})

it('a replay into a copy of the current world leaves that world as it is', async ({ sandbox }) => {
  const { body } = await sandbox.client().post('/customers', {})
  const before = sandbox.store.world.seq
  const text = curl('POST', '/customers', '{}') + curl('GET', `/customers/${body.uid}`)
  const { exchanges } = await call(sandbox, 'exchanges.replay', { text, into: 'copy' })
  expect(exchanges.map(({ replayed }) => replayed.status)).toEqual([201, 200])
  expect(sandbox.store.world.seq).toBe(before)
})
