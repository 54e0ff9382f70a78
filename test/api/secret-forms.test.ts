import { describe, expect, it } from 'vitest'
import { Redaction } from '../../src/api/http/redact.ts'
import { removeTokens } from '../../src/api/http/secret-text.ts'
import { unsealText } from '../../src/api/replay/record.ts'
import { readHar } from '../../src/api/replay/recordings/har.ts'
import { createSeal } from '../../src/api/store/seal.ts'
import { decodeAll, decodeRuns, encodings } from '../support/encodings.ts'
import { startSandbox } from '../support/sandbox.ts'
import { exchangesOf, lastExchange } from './support.ts'

/** "No secret stays in the log, in whatever form it is written": each form in each place of a request. */

const KEY = 'k+/ey "of" the=Program'
const seal = createSeal('test')
const redaction = new Redaction(
  () => seal,
  () => [KEY],
)

const DIGITS = '512048823'
const base64 = (text: string) => Buffer.from(text).toString('base64')
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
  'as a spreadsheet writes it': `${DIGITS}.0`,
  'as an EIN with another hyphen': '51\u20132048823',
  'with encoded hyphens': '512%2D04%2D8823',
  'with encoded blanks': '512%2004%208823',
  'with encoded digits': '%35%31%32%30%34%38%38%32%33',
  'encoded twice': '512%252D04%252D8823',
  'behind a letter': `ssn${DIGITS}`,
  'as an EIN': '51-2048823',
  'in JSON': `{"ssn":"${DIGITS}"}`,
  'in JSON in JSON': JSON.stringify({ data: JSON.stringify({ tax_id: '51-2048823' }) }),
  'in base64': base64('512-04-8823'),
  'in base64, one byte later': base64(`a${DIGITS}`),
  'in base64, two bytes later': base64(`ab${DIGITS}`),
  'in base64, with blanks': base64('x 512 04 8823 y'),
  'in base64url': Buffer.from(`{"n":"~~${DIGITS}??"}`).toString('base64url'),
  'in base64 behind other letters': `xx${base64(DIGITS)}`,
}

/** Decodes a text in every way, and says whether the number is in it. */
function holdsNumber(text: string, depth = 0): boolean {
  if (text.replaceAll(/[^\d]/g, '').includes(DIGITS)) return true
  if (depth > 2) return false
  const decoded = [safely(() => decodeURIComponent(text)), ...[0, 1, 2, 3].map((from) => decodeRuns(text, from))]
  return decoded.some((part) => part !== text && holdsNumber(part, depth + 1))
}
const safely = (read: () => string) => {
  try {
    return read()
  } catch {
    return ''
  }
}

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
    const logged = redact(text)
    // Seals are random letters, and are opened by the test below.
    expect(holdsNumber(logged.replaceAll(/sealed(?::|%3A|%253A)[\w-]+/g, ''))).toBe(false)
  })

  it('no key is logged, in any form', () => {
    const forms = [
      ...[KEY, encodeURIComponent(KEY), encodeURIComponent(encodeURIComponent(KEY)), KEY.replaceAll('+', '%2b')],
      ...['', 'a', 'ab'].flatMap((before) => [
        base64(`${before}${KEY} and more`),
        Buffer.from(`${before}${KEY}?`).toString('base64url'),
      ]),
    ]
    for (const form of forms) {
      const logged = redact(`x ${form}`)
      expect(logged).not.toContain('Program')
      expect(decodeURIComponent(logged)).not.toContain(form)
      for (const at of [0, 1, 2, 3]) expect(decodeRuns(logged, at)).not.toContain('the=Program')
    }
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
  ...Object.fromEntries(
    Object.entries(FORMS).filter(([name]) => /^with (?!out)(?!encoded digits)|^in base64/.test(name)),
  ),
  'with en dashes': '512\u201304\u20138823',
  'with no-break spaces': '512\u00a004\u00a08823',
  'with an en dash and a no-break space': '512\u2013\u00a004\u2013\u00a08823',
}

describe.each(Object.entries(DECLARED_PLACES))('2.1 "The SSN is write-only": in %s', (_, redact) => {
  it.each(Object.entries(HIDDEN_IN_DECLARED))('no number %s is logged', (_, text) => {
    expect(holdsNumber(text)).toBe(true)
    const logged = redact(`is ${text} today`)
    expect(holdsNumber(logged.replaceAll(/sealed(?::|%3A)[\w-]+/g, ''))).toBe(false)
    expect(decodeURIComponent(logged)).toMatch(/is.*today/)
  })
})

/** As `auth-` and three parts, which a sandbox has signed. */
const TOKEN = `auth-eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.${Buffer.from('{"sub":"x"}').toString('base64url')}.${'c2lnbmF0dXJl'.repeat(7)}`
describe.each([...Object.entries(PLACES), ...Object.entries(DECLARED_PLACES)])(
  '5 "HMAC keys, tokens and the control key are never logged": in %s',
  (_, redact) => {
    it.each([
      ['a key', KEY, 'the=Program'],
      ['a token', TOKEN, 'c2lnbmF0dXJl'],
    ])('%s as it is, in base64 at each alignment, and in hex', (_, secret, part) => {
      for (const text of encodings(secret)) {
        expect(decodeAll(text)).toContain(part)
        const logged = redact(`x ${text}`)
        expect(decodeAll(`${logged} ${decodeURIComponent(logged)}`), text).not.toContain(part)
      }
    })
  },
)

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
    for (const text of [
      '512-04-8823',
      DIGITS,
      '512 04 8823',
      '512.04.8823',
      '51-2048823',
      'ssn512-04-8823x',
      'a512048823b',
    ]) {
      const body = JSON.stringify({ remark: `is ${text}, yes` })
      expect(unsealText(redaction.redactBody(body, 'application/json'), seal)).toBe(body)
      const path = `/customers/${encodeURIComponent(text)}`
      expect(decodeURIComponent(unsealText(redaction.redactPath(path), seal))).toBe(decodeURIComponent(path))
    }
  })

  it('overwrites only the number in base64', () => {
    const logged = redaction.redactUnknownText(base64(`{"name":"Ann","n":"${DIGITS}","city":"Ames"}`))
    const decoded = Buffer.from(logged, 'base64').toString()
    expect(decoded).toContain('"name":"Ann"')
    expect(decoded).toContain('"city":"Ames"')
  })
})

describe('tokens', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
  it.each([
    [token, '[token removed]'],
    [`auth-${token}`, '[token removed]'],
    [`x.y.${token}.z`, 'x.y.[token removed].z'],
    [`a=${token}&b=${token}`, 'a=[token removed]&b=[token removed]'],
    [`eyJ.${token}`, 'eyJ.[token removed]'],
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

describe('tokens in base64', () => {
  const token = `eyJhbGciOiJIUzUxMiJ9.${Buffer.from('{"sub":"Hb7QmXk2Tz9LrVw4"}').toString('base64url')}.c2lnbmF0dXJlLW9mLXRoaXM`
  const decoded = (text: string) => [0, 1, 2, 3].map((from) => decodeRuns(text, from)).join(' ')

  it.each(['', 'a', 'ab', 'auth-', 'user:auth-'])('a token behind %j is overwritten in each place', (before) => {
    for (const encoding of ['base64', 'base64url'] as const)
      for (const redact of Object.values(PLACES)) {
        const text = `x ${Buffer.from(`${before}${token} and more`).toString(encoding)}`
        expect(decoded(text)).toContain('c2lnbmF0dXJl')
        expect(decoded(redact(text))).not.toContain('c2lnbmF0dXJl')
      }
  })

  it('the rest of the encoded text stays', () => {
    const logged = redaction.redactUnknownText(base64(`{"name":"Ann","key":"${token}","city":"Ames"}`))
    expect(decoded(logged)).toMatch(/"name":"Ann".*"city":"Ames"/)
  })

  it('other encoded texts stay as they are, also if they begin like a token', () => {
    for (const text of ['eyJ', 'eyJhbGciOiJIUzI1NiJ9 is a header', 'a eyJa.b', `\u00e9${'eyJ'.repeat(20)}`])
      expect(redaction.redactUnknownText(base64(text))).toBe(base64(text))
    const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * i * 31 + 7 * i) % 251)).toString('base64')
    expect(redaction.redactUnknownText(bytes)).toBe(bytes)
  })
})

describe('a body in UTF-16', () => {
  it.each(['utf16le', 'utf16be'])('has no number, token or key in the log: %s', async (encoding) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const token = await api.signIn()
    const [program] = sandbox.programs()
    const text = JSON.stringify({
      ssn: '512-04-8823',
      tax: DIGITS,
      note: `${token} ${program!.hmac_key}`,
      city: 'Ames',
    })
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    const { port } = new URL(sandbox.api)
    for (const authorization of [token, 'none']) {
      const sent = await fetch(`http://127.0.0.1:${port}/api/v1/customers`, {
        method: 'POST',
        headers: { authorization, 'x-trace-id': `${authorization.length}`, 'content-type': 'application/json' },
        body: new Uint8Array(encoding === 'utf16be' ? bytes.swap16() : bytes),
      })
      expect(sent.status).toBe(authorization === token ? 400 : 401)
      const { request } = await lastExchange(sandbox)
      const logged = request.body.replaceAll('\0', '')
      expect(logged).toContain('Ames')
      for (const secret of ['512-04-8823', DIGITS, token, program!.hmac_key]) expect(logged).not.toContain(secret)
      if (encoding === 'utf16be') bytes.swap16()
    }
  })
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

  it('logs the beginning of a long body, path, header and trace id, and how much is left out', async () => {
    const sandbox = await startSandbox()
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

  it('logs no part of a number that is cut off', async () => {
    const sandbox = await startSandbox()
    await fetch(`${sandbox.api}/customers`, {
      method: 'POST',
      body: `${'q'.repeat(4_090)}512-04-8823 ${'q'.repeat(99)}`,
    })
    const { request } = await lastExchange(sandbox)
    expect(request.body).toMatch(/^q+… \(/)
  })

  it('logs no part of a number, key or token that is cut off, in whatever form', async () => {
    const sandbox = await startSandbox()
    const { hmac_key } = sandbox.programs()[0]!
    const numbers = ['512-04-8823', '512 – 04 – 8823', '512\u00a004\u00a08823', '512_04_8823', base64('512-04-8823')]
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

  it('a caller with a token has its whole body in the log', async () => {
    const sandbox = await startSandbox()
    const body = { external_uid: 'long', details: { first_name: 'q'.repeat(9_000) } }
    await sandbox.client().call('POST', '/customers', { json: body })
    const [exchange] = (await exchangesOf(sandbox)).filter(({ endpoint }) => endpoint === 'createCustomer')
    expect(JSON.parse(exchange!.request.body)).toEqual(body)
  })
})

describe('the limit on values counts for each text', () => {
  const values = (n: number) => JSON.stringify(Array.from({ length: n }, (_, i) => `v${i}`))

  it('many texts with some values each are all redacted', () => {
    for (let n = 0; n < 50; n++) expect(redaction.redactUnknownText(values(1_000 + n))).toBe(values(1_000 + n))
  })

  it.each([
    ['an unknown text', (text: string) => redaction.redactUnknownText(text)],
    ['a path', (text: string) => redaction.redactPath(`/customers?remark=${encodeURIComponent(text)}`)],
    [
      'a form',
      (text: string) => redaction.redactBody(`remark=${encodeURIComponent(text)}`, 'application/x-www-form-urlencoded'),
    ],
    ['a body', (text: string) => redaction.redactBody(text, 'application/json')],
  ])('%s with too many values is not logged', (_name, redact) => {
    const text = JSON.stringify([...Array.from({ length: 5_001 }, () => 1), '512-04-8823', { password: 'open sesame' }])
    expect(decodeURIComponent(redact(text))).toMatch(
      /\[\d+ characters with more than 5000 values or 1000 tokens are not logged\]/,
    )
    expect(redact(text)).not.toMatch(/512-?04-?8823|open sesame/)
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
      `[${text.length} characters with more than ${MOST} values or 1000 tokens are not logged]`,
    )
  })

  it('is read as a form up to the limit, and not logged above it', () => {
    const type = 'application/x-www-form-urlencoded'
    const formWith = (pairs: number) => `ssn=512-04-8823${'&a=1'.repeat(pairs - 1)}`
    expect(unsealText(redaction.redactBody(formWith(MOST), type), seal)).toBe(formWith(MOST))
    expect(redaction.redactBody(formWith(MOST + 1), type)).toMatch(/^\[\d+ characters with more than 5000 values/)
  })
})
