import { expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import type { WebhookEvent } from '../../src/api/contract/resources/webhooks.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { readEventLog } from '../../src/api/views/event-log.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSandbox } from '../support/sandbox.ts'
import { type Calls, setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

/** The history is the log of all events: a webhook that comes later gets the same events as one that was there. */

type Setup = Awaited<ReturnType<typeof setUpWebhook>>

const listed = async (call: Calls, input: MethodInput<'events.list'> = {}) =>
  (await call('events.list', { limit: 1_000, ...input })).data.filter(({ collection }) => collection !== null).reverse()
const withoutDeliveries = (events: readonly (WebhookEvent & { deliveries?: unknown })[]) =>
  events.map(({ deliveries: _, ...event }) => event)
const bodies = (received: readonly { readonly body: Record<string, unknown> }[]) =>
  received.map(({ body }) => body).filter(({ event_type }) => event_type !== 'test')
const byId = (sent: readonly Record<string, unknown>[]) =>
  sent.toSorted((a, b) => String(a.event_id).localeCompare(String(b.event_id)))

/** Nearly each kind of event; one customer has another external_uid and a later Transaction than its first events tell. */
async function live({ customer, account, fund, pay, api, mock, move, call }: Setup) {
  const olive = await customer()
  const savings = await account(olive, 'general')
  await fund(olive, '50.00')
  const transfer = await pay(olive, olive.master, savings, '1.00')
  await api.call('PUT', `/customers/${olive.uid}`, { json: { external_uid: `later-${olive.uid}` } })
  await move('customers', olive.uid, 'lock', { lock_reason: 'admin' })
  await move('customers', olive.uid, 'unlock')
  await move('customers', olive.uid, 'lock', { lock_reason: 'admin' })
  await move('customers', olive.uid, 'unlock')
  await api.call('PUT', `/synthetic_accounts/${savings}`, { json: { name: 'Rainy days', note: 'Renamed' } })
  await mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 2 })
  await call('clock.advance', { by: 'P1D' })
  return { olive, savings, transfer }
}

function expectAsWritten(store: Setup['sandbox']['store']) {
  const written = store.world.collections.webhook_events.inOrder().filter(({ collection }) => collection !== null)
  expect(written.length).toBeGreaterThan(15)
  expect(runToEnd(readEventLog(store)).filter(({ uid }) => written.some((one) => one.uid === uid))).toEqual(written)
}

/** What a webhook that comes now gets of all events. */
async function receiveAll(call: Calls, input: object = {}) {
  const receiver = await startReceiver()
  await call('webhooks.create', { url: receiver.url, confirm: false, from: 'beginning', ...input })
  await waitForDeliveries(call)
  return bodies(receiver.received)
}

it('the log has each event exactly as it is written for a webhook that wants it', async () => {
  const setup = await setUpWebhook({ url: null })
  await live(setup)
  expectAsWritten(setup.sandbox.store)
})

it('a webhook that is the first of its Program gets all events of the history, and events.list has them before', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'], url: null })
  await setup.call('webhooks.delete', { uid: setup.webhook.uid })
  await live(setup)
  expect(await listed(setup.call, { wanted: true })).toEqual([])
  const before = withoutDeliveries(await listed(setup.call))
  const names = new Set(before.map(({ topic, event_type }) => `${topic}.${event_type}`))
  expect([...names].toSorted()).toEqual(
    [
      ...['customers.lock', 'customers.status_change', 'customers.unlock', 'synthetic_accounts.created'],
      ...['synthetic_accounts.name_updated', 'transactions.created', 'transactions.status_change'],
      ...['transfers.created', 'transfers.status_change'],
    ].toSorted(),
  )
  const { uid } = before[0]!
  expect(await setup.call('events.get', { uid })).toEqual({ ...before[0], deliveries: [] })
  const sent = await receiveAll(setup.call)
  expect(byId(sent)).toEqual(
    byId(before.map(({ uid, event_type, details }) => ({ event_type, event_id: uid, details }))),
  )
  expect(withoutDeliveries(await listed(setup.call))).toEqual(before)
  // From one of them, which no webhook had wanted.
  const other = await receiveAll(setup.call, { from: before.at(-3)!.uid })
  expect(byId(other).map(({ event_id }) => event_id)).toEqual(
    byId(sent)
      .map(({ event_id }) => event_id)
      .filter((id) => before.slice(-3).some(({ uid }) => uid === id)),
  )
})

it('topics that a webhook did not want at first are sent from the beginning when it wants them', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  await setup.call('webhooks.update', { uid: setup.webhook.uid, topics: null, from: 'beginning' })
  await waitForDeliveries(setup.call)
  const all = (await listed(setup.call)).map(({ uid }) => uid)
  expect(
    bodies(setup.receiver.received)
      .map(({ event_id }) => event_id)
      .toSorted(),
  ).toEqual(all.toSorted())
})

it('an event that no webhook wanted can be sent, held and released, and one that never was is refused', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const found = (await listed(setup.call, { topic: 'transactions' }))[0]!
  const webhook_uid = setup.webhook.uid
  await setup.call('events.hold', { uid: found.uid })
  await setup.call('events.release', { uid: found.uid })
  await setup.call('events.resend', { uid: found.uid, webhook_uid })
  await waitForDeliveries(setup.call)
  expect(bodies(setup.receiver.received)).toContainEqual(expect.objectContaining({ event_id: found.uid }))
  const refused = JSON.stringify(await setup.sandbox.call('events.resend', { uid: 'gone123456789012' }))
  expect(refused).toContain('there is no event gone123456789012 in the log: pass one that events.list has')
})

it('a rewind takes events back, and what happens then has other uids', async () => {
  const setup = await setUpWebhook({ url: null, topics: ['customers.lock'] })
  await setup.call('webhooks.delete', { uid: setup.webhook.uid })
  const { olive } = await live(setup)
  const { seq } = setup.sandbox.store.world
  const before = await listed(setup.call)
  const lock = () => setup.move('customers', olive.uid, 'lock', { lock_reason: 'admin' })
  await lock()
  const [undone] = (await listed(setup.call)).slice(-1)
  await setup.call('world.rewind', { seq })
  expect(await listed(setup.call)).toEqual(before)
  await lock()
  const [again] = (await listed(setup.call)).slice(-1)
  expect(again).toEqual({ ...undone, uid: again!.uid })
  expect(again!.uid).not.toBe(undone!.uid)
})

it('a log that is read twice at once, and while events happen, has each event once', async () => {
  const setup = await setUpWebhook({ url: null })
  const { olive } = await live(setup)
  const { store } = setup.sandbox
  const lock = () => setup.move('customers', olive.uid, 'lock', { lock_reason: 'admin' })
  const unlock = () => setup.move('customers', olive.uid, 'unlock')
  const expectEachOnce = () => {
    expectAsWritten(store)
    const uids = runToEnd(readEventLog(store)).map(({ uid }) => uid)
    expect(uids).toEqual([...new Set(uids)])
  }
  const [one, other] = [readEventLog(store), readEventLog(store)]
  one.next()
  other.next()
  await lock()
  runToEnd(one)
  runToEnd(other)
  expectEachOnce()

  await setup.call('world.rewind', { seq: store.world.seq - 1 })
  await lock()
  const again = readEventLog(store)
  again.next()
  await unlock()
  runToEnd(again)
  expectEachOnce()
})

async function expectSameLog(setup: Setup, other: Parameters<typeof createCaller>[0]) {
  const before = withoutDeliveries(await listed(setup.call))
  const call = createCaller(other)
  expect(withoutDeliveries(await listed(call))).toEqual(before)
  expect((await receiveAll(call)).map(({ event_id }) => event_id).toSorted()).toEqual(
    before.map(({ uid }) => uid).toSorted(),
  )
}

it('a restart has the log', async () => {
  const data = createTemporaryFolder()
  const setup = await setUpWebhook({ topics: ['customers.lock'] }, { data })
  await live(setup)
  const before = withoutDeliveries(await listed(setup.call))
  await setup.sandbox.close()
  const call = createCaller(await startSandbox({ data }))
  expect(withoutDeliveries(await listed(call))).toEqual(before)
  expect((await receiveAll(call)).length).toBe(before.length)
})

it('a bundle has the log, also one that is masked', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const { text } = await setup.call('bundles.export', {})
  const other = await startSandbox()
  await createCaller(other)('bundles.import', { text })
  const found = withoutDeliveries(await listed(createCaller(other)))
  expect(found.map(({ uid, record_uid, event_type }) => [uid, record_uid, event_type])).toEqual(
    withoutDeliveries(await listed(setup.call)).map(({ uid, record_uid, event_type }) => [uid, record_uid, event_type]),
  )
  expect((await receiveAll(createCaller(other))).length).toBe(found.length)
})

it('a bundle that is masked has the log of its masked records', async () => {
  const setup = await setUpWebhook({ url: null })
  await live(setup)
  const { text } = await setup.call('bundles.export', {})
  const { store, call } = await startSandbox()
  expect(await call('bundles.import', { text })).toMatchObject({ ok: true })
  expectAsWritten(store)
})

it('a Program that has more events than it keeps after a late webhook is given older ones removes the oldest at once', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'], url: null })
  const { store } = setup.sandbox
  const program_uid = setup.webhook.program_uid
  store.transact(program_uid, { door: 'operator', name: 'webhooks.test' }, (tx) => {
    const example = { program_uid, created_at: tx.now, collection: null, record_uid: null, details: {} }
    for (let count = 0; count < 20_090; count++)
      tx.webhook_events.put({ ...example, uid: tx.uid(), topic: 'test', event_type: 'test' })
  })
  await live(setup)
  await setup.call('webhooks.create', { url: null, from: 'beginning' })
  expect(store.world.collections.webhook_events.size).toBeLessThan(20_100)
})

it('a fork has the log of its parent, and then its own', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const before = withoutDeliveries(await listed(setup.call))
  await expectSameLog(setup, await setup.sandbox.worlds.create({ name: 'fork', from: 'current' }))
  expect(withoutDeliveries(await listed(setup.call))).toEqual(before)
})

it('the log is read before an action only if its input asks for older events', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const { uid } = setup.webhook
  await setup.call('webhooks.update', { uid, status: 'paused' })
  await setup.call('webhooks.create', { url: null })
  const [lock] = await listed(setup.call, { wanted: true, event_type: 'lock' })
  await setup.call('events.hold', { uid: lock!.uid })
  expect([...readEventLog(setup.sandbox.store)].length).toBeGreaterThan(10)
  await setup.call('webhooks.update', { uid, from: 'beginning' })
  expect([...readEventLog(setup.sandbox.store)].length).toBeLessThan(5)
})

it('a resend of an event and all newer ones to one webhook sends those that it wants, as many as events.list says', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const since = (await listed(setup.call))[0]!.uid
  const receiver = await startReceiver()
  const chosen = { url: receiver.url, confirm: false, topics: ['transfers' as const] }
  const { uid: webhook_uid } = await setup.call('webhooks.create', chosen)
  const wanted = await listed(setup.call, { since, wanted_by: webhook_uid })
  expect(wanted.length).toBeGreaterThan(1)
  expect(new Set(wanted.map(({ topic }) => topic))).toEqual(new Set(['transfers']))
  const { call } = setup
  await call('events.resend', { uid: since, and_newer: true, webhook_uid })
  await waitForDeliveries(call)
  expect(receiver.received.map(({ body }) => body.event_id)).toEqual(wanted.map(({ uid }) => uid))
  await call('webhooks.update', { uid: webhook_uid, topics: ['virtual_reference_number'] })
  const refused = await setup.sandbox.call('events.resend', { uid: since, and_newer: true, webhook_uid })
  expect(JSON.stringify(refused)).toContain('wants none of these events')
  const unknown = await setup.sandbox.call('events.list', { wanted_by: 'gone123456789012' })
  expect(JSON.stringify(unknown)).toContain('there is no webhook gone123456789012')
})

it('events.list begins with any event of the log, wanted or not, and its pages are in order', async () => {
  const setup = await setUpWebhook({ topics: ['customers.lock'] })
  await live(setup)
  const log = runToEnd(readEventLog(setup.sandbox.store)).map(({ uid }) => uid)
  const test = await setup.call('webhooks.test', { uid: setup.webhook.uid })
  const all = (await setup.call('events.list', {})).data
  expect(all.map(({ uid }) => uid)).toEqual([test.uid, ...log.toReversed()])
  const inPages = await Promise.all(all.map((_, offset) => setup.call('events.list', { limit: 1, offset })))
  expect(inPages.map(({ data, total_count }) => [data[0], total_count])).toEqual(
    all.map((event) => [event, all.length]),
  )
  for (const { uid } of await listed(setup.call)) {
    const found = await listed(setup.call, { since: uid, wanted: true })
    const newer = await listed(setup.call, { since: uid })
    expect(found).toEqual(newer.filter(({ topic, event_type }) => topic === 'customers' && event_type === 'lock'))
  }
})
