import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Run } from '../../bench/simulate/run.ts'
import { moneyPlanOf } from '../../bench/simulate/simulate.ts'
import { enterSimulation, SimulatedHost } from '../../bench/simulate/simulated-host.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { OLIVE, setUpCustomers } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startReceiver } from '../support/receiver.ts'
import { START, startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** The scenarios.* control methods: the catalog, a run step by step, and recording. */

const library = 'resources/scenarios'
const TEXT = `name: Two limits
examples:
  - { limit: 5 }
  - { limit: 7 }
steps:
  - request: GET /customers?limit=$limit
    expect: { status: 200, body: { limit: 5 } }
  - advance: PT1H
  - request: GET /pools
`

describe('the catalog of scenarios', () => {
  it('an own scenario is saved, read, run by name, replaced and deleted; those of the library stay', async () => {
    const data = createTemporaryFolder()
    const sandbox = await startSandbox({ data, library, seed: 'test', start: START, world: 'empty' })
    const call = createCaller(sandbox)
    const shipped = (await call('scenarios.list', {})).scenarios
    expect(shipped.length).toBe(readdirSync(library).length)
    expect(shipped.every(({ own, trouble }) => !own && trouble === null)).toBe(true)
    expect(await call('scenarios.save', { name: 'mine', text: TEXT })).toMatchObject({
      name: 'mine',
      title: 'Two limits',
      own: true,
      steps: 3,
      trouble: null,
    })
    expect((await call('scenarios.list', {})).scenarios[0]!.examples).toHaveLength(2)
    expect(await call('scenarios.read', { name: 'mine' })).toEqual({ name: 'mine', text: TEXT, own: true })
    expect(await call('scenarios.run', { name: 'mine' })).toMatchObject({ state: 'passed', example: 0 })
    expect(await call('scenarios.run', { name: 'mine', example: 1 })).toMatchObject({ state: 'failed', at: 1 })
    await expect(call('scenarios.run', { name: 'mine', example: 2 })).rejects.toThrow(/^example: there are 2/)
    const broken = await call('scenarios.save', { name: 'mine', text: 'name: x\nsteps:\n  - fly: home\n' })
    expect(broken.trouble).toMatch(/3:/)
    await expect(call('scenarios.run', { name: 'mine' })).rejects.toThrow(/fly/)
    expect((await call('scenarios.list', {})).scenarios[0]).toMatchObject({ name: 'mine', trouble: broken.trouble })
    expect(await call('scenarios.delete', { name: 'mine' })).toEqual({ deleted: true })
    await expect(call('scenarios.read', { name: 'mine' })).rejects.toThrow('there is no scenario "mine"')
    await expect(call('scenarios.delete', { name: 'a-funded-customer' })).rejects.toThrow(
      /belongs to the library and cannot be deleted/,
    )
    expect(readdirSync(join(data, 'scenarios'))).toEqual([])
  })

  it('no name leads to a file outside of the folder', async () => {
    const data = join(createTemporaryFolder(), 'data')
    mkdirSync(data)
    writeFileSync(join(data, '../secret.yaml'), TEXT)
    const call = createCaller(await startSandbox({ data, library, seed: 'test', start: START, world: 'empty' }))
    for (const name of ['../secret', '..', 'a/b', '.hidden', ''])
      for (const method of ['scenarios.read', 'scenarios.delete', 'scenarios.run'] as const)
        await expect(call(method, { name })).rejects.toThrow()
    expect(existsSync(join(data, '../secret.yaml'))).toBe(true)
  })
})

describe('a run', () => {
  it('runs step by step, until a step, and to its end; each step sends a notice', async () => {
    const sandbox = await startSandbox({ library })
    const call = createCaller(sandbox)
    const notices: Notice[] = []
    sandbox.subscribe((notice) => void (notice.type === 'scenario' && notices.push(notice)))
    await expect(call('scenarios.step', {})).rejects.toThrow(/no scenario has been started/)
    const before = canonical(sandbox.store.world)
    expect(await call('scenarios.step', { text: TEXT })).toMatchObject({ name: null, state: 'paused', at: 1 })
    expect(await call('scenarios.run', { until: 2 })).toMatchObject({ state: 'paused', at: 2 })
    expect(await call('scenarios.run', {})).toMatchObject({ state: 'passed', at: 3, into: 'scratch', operation: null })
    await expect(call('scenarios.run', {})).rejects.toThrow(/has passed: name one/)
    await expect(call('scenarios.run', { name: 'x', text: TEXT })).rejects.toThrow(/not both/)
    const ats = notices.flatMap((notice) => (notice.type === 'scenario' ? notice.run.at : []))
    expect([...new Set(ats)]).toEqual([1, 2, 3])
    expect(canonical(sandbox.store.world)).toBe(before)
    expect((await call('scenarios.list', {})).current).toMatchObject({ state: 'passed', at: 3 })
  })

  it('a second run is refused meanwhile; a pause stops it after a step, and it continues from there', async () => {
    const sandbox = await startSandbox({ library })
    const call = createCaller(sandbox)
    const text = `name: Long\nsteps:\n${'  - request: GET /pools\n'.repeat(40)}`
    expect(await call('scenarios.pause', {})).toEqual({ paused: false })
    const running = call('scenarios.run', { text })
    const begun = new Promise<void>((resolve) => {
      const stop = sandbox.subscribe((notice) => {
        if (notice.type !== 'scenario') return
        stop()
        resolve()
      })
    })
    await begun
    await expect(call('scenarios.run', { text })).rejects.toThrow(/run/)
    expect(await call('scenarios.pause', {})).toEqual({ paused: true })
    const paused = await running
    expect(paused.state).toBe('paused')
    expect(paused.at).toBeLessThan(40)
    expect(await call('scenarios.run', {})).toMatchObject({ state: 'passed', at: 40 })
  })

  it('one in a temporary world lets the current one be undone, also while that world is being opened', async () => {
    const { sandbox, created } = await setUpCustomers({ library })
    const call = createCaller(sandbox)
    const before = canonical(sandbox.store.world)
    await created()
    const running = call('scenarios.run', { name: 'a-funded-customer' })
    await call('operations.undo', {})
    expect(canonical(sandbox.store.world)).toBe(before)
    expect(await running).toMatchObject({ state: 'passed', into: 'scratch' })
  })

  it('in the current world it starts with a reset, which an undo takes back', async () => {
    const { sandbox, created } = await setUpCustomers({ library })
    const call = createCaller(sandbox)
    await created()
    const before = canonical(sandbox.store.world)
    const own = await call('scenarios.run', { name: 'a-funded-customer', stays: true })
    expect(own).toMatchObject({ state: 'passed', world: 'scenario-1', operation: null })
    const { worlds } = await call('worlds.list', {})
    expect(worlds).toMatchObject([{ name: 'scenario-1', from: 'scenario' }])
    const run = await call('scenarios.run', { name: 'a-funded-customer', into: 'present' })
    expect(run).toMatchObject({ state: 'passed', into: 'present', operation: expect.any(Number) as number })
    expect(canonical(sandbox.store.world)).not.toBe(before)
    await call('operations.undo', { operation: run.operation! })
    expect(canonical(sandbox.store.world)).toBe(before)
  })
})

describe('a recorded session', () => {
  it('becomes a scenario that passes: variables, repeated requests, another Program, forms, refusals, and texts with a $', async () => {
    const told = await setUpPayments()
    const { sandbox, api } = told
    const call = createCaller(sandbox)
    const of = await told.customer({ ...OLIVE.details, last_name: 'Cost$fifty' })
    await told.fund(of, '500.00')
    const twice = { headers: { 'x-trace-id': 'twice' } }
    await api.get('/pools', twice)
    await api.get('/pools', twice)
    await api.get('/pools', { headers: { 'x-trace-id': undefined } })
    await api.send('GET', '/pools')
    await api.send('GET', '/pools', { headers: { authorization: 'auth-nobody' } })
    await api.call('POST', '/customers', {
      form: 'email=form%40x.test&details[first_name]=$ada&details[ssn]=512-04-8899',
    })
    await api.post('/customers', { details: { first_name: 17 } })
    await api.call('POST', '/customers', { raw: '{"half', headers: { 'content-type': 'application/json' } })
    await call('programs.create', { name: 'Second' })
    const second = sandbox.client()
    expect(second.program.name).not.toBe('Second')
    const { text, left_out } = await call('scenarios.record', { name: 'By hand', teaches: 'everything' })
    expect(left_out.filter(({ why }) => !why.includes('is masked'))).toEqual([])
    expect(text).not.toMatch(/512-04-88|5120488/)
    expect(text).toMatch(/ssn: \d{3}-\d{2}-\d{4}/)
    const other = createCaller(await startSandbox({ seed: 'another' }))
    const run = await other('scenarios.run', { text })
    expect(run.result.steps.filter(({ ok }) => !ok)).toEqual([])
    expect(run.state).toBe('passed')
  })

  it('time that passed becomes advances, and setting the clock to running is left out with the reason', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    await api.post('/customers', { email: 'a@x.test' })
    await call('clock.set', { mode: 'running' })
    await call('clock.set', { mode: 'frozen' })
    await call('clock.advance', { by: 'PT90S' })
    await api.get('/customers?include_initiated=true')
    const { text, left_out } = await call('scenarios.record', {})
    expect(left_out.map(({ why }) => why.split(':')[0])).toEqual(['clock.set', 'clock.set'])
    expect(text).toContain('advance: PT90S')
    expect(await call('scenarios.run', { text })).toMatchObject({ state: 'passed' })
  })

  it('keeps webhooks without address and key, and has no step for what was sent', async () => {
    const { sandbox, active, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const receiver = await startReceiver()
    const hmac_key = 'a-key-that-both-sides-know'
    await call('clock.set', { pace: 'real' })
    const webhook = await call('webhooks.create', { url: receiver.url, hmac_key, topics: ['customers'] })
    await call('clock.advance', { by: 'PT1S' })
    const other = await call('webhooks.create', { url: null })
    const { uid } = await active()
    await call('moves.make', {
      collection: 'customers',
      uid: uid!,
      move: 'lock',
      inputs: { lock_reason: 'Lost phone' },
    })
    await call('clock.advance', { by: 'PT1S' })
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hooks/test', '/hooks/customers']))
    const [event] = (await call('events.list', {})).data
    await call('events.resend', { uid: event!.uid })
    await call('clock.advance', { by: 'PT1S' })
    await call('webhooks.update', { uid: webhook.uid, url: 'http://127.0.0.1:9', topics: ['transfers'] })
    await call('webhooks.update', { uid: webhook.uid, hmac_key: 'another-key-that-both-know' })
    await call('webhooks.test', { uid: webhook.uid })
    await call('webhooks.delete', { uid: other.uid })
    await api.get('/customers?include_initiated=true')
    const { text, left_out } = await call('scenarios.record', {})
    expect(text).not.toMatch(/127\.0\.0\.1:(?!4010)|both-sides|both-know|key removed|record_attempts|retry|events\./)
    expect(text.match(/call: (webhooks\S+)/g)).toEqual([
      ...['call: webhooks.create', 'call: webhooks.create', 'call: webhooks.update', 'call: webhooks.delete'],
    ])
    const sentNowhere = 'the address and the key are not recorded: events are kept, and sent nowhere'
    expect(left_out.map(({ why }) => why)).toEqual([
      `webhooks.create: ${sentNowhere}`,
      'events.resend: a recorded scenario sends no webhooks',
      `webhooks.update: ${sentNowhere}`,
      `webhooks.update: ${sentNowhere}`,
      'webhooks.test: a recorded scenario sends no webhooks',
    ])
    const received = receiver.received.length
    const run = await call('scenarios.run', { text })
    expect(run.result.steps.filter(({ ok }) => !ok)).toEqual([])
    expect(run.state).toBe('passed')
    expect(receiver.received).toHaveLength(received)
  })

  it('names no delivery that a rewind has undone', async () => {
    const { sandbox, created, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const receiver = await startReceiver()
    await api.get('/pools')
    await created()
    const { seq } = sandbox.store.world
    await call('webhooks.create', { url: receiver.url })
    await call('clock.advance', { by: 'PT1S' })
    await call('world.rewind', { seq })
    const { text, left_out } = await call('scenarios.record', {})
    expect(text).not.toContain('webhooks')
    expect(left_out.map(({ why }) => why.split(':')[0])).toEqual(['webhooks.create', 'clock.advance'])
  })

  it('says which bodies and inputs are not whole, because the log or a bundle has cut or masked a part of them', async () => {
    const sandbox = await startSandbox()
    const call = createCaller(sandbox)
    const api = sandbox.client()
    const json = { 'content-type': 'application/json' }
    await api.call('POST', '/customers', { raw: '{"note":"512-04-8823"', headers: json })
    await api.call('POST', '/customers', { json: { details: { first_name: '512-04-8823 '.repeat(600) } } })
    await api.call('POST', '/customers', { json: { list: Array.from({ length: 5_001 }, () => 1) } })
    await api.call('POST', '/customers', { json: { details: { first_name: 'Ann… [cut: 9,000 characters]' } } })
    await api.call('POST', '/customers', { json: { details: { first_name: 'sealed:abc and sealed:sealed:' } } })
    await call('faults.set', { faults: [{ kind: 'status', body: { note: '512-04-8823 '.repeat(600) }, times: 1 }] })
    await call('faults.set', { faults: [{ kind: 'status', body: Array.from({ length: 5_001 }, () => 1), times: 1 }] })
    const { text, left_out } = await call('scenarios.record', {})
    const what = 'is masked, cut or not logged: write it again'
    expect(left_out.map(({ why }) => why)).toEqual([
      ...Array.from({ length: 4 }, () => `a part of its body ${what}`),
      ...Array.from({ length: 2 }, () => `faults.set: a part of its input ${what}`),
    ])
    expect(text).toContain('sealed:abc and sealed:sealed:')
    // An input that was not logged at all is no step.
    expect(text.match(/call: faults\.set/g)).toHaveLength(1)
  })

  it('cannot be recorded after a restore, but can after a reset', async () => {
    const { sandbox, created, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    await call('snapshots.keep', { name: 'it' })
    const { text } = await call('bundles.export', {})
    for (const [name, input] of [
      ['snapshots.restore', { name: 'it' }],
      ['world.rewind', { seq: sandbox.store.world.seq }],
      ['bundles.import', { text }],
    ] as const) {
      await call(name, input as never)
      await expect(call('scenarios.record', {})).rejects.toThrow(`${name} has replaced the world`)
    }
    await call('world.reset', { world: 'empty', seed: 'test' })
    await expect(call('scenarios.record', {})).rejects.toThrow(/this world has no requests or operator actions yet/)
    await created()
    await api.get('/customers?include_initiated=true')
    const again = await call('scenarios.record', {})
    expect(await call('scenarios.run', { text: again.text })).toMatchObject({ state: 'passed' })
  })

  it('passes as a scenario for any requests', async () => {
    onTestFinished(enterSimulation())
    for (let n = 0; n < 4; n++) {
      const plan = { ...moneyPlanOf(`recorded-${n}`, 12), compareEvery: 1_000 }
      const host = new SimulatedHost(plan)
      const problem = await new Run(plan, host).execute(async () => {
        const recorded = await host.call('scenarios.record', {})
        const run = await host.call('scenarios.run', { text: recorded!.value.text })
        expect(run!.value.result.steps.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
        expect(run!.value.state).toBe('passed')
      })
      expect(problem).toBeUndefined()
    }
  })
})
