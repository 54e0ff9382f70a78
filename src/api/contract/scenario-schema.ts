import { z } from 'zod'
import { type CollectionName, collectionNames } from './collections.ts'
import { methodNames, methods } from './control/methods.ts'
import { endpoints } from './endpoints.ts'
import type { JsonSchema } from './openapi.ts'
import { isWords, matcherNames, Scenario } from './scenarios.ts'
import { listEventFields, webhookEventNames, webhookTopics } from './webhooks.ts'

/**
 * The JSON Schema of scenario files, with which editors complete and check them. Draft 7 is the newest that all editors know.
 * It accepts every scenario that `sandbank run` accepts. What one place of a file says about another, such as an unknown
 * variable, only `sandbank run` finds.
 */

/** Methods that a scenario cannot call: it would run itself, or end its sandbox. */
export const isCallable = (method: string): boolean => !/^(scenarios|sandbox)\./.test(method)

const VARIABLE: JsonSchema = { $ref: '#/definitions/Variable' }
const definitionOfVariable: JsonSchema = {
  type: 'string',
  pattern: '\\$',
  description: 'A variable such as $customer',
}

export function createScenarioSchema(movesOf: (collection: CollectionName) => readonly string[]): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}
  /** Prints a schema; what it shares with others goes to `definitions`. */
  const print = (schema: z.ZodType, change: (node: JsonSchema) => JsonSchema = (node) => node): JsonSchema => {
    const { definitions: shared = {}, $schema: _, ...node } = printSchema(schema)
    for (const [id, definition] of Object.entries(shared as Record<string, JsonSchema>)) {
      const { id: _, ...rest } = definition
      definitions[id] = change(rest)
    }
    return change(node)
  }
  const { $ref } = print(Scenario)
  const { Scenario: scenario, ScenarioGiven: given, RequestStep: request } = definitions
  const operator = definitions.OperatorStep!.properties!.operator!
  const decide = definitions.DecideStep!.properties!.decide!
  Object.assign(definitions, {
    Variable: definitionOfVariable,
    ScenarioGiven: { ...given, properties: mapValues(given!.properties!, acceptVariables) },
    Expected: expected(definitions.Expected!),
    Matcher: matcher,
    RecordKey: { type: 'string', pattern: RECORD },
  })
  Object.assign(definitions.ExpectedEvent!, { allOf: [...webhookTopics, ...webhookEventNames].map(detailsOfEvent) })
  Object.assign(request!.properties!.request!, {
    examples: Object.values(endpoints).map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '$uid')}`),
  })
  Object.assign(decide, { allOf: collectionNames.map((name) => movesOfCollection(name, movesOf(name))) })
  Object.assign(decide.properties!.record!, { pattern: RECORD })
  const callable = methodNames.filter(isCallable)
  Object.assign(operator.properties!.call!, {
    anyOf: [...callable.map((name) => ({ const: name, description: methods[name].summary })), VARIABLE],
  })
  Object.assign(operator, {
    allOf: callable.map((name) => {
      const input = print(methods[name].input, acceptVariables)
      const isRequired = !methods[name].input.safeParse({}).success
      return when({ call: { const: name } }, { properties: { input }, ...(isRequired ? { required: ['input'] } : {}) })
    }),
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Sandbank scenario',
    description: Scenario.meta()!.description!,
    ...(scenario && $ref ? { $ref } : {}),
    definitions: sortKeys(definitions),
  }
}

function printSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema: node }) => {
      if (node.format === 'date-time') {
        // Not every validator checks formats; the pattern of zod is a thousand characters.
        node.pattern = INSTANT
        delete node.format
      }
      if (node.writeOnly) {
        delete node.writeOnly
        delete node.not
      }
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
    },
  }) as JsonSchema
}

const INSTANT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})$'

/** `collection/uid`; either part may hold a variable. */
const RECORD = `^(${collectionNames.join('|')}|[^/\\s]*\\$[^/\\s]*)/[^/\\s]+$`

/** Where a value is expected, a variable is accepted as well. */
function acceptVariables(node: JsonSchema): JsonSchema {
  const { description, examples, default: _, ...rest } = node
  const inner: JsonSchema = {
    ...rest,
    ...(rest.properties ? { properties: mapValues(rest.properties, acceptVariables) } : {}),
    // Keys may hold variables, too.
    ...(rest.additionalProperties === false ? { patternProperties: { '\\$': {} } } : {}),
    ...(isSchema(rest.items) ? { items: acceptVariables(rest.items) } : {}),
    ...(isSchema(rest.additionalProperties)
      ? { additionalProperties: acceptVariables(rest.additionalProperties) }
      : {}),
    ...(rest.anyOf ? { anyOf: rest.anyOf.map(acceptInside) } : {}),
  }
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  }
  if (Object.keys(inner).length === 0) return words
  return { ...words, anyOf: [...(isOnlyAnyOf(inner) ? inner.anyOf! : [inner]), VARIABLE] }
}

/** As `acceptVariables`, for one of several options: the variable is an option of its own. */
function acceptInside(option: JsonSchema): JsonSchema {
  const accepted = acceptVariables(option)
  const [first, last, ...more] = accepted.anyOf ?? []
  if (first === undefined || last !== VARIABLE || more.length > 0) return accepted
  const { anyOf: _, ...words } = accepted
  return { ...words, ...first }
}

const isSchema = (part: unknown): part is JsonSchema => typeof part === 'object' && part !== null
const isOnlyAnyOf = (node: JsonSchema) => Object.keys(node).length === 1 && node.anyOf !== undefined

/** The details of a topic or an event. Their keys are paths, which may hold variables. */
function detailsOfEvent(event: string): JsonSchema {
  const fields = listEventFields(event)
  const details = {
    properties: Object.fromEntries(fields.map((field) => [field, EXPECTED])),
    propertyNames: { pattern: `^(${fields.join('|')})($|[.[])|^[.[]|\\$` },
  }
  return when({ event: { const: event } }, { properties: { details } })
}

/** The decisions about records of a collection. */
function movesOfCollection(collection: CollectionName, moves: readonly string[]): JsonSchema {
  const record = { pattern: `^${collection}/` }
  const move = { anyOf: [...(moves.length > 0 ? [{ enum: [...moves] }] : []), VARIABLE] }
  return when({ record }, { properties: { move } })
}

const when = (properties: Record<string, JsonSchema>, consequence: JsonSchema): JsonSchema => ({
  if: { properties, required: Object.keys(properties) },
  // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
  then: consequence,
})

/** An object with names of matchers only is a matcher. */
const expected = ({ description = '' }: JsonSchema): JsonSchema => ({
  description,
  if: { type: 'object', minProperties: 1, propertyNames: { enum: [...matcherNames] } },
  // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
  then: { $ref: '#/definitions/Matcher' },
  else: {
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
    then: { items: { $ref: '#/definitions/Expected' } },
    else: { additionalProperties: { $ref: '#/definitions/Expected' } },
  },
})

const EXPECTED: JsonSchema = { $ref: '#/definitions/Expected' }
const ordered = (description: string) => ({
  description,
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?\\d+(\\.\\d{1,2})?$|^\\d{4}-\\d{2}-\\d{2}' }, VARIABLE],
})
const operands: Record<(typeof matcherNames)[number], JsonSchema> = {
  is: { description: 'The kind of value', anyOf: [{ enum: [...isWords, null] }, VARIABLE] },
  matches: { description: 'A text that the regular expression matches', type: 'string' },
  one_of: {
    description: 'One of these values',
    anyOf: [{ type: 'array', minItems: 1, items: EXPECTED }, VARIABLE],
  },
  contains: { description: 'A text with this part, or a list with this item', allOf: [EXPECTED] },
  not: { description: 'Anything but this', allOf: [EXPECTED] },
  count: {
    description: 'A list of so many items',
    anyOf: [{ type: 'number' }, { $ref: '#/definitions/Matcher' }, VARIABLE],
  },
  at_least: ordered('An amount, a number or a time that is not below this one'),
  at_most: ordered('An amount, a number or a time that is not above this one'),
}
const matcher: JsonSchema = {
  type: 'object',
  description: 'A matcher; all of its keys must match',
  minProperties: 1,
  properties: operands,
  additionalProperties: false,
}

const mapValues = (values: Record<string, JsonSchema>, change: (value: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
const sortKeys = (values: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
