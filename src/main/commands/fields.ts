import { matchTemplate } from '../../api/contract/path-templates.ts'
import { OptionError } from './command.ts'

/** `key=value` arguments: as a query, or as the fields of a JSON body with the types that the interface declares. */

export interface Field {
  readonly path: readonly string[]
  readonly text: string
  /** Written `key:=JSON`. */
  readonly isJson: boolean
}

export function parseFields(args: readonly string[], usage: string): Field[] {
  return args.map((arg) => {
    const match = /^([^=]+?)(:?=)(.*)$/s.exec(arg)
    if (!match) throw new OptionError(`${arg}: key=value is expected; see ${usage} --help`)
    const [, key = '', sign, text = ''] = match
    if (sign === ':=') parseJson(text, `${key}:=`)
    const path = key.split('.')
    if (path.includes('')) throw new OptionError(`${arg}: a name is expected between the dots of ${key}`)
    return { path, text, isJson: sign === ':=' }
  })
}

export const toQuery = (fields: readonly Field[]): [string, string][] =>
  fields.map(({ path, text }) => [path.join('.'), text])

/** A JSON Schema, as far as it is read here. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

/** The schema of the JSON body of an operation; undefined for an unknown path. */
export function bodySchema({ paths }: Document, method: string, path: string): Schema | undefined {
  const template = Object.keys(paths).find((one) => matchTemplate(one, path))
  return template === undefined
    ? undefined
    : paths[template]![method.toLowerCase()]?.requestBody?.content['application/json']?.schema
}

/** The alternatives of a schema, without references. */
function alternatives(schema: Schema | undefined, document: Document | undefined, depth = 0): Schema[] {
  if (!schema || depth > 20) return []
  const name = schema.$ref?.replace('#/components/schemas/', '')
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (name !== undefined) parts.push(document?.components?.schemas?.[name] ?? {})
  return [schema, ...parts.flatMap((part) => alternatives(part, document, depth + 1))]
}

/** A field that the interface does not declare is a text. */
export function toBody(fields: readonly Field[], schema?: Schema, document?: Document): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null)
  for (const { path, text, isJson } of fields) {
    let target = body
    let here = alternatives(schema, document)
    path.forEach((key, at) => {
      here = here.flatMap((one) => alternatives(one.properties?.[key], document))
      if (at < path.length - 1) {
        const inner = (target[key] ??= Object.create(null))
        if (typeof inner !== 'object' || inner === null)
          throw new OptionError(`${path.join('.')}: ${path.slice(0, at + 1).join('.')} is a value, not an object`)
        target = inner as Record<string, unknown>
        return
      }
      const value = isJson ? parseJson(text, `${path.join('.')}:=`) : toDeclaredType(text, here, document)
      // A repeated key is a list.
      target[key] =
        key in target ? [target[key], value].flat() : isList(here) && !Array.isArray(value) ? [value] : value
    })
  }
  return body
}

const typesOf = (schemas: readonly Schema[]) =>
  new Set(
    schemas.flatMap(({ type, const: only, enum: values }) => [
      ...[type ?? []].flat(),
      ...[only, ...(values ?? [])].map((value) => typeof value),
    ]),
  )

const isList = (schemas: readonly Schema[]) => {
  const types = typesOf(schemas)
  return types.has('array') && !types.has('string')
}

function toDeclaredType(text: string, schemas: readonly Schema[], document: Document | undefined): unknown {
  const types = typesOf(schemas)
  if (types.has('string')) return text
  if (types.has('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (types.has('null') && text === 'null') return null
  if ((types.has('array') || types.has('object')) && /^\s*[[{]/.test(text)) return parseJson(text, '')
  if (types.has('array'))
    return [
      toDeclaredType(
        text,
        schemas.flatMap(({ items }) => alternatives(items, document)),
        document,
      ),
    ]
  return text
}

export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new OptionError(`${where}${text}: JSON is expected`)
  }
}
