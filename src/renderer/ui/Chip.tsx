import styles from './Chip.module.css'
import { cx } from './cx.ts'

interface ChipProps extends React.ComponentProps<'button'> {
  /** A toggle that is on or off. */
  readonly pressed?: boolean | undefined
  /** A filter that is set. */
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

/** A word in the same frame that cannot be pressed. */
export const Tag = ({ className, ...span }: React.ComponentProps<'span'>) => (
  <span className={cx(styles.chip, className)} {...span} />
)
