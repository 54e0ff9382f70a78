import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { hostileKind, hostileNames, startHostileReceiver } from '../../bench/support/hostile-receivers.ts'
import { campaignSize, isLong } from '../support/campaign.ts'
import { serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { lockOf, setUpLocks } from '../support/webhooks.ts'

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
    const { call, uids, lock } = await setUpLocks(3, { url: receiver.url, retry_seconds: [60] })
    for (const uid of uids) await lock(uid)
    const began = performance.now()
    await call('clock.advance', { by: 'PT1H' })
    // Of two attempts and a question for its health.
    expect(performance.now() - began).toBeLessThan(5_000 + 5_000 + 1_000 + 2_000)
    const deliveries = (await call('events.list', {})).data.flatMap((event) => event.deliveries)
    expect(deliveries).toHaveLength(3)
    for (const { status, attempts } of deliveries) {
      expect(status).toBe(receiver.outcome === 'accepted' ? 'delivered' : 'failed')
      for (const attempt of attempts) {
        expect(attempt.status === null).toBe(receiver.outcome === 'silent' || receiver.outcome === 'no answer')
        expect(/^there was no answer within 5 seconds$|^not sent/.test(attempt.error ?? '')).toBe(
          receiver.outcome === 'silent',
        )
      }
    }
  },
)

it('with all of them at once, an advance ends in time, and SIGTERM within two seconds, also in the middle of one', {
  timeout: 120_000,
}, async () => {
  const receivers = await Promise.all(hostileNames.map(startHostileReceiver))
  onTestFinished(async () => void (await Promise.all(receivers.map(({ stop }) => stop()))))
  const served = await serve(['--data', createTemporaryFolder(), '--world', 'empty', '--clock', 'frozen'])
  const { line, child, ended } = served
  const control = async (name: string, input: object) => {
    const headers = { 'x-control-key': line.control_key, 'content-type': 'application/json' }
    const response = await fetch(`${line.control}/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
    return (await response.json()) as { uid: string; programs: { uid: string }[]; silent_webhooks: { url: string }[] }
  }
  // A Program has at most 50.
  const { uid: second } = await control('programs.create', { name: 'Second' })
  const programs = [line.programs[0]!.uid, second]
  for (const [i, { url }] of receivers.entries())
    await control('webhooks.create', {
      program_uid: programs[i % 2],
      url,
      topics: ['customers.lock'],
      confirm: false,
      retry_seconds: [60],
    })
  const { programs: all } = await control('programs.list', {})
  const clients = all.map((program) => apiClient({ ...served, programs: () => [program] as never }))
  const lock = async () => {
    for (const client of clients) {
      const { uid } = (await client.post('/customers', { email: 'ada@example.test' })).body
      await control('moves.make', lockOf(String(uid)))
    }
  }
  for (let round = 0; round < campaignSize(1, 3); round++) {
    await lock()
    const began = performance.now()
    const { silent_webhooks } = await control('clock.advance', { by: 'PT1H' })
    expect(performance.now() - began).toBeLessThan(2 * 5_000 + 1_000 + 3_000)
    // Each has two attempts, so none was left unsent.
    expect(silent_webhooks).toEqual([])
  }
  await lock()
  const advance = control('clock.advance', { by: 'PT1H' }).catch(() => 'gone')
  await new Promise((done) => setTimeout(done, 500))
  const began = performance.now()
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  expect(performance.now() - began).toBeLessThan(2_000)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await advance
})
