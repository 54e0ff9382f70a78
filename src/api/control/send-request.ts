import { randomUUID } from 'node:crypto'
import type { ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { sendRequest } from '../replay/client.ts'
import { unsealText } from '../replay/record.ts'
import type { OperatorDoor } from './door.ts'

/** exchanges.send: sends an API request with a token of the Program and a new trace id, and returns its log entry. */
export async function sendOperatorRequest(
  { client, exchanges, store }: Pick<OperatorDoor, 'client' | 'exchanges' | 'store'>,
  input: MethodParsed<'exchanges.send'>,
): Promise<ExchangeDetail> {
  const { program_uid, method, path, body = '', content_type = 'application/json', anonymous } = input
  if (/^\/health(\?|$)/.test(path)) throw new ApiError('invalidArgument', 'path: requests to /health are not logged')
  const programs = await client.programs()
  const program = programs.find(({ uid }) => uid === (program_uid ?? programs[0]?.uid))
  if (!program) throw new ApiError('routeNotFound', `there is no Program ${program_uid}`)
  const trace = input.trace_id ?? randomUUID()
  const isSigningIn = method === 'POST' && /^\/auth(\?|$)/.test(path)
  const authorization = anonymous ? null : await (isSigningIn ? client.refreshToken(program) : client.token(program))
  const headers = [
    ...(authorization === null ? [] : [['authorization', authorization]]),
    ['x-trace-id', trace],
    ...(body === '' ? [] : [['content-type', content_type]]),
  ] as [string, string][]
  await sendRequest(client.api, { method, path, headers, body: unsealText(body, store.seal) }, client.run)
  const summary = exchanges.list({ limit: LATEST }).data.find(({ trace_id }) => trace_id === trace)
  const exchange = summary && exchanges.get(summary.uid)
  if (!exchange) throw new ApiError('routeNotFound', 'the request is not in the log: its length is too short for it')
  return exchange
}

/** More requests of other clients than can come between a request and its response. */
const LATEST = 1_000
