import { errors, isErrorKey } from '../../api/contract/errors.ts'
import type { Issue, Schema } from '../../api/contract/terms/endpoint.ts'
import { formatPath, valueAt } from './values.ts'

/** What does not fit, field by field: by the contract before a request is sent, by the refusal afterwards. */

/** By path, as `details.address.city`; the whole body is the empty path. */
export type FieldErrors = ReadonlyMap<string, string>

const PATH = /[A-Za-z_]\w*(?:\.\w+)*/g

export function findFieldErrors(schema: Schema, value: unknown): FieldErrors {
  const { success, error } = schema.safeParse(value)
  const problems = new Map<string, string>()
  if (success) return problems
  const add = (path: string, text: string) => problems.has(path) || problems.set(path, text)
  for (const issue of error.issues.flatMap((one) => meant(one, value))) {
    const [key = '', ...extra] = issue.message.split(': ')
    const text = isErrorKey(key) ? extra.join(': ') || errors[key].detail : worded(issue, value)
    const code = isErrorKey(key) ? errors[key].code : valueAt(value, issue.path as string[]) === undefined ? 1003 : 1007
    // A rule about a whole object names the fields that it is about.
    for (const part of text.split('; ')) {
      const named = isErrorKey(key) ? part.match(PATH)?.find((word) => word.includes('.')) : undefined
      add(named ?? formatPath(issue.path as string[]), `${code}: ${part}`)
    }
  }
  return problems
}

/** Of several shapes the one that the value comes nearest to is meant. */
function meant(issue: Issue, value: unknown): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length)
  if (!nearest || nearest.every(({ path }) => path.length === 0)) return [issue]
  return nearest.flatMap((inner) => meant({ ...inner, path: [...issue.path, ...inner.path] } as Issue, value))
}

function worded({ message, path }: Issue, value: unknown): string {
  if (path.length > 0 && valueAt(value, path as string[]) === undefined) return 'it is missing'
  return message.replace(/^Invalid (input|option|string): /, '')
}

/** The fields that a refusal names. */
export function findRefusedFields(extra: string | null, code: number, paths: readonly string[]): FieldErrors {
  const problems = new Map<string, string>()
  if (extra === null) return problems
  for (const part of extra.split('; ')) {
    const named: readonly string[] = part.match(PATH) ?? []
    const whole = named.filter((word) => paths.includes(word))
    const found = whole.length > 0 ? whole : paths.filter((path) => named.includes(path.split('.').at(-1)!))
    for (const path of found) problems.set(path, `${code}: ${part}`)
  }
  return problems
}
