import type { JsonSchema } from '../../src/api/contract/openapi.ts'

/** Validates values by a JSON Schema of draft 7. A keyword that it does not know is an error, so that none is ignored. */

type Check = (operand: never, value: unknown, schema: JsonSchema, validate: Validate) => string[]
type Validate = (schema: unknown, value: unknown) => string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The constants of our schemas are no objects. */
const isEqual = Object.is
const unless = (isValid: boolean, error: string) => (isValid ? [] : [error])
const show = (value: unknown) =>
  Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : (JSON.stringify(value) ?? 'nothing').slice(0, 60)
const patterns = new Map<string, RegExp>()
function isMatch(pattern: string, text: string) {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, known)
  return known.test(text)
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const note: Check = () => []
const keywords: Readonly<Record<string, Check>> = {
  $schema: note,
  title: note,
  description: note,
  default: note,
  examples: note,
  definitions: note,
  format: note,
  type: (names: string | string[], value) =>
    unless(
      [names].flat().some((name) => types[name]!(value)),
      `${show(value)} is no ${String(names)}`,
    ),
  const: (one: unknown, value) => unless(isEqual(one, value), `${show(value)} is not ${show(one)}`),
  enum: (all: unknown[], value) =>
    unless(
      all.some((one) => isEqual(one, value)),
      `${show(value)} is none of ${all.join(', ')}`,
    ),
  minimum: (least: number, value) => unless(typeof value !== 'number' || value >= least, `${value} is below ${least}`),
  maximum: (most: number, value) => unless(typeof value !== 'number' || value <= most, `${value} is above ${most}`),
  minLength: (least: number, value) => unless(typeof value !== 'string' || value.length >= least, 'too short'),
  maxLength: (most: number, value) => unless(typeof value !== 'string' || value.length <= most, 'too long'),
  pattern: (pattern: string, value) =>
    unless(typeof value !== 'string' || isMatch(pattern, value), `${show(value)} does not match ${pattern}`),
  minItems: (least: number, value) => unless(!Array.isArray(value) || value.length >= least, 'too few items'),
  maxItems: (most: number, value) => unless(!Array.isArray(value) || value.length <= most, 'too many items'),
  items: (schema: unknown, value, _, validate) =>
    Array.isArray(value) ? value.flatMap((item, i) => validate(schema, item).map((error) => `[${i}] ${error}`)) : [],
  minProperties: (least: number, value) =>
    unless(!isObject(value) || Object.keys(value).length >= least, 'too few keys'),
  required: (names: string[], value) =>
    isObject(value) ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${name} is missing`) : [],
  propertyNames: (schema: unknown, value, _, validate) =>
    isObject(value) ? Object.keys(value).flatMap((name) => validate(schema, name)) : [],
  properties: (schemas: Record<string, unknown>, value, _, validate) =>
    isObject(value)
      ? Object.entries(schemas)
          .filter(([name]) => Object.hasOwn(value, name))
          .flatMap(([name, schema]) => validate(schema, value[name]).map((error) => `${name}: ${error}`))
      : [],
  patternProperties: note,
  additionalProperties: (schema: unknown, value, { properties = {}, patternProperties = {} }, validate) =>
    isObject(value)
      ? Object.keys(value)
          .filter((name) => !Object.hasOwn(properties, name))
          .filter((name) => !Object.keys(patternProperties as object).some((one) => isMatch(one, name)))
          .flatMap((name) =>
            schema === false
              ? [`there is no ${name}`]
              : validate(schema, value[name]).map((error) => `${name}: ${error}`),
          )
      : [],
  allOf: (all: unknown[], value, _, validate) => all.flatMap((one) => validate(one, value)),
  anyOf: (some: unknown[], value, _, validate) => {
    const errors = some.map((one) => validate(one, value))
    return errors.some((one) => one.length === 0) ? [] : [`none of ${some.length}: ${errors.flat().join(', ')}`]
  },
  not: (other: unknown, value, _, validate) =>
    unless(validate(other, value).length > 0, `${show(value)} must not match`),
  if: (condition: unknown, value, schema, validate) =>
    validate((validate(condition, value).length === 0 ? schema.then : schema.else) ?? {}, value),
  else: note,
}

function check(schema: JsonSchema, value: unknown, validate: Validate): string[] {
  return Object.entries(schema).flatMap(([name, operand]) => {
    // `if` reads it.
    if (name === 'then') return []
    const judge = keywords[name]
    if (!judge) throw new Error(`the keyword ${name} is not known here`)
    return judge(operand as never, value, schema, validate)
  })
}

/** The errors of a value; none if it is valid. */
export function createValidator(document: JsonSchema): (value: unknown) => string[] {
  const definitions = document.definitions as Record<string, JsonSchema>
  const validate: Validate = (schema, value) => {
    const { $ref, ...rest } = schema as JsonSchema
    // Draft 7 ignores what is beside a reference.
    if (typeof $ref !== 'string') return check(rest, value, validate)
    const definition = definitions[$ref.replace('#/definitions/', '')]
    if (!definition) throw new Error(`${$ref} leads nowhere`)
    return validate(definition, value)
  }
  return (value) => validate(document, value)
}
