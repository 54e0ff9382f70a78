import type { Check } from '../contract/scenario-results.ts'
import { type IsWord, isWords, type MatcherName, matcherNames, type Path } from '../contract/scenarios.ts'
import type { Money } from '../contract/terms/primitives.ts'
import { isMore } from '../domain/rules/money.ts'
import { parsePath, valueAt } from './paths.ts'

/**
 * Compares expectations with actual values. A plain value must be equal; text never equals a number. An object has paths of
 * some fields. A list must have the same length and order. An object with matcher names only is a matcher.
 */

export type ComparedValue = Omit<Check, 'place'> & { readonly at: Path }

/** Returns one row for each expected value; `at` is the path of the expectation in the file. */
export function compareValues(what: string, expected: unknown, actual: unknown, at: Path): ComparedValue[] {
  const row = (ok: boolean): ComparedValue[] => [
    { what, expected, ...(actual === undefined ? {} : { actual }), ok, at },
  ]
  if (isMatcher(expected)) return row(isMatch(expected, actual))
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return row(false)
    if (expected.length === 0) return row(true)
    return expected.flatMap((item, i) => compareValues(`${what}[${i}]`, item, actual[i], [...at, i]))
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return row(false)
    return compareFields(what, expected, actual, at)
  }
  return row(expected === actual)
}

/** Compares an object whose keys are paths, even if they look like matchers. */
export function compareFields(what: string, expected: object, actual: unknown, at: Path): ComparedValue[] {
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

const isEqual = (expected: unknown, actual: unknown) => compareValues('', expected, actual, []).every(({ ok }) => ok)

const isMatch = (matcher: Readonly<Partial<Record<MatcherName, unknown>>>, actual: unknown) =>
  Object.entries(matcher).every(([name, operand]) => matchers[name as MatcherName].accepts(operand, actual))

interface Matcher {
  accepts(operand: unknown, actual: unknown): boolean
  /** Returns what is expected if the operand is invalid. */
  validateOperand(operand: unknown): string | undefined
}

const matchers: Readonly<Record<MatcherName, Matcher>> = {
  is: {
    accepts: (word, actual) => kinds[(word ?? 'null') as IsWord]?.(actual) ?? false,
    validateOperand: (word) =>
      word === null || (isWords as readonly unknown[]).includes(word)
        ? undefined
        : `one of ${isWords.join(', ')} is expected`,
  },
  matches: {
    accepts: (pattern, actual) => typeof actual === 'string' && new RegExp(String(pattern), 'u').test(actual),
    validateOperand: (pattern) => (isPattern(pattern) ? undefined : 'a regular expression is expected'),
  },
  one_of: {
    accepts: (options, actual) => Array.isArray(options) && options.some((option) => isEqual(option, actual)),
    validateOperand: (options) =>
      Array.isArray(options) && options.length > 0 ? undefined : 'a list of values is expected',
  },
  contains: {
    accepts: (part, actual) =>
      typeof actual === 'string'
        ? typeof part === 'string' && actual.includes(part)
        : Array.isArray(actual) && actual.some((item) => isEqual(part, item)),
    validateOperand: () => undefined,
  },
  not: { accepts: (other, actual) => !isEqual(other, actual), validateOperand: () => undefined },
  count: {
    accepts: (count, actual) => Array.isArray(actual) && isEqual(count, actual.length),
    validateOperand: (count) =>
      typeof count === 'number' || isMatcher(count) ? undefined : 'a number or a matcher of one is expected',
  },
  at_least: {
    accepts: (least, actual) => isInOrder(least, actual),
    validateOperand: (least) =>
      isInOrder(least, least) ? undefined : 'an amount in quotes, a number or a time is expected',
  },
  at_most: {
    accepts: (most, actual) => isInOrder(actual, most),
    validateOperand: (most) =>
      isInOrder(most, most) ? undefined : 'an amount in quotes, a number or a time is expected',
  },
}

const AMOUNT = /^-?\d+(\.\d{1,2})?$/
const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/

/** Compares amounts with amounts, numbers with numbers, times with times. False for anything else. */
function isInOrder(less: unknown, more: unknown): boolean {
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

/** Finds invalid paths and matcher operands. `names`: the keys are paths, even if they look like matchers. */
export function findMatcherIssues(
  expected: unknown,
  path: Path,
  { names = false } = {},
): { path: Path; key?: true; message: string }[] {
  if (Array.isArray(expected)) return expected.flatMap((item, i) => findMatcherIssues(item, [...path, i]))
  if (!isObject(expected)) return []
  if (!names && isMatcher(expected))
    return Object.entries(expected).flatMap(([name, operand]) => {
      const at = [...path, name]
      const message = isVariable(operand) ? undefined : matchers[name as MatcherName].validateOperand(operand)
      return message === undefined ? findMatcherIssues(operand, at) : [{ path: at, message }]
    })
  return Object.entries(expected).flatMap(([name, part]) => [
    ...(parsePath(name) ? [] : [{ path: [...path, name], key: true as const, message: PATH_EXPECTED }]),
    ...findMatcherIssues(part, [...path, name]),
  ])
}
export const PATH_EXPECTED = 'a path is expected, as in details.first_name, data[0].uid or data[status=active].uid'

/** Its value is unknown until the scenario runs. */
const isVariable = (value: unknown) => typeof value === 'string' && value.includes('$')
