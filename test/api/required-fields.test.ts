import { expect } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { inlineRefs } from '../../src/api/http/route.ts'
import { expectRefusal } from '../support/client.ts'
import { it } from '../support/sandbox.ts'

const acceptsNull = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type].flat().includes('null') || anyOf.some(acceptsNull)

/** The paths of the fields that a body, or an object in it, must have, and that cannot be null. None of an object that has two shapes. */
function requiredPaths(schema: JsonSchema, at: readonly string[] = []): (readonly string[])[] {
  const [shape, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  const inside = shape && others.length === 0 ? requiredPaths(shape, at) : []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...at, name]
    const isRequired = schema.required?.includes(name) && !acceptsNull(field)
    return [...(isRequired ? [path] : []), ...requiredPaths(field, path)]
  })
  return [...inside, ...own]
}

/**
 * The body with null at the path, whose outer objects are created if they are not there. A transmitter is read only if it is the
 * initiator.
 */
function withNull(body: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return null
  const fields = (body ?? {}) as Record<string, unknown>
  const initiator = 'usd_transfer_amount' in fields ? { initiator_type: 'transmitter' } : {}
  return { ...fields, ...initiator, [name]: withNull(fields[name], rest) }
}

it('null for a required field is 400/1003 "cannot be null or blank", and `extra` names it', async ({ api }) => {
  let fields = 0
  for (const [name, { method, path, body }] of Object.entries<Endpoint>(endpoints)) {
    if (!body) continue
    const schema = inlineRefs(jsonSchema(body, 'input'))
    const [example] = (schema.examples ?? []) as unknown[]
    for (const required of requiredPaths(schema)) {
      fields++
      const answer = await api.call(method, path.replace('{uid}', 'nobody'), { json: withNull(example, required) })
      const field = `${name}: ${required.join('.')}`
      const { errors } = answer.body as ErrorBody
      expect(errors, field).toEqual([expect.objectContaining({ code: 1003 })])
      expect(errors[0]?.extra?.split('; '), field).toContain(`${required.join('.')} cannot be null or blank`)
    }
  }
  expect(fields).toBeGreaterThan(60)
})

it('null for an optional field that cannot be null is 400/1007', async ({ api }) => {
  expectRefusal(await api.post('/customers', { customer_type: null }), 'invalidArgument', /^customer_type: /)
})
