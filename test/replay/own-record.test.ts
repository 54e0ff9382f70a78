import { expect, it } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { setUpPayments } from '../support/payments.ts'
import { canonical } from '../support/world.ts'

type Outcome = MethodOutput<'exchanges.replay'>

async function call<T = Outcome>(
  setup: { sandbox: { call(name: string, input: unknown): Promise<unknown> } },
  name: string,
  input: unknown,
) {
  const reply = (await setup.sandbox.call(name, input)) as { ok: boolean; value: T; error: unknown }
  expect(reply).toMatchObject({ ok: true })
  return reply.value
}

it('restores a snapshot, replays the requests since, and gets the same responses and the same world', async () => {
  const setup = await setUpPayments()
  await call(setup, 'snapshots.keep', { name: 'before' })
  const seq = setup.sandbox.store.world.seq
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  await setup.pay(olive, olive.master, mill, '20.00')
  await call(setup, 'clock.advance', { business_days: 3 })
  await setup.list('/transactions')
  await setup.tryToPay(olive, olive.master, mill, '-1')
  const after = canonical(setup.sandbox.store.world)
  const outcome = await call<Outcome>(setup, 'exchanges.replay', { since: seq, keep: 'replayed' })
  const odd = outcome.exchanges.filter(({ verdict }) => verdict !== 'same')
  expect(odd).toEqual([])
  expect(outcome.acts.map(({ name, refused }) => [name, refused])).toEqual([
    ['clock.advance', null],
    ['moves.make', null],
    ['clock.advance', null],
  ])
  expect(canonical(setup.sandbox.store.world)).toEqual(after)
  const differs = await call<MethodOutput<'snapshots.compare'>>(setup, 'snapshots.compare', { b: 'replayed' })
  expect(differs.total_count).toBe(0)
})
