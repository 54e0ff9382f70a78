import { achReturnCodes } from '../contract/network-codes.ts'
import { type JsonSchema, jsonSchema } from '../contract/openapi.ts'
import type { FoundRoute } from '../contract/paths.ts'
import { valueAt as partAt, replaceAt } from '../contract/terms/at-path.ts'
import { findMeantName, findNearest } from '../contract/terms/nearest.ts'
import { money } from '../domain/rules/money.ts'
import type { Tree } from '../http/body.ts'
import { createRoute, inlineRefs } from '../http/route.ts'

/** The values that a field of a refused request may be meant to have. Whether one is accepted is not decided here: each is tried. */

/** A request that is being repaired. */
export interface Draft {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  /** Undefined for none. */
  readonly body: Tree | undefined
}

export interface Edit {
  readonly field: string
  /** Undefined: the request lacks it, or it is left out. */
  readonly before: unknown
  readonly after: unknown
  readonly say: string
}

export const isUidField = (field: string) => field.startsWith('{') || /(?<!external)_uids?$/.test(lastOf(field))

export const lastOf = (field: string) => field.slice(field.lastIndexOf('.') + 1)

const isInQuery = (route: FoundRoute | undefined, { query, body }: Draft, field: string): boolean => {
  const [first = ''] = field.split('.')
  if (!route?.endpoint.query) return false
  return !route.endpoint.body || (!Object.hasOwn(body ?? {}, first) && hasParameter(query, first))
}
const withoutBrackets = (name: string) => name.replace(/\[\d*\]$/, '')
const hasParameter = (query: string, name: string) =>
  [...new URLSearchParams(query).keys()].some((key) => withoutBrackets(key) === name)

export function valueAt(route: FoundRoute | undefined, draft: Draft, field: string): unknown {
  if (field.startsWith('{')) return route?.params[field.slice(1, -1)]
  if (!isInQuery(route, draft, field)) return partAt(draft.body, field.split('.'))
  const values = [...new URLSearchParams(draft.query)].filter(([name]) => withoutBrackets(name) === field)
  return values[0]?.[1]
}

/** `undefined` leaves the field out. */
export function withValue(route: FoundRoute | undefined, draft: Draft, field: string, value: unknown): Draft {
  if (field.startsWith('{')) {
    const template = route?.endpoint.path.split('/') ?? []
    const parts = draft.path.split('/').map((part, at) => (template[at] === field ? String(value) : part))
    return { ...draft, path: parts.join('/') }
  }
  if (!isInQuery(route, draft, field)) return { ...draft, body: replaceAt(draft.body, field.split('.'), value) as Tree }
  const others = [...new URLSearchParams(draft.query)].filter(([name]) => withoutBrackets(name) !== field)
  const own = value === undefined ? [] : [[field, String(value)]]
  return { ...draft, query: String(new URLSearchParams([...others, ...own])) }
}

// ── Values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The schema of a field, and the names of the fields beside it. */
function schemaOf(route: FoundRoute, draft: Draft, field: string) {
  const { query } = route.endpoint
  let node: JsonSchema | undefined = isInQuery(route, draft, field)
    ? query && inlineRefs(jsonSchema(query, 'input'))
    : createRoute(route.name).schemas().body
  let siblings: readonly string[] = []
  for (const name of field.split('.')) {
    const options: readonly JsonSchema[] = node?.anyOf ?? (node ? [node] : [])
    const { properties } = options.find((option) => option.properties) ?? {}
    siblings = Object.keys(properties ?? {})
    node = properties?.[name] ?? (/^\d+$/.test(name) ? options.find(({ items }) => items)?.items : undefined)
  }
  return { node, siblings }
}

/** The known name of a field that the endpoint does not know. */
export function findMeantField(route: FoundRoute, draft: Draft, field: string): string | undefined {
  const { node, siblings } = schemaOf(route, draft, field)
  const free = siblings.filter(
    (name) => valueAt(route, draft, [...field.split('.').slice(0, -1), name].join('.')) === undefined,
  )
  return node ? undefined : findMeantName(lastOf(field), free)
}

/** The known values of a field, and the one that is near to what was sent. */
export function choicesOf(route: FoundRoute, draft: Draft, field: string) {
  const before = valueAt(route, draft, field)
  const choices = optionsOf(route, draft, field)
    .flatMap((option) => option.enum ?? option.items?.enum ?? [])
    .map(String)
  return { choices, nearest: typeof before === 'string' ? findNearest(before.trim(), choices) : undefined }
}

function optionsOf(route: FoundRoute, draft: Draft, field: string): readonly JsonSchema[] {
  const { node } = schemaOf(route, draft, field)
  return node ? [node, ...(node.anyOf ?? [])] : []
}

/** `example`: of a valid request. `isTaken`: another record has the value. The likeliest first. */
export function* meantValues(
  route: FoundRoute,
  draft: Draft,
  field: string,
  { example, isTaken }: { readonly example: unknown; readonly isTaken: boolean },
): Generator<unknown> {
  const before = valueAt(route, draft, field)
  const options = optionsOf(route, draft, field)
  if (isTaken && typeof before === 'string') yield* [`${before}-2`, `${before}-${before.length}x`]
  yield* converted(before, options)
  const { choices, nearest } = choicesOf(route, draft, field)
  if (nearest !== undefined) yield nearest
  if (/amount/.test(field) && before != null) {
    const digits = String(before).replaceAll(/[^\d.]/g, '')
    if (/^\d+(\.\d+)?$/.test(digits)) yield money(digits)
  }
  if (example !== undefined) yield example
  for (const option of options) yield* [...((option.examples ?? []) as unknown[]), option.default]
  yield* choices
  if (lastOf(field) === 'ach_return_code') yield* Object.keys(achReturnCodes)
}

/** The same value in the form that the schema expects. */
function* converted(value: unknown, options: readonly JsonSchema[]): Generator<unknown> {
  const types = options.flatMap(({ type, enum: choices }) => type ?? (choices ? 'string' : []))
  const list = options.find(({ items }) => items)
  if (list && value !== undefined && !Array.isArray(value)) yield [value]
  if (!list && Array.isArray(value)) yield value[0]
  if (typeof value === 'number' || typeof value === 'boolean') yield String(value)
  if (typeof value !== 'string') return
  const plain = value.trim()
  if (types.includes('boolean') && /^(true|false)$/i.test(plain)) yield plain.toLowerCase() === 'true'
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+$/.test(plain))
    yield* [Number(plain), Math.abs(Number(plain))]
  if (plain !== value) yield plain
  const length = options.map(({ maxLength }) => maxLength).find((most) => typeof most === 'number')
  if (length !== undefined && plain.length > length) yield plain.slice(0, length)
  const ms = plain.length < MAX_DATE && /\d/.test(plain) ? Date.parse(plain) : Number.NaN
  if (!Number.isNaN(ms)) yield* [new Date(ms).toISOString().slice(0, 10), new Date(ms).toISOString()]
}
const MAX_DATE = 40

const withoutLastComma = (text: string) => {
  const trimmed = text.trimEnd()
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) : trimmed
}

/** A text that is almost JSON: with a comma too many, without its last brackets, or with single quotes. */
export function mendJson(text: string): Tree | undefined {
  const plain = text.replaceAll(/,(\s*[}\]])/g, '$1')
  for (const close of ['', '}', '"}', '}}', '"}}', ']}'])
    for (const one of [plain, plain.replaceAll("'", '"'), withoutLastComma(plain)])
      try {
        const value: unknown = JSON.parse(one + close)
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Tree
      } catch {}
  return undefined
}
