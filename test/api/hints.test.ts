import { describe, expect } from 'vitest'
import { findNearest } from '../../src/api/contract/terms/nearest.ts'
import { formatHintsHeader } from '../../src/api/http/hints.ts'
import { expectRefusal, type RequestOptions } from '../support/client.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import { hintsOf, lastExchange, putCustomer } from './support.ts'

describe('hints: "Unknown query parameters and body fields: ignored […], but kept on the exchange"', () => {
  it.each<[string, string, RequestOptions, ...string[]]>([
    ['a field with a slip', 'POST /customers', { json: { emal: 'a' } }, 'emal → email'],
    [
      'fields inside',
      'POST /customers',
      { json: { details: { adress: { city: 'Ames' }, first_nam: 'Olive' } } },
      ...['details.adress → details.address', 'details.first_nam → details.first_name'],
    ],
    [
      'fields two levels inside',
      'POST /customers',
      { json: { details: { address: { zip: '50010', postalcode: '50010' } } } },
      ...['details.address.zip', 'details.address.postalcode → details.address.postal_code'],
    ],
    ['a field that is like none', 'POST /customers', { json: { shoe_size: 43 } }, 'shoe_size'],
    ['another case', 'POST /customers', { json: { Email: 'a' } }, 'Email → email'],
    ['a field in a form', 'POST /customers', { form: 'details[adress][city]=A' }, 'details.adress → details.address'],
    ['parameters of a list', 'GET /customers?first_nmae=Olive&page=2', {}, 'first_nmae → first_name', 'page'],
    ['a parameter that is repeated', 'GET /customers?statuses[]=active&statuses[]=queued', {}, 'statuses → status'],
    ['a parameter of POST', 'POST /customers?dry_run=true', { json: {} }, 'dry_run'],
    [
      '__proto__',
      'POST /customers',
      { raw: '{"__proto__":1}', headers: { 'content-type': 'application/json' } },
      '__proto__',
    ],
    ['constructor', 'GET /customers?constructor=1', {}, 'constructor'],
    [
      'letters that a header cannot hold',
      'POST /customers',
      { json: { 'größe\r\nset-cookie: a=b, "x"': 1 } },
      'größe\r\nset-cookie: a=b, "x"',
    ],
  ])('%s', async (_, request, sent, ...ignored) => {
    const expected = ignored.map((one) => {
      const [name, meant] = one.split(' → ')
      return `${name} was ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`
    })
    const [method = '', path = ''] = request.split(' ')
    const sandbox = await startSandbox()
    const answer = await sandbox.client().call(method, path, sent)
    expect(answer.status).toBeLessThan(300)
    expect(hintsOf(answer)).toEqual(expected)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('x-sandbank-hints')).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+)*$/)
    const exchange = await lastExchange(sandbox)
    expect(exchange.hinted.map(({ text }) => text)).toEqual(expected)
    expect(exchange.hints).toBe(expected.length)
  })

  it('a parameter of GET /customers/{uid} is hinted too', async ({ sandbox }) => {
    const { uid } = putCustomer(sandbox)
    const answer = await sandbox.client().get(`/customers/${uid}?expand=pools`)
    expect(answer.status).toBe(200)
    expect(hintsOf(answer)).toEqual(['expand was ignored'])
  })

  it('a parameter without a name gets no hint with a wrong name', async ({ sandbox }) => {
    const answer = await sandbox.client().get('/customers?=x')
    expect(answer.status).toBe(200)
    expect(hintsOf(answer).join()).not.toContain('undefined')
  })

  it.each<[string, string, string, RequestOptions]>([
    ['every field known', 'POST', '/customers', { json: { email: 'a', details: { address: { city: 'Ames' } } } }],
    ['nothing sent', 'POST', '/customers', {}],
    ['every parameter known', 'GET', '/customers?status[]=active&uid=a&limit=1&sort=email_asc', {}],
    ['a null where an object could be', 'POST', '/customers', { json: { details: null } }],
  ])('there is no header without hints: %s', async (_, method, path, sent) => {
    const sandbox = await startSandbox()
    const answer = await sandbox.client().call(method, path, sent)
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.has('x-sandbank-hints')).toBe(false)
    expect(await lastExchange(sandbox)).toMatchObject({ hints: 0, hinted: [] })
  })

  it('a refusal has hints, too: the misspelled field may be its cause', async ({ sandbox }) => {
    const json = { customer_type: 'secondary', primary_customer_id: 'x' }
    const answer = await sandbox.client().post('/customers', json)
    expectRefusal(answer, 'missingParameter')
    expect(hintsOf(answer)).toEqual(['primary_customer_id was ignored; did you mean primary_customer_uid?'])
    expect((await lastExchange(sandbox)).hints).toBe(1)
  })

  it('a request without a valid token gets no hints about the schema', async ({ sandbox }) => {
    const answer = await sandbox.client().send('POST', '/customers', { json: { emial: 'a' } })
    expectRefusal(answer, 'unauthorized')
    expect(answer.headers.has('x-sandbank-hints')).toBe(false)
  })

  it('an ignored field does not change the created record', async ({ api }) => {
    const { uid: _a, ...plain } = (await api.post('/customers', { email: 'a' })).body
    const { uid: _b, ...hinted } = (await api.post('/customers', { email: 'a', emial: 'b', x: { y: [] } })).body
    expect(hinted).toEqual(plain)
  })

  it('the header holds only complete hints and "at most 1 kB"; the exchange holds all hints', async ({ sandbox }) => {
    const names = Array.from({ length: 200 }, (_, i) => `unknown_field_${i}`)
    const answer = await sandbox.client().post('/customers', Object.fromEntries(names.map((name) => [name, 1])))
    expect(answer.status).toBe(201)
    const header = answer.headers.get('x-sandbank-hints')!
    expect(header.length).toBeLessThanOrEqual(1024)
    expect(header.length).toBeGreaterThan(900)
    const all = names.map((name) => `${name} was ignored`)
    expect(hintsOf(answer)).toEqual(all.slice(0, hintsOf(answer).length))
    expect((await lastExchange(sandbox)).hinted.map(({ text }) => text)).toEqual(all)
  })

  it('a name that is longer than the header does not break the response', async ({ sandbox }) => {
    const answer = await sandbox.client().post('/customers', { ['x'.repeat(50_000)]: 1 })
    expect(answer.status).toBe(201)
    expect((answer.headers.get('x-sandbank-hints') ?? '').length).toBeLessThanOrEqual(1024)
    expect((await lastExchange(sandbox)).hints).toBe(1)
  })

  it('the header accepts any text, also invalid Unicode', () => {
    const header = formatHintsHeader([{ at: '\ud800', text: '\ud800 was ignored' }])
    expect(header).toMatch(/^[\x21-\x7e]*$/)
  })
})

describe('the nearest known name', () => {
  const known = ['email', 'details', 'external_uid', 'customer_type', 'uid']
  it.each([
    ['emal', 'email'],
    ['e-mail', 'email'],
    ['EMAIL', 'email'],
    ['detail', 'details'],
    ['externalUid', 'external_uid'],
    ['customertype', 'customer_type'],
    ['ui', 'uid'],
    ['id', 'uid'],
    ['phone', undefined],
    ['x', undefined],
    ['', undefined],
  ])('%s → %s', (name, expected) => {
    expect(findNearest(name, known)).toBe(expected)
  })

  it('a name of 100,000 letters is compared quickly', () => {
    expect(findNearest('e'.repeat(100_000), known)).toBeUndefined()
  })

  it('there is none without known names', () => {
    expect(findNearest('email', [])).toBeUndefined()
  })
})
