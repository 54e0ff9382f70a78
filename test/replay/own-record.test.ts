import { expect, it } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { setUpPayments } from '../support/payments.ts'
import { canonical } from '../support/world.ts'

type Outcome = MethodOutput<'exchanges.replay'>

async function called<T = Outcome>(
  told: { sandbox: { call(name: string, input: unknown): Promise<unknown> } },
  name: string,
  input: unknown,
) {
  const reply = (await told.sandbox.call(name, input)) as { ok: boolean; value: T; error: unknown }
  expect(reply).toMatchObject({ ok: true })
  return reply.value
}

it('restores a snapshot, replays the requests since, and gets the same responses and the same world', async () => {
  const told = await setUpPayments()
  await called(told, 'snapshots.keep', { name: 'before' })
  const seq = told.sandbox.store.world.seq
  const of = await told.customer()
  const mill = await told.account(of, 'ach_external')
  await told.fund(of, '500.00')
  await told.pay(of, of.master, mill, '20.00')
  await called(told, 'clock.advance', { business_days: 3 })
  await told.list('/transactions')
  await told.tryToPay(of, of.master, mill, '-1')
  const after = canonical(told.sandbox.store.world)
  const outcome = await called<Outcome>(told, 'exchanges.replay', { since: seq, keep: 'replayed' })
  const odd = outcome.exchanges.filter(({ verdict }) => verdict !== 'same')
  expect(odd).toEqual([])
  expect(outcome.acts.map(({ name, refused }) => [name, refused])).toEqual([
    ['clock.advance', null],
    ['moves.make', null],
    ['clock.advance', null],
  ])
  expect(canonical(told.sandbox.store.world)).toEqual(after)
  const differs = await called<MethodOutput<'snapshots.compare'>>(told, 'snapshots.compare', { b: 'replayed' })
  expect(differs.total_count).toBe(0)
})
