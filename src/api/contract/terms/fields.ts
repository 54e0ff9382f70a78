import type { z } from 'zod'

/** Whether a schema has a field at a path such as `wire.imad`, through optional and nullable objects. */
export function hasPath(schema: z.ZodType, path: string): boolean {
  let here: unknown = schema
  for (const name of path.split('.')) {
    const shape = shapeOf(here)
    if (!shape || !Object.hasOwn(shape, name)) return false
    here = shape[name]
  }
  return true
}

interface Wrapped {
  readonly def?: { readonly shape?: Shape; readonly innerType?: unknown; readonly out?: unknown }
}
type Shape = Readonly<Record<string, unknown>>

/** The fields of an object schema, unwrapped from optional, nullable and preprocess. */
function shapeOf(schema: unknown): Shape | undefined {
  const { def } = schema as Wrapped
  if (def?.shape) return def.shape
  const inner = def?.innerType ?? def?.out
  return inner === undefined ? undefined : shapeOf(inner)
}

/** The same object with only some of its fields. */
export const pickFields = (schema: z.ZodType, fields: readonly string[]): z.ZodType =>
  (schema as z.ZodObject).pick(Object.fromEntries(fields.map((field) => [field, true])) as never)
