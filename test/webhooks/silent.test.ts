import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { Breakers } from '../../src/api/webhooks/breakers.ts'
import { LANES, Lanes } from '../../src/api/webhooks/lanes.ts'
import { createCaller } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Calls, lockOf, setUpLocks, unlockOf } from '../support/webhooks.ts'

/** Receivers that answer nothing: an advance waits for them no longer than it must, and nothing else waits for them at all. */

async function setUpSilent(customers: number, chosen: Partial<MethodInput<'webhooks.create'>> = {}) {
  const setup = await setUpLocks(customers, { topics: ['customers.lock', 'customers.unlock'], ...chosen })
  setup.receiver.answer = () => {}
  return setup
}

/** An event of each Customer, so many times. */
async function lockAndUnlock(call: Calls, uids: readonly string[], times: number) {
  for (let i = 0; i < times; i++)
    for (const uid of uids) await call('moves.make', (i % 2 === 0 ? lockOf : unlockOf)(uid))
}

const readDeliveries = async (call: Calls) =>
  (await call('events.list', { limit: 1_000 })).data.flatMap(({ deliveries }) => deliveries)

/** In milliseconds. */
async function time(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('an advance', () => {
  it('with 80 events of a silent receiver waits for a few only, and says how many were not sent', {
    timeout: 60_000,
  }, async () => {
    const { call, receiver, webhook, uids } = await setUpSilent(10, { retry_seconds: [30, 60] })
    const other = await startReceiver()
    const good = await call('webhooks.create', {
      url: other.url,
      topics: ['customers.lock', 'customers.unlock'],
      confirm: false,
    })
    await lockAndUnlock(call, uids, 8)
    const began = performance.now()
    const advance = await call('clock.advance', { by: 'PT5H' })
    expect(performance.now() - began).toBeLessThan(15_000)
    const deliveries = await readDeliveries(call)
    const silent = deliveries.filter(({ webhook_uid }) => webhook_uid === webhook.uid)
    const attempts = silent.flatMap((delivery) => delivery.attempts)
    const unsent = attempts.filter(({ error }) => error?.startsWith('not sent, because 3 attempts before it'))
    expect(silent.map(({ status, attempts: made }) => [status, made.length])).toEqual(Array(80).fill(['failed', 3]))
    expect(attempts.length - unsent.length).toBe(receiver.received.length)
    expect(unsent.every(({ status, answer, ms, health }) => !status && !answer && ms === 0 && !health)).toBe(true)
    expect(advance.silent_webhooks).toEqual([
      {
        uid: webhook.uid,
        url: receiver.url,
        unanswered: receiver.received.length,
        not_sent: unsent.length,
        message: `${receiver.url} did not answer ${receiver.received.length} attempts in time, so ${unsent.length} further attempts were not sent and have failed. Start the receiver, then send the events again with events.resend`,
      },
    ])
    expect(
      deliveries.filter(({ webhook_uid, status }) => webhook_uid === good.uid && status === 'delivered'),
    ).toHaveLength(80)
    // The next advance begins anew.
    receiver.answer = receiver.accept
    const { data } = await call('events.list', { limit: 1 })
    await call('events.resend', { uid: data[0]!.uid, webhook_uid: webhook.uid })
    expect((await call('clock.advance', { by: 'PT1S' })).silent_webhooks).toEqual([])
    expect((await call('events.get', { uid: data[0]!.uid })).deliveries.at(-1)).toMatchObject({ status: 'delivered' })
  })

  it('that does not wait for webhooks ends at once; the wait for the next attempt begins with the outcome', async () => {
    const { call, receiver, uids } = await setUpSilent(1, { retry_seconds: [600] })
    const waiting: (() => void)[] = []
    receiver.answer = (_event, response) => void waiting.push(() => void response.writeHead(503).end())
    await lockAndUnlock(call, uids, 1)
    await expect.poll(() => waiting.length).toBe(1)
    const { now } = await call('clock.read', {})
    expect(await time(call('clock.advance', { by: 'PT1H', wait_for_webhooks: false }))).toBeLessThan(1_000)
    expect(await readDeliveries(call)).toMatchObject([{ status: 'due', attempts: [] }])
    waiting.pop()!()
    const later = (seconds: number) => new Date(Date.parse(now) + seconds * 1_000).toISOString()
    await expect
      .poll(() => readDeliveries(call))
      .toMatchObject([{ status: 'waiting', attempts: [{ at: later(3_600) }], next_attempt_at: later(4_200) }])
    receiver.answer = receiver.accept
    await call('clock.advance', { by: 'PT10M' })
    expect(await readDeliveries(call)).toMatchObject([{ status: 'delivered', attempts: [{}, { at: later(4_200) }] }])
  })
})

describe('of what waits for a silent receiver,', () => {
  const WITHIN_MS = 1_000

  /** An advance that waits for the receiver. */
  async function setUpAdvance() {
    const setup = await setUpSilent(3)
    await lockAndUnlock(setup.call, setup.uids, 2)
    const advance = setup.call('clock.advance', { by: 'PT1H' })
    await expect.poll(() => setup.receiver.received.length).toBe(3)
    return { ...setup, advance }
  }

  it.each([
    ['webhooks.delete', (uid: string) => ({ uid })],
    ['webhooks.update', (uid: string) => ({ uid, status: 'paused' as const })],
    ['webhooks.update', (uid: string) => ({ uid, url: null })],
    ['clock.cancel', () => ({})],
  ] as const)('an advance is ended by %s', async (name, inputOf) => {
    const { call, webhook, advance } = await setUpAdvance()
    expect(await time(call(name, inputOf(webhook.uid) as never))).toBeLessThan(WITHIN_MS)
    expect(await time(advance)).toBeLessThan(WITHIN_MS)
  })

  it('an advance is ended when the sandbox closes', async () => {
    const { sandbox, advance } = await setUpAdvance()
    expect(await time(Promise.all([sandbox.close(), advance]))).toBeLessThan(WITHIN_MS)
  })

  it('an advance of a named world is ended when that is dropped', async () => {
    const { call, sandbox, uids, webhook, receiver } = await setUpSilent(1)
    const there = createCaller(await sandbox.worlds.create({ name: 'copy', from: 'current' }))
    await there('webhooks.update', { uid: webhook.uid, status: 'active' })
    await lockAndUnlock(there, uids, 1)
    const advance = there('clock.advance', { by: 'PT1H' })
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(await time(call('worlds.drop', { name: 'copy' }))).toBeLessThan(WITHIN_MS)
    expect(await time(advance.catch(() => {}))).toBeLessThan(WITHIN_MS)
  })

  it('nothing keeps a reset waiting', async () => {
    const { call, uids, receiver } = await setUpSilent(1)
    await lockAndUnlock(call, uids, 1)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(await time(call('world.reset', { world: 'empty' }))).toBeLessThan(WITHIN_MS)
    expect(await time(call('clock.advance', { by: 'PT1H' }))).toBeLessThan(WITHIN_MS)
  })
})

describe('the breakers of an advance', () => {
  const receiver = { uid: 'one', url: 'http://127.0.0.1:9' }

  it('refuse further attempts after three without an answer, for each receiver alone', () => {
    const breakers = new Breakers()
    for (let times = 0; times < 3; times++) {
      expect(breakers.refuse(receiver)).toBeUndefined()
      breakers.noteSilence(receiver)
    }
    expect(breakers.summarize()).toEqual([])
    expect(breakers.refuse(receiver)).toMatch(/^not sent, because 3 attempts/)
    expect(breakers.refuse({ uid: 'two', url: null })).toBeUndefined()
    expect(breakers.summarize()).toMatchObject([
      {
        uid: 'one',
        unanswered: 3,
        not_sent: 1,
        message: expect.stringMatching(/another attempt was not sent and has/),
      },
    ])
  })
})

describe('the lanes of a webhook', () => {
  /** Each delivery ends when its name is given to `end`. */
  function createLanes() {
    const begun: string[] = []
    const ends = new Map<string, (result: undefined) => void>()
    const lanes = new Lanes<undefined>((delivery) => {
      begun.push(delivery)
      return new Promise((resolve) => ends.set(delivery, resolve))
    })
    const end = async (delivery: string) => {
      ends.get(delivery)!(undefined)
      await new Promise(setImmediate)
    }
    return { lanes, begun, end }
  }

  it('send the deliveries of one record one after the other', async () => {
    const { lanes, begun, end } = createLanes()
    const sent = ['a1', 'a2', 'a3'].map((delivery) => lanes.add(delivery, 'a'))
    expect(begun).toEqual(['a1'])
    await end('a1')
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    await end('a3')
    expect(await Promise.all(sent)).toHaveLength(3)
  })

  it('send those of so many records at once, whatever their uids are, and the records take turns', async () => {
    const { lanes, begun, end } = createLanes()
    const records = Array.from({ length: LANES + 2 }, (_, n) => `r${n}`)
    for (const record of records) void lanes.add(`${record}-1`, record)
    for (const record of records) void lanes.add(`${record}-2`, record)
    expect(begun).toEqual(records.slice(0, LANES).map((record) => `${record}-1`))
    await end('r0-1')
    await end('r1-1')
    await end('r2-1')
    expect(begun.slice(LANES)).toEqual([`r${LANES}-1`, `r${LANES + 1}-1`, 'r0-2'])
  })
})
