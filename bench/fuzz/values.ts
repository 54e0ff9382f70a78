import fc from 'fast-check'
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import type { Luck } from '../support/luck.ts'

/** Values by a schema: such as fit, such as just fit, and such as no schema ever asked for. */

/** What a uid in a field of this name may be; undefined when nothing is known. */
export type Known = (field: string) => string | undefined

const DATES = ['2026-08-14', '2026-08-17', '2026-11-20', '2027-02-28']

/** A value that the schema takes, as far as a schema can say. */
export function fitting(schema: JsonSchema, luck: Luck, known: Known, field = '', depth = 0): unknown {
  const again = (part: JsonSchema, of = field) => fitting(part, luck, known, of, depth + 1)
  if (schema.anyOf) return again(luck.pick(schema.anyOf))
  if (schema.enum) return luck.pick(schema.enum)
  if (schema.const !== undefined) return schema.const
  switch (Array.isArray(schema.type) ? luck.pick(schema.type) : schema.type) {
    case 'null':
      return null
    case 'boolean':
      return luck.chance(0.5)
    case 'integer':
      return whole(schema, luck)
    case 'number':
      return luck.between(1, 100_000) / 100
    case 'array':
      return Array.from({ length: luck.below(3) }, () => again(schema.items ?? {}))
    case 'string':
      return text(schema, luck, known, field)
    case 'object':
      return object(schema, luck, again)
    default:
      return depth > 3 ? null : luck.pick<unknown>([null, 'x', 1, true, [], {}])
  }
}

function object(schema: JsonSchema, luck: Luck, again: (part: JsonSchema, of: string) => unknown) {
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || luck.chance(0.4),
  )
  return Object.fromEntries(wanted.map(([name, part]) => [name, again(part, name)]))
}

function whole({ minimum, maximum }: JsonSchema, luck: Luck): number {
  const least = typeof minimum === 'number' ? minimum : 0
  const most = typeof maximum === 'number' ? Math.min(maximum, least + 1_000) : least + 50
  return luck.pick([least, luck.between(least, most), most])
}

function text(schema: JsonSchema, luck: Luck, known: Known, field: string): string {
  const uid = known(field)
  if (uid !== undefined && luck.chance(0.9)) return uid
  if (schema.format === 'date-time') return `${luck.pick(DATES)}T14:00:00.000Z`
  if (schema.format === 'date') return luck.pick(DATES)
  if (typeof schema.pattern === 'string') return matching(schema.pattern, luck)
  if (Array.isArray(schema.examples) && luck.chance(0.5)) return String(luck.pick(schema.examples))
  const { minLength = 0, maxLength = 60 } = schema as { minLength?: number; maxLength?: number }
  const words = luck.pick(['Harbor Payments', 'Olive', 'reserve', '12.34', 'Zoë ☂', '1'])
  return words.padEnd(minLength, 'x').slice(0, maxLength)
}

const patterns = new Map<string, fc.Arbitrary<string> | undefined>()

function matching(pattern: string, luck: Luck): string {
  if (!patterns.has(pattern)) patterns.set(pattern, understood(pattern))
  const known = patterns.get(pattern)
  return known ? fc.sample(known, { seed: luck.below(2 ** 31), numRuns: 1 })[0]! : 'x'
}

/** Not every pattern can be turned around. */
function understood(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    return undefined
  }
}

// ── What nobody asked for ────────────────────────────────────────────────────────────────────────────────────────

const deep = (levels: number): unknown =>
  levels === 0 ? 'x' : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) }

/** Objects with these as their own names can only be had by parsing. */
const PROTOTYPES = ['{"__proto__":{"status":"settled"}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":"x"}']
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', ' ', 'a.b', 'a[b]']
const WORDS = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\ud83d',
    '💸',
    '\u202eabc',
    'é'.normalize('NFD'),
    'İ',
    'ß',
    '１２',
    '٣',
    '\r\n',
    '\t',
    '"',
    "'",
    '\\',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'true',
    'Infinity',
    '-0',
    '0x10',
    '1e3',
    '1e400',
    '.5',
    '5.',
    '1,000.00',
    '+1',
    '--1',
    '00.01',
  ],
  ...['0.00', '0.001', '-1.00', '99999999999999999999.99', '9007199254740993', '0.1', '1_000'],
  ...[
    '2026-02-30',
    '2026-02-29',
    '0000-00-00',
    '9999-12-31',
    '+275760-09-13',
    '2026-08-14T25:00:00Z',
    '2026-08-14T14:00:00',
    '-271821-04-20',
  ],
  ...[
    '2026-08-14T14:00:00+99:99',
    '20260814',
    'P1Y',
    'PT',
    'PT-1H',
    '../../etc/passwd',
    '%00',
    '%',
    '{{x}}',
    '<script>',
    "' OR 1=1",
  ],
  ...NAMES,
]
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  0.001,
  1e21,
  1e-7,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  9_999_999_999_999.99,
]

/** Wrong in some way for almost every field. */
export function odd(luck: Luck): unknown {
  return luck.weighed<() => unknown>([
    [10, () => luck.pick(WORDS)],
    [5, () => luck.pick(NUMBERS)],
    [3, () => luck.pick<unknown>([null, true, false, [], {}, [[]], [null], [{}]])],
    [2, () => JSON.parse(luck.pick(PROTOTYPES))],
    [1, () => 'x'.repeat(luck.pick([36, 141, 256, 1_000, 20_000]))],
    [0.5, () => deep(luck.pick([5, 30, 40, 200]))],
    [0.5, () => Array.from({ length: luck.pick([100, 1_001]) }, (_, n) => n)],
    [1, () => WORDS],
  ])()
}

export const oddWord = (luck: Luck): string => luck.pick(WORDS)
export const oddName = (luck: Luck): string => luck.pick(NAMES)

type Tree = { [name: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same body with one thing about it changed: a field left out, replaced, added or turned into another kind. */
export function bent(body: unknown, schema: JsonSchema | undefined, luck: Luck): unknown {
  if (!isTree(body)) return odd(luck)
  const names = [...new Set([...Object.keys(body), ...Object.keys(schema?.properties ?? {})])]
  if (names.length === 0) return withField(body, oddName(luck), odd(luck))
  const name = luck.pick(names)
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (isTree(value) && luck.chance(0.6)) return withField(body, name, bent(value, undefined, luck))
  return luck.weighed<() => unknown>([
    [3, () => without(body, name)],
    [8, () => withField(body, name, odd(luck))],
    [1, () => withField(body, name, [value])],
    [1, () => withField(body, name, { value })],
    [1, () => withField(body, name, String(value))],
    [1, () => withField(body, oddName(luck), odd(luck))],
    [0.3, () => [body]],
  ])()
}

const without = (body: Tree, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== name))

/** `__proto__` too becomes a field of its own. */
const withField = (body: Tree, name: string, value: unknown) =>
  Object.fromEntries([...Object.entries(body), [name, value]])
