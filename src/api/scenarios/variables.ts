import type { Path } from '../contract/scenarios.ts'
import { ExpressionError, evaluate, parseExpression, variablesIn } from './expressions.ts'

/** Variables in texts and keys: `$name`, `${name}` or an expression such as `${now + P1D}`; `$$` is a dollar sign. */

export type Variables = Readonly<Record<string, unknown>>

/** Variables that always exist, with a sample of their values. */
export const BUILT_IN = { program: 'uid', now: '2026-11-23T15:00:00.000Z', today: '2026-11-23' } as const

/** `${` without its end is found, too, so that it is refused. */
const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{([^{}]*)(\}?))/g
const SINGLE = /^\$(?:([A-Za-z_]\w*)|\{([^{}]*)\})$/

export class UnknownVariable extends Error {
  override name = 'UnknownVariable'
  readonly variable: string
  constructor(variable: string, known: readonly string[]) {
    super(
      `there is no variable $${variable}; ${known.map((name) => `$${name}`).join(', ') || 'none'} ${known.length === 1 ? 'is' : 'are'} known`,
    )
    this.variable = variable
  }
}

/** A text that is one variable becomes its value, with its type. `format` formats values within longer texts. */
export function fillVariables<T>(value: T, variables: Variables, format: (value: unknown) => string = formatValue): T {
  const valueOfVariable = (name: string): unknown => {
    if (Object.hasOwn(variables, name)) return variables[name]
    throw new UnknownVariable(name, Object.keys(variables))
  }
  const valueOfReference = (bare: string | undefined, braced = '', end = '}') =>
    bare === undefined ? evaluate(parseBraced(braced, end), valueOfVariable) : valueOfVariable(bare)
  const fillText = (text: string) =>
    text.replace(REFERENCE, (whole, bare?: string, braced?: string, end?: string) =>
      whole === '$$' ? '$' : format(valueOfReference(bare, braced, end)),
    )
  const fillValue = (text: string) => {
    const single = format === formatValue ? SINGLE.exec(text) : null
    return single ? valueOfReference(single[1], single[2]) : fillText(text)
  }
  return mapTexts(value, fillValue, fillText) as T
}

/** Replaces all texts in a value, and all its keys. */
export function mapTexts(
  value: unknown,
  map: (text: string) => unknown,
  mapKey: (key: string) => string = map as (key: string) => string,
): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, map, mapKey))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mapKey(key), mapTexts(inner, map, mapKey)]))
}

function parseBraced(text: string, end: string) {
  if (end === '')
    throw new ExpressionError(`a } is expected after \${${text}; write $\${ for a dollar sign and a brace`)
  return parseExpression(text)
}

const formatValue = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Escapes the dollar signs of a recorded text, which are not variables. */
export const escapeDollars = (text: string): string => text.replaceAll(/\$(?=[$A-Za-z_{])/g, '$$$$')

interface Use {
  readonly path: Path
  readonly key?: true
}

export interface Reference extends Use {
  readonly names: readonly string[]
  /** Why the expression is malformed. */
  readonly malformed?: string
  /** Evaluates an expression; not there for a plain variable. */
  readonly evaluate?: (variables: Variables) => unknown
}

/** The variables and expressions that a value uses, with their paths. */
export function findReferences(value: unknown, path: Path = []): Reference[] {
  if (typeof value === 'string') return referencesIn(value).map((reference) => ({ ...reference, path }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    const inKey = Array.isArray(value) ? [] : referencesIn(key)
    return [...inKey.map((reference) => ({ ...reference, path: at, key: true as const })), ...findReferences(inner, at)]
  })
}

function referencesIn(text: string): Omit<Reference, 'path'>[] {
  if (!text.includes('$')) return []
  return [...text.matchAll(REFERENCE)].flatMap(([whole, bare, braced = '', end = '}']) => {
    if (whole === '$$') return []
    if (bare !== undefined) return [{ names: [bare] }]
    try {
      const expression = parseBraced(braced, end)
      const names = variablesIn(expression)
      if (expression.terms.length === 0) return [{ names }]
      return [{ names, evaluate: (variables: Variables) => evaluate(expression, (name) => variables[name]) }]
    } catch (error) {
      if (error instanceof ExpressionError) return [{ names: [], malformed: error.message }]
      throw error
    }
  })
}
