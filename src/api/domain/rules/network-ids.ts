import { toMs } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import { dateAt } from './calendar.ts'

/** Identifiers that the payment networks give to a payment. */

const day = (tx: Tx) => dateAt(toMs(tx.now)).replaceAll('-', '')

/** Fedwire: date, eight letters or digits of the source, six digits. */
export const imad = (tx: Tx): string => `${day(tx)}HARBOR01${tx.digits(6)}`

/** Instant payments: date, participant (routing number and two more), sixteen more. */
export const networkTransactionId = (tx: Tx): string => `${day(tx)}${tx.program.routing_number}P1BAAAA${tx.digits(11)}`

/** A routing number: eight digits and the check digit of the American Bankers Association. */
export function withCheckDigit(digits: string): string {
  const weights = [3, 7, 1]
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * weights[i % 3]!, 0)
  return digits + String((10 - (sum % 10)) % 10)
}
