import type { OpenApiDocument } from './openapi.ts'

/** Smaller forms of the OpenAPI documents, with the same meaning. */

type Node = Readonly<Record<string, unknown>>
interface Operation extends Node {
  readonly parameters?: readonly ({ readonly name: string } & Node)[]
  readonly responses: Readonly<Record<string, { readonly headers?: Node } & Node>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Without examples, and with shared parts. */
export const compactOpenApi = <D extends OpenApiDocument>(document: D): D =>
  sharePartsOf(withoutExamples(document) as D)

/** Properties of schemas may have these names. */
function withoutExamples(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutExamples(part))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, part]) =>
      !isProperties && (key === 'example' || key === 'examples')
        ? []
        : [[key, withoutExamples(part, key === 'properties' && !isProperties)]],
    ),
  )
}

/** Parameters, headers and responses that are repeated are components. Of several that have one name, the first is. */
export function sharePartsOf<D extends OpenApiDocument>(document: D): D {
  const components: Record<string, Record<string, unknown>> = { ...document.components }
  const counts = new Map<string, number>()
  const count = (kind: string, name: string, part: unknown) => {
    const key = `${kind} ${name} ${JSON.stringify(part)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return part
  }
  const share = (kind: string, name: string, part: unknown) => {
    const text = JSON.stringify(part)
    if (counts.get(`${kind} ${name} ${text}`) === 1 || isReference(part)) return part
    const shared = (components[kind] ??= {})
    shared[name] ??= part
    return JSON.stringify(shared[name]) === text ? { $ref: `#/components/${kind}/${name}` } : part
  }
  visitParts(document, count)
  const { paths, webhooks } = visitParts(document, share)
  return { ...document, paths, ...(webhooks ? { webhooks } : {}), components }
}

const isReference = (part: unknown) => (part as { $ref?: string }).$ref !== undefined

/** The paths with what `visit` returns for each part of their operations. */
function visitParts(
  { paths, webhooks }: OpenApiDocument,
  visit: (kind: string, name: string, part: unknown) => unknown,
) {
  const visitOperation = ({ parameters, responses, ...operation }: Operation) => ({
    ...operation,
    ...(parameters ? { parameters: parameters.map((part) => visit('parameters', part.name, part)) } : {}),
    responses: mapEntries(responses, ({ headers, ...response }, status) =>
      visit('responses', status, {
        ...response,
        ...(headers ? { headers: mapEntries(headers, (part, name) => visit('headers', name, part)) } : {}),
      }),
    ),
  })
  const visitAll = (items: object) => mapEntries(items as Paths, (item) => mapEntries(item, visitOperation))
  return { paths: visitAll(paths), webhooks: webhooks && visitAll(webhooks) }
}

const mapEntries = <T>(all: Readonly<Record<string, T>>, map: (value: T, name: string) => unknown) =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value, name)]))
