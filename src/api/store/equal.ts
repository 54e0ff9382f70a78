/** Deep equality of JSON values; the order of fields does not matter. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, index) => areEqual(part, b[index]))
  if (Array.isArray(a) || Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && areEqual((a as never)[name], (b as never)[name]))
  )
}
