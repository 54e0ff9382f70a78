import styles from './Chip.module.css'
import { cx } from './cx.ts'

interface ChipProps extends React.ComponentProps<'button'> {
  /** A toggle that is on or off. */
  readonly pressed?: boolean | undefined
  /** An active filter. */
  readonly on?: boolean | undefined
}

/** A small button: a toggle, a filter, or the trigger of a menu. */
export function Chip({ pressed, on = false, className, ...button }: ChipProps) {
  return (
    <button
      type="button"
      className={cx(styles.chip, className)}
      aria-pressed={pressed}
      data-on={on ? '' : undefined}
      {...button}
    />
  )
}

/** The same shape without a button. */
export const Tag = ({ className, ...span }: React.ComponentProps<'span'>) => (
  <span className={cx(styles.chip, className)} {...span} />
)
