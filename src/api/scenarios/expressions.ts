import { MAX_BUSINESS_DAYS, parseDuration, parseInstant } from '../contract/terms/amounts-of-time.ts'
import { newYorkInstant, newYorkTime } from '../contract/terms/new-york.ts'
import type { Money } from '../contract/terms/primitives.ts'
import { bankingDayAfter, bankingDayBefore, type CalendarDate, plusDays } from '../domain/rules/calendar.ts'
import { add, money, subtract } from '../domain/rules/money.ts'
import { toTimestamp } from '../store/clock.ts'

/**
 * Arithmetic in texts of scenarios: a variable, then any number of `+` or `-` with a duration, business days, an amount, a
 * number or another variable, from left to right. `now + P1D`, `today + 2 business days`, `amount - 10.50`.
 */

/** One of the operands is there: `3 business days`, `n business days`, `P1D`, `10.50`, `amount`. */
interface Term {
  readonly sign: 1 | -1
  readonly days?: string | undefined
  readonly duration?: string | undefined
  readonly number?: string | undefined
  readonly name?: string | undefined
}

interface Expression {
  readonly name: string
  readonly terms: readonly Term[]
}

export class ExpressionError extends Error {
  override name = 'ExpressionError'
}

const NAME = '[A-Za-z_]\\w*'
const START = new RegExp(`^\\s*(${NAME})\\s*`)
/** A word such as P1D or PT2H is always a duration, never a variable. */
const TERM = new RegExp(
  `^(?<sign>[+-])\\s*(?:(?<days>\\d+|${NAME})\\s+business\\s+days?\\b|(?<duration>P(?:\\d|T\\d)[\\dA-Z.]*)\\b|` +
    `(?<number>\\d+(?:\\.\\d+)?)\\b|(?<name>${NAME}))\\s*`,
)

const FORM = `a variable with + or - and a duration, business days, an amount or a variable is expected, as in \${now + P1D}, \${today + 2 business days} or \${amount - 10.50}`

const isLiteral = (count: string) => /^\d/.test(count)

/** The text between the braces. Throws ExpressionError. */
export function parseExpression(text: string): Expression {
  const start = START.exec(text)
  if (!start) throw malformed(text)
  const terms: Term[] = []
  for (let rest = text.slice(start[0].length); rest !== ''; ) {
    const match = TERM.exec(rest)
    if (!match) throw malformed(text)
    const { sign, ...operand } = match.groups as Omit<Term, 'sign'> & { sign: string }
    const { days, duration, number } = operand
    if (days !== undefined && isLiteral(days)) requireCount(Number(days))
    if (duration !== undefined) requireDuration(duration)
    if (number !== undefined && !AMOUNT.test(number))
      throw new ExpressionError(`${AMOUNT_EXPECTED}; found ${number} in \${${text}}`)
    terms.push({ sign: sign === '+' ? 1 : -1, ...operand })
    rest = rest.slice(match[0].length)
  }
  return { name: start[1]!, terms }
}

const malformed = (text: string) => new ExpressionError(`${FORM}; found \${${text}}`)

/** The variables that it needs, each once. */
export const variablesIn = ({ name, terms }: Expression): string[] => [
  ...new Set([name, ...terms.flatMap(({ days, name: operand }) => operand ?? (days && !isLiteral(days) ? days : []))]),
]

/** Throws ExpressionError if a value has the wrong type. */
export const evaluate = ({ name, terms }: Expression, lookUp: (name: string) => unknown): unknown =>
  terms.reduce<unknown>((left, term) => applyTerm(name, left, term, lookUp), lookUp(name))

const AMOUNT = /^-?\d+(\.\d{1,2})?$/
const AMOUNT_EXPECTED = 'an amount or a number with at most two decimals is expected'
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T/
const FIRST_YEAR_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_YEAR_MS = Date.parse('9900-01-01T00:00:00Z')

function applyTerm(name: string, left: unknown, term: Term, lookUp: (name: string) => unknown): unknown {
  const { sign, days, duration, number } = term
  const [isDate, isTime] = [DATE, TIME].map((pattern) => typeof left === 'string' && pattern.test(left))
  if (days !== undefined) {
    const count = sign * requireCount(isLiteral(days) ? Number(days) : lookUp(days))
    if (isDate) return shiftDays(requireDate(String(left)), count)
    if (isTime) return shiftTime(String(left), count)
    throw new ExpressionError(`business days need a date or a time; $${name} is ${JSON.stringify(left)}`)
  }
  const right = duration ?? number ?? lookUp(term.name!)
  const isDuration = duration !== undefined || (typeof right === 'string' && right.startsWith('P'))
  if (isDate || isTime) {
    if (!isDuration)
      throw new ExpressionError(
        `a duration such as P1D or a number of business days is expected after $${name}, which is ${JSON.stringify(left)}; ` +
          `found ${typeof right === 'string' ? right : JSON.stringify(right)}`,
      )
    return isDate ? addToDate(String(left), sign, String(right)) : addToTime(String(left), sign, String(right))
  }
  if (isDuration)
    throw new ExpressionError(
      `a duration needs a date or a time before it; $${name} is ${JSON.stringify(left) ?? 'not there'}`,
    )
  const isNumber = typeof left === 'number' && (number !== undefined || typeof right === 'number')
  const [a, b] = [requireAmount(left), requireAmount(right)]
  const result = sign === 1 ? add(a, b) : subtract(a, b)
  return isNumber ? Number(result) : result
}

function requireAmount(value: unknown): Money {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && AMOUNT.test(text)) return money(text)
  throw new ExpressionError(`${AMOUNT_EXPECTED}; found ${JSON.stringify(value) ?? 'nothing'}`)
}

function requireCount(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_BUSINESS_DAYS) return value
  throw new ExpressionError(`1 to ${MAX_BUSINESS_DAYS} business days are expected; found ${JSON.stringify(value)}`)
}

/** What the parser says is expected, without the name of a field, which an expression does not have. */
function parsed(text: string, parse: (text: string) => number): number {
  try {
    return parse(text)
  } catch (error) {
    const { extra, message } = error as Error & { extra?: string }
    throw new ExpressionError(`${(extra ?? message).replace(/^(?:by|time): /, '')}; found ${text}`)
  }
}

const requireDuration = (text: string) => parsed(text, (duration) => parseDuration(duration))
const requireTime = (text: string) => parsed(text, (time) => parseInstant(time, 'time'))

function requireDate(text: string): CalendarDate {
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return text
  throw new ExpressionError(`a date such as 2026-11-23 is expected; found ${text}`)
}

function requireKnownYear(ms: number): number {
  if (ms >= FIRST_YEAR_MS && ms < LAST_YEAR_MS) return ms
  throw new ExpressionError('a result in the years 1 to 9899 is expected')
}

const DAY_MS = 86_400_000

function addToDate(date: string, sign: 1 | -1, duration: string): CalendarDate {
  const ms = requireDuration(duration)
  if (duration.includes('T') || ms % DAY_MS !== 0)
    throw new ExpressionError(`whole days such as P1D or P2W are expected after the date ${date}; found ${duration}`)
  requireKnownYear(Date.parse(`${requireDate(date)}T00:00:00Z`) + sign * ms)
  return plusDays(date, (sign * ms) / DAY_MS)
}

const addToTime = (time: string, sign: 1 | -1, duration: string) =>
  toTimestamp(requireKnownYear(requireTime(time) + sign * requireDuration(duration)))

/** The same New York time on the nth banking day, as `clock.advance` counts them. */
function shiftTime(time: string, days: number): string {
  const { date, time_ms } = newYorkTime(requireTime(time))
  return toTimestamp(newYorkInstant(shiftDays(date, days), time_ms))
}

function shiftDays(date: CalendarDate, days: number): CalendarDate {
  if (days > 0) return bankingDayAfter(date, days)
  let day = date
  for (let left = -days; left > 0; left--) day = bankingDayBefore(day)
  return day
}
