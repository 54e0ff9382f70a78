import type { ControlReply } from '../contract/control/client.ts'
import type { ErrorBody } from '../contract/error-body.ts'
import { ApiError } from '../contract/errors.ts'
import type { Program } from '../contract/resources/programs.ts'
import { firstProgram } from '../domain/seed.ts'
import { errorBody } from '../http/error-response.ts'
import { signRefreshToken } from '../http/tokens.ts'
import { toTimestamp } from '../store/clock.ts'
import { prefixOf, type SandboxClient, sendRequest } from './client.ts'
import { UnreadableRecording } from './recordings/recording.ts'

/**
 * A sandbox in another process. Without its control key there are no control methods: then the demonstration's Program
 * signs, and the clock cannot be advanced.
 */
export function connectRemote(url: string, control_key: string | undefined): SandboxClient {
  const origin = originOf(url)
  const path = new URL(url).pathname.replace(/(?<!\/)\/+$/, '')
  const prefix = prefixOf(path)
  const api = origin + (path === prefix ? `${prefix}/api/v1` : path)
  const call = async (name: string, input: unknown): Promise<ControlReply> => {
    if (control_key === undefined) return { ok: false, error: NO_KEY }
    const headers = [
      ['x-control-key', control_key],
      ['content-type', 'application/json'],
    ] as const
    const { status, body } = await sendRequest(`${origin}${prefix}/control`, {
      method: 'POST',
      path: `/${name}`,
      headers,
      body: JSON.stringify(input ?? {}),
    })
    if (status === 0) throw noAnswerAt(origin)
    return status === 200 ? { ok: true, value: JSON.parse(body) } : { ok: false, error: JSON.parse(body) as ErrorBody }
  }
  const refreshToken = (program: Program) => signRefreshToken(program, Date.now())
  return {
    api,
    call,
    refreshToken,
    async programs() {
      if (control_key === undefined) return [firstProgram]
      const reply = await call('programs.list', {})
      if (reply.ok) return (reply.value as { programs: Program[] }).programs
      const [first] = reply.error.errors
      throw new UnreadableRecording(
        `The sandbox at ${origin} refuses the control key: ${first?.extra ?? first?.detail}`,
      )
    },
    async token(program) {
      const headers = [
        ['authorization', await refreshToken(program)],
        ['x-trace-id', crypto.randomUUID()],
      ] as const
      const { status, body } = await sendRequest(api, { method: 'POST', path: '/auth', headers, body: '' })
      if (status >= 200 && status < 300) return (JSON.parse(body) as { token: string }).token
      if (status === 0) throw noAnswerAt(api)
      throw new UnreadableRecording(
        `The sandbox at ${api} refuses a token to Program ${program.uid} (${status}): set SANDBANK_CONTROL_KEY to its control key`,
      )
    },
  }
}

/** Call it before a replay, which would count an unreachable sandbox as dropped connections. */
export async function checkReachable(url: string): Promise<void> {
  const origin = originOf(url)
  const prefix = prefixOf(new URL(url).pathname)
  const { status } = await sendRequest(origin + prefix, { method: 'GET', path: '/health', headers: [], body: '' })
  if (status === 0) throw noAnswerAt(origin)
  if (status === 404 && prefix !== '')
    throw new UnreadableRecording(`The sandbox at ${origin} has no world at ${prefix}: create it with worlds.create`)
}

const noAnswerAt = (address: string) =>
  new UnreadableRecording(`Nothing answers at ${address}: start that sandbox, or leave --url out`)

const NO_KEY = errorBody(
  new ApiError('unauthorized', 'set SANDBANK_CONTROL_KEY to the control key of that sandbox'),
  toTimestamp(0),
)

function originOf(url: string): string {
  try {
    const { protocol, origin } = new URL(url)
    if (protocol === 'http:' || protocol === 'https:') return origin
  } catch {}
  throw new UnreadableRecording(`--url: the URL of a sandbox is expected, such as http://127.0.0.1:4010; found ${url}`)
}
