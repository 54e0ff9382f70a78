import { createHmac } from 'node:crypto'

export interface ProgramKey {
  readonly uid: string
  readonly name: string
  readonly hmac_key: string
}

/** The refresh token of a Program (specification, section 3): HS512 over its uid and the real time. */
export function signRefreshToken({ uid, hmac_key }: ProgramKey): string {
  const claims = [{ alg: 'HS512' }, { iat: Math.floor(Date.now() / 1000), sub: uid }]
  const text = claims.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha512', Buffer.from(hmac_key, 'utf8')).update(text).digest('base64url')}`
}
