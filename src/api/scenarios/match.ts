import type { Check } from '../contract/scenario-results.ts'
import { type IsWord, isWords, type MatcherName, matcherNames, type Path } from '../contract/scenarios.ts'
import type { Money } from '../contract/terms/primitives.ts'
import { isMore } from '../domain/rules/money.ts'
import { parsePath, valueAt } from './paths.ts'

/**
 * What is expected against what is there. A plain value must be equal, and text is never a number. An object names some
 * of the fields, by their paths. A list must be as long and in this order. An object of nothing but matchers is one.
 */

export type Compared = Omit<Check, 'place'> & { readonly at: Path }

/** One row for each value that is expected; `at` is where the expectation stands. */
export function compareValues(what: string, expected: unknown, actual: unknown, at: Path): Compared[] {
  const one = (ok: boolean): Compared[] => [{ what, expected, ...(actual === undefined ? {} : { actual }), ok, at }]
  if (isMatcher(expected)) return one(meets(expected, actual))
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return one(false)
    if (expected.length === 0) return one(true)
    return expected.flatMap((item, i) => compareValues(`${what}[${i}]`, item, actual[i], [...at, i]))
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return one(false)
    return fields(what, expected, actual, at)
  }
  return one(expected === actual)
}

/** The same of an object whose names are fields, whatever they are called. */
export function fields(what: string, expected: object, actual: unknown, at: Path): Compared[] {
  return Object.entries(expected).flatMap(([path, part]) =>
    compareValues(
      path.startsWith('[') || path === '.' ? `${what}${path}` : `${what} ${path}`.trim(),
      part,
      valueAt(actual, path),
      [...at, path],
    ),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isMatcher = (value: unknown): value is Readonly<Partial<Record<MatcherName, unknown>>> =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => (matcherNames as readonly string[]).includes(name))

const holds = (expected: unknown, actual: unknown) => compareValues('', expected, actual, []).every(({ ok }) => ok)

const meets = (matcher: Readonly<Partial<Record<MatcherName, unknown>>>, actual: unknown) =>
  Object.entries(matcher).every(([name, operand]) => matchers[name as MatcherName].meets(operand, actual))

interface Matcher {
  meets(operand: unknown, actual: unknown): boolean
  /** What is expected of the operand, when it is another. */
  refuses(operand: unknown): string | undefined
}

const matchers: Readonly<Record<MatcherName, Matcher>> = {
  is: {
    meets: (word, actual) => kinds[(word ?? 'null') as IsWord]?.(actual) ?? false,
    refuses: (word) =>
      word === null || (isWords as readonly unknown[]).includes(word)
        ? undefined
        : `one of ${isWords.join(', ')} is expected`,
  },
  matches: {
    meets: (pattern, actual) => typeof actual === 'string' && new RegExp(String(pattern), 'u').test(actual),
    refuses: (pattern) => (isPattern(pattern) ? undefined : 'a regular expression is expected'),
  },
  one_of: {
    meets: (options, actual) => Array.isArray(options) && options.some((option) => holds(option, actual)),
    refuses: (options) => (Array.isArray(options) && options.length > 0 ? undefined : 'a list of values is expected'),
  },
  contains: {
    meets: (part, actual) =>
      typeof actual === 'string'
        ? typeof part === 'string' && actual.includes(part)
        : Array.isArray(actual) && actual.some((item) => holds(part, item)),
    refuses: () => undefined,
  },
  not: { meets: (other, actual) => !holds(other, actual), refuses: () => undefined },
  count: {
    meets: (count, actual) => Array.isArray(actual) && holds(count, actual.length),
    refuses: (count) =>
      typeof count === 'number' || isMatcher(count) ? undefined : 'a number or a matcher of one is expected',
  },
  at_least: {
    meets: (least, actual) => inOrder(least, actual),
    refuses: (least) => (inOrder(least, least) ? undefined : 'an amount in quotes, a number or a time is expected'),
  },
  at_most: {
    meets: (most, actual) => inOrder(actual, most),
    refuses: (most) => (inOrder(most, most) ? undefined : 'an amount in quotes, a number or a time is expected'),
  },
}

const AMOUNT = /^-?\d+(\.\d{1,2})?$/
const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/

/** Amounts with amounts, numbers with numbers, times with times; nothing else can be compared. */
function inOrder(less: unknown, more: unknown): boolean {
  if (typeof less === 'number' && typeof more === 'number') return less <= more
  if (typeof less !== 'string' || typeof more !== 'string') return false
  if (AMOUNT.test(less) && AMOUNT.test(more)) return !isMore(less as Money, more as Money)
  return TIME.test(less) && TIME.test(more) && Date.parse(less) <= Date.parse(more)
}

const textLike = (pattern: RegExp) => (actual: unknown) => typeof actual === 'string' && pattern.test(actual)

const kinds: Readonly<Record<IsWord, (actual: unknown) => boolean>> = {
  present: (actual) => actual !== undefined && actual !== null,
  absent: (actual) => actual === undefined,
  null: (actual) => actual === null,
  uid: textLike(/^[1-9A-HJ-NP-Za-km-z]{16}$/),
  time: textLike(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  date: textLike(/^\d{4}-\d{2}-\d{2}$/),
  amount: textLike(/^-?\d+\.\d{2}$/),
  text: (actual) => typeof actual === 'string',
  number: (actual) => typeof actual === 'number',
  list: (actual) => Array.isArray(actual),
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** What is wrong with an expectation before it is ever compared. */
export function mistakesIn(
  expected: unknown,
  path: Path,
  { names = false } = {},
): { path: Path; key?: true; message: string }[] {
  if (Array.isArray(expected)) return expected.flatMap((item, i) => mistakesIn(item, [...path, i]))
  if (!isObject(expected)) return []
  if (!names && isMatcher(expected))
    return Object.entries(expected).flatMap(([name, operand]) => {
      const at = [...path, name]
      const refused = isVariable(operand) ? undefined : matchers[name as MatcherName].refuses(operand)
      return refused === undefined ? mistakesIn(operand, at) : [{ path: at, message: refused }]
    })
  return Object.entries(expected).flatMap(([name, part]) => [
    ...(parsePath(name) ? [] : [{ path: [...path, name], key: true as const, message: NO_PATH }]),
    ...mistakesIn(part, [...path, name]),
  ])
}
export const NO_PATH = 'a path is expected, as in details.first_name, data[0].uid or data[status=active].uid'

/** Its value is known when it is used. */
const isVariable = (value: unknown) => typeof value === 'string' && value.includes('$')
