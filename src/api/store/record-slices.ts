/**
 * Many records of one collection as one line of a world file. Records that were created together have equal values in most
 * fields, so a slice holds each value once, and its records are lists of indexes: a sixth of the text.
 */
export interface Slice {
  readonly collection: string
  /** The different lists of field names of its records. */
  readonly layouts: readonly (readonly string[])[]
  readonly values: readonly unknown[]
  /** The index of the layout, then the index of the value of each field. */
  readonly records: readonly (readonly number[])[]
}

type Json = Record<string, unknown>

export function toSlice(collection: string, records: readonly object[]): Slice {
  const layouts: Layout[] = []
  const values = new ValueTable()
  const rows = records.map((record) => {
    const fields = fieldsOf(record as Json)
    let at = layouts.findLastIndex((known) => areSame(known.fields, fields))
    if (at < 0) at = layouts.push(new Layout(fields)) - 1
    return layouts[at]!.toRow(at, record as Json, values)
  })
  return { collection, layouts: layouts.map(({ fields }) => fields), values: values.all, records: rows }
}

function fieldsOf(record: Json): readonly string[] {
  const fields = Object.keys(record)
  return fields.every((field) => record[field] !== undefined)
    ? fields
    : fields.filter((field) => record[field] !== undefined)
}

/** Remembers the latest value of each field: the next record often has the same one, which is then not looked up again. */
class Layout {
  readonly fields: readonly string[]
  readonly #latest: unknown[] = []
  readonly #indexes: number[] = []

  constructor(fields: readonly string[]) {
    this.fields = fields
  }

  toRow(layoutIndex: number, record: Json, values: ValueTable): number[] {
    const latest = this.#latest
    const indexes = this.#indexes
    const row = [layoutIndex]
    for (let i = 0; i < this.fields.length; i++) {
      const value = record[this.fields[i]!]
      if (value !== latest[i]) {
        latest[i] = value
        indexes[i] = values.indexOf(value)
      }
      row.push(indexes[i]!)
    }
    return row
  }
}

const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((field, i) => field === other[i])

export function isSlice(content: object): content is Slice {
  const { layouts, values, records } = content as Partial<Slice>
  return [layouts, values, records].every(Array.isArray)
}

/** The records share their values. */
export function fromSlice({ layouts, values, records }: Slice): Json[] {
  for (const value of values) freeze(value)
  const factories = layouts.map(recordFactory)
  return records.map((row) => factories[row[0]!]!(values, row))
}

type RecordFactory = (values: readonly unknown[], row: readonly number[]) => Json
const factories = new Map<string, RecordFactory>()

/**
 * Compiles an object literal with the fields of a layout. Setting field after field by name instead makes the start with
 * 100,000 payments 35 % slower, copying a template object 12 % (docs/performance.md). Field names are quoted as JSON.
 */
function recordFactory(fields: readonly string[]): RecordFactory {
  const names = fields.map((field) => (field === '__proto__' ? '["__proto__"]' : JSON.stringify(field)))
  const literal = `{${names.map((name, i) => `${name}: values[row[${i + 1}]]`).join()}}`
  let factory = factories.get(literal)
  if (!factory) factories.set(literal, (factory = new Function('values', 'row', `return ${literal}`) as RecordFactory))
  return factory
}

/** Each value once; objects and lists are compared by their JSON. */
class ValueTable {
  readonly all: unknown[] = []
  readonly #primitives = new Map<unknown, number>()
  readonly #objects = new Map<string, number>()

  indexOf(value: unknown): number {
    return typeof value === 'object' && value !== null
      ? this.#indexIn(this.#objects, JSON.stringify(value), value)
      : this.#indexIn(this.#primitives, value, value)
  }

  #indexIn<K>(indexes: Map<K, number>, key: K, value: unknown): number {
    let index = indexes.get(key)
    if (index === undefined) {
      indexes.set(key, (index = this.all.length))
      this.all.push(value)
    }
    return index
  }
}

function freeze(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}
