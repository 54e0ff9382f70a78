import type { Schema } from '../contract/terms/endpoint.ts'
import { listSchemaOf } from '../contract/terms/list.ts'
import { inSlices, type Steps } from '../store/steps.ts'

/** Outputs of control methods with thousands of items are validated and printed in steps. */

const MANY_ITEMS = 2_000

/** As `schema.parse`, a part of each long list per step. */
export function* parseInSteps(schema: Schema, value: unknown): Steps<unknown> {
  const long = longListsOf(value).flatMap(([name, items]) => {
    const list = listSchemaOf(schema, name)
    return list ? [[name, items, list] as const] : []
  })
  if (long.length === 0) return schema.parse(value)
  const parsed = schema.parse({ ...(value as object), ...emptyLists(long) }) as Record<string, unknown>
  for (const [name, items, list] of long) {
    const results: unknown[] = []
    for (const part of inSlices(items)) {
      for (const item of list.parse(part) as unknown[]) results.push(item)
      yield
    }
    parsed[name] = results
  }
  return parsed
}

/** Writes the JSON text in pieces, a part of each long list per step: so the text is never in memory as a whole. */
export function* printInSteps(value: object, write: (piece: string) => void): Steps<void> {
  const long = new Map(longListsOf(value))
  if (long.size === 0) return write(JSON.stringify(value))
  let separator = '{'
  for (const [name, field] of Object.entries(value)) {
    const items = long.get(name)
    const text = items ? '[' : JSON.stringify(field)
    if (text === undefined) continue
    write(`${separator}${JSON.stringify(name)}:${text}`)
    separator = ','
    if (items) yield* printItems(items, write)
  }
  write('}')
}

function* printItems(items: readonly unknown[], write: (piece: string) => void): Steps<void> {
  let separator = ''
  for (const part of inSlices(items)) {
    write(separator + JSON.stringify(part).slice(1, -1))
    separator = ','
    yield
  }
  write(']')
}

const longListsOf = (value: unknown): (readonly [name: string, items: readonly unknown[]])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, field]) =>
        Array.isArray(field) && field.length > MANY_ITEMS ? [[name, field as readonly unknown[]] as const] : [],
      )

const emptyLists = (long: readonly (readonly [name: string, ...unknown[]])[]) =>
  Object.fromEntries(long.map(([name]) => [name, []]))
