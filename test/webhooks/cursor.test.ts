import { describe, expect, it } from 'vitest'
import { simulate, webhookPlanOf } from '../../bench/simulate/simulate.ts'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { exampleDetails, webhookEventNames, webhookEvents } from '../../src/api/contract/webhooks.ts'
import { create, update } from '../../src/api/domain/resources/webhooks.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSandbox } from '../support/sandbox.ts'
import { setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

/** A webhook has its place in the events of its Program: what it was not sent yet waits for it. */

type Setup = Awaited<ReturnType<typeof setUpWebhook>>

async function eventsOf({ call }: Setup) {
  const { data } = await call('events.list', { limit: 1_000 })
  return data.filter(({ topic }) => topic !== 'test').reverse()
}
const idsIn = (received: readonly { readonly path: string; readonly body: Record<string, unknown> }[]) =>
  received.filter(({ path }) => !path.endsWith('/test')).map(({ body }) => body.event_id)

describe('an event that happens', () => {
  it('while its webhook is unconfirmed is sent when the receiver has accepted the test event', async () => {
    const setup = await setUpWebhook({ url: null, topics: ['customers.lock'] })
    const olive = await setup.customer()
    const savings = await setup.account(olive, 'general')
    await setup.fund(olive, '50.00')
    for (let times = 0; times < 6; times++) {
      const receiver = await startReceiver()
      await setup.call('webhooks.create', { url: receiver.url, topics: ['transactions.created'] })
      // At once: the test event may not even have arrived.
      await setup.pay(olive, olive.master, savings, '1.00')
      await waitForDeliveries(setup.call)
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/test', '/hooks/transactions'])
    }
  })

  it.each([
    ['beginning', [1, 2, 3]],
    ['the second', [2, 3]],
    ['now', []],
  ] as const)('before its webhook was created is sent if it is wanted: from %s', async (from, expected) => {
    const setup = await setUpWebhook({ url: null, topics: ['customers.status_change'] })
    for (let count = 0; count < 3; count++) await setup.customer()
    const kept = await eventsOf(setup)
    const last = kept.filter(({ details }) => details.new_status === 'active').map(({ uid }) => uid)
    const receiver = await startReceiver()
    const since = from === 'the second' ? last[1]! : from
    const { uid } = await setup.call('webhooks.create', { url: receiver.url, confirm: false, from: since })
    await waitForDeliveries(setup.call)
    expect(idsIn(receiver.received).filter((id) => last.includes(id as string))).toEqual(
      expected.map((number) => last[number - 1]),
    )
    await setup.call('webhooks.update', { uid, from: 'beginning' })
    await waitForDeliveries(setup.call)
    // All of them, and nothing twice.
    expect(idsIn(receiver.received).toSorted()).toEqual(kept.map((event) => event.uid).toSorted())
  })

  it('while its webhook is paused is not sent if it goes on from now', async () => {
    const setup = await setUpWebhook({ topics: ['customers.status_change'] })
    const { uid } = setup.webhook
    await setup.call('webhooks.update', { uid, status: 'paused' })
    await setup.customer()
    await setup.call('webhooks.update', { uid, status: 'active', from: 'now' })
    await waitForDeliveries(setup.call)
    expect(setup.receiver.received).toEqual([])
    const statuses = (await eventsOf(setup)).flatMap(({ deliveries }) => deliveries.map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set(['failed']))
  })
})

it('a webhook that goes on from now during an attempt: what its receiver accepts is delivered, the rest is left out', async () => {
  const setup = await setUpWebhook({ url: null })
  const olive = await setup.customer()
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const receiver = await startReceiver((event, response) => {
    const status = event.body.details.description === 'is accepted' ? 200 : 503
    void gate.then(() => response.writeHead(status).end())
  })
  const topics = ['transactions.created' as const]
  const { uid } = await setup.call('webhooks.create', { url: receiver.url, confirm: false, topics })
  for (const description of ['is accepted', 'is refused'])
    await setup.mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 1, description })
  await expect.poll(() => receiver.received.length).toBe(2)
  await setup.call('webhooks.update', { uid, from: 'now' })
  open()
  await waitForDeliveries(setup.call)
  const deliveries = async () => (await eventsOf(setup)).flatMap((event) => event.deliveries)
  await expect.poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered')).toHaveLength(1)
  expect((await deliveries()).filter(({ attempts }) => attempts.length > 0)).toMatchObject([
    { status: 'delivered', attempts: [{ status: 200 }] },
  ])
})

it('a webhook that goes on from now during an attempt that is refused: nothing is recorded, and no error reported', async () => {
  const setup = await setUpWebhook({ url: null })
  const olive = await setup.customer()
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const receiver = await startReceiver((_event, response) => void gate.then(() => response.writeHead(503).end()))
  const topics = ['transactions.created' as const]
  const { uid } = await setup.call('webhooks.create', { url: receiver.url, confirm: false, topics })
  await setup.mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 1 })
  await expect.poll(() => receiver.received.length).toBe(1)
  await setup.call('webhooks.update', { uid, from: 'now' })
  const { seq } = setup.sandbox.store.world
  open()
  await waitForDeliveries(setup.call)
  const [failed] = (await eventsOf(setup)).flatMap((event) => event.deliveries)
  expect(failed).toMatchObject({ status: 'failed', attempts: [] })
  expect([setup.sandbox.told, setup.sandbox.store.world.seq]).toEqual([[], seq])
})

it('a webhook that goes on from now still gets its test event, and is active when that is accepted', async () => {
  const setup = await setUpWebhook({ url: null })
  const receiver = await startReceiver((_event, response) => void response.writeHead(503).end())
  const { uid } = await setup.call('webhooks.create', { url: receiver.url })
  await setup.customer()
  await setup.call('webhooks.update', { uid, from: 'now' })
  receiver.answer = receiver.accept
  await setup.call('clock.advance', { by: 'PT1H' })
  expect((await setup.call('webhooks.list', {})).webhooks).toContainEqual(
    expect.objectContaining({ uid, status: 'active' }),
  )
  expect(idsIn(receiver.received)).toEqual([])
})

it('the events of one record come in their order, also to a webhook that is given older ones late', async () => {
  const setup = await setUpWebhook({ url: null })
  const receiver = await startReceiver()
  const olive = await setup.customer()
  const savings = await setup.account(olive, 'general')
  await setup.fund(olive, '50.00')
  const topics = ['transfers.status_change' as const]
  const { uid } = await setup.call('webhooks.create', { url: receiver.url, confirm: false, topics })
  await setup.call('webhooks.update', { uid, status: 'paused' })
  await setup.pay(olive, olive.master, savings, '1.00')
  await setup.call('clock.advance', { by: 'PT1H' })
  await setup.call('webhooks.update', { uid, status: 'active', topics: ['transfers'], from: 'beginning' })
  await waitForDeliveries(setup.call)
  const statuses = receiver.received.map(({ body }) => [
    body.event_type,
    (body.details as { new_status?: string }).new_status,
  ])
  expect(statuses).toEqual([
    ['created', undefined],
    ['status_change', 'pending'],
    ['status_change', 'settled'],
  ])
})

describe('a late webhook that begins with the first of many events', () => {
  const EVENTS = 450
  /** A world with many events, and what a receiver got of them. */
  async function setUpMany(options: Partial<SandboxOptions> = {}) {
    const setup = await setUpWebhook({ url: null, topics: ['transactions.created'] }, options)
    const olive = await setup.customer()
    const wire = { transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 1 }
    const happen = async (times: number) => {
      for (let count = 0; count < times; count++) await setup.mock(wire)
    }
    await happen(EVENTS)
    const receiver = await startReceiver()
    const topics = ['transactions.created' as const]
    const createLate = (more: Partial<MethodInput<'webhooks.create'>> = {}) =>
      setup.call('webhooks.create', { url: receiver.url, confirm: false, topics, from: 'beginning', ...more })
    const kept = async (call = setup.call) =>
      (await call('events.list', { wanted: true, limit: 1_000 })).data.filter(({ topic }) => topic !== 'test').reverse()
    return { ...setup, receiver, happen, createLate, kept, idsInOrder: () => idsIn(receiver.received) }
  }
  type Many = Awaited<ReturnType<typeof setUpMany>>
  async function expectEachOnce({ kept, receiver }: Many, call?: Setup['call']) {
    const wanted = (await kept(call)).map(({ uid }) => uid)
    expect(idsIn(receiver.received).toSorted()).toEqual(wanted.toSorted())
  }

  it('is given all of them without another call, also with a frozen clock', async () => {
    const many = await setUpMany()
    const { webhook_deliveries } = many.sandbox.store.world.collections
    // No outcome of an attempt, which would be a call.
    await many.createLate({ failures: [{ kind: 'hold' }] })
    expect(webhook_deliveries.size).toBe(EVENTS)
    const changes = { url: many.receiver.url, failures: [{ kind: 'hold' as const }], from: 'beginning' }
    await many.call('webhooks.update', { uid: many.webhook.uid, ...changes })
    expect(webhook_deliveries.size).toBe(2 * EVENTS)
  })

  it('gets at most 200 in one commit, all of them once, and newer events after them', async () => {
    const many = await setUpMany()
    const sizes: number[] = []
    const unsubscribe = many.sandbox.store.subscribe(({ changes }) => {
      const made = changes.filter(({ collection, was }) => collection === 'webhook_deliveries' && was === null)
      if (made.length > 0) sizes.push(made.length)
    })
    const { next_event_uid } = await many.createLate()
    expect(next_event_uid).toBe((await many.kept())[200]!.uid)
    await many.happen(1)
    unsubscribe()
    await waitForDeliveries(many.call)
    expect(sizes).toEqual([200, 200, 50, 1])
    await expectEachOnce(many)
    expect((await many.call('webhooks.list', {})).webhooks).toContainEqual(
      expect.objectContaining({ url: many.receiver.url, next_event_uid: null }),
    )
    // Back to between two of the commits, and on again from there.
    const { seq } = many.sandbox.store.world
    const between = [...many.sandbox.store.commitsBetween(1, seq)].findLast(
      ({ cause, changes }) => cause.door === 'time' && changes.length > 200,
    )!
    await many.call('world.rewind', { seq: between.seq - 1 })
    await waitForDeliveries(many.call)
    const statuses = (await many.kept()).flatMap(({ deliveries }) => deliveries.map(({ status }) => status))
    expect(statuses).toEqual(Array(EVENTS).fill('delivered'))
    expect(many.idsInOrder()).toHaveLength(EVENTS + 1)
  })

  it('gets each once after a restart in between, and after a pause; none of the rest if it goes on from now', async () => {
    const data = createTemporaryFolder()
    const many = await setUpMany({ data })
    // In one commit, with no task between; what is being sent at the end of the sandbox would come twice.
    const webhook = { url: many.receiver.url, confirm: false, topics: ['transactions.created' as const] }
    const { uid } = many.sandbox.store.transact(
      many.sandbox.programs()[0]!.uid,
      { door: 'operator', name: 'webhooks.create' },
      (tx) => update(tx, create(tx, { ...webhook, from: 'beginning' }).uid, { status: 'paused' }),
    )
    await many.sandbox.close()
    const sandbox = await startSandbox({ data })
    expect(sandbox.store.world.collections.webhooks.get(uid)!.next_event_uid).not.toBeNull()
    const call = createCaller(sandbox)
    await call('webhooks.update', { uid, status: 'paused' })
    await call('webhooks.update', { uid, status: 'active' })
    await waitForDeliveries(call)
    await expectEachOnce(many, call)

    const before = many.receiver.received.length
    const { value: other } = (await sandbox.call('webhooks.create', {
      ...{ url: null, confirm: false, topics: ['transactions.created'] },
    })) as unknown as { value: { uid: string } }
    const { store } = sandbox
    const program = sandbox.programs()[0]!.uid
    const cause = { door: 'operator', name: 'webhooks.update' } as const
    // In one commit each, with no task between.
    const { url } = many.receiver
    store.transact(program, cause, (tx) => update(tx, other.uid, { url, from: 'beginning' }))
    store.transact(program, cause, (tx) => update(tx, other.uid, { from: 'now' }))
    await waitForDeliveries(call)
    const { next_event_uid } = store.world.collections.webhooks.get(other.uid)!
    const made = (await many.kept(call)).flatMap(({ deliveries }) =>
      deliveries.filter(({ webhook_uid }) => webhook_uid === other.uid),
    )
    expect([next_event_uid, made.length, many.receiver.received.length]).toEqual([null, 200, before])
  })
})

it('a place in the events that the log does not have is refused, with what to do', async () => {
  const setup = await setUpWebhook({ topics: ['customers.status_change'] })
  await setup.customer()
  const [oldest] = await eventsOf(setup)
  const call = (name: string, input: object) => setup.sandbox.call(name, input)
  for (const [name, input] of [
    ['webhooks.create', { url: null, from: 'gone123456789012' }],
    ['webhooks.update', { uid: setup.webhook.uid, from: 'gone123456789012' }],
  ] as const)
    expect(JSON.stringify(await call(name, input))).toContain(
      `from: there is no event gone123456789012 in the log, whose oldest event is ${oldest!.uid}: pass one that events.list has, now, or beginning`,
    )
})

it('an example of each event can be sent, without a record that it tells of, and is for its webhook only', async () => {
  const { call, receiver, webhook } = await setUpWebhook()
  for (const event of webhookEventNames) await call('events.send_example', { webhook_uid: webhook.uid, event })
  await waitForDeliveries(call)
  const sent = receiver.received.map(({ path, body }) => [
    `${path.split('/').at(-1)}.${String(body.event_type)}`,
    body.details,
  ])
  expect(sent.toSorted()).toEqual(webhookEventNames.map((name) => [name, exampleDetails(name)]).toSorted())
  const other = await startReceiver()
  await call('webhooks.create', { url: other.url, confirm: false, from: 'beginning' })
  await waitForDeliveries(call)
  expect(other.received).toEqual([])
  for (const name of webhookEventNames) {
    const { details } = webhookEvents[name]
    expect(Object.keys(exampleDetails(name)), name).toEqual(Object.keys(details.shape))
  }
})

it('every change of a busy life is sent once, in order, whatever the webhooks did meanwhile', async () => {
  const printed: string[] = []
  const { problems, counts } = await simulate({
    seeds: 4,
    seed: 'busy',
    planOf: webhookPlanOf,
    print: (line) => void printed.push(line),
  })
  expect(problems.length, printed.join('\n')).toBe(0)
  expect(counts.kills).toBeGreaterThan(4)
  expect(counts['events received']).toBeGreaterThan(50)
})
