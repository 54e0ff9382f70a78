import styles from './Button.module.css'
import { cx } from './cx.ts'

export interface ButtonStyle {
  /** Filled: the main action. At most one per screen. */
  readonly primary?: boolean | undefined
  /** Without border and background. */
  readonly bare?: boolean | undefined
  readonly small?: boolean | undefined
  /** Square, with only an icon. Needs an `aria-label`. */
  readonly iconOnly?: boolean | undefined
}

/** The class and attributes of a button, for links and triggers that look like one. */
export const buttonAttributes = ({ primary, bare, small, iconOnly }: ButtonStyle, className?: string) => ({
  className: cx(styles.button, className),
  'data-primary': primary ? '' : undefined,
  'data-bare': bare ? '' : undefined,
  'data-icon': iconOnly ? '' : undefined,
  'data-small': small ? '' : undefined,
})

type ButtonProps = ButtonStyle & React.ComponentProps<'button'>

export function Button({ primary, bare, small, iconOnly, className, ...button }: ButtonProps) {
  return <button type="button" {...buttonAttributes({ primary, bare, small, iconOnly }, className)} {...button} />
}

/** A button without styles, styled by its users. */
export const PlainButton = (props: React.ComponentProps<'button'>) => <button type="button" {...props} />

/** Buttons side by side with shared borders. */
export const ButtonGroup = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.group}>{children}</span>
)
