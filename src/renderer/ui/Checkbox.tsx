import styles from './Checkbox.module.css'
import { cx } from './cx.ts'

type CheckboxProps = Omit<React.ComponentProps<'input'>, 'type'>

export const Checkbox = ({ className, ...input }: CheckboxProps) => (
  <input type="checkbox" className={cx(styles.box, className)} {...input} />
)

/** A checkbox followed by its label. */
export function LabelledCheckbox({ children, className, ...input }: CheckboxProps) {
  return (
    <label className={cx(styles.check, className)}>
      <Checkbox {...input} />
      <span>{children}</span>
    </label>
  )
}
