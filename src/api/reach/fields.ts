import type { Body } from '../control/record-actions.ts'

/** Fields of records and bodies by their paths. */

export const valueAt = (record: unknown, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], record)

/** A body with other fields, by their paths; undefined removes one. */
export function withFields(body: Body, fields: Readonly<Record<string, unknown>>): Body {
  const copy = structuredClone(body) as Record<string, unknown>
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.')
    const last = names.pop()!
    let at = copy
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return copy
}

/** Each field of a body, with its path. */
export const fieldsOf = (body: unknown, at = ''): (readonly [path: string, value: unknown])[] =>
  typeof body !== 'object' || body === null
    ? []
    : Object.entries(body).flatMap(([name, value]) => {
        const path = at === '' ? name : `${at}.${name}`
        return [[path, value] as const, ...fieldsOf(value, path)]
      })
