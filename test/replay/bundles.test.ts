import { expect, it } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { parseBundle } from '../../src/api/replay/bundles/bundle.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

async function called<T>(
  sandbox: { call(name: string, input: unknown): Promise<unknown> },
  name: string,
  input: unknown,
) {
  const reply = (await sandbox.call(name, input)) as { ok: boolean; value: T; error: unknown }
  expect(reply).toMatchObject({ ok: true })
  return reply.value
}

it('exports a record, imports it elsewhere and replays it from its start: everything is the same', async () => {
  const told = await setUpPayments()
  const of = await told.customer()
  const mill = await told.account(of, 'ach_external')
  await told.fund(of, '500.00')
  await told.pay(of, of.master, mill, '20.00')
  await called(told.sandbox, 'clock.advance', { business_days: 3 })
  await told.list('/transactions')
  await told.list(`/customers/${of.uid}`)
  await told.list(`/customers`)
  await told.tryToPay(of, of.master, mill, '-1')
  const { text } = await called<MethodOutput<'bundles.export'>>(told.sandbox, 'bundles.export', { note: 'hello' })
  expect(parseBundle(text).commits.length).toBeGreaterThan(5)
  const other = await startSandbox({ seed: 'other' })
  const done = await called<MethodOutput<'bundles.import'>>(other, 'bundles.import', { text })
  expect(done).toMatchObject({ exchanges: 14, acts: 3, note: 'hello' })
  const outcome = await called<MethodOutput<'exchanges.replay'>>(other, 'exchanges.replay', {
    since: done.since,
    keep: 'r',
  })
  const odd = outcome.exchanges.filter(({ verdict }) => verdict !== 'same')
  expect(odd).toEqual([])
  const differs = await called<MethodOutput<'snapshots.compare'>>(other, 'snapshots.compare', { b: 'r' })
  expect(differs.differences).toEqual([])
  const check = await called<MethodOutput<'ledger.check'>>(other, 'ledger.check', {})
  expect(check.balanced).toBe(true)
})
