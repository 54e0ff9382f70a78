import { createHmac } from 'node:crypto'

/** Tokens that must be refused. They are signed when a request is sent, because the valid ones depend on the current time. */

export interface TokenParts {
  readonly program: { readonly uid: string; readonly hmac_key: string }
  /** A valid access token of the Program. */
  readonly access: string
  readonly now: number
}

type Claims = Readonly<Record<string, unknown>>
type CreateToken = (parts: TokenParts) => string

const PREFIX = 'auth-'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(claims: unknown, key: string, { alg = 'HS512', hash = 'sha512', header = {} } = {}): string {
  const content = `${encode({ alg, typ: 'JWT', ...header })}.${encode(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

/** Empty if there is no valid token: the Program of an edited world may have another key. */
const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8') || '{}') as Claims

/** Another first character, because the last one of base64url may hold unused bits. */
const alterFirst = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)

const changeAccess =
  (change: (claims: Claims) => Claims): CreateToken =>
  ({ access }) => {
    const [header, , signature] = access.split('.')
    return `${header}.${encode(change(claimsOf(access)))}.${signature}`
  }

/** In the place of an access token. */
const accessTokens = {
  'no token': () => '',
  'a blank token': () => '   ',
  'the prefix alone': () => PREFIX,
  'two dots': () => `${PREFIX}..`,
  'a token behind another prefix': ({ access }) => `Token ${access}`,
  'a refresh token': ({ program, now }) => sign({ iat: now, sub: program.uid }, program.hmac_key),
  'signed by the Client': ({ program, access }) => PREFIX + sign(claimsOf(access), program.hmac_key),
  'signed with an empty key': ({ access }) => PREFIX + sign(claimsOf(access), ''),
  HS256: ({ program, access }) => PREFIX + sign(claimsOf(access), program.hmac_key, { alg: 'HS256', hash: 'sha256' }),
  unsigned: ({ access }) => `${PREFIX}${encode({ alg: 'none' })}.${encode(claimsOf(access))}.`,
  'another signature': ({ access }) => {
    const parts = access.split('.')
    return [parts[0], parts[1], alterFirst(parts[2] ?? '')].join('.')
  },
  'a later expiry': changeAccess((claims) => ({ ...claims, exp: Number(claims.exp) + 86_400 })),
  'another subject': changeAccess((claims) => ({ ...claims, sub: 'another' })),
  'a text as expiry': ({ program, access }) => PREFIX + sign({ ...claimsOf(access), exp: 'x' }, program.hmac_key),
  'claims that are a list': ({ program }) => PREFIX + sign([], program.hmac_key),
  'claims that are nested': ({ program }) => PREFIX + sign(nest(200), program.hmac_key),
  'a critical header': ({ program, access }) =>
    PREFIX + sign(claimsOf(access), program.hmac_key, { header: { crit: ['exp'], b64: false } }),
  'ten thousand letters': () => PREFIX + 'eyJ'.repeat(3_400),
} satisfies Record<string, CreateToken>

const signRefresh =
  (change: (claims: Claims) => unknown, options?: Parameters<typeof sign>[2]): CreateToken =>
  ({ program, now }) =>
    sign(change({ iat: now, sub: program.uid }), program.hmac_key, options)

/** In the place of a refresh token. */
const refreshTokens = {
  'refresh: an access token': ({ access }) => access,
  'refresh: expired': signRefresh((claims) => ({ ...claims, exp: 1 })),
  'refresh: an old iat': signRefresh((claims) => ({ ...claims, iat: 1 })),
  'refresh: an iat in milliseconds': signRefresh((claims) => ({ ...claims, iat: Number(claims.iat) * 1_000 })),
  'refresh: a huge iat': signRefresh((claims) => ({ ...claims, iat: 1e300 })),
  'refresh: a text as iat': signRefresh((claims) => ({ ...claims, iat: 'now' })),
  'refresh: without iat': signRefresh(({ sub }) => ({ sub })),
  'refresh: without sub': signRefresh(({ iat }) => ({ iat })),
  'refresh: a sub that is a list': signRefresh((claims) => ({ ...claims, sub: [claims.sub] })),
  'refresh: the sub __proto__': signRefresh((claims) => ({ ...claims, sub: '__proto__' })),
  'refresh: a text as exp': signRefresh((claims) => ({ ...claims, exp: 'x' })),
  'refresh: a text as nbf': signRefresh((claims) => ({ ...claims, nbf: 'x' })),
  'refresh: not valid yet': signRefresh((claims) => ({ ...claims, nbf: Number(claims.iat) + 8_000_000_000 })),
  'refresh: HS256': signRefresh((claims) => claims, { alg: 'HS256', hash: 'sha256' }),
  'refresh: unsigned': ({ program, now }) => `${encode({ alg: 'none' })}.${encode({ iat: now, sub: program.uid })}.`,
  'refresh: another key': ({ program, now }) => sign({ iat: now, sub: program.uid }, `${program.hmac_key}x`),
  'refresh: claims that are nested': signRefresh(() => nest(200)),
  'refresh: claims that are null': signRefresh(() => null),
} satisfies Record<string, CreateToken>

function nest(levels: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = { sub: value }
  return value
}

const all: Readonly<Record<string, CreateToken>> = { ...accessTokens, ...refreshTokens }
export type ForgedToken = keyof typeof accessTokens | keyof typeof refreshTokens
export const forgedAccessTokens = Object.keys(accessTokens) as ForgedToken[]
export const forgedRefreshTokens = Object.keys(refreshTokens) as ForgedToken[]

export const createForgedToken = (name: ForgedToken, parts: TokenParts): string => all[name]!(parts)
