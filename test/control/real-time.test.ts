import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Exchange } from '../../src/api/contract/control/exchanges.ts'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'

/** The real time of a request in the request log, beside the simulated one. */

/** Without the request to POST /auth. */
const isRead = ({ method }: Exchange) => method === 'GET'

it('a request has the real time at which it arrived, whatever the simulated clock shows', async ({ sandbox }) => {
  await call(sandbox, 'faults.set', { faults: [{ method: 'GET', kind: 'latency', ms: 40 }] })
  const api = sandbox.client()
  await api.post('/customers', { email: 'a@example.test' })
  const before = Date.now()
  await api.get('/customers')
  const after = Date.now()

  const { data } = await call(sandbox, 'exchanges.list', {})
  const { uid, at, received_at } = data.find(isRead)!
  expect(at).toBe(new Date(START).toISOString())
  expect(received_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(received_at!)).toBeGreaterThanOrEqual(before)
  // The arrival, not the response: the latency comes after it. Timers may end a millisecond early.
  expect(Date.parse(received_at!)).toBeLessThanOrEqual(after - 35)
  expect(await call(sandbox, 'exchanges.get', { uid })).toMatchObject({ at, received_at })
})

it('a request that is refused without a token has its real time, too', async ({ sandbox }) => {
  const before = Date.now()
  await sandbox.client().send('GET', '/customers')
  const { data } = await call(sandbox, 'exchanges.list', {})
  expect(data[0]!.status).toBe(401)
  expect(Date.parse(data[0]!.received_at!)).toBeGreaterThanOrEqual(before)
})

it('real time is in the request log only: no record and no commit has it', async ({ folder: data }) => {
  const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
  await sandbox.client().post('/customers', { email: 'a@example.test' })
  await sandbox.close()
  const files = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const withRealTime = files.filter((file) => readFileSync(file, 'utf8').includes('received_at'))
  expect(withRealTime).toEqual([expect.stringContaining(join('log', '000'))])
})

it('a bundle keeps the real times; one without them is imported, too, and both replay the same', async () => {
  const payments = await setUpPayments()
  const olive = await payments.customer()
  await payments.fund(olive, '500.00')
  const { data: requests } = await call(payments.sandbox, 'exchanges.list', {})
  const { text } = await call(payments.sandbox, 'bundles.export', {})
  const times = requests.map(({ received_at }) => received_at)
  expect(times.every((time) => time !== undefined)).toBe(true)
  const withoutTimes = text.replaceAll(/"received_at":"[^"]*",/g, '')
  expect(withoutTimes).not.toContain('received_at')

  for (const [bundle, expected] of [
    [text, times],
    [withoutTimes, times.map(() => undefined)],
  ] as const) {
    const other = await startSandbox({ seed: 'other' })
    const { since } = await call(other, 'bundles.import', { text: bundle })
    const { data } = await call(other, 'exchanges.list', {})
    expect(data.map(({ received_at }) => received_at)).toEqual(expected)
    const replayed = await call(other, 'exchanges.replay', { since })
    expect(replayed).toMatchObject({ same: requests.length, differs: 0, refused: 0, unrecorded: 0 })
  }
})
