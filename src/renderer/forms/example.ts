import { collectionOfField } from '../../api/contract/collection-names.ts'
import type { Shape } from '../../api/contract/shape.ts'
import { examples, namesIn } from '../../api/contract/terms/examples.ts'
import { isJsonObject, type JsonObject } from './values.ts'

/** An example value for a schema: that of the contract. `fillExample` puts values of a world in the place of its texts. */
export function createExample(shape: Shape, name = '', parent = ''): unknown {
  const [given] = (shape.schema.examples ?? []) as unknown[]
  if (given !== undefined) return complete(shape, given, name, parent)
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
      return examples.banking_day
    case 'moment':
      return '2026-11-20T14:04:18.000Z'
    case 'list':
      return shape.item ? [createExample(shape.item, name, parent)] : []
    case 'either':
      return createExample(shape.shapes[0]!, name, parent)
    case 'object':
      return Object.fromEntries(
        shape.fields
          .filter(({ required }) => required)
          .map(({ name: field, shape: part }) => [field, createExample(part, field, name)]),
      )
    case 'any':
      return {}
    default:
      return createText(shape, name, parent)
  }
}

function createText({ schema }: Shape, name: string, parent: string): string {
  const text = recordText(name, parent) ?? (name || 'text').replaceAll('_', ' ')
  const min = Number(schema.minLength ?? 0)
  const max = Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  return text.padEnd(min, '.').slice(0, max)
}

/** Not any record of the collection. */
const IN_A_STATE: Readonly<Record<string, string>> = {
  destination_synthetic_account_uid: examples.counterparty,
  synthetic_account_type_uid: examples.ach_account_type,
  product_uid: examples.initial_product,
  original_transaction_uid: examples.returnable_transaction,
}

/** The text that stands for the uid of a record in a field of this name. */
function recordText(name: string, parent: string): string | undefined {
  const collection = collectionOfField(name, parent)
  return collection && (IN_A_STATE[name] ?? (examples as Readonly<Record<string, string>>)[collection])
}

function complete(shape: Shape, value: unknown, name: string, parent: string): unknown {
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
      if (given !== undefined) parts[field.name] = complete(field.shape, given, field.name, name)
    }
    return parts
  }
  if (shape.kind === 'list' && shape.item && Array.isArray(value))
    return value.map((part) => complete(shape.item!, part, name, parent))
  if (shape.kind === 'date' && name !== 'dob') return examples.banking_day
  // The example of the type of all uids is that of no record.
  return typeof value === 'string' && namesIn(value).length === 0 ? (recordText(name, parent) ?? value) : value
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
  return shape.nullable ? null : createExample(shape, name)
}

const createList = (shape: Shape, name: string) =>
  name.endsWith('_uids') && shape.item ? [createExample(shape.item, name)] : []
