import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { envelope } from '../../src/api/contract/terms/list.ts'
import { ResponseCache } from '../../src/api/http/response-cache.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** A cached response equals a response without a cache. */

const Thing = z.object({ uid: z.string(), name: z.string(), tags: z.array(z.string()), more: z.object({ a: z.int() }) })
const one = { response: Thing }
const page = { response: envelope(Thing) }
const thing = (more: object = {}) => ({
  uid: 'x1',
  name: 'one',
  tags: ['a', 'b'],
  more: { a: 1 },
  secret: 's',
  ...more,
})
const paged = (...data: object[]) => ({ total_count: 7, count: data.length, limit: 5, offset: 0, data })

describe('print', () => {
  it('returns the parsed value as JSON, without undeclared fields, the first time and from the cache', () => {
    const cache = new ResponseCache()
    const printed = JSON.stringify(Thing.parse(thing()))
    expect(printed).not.toContain('secret')
    for (let time = 0; time < 3; time++) expect(cache.print(one, thing())).toBe(printed)
    const whole = paged(thing(), thing({ uid: 'x2', name: '"$&"data":[]"' }))
    for (let time = 0; time < 3; time++)
      expect(cache.print(page, whole)).toBe(JSON.stringify(page.response.parse(whole)))
    expect(cache.print(page, paged())).toBe(JSON.stringify(page.response.parse(paged())))
  })

  it.each([
    ['a field', { name: 'other' }],
    ['a field of a field', { more: { a: 2 } }],
    ['an item of a list', { tags: ['a', 'c'] }],
    ['a longer list', { tags: ['a', 'b', 'c'] }],
    ['a shorter list', { tags: ['a'] }],
    ['an empty list', { tags: [] }],
  ])('does not use the cache after a change of %s', (_, change) => {
    const cache = new ResponseCache()
    cache.print(one, thing())
    expect(JSON.parse(cache.print(one, thing(change)))).toMatchObject(change)
    expect(JSON.parse(cache.print(page, paged(thing(change)))).data).toEqual([Thing.parse(thing(change))])
    expect(JSON.parse(cache.print(one, thing()))).toEqual(Thing.parse(thing()))
  })

  it('prints an equal record only once', () => {
    const cache = new ResponseCache()
    const parse = vi.spyOn(Thing, 'parse')
    for (let time = 0; time < 3; time++) cache.print(one, thing())
    expect(parse).toHaveBeenCalledOnce()
    parse.mockRestore()
  })

  it('tells an undefined field from a missing one', () => {
    const cache = new ResponseCache()
    const either = {
      response: z.object({ uid: z.string(), left: z.string().optional(), right: z.string().optional() }),
    }
    expect(cache.print(either, { uid: 'x1', left: undefined })).toBe('{"uid":"x1"}')
    expect(cache.print(either, { uid: 'x1', right: 'b' })).toBe('{"uid":"x1","right":"b"}')
    expect(cache.print(either, { uid: 'x1', left: undefined })).toBe('{"uid":"x1"}')
  })

  it('throws for a value that the endpoint does not declare, every time', () => {
    const cache = new ResponseCache()
    cache.print(one, thing())
    for (let time = 0; time < 2; time++) {
      expect(() => cache.print(one, thing({ name: 7 }))).toThrow('string')
      expect(() => cache.print(page, paged(thing({ tags: { 0: 'a', 1: 'b' } })))).toThrow('array')
      expect(() => cache.print(page, { ...paged(thing()), limit: 'many' })).toThrow('number')
    }
  })

  it('does not cache values without a uid, and prints undefined as an empty text', () => {
    const cache = new ResponseCache()
    const rest = { response: z.object({ n: z.int() }) }
    expect([1, 2, 2].map((n) => cache.print(rest, { n }))).toEqual(['{"n":1}', '{"n":2}', '{"n":2}'])
    expect(cache.print({ response: z.undefined() }, undefined)).toBe('')
  })

  it('stays correct with more records than it holds', () => {
    const cache = new ResponseCache(3)
    const things = Array.from({ length: 10 }, (_, i) => thing({ uid: `x${i}`, name: `name ${i}` }))
    for (let time = 0; time < 3; time++)
      expect(JSON.parse(cache.print(page, paged(...things))).data).toEqual(things.map((each) => Thing.parse(each)))
  })
})

describe('addDerived', () => {
  const record = (uid: string) => ({ uid, program_uid: 'A', made: 1, name: 'one' })

  it('returns the same object for the same record and equal derived fields', () => {
    const { addDerived } = new ResponseCache()
    const one = record('x1')
    const first = addDerived(one, { total: '1.00', events: ['a'] })
    expect(first).toEqual({ ...one, total: '1.00', events: ['a'] })
    expect(addDerived(one, { total: '1.00', events: ['a'] })).toBe(first)
    expect(addDerived(one, { total: '2.00', events: ['a'] })).toEqual({ ...one, total: '2.00', events: ['a'] })
    expect(addDerived(one, { total: '2.00', events: ['a', 'b'] })).toMatchObject({ events: ['a', 'b'] })
    expect(addDerived({ ...one, name: 'two' }, { total: '2.00', events: [] })).toMatchObject({
      name: 'two',
      events: [],
    })
  })

  it('remembers a limited number of records', () => {
    const { addDerived } = new ResponseCache()
    const one = record('x1')
    const first = addDerived(one, { total: '1.00' })
    for (let n = 0; n < 2_000; n++) addDerived(record(`y${n}`), { total: '1.00' })
    const again = addDerived(one, { total: '1.00' })
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  it('does not share what it remembers with another sandbox', () => {
    const one = record('x1')
    expect(new ResponseCache().addDerived(one, {})).not.toBe(new ResponseCache().addDerived(one, {}))
  })
})

it('every list is the same from a used sandbox and from one that was just opened', async () => {
  const data = createTemporaryFolder()
  const lists = Object.entries(endpoints as Record<EndpointName, Endpoint>).filter(
    ([name, { path }]) => name.startsWith('list') && !path.includes('{'),
  )
  expect(lists.length).toBeGreaterThan(12)
  const read = async (from: TestSandbox) => {
    const client = apiClient(from)
    const pages: Record<string, unknown> = {}
    for (const [name, { path }] of lists) pages[name] = (await client.get(`${path}?limit=1000`)).body
    return pages
  }
  const sandbox = await startSandbox({ world: 'demo', data })
  const client = apiClient(sandbox)
  const { body } = await client.get<{ data: { uid: string; name: string }[] }>(
    '/customers?external_uid=demo-business-1',
  )
  const mock = { transaction_type: 'ach', us_dollar_amount: 12.5, customer_uid: body.data[0]!.uid }
  await client.post('/sandbox/mock_transactions', mock)
  const first = await read(sandbox)
  await sandbox.call('clock.advance', { business_days: 3 })
  const later = await read(sandbox)
  expect(later.listTransactions).not.toEqual(first.listTransactions)
  await sandbox.close()
  expect(await read(await startSandbox({ data }))).toEqual(later)
})
