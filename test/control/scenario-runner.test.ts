import { expect, it } from 'vitest'
import { createCaller } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

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
