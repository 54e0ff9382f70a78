import { describe, expect, vi } from 'vitest'
import { z } from 'zod'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { envelope } from '../../src/api/contract/terms/list.ts'
import { Redaction } from '../../src/api/http/redact.ts'
import { ResponseCache } from '../../src/api/http/response-cache.ts'
import { apiClient } from '../support/client.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'

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

const key = 'key-that-is-added-later'
const NUMBER = '512-04-8823'
let keys: readonly string[] = []
const redaction = new Redaction(
  () => ({ seal: () => 'sealed', open: (text) => text }),
  () => keys,
)
function createCache(perSchema?: number) {
  const cache = new ResponseCache(redaction, perSchema)
  const print = (endpoint: Pick<Endpoint, 'response'>, value: unknown) =>
    cache.print(endpoint, value, { shows_nulls: true })
  return { print, addDerived: cache.addDerived }
}

describe('print', () => {
  it('returns the parsed value as JSON, without undeclared fields, the first time and from the cache', () => {
    const cache = createCache()
    const printed = JSON.stringify(Thing.parse(thing()))
    expect(printed).not.toContain('secret')
    for (let time = 0; time < 3; time++) expect(cache.print(one, thing()).text).toBe(printed)
    const whole = paged(thing(), thing({ uid: 'x2', name: '"$&"data":[]"' }))
    for (let time = 0; time < 3; time++)
      expect(cache.print(page, whole).text).toBe(JSON.stringify(page.response.parse(whole)))
    expect(cache.print(page, paged()).text).toBe(JSON.stringify(page.response.parse(paged())))
  })

  it.each([
    ['a field', { name: 'other' }],
    ['a field of a field', { more: { a: 2 } }],
    ['an item of a list', { tags: ['a', 'c'] }],
    ['a longer list', { tags: ['a', 'b', 'c'] }],
    ['a shorter list', { tags: ['a'] }],
    ['an empty list', { tags: [] }],
  ])('does not use the cache after a change of %s', (_, change) => {
    const cache = createCache()
    cache.print(one, thing()).text
    expect(JSON.parse(cache.print(one, thing(change)).text)).toMatchObject(change)
    expect(JSON.parse(cache.print(page, paged(thing(change))).text).data).toEqual([Thing.parse(thing(change))])
    expect(JSON.parse(cache.print(one, thing()).text)).toEqual(Thing.parse(thing()))
  })

  it('has the text without secrets for the log, also those that were added after the first response', () => {
    keys = []
    const cache = createCache()
    const two = paged(thing({ name: `"${NUMBER}"` }), thing({ uid: 'x2', name: key }))
    const loggedOf = () => cache.print(page, two).logged
    const { text } = cache.print(page, two)
    for (let time = 0; time < 2; time++) expect(loggedOf()).toBe(text.replace(NUMBER, 'sealed'))
    keys = [key]
    for (let time = 0; time < 2; time++)
      expect(loggedOf()).toBe(text.replace(NUMBER, 'sealed').replace(key, '[key removed]'))
    expect(cache.print({ response: z.undefined() }, undefined).logged).toBe('')
  })

  it('prints an equal record only once', () => {
    const cache = createCache()
    const parse = vi.spyOn(Thing, 'parse')
    for (let time = 0; time < 3; time++) cache.print(one, thing())
    expect(parse).toHaveBeenCalledOnce()
    parse.mockRestore()
  })

  it('tells an undefined field from a missing one', () => {
    const cache = createCache()
    const either = {
      response: z.object({ uid: z.string(), left: z.string().optional(), right: z.string().optional() }),
    }
    expect(cache.print(either, { uid: 'x1', left: undefined }).text).toBe('{"uid":"x1"}')
    expect(cache.print(either, { uid: 'x1', right: 'b' }).text).toBe('{"uid":"x1","right":"b"}')
    expect(cache.print(either, { uid: 'x1', left: undefined }).text).toBe('{"uid":"x1"}')
  })

  it('throws for a value that the endpoint does not declare, every time', () => {
    const cache = createCache()
    cache.print(one, thing()).text
    for (let time = 0; time < 2; time++) {
      expect(() => cache.print(one, thing({ name: 7 })).text).toThrow('string')
      expect(() => cache.print(page, paged(thing({ tags: { 0: 'a', 1: 'b' } }))).text).toThrow('array')
      expect(() => cache.print(page, { ...paged(thing()), limit: 'many' }).text).toThrow('number')
    }
  })

  it('does not cache values without a uid, and prints undefined as an empty text', () => {
    const cache = createCache()
    const rest = { response: z.object({ n: z.int() }) }
    expect([1, 2, 2].map((n) => cache.print(rest, { n }).text)).toEqual(['{"n":1}', '{"n":2}', '{"n":2}'])
    expect(cache.print({ response: z.undefined() }, undefined).text).toBe('')
  })

  it('stays correct with more records than it holds', () => {
    const cache = createCache(3)
    const things = Array.from({ length: 10 }, (_, i) => thing({ uid: `x${i}`, name: `name ${i}` }))
    for (let time = 0; time < 3; time++)
      expect(JSON.parse(cache.print(page, paged(...things)).text).data).toEqual(things.map((each) => Thing.parse(each)))
  })
})

describe('addDerived', () => {
  const record = (uid: string) => ({ uid, program_uid: 'A', made: 1, name: 'one' })

  it('returns the same object for the same record and equal derived fields', () => {
    const { addDerived } = createCache()
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
    const { addDerived } = createCache()
    const one = record('x1')
    const first = addDerived(one, { total: '1.00' })
    for (let n = 0; n < 2_000; n++) addDerived(record(`y${n}`), { total: '1.00' })
    const again = addDerived(one, { total: '1.00' })
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  it('does not share what it remembers with another sandbox', () => {
    const one = record('x1')
    expect(createCache().addDerived(one, {})).not.toBe(createCache().addDerived(one, {}))
  })
})

it('every list is the same from a used sandbox and from one that was just opened', async ({ folder: data }) => {
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
