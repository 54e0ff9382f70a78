import { z } from 'zod'
import type { ErrorKey } from '../errors.ts'
import type { Money } from './primitives.ts'

/**
 * Amounts as requests have them: text or a number, made into text with two decimals. Judged as text, so that no binary
 * fraction comes near it; what has more than two decimals is refused, never rounded.
 */

/** A message of a schema: the key of an error, and the text of `extra` behind it. */
type Refusal = ErrorKey | `${ErrorKey}: ${string}`

export interface AmountRules {
  /** The form that the interface publishes; the other one is taken too. */
  readonly published: 'text' | 'number'
  readonly notNumeric: Refusal
  /** Without it, a negative amount is as good as a positive one. */
  readonly negative?: Refusal
  /** Without it, zero is an amount. */
  readonly zero?: Refusal
}

const MOST_WHOLE_DIGITS = 10
const TOO_PRECISE: Refusal = 'invalidArgument: at most two decimals are expected'
const TOO_LARGE: Refusal = 'invalidArgument: at most 9999999999.99 is expected'

const judge = (given: string | number, rules: AmountRules): { money: Money } | { refusal: Refusal } => {
  const text = String(given)
  // A number prints an exponent where it is above 10^21 or below 10^-6; a text that has one is no amount.
  if (typeof given === 'number' && text.includes('e')) return { refusal: text.includes('e-') ? TOO_PRECISE : TOO_LARGE }
  const [, sign, digits = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) return { refusal: rules.notNumeric }
  if (sign === '-' && rules.negative) return { refusal: rules.negative }
  if (decimals.length > 2) return { refusal: TOO_PRECISE }
  const whole = digits.replace(/^0+(?=\d)/, '')
  if (whole.length > MOST_WHOLE_DIGITS) return { refusal: TOO_LARGE }
  const size = `${whole}.${decimals.padEnd(2, '0')}`
  if (size !== '0.00') return { money: `${sign}${size}` as Money }
  return rules.zero ? { refusal: rules.zero } : { money: size as Money }
}

export const amount = (rules: AmountRules) => {
  const error = ({ input }: { input: unknown }) => (input === undefined ? undefined : rules.notNumeric)
  const forms =
    rules.published === 'text'
      ? z.union([z.string(), z.number()], { error })
      : z.union([z.number(), z.string()], { error })
  return forms.transform((given, context) => {
    const judged = judge(given, rules)
    if ('money' in judged) return judged.money
    context.addIssue({ code: 'custom', message: judged.refusal, input: given })
    return z.NEVER
  })
}
