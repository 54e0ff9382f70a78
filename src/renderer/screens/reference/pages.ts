import { type CollectionName, isCollection, rowOf } from '../../../api/contract/collections.ts'
import { type MethodName, methodNames, methods } from '../../../api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import type { MachineName } from '../../../api/contract/machines.ts'
import { refusalsOf } from '../../../api/contract/openapi.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'
import { rowsOf, shapeOf } from '../../forms/shape.ts'

/** The reference as a list of pages, all of them read from the contract. Each has an address: `#/reference/getPool`. */

export interface Page {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly method?: Endpoint['method']
  /** What a search finds it by. */
  readonly words: string
}

const ABOUT = 'About the API'
const about = [
  ['overview', 'Addresses, tokens, formats', 'auth token trace id header base url json form list limit offset sort'],
  ['limits', 'Rates and limits', 'rate limit size timeout maximum daily'],
  [
    'errors',
    'Error codes',
    `error refusal ${Object.values(errors)
      .map(({ code, title }) => `${code} ${title}`)
      .join(' ')}`,
  ],
  ['rules', 'Rules by section', 'rule specification section why cause'],
  ['states', 'States and moves', 'state machine status diagram'],
  ['triggers', 'Outcomes that data forces', 'trigger fail smith johnson test data'],
  ['codes', 'Codes of the networks', 'ach return noc notification of change instant payment rejection R01 C01'],
] as const

export const endpointNames = Object.keys(endpoints) as EndpointName[]
export const endpointNamed = (name: EndpointName): Endpoint => endpoints[name]
export const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)
export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name)

export const pages: readonly Page[] = [
  ...about.map(([id, title, words]) => ({ id, group: ABOUT, title, words })),
  ...endpointNames.map((name) => {
    const { method, path, group, summary } = endpointNamed(name)
    return { id: name, group, title: path, method, words: `${name} ${method} ${path} ${summary}` }
  }),
  ...methodNames.map((name) => ({
    id: name,
    group: 'Control API',
    title: name,
    words: `control ${methods[name].summary}`,
  })),
]

export const groupsOf = (found: readonly Page[]) =>
  [...new Set(found.map(({ group }) => group))].map((title) => ({
    title,
    items: found.filter(({ group }) => group === title),
  }))

export function search(text: string): readonly Page[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ id, title, words: more }) => {
    const all = `${id} ${title} ${more}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** The fields of what a page says, by their names alone: read when somebody first looks for one. */
const fields = new Map<string, ReadonlySet<string>>()

function fieldsOf({ id }: Page): ReadonlySet<string> {
  const known = fields.get(id)
  if (known) return known
  const { query, body, input, response, output } = said(id)
  const shapes = [query, body, input].map((schema) => schema && shapeOf(schema))
  // An answer without a body has no shape.
  const answer = isEndpoint(id) && endpoints[id].status === 204 ? undefined : (response ?? output)
  const all = [...shapes, answer && shapeOf(answer, 'output')]
  const names = new Set(all.flatMap((shape) => (shape ? rowsOf(shape).map(({ name }) => name) : [])))
  fields.set(id, names)
  return names
}

interface Said {
  readonly query?: Schema
  readonly body?: Schema
  readonly input?: Schema
  readonly response?: Schema
  readonly output?: Schema
}

const said = (id: string): Said => (isEndpoint(id) ? endpoints[id] : isMethod(id) ? methods[id] : {})

/** What a search shows: pages by their own words, then those that have a field of this name. */
export function groupsFor(text: string) {
  const found = search(text)
  const name = text.trim().toLowerCase()
  if (!/^[a-z]\w*$/.test(name)) return groupsOf(found)
  const having = pages.filter((page) => !found.includes(page) && fieldsOf(page).has(name))
  return [...groupsOf(found), ...(having.length > 0 ? [{ title: `With a field ${name}`, items: having }] : [])]
}

export const isErrorCode = (text: string) => Object.values(errors).some(({ code }) => String(code) === text.trim())

/** Which endpoints may be refused with an error, as they declare it. */
const declaring = new Map<ErrorKey, EndpointName[]>()
for (const name of endpointNames)
  for (const key of endpointNamed(name).errors) declaring.set(key, [...(declaring.get(key) ?? []), name])
export const endpointsWith = (key: ErrorKey): readonly EndpointName[] => declaring.get(key) ?? []

/** Before an endpoint's own errors come those that any may answer. */
export const ownErrors = (name: EndpointName): ReadonlySet<ErrorKey> => new Set(endpointNamed(name).errors)
export const errorsOf = (name: EndpointName): readonly ErrorKey[] => refusalsOf(endpointNamed(name))

/** An endpoint moves records of the collection in its path, and sometimes those of another one. */
const alsoMoves: Readonly<Record<string, CollectionName>> = {
  customer_products: 'customers',
  sandbox: 'transactions',
}

export function machinesOf(path: string): readonly MachineName[] {
  const [, name = ''] = path.split('/')
  return [name, alsoMoves[name]].filter(isCollection).flatMap((one) => Object.values(rowOf(one).machines ?? {}))
}
