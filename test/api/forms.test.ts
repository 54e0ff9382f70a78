import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { convertText, parseForm, parseQuery } from '../../src/api/http/body.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import { refusing } from '../support/world.ts'
import { configure, lastExchange } from './support.ts'

/** Fields that differ between two responses to the same request. */
const withoutUid = ({ uid: _, ...rest }: Record<string, unknown>) => rest

describe('1 "Requests are JSON-encoded or form-encoded"', () => {
  it.each<[string, string, unknown]>([
    ['a flat field', 'email=olive@example.com', { email: 'olive@example.com' }],
    [
      'several fields',
      'external_uid=x1&email=a&customer_type=sole_proprietor',
      { external_uid: 'x1', email: 'a', customer_type: 'sole_proprietor' },
    ],
    ['an object', 'details[first_name]=Olive', { details: { first_name: 'Olive' } }],
    ['an object in an object', 'details[address][city]=Ames', { details: { address: { city: 'Ames' } } }],
    [
      'several fields of one object',
      'details[first_name]=Olive&details[address][city]=Ames&details[last_name]=Oyl&details[address][state]=IA',
      { details: { first_name: 'Olive', last_name: 'Oyl', address: { city: 'Ames', state: 'IA' } } },
    ],
    ['encoded brackets', 'details%5Baddress%5D%5Bcity%5D=Ames', { details: { address: { city: 'Ames' } } }],
    ['a plus sign is a blank', 'details[first_name]=Olive+Ann', { details: { first_name: 'Olive Ann' } }],
    ['an encoded plus sign is one', 'email=a%2Bb@example.com', { email: 'a+b@example.com' }],
    [
      'letters beyond ASCII, encoded or not',
      'details[first_name]=Zo%C3%AB&details[last_name]=Müller',
      { details: { first_name: 'Zoë', last_name: 'Müller' } },
    ],
    ['an equals sign in a value', 'email=a=b', { email: 'a=b' }],
    ['empty text is null where null is allowed', 'email=&external_uid=', { email: null, external_uid: null }],
    [
      'empty text inside is null too',
      'details[first_name]=&details[address][street2]=',
      { details: { first_name: null, address: { street2: null } } },
    ],
    ['an object may be empty text', 'details=', { details: null }],
    ['a field without a sign', 'email', { email: null }],
    ['numeric text stays text where text is due', 'details[phone]=5155550123', { details: { phone: '5155550123' } }],
    ['leading zeros stay', 'details[address][postal_code]=00501', { details: { address: { postal_code: '00501' } } }],
    ['true and false stay text where text is due', 'details[first_name]=true', { details: { first_name: 'true' } }],
    ['null is a name like any other', 'details[last_name]=null', { details: { last_name: 'null' } }],
    ['an SSN', 'details[ssn]=512-04-8823', { details: { ssn: '512-04-8823' } }],
    ['false is a boolean', 'client_verified=false', { client_verified: false }],
    ['an empty boolean is null where null is allowed', 'client_verified=', { client_verified: null }],
  ])('1: a form creates the same Customer as JSON: %s', async (_, form, json) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const byForm = await api.call('POST', '/customers', { form })
    expect(byForm.status).toBe(201)
    // Remove the external_uid, because it must be unique.
    const sealed = sandbox.store.world.collections.customers.get(String(byForm.body.uid))?.ssn
    const other = await startSandbox()
    const byJson = await other.client().post('/customers', json)
    expect(withoutUid(byForm.body)).toEqual(withoutUid(byJson.body))
    expect(sealed).toBe(other.store.world.collections.customers.get(String(byJson.body.uid))?.ssn)
  })

  it.each(['true', 'TRUE', 'True'])('1: in a form "`true` and `false` are booleans": %s', async (text) => {
    const sandbox = await startSandbox()
    configure(sandbox, { accepts_client_verified: true })
    const answer = await sandbox.client().call('POST', '/customers', { form: `client_verified=${text}` })
    expect(answer).toMatchObject({ status: 201, body: { client_verified: true } })
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['BR', brotliCompressSync],
  ] as const)('1: a body packed with %s is read, as JSON and as a form', async (encoding, pack) => {
    const sandbox = await startSandbox()
    for (const [type, text] of [
      ['application/json', '{"email":"olive@x.test"}'],
      ['application/x-www-form-urlencoded', 'email=olive%40x.test'],
    ] as const) {
      const headers = { 'content-type': type, 'content-encoding': encoding }
      const answer = await sandbox.client().call('POST', '/customers', { raw: new Uint8Array(pack(text)), headers })
      expect(answer).toMatchObject({ status: 201, body: { email: 'olive@x.test' } })
      expect((await lastExchange(sandbox)).request.body).toBe(text)
    }
  })

  it('1: a form can specify its character set', async ({ api }) => {
    const answer = await api.call('POST', '/customers', {
      raw: 'email=a',
      headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=utf-8' },
    })
    expect(answer).toMatchObject({ status: 201, body: { email: 'a' } })
  })

  it.each<[string, string, RegExp]>([
    ['text where a boolean is due', 'client_verified=yes', /^client_verified: /],
    ['1 is no boolean', 'client_verified=1', /^client_verified: /],
    ['empty text where null is not allowed', 'customer_type=', /^customer_type: /],
    ['a value where an object is due', 'details=Olive', /^details: /],
    ['a list where text is due', 'email[]=a&email[]=b', /^email: /],
    ['the same name twice where text is due', 'email=a&email=b', /^email: /],
    ['an object where text is due', 'email[x]=a', /^email: /],
    ['a list where an object is due', 'details[]=a', /^details: /],
    ['a value and then an object', 'details=Olive&details[first_name]=Olive', /both a value and an object/],
    ['an object and then a value', 'details[first_name]=Olive&details=Olive', /both a value and an object/],
    ['a list and then an object', 'details[]=a&details[first_name]=Olive', /both a value and an object/],
    ['a bracket that does not close', 'details[first_name=Olive', /lacks its closing bracket/],
    ['a bracket that closes too early', 'details[first_name]x=Olive', /lacks its closing bracket/],
  ])('1: an invalid form is 400/1007 and changes nothing: %s', async (_, form, extra) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await refusing(sandbox)(() => api.call('POST', '/customers', { form }), 'invalidArgument', extra)
  })

  it.each([
    ['1,000 keys', Array.from({ length: 1000 }, (_, i) => `k${i}=1`).join('&')],
    ['32 levels', `a${'[a]'.repeat(31)}=1`],
  ])('1: a form has up to 1,000 keys and 32 levels: %s are taken', async (_, form) => {
    const api = (await startSandbox()).client()
    expect((await api.call('POST', '/customers', { form })).status).toBe(201)
  })

  it.each([
    ['1,001 keys', Array.from({ length: 1001 }, (_, i) => `k${i}=1`).join('&'), /1000 keys/],
    ['1,001 values of one key', Array.from({ length: 1001 }, () => 'a[]=1').join('&'), /1000 keys/],
    ['33 levels', `a${'[a]'.repeat(32)}=1`, /32 levels/],
    ['50,000 levels', `a${'[a]'.repeat(50_000)}=1`, /32 levels/],
  ])('1: a form has up to 1,000 keys and 32 levels: %s are 400/1007', async (_, form, extra) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await refusing(sandbox)(() => api.call('POST', '/customers', { form }), 'invalidArgument', extra)
    expect(sandbox.told).toEqual([])
  })
})

/** Tests the functions directly where no endpoint has a field of the type. */
describe('1 conversion of text', () => {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it.each<[string, string, unknown]>([
    ['a list', 'name[]=a&name[]=b', { name: ['a', 'b'] }],
    ['a list of one', 'name[]=a', { name: ['a'] }],
    ['a list of nothing', 'name[]=', { name: [''] }],
    ['a list inside an object', 'a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a repeated name', 'name=a&name=b', { name: ['a', 'b'] }],
    ['nothing', '', {}],
    ['signs without names', '&&', {}],
    ['a name of the prototype', '__proto__[x]=1', JSON.parse('{"__proto__":{"x":"1"}}')],
  ])('1: a form is read into one plain object: %s', (_, text, expected) => {
    expect(plain(parseForm(text))).toEqual(expected)
  })

  it('1: lists are read "to any length" within the limits, in forms and queries', () => {
    const values = Array.from({ length: 999 }, (_, i) => String(i))
    const text = values.map((value) => `name[]=${value}`).join('&')
    expect(plain(parseForm(text))).toEqual({ name: values })
    expect(plain(parseQuery(text))).toEqual({ name: values })
  })

  it.each<[string, unknown]>([
    ['name[][a]=1&name[][b]=2', [{ a: '1', b: '2' }]],
    ['name[][a]=1&name[][a]=2&name[][b]=3', [{ a: '1' }, { a: '2', b: '3' }]],
    ['name[][a][b]=1&name[][a][c]=2&name[][a][b]=3', [{ a: { b: '1', c: '2' } }, { a: { b: '3' } }]],
    ['name[][a][]=1&name[][a][]=2', [{ a: ['1'] }, { a: ['2'] }]],
    ['name[0][a]=1&name[1][a]=2', [{ a: '1' }, { a: '2' }]],
    ['name[1]=b&name[0]=a', ['a', 'b']],
  ])('1: clients write lists of objects as `name[][a]` and lists as `name[0]`: %s', (text, expected) => {
    const items = { anyOf: [{ type: 'object', properties: { a: {}, b: {} } }, { type: 'string' }] }
    const listed = { properties: { name: { type: 'array', items } } }
    expect(plain(convertText(parseForm(text), listed))).toEqual({ name: expected })
  })

  it('1: a name is not both a list and an object', () => {
    for (const text of ['name[]=a&name[][a]=b', 'name[][a]=b&name[][a][c]=d&name[][a][]=e&name=x'])
      expect(() => parseForm(text)).toThrow()
  })

  it('4.3: in a query all forms of a list are one list, and other brackets stay in the name', () => {
    expect(plain(parseQuery('status[]=a&status=b&status[0]=c&status[12]=d&details[x]=1'))).toEqual({
      status: ['a', 'b', 'c', 'd'],
      'details[x]': '1',
    })
  })

  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string' },
      whole: { type: 'integer' },
      amount: { type: 'number' },
      either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      list: { type: 'array', items: { type: 'integer' } },
      kind: { enum: ['one', 'two'] },
    },
  }
  it.each<[string, object, object]>([
    ['numeric text where a number is due', { whole: '12', amount: '-1.50' }, { whole: 12, amount: -1.5 }],
    ['numeric text where text is due', { text: '12' }, { text: '12' }],
    ['empty text where null may be', { either: '' }, { either: null }],
    ['empty text where null may not be', { whole: '' }, { whole: '' }],
    ['words where a number is due', { whole: 'twelve' }, { whole: 'twelve' }],
    ['an exponent', { amount: '1e3' }, { amount: '1e3' }],
    ['a hexadecimal number', { whole: '0x10' }, { whole: '0x10' }],
    ['a blank around', { whole: ' 1' }, { whole: ' 1' }],
    ['each of a list', { list: ['1', '2'] }, { list: [1, 2] }],
    ['one value where a list is due', { list: '1' }, { list: [1] }],
    ['an enumeration keeps its case in a body', { kind: 'ONE' }, { kind: 'ONE' }],
    ['an unknown field', { other: '12' }, { other: '12' }],
  ])('1: text becomes what the schema declares: %s', (_, given, expected) => {
    expect(convertText(given, schema)).toEqual(expected)
  })

  it('4.3: in a query the case of an enumeration is no difference', () => {
    expect(convertText({ kind: 'ONE' }, schema, { inQuery: true })).toEqual({ kind: 'one' })
  })

  it('in a query 1 and 0 are booleans, and a number or boolean without a value is not given', async ({ api }) => {
    const settings = { limit: { type: 'integer' }, include_zero: { type: 'boolean' } } as const
    const convert = (given: object) => convertText(given, { properties: settings }, { inQuery: true })
    expect(convert({ include_zero: '1' })).toEqual({ include_zero: true })
    expect(convert({ include_zero: '0' })).toEqual({ include_zero: false })
    expect(convert({ include_zero: '', limit: '' })).toEqual({})
    expect(convert({ include_zero: '2' })).toEqual({ include_zero: '2' })
    const { status, body } = await api.get('/transactions?include_zero=1&limit=&offset=')
    expect([status, body.limit, body.offset]).toEqual([200, 100, 0])
  })
})
