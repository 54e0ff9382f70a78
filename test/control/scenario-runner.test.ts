import { expect, it } from 'vitest'
import type { MethodInput, MethodName, MethodOutput } from '../../src/api/contract/control/methods.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

const caller =
  (sandbox: Pick<Sandbox, 'call'>) =>
  async <N extends MethodName>(name: N, input: MethodInput<N>): Promise<MethodOutput<N>> => {
    const reply = await sandbox.call(name, input)
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: MethodOutput<N> }).value
  }

const library = 'resources/scenarios'

it('runs a scenario of the library in the current world, and undoes it', async () => {
  const sandbox = await startSandbox({ library })
  const call = caller(sandbox)
  const { scenarios } = await call('scenarios.list', {})
  expect(scenarios.find(({ name }) => name === 'a-funded-customer')).toMatchObject({ own: false, trouble: null })
  const first = await call('scenarios.step', { name: 'a-funded-customer', into: 'present' })
  expect(first).toMatchObject({ state: 'paused', at: 1 })
  expect(await call('scenarios.run', { until: 3 })).toMatchObject({ state: 'paused', at: 3 })
  const done = await call('scenarios.run', {})
  expect(done).toMatchObject({ state: 'passed' })
  expect(sandbox.store.world.collections.customers.size).toBe(1)
  await call('world.rewind', { seq: done.began_at! })
  expect(sandbox.store.world.collections.customers.size).toBe(0)
})

it('records a session as a scenario that passes', async () => {
  const told = await setUpPayments()
  const of = await told.customer()
  const mill = await told.account(of, 'ach_external')
  await told.fund(of, '500.00')
  await told.pay(of, of.master, mill, '20.00')
  const call = caller(told.sandbox)
  await call('clock.advance', { business_days: 3 })
  await told.tryToPay(of, of.master, mill, '-1')
  const { text, left_out } = await call('scenarios.record', { name: 'By hand' })
  expect(text).toMatch(/product: data\[\d\].uid/)
  expect(left_out).toEqual([])
  const other = caller(await startSandbox({ seed: 'another' }))
  const run = await other('scenarios.run', { text })
  expect(run.result.steps.filter(({ ok }) => !ok)).toEqual([])
  expect(run.state).toBe('passed')
})
