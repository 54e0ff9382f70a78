import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { campaignSize } from '../support/campaign.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

/** What a receiver that fails leaves on the disk and in memory. */

const PAYMENTS = campaignSize(60, 600)
/** Before, it was 247 MB for 600 payments. */
const MOST = (40 * 1_000_000 * PAYMENTS) / 600

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

it(`${PAYMENTS} payments with ten failed attempts for each of their events leave at most ${MOST / 1_000_000} MB on the disk`, async () => {
  const folder = createTemporaryFolder()
  const chosen = { topics: ['transactions' as const], retry_seconds: Array.from({ length: 9 }, () => 60) }
  const setup = await setUpWebhook(chosen, { data: folder, world: 'empty' })
  const { call, receiver, customer, account, fund, pay, sandbox } = setup
  const olive = await customer()
  const savings = await account(olive, 'general')
  await fund(olive, '100000.00')
  await waitForDeliveries(call)
  receiver.answer = (_event, response) => void response.writeHead(503).end('x'.repeat(3_000))
  const before = receiver.received.length
  for (let count = 0; count < PAYMENTS; count++) await pay(olive, olive.master, savings, '1.00')
  await call('clock.advance', { by: 'PT5H' })
  const { data: events, total_count } = await call('events.list', { wanted: true, limit: 1 })
  expect(receiver.received.length - before).toBeGreaterThanOrEqual(PAYMENTS * 20)
  expect(total_count).toBeGreaterThan(PAYMENTS * 2)
  expect(events[0]!.deliveries[0]!.attempts).toHaveLength(10)
  expect(events[0]!.deliveries[0]!.attempts.map(({ answer }) => answer?.length)).toEqual(Array(10).fill(1_000))
  await sandbox.close()
  expect(sizeOf(folder)).toBeLessThanOrEqual(MOST)
})

it('a Program keeps its newest 20,000 events with their deliveries and attempts', async () => {
  const { call, customer, fund, sandbox } = await setUpWebhook({ topics: ['transactions'] })
  await fund(await customer(), '5.00')
  await waitForDeliveries(call)
  const { data: first } = await call('events.list', { wanted: true, limit: 100 })
  expect(first.at(-1)!.deliveries[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] })
  const [webhook] = (await call('webhooks.list', {})).webhooks
  await call('webhooks.update', { uid: webhook!.uid, failures: [{ kind: 'hold' }] })
  const [program] = sandbox.programs()
  for (let added = 0; added < 20_200; added += 50)
    sandbox.store.transact(program!.uid, { door: 'operator', name: 'test' }, (tx) => {
      const [model] = tx.transactions.newestFirst()
      const { made: _, ...record } = model!
      for (let at = added; at < added + 50; at++) tx.transactions.put({ ...record, uid: `t${at}`, id: 1_000 + at })
    })
  const { webhook_events, webhook_deliveries, webhook_attempts } = sandbox.store.world.collections
  expect(webhook_events.size).toBeGreaterThanOrEqual(20_000)
  expect(webhook_events.size).toBeLessThan(20_200)
  expect(webhook_deliveries.size).toBe(webhook_events.size)
  expect(webhook_attempts.size).toBe(0)
  expect(webhook_events.get(first[0]!.uid)).toBeUndefined()
  expect((await call('ledger.check', {})).problems).toEqual([])
})
