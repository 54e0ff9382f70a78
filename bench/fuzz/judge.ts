import { type MethodName, methods } from '../../src/api/contract/control.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import { ErrorBody } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Answer } from '../support/caller.ts'
import type { Ask } from './asks.ts'

/** What is wrong with an answer; undefined when nothing is. */
export function judged(ask: Ask, answer: Answer): string | undefined {
  const { status, text } = answer
  if (status >= 500) return `it is answered with ${status}: ${text.slice(0, 300)}`
  if (/512-?04-?88\d\d/.test(text)) return 'a Social Security number is in the answer'
  if (ask.door === 'api' && answer.headers['x-trace-id'] !== ask.headers['x-trace-id'])
    return 'its trace id is not echoed'
  if (ask.method === 'HEAD') return undefined // Its answers have no bodies.
  return status < 400 ? unfit(ask, answer) : (unlike(answer) ?? undeclared(ask, answer))
}

/** A success is what the contract says it is. */
function unfit({ door, name }: Ask, { status, body, text }: Answer): string | undefined {
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
    return name === 'ledger.check' && !balanced ? `the books do not balance: ${text}` : undefined
  }
  return `the answer is not what the contract says: ${found.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`
}

const CODES = new Map(Object.values(errors).map((row) => [row.code, row]))

/** A refusal has the shape, the status and the words that its code has. */
function unlike({ status, body, text }: Answer): string | undefined {
  const found = ErrorBody.safeParse(body)
  if (!found.success) return `a refusal is not of the documented shape: ${status} ${text.slice(0, 300)}`
  const [first] = found.data.errors
  const row = first && CODES.get(first.code)
  if (!first || !row) return `a refusal has a code of its own: ${text}`
  const isSo = row.status === status && found.data.status === status && row.title === first.title
  return isSo ? undefined : `a refusal with ${first.code} differs from its row: ${status} ${text}`
}

/** What any endpoint may answer, besides what it declares. */
const ANYWHERE: readonly ErrorKey[] = [
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

/** The document names every refusal that an endpoint gives. */
function undeclared({ door, name }: Ask, { body }: Answer): string | undefined {
  if (door === 'control' || name === null) return undefined
  const declared = [...(endpoints[name as EndpointName] as Endpoint).errors, ...ANYWHERE]
  const code = (body as ErrorBody).errors[0]!.code
  return declared.some((key) => errors[key].code === code)
    ? undefined
    : `it is refused with ${code}, which it does not declare`
}
