import { expect, it } from 'vitest'
import { methods } from '../../src/api/contract/control/methods.ts'

/** Other programs rely on these names. Each input is one that such a program sends; `X` is a uid. */
const FIXED: Readonly<Record<string, readonly object[]>> = {
  'clock.read': [{}],
  'clock.set': [{ mode: 'frozen' }, { pace: 'real' }, { break_on: null }],
  'clock.advance': [
    ...[{ by: 'PT24H' }, { to: '2026-08-20T00:00:00Z' }, { business_days: 1 }],
    ...[{ until: 'next' }, { until: 'idle' }],
  ],
  'clock.cancel': [{}],
  'tasks.list': [{}],
  'tasks.run': [{ uid: 'X' }],
  'tasks.hold': [{ uid: 'X' }],
  'tasks.release': [{ uid: 'X' }],
  'records.list': [{ collection: 'customers', limit: 1, offset: 1, status: ['active'] }],
  'records.get': [{ collection: 'customers', uid: 'X' }],
  'records.history': [{ collection: 'customers', uid: 'X' }],
  'records.story': [{ uid: 'X' }],
  'ledger.accounts': [{}],
  'ledger.lines': [{}],
  'ledger.trial_balance': [{}],
  'ledger.check': [{}],
  'exchanges.list': [{}],
  'exchanges.get': [{ uid: 'X' }],
  'exchanges.repair': [{ uid: 'X' }],
  'exchanges.replay': [{ uids: ['X'] }],
  'snapshots.keep': [{ name: 'n' }],
  'snapshots.list': [{}],
  'snapshots.restore': [{ name: 'n' }],
  'snapshots.delete': [{ name: 'n' }],
  'snapshots.compare': [{ a: 'n', b: 'm' }, { a: 'n' }],
  'world.reset': [{ world: 'demo' }, { world: 'empty', seed: 's' }],
  'world.rewind': [{ seq: 1 }],
  'programs.list': [{}],
  'programs.create': [{ name: 'n' }],
  'programs.update': [{ uid: 'X', name: 'n' }],
  'programs.rotate_key': [{ uid: 'X' }],
  'moves.list': [{ collection: 'customers', uid: 'X' }],
  'moves.make': [{ collection: 'customers', uid: 'X', move: 'lock', inputs: { lock_reason: 'Lost' } }],
  why: [
    { collection: 'customers', uid: 'X' },
    { collection: 'customers', uid: 'X', field: 'status' },
  ],
  'operator.create_customer': [{ program_uid: 'X', customer: {} }],
  'faults.set': [
    { faults: [{ method: 'POST', path: '/customers/{uid}', kind: 'drop_after_commit', times: 1, rate: 1 }] },
  ],
  'faults.list': [{}],
  'faults.clear': [{}],
  'bundles.export': [{}],
  'bundles.import': [{ text: 't' }],
  'scenarios.list': [{}],
  'scenarios.run': [{ name: 'n' }],
  'scenarios.step': [{ name: 'n' }],
  'scenarios.pause': [{}],
  'scenarios.record': [{}],
  'worlds.create': [
    ...[{}, { name: 'n', from: 'demo', start: '2026-08-20T00:00:00Z', clock: 'frozen', pace: 'fast', seed: 's' }],
    ...[{ from: 'current' }, { from: { snapshot: 'n' } }, { from: { commit: 1 } }, { from: { world: 'n' } }],
  ],
  'worlds.list': [{}],
  'worlds.drop': [{ name: 'n' }],
  'worlds.keep': [{ name: 'n', folder: '/data/n' }],
  'worlds.compare': [{ a: 'n', b: 'm' }],
  'webhooks.create': [
    { program_uid: 'X', url: 'http://127.0.0.1:1/', topics: ['transactions'], envelope: 'data', confirm: false },
  ],
  'webhooks.list': [{}],
  'webhooks.update': [{ uid: 'X', status: 'paused' }],
  'webhooks.delete': [{ uid: 'X' }],
  'webhooks.test': [{ uid: 'X' }],
  'events.list': [{}],
  'events.get': [{ uid: 'X' }],
  'events.resend': [{ uid: 'X' }],
  'events.hold': [{ uid: 'X' }],
  'events.release': [{ uid: 'X' }],
  'tokens.expire': [{ uid: 'X' }, { program_uid: 'X' }],
  'transactions.inject': [{ movement: 'card_purchase', customer_uid: 'X', us_dollar_amount: '1.00' }],
}

it.each(Object.entries(FIXED))('the fixed name %s is true', (name, inputs) => {
  expect(Object.keys(methods)).toContain(name)
  const { input } = methods[name as keyof typeof methods]
  for (const one of inputs) {
    const text = JSON.stringify(one).replaceAll('"X"', '"Hb7QmXk2Tz9LrVw4"')
    expect(input.safeParse(JSON.parse(text)).error, text).toBeUndefined()
  }
})
