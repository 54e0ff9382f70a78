import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHar } from '../../../src/api/replay/recordings/har.ts'
import { recognizeFile } from '../../../src/api/replay/recordings/recognize.ts'
import type { Recording } from '../../../src/api/replay/recordings/recording.ts'

const bytes = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name))
const fixture = (name: string): Recording => {
  const recognised = recognizeFile(bytes(name))
  if (recognised.kind !== 'har') throw new Error(`${name} was recognised as ${recognised.kind}`)
  return recognised.recording
}
const lines = ({ requests }: Recording) =>
  requests.map(({ method, path, response: answer }) => `${method} ${path} ${answer ? answer.status : 'unknown'}`)
const CUSTOMER = '5f1c1c3e-8f0a-4d55-9f0a-0d4c7a1b2c3d'
const API = 'https://sandbox.example.com/api/v1'

interface Entry {
  readonly startedDateTime?: unknown
  readonly request?: Record<string, unknown>
  readonly response?: Record<string, unknown> | null
  readonly [own: `_${string}`]: unknown
}

const entry = ({ request, ...rest }: Entry = {}) => ({
  startedDateTime: '2026-11-20T09:30:00.000Z',
  request: { method: 'GET', url: `${API}/pools`, ...request },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' } },
  ...rest,
})
const har = (...entries: unknown[]) => JSON.stringify({ log: { version: '1.2', entries } })
const one = (given: Entry) => {
  const { requests, unusable } = readHar(har(entry(given)))
  expect(unusable).toEqual([])
  return requests[0]!
}
/** Beside an entry that can be sent, so that the file as a whole is a recording. */
const whyNot = (given: Entry) => readHar(har(entry(), entry(given))).unusable

describe('files of other tools', () => {
  it("Chrome: in the order of sending, without the browser's own requests", () => {
    const recording = fixture('chrome.har')
    expect(lines(recording)).toEqual([
      'POST /customers 201',
      `GET /customers/${CUSTOMER}?limit=1 200`,
      'GET /pools unknown',
      'GET /transfers?limit=100 0',
      'GET /transactions?limit=1000 unknown',
      'GET /cards 404',
      `PATCH /customers/${CUSTOMER} 405`,
    ])
    expect(recording.unusable).toEqual([
      { at: 'entry 1', why: `no endpoint of this API: GET https://app.example.com/customers/${CUSTOMER}` },
      { at: 'entry 3', why: "a browser's preflight" },
      { at: 'entry 5', why: 'no endpoint of this API: POST https://www.google-analytics.com/g/collect' },
      { at: 'entry 6', why: "answered from the browser's cache, so that it was never sent" },
    ])
    const [made, read, , dropped] = recording.requests
    expect(made!.at).toBe('2026-11-20T09:30:01.250Z')
    expect(made!.headers.map(([name]) => name)).toEqual([
      'accept',
      'x-trace-id',
      'user-agent',
      'content-type',
      'authorization',
    ])
    expect(made!.body).toMatch(
      /^\{"email": "ana@example\.com", "details": \{"first_name": "Ana", "ssn": "9\d\d-\d\d-6789"\}\}$/,
    )
    expect(made!.response!.headers).toEqual([['content-type', 'application/json']])
    expect(JSON.parse(read!.response!.body)).toMatchObject({ uid: CUSTOMER })
    expect(dropped!.response).toEqual({ status: 0, headers: [], body: '' })
    expect(JSON.stringify(recording)).not.toContain('s3cr3t')
  })

  it('Firefox: with a byte order mark, without secrets, and a 401 stays a 401', () => {
    expect(bytes('firefox.har').subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const recording = fixture('firefox.har')
    expect(lines(recording)).toEqual([
      'POST /auth 201',
      'POST /synthetic_accounts 400',
      'GET /customers 301',
      'GET /health 200',
      'GET /openapi.json 200',
      'GET /pools 401',
    ])
    const [auth, account, , , , refused] = recording.requests
    expect(auth!.headers).toContainEqual(['authorization', '[removed]'])
    expect(auth!.response!.body).toBe('{"token":"[token removed]"}')
    expect(account!.body).toMatch(/^name=Rent\+%26\+more&account_number=X\d+1234$/)
    expect(refused!.headers.map(([name]) => name)).not.toContain('authorization')
    expect(recording.unusable).toEqual([{ at: 'entry 6', why: 'no endpoint of this API: GET moz-extension:' }])
    expect(JSON.stringify(recording)).not.toMatch(/s3cr3t|eyJ/)
  })

  it('mitmproxy: base64 in requests and responses, another base URL, an SSN that a later response refuses', () => {
    const recording = fixture('mitmproxy.har')
    expect(lines(recording)).toEqual([
      `PUT /customers/${CUSTOMER} 200`,
      'POST /customer_products 422',
      'GET /transfers 0',
    ])
    expect(recording.requests[0]!.body).toMatch(/^\{"details":\{"first_name":"Zoë","ssn":"000-\d\d-6789"\}\}$/)
    expect(recording.requests[0]!.response!.body).toBe('{}')
    expect(recording.unusable).toEqual([{ at: 'entry 3', why: 'its body is not text' }])
  })

  it('Charles: multipart forms, a query next to the address, tunnels', () => {
    const recording = fixture('charles.har')
    expect(lines(recording)).toEqual([
      'GET /transactions?status%5B%5D=settled&limit=5 200',
      'POST /synthetic_accounts 201',
      'OPTIONS /transfers 405',
    ])
    expect(recording.requests[0]!.at).toBe('2026-11-20T09:30:01.000Z')
    expect(recording.requests[1]!.body).toMatch(/^name=Rent\+%26\+more&account_number=\d+6789$/)
    expect(recording.requests[1]!.headers).toContainEqual(['content-type', 'application/x-www-form-urlencoded'])
    expect(recording.unusable).toEqual([
      { at: 'entry 1', why: "a proxy's tunnel, which is no request" },
      { at: 'entry 4', why: 'a multipart body, which this API does not take' },
      { at: 'entry 5', why: 'its body of 212 bytes was not recorded' },
    ])
  })
})

describe('an entry', () => {
  it('with only the required fields is read', () => {
    const { requests } = readHar(
      har({ startedDateTime: '2026-11-20T09:30:00Z', request: { method: 'get', url: `${API}/pools` } }),
    )
    expect(requests).toEqual([
      {
        method: 'GET',
        path: '/pools',
        headers: [['authorization', '[removed]']],
        body: '',
        response: null,
        at: '2026-11-20T09:30:00.000Z',
      },
    ])
  })

  it('null in an optional field counts as absent', () => {
    const request = { headers: null, queryString: null, postData: null, bodySize: null }
    const response = { status: 204, statusText: null, headers: null, content: null }
    expect(one({ request, response }).response).toEqual({ status: 204, headers: [], body: '' })
  })

  it('the query of the address is used, not the separate one', () => {
    expect(one({ request: { url: `${API}/pools?limit=1#a`, queryString: [{ name: 'limit', value: '2' }] } }).path).toBe(
      '/pools?limit=1',
    )
  })

  it('a 304 becomes the cached response, and conditional headers are removed', () => {
    const headers = [{ name: 'If-None-Match', value: '"1"' }]
    const response = { status: 304, content: { size: 2, text: '{}' } }
    const { headers: sent, response: answer } = one({ request: { headers }, response })
    expect(answer).toEqual({ status: 200, headers: [], body: '{}' })
    expect(sent).toEqual([['authorization', '[removed]']])
  })

  it.each([
    ['its text is missing', { status: 200, content: { size: 10 } }, null],
    ['its text is empty though it had a size', { status: 200, content: { size: 10, text: '' } }, null],
    ['its size is not known either', { status: 200, content: { size: -1 } }, null],
    ['it was empty', { status: 200, content: { size: 0 } }, { status: 200, headers: [], body: '' }],
    ['it was blocked', { status: 0, _error: 'net::ERR_FAILED' }, { status: 0, headers: [], body: '' }],
    ['there is none', null, null],
  ])('a response where %s', (_, response, answer) => {
    expect(one({ response }).response).toEqual(answer)
  })

  it('a removed token is added again, except for a 401 and if other requests have theirs', () => {
    const refused = entry({ response: { status: 401, content: { size: 0 } } })
    const signed = entry({ request: { headers: [{ name: 'Authorization', value: 'secret' }] } })
    const has = (text: string) =>
      readHar(text).requests.map(({ headers }) => headers.some(([name]) => name === 'authorization'))
    expect(has(har(entry(), refused))).toEqual([true, false])
    expect(has(har(entry(), signed))).toEqual([false, true])
  })

  it('entries of one instant stay in the order of the file', () => {
    const { requests } = readHar(har(...[3, 1, 2].map((n) => entry({ request: { url: `${API}/pools/${n}` } }))))
    expect(requests.map(({ path }) => path)).toEqual(['/pools/3', '/pools/1', '/pools/2'])
  })

  it('an internal redirect of the browser is not a request', () => {
    const response = { status: 307, headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] }
    expect(whyNot({ response })).toEqual([
      { at: 'entry 2', why: "the browser's own redirect, so that it was never sent" },
    ])
  })

  it('addresses of other schemes are named by their scheme only', () => {
    for (const [url, named] of [
      ['data:text/plain,secret', 'data:'],
      ['blob:https://a.example/secret', 'blob:'],
      ['wss://user:secret@a.example/socket?token=secret', 'wss://a.example/socket'],
      ['/pools', 'a URL without a scheme'],
      [`https://a.example/${'x'.repeat(200)}`, `https://a.example/${'x'.repeat(82)}…`],
    ] as const)
      expect(whyNot({ request: { url } })).toEqual([{ at: 'entry 2', why: `no endpoint of this API: GET ${named}` }])
  })
})

describe('an invalid HAR 1.2 file is refused with the place', () => {
  const whole = har(entry())
  const noJson = (line: number, column: number, words: string) =>
    `The HAR file is not well-formed JSON: line ${line}, column ${column}: ${words}.`
  const cut = 'the file ends here, as if it had been cut off; expected'
  const quote = 'the " that ends a text'
  it.each([
    ['cut off', whole.slice(0, 60), noJson(1, 61, `${cut} ${quote}`)],
    [
      'cut off between two entries',
      `{"log": {\n  "version": "1.2",\n  "entries": [{},`,
      noJson(3, 18, `${cut} a value`),
    ],
    ['not JSON', '{"log": {\n  "version": 1.2.3}}', noJson(2, 14, 'found 1; expected a value')],
    ['a comma too many', '{"log": {},}', noJson(1, 12, 'found }; expected a name in double quotes')],
    ['a bracket of the other kind', '{"log": [1}', noJson(1, 11, 'found }; expected a comma or ]')],
    ['a name without a colon', '{"log" 1}', noJson(1, 8, 'found 1; expected a colon')],
    ['something behind it', '{"log": {}} {}', noJson(1, 13, 'found {; expected the end of the file')],
    [
      'a line break in a text',
      '{"a": "b\nc"}',
      noJson(1, 9, `found a line break or another control character; expected ${quote}`),
    ],
    ['a list', '[1, 2]', 'The file: found a list, expected an object: no HAR file has this form.'],
    ['other JSON', '{"info": {}, "item": []}', 'log: found nothing, expected an object: no HAR file has this form.'],
    [
      'another version',
      '{"log": {"version": "1.1"}}',
      'log.version: found "1.1", expected "1.2": export it as HAR 1.2.',
    ],
    ['no entries', '{"log": {"version": "1.2"}}', 'log.entries: found nothing, expected a list.'],
    [
      'an entry without an address',
      har(entry(), entry({ request: { url: undefined } })),
      'log.entries[1].request.url: found nothing, expected a text.',
    ],
    [
      'a header of another form',
      har(entry({ request: { headers: { accept: 'secret' } } })),
      'log.entries[0].request.headers: found an object with accept, expected a list.',
    ],
    ...(
      [
        ['secret', 'a text, expected a whole number'],
        [200.5, 'a number, expected a whole number'],
        [1_000, 'a number, expected a status of HTTP'],
      ] as const
    ).map(([status, words]) => [
      `the status ${status}`,
      har(entry({ response: { status } })),
      `log.entries[0].response.status: found ${words}.`,
    ]),
    [
      'no date',
      har(entry({ startedDateTime: 'secret' })),
      'log.entries[0].startedDateTime: found a text that is not a date, expected one such as 2026-11-20T09:30:00.000Z.',
    ],
    [
      'nothing inside',
      har(),
      'The HAR file holds no requests; expected at least one request to a path of this API, such as /customers or /transfers, on any host.',
    ],
    [
      'other APIs alone',
      har(
        ...['a/x', 'b/x', 'b/y', 'c/x', 'c/y', 'c/z', 'd/x'].map((at) =>
          entry({ request: { url: `https://${at.replace('/', '.example/')}?key=secret` } }),
        ),
      ),
      'The HAR file holds nothing that can be sent again: found 7 requests, most of them to c.example (3), b.example (2), ' +
        'a.example (1); expected at least one request to a path of this API, such as /customers or /transfers, on any ' +
        'host. The first of them, entry 1: no endpoint of this API: GET https://a.example/x.',
    ],
  ])('%s', (_, text, message) => {
    expect(() => readHar(text)).toThrow(
      expect.objectContaining({ name: 'UnreadableRecording', message }) as unknown as Error,
    )
  })
})

it('a file of 20 MB is read', () => {
  const text = JSON.stringify({ details: { first_name: 'x'.repeat(900), ssn: '***-**-6789' } })
  const request = { method: 'POST', url: `${API}/customers`, postData: { mimeType: 'application/json', text } }
  const size = har(entry({ request })).length
  const count = Math.ceil((22 << 20) / size)
  const file = har(...Array.from({ length: count }, () => entry({ request })))
  expect(file.length).toBeGreaterThan(20 << 20)
  expect(readHar(file).requests).toHaveLength(count)
  expect(() => readHar(file.slice(0, -5))).toThrow('as if it had been cut off')
})
