import type { OpenApiDocument } from './openapi.ts'

/** Smaller forms of the OpenAPI documents, with the same meaning. */

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<Record<string, object>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Without examples, and with shared parts. */
export const compactOpenApi = <D extends OpenApiDocument>(document: D): D =>
  sharePartsOf(withoutExamples(document) as D)

/** Properties of schemas may have these names. */
function withoutExamples(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutExamples(part))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => isProperties || (key !== 'example' && key !== 'examples'))
  return mapEntries(Object.fromEntries(kept), (part, key) =>
    withoutExamples(part, key === 'properties' && !isProperties),
  )
}

/** Parameters and refusals that are repeated are components: of several that have one name, the first. A generator may not follow a success. */
export function sharePartsOf<D extends OpenApiDocument>(document: D): D {
  const components: Record<string, Record<string, unknown>> = { ...document.components }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const count = (kind: string, name: string, part: object) => {
    const key = kind + name + JSON.stringify(part)
    if (seen.has(key) && !('$ref' in part)) repeated.add(key)
    seen.add(key)
    return part
  }
  const share = (kind: string, name: string, part: object) => {
    const text = JSON.stringify(part)
    if (!repeated.has(kind + name + text)) return part
    const shared = (components[kind] ??= {})
    shared[name] ??= part
    return JSON.stringify(shared[name]) === text ? { $ref: `#/components/${kind}/${name}` } : part
  }
  mapParts(document.paths as Paths, count)
  return { ...document, paths: mapParts(document.paths as Paths, share), components }
}

const mapParts = (paths: Paths, map: (kind: string, name: string, part: object) => object) =>
  mapEntries(paths, (item) =>
    mapEntries(item, ({ parameters, responses, ...operation }) => ({
      ...operation,
      ...(parameters ? { parameters: parameters.map((part) => map('parameters', part.name, part)) } : {}),
      responses: mapEntries(responses, (part, status) => (status < '300' ? part : map('responses', status, part))),
    })),
  )

const mapEntries = <T>(all: Readonly<Record<string, T>>, map: (value: T, name: string) => unknown) =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value, name)]))
