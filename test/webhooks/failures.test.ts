import { describe, expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import type { FailureRule } from '../../src/api/contract/resources/webhooks.ts'
import { isSigned } from '../support/receiver.ts'
import { setUpLocks, unlockOf, waitForDeliveries } from '../support/webhooks.ts'

/** What goes wrong with deliveries on purpose. */

async function setUp(
  failures: readonly FailureRule[],
  chosen: Partial<MethodInput<'webhooks.create'>> = {},
  options: { seed?: string } = {},
) {
  const topics = ['customers.lock', 'customers.unlock'] as const
  const setup = await setUpLocks(1, { topics: [...topics], failures: [...failures], ...chosen }, options)
  const { call, lock, receiver } = setup
  const unlock = () => call('moves.make', unlockOf(setup.uids[0]!))
  const lockTimes = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await lock()
      await unlock()
    }
    await waitForDeliveries(call)
  }
  const types = () => receiver.received.map(({ body }) => body.event_type)
  const rules = async () => (await call('webhooks.list', {})).webhooks[0]!.failures
  return { ...setup, unlock, lockTimes, types, rules }
}

describe('a rule of a webhook', () => {
  it('drop: the event is never sent, and can be resent', async () => {
    const { call, lock, types, newest } = await setUp([{ kind: 'drop' }])
    await lock()
    await call('clock.advance', { until: 'idle' })
    expect(types()).toEqual([])
    const { uid, deliveries } = await newest()
    expect(deliveries).toMatchObject([{ status: 'dropped', failure: 'drop', next_attempt_at: null, attempts: [] }])
    await call('events.resend', { uid })
    await waitForDeliveries(call)
    expect(types()).toEqual(['lock'])
  })

  it('duplicate: the event is sent twice, with the same event_id', async () => {
    const { call, lock, receiver, newest } = await setUp([{ kind: 'duplicate' }])
    await lock()
    await waitForDeliveries(call)
    expect(receiver.received.map(({ body }) => body.event_id)).toEqual(Array(2).fill((await newest()).uid))
  })

  it('delay: the event is sent after some simulated time, 60 seconds by default', async () => {
    const { call, lock, unlock, types } = await setUp([
      { kind: 'delay', topics: ['customers.lock'] },
      { kind: 'delay', seconds: 3_600 },
    ])
    await lock()
    await unlock()
    await call('clock.advance', { by: 'PT59S' })
    expect(types()).toEqual([])
    await call('clock.advance', { by: 'PT1S' })
    expect(types()).toEqual(['lock'])
    await call('clock.advance', { by: 'PT59M' })
    expect(types()).toEqual(['lock', 'unlock'])
  })

  it('reorder: neighbors change places', async () => {
    const { lockTimes, types } = await setUp([{ kind: 'reorder' }])
    await lockTimes(1)
    await lockTimes(1)
    expect(types()).toEqual(['unlock', 'lock', 'unlock', 'lock'])
  })

  it('reorder: without a next event, the event is sent after an hour of simulated time', async () => {
    const { call, lock, unlock, types } = await setUp([{ kind: 'reorder', times: 1 }])
    await lock()
    await call('clock.advance', { by: 'PT59M' })
    expect(types()).toEqual([])
    await call('clock.advance', { by: 'PT1M' })
    expect(types()).toEqual(['lock'])
    await unlock()
    await waitForDeliveries(call)
    expect(types()).toEqual(['lock', 'unlock'])
  })

  it('corrupt_signature: the signature of the first attempt is wrong, and those of the others are right', async () => {
    const { call, lock, receiver, webhook, newest } = await setUp([{ kind: 'corrupt_signature' }])
    receiver.answer = (event, response) =>
      void response.writeHead(isSigned(event, webhook.hmac_key) ? 204 : 401).end('wrong signature')
    await lock()
    await call('clock.advance', { until: 'idle' })
    const [delivery] = (await newest()).deliveries
    expect(delivery).toMatchObject({ status: 'delivered', failure: 'corrupt_signature' })
    expect(delivery!.attempts).toMatchObject([{ status: 401, signature_corrupted: true }, { status: 204 }])
    expect(delivery!.attempts[1]).not.toHaveProperty('signature_corrupted')
  })

  it('hold: the event is kept until it is released', async () => {
    const { call, lock, types, newest } = await setUp([{ kind: 'hold' }])
    await lock()
    await call('clock.advance', { until: 'idle' })
    expect(types()).toEqual([])
    await call('events.release', { uid: (await newest()).uid })
    await waitForDeliveries(call)
    expect(types()).toEqual(['lock'])
  })

  it('times: the rule applies to so many deliveries, and is then removed', async () => {
    const { lockTimes, types, rules } = await setUp([
      { kind: 'drop', times: 2 },
      { kind: 'duplicate', topics: ['customers.unlock'] },
    ])
    await lockTimes(2)
    expect(types()).toEqual(['lock', 'unlock', 'unlock'])
    expect(await rules()).toEqual([{ kind: 'duplicate', topics: ['customers.unlock'] }])
  })

  it('rate: the seed decides which share of the deliveries it applies to', async () => {
    const run = async (seed: string) => {
      const { lockTimes, call } = await setUp([{ kind: 'drop', rate: 0.5 }], {}, { seed })
      await lockTimes(20)
      const { data } = await call('events.list', { wanted: true, limit: 100 })
      return data.map(({ deliveries }) => deliveries[0]!.status)
    }
    const [first, same, other] = [await run('a'), await run('a'), await run('b')]
    expect(first).toHaveLength(40)
    expect(first.filter((status) => status === 'dropped').length).toBeGreaterThan(8)
    expect(first.filter((status) => status === 'delivered').length).toBeGreaterThan(8)
    expect(same).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it('is for one receiver: another one gets everything', async () => {
    const { call, lockTimes, receiver, types } = await setUp([{ kind: 'drop' }])
    await call('webhooks.create', { url: `${receiver.url}/other`, confirm: false, topics: ['customers.lock'] })
    await lockTimes(1)
    expect(types()).toEqual(['lock'])
    expect(receiver.received[0]!.path).toBe('/hooks/other/customers')
  })

  it('can be removed by an update', async () => {
    const { call, webhook, lockTimes, types } = await setUp([{ kind: 'drop' }])
    await call('webhooks.update', { uid: webhook.uid, failures: [] })
    await lockTimes(1)
    expect(types()).toEqual(['lock', 'unlock'])
  })
})

describe('for one event', () => {
  it('a release or a resend may have its own failure', async () => {
    const { call, lock, receiver, webhook, newest } = await setUp([{ kind: 'hold', times: 1 }])
    await lock()
    await waitForDeliveries(call)
    const { uid } = await newest()
    await call('events.release', { uid, failure: { kind: 'corrupt_signature' } })
    await waitForDeliveries(call)
    await call('events.resend', { uid, failure: { kind: 'duplicate' } })
    await waitForDeliveries(call)
    expect(receiver.received.map((event) => isSigned(event, webhook.hmac_key))).toEqual([false, true, true])
    await call('events.resend', { uid, failure: { kind: 'delay', seconds: 30 } })
    await call('clock.advance', { by: 'PT29S' })
    expect(receiver.received).toHaveLength(3)
    await call('clock.advance', { by: 'PT1S' })
    expect(receiver.received).toHaveLength(4)
  })

  it('a released event may be duplicated', async () => {
    const { call, lock, types, newest } = await setUp([{ kind: 'hold' }])
    await lock()
    await call('events.release', { uid: (await newest()).uid, failure: { kind: 'duplicate' } })
    await waitForDeliveries(call)
    expect(types()).toEqual(['lock', 'lock'])
  })
})

describe('after the last attempt', () => {
  it.each([
    [204, { status: 204, error: null }],
    [503, { status: 503, error: null }],
  ])('{url}/{topic}/health is asked, and its answer %i is kept with the attempt', async (answer, health) => {
    const { call, lock, receiver, newest } = await setUp([], { retry_seconds: [30] })
    receiver.answer = (_event, response) => void response.writeHead(500).end()
    receiver.health = answer
    await lock()
    await call('clock.advance', { until: 'idle' })
    const [delivery] = (await newest()).deliveries
    expect(receiver.probes).toEqual(['/hooks/customers/health'])
    expect(delivery!.attempts[0]).not.toHaveProperty('health')
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{}, { health }] })
  })

  it('a receiver that cannot be reached has the reason as its health', async () => {
    const { call, lock, newest } = await setUp([], { url: 'http://127.0.0.1:9', retry_seconds: [] })
    await lock()
    await waitForDeliveries(call)
    const [attempt] = (await newest()).deliveries[0]!.attempts
    expect(attempt!.health).toEqual({ status: null, error: expect.stringContaining('ECONNREFUSED') })
  })

  it('a receiver that accepted is not asked', async () => {
    const { lockTimes, receiver } = await setUp([], { retry_seconds: [] })
    await lockTimes(1)
    expect(receiver.probes).toEqual([])
  })
})
