import type { ErrorBody } from '../contract/error-body.ts'
import { ApiError, errors, isErrorKey } from '../contract/errors.ts'
import { valueAt } from '../contract/terms/at-path.ts'
import type { Issue } from '../contract/terms/endpoint.ts'
import { fieldNamesAt, isRequiredAt } from '../contract/terms/fields.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'

/** Turns any error into one with an error body (section 7). A defect of the sandbox becomes 500/1000 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  // Express throws this for a path with invalid percent-encoding.
  if (error instanceof URIError) return new ApiError('invalidArgument', 'the path is not well-formed')
  return new ApiError('internal', undefined, error instanceof Error ? (error.stack ?? error.message) : String(error))
}

export function errorBody({ key, extra, status }: ApiError, occurred_at: Timestamp): ErrorBody {
  const { code, title, detail } = errors[key]
  return { errors: [{ code, title, detail, occurred_at, ...(extra ? { extra } : {}) }], status }
}

/** A named world that is not there, or no longer. */
export const noSuchWorld = (name: string) =>
  new ApiError('routeNotFound', `there is no world "${name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name}"`)

/** The longest name of a world. */
const MAX_NAME = 63

/**
 * Turns validation issues into an error. A schema chooses its error by using an error key as its message, optionally with
 * a colon and the text of `extra`; other issues are 1003 (missing) or 1007. With the schema, an unknown key is refused with
 * the known ones.
 */
export function toRefusal(issues: readonly Issue[], value: unknown, schema?: unknown): ApiError {
  const isAbsent = (issue: Issue) => isMissing(issue, value) || isNullInRequired(issue, value, schema)
  for (const { message, path } of issues.filter((issue) => !isNullInRequired(issue, value, schema))) {
    const [key = '', ...extra] = message.split(': ')
    if (isErrorKey(key)) return new ApiError(key, extra.join(': ') || path.join('.'), undefined, fieldsOf([{ path }]))
  }
  const missing = issues.filter(isAbsent)
  if (missing.length > 0)
    return new ApiError(
      'missingParameter',
      missing.map((issue) => `${issue.path.join('.')} ${isMissing(issue, value) ? 'is missing' : NULL}`).join('; '),
      undefined,
      fieldsOf(missing),
    )
  const expanded = issues.flatMap((issue) => expand(issue, value))
  const text = expanded.map((issue) => describe(issue, schema)).join('; ')
  return new ApiError('invalidArgument', text, undefined, fieldsOf(expanded))
}

/** Undefined if an issue is about the whole input: its text names the fields then. */
function fieldsOf(issues: readonly Pick<Issue, 'path'>[]): string[] | undefined {
  const paths = issues.map(({ path }) => path.join('.'))
  return paths.includes('') ? undefined : [...new Set(paths)]
}

/** Of several shapes, the issues of the one with the fewest, if all of its fields are there. */
function expand(issue: Issue, value: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length)
  const part = nearest && valueAt(value, issue.path)
  if (part === undefined || nearest!.some((inner) => isMissing(inner, part))) return [issue]
  return nearest!.flatMap((inner) => expand({ ...inner, path: [...issue.path, ...inner.path] }, value))
}

function describe(issue: Issue, schema?: unknown): string {
  const where = issue.path.join('.')
  const known = issue.code === 'unrecognized_keys' ? fieldNamesAt(schema, issue.path) : undefined
  const what = `${issue.message.replace(/^Invalid (input|option|string): /, '')}${known ? `; known: ${known.join(', ')}` : ''}`
  return where ? `${where}: ${what}` : what
}

const isMissing = (issue: Issue, value: unknown) => issue.path.length > 0 && valueAt(value, issue.path) === undefined

const NULL = 'cannot be null or blank'
/** To the platform a field with null is missing. */
const isNullInRequired = ({ path }: Issue, value: unknown, schema: unknown) =>
  path.length > 0 && valueAt(value, path) === null && isRequiredAt(schema, path)
