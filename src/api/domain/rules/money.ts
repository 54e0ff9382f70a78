import { Decimal } from 'decimal.js'
import type { Money } from '../../contract/terms/primitives.ts'

/** The only file with arithmetic on amounts, and with decimal.js. */

export const money = (amount: Decimal.Value): Money => new Decimal(amount).toFixed(2) as Money

export const ZERO = money(0)

/** Whole cents: exact, and faster than decimals for sums of 100,000 lines. */
const cents = (amount: Money): bigint =>
  BigInt(amount.at(-3) === '.' ? amount.replace('.', '') : new Decimal(amount).times(100).toFixed(0))

function ofCents(total: bigint): Money {
  const digits = String(total < 0n ? -total : total).padStart(3, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as Money
}

export const isZero = (amount: Money): boolean => cents(amount) === 0n
export const isPositive = (amount: Money): boolean => cents(amount) > 0n
export const isNegative = (amount: Money): boolean => cents(amount) < 0n

export const add = (a: Money, b: Money): Money => ofCents(cents(a) + cents(b))
export const subtract = (a: Money, b: Money): Money => ofCents(cents(a) - cents(b))
export const negate = (amount: Money): Money => ofCents(-cents(amount))
export const absolute = (amount: Money): Money => (isNegative(amount) ? negate(amount) : ofCents(cents(amount)))

/** Rounded down to a cent. */
export const halfway = (a: Money, b: Money): Money => ofCents((cents(a) + cents(b)) / 2n)

export const isLess = (a: Money, b: Money): boolean => cents(a) < cents(b)
export const isMore = (a: Money, b: Money): boolean => cents(a) > cents(b)

export const sum = (amounts: readonly Money[]): Money =>
  ofCents(amounts.reduce((total, amount) => total + cents(amount), 0n))
