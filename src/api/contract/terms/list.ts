import { z } from 'zod'
import { parseTimestamp } from './amounts-of-time.ts'
import type { FieldRules } from './derived.ts'
import { compareKeys, type OrderKey } from './order.ts'

/**
 * A list declares its filters, its sorts and what it hides by default. `paginate()` executes all of them: case-insensitive
 * filters combined with AND, `name[]=a&name[]=b`, limit, offset, and a stable order.
 */

/** Where a list reads its records, such as a collection of the store. */
export interface Source<T> {
  readonly size: number
  newestFirst(): Iterable<T>
  /** The records whose field holds one of these values, case ignored; undefined when the field has no index. */
  findByIndex(field: string, values: readonly string[]): readonly T[] | undefined
  /** All records, or those whose indexed field holds this value, case ignored; undefined without such an index. */
  bucket?(field?: string, value?: string): Bucket<T> | undefined
}

/** Records in order of creation, and how many of them lists hide by default. */
export interface Bucket<T> {
  readonly size: number
  readonly hiddenCount: number
  newestFirst(): Iterable<T>
}

export interface Filter<T> {
  readonly schema: z.ZodType
  readonly description: string
  /** The field whose index finds these records. Its collection has that index because of this filter. */
  readonly index?: string
  where(wanted: never): (record: T) => boolean
  /** Records for which this holds come before all others, in any sort order. */
  first?(wanted: never): (record: T) => boolean
}

type Text = string | null | undefined
const toLowerCase = (text: Text) => text?.toLowerCase()

const EXACT_MATCH = 'Exact match, case ignored. May be repeated.'

export function anyOf<T>(
  get: (record: T) => Text | readonly string[],
  values?: z.ZodType<string>,
  description = EXACT_MATCH,
): Filter<T> {
  return {
    schema: z.array(values ?? z.string()),
    description,
    where: (wanted: readonly string[]) => {
      const set = new Set<Text>(wanted.map(toLowerCase))
      return (record) => {
        const value = get(record)
        return Array.isArray(value) ? value.some((v) => set.has(toLowerCase(v))) : set.has(toLowerCase(value as Text))
      }
    },
  }
}

type IndexableField<T> = {
  [K in keyof T]-?: T[K] extends Text | readonly string[] ? K : never
}[keyof T] &
  string

/**
 * Like `anyOf`, on a field that the collection has an index on. Filter and index read the same field by the same keys, so
 * a page that is cut out of the index holds exactly the records that the filter accepts.
 */
export function indexed<T>(field: IndexableField<T>, values?: z.ZodType<string>): Filter<T> {
  return {
    schema: z.array(values ?? z.string()),
    description: EXACT_MATCH,
    index: field,
    where: (wanted: readonly string[]) => {
      const keys = new Set(indexKeys(wanted))
      return (record) => indexKeys(record[field]).some((key) => keys.has(key))
    },
  }
}

const NO_KEYS: readonly string[] = []

/** The keys under which an index finds a value, each once: texts in lower case; none for null. */
export function indexKeys(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.toLowerCase()]
  if (!Array.isArray(value) || value.length === 0) return NO_KEYS
  return value.length === 1 ? indexKeys(value[0]) : [...new Set(value.flatMap(indexKeys))]
}

export function flag<T>(get: (record: T) => boolean): Filter<T> {
  return {
    schema: z.boolean(),
    description: 'true or false',
    where: (wanted: boolean) => (record) => get(record) === wanted,
  }
}

export function contains<T>(get: (record: T) => Text): Filter<T> {
  return {
    schema: z.string(),
    description: 'Partial match, case ignored. Exact matches come first.',
    where: (wanted: string) => (record) => toLowerCase(get(record))?.includes(wanted.toLowerCase()) ?? false,
    first: (wanted: string) => (record) => toLowerCase(get(record)) === wanted.toLowerCase(),
  }
}

const Instant = z
  .string()
  .refine((text) => !Number.isNaN(parseTimestamp(text)), { error: 'unparseableDate' })
  .meta({ description: 'ISO 8601 date or timestamp', examples: ['2026-11-20'] })

const instantFilter =
  <T>(description: string, fits: (record: number, wanted: number) => boolean) =>
  (get: (record: T) => Text): Filter<T> => ({
    schema: Instant,
    description,
    where: (wanted: string) => {
      const than = parseTimestamp(wanted)
      return (record) => {
        const moment = get(record)
        return moment != null && fits(Date.parse(moment), than)
      }
    },
  })

/** Strict: the instant itself is neither after nor before. */
export const after = <T>(get: (record: T) => Text) => instantFilter<T>('Strictly after', (a, b) => a > b)(get)
export const before = <T>(get: (record: T) => Text) => instantFilter<T>('Strictly before', (a, b) => a < b)(get)
export const sameMoment = <T>(get: (record: T) => Text) =>
  instantFilter<T>('Exactly this instant', (a, b) => a === b)(get)

const numberFilter =
  <T>(schema: z.ZodType<number>, description: string, fits: (record: number, wanted: number) => boolean) =>
  (get: (record: T) => number | null | undefined): Filter<T> => ({
    schema,
    description,
    where: (wanted: number) => (record) => {
      const value = get(record)
      return value != null && fits(value, wanted)
    },
  })

/** Strict, for counters. */
export const moreThan = <T>(get: (record: T) => number | null | undefined) =>
  numberFilter<T>(z.int(), 'Greater than this', (a, b) => a > b)(get)
export const lessThan = <T>(get: (record: T) => number | null | undefined) =>
  numberFilter<T>(z.int(), 'Smaller than this', (a, b) => a < b)(get)

/** Inclusive, for amounts. */
export const atLeast = <T>(get: (record: T) => number | null | undefined) =>
  numberFilter<T>(z.number(), 'This or more', (a, b) => a >= b)(get)
export const atMost = <T>(get: (record: T) => number | null | undefined) =>
  numberFilter<T>(z.number(), 'This or less', (a, b) => a <= b)(get)

export function wildcard<T>(get: (record: T) => Text): Filter<T> {
  return {
    schema: z.string(),
    description: 'Exact match, case ignored; a `*` at the start, at the end or at both stands for anything.',
    where: (wanted: string) => {
      const fits = compileWildcard(wanted.toLowerCase())
      return (record) => {
        const text = toLowerCase(get(record))
        return text !== undefined && fits(text)
      }
    },
  }
}

function compileWildcard(wanted: string): (text: string) => boolean {
  const [ahead, behind] = [wanted.startsWith('*'), wanted.endsWith('*')]
  if (ahead && behind) return (text) => text.includes(wanted.slice(1, -1))
  if (ahead) return (text) => text.endsWith(wanted.slice(1))
  if (behind) return (text) => text.startsWith(wanted.slice(0, -1))
  return (text) => text === wanted
}

/** Which records a list hides by default. */
type Hide<T> =
  /** Those with one value of one filter. Until the parameter is set, filtering by that value has no effect. */
  | { readonly filter: string; readonly value: string; readonly unless: string }
  /** Those that pass the test, until the parameter is set. */
  | { readonly when: (record: T) => boolean; readonly unless: string; readonly description?: string }
  /** Those that pass the test, unless another filter of the query asks for them. */
  | { readonly when: (record: T) => boolean; readonly unlessAsked: (query: Query) => boolean }

interface ListSpec<T> {
  /** What the fields follow from that are not stored, and balances: `why` names the rule. */
  readonly rules?: FieldRules
  readonly filters: Readonly<Record<string, Filter<T>>>
  readonly hides?: readonly Hide<T>[]
  /** Records for which this holds come first in the unsorted list. */
  readonly first?: (record: T) => boolean
  /** Of lists whose published interface has no `limit`; 100 for all others. */
  readonly defaultLimit?: number
  /** Gives `name_asc` and `name_desc`. */
  readonly sort?: Readonly<Record<string, (record: T) => Text | number>>
}

/**
 * Assumed (published): `limit` is 100 by default, as the interface description says.
 *
 * Assumed (invented; maximum_limit): it is 1,000 for lists whose published interface has no limit; above 1,000 it is clamped to 1,000 and
 * echoed as such.
 */
export const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 100
export const clampLimit = (limit = DEFAULT_LIMIT, most = MAX_LIMIT) => Math.min(limit, most)

/** Of the query of a list. */
export function defaultLimitOf(query: z.ZodType | undefined): number {
  const limit: unknown = query instanceof z.ZodObject ? query.shape.limit : undefined
  return limit instanceof z.ZodType ? Number(limit.meta()?.default) : DEFAULT_LIMIT
}

const Limit = z.int().min(0, { error: 'invalidLimit' })
const Offset = z.int().min(0, { error: 'invalidArgument' })

export interface List<T> extends ListSpec<T> {
  readonly query: z.ZodType<Query>
  /** Which records the list hides when no parameter is set; undefined if the record alone cannot tell. */
  readonly isHidden: ((record: T) => boolean) | undefined
}
export type Query = {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly sort?: string | undefined
} & {
  readonly [name: string]: unknown
}

export function list<T>() {
  return <const S extends ListSpec<T>>(spec: S): S & List<T> => {
    const shape: Record<string, z.ZodType> = {}
    for (const [name, filter] of Object.entries(spec.filters))
      shape[name] = filter.schema.optional().meta({ description: filter.description })
    for (const hide of spec.hides ?? []) {
      if ('filter' in hide && !Object.hasOwn(spec.filters, hide.filter))
        throw new Error(`The list hides by ${hide.filter}, which is not one of its filters`)
      if (!('unless' in hide)) continue
      const what = 'filter' in hide ? `records with \`${hide.value}\`` : (hide.description ?? 'hidden records')
      shape[hide.unless] = z
        .boolean()
        .optional()
        .meta({ description: `Also lists ${what}. Default false.` })
    }
    shape.limit = Limit.optional().meta({
      description: 'Maximum number of items in the response',
      default: spec.defaultLimit ?? DEFAULT_LIMIT,
    })
    shape.offset = Offset.optional().meta({ description: 'Number of items to skip', default: 0 })
    if (spec.sort) {
      const orders = Object.keys(spec.sort).flatMap((name) => [`${name}_asc`, `${name}_desc`])
      shape.sort = z.enum(orders, { error: 'invalidSort' }).optional()
    }
    return { ...spec, query: z.object(shape) as unknown as z.ZodType<Query>, isHidden: hiddenTest(spec.hides ?? []) }
  }
}

function hiddenTest<T>(hides: readonly Hide<T>[]): ((record: T) => boolean) | undefined {
  const tests = hides.flatMap((hide) => ('when' in hide && 'unless' in hide ? [hide.when] : []))
  return tests.length > 0 && tests.length === hides.length ? (it) => tests.some((test) => test(it)) : undefined
}

export const envelope = <S extends z.ZodType>(item: S) =>
  z.object({
    total_count: z.int().meta({ description: 'Items that match' }),
    count: z.int().meta({ description: 'Items in this response' }),
    limit: z.int(),
    offset: z.int(),
    data: z.array(item),
  })

/** The schema of the items, if this is the schema of a page. */
export function itemSchemaOf(schema: z.ZodType): z.ZodType | undefined {
  const data: unknown = schema instanceof z.ZodObject ? schema.shape.data : undefined
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined
}

/** The schema of a field that is a list. */
export function listSchemaOf(schema: z.ZodType, field: string): z.ZodType | undefined {
  const found: unknown = schema instanceof z.ZodObject ? schema.shape[field] : undefined
  return found instanceof z.ZodArray ? found : undefined
}

export interface Page<T> {
  total_count: number
  count: number
  limit: number
  offset: number
  data: T[]
}

/** The settings of a Program for its lists. */
interface Paging {
  readonly list_order?: 'newest_first' | 'oldest_first'
  readonly maximum_limit?: number
}

/**
 * Assumed (invented; list_order): lists come newest first.
 *
 * Assumed (invented): in a sorted one missing values come last, and equal ones are oldest first in ascending order, newest first in
 * descending order.
 */
export function paginate<T>(
  spec: List<T>,
  source: Source<T>,
  query: Query,
  { list_order, maximum_limit }: Paging = {},
): Page<T> {
  const limit = clampLimit(query.limit ?? spec.defaultLimit, maximum_limit)
  const offset = query.offset ?? 0
  const isReversed = list_order === 'oldest_first' && !query.sort
  const cut = (records: readonly T[], total = records.length): Page<T> => {
    const data = records.slice(0, limit)
    return { total_count: total, count: data.length, limit, offset, data }
  }
  /** Of records that are read only as far as the page. */
  const cutFrom = (newestFirst: Iterable<T>, total: number): Page<T> => {
    if (!isReversed) return cut(slicePage(newestFirst, offset, limit), total)
    const end = Math.max(0, total - offset)
    const start = Math.max(0, end - limit)
    return cut(slicePage(newestFirst, start, end - start).reverse(), total)
  }

  const plain = spec.first ? undefined : findBucket(spec, source, query)
  if (plain) return cutFrom(shownFirst(plain, spec.isHidden), plain.size - plain.hiddenCount)

  const { tests, narrowed, firsts } = findTests(spec, source, query)

  // Without filters the page costs its own length, not the collection's.
  if (tests.length === 0 && firsts.length === 0 && !query.sort) return cutFrom(source.newestFirst(), source.size)

  const found = [...(narrowed ?? source.newestFirst())].filter((record) => tests.every((test) => test(record)))
  if (isReversed) found.reverse()
  // Records that come first in any order need the whole order.
  const count = firsts.length > 0 ? found.length : offset + limit
  const sorted = query.sort ? firstSorted(found, spec, query.sort, count) : found
  for (const first of firsts) sorted.sort((a, b) => Number(first(b)) - Number(first(a)))
  return cut(sorted.slice(offset), found.length)
}

/** The records of a query, newest first, without its order and page. */
export function findMatches<T>(spec: List<T>, source: Source<T>, query: Query): readonly T[] {
  const { tests, narrowed } = findTests(spec, source, query)
  const all = [...(narrowed ?? source.newestFirst())]
  return tests.length === 0 ? all : all.filter((record) => tests.every((test) => test(record)))
}

/** What the records of a query pass, which come first, and those to look at if an index finds them. */
function findTests<T>(spec: List<T>, source: Source<T>, query: Query) {
  const tests: ((record: T) => boolean)[] = []
  const firsts = spec.first && !query.sort ? [spec.first] : []
  let narrowed: readonly T[] | undefined
  const asked: Record<string, unknown> = { ...query }
  for (const hide of spec.hides ?? []) {
    if ('unlessAsked' in hide ? hide.unlessAsked(query) : query[hide.unless] === true) continue
    if ('when' in hide) tests.push(not(hide.when))
    else {
      tests.push(not(spec.filters[hide.filter]!.where([hide.value] as never)))
      asked[hide.filter] = removeValue(asked[hide.filter], hide.value)
    }
  }
  for (const [name, filter] of Object.entries(spec.filters)) {
    const wanted = asked[name]
    if (wanted === undefined) continue
    tests.push(filter.where(wanted as never))
    if (filter.first) firsts.push(filter.first(wanted as never))
    if (filter.index !== undefined)
      narrowed = pickShorter(narrowed, source.findByIndex(filter.index, wanted as string[]))
  }

  return { tests, narrowed, firsts }
}

/**
 * The bucket for a query by one value of one index, or without filters, with the default hiding; undefined for any other
 * query. Its page costs its own length, however many records there are.
 */
function findBucket<T>(spec: List<T>, source: Source<T>, query: Query): Bucket<T> | undefined {
  const { limit: _, offset: __, ...asked } = query
  const [first, ...others] = Object.entries(asked).filter(([, value]) => value !== undefined)
  if (others.length > 0 || ((spec.hides ?? []).length > 0 && !spec.isHidden)) return undefined
  if (!first) return source.bucket?.()
  const [name, wanted] = first
  const index = Object.hasOwn(spec.filters, name) ? spec.filters[name]!.index : undefined
  const isOne = Array.isArray(wanted) && wanted.length === 1
  return index !== undefined && isOne ? source.bucket?.(index, String(wanted[0])) : undefined
}

const shownFirst = <T>(bucket: Bucket<T>, isHidden: ((record: T) => boolean) | undefined): Iterable<T> =>
  bucket.hiddenCount === 0 || !isHidden ? bucket.newestFirst() : filter(bucket.newestFirst(), not(isHidden))

function* filter<T>(records: Iterable<T>, test: (record: T) => boolean): Iterable<T> {
  for (const record of records) if (test(record)) yield record
}

const not =
  <T>(test: (record: T) => boolean) =>
  (record: T) =>
    !test(record)

/** The wanted values without the hidden one; undefined if none is left. */
function removeValue(wanted: unknown, value: string): unknown {
  if (!Array.isArray(wanted)) return wanted
  const rest = wanted.filter((one) => toLowerCase(one) !== value)
  return rest.length === 0 ? undefined : rest
}

const pickShorter = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined) =>
  a && b ? (a.length <= b.length ? a : b) : (a ?? b)

function slicePage<T>(records: Iterable<T>, offset: number, limit: number): T[] {
  const taken: T[] = []
  if (limit === 0) return taken
  let index = 0
  for (const record of records) {
    if (index++ < offset) continue
    taken.push(record)
    if (taken.length === limit) break
  }
  return taken
}

interface Keyed<T> {
  readonly record: T
  readonly key: OrderKey
  /** Its place before sorting, which orders equal keys. */
  readonly place: number
}

/**
 * The first records in this order. Case ignored; a missing value comes last in both directions; equals are oldest first in
 * ascending order. The records are newest first.
 *
 * Sorting all records of a large collection would block the thread for each page, so it sorts only candidates: a record that comes
 * after the last of the page found so far is left out.
 */
function firstSorted<T>(records: readonly T[], spec: ListSpec<T>, order: string, count: number): T[] {
  const cutAt = order.lastIndexOf('_')
  const get = spec.sort?.[order.slice(0, cutAt)]
  if (!get) throw new Error(`The list declares no sort ${order}`)
  const sign = order.slice(cutAt) === '_desc' ? -1 : 1
  const compare = (a: Keyed<T>, b: Keyed<T>) => compareKeys(a.key, b.key, sign) || a.place - b.place
  let candidates: Keyed<T>[] = []
  let last: Keyed<T> | undefined
  for (let place = 0; place < records.length; place++) {
    // Oldest first, so that a page of an ascending list does not shift when a record arrives.
    const record = records[sign === 1 ? records.length - 1 - place : place]!
    const value = get(record)
    const key = typeof value === 'string' ? value.toLowerCase() : (value ?? null)
    // Of equal keys the later place comes later.
    if (last && compareKeys(key, last.key, sign) >= 0) continue
    candidates.push({ record, key, place })
    if (candidates.length < 2 * count + 1_000) continue
    candidates = candidates.sort(compare).slice(0, count)
    last = candidates.at(-1)
  }
  return candidates
    .sort(compare)
    .slice(0, count)
    .map(({ record }) => record)
}
