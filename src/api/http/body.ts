import type { IncomingMessage } from 'node:http'
import { ApiError } from '../contract/errors.ts'
import type { JsonSchema } from '../contract/openapi.ts'

/** From bytes to one plain object: JSON or a form. And what text means where a schema wants something else. */

/** Assumed: a body is at most 1 MB, with at most 1,000 keys and 32 levels. */
export const MAX_BODY_BYTES = 1 << 20
/** So much of a body that is too large is read and thrown away, so that the caller gets to read the refusal. */
const MAX_DRAINED_BYTES = 32 << 20
const MAX_KEYS = 1000
const MAX_DEPTH = 32

export type Tree = { [key: string]: unknown }

export interface RawBody {
  readonly bytes: Buffer
  readonly tooLarge: boolean
}

/** Only collects; judged later, after the token, so that a stranger learns nothing. */
export function readBody(req: IncomingMessage, most = MAX_BODY_BYTES): Promise<RawBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => resolve({ bytes: Buffer.concat(chunks).subarray(0, most), tooLarge: length > most })
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length - chunk.length < most) chunks.push(chunk)
      if (length > most + MAX_DRAINED_BYTES) {
        req.pause()
        finish()
      }
    })
    req.on('end', finish)
    req.on('error', reject)
    req.on('close', () => {
      if (!req.readableEnded) reject(new Error('The caller went away'))
    })
  })
}

/** An empty body is an empty object: every field of a body may be optional. */
export function parseBody({ bytes }: RawBody, req: IncomingMessage, schema: JsonSchema): Tree {
  if (bytes.length === 0) return {}
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding !== 'identity') throw new ApiError('unsupportedMediaType', `Content-Encoding ${encoding}`)
  // Assumed: a body without a Content-Type is JSON, and an empty body is an empty object.
  const type = (req.headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  const text = decode(bytes)
  if (type === 'application/json' || type.endsWith('+json')) return parseJson(text)
  if (type === 'application/x-www-form-urlencoded') return fromText(parseForm(text), schema) as Tree
  throw new ApiError('unsupportedMediaType', `Content-Type ${type}`)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('invalidArgument', 'the body is not UTF-8')
  }
}

function parseJson(text: string): Tree {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('invalidArgument', 'the body is not well-formed JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalidArgument', 'the body must be a JSON object')
  checkSize(value)
  return value as Tree
}

function checkSize(root: object) {
  let keys = 0
  const walk = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null) return
    if (depth > MAX_DEPTH) throw new ApiError('invalidArgument', `the body has more than ${MAX_DEPTH} levels`)
    for (const part of Object.values(value)) {
      if (++keys > MAX_KEYS) throw new ApiError('invalidArgument', `the body has more than ${MAX_KEYS} keys`)
      walk(part, depth + 1)
    }
  }
  walk(root, 1)
}

/**
 * Leaves are text, or arrays of text.
 *
 * Assumed: in forms, objects are written `details[address][city]=Ames` and lists `name[]=a&name[]=b`; an empty text is
 * null where null is allowed, numeric text a number, and `true` and `false` are booleans.
 */
export function parseForm(text: string): Tree {
  const root: Tree = Object.create(null) as Tree
  let keys = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++keys > MAX_KEYS) throw new ApiError('invalidArgument', `the form has more than ${MAX_KEYS} keys`)
    const open = name.indexOf('[')
    const path = open < 0 ? [name] : [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
    if (open >= 0 && !name.endsWith(']')) throw new ApiError('invalidArgument', `${name} lacks its closing bracket`)
    if (path.length > MAX_DEPTH) throw new ApiError('invalidArgument', `the form has more than ${MAX_DEPTH} levels`)
    place(root, path, value, name)
  }
  return root
}

function place(root: Tree, path: readonly string[], value: string, name: string) {
  const isList = path.length > 1 && path.at(-1) === ''
  const steps = isList ? path.slice(0, -1) : path
  const leaf = steps.at(-1) as string
  let node = root
  for (const step of steps.slice(0, -1)) {
    const child = (node[step] ??= Object.create(null) as Tree)
    if (typeof child !== 'object' || child === null || Array.isArray(child))
      throw new ApiError('invalidArgument', `${name} is both a value and an object`)
    node = child as Tree
  }
  const held = node[leaf]
  if (held === undefined) node[leaf] = isList ? [value] : value
  else if (Array.isArray(held)) held.push(value)
  else if (typeof held === 'string') node[leaf] = [held, value]
  else throw new ApiError('invalidArgument', `${name} is both a value and an object`)
}

/**
 * Every leaf of a form or query is text. Here it becomes what the schema declares: `true` a boolean, `12` a number, ``
 * null where null may be, one value a list where a list is due. What does not fit stays as it is, for the schema to refuse.
 */
export function fromText(value: unknown, schema: JsonSchema, { foldEnums = false } = {}): unknown {
  const options = schema.anyOf ?? [schema]
  const types = options.flatMap((option) => option.type ?? (option.enum ? ['string'] : []))
  const again = (part: unknown, of: JsonSchema) => fromText(part, of, { foldEnums })

  if (value === '' && types.includes('null')) return null
  const objects = options.find((option) => option.properties)
  if (objects && isTree(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        const of = Object.hasOwn(objects.properties!, name) ? objects.properties![name] : undefined
        return [name, of ? again(part, of) : part]
      }),
    )
  const lists = options.find((option) => option.items)
  if (lists && !(typeof value === 'string' && types.includes('string'))) {
    // A list of objects is numbered: `name[0][a]=…&name[1][a]=…`.
    const numbered =
      isTree(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
    return (Array.isArray(value) ? value : numbered).map((part) => again(part, lists.items!))
  }
  if (typeof value !== 'string') return value
  if (types.includes('boolean') && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  if (types.includes('integer') && /^-?\d+$/.test(value)) return countable(Number(value))
  // Where text is allowed too, text it stays: a binary number could not hold every amount.
  if (types.includes('number') && !types.includes('string') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (foldEnums)
    for (const allowed of options.flatMap((option) => option.enum ?? []))
      if (typeof allowed === 'string' && allowed.toLowerCase() === value.toLowerCase()) return allowed
  return value
}

/** A whole number larger than can be counted is still one: a limit of 10^30 is a large limit. */
const countable = (n: number) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, n))

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `status[]=a&status=b` → `{ status: ['a', 'b'] }`; brackets that are not a list stay in the name. */
export function parseQuery(query: string): Tree {
  const root: Tree = Object.create(null) as Tree
  let keys = 0
  for (const [name, value] of new URLSearchParams(query)) {
    if (++keys > MAX_KEYS) throw new ApiError('invalidArgument', `the query has more than ${MAX_KEYS} parameters`)
    place(root, name.length > 2 && name.endsWith('[]') ? [name.slice(0, -2), ''] : [name], value, name)
  }
  return root
}
