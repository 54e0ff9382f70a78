import { ApiError, errors, isErrorKey } from '../contract/errors.ts'
import type { ErrorBody } from '../contract/openapi.ts'
import type { Issue } from '../contract/terms/endpoint.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'

/** Any failure becomes the error body of section 7; what is not the caller's fault becomes 500/1000 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  // Express and Node refuse a malformed address before it reaches any rule of ours.
  if (error instanceof URIError) return new ApiError('invalidArgument', 'the path is not well-formed')
  return new ApiError('internal', undefined, error instanceof Error ? (error.stack ?? error.message) : String(error))
}

export function errorBody({ key, extra }: ApiError, occurred_at: Timestamp): ErrorBody {
  const { status, code, title, detail } = errors[key]
  return { errors: [{ code, title, detail, occurred_at, ...(extra ? { extra } : {}) }], status }
}

/**
 * A schema names the error that it raises by giving the key as its message, with the text of `extra` behind a colon if
 * the field's name does not say enough; everything else is 1003 or 1007.
 */
export function toRefusal(issues: readonly Issue[], value: unknown): ApiError {
  for (const { message, path } of issues) {
    const [key = '', ...extra] = message.split(': ')
    if (isErrorKey(key)) return new ApiError(key, extra.join(': ') || path.join('.'))
  }
  const missing = issues.filter((issue) => isMissing(issue, value))
  if (missing.length > 0)
    return new ApiError('missingParameter', missing.map(({ path }) => `${path.join('.')} is missing`).join('; '))
  return new ApiError('invalidArgument', issues.flatMap((issue) => worded(issue, value)).join('; '))
}

function worded(issue: Issue, value: unknown): string[] {
  if (issue.code === 'invalid_union') {
    // Of several shapes the caller means the one that it comes nearest to, if it has that one's fields.
    const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length)
    const meant = nearest && at(value, issue.path)
    if (meant !== undefined && !nearest!.some((inner) => isMissing(inner, meant)))
      return nearest!.flatMap((inner) => worded({ ...inner, path: [...issue.path, ...inner.path] }, value))
  }
  const where = issue.path.join('.')
  const what = issue.message.replace(/^Invalid (input|option|string): /, '')
  return [where ? `${where}: ${what}` : what]
}

/** Whatever the schema says of what is not there: it is missing. */
const isMissing = (issue: Issue, value: unknown) => issue.path.length > 0 && at(value, issue.path) === undefined

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let node = value
  for (const step of path) node = (node as Record<PropertyKey, unknown> | null | undefined)?.[step]
  return node
}
