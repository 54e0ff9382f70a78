import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import type { ApiResponse, RequestOptions } from '../support/client.ts'
import { it, START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { exchangesOf, lastExchange, sendBytes } from './support.ts'

const SSN = '512-04-8823'
const DIGITS = '512048823'
/** All spellings of the number. */
const FORMS = [SSN, DIGITS, '512%2D04%2D8823', '512%2d04%2d8823', '512%2004%208823', '512\\u002d04\\u002d8823']
const JSON_TYPE = { 'content-type': 'application/json' }
const raw = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): RequestOptions => ({
  raw: text,
  headers,
})

/** All output about requests: the log with details, the list, the notices, and the terminal. */
async function toldBy(sandbox: TestSandbox, notices: readonly Notice[]): Promise<string> {
  const list = await sandbox.call('exchanges.list', {})
  return JSON.stringify({ full: await exchangesOf(sandbox), list, notices, told: sandbox.told })
}

/** Runs work in a sandbox with a data folder, and returns its output and the bytes of all its files. */
async function leftBehind(work: (sandbox: TestSandbox) => Promise<void>) {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-redaction-'))
  try {
    const sandbox = await startSandbox({ data, seed: 'test', start: START })
    const notices: Notice[] = []
    sandbox.subscribe((notice) => void notices.push(notice))
    await work(sandbox)
    const told = await toldBy(sandbox, notices)
    await sandbox.close()
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return {
      told,
      files: Object.fromEntries(
        files.map(({ parentPath, name }) => [
          join(parentPath, name).slice(data.length + 1),
          readFileSync(join(parentPath, name), 'latin1'),
        ]),
      ),
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

function expectNowhere(
  needles: readonly string[],
  { told, files }: Awaited<ReturnType<typeof leftBehind>>,
  isLog: (file: string) => boolean = () => true,
) {
  const logs = Object.fromEntries(Object.entries(files).filter(([file]) => isLog(file)))
  const places = { 'what the sandbox told': told, ...logs }
  // An empty folder would hide everything.
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['world.jsonl', 'changes/000000000001.jsonl']))
  const found = Object.entries(places).flatMap(([place, text]) =>
    needles.filter((needle) => text.includes(needle)).map((needle) => `${place} holds ${needle.slice(0, 24)}`),
  )
  expect(found).toEqual([])
}

describe('2.1 "The SSN is write-only": no log line, no notice and no file holds it', () => {
  it.each<[string, string, string, RequestOptions]>([
    ['JSON', 'POST', '/customers', { json: { details: { ssn: SSN } } }],
    ['JSON with escapes', 'POST', '/customers', raw('{"details":{"\\u0073sn":"512\\u002d04\\u002d8823"}}')],
    ['a number, refused for its type', 'POST', '/customers', { json: { details: { ssn: Number(DIGITS) } } }],
    ['a list, refused for its type', 'POST', '/customers', { json: { details: { ssn: [DIGITS] } } }],
    ['an object, refused for its type', 'POST', '/customers', { json: { details: { ssn: { value: DIGITS } } } }],
    ['the same field twice', 'POST', '/customers', raw(`{"details":{"ssn":"${SSN}","ssn":null}}`)],
    ['an object twice', 'POST', '/customers', raw(`{"details":{"ssn":"${SSN}"},"details":{}}`)],
    ['beside a refused field', 'POST', '/customers', { json: { email: 5, details: { ssn: SSN } } }],
    ['a form', 'POST', '/customers', { form: `details[ssn]=${SSN}` }],
    [
      'a form whose type is in capitals',
      'POST',
      '/customers',
      raw('details%5Bssn%5D=512%2D04%2D8823', { 'content-type': 'Application/X-WWW-Form-Urlencoded' }),
    ],
    [
      'a form whose type is in capitals, the number under another name',
      'POST',
      '/customers',
      raw(`note=512%2D04%2D8823&x=${SSN}`, { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED' }),
    ],
    [
      'JSON that was sent as a form, as curl -d does',
      'POST',
      '/customers',
      { form: `{"details":{"ssn":"${DIGITS}"}}` },
    ],
    ['behind the word that marks a sealed one', 'POST', '/customers', { json: { details: { ssn: `sealed:${SSN}` } } }],
    ['a query', 'GET', `/customers?ssn=${SSN}`, {}],
    ['a path', 'GET', `/customers/${SSN}`, {}],
    ['an unknown path', 'GET', `/ssn/${SSN}`, {}],
    ['a header', 'GET', '/customers', { headers: { 'x-customer': SSN } }],
    ['the trace id', 'GET', '/customers', { headers: { 'x-trace-id': `trace ${SSN}` } }],
    ['the user agent', 'GET', '/customers', { headers: { 'user-agent': `client/1 (${SSN})` } }],
    ['JSON that is cut off', 'POST', '/customers', raw(`{"details":{"ssn":"${SSN}"`)],
    ['a form said to be JSON', 'POST', '/customers', raw('details[ssn]=512%2D04%2D8823&x=1')],
    ['text', 'POST', '/customers', raw(`my number is ${SSN}`, { 'content-type': 'text/plain' })],
    [
      'bytes that are no text',
      'POST',
      '/customers',
      raw(new Uint8Array([0xff, 0xfe, ...Buffer.from(`{"ssn":"${SSN}"`), 0x80])),
    ],
    ['a body that is too large', 'POST', '/customers', raw(`{"ssn":"${SSN}","x":"${'x'.repeat(1 << 20)}"}`)],
    ['a body without a route', 'POST', '/nowhere', { json: { ssn: SSN } }],
    ['a body without a token', 'POST', '/customers', { json: { ssn: SSN }, headers: { authorization: 'x' } }],
    ['a body of GET', 'DELETE', '/customers', { json: { ssn: SSN } }],
    ['a type of content', 'POST', '/customers', raw('x', { 'content-type': `text/${SSN}` })],
  ])('2.1: %s', async (_, method, path, sent) => {
    const left = await leftBehind(async (sandbox) => {
      const answer: ApiResponse<unknown> = await sandbox.client().call(method, path, sent)
      expect((await lastExchange(sandbox)).status).toBe(answer.status)
    })
    expectNowhere(FORMS, left)
  })

  it('2.1: malformed HTTP', async () => {
    const left = await leftBehind(async (sandbox) => {
      await sendBytes(sandbox, `NONSENSE ${SSN} HTTP/1.1\r\nssn: ${SSN}\r\n\r\n`)
    })
    expectNowhere(FORMS, left)
  })

  it('2.1: equal values are equal after sealing, so a search for the same person still works', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    for (let i = 0; i < 2; i++) await api.post('/customers', { details: { ssn: SSN } })
    await api.post('/customers', { details: { ssn: '512-04-8824' } })
    const [other, second, first] = (await exchangesOf(sandbox)).map(({ request }) => request.body)
    expect(first).toMatch(/"ssn":"sealed:[\w-]+"/)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })

  it('2.1: a body without secrets is logged byte for byte', async ({ sandbox, api }) => {
    const text = '{ "email" :\t"olive@example.com",\n "n": 1.0, "n": 2e0 }'
    await api.call('POST', '/customers', raw(text))
    expect((await lastExchange(sandbox)).request.body).toBe(text)
    const form = 'email=olive%40example.com&x=+y'
    await api.call('POST', '/customers', { form })
    expect((await lastExchange(sandbox)).request.body).toBe(form)
  })

  it('2.1: ssn_last_four and other long numbers are not redacted', async ({ sandbox }) => {
    const json = { details: { ssn_last_four: '8823', phone: '5155550123' }, external_uid: '2026-08-14-0001' }
    await sandbox.client().post('/customers', json)
    const { request, response } = await lastExchange(sandbox)
    expect(JSON.parse(request.body)).toEqual(json)
    expect(JSON.parse(response.body)).toMatchObject({ details: { phone: '5155550123' } })
  })

  it('2.1: in a body that cannot be parsed the number is masked, and the rest stays readable', async ({ sandbox }) => {
    await sandbox.client().call('POST', '/customers', raw(`{"email":"olive","ssn":"${SSN}"`))
    expect((await lastExchange(sandbox)).request.body).toBe('{"email":"olive","ssn":"[masked]"')
  })
})

describe('5 "HMAC keys, tokens and the control key are never logged"', () => {
  it('5: the log shows that a request had a token', async ({ sandbox, api }) => {
    await api.get('/customers')
    const [list, auth] = await exchangesOf(sandbox)
    for (const exchange of [list, auth])
      expect(exchange?.request.headers).toContainEqual(['authorization', '[removed]'])
    expect(auth?.response.body).toBe('{"token":"[removed]"}')
  })

  it.each(['cookie', 'proxy-authorization', 'x-control-key'])(
    '5: the value of the header %s is not logged',
    async (name) => {
      const left = await leftBehind(async (sandbox) => {
        await sandbox.client().get('/customers', { headers: { [name]: 'secret-4711' } })
      })
      expectNowhere(['secret-4711'], left)
    },
  )
})
