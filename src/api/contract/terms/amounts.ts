import { z } from 'zod'
import type { ErrorKey } from '../errors.ts'
import type { Money } from './primitives.ts'

/**
 * Amounts in requests: text or a number, converted to text with two decimals. They are checked as text, to avoid binary
 * fractions. An amount with more than two decimals is refused, never rounded.
 */

/** The message of a schema issue: an error key, and optionally the text for `extra`. */
type Refusal = ErrorKey | `${ErrorKey}: ${string}`

interface AmountRules {
  /** The type in the published interface. The other one is accepted, too. */
  readonly published: 'text' | 'number'
  readonly notNumeric: Refusal
  /** Without it, negative amounts are allowed. */
  readonly negative?: Refusal
  /** Without it, zero is allowed. */
  readonly zero?: Refusal
}

export const MOST = '9999999999.99' as Money
const MOST_WHOLE_DIGITS = MOST.indexOf('.')
const TOO_PRECISE: Refusal = 'invalidArgument: at most two decimals are expected'
const TOO_LARGE: Refusal = `invalidArgument: at most ${MOST} is expected`

const parseAmount = (given: string | number, rules: AmountRules): { money: Money } | { refusal: Refusal } => {
  const text = String(given)
  // A number above 10^21 or below 10^-6 prints with an exponent. A text with an exponent is not an amount.
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
    const parsed = parseAmount(given, rules)
    if ('money' in parsed) return parsed.money
    context.addIssue({ code: 'custom', message: parsed.refusal, input: given })
    return z.NEVER
  })
}
