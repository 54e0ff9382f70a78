import type { Path } from '../contract/scenarios.ts'

/** `$name` and `${name}` in any text, also in keys; `$$` is a dollar. */

export type Variables = Readonly<Record<string, unknown>>

/** Those that are there without being captured. */
export const BUILT_IN = ['program', 'now', 'today'] as const

const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g
const ALONE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/

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

/** In a text that is a variable and nothing else it keeps its type. `as` writes it into a longer one. */
export function fillVariables<T>(value: T, variables: Variables, as: (value: unknown) => string = written): T {
  const known = (name: string): unknown => {
    if (Object.hasOwn(variables, name)) return variables[name]
    throw new UnknownVariable(name, Object.keys(variables))
  }
  const inText = (text: string) =>
    text.replace(REFERENCE, (whole, bare?: string, braced?: string) =>
      whole === '$$' ? '$' : as(known((bare ?? braced)!)),
    )
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const alone = ALONE.exec(part)
      return alone && as === written ? known((alone[1] ?? alone[2])!) : inText(part)
    }
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inside]) => [inText(key), walk(inside)]))
  }
  return walk(value) as T
}

const written = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** What was recorded names no variables: its dollars stay dollars. */
export function literal<T>(value: T): T {
  const inText = (text: string) => text.replaceAll(/\$(?=[$A-Za-z_{])/g, '$$$$')
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return inText(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inside]) => [inText(key), walk(inside)]))
  }
  return walk(value) as T
}

/** The variables that are used, and where. */
export function variablesUsed(value: unknown, path: Path = []): { name: string; path: Path; key?: true }[] {
  const inText = (text: string) => [...text.matchAll(REFERENCE)].flatMap(([, bare, braced]) => bare ?? braced ?? [])
  if (typeof value === 'string') return inText(value).map((name) => ({ name, path }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inside]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return [...inText(key).map((name) => ({ name, path: at, key: true as const })), ...variablesUsed(inside, at)]
  })
}
