import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

describe('worlds', () => {
  it('a world has records, a clock and an API of its own', async () => {
    const sandbox = await startSandbox()
    const created = await call(sandbox, 'worlds.create', { name: 'one', from: 'empty' })
    const origin = new URL(sandbox.api).origin
    expect(created).toEqual({
      name: 'one',
      api: `${origin}/worlds/one/api/v1`,
      control: `${origin}/worlds/one/control`,
      gui: `${origin}/worlds/one/#key=test-key`,
      programs: [{ uid: 'Hb7QmXk2Tz9LrVw4', name: 'Harbor Payments', hmac_key: expect.any(String) }],
    })
    const world = sandbox.worlds.get('one')!
    const customer = await apiClient(world).post('/customers', OLIVE)
    expect(customer.status).toBe(201)
    expect((await apiClient(world).get(`/customers/${customer.body.uid}`)).status).toBe(200)
    expect((await sandbox.client().get(`/customers/${customer.body.uid}`)).status).toBe(404)
    await call(world, 'clock.advance', { by: 'P1D' })
    expect((await call(world, 'clock.read', {})).now).toBe('2026-11-24T15:00:00.000Z')
    expect((await call(sandbox, 'clock.read', {})).now).toBe('2026-08-14T14:00:00.000Z')
  })

  it('a world that is dropped is no longer there', async () => {
    const sandbox = await startSandbox()
    const { name } = await call(sandbox, 'worlds.create', {})
    const world = sandbox.worlds.get(name)!
    const api = apiClient(world)
    expect((await api.get('/customers')).status).toBe(200)
    expect(await call(sandbox, 'worlds.drop', { name })).toEqual({ dropped: true })
    expect(await api.get('/customers')).toMatchObject({
      status: 404,
      body: { errors: [{ code: 1001, extra: `there is no world "${name}"` }], status: 404 },
    })
    expect(await world.call('clock.read', {})).toMatchObject({ ok: false, error: { status: 404 } })
    expect((await call(sandbox, 'worlds.list', {})).worlds).toEqual([])
  })
})
