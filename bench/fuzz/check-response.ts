import { type MethodName, methods } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { ErrorBody } from '../../src/api/contract/error-body.ts'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Response } from '../support/client.ts'
import type { FuzzRequest } from './requests.ts'

/** A scenario is the operator's own text. */
const SHOWS_SCENARIOS = new Set<string | null>(['scenarios.read', 'scenarios.save', 'scenarios.run', 'scenarios.step'])

/** The first problem of a response; undefined when it is as the contract says. */
export function findProblem(request: FuzzRequest, response: Response): string | undefined {
  const { status, text } = response
  if (status >= 500) return `it is answered with ${status}: ${text.slice(0, 300)}`
  if (request.isForbidden && status < 400) return `it must be refused, but it is answered with ${status}`
  if (!SHOWS_SCENARIOS.has(request.name) && /512-?04-?88\d\d/.test(text))
    return 'a Social Security number is in the response'
  if (request.door === 'api' && String(response.headers['x-trace-id'] ?? '') !== traceOf(request))
    return 'its trace id is not echoed'
  if (request.method === 'HEAD') return undefined // A response to HEAD has no body.
  return status < 400
    ? problemOfSuccess(request, response)
    : (problemOfShape(response) ?? problemOfCode(request, response))
}

/** HTTP removes the blanks around a value. */
const traceOf = ({ headers }: FuzzRequest) => String(headers['x-trace-id'] ?? '').trim()

/** A success has the declared status and the declared body. */
function problemOfSuccess(
  { door, name, hasEditedWorld = false }: FuzzRequest,
  { status, body, text }: Response,
): string | undefined {
  if (name === null) return undefined
  const { status: due, response } =
    door === 'api'
      ? (endpoints[name as EndpointName] as Endpoint)
      : { status: 200, response: methods[name as MethodName].output }
  if (status !== due) return `it is answered with ${status} instead of ${due}`
  if (status === 204) return text === '' ? undefined : `a 204 has a body: ${text}`
  const found = response.safeParse(body)
  if (found.success) {
    const { balanced } = body as { balanced?: boolean }
    return name === 'ledger.check' && !balanced && !hasEditedWorld ? `the books do not balance: ${text}` : undefined
  }
  return `the response is not as the contract says: ${found.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`
}

const CODES = new Map(Object.values(errors).map((row) => [row.code, row]))

/** An error has the documented shape, and the status and title of its code. */
function problemOfShape({ status, body, text }: Response): string | undefined {
  const found = ErrorBody.safeParse(body)
  if (!found.success) return `an error does not have the documented shape: ${status} ${text.slice(0, 300)}`
  const [first] = found.data.errors
  const row = first && CODES.get(first.code)
  if (!first || !row) return `an error has an unknown code: ${text}`
  const isExpected = row.status === status && found.data.status === status && row.title === first.title
  return isExpected ? undefined : `an error with code ${first.code} differs from its row: ${status} ${text}`
}

/** Errors that every endpoint may give, besides those that it declares. */
const COMMON_ERRORS: readonly ErrorKey[] = [
  ...([
    'unauthorized',
    'notAllowed',
    'missingParameter',
    'duplicateTraceId',
    'invalidArgument',
    'bodyTooLarge',
  ] as const),
  ...(['unsupportedMediaType', 'routeNotFound', 'methodNotAllowed', 'tooManyRequests'] as const),
]

/** The endpoint declares the error. */
function problemOfCode({ door, name }: FuzzRequest, { body }: Response): string | undefined {
  if (door === 'control' || name === null) return undefined
  const declared = [...(endpoints[name as EndpointName] as Endpoint).errors, ...COMMON_ERRORS]
  const code = (body as ErrorBody).errors[0]!.code
  return declared.some((key) => errors[key].code === code)
    ? undefined
    : `it is refused with ${code}, which the endpoint does not declare`
}
