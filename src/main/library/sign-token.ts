/** Taken before a test installs fake timers, which replace `Date`. */
const now = Date.now.bind(Date)

/** A Program as the sandbox shows it to its clients. */
export interface ProgramKey {
  readonly uid: string
  readonly name: string
  readonly hmac_key: string
}

export const toProgramKey = ({ uid, name, hmac_key }: ProgramKey): ProgramKey => ({ uid, name, hmac_key })

/** The refresh token of a Program (specification, section 3): HS512 over its uid and the real time. */
export function signRefreshToken({ uid, hmac_key }: ProgramKey): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode({ iat: Math.floor(now() / 1000), sub: uid })}`
  // Loaded on use: a command that asks for nothing signed does without.
  const { createHmac } = process.getBuiltinModule('node:crypto')
  return `${text}.${createHmac('sha512', hmac_key).update(text).digest('base64url')}`
}
