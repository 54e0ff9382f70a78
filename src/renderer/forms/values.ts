import type { Shape } from './shape.ts'

/** Values at a path inside of a body, without changing the body that there is. */

export type Path = readonly (string | number)[]
export type JsonObject = { readonly [name: string]: unknown }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const formatPath = (path: Path) => path.join('.')

export const hasField = (value: unknown, name: string): value is JsonObject =>
  isJsonObject(value) && Object.hasOwn(value, name)

export function valueAt(value: unknown, path: Path): unknown {
  let node = value
  for (const step of path) {
    if (Array.isArray(node)) node = node[Number(step)]
    else node = hasField(node, String(step)) ? node[String(step)] : undefined
  }
  return node
}

/** Undefined takes the field out. */
export function replaceAt(value: unknown, path: Path, part: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return part
  if (Array.isArray(value)) {
    const at = Number(step)
    const next = replaceAt(value[at], rest, part)
    return next === undefined ? value.toSpliced(at, 1) : value.with(at, next)
  }
  const name = String(step)
  const tree = isJsonObject(value) ? value : {}
  const next = replaceAt(hasField(tree, name) ? tree[name] : undefined, rest, part)
  if (next !== undefined) return { ...tree, [name]: next }
  const { [name]: _, ...others } = tree
  return others
}

export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** What is typed into a field for an amount or a number; what is neither stays text, for the contract to refuse. */
export function parseNumber(text: string, prefers: 'number' | 'text'): string | number {
  const plain = /^-?\d+(\.\d+)?$/.test(text.trim())
  if (!plain || prefers === 'text') return text
  const number = Number(text)
  const bare = text
    .trim()
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  // A number that JSON cannot hold to the cent is sent as the text that it was.
  return String(number) === bare || (number === 0 && Number(bare) === 0) ? number : text
}

/** What is typed into the field of a shape; what does not fit stays text, for the contract to refuse. */
export function parseTyped({ kind, schema }: Shape, typed: string): unknown {
  if (kind === 'number') return parseNumber(typed, 'number')
  if (kind === 'amount') return parseNumber(typed, [schema.type].flat()[0] === 'number' ? 'number' : 'text')
  if (kind !== 'any') return typed
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return typed
  }
}

export const parseLines = (text: string): string[] =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .filter(Boolean)
