import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import { errors, isErrorKey } from '../../api/contract/errors.ts'
import { flattenShape, type Shape, shapeOf } from '../../api/contract/shape.ts'
import type { Issue, Schema } from '../../api/contract/terms/endpoint.ts'
import { formatPath, valueAt } from './values.ts'

/** Errors by field: from the contract before a request is sent, from the error response afterwards. */

/** By path, e.g. `details.address.city`; the empty path is the whole body. */
export type FieldErrors = ReadonlyMap<string, string>

const PATH = /[A-Za-z_]\w*(?:\.\w+)*/g

export function findFieldErrors(schema: Schema, value: unknown): FieldErrors {
  const { success, error } = schema.safeParse(value)
  const fieldErrors = new Map<string, string>()
  if (success) return fieldErrors
  const add = (path: string, text: string) => fieldErrors.has(path) || fieldErrors.set(path, text)
  for (const issue of error.issues.flatMap((one) => expandUnion(one, value))) {
    const [key = '', ...extra] = issue.message.split(': ')
    const text = isErrorKey(key) ? extra.join(': ') || errors[key].detail : formatIssue(issue, value)
    const code = isErrorKey(key) ? errors[key].code : valueAt(value, issue.path as string[]) === undefined ? 1003 : 1007
    // A rule about a whole object names its fields in the text.
    for (const part of text.split('; ')) {
      const named = isErrorKey(key) ? part.match(PATH)?.find((word) => word.includes('.')) : undefined
      add(named ?? formatPath(issue.path as string[]), `${code}: ${part}`)
    }
  }
  return fieldErrors
}

/** For a union, reports the errors of the shape with the fewest. */
function expandUnion(issue: Issue, value: unknown): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length)
  if (!nearest || nearest.every(({ path }) => path.length === 0)) return [issue]
  return nearest.flatMap((inner) => expandUnion({ ...inner, path: [...issue.path, ...inner.path] } as Issue, value))
}

function formatIssue({ message, path }: Issue, value: unknown): string {
  if (path.length > 0 && valueAt(value, path as string[]) === undefined) return 'is missing'
  // Between commas a long list of values wraps.
  return message.replace(/^Invalid (input|option|string): /, '').replaceAll('"|"', '", "')
}

type Logged = NonNullable<ExchangeDetail['refusal']>
/** As the log has it, or an error response of the control API. */
type Refusal = Pick<Logged, 'code' | 'detail' | 'fields'> & { readonly extra?: Logged['extra'] | undefined }

/** The fields among these paths that a refusal is about. Older entries of the log name them only in `extra`. */
export function findRefusedFields(refusal: Refusal, paths: readonly string[]): FieldErrors {
  const { extra, code, fields } = refusal
  if (fields)
    return new Map(
      fields.filter((field) => paths.includes(field)).map((field) => [field, describeRefusal(refusal, field)]),
    )
  const fieldErrors = new Map<string, string>()
  for (const part of extra?.split('; ') ?? []) {
    const named: readonly string[] = part.match(PATH) ?? []
    const whole = named.filter((word) => paths.includes(word))
    const found = whole.length > 0 ? whole : paths.filter((path) => named.includes(path.split('.').at(-1)!))
    for (const path of found) fieldErrors.set(path, `${code}: ${part}`)
  }
  return fieldErrors
}

/** The fields of a form that a refusal is about. */
export const findRefusedIn = (shape: Shape, refusal: Refusal | null): FieldErrors =>
  refusal === null
    ? new Map()
    : findRefusedFields(
        refusal,
        flattenShape(shape).map(({ path }) => path),
      )

/** What is wrong with the fields of a form: those that the API refused, and those that the contract refuses. */
export const findProblems = (schema: Schema, value: unknown, refusal: Refusal | null): FieldErrors =>
  new Map([...findRefusedIn(shapeOf(schema), refusal), ...findFieldErrors(schema, value)])

/** What the refusal says about one field. */
export function describeRefusal({ code, extra, detail }: Refusal, field: string): string {
  const parts = extra?.split('; ') ?? []
  const own = parts.find((part) => part.includes(field)) ?? extra
  return `${code}: ${own == null || own === field ? detail : own}`
}
