import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, vi } from 'vitest'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { type ApiResponse, apiClient, expectRefusal, sign } from '../support/client.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'
import { addProgram, advance, configure, hintsOf, lastExchange, worldOf } from './support.ts'

type Client = ReturnType<typeof apiClient>
const seconds = (ms: number) => Math.floor(ms / 1000)
const realNow = () => seconds(Date.now())
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const auth = (api: Client, authorization: string | undefined) =>
  api.send<{ token: string }>('POST', '/auth', { headers: { authorization } })
const list = (api: Client, authorization: string | undefined) =>
  api.send('GET', '/customers', { headers: { authorization } })

afterEach(() => {
  vi.useRealTimers()
})

describe('4.2 POST /auth', () => {
  it('4.2: "Response 201, JSON: { token: string }", and nothing else', async ({ api }) => {
    const answer = await auth(api, api.refreshToken())
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({ token: expect.any(String) })
  })

  it('4.2: the token is "a string beginning with `auth-` followed by a JWS"', async ({ api }) => {
    const { body } = await auth(api, api.refreshToken())
    expect(body.token).toMatch(/^auth-[\w-]+\.[\w-]+\.[\w-]+$/)
    const [header] = body.token.slice('auth-'.length).split('.')
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toMatchObject({ alg: 'HS512' })
  })

  it('4.2: "The whole value goes into the `Authorization` header of later requests"', async ({ api }) => {
    const token = await api.signIn()
    expect((await list(api, token)).status).toBe(200)
    expectRefusal(await list(api, token.slice('auth-'.length)), 'unauthorized')
  })

  it('4: POST /auth too needs "the header `x-trace-id`", and its answer echoes it', async ({ api }) => {
    const authorization = api.refreshToken()
    const echoed = await api.send('POST', '/auth', { headers: { authorization, 'x-trace-id': 'auth-trace' } })
    expect(echoed.headers.get('x-trace-id')).toBe('auth-trace')
    const missing = await api.send('POST', '/auth', { headers: { authorization, 'x-trace-id': undefined } })
    expectRefusal(missing, 'missingParameter', /x-trace-id/)
  })

  it('4.2: the refresh token is in the header; a body is ignored', async ({ api }) => {
    const answer = await api.send('POST', '/auth', {
      headers: { authorization: api.refreshToken(), 'content-type': 'application/json' },
      raw: '{ this is no JSON',
    })
    expect(answer.status).toBe(201)
  })

  it('4.2: exchanging a token does not change the world: no commit, no uid', async ({ sandbox }) => {
    const before = worldOf(sandbox)
    await sandbox.client().signIn()
    expect(worldOf(sandbox)).toEqual(before)
  })
})

describe('5 the refresh token', () => {
  it('5.2: a JWT "whose claims are `iat` and `sub`", signed "using HS512", is taken; `typ` may be missing', async () => {
    const api = (await startSandbox()).client()
    const content = `${base64url({ alg: 'HS512' })}.${base64url({ iat: realNow(), sub: api.program.uid })}`
    const jws = `${content}.${createHmac('sha512', api.program.hmac_key).update(content).digest('base64url')}`
    expect((await auth(api, jws)).status).toBe(201)
  })

  it('5.1: the key is used as UTF-8 bytes and never decoded as base64 or hex', async ({ sandbox }) => {
    configure(sandbox, { hmac_key: 'Schlüssel – clé – 鍵, und 32 Zeichen lang' })
    const api = apiClient(sandbox)
    expect((await auth(api, api.refreshToken())).status).toBe(201)
    configure(sandbox, { hmac_key: Buffer.from('a key of thirty-two bytes, or so').toString('hex') })
    const decoded = sign({ iat: realNow(), sub: api.program.uid }, 'a key of thirty-two bytes, or so')
    expectRefusal(await auth(api, decoded), 'unauthorized')
  })

  // Mock only Date, so that the real clock does not advance during a test.
  describe.each([
    ['the real clock', () => Date.now()],
    ['the simulated clock', () => START],
  ])('5.3: by %s', (_clock, now) => {
    it.each([-30, -1, 0, 1, 30])(
      '"a difference of 30 seconds is tolerated for clock skew": %i s off is taken',
      async (off) => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-03-04T05:06:07.000Z') })
        const api = (await startSandbox()).client()
        const answer = await auth(api, sign({ iat: seconds(now()) + off, sub: api.program.uid }, api.program.hmac_key))
        expect(answer.status).toBe(201)
      },
    )

    it.each([-3600, -31, 31, 3600])('"The `iat` must be current": %i s off is refused', async (off) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-03-04T05:06:07.000Z') })
      const sandbox = await startSandbox()
      const api = sandbox.client()
      const answer = await auth(api, sign({ iat: seconds(now()) + off, sub: api.program.uid }, api.program.hmac_key))
      expectRefusal(answer, 'unauthorized')
      expect((await lastExchange(sandbox)).refusal?.cause).toMatch(/iat.*30 s are tolerated/)
    })
  })

  it('5.3: "The `iat` must be current" by either clock, at any simulated time', async ({ sandbox, api }) => {
    await advance(sandbox, 'P400D')
    expect((await auth(api, api.refreshToken())).status).toBe(201)
    const simulated = seconds(sandbox.store.clock.now())
    const { uid, hmac_key } = api.program
    expect((await auth(api, sign({ iat: simulated, sub: uid }, hmac_key))).status).toBe(201)
    expectRefusal(await auth(api, sign({ iat: seconds(START), sub: uid }, hmac_key)), 'unauthorized')
  })
})

describe('5 refused authentication', () => {
  const flipped = (jws: string) => jws.slice(0, -4) + (jws.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  const forged = (jws: string, claims: object) => {
    const [header, , signature] = jws.split('.')
    return `${header}.${base64url(claims)}.${signature}`
  }
  const claimsOf = (api: Client) => ({ iat: realNow(), sub: api.program.uid })
  type Made = (api: Client, other: Client) => string | undefined
  /** A refresh token of these claims, with the right key. */
  const signed =
    (claims: (api: Client) => object, how: Parameters<typeof sign>[2] = {}): Made =>
    (api) =>
      sign(claims(api), api.program.hmac_key, how)
  const iat = (value: () => unknown) => signed((api) => ({ iat: value(), sub: api.program.uid }))

  /** Invalid refresh tokens, with the reason that the window shows. */
  const refreshTokens: [string, Made, RegExp][] = [
    ['no header', () => undefined, /Authorization header is missing/],
    ['an empty header', () => '', /Authorization header is missing/],
    ['a word', () => 'letmein', /no JWS/],
    ['two parts', (api) => api.refreshToken().split('.').slice(0, 2).join('.'), /no JWS/],
    ['claims that are no JSON', (api) => api.refreshToken().replace(/\.[^.]+\./, '.bm8ganNvbg.'), /no JWS/],
    ['the wrong key', (api) => sign(claimsOf(api), 'the wrong key'), /signature does not match/],
    ['alg none', (api) => `${base64url({ alg: 'none' })}.${base64url(claimsOf(api))}.`, /"none"; only HS512/],
    ['HS256', signed(claimsOf, { alg: 'HS256', hash: 'sha256' }), /"HS256"; only HS512/],
    ['HS384', signed(claimsOf, { alg: 'HS384', hash: 'sha384' }), /"HS384"; only HS512/],
    ['HS256 that calls itself HS512', signed(claimsOf, { hash: 'sha256' }), /signature does not match/],
    ['HS512 that calls itself RS512', signed(claimsOf, { alg: 'RS512' }), /"RS512"; only HS512/],
    ['no iat', signed((api) => ({ sub: api.program.uid })), /claim iat is missing/],
    ['no sub', signed(() => ({ iat: realNow() })), /claim sub is missing/],
    ['no claim at all', signed(() => ({})), /claim sub is missing/],
    ['iat as text', iat(() => String(realNow())), /iat is not a number/],
    ['iat null', iat(() => null), /claim iat/],
    ['iat in milliseconds', iat(() => Date.now()), /iat is in milliseconds/],
    // Each is far off the other clock.
    ['iat 31 s before the real clock', iat(() => realNow() - 31), /iat is \d+ s off/],
    ['iat an hour after the real clock', iat(() => realNow() + 3600), /iat is \d+ s off/],
    ['iat 31 s before the simulated clock', iat(() => seconds(START) - 31), /iat is \d+ s off/],
    ['iat 31 s after the simulated clock', iat(() => seconds(START) + 31), /iat is \d+ s off/],
    ['an exp that has passed', signed((api) => ({ ...claimsOf(api), exp: 1_000_000_000 })), /expired/],
    ['a sub that no Program has', signed(() => ({ iat: realNow(), sub: 'nobody' })), /no Program/],
    ['a sub that is no text', signed(() => ({ iat: realNow(), sub: 7 })), /no Program/],
    ['a sub of the prototype', signed(() => ({ iat: realNow(), sub: '__proto__' })), /no Program/],
    [
      "another Program's key",
      (api, other) => sign(claimsOf(api), other.program.hmac_key),
      /does not match the HMAC key/,
    ],
    [
      "a sub changed to another Program's",
      (api, other) => forged(api.refreshToken(), { iat: realNow(), sub: other.program.uid }),
      /signature does not match the HMAC key/,
    ],
    ['a changed signature', (api) => flipped(api.refreshToken()), /signature does not match/],
    ['no signature', (api) => api.refreshToken().replace(/[^.]+$/, ''), /signature|malformed/],
    ['another prefix', (api) => `Token ${api.refreshToken()}`, /begins with "Token "; send the signed JWS/],
    ['the prefix "custom" alone', () => 'custom', /no JWS/],
  ]

  const accessOf = (api: Client) => ({ sub: api.program.uid, jti: 'x', exp: 99_999_999_999 })

  /** Invalid access tokens. */
  const accessTokens: [string, (token: string, api: Client) => string | undefined, RegExp][] = [
    ['no header', () => undefined, /Authorization header is missing/],
    ['an empty header', () => '', /Authorization header is missing/],
    ['a word', () => 'letmein', /does not begin with auth-/],
    ['the prefix alone', () => 'auth-', /malformed/],
    ['the prefix and a word', () => 'auth-letmein', /malformed/],
    ['the JWS without its prefix', (token) => token.slice(5), /does not begin with auth-/],
    ['another prefix', (token) => `Token ${token}`, /begins with "Token "; send the token itself/],
    ['a long prefix', (token) => `${'x'.repeat(30)} ${token}`, /begins with "x{20} "/],
    ['two prefixes', (token) => `custom Bearer ${token}`, /begins with "Bearer "/],
    ['the prefix in capitals', (token) => `AUTH-${token.slice(5)}`, /does not begin with auth-/],
    ['the refresh token', (_token, api) => api.refreshToken(), /does not begin with auth-/],
    ['the refresh token behind the prefix', (_token, api) => `auth-${api.refreshToken()}`, /signature does not match/],
    ['a changed signature', (token) => flipped(token), /signature does not match/],
    ['a letter more', (token) => `${token}A`, /signature does not match|malformed/],
    ['changed claims', (token, api) => `auth-${forged(token.slice(5), accessOf(api))}`, /signature does not match/],
    [
      'alg none',
      (_token, api) => `auth-${base64url({ alg: 'none' })}.${base64url(accessOf(api))}.`,
      /"none"; only HS512/,
    ],
    [
      "the Program's own key instead of the sandbox's",
      (_token, api) => `auth-${sign(accessOf(api), api.program.hmac_key)}`,
      /signature does not match/,
    ],
    [
      'HS256',
      (_token, api) => `auth-${sign(accessOf(api), 'k', { alg: 'HS256', hash: 'sha256' })}`,
      /"HS256"; only HS512/,
    ],
  ]

  async function expectRefused(sandbox: Sandbox, answer: ApiResponse<unknown>, before: unknown, cause: RegExp) {
    expectRefusal(answer, 'unauthorized')
    expect(answer.text, 'the response does not reveal the cause').not.toContain('extra')
    expect(worldOf(sandbox)).toEqual(before)
    const { refusal, status, code } = await lastExchange(sandbox)
    expect({ status, code, stage: refusal?.stage, key: refusal?.key }).toEqual({
      status: 401,
      code: 1004,
      stage: 'token',
      key: 'unauthorized',
    })
    expect(refusal?.cause).toMatch(cause)
  }

  it.each(refreshTokens)(
    '5: %s instead of the refresh token is 401/1004, and the window shows why',
    async (_, made, cause) => {
      const sandbox = await startSandbox()
      const other = addProgram(sandbox)
      const api = sandbox.client()
      const before = worldOf(sandbox)
      await expectRefused(sandbox, await auth(api, made(api, other)), before, cause)
    },
  )

  it('5: an access token is refused in place of a refresh token', async ({ sandbox, api }) => {
    const token = await api.signIn()
    await expectRefused(sandbox, await auth(api, token), worldOf(sandbox), /access token was sent/)
  })

  it.each(accessTokens)(
    '5.4: %s instead of the access token is 401/1004, and the window shows why',
    async (_, made, cause) => {
      const sandbox = await startSandbox()
      const api = sandbox.client()
      const token = await api.signIn()
      // Use a valid token first: its cache entry must not accept the invalid one.
      expect((await list(api, token)).status).toBe(200)
      await expectRefused(sandbox, await list(api, made(token, api)), worldOf(sandbox), cause)
    },
  )

  it("5.4: another sandbox's token is refused", async () => {
    const [one, two] = [await startSandbox(), await startSandbox()]
    const foreign = await two.client().signIn()
    await expectRefused(one, await list(one.client(), foreign), worldOf(one), /another sandbox issued it/)
  })

  it('5: every cause has the same response body and the same headers', async ({ sandbox }) => {
    const other = addProgram(sandbox)
    const api = sandbox.client()
    const token = await api.signIn()
    const answers: ApiResponse<unknown>[] = []
    for (const [, made] of refreshTokens) answers.push(await auth(api, made(api, other)))
    for (const [, made] of accessTokens) answers.push(await list(api, made(token, api)))
    const seen = answers.map(({ status, text, headers }) => {
      const others = Object.fromEntries(headers)
      for (const own of ['date', 'x-trace-id']) delete others[own]
      return JSON.stringify({ status, text, others })
    })
    expect(new Set(seen).size).toBe(1)
  })
})

describe('5 the access token', () => {
  // Only Date is mocked: it is the real clock of the sandbox.
  const mockRealClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-03-04T05:00:00.000Z') })
  const passReal = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)
  const expOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number; exp: number }).exp

  it('5.4: "The token is valid for up to 8 hours", by the real clock, whatever time is simulated', async () => {
    mockRealClock()
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const token = await api.signIn()
    expect(expOf(token)).toBe(realNow() + 8 * 3600)
    await advance(sandbox, 'P30D')
    expect((await list(api, token)).status).toBe(200)
    passReal(7.999)
    expect((await list(api, token)).status).toBe(200)
    passReal(0.001)
    expectRefusal(await list(api, token), 'unauthorized')
    expect((await lastExchange(sandbox)).refusal?.cause).toBe('the token expired at 2031-03-04T13:00:00.000Z')
    expect((await list(api, await api.signIn())).status).toBe(200)
  })

  it('5.4: the `exp` of a token is 8 hours ahead of the client also when the simulated clock is behind', async () => {
    const api = (await startSandbox({ start: Date.parse('2020-01-01T00:00:00.000Z') })).client()
    expect(expOf(await api.signIn()) - realNow()).toBeGreaterThan(7 * 3600)
  })

  it('5.4: with token_clock simulated, "The token is valid for up to 8 hours" of simulated time', async () => {
    const sandbox = await startSandbox()
    configure(sandbox, { token_clock: 'simulated' })
    const api = sandbox.client()
    const token = await api.signIn()
    expect((await list(api, token)).status).toBe(200)
    await advance(sandbox, 'PT7H59M59S')
    expect((await list(api, token)).status).toBe(200)
    await advance(sandbox, 'PT1S')
    expectRefusal(await list(api, token), 'unauthorized')
    expect((await lastExchange(sandbox)).refusal?.cause).toMatch(/expired at 2026-08-14T22:00:00\.000Z/)
  })

  it('5.5: "A new token requested within the 8 hours is issued and does not invalidate the earlier one"', async () => {
    const api = (await startSandbox()).client()
    const [first, second] = [await api.signIn(), await api.signIn()]
    expect(second).not.toBe(first)
    expect((await list(api, first)).status).toBe(200)
    expect((await list(api, second)).status).toBe(200)
  })

  it('5.5: "Both work until their own expiry"', async () => {
    mockRealClock()
    const api = (await startSandbox()).client()
    const first = await api.signIn()
    passReal(4)
    const second = await api.signIn()
    passReal(4)
    expectRefusal(await list(api, first), 'unauthorized')
    expect((await list(api, second)).status).toBe(200)
    passReal(4)
    expectRefusal(await list(api, second), 'unauthorized')
  })

  it('5.4: a token stays valid after a restart, for the rest of its 8 hours', async () => {
    mockRealClock()
    const data = mkdtempSync(join(tmpdir(), 'sandbank-auth-'))
    try {
      const first = await startSandbox({ data, seed: 'test', start: START })
      const token = await first.client().signIn()
      await first.close()
      const again = await startSandbox({ data })
      expect((await list(again.client(), token)).status).toBe(200)
      passReal(8)
      expectRefusal(await list(again.client(), token), 'unauthorized')
      await again.close()
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  })

  it('tokens.expire ends the tokens of one Program at once; new ones are issued; an undo brings them back', async () => {
    const sandbox = await startSandbox()
    const other = addProgram(sandbox)
    const api = sandbox.client()
    const [token, foreign] = [await api.signIn(), await other.signIn()]
    expect((await list(api, token)).status).toBe(200)
    const { seq } = sandbox.store.world
    expect(await sandbox.call('tokens.expire', { uid: api.program.uid })).toMatchObject({
      ok: true,
      value: { uid: api.program.uid },
    })
    expectRefusal(await list(api, token), 'unauthorized')
    expect((await lastExchange(sandbox)).refusal?.cause).toMatch(/^the operator has expired the access tokens/)
    expect((await list(other, foreign)).status).toBe(200)
    expect((await list(api, await api.signIn())).status).toBe(200)
    await sandbox.call('world.rewind', { seq })
    expect((await list(api, token)).status).toBe(200)
  })

  it('tokens.expire takes uid or program_uid, and refuses none, both and an unknown one', async ({ sandbox }) => {
    const other = addProgram(sandbox)
    const api = sandbox.client()
    const [token, foreign] = [await api.signIn(), await other.signIn()]
    expect(await sandbox.call('tokens.expire', { program_uid: api.program.uid })).toMatchObject({ ok: true })
    expectRefusal(await list(api, token), 'unauthorized')
    expect((await list(other, foreign)).status).toBe(200)
    const { uid } = api.program
    const oneOf = /exactly one of uid and program_uid is expected/
    for (const [input, extra] of [
      [{}, oneOf],
      [{ uid, program_uid: uid }, /program_uid/],
      [{ uid: 'uKxmLxUEiSj5h4M3' }, /there is no Program uKxmLxUEiSj5h4M3/],
    ] as const) {
      const errors = [{ extra: expect.stringMatching(extra) }]
      expect(await sandbox.call('tokens.expire', input)).toMatchObject({ ok: false, error: { errors } })
    }
    expect((await list(other, foreign)).status).toBe(200)
  })

  it.each(['custom', 'Custom', 'custom  ', 'Bearer', 'bearer  '])(
    'published clients and guides send a prefix before the token: %j is taken, with a hint, also by a strict Program',
    async (prefix) => {
      const sandbox = await startSandbox()
      configure(sandbox, { strict: true })
      const api = sandbox.client()
      const issued = await auth(api, `${prefix} ${api.refreshToken()}`)
      expect(issued.status).toBe(201)
      const answer = await list(api, `${prefix} ${issued.body.token}`)
      expect(answer.status).toBe(200)
      const hint = `Authorization: the prefix "${prefix.trim()}" was ignored; send the token alone`
      expect([issued, answer].map(hintsOf)).toEqual([[hint], [hint]])
      expect((await lastExchange(sandbox)).hinted).toEqual([{ at: 'Authorization', text: hint }])
    },
  )
})

describe('5.1 the allowlist', () => {
  const outside = { allowlist: ['10.0.0.0/8', '2001:db8::/32'] }

  it('5.1: "Requests must come from IP addresses on an allowlist set up for the Program"', async ({ sandbox, api }) => {
    const token = await api.signIn()
    configure(sandbox, outside)
    const before = worldOf(sandbox)
    expectRefusal(await auth(api, api.refreshToken()), 'notAllowed')
    expectRefusal(await list(api, token), 'notAllowed')
    const { refusal } = await lastExchange(sandbox)
    expect(refusal).toMatchObject({ stage: 'allowlist', cause: expect.stringContaining('127.0.0.1') })
    expect(worldOf(sandbox)).toEqual(before)
  })

  it('5.1: each Program has an allowlist of its own', async ({ sandbox }) => {
    const other = addProgram(sandbox, outside)
    const api = sandbox.client()
    expectRefusal(await auth(other, other.refreshToken()), 'notAllowed')
    expect((await auth(api, api.refreshToken())).status).toBe(201)
  })

  it.each([
    ['the address itself', ['127.0.0.1']],
    ['a network that holds it', ['10.0.0.0/8', '127.0.0.0/30']],
  ])('5.1: %s on the allowlist lets the caller in', async (_, allowlist) => {
    const sandbox = await startSandbox()
    configure(sandbox, { allowlist })
    const api = sandbox.client()
    expect((await auth(api, api.refreshToken())).status).toBe(201)
  })

  it('5.1: networks that the operator has allowed (--allow) may call every Program', async () => {
    const sandbox = await startSandbox({ allow: ['127.0.0.0/8'] })
    configure(sandbox, outside)
    const api = sandbox.client()
    expect((await auth(api, api.refreshToken())).status).toBe(201)
  })
})
