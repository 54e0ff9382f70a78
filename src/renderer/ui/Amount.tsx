import { formatAmount, MINUS } from '../format/numbers.ts'
import styles from './Amount.module.css'
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
      <span className={cx(styles.amount, 'faint')} data-amount="">
        {value === null ? 'null' : '–'}
      </span>
    )
  const text = formatAmount(value, movement)
  return (
    <span
      className={styles.amount}
      data-amount=""
      data-zero={text === '0.00' ? '' : undefined}
      data-pending={pending ? '' : undefined}
      data-below={!movement && text.startsWith(MINUS) ? '' : undefined}
    >
      {text}
    </span>
  )
}
