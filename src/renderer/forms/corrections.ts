import { findEndpoint, findNearestPath } from '../../api/contract/paths.ts'
import { chooseShape, type Shape, shapeOf } from '../../api/contract/shape.ts'
import { findMeantName, findNearest } from '../../api/contract/terms/nearest.ts'
import { formatPath, isJsonObject, type JsonObject, type Path, replaceAt, valueAt } from './values.ts'

/** Names and values that the contract does not know, each with the known one that is nearest to it. */

interface Named {
  /** In the query or the body, e.g. `details.frist_name`. */
  readonly path: Path
  /** What was probably meant; undefined if nothing is similar. */
  readonly nearest: string | undefined
}

export type Correction =
  | { readonly part: 'path'; readonly kind: 'path'; readonly path: Path; readonly nearest: string }
  | (Named & { readonly part: 'query' | 'body'; readonly kind: 'name' })
  | (Named & { readonly part: 'query' | 'body'; readonly kind: 'value'; readonly nearest: string })

interface Target {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
}

/** The unknown path, or the unknown parameters and values of a query that its endpoint knows. */
export function findTargetCorrections({ method, path, query }: Target): Correction[] {
  const endpoint = findEndpoint(method, path)
  if (!endpoint) {
    const nearest = findNearestPath(method, path)
    return nearest === undefined ? [] : [{ part: 'path', kind: 'path', path: [], nearest }]
  }
  return endpoint.query ? findQueryCorrections(query, shapeOf(endpoint.query)) : []
}

/** The unknown fields and values of a body. */
export const findBodyCorrections = (value: unknown, shape: Shape): Correction[] =>
  findIn(value, shape, []).map((found) => ({ part: 'body', ...found }))

type Found = (Named & { kind: 'name' }) | (Named & { kind: 'value'; nearest: string })

function findIn(value: unknown, of: Shape, path: Path): Found[] {
  const shape = of.kind === 'either' ? chooseShape(of, value) : of
  if (shape.kind === 'list' && shape.item && Array.isArray(value))
    return value.flatMap((part, at) => findIn(part, shape.item!, [...path, at]))
  if (shape.kind === 'choice') return findValue(value, shape, path)
  if (shape.kind !== 'object' || !isJsonObject(value)) return []
  const names = shape.fields.map(({ name }) => name)
  return Object.entries(value).flatMap(([name, part]) => {
    const field = shape.fields.find((one) => one.name === name)
    if (field) return findIn(part, field.shape, [...path, name])
    return [{ kind: 'name' as const, path: [...path, name], nearest: findFree(name, names, Object.keys(value)) }]
  })
}

function findValue(value: unknown, { options }: Shape, path: Path): Found[] {
  if (typeof value !== 'string' || options.includes(value)) return []
  const nearest = findNearest(value, options)
  return nearest === undefined ? [] : [{ kind: 'value', path, nearest }]
}

/** The nearest name that is not sent already. */
const findFree = (name: string, known: readonly string[], sent: readonly string[]) =>
  findMeantName(
    name,
    known.filter((one) => !sent.includes(one)),
  )

function findQueryCorrections(query: string, { fields }: Shape): Correction[] {
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [withoutBrackets(name), value] as const)
  const names = fields.map(({ name }) => name)
  const sent = pairs.map(([name]) => name)
  const found = pairs.flatMap(([name, value]): Correction[] => {
    if (name === '') return []
    const shape = fields.find((field) => field.name === name)?.shape
    if (!shape) return [{ part: 'query', kind: 'name', path: [name], nearest: findFree(name, names, sent) }]
    const options = optionsOf(shape)
    // The API reads values of a query in any case.
    if (options.length === 0 || options.some((option) => option.toLowerCase() === value.toLowerCase())) return []
    const nearest = findNearest(value, options)
    return nearest === undefined ? [] : [{ part: 'query', kind: 'value', path: [name, value], nearest }]
  })
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

const withoutBrackets = (name: string) => name.split('[')[0]!

/** The values of a choice, or of the items of a list of choices. */
function optionsOf(shape: Shape): readonly string[] {
  if (shape.kind === 'choice') return shape.options
  return [...shape.shapes, ...(shape.item ? [shape.item] : [])].flatMap(optionsOf)
}

// ── Words and changes

/** What is wrong, and what was probably meant. */
export function describeCorrection({ part, kind, path, nearest }: Correction): string {
  if (kind === 'path') return `No endpoint has this path; did you mean ${nearest}?`
  // The path of a value in a query ends with the value.
  const name = formatPath(part === 'query' ? path.slice(0, 1) : path)
  const meant = kind === 'value' || path.length < 2 ? nearest : formatPath([...path.slice(0, -1), nearest ?? ''])
  const ask = nearest === undefined ? '' : `; did you mean ${meant}?`
  return kind === 'value' ? `${name} has an unknown value${ask}` : `${name} is ignored${ask}`
}

/** The label of the button that applies it. */
export function labelCorrection({ kind, path, nearest }: Correction): string {
  if (nearest === undefined) return `Remove ${formatPath(path)}`
  return kind === 'name' ? `Rename to ${nearest}` : `Change to ${nearest}`
}

export function correctQuery(query: string, { kind, path, nearest }: Correction): string {
  const [own, wrong] = path
  const pairs = [...new URLSearchParams(query)].flatMap(([name, value]): [string, string][] => {
    if (withoutBrackets(name) !== own) return [[name, value]]
    if (kind === 'value') return [[name, value === wrong ? nearest : value]]
    return nearest === undefined ? [] : [[`${nearest}${name.slice(own.length)}`, value]]
  })
  return String(new URLSearchParams(pairs))
}

/** A field keeps its place; one that is like none is removed. */
export function correctBody(body: JsonObject, { kind, path, nearest }: Correction): JsonObject {
  if (kind === 'value' || nearest === undefined) return replaceAt(body, path, nearest) as JsonObject
  const [parent, wrong] = [path.slice(0, -1), String(path.at(-1))]
  const fields = Object.entries(valueAt(body, parent) as JsonObject)
  const renamed = Object.fromEntries(fields.map(([name, value]) => [name === wrong ? nearest : name, value]))
  return replaceAt(body, parent, renamed) as JsonObject
}
