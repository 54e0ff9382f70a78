import { collectionOfField } from '../data/records.ts'
import type { Shape } from './shape.ts'
import { isJsonObject, type JsonObject } from './values.ts'

/**
 * A value that fits a schema: the contract's own examples, in which the uids are those of records that there are and
 * the dates are of today.
 */

export interface ExampleValues {
  /** The uid of a record for a field of this name. */
  readonly uid?: (field: string, parent: string) => string | undefined
  /** As the interface writes a date. */
  readonly today?: string
}

export function createExample(shape: Shape, filling: ExampleValues = {}, name = '', parent = ''): unknown {
  const [given] = (shape.schema.examples ?? []) as unknown[]
  if (given !== undefined) return filled(shape, given, filling, name, parent)
  switch (shape.kind) {
    case 'choice':
      return shape.options[0]
    case 'boolean':
      return false
    case 'number':
      return typeof shape.schema.minimum === 'number' ? shape.schema.minimum : 1
    case 'amount':
      return '10.00'
    case 'date':
      return filling.today ?? '2026-11-20'
    case 'moment':
      return '2026-11-20T14:04:18.000Z'
    case 'list':
      return shape.item ? [createExample(shape.item, filling, name, parent)] : []
    case 'either':
      return createExample(shape.shapes[0]!, filling, name, parent)
    case 'object':
      return Object.fromEntries(
        shape.fields
          .filter(({ required }) => required)
          .map(({ name: field, shape: part }) => [field, createExample(part, filling, field, name)]),
      )
    case 'any':
      return {}
    default:
      return textOf(shape, filling, name, parent)
  }
}

function textOf({ schema }: Shape, filling: ExampleValues, name: string, parent: string): string {
  const uid = collectionOfField(name, parent) && filling.uid?.(name, parent)
  if (uid) return uid
  const usual = (name || 'text').replaceAll('_', ' ')
  const least = Number(schema.minLength ?? 0)
  const most = Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  return usual.padEnd(least, '.').slice(0, most)
}

/** The contract's example with what is of this world in its place. */
function filled(shape: Shape, value: unknown, filling: ExampleValues, name: string, parent: string): unknown {
  if (shape.kind === 'object' && isJsonObject(value)) {
    const parts: Record<string, unknown> = {}
    for (const field of shape.fields) {
      const [own] = (field.shape.schema.examples ?? []) as unknown[]
      // What is never in an answer stands in no example of a whole body; a request has it all the same.
      const given = Object.hasOwn(value, field.name)
        ? value[field.name]
        : field.shape.schema.writeOnly
          ? own
          : undefined
      if (given !== undefined) parts[field.name] = filled(field.shape, given, filling, field.name, name)
    }
    return parts
  }
  if (shape.kind === 'list' && shape.item && Array.isArray(value))
    return value.map((part) => filled(shape.item!, part, filling, name, parent))
  if (shape.kind === 'date' && name !== 'dob') return filling.today ?? value
  if (typeof value === 'string' && collectionOfField(name, parent)) return filling.uid?.(name, parent) ?? value
  return value
}

/**
 * An answer that fits its schema: what may be missing is left out and what may be null is null, unless the request says
 * what it would be.
 */
export function createExampleResponse(shape: Shape, request: unknown = {}): unknown {
  const asked = isJsonObject(request) ? request : {}
  switch (shape.kind) {
    case 'list':
      return shape.item ? [createExampleResponse(shape.item, asked)] : []
    case 'object':
      return Object.fromEntries(
        shape.fields
          .filter(({ name, required, shape: part }) => (required || Object.hasOwn(asked, name)) && isSaid(part))
          .map(({ name, shape: part }) => [name, answerPart(part, name, asked)]),
      )
    default:
      return createExample(shape)
  }
}

const isSaid = ({ schema }: Shape) => !schema.writeOnly && !schema.deprecated

function answerPart(shape: Shape, name: string, asked: JsonObject): unknown {
  const given = asked[name]
  if (shape.kind === 'object' && (isJsonObject(given) || !shape.nullable)) return createExampleResponse(shape, given)
  if (shape.kind === 'list')
    return shape.item?.kind === 'object' && name === 'data'
      ? createExampleResponse(shape, asked)
      : shape.nullable
        ? null
        : listOf(shape, name)
  const isPlain = typeof given === 'string' || typeof given === 'boolean'
  if (isPlain && ['text', 'choice', 'date', 'boolean'].includes(shape.kind)) return given
  return shape.nullable ? null : createExample(shape, {}, name)
}

const listOf = (shape: Shape, name: string) =>
  name.endsWith('_uids') && shape.item ? [createExample(shape.item, {}, name)] : []
