import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, vi } from 'vitest'
import { errors } from '../../src/api/contract/errors.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { type ApiResponse, expectRefusal, type RequestOptions } from '../support/client.ts'
import { ACH } from '../support/payments.ts'
import { it, START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { refusing } from '../support/world.ts'
import {
  addProgram,
  advance,
  configure,
  exchangesOf,
  expectErrorShape,
  lastExchange,
  putCustomer,
  sendBytes,
  sendInChunks,
  worldOf,
} from './support.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const json = (raw: string | Uint8Array<ArrayBuffer>): RequestOptions => ({ raw, headers: JSON_TYPE })
const nested = (levels: number, inner = '1') => '{"a":'.repeat(levels) + inner + '}'.repeat(levels)
const MIB = 1 << 20

describe('7 the error body', () => {
  it('7: it is "errors: array of objects, each with `code`, `title`, `detail`, `occurred_at`" and "status: integer"', async () => {
    const sandbox = await startSandbox()
    await advance(sandbox, 'PT1H')
    const answer = await sandbox.client().get('/customers/nobody')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({
      errors: [
        {
          code: 4002,
          title: 'Unknown customer',
          detail: 'Could not find customer. Invalid customer uid.',
          occurred_at: '2026-08-14T15:00:00.000Z',
        },
      ],
      status: 404,
    })
  })

  it('7: `extra` names the failing part, never its value', async ({ api }) => {
    const answer = await api.post('/customers', { email: { secret: 'value-4711' } })
    expectRefusal(answer, 'invalidArgument', /^email: /)
    expect(answer.text).not.toContain('value-4711')
  })

  it.each<[string, string, string, RequestOptions]>([
    ['201', 'POST', '/customers', { json: {} }],
    ['200', 'GET', '/customers', {}],
    ['400', 'GET', '/customers?limit=-1', {}],
    ['400 of a body', 'POST', '/customers', json('{')],
    ['401', 'GET', '/customers', { headers: { authorization: 'x' } }],
    ['404', 'GET', '/nowhere', {}],
    ['404 outside of the API', 'GET', '/../../elsewhere', {}],
    ['404 of a uid', 'GET', '/customers/nobody', {}],
    ['405', 'DELETE', '/auth', {}],
    ['413', 'POST', '/customers', json('x'.repeat(MIB + 1))],
    ['415', 'POST', '/customers', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
  ])('4: "Every response echoes `x-trace-id`": %s', async (_, method, path, sent) => {
    const api = (await startSandbox()).client()
    const headers = { ...sent.headers, 'x-trace-id': 'Trace-42 / a' }
    const answer = await api.call(method, path, { ...sent, headers })
    expect(answer.headers.get('x-trace-id')).toBe('Trace-42 / a')
  })

  it('4: "Every response echoes `x-trace-id`", byte for byte, beyond ASCII too', async ({ api }) => {
    for (const path of ['/customers', '/nowhere']) {
      const headers = { 'x-trace-id': `\u00e9\u00fc-${path.length}` }
      expect((await api.get(path, { headers })).headers.get('x-trace-id')).toBe(headers['x-trace-id'])
    }
  })
})

describe('4 trace ids', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['blank', '   '],
  ])('4: "Every request needs the header `x-trace-id`": %s is 400/1003', async (_, given) => {
    const sandbox = await startSandbox()
    await refusing(sandbox)(
      () => sandbox.client().post('/customers', {}, { headers: { 'x-trace-id': given } }),
      'missingParameter',
      /x-trace-id/,
    )
    expect((await lastExchange(sandbox)).refusal?.stage).toBe('trace id')
  })

  it('5.7: "A value repeated within 7 days is rejected", for any request', async ({ sandbox, api }) => {
    const headers = { 'x-trace-id': 'once' }
    expect((await api.get('/customers', { headers })).status).toBe(200)
    const before = worldOf(sandbox)
    expectRefusal(await api.post('/customers', {}, { headers }), 'duplicateTraceId')
    expectRefusal(await api.get('/customers', { headers }), 'duplicateTraceId')
    const refresh = { ...headers, authorization: api.refreshToken() }
    expectRefusal(await api.send('POST', '/auth', { headers: refresh }), 'duplicateTraceId')
    expect(worldOf(sandbox)).toEqual(before)
  })

  it('5.7, 8: the window is "7 days" of simulated time, to the millisecond', async ({ sandbox }) => {
    const headers = { 'x-trace-id': 'weekly' }
    // A token is valid for 8 hours, so each step signs in again.
    const get = () => sandbox.client().get('/customers', { headers })
    expect((await get()).status).toBe(200)
    await advance(sandbox, 'P6DT23H59M59.999S')
    expectRefusal(await get(), 'duplicateTraceId')
    await advance(sandbox, 'PT0.001S')
    expect((await get()).status).toBe(200)
    await advance(sandbox, 'P6D')
    expectRefusal(await get(), 'duplicateTraceId')
  })

  it('5.7: 7 days are counted from the use that was accepted, not from a rejected repeat', async ({ sandbox }) => {
    const headers = { 'x-trace-id': 'weekly' }
    const get = () => sandbox.client().get('/customers', { headers })
    await get()
    await advance(sandbox, 'P4D')
    expectRefusal(await get(), 'duplicateTraceId')
    await advance(sandbox, 'P3D')
    expect((await get()).status).toBe(200)
  })

  it('5.7: trace ids are compared exactly, with case and inner blanks', async ({ api }) => {
    for (const value of ['abc', 'ABC', 'a bc', 'a  bc', 'abc,abc'])
      expect((await api.get('/customers', { headers: { 'x-trace-id': value } })).status).toBe(200)
  })

  it('5.7: a request that a rule refuses has used its trace id', async ({ api }) => {
    const headers = { 'x-trace-id': 'used' }
    expectRefusal(await api.get('/customers?limit=-1', { headers }), 'invalidLimit')
    expectRefusal(await api.get('/customers', { headers }), 'duplicateTraceId')
  })

  it('5.7: trace ids are "judged after authentication, so a stranger cannot burn a Program\'s ids"', async () => {
    const api = (await startSandbox()).client()
    const headers = { 'x-trace-id': 'precious' }
    expectRefusal(await api.send('GET', '/customers', { headers }), 'unauthorized')
    expectRefusal(await api.send('POST', '/auth', { headers: { ...headers, authorization: 'x' } }), 'unauthorized')
    expectRefusal(await api.call('PATCH', '/customers', { headers }), 'methodNotAllowed')
    expectRefusal(await api.get('/nowhere', { headers }), 'routeNotFound')
    expect((await api.get('/customers', { headers })).status).toBe(200)
  })

  it('5.7: a caller outside the allowlist cannot use up a trace id either', async ({ sandbox, api }) => {
    await api.signIn()
    const { allowlist } = sandbox.programs()[0]!
    const headers = { 'x-trace-id': 'precious', authorization: await api.signIn() }
    configure(sandbox, { allowlist: [] })
    expectRefusal(await api.send('GET', '/customers', { headers }), 'notAllowed')
    configure(sandbox, { allowlist })
    expect((await api.send('GET', '/customers', { headers })).status).toBe(200)
  })

  it('5.7: each Program has trace ids of its own', async ({ sandbox }) => {
    const headers = { 'x-trace-id': 'shared' }
    const [api, other] = [sandbox.client(), addProgram(sandbox)]
    expect((await api.get('/customers', { headers })).status).toBe(200)
    expect((await other.get('/customers', { headers })).status).toBe(200)
    expectRefusal(await other.get('/customers', { headers }), 'duplicateTraceId')
  })

  it('5.7: of simultaneous requests with one trace id, one is accepted and the others are rejected', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.get('/customers')
    const { seq } = sandbox.store.world
    const headers = { 'x-trace-id': 'at once' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/customers', {}, { headers })))
    const [good, ...others] = answers.sort((a, b) => a.status - b.status)
    expect(good?.status).toBe(201)
    for (const other of others) expectRefusal(other, 'duplicateTraceId')
    expect(sandbox.store.world.seq).toBe(seq + 1)
  })

  it('5.7: trace ids are remembered over a restart, and do not change the world', async ({ folder: data }) => {
    const first = await startSandbox({ data, seed: 'test', start: START })
    const before = worldOf(first)
    const headers = { 'x-trace-id': 'kept' }
    expect((await first.client().get('/customers', { headers })).status).toBe(200)
    expect(worldOf(first)).toEqual(before)
    await first.close()
    const again = await startSandbox({ data })
    expectRefusal(await again.client().get('/customers', { headers }), 'duplicateTraceId')
    await advance(again, 'P7D')
    expect((await again.client().get('/customers', { headers })).status).toBe(200)
  })

  it('5.7: any trace id is remembered: very long, a name of the prototype, special characters', async ({ api }) => {
    for (const value of ['x'.repeat(8000), '__proto__', 'constructor', '{"$ne":null}', '../../etc', '512-04-8823']) {
      const headers = { 'x-trace-id': value }
      expect((await api.get('/customers', { headers })).status).toBe(200)
      expectRefusal(await api.get('/customers', { headers }), 'duplicateTraceId')
    }
  })
})

describe('4.1 routes and methods', () => {
  it.each([
    ['GET', '/nowhere'],
    ['POST', '/customer'],
    ['GET', '/Customers'],
    ['GET', '/customers/a/b'],
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/__proto__'],
    ['GET', '/constructor'],
    ['DELETE', '/nowhere'],
    ['OPTIONS', '/nowhere'],
    ['PATCH', '/%00'],
  ])('4.1: a path that is not on the list is 404/1001: %s %s', async (method, path) => {
    const sandbox = await startSandbox()
    await refusing(sandbox)(() => sandbox.client().call(method, path), 'routeNotFound')
  })

  it('9: {base_url} "ends in `/api/v1`": any other base path is 404', async ({ api }) => {
    for (const path of ['/../../customers', '/../v2/customers', '/../../API/V1/customers', '/../../'])
      expectRefusal(await api.get(path), 'routeNotFound', /the base URL ends in \/api\/v1/)
  })

  it.each([
    ['GET', '/auth', 'POST'],
    ['DELETE', '/auth', 'POST'],
    ['PATCH', '/customers', 'GET, HEAD, POST'],
    ['OPTIONS', '/customers', 'GET, HEAD, POST'],
    ['PROPFIND', '/customers', 'GET, HEAD, POST'],
  ])(
    '4.1: a method that the path does not have is 405/1014, and Allow lists its methods, HEAD beside GET: %s %s',
    async (method, path, allow) => {
      const sandbox = await startSandbox()
      const before = worldOf(sandbox)
      const answer = await sandbox.client().call(method, path)
      expectRefusal(answer, 'methodNotAllowed')
      expect(answer.headers.get('allow')).toBe(allow)
      expect(worldOf(sandbox)).toEqual(before)
    },
  )

  it('HEAD is answered like GET, without the body, and logged as such; a path without GET refuses it', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.signIn()
    const before = worldOf(sandbox)
    const answer = await api.call('HEAD', '/products', { headers: { 'x-trace-id': 'looking' } })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await lastExchange(sandbox)).toMatchObject({ method: 'HEAD', path: '/products', status: 200 })
    const missing = await api.call('HEAD', '/customers/nobody')
    expect([missing.status, missing.text]).toEqual([404, ''])
    const refused = await api.call('HEAD', '/auth')
    expect([refused.status, refused.text, refused.headers.get('allow')]).toEqual([405, '', 'POST'])
    expect(worldOf(sandbox)).toEqual(before)
  })

  it('4.1: a path with a uid follows the same rules', async ({ api }) => {
    const answer = await api.call('PATCH', '/customers/nobody')
    expectRefusal(answer, 'methodNotAllowed')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, DELETE, PUT')
  })
})

describe('the order of checks', () => {
  // A request with every error. Each step fixes one error, then the next check refuses.
  it('"404 and 405; token; allowlist; trace id present and unique; body; schema; rules", each final', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const authorization = await api.signIn()
    const { allowlist } = sandbox.programs()[0]!
    configure(sandbox, { allowlist: ['10.0.0.0/8'], client_is_customer: true })
    const { customers } = worldOf(sandbox)
    const stages: (string | undefined)[] = []
    const send = async (method: string, path: string, headers: Record<string, string>, raw: string) => {
      const answer = await api.send(method, path, { raw, headers: { 'x-trace-id': undefined, ...headers } })
      stages.push((await lastExchange(sandbox)).refusal?.stage)
      return answer
    }
    const text = { 'content-type': 'text/plain' }

    expectRefusal(await send('PUT', '/nowhere', text, '{'), 'routeNotFound')
    expectRefusal(await send('PATCH', '/customers', text, '{'), 'methodNotAllowed')
    expectRefusal(await send('POST', '/customers', text, '{'), 'unauthorized')
    const known = { ...text, authorization }
    expectRefusal(await send('POST', '/customers', known, '{'), 'notAllowed')
    configure(sandbox, { allowlist })
    expectRefusal(await send('POST', '/customers', known, '{'), 'missingParameter', /x-trace-id/)
    expectRefusal(await send('POST', '/customers', { ...known, 'x-trace-id': '1' }, '{'), 'unsupportedMediaType')
    expectRefusal(await send('POST', '/customers', { ...known, 'x-trace-id': '1' }, '{'), 'duplicateTraceId')
    const typed = { ...JSON_TYPE, authorization }
    const broken = '{"customer_type": 5'
    expectRefusal(await send('POST', '/customers', { ...typed, 'x-trace-id': '2' }, broken), 'invalidArgument', /JSON/)
    const wrong = `${broken}}`
    expectRefusal(
      await send('POST', '/customers', { ...typed, 'x-trace-id': '3' }, wrong),
      'invalidArgument',
      /^customer_type/,
    )
    const barred = '{"customer_type": "secondary"}'
    expectRefusal(await send('POST', '/customers', { ...typed, 'x-trace-id': '4' }, barred), 'creationByOperator')
    configure(sandbox, { client_is_customer: false })
    expectRefusal(
      await send('POST', '/customers', { ...typed, 'x-trace-id': '5' }, barred),
      'missingParameter',
      /primary_customer_uid/,
    )
    expect(worldOf(sandbox).customers).toEqual(customers)
    expect(stages.join(', ')).toBe(
      'route, route, token, allowlist, trace id, body, trace id, body, schema, rules, rules',
    )
  })

  it('a body that is too large is refused after the token check', async ({ api }) => {
    const raw = 'x'.repeat(MIB + 1)
    expectRefusal(await api.send('POST', '/customers', { raw, headers: JSON_TYPE }), 'unauthorized')
    expectRefusal(await api.call('POST', '/customers', json(raw)), 'bodyTooLarge')
  })

  it('an unknown uid is refused after the token check', async ({ sandbox }) => {
    const { uid } = putCustomer(sandbox)
    const api = sandbox.client()
    for (const path of [`/customers/${uid}`, '/customers/nobody'])
      expectRefusal(await api.send('GET', path), 'unauthorized')
  })
})

describe('1 bodies', () => {
  const expectNothing = async (
    sent: RequestOptions,
    check: (answer: ApiResponse, sandbox: TestSandbox) => void | Promise<void>,
    method = 'POST',
  ) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.get('/customers')
    const before = worldOf(sandbox)
    const answer = await api.call(method, '/customers', { ...sent, headers: { 'x-trace-id': 'T1', ...sent.headers } })
    expectErrorShape(answer)
    expect(answer.headers.get('x-trace-id')).toBe('T1')
    expect(worldOf(sandbox)).toEqual(before)
    await check(answer, sandbox)
    // The log has the request like any other, and there was no internal error.
    expect(await lastExchange(sandbox)).toMatchObject({ trace_id: 'T1', status: answer.status })
    expect(sandbox.told).toEqual([])
  }

  it.each([
    ['an open brace', '{'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['two objects', '{}{}'],
    ['a word', 'hello'],
    ['NaN', '{"a":NaN}'],
    ['a page', '<html><body>hello</body></html>'],
    ['a null byte', '{"a":"\u0000"}'],
    ['only a null byte', '\u0000'],
    ['a form said to be JSON', 'a=1&b=2'],
  ])('1: "Requests are JSON-encoded": malformed JSON is 400/1007: %s', async (_, raw) => {
    await expectNothing(json(raw), (answer) => expectRefusal(answer, 'invalidArgument', /not well-formed JSON/))
  })

  it('the log says in which line and column malformed JSON is wrong; the response does not', async ({ sandbox }) => {
    const answer = await sandbox.client().call('POST', '/customers', json('{\n  "email": "a@b.test",\n}'))
    expectRefusal(answer, 'invalidArgument', 'the body is not well-formed JSON')
    expect((await lastExchange(sandbox)).refusal?.cause).toBe(
      'line 3, column 1: found }; expected a name in double quotes',
    )
  })

  it.each(['[]', '[{}]', 'null', 'true', '0', '""', '"{}"'])(
    '1: a body that is not an object is 400/1007: %s',
    async (raw) => {
      await expectNothing(json(raw), (answer) => expectRefusal(answer, 'invalidArgument', /must be a JSON object/))
    },
  )

  it.each([
    ['a lone continuation byte', [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0x80, 0x22, 0x7d]],
    ['a cut sequence', [0x7b, 0x22, 0xf0, 0x9f, 0x22, 0x3a, 0x31, 0x7d]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('1: a body that is no UTF-8 is 400/1007: %s', async (_, bytes) => {
    const raw = new Uint8Array(bytes)
    await expectNothing(json(raw), (answer) => expectRefusal(answer, 'invalidArgument', /not UTF-8/))
    await expectNothing({ raw, headers: FORM_TYPE }, (answer) => expectRefusal(answer, 'invalidArgument', /not UTF-8/))
  })

  it.each([
    ['text/plain', 'text/plain'],
    ['a page', 'text/html'],
    ['XML', 'application/xml'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['octets', 'application/octet-stream'],
    ['no type at all, only a word', 'json'],
  ])('1: a body that is neither JSON nor a form is 415/1015: %s', async (_, type) => {
    await expectNothing({ raw: '{}', headers: { 'content-type': type } }, (answer) =>
      expectRefusal(answer, 'unsupportedMediaType', /^Content-Type /),
    )
  })

  it.each(['zstd', 'compress', 'gzip, br', 'nonsense'])(
    '1: a body in this encoding is 415/1015: %s',
    async (encoding) => {
      await expectNothing({ raw: '{}', headers: { ...JSON_TYPE, 'content-encoding': encoding } }, (answer) =>
        expectRefusal(answer, 'unsupportedMediaType', `Content-Encoding ${encoding}`),
      )
    },
  )

  it.each(['gzip', 'deflate', 'br'])(
    '1: a body that is not the %s that it claims to be is 400/1007',
    async (encoding) => {
      await expectNothing({ raw: '{}', headers: { ...JSON_TYPE, 'content-encoding': encoding } }, (answer) =>
        expectRefusal(answer, 'invalidArgument', `the body is not valid ${encoding}`),
      )
    },
  )

  it('1: a packed body that is larger than 1 MB unpacked is 413', async () => {
    const raw = gzipSync(JSON.stringify({ email: 'a'.repeat(1 << 20) }))
    expect(raw.length).toBeLessThan(5_000)
    await expectNothing({ raw, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, (answer) =>
      expectRefusal(answer, 'bodyTooLarge'),
    )
  })

  it.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/json;charset="utf-8"',
    undefined,
  ])('1: "Requests are JSON-encoded": Content-Type %s is JSON', async (type) => {
    const api = (await startSandbox()).client()
    const raw = new TextEncoder().encode('{"email":"olive@example.com"}')
    const answer = await api.call('POST', '/customers', { raw, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 201, body: { email: 'olive@example.com' } })
  })

  describe('size', () => {
    const filled = (bytes: number) => {
      const frame = '{"email":""}'
      return `{"email":"${'x'.repeat(bytes - frame.length)}"}`
    }

    it('a body of just 1 MB is taken', async ({ api }) => {
      expect((await api.call('POST', '/customers', json(filled(MIB)))).status).toBe(201)
    })

    it.each([
      ['one byte too many', json(filled(MIB + 1))],
      ['3 MB', json(filled(3 * MIB))],
      ['3 MB of nonsense', json('x'.repeat(3 * MIB))],
      ['a form of 2 MB', { form: `email=${'x'.repeat(2 * MIB)}` }],
      ['2 MB of another type', { raw: 'x'.repeat(2 * MIB), headers: { 'content-type': 'text/plain' } }],
    ])('a body larger than 1 MB is 413/1016: %s', async (_, sent) => {
      await expectNothing(sent, (answer) => expectRefusal(answer, 'bodyTooLarge'))
    })

    it.each([
      ['2 MB', 2],
      ['20 MB', 20],
      ['60 MB, of which not all is read', 60],
    ])('a chunked body without a content length is 413/1016, too: %s', async (_, megabytes) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      const authorization = await api.signIn()
      const before = worldOf(sandbox)
      const headers = { authorization, 'x-trace-id': 'chunks', ...JSON_TYPE }
      const chunk = Buffer.alloc(1 << 16, 0x20)
      const answer = await sendInChunks(sandbox, '/customers', headers, chunk, megabytes * 16)
      expectRefusal(answer, 'bodyTooLarge')
      expect(answer.headers.get('x-trace-id')).toBe('chunks')
      expect(worldOf(sandbox)).toEqual(before)
    })

    it('a small body in chunks is a body like any other', async ({ sandbox }) => {
      const authorization = await sandbox.client().signIn()
      const headers = { authorization, 'x-trace-id': 'chunks', ...JSON_TYPE }
      const answer = await sendInChunks(sandbox, '/customers', headers, Buffer.from('{}'), 1)
      expect(answer.status).toBe(201)
    })
  })

  describe('more than 1,000 keys or 32 levels', () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i])))

    it.each([
      ['1,000 keys', keys(1000)],
      ['32 levels', nested(32)],
    ])('%s are taken', async (_, raw) => {
      const api = (await startSandbox()).client()
      expect((await api.call('POST', '/customers', json(raw))).status).toBe(201)
    })

    it.each([
      ['1,001 keys', keys(1001), /1000 keys/],
      ['1,001 keys, most of them inside', `{"a":${keys(1000)}}`, /1000 keys/],
      ['33 levels', nested(33), /32 levels/],
      ['40 levels of lists', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /32 levels/],
      ['50,000 levels', nested(50_000), /32 levels/],
      ['100,000 levels of lists', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /32 levels/],
    ])('%s are 400/1007', async (_, raw, extra) => {
      await expectNothing(json(raw), (answer) => expectRefusal(answer, 'invalidArgument', extra))
    })

    it('100,000 levels that begin with a list are 400/1007', async () => {
      const raw = '['.repeat(100_000) + ']'.repeat(100_000)
      await expectNothing(json(raw), (answer) => expectRefusal(answer, 'invalidArgument', /32 levels/))
    })

    it('1,001 parameters of a query are 400/1007', async ({ sandbox }) => {
      const query = Array.from({ length: 1001 }, (_, i) => `a${i}=`).join('&')
      const answer = await sandbox.client().get(`/customers?${query}`)
      expectRefusal(answer, 'invalidArgument', /1000 parameters/)
    })
  })

  describe('names of the prototype', () => {
    const bodies: [string, RequestOptions][] = [
      ['__proto__ in JSON', json('{"__proto__":{"customer_type":"sole_proprietor","email":"x@example.com"}}')],
      ['__proto__ inside JSON', json('{"details":{"__proto__":{"first_name":"Eve"}}}')],
      ['constructor in JSON', json('{"constructor":{"prototype":{"email":"x@example.com"}}}')],
      ['toString, hasOwnProperty and valueOf in JSON', json('{"toString":1,"hasOwnProperty":2,"valueOf":3}')],
      ['__proto__ in a form', { form: '__proto__[email]=x@example.com' }],
      ['__proto__ inside a form', { form: 'details[__proto__][first_name]=Eve&details[__proto__][ssn]=1' }],
      ['constructor.prototype in a form', { form: 'constructor[prototype][email]=x@example.com' }],
      ['__proto__ as a list in a form', { form: '__proto__[]=x&__proto__[]=y' }],
    ]
    it.each(bodies)('%s change nothing except the created Customer', async (_, sent) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      const answer = await api.call('POST', '/customers', sent)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ customer_type: 'primary', details: { first_name: null } })
      expect(answer.body).not.toHaveProperty('email')
      // A polluted prototype would show in every object.
      for (const name of ['email', 'first_name', 'customer_type', 'ssn']) expect({}).not.toHaveProperty(name)
      expect((await api.post('/customers', {})).body).not.toHaveProperty('email')
      expect(sandbox.told).toEqual([])
    })

    it.each([
      '__proto__=1',
      '__proto__[limit]=1',
      '__proto__[]=1&__proto__[]=2',
      'constructor=1',
      'constructor[prototype][limit]=1',
      'toString=1&valueOf=2&hasOwnProperty=3',
    ])('names of the prototype in a query are unknown parameters: %s', async (query) => {
      const sandbox = await startSandbox()
      const answer = await sandbox.client().get(`/customers?${query}`)
      expect(answer).toMatchObject({ status: 200, body: { limit: 100 } })
      expect({}).not.toHaveProperty('limit')
      expect(sandbox.told).toEqual([])
    })
  })

  it('7: a field name that is not valid Unicode is ignored or refused, and changes nothing', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.get('/customers')
    const before = worldOf(sandbox)
    const authorization = await api.signIn()
    // The test client throws for a response that is not JSON, so read the bytes.
    const raw = '{"\\ud800":1}'
    const answer = await sendBytes(
      sandbox,
      `POST /api/v1/customers HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\nx-trace-id: half\r\ncontent-type: application/json\r\ncontent-length: ${raw.length}\r\nconnection: close\r\n\r\n${raw}`,
    )
    if (answer.status === 201) {
      expect(answer.body).toMatchObject({ status: 'initiated' })
      expect(sandbox.store.world.seq).toBe(before.seq + 1)
    } else {
      expectErrorShape(answer)
      expect(worldOf(sandbox)).toEqual(before)
    }
    expect(sandbox.told).toEqual([])
  })
})

describe('7 malformed HTTP requests', () => {
  const GET = 'GET /api/v1/customers HTTP/1.1'
  const POST = 'POST /api/v1/customers HTTP/1.1'
  const withHead =
    (line: string, more = '\r\n') =>
    (head: string) =>
      `${line}\r\n${head}${more}`
  const posted = (lengths: string, body = '{}') => withHead(POST, `${lengths}\r\n\r\n${body}`)
  const withoutHost = (head: string) => head.replace('host: 127.0.0.1\r\n', '')
  const UNMET: [string, (head: string) => string] = [
    'an unknown expectation',
    posted('expect: cake\r\ncontent-length: 2'),
  ]

  /** A request with a valid token, so that only its form can be refused. */
  async function send(bytes: (head: string) => string | Buffer) {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const authorization = await api.signIn()
    const before = worldOf(sandbox)
    const head = `host: 127.0.0.1\r\nauthorization: ${authorization}\r\nx-trace-id: raw\r\nconnection: close\r\n`
    const answer = await sendBytes(sandbox, bytes(head))
    expect(worldOf(sandbox)).toEqual(before)
    expect(sandbox.told).toEqual([])
    // The sandbox still works.
    expect((await api.get('/customers')).status).toBe(200)
    return answer
  }

  it.each<[string, (head: string) => string | Buffer]>([
    ['bytes', () => Buffer.from([0, 1, 2, 255, 254, 10, 13, 10])],
    ['a TLS greeting', () => Buffer.from('160301020001000001fc0303', 'hex')],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method that is none', withHead('STEAL /api/v1/customers HTTP/1.1')],
    ['a version that is none', withHead('GET /api/v1/customers HTTP/9.9')],
    ['a blank in the path', withHead('GET /api/v1/cus tomers HTTP/1.1')],
    ['a header without a colon', withHead(GET, 'nonsense\r\n\r\n')],
    ['a null byte in a header', withHead(GET, 'x-note: a\0b\r\n\r\n')],
    ['a header that is folded', withHead(GET, 'x-note: a\r\n b\x01\r\n\r\n')],
    ['a length that is no number', posted('content-length: two')],
    ['a negative length', posted('content-length: -2')],
    ['two lengths', posted('content-length: 2\r\ncontent-length: 3', '{} ')],
    ['a length and chunks', posted('content-length: 2\r\ntransfer-encoding: chunked')],
    ['a chunk that is none', posted('transfer-encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n')],
    ['headers of 20 kB', withHead(GET, `x-note: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['a path of 20 kB', withHead(`GET /api/v1/customers/${'x'.repeat(20_000)} HTTP/1.1`)],
  ])('7: %s is answered 400/1007 with the error body', async (_, bytes) => {
    const answer = await send(bytes)
    expectErrorShape(answer)
    expectRefusal(answer, 'invalidArgument')
  })

  it.each<[string, (head: string) => string]>([
    ['no Host', (head) => withHead(GET)(withoutHost(head))],
    UNMET,
    ['an address that is none', withHead('GET http://[ HTTP/1.1')],
    ['an address whose brackets do not close', withHead('GET http://[::1/api/v1/customers HTTP/1.1')],
    ['an address of another scheme', withHead('GET foo://xn--/api/v1/customers HTTP/1.1')],
    ['an asterisk', withHead('OPTIONS * HTTP/1.1')],
    ['CONNECT', withHead('CONNECT 127.0.0.1:80 HTTP/1.1')],
    ['two slashes', withHead('GET //api/v1/customers HTTP/1.1')],
    ['HTTP/1.0 without a Host', (head) => withHead('GET /api/v1/customers HTTP/1.0')(withoutHost(head))],
    ['an address that decodes to nothing', withHead('GET /api/v1/customers/%E0%A4%A HTTP/1.1')],
  ])('7: %s is refused with the error body, not with an HTML page or an empty response', async (_, bytes) => {
    const answer = await send(bytes)
    expectErrorShape(answer)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it.each<[string, (head: string) => string]>([
    UNMET,
    ['an address that is none', withHead('GET http://[ HTTP/1.1')],
    ['an asterisk', withHead('OPTIONS * HTTP/1.1')],
    ['an address that decodes to nothing', withHead('GET /api/v1/customers/%E0%A4%A HTTP/1.1')],
  ])('4: the response "echoes `x-trace-id`" if the header was readable: %s', async (_, bytes) => {
    expect((await send(bytes)).headers.get('x-trace-id')).toBe('raw')
  })

  it.each(['%', '%zz', '%E0%A4%A', '%80', 'a%2', '%C0%AF'])(
    '7: invalid percent-encoding is 400/1007: /customers/%s',
    async (uid) => {
      const answer = await send((head) => `GET /api/v1/customers/${uid} HTTP/1.1\r\n${head}\r\n`)
      expectErrorShape(answer)
      expectRefusal(answer, 'invalidArgument', /path is not well-formed/)
    },
  )

  it.each(['%', '%zz=1', 'limit=%', 'first_name=%E0%A4%A', '%00=%00', '&&==&', 'a=b=c'])(
    '7: a malformed query is read as far as possible: %s',
    async (query) => {
      const answer = await send((head) => `GET /api/v1/customers?${query} HTTP/1.1\r\n${head}\r\n`)
      if (answer.status === 200) expect(answer.body).toMatchObject({ total_count: 0, data: [] })
      else expectRefusal(answer, 'invalidArgument')
    },
  )

  it('7: "Expect: 100-continue" is supported: the sandbox asks for the body and responds', async ({ sandbox, api }) => {
    const authorization = await api.signIn()
    const before = worldOf(sandbox)
    const answer = await sendBytes(
      sandbox,
      `POST /api/v1/customers HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\nx-trace-id: gone\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    )
    expect(answer.bytes).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    expect(sandbox.store.world.seq).toBe(before.seq + 1)
  })

  it('7: garbage after a valid request does not suppress its response', async ({ sandbox, api }) => {
    const authorization = await api.signIn()
    const { seq } = sandbox.store.world
    const head = `host: 127.0.0.1\r\nauthorization: ${authorization}\r\nx-trace-id: first\r\n`
    const { bytes } = await sendBytes(
      sandbox,
      `POST /api/v1/customers HTTP/1.1\r\n${head}content-length: 2\r\n\r\n{}\0\0 garbage\r\n\r\n`,
    )
    // Send one more request, so that all earlier ones have arrived.
    await api.get('/customers')
    const done = sandbox.store.world.seq > seq
    expect(bytes).toMatch(done ? /^HTTP\/1\.1 201 / : /^HTTP\/1\.1 400 /)
  })

  it('7: a body that ends before its length changes nothing', async ({ sandbox, api }) => {
    const authorization = await api.signIn()
    const before = worldOf(sandbox)
    const head = `host: 127.0.0.1\r\nauthorization: ${authorization}\r\nx-trace-id: cut\r\n`
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(sandbox.api).port), '127.0.0.1', () =>
        socket.end(`POST /api/v1/customers HTTP/1.1\r\n${head}content-length: 100\r\n\r\n{}`),
      )
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.resume()
    })
    expect((await api.get('/customers?include_initiated=true')).body.total_count).toBe(0)
    expect(worldOf(sandbox)).toEqual(before)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '8.8.8.8',
    'evil.example:4010',
    'evil.example#.localhost',
  ])('5: a request with another host name is 403/1013: Host %s', async (host) => {
    const answer = await send((head) => `GET /api/v1/customers HTTP/1.1\r\n${head.replace('127.0.0.1', host)}\r\n`)
    expectErrorShape(answer)
    expectRefusal(answer, 'notAllowed')
    expect(answer.headers.get('x-trace-id')).toBe('raw')
  })

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:80', '127.8.8.8', '[::1]:4010', 'sandbox.localhost'])(
    '5: names of the loopback range are allowed: Host %s',
    async (host) => {
      const answer = await send((head) => `GET /api/v1/customers HTTP/1.1\r\n${head.replace('127.0.0.1', host)}\r\n`)
      expect(answer.status).toBe(200)
    },
  )

  it('5: a host name of --allow-host is allowed', async () => {
    const sandbox = await startSandbox({ allow_host: ['sandbox.test'] })
    const authorization = await sandbox.client().signIn()
    const head = `authorization: ${authorization}\r\nconnection: close\r\n`
    const ask = (host: string, trace: string) =>
      sendBytes(sandbox, `GET /api/v1/customers HTTP/1.1\r\nhost: ${host}\r\nx-trace-id: ${trace}\r\n${head}\r\n`)
    expect((await ask('Sandbox.Test:8080', 'h1')).status).toBe(200)
    expectRefusal(await ask('other.test', 'h2'), 'notAllowed')
  })
})

it('7: a commit that cannot be saved (full disk) is 500/1000, changes nothing, and does not disclose the cause', async () => {
  const sandbox = await startSandbox()
  const api = sandbox.client()
  await api.get('/customers')
  const before = worldOf(sandbox)
  const full = vi.spyOn(MemoryWorldFile.prototype, 'append').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  try {
    const answer = await api.post('/customers', { email: 'olive@example.com' })
    expectErrorShape(answer)
    expectRefusal(answer, 'internal')
    expect(answer.text).not.toMatch(/ENOSPC|space|extra/)
    expect(worldOf(sandbox)).toEqual(before)
    expect(sandbox.told).toEqual([expect.stringMatching(/^Internal error: .*ENOSPC/s)])
    expect(await lastExchange(sandbox)).toMatchObject({
      status: 500,
      refusal: { key: 'internal', cause: expect.stringContaining('ENOSPC') },
    })
    // Reads still work.
    expect((await api.get('/customers?include_initiated=true')).body.total_count).toBe(0)
  } finally {
    full.mockRestore()
  }
  const { body } = await api.post('/customers', { email: 'olive@example.com' })
  expect(body).toMatchObject({ email: 'olive@example.com', status: 'initiated' })
  expect(sandbox.store.world.seq).toBe(before.seq + 1)
})

describe('7 the log of refusals', () => {
  it('7: every refusal has its key, its row of the catalogue, how to fix it and the section of its rule', async () => {
    const sandbox = await startSandbox()
    await sandbox.client().get('/customers/nobody')
    const { refusal, ...exchange } = await lastExchange(sandbox)
    const { code, title, detail, pass, section } = errors.customerNotFound
    expect(refusal).toEqual({
      stage: 'rules',
      key: 'customerNotFound',
      code,
      title,
      detail,
      extra: null,
      cause: null,
      fields: ['{uid}'],
      pass,
      section,
    })
    expect(exchange).toMatchObject({
      endpoint: 'getCustomer',
      method: 'GET',
      path: '/customers/nobody',
      status: 404,
      code: 4002,
      at: new Date(START).toISOString(),
    })
  })

  it('7: a refusal names the parts of the request that caused it, also where `extra` does not', async () => {
    const sandbox = await startSandbox({ world: 'demo' })
    const api = sandbox.client()
    const { data } = (await api.get<{ data: { uid: string }[] }>('/customers?status[]=active')).body
    const customers = data.map(({ uid }) => uid)
    const accountsOf = async (customer: string | undefined) =>
      (await api.get<{ data: Record<string, string>[] }>(`/synthetic_accounts?customer_uid=${customer}`)).body.data
    const [own, other] = await Promise.all(customers.slice(0, 2).map(accountsOf))
    const general = own!.find((one) => one.synthetic_account_category === 'general')!
    const parties = own!.filter((one) => one.synthetic_account_category === 'ach_external')
    const party = parties.find((one) => one.account_number_last_four !== '9901')!
    const transfer = {
      initiating_customer_uid: customers[0],
      source_synthetic_account_uid: general.uid,
      destination_synthetic_account_uid: party.uid,
      usd_transfer_amount: '1.00',
      ach: { ...ACH, effective_entry_date: '2026-08-14' },
    }
    const refuse = async (send: Promise<ApiResponse<unknown>>) => {
      expect((await send).status).toBeGreaterThanOrEqual(400)
      return (await lastExchange(sandbox)).refusal?.fields
    }
    const unknown = 'AbCdEfGhIjKlMnOp'
    const both = ['source_synthetic_account_uid', 'destination_synthetic_account_uid']
    for (const [change, ...fields] of [
      [{ usd_transfer_amount: undefined }, 'usd_transfer_amount'],
      [{ usd_transfer_amount: '99999999.00' }, 'usd_transfer_amount'],
      [{ source_synthetic_account_uid: unknown }, 'source_synthetic_account_uid'],
      [{ initiating_customer_uid: unknown }, 'initiating_customer_uid'],
      [{ destination_customer_uid: unknown }, 'destination_customer_uid'],
      [{ initiating_customer_uid: customers[1] }, 'initiating_customer_uid'],
      [{ destination_synthetic_account_uid: other![0]!.uid }, ...both],
      [{ destination_synthetic_account_uid: general.uid }, ...both],
      [{ ach: { ...transfer.ach, effective_entry_date: '2020-01-01' } }, 'ach.effective_entry_date'],
      [{ ach: { ...transfer.ach, sec_code: 'XYZ' } }, 'ach.sec_code'],
      [{ ach: undefined }, 'ach'],
    ] as [object, ...string[]][])
      expect(await refuse(api.post('/transfers', { ...transfer, ...change }))).toEqual(fields)
    expect(await refuse(api.get('/customers?status[]=actve'))).toEqual(['status'])
    expect(await refuse(api.get('/customers?limit=-1'))).toEqual(['limit'])
    expect(await refuse(api.get(`/transfers/${unknown}`))).toEqual(['{uid}'])
    const incomplete = { name: 'x', pool_uid: unknown }
    expect(await refuse(api.post('/synthetic_accounts', incomplete))).toEqual(['synthetic_account_type_uid'])
    expect(await refuse(api.post('/customers', { external_uid: 'demo-person-1' }))).toEqual(['external_uid'])
    const stranger = { headers: { authorization: 'auth-x' } }
    expect(await refuse(api.send('GET', '/customers', stranger))).toEqual(['authorization'])
    const authorization = await api.signIn()
    expect(await refuse(api.send('GET', '/customers', { headers: { authorization, 'x-trace-id': '' } }))).toEqual([
      'x-trace-id',
    ])
  })

  it('7: every request has one log entry, in order, with the commit number before and after it', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.post('/customers', {})
    await api.get('/nowhere')
    await api.send('GET', '/customers')
    const { seq } = sandbox.store.world
    const seen = (await exchangesOf(sandbox)).map(({ method, path, status, seq_before, seq_after }) =>
      [method, path, status, seq_before, seq_after].join(' '),
    )
    expect(seen).toEqual([
      `GET /customers 401 ${seq} ${seq}`,
      `GET /nowhere 404 ${seq} ${seq}`,
      `POST /customers 201 ${seq - 1} ${seq}`,
      `POST /auth 201 ${seq - 1} ${seq - 1}`,
    ])
  })
})
