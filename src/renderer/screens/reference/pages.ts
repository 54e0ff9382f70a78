import { rowOf } from '../../../api/contract/collections.ts'
import { type MethodName, methodNames, methods } from '../../../api/contract/control/methods.ts'
import { collectionsAt } from '../../../api/contract/describe/relations.ts'
import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import type { MachineName } from '../../../api/contract/machines.ts'
import { errorsOf } from '../../../api/contract/openapi.ts'
import { flattenShape, shapeOf } from '../../../api/contract/shape.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'

export interface Page {
  /** Part of the address, e.g. `#/reference/getPool`. */
  readonly id: string
  readonly group: string
  readonly title: string
  readonly method?: Endpoint['method']
  /** What the search finds it by. */
  readonly keywords: string
}

const aboutPages = [
  ['overview', 'Addresses, tokens, formats', 'auth token trace id header base url json form list limit offset sort'],
  ['limits', 'Limits', 'rate limit size timeout maximum daily'],
  [
    'errors',
    'Error codes',
    `error refusal ${Object.values(errors)
      .map(({ code, title }) => `${code} ${title}`)
      .join(' ')}`,
  ],
  ['rules', 'Rules by section', 'rule specification section why cause'],
  ['states', 'States and transitions', 'state machine status diagram move'],
  ['triggers', 'Outcomes you can force', 'trigger forced data fail smith johnson test data'],
  ['events', 'Events', 'webhook event topic notification subscribe'],
  ['codes', 'Network codes', 'ach return noc notification of change instant payment rejection R01 C01'],
] as const

const endpointNames = Object.keys(endpoints) as EndpointName[]
export const getEndpoint = (name: EndpointName): Endpoint => endpoints[name]
export const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)
export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name)

export const pages: readonly Page[] = [
  ...aboutPages.map(([id, title, keywords]) => ({ id, group: 'About the API', title, keywords })),
  ...endpointNames.map((name) => {
    const { method, path, group, summary } = getEndpoint(name)
    return { id: name, group, title: path, method, keywords: `${name} ${method} ${path} ${summary}` }
  }),
  ...methodNames.map((name) => ({
    id: name,
    group: 'Control API',
    title: name,
    keywords: `control ${methods[name].summary}`,
  })),
]

const groupPages = (found: readonly Page[]) =>
  [...new Set(found.map(({ group }) => group))].map((title) => ({
    title,
    items: found.filter(({ group }) => group === title),
  }))

/** The pages that contain every word of a text. */
export function findPages(text: string): readonly Page[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ id, title, keywords }) => {
    const all = `${id} ${title} ${keywords}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** A cache, because reading all schemas takes long. */
const fieldsByPage = new Map<string, ReadonlySet<string>>()

function readFieldNames({ id }: Page): ReadonlySet<string> {
  const cached = fieldsByPage.get(id)
  if (cached) return cached
  const { query, body, input, response, output } = getSchemas(id)
  const shapes = [query, body, input].map((schema) => schema && shapeOf(schema))
  const hasNoContent = isEndpoint(id) && endpoints[id].status === 204
  const result = hasNoContent ? undefined : (response ?? output)
  const all = [...shapes, result && shapeOf(result, 'output')]
  const names = new Set(all.flatMap((shape) => (shape ? flattenShape(shape).map(({ name }) => name) : [])))
  fieldsByPage.set(id, names)
  return names
}

interface PageSchemas {
  readonly query?: Schema
  readonly body?: Schema
  readonly input?: Schema
  readonly response?: Schema
  readonly output?: Schema
}

const getSchemas = (id: string): PageSchemas => (isEndpoint(id) ? endpoints[id] : isMethod(id) ? methods[id] : {})

/** The pages that contain the words of a search, in groups, and then those with a field of that name. */
export function searchPages(text: string) {
  const found = findPages(text)
  const name = text.trim().toLowerCase()
  if (!/^[a-z]\w*$/.test(name)) return groupPages(found)
  const withField = pages.filter((page) => !found.includes(page) && readFieldNames(page).has(name))
  return [...groupPages(found), ...(withField.length > 0 ? [{ title: `With a field ${name}`, items: withField }] : [])]
}

export const isErrorCode = (text: string) => Object.values(errors).some(({ code }) => String(code) === text.trim())

/** The errors that every endpoint can return, and then those that this one declares. */
export const listErrors = (name: EndpointName): readonly ErrorKey[] => errorsOf(getEndpoint(name))

/** The state machines of the records that the endpoint at a path changes. */
export const findMachines = (path: string): readonly MachineName[] =>
  collectionsAt(path).flatMap((collection) => Object.values(rowOf(collection).machines ?? {}))
