import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller } from '../support/operator.ts'
import { type Answer, startReceiver } from '../support/receiver.ts'
import { startSandbox } from '../support/sandbox.ts'
import { lockOf, refuse, setUpLocks, unlockOf, waitForDeliveries } from '../support/webhooks.ts'

/** Deliveries that are interrupted: by a change of the webhook, by a receiver, or because the world is replaced meanwhile. */

async function setUp(...chosen: Parameters<typeof setUpLocks>) {
  const setup = await setUpLocks(...chosen)
  const deliveries = async () =>
    (await setup.call('events.list', { limit: 1000 })).data.flatMap((event) => event.deliveries)
  /** Resolves when the receiver has so many requests. */
  const received = (times: number) => expect.poll(() => setup.receiver.received.length).toBe(times)
  return { ...setup, deliveries, received }
}

/** Leaves requests without an answer until `go` is called. */
function hang(receiver: { answer: Answer; accept: Answer }, answer: Answer = receiver.accept) {
  const waiting: (() => void)[] = []
  receiver.answer = (event, response) => void waiting.push(() => answer(event, response))
  return () => {
    receiver.answer = receiver.accept
    for (const go of waiting.splice(0)) go()
  }
}

describe('a webhook that is changed while its events are being sent', () => {
  it('sends nothing more once it is paused; what was under way is sent again with the rest when it is active', async () => {
    const { call, receiver, webhook, uids, lock, received, deliveries } = await setUp(30)
    hang(receiver)
    for (const uid of uids) await lock(uid)
    await received(8)
    await call('webhooks.update', { uid: webhook.uid, status: 'paused' })
    await waitForDeliveries(call)
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts.length])).toEqual(
      uids.map(() => ['due', 0]),
    )
    expect(receiver.received).toHaveLength(8)
    receiver.answer = receiver.accept
    await call('webhooks.update', { uid: webhook.uid, status: 'active' })
    await waitForDeliveries(call)
    expect((await deliveries()).map(({ status }) => status)).toEqual(uids.map(() => 'delivered'))
    expect(receiver.received).toHaveLength(30 + 8)
    expect(new Set(receiver.received.map(({ body }) => body.event_id)).size).toBe(30)
  })

  it('is sent what was under way if it is paused and made active again at once', async () => {
    const { call, receiver, webhook, lock, deliveries, received } = await setUp()
    hang(receiver)
    await lock()
    await received(1)
    receiver.answer = receiver.accept
    const { uid } = webhook
    await Promise.all([
      call('webhooks.update', { uid, status: 'paused' }),
      call('webhooks.update', { uid, status: 'active' }),
    ])
    await waitForDeliveries(call)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }])
  })

  it('without an address, has failed deliveries, and needs no confirmation', async () => {
    const { call, receiver, webhook, lock, deliveries } = await setUp()
    receiver.answer = refuse
    await lock()
    await waitForDeliveries(call)
    await call('webhooks.update', { uid: webhook.uid, url: null })
    expect(await deliveries()).toMatchObject([{ status: 'failed', next_attempt_at: null }])
    const { uid } = await call('webhooks.create', { url: receiver.url })
    await waitForDeliveries(call)
    expect(await call('webhooks.update', { uid, url: null })).toMatchObject({ status: 'active' })
  })

  it('with another address, does not disturb what is under way', async () => {
    const { call, receiver, webhook, uids, lock, deliveries } = await setUp(4)
    const go = hang(receiver)
    for (const uid of uids) await lock(uid)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await call('webhooks.update', { uid: webhook.uid, url: `${receiver.url}/new` })
    go()
    await waitForDeliveries(call)
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts.length])).toEqual(
      uids.map(() => ['delivered', 1]),
    )
  })

  it('to a host that is no longer allowed: the attempts say so, and it can be paused', async () => {
    const { call, webhook, lock, deliveries } = await setUp(1, { retry_seconds: [] })
    const program = webhook.program_uid
    await call('programs.update', { uid: program, webhook_hosts: ['hooks.invalid'] })
    await call('webhooks.update', { uid: webhook.uid, url: 'http://hooks.invalid/' })
    await call('programs.update', { uid: program, webhook_hosts: [] })
    await lock()
    await waitForDeliveries(call)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{ status: null }] })
    expect(delivery!.attempts[0]!.error).toMatch(/to allow hooks\.invalid, add it to webhook_hosts/)
    expect(await call('webhooks.update', { uid: webhook.uid, status: 'paused' })).toMatchObject({ status: 'paused' })
  })

  it('by a rewind, to an address with the other protocol, gets what is sent then', async () => {
    const { call, receiver, webhook, uids, lock, deliveries, sandbox } = await setUp(2, { retry_seconds: [] })
    const before = sandbox.store.world.seq
    await call('webhooks.update', { uid: webhook.uid, url: receiver.url.replace('http:', 'https:') })
    await lock()
    await waitForDeliveries(call)
    await call('world.rewind', { seq: before })
    await lock(uids[1])
    await waitForDeliveries(call)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 204, error: null }] }])
  })

  it('with HTTPS in capital letters, is asked for its health, too', async () => {
    const { call, webhook, lock, deliveries } = await setUp(1, { retry_seconds: [] })
    await call('webhooks.update', { uid: webhook.uid, url: 'HTTPS://127.0.0.1:9/hooks' })
    await lock()
    await waitForDeliveries(call)
    expect(await deliveries()).toMatchObject([
      { status: 'failed', attempts: [{ error: expect.stringMatching(/ECONNREFUSED/), health: { status: null } }] },
    ])
  })
})

describe('an attempt that is under way', () => {
  it('is forgotten by a reset: the same event of the next world is sent', async () => {
    const receiver = await startReceiver()
    const call = createCaller(await startSandbox())
    const go = hang(receiver, refuse)
    const create = () => call('webhooks.create', { url: receiver.url })
    await call('world.reset', { world: 'empty' })
    await create()
    await expect.poll(() => receiver.received.length).toBe(1)
    await call('world.reset', { world: 'empty' })
    go()
    await create()
    await waitForDeliveries(call)
    expect(receiver.received).toHaveLength(2)
    const [event] = (await call('events.list', {})).data
    expect(event!.deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }])
    expect(event!.deliveries[0]!.attempts[0]).not.toHaveProperty('sent_before')
  })

  it('of a later attempt when the world is rewound to the first: the first is repeated from what is known', async () => {
    const { call, receiver, lock, deliveries, received, sandbox } = await setUp()
    receiver.answer = refuse
    await lock()
    const locked = sandbox.store.world.seq
    await waitForDeliveries(call)
    const go = hang(receiver)
    const { tasks } = await call('tasks.list', {})
    await call('tasks.run', { uid: tasks.find(({ kind }) => kind === 'send waiting events')!.uid })
    await received(2)
    await call('world.rewind', { seq: locked })
    go()
    await waitForDeliveries(call)
    expect(await deliveries()).toMatchObject([{ status: 'waiting', attempts: [{ status: 503, sent_before: true }] }])
  })

  it('is recorded by the next advance if the disk was full, and is not sent again', async () => {
    onTestFinished(() => replaceFiles())
    const { call, receiver, lock, deliveries, sandbox } = await setUp(
      1,
      {},
      {
        data: createTemporaryFolder(),
        world: 'empty',
      },
    )
    const { write } = files
    let isFull = false
    replaceFiles({
      ...files,
      write(...args) {
        if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        return write(...args)
      },
    })
    receiver.answer = (event, response) => {
      isFull = true
      receiver.accept(event, response)
    }
    await lock()
    await expect.poll(() => sandbox.told.join()).toMatch(/was not recorded/)
    isFull = false
    await call('clock.advance', { by: 'PT1S' })
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }])
    expect(receiver.received).toHaveLength(1)
  })

  it('is recorded when the delivery was held and released with a delay meanwhile', async () => {
    const { call, receiver, lock, deliveries, received } = await setUp()
    const go = hang(receiver)
    await lock()
    await received(1)
    const [event] = (await call('events.list', {})).data
    await call('events.hold', { uid: event!.uid })
    await call('events.release', { uid: event!.uid, failure: { kind: 'delay' } })
    go()
    await waitForDeliveries(call)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }])
    await call('clock.advance', { by: 'PT1H' })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('that is longer once its secrets are sealed is cut, and nine digits in it are sealed', async () => {
    const { call, receiver, lock, deliveries } = await setUp()
    receiver.answer = (_event, response) => void response.end(`see 123-45-6789 and 123456789 ${'a'.repeat(2_000)}`)
    await lock()
    await waitForDeliveries(call)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
    const { answer } = delivery!.attempts[0]!
    expect(answer).toHaveLength(1_000)
    expect(answer).not.toMatch(/123-?45-?6789/)
  })

  it('is not cut inside of a character', async () => {
    const { call, receiver, lock, deliveries } = await setUp()
    receiver.answer = (_event, response) => void response.end(`${'a'.repeat(999)}😀`)
    await lock()
    await waitForDeliveries(call)
    expect((await deliveries())[0]!.attempts[0]!.answer).toBe('a'.repeat(999))
  })

  it('after which the receiver closes the connection is no reason for the next attempt to fail', async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(204).end(() => setTimeout(() => request.socket.destroy(), 1))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { call, webhook, uids, lock, deliveries } = await setUp(30)
    await call('webhooks.update', {
      uid: webhook.uid,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
    for (const uid of uids) {
      await lock(uid)
      await delay(2)
    }
    await waitForDeliveries(call)
    expect((await deliveries()).filter(({ attempts }) => attempts.length > 1 || attempts[0]?.status !== 204)).toEqual(
      [],
    )
  })
})

describe('an advance that waits for outcomes', () => {
  it('ends when it is canceled, while the receiver does not answer', async () => {
    const { call, receiver, lock } = await setUp()
    const go = hang(receiver)
    await lock()
    const advance = call('clock.advance', { by: 'PT1H' })
    await expect.poll(async () => (await call('clock.cancel', {})).canceled).toBe(true)
    expect(await advance).toMatchObject({ stopped_by: 'cancel' })
    go()
  })

  it('ends when a receiver causes another event with each event', async () => {
    const { call, receiver, uids, lock } = await setUp(1, { topics: ['customers'] })
    const [uid] = uids
    let isLocked = false
    receiver.answer = async (event, response) => {
      isLocked = !isLocked
      await call('moves.make', (isLocked ? lockOf : unlockOf)(uid!))
      receiver.accept(event, response)
    }
    isLocked = true
    await lock()
    await call('clock.advance', { by: 'PT1S' })
    expect(receiver.received.length).toBeGreaterThan(10)
    receiver.answer = receiver.accept
    await waitForDeliveries(call)
  })
})

describe('a rewind of a world that is a copy', () => {
  it('to before it was copied sends nothing, and leaves its webhooks paused', async () => {
    const { call, receiver, lock, sandbox, webhook, uids } = await setUp()
    const before = sandbox.store.world.seq
    await lock()
    await waitForDeliveries(call)
    const there = createCaller(await sandbox.worlds.create({ name: 'copy', from: 'current' }))
    for (let times = 0; times < 2; times++) {
      await there('world.rewind', { seq: before })
      await waitForDeliveries(there)
      expect((await there('webhooks.list', {})).webhooks).toMatchObject([{ uid: webhook.uid, status: 'paused' }])
      await there('moves.make', lockOf(uids[0]!))
      await waitForDeliveries(there)
    }
    expect(receiver.received).toHaveLength(1)
    await there('webhooks.update', { uid: webhook.uid, status: 'active' })
    await there('moves.make', { collection: 'customers', uid: uids[0]!, move: 'unlock' })
    await waitForDeliveries(there)
    expect(receiver.received, 'the lock in the copy, which waited').toHaveLength(2)
  })

  it('that was imported does so, too; a rewind to before the import has the own webhooks again', async () => {
    const { call, receiver, lock, sandbox, customer } = await setUp()
    await call('bundles.export', {})
    const before = sandbox.store.world.seq
    await lock()
    await waitForDeliveries(call)
    const { text } = await call('bundles.export', {})
    const other = await startSandbox({ seed: 'other' })
    const there = createCaller(other)
    const own = await there('webhooks.create', { url: receiver.url, topics: ['customers'], confirm: false })
    const beforeImport = other.store.world.seq
    const { since } = await there('bundles.import', { text })
    await there('world.rewind', { seq: since + before })
    await waitForDeliveries(there)
    expect((await there('webhooks.list', {})).webhooks).toMatchObject([{ status: 'paused' }])
    await there('world.rewind', { seq: beforeImport })
    await waitForDeliveries(there)
    expect((await there('webhooks.list', {})).webhooks).toMatchObject([{ uid: own.uid, status: 'active' }])
    expect(receiver.received).toHaveLength(1)
    await customer()
  })
})

it('a recording from elsewhere that is replayed into the present world allows no host and has no address', async () => {
  const { call, webhook } = await setUp(0)
  await call('programs.update', { uid: webhook.program_uid, webhook_hosts: ['hooks.invalid'] })
  await call('webhooks.create', { url: 'http://hooks.invalid/', topics: ['customers.lock'], confirm: false })
  const { text } = await call('bundles.export', {})
  const there = createCaller(await startSandbox({ seed: 'other' }))
  await there('exchanges.replay', { text, into: 'present' })
  const { programs } = await there('programs.list', {})
  expect(programs.flatMap(({ webhook_hosts }) => webhook_hosts)).toEqual([])
  const { webhooks } = await there('webhooks.list', {})
  expect(webhooks.length).toBeGreaterThan(0)
  expect(webhooks.filter(({ url }) => url !== null)).toEqual([])
})
