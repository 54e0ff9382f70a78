import type { Path } from '../contract/scenarios.ts'

/** Variables in texts and keys: `$name` or `${name}`; `$$` is a dollar sign. */

export type Variables = Readonly<Record<string, unknown>>

export const BUILT_IN = ['program', 'now', 'today'] as const

const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g
const SINGLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/

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
  const fillText = (text: string) =>
    text.replace(REFERENCE, (whole, bare?: string, braced?: string) =>
      whole === '$$' ? '$' : format(valueOfVariable((bare ?? braced)!)),
    )
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const single = SINGLE.exec(part)
      return single && format === formatValue ? valueOfVariable((single[1] ?? single[2])!) : fillText(part)
    }
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [fillText(key), walk(inner)]))
  }
  return walk(value) as T
}

const formatValue = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Escapes the dollar signs of recorded values, which are not variables. */
export function escapeDollars<T>(value: T): T {
  const escapeText = (text: string) => text.replaceAll(/\$(?=[$A-Za-z_{])/g, '$$$$')
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return escapeText(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [escapeText(key), walk(inner)]))
  }
  return walk(value) as T
}

/** The variables that a value uses, with their paths. */
export function findVariables(value: unknown, path: Path = []): { name: string; path: Path; key?: true }[] {
  const namesIn = (text: string) => [...text.matchAll(REFERENCE)].flatMap(([, bare, braced]) => bare ?? braced ?? [])
  if (typeof value === 'string') return namesIn(value).map((name) => ({ name, path }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return [...namesIn(key).map((name) => ({ name, path: at, key: true as const })), ...findVariables(inner, at)]
  })
}
