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
  readonly def?: {
    readonly shape?: Shape
    readonly element?: unknown
    readonly innerType?: unknown
    readonly out?: unknown
    readonly type?: string
    readonly defaultValue?: unknown
  }
}
type Shape = Readonly<Record<string, unknown>>

/** The fields of an object schema, unwrapped from optional, nullable and preprocess. */
function shapeOf(schema: unknown): Shape | undefined {
  const { def } = (schema ?? {}) as Wrapped
  if (def?.shape) return def.shape
  const inner = def?.innerType ?? def?.out
  return inner === undefined ? undefined : shapeOf(inner)
}

/** A value in the shape of a schema, without the fields that `orNull` has made null. */
export function leaveOutNulls(schema: unknown, value: unknown): unknown {
  const shape = shapeOf(schema)
  if (!shape || typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name, field]) => field !== null || !isOrNull(shape[name]))
  return Object.fromEntries(fields.map(([name, field]) => [name, leaveOutNulls(shape[name], field)]))
}

const isOrNull = (schema: unknown) => {
  const { def } = (schema ?? {}) as Wrapped
  return def?.type === 'default' && def.defaultValue === null
}

/** The names of the fields of the object at a path of an input; undefined where a schema has several shapes. */
export function fieldNamesAt(schema: unknown, path: readonly PropertyKey[]): string[] | undefined {
  const shape = shapeOf(schemaAt(schema, path))
  return shape && Object.keys(shape)
}

/** Whether an input must have the field at a path. */
export const isRequiredAt = (schema: unknown, path: readonly PropertyKey[]): boolean =>
  (schemaAt(schema, path) as z.ZodType | undefined)?.safeParse(undefined).success === false

function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  let here = schema
  for (const step of path) here = typeof step === 'number' ? elementOf(here) : shapeOf(here)?.[String(step)]
  return here
}

/** The schema of the elements of a list, unwrapped as in `shapeOf`. */
function elementOf(schema: unknown): unknown {
  const { def } = (schema ?? {}) as Wrapped
  if (def?.element) return def.element
  const inner = def?.innerType ?? def?.out
  return inner === undefined ? undefined : elementOf(inner)
}

/** The same object with only some of its fields. */
export const pickFields = (schema: z.ZodType, fields: readonly string[]): z.ZodType =>
  (schema as z.ZodObject).pick(Object.fromEntries(fields.map((field) => [field, true])) as never)
