import { formatAmount, MINUS } from '../format/numbers.ts'
import styles from './Amount.module.css'
import { cx } from './cx.ts'

interface AmountProps {
  /** As the API writes it: `-1234.50`. Null and missing are shown as different things. */
  readonly value: string | null | undefined
  /** Movements carry their sign, balances only the minus. */
  readonly movement?: boolean
  readonly pending?: boolean
}

/** Money as a statement prints it. */
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
