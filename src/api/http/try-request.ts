import type { TriedRequest, TriedResponse } from '../contract/control/requests.ts'
import { ApiError, errors } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { addDerived } from '../domain/rules/derived.ts'
import type { InProgram, Store } from '../store/store.ts'
import type { Tx } from '../store/tx.ts'
import { MAX_BODY_BYTES, parseJsonText } from './body.ts'
import { refuseHints, runRules } from './handlers.ts'
import { findHints } from './hints.ts'
import { createRoute, NO_PARAMETERS, validate } from './route.ts'

interface Trying {
  readonly store: Store
  /** Runs the tasks that are due, within the attempt. */
  readonly runDue: (inProgram: InProgram) => void
  /** What else is asked of the world after the request, before it is undone. `since`: the position of its first record. */
  readonly follow?: ((tx: Tx, inProgram: InProgram, since: number, response: unknown) => void) | undefined
}

type Request = Omit<TriedRequest, 'program_uid'>

/**
 * What a request with an access token would be answered: it is validated, its rules run, and what they write is undone. No commit, no
 * entry in the log, no trace id; a fault does not apply.
 */
export function tryRequest(trying: Trying, program_uid: Uid, request: Request): TriedResponse {
  const { endpoint, params = {} } = request
  for (const [, parameter = ''] of createRoute(endpoint).endpoint.path.matchAll(/\{(\w+)\}/g))
    if (params[parameter] === undefined) throw new ApiError('missingParameter', `params.${parameter} is missing`)
  try {
    return { ...attemptRequest(trying, program_uid, request), refused: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, title, detail } = errors[error.key]
    const { status, extra = null, cause_for_operator: cause = null } = error
    return { status, body: null, refused: { status, code, title, detail, extra, cause } }
  }
}

/** The same; a refusal is thrown. */
export function attemptRequest({ store, runDue, follow }: Trying, program_uid: Uid, request: Request) {
  const { endpoint: name, params = {}, query: queryText = '', body } = request
  const { endpoint, schemas } = createRoute(name)
  const { queries, body: bodySchema } = schemas()
  return store.attempt(program_uid, (tx, inProgram) => {
    runDue(inProgram)
    const since = store.world.counters.made
    const given = bodySchema && parseJsonText(textOf(body))
    const query = queries.parse(queryText)
    refuseHints(tx.program, [...query.hints, ...findHints(given, bodySchema ?? NO_PARAMETERS)])
    const input = { params, query: queries.validate(query), body: endpoint.body && validate(endpoint.body, given) }
    const value = endpoint.response.parse(runRules(tx, name, input, addDerived))
    follow?.(tx, inProgram, since, value)
    return { status: endpoint.status, body: value ?? null }
  })
}

/** As a client sends it. */
function textOf(body: unknown): string {
  const text = printJson(body === undefined ? {} : body)
  if (text === undefined) throw new ApiError('invalidArgument', 'body: a value that JSON can hold is expected')
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new ApiError('bodyTooLarge', `more than ${MAX_BODY_BYTES} bytes`)
  return text
}

/** Undefined for a value such as a function; a call within the process may have one. */
function printJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
