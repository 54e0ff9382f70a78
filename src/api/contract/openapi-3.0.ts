import type { JsonSchema, OpenApiDocument } from './openapi.ts'

/** The OpenAPI 3.0.3 form of the document, for generators that do not read 3.1. */
export function toOpenApi30<D extends OpenApiDocument>(document: D) {
  // 3.0 has no webhooks.
  const { info, components, webhooks: _, tags, ...others } = document
  const { schemas, ...parts } = components
  const rest = { ...others, tags: tags.filter(({ name }) => name !== 'Webhooks') }
  const { license, ...about } = info
  return {
    ...(convertSchemas(rest) as Omit<D, 'info' | 'components' | 'webhooks'>),
    openapi: '3.0.3',
    info: { ...about, license: { name: license.name, url: 'https://opensource.org/license/mit' } },
    components: {
      ...(convertSchemas(parts) as Omit<D['components'], 'schemas'>),
      schemas: mapValues(schemas),
    },
  }
}

/** Outside of the components, each schema is the value of a key `schema`. */
function convertSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convertSchemas)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, part]) => [
      key,
      key === 'schema' ? toSchema30(part as JsonSchema) : convertSchemas(part),
    ]),
  )
}

const isNull = ({ type }: JsonSchema) => type === 'null'

/** 3.0 has `nullable` with one `type`, one `example`, nothing beside a `$ref`, no `const`, no tuples and no `propertyNames`. */
export function toSchema30({ const: value, prefixItems, ...schema }: JsonSchema): JsonSchema {
  if (value !== undefined) return toSchema30({ ...schema, enum: [value] })
  if (Array.isArray(prefixItems)) return toSchema30({ ...schema, ...listOf(prefixItems) })
  const { $ref, anyOf = [], type, examples, propertyNames: _, properties, items, not, ...rest } = schema
  const types = [type ?? []].flat()
  const options = anyOf.filter((option) => !isNull(option)).map(toSchema30)
  const isNullable = options.length < anyOf.length || types.includes('null')
  const [only, ...others] = options
  return {
    ...(others.length > 0 ? { anyOf: isNullable ? options.map(toNullable) : options } : {}),
    ...(only && others.length === 0 ? (isNullable ? toNullable(only) : only) : {}),
    ...typeOf(
      types.filter((name) => name !== 'null'),
      isNullable,
    ),
    ...($ref === undefined ? {} : Object.keys(rest).length === 0 && !examples ? { $ref } : { allOf: [{ $ref }] }),
    ...rest,
    ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] as unknown } : {}),
    ...(properties ? { properties: mapValues(properties) } : {}),
    ...(items ? { items: toSchema30(items) } : {}),
    ...(not === undefined ? {} : { not: toSchema30(not as JsonSchema) }),
  }
}

const listOf = (items: JsonSchema[]) => ({
  items: { anyOf: items },
  minItems: items.length,
  maxItems: items.length,
})

function typeOf(types: readonly string[], isNullable: boolean): JsonSchema {
  const [only, ...others] = types
  if (only === undefined) return {}
  const nullable = isNullable ? { nullable: true } : {}
  if (others.length === 0) return { type: only, ...nullable }
  return { anyOf: types.map((type) => ({ type, ...nullable })) }
}

/** Every component that may be null is an object. */
function toNullable(schema: JsonSchema): JsonSchema {
  if ('$ref' in schema) return { type: 'object', nullable: true, allOf: [schema] }
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.map(toNullable) } : { ...schema, nullable: true }
}

const mapValues = (properties: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toSchema30(schema)]))
