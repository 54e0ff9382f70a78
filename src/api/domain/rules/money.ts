import { Decimal } from 'decimal.js'
import type { Money } from '../../contract/terms/primitives.ts'

/** decimal.js lives here, and arithmetic on amounts nowhere else. */

export const money = (amount: Decimal.Value): Money => new Decimal(amount).toFixed(2) as Money

export const ZERO = money(0)

export const isZero = (amount: Money): boolean => new Decimal(amount).isZero()
export const isPositive = (amount: Money): boolean => new Decimal(amount).greaterThan(0)
export const isNegative = (amount: Money): boolean => new Decimal(amount).lessThan(0)

export const add = (a: Money, b: Money): Money => money(new Decimal(a).plus(b))
export const subtract = (a: Money, b: Money): Money => money(new Decimal(a).minus(b))
export const negate = (amount: Money): Money => subtract(ZERO, amount)
export const absolute = (amount: Money): Money => money(new Decimal(amount).abs())

export const isLess = (a: Money, b: Money): boolean => new Decimal(a).lessThan(b)
export const isMore = (a: Money, b: Money): boolean => new Decimal(a).greaterThan(b)

export const sum = (amounts: readonly Money[]): Money =>
  money(amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)))
