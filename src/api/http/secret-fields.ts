import { methods } from '../contract/control/methods.ts'
import { endpoints } from '../contract/endpoints.ts'
import { type JsonSchema, jsonSchema } from '../contract/openapi.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'

/** Decides by the name of a field, parameter or header whether its value is a secret. */

type FieldSecrecy =
  /** A tax identifier, under any usual or misspelled name. */
  | 'ssn'
  /** A token, a key or a password. */
  | 'removed'
  /** A field of the contract: its numbers are routing numbers, account numbers and amounts, and stay readable. */
  | 'declared'
  /** A name that the contract does not have: any nine digits may be a Social Security number. */
  | 'unknown'

const REMOVED_FIELDS = new Set(['external_processor_token'])
const REMOVED_HEADERS = new Set(['authorization', 'x-control-key', 'cookie', 'set-cookie', 'set-cookie2'])
/** `x-api-key`, `apikey`, `client_secret`, `x-amz-security-token`, `x-signature`, `proxy-authorization`, … */
const SECRET_NAME =
  /api[-_]?key|(^|[-_])auth(?!ors?\b|ored|orized)|secret|token|passw|signature|credential|hmac|private[-_]?key/i

/** Recognizes other names of the field, and common typos. */
export const isSsnName = (name: string) => {
  // `business_name` contains `ssn`.
  const rest = name.replaceAll(/business/gi, '')
  return /s[_-]?s[_-]?n|snn|ssm|social_?-?security|tax_?-?id|^[te]in$/i.test(rest) && !/last_four/i.test(name)
}

/** In lower case. */
export const isSecretHeader = (name: string) => REMOVED_HEADERS.has(name) || SECRET_NAME.test(name)

const known = new Map<string, FieldSecrecy>()

export function secrecyOf(name: string): FieldSecrecy {
  const found = known.get(name) ?? findSecrecy(name)
  if (known.size < 10_000 && name.length < 100) known.set(name, found)
  return found
}

function findSecrecy(name: string): FieldSecrecy {
  if (REMOVED_FIELDS.has(name)) return 'removed'
  if (isSsnName(name)) return 'ssn'
  if (isDeclared(name)) return 'declared'
  return SECRET_NAME.test(name) ? 'removed' : 'unknown'
}

let declared: ReadonlySet<string> | undefined
/** True for fields and parameters of requests and of control methods that hold one value or a list of values. */
function isDeclared(name: string): boolean {
  declared ??= new Set([
    ...Object.values(endpoints as Readonly<Record<string, Endpoint>>).flatMap(({ query, body }) =>
      [query, body].flatMap((schema) => (schema ? namesIn(jsonSchema(schema, 'input')) : [])),
    ),
    ...Object.values(methods).flatMap(({ input }) => namesIn(jsonSchema(input, 'input'))),
  ])
  return declared.has(name)
}

const namesIn = (schema: JsonSchema) =>
  fieldsIn(schema).flatMap(([name, field]) => ('properties' in field ? [] : [name]))

/** All fields of a schema, at any depth. */
export function fieldsIn(node: unknown): (readonly [name: string, schema: JsonSchema])[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {} } = node as Pick<JsonSchema, 'properties'>
  return [...Object.entries(properties), ...Object.values(node).flatMap(fieldsIn)]
}
