import { type AdvanceAmount, parseAdvance } from '../library/advance-amounts.ts'
import { OptionError } from './command.ts'

export function parseAmount(text: string): AdvanceAmount {
  const amount = parseAdvance(text)
  if (!amount) throw new OptionError(`${text}: 8bd (business days), 24h, 1d12h, PT24H, next or idle is expected`)
  return amount
}

/** `30`, `30s`, `2m`, `PT30S`: a time to wait in milliseconds. */
export function parseSeconds(option: string, text: string): number {
  const [, amount, unit = 's'] = /^(?:PT)?(\d+(?:\.\d+)?)(ms|s|m)?$/i.exec(text) ?? []
  if (amount === undefined) throw new OptionError(`${option}: a time such as 30s is expected`)
  return Number(amount) * { ms: 1, s: 1_000, m: 60_000 }[unit.toLowerCase() as 'ms' | 's' | 'm']
}
