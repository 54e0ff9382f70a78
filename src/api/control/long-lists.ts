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

/** As `JSON.stringify`, a part of each long list per step. */
export function* printInSteps(value: object): Steps<string> {
  const long = longListsOf(value)
  const short = { ...value, ...emptyLists(long) }
  const texts = new Map<string, string>()
  for (const [name, items] of long) {
    const parts: string[] = []
    for (const part of inSlices(items)) {
      parts.push(JSON.stringify(part).slice(1, -1))
      yield
    }
    texts.set(name, `[${parts.join()}]`)
  }
  const fields = Object.entries(short).flatMap(([name, field]) => {
    const text = texts.get(name) ?? JSON.stringify(field)
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`
  })
  return long.length === 0 ? JSON.stringify(value) : `{${fields.join()}}`
}

const longListsOf = (value: unknown): (readonly [name: string, items: readonly unknown[]])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, field]) =>
        Array.isArray(field) && field.length > MANY_ITEMS ? [[name, field as readonly unknown[]] as const] : [],
      )

const emptyLists = (long: readonly (readonly [name: string, ...unknown[]])[]) =>
  Object.fromEntries(long.map(([name]) => [name, []]))
