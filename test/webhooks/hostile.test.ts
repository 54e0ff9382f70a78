import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { isLong } from '../support/campaign.ts'
import { hostileKind, hostileNames, startHostileReceiver } from '../support/hostile-receivers.ts'
import { setUpWebhook } from '../support/webhooks.ts'

/** Receivers that do everything wrong. Those that are silent take 5 seconds each, so the short form has one of them. */

const chosen = hostileNames.filter(
  (name) => isLong || hostileKind(name).outcome !== 'silent' || name === 'never answers',
)

it.each(chosen)(
  'an advance with a receiver that %s ends in time, with its outcome',
  { timeout: 30_000 },
  async (name) => {
    const receiver = await startHostileReceiver(name)
    onTestFinished(receiver.stop)
    const setup = await setUpWebhook({ url: receiver.url, topics: ['customers.lock'], retry_seconds: [60] })
    const { call } = setup
    const lock = async () => {
      const { uid } = await setup.customer()
      await call('moves.make', { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost phone' } })
    }
    await lock()
    const began = performance.now()
    await call('clock.advance', { by: 'PT1H' })
    // Of two attempts and a question for its health.
    expect(performance.now() - began).toBeLessThan(5_000 + 5_000 + 1_000 + 2_000)
    const deliveries = (await call('events.list', {})).data.flatMap((event) => event.deliveries)
    expect(deliveries).toHaveLength(1)
    for (const { status, attempts } of deliveries) {
      expect(status).toBe(receiver.outcome === 'accepted' ? 'delivered' : 'failed')
      for (const attempt of attempts) {
        expect(attempt.status === null).toBe(receiver.outcome === 'silent' || receiver.outcome === 'no answer')
        expect(attempt.error === 'there was no answer within 5 seconds').toBe(receiver.outcome === 'silent')
      }
    }
  },
)
