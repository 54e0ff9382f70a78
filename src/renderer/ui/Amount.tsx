import { formatAmount, MINUS } from '../format/numbers.ts'

/** Money as a statement prints it: two places, thousands apart, a real minus. It is text all the way: never a float. */

interface AmountProps {
  /** As the interface says it: `-1234.50`. Null and missing are two things. */
  readonly value: string | null | undefined
  /** Movements carry their sign, balances only the minus. */
  readonly movement?: boolean
  readonly pending?: boolean
}

export function Amount({ value, movement = false, pending = false }: AmountProps) {
  if (value === undefined) return <span className="amount faint">–</span>
  if (value === null) return <span className="amount faint">null</span>
  const text = formatAmount(value, movement)
  return (
    <span
      className="amount"
      data-zero={text === '0.00' ? '' : undefined}
      data-pending={pending ? '' : undefined}
      data-below={!movement && text.startsWith(MINUS) ? '' : undefined}
    >
      {text}
    </span>
  )
}
