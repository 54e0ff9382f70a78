import { formatAmount, MINUS } from '../format/numbers.ts'
import { cx } from './cx.ts'

interface AmountProps {
  /** As in the API, e.g. `-1234.50`. Null is shown as `null`, a missing value as a dash. */
  readonly value: string | null | undefined
  /** A movement always has a sign; a balance only a minus. */
  readonly movement?: boolean
  readonly pending?: boolean
}

/** An amount as on a bank statement. */
export function Amount({ value, movement = false, pending = false }: AmountProps) {
  if (value == null)
    return (
      <span className="nowrap faint" data-amount="">
        {value === null ? 'null' : '–'}
      </span>
    )
  const text = formatAmount(value, movement)
  const isBelow = !movement && text.startsWith(MINUS)
  const tone = isBelow ? 'bad' : text === '0.00' ? 'faint' : pending && 'soft'
  return (
    <span
      className={cx('nowrap', tone)}
      data-amount=""
      data-pending={pending ? '' : undefined}
      data-below={isBelow ? '' : undefined}
    >
      {text}
    </span>
  )
}
