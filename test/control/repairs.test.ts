import { describe, expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { createCaller } from '../support/operator.ts'
import { openBank } from '../support/operator-sandbox.ts'
import { ACH } from '../support/payments.ts'
import { canonical } from '../support/world.ts'

async function open() {
  const bank = await openBank()
  const ask = createCaller(bank.sandbox)
  await bank.fund(bank.customer, '100.00')
  const pay = {
    source_synthetic_account_uid: bank.customer.master,
    destination_synthetic_account_uid: bank.counterparty,
    initiating_customer_uid: bank.customer.uid,
    usd_transfer_amount: '500.00',
    ach: ACH,
  }
  const repair = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const request = { method, path, ...(body && { body: JSON.stringify(body) }) }
    const sent = await ask('exchanges.send', request)
    const { repairs, none } = await ask('exchanges.repair', { uid: sent.uid })
    expect(await ask('exchanges.repair', { request })).toMatchObject({ none })
    return { says: repairs.map(({ say }) => say), none, repairs }
  }
  return { ...bank, ask, pay, repair }
}

describe('exchanges.repair', () => {
  it('says what to change, with the figures of the moment', async () => {
    const { repair, pay } = await open()
    expect((await repair('POST', '/transfers', pay)).repairs).toEqual([
      {
        say: 'Send at most 100.00',
        change: [{ field: 'usd_transfer_amount', before: '500.00', after: '100.00' }],
        request: {
          program_uid: expect.any(String),
          method: 'POST',
          path: '/transfers',
          body: JSON.stringify({ ...pay, usd_transfer_amount: '100.00' }),
        },
      },
    ])
    const { says } = await repair('POST', '/transfers', { ...pay, usd_transfer_amount: '$12.5' })
    expect(says[0]).toBe('Send "12.50" as usd_transfer_amount')
    expect((await repair('GET', '/custmers?limit=1')).says).toEqual(['Send it to /customers'])
    expect((await repair('GET', '/customers?limit=-1')).says).toEqual(['Send 1 as limit', 'Leave out limit'])
  })

  it('puts several things right, one after the other, and names records', async () => {
    const { repair, pay, customer } = await open()
    const { source_synthetic_account_uid: _, ...without } = pay
    const { repairs } = await repair('POST', '/transfers', {
      ...without,
      ach: { ...ACH, sec_code: 'ccd' },
      usd_transfer_amount: '5.00',
    })
    expect(repairs[0]!.change).toContainEqual({ field: 'ach.sec_code', before: 'ccd', after: 'CCD' })
    const source = { field: 'source_synthetic_account_uid', before: null, after: customer.master }
    expect(repairs[0]!.change).toContainEqual(source)
    expect(repairs[0]!.say).toContain(`(${customer.master}) as source_synthetic_account_uid`)
  })

  it('names the time after which the request is accepted, if time alone is missing', async () => {
    const { ask, repair, customer, api, sandbox } = await open()
    await ask('programs.update', { uid: api.program.uid, vrn_cooldown_minutes: 45 })
    const name = { name: 'Rent', synthetic_account_uid: customer.master, routing_number: '110000000' }
    const vrn = (await api.post('/virtual_reference_numbers', name)).body.uid
    const lock = { json: { lock_reason: 'admin' } }
    expect((await api.call('PUT', `/virtual_reference_numbers/${vrn}/lock`, lock)).status).toBe(200)
    const refused = await api.call('PUT', `/virtual_reference_numbers/${vrn}/unlock`)
    expect(refused.status).toBe(422)
    const { uid } = (await ask('exchanges.list', { limit: 1 })).data[0]!
    const before = canonical(sandbox.store.world)
    const { repairs } = await ask('exchanges.repair', { uid })
    expect(repairs[0]).toMatchObject({ change: [], say: 'Advance 1 hour first' })
    expect(canonical(sandbox.store.world) === before).toBe(true)
    await ask('clock.advance', { text: repairs[0]!.advance! })
    expect((await ask('exchanges.send', repairs[0]!.request)).status).toBe(200)
    expect((await repair('GET', '/pools/nobody')).says).toHaveLength(1)
  })

  it('says why there is none, and refuses a request that was accepted', async () => {
    const { ask, api, repair } = await open()
    await ask('programs.update', { uid: api.program.uid, returns: false })
    expect(await repair('GET', '/returns')).toMatchObject({
      says: [],
      none: 'The Program setting returns decides it',
    })
    expect((await repair('GET', '/weather')).none).toBe('No path of the API is similar')
    const { uid } = await ask('exchanges.send', { method: 'GET', path: '/pools' })
    await expect(ask('exchanges.repair', { uid })).rejects.toThrow(`uid: ${uid} was accepted`)
    const neither = ask('exchanges.repair', {} as MethodInput<'exchanges.repair'>)
    await expect(neither).rejects.toThrow('exactly one of uid and request is expected')
    const both = ask('exchanges.repair', { uid, request: { method: 'GET', path: '/pools' } })
    await expect(both).rejects.toThrow('exactly one of uid and request is expected')
  })

  it('never suggests another target of a request that changes its target', async () => {
    const { repair, customer } = await open()
    for (const method of ['DELETE', 'PUT'] as const) {
      const path = method === 'DELETE' ? `/synthetic_accounts/${customer.master}` : `/customers/${customer.uid}`
      const { says, none } = await repair(method, path, method === 'PUT' ? { email: 'no address' } : undefined)
      expect(says.filter((say) => say.includes('in the path'))).toEqual([])
      if (method === 'DELETE')
        expect(none).toMatch(/another record in the path is not tried: DELETE would change that one instead$/)
    }
  })

  it('never suggests a record to destroy, nor if the uid of a DELETE names none', async () => {
    const { repair, counterparty } = await open()
    const path = `/synthetic_accounts/${counterparty.slice(0, -1)}x`
    expect(await repair('DELETE', path)).toMatchObject({
      repairs: [],
      none: expect.stringMatching(/another record in the path is not tried/),
    })
    expect((await repair('PUT', path, { name: 'Rent', note: 'Renamed' })).says[0]).toMatch(/in the path/)
  })

  it('offers another method only if it changes something, too, and never DELETE', async () => {
    const { repair, customer, api } = await open()
    const { uid } = (await api.post('/customers', { email: 'b@x.test' })).body
    expect((await repair('PATCH', `/customers/${String(uid)}`, { email: 'a@x.test' })).says).toEqual([
      'Send it with PUT',
    ])
    const { says, none } = await repair('PATCH', '/pools')
    expect(says).toEqual([])
    expect(none).toBe('The path has only GET, which does something else')
    expect((await repair('PATCH', `/synthetic_accounts/${customer.master}`, { name: 'Rent' })).says).not.toContain(
      'Send it with DELETE',
    )
  })

  it('names the known values if none is near, and says of a request that was not sent that it is accepted', async () => {
    const { ask, repair } = await open()
    const saysOf = async (status: string) => (await repair('GET', `/transfers?status=${status}`)).says[0]
    expect(await saysOf('queud')).toBe('Send "queued" as status')
    expect(await saysOf('nope')).toMatch(/^Send one of queued, \w+.* as status$/)
    const request = { method: 'GET', path: '/pools' } as const
    expect((await ask('exchanges.repair', { request })).repairs[0]!.say).toBe('It is accepted as it is')
  })
})
