import { randomUUID } from 'node:crypto'
import type { AnsweredExchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { sendRequest } from '../replay/client.ts'
import { unsealText } from '../replay/record.ts'
import { operationOf } from '../store/commit.ts'
import { findCommit } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
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
  const summary = exchanges.list({ trace_id: trace, limit: 1 }).data[0]
  const exchange = summary && exchanges.get(summary.uid)
  if (!exchange) throw new ApiError('routeNotFound', 'the request is not in the log: its length is too short for it')
  return exchange
}

/** A request of a scenario or a replay is a part of its operation. */
export function* withOperation(store: ReadStore, exchange: ExchangeDetail): Steps<AnsweredExchange> {
  const { seq_before, seq_after } = exchange
  const commit = seq_after > seq_before ? yield* findCommit(store, seq_after) : undefined
  return { ...exchange, operation: commit ? operationOf(commit) : null }
}
