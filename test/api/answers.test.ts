import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { envelope } from '../../src/api/contract/terms/list.ts'
import { ResponseCache } from '../../src/api/http/answers.ts'
import { apiClient } from '../support/client.ts'
import { freshFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** What is answered a second time is answered as it would be the first time. */

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

describe('an answer', () => {
  it('is what its schema makes of it, the first time and again, and holds nothing that is not declared', () => {
    const answers = new ResponseCache()
    const printed = JSON.stringify(Thing.parse(thing()))
    expect(printed).not.toContain('secret')
    for (let time = 0; time < 3; time++) expect(answers.print(one, thing())).toBe(printed)
    const whole = paged(thing(), thing({ uid: 'x2', name: '"$&"data":[]"' }))
    for (let time = 0; time < 3; time++)
      expect(answers.print(page, whole)).toBe(JSON.stringify(page.response.parse(whole)))
    expect(answers.print(page, paged())).toBe(JSON.stringify(page.response.parse(paged())))
  })

  it.each([
    ['a field', { name: 'other' }],
    ['a field of a field', { more: { a: 2 } }],
    ['an item of a list', { tags: ['a', 'c'] }],
    ['a longer list', { tags: ['a', 'b', 'c'] }],
    ['a shorter list', { tags: ['a'] }],
    ['an empty list', { tags: [] }],
  ])('is another when %s has changed', (_, change) => {
    const answers = new ResponseCache()
    answers.print(one, thing())
    expect(JSON.parse(answers.print(one, thing(change)))).toMatchObject(change)
    expect(JSON.parse(answers.print(page, paged(thing(change)))).data).toEqual([Thing.parse(thing(change))])
    expect(JSON.parse(answers.print(one, thing()))).toEqual(Thing.parse(thing()))
  })

  it('is another when one field came in the place of another that said nothing', () => {
    const answers = new ResponseCache()
    const either = {
      response: z.object({ uid: z.string(), left: z.string().optional(), right: z.string().optional() }),
    }
    expect(answers.print(either, { uid: 'x1', left: undefined })).toBe('{"uid":"x1"}')
    expect(answers.print(either, { uid: 'x1', right: 'b' })).toBe('{"uid":"x1","right":"b"}')
    expect(answers.print(either, { uid: 'x1', left: undefined })).toBe('{"uid":"x1"}')
  })

  it('that is not what the endpoint declares is refused, however often it was asked for', () => {
    const answers = new ResponseCache()
    answers.print(one, thing())
    for (let time = 0; time < 2; time++) {
      expect(() => answers.print(one, thing({ name: 7 }))).toThrow('string')
      expect(() => answers.print(page, paged(thing({ tags: { 0: 'a', 1: 'b' } })))).toThrow('array')
      expect(() => answers.print(page, { ...paged(thing()), limit: 'many' })).toThrow('number')
    }
  })

  it('without a uid, or without anything, is printed each time', () => {
    const answers = new ResponseCache()
    const rest = { response: z.object({ n: z.int() }) }
    expect([1, 2, 2].map((n) => answers.print(rest, { n }))).toEqual(['{"n":1}', '{"n":2}', '{"n":2}'])
    expect(answers.print({ response: z.undefined() }, undefined)).toBe('')
  })

  it('stays right when more records are shown than are remembered', () => {
    const answers = new ResponseCache(3)
    const things = Array.from({ length: 10 }, (_, i) => thing({ uid: `x${i}`, name: `name ${i}` }))
    for (let time = 0; time < 3; time++)
      expect(JSON.parse(answers.print(page, paged(...things))).data).toEqual(things.map((each) => Thing.parse(each)))
  })
})

it('every list says what a sandbox says that was just opened, whatever was read before', async () => {
  const data = freshFolder()
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
