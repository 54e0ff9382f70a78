import { randomUUID } from 'node:crypto'
import type { Operations } from './contract.ts'
import { parseErrorBody, SandbankError } from './errors.ts'
import { sendRequest } from './http.ts'
import { type ProgramKey, signRefreshToken } from './sign-token.ts'

type Input<Name extends keyof Operations> = Operations[Name]['input']

/** A response of any status. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; undefined if there is none. */
  readonly body: unknown
}

export interface RequestOptions {
  /** They replace those of the client, such as `authorization` and `x-trace-id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/** A client of the API for one Program. It signs in, renews its access token and sends a new trace id with every request. */
export interface Client {
  readonly program: ProgramKey
  /**
   * Calls an operation, such as `call('GET /customers/{uid}', { uid })`. The input has the fields of the path, the query and the body.
   * Throws a SandbankError for a refusal.
   */
  call<Name extends keyof Operations>(
    operation: Name,
    ...input: Record<string, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
  ): Promise<Operations[Name]['output']>
  /** Sends any request, such as `send('POST', '/transfers', { body })`, and returns the response, also of a refusal. */
  send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>
  /** A valid access token, for other HTTP clients. */
  token(): Promise<string>
}

export function createClient(api: string, program: ProgramKey): Client {
  let token: Promise<string> | undefined
  const signIn = (): Promise<string> => {
    const signing = requestToken(api, program)
    signing.catch(() => (token = undefined))
    return (token = signing)
  }

  async function send(method: string, path: string, { headers, body }: RequestOptions = {}): Promise<ApiResponse> {
    const sendWith = async (authorization: string | undefined) => {
      const { status, text, ...rest } = await sendRequest(api + path, {
        method,
        headers: {
          'x-trace-id': randomUUID(),
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      return { status, headers: rest.headers, body: parseBody(text) }
    }
    if (headers && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
      return sendWith(undefined)
    const response = await sendWith(await (token ?? signIn()))
    return response.status === 401 ? sendWith(await signIn()) : response
  }

  async function call(operation: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { method, path, body } = toRequest(operation, input)
    const response = await send(method, path, { body })
    if (response.status < 300) return response.body
    throw new SandbankError(`${method} ${path}`, parseErrorBody(response.status, JSON.stringify(response.body) ?? ''))
  }

  return { program, send, call: call as Client['call'], token: () => token ?? signIn() }
}

/** The fields of the path go there, all others into the query of a GET, else into the body. */
function toRequest(operation: string, input: Readonly<Record<string, unknown>>) {
  const [method = '', template = ''] = operation.split(' ')
  const others = { ...input }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = others[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${operation}: the input has no ${name}, which the path needs`)
    delete others[name]
    return encodeURIComponent(value)
  })
  if (method === 'GET') return { method, path: path + formatQuery(others), body: undefined }
  return { method, path, body: Object.keys(others).length === 0 ? undefined : others }
}

function formatQuery(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

async function requestToken(api: string, program: ProgramKey): Promise<string> {
  const headers = { authorization: signRefreshToken(program), 'x-trace-id': randomUUID() }
  const { status, text } = await sendRequest(`${api}/auth`, { method: 'POST', headers })
  if (status < 300) return (JSON.parse(text) as { token: string }).token
  throw new SandbankError('POST /auth', parseErrorBody(status, text))
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
