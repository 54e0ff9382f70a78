import { outcomesOfNumber } from '../../contract/triggers.ts'
import type { SyntheticAccountRecord, TransactionRecord } from '../../store/world.ts'
import { withCheckDigit } from './network-ids.ts'

/**
 * What another bank has instead of the data of an ACH entry, for its notification of change.
 *
 * Assumed (invented): a corrected account number differs in one digit and forces no outcome; a corrected routing number has 98NN before its
 * check digit; a name is in capitals, an account is a savings account, an id_number ends in a blank and two digits, and an entry
 * has no addenda. Data that is so already needs no correction by C02, C04, C05, C09 and C13.
 */

type Account = Pick<SyntheticAccountRecord, 'account_number' | 'routing_number' | 'ach'>
type Entry = Pick<TransactionRecord, 'ach' | 'net_asset'>

/** False if what was sent is what the other bank has. An account number that forces a correction is never right. */
export function needsCorrection(code: string, { routing_number, ach }: Account, { ach: sent = {} }: Entry): boolean {
  const { counterparty_name: name = '', id_number, addenda } = sent
  switch (code) {
    case 'C02':
      return routing_number === null || routing_number !== withCheckDigit(routing_number.slice(0, 4) + ending(code))
    case 'C04':
      return name !== name.toUpperCase()
    case 'C05':
      return ach?.account_type !== 'savings'
    case 'C09':
      return !/(?:^| )\d\d$/.test(id_number ?? '')
    case 'C13':
      return addenda != null
    default:
      return true
  }
}

/** The text of corrected data: a field with columns, so inner blanks stay. */
export function correctionFor(
  code: string,
  { account_number, routing_number, ach }: Account,
  { ach: sent = {}, net_asset }: Entry,
): string {
  const account = correctAccountNumber(account_number ?? '1').padEnd(17)
  const routing = correctedRoutingNumber(code, routing_number ?? '000000000')
  const kinds = net_asset === 'positive' ? { checking: '27', savings: '37' } : { checking: '22', savings: '32' }
  const kind = ach?.account_type === 'savings' ? kinds.checking : kinds.savings
  const corrections: Readonly<Record<string, string>> = {
    C01: account,
    C02: routing,
    C03: `${routing}   ${account}`,
    C04: (sent.counterparty_name ?? '').toUpperCase(),
    C05: kind,
    C06: `${account}   ${kind}`,
    C07: `${routing}${account}${kind}`,
    C09: `${(sent.id_number ?? '').slice(0, sent.sec_code === 'CIE' ? 19 : 12)} ${ID_ENDING}`.trimStart(),
  }
  return (corrections[code] ?? '').trimEnd()
}

/** Only the digit that makes a number force an outcome is another one. */
export function correctAccountNumber(number: string): string {
  const candidates = STEPS.map((step) => shiftDigit(number, step))
  return candidates.find((one) => Object.keys(outcomesOfNumber(one)).length === 0) ?? candidates[0]!
}

/** The number of which this one is the correction; a mask needs it. */
export const sentAccountNumber = (corrected: string): string | undefined =>
  STEPS.map((step) => shiftDigit(corrected, 10 - step)).find((one) => correctAccountNumber(one) === corrected)

const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

function shiftDigit(number: string, step: number): string {
  const at = Math.max(0, number.length - 4)
  return number.slice(0, at) + String((Number(number[at]) + step) % 10) + number.slice(at + 1)
}

function correctedRoutingNumber(code: string, number: string): string {
  const bank = number.slice(0, 4)
  const right = withCheckDigit(bank + ending(code))
  return right === number ? withCheckDigit(`${bank}0000`) : right
}

/** A masked id_number has digits in the same place. */
export const ID_ENDING = '09'

const ending = (code: string) => `98${code.slice(1)}`
