import { Stack } from './Box.tsx'
import styles from './Checkbox.module.css'
import { cx } from './cx.ts'

type CheckboxProps = Omit<React.ComponentProps<'input'>, 'type'>

export const Checkbox = ({ className, ...input }: CheckboxProps) => (
  <input type="checkbox" className={cx(styles.box, className)} {...input} />
)

/** A checkbox followed by its label. */
export function LabelledCheckbox({ children, className, ...input }: CheckboxProps) {
  return (
    <Stack as="label" columns="14px minmax(0, 1fr)" gap={8} text="data" className={className}>
      <Checkbox {...input} />
      <span>{children}</span>
    </Stack>
  )
}
