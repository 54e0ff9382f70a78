import { collectionOfField } from '../data/records.ts'
import type { Shape } from './shape.ts'
import { isJsonObject, type JsonObject } from './values.ts'

/**
 * An example value for a schema: the example of the contract, with uids of existing records and today's date.
 */

export interface ExampleValues {
  /** The uid of a record for a field of this name. */
  readonly uid?: (field: string, parent: string) => string | undefined
  /** As an ISO date. */
  readonly today?: string
}

export function createExample(shape: Shape, filling: ExampleValues = {}, name = '', parent = ''): unknown {
  const [given] = (shape.schema.examples ?? []) as unknown[]
  if (given !== undefined) return fillExample(shape, given, filling, name, parent)
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
      return createText(shape, filling, name, parent)
  }
}

function createText({ schema }: Shape, filling: ExampleValues, name: string, parent: string): string {
  const uid = collectionOfField(name, parent) && filling.uid?.(name, parent)
  if (uid !== undefined) return uid
  const text = (name || 'text').replaceAll('_', ' ')
  const min = Number(schema.minLength ?? 0)
  const max = Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  return text.padEnd(min, '.').slice(0, max)
}

/** Replaces uids and dates in an example of the contract by those of this world. */
function fillExample(shape: Shape, value: unknown, filling: ExampleValues, name: string, parent: string): unknown {
  if (shape.kind === 'object' && isJsonObject(value)) {
    const parts: Record<string, unknown> = {}
    for (const field of shape.fields) {
      const [own] = (field.shape.schema.examples ?? []) as unknown[]
      // Write-only fields are missing in the example of a record, but belong into a request.
      const given = Object.hasOwn(value, field.name)
        ? value[field.name]
        : field.shape.schema.writeOnly
          ? own
          : undefined
      if (given !== undefined) parts[field.name] = fillExample(field.shape, given, filling, field.name, name)
    }
    return parts
  }
  if (shape.kind === 'list' && shape.item && Array.isArray(value))
    return value.map((part) => fillExample(shape.item!, part, filling, name, parent))
  if (shape.kind === 'date' && name !== 'dob') return filling.today ?? value
  if (typeof value === 'string' && collectionOfField(name, parent)) return filling.uid?.(name, parent) ?? value
  return value
}

/**
 * An example response: optional fields are left out and nullable ones are null, unless the request contains a value.
 */
export function createExampleResponse(shape: Shape, request: unknown = {}): unknown {
  const sent = isJsonObject(request) ? request : {}
  switch (shape.kind) {
    case 'list':
      return shape.item ? [createExampleResponse(shape.item, sent)] : []
    case 'object':
      return Object.fromEntries(
        shape.fields
          .filter(({ name, required, shape: part }) => (required || Object.hasOwn(sent, name)) && isInResponse(part))
          .map(({ name, shape: part }) => [name, createResponseField(part, name, sent)]),
      )
    default:
      return createExample(shape)
  }
}

const isInResponse = ({ schema }: Shape) => !schema.writeOnly && !schema.deprecated

function createResponseField(shape: Shape, name: string, sent: JsonObject): unknown {
  const given = sent[name]
  if (shape.kind === 'object' && (isJsonObject(given) || !shape.nullable)) return createExampleResponse(shape, given)
  if (shape.kind === 'list')
    return shape.item?.kind === 'object' && name === 'data'
      ? createExampleResponse(shape, sent)
      : shape.nullable
        ? null
        : createList(shape, name)
  const isPlain = typeof given === 'string' || typeof given === 'boolean'
  if (isPlain && ['text', 'choice', 'date', 'boolean'].includes(shape.kind)) return given
  return shape.nullable ? null : createExample(shape, {}, name)
}

const createList = (shape: Shape, name: string) =>
  name.endsWith('_uids') && shape.item ? [createExample(shape.item, {}, name)] : []
