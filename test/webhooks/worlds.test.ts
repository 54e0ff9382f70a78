import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { generateKey } from 'openpgp'
import { describe, expect } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller, NO_DIFFERENCE } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import {
  type Calls,
  lockOf,
  refuse,
  setUpLocks,
  setUpWebhook,
  unlockOf,
  waitForDeliveries,
} from '../support/webhooks.ts'

/** Webhooks in worlds that go back, stop, are copied, replayed and handed on. */

/** Among others with an encrypted webhook that is created in it, and with failures on purpose. */
async function setUpRecord() {
  const setup = await setUpWebhook({
    failures: [
      { kind: 'reorder', rate: 0.2 },
      { kind: 'duplicate', rate: 0.3 },
      { kind: 'corrupt_signature', rate: 0.3, times: 3 },
    ],
  })
  const { call, customer, account, fund, pay, receiver, sandbox } = setup
  const since = sandbox.store.world.seq
  const { publicKey } = await generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive Oyl' }] })
  await call('webhooks.create', {
    url: `${receiver.url}/encrypted`,
    topics: ['transfers'],
    confirm: false,
    pgp_public_key: publicKey,
    hmac_key: 'a key of the second webhook',
  })
  const olive = await customer()
  const savings = await account(olive, 'general')
  receiver.answer = refuse
  await fund(olive, '500.00')
  await call('clock.advance', { by: 'PT45S' })
  receiver.answer = receiver.accept
  await pay(olive, olive.master, savings, '50.00')
  await call('clock.advance', { business_days: 1 })
  await call('webhooks.update', { uid: setup.webhook.uid, failures: [] })
  return { ...setup, olive, since }
}

it('a rewind sends nothing twice: attempts that were made get the outcome that they had, and say so', async () => {
  const { call, receiver, olive, sandbox } = await setUpRecord()
  const before = sandbox.store.world.seq
  receiver.answer = refuse
  await call('moves.make', lockOf(olive.uid))
  const locked = sandbox.store.world.seq
  await waitForDeliveries(call)
  receiver.answer = receiver.accept
  await call('clock.advance', { by: 'PT1M' })
  const sent = receiver.received.length
  const newest = async () => (await call('events.list', { limit: 1 })).data[0]!
  const delivered = await newest()
  expect(delivered.deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 503 }, { status: 204 }] }])

  await call('world.rewind', { seq: locked })
  await call('clock.advance', { by: 'PT1M' })
  expect(receiver.received).toHaveLength(sent)
  const [delivery] = (await newest()).deliveries
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [
      { status: 503, sent_before: true },
      { status: 204, sent_before: true },
    ],
  })

  // The same change after a rewind before it is another event.
  await call('world.rewind', { seq: before })
  await call('moves.make', lockOf(olive.uid))
  await waitForDeliveries(call)
  expect(receiver.received).toHaveLength(sent + 1)
  expect(receiver.received.at(-1)!.body.event_id).not.toBe(delivered.uid)
})

it('what a stopped sandbox had not sent is sent by the next start, with the same event_id', async () => {
  const data = createTemporaryFolder()
  const { call, receiver, customer, sandbox } = await setUpWebhook(
    { topics: ['customers.lock'] },
    { data, world: 'empty' },
  )
  const olive = await customer()
  let isReached = () => {}
  const reached = new Promise<void>((done) => (isReached = done))
  receiver.answer = () => isReached()
  await call('moves.make', lockOf(olive.uid))
  await reached
  const [event] = (await call('events.list', {})).data
  expect(event!.deliveries).toMatchObject([{ status: 'due', attempts: [] }])
  await sandbox.close()
  receiver.answer = receiver.accept
  const again = createCaller(await startSandbox({ data }))
  await waitForDeliveries(again)
  expect((await again('events.get', { uid: event!.uid })).deliveries).toMatchObject([
    { status: 'delivered', attempts: [{ status: 204 }] },
  ])
  expect(receiver.received.map(({ body }) => body.event_id)).toEqual([event!.uid, event!.uid])
})

it('what follows an import, which pauses the webhooks, has the same uids in a replay', async () => {
  const { call, customer, fund, api } = await setUpWebhook({ url: null })
  const olive = await customer()
  const { text } = await call('bundles.export', {})
  await call('bundles.import', { text })
  await fund(olive, '50.00')
  await call('clock.advance', { business_days: 1 })
  const { data } = (await api.get('/synthetic_line_items')).body as { data: object[] }
  expect(data.length).toBeGreaterThan(0)
  expect((await call('events.list', {})).data.some(({ topic }) => topic === 'transactions')).toBe(true)
  const { exchanges, acts } = await call('exchanges.replay', { text: (await call('bundles.export', {})).text })
  expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  expect(acts.filter(({ refused }) => refused !== null)).toEqual([])
})

it('a replay repeats an attempt whose outcome met a break condition', async () => {
  const { call, customer, sandbox } = await setUpWebhook({ topics: ['customers.lock'] })
  const olive = await customer()
  const since = sandbox.store.world.seq
  await call('clock.set', { mode: 'frozen', break_on: { collection: 'webhook_deliveries', status: 'delivered' } })
  await call('moves.make', lockOf(olive.uid))
  await expect.poll(async () => (await call('clock.read', {})).break_on).toBeNull()
  const { acts } = await call('exchanges.replay', { since, keep: 'replayed' })
  expect(acts.filter(({ refused }) => refused !== null)).toEqual([])
  expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
})

it('a replay has the answers of receivers as they were, with what is sealed in them', async () => {
  const { call, receiver, customer, sandbox } = await setUpWebhook({ topics: ['customers.lock'] })
  const olive = await customer()
  const since = sandbox.store.world.seq
  receiver.answer = (_event, response) => void response.end('for 512-04-8823')
  await call('moves.make', lockOf(olive.uid))
  await waitForDeliveries(call)
  const outcome = await call('exchanges.replay', { since, keep: 'replayed' })
  expect(outcome.acts.map(({ name }) => name)).toContain('webhooks.record_attempts')
  expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
})

it('later uids do not depend on which outcomes come together', async () => {
  const runWith = async (answerAfter: () => number, status: number) => {
    const { call, receiver, customer } = await setUpWebhook({ topics: ['customers.lock'], retry_seconds: [60] })
    const customers = []
    for (let i = 0; i < 12; i++) customers.push(await customer())
    receiver.answer = (_event, response) =>
      void setTimeout(() => response.writeHead(status).end('an answer'), answerAfter())
    for (const { uid } of customers) await call('moves.make', lockOf(uid))
    await call('clock.advance', { by: 'PT2M' })
    return (await customer()).uid
  }
  for (const status of [204, 503]) {
    let count = 0
    const alike = await runWith(() => 0, status)
    expect(await runWith(() => (count++ % 5) * 15, status)).toBe(alike)
  }
})

it('a replay of the record arrives at the same world, with every attempt, and sends nothing', async () => {
  const { call, receiver, since, sandbox } = await setUpRecord()
  const sent = receiver.received.length
  const outcome = await call('exchanges.replay', { since, keep: 'replayed' })
  expect(outcome.acts.filter(({ refused }) => refused !== null)).toEqual([])
  expect(outcome.exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  expect(sandbox.store.world.collections.webhook_deliveries.size).toBeGreaterThan(10)
  expect(receiver.received).toHaveLength(sent)
})

it('a bundle has the events and their attempts, without keys; an import is paused, and its replay is the same', async () => {
  const { call, receiver, webhook, sandbox } = await setUpRecord()
  const sent = receiver.received.length
  const { text } = await call('bundles.export', {})
  expect(text).not.toContain(webhook.hmac_key)
  expect(text).not.toContain('BEGIN PGP')
  const other = await startSandbox({ seed: 'other' })
  const there = createCaller(other)
  const { since } = await there('bundles.import', { text })
  const [imported] = (await there('webhooks.list', {})).webhooks
  expect(imported).toMatchObject({ uid: webhook.uid, status: 'paused', url: receiver.url })
  expect(imported!.hmac_key).not.toBe(webhook.hmac_key)
  const mine = await call('events.list', { limit: 1000 })
  const theirs = await there('events.list', { limit: 1000 })
  const formOf = ({ data }: typeof mine) =>
    data.map(({ uid, topic, event_type, deliveries }) => ({ uid, topic, event_type, deliveries }))
  expect(formOf(theirs)).toEqual(formOf(mine))
  const outcome = await there('exchanges.replay', { since })
  expect(outcome.acts.filter(({ refused }) => refused !== null)).toEqual([])
  expect(outcome.exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  await waitForDeliveries(there)
  expect(receiver.received).toHaveLength(sent)
  expect(await call('ledger.check', {})).toMatchObject({ balanced: true })
  expect(sandbox.store.world.collections.webhooks.inOrder()[0]!.status).toBe('active')
})

it('an imported record of attempts that lacks outcomes keeps no delivery due', async () => {
  const { call, receiver, customer } = await setUpWebhook({ topics: ['customers.lock'], retry_seconds: [30] })
  const olive = await customer()
  receiver.answer = refuse
  await call('moves.make', lockOf(olive.uid))
  await waitForDeliveries(call)
  const { text } = await call('bundles.export', {})
  const other = await startSandbox({ seed: 'other' })
  const there = createCaller(other)
  await there('bundles.import', { text: text.replaceAll(/"outcomes":\[\{[^\]]*\]/g, '"outcomes":[]') })
  const [webhook] = (await there('webhooks.list', {})).webhooks
  await there('webhooks.update', { uid: webhook!.uid, status: 'active' })
  await there('clock.advance', { by: 'PT1H' })
  expect((await there('events.list', {})).data[0]!.deliveries).toMatchObject([{ status: 'failed' }])
  expect(other.told).toEqual([])
})

it('a world that is made from another one is paused, and sends when its webhook is made active', async () => {
  const { call, receiver, olive, sandbox, webhook } = await setUpRecord()
  const sent = receiver.received.length
  const world = await sandbox.worlds.create({ name: 'copy', from: 'current' })
  const there = createCaller(world)
  const copies = (await there('webhooks.list', {})).webhooks
  expect(copies).toMatchObject([{ uid: webhook.uid, status: 'paused' }, { status: 'paused' }])
  await there('moves.make', lockOf(olive.uid))
  await waitForDeliveries(there)
  expect(receiver.received).toHaveLength(sent)
  await there('webhooks.update', { uid: webhook.uid, status: 'active' })
  await there('moves.make', unlockOf(olive.uid))
  await waitForDeliveries(there)
  expect(receiver.received.slice(sent).map(({ body }) => body.event_type)).toEqual(['lock', 'unlock'])
  expect((await call('webhooks.list', {})).webhooks).toMatchObject([{ status: 'active' }, { status: 'active' }])
})

it('a world that is dropped while outcomes wait to be recorded reports nothing', async () => {
  const { call, receiver, customer, sandbox, webhook } = await setUpWebhook({ topics: ['customers.lock'] })
  const customers = []
  for (let i = 0; i < 8; i++) customers.push(await customer())
  for (let round = 0; round < 4; round++) {
    const there = createCaller(await sandbox.worlds.create({ name: 'copy', from: 'current' }))
    await there('webhooks.update', { uid: webhook.uid, status: 'active' })
    const before = receiver.received.length
    receiver.answer = (event, response) => {
      if (receiver.received.length % 2 === 0) receiver.accept(event, response)
    }
    for (const { uid } of customers) await there('moves.make', lockOf(uid))
    await expect.poll(() => receiver.received.length - before, { interval: 1 }).toBeGreaterThan(3)
    await call('worlds.drop', { name: 'copy' })
  }
  expect(sandbox.told).toEqual([])
})

it('a restored snapshot and a reset have their own webhooks', async () => {
  const { call, receiver, lock } = await setUpWebhookWithSnapshot()
  const sent = receiver.received.length
  await call('snapshots.restore', { name: 'before' })
  await waitForDeliveries(call)
  expect(receiver.received).toHaveLength(sent)
  await lock()
  await waitForDeliveries(call)
  expect(receiver.received).toHaveLength(sent + 1)
  expect(new Set(receiver.received.map(({ body }) => body.event_id)).size).toBe(sent + 1)
  await call('world.reset', { world: 'empty' })
  expect((await call('webhooks.list', {})).webhooks).toEqual([])
})

async function setUpWebhookWithSnapshot() {
  const setup = await setUpLocks()
  await setup.call('snapshots.keep', { name: 'before' })
  await setup.lockAll()
  return setup
}

it('after a reset the same uids are sent again, as to a new receiver', async () => {
  const receiver = await startReceiver()
  const call = createCaller(await startSandbox())
  for (let round = 0; round < 2; round++) {
    await call('world.reset', { world: 'empty' })
    await call('webhooks.create', { url: receiver.url })
    await waitForDeliveries(call)
  }
  const [first, second] = receiver.received
  expect(second!.body.event_id).toBe(first!.body.event_id)
})

it('after a reset a webhook with the same uid may have an address with the other protocol', async () => {
  const receiver = await startReceiver()
  const call = createCaller(await startSandbox())
  for (const url of [receiver.url.replace('http:', 'https:'), receiver.url]) {
    await call('world.reset', { world: 'empty' })
    await call('webhooks.create', { url })
    await waitForDeliveries(call)
  }
  expect((await call('events.list', {})).data[0]!.deliveries).toMatchObject([{ status: 'delivered' }])
})

it('neither the key nor an SSN that a receiver answers is in a file of the logs', async ({ folder: data }) => {
  const { call, receiver, webhook, customer, sandbox } = await setUpWebhook({}, { data, world: 'empty' })
  receiver.answer = (_event, response) => void response.writeHead(500).end(`ssn 512-04-8823, key ${webhook.hmac_key}`)
  await customer()
  await waitForDeliveries(call)
  const { deliveries } = (await call('events.list', { limit: 1 })).data[0]!
  expect(deliveries[0]!.attempts[0]!.answer).not.toContain('512-04-8823')
  await sandbox.close()
  for (const text of filesIn(join(data, 'log'))) {
    expect(text).not.toContain(webhook.hmac_key)
    expect(text).not.toContain('512-04-8823')
  }
})

const filesIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))

describe('a late webhook that gets events of before the record of its world', () => {
  /** The record begins with the restore; of the events, some are before it and some after. */
  async function recordLate() {
    const setup = await setUpWebhook({ topics: ['customers.lock'], url: null })
    const { call, customer, receiver, webhook } = setup
    const olive = await customer()
    await call('snapshots.keep', { name: 'before' })
    const { seq: since } = await call('snapshots.restore', { name: 'before' })
    await customer()
    const older = (await call('events.list', { topic: 'customers' })).data.find(
      ({ record_uid }) => record_uid === olive.uid,
    )!
    await call('events.hold', { uid: older.uid })
    await call('webhooks.create', { url: receiver.url, confirm: false, from: 'beginning', topics: ['customers'] })
    await call('webhooks.update', { uid: webhook.uid, topics: null, from: 'beginning' })
    await waitForDeliveries(call)
    expect(receiver.received.map(({ body }) => body.event_id)).toContain(older.uid)
    return { ...setup, since, older }
  }

  const expectSame = async (call: Calls, input: MethodInput<'exchanges.replay'>) => {
    const { acts, exchanges } = await call('exchanges.replay', { ...input, keep: 'replayed' })
    expect(acts.filter(({ refused }) => refused !== null)).toEqual([])
    expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    expect(await call('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  }

  it('a replay of the record has them, too', async () => {
    const { call, since } = await recordLate()
    await expectSame(call, { since })
  })

  it('a bundle, its import and the bundle of that have them, too', async () => {
    const { call } = await recordLate()
    const { text } = await call('bundles.export', {})
    const there = createCaller(await startSandbox())
    const { since } = await there('bundles.import', { text })
    await expectSame(there, { since })
    const again = createCaller(await startSandbox())
    const imported = await again('bundles.import', { text: (await there('bundles.export', {})).text })
    await expectSame(again, { since: imported.since })
  })

  it('a replay in another world leaves them out, and the log does not have them twice', async () => {
    const { call, since, older } = await recordLate()
    const { text } = await call('bundles.export', {})
    const acts = text.split('\n').filter((line) => line.startsWith('{"act":'))
    expect(acts.join('\n')).not.toContain('"older":')
    const there = createCaller(await startSandbox())
    await there('exchanges.replay', { text, into: 'present' })
    expect((await there('events.list', { limit: 1_000 })).data.map(({ uid }) => uid)).not.toContain(older.uid)
    expect(since).toBeGreaterThan(0)
  })

  it('an event that no world can have is refused', async () => {
    const { call, sandbox } = await recordLate()
    const { deliveries: _, ...event } = (await call('events.list', { limit: 1 })).data[0]!
    const create = async (change: object) => {
      const older = [{ ...event, uid: 'a'.repeat(16), made: 0, ...change }]
      return JSON.stringify(await sandbox.call('webhooks.create', { url: null, from: 'beginning', older }))
    }
    expect(await create({ event_type: 'unheard_of' })).toContain('a known event is expected')
    for (const change of [{ made: 999_999_999 }, { record_uid: 'b'.repeat(16) }, { collection: 'nothing' }])
      expect(await create(change)).toContain('tells of no record that this world had before')
    expect(await create({})).toContain('"ok":true')
  })
})
