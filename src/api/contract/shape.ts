import { type JsonSchema, jsonSchema } from './openapi.ts'
import type { Schema } from './terms/endpoint.ts'

/** A schema of the contract in the form that forms and reference pages need, read from its JSON Schema. */

type Kind =
  | 'text'
  | 'amount'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'moment'
  | 'object'
  | 'list'
  | 'either'
  | 'any'

export interface Shape {
  readonly kind: Kind
  readonly nullable: boolean
  /** Its JSON Schema without null: description, examples, pattern, bounds. */
  readonly schema: JsonSchema
  /** For a choice. */
  readonly options: readonly string[]
  /** For an object. */
  readonly fields: readonly Field[]
  /** For a list. */
  readonly item: Shape | null
  /** For a value with several possible shapes. */
  readonly shapes: readonly Shape[]
}

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly shape: Shape
}

const cache = { input: new WeakMap<Schema, Shape>(), output: new WeakMap<Schema, Shape>() }

export function shapeOf(schema: Schema, io: 'input' | 'output' = 'input'): Shape {
  const found = cache[io].get(schema)
  if (found) return found
  const { $defs, ...printed } = jsonSchema(schema, io, undefined, true)
  const shape = read(printed, ($defs ?? {}) as Record<string, JsonSchema>)
  cache[io].set(schema, shape)
  return shape
}

const NONE = { options: [], fields: [], item: null, shapes: [] } as const

/** For a field without a schema: text, or one of the options. */
export const plainShape = (options: readonly string[] | undefined): Shape => ({
  ...NONE,
  kind: options ? 'choice' : 'text',
  nullable: false,
  schema: {},
  options: options ?? [],
})

/** For fields without a schema of their own. */
export const objectShape = (fields: readonly Field[]): Shape => ({ ...plainShape(undefined), kind: 'object', fields })

function read(node: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): Shape {
  if (typeof node.$ref === 'string') {
    const { $ref, ...own } = node
    return read({ ...defs[($ref as string).replace('#/$defs/', '')], ...own }, defs)
  }
  const { anyOf, ...own } = node
  if (anyOf) {
    const all = anyOf.flatMap(function flat(option): JsonSchema[] {
      return option.anyOf ? option.anyOf.flatMap(flat) : [option]
    })
    const nullable = all.some(({ type }) => type === 'null')
    const shapes = all.filter(({ type }) => type !== 'null').map((option) => read(option, defs))
    const [only] = shapes
    if (only && shapes.length === 1)
      return { ...only, nullable: nullable || only.nullable, schema: { ...only.schema, ...own } }
    return { ...NONE, kind: 'either', nullable, schema: own, shapes }
  }
  const types = [node.type ?? []].flat()
  const nullable = types.includes('null')
  const rest = types.filter((type) => type !== 'null')
  const schema: JsonSchema = rest.length === 1 ? { ...node, type: rest[0]! } : { ...node, type: rest }
  const of = (kind: Kind, more: Partial<Shape> = {}): Shape => ({ ...NONE, kind, nullable, schema, ...more })
  if (node.enum || node.const !== undefined) {
    const values = (node.enum ?? [node.const]).filter((value) => value !== null)
    return of('choice', { options: values.map(String), nullable: nullable || (node.enum?.includes(null) ?? false) })
  }
  if (rest.length === 2 && rest.includes('string') && rest.includes('number')) return of('amount')
  if (rest.includes('string')) {
    if (node.format === 'date') return of('date')
    return of(node.format === 'date-time' ? 'moment' : 'text')
  }
  if (rest.includes('boolean')) return of('boolean')
  if (rest.includes('integer') || rest.includes('number')) return of('number')
  if (node.items) return of('list', { item: read(node.items, defs) })
  if (node.properties) {
    const required = new Set(node.required)
    const fields = Object.entries(node.properties).map(([name, part]) => ({
      name,
      required: required.has(name),
      shape: read(part, defs),
    }))
    return of('object', { fields })
  }
  return of('any')
}

const words: Readonly<Record<Kind, string>> = {
  text: 'text',
  amount: 'amount, as text or number',
  number: 'number',
  boolean: 'true or false',
  choice: 'one of',
  date: 'date',
  moment: 'timestamp',
  object: 'object',
  list: 'list',
  either: 'either',
  any: 'any JSON',
}

/** The type as text, for a table. */
export function formatType(shape: Shape): string {
  if (shape.kind === 'list' && shape.item) return `list of ${formatType(shape.item)}`
  if (shape.kind === 'either') return [...new Set(shape.shapes.map(formatType))].join(' or ')
  if (shape.kind === 'choice') return 'text'
  if (shape.kind === 'number' && shape.schema.type === 'integer') return 'whole number'
  return words[shape.kind]
}

/** Limits of length and value, and the pattern. */
export function formatBounds({ schema }: Shape): string[] {
  const { minLength, maxLength, minimum, maximum, pattern } = schema as Record<string, number | string | undefined>
  const between = (least: unknown, most: unknown, unit: string) =>
    least !== undefined && most !== undefined
      ? [`${least} to ${most}${unit}`]
      : [
          ...(least === undefined ? [] : [`at least ${least}${unit}`]),
          ...(most === undefined ? [] : [`at most ${most}${unit}`]),
        ]
  return [
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, maximum, ''),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
  ]
}

interface ShapeRow {
  /** E.g. `details.address.city`; items of a list are `[]`. */
  readonly path: string
  readonly depth: number
  readonly name: string
  /** In all possible shapes. */
  readonly required: boolean
  readonly shape: Shape
}

/** All fields at any depth, in the order of the contract. */
export function flattenShape(shape: Shape, path = '', depth = 0): ShapeRow[] {
  if (shape.kind === 'list' && shape.item) return flattenShape(shape.item, `${path}[]`, depth)
  if (shape.kind === 'either') {
    const each = shape.shapes.map((one) => flattenShape(one, path, depth))
    const always = (row: ShapeRow) =>
      each.every((rows) => rows.some((other) => other.path === row.path && other.required))
    return each
      .flat()
      .filter(isFirst)
      .map((row) => ({ ...row, required: always(row) }))
  }
  return shape.fields.flatMap(({ name, required, shape: part }) => {
    const at = path === '' ? name : `${path}.${name}`
    return [{ path: at, depth, name, required, shape: part }, ...flattenShape(part, at, depth + 1)]
  })
}

/** Several shapes of a value can have the same field; it is listed once. */
const isFirst = (row: ShapeRow, at: number, rows: readonly ShapeRow[]) =>
  rows.findIndex(({ path }) => path === row.path) === at

/** The shape that a value has; the first one for a value that is not set. */
export function chooseShape({ shapes }: Shape, value: unknown): Shape {
  const first = shapes[0]!
  if (value === undefined || value === null) return first
  const isList = Array.isArray(value)
  const kinds: readonly Kind[] = isList
    ? ['list']
    : typeof value === 'object'
      ? ['object', 'any']
      : typeof value === 'number'
        ? ['number', 'amount']
        : typeof value === 'boolean'
          ? ['boolean']
          : ['text', 'choice', 'date', 'moment', 'amount']
  const same = shapes.filter(({ kind }) => kinds.includes(kind))
  if (same.length < 2 || isList || typeof value !== 'object') return same[0] ?? first
  const shared = ({ fields }: Shape) => fields.filter(({ name }) => Object.hasOwn(value, name)).length
  return [...same].sort((a, b) => shared(b) - shared(a))[0]!
}
