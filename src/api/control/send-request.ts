import { randomUUID } from 'node:crypto'
import type { ExchangeDetail, MethodParsed } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { sendRequest } from '../replay/client.ts'
import type { OperatorDoor } from './door.ts'

/**
 * A request of the operator's own: through the same door as everybody's, with the Program's token and a new trace id.
 * Where the access token is asked for, the token is what the Program's key signs.
 */
export async function sendOperatorRequest(
  { target, exchanges }: OperatorDoor,
  { program_uid, method, path, body = '' }: MethodParsed<'exchanges.send'>,
): Promise<ExchangeDetail> {
  if (/^\/health(\?|$)/.test(path))
    throw new ApiError('invalidArgument', 'path: what is asked of /health is not logged')
  const programs = await target.programs()
  const program = programs.find(({ uid }) => uid === (program_uid ?? programs[0]?.uid))
  if (!program) throw new ApiError('routeNotFound', `there is no Program ${program_uid}`)
  const trace = randomUUID()
  const headers = [
    ['authorization', await (asksForToken(method, path) ? target.refreshToken(program) : target.token(program))],
    ['x-trace-id', trace],
    ...(body === '' ? [] : [['content-type', 'application/json']]),
  ] as [string, string][]
  await sendRequest(target.api, { method, path, headers, body })
  const [made] = exchanges.list({ limit: LATEST }).data.filter(({ trace_id }) => trace_id === trace)
  const found = made && exchanges.get(made.uid)
  if (!found) throw new ApiError('routeNotFound', 'the request is not in the log: its length is too short for it')
  return found
}

const asksForToken = (method: string, path: string) => method === 'POST' && /^\/auth(\?|$)/.test(path)

/** Others send requests at the same time; so many do not come between a request and its answer. */
const LATEST = 1_000
