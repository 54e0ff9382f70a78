/** Paths of values in a response: `details.first_name`, `data[0].uid`, `data[-1]`, `data[status=active].uid`. */

type Segment = string | number | { readonly field: string; readonly is: string }

const SEGMENT = /\.?([^.[\]=]+)|\[(-?\d+)\]|\[([^=\]]+)=([^\]]*)\]/y

/** `.` is the whole value. undefined if the text is no path. */
export function parsePath(path: string): readonly Segment[] | undefined {
  if (path === '.') return []
  const segments: Segment[] = []
  SEGMENT.lastIndex = 0
  while (SEGMENT.lastIndex < path.length) {
    if (SEGMENT.lastIndex === 0 && path.startsWith('.')) return undefined
    const match = SEGMENT.exec(path)
    if (!match) return undefined
    const [, name, index, field, is] = match
    segments.push(name ?? (index === undefined ? { field: field!, is: is! } : Number(index)))
  }
  return segments.length > 0 ? segments : undefined
}

/** undefined if there is no value. */
export function valueAt(value: unknown, path: string): unknown {
  return (parsePath(path) ?? [path]).reduce<unknown>((part, segment) => {
    if (typeof part !== 'object' || part === null) return undefined
    if (typeof segment === 'string')
      return Object.hasOwn(part, segment) ? (part as Readonly<Record<string, unknown>>)[segment] : undefined
    if (!Array.isArray(part)) return undefined
    if (typeof segment === 'number') return part.at(segment) as unknown
    return part.find((item: unknown) => String(valueAt(item, segment.field)) === segment.is) as unknown
  }, value)
}
