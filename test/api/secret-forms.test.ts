import { describe, expect } from 'vitest'
import { Redaction } from '../../src/api/http/redact.ts'
import { removeTokens } from '../../src/api/http/secret-text.ts'
import { unsealText } from '../../src/api/replay/record.ts'
import { readHar } from '../../src/api/replay/recordings/har.ts'
import { createSeal } from '../../src/api/store/seal.ts'
import { decodeAll, encodings } from '../support/encodings.ts'
import { it, startSandbox } from '../support/sandbox.ts'
import { exchangesOf, lastExchange } from './support.ts'

/** "No secret stays in the log": each form in each place of a request. */

const KEY = 'k+/ey "of" the=Program'
const seal = createSeal('test')
const redaction = new Redaction(
  () => seal,
  () => [KEY],
)

const DIGITS = '512048823'
const FORMS: Readonly<Record<string, string>> = {
  'with hyphens': '512-04-8823',
  'without hyphens': DIGITS,
  'with blanks': '512 04 8823',
  'with dots': '512.04.8823',
  'with other hyphens': '512\u201104\u20118823',
  'with slashes': '512/04/8823',
  'with underscores': '512_04_8823',
  'with tabs': '512\t04\t8823',
  'with a minus sign': '512\u221204\u22128823',
  'with thin blanks': '512\u200904\u20098823',
  'with soft hyphens': '512\u00ad04\u00ad8823',
  'with different separators': '512-04 8823',
  'with several separators': '512 - 04 - 8823',
  'as an EIN with another hyphen': '51\u20132048823',
  'as an EIN': '51-2048823',
  'with encoded hyphens': '512%2D04%2D8823',
  'with encoded blanks': '512%2004%208823',
  'behind an encoded blank': `SSN%20${DIGITS}`,
  'that was encoded twice': `ssn%253D${DIGITS}`,
  'behind letters': `SSN${DIGITS}`,
  'as a spreadsheet writes it': `${DIGITS}.0`,
  'behind the escape of a line end': `a\\n${DIGITS}`,
  'in JSON': `{"ssn":"${DIGITS}"}`,
  'in JSON in JSON': JSON.stringify(`{"ssn":"${DIGITS}"}`),
}

const holdsNumber = (text: string): boolean =>
  text.replaceAll(/[^\d]/g, '').includes(DIGITS) || (text.includes('%') && holdsNumber(decodeURIComponent(text)))
/** Seals are random letters, and are opened by a test below. */
const withoutSeals = (logged: string) => decodeURIComponent(logged).replaceAll(/sealed:[\w-]+/g, '')

const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'an unknown field': (text) => redaction.redactBody(JSON.stringify({ details: { remark: text } }), 'application/json'),
  'the name of a field': (text) => redaction.redactBody(JSON.stringify({ [text]: 1 }), 'application/json'),
  'a list': (text) => redaction.redactBody(JSON.stringify({ remarks: ['a', text] }), 'application/json'),
  'an unknown field of a form': (text) =>
    redaction.redactBody(`remark=${encodeURIComponent(text)}`, 'application/x-www-form-urlencoded'),
  'a body that cannot be parsed': (text) => redaction.redactBody(`{"remark":"${text}"`, 'application/json'),
  'a path': (text) => redaction.redactPath(`/customers/${encodeURIComponent(text)}`),
  'an unknown parameter': (text) => redaction.redactPath(`/customers?remark=${encodeURIComponent(text)}`),
  'a header': (text) => JSON.stringify(redaction.redactHeaders({ 'x-customer': text })),
  'the trace id': (text) => JSON.stringify(redaction.redactHeaders({ 'x-trace-id': text })),
}

describe.each(Object.entries(PLACES))('2.1 "The SSN is write-only": in %s', (_, redact) => {
  it.each(Object.entries(FORMS))('no number %s is logged', (_, text) => {
    expect(holdsNumber(text)).toBe(true)
    expect(holdsNumber(withoutSeals(redact(text)))).toBe(false)
  })
})

/** Places whose names the contract has, at this endpoint or at another one. Nine plain digits stay readable there. */
const DECLARED_PLACES: Readonly<Record<string, (text: string) => string>> = {
  'a declared field': (text) => redaction.redactBody(JSON.stringify({ name: text }), 'application/json'),
  'a declared field in a list': (text) =>
    redaction.redactBody(JSON.stringify({ first_name: [text] }), 'application/json'),
  'a declared field of a form': (text) =>
    redaction.redactBody(`details[first_name]=${encodeURIComponent(text)}`, 'application/x-www-form-urlencoded'),
  'a declared parameter': (text) => redaction.redactPath(`/customers?external_uid=${encodeURIComponent(text)}`),
  'an answer of the sandbox': (text) => redaction.redactText(JSON.stringify({ name: text })),
}
const HIDDEN_IN_DECLARED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FORMS).filter(([name]) => /^with (?!out)/.test(name))),
  'with en dashes': '512\u201304\u20138823',
  'with no-break spaces': '512\u00a004\u00a08823',
  'with an en dash and a no-break space': '512\u2013\u00a004\u2013\u00a08823',
}

describe.each(Object.entries(DECLARED_PLACES))('2.1 "The SSN is write-only": in %s', (_, redact) => {
  it.each(Object.entries(HIDDEN_IN_DECLARED))('no number %s is logged', (_, text) => {
    const logged = withoutSeals(redact(`is ${text} today`))
    expect(holdsNumber(logged)).toBe(false)
    expect(logged).toMatch(/is.*today/)
  })
})

/** As `auth-` and three parts, which a sandbox has signed. */
const TOKEN = `auth-eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.${Buffer.from('{"sub":"x"}').toString('base64url')}.${'c2lnbmF0dXJl'.repeat(7)}`
describe.each([...Object.entries(PLACES), ...Object.entries(DECLARED_PLACES)])(
  '5 "HMAC keys, tokens and the control key are never logged": in %s',
  (_, redact) => {
    it('no key as it is, in base64 or in hex', () => {
      for (const text of encodings(KEY)) {
        const logged = redact(`x ${text}`)
        expect(decodeAll(`${logged} ${decodeURIComponent(logged)}`), text).not.toContain('the=Program')
      }
    })

    it('no token', () => {
      expect(redact(`x ${TOKEN}`)).not.toContain('c2lnbmF0dXJl')
    })
  },
)

describe('2.1 "The SSN is write-only", 2.2 "a tax identifier number is also accepted": in a field with a similar name', () => {
  const names = ['SSN', 'Ssn', 'sssn', 'snn', 'ssm', 's_s_n', 'social_security_number', 'tax_id']
  it.each(names)('%s holds no number in the log, as JSON, a form or a query', (name) => {
    for (const number of ['284-93-6175', '284936175', '47-3190586']) {
      const form = `details[${name}]=${number}`
      for (const logged of [
        redaction.redactBody(JSON.stringify({ details: { [name]: number } }), 'application/json'),
        redaction.redactBody(JSON.stringify({ details: { [name]: [number] } }), 'application/json'),
        redaction.redactBody(`{"${name}":"${number}","${name}":null}`, 'application/json'),
        redaction.redactBody(`{"${name}":"${number}"`, 'application/json'),
        redaction.redactBody(form, 'application/x-www-form-urlencoded'),
        redaction.redactBody(form, 'application/json'),
        redaction.redactPath(`/customers?${form}`),
      ])
        expect(logged.replaceAll('-', '')).not.toContain(number.replaceAll('-', ''))
    }
  })
})

describe('what stays readable in the log', () => {
  const unchanged = (body: object) => {
    const text = JSON.stringify(body)
    expect(redaction.redactBody(text, 'application/json')).toBe(text)
  }

  it('keeps routing numbers, account numbers, amounts and uids of declared fields', () => {
    unchanged({
      name: 'Mill',
      pool_uid: 'AbC123456789deFg',
      routing_number: '021000021',
      account_number: '512048823',
      external_uid: '512048823',
      us_dollar_amount: 512048823.5,
    })
    expect(redaction.redactPath('/customers/AbC123456789deFg?external_uid=512048823')).toBe(
      '/customers/AbC123456789deFg?external_uid=512048823',
    )
  })

  it('keeps a routing number under a similar name, and amounts, times and longer numbers under unknown names', () => {
    unchanged({ routingNo: '021000021', amount_2: '512048823.00', at: 1790000000, when: '2026-11-20T09:30:00.000Z' })
    unchanged({ number: '5120488231234', phone_2: '515-555-0123', size: 123456 })
    unchanged({ id: 'deadbeef-0a1b-4c2d-8e3f-a512048823bc', digest: 'a1f512048823c0ffee' })
    unchanged({ hash: 'MTIzNDU2', picture: Buffer.from('the quick brown fox, 1234').toString('base64') })
  })

  it('seals a number, so that a replay sends the same text', () => {
    for (const text of ['512-04-8823', DIGITS, '512 04 8823', '512.04.8823', '51-2048823', 'ssn512-04-8823x']) {
      const body = JSON.stringify({ remark: `is ${text}, yes` })
      expect(unsealText(redaction.redactBody(body, 'application/json'), seal)).toBe(body)
      const path = `/customers/${encodeURIComponent(text)}`
      expect(decodeURIComponent(unsealText(redaction.redactPath(path), seal))).toBe(decodeURIComponent(path))
    }
  })
})

describe('JSON in a text', () => {
  const SECRETS = { details: { ssn: 12345, password: 'open sesame' }, external_processor_token: 'p-4711' }
  const text = JSON.stringify(SECRETS)
  const form = 'application/x-www-form-urlencoded'
  it.each<[string, string]>([
    ['a body that was stringified twice', redaction.redactBody(JSON.stringify(text), 'application/json')],
    ['and three times', redaction.redactBody(JSON.stringify(JSON.stringify(text)), 'application/json')],
    ['an unknown field', redaction.redactBody(JSON.stringify({ payload: text }), 'application/json')],
    ['a form', redaction.redactBody(`payload=${encodeURIComponent(text)}`, form)],
    ['the name of a form', redaction.redactBody(text, form)],
    ['a header', JSON.stringify(redaction.redactHeaders({ 'x-customer': text }))],
    ['a query', redaction.redactPath(`/customers?payload=${encodeURIComponent(text)}`)],
    ['a path', redaction.redactPath(`/customers/${encodeURIComponent(text)}`)],
  ])('%s holds no secret in the log', (_, logged) => {
    expect(logged).toContain('removed')
    expect(logged).not.toMatch(/12345|sesame|4711/)
  })

  it('stays as it was sent if it holds no secret', () => {
    const clean = '{ "name": "Olive",\n "list": [1.0] }'
    const body = JSON.stringify({ payload: clean, note: '[not JSON', quote: '"so"' })
    expect(redaction.redactBody(body, 'application/json')).toBe(body)
    expect(redaction.redactHeaders({ 'x-note': clean })).toEqual([['x-note', clean]])
  })

  it('is not read at great depth, nor with more than 5,000 values in all', () => {
    let deep = text
    for (let level = 0; level < 6; level++) deep = JSON.stringify(deep)
    expect(redaction.redactBody(deep, 'application/json')).toContain('[too deep]')
    const list = JSON.stringify({ password: 'open sesame', list: Array.from({ length: 2_600 }, () => 1) })
    const logged = redaction.redactBody(JSON.stringify({ first: list, second: list }), 'application/json')
    expect(logged).toMatch(/"password\\":\\"\[removed\].*characters with more than 5000 values are not logged/)
    expect(logged).not.toContain('sesame')
  })
})

describe('text that cannot be parsed', () => {
  const wide = (text: string) => Buffer.from(text, 'utf16le').toString()
  it.each([
    ['in UTF-16', wide(`{"ssn":"${DIGITS}"}`)],
    ['with escaped hyphens', '{"ssn":"512\\u201304\\u20138823"'],
    ['with encoded hyphens', 'ssn: 512%E2%80%9304%E2%80%938823'],
    ['of escaped digits', `{"ssn":"${[...DIGITS].map((digit) => `\\u003${digit}`).join('')}"`],
  ])('%s is masked', (_, text) => {
    const logged = redaction.redactBody(text, 'application/json')
    expect(logged).toContain('[masked]')
    expect(holdsNumber(decodeURIComponent(logged).replaceAll('\0', ''))).toBe(false)
  })

  it('stays as it was sent if it holds no secret', () => {
    for (const text of [wide('{"name":"Mill"}'), '{"name":"\\u00e9%20\\u0000"', 'a%2Db'])
      expect(redaction.redactBody(text, 'application/json')).toBe(text)
    for (const query of ['%7B%22name%22%3A%22a%26b%22%7D', '%22a%26b%22=1', '{"name":"Mill"}'])
      expect(redaction.redactPath(`/customers?${query}`)).toBe(`/customers?${query}`)
  })
})

describe('tokens', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
  it.each([
    [token, '[token removed]'],
    [`auth-${token}`, '[token removed]'],
    [`x.y.${token}.z`, 'x.y.[token removed]'],
    [`a=${token}&b=${token}`, 'a=[token removed]&b=[token removed]'],
    [`eyJ.${token}`, 'eyJ.[token removed]'],
    [`"\\n${token}"`, '"\\n[token removed]"'],
    [`"\\u0001auth-${token}"`, '"\\u0001[token removed]"'],
    ['{"jwe":"eyJhbGci..iv.c2lwaGVy.dGFn"}', '{"jwe":"[token removed]"}'],
    ['eyJhbGci.eyJzdWIi. And', '[token removed] And'],
    ['eyJhbGci.eyJzdWIi', 'eyJhbGci.eyJzdWIi'],
    ['eyJhbGci', 'eyJhbGci'],
  ])('%s', (text, clean) => {
    expect(removeTokens(text)).toBe(clean)
  })
})

it('5: a HAR file loses the headers that hold keys and tokens, whatever their name', () => {
  const headers = ['X-Api-Key', 'apikey', 'X-Auth-Token', 'X-Amz-Security-Token', 'X-Signature', 'Cookie', 'X-Customer']
  const { requests } = readHar(
    JSON.stringify({
      log: {
        version: '1.2',
        entries: [
          {
            startedDateTime: '2026-11-20T09:30:00.000Z',
            request: {
              method: 'GET',
              url: 'https://api.example.test/api/v1/customers',
              headers: headers.map((name) => ({ name, value: 'secret-4711' })),
            },
            response: { status: 200, headers: [], content: { size: 2, text: '{}' } },
          },
        ],
      },
    }),
  )
  const names = requests[0]!.headers.map(([name]) => name)
  expect(names).toContain('x-customer')
  expect(names.filter((name) => /key|token|signature|cookie/.test(name))).toEqual([])
})

describe('a caller without a token', () => {
  it('cannot stop the process: 1 MB of repetitive text is answered at once', { timeout: 60_000 }, async () => {
    const sandbox = await startSandbox()
    const { api } = sandbox
    for (const unit of [
      'eyJ',
      'eyJa.',
      '512-04-',
      '512048823 ',
      '%',
      'MTIz',
      '[',
      '{"a":',
      '\\u0035',
      '&a=',
      '=',
      '. ',
    ])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
        const body = unit.repeat(Math.floor((1 << 20) / unit.length))
        const before = performance.now()
        const response = await fetch(`${api}/customers`, { method: 'POST', headers: { 'content-type': type }, body })
        expect(response.status).toBe(401)
        // A quadratic pattern takes minutes.
        expect(performance.now() - before).toBeLessThan(5_000)
      }
  })

  it('logs the beginning of a long body, path, header and trace id, and how much is left out', async ({ sandbox }) => {
    const long = 'q'.repeat(6_000)
    await fetch(`${sandbox.api}/customers/${long.slice(0, 5_000)}`, {
      method: 'PUT',
      headers: { 'x-trace-id': long.slice(0, 900), 'x-note': long.slice(0, 800), 'content-type': 'application/json' },
      body: JSON.stringify({ note: long }),
    })
    const { path, trace_id, request } = await lastExchange(sandbox)
    expect(path).toMatch(/^\/customers\/q+… \(\d+ more characters are not logged\)$/)
    expect(path.length).toBeLessThan(2_200)
    expect(trace_id).toMatch(/^q{512}… \(388 more characters are not logged\)$/)
    expect(Object.fromEntries(request.headers)['x-note']).toMatch(/^q{512}… \(288 more/)
    expect(request.body).toMatch(/^\{"note":"q+… \(1915 more characters are not logged\)$/)
  })

  it('logs no part of a number that is cut off', async ({ sandbox }) => {
    await fetch(`${sandbox.api}/customers`, {
      method: 'POST',
      body: `${'q'.repeat(4_090)}512-04-8823 ${'q'.repeat(99)}`,
    })
    const { request } = await lastExchange(sandbox)
    expect(request.body).toMatch(/^q+… \(/)
  })

  it('logs no part of a number, key or token that is cut off, in whatever form', async ({ sandbox }) => {
    const { hmac_key } = sandbox.programs()[0]!
    const numbers = ['512-04-8823', '512 – 04 – 8823', '512\u00a004\u00a08823', '512_04_8823']
    const keys = [hmac_key, ...encodings(hmac_key), TOKEN]
    for (const secret of [...numbers, ...keys])
      for (const part of [4, secret.length >> 1, secret.length - 1]) {
        const before = `{"list":"${'q'.repeat(4_000)}","name":"`
        const text = `${before}${'w '.repeat(4_096)}`.slice(0, 4_096 - part - 1)
        await fetch(`${sandbox.api}/customers`, { method: 'POST', body: `${text} ${secret} ${'more '.repeat(99)}` })
        const { request } = await lastExchange(sandbox)
        const kept = request.body.slice(0, request.body.indexOf('…'))
        expect(text, `${secret} from ${part} on`).toContain(kept)
        expect(kept.length).toBeGreaterThan(3_800)
      }
  })

  it('a caller with a token has its whole body in the log', async ({ sandbox }) => {
    const body = { external_uid: 'long', details: { first_name: 'q'.repeat(9_000) } }
    await sandbox.client().call('POST', '/customers', { json: body })
    const [exchange] = (await exchangesOf(sandbox)).filter(({ endpoint }) => endpoint === 'createCustomer')
    expect(JSON.parse(exchange!.request.body)).toEqual(body)
  })
})

describe('a body with very many values', () => {
  const MOST = 5_000

  it('is read as JSON up to the limit, and not logged above it', () => {
    const bodyWith = (items: number) =>
      JSON.stringify({ password: 'open sesame', list: Array.from({ length: items }, () => 1) })
    // The body and the list count, too.
    expect(redaction.redactBody(bodyWith(MOST - 2), 'application/json')).toContain('"password":"[removed]"')
    const text = bodyWith(MOST - 1)
    // Still JSON, as the input of an action must be.
    expect(JSON.parse(redaction.redactBody(text, 'application/json'))).toBe(
      `[${text.length} characters with more than ${MOST} values are not logged]`,
    )
  })

  it('is read as a form up to the limit, and not logged above it', () => {
    const type = 'application/x-www-form-urlencoded'
    const formWith = (pairs: number) => `ssn=512-04-8823${'&a=1'.repeat(pairs - 1)}`
    expect(unsealText(redaction.redactBody(formWith(MOST), type), seal)).toBe(formWith(MOST))
    expect(redaction.redactBody(formWith(MOST + 1), type)).toMatch(/^\[\d+ characters with more than 5000 values/)
  })
})
