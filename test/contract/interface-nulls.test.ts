import { expect, it } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { createOpenApi, type JsonSchema } from '../../src/api/contract/openapi.ts'
import shownAsNull from './interface-nulls.json' with { type: 'json' }

/**
 * The fields that the examples of the published interface show as null, for each operation, and how the document has each of them: a field
 * that is null while there is nothing to show is required and may be null.
 */

const EXCEPTIONS: readonly (readonly [fields: RegExp, has: string, why: string])[] = [
  [/^DELETE /, 'absent', 'the 204 of an archived VRN has no body'],
  [/data\[\]\..*(?:\.noc_corrected_data|\.counterparty_address\.\w+)$/, 'absent', 'a list does not show it'],
  [/_address\.(?:line[23]|country|street2)$/, 'optional', 'an address shows the parts that were given'],
  [/wire_transmitter\.(?:line[23]|country)$/, 'optional', 'an address shows the parts that were given'],
  [/ach\.iat\.\w+$/, 'optional', 'iat has what the originator sent'],
  [/wire\.(?:chips|imad|uetr)$/, 'optional', 'the one that the network gave, and null for the others'],
  [/ (?:ach|instant_payment)$/, 'not null', 'the object of another rail, where the schema forbids null'],
  [/[ .](?:created_at|transaction_event_uids)$/, 'not null', 'it always has a value'],
  [/\.(?:mcc|merchant_\w+|denial_reason)$/, 'absent', 'of cards, which have no collection'],
]

const document = JSON.parse(JSON.stringify(createOpenApi(endpoints))) as {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Response> }>>
  readonly components: { readonly schemas: Record<string, JsonSchema> }
}
interface Response {
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } }
}

/** A schema with its shapes, without references. */
function shapesOf(schema: JsonSchema): JsonSchema[] {
  const { $ref, anyOf = [] } = schema
  const target = typeof $ref === 'string' ? document.components.schemas[$ref.split('/').at(-1)!] : undefined
  return [schema, ...anyOf, ...(target ? [target] : [])].flatMap((one) => (one === schema ? [one] : shapesOf(one)))
}

function describeField(schema: JsonSchema | undefined, path: string): string {
  let shapes = schema ? shapesOf(schema) : []
  let isRequired = false
  for (const step of path.split('.')) {
    const name = step.replace('[]', '')
    const parents = shapes.filter(({ properties }) => properties?.[name])
    isRequired = parents.some(({ required }) => required?.includes(name))
    shapes = parents.flatMap(({ properties }) => shapesOf(properties![name]!))
    if (step !== name) shapes = shapes.flatMap(({ items }) => (items ? shapesOf(items) : []))
  }
  if (shapes.length === 0) return 'absent'
  if (!shapes.some(({ type }) => [type].flat().includes('null'))) return 'not null'
  return isRequired ? 'null' : 'optional'
}

it.each(Object.entries(shownAsNull))('null policy: %s has the nulls of the published examples', (operation, fields) => {
  const [method = '', path = ''] = operation.split(' ')
  const { responses } = document.paths[path]![method.toLowerCase()]!
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!
  const schema = success.content?.['application/json'].schema
  for (const field of fields.split(' ')) {
    const found = describeField(schema, field)
    const exception = EXCEPTIONS.find(([pattern]) => pattern.test(`${operation} ${field}`))
    expect.soft(['null', exception?.[1]], `${operation}: ${field} is ${found}`).toContain(found)
  }
})
