import { exampleOf, type MethodName, methodNames, methods } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { type ExampleName, type ExampleValues, examples, fillExample } from '../../src/api/contract/terms/examples.ts'
import { inlineRefs } from '../../src/api/http/route.ts'
import type { Body } from './client.ts'

/** The calls of a campaign that are the examples of the contract, with the values that `requests.examples` finds in a world. */

export const allEndpoints = Object.entries(endpoints) as [EndpointName, Endpoint][]

/** Of the bodies of the endpoints and the inputs of the methods. */
const printSchema = (schema: Endpoint['body']) => schema && inlineRefs(jsonSchema(schema, 'input'))
export const bodySchemas = new Map(allEndpoints.map(([name, { body }]) => [name, printSchema(body)]))
export const querySchemas = new Map(allEndpoints.map(([name, { query }]) => [name, printSchema(query)]))
export const inputSchemas = new Map<MethodName, JsonSchema>(
  methodNames.map((name) => [name, printSchema(methods[name].input)!]),
)

/** As `requests.examples` returns them. */
export const valuesOf = ({ values }: Body): ExampleValues => new Map(Object.entries(values) as [ExampleName, string][])

/** The body of an endpoint; undefined if it has none. */
export const exampleBody = (name: EndpointName, values: ExampleValues): Body => {
  const [example] = (bodySchemas.get(name)?.examples ?? []) as unknown[]
  return example && fillExample(example, values)
}

/** The uid in the path of an endpoint; undefined if it has none. */
export const exampleUid = (name: EndpointName, values: ExampleValues): string | undefined => {
  const { path, example = path.split('/')[1] as ExampleName } = endpoints[name] as Endpoint
  return path.includes('{uid}') ? (values.get(example) ?? examples[example]) : undefined
}

export const exampleInput = (name: MethodName, values: ExampleValues): Body => fillExample(exampleOf(name), values)

// ── Methods that change something ──────────────────────────────────────────────────────────────────────────────────

/** Beyond the actions of the operator. */
const OTHER_CHANGES = new Set<MethodName>([
  ...([
    'exchanges.send',
    'exchanges.replay',
    'bundles.import',
    'snapshots.keep',
    'snapshots.delete',
    'work.cancel',
  ] as const),
  ...([
    'scenarios.save',
    'scenarios.delete',
    'scenarios.run',
    'scenarios.step',
    'scenarios.pause',
    'clock.cancel',
  ] as const),
  ...(['worlds.create', 'worlds.keep', 'worlds.drop', 'operations.undo', 'operations.redo'] as const),
])

export const isAction = (name: string) => name in methods && 'isAction' in methods[name as MethodName]
export const changingMethods = methodNames.filter((name) => isAction(name) || OTHER_CHANGES.has(name))

/** Filters without which a list leaves out records. */
export const ALL_RECORDS: Readonly<Record<string, object>> = {
  customers: { include_initiated: true },
  transactions: { include_zero: true, show_denied_auths: true, show_expired: true },
}
