import { endpoints } from '../../contract/endpoints.ts'
import { parseJsonBody as parsedJson } from '../json-pairs.ts'
import { type Holder, isImpersonal, type Leaf, NOWHERE, type Place, placeOf } from './places.ts'

/** Finds the values in JSON, forms, paths and texts that cannot be parsed, and replaces each by what a leaf returns. */

/** Who wrote a body. A caller may use any field names and any texts. */
export type Writer = 'caller' | 'sandbox'

export interface Walk {
  readonly leaf: Leaf
  readonly writer: Writer
  /** For names of fields, which callers choose. */
  readonly name: (name: string) => string
  /** For the rest of a text that cannot be parsed, and for steps of a path. */
  readonly text: (text: string) => string
  /** Called for each object before its values. */
  readonly enter?: (holder: Holder) => void
}

/** The same limit as in the request log. */
const MAX_DEPTH = 64

export function walkValue(walk: Walk, value: unknown, place: Place = NOWHERE, depth = 0): unknown {
  if (depth > MAX_DEPTH) return '[too deep]'
  if (typeof value === 'string' || typeof value === 'number') return walk.leaf(value, place)
  if (Array.isArray(value)) return value.map((part) => walkValue(walk, part, place, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Holder
  if (walk.writer === 'sandbox' && isImpersonal(holder)) return value
  walk.enter?.(holder)
  return Object.fromEntries(
    Object.entries(holder).map(([name, part]) => [
      walk.name(name),
      walkValue(walk, part, placeOf(place, name, holder), depth + 1),
    ]),
  )
}

export function walkBody(walk: Walk, text: string, contentType: string | undefined): string {
  if (text.trim() === '') return text
  if (contentType?.toLowerCase().includes('x-www-form-urlencoded')) return walkForm(walk, text)
  const parsed = parsedJson(text)
  if (parsed === undefined) return walkNonJson(walk, text)
  const plain = JSON.stringify(parsed)
  const masked = JSON.stringify(walkValue(walk, parsed))
  // The original bytes, unless the parsed value lacks some of them, such as a repeated field.
  return masked === plain && withoutSpaces(plain).length === withoutSpaces(text).length ? text : masked
}

/** Finds `"name": "value"` pairs in a text that is not valid JSON; the rest is free text. */
function walkNonJson(walk: Walk, text: string): string {
  const parts = text.split(/("[^"\\]{1,64}"\s*:\s*"(?:[^"\\]|\\.)*"?|"[^"\\]{1,64}"\s*:\s*\d+)/)
  return parts
    .map((part, i) => {
      if (i % 2 === 0) return walk.text(part)
      const [, before = '', name = '', value = '', after = ''] =
        /^("([^"\\]+)"\s*:\s*"?)(.*?)("?)$/s.exec(part)?.slice(0) ?? []
      return `${before}${walk.leaf(value, placeOf(NOWHERE, name, {}))}${after}`
    })
    .join('')
}

export function walkPath(walk: Walk, path: string): string {
  const at = path.indexOf('?')
  const steps = (at < 0 ? path : path.slice(0, at)).split('/').map((step) => {
    if (ROUTE_WORDS.has(step)) return step
    const plain = decode(step)
    const masked = walk.text(plain)
    return masked === plain ? step : encodeURIComponent(masked)
  })
  return at < 0 ? steps.join('/') : `${steps.join('/')}?${walkForm(walk, path.slice(at + 1))}`
}

/** Pairs without personal data stay the same, byte by byte. */
function walkForm(walk: Walk, text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = [...new URLSearchParams(pair)]
      const steps = name.split(/[[\]]+/).filter((step) => step !== '' && !/^\d+$/.test(step))
      const place = steps.reduce<Place>((above, step) => placeOf(above, step, {}), NOWHERE)
      // JSON that was sent as a form is parsed as one long name.
      const clean = /["{}]/.test(name) ? walkNonJson(walk, name) : walk.name(name)
      const masked = value === '' ? '' : String(walk.leaf(value, place))
      return clean === name && masked === value ? pair : new URLSearchParams([[clean, masked]]).toString()
    })
    .join('&')
}

const ROUTE_WORDS = new Set(
  Object.values(endpoints)
    .flatMap(({ path }) => path.split('/'))
    .filter((step) => !step.includes('{')),
)

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')

export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
