import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { ApiError } from '../contract/errors.ts'
import type { JsonSchema } from '../contract/openapi.ts'
import { locateJsonError } from '../contract/terms/json-error.ts'
import { shortenName } from './hints.ts'
import { findExcess } from './json-size.ts'
import { formPairs, occursMoreThan } from './percent.ts'

/** Parses bodies (JSON or a form) and queries into plain objects, and converts text to what a schema expects. */

/**
 * Assumed (invented): a body is at most 1 MB, also after unpacking, with at most 1,000 keys and 32 levels; a key that is repeated counts each
 * time. A larger body is refused with 400/1007 before it is parsed, even if it is not well-formed.
 */
export const MAX_BODY_BYTES = 1 << 20
/** How much of a too large body is read and discarded: a client that still sends would not read the refusal. */
const MAX_DRAINED_BYTES = 32 << 20
const MAX_KEYS = 1000
export const MAX_DEPTH = 32

export type Tree = { [key: string]: unknown }

export interface RawBody {
  readonly bytes: Buffer
  readonly tooLarge: boolean
  /** How many more bytes were sent. */
  readonly dropped: number
}

export const NO_BODY: RawBody = { bytes: Buffer.alloc(0), tooLarge: false, dropped: 0 }

/** Does not check the body: that comes after the token, so an unauthenticated client learns nothing about it. */
export class BodyReader {
  /** Rejected if the client disconnects before its end. */
  readonly whole: Promise<RawBody>
  readonly #chunks: Buffer[] = []
  #kept = 0
  #length = 0
  #most: number

  constructor(req: IncomingMessage, max = MAX_BODY_BYTES) {
    this.#most = max
    this.whole = new Promise((resolve, reject) => {
      const finish = () => resolve(this.#finish(max))
      req.on('data', (chunk: Buffer) => {
        this.#add(chunk)
        if (this.#length > max + MAX_DRAINED_BYTES) {
          req.pause()
          finish()
        }
      })
      req.on('end', finish)
      req.on('error', reject)
      req.on('close', () => {
        if (!req.readableEnded) reject(new Error('The client disconnected'))
      })
    })
  }

  /** For a caller without a token, who may keep the connection open: the rest is read and discarded. */
  keepOnly(most: number) {
    this.#most = most
    if (this.#kept <= most) return
    // A copy, as a part would hold the memory of the whole.
    const start = Buffer.from(Buffer.concat(this.#chunks).subarray(0, most))
    this.#chunks.splice(0, this.#chunks.length, start)
    this.#kept = start.length
  }

  #add(chunk: Buffer) {
    this.#length += chunk.length
    if (this.#kept >= this.#most) return
    this.#chunks.push(chunk)
    this.#kept += chunk.length
  }

  #finish(max: number): RawBody {
    const bytes = Buffer.concat(this.#chunks).subarray(0, this.#most)
    return { bytes, tooLarge: this.#length > max, dropped: this.#length - bytes.length }
  }
}

/** Not before the token is checked, as this costs more than reading. */
export function unpackBody(body: RawBody, req: IncomingMessage): RawBody {
  const { bytes, tooLarge } = body
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (bytes.length === 0 || tooLarge || encoding === 'identity') return body
  const unpack = UNPACK.get(encoding)
  if (!unpack) throw new ApiError('unsupportedMediaType', `Content-Encoding ${encoding}`)
  try {
    return { ...body, bytes: unpack(bytes, { maxOutputLength: MAX_BODY_BYTES }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { ...body, tooLarge: true }
    throw new ApiError('invalidArgument', `the body is not valid ${encoding}`)
  }
}

const UNPACK = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** The request log has bodies unpacked, so a replay must send them without this header. */
export const isPackedEncoding = (encoding: string) => UNPACK.has(encoding.toLowerCase())

export function parseBody({ bytes }: RawBody, req: IncomingMessage, schema: JsonSchema): Tree {
  if (bytes.length === 0) return {}
  // Assumed (invented): a body without a Content-Type is JSON, and an empty body is an empty object.
  const type = (req.headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  const text = decode(bytes)
  if (type === 'application/json' || type.endsWith('+json')) return parseJsonText(text)
  if (type === 'application/x-www-form-urlencoded')
    return withoutNul(convertText(parseForm(text), schema) as Tree, text)
  throw new ApiError('unsupportedMediaType', `Content-Type ${type}`)
}

export const parseJsonText = (text: string): Tree => withoutNul(parseJson(text), text)

const WAYS_TO_WRITE_NUL = ['\\u0000', '%00', '\0']

/** Assumed (invented): a body with the character NUL in a text or a name is 400/1007; many databases cannot store it. */
function withoutNul(body: Tree, text: string): Tree {
  if (!WAYS_TO_WRITE_NUL.some((way) => text.includes(way))) return body
  const refuse = (value: unknown, at: string) => {
    if (typeof value === 'string' && value.includes('\0'))
      throw new ApiError('invalidArgument', `${at}: the character U+0000 is not allowed`)
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      const path = at === '' ? shortenName(name) : `${at}.${shortenName(name)}`
      if (name.includes('\0'))
        throw new ApiError('invalidArgument', `${path.replaceAll('\0', '\\u0000')}: U+0000 is not allowed in a name`)
      refuse(part, path)
    }
  }
  refuse(body, '')
  return body
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
  const excess = findExcess(text, { keys: MAX_KEYS, levels: MAX_DEPTH })
  if (excess === 'keys') throw new ApiError('invalidArgument', `the body has more than ${MAX_KEYS} keys`)
  if (excess === 'levels') throw new ApiError('invalidArgument', `the body has more than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('invalidArgument', 'the body is not well-formed JSON', locateJsonError(text, 'body')?.text)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalidArgument', 'the body must be a JSON object')
  return value as Tree
}

/** Whether objects and lists are nested more deeply than a body may be. */
export function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_DEPTH || Object.values(value).some((part) => isTooDeep(part, depth + 1))
}

/**
 * Every value is text or a list of text.
 *
 * Assumed (sibling): in forms, objects are written `details[address][city]=Ames`, lists `name[]=a&name[]=b` or `name[0]=a&name[1]=b`, and
 * lists of objects `name[][a]=1&name[][b]=2` or `name[0][a]=1`; an empty text is null where null is allowed, numeric text a
 * number, and `true` and `false` are booleans.
 */
export function parseForm(text: string): Tree {
  const root = createTree()
  let keys = 0
  for (const [name, value] of formPairs(text)) {
    if (++keys > MAX_KEYS) throw new ApiError('invalidArgument', `the form has more than ${MAX_KEYS} keys`)
    const open = name.indexOf('[')
    if (occursMoreThan(name, '[', MAX_DEPTH - 1))
      throw new ApiError('invalidArgument', `the form has more than ${MAX_DEPTH} levels`)
    const path = open < 0 ? [name] : [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
    if (open >= 0 && !name.endsWith(']'))
      throw new ApiError('invalidArgument', `${shortenName(name)} lacks its closing bracket`)
    setValue(root, path, value, name)
  }
  return root
}

function setValue(root: Tree, path: readonly string[], value: string, name: string) {
  const isList = path.length > 1 && path.at(-1) === ''
  const names = isList ? path.slice(0, -1) : path
  const last = names.at(-1) as string
  let node = root
  for (const [i, parent] of names.slice(0, -1).entries()) {
    const child = parent === '' && i > 0 ? elementFor(node, names.slice(i + 1)) : (node[parent] ??= createTree())
    if (!isTree(child)) throw new ApiError('invalidArgument', `${shortenName(name)} is both a value and an object`)
    node = child
  }
  const earlier = node[last]
  if (earlier === undefined) node[last] = isList ? [value] : value
  else if (Array.isArray(earlier)) earlier.push(value)
  else if (typeof earlier === 'string') node[last] = [earlier, value]
  else throw new ApiError('invalidArgument', `${shortenName(name)} is both a value and an object`)
}

/** Of `name[][a]`: the last element of the list, or a new one if the last has this field. */
function elementFor(list: Tree, rest: readonly string[]): Tree {
  const elements = Object.keys(list)
  const last = list[elements.at(-1) ?? '']
  if (isTree(last) && !hasPath(last, rest)) return last
  return (list[String(elements.length)] = createTree()) as Tree
}

function hasPath(node: Tree, [first = '', ...rest]: readonly string[]): boolean {
  const part = node[first]
  return rest.length === 0 || !isTree(part) ? part !== undefined : hasPath(part, rest)
}

const createTree = () => Object.create(null) as Tree

/**
 * Converts the text values of a form or query to the types of the schema: booleans, numbers, null for empty text, a list
 * for a single value. Text that fits no type stays text, and the schema refuses it.
 *
 * Assumed (invented): in a query, `1` and `0` are booleans, too, values of an enum may have other capitals, and a number or boolean without a value,
 * as in `limit=`, is not given.
 */
export function convertText(value: unknown, schema: JsonSchema, { inQuery = false } = {}): unknown {
  const options = schema.anyOf ?? [schema]
  const types = options.flatMap((option) => option.type ?? (option.enum ? ['string'] : []))
  const convert = (part: unknown, partSchema: JsonSchema) => convertText(part, partSchema, { inQuery })

  if (value === '' && types.includes('null')) return null
  const objects = options.find((option) => option.properties)
  if (objects && isTree(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        const field = Object.hasOwn(objects.properties!, name) ? objects.properties![name] : undefined
        return [name, field ? convert(part, field) : part]
      }),
    )
  const lists = options.find((option) => option.items)
  if (lists && !(typeof value === 'string' && types.includes('string'))) {
    const numbered =
      isTree(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
    return (Array.isArray(value) ? value : numbered).map((part) => convert(part, lists.items!))
  }
  if (typeof value !== 'string') return value
  if (inQuery && value === '' && !types.includes('string')) return undefined
  if (types.includes('boolean') && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  if (inQuery && types.includes('boolean') && /^[01]$/.test(value)) return value === '1'
  if (types.includes('integer') && /^-?\d+$/.test(value)) return clampToSafe(Number(value))
  // If text is allowed too, keep it: a binary number cannot hold every amount.
  if (types.includes('number') && !types.includes('string') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (inQuery)
    for (const allowed of options.flatMap((option) => option.enum ?? []))
      if (typeof allowed === 'string' && allowed.toLowerCase() === value.toLowerCase()) return allowed
  return value
}

/** A limit of 10^30 is a large limit, not an error. */
const clampToSafe = (n: number) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, n))

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `status[]=a&status[0]=b&status=c` → `{ status: ['a', 'b', 'c'] }`. Other brackets stay part of the name. */
export function parseQuery(query: string): Tree {
  const root = createTree()
  let keys = 0
  for (const [name, value] of formPairs(query)) {
    if (++keys > MAX_KEYS) throw new ApiError('invalidArgument', `the query has more than ${MAX_KEYS} parameters`)
    const open = name.lastIndexOf('[')
    const isList = open > 0 && /^\[\d*\]$/.test(name.slice(open))
    setValue(root, isList ? [name.slice(0, open), ''] : [name], value, name)
  }
  return root
}
