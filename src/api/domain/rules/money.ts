import { Decimal } from 'decimal.js'
import type { Money } from '../../contract/terms/primitives.ts'

/** decimal.js lives here, and arithmetic on amounts nowhere else. */

export const money = (amount: Decimal.Value): Money => new Decimal(amount).toFixed(2) as Money

export const ZERO = money(0)

export const isZero = (amount: Money): boolean => new Decimal(amount).isZero()

export const sum = (amounts: readonly Money[]): Money =>
  money(amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)))
