import { endpoints } from '../../contract/endpoints.ts'
import { decodePercents } from '../../http/percent.ts'
import type { cutLong } from '../../http/text-budget.ts'
import type { Steps } from '../../store/steps.ts'
import { parseJsonBody as parsedJson } from '../json-pairs.ts'
import { type Holder, isImpersonal, type Leaf, NOWHERE, type Place, placeOf, type Writer } from './places.ts'

/**
 * Finds the values in JSON, forms, paths and texts that cannot be parsed, and replaces each by what a leaf returns. It pauses after so
 * many characters, as one body may have many texts.
 */

export interface Walk {
  readonly leaf: Leaf
  readonly writer: Writer
  /** For names of fields, which callers choose. */
  readonly name: (name: string) => string
  /** For the rest of a text that cannot be parsed, and for steps of a path. */
  readonly text: (text: string) => string
  readonly cut: typeof cutLong
  /** Called for each object before its values. */
  readonly enter?: (holder: Holder) => void
  /** How many more characters until it pauses. */
  left?: number
}

/** Masking takes up to 5 µs for each character. */
const PAUSE_AFTER = 2_000

/** True if enough was done since the last pause. */
function isPauseDue(walk: Walk, length: number): boolean {
  walk.left = (walk.left ?? PAUSE_AFTER) - length
  if (walk.left > 0) return false
  walk.left = PAUSE_AFTER
  return true
}

/** The same limit as in the request log. */
const MAX_DEPTH = 64
const TOO_DEEP = '[too deep]'

export function* walkValue(walk: Walk, value: unknown, place: Place = NOWHERE, depth = 0): Steps<unknown> {
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (!isContainer(value)) return walkScalar(walk, value, place)
  if (Array.isArray(value)) {
    const parts: unknown[] = []
    for (const part of value) {
      if (isPauseDue(walk, lengthOf(part))) yield 0
      parts.push(isContainer(part) ? yield* walkValue(walk, part, place, depth + 1) : walkScalar(walk, part, place))
    }
    return parts
  }
  const holder = value as Holder
  if (walk.writer === 'sandbox' && isImpersonal(holder)) return value
  walk.enter?.(holder)
  const fields: [string, unknown][] = []
  for (const [name, part] of Object.entries(holder)) {
    if (isPauseDue(walk, name.length + lengthOf(part))) yield 0
    const inside = placeOf(place, name, holder)
    const masked = isContainer(part) ? yield* walkValue(walk, part, inside, depth + 1) : walkScalar(walk, part, inside)
    fields.push([walk.name(name), masked])
  }
  return Object.fromEntries(fields)
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 1)
const walkScalar = (walk: Walk, value: unknown, place: Place): unknown =>
  typeof value === 'string' || typeof value === 'number' ? walk.leaf(value, place, walk.writer) : value

export function* walkBody(walk: Walk, text: string, contentType: string | undefined): Steps<string> {
  if (text.trim() === '') return text
  if (contentType?.toLowerCase().includes('x-www-form-urlencoded')) return yield* walkForm(walk, text)
  const parsed = parsedJson(text)
  if (parsed === undefined) return walkNonJson(walk, text)
  if (isPauseDue(walk, text.length)) yield 0
  const masked = JSON.stringify(yield* walkValue(walk, parsed))
  if (isPauseDue(walk, text.length)) yield 0
  if (masked === text) return text
  // The original bytes, unless the parsed value lacks some of them, such as a repeated field.
  const plain = JSON.stringify(parsed)
  return masked === plain && countVisible(plain) === countVisible(text) ? text : masked
}

/** Finds `"name": "value"` pairs in a text that is not valid JSON; the rest is free text. */
function walkNonJson(walk: Walk, text: string): string {
  const [kept, mark] = walk.cut(text)
  const parts = kept.split(/("[^"\\]{1,64}"\s*:\s*"(?:[^"\\]|\\.)*"?|"[^"\\]{1,64}"\s*:\s*\d+)/)
  const masked = parts.map((part, i) => {
    if (i % 2 === 0) return walk.text(part)
    const [, before = '', name = '', value = '', after = ''] =
      /^("([^"\\]+)"\s*:\s*"?)(.*?)("?)$/s.exec(part)?.slice(0) ?? []
    return `${before}${walk.leaf(value, placeOf(NOWHERE, name, {}), walk.writer)}${after}`
  })
  return masked.join('') + mark
}

export function* walkPath(walk: Walk, path: string): Steps<string> {
  const at = path.indexOf('?')
  const steps: string[] = []
  for (const step of (at < 0 ? path : path.slice(0, at)).split('/')) {
    if (isPauseDue(walk, step.length)) yield 0
    steps.push(walkPathStep(walk, step))
  }
  return at < 0 ? steps.join('/') : `${steps.join('/')}?${yield* walkForm(walk, path.slice(at + 1))}`
}

function walkPathStep(walk: Walk, step: string): string {
  if (ROUTE_WORDS.has(step)) return step
  const plain = decodePercents(step)
  const masked = walk.text(plain)
  return masked === plain ? step : encodeURIComponent(masked)
}

/** Pairs without personal data stay the same, byte by byte. */
function* walkForm(walk: Walk, text: string): Steps<string> {
  const pairs: string[] = []
  for (const pair of text.split('&')) {
    if (isPauseDue(walk, pair.length)) yield 0
    pairs.push(walkPair(walk, pair))
  }
  return pairs.join('&')
}

function walkPair(walk: Walk, pair: string): string {
  const [[name, value] = ['', '']] = [...new URLSearchParams(pair)]
  const steps = name.split(/[[\]]+/, MAX_DEPTH + 1)
  const place = steps
    .filter((step) => step !== '' && !/^\d+$/.test(step))
    .reduce<Place>((above, step) => placeOf(above, step, {}), NOWHERE)
  // JSON that was sent as a form is parsed as one long name.
  const clean = /["{}]/.test(name) ? walkNonJson(walk, name) : walk.name(name)
  const masked = steps.length > MAX_DEPTH ? TOO_DEEP : value === '' ? '' : String(walk.leaf(value, place, walk.writer))
  return clean === name && masked === value ? pair : new URLSearchParams([[clean, masked]]).toString()
}

const ROUTE_WORDS = new Set(
  Object.values(endpoints)
    .flatMap(({ path }) => path.split('/'))
    .filter((step) => !step.includes('{')),
)

function countVisible(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (!isJsonSpace(text.charCodeAt(at))) count++
  return count
}
const isJsonSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)
