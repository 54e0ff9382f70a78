import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import type { MethodInput } from '../../api/contract/control/methods.ts'
import type { Shape } from '../../api/contract/shape.ts'
import type { RecordRef } from '../data/at-hand.ts'
import { isCollection } from '../data/collections.ts'
import { sandbox } from '../data/sandbox.ts'
import { callOf } from '../data/trying.ts'
import { isJsonObject, type JsonObject, parseTyped } from './values.ts'

/** Builds and sends requests, and reads their responses. */

export type { RecordRef } from '../data/at-hand.ts'

export interface Request {
  readonly method: MethodInput<'exchanges.send'>['method']
  /** Relative to the base path, with the query. */
  readonly path: string
  /** Empty for none. */
  readonly body: string
  /** Default: application/json. */
  readonly content_type?: string
}

const toInput = (
  program_uid: string | undefined,
  { method, path, body, content_type }: Request,
): MethodInput<'exchanges.send'> => ({
  ...(program_uid === undefined ? {} : { program_uid }),
  method,
  path,
  ...(body === '' ? {} : { body, ...(content_type === undefined ? {} : { content_type }) }),
})

export const sendRequest = (program_uid: string | undefined, request: Request): Promise<ExchangeDetail> =>
  sandbox['exchanges.send'](toInput(program_uid, request))

/** The same as a call that can be tried. */
export const sendingOf = (program_uid: string | undefined, request: Request) => [
  callOf('exchanges.send', toInput(program_uid, request)),
]

/** The request in the form of a recorded one, for `formatCurl`. */
export const toSentRequest = ({ method, path, body }: Request) => ({
  method,
  path,
  request: { headers: body === '' ? [] : [['content-type', 'application/json'] as [string, string]], body },
})

/** Fills in the parameters of a path. A missing one stays as `{uid}`: the API reports the error. */
export function buildPath(template: string, params: JsonObject, query: JsonObject = {}): string {
  const path = template.replace(/\{(\w+)\}/g, (part, name: string) =>
    typeof params[name] === 'string' && params[name] !== '' ? encodeURIComponent(params[name]) : part,
  )
  const text = formatQuery(query)
  return text === '' ? path : `${path}?${text}`
}

export function formatQuery(query: JsonObject): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one) => [value.length > 1 ? `${name}[]` : name, String(one)])
      : [[name, String(value)]],
  )
  return String(new URLSearchParams(pairs))
}

/** A query as a form shows it. Unknown parameters stay texts. */
export function parseQuery(text: string, { fields }: Shape): JsonObject {
  const value: Record<string, unknown> = {}
  for (const [written, part] of new URLSearchParams(text)) {
    const name = written.replace(/\[\]$/, '')
    const shape = fields.find((field) => field.name === name)?.shape
    const lists = shape?.kind === 'list' || shape?.shapes.some(({ kind }) => kind === 'list')
    const item = shape?.item ?? shape
    const typed =
      item?.kind === 'boolean' && /^(true|false)$/.test(part) ? part === 'true' : item ? parseTyped(item, part) : part
    const earlier = Object.hasOwn(value, name) ? value[name] : undefined
    if (Array.isArray(earlier)) earlier.push(typed)
    else if (earlier !== undefined) value[name] = [earlier, typed]
    else value[name] = lists || written !== name ? [typed] : typed
  }
  return value
}

const parseResponseBody = ({ response }: ExchangeDetail): JsonObject => {
  try {
    const value: unknown = JSON.parse(response.body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The record that a response describes, if any. */
export function findCreatedRecord(exchange: ExchangeDetail): RecordRef | null {
  if (exchange.status < 200 || exchange.status > 299) return null
  const [, first, second] = exchange.path.split(/[/?]/)
  const collection = first === 'sandbox' ? 'transactions' : first
  const { uid } = parseResponseBody(exchange)
  const named = typeof uid === 'string' ? uid : exchange.method === 'GET' ? undefined : second
  return isCollection(collection) && named ? { collection, uid: named } : null
}
