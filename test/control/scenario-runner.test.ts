import { expect, it } from 'vitest'
import { createCaller } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

const library = 'resources/scenarios'

it('runs a scenario of the library in the current world, and undoes it', async () => {
  const sandbox = await startSandbox({ library })
  const call = createCaller(sandbox)
  const { scenarios } = await call('scenarios.list', {})
  expect(scenarios.find(({ name }) => name === 'a-funded-customer')).toMatchObject({ own: false, trouble: null })
  const first = await call('scenarios.step', { name: 'a-funded-customer', into: 'present' })
  expect(first).toMatchObject({ state: 'paused', at: 1 })
  expect(await call('scenarios.run', { until: 3 })).toMatchObject({ state: 'paused', at: 3 })
  const done = await call('scenarios.run', {})
  expect(done).toMatchObject({ state: 'passed' })
  expect(sandbox.store.world.collections.customers.size).toBe(1)
  await call('operations.undo', { operation: done.operation! })
  expect(sandbox.store.world.collections.customers.size).toBe(0)
})

it('records a session as a scenario that passes', async () => {
  const told = await setUpPayments()
  const of = await told.customer()
  const mill = await told.account(of, 'ach_external')
  await told.fund(of, '500.00')
  await told.pay(of, of.master, mill, '20.00')
  const call = createCaller(told.sandbox)
  await call('clock.advance', { business_days: 3 })
  await told.tryToPay(of, of.master, mill, '-1')
  const { text, left_out } = await call('scenarios.record', { name: 'By hand' })
  expect(text).toMatch(/product: data\[\d\].uid/)
  expect(left_out).toEqual([])
  const other = createCaller(await startSandbox({ seed: 'another' }))
  const run = await other('scenarios.run', { text })
  expect(run.result.steps.filter(({ ok }) => !ok)).toEqual([])
  expect(run.state).toBe('passed')
})
