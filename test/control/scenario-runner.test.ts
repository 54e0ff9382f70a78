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

it('goes on in the present world with reset: false, and refuses what begins a world', async () => {
  const call = createCaller(await startSandbox())
  await call('exchanges.send', { method: 'POST', path: '/customers', body: '{"external_uid":"kept"}' })
  const kept = 'name: Kept\nsteps:\n  - expect: { counts: { "/customers?include_initiated=true": 1 } }\n'
  expect((await call('scenarios.run', { text: kept, into: 'present', reset: false })).state).toBe('passed')
  await expect(call('scenarios.run', { text: kept, reset: false })).rejects.toThrow('reset: false is for into: present')
  const begins = kept.replace('steps:', 'given: { world: demo }\nsteps:')
  await expect(call('scenarios.run', { text: begins, into: 'present', reset: false })).rejects.toThrow(
    'the scenario cannot: its given sets world',
  )
  expect((await call('scenarios.run', { text: kept, into: 'present' })).state).toBe('failed')
})

it('plays a scenario into a world that is there: what was there stays, and it can be undone', async () => {
  const call = createCaller(await startSandbox({ world: 'demo', library: 'resources/scenarios' }))
  const before = await call('records.list', { collection: 'customers', limit: 1000 })
  const { scenarios } = await call('scenarios.list', {})
  const adds = (name: string) => scenarios.find((one) => one.name === name)!.adds
  expect(['a-funded-customer', 'ach-canceled', 'ach-held-by-the-program'].map(adds)).toEqual([true, true, false])
  const play = () => call('scenarios.run', { name: 'ach-canceled', into: 'present', reset: false })
  expect(await play()).toMatchObject({ state: 'passed', into: 'present' })
  const list = () => call('records.list', { collection: 'customers', limit: 1000 })
  const after = await list()
  expect(after.total_count).toBe(before.total_count + 1)
  expect(after.data.slice(1)).toEqual(before.data)
  // Its Customer has an external_uid, which is taken then: it stops there, and nothing is lost.
  expect(await play()).toMatchObject({ state: 'failed', at: 2 })
  expect(await list()).toEqual(after)
  await call('operations.undo', {})
  expect(await list()).toEqual(before)
})
