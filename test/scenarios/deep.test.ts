import { expect, it } from 'vitest'
import { setUpCustomers } from '../support/customers.ts'

it('a very deeply nested body is recorded and replayed as text', async () => {
  const { api, sandbox } = await setUpCustomers()
  const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
  await api.call('POST', '/customers', { raw: deep, headers: { 'content-type': 'application/json' } })
  const reply = await sandbox.call('scenarios.record', {})
  expect(reply).toMatchObject({ ok: true, value: { left_out: [] } })
  expect(await sandbox.call('bundles.export', {})).toMatchObject({ ok: true })
  expect(await sandbox.call('exchanges.replay', { since: 1 })).toMatchObject({ ok: true, value: { differs: 0 } })
})
