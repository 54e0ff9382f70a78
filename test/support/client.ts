import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { expect } from 'vitest'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'

/** A client of the API as an integrator would write it: it signs in and sends trace ids. It returns errors instead of throwing. */

export interface ApiResponse<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: T
}

export interface RequestOptions {
  readonly headers?: Record<string, string | undefined>
  readonly json?: unknown
  readonly form?: string
  readonly raw?: string | Uint8Array<ArrayBuffer>
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Creates a refresh token of which every part can be wrong. */
export function sign(claims: object, key: string, { alg = 'HS512', hash = 'sha512' } = {}): string {
  const content = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

/**
 * Idle connections close before the sandbox closes them, so that no request uses a closing connection. However slow it is, there are
 * never more of them than the 500 that it accepts: further requests wait here.
 */
const agent = new Agent({ keepAlive: true, timeout: 20_000, maxSockets: 400 })

/** Uses Node's `request`, which takes half the time of `fetch`: the tests send tens of thousands of requests. */
const sendRequest = (address: string, method: string, headers: Headers, body?: string | Uint8Array) =>
  new Promise<Omit<ApiResponse, 'body'>>((resolve, reject) => {
    // Node sets no content-length for a DELETE.
    if (body !== undefined) headers.set('content-length', String(Buffer.byteLength(body)))
    const sent = request(address, { method, agent, headers: Object.fromEntries(headers) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const received = new Headers()
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) received.append(name, value)
        resolve({ status: response.statusCode!, headers: received, text: Buffer.concat(chunks).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** What is done after each refusal, for a test that runs other tests. */
export const afterRefusal: {
  work?: ((sandbox: object, trace: string | null) => Promise<void>) | undefined
} = {}

export function apiClient(
  sandbox: Pick<Sandbox, 'api' | 'programs'>,
  programIndex = 0,
  onAnswer?: (method: string, path: string, answer: Omit<ApiResponse, 'body'>) => void,
) {
  const program = sandbox.programs()[programIndex]!
  let token: Promise<string> | undefined

  /** Sends the request as it is; a header that is undefined is omitted. */
  async function send<T = Record<string, unknown>>(
    method: string,
    path: string,
    sent: RequestOptions = {},
  ): Promise<ApiResponse<T>> {
    const headers = new Headers()
    if (sent.json !== undefined) headers.set('content-type', 'application/json')
    if (sent.form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
    for (const [name, value] of Object.entries({ 'x-trace-id': randomUUID(), ...sent.headers }))
      if (value !== undefined) headers.set(name, value)
    const body = sent.json === undefined ? (sent.form ?? sent.raw) : JSON.stringify(sent.json)
    const answer = await sendRequest(sandbox.api + path, method, headers, body)
    onAnswer?.(method, path, answer)
    if (answer.status >= 400) await afterRefusal.work?.(sandbox, headers.get('x-trace-id'))
    return { ...answer, body: (answer.text === '' ? undefined : JSON.parse(answer.text)) as T }
  }

  const refreshToken = () => sign({ iat: Math.floor(Date.now() / 1000), sub: program.uid }, program.hmac_key)

  async function signIn(): Promise<string> {
    const answer = await send<{ token: string }>('POST', '/auth', { headers: { authorization: refreshToken() } })
    return answer.body.token
  }

  /** Sends the request with an access token, and signs in again when the token has expired. */
  async function call<T = Record<string, unknown>>(
    method: string,
    path: string,
    sent: RequestOptions = {},
  ): Promise<ApiResponse<T>> {
    token ??= signIn()
    const answer = await send<T>(method, path, { ...sent, headers: { authorization: await token, ...sent.headers } })
    if (answer.status !== 401 || sent.headers?.authorization !== undefined) return answer
    token = signIn()
    return send<T>(method, path, { ...sent, headers: { authorization: await token, ...sent.headers } })
  }

  return {
    program,
    send,
    call,
    refreshToken,
    signIn,
    get: <T = Record<string, unknown>>(path: string, sent?: RequestOptions) => call<T>('GET', path, sent),
    post: <T = Record<string, unknown>>(path: string, json?: unknown, sent?: RequestOptions) =>
      call<T>('POST', path, { ...(json === undefined ? {} : { json }), ...sent }),
  }
}

/** Checks the status, code, title and detail of a refusal, and its `extra` if given. */
export function expectRefusal(answer: ApiResponse<unknown>, key: ErrorKey, extra?: string | RegExp) {
  const { status, code, title, detail } = errors[key]
  const body = answer.body as ErrorBody
  expect({ status: answer.status, body }).toEqual({
    status,
    body: {
      status,
      errors: [
        {
          code,
          title,
          detail,
          occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ...(body.errors[0] && 'extra' in body.errors[0] ? { extra: expect.any(String) } : {}),
        },
      ],
    },
  })
  if (typeof extra === 'string') expect(body.errors[0]?.extra).toBe(extra)
  if (extra instanceof RegExp) expect(body.errors[0]?.extra).toMatch(extra)
}
