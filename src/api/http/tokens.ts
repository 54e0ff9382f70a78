import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { Hint } from '../contract/control/exchanges.ts'
import { ApiError } from '../contract/errors.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { toTimestamp } from '../store/clock.ts'
import { readSecret, writeSecret } from '../store/secret-file.ts'
import type { Store } from '../store/store.ts'
import type { ProgramRecord } from '../store/world.ts'

/**
 * Section 5: exchanges a refresh token (a JWS that the Client signs with the Program's HMAC key) for an access token. Every
 * failure is the same 401 for the client; only the window shows the cause.
 *
 * Assumed (sibling): a failed authentication is 401/1004 with one body for every cause.
 *
 * Assumed (example): the prefix "custom ", which a published client sends to loopback hosts, is ignored; every other prefix is refused.
 *
 * Assumed (example; accepts_bearer): the prefix "Bearer ", which the newest guide of the platform shows, is ignored.
 */

const LIFETIME_S = 8 * 3600
const SKEW_S = 30
const PREFIX = 'auth-'
const IGNORED_SCHEME = /^(custom|bearer)\s+/i
const MAX_VERIFIED = 1000

export class Tokens {
  readonly #store: Store
  readonly #secret: Uint8Array
  readonly #realNow: () => number
  /** Verified access tokens by their header: verifying one again costs more than the rest of a GET. */
  readonly #verified = new Map<string, Verified>()
  readonly #world: string
  readonly #keyMarks = new Map<string, string>()

  /** All worlds of a sandbox have the same secret. `world` identifies this one. */
  constructor(store: Store, secret: Uint8Array, world: string, realNow: () => number) {
    this.#store = store
    this.#secret = secret
    this.#world = world
    this.#realNow = realNow
  }

  /**
   * The Program that signed a refresh token.
   *
   * Assumed (invented): `iat` is current when it is within 30 s of the real clock or of the simulated one.
   */
  async verifyRefresh(authorization: string | undefined): Promise<ProgramRecord> {
    const jws = readHeader(authorization)
    if (jws.startsWith(PREFIX))
      throw refuse('an access token was sent; POST /auth takes the refresh token, the signed JWS')
    refuseScheme(jws, 'the signed JWS')
    const program = this.requireProgram(claimsOf(jws).sub)
    const key = new TextEncoder().encode(program.hmac_key)
    // Clients sign with their own clock, which knows no simulated time.
    let cause: string | undefined
    for (const now of [this.#realNow(), this.#store.clock.now()]) {
      try {
        await jwtVerify(jws, key, {
          algorithms: ['HS512'],
          currentDate: new Date(now),
          maxTokenAge: 0,
          clockTolerance: SKEW_S,
          requiredClaims: ['iat', 'sub'],
        })
        return program
      } catch (error) {
        cause ??= causeOf(error, jws, program, now)
      }
    }
    throw refuse(cause ?? 'unknown')
  }

  /**
   * The `jti` makes two tokens of the same second differ.
   *
   * Assumed (invented; token_clock): a token is valid for exactly 8 hours, of real time unless the Program has `token_clock` simulated: clients
   * compare `exp` with their own clock.
   */
  async issue({ uid }: Pick<Program, 'uid'>): Promise<string> {
    const program = this.requireProgram(uid)
    const iat = Math.floor(this.#now(program) / 1000)
    const jws = await new SignJWT({ ...this.#claimsOf(program) })
      .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
      .setSubject(program.uid)
      .setIssuedAt(iat)
      .setExpirationTime(iat + LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#secret)
    return PREFIX + jws
  }

  /** The Program of a token that was verified before and still holds; undefined if it must be verified. */
  findVerified(authorization = ''): ProgramRecord | undefined {
    const known = this.#verified.get(authorization)
    const program = known && this.#store.world.collections.programs.get(known.program)
    if (program && this.#now(program) < known.expires && this.#findProblem(program, known.claims) === undefined)
      return program
    this.#verified.delete(authorization)
    return undefined
  }

  async verifyAccess(authorization: string | undefined): Promise<ProgramRecord> {
    const token = readHeader(authorization)
    if (!token.startsWith(PREFIX)) {
      refuseScheme(token, 'the token itself, which begins with auth-')
      throw refuse('the value does not begin with auth-; send the whole token that POST /auth returned')
    }
    const jws = token.slice(PREFIX.length)
    const claimed = this.#store.world.collections.programs.get(String(readClaims(jws)?.sub))
    const now = claimed ? this.#now(claimed) : this.#realNow()
    try {
      const { payload } = await jwtVerify(jws, this.#secret, {
        algorithms: ['HS512'],
        currentDate: new Date(now),
        requiredClaims: ['sub', 'exp', 'jti'],
      })
      const program = this.requireProgram(payload.sub)
      const claims = payload as unknown as Claims
      const problem = this.#findProblem(program, claims)
      if (problem !== undefined) throw refuse(problem)
      if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear()
      this.#verified.set(authorization!, { program: program.uid, expires: payload.exp! * 1000, claims })
      return program
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw refuse(causeOf(error, jws, undefined, now))
    }
  }

  #claimsOf = (program: ProgramRecord): Claims => ({
    expirations: expirationsOf(program),
    world: this.#world,
    key: this.#keyMark(program.hmac_key),
    clock: program.token_clock,
  })

  /**
   * Why a token with these claims does not hold in this world; undefined if it does.
   *
   * Assumed (invented; tokens_in_all_worlds): a token holds in every world of the sandbox whose Program has the same uid and key, because a published client keeps one
   * token for each process. The Program setting `tokens_in_all_worlds` of the world that is called turns that off. Of a Program that counts
   * simulated time tokens hold only in their world. `tokens.expire` acts on tokens in its world.
   */
  #findProblem(program: ProgramRecord, { expirations, world, key, clock }: Claims): string | undefined {
    const isOwn = world === this.#world
    // Another world may have expired its own tokens more often.
    if (isOwn ? expirations !== expirationsOf(program) : expirations < expirationsOf(program))
      return 'the operator has expired the access tokens of this Program; request a new one'
    if (isOwn) return undefined
    if (!program.tokens_in_all_worlds)
      return 'the token is of another world, and the setting tokens_in_all_worlds of this Program is off; request a new one'
    if (clock !== 'real' || program.token_clock !== 'real')
      return 'the token is of another world, and tokens of simulated time hold only in their own; request a new one'
    const keys = [program.hmac_key, ...(program.former_hmac_keys ?? [])]
    if (keys.some((one) => this.#keyMark(one) === key)) return undefined
    return 'the token is of another world, in which the Program has another key; request a new one'
  }

  /** Identifies a key to who has the secret, and tells nothing of it. */
  #keyMark(key: string): string {
    const known = this.#keyMarks.get(key)
    if (known !== undefined) return known
    const mark = createHmac('sha256', this.#secret).update(key).digest('base64url')
    this.#keyMarks.set(key, mark)
    return mark
  }

  #now = ({ token_clock }: Pick<Program, 'token_clock'>) =>
    token_clock === 'real' ? this.#realNow() : this.#store.clock.now()

  /** Throws the 401 if the world has no such Program. */
  requireProgram(uid: unknown): ProgramRecord {
    const program = typeof uid === 'string' ? this.#store.world.collections.programs.get(uid) : undefined
    if (!program)
      throw refuse(uid === undefined ? 'the claim sub is missing' : 'the claim sub names no Program of this sandbox')
    return program
  }
}

interface Claims {
  /** How often the operator had expired the Program's tokens when the token was issued. */
  readonly expirations: number
  readonly world: string
  /** The mark of the Program's key. */
  readonly key: string
  /** By which it expires. */
  readonly clock: ProgramRecord['token_clock']
}

interface Verified {
  readonly program: Uid
  readonly expires: number
  readonly claims: Claims
}

const expirationsOf = ({ token_expirations = 0 }: ProgramRecord) => token_expirations

/** Signs as a Client does: with the UTF-8 bytes of the Program's key. */
export const signRefreshToken = (program: Pick<Program, 'uid' | 'hmac_key'>, now: number): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .setSubject(program.uid)
    .setIssuedAt(Math.floor(now / 1000))
    .sign(new TextEncoder().encode(program.hmac_key))

/** The secret that signs access tokens: a file in the data folder, so that tokens survive a restart; else random. */
export function loadTokenSecret(folder: string | null): Uint8Array {
  const saved = folder === null ? undefined : readSecret(folder)
  if (saved) return saved
  const fresh = randomBytes(64)
  if (folder !== null) writeSecret(folder, fresh)
  return fresh
}

const refuse = (cause: string) => new ApiError('unauthorized', undefined, cause)

function readHeader(authorization: string | undefined): string {
  if (!authorization) throw refuse('the Authorization header is missing')
  return authorization.trim().replace(IGNORED_SCHEME, '')
}

/** Of a token that was verified. Throws if the Program accepts no such prefix. */
export function findTokenHints({ accepts_bearer }: ProgramRecord, authorization = ''): Hint[] {
  const scheme = authorization.startsWith(PREFIX) ? undefined : IGNORED_SCHEME.exec(authorization.trim())?.[1]
  if (scheme === undefined) return []
  if (!accepts_bearer && scheme.toLowerCase() === 'bearer') {
    const cause = `the value begins with "${scheme} "; send the token alone, or turn on the setting accepts_bearer of the Program`
    throw new ApiError('unauthorized', undefined, cause, undefined, { setting: 'accepts_bearer' })
  }
  return [{ at: 'Authorization', text: `Authorization: the prefix "${scheme}" was ignored; send the token alone` }]
}

const MAX_SCHEME = 20

/** Names another prefix, which is refused. */
function refuseScheme(value: string, expected: string) {
  const [scheme, ...rest] = value.split(/\s/, 2)
  if (rest.length > 0) throw refuse(`the value begins with "${scheme!.slice(0, MAX_SCHEME)} "; send ${expected}`)
}

function claimsOf(jws: string) {
  const claims = readClaims(jws)
  if (!claims) throw refuse('the Authorization header holds no JWS: three base64url parts, joined by dots')
  return claims
}

/** Without a check of the signature. */
function readClaims(jws: string) {
  try {
    return decodeJwt(jws)
  } catch {
    return undefined
  }
}

function causeOf(error: unknown, jws: string, program: ProgramRecord | undefined, now: number): string {
  if (error instanceof joseErrors.JWTExpired || error instanceof joseErrors.JWTClaimValidationFailed) {
    const { iat, exp } = error.payload
    if (error.reason === 'missing') return `the claim ${error.claim} is missing`
    if (error.claim === 'iat' && typeof iat !== 'number') return 'the claim iat is not a number'
    if (error.claim === 'iat' && iat! > 100_000_000_000)
      return 'the claim iat is in milliseconds; send seconds since the epoch'
    if (error.claim === 'iat')
      return `the claim iat is ${Math.abs(iat! - Math.floor(now / 1000))} s off; ${SKEW_S} s are tolerated, by the real or the simulated clock`
    if (error.claim === 'exp' && error.reason === 'check_failed' && isInstant(exp))
      return `the token expired at ${toTimestamp(exp * 1000)}`
    return error.message
  }
  if (error instanceof joseErrors.JOSEAlgNotAllowed || error instanceof joseErrors.JOSENotSupported)
    return `the token is signed with ${JSON.stringify(algOf(jws))}; only HS512 is accepted`
  if (error instanceof joseErrors.JWSSignatureVerificationFailed)
    return program
      ? `the signature does not match the HMAC key of Program ${program.uid}: sign with the UTF-8 bytes of the key, undecoded`
      : 'the signature does not match: the token was changed, or another sandbox issued it'
  if (error instanceof joseErrors.JOSEError) return `the token is malformed: ${error.message}`
  throw error
}

/** Whether these seconds since the epoch are an instant that a Date can hold. */
const isInstant = (seconds: unknown): seconds is number =>
  typeof seconds === 'number' && Math.abs(seconds) <= 8_640_000_000_000

function algOf(jws: string): unknown {
  try {
    return decodeProtectedHeader(jws).alg
  } catch {
    return undefined
  }
}
