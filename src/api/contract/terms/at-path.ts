/** Values inside another value, by the path of their field. Nothing is modified: a change returns a new value. */

export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, key)
        ? (part as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )

/** Undefined removes the field, or the entry of a list. */
export function replaceAt(whole: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = Array.isArray(whole) ? [...whole] : { ...(whole as object | undefined) }
  const parts = copy as Record<string, unknown>
  const inner = rest.length === 0 ? value : replaceAt(valueAt(copy, [name]), rest, value)
  if (inner === undefined && Array.isArray(copy)) copy.splice(Number(name), 1)
  else if (inner === undefined) delete parts[name]
  else parts[name] = inner
  return copy
}
