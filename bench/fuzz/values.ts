import fc from 'fast-check'
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import type { Random } from '../support/random.ts'

/** Values for a schema: valid ones, and values that no schema allows. */

/** Finds an existing uid for a field of this name; undefined when none is known. */
export type KnownUid = (field: string) => string | undefined

const DATES = ['2026-08-14', '2026-08-17', '2026-11-20', '2027-02-28']

/** A value that the schema accepts. */
export function valueFor(schema: JsonSchema, random: Random, findUid: KnownUid, field = '', depth = 0): unknown {
  const again = (part: JsonSchema, of = field) => valueFor(part, random, findUid, of, depth + 1)
  if (schema.anyOf) return again(random.pick(schema.anyOf))
  if (schema.enum) return random.pick(schema.enum)
  if (schema.const !== undefined) return schema.const
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
      return whole(schema, random)
    case 'number':
      return random.between(1, 100_000) / 100
    case 'array':
      return Array.from({ length: random.below(3) }, () => again(schema.items ?? {}))
    case 'string':
      return text(schema, random, findUid, field)
    case 'object':
      return object(schema, random, again)
    default:
      return depth > 3 ? null : random.pick<unknown>([null, 'x', 1, true, [], {}])
  }
}

function object(schema: JsonSchema, random: Random, again: (part: JsonSchema, of: string) => unknown) {
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random.chance(0.4),
  )
  return Object.fromEntries(wanted.map(([name, part]) => [name, again(part, name)]))
}

function whole({ minimum, maximum }: JsonSchema, random: Random): number {
  const least = typeof minimum === 'number' ? minimum : 0
  const most = typeof maximum === 'number' ? Math.min(maximum, least + 1_000) : least + 50
  return random.pick([least, random.between(least, most), most])
}

function text(schema: JsonSchema, random: Random, findUid: KnownUid, field: string): string {
  const uid = findUid(field)
  if (uid !== undefined && random.chance(0.9)) return uid
  if (schema.format === 'date-time') return `${random.pick(DATES)}T14:00:00.000Z`
  if (schema.format === 'date') return random.pick(DATES)
  if (typeof schema.pattern === 'string') return matching(schema.pattern, random)
  if (Array.isArray(schema.examples) && random.chance(0.5)) return String(random.pick(schema.examples))
  const { minLength = 0, maxLength = 60 } = schema as { minLength?: number; maxLength?: number }
  const words = random.pick(['Harbor Payments', 'Olive', 'reserve', '12.34', 'Zoë ☂', '1'])
  return words.padEnd(minLength, 'x').slice(0, maxLength)
}

const patterns = new Map<string, fc.Arbitrary<string> | undefined>()

function matching(pattern: string, random: Random): string {
  if (!patterns.has(pattern)) patterns.set(pattern, generatorFor(pattern))
  const generator = patterns.get(pattern)
  return generator ? fc.sample(generator, { seed: random.below(2 ** 31), numRuns: 1 })[0]! : 'x'
}

/** fast-check does not support every pattern. */
function generatorFor(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    return undefined
  }
}

// ── Invalid values ────────────────────────────────────────────────────────────────────────────────────────

const deep = (levels: number): unknown =>
  levels === 0 ? 'x' : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) }

/** As text, because only JSON.parse creates objects with these own property names. */
const PROTOTYPES = ['{"__proto__":{"status":"settled"}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":"x"}']
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', ' ', 'a.b', 'a[b]']
const WORDS = [
  ...['', ' ', '\u0000', '\ud800', '\ud83d', '💸', '\u202eabc', 'é'.normalize('NFD'), '\r\n', '\t'],
  ...'İ|ß|１２|٣|"|\'|\\|null|undefined|NaN|true|Infinity|-0|0x10|1e3|1e400|.5|5.|1,000.00|+1|--1|00.01'.split('|'),
  ...'0.00|0.001|-1.00|99999999999999999999.99|9007199254740993|0.1|1_000|P1Y|PT|PT-1H'.split('|'),
  ...'2026-02-30|2026-02-29|0000-00-00|9999-12-31|+275760-09-13|-271821-04-20|20260814'.split('|'),
  ...'2026-08-14T25:00:00Z|2026-08-14T14:00:00|2026-08-14T14:00:00+99:99'.split('|'),
  ..."../../etc/passwd|%00|%|{{x}}|<script>|' OR 1=1".split('|'),
  ...NAMES,
]
const NUMBERS = [
  ...[0, -0, -1, 1, 0.1, 0.001, 1e21, 1e-7, 1e308, -1e308],
  ...[2 ** 31, 2 ** 53, 2 ** 53 + 2, 9_999_999_999_999.99],
]

/** A value that is wrong for almost every field. */
export function oddValue(random: Random): unknown {
  return random.pickWeighted<() => unknown>([
    [10, () => random.pick(WORDS)],
    [5, () => random.pick(NUMBERS)],
    [3, () => random.pick<unknown>([null, true, false, [], {}, [[]], [null], [{}]])],
    [2, () => JSON.parse(random.pick(PROTOTYPES))],
    [1, () => 'x'.repeat(random.pick([36, 141, 256, 1_000, 20_000]))],
    [0.5, () => deep(random.pick([5, 30, 40, 200]))],
    [0.5, () => Array.from({ length: random.pick([100, 1_001]) }, (_, n) => n)],
    [1, () => WORDS],
  ])()
}

export const oddWord = (random: Random): string => random.pick(WORDS)
export const oddName = (random: Random): string => random.pick(NAMES)

export type Tree = { [name: string]: unknown }
export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body with one change: a field removed, replaced, added or turned into another type. */
export function mutate(body: unknown, schema: JsonSchema | undefined, random: Random): unknown {
  if (!isTree(body)) return oddValue(random)
  const names = [...new Set([...Object.keys(body), ...Object.keys(schema?.properties ?? {})])]
  if (names.length === 0) return withField(body, oddName(random), oddValue(random))
  const name = random.pick(names)
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (isTree(value) && random.chance(0.6)) return withField(body, name, mutate(value, undefined, random))
  return random.pickWeighted<() => unknown>([
    [3, () => without(body, name)],
    [8, () => withField(body, name, oddValue(random))],
    [1, () => withField(body, name, [value])],
    [1, () => withField(body, name, { value })],
    [1, () => withField(body, name, String(value))],
    [1, () => withField(body, oddName(random), oddValue(random))],
    [0.3, () => [body]],
  ])()
}

const without = (body: Tree, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== name))

/** Also for `__proto__`, which becomes an own property. */
const withField = (body: Tree, name: string, value: unknown) =>
  Object.fromEntries([...Object.entries(body), [name, value]])
