import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type MethodName, methods } from '../../src/api/contract/control/methods.ts'
import { openSandbox } from '../../src/api/sandbox.ts'
import { PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { readLineTexts } from '../support/lines.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'

/** What the operator did is kept beside the requests; what the operator looked at is not. */

const actsIn = (data: string) =>
  readdirSync(join(data, 'log')).flatMap((name) =>
    readLineTexts(join(data, 'log', name))
      .slice(1)
      .map((line) => JSON.parse(line.split('\t')[0]!) as Record<string, unknown>)
      .filter(({ uid }) => String(uid).startsWith('o')),
  )

it('every method that acts is recorded in order with the requests, without secrets, also over a restart', async () => {
  const data = createTemporaryFolder()
  const world = { seed: 'test', start: START, world: 'empty', clock: 'frozen' } as const
  let sandbox = await openSandbox({ version: 'test', data, port: 0, ...world })
  const done: string[] = []
  const call = async (name: MethodName, input: object) => {
    const reply = await sandbox.call(name, input)
    expect(reply).toMatchObject({ ok: true })
    done.push(name)
    return (reply as unknown as { value: Record<string, string> }).value
  }
  const { uid } = sandbox.programs()[0]!
  const task = async () => {
    const reply = (await sandbox.call('tasks.list', {})) as unknown as { value: { tasks: { uid: string }[] } }
    return reply.value.tasks[0]!.uid
  }
  const seq = sandbox.store.world.seq
  await call('clock.set', { pace: 'real' })
  await call('clock.advance', { by: 'PT1H' })
  await call('tasks.hold', { uid: await task() })
  await call('tasks.release', { uid: await task() })
  await call('tasks.run', { uid: await task() })
  const customer = await call('operator.create_customer', {
    program_uid: uid,
    customer: { email: 'o@x.test', details: PERSON },
  })
  const sent = await fetch(`${sandbox.api}/pools`)
  expect(sent.status).toBe(401)
  await call('programs.create', { name: 'Second' })
  await call('programs.update', { uid, name: 'First' })
  await call('tokens.expire', { uid })
  await sandbox.close()
  sandbox = await openSandbox({ version: 'test', data, port: 0 })
  const webhook = await call('webhooks.create', { url: null, hmac_key: 'a-key-that-nobody-must-read' })
  await call('webhooks.update', { uid: webhook.uid, topics: ['customers'] })
  await call('webhooks.delete', { uid: webhook.uid })
  await call('programs.rotate_key', { uid, hmac_key: 'a-key-that-nobody-must-read' })
  await call('faults.set', { faults: [] })
  await call('faults.clear', {})
  expect(await sandbox.call('snapshots.keep', { name: 'it' })).toMatchObject({ ok: true })
  await call('snapshots.restore', { name: 'it' })
  await call('world.rewind', { seq })
  await call('world.reset', { world: 'empty' })
  await sandbox.close()

  const acts = actsIn(data)
  expect(acts.map(({ name }) => name)).toEqual(done)
  expect(acts.map(({ uid: own }) => own)).toEqual(done.map((_, i) => `o${i + 1}`))
  expect(acts.map(({ after }) => after)).toEqual(done.map((_, i) => (i < 6 ? null : 'x1')))
  const marked = Object.entries(methods).flatMap(([name, method]) => ('isAction' in method ? name : []))
  // These need a Customer with accounts, or a receiver of webhooks.
  expect(marked.filter((name) => !done.includes(name))).toEqual([
    ...['moves.make', 'transactions.inject', 'webhooks.test', 'webhooks.record_attempts'],
    ...['events.resend', 'events.send_example', 'events.hold', 'events.release'],
  ])
  const text = JSON.stringify(acts)
  for (const secret of ['a-key-that-nobody-must-read', '512-04-8823', '512048823']) expect(text).not.toContain(secret)
  expect(text).toContain('sealed:')
  expect(customer.uid).toBeTypeOf('string')
})

it('reads and refused calls are not recorded', async ({ folder: data }) => {
  const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
  const { uid } = sandbox.programs()[0]!
  for (const [name, input] of [
    ['clock.read', {}],
    ['clock.cancel', {}],
    ['tasks.list', {}],
    ['records.list', { collection: 'customers' }],
    ['records.get', { collection: 'programs', uid }],
    ['moves.list', { collection: 'programs', uid }],
    ['ledger.accounts', {}],
    ['ledger.check', {}],
    ['exchanges.list', {}],
    ['programs.list', {}],
    ['snapshots.keep', { name: 'it' }],
    ['snapshots.list', {}],
    ['snapshots.compare', { a: 'it' }],
    ['world.commits', {}],
    ['faults.list', {}],
    ['bundles.export', {}],
    ['scenarios.list', {}],
    ['world.describe', {}],
    ['clock.advance', { to: '2020-01-01T00:00:00.000Z' }],
    ['tasks.run', { uid: 'nothing' }],
    ['programs.update', { uid: 'nothing' }],
    ['world.rewind', { seq: 10_000 }],
  ] as const)
    await sandbox.call(name, input)
  expect(actsIn(data)).toEqual([])
})
