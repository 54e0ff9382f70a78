import type { Shape } from '../../api/contract/shape.ts'

/** Reads and replaces values inside a body. Bodies are never modified: a change returns a new one. */

export type Path = readonly (string | number)[]
export type JsonObject = { readonly [name: string]: unknown }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const formatPath = (path: Path) => path.join('.')

const hasField = (value: unknown, name: string): value is JsonObject =>
  isJsonObject(value) && Object.hasOwn(value, name)

export function valueAt(value: unknown, path: Path): unknown {
  let node = value
  for (const step of path) {
    if (Array.isArray(node)) node = node[Number(step)]
    else node = hasField(node, String(step)) ? node[String(step)] : undefined
  }
  return node
}

/** Undefined removes the field. */
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

/** Parses an amount or a number. Other text stays text, so that the contract reports the error. */
export function parseNumber(text: string, prefers: 'number' | 'text'): string | number {
  const plain = /^-?\d+(\.\d+)?$/.test(text.trim())
  if (!plain || prefers === 'text') return text
  const number = Number(text)
  const digits = withoutEndZeros(text.trim().replace(/^(-?)0+(?=\d)/, '$1'))
  // A number that JavaScript cannot represent exactly is sent as text.
  return String(number) === digits || (number === 0 && Number(digits) === 0) ? number : text
}

/** `1.50` → `1.5`, `1.00` → `1` */
function withoutEndZeros(digits: string): string {
  if (!digits.includes('.')) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}

/** Parses text for a shape. Text that does not fit stays text, so that the contract reports the error. */
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
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
